// SPDX-License-Identifier: Apache-2.0
// Modular functions of plain numbers: addmod(), submod(), mulmod(), sqrmod(), and products with a
// term added or subtracted, muladdmod() and mulsubmod(). Operands may be unreduced or negative. The
// modulus is any number >= 1, odd or even, or a prepared Modulus. Results lie in [0, m). Variable
// time.
#pragma once

#include "../../arith/limbs/reduction/modular_sum.h"
#include "folded_modulus.h"
#include "modulus.h"

namespace warpint {

namespace number {

// A BigInt itself: neither signed nor a built-in integer nor a Modulus.
template <class T>
inline constexpr bool is_unsigned_big = false;
template <int Bits>
inline constexpr bool is_unsigned_big<BigInt<Bits>> = true;

// True for dividends that device code reduces by the prepared folds of a modulus: those as long as
// a product.
template <class X, class M>
inline constexpr bool folds_to_remainder = false;
template <int Length, int Bits>
inline constexpr bool folds_to_remainder<BigInt<Length>, FoldedModulus<Bits>> =
    WARPINT_DEVICE_PASS != 0 && BigInt<Bits>::limb_count >= 2 &&
    (BigInt<Length>::limb_count > BigInt<Bits>::limb_count) &&
    (BigInt<Length>::limb_count <= 2 * BigInt<Bits>::limb_count + 1);

// Whether a product, or a number of its length, is folded by this modulus.
template <class M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool prefers_folds([[maybe_unused]] const M &m) {
    if constexpr (is_folded_modulus<M>) {
        if constexpr (BigInt<M::bits>::limb_count <= arith::shared_reciprocal_limbs)
            return m.shift() != 0;
    }
    return true;
}

// x mod m by prepared folds; 0 for m = 0.
template <int Length, int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<Bits>
folded_remainder(const BigInt<Length> &x, const FoldedModulus<Bits> &m) {
    constexpr int n = BigInt<Bits>::limb_count;
    BigInt<Bits> r{};
    if (m.exists())
        arith::remainder_fold<n, BigInt<Length>::limb_count>(&r.limbs[0], &x.limbs[0], m.fold());
    return r;
}

// x mod m in [0, m); 0 for m = 0 in device code. With a prepared modulus it uses the reciprocal,
// where that is faster than dividing.
template <BigNumber X, ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> reduce(const X &x, const M &m) {
    if constexpr (folds_to_remainder<X, M>) {
        if (WARPINT_USES_PTX && prefers_folds(m))
            return folded_remainder(x, m);
    }
    if constexpr (ModulusContext<M> && may_be_short<M>) {
        if (are_short(m))
            return x % shortened(m);
    }
    if constexpr (ModulusContext<M>) {
        constexpr bool divides =
            WARPINT_DEVICE_PASS == 0 && Modulus<M::bits>::limb_count >= arith::host_division_limbs;
        if constexpr (knows_short_moduli<M::bits> && !divides) {
            if (WARPINT_USES_WORDS && m.is_short())
                return x % m.value();
        }
        if constexpr (divides) {
            const BigInt<M::bits> value = m.value();
            if (static_cast<bool>(value))
                return x % value;
        }
        return remainder(x, m);
    } else {
        const BigInt<modulus_bits_v<M>> modulus = modulus_value(m);
        if constexpr (WARPINT_DEVICE_PASS == 0) {
            if (!static_cast<bool>(modulus))
                report_domain_error("warpint: modulus 0");
        }
        return x % modulus;
    }
}

// Unsigned numbers that fit the limbs of a modulus' Montgomery form.
template <class M, class... T>
inline constexpr bool fits_form =
    ((is_unsigned_big<std::remove_cvref_t<T>> &&
      bits_of<std::remove_cvref_t<T>> <= Modulus<modulus_bits_v<M>>::limb_count * 32) &&
     ...);

namespace detail {

// r = a b mod m by two Montgomery products: a is brought into Montgomery form, which the product
// with b undoes. Any a, b < R; m odd.
struct ProductOfMachineLimbs {
    template <int L, class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    operator()(Limb *z, const Limb *x, const Limb *y,
               const arith::MontgomeryContext<L, Limb> &context) const {
        Limb form[L]{};
        arith::montgomery_multiply<L>(form, x, context.r_squared, context.modulus, context.inverse);
        arith::montgomery_multiply<L>(z, form, y, context.modulus, context.inverse);
    }
};

// The same of stored limbs. Inlined or out of line (arith::inline_or_call).
template <int Bits>
struct ProductOfLimbs {
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void operator()(std::uint32_t *r,
                                                                 const std::uint32_t *a,
                                                                 const std::uint32_t *b,
                                                                 const Modulus<Bits> *m) const {
        constexpr int limbs = Modulus<Bits>::limb_count;
        on_machine_limbs(ProductOfMachineLimbs{}, output<limbs>(r), input<limbs>(a),
                         input<limbs>(b), odd_part(*m));
    }
};

// Whether a host multiplies numbers of A and B bits modulo a Modulus by its reciprocal.
template <int A, int B, int Bits>
inline constexpr bool multiplies_by_reciprocal = [] {
    constexpr int n = Modulus<Bits>::limb_count;
    constexpr bool by_blocks = n % 16 == 0 && n <= arith::host_block_reciprocal_limbs;
    return has_words && BigInt<A>::limb_count == n && BigInt<B>::limb_count == n &&
           n > arith::host_montgomery_product_limbs &&
           (n < arith::host_division_limbs || by_blocks);
}();

// r = a b mod m by the reciprocal, on machine limbs throughout; all have the modulus' limbs. 0 for
// m = 0.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void product_by_reciprocal(std::uint32_t *r, const std::uint32_t *a,
                                                         const std::uint32_t *b,
                                                         const Modulus<Bits> &m) {
    constexpr int limbs = Modulus<Bits>::limb_count;
    on_machine_limbs(
        [&m]<class Limb>(Limb *z, const Limb *x, const Limb *y, Limb *modulus,
                         const Limb *reciprocal) WARPINT_INLINE_LAMBDA {
            constexpr int n = machine_limbs<limbs, Limb>;
            const int shift = m.shift();
            if (m.is_odd() && shift != 0)
                arith::shift_left<n>(modulus, modulus, shift);
            if (modulus[n - 1] == 0) {
                arith::set_zero<n>(z);
                return;
            }
            Limb product[2 * n];
            arith::multiply_by_engine<n, n>(product, x, y);
            if constexpr (arith::detail::barrett_by_blocks<n, Limb>) {
                if (shift == 0) { // the modulus fills its limbs
                    arith::reduce_once<n>(product + n, product + n, Limb{0}, modulus);
                    arith::barrett_reduce<n>(z, product, modulus, reciprocal);
                    return;
                }
            }
            arith::barrett_scaled_remainder<2 * n, n>(z, product, modulus, reciprocal, shift);
            arith::shift_right<n>(z, z, shift);
        },
        output<limbs>(r), input<limbs>(a), input<limbs>(b), copied_input<limbs>(m.form_modulus()),
        input<limbs>(m.reciprocal()));
}

// a b and a^2 of operands of modular functions.
template <class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto exact_product(const A &a, const B &b) {
    return product_by_length(as_number(a), as_number(b));
}
template <class A>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto exact_square(const A &a) {
    if constexpr (is_unsigned_big<A>) {
        const FactorLengths lengths = factor_lengths(a, a);
        if (lengths.has_short)
            return product_of_lengths<BigInt<2 * A::bits>>(a, a, lengths);
    }
    return sqr(as_number(a));
}

// a b mod m for a Modulus of any parity, 0 included.
template <int A, int B, int Bits>
WARPINT_HOST_DEVICE constexpr BigInt<Bits> product_modulo(const BigInt<A> &a, const BigInt<B> &b,
                                                          const Modulus<Bits> &m) {
    // In a GPU's registers, and for wide numbers on a host, the remainder is faster for every
    // parity.
    constexpr bool by_remainder =
        WARPINT_DEVICE_PASS != 0 ? Modulus<Bits>::limb_count <= arith::register_limbs
                                 : Modulus<Bits>::limb_count > arith::host_montgomery_product_limbs;
    if constexpr (knows_short_moduli<Bits>) {
        if (WARPINT_USES_WORDS && m.is_short())
            return reduce(product_by_length(a, b), m);
    }
    if constexpr (multiplies_by_reciprocal<A, B, Bits>) {
        if (WARPINT_USES_WORDS) {
            BigInt<Bits> r;
            std::uint32_t rest[Modulus<Bits>::limb_count];
            product_by_reciprocal(rest, a.limbs, b.limbs, m);
            arith::copy<BigInt<Bits>::limb_count>(r.limbs, rest);
            return r;
        }
    }
    if (by_remainder || !m.is_odd())
        return reduce(product_by_length(a, b), m);
    constexpr int limbs = Modulus<Bits>::limb_count;
    if (WARPINT_USES_WORDS) { // without a copy of odd numbers of limbs, of which words would be
                              // read
        constexpr int n = BigInt<Bits>::limb_count;
        BigInt<Bits> product;
        on_machine_limbs(ProductOfMachineLimbs{}, output<n, limbs>(product.limbs),
                         copied_input<BigInt<A>::limb_count, limbs>(a.limbs),
                         copied_input<BigInt<B>::limb_count, limbs>(b.limbs), odd_part(m));
        return product;
    }
    std::uint32_t x[limbs]{};
    std::uint32_t y[limbs]{};
    std::uint32_t result[limbs]{};
    arith::copy<BigInt<A>::limb_count>(x, a.limbs);
    arith::copy<BigInt<B>::limb_count>(y, b.limbs);
    const std::uint32_t *const left = x;
    const std::uint32_t *const right = y;
    arith::inline_or_call<limbs <= arith::inlined_limbs>(ProductOfLimbs<Bits>{}, &result[0], left,
                                                         right, &m);
    BigInt<Bits> r{};
    arith::copy<BigInt<Bits>::limb_count>(r.limbs, result);
    return r;
}

// True if both operands are unsigned, of the modulus' width, and reduced. Then a sum needs only one
// subtraction.
template <int Bits>
WARPINT_HOST_DEVICE constexpr bool are_reduced(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                               const BigInt<Bits> &m) {
    constexpr int n = BigInt<Bits>::limb_count;
    return arith::less<n>(a.limbs, m.limbs) && arith::less<n>(b.limbs, m.limbs);
}
template <class M, class... T>
inline constexpr bool of_modulus_width =
    ModulusContext<M> && (std::is_same_v<std::remove_cvref_t<T>, BigInt<modulus_bits_v<M>>> && ...);

// Products modulo m in a GPU's registers, by folding (arith/limbs/fold/fold.h).

// True for unsigned operands T of a product modulo a number of `Bits` bits if they fit its limbs,
// and are not so short that dividing the exact product takes fewer products.
template <int Bits, class... T>
inline constexpr bool folds = false;
template <int Bits, int A, int B, int... More>
inline constexpr bool folds<Bits, BigInt<A>, BigInt<B>, BigInt<More>...> = [] {
    constexpr int n = BigInt<Bits>::limb_count;
    constexpr int a = BigInt<A>::limb_count;
    constexpr int b = BigInt<B>::limb_count;
    return WARPINT_DEVICE_PASS != 0 && n <= arith::register_limbs && a <= n && b <= n &&
           ((BigInt<More>::limb_count <= n) && ...) &&
           (n < arith::fold_excess_limbs || a + b >= n + arith::fold_excess_limbs);
}();

// Limbs of a number, for the functions that ask for them one by one.
struct LimbSource {
    const std::uint32_t *limbs;
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint32_t operator()(int i) const {
        return limbs[i];
    }
};

// The limbs of a prepared modulus, as arith::ModulusLimbs.
template <int Bits>
struct PreparedModulusLimbs {
    const Modulus<Bits> *m;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void operator()(std::uint32_t *r,
                                                                 int places) const {
        const BigInt<Bits> value = m->value();
        arith::ModulusLimbs<BigInt<Bits>::limb_count, std::uint32_t>{value.limbs}(r, places);
    }
};
template <int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto limbs_of_modulus(const BigInt<Bits> &m) {
    return arith::ModulusLimbs<BigInt<Bits>::limb_count, std::uint32_t>{m.limbs};
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto limbs_of_modulus(const Modulus<Bits> &m) {
    return PreparedModulusLimbs<Bits>{&m};
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const auto &
limbs_of_modulus(const FoldedModulus<Bits> &m) {
    return m.fold();
}

// True for a modulus that is not 0; 0 is reported.
template <class M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool exists(const M &m) {
    bool found = false;
    if constexpr (is_folded_modulus<M>) {
        found = m.exists();
    } else if constexpr (ModulusContext<M>) {
        found = static_cast<bool>(m.value());
    } else {
        found = static_cast<bool>(m);
    }
    if (!found)
        report_domain_error("warpint: modulus 0");
    return found;
}

// a b + term modulo m in device code; c and d are as the term needs them. m is a BigInt or a
// Modulus, whose limbs are read twice.
template <arith::FoldTerm term, class M, int A, int B, int C, int D>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<modulus_bits_v<M>>
fold_products(const BigInt<A> &a, const BigInt<B> &b, const BigInt<C> &c, const BigInt<D> &d,
              const M &m) {
    using R = BigInt<modulus_bits_v<M>>;
    constexpr int n = R::limb_count;
    R r{};
    if (!exists(m))
        return r;
    std::uint32_t limbs[4][n]{};
    arith::copy<BigInt<A>::limb_count>(limbs[0], a.limbs);
    arith::copy<BigInt<B>::limb_count>(limbs[1], b.limbs);
    if constexpr (term != arith::FoldTerm::none)
        arith::copy<BigInt<C>::limb_count>(limbs[2], c.limbs);
    if constexpr (term == arith::FoldTerm::plus_product || term == arith::FoldTerm::minus_product)
        arith::copy<BigInt<D>::limb_count>(limbs[3], d.limbs);
    arith::multiply_modulo_fold<n, term>(&r.limbs[0], &limbs[0][0], LimbSource{limbs[1]},
                                         &limbs[2][0], LimbSource{limbs[3]}, limbs_of_modulus(m));
    return r;
}

// a^2 mod m likewise.
template <class M, int A>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<modulus_bits_v<M>>
fold_square(const BigInt<A> &a, const M &m) {
    using R = BigInt<modulus_bits_v<M>>;
    R r{};
    if (!exists(m))
        return r;
    std::uint32_t limbs[R::limb_count]{};
    arith::copy<BigInt<A>::limb_count>(limbs, a.limbs);
    arith::square_modulo_fold<R::limb_count>(&r.limbs[0], &limbs[0], limbs_of_modulus(m));
    return r;
}

// True if products modulo M of operands T are folded where the code runs: for plain moduli, and for
// prepared ones of lengths where folding is faster than the prepared method.
template <class M, class... T>
inline constexpr bool folds_modulo = false;
template <class M, class... T>
    requires(AnyNumber<M> && is_unsigned_big<M>)
inline constexpr bool folds_modulo<M, T...> = folds<modulus_bits_v<M>, T...>;
template <ModulusContext M, class... T>
inline constexpr bool folds_modulo<M, T...> =
    (is_folded_modulus<M> || BigInt<M::bits>::limb_count >= arith::prepared_fold_limbs) &&
    folds<M::bits, T...>;

// True where a product and its term are each reduced and then added modulo m: with a prepared
// modulus, if nothing is folded and the operands are no longer than the modulus.
template <class M, class... T>
inline constexpr bool adds_reduced = ModulusContext<M> && fits_form<M, T...>;

} // namespace detail

} // namespace number

// The sum modulo m, in [0, m). Exact for unreduced and negative operands. Errors: m <= 0 is a
// std::domain_error on the host; device code returns 0.
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
addmod(const A &a, const B &b, const M &m) {
    if constexpr (number::may_be_short<A, B, M>) {
        if (number::are_short(a, b, m))
            return addmod(number::shortened(a), number::shortened(b), number::shortened(m));
    }
    if constexpr (number::detail::of_modulus_width<M, A, B>) {
        const A modulus = m.value();
        if (number::detail::are_reduced(a, b, modulus)) {
            A r;
            arith::add_modulo<A::limb_count>(r.limbs, a.limbs, b.limbs, modulus.limbs);
            return r;
        }
    }
    using Sum = number::exact_sum_t<A, B>;
    return number::reduce(number::to<Sum>(a) + number::to<Sum>(b), m);
}
// The difference modulo m, in [0, m). Exact for unreduced and negative operands. Errors as for
// addmod.
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
submod(const A &a, const B &b, const M &m) {
    if constexpr (number::may_be_short<A, B, M>) {
        if (number::are_short(a, b, m))
            return submod(number::shortened(a), number::shortened(b), number::shortened(m));
    }
    if constexpr (number::detail::of_modulus_width<M, A, B>) {
        const A modulus = m.value();
        if (number::detail::are_reduced(a, b, modulus)) {
            A r;
            arith::subtract_modulo<A::limb_count>(r.limbs, a.limbs, b.limbs, modulus.limbs);
            return r;
        }
    }
    using Sum = number::exact_sum_t<A, B>;
    return number::reduce(number::to<Sum>(a) - number::to<Sum>(b), m);
}
// The product modulo m, in [0, m). Exact for unreduced and negative operands. There is no division
// on GPUs up to 1024 bits, nor with a prepared Modulus. Errors as for addmod.
// Example:
//     const auto r = mulmod(BigInt<64>(123), BigInt<64>(456), BigInt<64>(1000)); // 88
template <AnyNumber A, AnyNumber B, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
mulmod(const A &a, const B &b, const M &m) {
    if constexpr (number::detail::folds_modulo<M, A, B>) {
        if (WARPINT_USES_PTX && number::prefers_folds(m))
            return number::detail::fold_products<arith::FoldTerm::none>(a, b, a, b, m);
    }
    if constexpr (number::may_be_short<A, B, M>) {
        if (number::are_short(a, b, m))
            return mulmod(number::shortened(a), number::shortened(b), number::shortened(m));
    }
    if constexpr (ModulusContext<M> && number::fits_form<M, A, B>) {
        return number::detail::product_modulo(a, b, m);
    } else {
        return number::reduce(number::detail::exact_product(a, b), m);
    }
}
// The square modulo m, in [0, m). Errors as for addmod.
template <AnyNumber A, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> sqrmod(const A &a,
                                                                                     const M &m) {
    if constexpr (number::detail::folds_modulo<M, A, A>) {
        if (WARPINT_USES_PTX && number::prefers_folds(m))
            return number::detail::fold_square(a, m);
    }
    if constexpr (number::may_be_short<A, M>) {
        if (number::are_short(a, m))
            return sqrmod(number::shortened(a), number::shortened(m));
    }
    if constexpr (ModulusContext<M> && number::fits_form<M, A>) {
        return number::detail::product_modulo(a, a, m);
    } else {
        return number::reduce(number::detail::exact_square(a), m);
    }
}

// Fused: muladdmod is (a b + c) mod m or (a b + c d) mod m; mulsubmod is (a b - c) mod m or (a b -
// c d) mod m. The sum is exact and reduced once. Errors as for addmod.
template <AnyNumber A, AnyNumber B, AnyNumber C, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
muladdmod(const A &a, const B &b, const C &c, const M &m) {
    if constexpr (number::detail::folds_modulo<M, A, B, C>) {
        if (WARPINT_USES_PTX)
            return number::detail::fold_products<arith::FoldTerm::plus>(a, b, c, c, m);
    }
    if constexpr (number::may_be_short<A, B, C, M>) {
        if (number::are_short(a, b, c, m)) [[unlikely]]
            return muladdmod(number::shortened(a), number::shortened(b), number::shortened(c),
                             number::shortened(m));
    }
    if constexpr (number::detail::adds_reduced<M, A, B, C>)
        return addmod(mulmod(a, b, m), number::as_number(c), m);
    return addmod(number::detail::exact_product(a, b), number::as_number(c), m);
}
template <AnyNumber A, AnyNumber B, AnyNumber C, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
mulsubmod(const A &a, const B &b, const C &c, const M &m) {
    if constexpr (number::detail::folds_modulo<M, A, B, C>) {
        if (WARPINT_USES_PTX)
            return number::detail::fold_products<arith::FoldTerm::minus>(a, b, c, c, m);
    }
    if constexpr (number::may_be_short<A, B, C, M>) {
        if (number::are_short(a, b, c, m)) [[unlikely]]
            return mulsubmod(number::shortened(a), number::shortened(b), number::shortened(c),
                             number::shortened(m));
    }
    if constexpr (number::detail::adds_reduced<M, A, B, C>)
        return submod(mulmod(a, b, m), number::as_number(c), m);
    return submod(number::detail::exact_product(a, b), number::as_number(c), m);
}
template <AnyNumber A, AnyNumber B, AnyNumber C, AnyNumber D, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
muladdmod(const A &a, const B &b, const C &c, const D &d, const M &m) {
    if constexpr (number::detail::folds_modulo<M, A, B, C, D>) {
        if (WARPINT_USES_PTX)
            return number::detail::fold_products<arith::FoldTerm::plus_product>(a, b, c, d, m);
    }
    if constexpr (number::may_be_short<A, B, C, D, M>) {
        if (number::are_short(a, b, c, d, m)) [[unlikely]]
            return muladdmod(number::shortened(a), number::shortened(b), number::shortened(c),
                             number::shortened(d), number::shortened(m));
    }
    if constexpr (number::detail::adds_reduced<M, A, B, A, C, D>)
        return addmod(mulmod(a, b, m), mulmod(c, d, m), m);
    return addmod(number::detail::exact_product(a, b), number::detail::exact_product(c, d), m);
}
template <AnyNumber A, AnyNumber B, AnyNumber C, AnyNumber D, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
mulsubmod(const A &a, const B &b, const C &c, const D &d, const M &m) {
    if constexpr (number::detail::folds_modulo<M, A, B, C, D>) {
        if (WARPINT_USES_PTX)
            return number::detail::fold_products<arith::FoldTerm::minus_product>(a, b, c, d, m);
    }
    if constexpr (number::may_be_short<A, B, C, D, M>) {
        if (number::are_short(a, b, c, d, m)) [[unlikely]]
            return mulsubmod(number::shortened(a), number::shortened(b), number::shortened(c),
                             number::shortened(d), number::shortened(m));
    }
    if constexpr (number::detail::adds_reduced<M, A, B, A, C, D>)
        return submod(mulmod(a, b, m), mulmod(c, d, m), m);
    return submod(number::detail::exact_product(a, b), number::detail::exact_product(c, d), m);
}

// The remainder modulo a prepared Modulus, in [0, m).
template <AnyNumber A, ModulusContext M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
operator%(const A &a, const M &m) {
    return number::reduce(number::as_number(a), m);
}

} // namespace warpint
