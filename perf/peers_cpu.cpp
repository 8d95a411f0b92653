// SPDX-License-Identifier: Apache-2.0
// What one would use in place of warpint on a CPU, on all cores: GMP's mpz functions, OpenSSL's
// BIGNUMs, Boost.Multiprecision's fixed widths. Operands lie in each library's own form before the
// clock starts.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "host_threads.h"
#include "operands.h"
#include "reference.h"
#include "row.h"
#include "work.h"

#if defined(WARPINT_PERF_HAS_OPENSSL)
#include <openssl/bn.h>
#endif
#if defined(WARPINT_PERF_HAS_BOOST)
#include <boost/multiprecision/cpp_int.hpp>
#endif

namespace perf {
namespace {

// An operation that peers have, and the operands it reads.
struct Operation {
    const char *name;
    const char *kind;
    Reference reference;
    MultiplyAdds multiply_adds;
    double (*effort)(int bits); // as 32-bit multiply-adds
    int result_widths;          // of `bits` bits
    bool b, e, m, w;
    Shape modulus = Shape::odd;
};

// No call of a peer is cheaper than this.
double min_effort(double count) {
    return std::max(count, 100.0);
}
double linear_effort(int) {
    return 100;
}
double product_effort(int bits) {
    return min_effort(work::product(bits, 32));
}
double modular_effort(int bits) {
    return min_effort(4 * work::product(bits, 32));
}
double power_effort(int bits) {
    return work::power(bits, 32);
}
double short_effort(int bits) {
    return 8 * bits;
}
double gcd_effort(int bits) {
    return min_effort(50 * work::product(bits, 32));
}

constexpr Operation add{"a + b", "vector", reference::add, work::none, linear_effort,
                        1,       true,     false,          false,      false};
constexpr Operation multiply{
    "a * b", "vector", reference::multiply, work::product, product_effort, 2, true, false,
    false,   false};
constexpr Operation multiply_modulo{"a * b % m",
                                    "vector",
                                    reference::multiply_modulo,
                                    work::modular_product,
                                    modular_effort,
                                    1,
                                    true,
                                    false,
                                    true,
                                    false};
constexpr Operation power{
    "pow(a, e, m)", "vector", reference::power, work::power, power_effort, 1, false, true,
    true,           false};
constexpr Operation power_even{"pow(a, e, m), m even",
                               "vector",
                               reference::power,
                               work::power,
                               power_effort,
                               1,
                               false,
                               true,
                               true,
                               false,
                               Shape::even};
constexpr Operation divide{"divmod(w, m)",
                           "vector",
                           reference::divide_with_remainder,
                           work::reduction,
                           modular_effort,
                           1,
                           false,
                           false,
                           true,
                           true};
constexpr Operation square_root{"isqrt(a)",
                                "vector",
                                reference::square_root,
                                work::square_root,
                                modular_effort,
                                1,
                                false,
                                false,
                                false,
                                false};
constexpr Operation gcd{
    "gcd(a, b)", "vector", reference::greatest_common_divisor, nullptr, gcd_effort, 1, true, false,
    false,       false};
constexpr Operation inverse{"inverse(a, m)",
                            "vector",
                            reference::inverse,
                            nullptr,
                            gcd_effort,
                            1,
                            false,
                            false,
                            true,
                            false};
constexpr Operation power_short{"pow(a, e, m), m of 32 bits",
                                "vector",
                                reference::power,
                                nullptr,
                                short_effort,
                                1,
                                false,
                                true,
                                true,
                                false,
                                Shape::word};
constexpr Operation inverse_short{"inverse(a, m), m of 32 bits",
                                  "vector",
                                  reference::inverse,
                                  nullptr,
                                  linear_effort,
                                  1,
                                  false,
                                  false,
                                  true,
                                  false,
                                  Shape::word};

// Random operands as limbs of 32 bits.
struct Limbs {
    std::vector<std::uint32_t> a, b, e, m, w, result;
    std::size_t count;
    int bits;

    Limbs(const Operation &operation, int width, std::size_t n) : count(n), bits(width) {
        make(a, bits, Shape::full);
        if (operation.b)
            make(b, bits, Shape::full);
        if (operation.e)
            make(e, bits, Shape::full);
        if (operation.m)
            make(m, bits, operation.modulus);
        if (operation.w)
            make(w, 2 * bits, Shape::full);
    }

    [[nodiscard]] std::size_t per_number(int widths = 1) const {
        return static_cast<std::size_t>(widths) * static_cast<std::size_t>((bits + 31) / 32);
    }

    [[nodiscard]] double bytes(const Operation &operation) const {
        return 4.0 * static_cast<double>(a.size() + b.size() + e.size() + m.size() + w.size() +
                                         count * per_number(operation.result_widths));
    }

    // The results have been written to `result`.
    [[nodiscard]] Check compare(const Operation &operation, std::size_t most) {
        Batch batch;
        batch.count = count;
        batch.a = numbers(a, bits);
        batch.b = numbers(b, bits);
        batch.e = numbers(e, bits);
        batch.m = numbers(m, bits);
        batch.result = result.data();
        batch.result_bytes = 4 * per_number(operation.result_widths);
        batch.result_bits = operation.result_widths * bits;
        return check(batch, operation.reference, most);
    }

private:
    void make(std::vector<std::uint32_t> &limbs, int width, Shape shape) {
        limbs.resize(count * static_cast<std::size_t>((width + 31) / 32));
        fill(Device::cpu, numbers(limbs, width), shape);
    }
    Numbers numbers(std::vector<std::uint32_t> &limbs, int width) {
        return {limbs.empty() ? nullptr : limbs.data(), limbs.empty() ? 0 : count, width};
    }
};

Row peer(const Operation &operation, int bits, const char *by) {
    Row row;
    row.operation = operation.name;
    row.kind = operation.kind;
    row.by = by;
    row.device = Device::cpu;
    row.bits = bits;
    row.quick = bits == 256 || bits == 1024;
    row.multiply_adds = operation.multiply_adds;
    row.count = default_count(Device::cpu, 3 * bits / 8.0 + 64, operation.effort(bits),
                              operation.reference == reference::power ? 2 : 1);
    return row;
}

#if defined(WARPINT_PERF_HAS_GMP)
Prepared prepare_gmp(const Operation &operation, int bits, std::size_t count) {
    const auto elements = std::make_shared<std::vector<Element>>(count);
    Prepared prepared;
    {
        const Limbs limbs(operation, bits, count);
        prepared.bytes = limbs.bytes(operation);
        const std::size_t n = limbs.per_number();
        on_all_cores(count, 100, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                Element &x = (*elements)[i];
                const auto import = [&](mpz_t out, const std::vector<std::uint32_t> &from,
                                        std::size_t size) {
                    if (!from.empty())
                        mpz_import(out, size, -1, 4, 0, 0, from.data() + i * size);
                };
                import(x.a, limbs.a, n);
                import(x.b, limbs.b, n);
                import(x.e, limbs.e, n);
                import(x.m, limbs.m, n);
                import(x.w, limbs.w, 2 * n);
            }
        });
    }
    const double work = operation.effort(bits);
    prepared.once = [elements, work, reference = operation.reference] {
        on_all_cores(elements->size(), work, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                reference((*elements)[i]);
        });
    };
    prepared.check = [](std::size_t) { return Check{Verdict::reference, 0}; };
    return prepared;
}

void add_gmp(const Operation &operation, int bits) {
    Row row = peer(operation, bits, "GMP");
    row.prepare = [operation, bits](std::size_t count) {
        return prepare_gmp(operation, bits, count);
    };
    registry().push_back(row);
}
#endif

#if defined(WARPINT_PERF_HAS_OPENSSL)
class OpenSslNumbers {
public:
    OpenSslNumbers(const std::vector<std::uint32_t> &limbs, std::size_t per_number) {
        for (std::size_t i = 0; i < limbs.size(); i += per_number) {
            numbers_.push_back(
                BN_lebin2bn(reinterpret_cast<const unsigned char *>(limbs.data() + i),
                            static_cast<int>(4 * per_number), nullptr));
        }
    }
    explicit OpenSslNumbers(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            numbers_.push_back(BN_new());
    }
    OpenSslNumbers(const OpenSslNumbers &) = delete;
    OpenSslNumbers &operator=(const OpenSslNumbers &) = delete;
    ~OpenSslNumbers() {
        for (BIGNUM *x : numbers_)
            BN_free(x);
    }
    BIGNUM *operator[](std::size_t i) const { return numbers_[i]; }

private:
    std::vector<BIGNUM *> numbers_;
};

struct OpenSslState {
    Limbs limbs;
    OpenSslNumbers a, b, e, m, r;
    OpenSslState(const Operation &o, int width, std::size_t n)
        : limbs(o, width, n), a(limbs.a, limbs.per_number()), b(limbs.b, limbs.per_number()),
          e(limbs.e, limbs.per_number()), m(limbs.m, limbs.per_number()), r(n) {}
};
using OpenSslFunction = void (*)(const OpenSslState &, std::size_t i, BN_CTX *);

Prepared prepare_openssl(const Operation &operation, OpenSslFunction function, int bits,
                         std::size_t count) {
    const auto state = std::make_shared<OpenSslState>(operation, bits, count);
    Prepared prepared;
    prepared.bytes = state->limbs.bytes(operation);
    prepared.once = [state, function, count, work = operation.effort(bits)] {
        on_all_cores(count, work, [&](std::size_t first, std::size_t last) {
            BN_CTX *const context = BN_CTX_new();
            for (std::size_t i = first; i < last; ++i)
                function(*state, i, context);
            BN_CTX_free(context);
        });
    };
    prepared.spoil = [state, count] {
        for (std::size_t i = 0; i < count; ++i)
            BN_set_word(state->r[i], 0xa5);
    };
    prepared.check = [state, operation, count](std::size_t most) {
        const std::size_t size = state->limbs.per_number(operation.result_widths);
        state->limbs.result.assign(count * size, 0);
        for (std::size_t i = 0; i < count; ++i) {
            BN_bn2lebinpad(state->r[i],
                           reinterpret_cast<unsigned char *>(state->limbs.result.data() + i * size),
                           static_cast<int>(4 * size));
        }
        return state->limbs.compare(operation, most);
    };
    return prepared;
}

void add_openssl(const Operation &operation, int bits, OpenSslFunction function) {
    Row row = peer(operation, bits, "OpenSSL");
    row.prepare = [operation, function, bits](std::size_t count) {
        return prepare_openssl(operation, function, bits, count);
    };
    registry().push_back(row);
}
#endif

#if defined(WARPINT_PERF_HAS_BOOST)
template <unsigned Bits>
using BoostNumber = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    Bits, Bits, boost::multiprecision::unsigned_magnitude, boost::multiprecision::unchecked, void>>;

// Function: a template over the width, called with numbers of that width.
template <unsigned Bits, class Result, class Function>
Prepared prepare_boost(const Operation &operation, std::size_t count, const Function &function) {
    using Number = BoostNumber<Bits>;
    struct State {
        Limbs limbs;
        std::vector<Number> a, b, e, m;
        std::vector<Result> r;
        State(const Operation &o, std::size_t n)
            : limbs(o, Bits, n), a(read(limbs.a)), b(read(limbs.b)), e(read(limbs.e)),
              m(read(limbs.m)), r(n) {}
        static std::vector<Number> read(const std::vector<std::uint32_t> &from) {
            std::vector<Number> numbers(from.size() / (Bits / 32));
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const auto first = from.begin() + static_cast<std::ptrdiff_t>(i * (Bits / 32));
                import_bits(numbers[i], first, first + Bits / 32, 32, false);
            }
            return numbers;
        }
    };
    const auto state = std::make_shared<State>(operation, count);
    Prepared prepared;
    prepared.bytes = state->limbs.bytes(operation);
    prepared.once = [state, function, count, work = operation.effort(Bits)] {
        on_all_cores(count, work, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                function(*state, i);
        });
    };
    prepared.spoil = [state] { std::fill(state->r.begin(), state->r.end(), Result(0xa5)); };
    prepared.check = [state, operation, count](std::size_t most) {
        const std::size_t size = state->limbs.per_number(operation.result_widths);
        state->limbs.result.assign(count * size, 0);
        for (std::size_t i = 0; i < count; ++i) {
            export_bits(state->r[i],
                        state->limbs.result.begin() + static_cast<std::ptrdiff_t>(i * size), 32,
                        false);
        }
        return state->limbs.compare(operation, most);
    };
    return prepared;
}

template <unsigned Bits>
void add_boost() {
    const auto add_row = [](const Operation &operation, auto result, auto function) {
        using Result = decltype(result);
        Row row = peer(operation, Bits, "Boost");
        row.prepare = [operation, function](std::size_t count) {
            return prepare_boost<Bits, Result>(operation, count, function);
        };
        registry().push_back(row);
    };
    add_row(add, BoostNumber<Bits>(), [](auto &x, std::size_t i) { x.r[i] = x.a[i] + x.b[i]; });
    add_row(multiply, BoostNumber<2 * Bits>(), [](auto &x, std::size_t i) {
        boost::multiprecision::multiply(x.r[i], x.a[i], x.b[i]);
    });
    add_row(multiply_modulo, BoostNumber<Bits>(), [](auto &x, std::size_t i) {
        BoostNumber<2 * Bits> product;
        boost::multiprecision::multiply(product, x.a[i], x.b[i]);
        x.r[i] = static_cast<BoostNumber<Bits>>(product % x.m[i]);
    });
    add_row(power, BoostNumber<Bits>(), [](auto &x, std::size_t i) {
        using Wide = BoostNumber<2 * Bits>; // the products of powm's squares
        x.r[i] = static_cast<BoostNumber<Bits>>(powm(Wide(x.a[i]), Wide(x.e[i]), Wide(x.m[i])));
    });
}
#endif

// std::sort on one core, of a copy.
Row sort_row() {
    using Number = std::array<std::uint32_t, 8>;
    struct State {
        std::vector<Number> before, after;
    };
    Row row;
    row.operation = "sort(a)";
    row.by = "std::sort, one core";
    row.device = Device::cpu;
    row.bits = 256;
    row.count = 200'000;
    row.prepare = [](std::size_t count) {
        const auto state = std::make_shared<State>();
        state->before.resize(count);
        const auto numbers = [](std::vector<Number> &of) {
            return Numbers{of.empty() ? nullptr : of.front().data(), of.size(), 256};
        };
        fill(Device::cpu, numbers(state->before), Shape::full);
        Prepared prepared;
        prepared.bytes = 2.0 * static_cast<double>(count * sizeof(Number));
        prepared.once = [state] {
            state->after = state->before;
            std::sort(
                state->after.begin(), state->after.end(), [](const Number &a, const Number &b) {
                    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
                });
        };
        prepared.spoil = [state] { state->after.clear(); };
        prepared.check = [state, numbers](std::size_t) {
            return check_sorted(Device::cpu, numbers(state->before), numbers(state->after));
        };
        return prepared;
    };
    return row;
}

const Registration registration{[] {
    registry().push_back(sort_row());
#if defined(WARPINT_PERF_HAS_GMP)
    for (const int bits : {128, 256, 512, 1024, 2048, 4096, 8192}) {
        for (const Operation &operation :
             {add, multiply, multiply_modulo, power, power_even, divide, square_root, gcd, inverse})
            add_gmp(operation, bits);
    }
    for (const int bits : {1024, 4096}) {
        add_gmp(power_short, bits);
        add_gmp(inverse_short, bits);
    }
    for (const int bits : {16384, 32768})
        add_gmp(multiply, bits);
#endif
#if defined(WARPINT_PERF_HAS_OPENSSL)
    for (const int bits : {256, 512, 1024, 2048, 4096}) {
        add_openssl(multiply, bits, [](const OpenSslState &x, std::size_t i, BN_CTX *context) {
            BN_mul(x.r[i], x.a[i], x.b[i], context);
        });
        add_openssl(multiply_modulo, bits,
                    [](const OpenSslState &x, std::size_t i, BN_CTX *context) {
                        BN_mod_mul(x.r[i], x.a[i], x.b[i], x.m[i], context);
                    });
        add_openssl(power, bits, [](const OpenSslState &x, std::size_t i, BN_CTX *context) {
            BN_mod_exp(x.r[i], x.a[i], x.e[i], x.m[i], context);
        });
    }
#endif
#if defined(WARPINT_PERF_HAS_BOOST)
    add_boost<256>();
    add_boost<1024>();
    add_boost<4096>();
#endif
}};

} // namespace
} // namespace perf
