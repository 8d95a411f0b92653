// SPDX-License-Identifier: Apache-2.0
// Numbers of very different lengths, and short ones in wide types, against GMP: greatest common
// divisors, inverses, symbols, powers, products, roots and primality; and that their time is that
// of their length.

#include "support/oracle.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/random.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

namespace {

using test::from_integer;
using test::Integer;
using test::modulo;
using test::to_integer;
using warpint::BigInt;
using warpint::Modulus;

// Numbers of all lengths up to `bits`: the smallest, those about whole words, powers of two and
// their neighbours, and random ones.
class Numbers {
public:
    explicit Numbers(int bits) : bits_{bits} {}

    Integer next() {
        static constexpr unsigned smallest[] = {0, 1, 2, 3, 4, 6, 255, 1000003};
        const int kind = below(10);
        if (kind == 0)
            return Integer(smallest[below(8)]);
        int length = 1 + below(below(2) == 0 ? bits_ : std::min(bits_, 200));
        if (below(4) == 0)
            length = std::min(bits_, 64 * (1 + below(4)) + below(3) - 1);
        Integer x;
        mpz_setbit(x.raw(), static_cast<mp_bitcnt_t>(length - 1));
        if (kind == 1)
            return x;
        if (kind == 2)
            return x - 1;
        for (int i = 0; i < length - 1; ++i) {
            if (below(2) != 0)
                mpz_setbit(x.raw(), static_cast<mp_bitcnt_t>(i));
        }
        if (kind == 3) { // many zeros below
            const auto zeros = static_cast<mp_bitcnt_t>(below(bits_ - length + 1));
            mpz_mul_2exp(x.raw(), x.raw(), zeros);
        }
        return x;
    }
    // A number beside m: sometimes m itself, or a multiple of it.
    Integer beside(const Integer &m) {
        const int kind = below(12);
        if (kind == 0)
            return m;
        if (kind == 1 && static_cast<int>(mpz_sizeinbase(m.raw(), 2)) + 7 <= bits_)
            return m * below(100);
        return next();
    }
    int below(int bound) { return static_cast<int>(generator_() % static_cast<unsigned>(bound)); }

private:
    int bits_;
    std::mt19937 generator_{5};
};

Integer power(const Integer &a, const Integer &e, const Integer &m) {
    Integer r;
    mpz_powm(r.raw(), a.raw(), e.raw(), m.raw());
    return r;
}

template <int N>
void check_divisors(const Integer &a, const Integer &m) {
    const auto x = from_integer<BigInt<N>>(a), y = from_integer<BigInt<N>>(m);
    Integer g, s, t;
    mpz_gcdext(g.raw(), s.raw(), t.raw(), a.raw(), m.raw());
    REQUIRE(to_integer(gcd(x, y)) == g);
    const auto extended = gcd_ext(x, y);
    REQUIRE(to_integer(extended.gcd) == g);
    REQUIRE(to_integer(extended.x) == s);
    REQUIRE(to_integer(extended.y) == t);
    mpz_lcm(g.raw(), a.raw(), m.raw());
    REQUIRE(to_integer(lcm(x, y)) == g);
    if (test_bit(y, 0))
        REQUIRE(jacobi(x, y) == mpz_jacobi(a.raw(), m.raw()));
    if (m.sign() == 0)
        return;
    const bool exists = mpz_invert(s.raw(), a.raw(), m.raw()) != 0 || m == Integer(1);
    const auto inverted = inverse(x, y);
    REQUIRE(inverted.has_value() == exists);
    if (exists && m != Integer(1))
        REQUIRE(to_integer(*inverted) == s);
    const auto joined = crt(x, y, BigInt<N>(3), BigInt<N>(7));
    mpz_gcd_ui(g.raw(), m.raw(), 7);
    const Integer distance = a - 3;
    REQUIRE(joined.has_value() == (mpz_divisible_p(distance.raw(), g.raw()) != 0));
    if (joined.has_value()) {
        mpz_lcm_ui(g.raw(), m.raw(), 7);
        const Integer solution = to_integer(*joined);
        REQUIRE(solution < g);
        REQUIRE(mpz_congruent_p(solution.raw(), a.raw(), m.raw()) != 0);
        REQUIRE(mpz_congruent_ui_p(solution.raw(), 3, 7) != 0);
    }
}

template <int N>
void check_arithmetic(const Integer &a, const Integer &b) {
    const auto x = from_integer<BigInt<N>>(a), y = from_integer<BigInt<N>>(b);
    Integer limit, q, r;
    mpz_setbit(limit.raw(), static_cast<mp_bitcnt_t>(N));
    const Integer product = a * b;
    const auto checked = mul_overflow(x, y);
    mpz_fdiv_qr(q.raw(), r.raw(), product.raw(), limit.raw());
    REQUIRE(to_integer(checked.value) == r);
    REQUIRE(checked.overflow == (q.sign() != 0));
    REQUIRE(to_integer(mul_high(x, y)) == q);
    const auto check_signed = [&](const Integer &c, const Integer &d) {
        using Signed = warpint::SignedBigInt<N + 1>;
        const auto s = mul_overflow(from_integer<Signed>(c), from_integer<Signed>(d));
        const Integer exact = c * d, kept = to_integer(s.value);
        Integer distance = exact - kept; // a multiple of 2^(N + 1)
        REQUIRE(mpz_divisible_2exp_p(distance.raw(), N + 1) != 0);
        REQUIRE(s.overflow == (distance.sign() != 0));
        // A signed and an unsigned factor.
        const auto mixed = mul_overflow(from_integer<Signed>(c), y);
        distance = c * b - to_integer(mixed.value);
        REQUIRE(mpz_divisible_2exp_p(distance.raw(), N + 1) != 0);
        REQUIRE(mixed.overflow == (distance.sign() != 0));
        const auto wrapped = mul_overflow(warpint::SignedBigInt<N>(from_integer<Signed>(c)), y);
        const Integer low = to_integer(warpint::SignedBigInt<N>(from_integer<Signed>(c))) * b;
        distance = low - to_integer(wrapped.value);
        REQUIRE(mpz_divisible_2exp_p(distance.raw(), N) != 0);
        REQUIRE(wrapped.overflow == (distance.sign() != 0));
    };
    check_signed(a, b);
    check_signed(Integer(0) - a, b);
    check_signed(Integer(0) - a, Integer(0) - b);
    if (b.sign() != 0) {
        mpz_tdiv_qr(q.raw(), r.raw(), a.raw(), b.raw());
        const auto both = divmod(x, y);
        REQUIRE(to_integer(both.quotient) == q);
        REQUIRE(to_integer(both.remainder) == r);
        REQUIRE(to_integer(x / y) == q);
        REQUIRE(to_integer(x % y) == r);
        using Signed = warpint::SignedBigInt<N + 1>;
        for (const int sign : {-1, 1}) { // truncated; by an unsigned divisor rounded down
            const Integer c = Integer(0) - a, d = b * sign;
            mpz_tdiv_qr(q.raw(), r.raw(), c.raw(), d.raw());
            const auto truncated = divmod(from_integer<Signed>(c), from_integer<Signed>(d));
            REQUIRE(to_integer(truncated.quotient) == q);
            REQUIRE(to_integer(truncated.remainder) == r);
            REQUIRE(to_integer(from_integer<Signed>(c) / from_integer<Signed>(d)) == q);
            REQUIRE(to_integer(from_integer<Signed>(c) % from_integer<Signed>(d)) == r);
            mpz_fdiv_qr(q.raw(), r.raw(), c.raw(), b.raw());
            const auto down = divmod(from_integer<Signed>(c), y);
            REQUIRE(to_integer(down.quotient) == q);
            REQUIRE(to_integer(down.remainder) == r);
            REQUIRE(to_integer(from_integer<Signed>(c) % y) == r);
        }
        const auto narrow = from_integer<BigInt<N / 2>>(a % Integer(1000003));
        REQUIRE(to_integer(narrow % y) == (a % Integer(1000003)) % b);
        REQUIRE(to_integer(x % 1000003u) == a % Integer(1000003));
    } else {
        REQUIRE_THROWS_AS(static_cast<void>(x % y), std::domain_error);
        REQUIRE_THROWS_AS(static_cast<void>(divmod(x, y)), std::domain_error);
    }
    mpz_sqrtrem(q.raw(), r.raw(), a.raw());
    REQUIRE(to_integer(isqrt(x)) == q);
    const auto root = sqrt_rem(x);
    REQUIRE(to_integer(root.root) == q);
    REQUIRE(to_integer(root.remainder) == r);
    REQUIRE(is_square(x) == (r.sign() == 0));
    REQUIRE(is_square(from_integer<BigInt<N>>(q * q)));
    mpz_root(q.raw(), a.raw(), 5);
    REQUIRE(to_integer(iroot(x, 5)) == q);
    REQUIRE(popcount(x) == static_cast<int>(mpz_popcount(a.raw())));
    REQUIRE(has_single_bit(x) == (mpz_popcount(a.raw()) == 1));
    for (const int k : {1, 40, N - 1, N - 40, N - 300}) {
        const int count = (k % N + N) % N;
        mpz_mul_2exp(q.raw(), a.raw(), static_cast<mp_bitcnt_t>(count));
        mpz_fdiv_qr(q.raw(), r.raw(), q.raw(), limit.raw());
        REQUIRE(to_integer(rotl(x, k)) == r + q);
        REQUIRE(to_integer(rotr(warpint::SignedBigInt<N>(x), -k)) ==
                to_integer(warpint::SignedBigInt<N>(from_integer<BigInt<N>>(r + q))));
    }
    REQUIRE(bit_width(x) == (a.sign() == 0 ? 0 : static_cast<int>(mpz_sizeinbase(a.raw(), 2))));
}

Integer power_of_two(int exponent) {
    return Integer(1) << static_cast<std::size_t>(exponent);
}

// What hosts and GPUs share: the constants of a Modulus and the forms of its residues are those of
// its width, also where hosts compute with less.
template <int N>
void check_forms(const Integer &a, const Integer &m) {
    const Modulus<N> modulus(from_integer<BigInt<N>>(m));
    constexpr int n = Modulus<N>::limb_count;
    const auto number = [](const std::uint32_t *limbs) {
        return test::unsigned_from_limbs(limbs, n);
    };
    const Integer r = power_of_two(32 * n);
    const Integer scaled = m * power_of_two(modulus.shift());
    REQUIRE(mpz_sizeinbase(scaled.raw(), 2) == 32 * n);
    Integer odd = m;
    mpz_fdiv_q_2exp(odd.raw(), odd.raw(), static_cast<mp_bitcnt_t>(modulus.zeros()));
    REQUIRE(number(modulus.odd_part().modulus) == odd);
    REQUIRE(number(modulus.odd_part().one) == modulo(r, odd));
    REQUIRE(number(modulus.odd_part().r_squared) == modulo(r * r, odd));
    Integer reciprocal = r * r - 1;
    mpz_fdiv_q(reciprocal.raw(), reciprocal.raw(), scaled.raw());
    REQUIRE(number(modulus.reciprocal()) == reciprocal - r);
    REQUIRE(number(modulus.form_modulus()) == (modulus.is_odd() ? m : scaled));
    REQUIRE(to_integer(modulus.value()) == m);
    const auto form = [&](const Integer &x) {
        return modulus.is_odd() ? modulo(x * r, m) : modulo(x, m) * power_of_two(modulus.shift());
    };
    REQUIRE(to_integer(modulus(from_integer<BigInt<N>>(a)).form()) == form(a));
    REQUIRE(to_integer(modulus(-12345678).form()) == form(Integer(-12345678)));
    REQUIRE(to_integer(modulus(-5).form()) == form(Integer(-5)));
    using Wide = warpint::SignedBigInt<2 * N + 7>;
    const Integer wide = Integer(0) - a * a;
    REQUIRE(to_integer(modulus(from_integer<Wide>(wide)).form()) == form(wide));
}

// Residues, and products with a term, by a number and by its Modulus.
template <int N>
void check_residues(const Integer &a, const Integer &b, const Integer &m) {
    const auto x = from_integer<BigInt<N>>(a), y = from_integer<BigInt<N>>(b),
               z = from_integer<BigInt<N>>(m);
    const warpint::SignedBigInt<N + 1> minus_x = -warpint::SignedBigInt<N + 1>(x);
    const Modulus<N> modulus(z);
    const auto p = modulus(x), q = modulus(y);
    REQUIRE(to_integer(p.value()) == modulo(a, m));
    REQUIRE(to_integer((p + q).value()) == modulo(a + b, m));
    REQUIRE(to_integer((p - q).value()) == modulo(a - b, m));
    REQUIRE(to_integer((-p).value()) == modulo(Integer(0) - a, m));
    REQUIRE(to_integer(sqr(p).value()) == modulo(a * a, m));
    REQUIRE(to_integer((p * q * p + 7 * q).value()) == modulo(a * b * a + b * 7, m));
    REQUIRE(to_integer(pow(p, 65537).value()) == power(a, Integer(65537), m));
    REQUIRE(p == modulus(minus_x) * -1);
    const auto inverse_of_p = inverse(p);
    REQUIRE(inverse_of_p.has_value() == inverse(x, z).has_value());
    if (inverse_of_p.has_value())
        REQUIRE(to_integer((*inverse_of_p * p).value()) == modulo(Integer(1), m));
    const auto check = [&](const auto &mod) {
        REQUIRE(to_integer(addmod(x, y, mod)) == modulo(a + b, m));
        REQUIRE(to_integer(submod(x, y, mod)) == modulo(a - b, m));
        REQUIRE(to_integer(sqrmod(x, mod)) == modulo(a * a, m));
        REQUIRE(to_integer(mulmod(minus_x, y, mod)) == modulo(Integer(0) - a * b, m));
        REQUIRE(to_integer(addmod(minus_x, 7, mod)) == modulo(Integer(7) - a, m));
        REQUIRE(to_integer(muladdmod(x, y, 9u, mod)) == modulo(a * b + 9, m));
        REQUIRE(to_integer(mulsubmod(x, y, x, mod)) == modulo(a * b - a, m));
        REQUIRE(to_integer(muladdmod(x, y, minus_x, 3, mod)) == modulo(a * b - a * 3, m));
        REQUIRE(to_integer(mulsubmod(x, y, x, x, mod)) == modulo(a * b - a * a, m));
        REQUIRE(to_integer(pow(minus_x, 65537u, mod)) ==
                modulo(Integer(0) - power(a, Integer(65537), m), m));
    };
    check(z);
    check(modulus);
    REQUIRE(to_integer(minus_x % modulus) == modulo(Integer(0) - a, m));
}

template <int N>
void check_powers(const Integer &a, const Integer &b, const Integer &m) {
    const auto x = from_integer<BigInt<N>>(a), y = from_integer<BigInt<N>>(b),
               z = from_integer<BigInt<N>>(m);
    Integer e = b; // short enough for a test
    mpz_fdiv_r_2exp(e.raw(), e.raw(), 200);
    const auto exponent = from_integer<BigInt<N>>(e);
    const Modulus<N> modulus(z);
    const Integer raised = power(a, e, m);
    REQUIRE(to_integer(pow(x, exponent, z)) == raised);
    REQUIRE(to_integer(pow(x, exponent, modulus)) == raised);
    REQUIRE(to_integer(pow(modulus(x), exponent).value()) == raised);
    Integer product = a * b;
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(mulmod(x, y, z)) == product);
    REQUIRE(to_integer(mulmod(x, y, modulus)) == product);
    REQUIRE(to_integer((modulus(x) * modulus(y)).value()) == product);
    mpz_mul(product.raw(), a.raw(), a.raw());
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(sqrmod(x, z)) == product);
    product = a + b;
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(addmod(x, y, z)) == product);
    product = a - b;
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(submod(x, y, z)) == product);
    mpz_mod(product.raw(), a.raw(), m.raw());
    REQUIRE(to_integer(x % modulus) == product);
    // Of signed and built-in operands.
    const warpint::SignedBigInt<N + 1> below_zero = -warpint::SignedBigInt<N + 1>(x);
    product = (Integer(0) - a) * b;
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(mulmod(below_zero, y, z)) == product);
    REQUIRE(to_integer(mulmod(below_zero, y, warpint::SignedBigInt<N + 1>(z))) == product);
    product = a * 5 + 7;
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(addmod(mulmod(x, 5u, z), 7, z)) == product);
    product = Integer(0) - a - 7;
    mpz_mod(product.raw(), product.raw(), m.raw());
    REQUIRE(to_integer(submod(-7, x, z)) == product);
    product = (Integer(0) - a) * 2;
    mpz_fdiv_r_ui(product.raw(), product.raw(), 1000003);
    REQUIRE(to_integer(mulmod(below_zero, 2, 1000003u)) == product);
    // Modulo 2^N, also of what is negative in a signed number.
    Integer low;
    mpz_setbit(low.raw(), static_cast<mp_bitcnt_t>(N));
    const Integer wrapped = power(a, e, low);
    REQUIRE(to_integer(pow(x, exponent)) == wrapped);
    const warpint::SignedBigInt<N> opposite(-x);
    const bool odd = mpz_odd_p(e.raw()) != 0;
    REQUIRE(to_integer(BigInt<N>(pow(opposite, exponent))) ==
            (odd && wrapped.sign() != 0 ? low - wrapped : wrapped));
}

template <int N>
void check_primes(const Integer &a, Integer m) {
    mpz_fdiv_r_2exp(m.raw(), m.raw(), std::min(N - 1, 300));
    Integer prime;
    mpz_nextprime(prime.raw(), m.raw());
    const auto p = from_integer<BigInt<N>>(prime);
    REQUIRE(to_integer(next_prime(from_integer<BigInt<N>>(m))) == prime);
    REQUIRE(is_probable_prime(p, 2));
    REQUIRE(is_probable_prime(from_integer<BigInt<N>>(m)) ==
            (mpz_probab_prime_p(m.raw(), 20) != 0));
    const auto check_root = [&](const Integer &x, const auto &root) {
        REQUIRE(root.has_value() == (prime == Integer(2) || mpz_jacobi(x.raw(), prime.raw()) >= 0));
        if (root.has_value()) {
            Integer square = to_integer(*root) * to_integer(*root) - x;
            REQUIRE(mpz_divisible_p(square.raw(), prime.raw()) != 0);
        }
    };
    check_root(a, sqrt_mod(from_integer<BigInt<N>>(a), p));
    using Signed = warpint::SignedBigInt<N + 1>;
    check_root(Integer(0) - a, sqrt_mod(from_integer<Signed>(Integer(0) - a), p));
    check_root(Integer(5), sqrt_mod(5u, p));
    REQUIRE_THROWS_AS(static_cast<void>(sqrt_mod(p, BigInt<N>(0))), std::domain_error);
    // The same numbers as those of the bound's own width, from as much of the generator.
    warpint::Philox one(7), other(7);
    const auto drawn = random_below(p, one);
    if constexpr (N > 512) {
        REQUIRE(drawn == random_below(BigInt<512>(p), other));
        REQUIRE(one == other);
        if (static_cast<bool>(drawn))
            REQUIRE(std::hash<BigInt<N>>{}(drawn) != std::hash<BigInt<N>>{}(drawn << 32));
    }
    REQUIRE(drawn < p);
}

template <int N>
void check_width(int count) {
    Numbers numbers(N);
    for (int i = 0; i < count; ++i) {
        const Integer m = numbers.next();
        const Integer a = numbers.beside(m);
        INFO("bits " << N << ", number " << i);
        check_divisors<N>(a, m);
        check_arithmetic<N>(a, m);
        if (m.sign() != 0) {
            check_powers<N>(a, numbers.next(), m);
            check_residues<N>(a, numbers.next(), m);
            check_forms<N>(a, m);
        }
        if constexpr (N > 96) {
            if (i % 8 == 0)
                check_primes<N>(a, m);
        }
    }
}

TEST_CASE("numbers of unequal lengths") {
    check_width<96>(600);
    check_width<1025>(600); // an odd number of limbs
    check_width<4096>(300);
}

template <int N, int M>
void check_products(int count) {
    Numbers a(N), b(M);
    for (int i = 0; i < count; ++i) {
        Integer x = a.next(), y = b.next();
        if (i % 8 == 1) // one of full length, beside a short one
            mpz_setbit(x.raw(), N - 1);
        if (i % 8 == 2)
            mpz_setbit(y.raw(), M - 1);
        INFO("bits " << N << ", " << M << ", number " << i);
        const auto product = warpint::number::product_by_length(from_integer<BigInt<N>>(x),
                                                                from_integer<BigInt<M>>(y));
        REQUIRE(to_integer(product) == x * y);
    }
}

TEST_CASE("products by length") {
    check_products<513, 513>(1000); // an odd number of limbs
    check_products<545, 1088>(1000);
    check_products<8192, 544>(1000);
    check_products<4096, 4100>(1000);
    check_products<8192, 16384>(200); // by Karatsuba's method
}

TEST_CASE("batches of numbers of unequal lengths") {
    constexpr int bits = 1024;
    using Number = BigInt<bits>;
    constexpr std::size_t count = 70;
    Numbers numbers(bits);
    std::vector<Integer> a(count), b(count), m(count);
    warpint::host_vector<Number> x(count), y(count), z(count);
    for (std::size_t i = 0; i < count; ++i) {
        m[i] = i < 40 ? Integer(1000003 + 2 * static_cast<int>(i)) : numbers.next();
        if (m[i].sign() == 0)
            m[i] = Integer(1);
        a[i] = numbers.beside(m[i]);
        b[i] = i < 32 ? Integer(static_cast<int>(i)) : numbers.next();
        mpz_fdiv_r_2exp(b[i].raw(), b[i].raw(), 100);
        x[i] = from_integer<Number>(a[i]);
        y[i] = from_integer<Number>(b[i]);
        z[i] = from_integer<Number>(m[i]);
    }
    const warpint::host_vector<Number> powers = pow(x, y, z);
    const warpint::host_vector<Number> short_powers = pow(x, y, Number(1000003));
    const warpint::host_vector<Number> products = x * y % z;
    const warpint::host_vector<Number> divisors = gcd(x, z);
    for (std::size_t i = 0; i < count; ++i) {
        INFO("element " << i);
        CHECK(to_integer(Number(powers[i])) == power(a[i], b[i], m[i]));
        CHECK(to_integer(Number(short_powers[i])) == power(a[i], b[i], Integer(1000003)));
        Integer r = a[i] * b[i];
        mpz_mod(r.raw(), r.raw(), m[i].raw());
        CHECK(to_integer(Number(products[i])) == r);
        mpz_gcd(r.raw(), a[i].raw(), m[i].raw());
        CHECK(to_integer(Number(divisors[i])) == r);
    }
}

// Neighbours of powers of two, where a number is just short or just not, in types whose limbs end
// there.
template <class A, class B>
void check_divisions_next_to_short() {
    std::vector<Integer> values;
    for (const int k :
         {1, 63, 64, 127, 128, 191, 192, 223, 224, 225, 240, 250, 254, 255, 256, 257, 287, 288}) {
        for (const int more : {-1, 0, 1}) {
            values.push_back(test::power_of_two(k) + Integer(more));
            values.push_back(-values.back());
        }
    }
    for (const Integer &first : values) {
        for (const Integer &second : values) {
            const Integer x = test::stored<A>(first);
            const Integer y = test::stored<B>(second);
            if (y == 0)
                continue;
            const A a = from_integer<A>(x);
            const B b = from_integer<B>(y);
            INFO(A::bits << ' ' << A::is_signed << ' ' << B::bits << ' ' << B::is_signed << ": "
                         << x << " / " << y);
            const auto both = divmod(a, b);
            using Q = std::remove_cvref_t<decltype(both.quotient)>;
            CHECK(to_integer(both.quotient) ==
                  test::stored<Q>(B::is_signed ? x / y : test::divide_floor(x, y)));
            CHECK(to_integer(both.remainder) == (B::is_signed ? x % y : test::modulo(x, y)));
            CHECK(to_integer(a / b) == test::stored<Q>(x / y));
            CHECK(to_integer(a % b) == (B::is_signed ? x % y : test::modulo(x, y)));
        }
    }
}

TEST_CASE("divisions of numbers that are just short, or just not") {
    check_divisions_next_to_short<BigInt<1024>, BigInt<257>>();
    check_divisions_next_to_short<BigInt<1024>, BigInt<288>>();
    check_divisions_next_to_short<BigInt<1025>, warpint::SignedBigInt<257>>();
    check_divisions_next_to_short<BigInt<1024>, warpint::SignedBigInt<1024>>();
    check_divisions_next_to_short<warpint::SignedBigInt<1024>, warpint::SignedBigInt<1024>>();
    check_divisions_next_to_short<warpint::SignedBigInt<1056>, BigInt<300>>();
    check_divisions_next_to_short<BigInt<300>, BigInt<2048>>();
    // By built-in integers.
    const auto lowest = -(warpint::SignedBigInt<1024>(1) << 255);
    CHECK(lowest / -1 == warpint::SignedBigInt<1024>(1) << 255);
    CHECK(divmod(lowest, -1).quotient == warpint::SignedBigInt<1024>(1) << 255);
    CHECK(BigInt<1024>(5) / -3 == ~BigInt<1024>(0));
    CHECK(divmod(BigInt<1024>(5), -3).quotient == ~BigInt<1024>(0));
}

// The shortest time of several calls.
template <class Function>
double seconds(const Function &function) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int i = 0; i < 7; ++i) {
        const auto start = Clock::now();
        function();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

TEST_CASE("the time of short numbers in wide types is that of their length") {
    using Number = BigInt<4096>;
    const Number full = Number(0) - 159u;
    const Number other = full / 3u | 1u;
    const Number little = 1000003;
    unsigned kept = 0;
    const auto keep = [&kept](const Number &x) { kept ^= x.limbs[0]; };
    warpint::Philox generator(7);
    const Number drawn = random_bits<4096>(generator) | 1u; // its quotients are short
    const Number exponent = other >> 3900;
    CHECK(8 * seconds([&] { keep(pow(other, exponent, little)); }) <
          seconds([&] { keep(pow(other, exponent, full)); }));
    CHECK(3 * seconds([&] { keep(gcd(other, little)); }) <
          seconds([&] { keep(gcd(other, drawn)); }));
    CHECK(3 * seconds([&] { keep(inverse(other, little).value_or(full)); }) <
          seconds([&] { keep(inverse(other, drawn).value_or(full)); }));
    CHECK(8 * seconds([&] { keep(sqrt_mod(other, little).value_or(full)); }) <
          seconds([&] { keep(pow(other, exponent, full)); }));
    CHECK(3 * seconds([&] { kept += static_cast<unsigned>(jacobi(other, little)); }) <
          seconds([&] { kept += static_cast<unsigned>(jacobi(other, drawn)); }));
    CHECK(4 * seconds([&] { keep(pow(little, 50u)); }) < seconds([&] { keep(pow(other, 50u)); }));
    const warpint::SignedBigInt<4096> below_zero = -3;
    CHECK(4 * seconds([&] { keep(Number(pow(below_zero, 501))); }) <
          seconds([&] { keep(pow(other, 501u)); }));
    const Number mersenne = (Number(1) << 127) - 1u;
    CHECK(8 * seconds([&] { kept += is_probable_prime(mersenne) ? 1 : 0; }) <
          seconds([&] { keep(pow(other, exponent, full)); }));
    const Modulus<4096> by_full(full), by_little(little);
    CHECK(8 * seconds([&] { keep(Modulus<4096>(little).value()); }) <
          seconds([&] { keep(Modulus<4096>(full).value()); }));
    // Where a remainder is short, at the start or after some quotients, the problem is.
    using Long = BigInt<16384>;
    const Long longer = random_bits<16384>(generator) | 1u;
    const Long divisor = random_bits<16384>(generator);
    const Long below = longer - 1u;
    const auto keep_long = [&kept](const Long &x) { kept ^= x.limbs[0]; };
    const auto full_gcd = seconds([&] { keep_long(gcd(longer, divisor)); });
    CHECK(8 * seconds([&] { keep_long(gcd(longer, below)); }) < full_gcd);
    CHECK(8 * seconds([&] { keep_long(gcd(longer / 5u, longer / 7u)); }) < full_gcd);
    CHECK(8 * seconds([&] { keep_long(inverse(below, longer).value_or(longer)); }) <
          seconds([&] { keep_long(inverse(divisor, longer).value_or(longer)); }));
    CHECK(8 * seconds([&] { kept += static_cast<unsigned>(jacobi(below, longer)); }) <
          seconds([&] { kept += static_cast<unsigned>(jacobi(divisor, longer)); }));
    // No product of full length: those are of several times more limbs. (Without optimisation,
    // copies of the wide numbers take longer than products.)
#ifdef __OPTIMIZE__
    const auto multiply = [&](const auto &m) {
        return seconds([&] { keep((m(other) * m(drawn)).value()); });
    };
    CHECK(4 * multiply(by_little) < multiply(by_full));
    CHECK(6 * seconds([&] { keep(mul_overflow(little, little).value); }) <
          seconds([&] { keep(mul_overflow(other, full).value); }));
    CHECK(4 * seconds([&] { keep(Number(mul_overflow(below_zero, below_zero).value)); }) <
          seconds([&] { keep(mul_overflow(other, full).value); }));
    CHECK(4 * seconds([&] { keep(mul_high(little, full)); }) <
          seconds([&] { keep(mul_high(other, full)); }));
    using Wide = BigInt<32768>;
    const Wide wide = (Wide(0) - 159u) / 3u | 1u;
    const Wide narrow = 1000003;
    const auto wide_product = seconds([&] { kept ^= (wide * wide).limbs[1000]; });
    CHECK(seconds([&] { kept ^= lcm(wide, narrow).limbs[0]; }) < wide_product);
    const auto product = seconds([&] { keep(mul_overflow(other, full).value); });
    const auto convert = [&] {
        double x = 1e30;
        for (int i = 0; i < 100; ++i) {
            keep(Number(x));
            x += kept; // not known before
        }
    };
    CHECK(seconds(convert) < 8 * product);
    CHECK(6 * seconds([&] { kept += static_cast<unsigned>(static_cast<double>(little)); }) <
          product);
    CHECK(6 * seconds([&] { keep(mulmod(little, little, by_little)); }) <
          seconds([&] { keep(mulmod(other, drawn, by_full)); }));
    CHECK(4 * seconds([&] { keep(Number(divmod(below_zero, below_zero).quotient)); }) < product);
    CHECK(6 * seconds([&] { kept += static_cast<unsigned>(popcount(full)); }) < product);
    CHECK(20 * seconds([&] { kept += static_cast<unsigned>(bit_width(full)); }) < product);
    CHECK(seconds([&] { kept ^= gcd_ext(wide, narrow).gcd.limbs[0]; }) < wide_product);
    CHECK(3 * seconds([&] { kept ^= lcm(longer, below).limbs[0]; }) < full_gcd);
    CHECK(5 * seconds([&] { kept ^= gcd_ext(longer, below).gcd.limbs[0]; }) < full_gcd);
#endif
    [[maybe_unused]] const volatile unsigned sink = kept;
}

} // namespace
