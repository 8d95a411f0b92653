// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include <cryptofuzz/repository.h>

#include "calculation.h"

namespace cryptofuzz::module {
namespace {

std::string text(const component::Bignum &x) {
    return x.IsZero() ? "0" : x.ToTrimmedString(); // "-" and "-0" are zeros too
}

} // namespace

std::optional<component::Bignum> warpint::OpBignumCalc(operation::BignumCalc &op) {
    const std::string a = text(op.bn0);
    const std::string b = text(op.bn1);
    const std::string c = text(op.bn2);
    const auto result =
        warpint_cryptofuzz::calculate(repository::CalcOpToString(op.calcOp.Get()), {a, b, c});
    if (!result)
        return std::nullopt;
    return component::Bignum(*result);
}

} // namespace cryptofuzz::module
