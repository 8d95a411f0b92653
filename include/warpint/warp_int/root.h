// SPDX-License-Identifier: Apache-2.0
// Integer square roots of numbers over lanes: the recursive method (P. Zimmermann, "Karatsuba
// Square Root", INRIA RR-3805, 1999), the root of the upper half first, then one division half as
// wide; each level works on numbers of half the limbs a lane. Variable time.
#pragma once

#include "../number/root.h"
#include "bits.h"

namespace warpint {

namespace warp_int {

template <class A, int Bits, bool Signed = false>
using resized_t = Number<Bits, A::lanes, traits<A>::together, Signed>;

template <class Root, class Rest>
struct RootAndRest {
    Root root;
    Rest rest;
};

// root^2 + rest = a, rest <= 2 root, for a with one of its two top bits set; its width is a
// multiple of 4, and halves of that width are until 64 bits are left.
template <class A>
WARPINT_HOST_DEVICE RootAndRest<resized_t<A, A::bits / 2>, resized_t<A, A::bits / 2 + 1>>
root_of_normalised(const A &a) {
    constexpr int width = A::bits;
    static_assert(width % 4 == 0);
    using Root = resized_t<A, width / 2>;
    using Rest = resized_t<A, width / 2 + 1>;
    if constexpr (width <= 64) { // every lane for itself
        const auto x = static_cast<std::uint64_t>(a);
        std::uint64_t root = 0;
        for (int bit = width / 2 - 1; bit >= 0; --bit) {
            const std::uint64_t next = root | std::uint64_t{1} << bit;
            if (next * next <= x)
                root = next;
        }
        return {Root(root), Rest(x - root * root)};
    } else {
        constexpr int quarter = width / 4;
        const auto upper = root_of_normalised(resized_t<A, width / 2>(a >> (width / 2)));
        // The root's lower half, or one more: the rest, and the next quarter, by twice the upper.
        using Divisor = resized_t<A, quarter + 1>;
        const resized_t<A, quarter> next(a >> quarter);
        const auto both = divmod((to<Rest>(upper.rest) << quarter) | to<Rest>(next),
                                 to<Divisor>(upper.root) << 1);
        const Rest root = (to<Rest>(upper.root) << quarter) + to<Rest>(both.quotient);
        using Signed = resized_t<A, width / 2 + 3, true>;
        const Signed rest = (to<Signed>(both.remainder) << quarter) +
                            to<Signed>(resized_t<A, quarter>(a)) -
                            to<Signed>(sqr(to<Divisor>(both.quotient)));
        const bool negative = rest.is_negative();
        const Signed twice = to<Signed>(root) << 1;
        return {to<Root>(select(negative, root - 1, root)),
                to<Rest>(select(negative, rest + twice - 1, rest))};
    }
}

// How often a width is halved until 64 bits are left, and the width that this divides.
template <int Bits>
inline constexpr int root_levels = [] {
    int levels = 0;
    while ((Bits + (4 << levels) - 1) / (4 << levels) * 4 > 64)
        ++levels;
    return levels;
}();
template <int Bits>
inline constexpr int root_width = (Bits + (4 << root_levels<Bits>)-1) /
                                  (4 << root_levels<Bits>)*(4 << root_levels<Bits>);

// floor(sqrt(a)) of an unsigned number.
template <class A>
WARPINT_HOST_DEVICE A square_root(const A &a) {
    using Wide = resized_t<A, root_width<A::bits>>;
    const int width = bit_width(a);
    const int shift = width == 0 ? 0 : (Wide::bits - width) / 2 * 2;
    const Wide normalised = select(width == 0, Wide(1) << (Wide::bits - 1), to<Wide>(a) << shift);
    const auto root = root_of_normalised(normalised).root >> (shift / 2);
    return select(width == 0, A(0), to<A>(root));
}

} // namespace warp_int

// floor(sqrt(a)) in a's type. Negative a: std::domain_error on a host, 0 in device code.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A isqrt(const A &a) {
    const bool negative = a.is_negative();
    if (negative)
        number::report_domain_error("warpint: square root of a negative number");
    const auto root = warp_int::square_root(warp_int::to<warp_int::pattern_t<A>>(a));
    return warp_int::select(negative, A(0), warp_int::to<A>(root));
}
// The same with the remainder: {root, a - root^2}.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE SqrtRemResult<A> sqrt_rem(const A &a) {
    const A root = isqrt(a);
    const bool negative = a.is_negative();
    return {root, warp_int::select(negative, A(0), a - mul_low(root, root))};
}

} // namespace warpint
