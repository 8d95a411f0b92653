// SPDX-License-Identifier: Apache-2.0
// What batches of formulas with inverses should give, by GMP, and the comparison with it.
#pragma once

#include "support/batches.h"
#include "support/exact.h"

#include <vector>

namespace test {

// An element of a result: its value, and whether it has one.
struct Expected {
    Integer value;
    bool exists;
};
inline Expected inverse_of(const Integer &x, const Integer &m) {
    const Maybe<Exact> r =
        inverse(Exact(x, {x.bit_width(), false}), Exact(m, {m.bit_width(), false}));
    return {r.value.value(), r.exists};
}

// The index of the first element of `got` that is not wanted[i] or is flagged wrongly; -1 if there
// is none.
template <class Vector>
long first_other(Vector got, const std::vector<Expected> &wanted) {
    const std::vector<bool> mask = got.error_mask();
    got.clear_errors();
    const auto values = got.to_host();
    if (values.size() != wanted.size())
        return static_cast<long>(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Integer value = wanted[i].exists ? wanted[i].value : Integer(0);
        if (to_integer(values[i]) != value || mask[i] == wanted[i].exists)
            return static_cast<long>(i);
    }
    return -1;
}

} // namespace test
