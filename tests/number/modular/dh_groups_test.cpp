// SPDX-License-Identifier: Apache-2.0
// The Diffie-Hellman groups of RFC 2409 and RFC 3526, worked out from their definition:
//   p = 2^n - 2^(n - 64) - 1 + 2^64 (floor(2^(n - 130) pi) + c),
// with pi by Machin's formula in the library's own arithmetic. That p and (p - 1) / 2 are prime and
// that 2 generates the subgroup of order (p - 1) / 2 tells that all of it is right; key agreements
// are compared with GMP.
#include "support/operands.h"
#include "support/oracle.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>

#include <doctest/doctest.h>

namespace {

using test::from_integer;
using test::Integer;
using test::OperandSource;
using test::to_integer;
using warpint::BigInt;
using warpint::Modulus;

/// 2^Bits arctan(1 / x), a little too small or too large by at most Bits.
template <int N>
BigInt<N> arctangent(int bits, unsigned x) {
    BigInt<N> power = (BigInt<N>(1) << bits) / x;
    BigInt<N> sum = power;
    for (unsigned k = 3; static_cast<bool>(power); k += 2) {
        power /= x * x;
        sum = k % 4 == 3 ? sum - power / k : sum + power / k;
    }
    return sum;
}

template <int N>
BigInt<N> group_prime(unsigned c) {
    constexpr int guard = 64; // bits
    using Wide = BigInt<N>;
    const int bits = N - 130 + guard;
    const Wide pi = (arctangent<N>(bits, 5) * 4u - arctangent<N>(bits, 239)) << 2;
    const BigInt<N> one(1);
    return (BigInt<N>(0) - (one << (N - 64))) - 1 + (((pi >> guard) + c) << 64);
}

template <int N>
void check_group(unsigned c, bool check_primes) {
    CAPTURE(N);
    const BigInt<N> p = group_prime<N>(c);
    const BigInt<N> q = p >> 1;
    if (check_primes) {
        CHECK(is_probable_prime(p));
        CHECK(is_probable_prime(q));
    }
    CHECK(mpz_probab_prime_p(to_integer(p).raw(), 2) != 0);

    const Modulus<N> m(p);
    CHECK(pow(2, q, m) == 1);
    CHECK(pow(p - 2, q, m) == p - 1); // p = 3 mod 4: one of 2 and -2 is a square

    // Two secrets of 256 bits, and one of full length.
    OperandSource source(static_cast<std::uint64_t>(N));
    const auto a = from_integer<BigInt<256>>(source.uniform_bits(256));
    const auto b = from_integer<BigInt<N>>(source.uniform_bits(N));
    const BigInt<N> public_a = pow(2, a, m);
    const BigInt<N> public_b = pow(2, b, p);
    const BigInt<N> shared = pow(public_b, a, m);
    CHECK(shared == pow(public_a, b, m));
    CHECK(to_integer(shared) ==
          test::power_modulo(Integer(2), to_integer(a) * to_integer(b), to_integer(p)));
}

} // namespace

TEST_CASE("Diffie-Hellman groups of RFC 2409 and RFC 3526") {
    check_group<768>(149686, true);
    check_group<1024>(129093, true);
    check_group<1536>(741804, true);
    check_group<2048>(124476, true);
    check_group<3072>(1690314, true);
    check_group<4096>(240904, true);
    check_group<6144>(929484, false);
    check_group<8192>(4743158, false);
}
