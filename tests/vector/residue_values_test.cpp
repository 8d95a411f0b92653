// SPDX-License-Identifier: Apache-2.0
// Values of residues among numbers, against GMP.
#include "residue_batch.h"

using namespace residue_batch;

namespace {

// Values of residues x = a, y = b modulo m among numbers: what an engine, or the elements of a row,
// compute together takes residues as operands, too.
template <class S, int Bits>
void check_values_among_numbers(const Integer &m) {
    const Modulus<Bits> modulus(from_integer<BigInt<Bits>>(m));
    test::OperandSource source(test::property_seed("values of residues among numbers", Bits));
    std::vector<Integer> p, q;
    for (int i = 0; i < 75; ++i) {
        p.push_back(i < 2 ? test::all_ones(Bits) : source.number(Bits));
        Integer divisor;
        do {
            divisor = source.number(Bits);
        } while (test::modulo(divisor, m).is_zero());
        q.push_back(divisor);
    }
    CAPTURE(Bits);
    CAPTURE(m);
    CAPTURE(test::run_seed());
    const BigInt<Bits> number = modulus.value();
    const vector_in<S, BigInt<Bits>> a(numbers_of<BigInt<Bits>>(p)), b(numbers_of<BigInt<Bits>>(q));
    const vector_in<S, Residue<Bits>> x(modulus, a), y(modulus, b);
    const auto expect = [&](const auto &of) {
        std::vector<Integer> expected;
        for (std::size_t i = 0; i < p.size(); ++i)
            expected.push_back(of(test::modulo(p[i], m), test::modulo(q[i], m), p[i], q[i]));
        return expected;
    };
    const auto inverted = [&](const Integer &u) {
        Integer wanted;
        REQUIRE(mpz_invert(wanted.raw(), u.raw(), m.raw()) != 0);
        return wanted;
    };
    using I = const Integer &;
    CHECK(first_wrong(eval(value(x) * a), expect([](I u, I, I s, I) { return u * s; })) == -1);
    CHECK(first_wrong(eval((value(x) * b + a) % number),
                      expect([&](I u, I, I s, I t) { return test::modulo(u * t + s, m); })) == -1);
    CHECK(first_wrong(eval(value(x * y) * a % number),
                      expect([&](I u, I v, I s, I) { return test::modulo(u * v * s, m); })) == -1);
    CHECK(first_wrong(eval(sqr(value(x)) % modulus),
                      expect([&](I u, I, I, I) { return test::modulo(u * u, m); })) == -1);
    CHECK(first_wrong(eval(pow(value(x), 65537, number)), expect([&](I u, I, I, I) {
                          return test::power_modulo(u, Integer(65537), m);
                      })) == -1);
    CHECK(first_wrong(eval(pow(a, value(y), number)),
                      expect([&](I, I v, I s, I) { return test::power_modulo(s, v, m); })) == -1);
    CHECK(first_wrong(eval(value(x / y) * a % number), expect([&](I u, I v, I s, I) {
                          return test::modulo(u * inverted(v) * s, m);
                      })) == -1);
    CHECK(first_wrong(eval(inverse(value(y), number) * value(x) % number),
                      expect([&](I u, I v, I, I) { return test::modulo(u * inverted(v), m); })) ==
          -1);
    Integer total;
    for (const Integer &term : expect([&](I u, I, I s, I) { return test::modulo(u * s, m); }))
        total = total + term;
    CHECK(to_integer(sum(value(x) * a % number)) == total);
}

} // namespace

TEST_CASE_TEMPLATE("values of residues among numbers", S, test::OnDevice) {
    check_values_among_numbers<S, 256>(test::power_of_two(255) - 19);
#if !defined(WARPINT_CHECKED_ONLY)
    check_values_among_numbers<S, 127>(test::power_of_two(127) - 1);
    check_values_among_numbers<S, 521>(test::power_of_two(521) - 1);
#endif
}
