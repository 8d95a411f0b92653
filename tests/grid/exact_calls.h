// SPDX-License-Identifier: Apache-2.0
// calls.h for exact numbers, where the text is another.
#pragma once

#include "../batch/random_bits.h"
#include "../batch/results.h"
#include "../support/exact.h"
#include "calls.h"

#include <warpint/random.h>

namespace test {

// ---- conversions

inline Exact stored_like(const Exact &a, const Exact &x) {
    return a.keeps(kept(x.value(), x.type()));
}

template <class T>
auto to(const Exact &a) {
    if constexpr (std::is_same_v<T, bool>) {
        return !a.value().is_zero();
    } else {
        constexpr Type type = batch_test::type_of<T>;
        return Exact(kept(a.value(), type), type,
                     std::is_integral_v<T> ? Kind::built_in : Kind::number);
    }
}
template <class T>
Exact as(const Exact &a) {
    return to<T>(a);
}
inline Exact widened(const Exact &a) {
    return a.as(a.value(), {a.bits() + 45, false});
}
inline Exact widened_signed(const Exact &a) {
    return a.as(a.value(), {a.bits() + 45, true});
}
inline Exact narrowed(const Exact &a) {
    return a.as(a.value(), {a.bits() / 2 + 1, false});
}
inline Exact narrowed_signed(const Exact &a) {
    return a.as(a.value(), {a.bits() / 2 + 1, true});
}
/// The nearest integer to x with `digits` significant bits, ties to even.
inline Integer rounded(const Integer &x, int digits) {
    const Integer magnitude = abs(x);
    const int beyond = magnitude.bit_width() - digits;
    if (beyond <= 0)
        return x;
    const auto count = static_cast<std::size_t>(beyond);
    Integer upper = magnitude >> count;
    const Integer twice_rest = (magnitude - (upper << count)) << 1;
    const Integer unit = power_of_two(beyond);
    if (twice_rest > unit || (twice_rest == unit && upper.is_odd()))
        upper += 1;
    const Integer result = upper << count;
    return x.sign() < 0 ? -result : result;
}
inline Exact through_floating(const Exact &a, int room, int digits) {
    const Exact upper = a >> grid::upper_bits(a.bits(), room);
    return a.as(rounded(upper.value(), digits), {a.bits() + 2, true});
}
inline Exact through_double(const Exact &a) {
    return through_floating(a, 1000, 53);
}
inline Exact through_float(const Exact &a) {
    return through_floating(a, 120, 24);
}
inline Exact odd_word(const Exact &a) {
    return to<std::uint64_t>(a) | 1u;
}

inline int small_integer(const Exact &a) {
    return static_cast<std::int32_t>(store_unsigned(a.value(), 32).to_uint64()) % 20;
}
inline Exact as_signed(const Exact &a) {
    return a.as(a.value(), {a.bits() + 1, true});
}
inline Exact read_signed(const Exact &a) {
    const Type type{a.bits(), true};
    return a.as(kept(a.value(), type), type);
}
inline Exact number_of_modulus(const Exact &m) {
    return m;
}

// ---- bits

inline int width_of(const Exact &a) {
    return a.bits();
}
inline Exact extract_half(const Exact &a, int position) {
    return extract_field(a, position, a.bits() / 2 + 1);
}

// ---- random numbers, powers and inverses

inline warpint::Philox generator_of(const Exact &a, int k) {
    return warpint::Philox(store_unsigned(a.value(), 64).to_uint64(),
                           static_cast<std::uint64_t>(k));
}
inline Exact random_of(const Exact &a, int k) {
    warpint::Philox generator = generator_of(a, k);
    return a.as(batch_test::random_bits(generator, a.bits()), {a.bits(), false});
}
inline grid::Pair<Exact, Exact> random_draws(const Exact &a, int k) {
    warpint::Philox generator = generator_of(a, k);
    const Integer bits = batch_test::random_bits(generator, a.bits());
    const Integer bound = abs(a.value()) | 1;
    const int width = (bound - 1).bit_width();
    Integer below;
    do {
        below = batch_test::random_bits(generator, width);
    } while (below >= bound);
    const Type type{a.bits(), false};
    return {a.as(bits, type), a.as(below, type)};
}
inline Exact fixed_power(const Exact &a, const Exact &e, const Exact &m) {
    return pow(a, e, m);
}
inline Maybe<Exact> inverse_among(const Exact &, const Exact &b, const Exact &m) {
    return inverse(b, m);
}
inline ExactResidue quotient_or_zero(const ExactResidue &x, const ExactResidue &y) {
    return x / y;
}
inline bool is_probable_prime(const Exact &n, int) {
    return is_prime(n.value());
}
inline bool is_prime_by_generator(const Exact &n) {
    return is_prime(n.value());
}
inline Maybe<Exact> crt_of_three(const Exact &a, const Exact &m, const Exact &b, const Exact &n) {
    return crt({a, stored_like(m, b), m}, {m, stored_like(m, n) | 1u, a | 1u});
}

// ---- constant time

inline Exact mod_ct(const Exact &a, const Exact &m) {
    return a % m;
}
inline Exact addmod_ct(const Exact &a, const Exact &b, const Exact &m) {
    return addmod(a, b, m);
}
inline Exact submod_ct(const Exact &a, const Exact &b, const Exact &m) {
    return submod(a, b, m);
}
inline Exact mulmod_ct(const Exact &a, const Exact &b, const Exact &m) {
    return mulmod(a, b, m);
}
inline Exact sqrmod_ct(const Exact &a, const Exact &m) {
    return sqrmod(a, m);
}
inline Exact pow_ct(const Exact &a, const Exact &e, const Exact &m) {
    return pow(a, e, m);
}
inline Maybe<Exact> inverse_ct(const Exact &a, const Exact &m) {
    return inverse(a, m);
}
inline Exact select_ct(bool condition, const Exact &a, const Exact &b) {
    return select(condition, a, b);
}
inline bool equal_ct(const Exact &a, const Exact &b) {
    return a == b;
}
inline bool less_ct(const Exact &a, const Exact &b) {
    return a < b;
}
inline bool is_zero_ct(const Exact &a) {
    return a.value().is_zero();
}
inline grid::Pair<Exact, Exact> swapped_ct(bool condition, const Exact &a, const Exact &m) {
    return condition ? grid::Pair<Exact, Exact>{a.keeps(m.value()), m.keeps(a.value())}
                     : grid::Pair<Exact, Exact>{a, m};
}

// ---- formulas

template <class Function>
auto map(const Function &function, const Exact &a, const Exact &b) {
    return function(a, b);
}
template <class Function>
auto map_over_lanes(const Function &function, const Exact &a, const Exact &b,
                    const batch_test::Parameters &) {
    return function(a, b);
}
template <class Function>
auto let(const Exact &a, const Function &function) {
    return function(a);
}

} // namespace test
