// SPDX-License-Identifier: Apache-2.0
// Products that a group of threads computes together: columns spread over the threads, then their
// carries, all at once. A group is the threads of a block on a GPU (or, in tests, a loop):
//
//   size()               the number of threads
//   for_each(n, f)       f(0) ... f(n - 1), spread over the threads, in no order
//   sync()               what was written before is seen by all afterwards
//   first_of(n, f)       the least i < n with f(i), or n, to all of them; begins and ends as sync()
//
// Between two sync() no f reads what another one writes. Numbers lie in memory that the group
// shares. Variable time.
#pragma once

#include "../../../limb/column.h"

namespace warpint::arith {

// What a limb does with a carry from below.
enum class CarryState : std::uint8_t { none, propagates, generates };

// The sums of columns, in three limbs each, and what their carries do; the room of one such item.
template <class Limb>
struct GroupColumns {
    Limb *low;
    Limb *middle;
    Limb *high;
    CarryState *state;

    // Limbs of memory for `count` columns.
    WARPINT_HOST_DEVICE static constexpr int room(int count) {
        return 3 * count + (count - 1) / static_cast<int>(sizeof(Limb)) + 1;
    }
    WARPINT_HOST_DEVICE GroupColumns(Limb *memory, int count)
        : low{memory}, middle{memory + count}, high{memory + 2 * count},
          state{reinterpret_cast<CarryState *>(memory + 3 * count)} {}
};

// The columns of a product that one step of the loop walks through: first <= i < last.
struct ColumnRange {
    int first;
    int last;
};

namespace detail {

template <int Columns, class Group, class Limb, class Begin, class Range>
WARPINT_HOST_DEVICE void add_columns(const Group &group, const GroupColumns<Limb> &sums, int count,
                                     const Limb *a, const Limb *b, const Begin &begin,
                                     const Range &range) {
    const int threads = group.size();
    const int together = Columns * threads;
    const int rounds = (count + together - 1) / together;
    group.for_each(rounds * threads, [&](int i) {
        const int round = i / threads;
        const int first = round * together;
        const int end = first + together < count ? first + together : count;
        limb::Column<Limb> column[Columns];
        const Limb *place[Columns];
        WARPINT_UNROLL_ALWAYS
        for (int c = 0; c < Columns; ++c) {
            const int q = first + c * threads + i % threads;
            place[c] = b + begin(q < end ? q : end - 1);
        }
        const ColumnRange steps = range(first, end - 1);
        WARPINT_UNROLL(4, 4)
        for (int k = steps.first; k < steps.last; ++k) {
            const Limb factor = a[k];
            WARPINT_UNROLL_ALWAYS
            for (int c = 0; c < Columns; ++c)
                column[c].add_product(factor, *(place[c] - k));
        }
        WARPINT_UNROLL_ALWAYS
        for (int c = 0; c < Columns; ++c) {
            const int q = first + c * threads + i % threads;
            if (q < end) {
                sums.low[q] = column[c].low;
                sums.middle[q] = column[c].middle;
                sums.high[q] = column[c].high;
            }
        }
    });
}

} // namespace detail

// Column q of `count` is the sum of a[i] b[begin(q) - i] over the i of range(first, last), which is
// asked for the columns first ... last together and may name more i than they have, where b is
// zero. A thread takes up to four columns, so that it loads a[i] once for them.
template <class Group, class Limb, class Begin, class Range>
WARPINT_HOST_DEVICE void add_columns(const Group &group, const GroupColumns<Limb> &sums, int count,
                                     const Limb *a, const Limb *b, const Begin &begin,
                                     const Range &range) {
    const int rounds = (count + 4 * group.size() - 1) / (4 * group.size());
    switch ((count + rounds * group.size() - 1) / (rounds * group.size())) {
    case 1:
        return detail::add_columns<1>(group, sums, count, a, b, begin, range);
    case 2:
        return detail::add_columns<2>(group, sums, count, a, b, begin, range);
    case 3:
        return detail::add_columns<3>(group, sums, count, a, b, begin, range);
    default:
        return detail::add_columns<4>(group, sums, count, a, b, begin, range);
    }
}

// The limb of column q, which is column t of its product, with addend(t), but for one carry from
// below; says what it does with that. last: the product ends here, and what is carried is dropped.
template <class Limb, class Addend>
WARPINT_HOST_DEVICE Limb limb_of_column(const GroupColumns<Limb> &sums, int q, int t, bool last,
                                        const Addend &addend) {
    using Wide = limb::double_limb_t<Limb>;
    const auto sum = [&](int back) {
        Wide wide = static_cast<Wide>(Wide{sums.low[q - back]} + addend(t - back));
        if (t - back > 0)
            wide = static_cast<Wide>(wide + sums.middle[q - back - 1]);
        if (t - back > 1)
            wide = static_cast<Wide>(wide + sums.high[q - back - 2]);
        return wide;
    };
    const Limb own = static_cast<Limb>(sum(0));
    const Limb carry = t == 0 ? Limb{0} : static_cast<Limb>(sum(1) >> limb::limb_bits<Limb>);
    WARPINT_ASSERT(carry <= 3);
    const Limb limb = static_cast<Limb>(own + carry);
    sums.state[q] = last                                  ? CarryState::none
                    : limb < own                          ? CarryState::generates
                    : limb == static_cast<Limb>(~Limb{0}) ? CarryState::propagates
                                                          : CarryState::none;
    return limb;
}

// The carry that comes to place q from below. Looks back over places that propagate.
WARPINT_HOST_DEVICE constexpr bool carry_into(const CarryState *state, int q) {
    --q;
    while (q >= 0 && state[q] == CarryState::propagates)
        --q;
    return q >= 0 && state[q] == CarryState::generates;
}

} // namespace warpint::arith
