// SPDX-License-Identifier: Apache-2.0
#include "soak/tally.h"

#include "support/property.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace soak {
namespace {

struct Total {
    std::uint64_t held = 0;
    std::uint64_t wrong = 0;
    ~Total() {
        if (seconds() > 0)
            std::printf("%.4g identities, %llu wrong\n", static_cast<double>(held),
                        static_cast<unsigned long long>(wrong));
    }
};
Total total;

} // namespace

double seconds() {
    static const double value = [] {
        const char *const text = std::getenv("WARPINT_SOAK_SECONDS");
        return text != nullptr ? std::strtod(text, nullptr) : 0.0;
    }();
    return value;
}

std::size_t round_size(int bits) {
    if (seconds() == 0)
        return static_cast<std::size_t>(test::scaled(500));
    return static_cast<std::size_t>(std::clamp(test::scaled((1L << 28) / bits), 1L, 1L << 22));
}

std::uint64_t next_seed() {
    static std::uint64_t drawn = 0;
    return test::run_seed() + ++drawn;
}

void count(const std::string &kind, const char *name, std::uint64_t held, std::uint64_t wrong,
           double time) {
    total.held += held;
    total.wrong += wrong;
    INFO(kind << ": " << name << ", WARPINT_TEST_SEED=" << test::run_seed());
    CHECK(wrong == 0);
    if (seconds() > 0) {
        std::printf("%-28s %-36s %14llu %6llu wrong %9.4g /s\n", kind.c_str(), name,
                    static_cast<unsigned long long>(held), static_cast<unsigned long long>(wrong),
                    static_cast<double>(held) / time);
        std::fflush(stdout);
    }
}

} // namespace soak
