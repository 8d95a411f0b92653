// SPDX-License-Identifier: Apache-2.0
// After all other law tests (doctest orders by file name): no pair of operations was forgotten.
#include "law_oracle.h"

namespace {

using namespace law;

template <Code... codes>
constexpr void mark(CodeList<codes...>, int (&seen)[code_count]) {
    (++seen[static_cast<int>(codes)], ...);
}

template <class... Groups>
constexpr bool cover_all_codes_once() {
    int seen[code_count]{};
    (mark(Groups{}, seen), ...);
    for (int count : seen) {
        if (count != 1)
            return false;
    }
    return true;
}
static_assert(
    cover_all_codes_once<Sums, Products, Remainders, Powers, Bits, Shifts, Equalities, Orders>());
static_assert(AllCodes::size == code_count);

} // namespace

TEST_CASE("law: every pair of operations was run") {
    MESSAGE("pairs of operations: ", pairs_run(), " of ", code_count * code_count,
            "; formulas: ", totals().formulas, "; elements: ", totals().elements,
            ", of which without a value: ", totals().elements_without_value);
    CHECK(totals().elements_without_value > 0);
    CHECK(pairs_run() == code_count * code_count);
}
