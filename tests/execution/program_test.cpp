// SPDX-License-Identifier: Apache-2.0
// Into which steps formulas are split on a GPU, as far as their types say it: a step is written as
// its heaviest work and the bits of its value; and that the steps compute what the formula is.
#include <warpint/execution/plan/program.h>
#include <warpint/execution/ways/cores.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace warpint;
namespace run = warpint::execution;

namespace {

template <int Bits>
struct Operands {
    static constexpr std::size_t size = 5;
    using Number = BigInt<Bits>;
    using Vector = host_vector<Number>;
    std::mt19937_64 generator{Bits};
    Vector a = random(), b = random(), c = random(), e = random(), m = odd();
    host_vector<std::uint32_t> i{3u, 1u, 9u, 0u, 3u};
    host_vector<BigInt<32>> k{5u, 0u, 65537u, 1u, 7u};
    Modulus<Bits> M{m[0]};
    Modulus<Bits> even{m[0] - 1u};
    host_vector<Residue<Bits>> x{M, a}, y{M, b};

    Vector random() {
        std::vector<Number> v(size);
        for (Number &each : v)
            each = random_bits<Bits>(generator);
        return Vector(v);
    }
    Vector odd() {
        Vector v = random();
        for (std::size_t at = 0; at < size; ++at)
            v[at] = v[at] | Number(1) << (Bits - 1) | Number(1);
        return v;
    }
};

template <class Tree>
std::string name_of(const Tree &) {
    using Value = typename Tree::value_type;
    std::string text = name(expression::cost<Tree>.work);
    if constexpr (AnyNumber<Value>)
        text += " " + std::to_string(expression::value_bits<Value>);
    return text;
}

// Where the formula goes: Stored or Reduced.
template <class To, class Formula>
std::string steps_of(const Formula &formula) {
    const auto program =
        run::program_of<To>(expression::lower_formula(formula, expression::LoweringTarget{}));
    std::string names;
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        ((names += (k == 0 ? "" : " | ") + name_of(expression::item<k>(program.steps))), ...);
    }(std::make_index_sequence<std::remove_cvref_t<decltype(program)>::count>{});
    return names;
}
template <class Formula>
std::string stored(const Formula &formula) {
    return steps_of<run::program::Stored<>>(formula);
}
template <class Formula>
std::string reduced(const Formula &formula) {
    return steps_of<run::program::Reduced<false>>(formula);
}

// Runs the steps one after another, each on the host, in parts of `part` elements.
template <class Formula, class T>
void run_steps(const Formula &formula, host_vector<T> &result, std::vector<bool> &faults,
               std::size_t count, std::size_t part) {
    const auto program = run::program_of<run::program::Stored<T>>(
        expression::lower_formula(formula, expression::LoweringTarget{}));
    constexpr std::size_t steps = std::remove_cvref_t<decltype(program)>::count;
    std::vector<std::vector<std::uint32_t>> words(steps, std::vector<std::uint32_t>(part / 32 + 1));
    std::vector<std::vector<unsigned char>> memory(steps);
    run::StepValues values[steps];
    result = host_vector<T>(count);
    faults.assign(count, false);
    for (std::size_t first = 0; first < count; first += part) {
        const std::size_t length = std::min(part, count - first);
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            const auto run_step = [&]<std::size_t at>(std::integral_constant<std::size_t, at>) {
                const auto step =
                    run::bind(run::advance(expression::item<at>(program.steps), first), values);
                if constexpr (at + 1 < steps) {
                    using Value = typename std::remove_cvref_t<decltype(step)>::value_type;
                    memory[at].resize(part * sizeof(Value));
                    values[at] = {memory[at].data(), words[at].data()};
                    run::run_one_by_one(
                        run::Target<Value>{{{run::Place<Value>{
                            reinterpret_cast<Value *>(memory[at].data()), words[at].data()}}}},
                        length, step);
                } else {
                    run::run_one_by_one(
                        run::Target<T>{{{run::Place<T>{result.data() + first, words[at].data()}}}},
                        length, step);
                    for (std::size_t each = 0; each < length; ++each)
                        faults[first + each] = (words[at][each / 32] >> each % 32 & 1u) != 0;
                }
            };
            (run_step(std::integral_constant<std::size_t, k>{}), ...);
        }(std::make_index_sequence<steps>{});
    }
}

// The steps of the formula give what a target of T takes of its values, and its faults.
template <class T, class Formula>
void check_stored(const Formula &formula) {
    host_vector<T> expected = formula;
    const std::vector<bool> expected_faults = expected.error_mask();
    expected.clear_errors();
    host_vector<T> result;
    std::vector<bool> faults;
    run_steps(formula, result, faults, expected.size(), 32);
    CHECK(faults == expected_faults);
    CHECK(result.to_host() == expected.to_host());
}
template <class Formula>
void check_values(const Formula &formula) {
    check_stored<typename decltype(eval(formula))::value_type>(formula);
}

} // namespace

TEST_CASE("formulas of one step") {
    const Operands<256> s;
    CHECK(stored(s.a + s.b) == "streaming 257");
    CHECK(stored(s.a * s.b % s.m) == "product modulo a number 256");
    CHECK(stored(s.a * s.b % s.m * s.e % s.m) == "product modulo a number 256");
    CHECK(stored(pow(s.a, s.e, s.m) * s.b % s.m) == "power 256");
    CHECK(stored(inverse(s.a, s.M)) == "cofactor 256");
    CHECK(stored(inverse(s.a, s.m) * s.b % s.m) == "cofactor 256");
    CHECK(reduced(s.a * s.b % s.m) == "product modulo a number 256");
    CHECK(reduced(s.a * s.b % s.m == s.c) == "product modulo a number 1");
    const Operands<2048> w;
    CHECK(stored(w.a * w.b % w.m) == "product modulo a number 2048");
    CHECK(stored(pow(w.a, w.e, w.m)) == "power 2048");
    CHECK(stored((w.a * w.b + w.c) % w.m) == "product modulo a number 2048");
    CHECK(stored(gather(w.a, w.i) * w.b % w.m) == "product modulo a number 2048");
    CHECK(stored(w.a * w.b % w.m + w.b) == "product modulo a number 2049");
    CHECK(stored(isqrt(w.a * w.b)) == "square root 4096");
    CHECK(stored(value(w.x * w.y + 3)) ==
          "product modulo a number 2048 | product modulo a number 2048");
    CHECK(reduced(w.a + w.b) == "streaming 2049");
    CHECK(reduced(w.a == w.b) == "streaming 1");
    const Operands<4096> long_sums;
    CHECK(reduced(long_sums.a + long_sums.b) == "streaming 4097 | streaming 4097");
    CHECK(reduced(gather(s.a, s.i)) == "streaming 256");
}

TEST_CASE("inverses modulo one modulus are steps, and so is what they invert") {
    const Operands<256> s;
    CHECK(stored(inverse(s.a, s.M) * s.b % s.M) == "cofactor 256 | product modulo a number 256");
    CHECK(stored(inverse(s.a * s.b % s.M, s.M)) == "product modulo a number 256 | cofactor 256");
    CHECK(stored(inverse(s.a, s.M) * pow(s.b, 65537, s.M) % s.M) == "cofactor 256 | power 256");
    CHECK(stored(value(s.y / s.x)) == "cofactor 256 | product modulo a number 256");
    CHECK(stored(let(inverse(s.a, s.M), [](auto x) { return x * x; })) ==
          "cofactor 256 | product 512");
    CHECK(stored(let(s.a + 1u, [&](auto x) { return inverse(x, s.M) * x % s.M; })) ==
          "streaming 257 | cofactor 256 | product modulo a number 256");
    using F = StaticResidue<BigInt<128>(0u) - 159>;
    const host_vector<F> f(5, F(7)), g(5, F(9));
    CHECK(stored(inverse(f) * g) == "cofactor 128 | product");
    CHECK(stored(f / (f + g)) == "product 128 | cofactor 128 | product");
    CHECK(reduced(value(f / g)) == "cofactor 128 | product 128");
}

TEST_CASE("heavy work that takes the value of heavy work") {
    const Operands<512> s;
    CHECK(stored(s.a * s.b % s.m * s.e % s.m) ==
          "product modulo a number 512 | product modulo a number 512");
    CHECK(stored(s.a * s.b % s.m + s.e * s.b % s.m) == "product modulo a number 513");
    const Operands<521> odd;
    CHECK(stored(odd.a * odd.b % odd.m + odd.b) == "product modulo a number 521 | streaming 522");
    CHECK(stored(select(odd.a < odd.b, odd.a, odd.b) * odd.e % odd.m) ==
          "streaming 521 | product modulo a number 521");
    CHECK(stored((odd.a & odd.b) * odd.e) == "streaming 521 | product 1042");
    CHECK(reduced(odd.a * odd.b) == "product 1042 | streaming 1042");
    const Operands<1024> t;
    CHECK(stored(t.a * t.b % t.m + t.b) == "product modulo a number 1024 | streaming 1025");
    CHECK(stored(t.a * t.b % t.m + t.e * t.b % t.m) ==
          "product modulo a number 1024 | product modulo a number 1024 | streaming 1025");
    CHECK(stored(gather(t.a, t.i) * t.b % t.m) == "streaming 1024 | product modulo a number 1024");
    CHECK(stored(let(t.a * t.b % t.m, [&](auto x) { return x * x % t.m + x; })) ==
          "product modulo a number 1024 | product modulo a number 1024 | streaming 1025");
    CHECK(stored(gcd(t.a * t.b % t.m, t.m)) == "product modulo a number 1024 | number theory 1024");
    CHECK(stored((t.a * t.b + t.c * t.e) % t.m) == "product modulo a number 1024");
    CHECK(stored((t.a & t.b) * t.e % t.m) == "streaming 1024 | product modulo a number 1024");
    CHECK(stored((t.a + t.b) * t.e % t.m) == "product modulo a number 1024");
    CHECK(stored((t.a - t.b) * t.e % t.m) == "division 1024 | product modulo a number 1024");
    CHECK(reduced(t.a * t.b % t.m) == "product modulo a number 1024 | streaming 1024");
    CHECK(stored(t.a * t.b % t.m + isqrt(t.e)) ==
          "product modulo a number 1024 | square root 1024 | streaming 1025");
    CHECK(stored(isqrt(t.a) * t.b % t.m) == "square root 1024 | product modulo a number 1024");
    // Powers that tensor cores may do have their operands and their value in memory.
    CHECK(stored(pow(t.a, t.e, t.m)) == "power 1024");
    CHECK(stored(pow(t.a * t.b % t.m, t.e, t.m) * t.b % t.m) ==
          "product modulo a number 1024 | power 1024 | product modulo a number 1024");
    CHECK(stored(pow(t.a * t.b, t.e, t.m)) == "product 2048 | division 1024 | power 1024");
    CHECK(stored(pow(t.a, 65537, t.m) + t.b) == "power 1025");
    const Operands<2048> w;
    CHECK(stored((w.a * w.b + w.c * w.e) % w.m) ==
          "product modulo a number 2048 | product modulo a number 2048");
    CHECK(stored((w.a * w.b - w.c * w.e) % w.m) ==
          "product modulo a number 2048 | product modulo a number 2048");
    CHECK(stored((w.a - w.b) * w.e % w.m) == "division 2048 | product modulo a number 2048");
    // Over lanes a product leaves as it comes; in threads two of up to 640 bits share registers.
    CHECK(stored(w.a * w.b + w.c * w.e) == "product 4096 | product 4096 | streaming 4097");
    CHECK(stored(w.a * w.b + w.c) == "product 4096 | streaming 4097");
    CHECK(stored(let(w.a * w.b, [](auto x) { return x + x; })) == "product 4096 | streaming 4097");
    CHECK(stored(let(s.a * s.b, [](auto x) { return x + x; })) == "product 1025");
    CHECK(stored(t.a * t.b + t.c * t.e) == "product 2048 | product 2048 | streaming 2049");
    CHECK(stored(t.a * t.b + t.c) == "product 2048 | streaming 2049");
    CHECK(stored(s.a * s.b + s.c * s.e) == "product 1025");
    // A target that keeps the low bits takes low products, which are no wider than it.
    using Low = run::program::Stored<BigInt<2048>>;
    CHECK(steps_of<Low>(w.a * w.b + w.c) == "product 2049");
    CHECK(steps_of<Low>(w.c - (w.a * w.b + w.e)) == "product 2050");
    CHECK(steps_of<run::program::Stored<BigInt<3000>>>(w.a * w.b + w.c) ==
          "product 4096 | streaming 4097");
    CHECK(stored(value(w.y / w.x)) ==
          "cofactor 2048 | product modulo a number 2048 | product modulo a number 2048");
    CHECK(stored(let(w.a * w.b % w.m, [&](auto x) { return x * x % w.m; })) ==
          "product modulo a number 2048 | product modulo a number 2048");
}

TEST_CASE("what lanes compute well is a step before what threads do") {
    const Operands<2048> w;
    CHECK(reduced(w.a * w.b) == "product 4096 | streaming 4096");
    CHECK(reduced(w.a * w.b % w.m) == "product modulo a number 2048 | streaming 2048");
    CHECK(reduced(isqrt(w.a)) == "square root 2048 | streaming 2048");
    CHECK(reduced(pow(w.a, w.k, w.m) == w.b) == "power 1 | streaming 1");
    CHECK(reduced(is_probable_prime(w.m)) == "power 1 | streaming 1");
    const auto low = [](const BigInt<2048> &x) { return BigInt<64>(x & 0xffffu); };
    CHECK(stored(map(low, w.a * w.b % w.m)) == "product modulo a number 2048 | streaming 64");
    CHECK(stored(map([](const BigInt<2048> &x) { return x; }, w.a) * w.b % w.m) ==
          "streaming 2048 | product modulo a number 2048");
    CHECK(reduced(gather(w.a, w.i)) == "streaming 2048 | streaming 2048");
    const Operands<256> s;
    CHECK(reduced(isqrt(s.a)) == "square root 256 | streaming 256");
    CHECK(reduced(pow(s.a, s.k, s.m) == s.b) == "power 1 | streaming 1");
}

TEST_CASE("products of long numbers are steps") {
    const host_vector<BigInt<16384>> a(2), b(2);
    CHECK(stored(a * b) == "product 32768");
    CHECK(stored(a * b + a) == "product 32768 | streaming 32769");
    CHECK(stored((a + b) * b) == "streaming 16385 | product 32769");
    CHECK(stored(a * a * b) == "product 32768 | product 49152");
    CHECK(reduced(a * b) == "product 32768 | streaming 32768");
}

TEST_CASE("the steps give the values of the formula") {
    const auto check = []<int Bits>(const Operands<Bits> &v) {
        check_values(v.a * v.b % v.m * v.e % v.m);
        check_values((v.a * v.b + v.c * v.e) % v.m);
        check_values((v.a * v.b - v.c * v.e) % v.m);
        check_values((v.a - v.b) * (v.c - v.e) % v.m);
        check_values(v.a * v.b + v.c * v.e);
        check_stored<BigInt<Bits>>(v.a - (v.c + v.a * v.b));
        check_stored<BigInt<Bits - 7>>(v.a * v.b - v.c * v.e);
        const host_vector<SignedBigInt<Bits>> s = as<SignedBigInt<Bits>>(v.a - v.b);
        const host_vector<SignedBigInt<Bits>> t = as<SignedBigInt<Bits>>(v.c - v.e);
        check_values(s * t - v.a * s);
        check_stored<SignedBigInt<Bits>>(s * t + (v.a - s * v.b));
        check_stored<BigInt<Bits>>(s - v.a * t);
        check_stored<BigInt<Bits>>(v.a * 3u + v.b * (BigInt<40>(7u) + 1u) - v.i * v.i);
        check_values(v.a * v.b % v.m + v.e * v.b % v.m);
        check_values(inverse(gather(v.a, v.i) * v.b % v.even, v.even) * v.c % v.even);
        check_values(pow(gather(v.a, v.i), v.k, v.m) * v.b % v.m);
        check_values(value(v.y / v.x));
        check_values(let(v.a * v.b % v.m, [&](auto x) { return x * x % v.m + inverse(x, v.M); }));
        check_values(map([](const BigInt<Bits> &x) { return x; }, v.a * v.b % v.m) * v.b % v.m);
    };
    check(Operands<96>());
    check(Operands<2048>());
}
