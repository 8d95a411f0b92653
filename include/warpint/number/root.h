// Integer square roots of numbers.
#pragma once

#include "../algorithm/division/square_root.h"
#include "compare.h"

namespace warpint {

// root = floor(sqrt(a)) and what is left: a = root^2 + remainder, 0 <= remainder <= 2 root. Both
// have a's type.
template <class Number>
struct SqrtRemResult {
    Number root;
    Number remainder;
};

namespace number {

// root = floor(sqrt(a)), remainder = a - root^2 (may be null).
template <int N>
WARPINT_HOST_DEVICE constexpr void square_root(BigInt<N> &root, BigInt<N> *remainder,
                                               const BigInt<N> &a) {
    constexpr int n = BigInt<N>::limb_count;
    root = BigInt<N>{};
    if constexpr (has_words) {
        if (limb::use_words()) {
            constexpr int words = word_count<n>;
            std::uint64_t x[words];
            std::uint64_t s[words]{};
            std::uint64_t r[words];
            load_words<n>(x, a.limbs);
            algorithm::square_root<words>(s, remainder != nullptr ? r : nullptr, x);
            store_words<n>(root.limbs, s);
            if (remainder != nullptr)
                store_words<n>(remainder->limbs, r);
            return;
        }
    }
    algorithm::square_root<n>(root.limbs, remainder != nullptr ? remainder->limbs : nullptr,
                              a.limbs);
}

} // namespace number

// floor(sqrt(a)) in a's type. Negative a: std::domain_error on the host, 0 in device code. Variable
// time. (algorithm/division/square_root.h)
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A isqrt(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return A{};
    }
    BigInt<A::bits> root{};
    number::square_root<A::bits>(root, nullptr, number::to<BigInt<A::bits>>(a));
    return number::to<A>(root);
}

// The same with the remainder: {root, remainder}. Variable time.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr SqrtRemResult<A> sqrt_rem(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return SqrtRemResult<A>{};
    }
    BigInt<A::bits> root{};
    BigInt<A::bits> remainder{};
    number::square_root<A::bits>(root, &remainder, number::to<BigInt<A::bits>>(a));
    return {number::to<A>(root), number::to<A>(remainder)};
}

} // namespace warpint
