// SPDX-License-Identifier: Apache-2.0
// Results: where the body of a batched test leaves its results, on host and device. Each element of
// a batch has one record, a row of slots; a slot says which result it holds and of which type, and
// has guard bytes on both sides, so that a result written out of bounds is seen. The oracles find
// results by their names, and read them without knowing any type.
#pragma once

#include "../support/type.h"

#include <warpint/number/storage.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

// In a body with its results in `out`: stores the value of an expression under this name, or under
// the expression's own text.
#define BATCH_TEST_NAMED(name, ...)                                                                \
    ::new (out.template slot<std::remove_cvref_t<decltype(__VA_ARGS__)>>(name)) auto(__VA_ARGS__)
#define BATCH_TEST_RESULT(...) BATCH_TEST_NAMED(#__VA_ARGS__, __VA_ARGS__)

namespace batch_test {

using test::Type;

template <class T>
inline constexpr Type type_of{warpint::number::bits_of<T>, warpint::number::signed_of<T>};

/// Operands of an element beside its numbers: shift counts, bit positions and the like.
struct Parameters {
    std::int32_t shift;    // in [0, bits + 70)
    std::int32_t position; // in [0, bits)
    std::int32_t count;    // in [0, bits + 3)
    std::int32_t carry;    // 0 or 1
};

/// Every byte of a record that no result covers.
inline constexpr unsigned char guard_byte = 0xa5;
/// Alignment of a slot's parts, and the bytes before and after the value.
inline constexpr std::size_t slot_unit = 16;

WARPINT_HOST_DEVICE constexpr std::size_t round_to_unit(std::size_t size) {
    return (size + slot_unit - 1) / slot_unit * slot_unit;
}

/// The name of a result, as slots have it: a hash, since device code keeps no text.
WARPINT_HOST_DEVICE constexpr std::uint32_t hash_of_name(const char *text) {
    std::uint32_t hash = 2166136261u; // FNV-1a
    for (; *text != '\0'; ++text)
        hash = (hash ^ static_cast<std::uint32_t>(*text)) * 16777619u;
    return hash;
}
struct Name {
    std::uint32_t hash;
    consteval Name(const char *text) : hash(hash_of_name(text)) {}
};

/// What stands before a value.
struct SlotHeader {
    std::uint32_t name; // hash_of_name()
    std::uint32_t type; // 2 bits + is_signed
    std::uint32_t size; // of the value, in bytes
    std::uint32_t guard;
};
static_assert(sizeof(SlotHeader) == slot_unit);

class Results {
public:
    /// Writes slots from `begin` on, which is aligned to slot_unit and filled with guard_byte.
    WARPINT_HOST_DEVICE explicit Results(unsigned char *begin) : begin_(begin), end_(begin) {}

    /// Memory for the value of this name, a T: `new (results.slot<T>("a + b")) T(a + b)` lets the
    /// expression write its result there directly. Parts of one result may share its name: they are
    /// checked in the order in which they were stored.
    template <class T>
    WARPINT_HOST_DEVICE void *slot(Name name) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= slot_unit);
        auto *header = reinterpret_cast<SlotHeader *>(end_);
        header->name = name.hash;
        header->type = 2u * static_cast<std::uint32_t>(type_of<T>.bits) + type_of<T>.is_signed;
        header->size = static_cast<std::uint32_t>(sizeof(T));
        unsigned char *const value = end_ + slot_unit;
        end_ = value + round_to_unit(sizeof(T)) + slot_unit;
        return value;
    }

    /// Stores x, and returns what was stored: operands of compound assignments.
    template <class T>
    WARPINT_HOST_DEVICE T &copy(Name name, const T &x) {
        return *::new (slot<T>(name)) T(x);
    }

    WARPINT_HOST_DEVICE std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

private:
    unsigned char *begin_;
    unsigned char *end_;
};

} // namespace batch_test
