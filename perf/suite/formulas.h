// SPDX-License-Identifier: Apache-2.0
// The formulas that are measured, and the template that makes a row of one at a width. A source of
// a width calls add_row<Place, Formula, Bits>() for each: see CMakeLists.txt, which writes them.
#pragma once

#include <warpint/vector.h>

#include <array>
#include <memory>

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
    Number one{};            // the shared modulus as a number
    Modulus<Bits> modulus{1u};  // the same, prepared
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
    use_one = 128,      // one odd modulus for all
    use_one_prime = 256 // one prime modulus for all
};

// A formula: what it is called, what it uses, its value over operands x, GMP's function and its
// work. The members of FormulaDefaults are those that few formulas have otherwise.
struct FormulaDefaults {
    static constexpr const char *kind = "vector";
    static constexpr const char *layout = "numbers";
    static constexpr const char *by = "warpint";
    static constexpr MultiplyAdds multiply_adds = work::none; // nullptr: no limit is known
    static constexpr double patience = 1;
    static constexpr int repeats = 1; // operations of one element
    template <int Bits>
    using Result = BigInt<Bits>;
    static constexpr bool two_results = false;
    template <class Place, int Bits>
    struct State {}; // what a formula keeps beside operands and results
    static double effort(int bits) { return work::limbs(bits, 32); } // as 32-bit multiply-adds
};

// NOLINTBEGIN(bugprone-macro-parentheses): the formula is text
#define WARPINT_PERF_FORMULA(Name, title, uses_, reference_, formula_)                             \
    static constexpr const char *operation = title;                                                \
    static constexpr unsigned uses = uses_;                                                        \
    static constexpr Reference reference = reference::reference_;                                  \
    template <class X>                                                                             \
    static auto formula(const X &x) {                                                              \
        return formula_;                                                                           \
    }
#define WARPINT_PERF_WORK(count)                                                                   \
    static constexpr MultiplyAdds multiply_adds = work::count;                                     \
    static double effort(int bits) { return work::count(bits, 32); }
// NOLINTEND(bugprone-macro-parentheses)

struct Add : FormulaDefaults {
    WARPINT_PERF_FORMULA(Add, "a + b", use_a | use_b, add, x.a + x.b)
};
struct Subtract : FormulaDefaults {
    WARPINT_PERF_FORMULA(Subtract, "a - b", use_a | use_b, subtract, x.a - x.b)
};
struct Shift : FormulaDefaults {
    WARPINT_PERF_FORMULA(Shift, "a << 37", use_a, shift, x.a << 37)
};
struct Less : FormulaDefaults {
    WARPINT_PERF_FORMULA(Less, "a < b", use_a | use_b, less, x.a < x.b)
    template <int Bits>
    using Result = bool;
};
struct Multiply : FormulaDefaults {
    WARPINT_PERF_FORMULA(Multiply, "a * b", use_a | use_b, multiply, x.a * x.b)
    WARPINT_PERF_WORK(product)
    template <int Bits>
    using Result = BigInt<2 * Bits>;
};
struct Square : FormulaDefaults {
    WARPINT_PERF_FORMULA(Square, "sqr(a)", use_a, square, sqr(x.a))
    WARPINT_PERF_WORK(square)
    template <int Bits>
    using Result = BigInt<2 * Bits>;
};
struct AddModulo : FormulaDefaults {
    WARPINT_PERF_FORMULA(AddModulo, "(a + b) % m", use_a | use_b | use_m, add_modulo, (x.a + x.b) % x.m)
};
struct SubtractModulo : FormulaDefaults {
    WARPINT_PERF_FORMULA(SubtractModulo, "(a - b) % m", use_a | use_b | use_m, subtract_modulo,
                         (x.a - x.b) % x.m)
};
struct MultiplyModulo : FormulaDefaults {
    WARPINT_PERF_FORMULA(MultiplyModulo, "a * b % m", use_a | use_b | use_m, multiply_modulo,
                         x.a * x.b % x.m)
    WARPINT_PERF_WORK(modular_product)
};
struct MultiplyByNumber : FormulaDefaults {
    static constexpr const char *kind = "number";
    WARPINT_PERF_FORMULA(MultiplyByNumber, "a * b % m", use_a | use_b | use_one, multiply_modulo,
                         x.a * x.b % x.one)
    WARPINT_PERF_WORK(modular_product)
};
struct MultiplyByModulus : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA(MultiplyByModulus, "a * b % m", use_a | use_b | use_one, multiply_modulo,
                         x.a * x.b % x.modulus)
    WARPINT_PERF_WORK(modular_product)
};
struct MultiplyAddModulo : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA(MultiplyAddModulo, "(a * b + c) % m", use_a | use_b | use_c | use_one,
                         multiply_add_modulo, (x.a * x.b + x.c) % x.modulus)
    WARPINT_PERF_WORK(modular_product)
};
struct Power : FormulaDefaults {
    static constexpr double patience = 8;
    WARPINT_PERF_FORMULA(Power, "pow(a, e, m)", use_a | use_e | use_m, power, pow(x.a, x.e, x.m))
    WARPINT_PERF_WORK(power)
};
struct Power65537 : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA(Power65537, "pow(a, 65537, m)", use_a | use_one, power_65537,
                         pow(x.a, 65537, x.modulus))
    WARPINT_PERF_WORK(power_65537)
};
struct DivideWithRemainder : FormulaDefaults {
    static constexpr bool two_results = true;
    WARPINT_PERF_FORMULA(DivideWithRemainder, "divmod(w, m)", use_w | use_m, divide_with_remainder,
                         divmod(x.w, x.m))
    WARPINT_PERF_WORK(reduction)
};
struct DivideByHalf : FormulaDefaults {
    WARPINT_PERF_FORMULA(DivideByHalf, "a / b, b of half the width", use_a | use_b_half, divide, x.a / x.b)
    WARPINT_PERF_WORK(half_division)
};
struct SquareRoot : FormulaDefaults {
    WARPINT_PERF_FORMULA(SquareRoot, "isqrt(a)", use_a, square_root, isqrt(x.a))
    WARPINT_PERF_WORK(square_root)
};
struct GreatestCommonDivisor : FormulaDefaults {
    WARPINT_PERF_FORMULA(GreatestCommonDivisor, "gcd(a, b)", use_a | use_b, greatest_common_divisor,
                         gcd(x.a, x.b))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 50 * work::product(bits, 32); }
};
struct Inverse : FormulaDefaults {
    WARPINT_PERF_FORMULA(Inverse, "inverse(a, m)", use_a | use_m, inverse, inverse(x.a, x.m))
    static constexpr MultiplyAdds multiply_adds = nullptr;
    static double effort(int bits) { return 80 * work::product(bits, 32); }
};
struct InverseByModulus : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA(InverseByModulus, "inverse(a, m)", use_a | use_one_prime, inverse,
                         inverse(x.a, x.modulus))
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

// Limbs in rows: limb 0 of all numbers, then limb 1.
struct SquareModuloLimbMajor : FormulaDefaults {
    static constexpr const char *operation = "a * a % m";
    static constexpr const char *kind = "Modulus";
    static constexpr const char *layout = "limb-major";
    static constexpr unsigned uses = use_a | use_one;
    static constexpr Reference reference = reference::square_modulo;
    WARPINT_PERF_WORK(modular_square)
    template <class Place, int Bits>
    struct State {
        typename Place::template Vector<std::uint32_t> a, r;
    };
    template <class S>
    static auto view(S &set, decltype(set.state.a) &rows) {
        return batch_view<typename S::Number, S::space, limb_major>(rows.data(), set.count);
    }
    template <class S>
    static void start(S &set) {
        set.state.a.resize(set.count * static_cast<std::size_t>(S::Number::limb_count));
        set.state.r.resize(set.state.a.size());
        evaluate(set.x.a + 0u, view(set, set.state.a));
    }
    template <class S>
    static void run(S &set) {
        const auto a = view(set, set.state.a);
        evaluate(a * a % set.x.modulus, view(set, set.state.r));
    }
    template <class S>
    static void finish(S &set) {
        set.result = view(set, set.state.r);
    }
};
struct SquareModulo : FormulaDefaults {
    static constexpr const char *kind = "Modulus";
    WARPINT_PERF_FORMULA(SquareModulo, "a * a % m", use_a | use_one, square_modulo, x.a * x.a % x.modulus)
    WARPINT_PERF_WORK(modular_square)
};

// A chain of products of residues in registers: what arithmetic alone reaches, without memory.
struct ResidueChain : FormulaDefaults {
    static constexpr int repeats = 512;
    template <int Bits>
    struct Chain {
        Modulus<Bits> m;
        WARPINT_HOST_DEVICE BigInt<Bits> operator()(const BigInt<Bits> &a, const BigInt<Bits> &b) const {
            auto x = m(a);
            const auto y = m(b);
            for (int i = 0; i < repeats; ++i)
                x = x * y;
            return x.value();
        }
    };
    static constexpr const char *kind = "residues";
    static constexpr const char *operation = "x * y in registers";
    static constexpr unsigned uses = use_a | use_b | use_one;
    static constexpr Reference reference = reference::multiply_512_times;
    static constexpr MultiplyAdds multiply_adds = work::modular_product;
    static double effort(int bits) { return repeats * work::modular_product(bits, 32); }
    template <class X>
    static auto formula(const X &x) {
        return map(Chain<X::bits>{x.modulus}, x.a, x.b);
    }
};

// All numbers of a vector added up, the value on the host.
struct Sum : FormulaDefaults {
    static constexpr const char *operation = "sum(a)";
    static constexpr unsigned uses = use_a;
    static constexpr Reference reference = nullptr;
    template <class Place, int Bits>
    struct State {
        BigInt<Bits + 64> total{};
    };
    template <class S>
    static void start(S &) {}
    template <class S>
    static void run(S &set) {
        set.state.total = sum(set.x.a);
    }
    template <class S>
    static Check compare(S &set) {
        return check_sum(S::device, {reinterpret_cast<std::uint32_t *>(set.x.a.data()), set.count, S::Number::bits},
                         set.state.total.limbs, S::Number::bits + 64);
    }
};

#undef WARPINT_PERF_FORMULA
#undef WARPINT_PERF_WORK

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

    Set(std::size_t n, std::uint64_t seed) : count(n) {
        const auto make = [&](auto &v, unsigned flag, Shape shape, std::uint64_t part) {
            if ((Formula::uses & flag) == 0)
                return;
            using T = typename std::remove_reference_t<decltype(v)>::value_type;
            v = Vector<T>(n, uninitialized);
            fill(Place::device, numbers(v), shape, 8 * seed + part);
        };
        make(x.a, use_a, Shape::full, 0);
        make(x.b, use_b, Shape::full, 1);
        make(x.b, use_b_half, Shape::half, 1);
        make(x.c, use_c, Shape::full, 2);
        make(x.e, use_e, Shape::full, 3);
        make(x.m, use_m, Shape::odd, 4);
        make(x.w, use_w, Shape::full, 5);
        if constexpr ((Formula::uses & (use_one | use_one_prime)) != 0) {
            if constexpr ((Formula::uses & use_one_prime) != 0) {
                random_prime(x.one.limbs, Bits, seed);
            } else {
                fill(Device::cpu, {x.one.limbs, 1, Bits}, Shape::odd, seed);
            }
            x.modulus = Modulus<Bits>(x.one);
        }
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

    Check compare() {
        if constexpr (requires { Formula::compare(*this); })
            return Formula::compare(*this);
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
        if constexpr ((Formula::uses & (use_one | use_one_prime)) != 0)
            batch.m = {x.one.limbs, 1, Bits};
        batch.w = numbers(x.w);
        batch.result = result.data();
        batch.result_bytes = sizeof(Result);
        batch.result_bits = std::is_same_v<Result, bool> ? 1 : static_cast<int>(8 * sizeof(Result));
        if constexpr (!std::is_same_v<Result, bool>)
            batch.result_bits = Result::bits;
        if (Formula::two_results)
            batch.remainder = remainder.data();
        return check(batch, Formula::reference);
    }

    [[nodiscard]] double bytes() const {
        double sum = static_cast<double>(count * sizeof(Result));
        const auto add = [&](const auto &v) {
            sum += static_cast<double>(v.size() * sizeof(*v.data()));
        };
        add(x.a), add(x.b), add(x.c), add(x.e), add(x.m), add(x.w), add(remainder);
        return sum;
    }

private:
    template <class V>
    static Numbers numbers(V &v) {
        using T = typename V::value_type;
        if (v.size() == 0)
            return {};
        return {reinterpret_cast<std::uint32_t *>(v.data()), v.size(), T::bits};
    }
};

// Several sets in turn, so that a small batch does not find its operands in a cache.
template <class Place, class Formula, int Bits>
Prepared prepare(std::size_t count) {
    using OneSet = Set<Place, Formula, Bits>;
    struct Sets {
        std::vector<std::unique_ptr<OneSet>> all;
        std::size_t next = 0;
    };
    const auto sets = std::make_shared<Sets>();
    sets->all.push_back(std::make_unique<OneSet>(count, 1));
    const double bytes = sets->all[0]->bytes();
    const double beyond_caches = Place::device == Device::gpu ? 2e8 : 6e7;
    while (count > 1 && sets->all.size() < 6 &&
           bytes * static_cast<double>(sets->all.size()) < beyond_caches)
        sets->all.push_back(std::make_unique<OneSet>(count, 1 + sets->all.size()));
    Prepared prepared;
    prepared.bytes = bytes;
    prepared.once = [sets] { sets->all[sets->next++ % sets->all.size()]->run(); };
    prepared.plan = [sets] { return sets->all[0]->plan(); };
    prepared.check = [sets] {
        sets->all[0]->run();
        return sets->all[0]->compare();
    };
    return prepared;
}

struct RowOptions {
    bool quick = false;
    std::size_t count = 0; // 0: by default_count
    const char *paper = "";
};

template <class Place, class Formula, int Bits>
Row make_row(RowOptions options = {}) {
    Row row;
    row.operation = Formula::operation;
    row.kind = Formula::kind;
    row.layout = Formula::layout;
    row.repeats = Formula::repeats;
    row.by = Formula::by;
    row.paper = options.paper;
    row.device = Place::device;
    row.bits = Bits;
    row.count = options.count != 0
                    ? options.count
                    : default_count(Place::device, Bits / 8.0, Formula::effort(Bits), Formula::patience);
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
