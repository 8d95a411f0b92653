// SPDX-License-Identifier: Apache-2.0
// Numbers modulo a constant that is part of the type.
#pragma once

#include "../../arith/limbs/reduction/special_reduction.h"
#include "inverse.h"
#include "residue_operators.h"

#include <utility>

namespace warpint {

// How a StaticResidue is stored and multiplied.
enum class Reduction {
    pseudo_mersenne, // 2^k - c, c < 2^33 (Mersenne numbers too): plain value, folded
    solinas,         // 2^k minus a few +-2^(32 e): plain value, folded
    montgomery,      // any other odd number, P-256 too: Montgomery form
    barrett          // any other even number: plain value, Barrett reduction
};

namespace number {

// A modulus, cut to the limbs that its value fills.
template <auto value>
struct StaticModulus {
    using Value = std::remove_cvref_t<decltype(value)>;
    static constexpr int bits = Value::bits;
    static constexpr int width = arith::bit_width<Value::limb_count>(value.limbs);
    static constexpr int limb_count = (width + 31) / 32;
    static constexpr int word_count = (width + 63) / 64;
    // Limbs of Montgomery's R: even, so that hosts may use 64-bit words.
    static constexpr int even_limb_count = 2 * word_count;
    static_assert(width > 0, "StaticResidue: the modulus must be at least 1");

    // The modulus in Size limbs.
    template <int Size, class Limb = std::uint32_t>
    WARPINT_HOST_DEVICE static constexpr arith::Constant<Size, Limb> constant() {
        arith::Constant<Size, Limb> r{};
        constexpr int parts = static_cast<int>(sizeof(Limb) / 4);
        for (int i = 0; i < Value::limb_count && i < Size * parts; ++i) {
            r.limbs[i / parts] |=
                static_cast<Limb>(static_cast<Limb>(value.limbs[i]) << (32 * (i % parts)));
        }
        return r;
    }

    WARPINT_HOST_DEVICE static constexpr Reduction reduction() {
        if constexpr (arith::is_pseudo_mersenne(constant<limb_count>())) {
            return Reduction::pseudo_mersenne;
        } else if constexpr (arith::prefers_friendly<constant<limb_count>()>()) {
            return Reduction::montgomery;
        } else if constexpr (width % 32 == 0 && limb_count >= 4 && (value.limbs[0] & 1u) != 0 &&
                             arith::solinas_form_of<constant<limb_count>(), 32>(2 * limb_count)
                                 .exists) {
            return Reduction::solinas;
        } else {
            return (value.limbs[0] & 1u) != 0 ? Reduction::montgomery : Reduction::barrett;
        }
    }

    WARPINT_HOST_DEVICE static constexpr arith::MontgomeryContext<even_limb_count, std::uint32_t>
    montgomery_context() {
        arith::MontgomeryContext<even_limb_count, std::uint32_t> context{};
        const auto m = constant<even_limb_count>();
        for (int i = 0; i < even_limb_count; ++i)
            context.modulus[i] = m.limbs[i];
        arith::prepare<even_limb_count>(context);
        return context;
    }

    struct Barrett {
        arith::Constant<even_limb_count, std::uint32_t> modulus;
        arith::Constant<even_limb_count, std::uint32_t> reciprocal;
        int shift;
    };
    WARPINT_HOST_DEVICE static constexpr Barrett barrett() {
        Barrett r{};
        const auto m = constant<even_limb_count>();
        r.shift =
            arith::prepare_barrett<even_limb_count>(r.modulus.limbs, r.reciprocal.limbs, m.limbs);
        return r;
    }
};

// The 64-bit words of constants.
template <int N>
WARPINT_HOST_DEVICE constexpr arith::Constant<N / 2, std::uint64_t>
words_of(const std::uint32_t *limbs) {
    arith::Constant<N / 2, std::uint64_t> r{};
    for (int i = 0; i < N / 2; ++i)
        r.limbs[i] = std::uint64_t{limbs[2 * i + 1]} << 32 | limbs[2 * i];
    return r;
}

enum class StaticOperation { sum, difference, product, square };

// The operations on forms modulo a constant, in limbs of either size. r may be a or b.
template <auto value>
struct StaticOperations {
    using M = StaticModulus<value>;
    static constexpr Reduction reduction = M::reduction();

    // Limbs that the operations work on.
    template <class Limb>
    static constexpr int size = sizeof(Limb) == 8                    ? M::word_count
                                : reduction == Reduction::montgomery ? M::even_limb_count
                                : reduction == Reduction::barrett    ? M::even_limb_count
                                                                     : M::limb_count;

    // Montgomery reduction without products, in limbs of GPUs.
    template <class Limb>
    static constexpr bool is_friendly =
        sizeof(Limb) == 4 && arith::prefers_friendly<M::template constant<M::limb_count>()>();

    template <class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void load_modulus(Limb *m) {
        constexpr auto modulus = M::template constant<size<Limb>, Limb>();
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(size<Limb>, limb::chain_limbs)
        for (int i = 0; i < size<Limb>; ++i)
            m[i] = modulus.limbs[i];
    }

    // r = x mod m (x / R mod m in Montgomery form) for a special m; x has 2 size limbs and is below
    // 2^(2 width).
    template <class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void reduce(Limb *r, const Limb *x) {
        constexpr auto modulus = M::template constant<size<Limb>, Limb>();
        if constexpr (is_friendly<Limb>) {
            arith::reduce_friendly<modulus>(r, x);
        } else if constexpr (reduction == Reduction::pseudo_mersenne) {
            if (WARPINT_USES_PTX) {
                arith::reduce_pseudo_mersenne<modulus, true>(r, x);
            } else {
                arith::reduce_pseudo_mersenne<modulus, false>(r, x);
            }
        } else {
            arith::reduce_solinas<modulus, 32>(r, x);
        }
    }

    // r = a operation b; b is a for a square.
    template <StaticOperation operation, class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void run(Limb *r, const Limb *a,
                                                                 const Limb *b) {
        constexpr int n = size<Limb>;
        constexpr bool is_square = operation == StaticOperation::square;
        if constexpr (operation == StaticOperation::sum) {
            Limb m[n]{};
            load_modulus(m);
            arith::add_modulo<n>(r, a, b, m);
        } else if constexpr (operation == StaticOperation::difference) {
            Limb m[n]{};
            load_modulus(m);
            arith::subtract_modulo<n>(r, a, b, m);
        } else if constexpr (reduction == Reduction::montgomery && !is_friendly<Limb>) {
            Limb m[n]{};
            load_modulus(m);
            constexpr Limb inverse =
                limb::negative_inverse(M::template constant<n, Limb>().limbs[0]);
            if constexpr (is_square) {
                arith::montgomery_square<n>(r, a, m, inverse);
            } else {
                arith::montgomery_multiply<n>(r, a, b, m, inverse);
            }
        } else if constexpr (reduction == Reduction::barrett) {
            barrett_product(r, a, is_square ? a : b);
        } else {
            Limb x[2 * n]{};
            if constexpr (is_square) {
                arith::square<n>(x, a);
            } else {
                arith::multiply<n, n>(x, a, b);
            }
            reduce(r, x);
        }
    }

private:
    // (a 2^shift) b mod (m 2^shift) = (a b mod m) 2^shift.
    template <class Limb>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void barrett_product(Limb *r, const Limb *a,
                                                                             const Limb *b) {
        constexpr int n = size<Limb>;
        constexpr auto constants = M::barrett();
        Limb m[n]{};
        Limb reciprocal[n]{};
        if constexpr (sizeof(Limb) == 8) {
            constexpr auto modulus_words = words_of<2 * n>(constants.modulus.limbs);
            constexpr auto reciprocal_words = words_of<2 * n>(constants.reciprocal.limbs);
            arith::copy<n>(m, modulus_words.limbs);
            arith::copy<n>(reciprocal, reciprocal_words.limbs);
        } else {
            WARPINT_UNROLL(n, limb::chain_limbs)
            for (int i = 0; i < n; ++i) {
                m[i] = constants.modulus.limbs[i];
                reciprocal[i] = constants.reciprocal.limbs[i];
            }
        }
        Limb scaled[n]{};
        Limb x[2 * n]{};
        arith::shift_left<n>(scaled, a, constants.shift);
        arith::multiply<n, n>(x, scaled, b);
        arith::barrett_reduce<n>(scaled, x, m, reciprocal);
        arith::shift_right<n>(r, scaled, constants.shift);
    }
};

// r = a operation b for forms in BigInts. r may be a or b.
template <StaticOperation operation, auto value, int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
combine_static(BigInt<Bits> &r, const BigInt<Bits> &a, const BigInt<Bits> &b) {
    using Operations = StaticOperations<value>;
    constexpr int stored = StaticModulus<value>::limb_count;
    constexpr int n = Operations::template size<std::uint32_t>; // as many words, if those are used
    on_machine_limbs(
        []<class Limb>(Limb *z, const Limb *x, const Limb *y) WARPINT_INLINE_LAMBDA {
            static_assert(machine_limbs<n, Limb> == Operations::template size<Limb>);
            Operations::template run<operation>(z, x, y);
        },
        cleared_output<stored, n>(r.limbs), copied_input<stored, n>(a.limbs),
        copied_input<stored, n>(b.limbs));
    for (int i = stored; i < BigInt<Bits>::limb_count; ++i)
        r.limbs[i] = 0;
}

template <int Bits, std::uint32_t... Limbs>
WARPINT_HOST_DEVICE constexpr BigInt<Bits> from_limbs() {
    constexpr std::uint32_t limbs[] = {Limbs...};
    BigInt<Bits> value{};
    for (int i = 0; i < BigInt<Bits>::limb_count; ++i)
        value.limbs[i] = limbs[i];
    return value;
}

} // namespace number

// The class behind StaticResidue<value>. Its modulus is a list of limbs, because nvcc 13.0 cannot
// name a type with a class as template argument in the host part of a kernel.
template <int Bits, std::uint32_t... Limbs>
class BasicStaticResidue {
    static constexpr BigInt<Bits> modulus_value = number::from_limbs<Bits, Limbs...>();
    using Traits = number::StaticModulus<modulus_value>;

public:
    using Value = typename Traits::Value;
    static constexpr int bits = Value::bits;
    static constexpr Reduction reduction = Traits::reduction();

    // What is stored: the value itself or its Montgomery form, below the modulus. Public only so
    // that the type is structural; use value().
    Value form;

    BasicStaticResidue() = default;

    // The residue of any number. Variable time for numbers wider than the modulus.
    template <AnyNumber T>
    WARPINT_HOST_DEVICE constexpr BasicStaticResidue(const T &x) : form{} {
        if constexpr (BuiltinInteger<T> && reduction == Reduction::montgomery) {
            if (set_small(x))
                return;
        }
        set(number::as_number(x));
    }

    // The number in [0, modulus). In Montgomery form it costs a product.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Value value() const {
        if constexpr (reduction == Reduction::montgomery) {
            return product(*this, from_form(Value(1))).form;
        } else {
            return form;
        }
    }
    [[nodiscard]] WARPINT_HOST_DEVICE static constexpr Value modulus() {
        constexpr Value m = number::from_limbs<Bits, Limbs...>();
        return m;
    }

    // For this library: the residue that is stored as this form.
    [[nodiscard]] WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE BasicStaticResidue
    from_form(const Value &form) {
        BasicStaticResidue r{};
        r.form = form;
        return r;
    }

    // The parts that residue_operators.h is made of.
    template <AnyNumber T>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BasicStaticResidue like(const T &x) const {
        return BasicStaticResidue(x);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BasicStaticResidue zero() const {
        return BasicStaticResidue{};
    }
    template <int E>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BasicStaticResidue raised(const BigInt<E> &e) const;
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<BasicStaticResidue> inverted() const {
        const auto found = warpint::inverse(value(), modulus());
        return found ? Optional<BasicStaticResidue>(BasicStaticResidue(*found))
                     : Optional<BasicStaticResidue>(BasicStaticResidue{}, false);
    }
    WARPINT_HOST_DEVICE static constexpr BasicStaticResidue sum(const BasicStaticResidue &a,
                                                                const BasicStaticResidue &b) {
        return combine<number::StaticOperation::sum>(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr BasicStaticResidue
    difference(const BasicStaticResidue &a, const BasicStaticResidue &b) {
        return combine<number::StaticOperation::difference>(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr void require_same(const BasicStaticResidue &,
                                                           const BasicStaticResidue &) {}
    WARPINT_HOST_DEVICE static constexpr BasicStaticResidue product(const BasicStaticResidue &a,
                                                                    const BasicStaticResidue &b) {
        return combine<number::StaticOperation::product>(a, b);
    }
    WARPINT_HOST_DEVICE static constexpr BasicStaticResidue square(const BasicStaticResidue &a) {
        return combine<number::StaticOperation::square>(a, a);
    }
    WARPINT_HOST_DEVICE static constexpr bool equal(const BasicStaticResidue &a,
                                                    const BasicStaticResidue &b) {
        return arith::equal<Value::limb_count>(a.form.limbs, b.form.limbs);
    }
    // Exchanges two residues. Constant time.
    friend WARPINT_HOST_DEVICE constexpr void swap(BasicStaticResidue &a,
                                                   BasicStaticResidue &b) noexcept {
        const BasicStaticResidue before = a;
        a = b;
        b = before;
    }

private:
    template <number::StaticOperation operation>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE BasicStaticResidue
    combine(const BasicStaticResidue &a, const BasicStaticResidue &b) {
        BasicStaticResidue r;
        if (__builtin_is_constant_evaluated())
            r.form = Value{};
        number::combine_static<operation, modulus_value>(r.form, a.form, b.form);
        return r;
    }

    template <BigNumber X>
    WARPINT_HOST_DEVICE constexpr void set(const X &x) {
        // A number of a width below the modulus' is reduced.
        const auto magnitude = number::magnitude(x);
        if constexpr (X::bits < Traits::width) {
            form = Value(magnitude);
        } else {
            form = magnitude % modulus();
        }
        if constexpr (reduction == Reduction::montgomery) {
            constexpr auto context = Traits::montgomery_context();
            BasicStaticResidue r_squared{};
            WARPINT_UNROLL(Traits::limb_count, limb::chain_limbs)
            for (int i = 0; i < Traits::limb_count; ++i)
                r_squared.form.limbs[i] = context.r_squared[i];
            form = product(*this, r_squared).form;
        }
        if constexpr (X::is_signed) {
            if (number::is_negative(x))
                form = difference(BasicStaticResidue{}, *this).form;
        }
    }

    // The Montgomery form of a small x, by adding up the form of 1. Returns whether x was small.
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr bool set_small(T x) {
        using Unsigned =
            std::conditional_t<(sizeof(T) > 4), typename number::unsigned_integer<sizeof(T)>::type,
                               std::uint32_t>;
        bool negative = false;
        if constexpr (number::signed_of<T>)
            negative = x < 0;
        const Unsigned k =
            negative ? Unsigned{0} - static_cast<Unsigned>(x) : static_cast<Unsigned>(x);
        if (k >= 16)
            return false;
        constexpr auto context = Traits::montgomery_context();
        BasicStaticResidue one{};
        WARPINT_UNROLL(Traits::limb_count, limb::chain_limbs)
        for (int i = 0; i < Traits::limb_count; ++i)
            one.form.limbs[i] = context.one[i];
        BasicStaticResidue r{};
        bool started = false;
        WARPINT_UNROLL(4, 4)
        for (int bit = 3; bit >= 0; --bit) {
            if (started)
                r = sum(r, r);
            if ((k >> bit & 1u) != 0) {
                r = started ? sum(r, one) : one;
                started = true;
            }
        }
        form = negative ? difference(BasicStaticResidue{}, r).form : r.form;
        return true;
    }
};

namespace number {

template <int Bits, std::uint32_t... Limbs>
inline constexpr bool is_residue<BasicStaticResidue<Bits, Limbs...>> = true;

// The positions of the limbs of a modulus.
template <class Value>
struct modulus_limbs {
    static_assert(BigNumber<Value>,
                  "StaticResidue: the modulus has a width: write StaticResidue<BigInt<64>(97)>");
};
template <BigNumber Value>
struct modulus_limbs<Value> {
    static_assert(!Value::is_signed, "StaticResidue: the modulus must be a BigInt");
    using type = std::make_index_sequence<static_cast<std::size_t>(Value::limb_count)>;
};

template <auto value, class Indices>
struct static_residue_type;
template <auto value, std::size_t... Indices>
struct static_residue_type<value, std::index_sequence<Indices...>> {
    using type =
        BasicStaticResidue<std::remove_cvref_t<decltype(value)>::bits, value.limbs[Indices]...>;
};

} // namespace number

// x modulo a constant: `modulus` is a BigInt, for example
//   constexpr auto p = (BigInt<256>(1) << 255) - 19;
//   using Field = StaticResidue<p>;
//   Field x = a;                    // a: any number, unreduced, negative or built-in
//   auto y = x * x + 3;
//   BigInt<256> r = y.value();      // in [0, p)
// The shape of the modulus chooses the reduction (see Reduction). A residue is as large as the
// number, trivially copyable and of structural type. `Field x;` is not initialised; `Field x{};` is
// zero.
template <auto modulus_value>
using StaticResidue = typename number::static_residue_type<
    modulus_value,
    typename number::modulus_limbs<std::remove_cvref_t<decltype(modulus_value)>>::type>::type;

// Fixed windows of four bits (Handbook of Applied Cryptography, algorithm 14.82).
template <int Bits, std::uint32_t... Limbs>
template <int E>
WARPINT_HOST_DEVICE constexpr BasicStaticResidue<Bits, Limbs...>
BasicStaticResidue<Bits, Limbs...>::raised(const BigInt<E> &e) const {
    constexpr int limbs = BigInt<E>::limb_count;
    const int width = arith::bit_width<limbs>(e.limbs);
    BasicStaticResidue r(1);
    if (width == 0)
        return r;
    if (width <= number::short_exponent_bits)
        return number::short_power(*this, e.limbs[0], width);
    BasicStaticResidue table[16];
    table[0] = r;
    table[1] = *this;
    for (int i = 2; i < 16; ++i)
        table[i] = i % 2 == 0 ? square(table[i / 2]) : product(table[i - 1], *this);
    int position = (width - 1) / 4 * 4;
    r = table[arith::exponent_window(e.limbs, limbs, position, 4)];
    while (position > 0) {
        position -= 4;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < 4; ++i)
            r = square(r);
        const auto index = arith::exponent_window(e.limbs, limbs, position, 4);
        if (index != 0)
            r = product(r, table[index]);
    }
    return r;
}

} // namespace warpint

#if WARPINT_HOSTED
// Residues are equal if their forms are.
template <int Bits, std::uint32_t... Limbs>
struct std::hash<warpint::BasicStaticResidue<Bits, Limbs...>> {
    std::size_t operator()(const warpint::BasicStaticResidue<Bits, Limbs...> &x) const noexcept {
        return warpint::number::hash(x.form);
    }
};
#endif
