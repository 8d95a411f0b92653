// SPDX-License-Identifier: Apache-2.0
// The Chinese remainder theorem, for moduli that are coprime or not.
#pragma once

#include "../modular/inverse.h"
#include "gcd.h"

#include <array>

namespace warpint {

namespace number {

// Adds the congruence x = b mod n to the known one, x mod m. On input: x < m and n >= 1; the least
// common multiple of m and n is at most 2^W. On output: x modulo that multiple, and unless `last` m
// is the multiple. Returns false, with x and m unchanged, if there is no such x. (Knuth, The Art of
// Computer Programming 2, 4.3.2, mixed radix; with a common divisor g, b - x must be a multiple of
// it, and x + m t is right for t = (b - x) / g (m / g)^-1 mod n / g.)
template <int W, int N>
WARPINT_HOST_DEVICE constexpr bool join_congruence(BigInt<W> &x, BigInt<W> &m, const BigInt<N> &b,
                                                   BigInt<N> n, bool last) {
    BigInt<N> step = m % n;
    const BigInt<N> known = x % n;
    BigInt<N> difference = b;
    if (less(b, known)) // modulo n
        add_in_place(difference, n);
    subtract_in_place(difference, known);
    const BigInt<N> divisor = gcd(step, n);
    if (bit_width(divisor) != 1) {
        if (static_cast<bool>(difference % divisor))
            return false;
        difference = difference / divisor;
        step = step / divisor;
        n = n / divisor;
    }
    const auto factor = inverse(step, n); // exists
    const BigInt<N> t = (difference * *factor) % n;
    x = x + to<BigInt<W>>(multiply_unsigned(m, t));
    if (!last)
        m = to<BigInt<W>>(multiply_unsigned(m, n));
    return true;
}

// K congruences with residues of any size; nothing if they contradict each other or, in device
// code, a modulus is 0.
template <int N, int K>
WARPINT_HOST_DEVICE constexpr Optional<BigInt<K * N>> join_congruences(const BigInt<N> *residues,
                                                                       const BigInt<N> *moduli) {
    using R = Optional<BigInt<K * N>>;
    BigInt<K * N> x{};
    BigInt<K * N> m(1);
    for (int i = 0; i < K; ++i) {
        if (!static_cast<bool>(moduli[i])) {
            report_domain_error("warpint: modulus 0");
            return R{};
        }
    }
    for (int i = 0; i < K; ++i) {
        const BigInt<N> residue = residues[i] % moduli[i];
        if (i == 0) {
            x = to<BigInt<K * N>>(residue);
            m = to<BigInt<K * N>>(moduli[0]);
        } else if (!join_congruence(x, m, residue, moduli[i], i == K - 1)) {
            return R{};
        }
    }
    return R(x);
}

} // namespace number

// The x in [0, lcm(m, n)) with x = a mod m and x = b mod n, or nothing if a and b differ modulo
// gcd(m, n). a and b may be unreduced or negative. Variable time. Errors: m <= 0 or n <= 0 is a
// std::domain_error on the host; device code returns nothing.
// Example:
//     const auto x = crt(BigInt<8>(2), BigInt<8>(3), BigInt<8>(3), BigInt<8>(5)); // 8
template <AnyNumber A, AnyNumber M, AnyNumber B, AnyNumber N>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<
    BigInt<number::bits_of<M> + number::bits_of<N>>>
crt(const A &a, const M &m, const B &b, const N &n) {
    using R = BigInt<number::bits_of<M> + number::bits_of<N>>;
    const BigInt<number::bits_of<M>> first = number::modulus_value(m);
    const BigInt<number::bits_of<N>> second = number::modulus_value(n);
    if (!static_cast<bool>(first) || !static_cast<bool>(second)) {
        number::report_domain_error("warpint: modulus 0");
        return Optional<R>{};
    }
    R x = number::to<R>(number::as_number(a) % first);
    R modulus = number::to<R>(first);
    const BigInt<number::bits_of<N>> residue = number::as_number(b) % second;
    if (!number::join_congruence(x, modulus, residue, second, true))
        return Optional<R>{};
    return Optional<R>(x);
}

// The x in [0, lcm of all moduli) with x = residues[i] mod moduli[i] for every i, or nothing if
// there is none; otherwise as above.
template <int N, std::size_t K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<BigInt<static_cast<int>(K) * N>>
crt(const BigInt<N> (&residues)[K], const BigInt<N> (&moduli)[K]) {
    return number::join_congruences<N, static_cast<int>(K)>(residues, moduli);
}
// The same for std::array. Host only.
template <int N, std::size_t K>
requires(K >= 1) [[nodiscard]] constexpr Optional<BigInt<static_cast<int>(K) * N>> crt(
    const std::array<BigInt<N>, K> &residues, const std::array<BigInt<N>, K> &moduli) {
    return number::join_congruences<N, static_cast<int>(K)>(residues.data(), moduli.data());
}

} // namespace warpint
