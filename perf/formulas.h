// SPDX-License-Identifier: Apache-2.0
// The formulas that are measured, and the template that makes a row of one at a width. rows.h lists
// which formulas are measured at which widths.
#pragma once

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/sort.h>
#include <warpint/text.h>
#include <warpint/vector.h>
#if defined(__CUDACC__)
#include <warpint/sharded.h>
#endif

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host_threads.h"
#include "operands.h"
#include "reference.h"
#include "row.h"
#include "work.h"

namespace perf {

using namespace warpint;

// Where a row's vectors live and are computed. C++ sources have the CPU's rows, CUDA sources the
// GPU's, so that one program has both.
struct OnCpu {
    static constexpr Device device = Device::cpu;
    static constexpr Space space = Space::host;
    template <class T>
    using Vector = host_vector<T>;
};
struct OnGpu {
    static constexpr Device device = Device::gpu;
    static constexpr Space space = Space::device;
    template <class T>
    using Vector = device_vector<T>;
};

// Operands, by name. What a formula does not use stays empty.
template <class Place, int Bits>
struct Operands {
    using Number = BigInt<Bits>;
    static constexpr int bits = Bits;
    template <class T>
    using Vector = typename Place::template Vector<T>;

    Vector<Number> a, b, c, e, m;
    Vector<BigInt<2 * Bits>> w;
    Number one{};              // the shared modulus as a number
    Modulus<Bits> modulus{1u}; // the same, prepared
    Number exponent{};         // a shared exponent
};

// Which operands a formula uses.
enum Use : unsigned {
    use_a = 1,
    use_b = 2,
    use_b_half = 4, // of half the width
    use_c = 8,
    use_e = 16,
    use_m = 32, // odd moduli, one each
    use_w = 64,
    use_one = 128,       // one odd modulus for all
    use_one_prime = 256, // one prime modulus for all
    use_one_given = 512, // one modulus for all, set by start()
    use_exponent = 1024, // one exponent for all, set by start()
    use_a_below = 2048,  // below any modulus: the top bit clear
    use_b_below = 4096,
    use_m_word = 8192, // odd, of 32 bits
    use_m_even = 16384,
};
inline constexpr unsigned use_any_one = use_one | use_one_prime | use_one_given;
inline constexpr unsigned use_any_a = use_a | use_a_below;
inline constexpr unsigned use_any_b = use_b | use_b_half | use_b_below;

// A vector's numbers as limbs.
template <class V>
Numbers numbers(V &v) {
    using T = typename V::value_type;
    if (v.size() == 0)
        return {};
    return {reinterpret_cast<std::uint32_t *>(v.data()), v.size(), T::bits};
}

// A formula: what it is called, what it uses, its value over operands x, GMP's function and its
// work. The members of FormulaDefaults are those that few formulas have otherwise.
struct FormulaDefaults {
    static constexpr const char *kind = "vector";
    static constexpr const char *layout = "numbers";
    static constexpr const char *by = "warpint";
    static constexpr MultiplyAdds multiply_adds = work::none; // nullptr: no limit is known
    static constexpr double patience = 1;
    static constexpr bool power = false; // a power with long exponents: see count_of
    static constexpr int repeats = 1;    // operations of one element
    template <int Bits>
    using Result = BigInt<Bits>;
    static constexpr bool two_results = false;
    static constexpr bool has_result = true; // of each element, in Set::result
    template <class Place, int Bits>
    struct State {}; // what a formula keeps beside operands and results
    static double effort(int bits) { return work::limbs(bits, 32); } // as 32-bit multiply-adds
};

// NOLINTBEGIN(bugprone-macro-parentheses): the formula is text
#define WARPINT_PERF_FORMULA(title, uses_, reference_, formula_)                                   \
    static constexpr const char *operation = title;                                                \
    static constexpr unsigned uses = uses_;                                                        \
    static constexpr Reference reference = reference::reference_;                                  \
    template <class X>                                                                             \
    static auto formula(const X &x) {                                                              \
        return formula_;                                                                           \
    }
#define WARPINT_PERF_WORK(count)                                                                   \
    static constexpr MultiplyAdds multiply_adds = work::count;                                     \
    static double effort(int bits) {                                                               \
        return work::count(bits, 32);                                                              \
    }
// NOLINTEND(bugprone-macro-parentheses)

struct Add : FormulaDefaults {
    WARPINT_PERF_FORMULA("a + b", use_a | use_b, add, x.a + x.b)
};
struct Subtract : FormulaDefaults {
    WARPINT_PERF_FORMULA("a - b", use_a | use_b, subtract, x.a - x.b)
};
struct Shift : FormulaDefaults {
    WARPINT_PERF_FORMULA("a << 37", use_a, shift, x.a << 37)
};
struct Less : FormulaDefaults {
    WARPINT_PERF_FORMULA("a < b", use_a | use_b, less, x.a < x.b)
    template <int Bits>
    using Result = bool;
};
struct Multiply : FormulaDefaults {
    WARPINT_PERF_FORMULA("a * b", use_a | use_b, multiply, (x.a * x.b))
    WARPINT_PERF_WORK(product)
    template <int Bits>
    using Result = BigInt<2 * Bits>;
};
struct Square : FormulaDefaults {
    WARPINT_PERF_FORMULA("sqr(a)", use_a, square, sqr(x.a))
    WARPINT_PERF_WORK(square)
    template <int Bits>
    using Result = BigInt<2 * Bits>;
};
struct AddModulo : FormulaDefaults {
    WARPINT_PERF_FORMULA("(a + b) % m", use_a | use_b | use_m, add_modulo, (x.a + x.b) % x.m)
};
struct SubtractModulo : FormulaDefaults {
    WARPINT_PERF_FORMULA("(a - b) % m", use_a | use_b | use_m, subtract_modulo, (x.a - x.b) % x.m)
};
struct MultiplyModulo : FormulaDefaults {
    WARPINT_PERF_FORMULA("a * b % m", use_a | use_b | use_m, multiply_modulo, (x.a * x.b) % x.m)
    WARPINT_PERF_WORK(modular_product)
};
struct MultiplyByNumber : FormulaDefaults {
    static constexpr const char *kind = "number";
    WARPINT_PERF_FORMULA("a * b % m", use_a | use_b | use_one, multiply_modulo, (x.a * x.b) % x.one)
    WARPINT_PERF_WORK(modular_product)
};
struct MultiplyByModulus : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA("a * b % m", use_a | use_b | use_one, multiply_modulo,
                         (x.a * x.b) % x.modulus)
    WARPINT_PERF_WORK(modular_product)
};
struct MultiplyAddModulo : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA("(a * b + c) % m", use_a | use_b | use_c | use_one, multiply_add_modulo,
                         (x.a * x.b + x.c) % x.modulus)
    WARPINT_PERF_WORK(modular_product)
};
struct Power : FormulaDefaults {
    static constexpr double patience = 8;
    static constexpr bool power = true;
    WARPINT_PERF_FORMULA("pow(a, e, m)", use_a | use_e | use_m, power, pow(x.a, x.e, x.m))
    WARPINT_PERF_WORK(power)
};
struct PowerOfEvenModulus : FormulaDefaults {
    static constexpr double patience = 8;
    static constexpr bool power = true;
    WARPINT_PERF_FORMULA("pow(a, e, m), m even", use_a | use_e | use_m_even, power,
                         pow(x.a, x.e, x.m))
    WARPINT_PERF_WORK(power)
};
// With an exponent of twice the width.
struct PowerWideExponent : FormulaDefaults {
    static constexpr const char *operation = "pow(a, w, m)";
    static constexpr double patience = 8;
    static constexpr bool power = true;
    static constexpr unsigned uses = use_a | use_w | use_m;
    static constexpr Reference reference = reference::power_wide;
    WARPINT_PERF_WORK(power_wide)
    template <class X>
    static auto formula(const X &x) {
        return pow(x.a, x.w, x.m);
    }
};
struct Power65537 : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA("pow(a, 65537, m)", use_a | use_one, power_65537,
                         pow(x.a, 65537, x.modulus))
    WARPINT_PERF_WORK(power_65537)
};
struct DivideWithRemainder : FormulaDefaults {
    static constexpr bool two_results = true;
    WARPINT_PERF_FORMULA("divmod(w, m)", use_w | use_m, divide_with_remainder, divmod(x.w, x.m))
    WARPINT_PERF_WORK(reduction)
};
struct DivideByHalf : FormulaDefaults {
    WARPINT_PERF_FORMULA("a / b, b of half the width", use_a | use_b_half, divide, x.a / x.b)
    WARPINT_PERF_WORK(half_division)
};
struct SquareRoot : FormulaDefaults {
    WARPINT_PERF_FORMULA("isqrt(a)", use_a, square_root, isqrt(x.a))
    WARPINT_PERF_WORK(square_root)
};
struct GreatestCommonDivisor : FormulaDefaults {
    WARPINT_PERF_FORMULA("gcd(a, b)", use_a | use_b, greatest_common_divisor, gcd(x.a, x.b))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 50 * work::product(bits, 32); }
};
// Short numbers in wide types, whose time should be that of their own length.
struct PowerOfShortModulus : FormulaDefaults {
    WARPINT_PERF_FORMULA("pow(a, e, m), m of 32 bits", use_a | use_e | use_m_word, power,
                         pow(x.a, x.e, x.m))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 8 * bits; }
};
struct InverseOfShortModulus : FormulaDefaults {
    WARPINT_PERF_FORMULA("inverse(a, m), m of 32 bits", use_a | use_m_word, inverse,
                         inverse(x.a, x.m))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 50 * work::limbs(bits, 32); }
};
struct Inverse : FormulaDefaults {
    WARPINT_PERF_FORMULA("inverse(a, m)", use_a | use_m, inverse, inverse(x.a, x.m))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 80 * work::product(bits, 32); }
};
struct InverseByModulus : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA("inverse(a, m)", use_a | use_one_prime, inverse, inverse(x.a, x.modulus))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 10 * work::product(bits, 32); }
};

// The same value as MultiplyAddModulo, by one launch for each operator, as with a library without
// formulas.
struct MultiplyAddModuloUnfused : MultiplyAddModulo {
    static constexpr const char *by = "one launch per operator";
    template <class Place, int Bits>
    struct State {
        typename Place::template Vector<BigInt<2 * Bits>> product;
        typename Place::template Vector<BigInt<2 * Bits + 1>> sum;
    };
    template <class S>
    static void start(S &set) {
        set.state.product.resize(set.count);
        set.state.sum.resize(set.count);
    }
    template <class S>
    static void run(S &set) {
        evaluate(set.x.a * set.x.b, set.state.product);
        evaluate(set.state.product + set.x.c, set.state.sum);
        evaluate(set.state.sum % set.x.modulus, set.result);
    }
};

// Vectors of residues by one modulus.
struct MultiplyResidues : FormulaDefaults {
    static constexpr const char *operation = "x * y";
    static constexpr const char *kind = "residues";
    static constexpr unsigned uses = use_a | use_b | use_one;
    static constexpr Reference reference = reference::multiply_modulo;
    WARPINT_PERF_WORK(modular_product)
    template <class Place, int Bits>
    struct State {
        typename Place::template Vector<Residue<Bits>> x, y, z;
    };
    template <class S>
    static void start(S &set) {
        using Vector = decltype(set.state.x);
        set.state.x = Vector(set.x.modulus, set.x.a);
        set.state.y = Vector(set.x.modulus, set.x.b);
        spoil(set);
    }
    template <class S>
    static void spoil(S &set) {
        set.state.z = set.state.x;
    }
    template <class S>
    static auto formula_of(S &set) {
        return set.state.x * set.state.y;
    }
    template <class S>
    static void run(S &set) {
        set.state.z = set.state.x * set.state.y;
    }
    template <class S>
    static void finish(S &set) {
        set.result = value(set.state.z);
    }
};

struct SquareModulo : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA("a * a % m", use_a | use_one, square_modulo, (x.a * x.a) % x.modulus)
    WARPINT_PERF_WORK(modular_square)
};

// Chains of one operation on residues, in registers: what arithmetic alone reaches, without memory.
struct MultiplyStep {
    template <class R>
    WARPINT_HOST_DEVICE static R of(const R &x, const R &y) {
        return x * y;
    }
};
struct SquareStep {
    template <class R>
    WARPINT_HOST_DEVICE static R of(const R &x, const R &) {
        return sqr(x);
    }
};
struct AddStep {
    template <class R>
    WARPINT_HOST_DEVICE static R of(const R &x, const R &y) {
        return x + y;
    }
};

inline constexpr int chain_steps = 512;

template <class Step, class R>
WARPINT_HOST_DEVICE auto chain_value(R x, const R &y) {
    for (int i = 0; i < chain_steps; ++i)
        x = Step::of(x, y);
    return x.value();
}

template <class Step, int Bits>
struct ResidueFunction {
    Modulus<Bits> m;
    WARPINT_HOST_DEVICE BigInt<Bits> operator()(const BigInt<Bits> &a,
                                                const BigInt<Bits> &b) const {
        return chain_value<Step>(m(a), m(b));
    }
};

struct ResidueChain : FormulaDefaults {
    static constexpr int repeats = chain_steps;
    static constexpr const char *kind = "residues";
    WARPINT_PERF_FORMULA("x * y in registers", use_a | use_b | use_one, multiply_512_times,
                         map(ResidueFunction<MultiplyStep, X::bits>{x.modulus}, x.a, x.b))
    static constexpr MultiplyAdds multiply_adds = work::modular_product;
    static double effort(int bits) { return repeats * work::modular_product(bits, 32); }
};
struct ResidueSquareChain : ResidueChain {
    WARPINT_PERF_FORMULA("sqr(x) in registers", use_a | use_b | use_one, square_512_times,
                         map(ResidueFunction<SquareStep, X::bits>{x.modulus}, x.a, x.b))
    static constexpr MultiplyAdds multiply_adds = work::modular_square;
};
struct ResidueSumChain : ResidueChain {
    WARPINT_PERF_FORMULA("x + y in registers", use_a | use_b | use_one, add_512_times,
                         map(ResidueFunction<AddStep, X::bits>{x.modulus}, x.a, x.b))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 4 * repeats * work::limbs(bits, 32); }
};
// Products modulo the prime of secp256k1, which the type knows. 256 bits only.
struct StaticResidueChain : ResidueChain {
    static constexpr auto prime = (BigInt<256>(0u) - (BigInt<256>(1u) << 32)) - 977;
    struct Function {
        WARPINT_HOST_DEVICE BigInt<256> operator()(const BigInt<256> &a,
                                                   const BigInt<256> &b) const {
            return chain_value<MultiplyStep>(StaticResidue<prime>(a), StaticResidue<prime>(b));
        }
    };
    static constexpr const char *kind = "StaticResidue";
    WARPINT_PERF_FORMULA("x * y in registers", use_a | use_b | use_one_given, multiply_512_times,
                         map(Function{}, x.a, x.b))
    static constexpr MultiplyAdds multiply_adds = work::product; // folds cost next to nothing
    template <class S>
    static void start(S &set) {
        set.x.one = prime;
    }
};

// All numbers of a vector added up, the value on the host.
struct Sum : FormulaDefaults {
    static constexpr const char *operation = "sum(a)";
    static constexpr unsigned uses = use_a;
    static constexpr Reference reference = nullptr;
    static constexpr bool has_result = false;
    template <class Place, int Bits>
    struct State {
        BigInt<Bits + 64> total{};
    };
    template <class S>
    static void run(S &set) {
        set.state.total = sum(set.x.a);
    }
    template <class S>
    static void spoil(S &set) {
        set.state.total = {};
    }
    template <class S>
    static Check compare(S &set, std::size_t) {
        return check_sum(S::device, numbers(set.x.a), set.state.total.limbs, S::Number::bits + 64);
    }
};

// A sorted copy.
struct Sort : FormulaDefaults {
    static constexpr const char *operation = "sort(a)";
    static constexpr unsigned uses = use_a;
    static constexpr Reference reference = nullptr;
    static double effort(int bits) { return 100 * work::limbs(bits, 32); }
    template <class S>
    static void run(S &set) {
        set.result = set.x.a;
        sort(set.result);
    }
    template <class S>
    static Check compare(S &set, std::size_t) {
        return check_sorted(S::device, numbers(set.x.a), numbers(set.result));
    }
};

// Decimal text of all elements, as strings of the host.
struct ToStrings : FormulaDefaults {
    static constexpr const char *operation = "to_strings(a)";
    static constexpr unsigned uses = use_a;
    static constexpr Reference reference = nullptr;
    static constexpr bool has_result = false;
    template <class Place, int Bits>
    struct State {
        std::vector<std::string> lines;
    };
    template <class S>
    static void run(S &set) {
        set.state.lines = to_strings(set.x.a);
    }
    template <class S>
    static void spoil(S &set) {
        set.state.lines.clear();
    }
    template <class S>
    static Check compare(S &set, std::size_t most) {
        return check_text(S::device, numbers(set.x.a), set.state.lines, most);
    }
};
// And from text, a number a line.
struct AssignText : FormulaDefaults {
    static constexpr const char *operation = "assign_text";
    static constexpr unsigned uses = use_a;
    static constexpr Reference reference = reference::copy;
    template <class Place, int Bits>
    struct State {
        std::string text;
    };
    template <class S>
    static void start(S &set) {
        for (const std::string &line : to_strings(set.x.a))
            set.state.text += line + '\n';
    }
    template <class S>
    static void run(S &set) {
        set.result.assign_text(set.state.text);
    }
};

#if defined(WARPINT_PERF_HAS_GMP)
// One RSA key's private operation by the Chinese remainder theorem, without padding.
struct RsaPrivate : FormulaDefaults {
    static constexpr const char *operation = "RSA private";
    static constexpr const char *kind = "Modulus";
    static constexpr unsigned uses = use_a_below | use_one_given | use_exponent;
    static constexpr Reference reference = reference::power;
    static constexpr double patience = 4;
    static constexpr bool power = true;
    WARPINT_PERF_WORK(rsa_private)
    template <class Place, int Bits>
    struct State {
        static constexpr int half = Bits / 2;
        Modulus<half> p{1u}, q{1u};
        BigInt<half> dp{}, dq{}, coefficient{};
        typename Place::template Vector<BigInt<half>> m1, m2;
    };
    template <class S>
    static void start(S &set) {
        using Half = std::remove_reference_t<decltype(set.state.dp)>;
        const RsaKey key = rsa_key(S::Number::bits);
        const auto take = [](auto &number, const std::vector<std::uint32_t> &limbs) {
            std::copy(limbs.begin(), limbs.end(), number.limbs);
        };
        take(set.x.one, key.n);
        take(set.x.exponent, key.d);
        take(set.state.dp, key.dp);
        take(set.state.dq, key.dq);
        take(set.state.coefficient, key.coefficient);
        Half prime{};
        take(prime, key.p);
        set.state.p = Modulus<Half::bits>(prime);
        take(prime, key.q);
        set.state.q = Modulus<Half::bits>(prime);
    }
    template <class S>
    static void run(S &set) {
        auto &s = set.state;
        s.m1 = pow(set.x.a, s.dp, s.p);
        s.m2 = pow(set.x.a, s.dq, s.q);
        evaluate(s.m2 + (s.m1 - s.m2) * s.coefficient % s.p * s.q.value(), set.result);
    }
};
#endif

// Diffie-Hellman's public numbers: one base and modulus, an exponent each.
struct PowerOfTwo : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    static constexpr double patience = 4;
    static constexpr bool power = true;
    WARPINT_PERF_FORMULA("pow(2, e, m)", use_e | use_one, power_of_two,
                         pow(BigInt<X::bits>(2), x.e, x.modulus))
    static constexpr MultiplyAdds multiply_adds = nullptr; // depends on the comb
    static double effort(int bits) { return work::power(bits, 32) / 3; }
};

// Formulas in other clothes
// --------------------------------------------------------------------------

// Over numbers one by one, in a loop on each core: what a program without vectors does.
template <class Formula>
struct Loop : Formula {
    static constexpr const char *kind = "loop";
    template <class Place, int Bits>
    struct State {};
    template <class S>
    static void run(S &set) {
        const double work = Formula::effort(S::Number::bits);
        on_all_cores(set.count, work, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                set.result.data()[i] =
                    static_cast<typename S::Result>(Formula::formula(Element<S>(set, i)));
            }
        });
    }
    template <class S>
    struct Element {
        static constexpr int bits = S::Number::bits;
        const typename S::Number &a, &b, &e, &m;
        Element(const S &set, std::size_t i)
            : a(at<use_any_a>(set.x.a, i)), b(at<use_any_b>(set.x.b, i)), e(at<use_e>(set.x.e, i)),
              m(at<use_m>(set.x.m, i)) {}
        template <unsigned flag, class V>
        static const typename S::Number &at(const V &v, std::size_t i) {
            static const typename S::Number none{};
            if constexpr ((Formula::uses & flag) != 0)
                return v.data()[i];
            return none;
        }
    };
};

// Over limbs in rows: limb 0 of all numbers, then limb 1.
template <class Formula>
struct LimbMajor : Formula {
    static constexpr const char *layout = "limb-major";
    template <class Place, int Bits>
    struct State {
        typename Place::template Vector<std::uint32_t> a, b, r;
    };
    template <class T, class S>
    static auto view(S &set, decltype(set.state.a) &rows) {
        return batch_view<T, S::space, limb_major>(rows.data(), set.count);
    }
    template <class S>
    struct Rows {
        static constexpr int bits = S::Number::bits;
        batch_view<typename S::Number, S::space, limb_major> a, b;
        const typename S::Number &one;
        const Modulus<bits> &modulus;
    };
    template <class S>
    static auto formula_of(S &set) {
        using Number = typename S::Number;
        return Formula::formula(
            Rows<S>{view<Number>(set, set.state.a),
                    view<Number>(set, (Formula::uses & use_any_b) != 0 ? set.state.b : set.state.a),
                    set.x.one, set.x.modulus});
    }
    template <class S>
    static void start(S &set) {
        using Number = typename S::Number;
        const auto spread = [&](const auto &from, auto &rows) {
            if (from.size() == 0)
                return;
            rows.resize(set.count * static_cast<std::size_t>(Number::limb_count));
            evaluate(from + 0u, view<Number>(set, rows));
        };
        spread(set.x.a, set.state.a);
        spread(set.x.b, set.state.b);
        set.state.r.resize(set.count * static_cast<std::size_t>(S::Result::limb_count));
    }
    template <class S>
    static void run(S &set) {
        evaluate(formula_of(set), view<typename S::Result>(set, set.state.r));
    }
    template <class S>
    static void spoil(S &set) {
        perf::spoil(S::device, set.state.r.data(), set.state.r.size() * sizeof(std::uint32_t));
    }
    template <class S>
    static void finish(S &set) {
        set.result = view<typename S::Result>(set, set.state.r);
    }
};

#if defined(__CUDACC__)
// Over all GPUs of the machine.
template <class Formula>
struct Sharded : Formula {
    static constexpr const char *kind = "all GPUs";
    template <class Place, int Bits>
    struct State {
        std::optional<sharded_vector<BigInt<Bits>>> a, r;
    };
    template <class S>
    static void start(S &set) {
        set.state.a.emplace(device_group(), set.x.a.to_host());
        spoil(set);
    }
    template <class S>
    static void spoil(S &set) {
        set.state.r.emplace(device_group(), set.x.a.to_host());
    }
    template <class S>
    static void run(S &set) {
        const auto &a = *set.state.a;
        *set.state.r = a * a % set.x.modulus;
        device_group().for_each_shard([](std::size_t) { cudaDeviceSynchronize(); });
    }
    template <class S>
    static void finish(S &set) {
        set.result = typename S::template Vector<typename S::Number>(set.state.r->to_host());
    }
};
#endif

// Operands and results of one call.
template <class Place, class Formula, int Bits>
struct Set {
    template <class T>
    using Vector = typename Place::template Vector<T>;
    using Number = BigInt<Bits>;
    using Result = typename Formula::template Result<Bits>;
    static constexpr Device device = Place::device;
    static constexpr Space space = Place::space;

    std::size_t count;
    Operands<Place, Bits> x;
    Vector<Result> result;
    Vector<BigInt<Bits>> remainder;
    typename Formula::template State<Place, Bits> state;

    explicit Set(std::size_t n) : count(n) {
        const auto make = [&](auto &v, unsigned flag, Shape shape) {
            if ((Formula::uses & flag) == 0)
                return;
            using T = typename std::remove_reference_t<decltype(v)>::value_type;
            v = Vector<T>(n, uninitialized);
            fill(Place::device, numbers(v), shape);
        };
        make(x.a, use_a, Shape::full);
        make(x.a, use_a_below, Shape::below);
        make(x.b, use_b, Shape::full);
        make(x.b, use_b_below, Shape::below);
        make(x.b, use_b_half, Shape::half);
        make(x.c, use_c, Shape::full);
        make(x.e, use_e, Shape::full);
        make(x.m, use_m, Shape::odd);
        make(x.m, use_m_word, Shape::word);
        make(x.m, use_m_even, Shape::even);
        make(x.w, use_w, Shape::full);
        if constexpr ((Formula::uses & (use_one | use_one_prime)) != 0) {
            if constexpr ((Formula::uses & use_one_prime) != 0) {
                random_prime(x.one.limbs, Bits);
            } else {
                fill(Device::cpu, {x.one.limbs, 1, Bits}, Shape::odd);
            }
            x.modulus = Modulus<Bits>(x.one);
        }
        if constexpr (Formula::has_result)
            result = Vector<Result>(n, uninitialized);
        if constexpr (Formula::two_results)
            remainder = Vector<BigInt<Bits>>(n, uninitialized);
        if constexpr (requires { Formula::start(*this); })
            Formula::start(*this);
    }

    void run() {
        if constexpr (requires { Formula::run(*this); }) {
            Formula::run(*this);
        } else if constexpr (Formula::two_results) {
            tie(result, remainder) = Formula::formula(x);
        } else {
            evaluate(Formula::formula(x), result);
        }
    }

    std::string plan() {
        if constexpr (requires { Formula::formula_of(*this); }) {
            return explain(Formula::formula_of(*this)).to_string();
        } else if constexpr (requires { Formula::run(*this); }) {
            return {};
        } else if constexpr (Formula::two_results) {
            return explain(Formula::formula(x)).to_string();
        } else {
            return explain(Formula::formula(x), result).to_string();
        }
    }

    void spoil() {
        if constexpr (requires { Formula::spoil(*this); }) {
            Formula::spoil(*this);
        } else {
            perf::spoil(Place::device, result.data(), result.size() * sizeof(Result));
            perf::spoil(Place::device, remainder.data(), remainder.size() * sizeof(BigInt<Bits>));
        }
    }

    // Of what run() left.
    Check compare(std::size_t most) {
        if constexpr (requires { Formula::compare(*this, most); })
            return Formula::compare(*this, most);
        if constexpr (requires { Formula::finish(*this); })
            Formula::finish(*this);
        Batch batch;
        batch.device = Place::device;
        batch.count = count;
        batch.a = numbers(x.a);
        batch.b = numbers(x.b);
        batch.c = numbers(x.c);
        batch.e = numbers(x.e);
        batch.m = numbers(x.m);
        if constexpr ((Formula::uses & use_any_one) != 0)
            batch.m = {x.one.limbs, 1, Bits, true};
        if constexpr ((Formula::uses & use_exponent) != 0)
            batch.e = {x.exponent.limbs, 1, Bits, true};
        batch.w = numbers(x.w);
        batch.result = result.data();
        batch.result_bytes = sizeof(Result);
        batch.result_bits = std::is_same_v<Result, bool> ? 1 : static_cast<int>(8 * sizeof(Result));
        if constexpr (!std::is_same_v<Result, bool>)
            batch.result_bits = Result::bits;
        if (Formula::two_results)
            batch.remainder = remainder.data();
        return check(batch, Formula::reference, most);
    }

    [[nodiscard]] double bytes() const {
        double sum = 0;
        const auto add = [&](const auto &v) {
            sum += static_cast<double>(v.size() * sizeof(*v.data()));
        };
        add(x.a), add(x.b), add(x.c), add(x.e), add(x.m), add(x.w), add(result), add(remainder);
        return sum;
    }
};

template <class Place, class Formula, int Bits>
Prepared prepare(std::size_t count) {
    const auto set = std::make_shared<Set<Place, Formula, Bits>>(count);
    Prepared prepared;
    prepared.bytes = set->bytes();
    prepared.once = [set] { set->run(); };
    prepared.plan = [set] { return set->plan(); };
    prepared.spoil = [set] { set->spoil(); };
    prepared.check = [set](std::size_t most) { return set->compare(most); };
    return prepared;
}

struct RowOptions {
    bool quick = false;
    std::size_t count = 0; // 0: by default_count
};

// How many elements a call takes where the row does not say. Powers on GPUs: a power of two, and
// enough to fill a large one several times, though a call takes a second then.
template <class Place, class Formula, int Bits>
std::size_t count_of() {
    const std::size_t count =
        default_count(Place::device, Bits / 8.0, Formula::effort(Bits), Formula::patience);
    if (Place::device != Device::gpu || !Formula::power)
        return count;
    const std::size_t least = Bits <= 4096 ? std::size_t{1} << 16 : std::size_t{1} << 14;
    return std::max(std::bit_floor(count), least);
}

template <class Place, class Formula, int Bits>
Row make_row(RowOptions options = {}) {
    Row row;
    row.operation = Formula::operation;
    row.kind = Formula::kind;
    row.layout = Formula::layout;
    row.repeats = Formula::repeats;
    row.by = Formula::by;
    row.device = Place::device;
    row.bits = Bits;
    row.count = options.count != 0 ? options.count : count_of<Place, Formula, Bits>();
    row.quick = options.quick;
    row.multiply_adds = Formula::multiply_adds;
    row.prepare = prepare<Place, Formula, Bits>;
    return row;
}

template <class Place, class Formula, int Bits>
void add_row(RowOptions options = {}) {
    registry().push_back(make_row<Place, Formula, Bits>(options));
}

} // namespace perf
