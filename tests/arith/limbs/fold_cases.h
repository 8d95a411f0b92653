// SPDX-License-Identifier: Apache-2.0
// Products modulo m by folding, for the tests of random and of all operands: every form of 8-bit
// limbs against plain 64-bit arithmetic.
#pragma once

#include "support/limbs.h"

#include <warpint/arith/limbs/fold/fold.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace fold_cases {

namespace arith = warpint::arith;
using arith::FoldTerm;
using namespace test::limbs;

template <class L>
struct Limbs_at {
    const L *limbs;
    L operator()(int i) const { return limbs[i]; }
};

/// Whether products by prepared folds are tested too; of 11 and 16 limbs of 32 bits they are taken
/// by halves, as of 8 limbs of 8 bits.
template <int N, class L>
constexpr bool prepares = sizeof(L) == 1 || N == 11 || N == 16;

/// By a modulus and by its prepared folds; where these differ, the result is made wrong.
template <int N, FoldTerm term, class L>
void fold(L *r, const L *a, const L *b, const L *c, const L *d, const L *m) {
    arith::multiply_modulo_fold<N, term>(r, a, Limbs_at<L>{b}, c, Limbs_at<L>{d},
                                         arith::ModulusLimbs<N, L>{m});
    if constexpr (prepares<N, L>) {
        const auto prepared = arith::prepare_folds<N>(m);
        std::array<L, N> other{};
        arith::multiply_modulo_fold<N, term>(other.data(), a, Limbs_at<L>{b}, c, Limbs_at<L>{d},
                                             prepared);
        if (!prepared.exists() || !std::equal(other.begin(), other.end(), r))
            r[0] = static_cast<L>(r[0] ^ 1);
    }
}

template <int N, class L>
void fold_square(L *r, const L *a, const L *m) {
    arith::square_modulo_fold<N>(r, a, arith::ModulusLimbs<N, L>{m});
    if constexpr (sizeof(L) == 1) {
        std::array<L, N> other{};
        arith::square_modulo_fold<N>(other.data(), a, arith::prepare_folds<N>(m));
        if (!std::equal(other.begin(), other.end(), r))
            r[0] = static_cast<L>(r[0] ^ 1);
    }
}

template <int N, int Length, class L>
void fold_remainder(L *r, const L *a, const L *m) {
    arith::remainder_fold<N, Length>(r, a, arith::ModulusLimbs<N, L>{m});
    std::array<L, N> other{};
    arith::remainder_fold<N, Length>(other.data(), a, arith::prepare_folds<N>(m));
    if (!std::equal(other.begin(), other.end(), r))
        r[0] = static_cast<L>(r[0] ^ 1);
}

// ---- 8-bit limbs --------------------------------------------------------------------------------

template <int N, FoldTerm term>
std::uint64_t folded(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                     std::uint64_t m) {
    Limbs<N> r(0x5555555555555555);
    fold<N, term>(r.begin(), Limbs<N>(a).begin(), Limbs<N>(b).begin(), Limbs<N>(c).begin(),
                  Limbs<N>(d).begin(), Limbs<N>(m).begin());
    return r.intact() ? r.value() : ~std::uint64_t{0};
}

/// Every form for these operands of N <= 8 limbs.
template <int N>
void check_forms(Tally &tally, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                 std::uint64_t m) {
    __extension__ using Wide = unsigned __int128;
    const auto ab = static_cast<std::uint64_t>(Wide{a} * b % m);
    const auto cd = static_cast<std::uint64_t>(Wide{c} * d % m);
    const Wide w = m;
    tally.equal(folded<N, FoldTerm::none>(a, b, c, d, m), ab, a, b, m);
    tally.equal(folded<N, FoldTerm::plus>(a, b, c, d, m),
                static_cast<std::uint64_t>((ab + Wide{c}) % m), a, b, c, m);
    tally.equal(folded<N, FoldTerm::minus>(a, b, c, d, m),
                static_cast<std::uint64_t>((ab + w - c % m) % m), a, b, c, m);
    tally.equal(folded<N, FoldTerm::plus_product>(a, b, c, d, m),
                static_cast<std::uint64_t>((Wide{ab} + cd) % m), a, b, c, d, m);
    tally.equal(folded<N, FoldTerm::minus_product>(a, b, c, d, m),
                static_cast<std::uint64_t>((ab + w - cd) % m), a, b, c, d, m);
    Limbs<N> square(0x5555555555555555);
    fold_square<N>(square.begin(), Limbs<N>(a).begin(), Limbs<N>(m).begin());
    tally.equal(square.value(), static_cast<std::uint64_t>(Wide{a} * a % m), a, m);
    tally.equal(square.intact(), true, a, m);
}

} // namespace fold_cases
