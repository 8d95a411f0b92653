// SPDX-License-Identifier: Apache-2.0
// The texts over rings (number/theory/ring.h) where numbers run together: another number's votes
// and lengths must not change a result. (On a host a number over lanes runs by itself.)

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number/theory/montgomery_ring.h>
#include <warpint/number/theory/primality.h>
#include <warpint/number/theory/root_modulo.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

namespace {

namespace theory = warpint::theory;
using test::Integer;

/// The ring of a number that runs together with others: for some time each vote may hold for the
/// sake of another number, and the largest count may be another's.
template <int N, class Limb>
class RingInCompany : public theory::MontgomeryRing<N, 3, Limb> {
    using Alone = theory::MontgomeryRing<N, 3, Limb>;

public:
    struct Bits {
        typename Alone::Bits bits;

        bool operator[](int position) const {
            return position < N * int(sizeof(Limb)) * 8 && bits[position];
        }
    };
    static constexpr bool runs_together = true;

    RingInCompany(const Limb *m, std::uint64_t seed)
        : Alone(m), others_(seed), votes_(static_cast<int>(others_() % 200)) {}

    Bits bits() const { return {Alone::bits()}; }
    bool vote(bool condition) const {
        const bool other = votes_ > 0 && others_() % 8 != 0;
        votes_ -= other ? 1 : 0;
        return condition || other;
    }
    int largest(int count) const { return count + static_cast<int>(others_() % 3 * 17); }

private:
    mutable std::mt19937_64 others_;
    mutable int votes_;
};
static_assert(theory::Ring<RingInCompany<2, std::uint8_t>>);

struct Verdicts {
    bool base_2, base_3, lucas, both, unwanted;
    bool operator==(const Verdicts &) const = default;
};
template <class R>
Verdicts verdicts(const R &ring) {
    Verdicts result{};
    auto three = ring.small(3);
    result.base_2 = theory::is_strong_probable_prime_base_2(ring);
    result.base_3 = theory::is_strong_probable_prime(ring, three);
    result.lucas = theory::is_strong_lucas_probable_prime(ring);
    result.both = theory::passes_baillie_psw(ring);
    result.unwanted = theory::passes_baillie_psw(ring, false);
    return result;
}

template <int N, class Limb>
void limbs_of(Limb *r, const Integer &n) {
    Integer rest = n;
    for (int i = 0; i < N; ++i) {
        r[i] = static_cast<Limb>(mpz_fdiv_ui(rest.raw(), std::uint64_t{1} << (8 * sizeof(Limb))));
        mpz_fdiv_q_2exp(rest.raw(), rest.raw(), 8 * sizeof(Limb));
    }
}

/// All of it for the odd n > 1, of N limbs or fewer: whether it is prime, and the square
/// roots of a few numbers.
template <int N, class Limb>
void check(const Integer &n, std::uint64_t seed) {
    using Alone = theory::MontgomeryRing<N, 3, Limb>;
    Limb modulus[N]{};
    limbs_of<N>(modulus, n);
    const Alone alone(modulus);
    const RingInCompany<N, Limb> in_company(modulus, seed);
    const bool prime = mpz_probab_prime_p(n.raw(), 30) != 0;
    const Verdicts expected = verdicts(alone);
    bool right = expected.both == prime && !expected.unwanted;
    right = right && verdicts(in_company) == expected;
    std::mt19937_64 generator(seed);
    for (int i = 0; i < 4; ++i) {
        const Integer a = (i == 0 ? Integer(0) : Integer(generator())) % n;
        typename Alone::element x{}, y{};
        limbs_of<N>(x.limbs, a);
        y = x;
        const bool exists = theory::smaller_root_modulo(alone, x);
        const RingInCompany<N, Limb> ring(modulus, seed + i);
        const bool exists_in_company = theory::smaller_root_modulo(ring, y);
        if (prime) {
            right = right && exists == (mpz_legendre(a.raw(), n.raw()) >= 0);
            right = right && exists_in_company == exists && (!exists || alone.equal(x, y));
        } else if (exists_in_company) { // a root of a composite modulus is right
            alone.enter(y);
            alone.square(y, y);
            alone.leave(y);
            limbs_of<N>(x.limbs, a);
            right = right && alone.equal(x, y);
        }
    }
    INFO("n = ", n.to_string(10), ", seed ", seed);
    REQUIRE(right);
}

} // namespace

TEST_CASE("numbers that run together with others: every short modulus") {
    for (int n = 3; n < 4000; n += 2) {
        check<2, std::uint8_t>(Integer(n), 2 * static_cast<std::uint64_t>(n));
        check<3, std::uint8_t>(Integer(n), 2 * static_cast<std::uint64_t>(n) + 1);
    }
}
TEST_CASE("numbers that run together with others: pseudoprimes") {
    for (std::uint64_t n : {1194649u, 12327121u, 75077u, 97439u, 162401u, 3215031751u}) {
        for (std::uint64_t seed = 0; seed < 100; ++seed)
            check<2, std::uint32_t>(Integer(n), seed);
    }
}
TEST_CASE("numbers that run together with others: any moduli") {
    test::OperandSource source(test::property_seed("rings in company", 128));
    for (long round = 0; round < test::scaled(1500); ++round) {
        const std::uint64_t seed = test::property_seed("rings in company", static_cast<int>(round));
        Integer n = source.number(128);
        if (n < Integer(3))
            n = Integer(3);
        if (mpz_even_p(n.raw()) != 0)
            mpz_add_ui(n.raw(), n.raw(), 1);
        if (round % 3 == 0 && mpz_sizeinbase(n.raw(), 2) < 120) // primes, of all classes modulo 8
            mpz_nextprime(n.raw(), n.raw());
        if (mpz_sizeinbase(n.raw(), 2) <= 128)
            check<4, std::uint32_t>(n, seed);
    }
}
