// SPDX-License-Identifier: Apache-2.0
// Operations of public test vectors: common divisors, inverses, symbols, roots, primes.

#include "operations.h"
#include "widths.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>

namespace vectors_test {

using test::from_integer;
using test::to_integer;

void run_gcd(const Integer &a, const Integer &b, const Integer &r) {
    at_width({a, b}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect_equal(to_integer(gcd(x, y)), r, "gcd(a, b)");
        const auto both = gcd_ext(x, y);
        expect_equal(to_integer(both.x) * a + to_integer(both.y) * b, r, "a x + b y");
    });
}

void run_inverse(const Integer &a, const Integer &m, const Integer &r) {
    at_width({a, m}, [&]<typename T>() {
        const auto x = inverse(from_integer<T>(a), from_integer<BigInt<T::bits>>(m));
        expect(static_cast<bool>(x) == (!r.is_zero() || m == 1), "an inverse exists");
        expect_equal(x ? to_integer(*x) : Integer(0), r, "inverse(a, m)");
    });
}

void run_jacobi(const Integer &a, const Integer &n, const Integer &r) {
    at_unsigned_width({a, n}, [&]<typename T>() {
        expect_equal(Integer(jacobi(from_integer<T>(a), from_integer<BigInt<T::bits>>(n))), r,
                     "jacobi(a, n)");
    });
}

void run_root_modulo(const Integer &a, const Integer &p, const Integer *r) {
    const auto check = [&]<typename T>() {
        using Unsigned = BigInt<T::bits>;
        const auto x = sqrt_mod(from_integer<T>(a), from_integer<Unsigned>(p));
        if (x) {
            const Integer root = to_integer(*x);
            expect_equal(modulo(root * root - a, p), Integer(0), "root^2 - a mod p");
        }
        if (r != nullptr) {
            expect(static_cast<bool>(x), "a root exists");
            expect(to_integer(*x) == *r || to_integer(*x) == p - *r, "it is r or p - r");
        } else if (mpz_probab_prime_p(p.raw(), 30) != 0) {
            expect(!x, "no root exists");
        }
    };
    if (a.sign() < 0) {
        expect(a.bit_width() < 2304 && p.bit_width() <= 2304, "a negative operand of this width");
        check.template operator()<SignedBigInt<2304>>();
    } else {
        at_unsigned_width({a, p}, check);
    }
}

void run_is_square(const Integer &a, bool square) {
    at_unsigned_width({a}, [&]<typename T>() {
        const auto both = sqrt_rem(from_integer<T>(a));
        expect((both.remainder == 0) == square, "remainder 0 exactly for squares");
    });
}

void run_primality(const Integer &n, bool prime) {
    if (n.sign() < 0) {
        expect(!is_probable_prime(from_integer<SignedBigInt<2048>>(n)), "negative numbers");
        return;
    }
    at_unsigned_width({n}, [&]<typename T>() {
        expect(is_probable_prime(from_integer<T>(n)) == prime, "is_probable_prime(n)");
        expect(is_probable_prime(from_integer<T>(n), 2) == prime, "is_probable_prime(n, 2)");
    });
}

void run_witness(const Integer &w, const Integer &b, bool possibly_prime) {
    at_unsigned_width({w, b}, [&]<typename T>() {
        const auto n = from_integer<BigInt<T::bits>>(w);
        const warpint::Modulus<T::bits> modulus{n};
        const int zeros = countr_zero(n - 1);
        auto x = warpint::pow(from_integer<T>(b), (n - 1) >> zeros, modulus);
        bool passes = x == 1 || x == n - 1;
        for (int i = 1; i < zeros && !passes; ++i) {
            x = warpint::sqrmod(x, modulus);
            passes = x == n - 1;
        }
        expect(passes == possibly_prime, "Miller-Rabin round");
        if (!passes)
            expect(!is_probable_prime(n), "a witness against a probable prime");
    });
}

} // namespace vectors_test
