// SPDX-License-Identifier: Apache-2.0
// Primality: the single tests against their definitions, and everything against GMP at all widths;
// pseudoprimes of every kind, found by their definitions. (All short numbers:
// prime_exhaustive_test.cpp.)

#include "prime_sieve.h"
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number/theory/next_prime.h>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace {

namespace theory = warpint::theory;
using test::all_ones;
using test::check_property;
using test::from_integer;
using test::Integer;
using test::Operands;
using test::OperandSource;
using test::power_of_two;
using test::sieve_of_eratosthenes;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;

bool gmp_is_prime(const Integer &n) {
    return n.sign() > 0 && mpz_probab_prime_p(n.raw(), 30) != 0;
}
Integer gmp_next_prime(const Integer &n) {
    Integer result;
    mpz_nextprime(result.raw(), n.raw());
    return result;
}
bool gmp_is_safe_prime(const Integer &p) {
    return gmp_is_prime(p) && gmp_is_prime((p - 1) / 2);
}

// ---- the tests by their definitions, for n < 2^32

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t e, std::uint64_t n) {
    std::uint64_t result = 1 % n;
    for (base %= n; e != 0; e >>= 1) {
        if ((e & 1) != 0) {
            result = result * base % n;
        }
        base = base * base % n;
    }
    return result;
}

bool is_strong_probable_prime(std::uint64_t n, std::uint64_t base) {
    std::uint64_t d = n - 1;
    int s = 0;
    for (; d % 2 == 0; d /= 2) {
        ++s;
    }
    std::uint64_t y = power_modulo(base, d, n);
    bool passes = y == 1;
    for (int r = 0; r < s; ++r) {
        passes = passes || y == n - 1;
        y = y * y % n;
    }
    return passes;
}

/// The strong Lucas test with Selfridge's parameters, U, V and Q^k computed by doubling.
bool is_strong_lucas_probable_prime(std::uint64_t n) {
    const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
    if (root * root == n) {
        return false;
    }
    std::int64_t discriminant = 5;
    while (true) {
        const int symbol = mpz_jacobi(Integer(discriminant).raw(), Integer(n).raw());
        if (symbol < 0) {
            break;
        }
        if (symbol == 0 && discriminant % static_cast<std::int64_t>(n) != 0) {
            return false;
        }
        discriminant = discriminant > 0 ? -discriminant - 2 : -discriminant + 2;
    }
    const auto residue = [n](std::int64_t x) {
        const auto m = static_cast<std::int64_t>(n);
        return static_cast<std::uint64_t>((x % m + m) % m);
    };
    const std::uint64_t d = residue(discriminant), q = residue((1 - discriminant) / 4);
    const std::uint64_t half = (n + 1) / 2;
    std::uint64_t k = n + 1;
    int s = 0;
    for (; k % 2 == 0; k /= 2) {
        ++s;
    }
    int bit = 63;
    while ((k >> bit) == 0) {
        --bit;
    }
    std::uint64_t u = 1, v = 1, power = q; // U_1, V_1, Q^1
    while (bit-- > 0) {
        u = u * v % n;
        v = (v * v + 2 * (n - power)) % n;
        power = power * power % n;
        if ((k >> bit & 1) != 0) {
            const std::uint64_t next = (u + v) % n * half % n;
            v = (d * u % n + v) % n * half % n;
            u = next;
            power = power * q % n;
        }
    }
    bool passes = u == 0;
    for (int r = 0; r < s; ++r) {
        passes = passes || v == 0;
        v = (v * v + 2 * (n - power)) % n;
        power = power * power % n;
    }
    return passes;
}

/// What the algorithms say of n with N limbs of type Limb.
template <int N, typename Limb>
struct Verdicts {
    bool base_2, base_3, lucas;

    explicit Verdicts(std::uint64_t n) {
        Limb modulus[N]{};
        for (int i = 0; i < N; ++i) {
            modulus[i] = static_cast<Limb>(n >> (int(sizeof(Limb)) * 8 * i));
        }
        const theory::MontgomeryRing<N, 3, Limb> ring(modulus);
        auto three = ring.small(3);
        base_2 = theory::is_strong_probable_prime_base_2(ring);
        lucas = theory::is_strong_lucas_probable_prime(ring);
        base_3 = theory::is_strong_probable_prime(ring, three);
    }
    bool operator==(const Verdicts &) const = default;
};

/// Counts the numbers among those given of which the algorithms say something wrong.
template <int N, typename Limb>
long wrong_verdicts(const std::vector<std::uint64_t> &numbers) {
    long wrong = 0;
    for (std::uint64_t n : numbers) {
        const Verdicts<N, Limb> got(n);
        wrong += got.base_2 != is_strong_probable_prime(n, 2);
        wrong += got.lucas != is_strong_lucas_probable_prime(n);
        wrong += n % 3 != 0 && got.base_3 != is_strong_probable_prime(n, 3);
    }
    return wrong;
}

// ---- against GMP

template <int N>
void check_width(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        switch (source.below(6)) {
        case 0:
            return {source.number(N)};
        case 1:
            return {source.modulus(N)};
        case 2: { // a prime
            const Integer p = gmp_next_prime(source.number(N));
            return {test::fits_unsigned(p, N) ? p : Integer(1)};
        }
        case 3: { // a product of two close primes, or a square
            const Integer p = gmp_next_prime(source.number((N + 1) / 2));
            return {p * (source.one_in(2) ? p : gmp_next_prime(p))};
        }
        case 4: { // a product of any two
            const int bits = 1 + source.below(N);
            return {gmp_next_prime(source.number(bits)) *
                    gmp_next_prime(source.number(N - bits + 1))};
        }
        default:
            return {source.uniform_bits(N) | 1};
        }
    };
    check_property("is_probable_prime", N, count, draw, [](Verdict &verdict, const Operands &v) {
        if (!test::fits_unsigned(v[0], N)) {
            return;
        }
        const auto n = from_integer<BigInt<N>>(v[0]);
        const Integer expected(gmp_is_prime(v[0]));
        verdict.equal("is_probable_prime", Integer(is_probable_prime(n)), expected);
        if (N <= 512) {
            verdict.equal("is_probable_prime, signed",
                          Integer(is_probable_prime(from_integer<SignedBigInt<N + 1>>(v[0]))),
                          expected);
            verdict.is_true("negative",
                            !is_probable_prime(from_integer<SignedBigInt<N + 1>>(-v[0])));
            verdict.equal("with rounds", Integer(is_probable_prime(n, 2)), expected);
        }
    });
}

template <int N>
void check_next(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        return {source.one_in(8) ? all_ones(N) - Integer(source.below(300)) : source.number(N)};
    };
    check_property("next_prime", N, count, draw, [](Verdict &verdict, const Operands &v) {
        if (!test::fits_unsigned(v[0], N)) {
            return;
        }
        const auto n = from_integer<BigInt<N>>(v[0]);
        const Integer expected = gmp_next_prime(v[0]);
        bool thrown = false;
        try {
            verdict.equal("next_prime", to_integer(next_prime(n)), expected);
        } catch (const std::range_error &) {
            thrown = true;
        }
        verdict.equal("range error", Integer(thrown), Integer(!test::fits_unsigned(expected, N)));
    });
}

} // namespace

TEST_CASE("single tests by definition, limbs of every size") {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t n = 3; n < 30000u; n += 2) {
        numbers.push_back(n);
    }
    std::mt19937_64 engine(test::property_seed("single tests", 24));
    for (long i = 0; i < test::scaled(5000); ++i) {
        numbers.push_back((engine() >> 40 | 1) + 2);
    }
    for (std::uint64_t p : {1093u, 3511u}) { // the Wieferich primes: p^2 passes base 2
        for (std::uint64_t n = p; n < (std::uint64_t(1) << 24); n += 2 * p) {
            numbers.push_back(n);
        }
    }
    for (int bit = 2; bit < 24; ++bit) {
        numbers.push_back((std::uint64_t(1) << bit) - 1);
        numbers.push_back((std::uint64_t(1) << bit) + 1);
    }
    numbers.push_back(0xffffff);
    CHECK(wrong_verdicts<4, std::uint8_t>(numbers) == 0);
    CHECK(wrong_verdicts<2, std::uint16_t>(numbers) == 0);
    CHECK(wrong_verdicts<2, std::uint32_t>(numbers) == 0);
    for (long i = 0; i < test::scaled(3000); ++i) {
        numbers.push_back(engine() >> 32 | 3);
    }
    CHECK(wrong_verdicts<2, std::uint32_t>(numbers) == 0);
#if WARPINT_HAS_INT128
    CHECK(wrong_verdicts<1, std::uint64_t>(numbers) == 0);
#endif
}

TEST_CASE("every pseudoprime below 10^6") {
    const std::uint32_t bound = 1000000;
    const auto prime = sieve_of_eratosthenes(bound);
    long carmichael = 0, strong = 0, lucas = 0, taken_for_primes = 0, lost = 0;
    for (std::uint32_t n = 9; n < bound; n += 2) {
        if (prime[n]) {
            continue;
        }
        // Korselt: square-free, and p - 1 divides n - 1 for every prime p that divides n.
        std::uint32_t rest = n;
        bool korselt = true;
        for (std::uint32_t p = 3; p * p <= rest && korselt; p += 2) {
            if (rest % p == 0) {
                rest /= p;
                korselt = rest % p != 0 && (n - 1) % (p - 1) == 0;
            }
        }
        const bool is_carmichael = korselt && (n - 1) % (rest - 1) == 0;
        const bool is_strong = is_strong_probable_prime(n, 2);
        const bool is_lucas = n % 8 == 1 || n < 200000 ? is_strong_lucas_probable_prime(n) : false;
        carmichael += is_carmichael;
        strong += is_strong;
        lucas += is_lucas;
        if (is_carmichael || is_strong || is_lucas) {
            taken_for_primes += warpint::is_probable_prime(n);
            taken_for_primes += is_probable_prime(BigInt<521>(n));
            const Verdicts<4, std::uint8_t> verdicts(n);
            lost += (is_strong && !verdicts.base_2) || (is_lucas && !verdicts.lucas);
        }
    }
    CHECK(carmichael > 40);
    CHECK(strong > 40);
    CHECK(lucas > 20);
    CHECK(taken_for_primes == 0);
    CHECK(lost == 0); // each passes the test that it is a pseudoprime of
}

TEST_CASE("composite numbers made to pass tests to single bases") {
    // (12 m + 1)(24 m + 1) and (m + 1)(2 m + 1) with prime factors: strong pseudoprimes to many
    // bases.
    long made = 0, taken_for_primes = 0;
    OperandSource source(test::property_seed("two primes", 256));
    while (made < test::scaled(40)) {
        const Integer p = gmp_next_prime(source.uniform_bits(90) | power_of_two(89));
        for (const Integer &q : {2 * p - 1, 3 * p - 2, 4 * p - 3}) {
            if (gmp_is_prime(q)) {
                ++made;
                taken_for_primes += is_probable_prime(from_integer<BigInt<192>>(p * q));
                taken_for_primes += is_probable_prime(from_integer<BigInt<192>>(p * q), 3);
            }
        }
    }
    CHECK(taken_for_primes == 0);
}

TEST_CASE("primality, up to 64 bits") {
    check_width<1>(50);
    check_width<2>(100);
    check_width<7>(1000);
    check_width<31>(3000);
    check_width<32>(3000);
    check_width<33>(3000);
    check_width<63>(3000);
    check_width<64>(3000);
}
TEST_CASE("primality, 65 to 256 bits") {
    check_width<65>(2000);
    check_width<109>(1500);
    check_width<128>(1500);
    check_width<131>(1000);
    check_width<256>(600);
}
TEST_CASE("primality, 521 to 2048 bits") {
    check_width<521>(120);
    check_width<1024>(25);
    check_width<2048>(4);
}

TEST_CASE("Mersenne numbers and their neighbours") {
    for (int exponent : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 61, 67, 89, 107, 127, 257, 521}) {
        for (int offset : {-2, 0, 2}) {
            const Integer n = all_ones(exponent) + offset;
            INFO("2^", exponent, " - 1 + ", offset);
            CHECK(is_probable_prime(from_integer<BigInt<522>>(n)) == gmp_is_prime(n));
        }
    }
    CHECK(is_probable_prime(from_integer<BigInt<521>>(all_ones(521))));
    CHECK(is_probable_prime(from_integer<BigInt<1279>>(all_ones(1279)), 1));
}

TEST_CASE("random bases") {
    std::mt19937_64 generator(test::run_seed());
    const auto prime = from_integer<BigInt<127>>(all_ones(127));
    CHECK(is_probable_prime(prime, 5, generator));
    CHECK(is_probable_prime(prime, 5));
    CHECK(is_probable_prime(prime, 0, generator));
    CHECK_FALSE(is_probable_prime(BigInt<127>(prime - 2), 5, generator));
    // The extra rounds alone: three in four bases find a composite number out.
    long passed = 0;
    const auto composite = from_integer<BigInt<128>>(gmp_next_prime(power_of_two(60)) *
                                                     gmp_next_prime(power_of_two(61)));
    warpint::number::RandomLimbs source(generator);
    for (int i = 0; i < 200; ++i) {
        passed += warpint::number::passes_miller_rabin(composite, 1, source);
    }
    CHECK(passed <= 100);
    CHECK(warpint::number::passes_miller_rabin(prime, 20, source));
    // Bases that are multiples of a prime much shorter than its type are 0, and tell nothing.
    struct Multiples {
        using result_type = std::uint32_t;
        BigInt<512> multiple;
        int drawn = 0;
        static constexpr result_type min() { return 0; }
        static constexpr result_type max() { return ~result_type{0}; }
        result_type operator()() { return multiple.limbs[drawn++ % BigInt<512>::limb_count]; }
    };
    const auto short_prime = from_integer<BigInt<512>>(all_ones(127));
    CHECK(is_probable_prime(short_prime, 2, Multiples{short_prime << (512 - 127)}));
}

TEST_CASE("the next prime") {
    check_next<7>(1000);
    check_next<14>(1000);
    check_next<15>(1000);
    check_next<32>(2000);
    check_next<64>(1000);
    check_next<131>(200);
    check_next<256>(60);
    check_next<521>(8);
    Integer p = 2;
    for (Integer n = 0; n < 20000; n = n + 1) { // every small one
        if (n >= p) {
            p = gmp_next_prime(n);
        }
        CHECK(to_integer(next_prime(from_integer<BigInt<40>>(n))) == p);
    }
    CHECK(warpint::next_prime(-5) == 2);
    CHECK(warpint::next_prime(13u) == 17);
    CHECK(next_prime(from_integer<BigInt<64>>(all_ones(64) - 59)) == ~std::uint64_t(0) - 58);
    CHECK_THROWS_AS(static_cast<void>(next_prime(BigInt<1>(0))), std::range_error);
    CHECK_THROWS_AS(static_cast<void>(next_prime(BigInt<8>(251))), std::range_error);
    CHECK_THROWS_AS(static_cast<void>(next_prime(~BigInt<256>{})), std::range_error);
}

TEST_CASE("safe primes") {
    long wrong = 0;
    std::uint32_t next = 0; // the next one above n
    for (std::uint32_t n = 40000; n-- > 0;) {
        wrong += warpint::is_safe_prime(n) != gmp_is_safe_prime(n);
        if (n < 39000) {
            wrong += next_safe_prime(BigInt<20>(n)) != next;
        }
        if (gmp_is_safe_prime(n)) {
            next = n;
        }
    }
    CHECK(wrong == 0);
    CHECK_FALSE(warpint::is_safe_prime(-7));
    OperandSource source(test::property_seed("safe primes", 96));
    for (long i = 0; i < test::scaled(8); ++i) {
        const Integer n = source.uniform_bits(96);
        Integer expected = n + 1;
        while (!gmp_is_safe_prime(expected)) {
            expected = gmp_next_prime(expected);
        }
        CHECK(to_integer(next_safe_prime(from_integer<BigInt<97>>(n))) == expected);
    }
    CHECK_THROWS_AS(static_cast<void>(next_safe_prime(BigInt<5>(23))), std::range_error);
    // Small values in a wide type, below what the sieve takes, and an answer 4097 away, beyond a
    // block of the sieve.
    CHECK(next_safe_prime(BigInt<1024>(4100)) == 4127);
    CHECK(next_prime(BigInt<1024>(4100)) == 4111);
    constexpr BigInt<96> answer = 0x4000000000003727u;
    CHECK(next_safe_prime(answer - 4097) == answer);
}

template <int N>
static void check_random(long count) {
    std::mt19937_64 generator(test::property_seed("random primes", N));
    for (long i = 0; i < count; ++i) {
        const Integer p = to_integer(warpint::random_prime<N>(generator));
        CHECK(p.bit_width() == N);
        CHECK(gmp_is_prime(p));
        if constexpr (N >= 3) {
            const Integer safe = to_integer(warpint::random_safe_prime<N>(generator));
            CHECK(safe.bit_width() == N);
            CHECK(gmp_is_safe_prime(safe));
        }
    }
}

TEST_CASE("random primes") {
    check_random<2>(20);
    check_random<3>(20);
    check_random<4>(20);
    check_random<7>(20);
    check_random<64>(10);
    check_random<130>(3);
    bool seen[32]{}; // all primes of five bits, and both of two
    std::mt19937_64 generator(test::run_seed());
    for (int i = 0; i < 500; ++i) {
        seen[static_cast<unsigned>(warpint::random_prime<5>(generator))] = true;
        seen[static_cast<unsigned>(warpint::random_prime<2>(generator))] = true;
    }
    for (unsigned n = 0; n < 32; ++n) {
        CHECK(seen[n] == ((n >= 16 || n < 4) && gmp_is_prime(n)));
    }
    warpint::Philox philox(1);
    CHECK(gmp_is_prime(to_integer(warpint::random_prime<256>(philox))));
}

TEST_CASE("primes in constant expressions") {
    static_assert(warpint::is_probable_prime(65537));
    static_assert(!warpint::is_probable_prime(2047u * 3277u));
    static_assert(is_probable_prime((BigInt<61>(1) << 61) - 1));
    static_assert(warpint::next_prime(113) == 127);
    CHECK(warpint::is_probable_prime(65537));
}
