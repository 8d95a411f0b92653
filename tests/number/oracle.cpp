// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include "../batch/listed_oracle.h"

#include <array>

namespace number_test {

void check_record(Checker &checker, const Case &which, const Element &v) {
    static constexpr auto checks = []<int... group>(std::integer_sequence<int, group...>) {
        return std::array{batch_test::check_numbers<flag_of(static_cast<Group>(group))>...};
    }(std::make_integer_sequence<int, group_count>{});
    batch_test::ExactOperands operands;
    operands.a = {v.a, which.a()};
    operands.b = operands.d = {v.b, which.b()};
    checks[static_cast<std::size_t>(which.group)](checker, operands, v.parameters);
    checker.end();
}

} // namespace number_test
