// SPDX-License-Identifier: Apache-2.0
// Operators of single numbers whose other operand is as wide (kind "number op full"), one of 64
// bits ("number op narrower") or a built-in integer of 32 bits ("number op built-in"), beside
// Boost.Multiprecision and intx, whose narrower operand is an std::uint64_t. The numbers stay in
// the cache, on one core. A changed number is copied before; the row "r = a" is that copy.
#include <warpint/bigint.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "operands.h"
#include "reference.h"
#include "row.h"
#include "work.h"

#if defined(WARPINT_PERF_HAS_BOOST)
#include <boost/multiprecision/cpp_int.hpp>
#endif
#if defined(WARPINT_PERF_HAS_INTX)
#include <intx/intx.hpp>
#endif

namespace perf {
namespace {

using warpint::BigInt;

constexpr std::size_t numbers_in_cache = 64;

// A type of numbers, and the way from and to limbs of 32 bits, least significant first.
struct Type {
    int bits;
    std::size_t size;
    void (*read)(void *place, const std::uint32_t *limbs);
    void (*write)(std::uint32_t *limbs, const void *place);
};
// Of a type that is its limbs, on a little-endian machine.
template <class T>
constexpr Type type_of_limbs(int bits) {
    constexpr auto copy = [](auto *to, const auto *from) { std::memcpy(to, from, sizeof(T)); };
    return {bits, sizeof(T), copy, copy};
}
template <int Bits>
constexpr Type type_of(const BigInt<Bits> *) {
    return type_of_limbs<BigInt<Bits>>(Bits);
}
constexpr Type type_of(const unsigned *) {
    return type_of_limbs<unsigned>(32);
}
constexpr Type type_of(const std::uint64_t *) {
    return type_of_limbs<std::uint64_t>(64);
}
#if defined(WARPINT_PERF_HAS_INTX)
template <unsigned Bits>
constexpr Type type_of(const intx::uint<Bits> *) {
    return type_of_limbs<intx::uint<Bits>>(static_cast<int>(Bits));
}
#endif
#if defined(WARPINT_PERF_HAS_BOOST)
namespace multiprecision = boost::multiprecision;
template <unsigned Bits>
using BoostNumber = multiprecision::number<
    multiprecision::cpp_int_backend<Bits, Bits, multiprecision::unsigned_magnitude,
                                    multiprecision::unchecked, void>,
    multiprecision::et_off>;
// Deduced from the backend: the type of its number of bits is not that of every version.
template <class Backend>
constexpr Type type_of(const multiprecision::number<Backend, multiprecision::et_off> *) {
    using T = multiprecision::number<Backend, multiprecision::et_off>;
    constexpr int bits = std::numeric_limits<T>::digits;
    return {bits, sizeof(T),
            [](void *place, const std::uint32_t *limbs) {
                import_bits(*new (place) T, limbs, limbs + bits / 32, 32, false);
            },
            [](std::uint32_t *limbs, const void *place) {
                std::memset(limbs, 0, bits / 8); // leading zeros are not written
                export_bits(*static_cast<const T *>(place), limbs, 32, false);
            }};
}
#endif

struct Operator {
    const char *name;
    Reference reference;
};
// The results of so many operations.
using Run = void (*)(void *r, const void *a, const void *b, std::size_t count);

// Numbers of a type, as limbs and as they are.
struct Values {
    Type type;
    std::vector<std::uint32_t> limbs;
    std::vector<unsigned char> memory;

    Values(const Type &t, std::size_t count)
        : type(t), limbs(count * static_cast<std::size_t>(t.bits / 32)),
          memory(count * t.size + alignment) {
        fill(Device::cpu, numbers(), Shape::full);
        for (std::size_t i = 0; i < count; ++i)
            type.read(place() + i * type.size, limbs_of(i));
    }
    [[nodiscard]] std::size_t per_number() const {
        return static_cast<std::size_t>(type.bits / 32);
    }
    [[nodiscard]] std::uint32_t *limbs_of(std::size_t i) { return limbs.data() + i * per_number(); }
    [[nodiscard]] Numbers numbers() {
        return {limbs.data(), limbs.size() / per_number(), type.bits};
    }
    [[nodiscard]] unsigned char *place() {
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (alignment - address % alignment);
    }

private:
    static constexpr std::size_t alignment = 64;
};

Prepared prepare(const Type &r, const Type &a, const Type &b, Reference reference, Run run,
                 std::size_t count) {
    struct State {
        Values r, a, b;
    };
    const auto state =
        std::make_shared<State>(State{Values(r, count), Values(a, count), Values(b, count)});
    Prepared prepared;
    prepared.bytes = static_cast<double>(count * (r.size + a.size + b.size));
    prepared.once = [state, run, count] {
        run(state->r.place(), state->a.place(), state->b.place(), count);
    };
    prepared.spoil = [state, count] {
        const std::vector<std::uint32_t> wrong(state->r.per_number(), 0x5a5a5a5a);
        for (std::size_t i = 0; i < count; ++i)
            state->r.type.read(state->r.place() + i * state->r.type.size, wrong.data());
    };
    prepared.check = [state, reference, count](std::size_t most) {
        Values &result = state->r;
        for (std::size_t i = 0; i < count; ++i)
            result.type.write(result.limbs_of(i), result.place() + i * result.type.size);
        Batch batch;
        batch.count = count;
        batch.a = state->a.numbers();
        batch.b = state->b.numbers();
        batch.result = result.limbs.data();
        batch.result_bytes = 4 * result.per_number();
        batch.result_bits = result.type.bits;
        return check(batch, reference, most);
    };
    return prepared;
}

void add_row(const Operator &operation, const char *kind, const char *by, const Type &r,
             const Type &a, const Type &b, Run run) {
    Row row;
    row.operation = operation.name;
    row.kind = kind;
    row.by = by;
    row.device = Device::cpu;
    row.bits = a.bits;
    row.count = numbers_in_cache;
    row.quick = a.bits == 256 || a.bits == 4096;
    row.multiply_adds = work::none;
    row.prepare = [r, a, b, run, reference = operation.reference](std::size_t count) {
        return prepare(r, a, b, reference, run, count);
    };
    registry().push_back(row);
}

// function(r, a, b) leaves the result in r.
template <class R, class A, class B, class Function>
void add_operator(const Operator &operation, const char *kind, const char *by, Function) {
    add_row(operation, kind, by, type_of(static_cast<R *>(nullptr)),
            type_of(static_cast<A *>(nullptr)), type_of(static_cast<B *>(nullptr)),
            [](void *r, const void *a, const void *b, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) {
                    Function{}(static_cast<R *>(r)[i], static_cast<const A *>(a)[i],
                               static_cast<const B *>(b)[i]);
                }
            });
}

template <class A, class B>
void add_operators(const char *kind, const char *by) {
    add_operator<A, A, B>({"a += b", reference::add}, kind, by, [](A &r, const A &a, const B &b) {
        r = a;
        r += b;
    });
    add_operator<A, A, B>({"a *= b", reference::multiply}, kind, by,
                          [](A &r, const A &a, const B &b) {
                              r = a;
                              r *= b;
                          });
    add_operator<unsigned, A, B>({"a < b", reference::less}, kind, by,
                                 [](unsigned &r, const A &a, const B &b) { r = a < b; });
    add_operator<A, A, B>({"a | b", reference::disjunction}, kind, by,
                          [](A &r, const A &a, const B &b) { r = a | b; });
    if constexpr (!std::is_same_v<A, B>)
        add_operator<A, A, B>({"a / b", reference::divide}, kind, by,
                              [](A &r, const A &a, const B &b) { r = a / b; });
}

template <class A, int Bits>
void add_peer(const char *by) {
    if constexpr (Bits > 64)
        add_operators<A, std::uint64_t>("number op narrower", by);
    add_operators<A, unsigned>("number op built-in", by);
}

template <int Bits>
void add_width() {
    using A = BigInt<Bits>;
    add_operator<A, A, A>({"r = a", reference::copy}, "number op full", "warpint",
                          [](A &r, const A &a, const A &) { r = a; });
    add_operators<A, A>("number op full", "warpint");
    if constexpr (Bits > 64)
        add_operators<A, BigInt<64>>("number op narrower", "warpint");
    add_operators<A, unsigned>("number op built-in", "warpint");
#if defined(WARPINT_PERF_HAS_BOOST)
    add_peer<BoostNumber<static_cast<unsigned>(Bits)>, Bits>("Boost");
#endif
#if defined(WARPINT_PERF_HAS_INTX)
    if constexpr (Bits > 64)
        add_peer<intx::uint<static_cast<unsigned>(Bits)>, Bits>("intx");
#endif
}

const Registration registration{[] {
    add_width<64>();
    add_width<256>();
    add_width<1024>();
    add_width<4096>();
    add_width<16384>();
}};

} // namespace
} // namespace perf
