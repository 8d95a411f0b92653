// SPDX-License-Identifier: Apache-2.0
// One number over several lanes of a warp: the types, and conversions.
#pragma once

#include "../../arith/lanes/move.h"
#include "../../bigint.h"
#include "../kinds.h"

namespace warpint {

using lanes::Together;

// A number over several lanes; write WarpInt<Bits, Lanes> or SignedWarpInt<Bits, Lanes>.
template <int Bits, int Lanes, Together together, bool Signed>
struct BasicWarpInt;

namespace warp_int {

// Words per lane of a number: an even number, because products work on pairs.
template <int Bits, int Lanes>
inline constexpr int word_count = (number::limb_count<Bits> + 2 * Lanes - 1) / (2 * Lanes) * 2;

template <int Bits, int Lanes, Together together, bool Signed>
using Number = BasicWarpInt<Bits, Lanes, together, Signed>;

// What the functions of number/kinds.h call (kind.h).
template <int Lanes, Together together>
struct LaneFunctions;

} // namespace warp_int

namespace number {

// Numbers over lanes as a kind of numbers: the rules of arithmetic are those of BigInt.
template <int Bits, int Lanes, Together mode, bool Signed>
struct kind<BasicWarpInt<Bits, Lanes, mode, Signed>> {
    static constexpr bool together = true;
    using scalar = select_type<Bits, Signed>;
    template <class Scalar>
    using number_t =
        BasicWarpInt<traits<big_t<Scalar>>::bits, Lanes, mode, traits<big_t<Scalar>>::is_signed>;
    using functions = warp_int::LaneFunctions<Lanes, mode>;
};

} // namespace number

// WarpInt or SignedWarpInt of any width.
template <class T>
concept WarpNumber = number::RunsTogether<std::remove_cvref_t<T>>;

namespace warp_int {

using number::scalar_t;
using number::to;

// x as a number over the lanes of A and B, at its own width.
template <class A, class B, number::Held T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE auto as_number(const T &x) {
    return number::in_kind<number::kind_of<A, B>>(x);
}

} // namespace warp_int

template <int Bits, int Lanes, Together together, bool Signed>
struct BasicWarpInt {
    static_assert(Bits >= 1, "WarpInt<Bits, Lanes>: Bits must be at least 1");
    static_assert(warpint::lanes::is_lane_count<Lanes>,
                  "WarpInt<Bits, Lanes>: Lanes must be 1, 2, 4, 8, 16 or 32");
    static constexpr int bits = Bits;
    static constexpr int lanes = Lanes;
    static constexpr bool is_signed = Signed;
    static constexpr int limb_count = number::limb_count<Bits>;
    static constexpr int limbs_per_lane = warp_int::word_count<Bits, Lanes>;
    // The name before.
    [[deprecated("limbs_per_lane")]] static constexpr int words_per_lane = limbs_per_lane;
    using plain = number::select_type<Bits, Signed>;
    using group = warpint::lanes::MachineGroup<Lanes, together>;
    using word = typename group::word;

    // Each lane holds the limbs from rank * limbs_per_lane on. Bits from Bits on, to the top of the
    // lanes, are zero, or copies of the sign.
    word words[limbs_per_lane];

    BasicWarpInt() = default;

    // Loads a number from memory.
    WARPINT_HOST_DEVICE explicit BasicWarpInt(const plain *memory) {
        const group g;
        WARPINT_ASSERT(g.is_complete()); // half of the lanes of a number, or less
        if constexpr (Signed) {
            const std::uint32_t top = memory->limbs[limb_count - 1];
            warpint::lanes::load<limbs_per_lane, limb_count>(g, words, memory->limbs,
                                                             0u - (top >> 31));
        } else {
            warpint::lanes::load<limbs_per_lane, limb_count>(g, words, memory->limbs);
        }
    }
    WARPINT_HOST_DEVICE static BasicWarpInt load(const plain *memory) {
        return BasicWarpInt(memory);
    }
    // Stores the number to memory.
    WARPINT_HOST_DEVICE void store(plain *memory) const {
        const group g;
        WARPINT_ASSERT(g.is_complete());
        warpint::lanes::store<limbs_per_lane, limb_count>(g, memory->limbs, words);
    }

    // From a number that all lanes hold. Widening is implicit, as is storing an expression;
    // narrowing a named number is explicit.
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE BasicWarpInt(T value) {
        set(number::big_t<T>(value));
    }
    template <BigNumber T>
    WARPINT_HOST_DEVICE explicit(!std::is_convertible_v<const T &, plain>)
        BasicWarpInt(const T &value) {
        set(value);
    }
    template <BigNumber T>
        requires(!std::is_convertible_v<const T &, plain> && !std::is_reference_v<T> &&
                 !std::is_const_v<T>)
    WARPINT_HOST_DEVICE BasicWarpInt(T &&value) {
        set(value);
    }
    // A number of another width or sign over the same lanes, by the same rules.
    template <int Other, bool OtherSigned>
        requires(!(Other == Bits && OtherSigned == Signed))
    WARPINT_HOST_DEVICE explicit(
        !std::is_convertible_v<const number::select_type<Other, OtherSigned> &, plain>)
        BasicWarpInt(const BasicWarpInt<Other, Lanes, together, OtherSigned> &other) {
        convert(other);
    }
    template <int Other, bool OtherSigned>
        requires(!(Other == Bits && OtherSigned == Signed) &&
                 !std::is_convertible_v<const number::select_type<Other, OtherSigned> &, plain>)
    WARPINT_HOST_DEVICE BasicWarpInt(BasicWarpInt<Other, Lanes, together, OtherSigned> &&other) {
        convert(other);
    }

    // The whole number in every lane. Costs a shuffle per limb and as many registers.
    WARPINT_HOST_DEVICE explicit operator plain() const {
        const group g;
        plain r;
        WARPINT_UNROLL(limb_count, limb_count)
        for (int i = 0; i < limb_count; ++i)
            r.limbs[i] = g.broadcast(words[i % limbs_per_lane], i / limbs_per_lane);
        return r;
    }
    // The low bits, as a built-in integer; as bool, whether the number is not 0. The same in all
    // lanes.
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE explicit operator T() const {
        const group g;
        if constexpr (std::is_same_v<T, bool>) {
            return !warpint::lanes::is_zero<limbs_per_lane>(g, words);
        } else {
            number::select_type<static_cast<int>(sizeof(T) * 8), Signed> low;
            constexpr int count = decltype(low)::limb_count;
            constexpr int capacity = limbs_per_lane * Lanes;
            const std::uint32_t fill = is_negative() ? 0xffffffffu : 0u;
            for (int i = 0; i < count; ++i)
                low.limbs[i] = i < capacity
                                   ? g.broadcast(words[i < capacity ? i % limbs_per_lane : 0],
                                                 i < capacity ? i / limbs_per_lane : 0)
                                   : fill;
            return static_cast<T>(low);
        }
    }

    // From and to floating-point numbers, as for BigInt; every lane works on the whole number.
    template <BuiltinFloating T>
    WARPINT_HOST_DEVICE explicit BasicWarpInt(T value) {
        set(plain(value));
    }
    template <BuiltinFloating T>
    WARPINT_HOST_DEVICE explicit operator T() const {
        return static_cast<T>(static_cast<plain>(*this));
    }

    // The index, in the grid, of the number that the caller's lanes hold. Blocks must be
    // one-dimensional, with a multiple of Lanes threads. 0 on a host.
    WARPINT_HOST_DEVICE static std::size_t index() {
#if WARPINT_DEVICE_PASS
        return limb::warp::thread_index() / Lanes;
#else
        return 0;
#endif
    }
    // The number of blocks of `threads` threads that hold n numbers.
    WARPINT_HOST_DEVICE static constexpr unsigned blocks(std::size_t n, int threads) {
        const std::size_t numbers = static_cast<std::size_t>(threads / Lanes);
        return static_cast<unsigned>((n + numbers - 1) / numbers);
    }

    // Exchanges two numbers.
    friend WARPINT_HOST_DEVICE void swap(BasicWarpInt &a, BasicWarpInt &b) noexcept {
        const BasicWarpInt before = a;
        a = b;
        b = before;
    }

    WARPINT_HOST_DEVICE bool is_negative() const {
        if constexpr (Signed) {
            constexpr int top = limb_count - 1;
            return group{}.broadcast(words[top % limbs_per_lane], top / limbs_per_lane) >> 31 != 0;
        } else {
            return false;
        }
    }
    // Sets the bits from Bits on to zero, or to copies of the sign.
    WARPINT_HOST_DEVICE void normalise() {
        if constexpr (Signed) {
            constexpr int place = (Bits - 1) / 32;
            const std::uint32_t top =
                group{}.broadcast(words[place % limbs_per_lane], place / limbs_per_lane);
            warpint::lanes::set_above<limbs_per_lane, Bits>(group{}, words,
                                                            0u - (top >> ((Bits - 1) % 32) & 1u));
        } else {
            warpint::lanes::set_above<limbs_per_lane, Bits>(group{}, words, 0u);
        }
    }

private:
    template <BigNumber T>
    WARPINT_HOST_DEVICE void set(const T &value) {
        using word_type = word;
        const group g;
        const auto rank = g.template place<1>(0);
        const std::uint32_t fill = number::is_negative(value) ? 0xffffffffu : 0u;
        WARPINT_UNROLL(limbs_per_lane, limbs_per_lane)
        for (int i = 0; i < limbs_per_lane; ++i) {
            words[i] = word_type(fill);
            WARPINT_UNROLL(Lanes, Lanes)
            for (int l = 0; l < Lanes; ++l) {
                const int place = l * limbs_per_lane + i;
                if (place < T::limb_count)
                    words[i] = group::select(rank == l, word_type(value.limbs[place]), words[i]);
            }
        }
        normalise();
    }
    template <int Other, bool OtherSigned>
    WARPINT_HOST_DEVICE void
    convert(const BasicWarpInt<Other, Lanes, together, OtherSigned> &other) {
        constexpr int from = BasicWarpInt<Other, Lanes, together, OtherSigned>::limbs_per_lane;
        warpint::lanes::resize<limbs_per_lane, from>(group{}, words, other.words);
        if constexpr (OtherSigned && limbs_per_lane > from) {
            warpint::lanes::set_above<limbs_per_lane, 32 * from * Lanes>(
                group{}, words, other.is_negative() ? 0xffffffffu : 0u);
        }
        if constexpr (Other > Bits || OtherSigned != Signed)
            normalise();
    }
};

// An unsigned integer of exactly Bits bits, held by Lanes (1, 2, 4, 8, 16 or 32) neighbouring,
// aligned threads of a warp, with the operators, functions and rules of BigInt<Bits>. All lanes of
// a number must make every call together. Results of built-in type are the same in all of them.
// Different numbers of a warp may take different branches. Together::warp promises that they do
// not: all threads of the warp that have not left the kernel make every call together, so shuffles
// need not check it. On a host one thread holds the whole number.
//
//   using Wide = warpint::WarpInt<2048, 8>;
//   const std::size_t i = Wide::index();
//   if (i >= n)
//       return;                                  // the lanes of one number leave together
//   const Wide x(a + i), y(b + i), z(m + i);     // const BigInt<2048> *a, *b, *m
//   Wide(x * y % z).store(r + i);
//
// Launch the kernel with Wide::blocks(n, 128) blocks of 128 threads.
template <int Bits, int Lanes, Together together = Together::number>
using WarpInt = BasicWarpInt<Bits, Lanes, together, false>;
// A two's complement integer of exactly Bits bits (sign included); otherwise like WarpInt.
template <int Bits, int Lanes, Together together = Together::number>
using SignedWarpInt = BasicWarpInt<Bits, Lanes, together, true>;

} // namespace warpint
