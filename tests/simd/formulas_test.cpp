// Formulas whose operations a group of elements does together (execution/collective.h), against
// GMP: powers, products and remainders wherever they stand, batches of every length, faults,
// targets that are operands. Run with the CPU's engine, with WARPINT_CPU_ENGINES=scalar, and,
// compiled with WARPINT_SIMD_EMULATED, with emulated vectors.
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/constant_time.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace warpint;
using test::Integer;
using test::OperandSource;

// Values of a batch as the oracle sees them; nothing: the element has none.
using Values = std::vector<std::optional<Integer>>;
using Function = std::function<std::optional<Integer>(std::size_t)>;

template <int Bits>
class Checker {
public:
    using Number = BigInt<Bits>;
    using Vector = host_vector<Number>;

    Checker(OperandSource &source, std::size_t count)
        : a(count), b(count), e(count), m(count), odd(count), result(count), count_{count} {
        for (std::size_t i = 0; i < count; ++i) {
            const test::OperandTriple t = source.triple(Bits, Bits, Bits);
            a[i] = test::from_integer<Number>(t.a);
            b[i] = test::from_integer<Number>(t.b);
            m[i] = test::from_integer<Number>(source.one_in(12) ? Integer(0) : t.m);
            odd[i] = test::from_integer<Number>(t.m | 1);
            e[i] = test::from_integer<Number>(source.exponent(Bits, t.m));
        }
    }

    static Integer value(const Number &x) { return test::to_integer(x); }
    static std::optional<Integer> power(const Number &x, const Integer &y, const Number &z) {
        if (value(z) == 0)
            return {};
        Integer r;
        mpz_powm(r.raw(), value(x).raw(), y.raw(), value(z).raw());
        return r;
    }
    static std::optional<Integer> product(const Integer &x, const Integer &y, const Number &z) {
        if (value(z) == 0)
            return {};
        return test::modulo(x * y, value(z));
    }

    template <class T>
    void expect(const char *what, const host_vector<T> &got, const Function &expected) const {
        const std::vector<bool> missing = got.error_mask();
        for (std::size_t i = 0; i < count_; ++i) {
            const std::optional<Integer> want = expected(i);
            const bool same = missing[i] == !want.has_value() &&
                              test::to_integer(got.data()[i]) == want.value_or(Integer(0));
            if (!same) {
                FAIL_CHECK(std::string(what)
                           << ", element " << i << " of " << count_ << " at " << Bits
                           << " bits; WARPINT_TEST_SEED=" << test::run_seed());
                return;
            }
        }
        CHECK(got.size() == count_);
    }
    void expect(const char *what, const Function &expected) const {
        expect(what, result, expected);
    }

    Vector a, b, e, m, odd, result;

private:
    std::size_t count_;
};

constexpr std::size_t counts[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                  12, 13, 14, 15, 16, 17, 31, 32, 33, 47, 100};

template <int Bits>
void check_powers(std::size_t most) {
    OperandSource source(test::property_seed("powers in formulas", Bits));
    using C = Checker<Bits>;
    using Number = typename C::Number;
    for (const std::size_t count : counts) {
        if (count > most)
            continue;
        C c(source, count);
        c.result = pow(c.a, c.e, c.m);
        c.expect("pow(a, e, m)",
                 [&](std::size_t i) { return C::power(c.a[i], C::value(c.e[i]), c.m[i]); });
        c.result = pow(c.a, 65537, c.m);
        c.expect("pow(a, 65537, m)",
                 [&](std::size_t i) { return C::power(c.a[i], Integer(65537), c.m[i]); });

        // What all elements share.
        const Number shared = c.odd[count / 2];
        const Modulus<Bits> modulus(shared);
        const Number exponent = c.e[count / 2];
        c.result = pow(c.a, c.e, modulus);
        c.expect("pow(a, e, Modulus)",
                 [&](std::size_t i) { return C::power(c.a[i], C::value(c.e[i]), shared); });
        c.result = pow(c.a, exponent, shared);
        c.expect("pow(a, one e, one m)",
                 [&](std::size_t i) { return C::power(c.a[i], C::value(exponent), shared); });
        c.result = pow(c.a * c.b, exponent, modulus);
        c.expect("pow(a * b, one e, Modulus)", [&](std::size_t i) {
            Integer r;
            mpz_powm(r.raw(), (C::value(c.a[i]) * C::value(c.b[i])).raw(), C::value(exponent).raw(),
                     C::value(shared).raw());
            return r;
        });
        c.result = pow_ct(c.a, c.e, c.m);
        c.expect("pow_ct(a, e, m)", [&](std::size_t i) -> std::optional<Integer> {
            if ((C::value(c.m[i]) & 1) == 0)
                return {};
            return C::power(c.a[i], C::value(c.e[i]), c.m[i]);
        });

        // Inside a formula, under and over other operations and faults.
        const auto inner = [&](std::size_t i) {
            return C::power(c.a[i], C::value(c.e[i]), c.m[i]);
        };
        c.result = (pow(c.a, c.e, c.m) * c.b + c.a) % c.odd;
        c.expect("(pow(a, e, m) * b + a) % odd", [&](std::size_t i) -> std::optional<Integer> {
            if (!inner(i))
                return {};
            return test::modulo(*inner(i) * C::value(c.b[i]) + C::value(c.a[i]),
                                C::value(c.odd[i]));
        });
        const auto refuse = [](const Number &x) {
            if (x.limbs[0] % 8 == 3)
                throw std::runtime_error("no value");
            return x;
        };
        c.result = pow(map(refuse, c.a), c.e, c.m);
        c.expect("pow(map(f, a), e, m)", [&](std::size_t i) -> std::optional<Integer> {
            if (c.a[i].limbs[0] % 8 == 3)
                return {};
            return inner(i);
        });

        // Targets that are operands; faults that come with an operand.
        typename C::Vector x = c.a;
        x = pow(x, c.e, c.m);
        c.expect("x = pow(x, e, m)", x, inner);
        c.result = pow(x, 3, c.odd);
        c.expect("pow(x with faults, 3, odd)", [&](std::size_t i) -> std::optional<Integer> {
            if (!inner(i))
                return {};
            return C::power(test::from_integer<Number>(*inner(i)), Integer(3), c.odd[i]);
        });
    }
}

template <int Bits>
void check_products(std::size_t most) {
    OperandSource source(test::property_seed("products in formulas", Bits));
    using C = Checker<Bits>;
    using Number = typename C::Number;
    for (const std::size_t count : counts) {
        if (count > most)
            continue;
        C c(source, count);
        host_vector<BigInt<2 * Bits>> wide(count);
        wide = c.a * c.b;
        c.expect("a * b", wide, [&](std::size_t i) { return C::value(c.a[i]) * C::value(c.b[i]); });
        wide = sqr(c.a);
        c.expect("sqr(a)", wide,
                 [&](std::size_t i) { return C::value(c.a[i]) * C::value(c.a[i]); });
        host_vector<SignedBigInt<2 * Bits + 2>> difference(count);
        difference = c.a * c.b - sqr(c.b);
        c.expect("a * b - sqr(b)", difference, [&](std::size_t i) {
            return C::value(c.a[i]) * C::value(c.b[i]) - C::value(c.b[i]) * C::value(c.b[i]);
        });
        const auto rest = [&](std::size_t i) {
            return C::product(C::value(c.a[i]), C::value(c.b[i]), c.m[i]);
        };
        c.result = c.a * c.b % c.m;
        c.expect("a * b % m", rest);
        c.result = sqr(c.a) % c.m;
        c.expect("sqr(a) % m", [&](std::size_t i) {
            return C::product(C::value(c.a[i]), C::value(c.a[i]), c.m[i]);
        });
        const Number shared = c.m[count / 2];
        c.result = c.a * c.b % shared;
        c.expect("a * b % one m", [&](std::size_t i) {
            return C::product(C::value(c.a[i]), C::value(c.b[i]), shared);
        });
        c.result = ((c.a * c.b % c.m) ^ c.b) * c.a % c.odd;
        c.expect("((a * b % m) ^ b) * a % odd", [&](std::size_t i) -> std::optional<Integer> {
            if (!rest(i))
                return {};
            const Number inner = test::from_integer<Number>(*rest(i)) ^ Number(c.b[i]);
            return C::product(C::value(inner), C::value(c.a[i]), c.odd[i]);
        });
        typename C::Vector x = c.b;
        x = c.a * x % c.m;
        c.expect("x = a * x % m", x, rest);
        x = c.m;
        x = c.a * c.b % x;
        c.expect("x = a * b % x", x, rest);

        const Modulus<Bits> modulus(c.odd[0]);
        c.result = inverse(c.a, modulus);
        c.expect("inverse(a, Modulus)", [&](std::size_t i) -> std::optional<Integer> {
            const Integer one = C::value(c.odd[0]);
            Integer r;
            if (one == 1)
                return Integer(0);
            if (mpz_invert(r.raw(), C::value(c.a[i]).raw(), one.raw()) == 0)
                return {};
            return r;
        });
        const Number even = shared + shared;
        c.result = inverse(c.a, even);
        c.expect("inverse(a, one even m)", [&](std::size_t i) -> std::optional<Integer> {
            Integer r;
            if (C::value(even) == 0 ||
                mpz_invert(r.raw(), C::value(c.a[i]).raw(), C::value(even).raw()) == 0)
                return {};
            return r;
        });
    }
}

} // namespace

#if defined(WARPINT_SIMD_EMULATED)

TEST_CASE("simd: formulas with powers and products, emulated") {
    check_powers<256>(33);
    check_products<521>(33);
}

#else

TEST_CASE("simd: formulas with powers") {
    check_powers<256>(100);
    check_powers<521>(33);
}

TEST_CASE("simd: formulas with products and remainders") {
    check_products<256>(100);
    check_products<512>(100);
}

TEST_CASE("simd: explain() names the engine") {
    const host_vector<BigInt<256>> a(20);
    const std::string text = explain(pow(a, a, a)).to_string();
    const bool engine = simd::engine() == simd::Engine::avx512_ifma;
    CHECK((text.find("side by side") != std::string::npos) == engine);
}

#endif
