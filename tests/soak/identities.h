// SPDX-License-Identifier: Apache-2.0
// Identities between formulas: both sides of each are computed in different ways, so that a billion
// can be tried where no oracle would follow. What an identity cannot see, such as both sides being
// 0, is for the tests that have one.
#pragma once

#include "soak/draw.h"
#include "soak/tally.h"
#include "support/spaces.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace soak {

using warpint::BigInt;
using warpint::SignedBigInt;

#if defined(__CUDACC__)
using Place = test::OnDevice;
#else
using Place = test::OnHost;
#endif

template <class T>
using Vector = typename Place::template vector<T>;

/// Of how many of the operands that refill(size) made identity() is false.
template <class Refill, class Identity>
std::uint64_t failures(std::size_t size, Refill refill, Identity identity) {
    refill(size);
    return size - static_cast<std::uint64_t>(count(identity()));
}

/// Tries an identity with new operands until the time is over.
template <class Refill, class Identity>
void hold(const std::string &kind, const char *name, int bits, Refill refill, Identity identity) {
    using Clock = std::chrono::steady_clock;
    const std::size_t size = round_size(bits);
    std::uint64_t held = 0;
    std::uint64_t wrong = 0;
    double time = 0;
    const auto start = Clock::now();
    do {
        wrong += failures(size, refill, identity);
        held += size;
        time = std::chrono::duration<double>(Clock::now() - start).count();
    } while (time < seconds());
    soak::count(kind, name, held, wrong, time);
}

template <class Number>
Vector<Number> drawn(std::size_t size) {
    return map(Draw<Number>{next_seed()}, warpint::indices(size));
}

/// Operands of one width, unsigned and signed.
template <int Bits>
struct Operands {
    using Number = BigInt<Bits>;
    using Signed = SignedBigInt<Bits>;
    Vector<Number> a, b, c, d, m; // d and m are not 0
    Vector<Signed> s, t, u;       // u is not 0

    void refill(std::size_t size) {
        a = drawn<Number>(size);
        b = drawn<Number>(size);
        c = drawn<Number>(size);
        d = drawn<Number>(size);
        m = drawn<Number>(size);
        d = select(d == 0, Number(1), d);
        m = select(m == 0, Number(1), m);
    }
    void refill_signed(std::size_t size) {
        s = drawn<Signed>(size);
        t = drawn<Signed>(size);
        u = drawn<Signed>(size);
        u = select(u == 0, Signed(1), u);
    }
};

/// The identities of numbers of `Bits` bits: sums, products and bits.
template <int Bits>
void try_sums() {
    Operands<Bits> x;
    const auto &[a, b, c, d, m, s, t, u] = x;
    const auto refill = [&](std::size_t size) { x.refill(size); };
    const std::string kind = "BigInt<" + std::to_string(Bits) + ">";
    hold(kind, "(a + b) (a - b) = aa - bb", Bits, refill,
         [&] { return (a + b) * (a - b) == a * a - b * b; });
    hold(kind, "(a + b) c = ac + bc", Bits, refill, [&] { return (a + b) * c == a * c + b * c; });
    hold(kind, "mul_high, mul_low = ab", Bits, refill, [&] {
        return (warpint::as<BigInt<2 * Bits>>(mul_high(a, b)) << Bits) + mul_low(a, b) == a * b;
    });
    hold(kind, "sqr(a + b) = aa + 2ab + bb", Bits, refill,
         [&] { return sqr(a + b) == sqr(a) + a * b * 2u + sqr(b); });
    hold(kind, "a xor b + 2 (a and b) = a + b", Bits, refill,
         [&] { return (a ^ b) + (a & b) * 2u == a + b; });
    hold(kind, "popcounts of and, or", Bits, refill,
         [&] { return popcount(a) + popcount(b) == popcount(a & b) + popcount(a | b); });
    hold(kind, "shifts and rotations", Bits, refill, [&] {
        return (((a >> 13) << 13) + (a & 8191u) == a) &
               (rotl(rotr(a, Bits / 2 + 3), Bits / 2 + 3) == a);
    });
}

/// Quotients, roots, divisors.
template <int Bits>
void try_quotients() {
    Operands<Bits> x;
    const auto &[a, b, c, d, m, s, t, u] = x;
    const auto refill = [&](std::size_t size) { x.refill(size); };
    const std::string kind = "BigInt<" + std::to_string(Bits) + ">";
    hold(kind, "(a / d) d + a % d = a", Bits, refill,
         [&] { return (a / d * d + a % d == a) & (a % d < d); });
    hold(kind, "ab / d d + ab % d = ab", Bits, refill,
         [&] { return (a * b / d * d + a * b % d == a * b) & (a * b % d < d); });
    Vector<BigInt<Bits>> r;
    hold(
        kind, "rr <= a < (r + 1)^2", Bits,
        [&](std::size_t size) {
            x.refill(size);
            r = isqrt(x.a);
        },
        [&] { return (r * r <= a) & (a < (r + 1u) * (r + 1u)); });
    hold(kind, "gcd lcm = ab", Bits, refill, [&] { return gcd(a, b) * lcm(a, b) == a * b; });
}

/// Modulo a number of each element.
template <int Bits>
void try_modular() {
    using Number = BigInt<Bits>;
    Operands<Bits> x;
    const auto &[a, b, c, d, m, s, t, u] = x;
    const auto refill = [&](std::size_t size) { x.refill(size); };
    const std::string kind = "BigInt<" + std::to_string(Bits) + ">";
    hold(kind, "ab % m, two ways", Bits, refill,
         [&] { return a * b % m == mulmod(a % m, b % m, m); });
    hold(kind, "(ab + c) % m, two ways", Bits, refill,
         [&] { return (a * b + c) % m == addmod(mulmod(a, b, m), c, m); });
    hold(kind, "(a - b) c % m, two ways", Bits, refill,
         [&] { return submod(a * c % m, b * c % m, m) == mulmod(submod(a, b, m), c, m); });
    Vector<Number> r;
    hold(
        kind, "inverse(a, m) a = 1 or a gcd", Bits,
        [&](std::size_t size) {
            x.refill(size);
            r = inverse(x.a, x.m);
            r.clear_errors(); // 0 where there is no inverse
        },
        [&] { return (r * a % m == 1u % m) == (gcd(a, m) == 1u); });
    hold(kind, "crt of a % m, a % (m + 1)", Bits, refill, [&] {
        return let(crt(a % m, m, a % (m + 1u), m + 1u),
                   [&](auto y) { return (y % m == a % m) & (y % (m + 1u) == a % (m + 1u)); });
    });
    hold(kind, "jacobi of a product", Bits, refill,
         [&] { return jacobi(a * b, m | 1u) == jacobi(a, m | 1u) * jacobi(b, m | 1u); });
    Vector<Number> p, q;
    hold(
        kind, "a^b a^c % m = a^(b + c) % m", Bits,
        [&](std::size_t size) {
            x.refill(size);
            x.b = x.b >> 1;
            x.c = x.c >> 1;
            p = pow(x.a, x.b, x.m);
            q = pow(x.a, x.c, x.m);
            r = pow(x.a, warpint::as<Number>(x.b + x.c), x.m);
        },
        [&] { return p * q % m == r; });
}

/// Signed numbers.
template <int Bits>
void try_signed() {
    Operands<Bits> x;
    const auto &[a, b, c, d, m, s, t, u] = x;
    const auto refill_signed = [&](std::size_t size) { x.refill_signed(size); };
    const std::string signed_kind = "SignedBigInt<" + std::to_string(Bits) + ">";
    hold(signed_kind, "(s + t) (s - t) = ss - tt", Bits, refill_signed,
         [&] { return (s + t) * (s - t) == s * s - t * t; });
    hold(signed_kind, "(s / u) u + s % u = s", Bits, refill_signed,
         [&] { return (s / u * u + s % u == s) & (abs(s % u) < abs(u)); });
    hold(
        signed_kind, "(st - u) % m, two ways", Bits,
        [&](std::size_t size) {
            x.refill(size);
            x.refill_signed(size);
        },
        [&] { return (s * t - u) % m == submod(mulmod(s, t, m), u, m); });
    hold(signed_kind, "orders", Bits, refill_signed, [&] {
        return (min(s, t) + max(s, t) == s + t) & ((s < t) == (s - t < 0)) & (abs(s) == abs(-s));
    });
}

/// The identities of any residues x, y, z, of which x and y are those of a and b.
template <class Refill, class Numbers, class Residues, class M>
void try_ring(const std::string &kind, int bits, Refill refill, const Numbers &a, const Numbers &b,
              const Residues &x, const Residues &y, const Residues &z, const M &modulus) {
    hold(kind, "(x + y) (x - y) = xx - yy", bits, refill,
         [&] { return (x + y) * (x - y) == x * x - y * y; });
    hold(kind, "x (y + z) = xy + xz", bits, refill, [&] { return x * (y + z) == x * y + x * z; });
    hold(kind, "value(xy) = ab % m", bits, refill, [&] { return value(x * y) == a * b % modulus; });
}

/// The identities of residues modulo a number that each round draws, and modulo a prime in the
/// type.
template <int Bits>
void try_residues() {
    using Number = BigInt<Bits>;
    using Residue = warpint::Residue<Bits>;
    const std::string kind = "Residue<" + std::to_string(Bits) + ">";
    Vector<Number> a, b;
    Vector<Residue> x, y, z;
    warpint::Modulus<Bits> modulus(Number(1));
    const auto refill = [&](std::size_t size) {
        const Number m = Draw<Number>{next_seed()}(BigInt<64>(1u));
        modulus = warpint::Modulus<Bits>(m == 0 ? Number(1) : m);
        a = drawn<Number>(size);
        b = drawn<Number>(size);
        x = Vector<Residue>(modulus, a);
        y = Vector<Residue>(modulus, b);
        z = Vector<Residue>(modulus, drawn<Number>(size));
    };
    try_ring(kind, Bits, refill, a, b, x, y, z, modulus);
    hold(kind, "x^7 = x^3 x^4", Bits, refill,
         [&] { return pow(x, 7u) == pow(x, 3u) * sqr(sqr(x)); });
}

template <class Residue, class Number>
void try_static_residues(const char *name, const Number &modulus) {
    constexpr int bits = Number::bits;
    Vector<Number> a, b;
    Vector<Residue> x, y, z;
    const auto refill = [&](std::size_t size) {
        a = drawn<Number>(size);
        b = drawn<Number>(size);
        b = b % modulus;
        b = select(b == 0u, Number(1), b);
        x = a;
        y = b;
        z = drawn<Number>(size);
    };
    try_ring(name, bits, refill, a, b, x, y, z, modulus);
    hold(name, "x / y y = x", bits, refill, [&] { return x / y * y == x; });
}

} // namespace soak
