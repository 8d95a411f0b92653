// SPDX-License-Identifier: Apache-2.0
// Numbers whose limbs lie in rows: limb 0 of all numbers, then limb 1 of all, and so on. Limb j of
// number i is limbs[j * stride + i].
#pragma once

#include "cost.h"

namespace warpint {

// Layouts of a batch_view: numbers one after another, or limbs in rows.
struct number_major;
struct limb_major;

namespace expression {

// The rows, as something to read numbers from and to write them to.
template <class T>
struct LimbRows {
    using value_type = T;
    using element_type = T;
    std::uint32_t *limbs = nullptr; // of a formula's operands only read
    std::size_t stride = 0;         // limbs from one row to the next, at least size
    std::size_t size = 0;           // numbers

    // A thread beyond the end has no number.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T load(std::size_t i) const {
        T x{};
        if (i >= size)
            return x;
        WARPINT_UNROLL(T::limb_count, 64)
        for (int j = 0; j < T::limb_count; ++j)
            x.limbs[j] = limbs[static_cast<std::size_t>(j) * stride + i];
        return x;
    }
    WARPINT_HOST_DEVICE constexpr void store(std::size_t i, const T &x) const {
        WARPINT_UNROLL(T::limb_count, 64)
        for (int j = 0; j < T::limb_count; ++j)
            limbs[static_cast<std::size_t>(j) * stride + i] = x.limbs[j];
    }

    // As a pointer to the numbers.
    struct Reference {
        const LimbRows &rows;
        std::size_t i;
        WARPINT_HOST_DEVICE constexpr void operator=(const T &x) const { rows.store(i, x); }
    };
    WARPINT_HOST_DEVICE constexpr Reference operator[](std::size_t i) const { return {*this, i}; }
};

// A view of rows in a description.
template <class T, Space space_>
struct LimbMajorLeaf {
    using value_type = T;
    using element_type = T;
    static constexpr Space space = space_;
    BatchState state; // data: the limbs
    std::size_t stride = 0;
};
template <class T, Space space>
inline constexpr bool is_description<LimbMajorLeaf<T, space>> = true;

// An element of a result in rows: what is stored there.
template <class T>
struct InLimbRows {
    T number{};
    constexpr InLimbRows() = default;
    template <class Value>
    WARPINT_HOST_DEVICE constexpr explicit InLimbRows(const Value &value)
        : number{number::to<T>(number::as_number(value))} {}
    WARPINT_HOST_DEVICE constexpr operator const T &() const { return number; }
};

inline namespace WARPINT_BACKEND {
struct LoweringTarget;
}
template <class T, Space space>
LimbRows<T> lower(const LimbMajorLeaf<T, space> &leaf, const LoweringTarget &) {
    return {static_cast<std::uint32_t *>(leaf.state.data), leaf.stride, leaf.state.size};
}

namespace operation {

// The low bits as a T: what a result in rows is made of, by a thread for each number.
template <class T>
struct NumberForRows : Streaming {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr T apply(bool &, const A &a) {
        return number::to<T>(number::as_number(a));
    }
};

} // namespace operation
} // namespace expression
} // namespace warpint
