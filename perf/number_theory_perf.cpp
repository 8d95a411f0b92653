// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic and number theory on the host beside GMP: one thread, the same operands, each
// ratio from one run in which the two take turns. Results are compared.

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/random.h>

#if defined(WARPINT_PERF_HAS_GMP)

#include <gmp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using namespace warpint;

struct Mpz {
    mpz_t value;
    Mpz() { mpz_init(value); }
    Mpz(const Mpz &other) { mpz_init_set(value, other.value); }
    Mpz &operator=(const Mpz &) = delete;
    ~Mpz() { mpz_clear(value); }
};

template <int Bits>
struct Operand {
    BigInt<Bits> ours;
    Mpz theirs;
    explicit Operand(const BigInt<Bits> &x) : ours(x) {
        mpz_import(theirs.value, BigInt<Bits>::limb_count, -1, 4, 0, 0, x.limbs);
    }
};

template <int Bits>
bool same(const BigInt<Bits> &x, const Mpz &y) {
    return mpz_cmp(Operand<Bits>(x).theirs.value, y.value) == 0;
}

// The fastest of several turns, in seconds; the two alternate.
template <class Ours, class Theirs>
void line(int bits, const char *what, std::size_t count, double goal, const Ours &ours,
          const Theirs &theirs) {
    double best[2] = {1e9, 1e9};
    for (int turn = 0; turn < 15; ++turn) {
        for (int who = 0; who < 2; ++who) {
            const auto start = std::chrono::steady_clock::now();
            for (std::size_t i = 0; i < count; ++i) {
                if (who == 0) {
                    ours(i);
                } else {
                    theirs(i);
                }
            }
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            best[who] = std::min(best[who], time.count() / static_cast<double>(count));
        }
    }
    const double ratio = best[1] / best[0];
    std::printf("%5d  %-28s %12.1f %12.1f %8.2f (goal %.1f)%s\n", bits, what, best[0] * 1e9,
                best[1] * 1e9, ratio, goal, ratio < goal ? "  BELOW" : "");
    std::fflush(stdout);
}

void require(bool condition, const char *what) {
    if (!condition) {
        std::printf("WRONG RESULT: %s\n", what);
        std::exit(1);
    }
}

template <int Bits>
void measure() {
    constexpr std::size_t count = Bits <= 512 ? 512 : 64;
    constexpr std::size_t few = Bits <= 512 ? 64 : 4;
    std::mt19937_64 engine(Bits);
    std::vector<Operand<Bits>> a, b, m;
    for (std::size_t i = 0; i < count; ++i) {
        a.emplace_back(random_bits<Bits>(engine));
        b.emplace_back(random_bits<Bits>(engine));
        m.emplace_back(set_bit(set_bit(random_bits<Bits>(engine), Bits - 1), 0));
    }
    std::vector<BigInt<Bits>> r(count);
    std::vector<Mpz> s(count);
    const auto check = [&](std::size_t n, const char *what) {
        for (std::size_t i = 0; i < n; ++i)
            require(same(r[i], s[i]), what);
    };

    // A chain of residues modulo one number beside products and remainders of GMP.
    const Modulus<Bits> modulus(m[0].ours);
    auto x = modulus(a[0].ours);
    const auto y = modulus(b[0].ours);
    line(
        Bits, "x * y of residues, chained", count, 1.0, [&](std::size_t) { x = x * y; },
        [&](std::size_t i) {
            mpz_mul(s[i].value, a[i].theirs.value, b[i].theirs.value);
            mpz_mod(s[i].value, s[i].value, m[0].theirs.value);
        });
    for (std::size_t i = 0; i < count; ++i) {
        r[i] = (modulus(a[i].ours) * modulus(b[i].ours)).value();
    }
    check(count, "residues");
    line(
        Bits, "pow(a, b, m)", few, Bits == 2048 ? 0.8 : 0.0,
        [&](std::size_t i) { r[i] = pow(a[i].ours, b[i].ours, m[i].ours); },
        [&](std::size_t i) {
            mpz_powm(s[i].value, a[i].theirs.value, b[i].theirs.value, m[i].theirs.value);
        });
    check(few, "pow");
    line(
        Bits, "inverse(a, m)", count, Bits == 256 ? 3.0 : 0.0,
        [&](std::size_t i) {
            const auto found = inverse(a[i].ours, m[i].ours);
            r[i] = found ? *found : BigInt<Bits>(0u);
        },
        [&](std::size_t i) {
            if (mpz_invert(s[i].value, a[i].theirs.value, m[i].theirs.value) == 0)
                mpz_set_ui(s[i].value, 0);
        });
    check(count, "inverse");
    line(
        Bits, "gcd(a, b)", count, 0.0, [&](std::size_t i) { r[i] = gcd(a[i].ours, b[i].ours); },
        [&](std::size_t i) { mpz_gcd(s[i].value, a[i].theirs.value, b[i].theirs.value); });
    check(count, "gcd");
    std::vector<int> ours(count), theirs(count);
    line(
        Bits, "jacobi(a, m)", count, 1.0,
        [&](std::size_t i) { ours[i] = jacobi(a[i].ours, m[i].ours); },
        [&](std::size_t i) { theirs[i] = mpz_jacobi(a[i].theirs.value, m[i].theirs.value); });
    require(ours == theirs, "jacobi");
    // reps = 24 is GMP's Baillie-PSW test without further rounds.
    line(
        Bits, "is_probable_prime, random odd", count, 1.0,
        [&](std::size_t i) { ours[i] = is_probable_prime(m[i].ours); },
        [&](std::size_t i) { theirs[i] = mpz_probab_prime_p(m[i].theirs.value, 24) != 0; });
    require(ours == theirs, "is_probable_prime");
    std::vector<Operand<Bits>> primes;
    for (std::size_t i = 0; i < few; ++i) {
        mpz_t p;
        mpz_init(p);
        mpz_nextprime(p, m[i].theirs.value);
        BigInt<Bits> prime{};
        mpz_export(prime.limbs, nullptr, -1, 4, 0, 0, p);
        mpz_clear(p);
        primes.emplace_back(prime);
    }
    line(
        Bits, "is_probable_prime, primes", few, 1.0,
        [&](std::size_t i) { ours[i] = is_probable_prime(primes[i].ours); },
        [&](std::size_t i) { theirs[i] = mpz_probab_prime_p(primes[i].theirs.value, 24) != 0; });
    require(std::equal(ours.begin(), ours.begin() + few, theirs.begin()), "primes");
}

} // namespace

int main() {
    std::puts("# one thread; nanoseconds per call: warpint, GMP, ratio");
    measure<256>();
    measure<512>();
    measure<1024>();
    measure<2048>();
    return 0;
}

#else

int main() {
    std::puts("compiled without GMP: nothing to compare with");
    return 77;
}

#endif
