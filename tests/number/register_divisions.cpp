// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of widths that GPUs divide in registers, a few of each kind: dividends
// as long as the divisor, twice as long, a little longer, shorter.
#include "widths.h"

namespace number_test {
namespace {

template <int... Widths>
void add_divisions() {
    (add_case<Group::divisions, BigInt<Widths>, BigInt<Widths>>(), ...);
}

const Registration register_divisions([] {
    add_divisions<31, 96, 160, 384, 768, 1000>();
    add_case<Group::divisions, BigInt<192>, BigInt<96>>();
    add_case<Group::divisions, BigInt<512>, BigInt<256>>();
    add_case<Group::divisions, BigInt<1042>, BigInt<521>>();
    add_case<Group::divisions, BigInt<2048>, BigInt<1024>>();
    add_case<Group::divisions, BigInt<256>, BigInt<224>>();
    add_case<Group::divisions, BigInt<131>, BigInt<512>>();
});

} // namespace
} // namespace number_test
