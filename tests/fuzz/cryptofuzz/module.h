// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cryptofuzz/components.h>
#include <cryptofuzz/module.h>

#include <optional>

namespace cryptofuzz::module {

/// warpint in Cryptofuzz: its calculations with big numbers (calculation.h).
class warpint : public Module {
public:
    warpint() : Module("warpint") {}
    std::optional<component::Bignum> OpBignumCalc(operation::BignumCalc &op) override;
};

} // namespace cryptofuzz::module
