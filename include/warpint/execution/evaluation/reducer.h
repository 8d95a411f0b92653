// SPDX-License-Identifier: Apache-2.0
// What reductions fold elements into. A reducer is a trivially copyable object:
//
//   Accumulator        trivially copyable, whole words of 32 bits
//   identity()         of no elements
//   add(r, value)      folds an element's value into r
//   combine(r, other)  folds another accumulator into r; the order of elements does not matter
//   finish(r, count)   what the reduction of `count` elements gives (host)
#pragma once

#include "../../expression/operation.h"

namespace warpint::execution {

// The exact sum: 64 bits more than the values have are enough for 2^64 of them.
template <AnyNumber Value>
struct SumReducer {
    using Accumulator = number::select_type<number::bits_of<Value> + 64, number::signed_of<Value>>;

    WARPINT_HOST_DEVICE constexpr Accumulator identity() const { return Accumulator{}; }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add(Accumulator &r, const Value &x) const {
        number::add_in_place(r, number::to<Accumulator>(number::as_number(x)));
    }
    WARPINT_HOST_DEVICE constexpr void combine(Accumulator &r, const Accumulator &other) const {
        number::add_in_place(r, other);
    }
    [[nodiscard]] Accumulator finish(const Accumulator &r, std::size_t) const { return r; }
};

// The product modulo m. Odd m: Montgomery products x y / R of plain numbers, one for each element;
// R^(count - 1) makes up for them in the end. Even m: Barrett's.
template <AnyNumber Value, int Bits>
struct ProductReducer {
    using Accumulator = BigInt<Bits>;
    Modulus<Bits> modulus;

    // The neutral element: R mod m, or 1 mod m.
    WARPINT_HOST_DEVICE constexpr Accumulator identity() const {
        Accumulator r{};
        if (modulus.is_odd()) {
            arith::copy<Accumulator::limb_count>(r.limbs, modulus.odd_part().one);
        } else {
            r.limbs[0] = 1; // an even modulus is at least 2
        }
        return r;
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add(Accumulator &r, const Value &x) const {
        if constexpr (!number::signed_of<Value> && number::bits_of<Value> <= Bits) {
            combine(r, number::to<Accumulator>(number::as_number(x)));
        } else {
            combine(r, Accumulator(number::as_number(x) % modulus));
        }
    }
    // r < m; other of any size.
    WARPINT_HOST_DEVICE constexpr void combine(Accumulator &r, const Accumulator &other) const {
        if (!modulus.is_odd()) {
            r = mulmod(r, other, modulus);
            return;
        }
        constexpr int n = Modulus<Bits>::limb_count;
        constexpr int stored = Accumulator::limb_count;
        std::uint32_t x[n]{};
        std::uint32_t y[n]{};
        arith::copy<stored>(x, other.limbs);
        arith::copy<stored>(y, r.limbs);
        number::combine_residues<number::ResidueProduct>(x, x, y, modulus);
        arith::copy<stored>(r.limbs, x);
    }
    [[nodiscard]] Accumulator finish(const Accumulator &r, std::size_t count) const {
        if (!modulus.is_odd())
            return r;
        // identity() is R mod m. Without elements it is taken back to 1 mod m.
        const Accumulator one = identity();
        if (count == 0)
            return Accumulator(BigInt<1>(1u) % modulus);
        return mulmod(r, pow(one, static_cast<std::uint64_t>(count - 1), modulus), modulus);
    }
};

// The least or largest value. On input to finish(): count > 0.
template <AnyNumber Value, bool largest>
struct ExtremeReducer {
    using Number = number::big_t<Value>;
    struct Accumulator {
        Number value;
        std::uint32_t exists;
    };

    WARPINT_HOST_DEVICE constexpr Accumulator identity() const { return Accumulator{Number{}, 0}; }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add(Accumulator &r, const Value &x) const {
        take(r, number::as_number(x));
    }
    WARPINT_HOST_DEVICE constexpr void combine(Accumulator &r, const Accumulator &other) const {
        if (other.exists != 0)
            take(r, other.value);
    }
    [[nodiscard]] Value finish(const Accumulator &r, std::size_t) const {
        return static_cast<Value>(r.value);
    }

private:
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE void take(Accumulator &r, const Number &x) {
        bool better = r.exists == 0;
        if constexpr (largest) {
            better = better || number::less(r.value, x);
        } else {
            better = better || number::less(x, r.value);
        }
        if (better)
            r.value = x;
        r.exists = 1;
    }
};

// How many elements are not 0. all() and any() are made of it.
template <AnyNumber Value>
struct CountReducer {
    using Accumulator = std::uint64_t;

    WARPINT_HOST_DEVICE constexpr Accumulator identity() const { return 0; }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add(Accumulator &r, const Value &x) const {
        r += static_cast<bool>(x) ? 1u : 0u;
    }
    WARPINT_HOST_DEVICE constexpr void combine(Accumulator &r, const Accumulator &other) const {
        r += other;
    }
    [[nodiscard]] std::size_t finish(const Accumulator &r, std::size_t) const {
        return static_cast<std::size_t>(r);
    }
};

// Elements without a value that a reduction met. first: an index; of no meaning if count is 0.
struct ReductionFaults {
    std::uint64_t count = 0;
    std::uint64_t first = ~std::uint64_t{0};

    WARPINT_HOST_DEVICE constexpr void note(std::uint64_t index) {
        ++count;
        first = index < first ? index : first;
    }
    WARPINT_HOST_DEVICE constexpr void join(const ReductionFaults &other) {
        count += other.count;
        first = other.first < first ? other.first : first;
    }
};

} // namespace warpint::execution
