// SPDX-License-Identifier: Apache-2.0
// Paillier's cryptosystem ("Public-key cryptosystems based on composite degree residuosity
// classes", Eurocrypt 1999) as batch formulas of warpint: what a reader of this sample came for.
//
// Products of ciphertexts modulo n^2 are ciphertexts of sums modulo n. Numbers of both signs are
// encrypted: those above n / 2 stand for themselves minus n.
//
// There are two ways to encrypt, whose ciphertexts are added, multiplied and decrypted alike: the
// textbook's, and that of Damgard, Jurik and Nielsen ("A generalization of Paillier's public-key
// system with applications to electronic voting", International Journal of Information Security 9,
// 2010), with powers of one base by exponents of half the bits of n.
//
// Variable time: the running time depends on keys and data.
#pragma once

#include <algorithm>
#include <cstddef>

#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/random.h>
#include <warpint/vector.h>

#include "parallel.h"
#include "system_random.h"

namespace paillier {

using warpint::BigInt;
using warpint::host_vector;
using warpint::Modulus;
using warpint::SignedBigInt;

template <int Bits>
using Values = host_vector<SignedBigInt<Bits>>;
template <int Bits>
using Ciphertexts = host_vector<BigInt<2 * Bits>>;

// A base h for short exponents: -x^2 mod n with a random x prime to n. The n that it is for is a
// product of primes that are 3 modulo 4, so that -1 has Jacobi symbol 1 and is no square.
template <int Bits>
BigInt<Bits> random_base(const BigInt<Bits> &n) {
    sample::SystemRandom generator;
    BigInt<Bits> x;
    do
        x = random_below(n, generator);
    while (gcd(x, n) != 1u);
    return n - sqr(x) % n;
}

// Whether a number from a file can be such a base: prime to n, of Jacobi symbol 1, and not 1 or -1,
// whose powers hide nothing. That it is -x^2 only the owner of p and q can tell.
template <int Bits>
bool can_be_base(const BigInt<Bits> &h, const BigInt<Bits> &n) {
    return h > 1u && h < n - 1u && jacobi(h, n) == 1;
}

// The side that knows n = p q, and perhaps a base h. Bits: of n.
template <int Bits, class Place>
class PublicKey {
public:
    template <class T>
    using Vector = typename Place::template Vector<T>;
    using Plain = Vector<SignedBigInt<Bits>>;
    using Cipher = Vector<BigInt<2 * Bits>>;
    // Half the bits of n, as in the paper: shorter ones need a stronger assumption.
    using ShortExponents = Vector<BigInt<Bits / 2>>;

    explicit PublicKey(const BigInt<Bits> &modulus) : n(modulus), n_squared(sqr(modulus)) {}
    PublicKey(const BigInt<Bits> &modulus, const BigInt<Bits> &base) : PublicKey(modulus) {
        h_s = pow(base, modulus, n_squared);
    }

    BigInt<Bits> modulus() const { return n.value(); }

    // Whether encrypt_short() can be called.
    bool has_base() const { return h_s != 0u; }

    // Values must lie in [-largest(), largest()].
    BigInt<Bits> largest() const { return n.value() >> 1; }

    // (1 + n)^m r^n mod n^2 with a new r for each, where (1 + n)^m = 1 + m n.
    void encrypt(Cipher &cipher, const Plain &m) const {
        encrypt(cipher, m, random_numbers(m.size()));
    }
    void encrypt(Cipher &cipher, const Plain &m, const Vector<BigInt<Bits>> &r) const {
        cipher = pow(r, n.value(), n_squared) * (m % n * n.value() + 1u) % n_squared;
    }

    // (1 + n)^m h_s^a mod n^2 with h_s = h^n mod n^2 and a new short a for each. One base for all:
    // its powers take combs.
    void encrypt_short(Cipher &cipher, const Plain &m) const {
        encrypt_short(cipher, m, short_exponents(m.size()));
    }
    void encrypt_short(Cipher &cipher, const Plain &m, const ShortExponents &a) const {
        cipher = pow(h_s, a, n_squared) * (m % n * n.value() + 1u) % n_squared;
    }

    // Ciphertexts of sums, element by element.
    void add(Cipher &sum, const Cipher &a, const Cipher &b) const { sum = a * b % n_squared; }

    // The ciphertext of the sum of all. That of none is 1.
    BigInt<2 * Bits> sum(const Cipher &a) const { return product(a, n_squared); }
    BigInt<2 * Bits> sum(const BigInt<2 * Bits> &a, const BigInt<2 * Bits> &b) const {
        return a * b % n_squared.value();
    }

    // Ciphertexts of k times the value. A negative k stands for k + n.
    void scale(Cipher &scaled, const Cipher &a, const SignedBigInt<Bits + 1> &k) const {
        scaled = pow(a, BigInt<Bits>(k % n.value()), n_squared);
    }

    // The first that is no ciphertext, because it is not below n^2 or not prime to n; the size if
    // all are.
    std::size_t first_invalid(const Ciphertexts<Bits> &c) const {
        const auto is_large = [&](const auto &x) { return x >= n_squared.value(); };
        const auto is_bad = [&](const auto &x) { return is_large(x) || !is_prime_to_n(x); };
        // One gcd, that of the product, where all are good.
        if (std::none_of(c.begin(), c.end(), is_large) && is_prime_to_n(product(c, n_squared)))
            return c.size();
        return static_cast<std::size_t>(std::find_if(c.begin(), c.end(), is_bad) - c.begin());
    }

private:
    bool is_prime_to_n(const BigInt<2 * Bits> &x) const {
        return gcd(BigInt<Bits>(x % n.value()), n.value()) == 1u;
    }

    // Uniform in [1, n). One that is not prime to n would be a factor of n: none is ever drawn.
    Vector<BigInt<Bits>> random_numbers(std::size_t count) const {
        return drawn<BigInt<Bits>>(count, [&](sample::SystemRandom &generator) {
            return random_below(n.value() - 1u, generator) + 1u;
        });
    }
    ShortExponents short_exponents(std::size_t count) const {
        return drawn<BigInt<Bits / 2>>(count, [](sample::SystemRandom &generator) {
            return warpint::random_bits<Bits / 2>(generator);
        });
    }
    template <class T, class Draw>
    static Vector<T> drawn(std::size_t count, Draw draw) {
        host_vector<T> numbers(count);
        sample::parallel_for(count, [&](std::size_t first, std::size_t last) {
            sample::SystemRandom generator;
            for (std::size_t i = first; i != last; ++i)
                numbers[i] = draw(generator);
        });
        return numbers;
    }

    Modulus<Bits> n;
    Modulus<2 * Bits> n_squared;
    BigInt<2 * Bits> h_s = 0; // 0: there is none
};

// The side that knows p and q, primes of Bits / 2 bits.
template <int Bits, class Place>
class PrivateKey {
public:
    static constexpr int half = Bits / 2;
    using Plain = typename PublicKey<Bits, Place>::Plain;
    using Cipher = typename PublicKey<Bits, Place>::Cipher;

    PrivateKey(const BigInt<half> &first, const BigInt<half> &second)
        : p(first), q(second), p_squared(sqr(first)), q_squared(sqr(second)), n(first * second),
          minus_q_inverse(first - *inverse(second, first)),
          minus_p_inverse(second - *inverse(first, second)), q_inverse(*inverse(second, first)) {}

    const BigInt<Bits> &modulus() const { return n; }

    // Paillier's section 7: c^(p - 1) = 1 + m (p - 1) n modulo p^2, from which m modulo p; likewise
    // q; and Garner's recombination. A batch formula is exact: differences are signed, and
    // remainders by p lie in [0, p).
    void decrypt(Plain &m, const Cipher &c) {
        const BigInt<half> p_value = p.value();
        const BigInt<half> q_value = q.value();
        m_p = (pow(c, p_value - 1u, p_squared) - 1) / p_value * minus_q_inverse % p;
        m_q = (pow(c, q_value - 1u, q_squared) - 1) / q_value * minus_p_inverse % q;
        residue = m_q + (m_p - m_q) * q_inverse % p * q_value;
        m = select(residue > n / 2u, residue - n, residue);
    }

private:
    Modulus<half> p, q;
    Modulus<Bits> p_squared, q_squared;
    BigInt<Bits> n;
    BigInt<half> minus_q_inverse, minus_p_inverse, q_inverse;
    typename Place::template Vector<BigInt<half>> m_p, m_q;
    typename Place::template Vector<BigInt<Bits>> residue;
};

} // namespace paillier
