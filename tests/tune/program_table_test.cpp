// SPDX-License-Identifier: Apache-2.0
// A program's own table, as warpint_perf_tune wrote it: beside the library's where it is of another
// architecture, as macro WARPINT_TUNING_TABLE says.
#define WARPINT_TUNING_TABLE <program_table.h>

#include <doctest/doctest.h>
#include <warpint/execution/plan/tuning/choose.h>

#include <string>

using namespace warpint::execution;
using namespace warpint::execution::tuning;

TEST_CASE("WARPINT_TUNING_TABLE adds a program's table to the library's") {
    Cost cost;
    cost.work = WorkKind::power;
    cost.bits = cost.widest_bits = cost.exponent_bits = 2048;
    cost.over_lanes = true;
    for (const int capability : {75, 90, 91, 120}) {
        const Choice choice = Known::choose(cost, 1000, capability);
        const bool by_program = capability >= 91;
        CHECK(choice.architecture == (by_program ? 91 : 90));
        CHECK(choice.is_measured == (capability == 90 || capability == 91));
        CHECK(std::string(choice.row.measured) == (by_program ? "an invented GPU" : "an H200"));
    }
}
