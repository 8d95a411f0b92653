// SPDX-License-Identifier: Apache-2.0
#include "limbs.h"

#include <doctest/doctest.h>

namespace test::limbs {

Tally::~Tally() {
    INFO(what_, ": ", failures_, " of ", comparisons_, " failed; first: ", first_,
         "; WARPINT_TEST_SEED=", test::run_seed());
    CHECK(failures_ == 0);
    CHECK(comparisons_ > 0);
}

void Tally::fail(std::uint64_t got, std::uint64_t expected,
                 std::initializer_list<std::uint64_t> operands) {
    if (failures_++ == 0) {
        first_ = "got " + std::to_string(got) + ", expected " + std::to_string(expected) + " for";
        for (const std::uint64_t operand : operands)
            first_ += " " + std::to_string(operand);
    }
}

Source::Source(const char *name) : engine_(test::property_seed(name, 8)) {}

std::uint64_t Source::word() {
    return engine_();
}

std::uint64_t Source::number(int limbs) {
    static constexpr Limb special[16] = {0,    1,    2,    0x7e, 0x7f, 0x80, 0x81, 0xfe,
                                         0xff, 0xff, 0x80, 0,    0x40, 0xc0, 3,    0xfd};
    std::uint64_t random = engine_();
    if (engine_() & 1) {
        const std::uint64_t choice = engine_();
        for (int i = 0; i < limbs; ++i) {
            if ((choice >> (32 + i)) & 1) {
                random &= ~(std::uint64_t(0xff) << (8 * i));
                random |= std::uint64_t(special[(choice >> (4 * i)) & 15]) << (8 * i);
            }
        }
    }
    return random & (~std::uint64_t(0) >> (64 - 8 * limbs));
}

} // namespace test::limbs
