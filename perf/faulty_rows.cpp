// SPDX-License-Identifier: Apache-2.0
// Rows with a fault each, for the test perf_lines: the check has to find it.
#include "rows.h"

namespace perf {
namespace {

struct Idle : Add {
    static constexpr const char *by = "faulty: never computes";
    template <class S>
    static void run(S &) {}
};

struct Lazy : Add {
    static constexpr const char *by = "faulty: computes once";
    template <class S>
    static void run(S &set) {
        static bool done = false;
        if (!done)
            evaluate(formula(set.x), set.result);
        done = true;
    }
};

struct Throwing : Add {
    static constexpr const char *by = "faulty: throws";
    template <class S>
    static void run(S &) {
        throw std::runtime_error("a \"fault\"");
    }
};

const Registration registration{[] {
    add_row<OnCpu, Idle, 256>();
    add_row<OnCpu, Lazy, 256>();
    add_row<OnCpu, Throwing, 256>();
}};

} // namespace
} // namespace perf
