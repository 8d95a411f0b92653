// SPDX-License-Identifier: Apache-2.0
// Groups: the lanes that hold one number. Lane l of L holds K consecutive limbs, those from l K on,
// so limb i lies in lane i / K. A group is 1, 2, 4, 8, 16 or 32 neighbours of a warp on a GPU
// (WarpGroup), or as many array elements in lock step on a host (HostGroup). The algorithms of this
// room are written once, against what both have:
//
//   word, flag, pair    a limb, a condition, two limbs, one of each in every lane: a register on a
//                       GPU, a LaneArray on a host, with the operators of built-in types
//   limb                a value that is the same in all lanes
//   chain               a carry chain in every lane (limb/lane_row.h)
//   first(), last()     whether this is lane 0, lane L - 1
//   broadcast(v, l)     lane l's value
//   from_above(v)       the next lane's value; the last lane gets lane 0's
//   from_below(v)       the lane's below; lane 0 gets an unspecified value
//   gather(v, s)        lane s(l)'s value in lane l, s a word
//   any(f), all(f)      over the lanes of the number
//   vote(f)             whether to take a branch: true if f holds in any lane that runs together
//                       with this one
//
// Branches: lanes that run together must stay together, as everything above waits for all of them.
// What runs together is the group, or (Together::warp) the whole warp, whose masks are constants.
// So an algorithm branches and loops on vote() and on what is the same for all numbers only, and
// what it does there must be right for the numbers that need it and change nothing for the others.
#pragma once

#include "../../limb/warp.h"
#include "lane_array.h"

namespace warpint::lanes {

// Which lanes of a warp are sure to call together.
enum class Together {
    number, // those of one number; other numbers of the warp may be elsewhere
    warp,   // all that have not left the kernel
};

template <int Lanes>
inline constexpr bool is_lane_count =
    Lanes == 1 || Lanes == 2 || Lanes == 4 || Lanes == 8 || Lanes == 16 || Lanes == 32;

#if WARPINT_HOSTED

// Lanes of a host group, which is always whole, that a test of the checks pretends are elsewhere.
inline std::uint64_t &absent_lanes() {
    thread_local std::uint64_t lanes = 0;
    return lanes;
}

template <int Lanes, class Limb>
class HostGroup {
    static_assert(is_lane_count<Lanes>);

public:
    static constexpr int lanes = Lanes;
    using limb = Limb;
    using word = LaneArray<Lanes, Limb>;
    using flag = LaneArray<Lanes, bool>;
    using pair = PairArray<Lanes, Limb>;
    using integer = LaneArray<Lanes, int>;
    using chain = LaneChain<Lanes, Limb>;

    word rank() const {
        return word::each([](int l) { return l; });
    }
    flag first() const {
        return flag::each([](int l) { return l == 0; });
    }
    flag last() const {
        return flag::each([](int l) { return l == Lanes - 1; });
    }
    // Of lane `source`, in [0, Lanes).
    Limb broadcast(const word &value, int source) const { return value.lane[source]; }
    bool broadcast(const flag &value, int source) const { return value.lane[source]; }
    word from_above(const word &value) const {
        return word::each([&](int l) { return value.lane[(l + 1) % Lanes]; });
    }
    word from_below(const word &value) const {
        return word::each(
            [&](int l) { return l != 0 ? value.lane[l != 0 ? l - 1 : 0] : Limb(0xa5); });
    }
    // Of the lane whose number, modulo Lanes, is in `source`.
    word gather(const word &value, const integer &source) const {
        return word::each([&](int l) { return value.lane[source.lane[l] & (Lanes - 1)]; });
    }

    // condition ? a : b.
    static word select(const flag &condition, const word &a, const word &b) {
        return word::each([&](int l) { return condition.lane[l] ? a.lane[l] : b.lane[l]; });
    }
    static word select(bool condition, const word &a, const word &b) { return condition ? a : b; }
    // Where the condition holds r = value.
    static void assign_where(const flag &condition, word &r, const word &value) {
        r = select(condition, value, r);
    }
    static word to_word(const flag &f) {
        return word::each([&](int l) { return f.lane[l] ? 1 : 0; });
    }

    // Bit place(0) + l: the condition in lane l.
    std::uint32_t ballot(const flag &condition) const {
        std::uint32_t bits = 0;
        for (int l = 0; l < Lanes; ++l)
            bits |= static_cast<std::uint32_t>(condition.lane[l]) << l;
        return bits;
    }
    // Of the bits of a ballot: this lane's, that of the last lane of the number, and all of the
    // number's, moved to bit 0 on.
    word own_bit(std::uint32_t bits) const {
        return word::each([&](int l) { return bits >> l & 1u; });
    }
    bool last_bit(std::uint32_t bits) const { return (bits >> (Lanes - 1) & 1u) != 0; }
    std::uint32_t number_bits(std::uint32_t bits) const { return bits; }

    bool any(const flag &condition) const { return ballot(condition) != 0; }
    bool all(const flag &condition) const { return !any(!condition); }
    bool vote(const flag &condition) const { return any(condition); }
    bool vote(bool condition) const { return condition; }
    // The largest value, of one per number, among those that run together.
    int largest(int value) const { return value; }
    int sum(const integer &value) const {
        int total = 0;
        for (int l = 0; l < Lanes; ++l)
            total += value.lane[l];
        return total;
    }

    // Reads and writes K words of a number of N limbs in memory, `fill` above them, by vectors of
    // several limbs if it can be done: returns whether it was.
    template <int K, int N>
    static bool load_vectors(word *, const Limb *, Limb) {
        return false;
    }
    template <int K, int N>
    static bool store_vectors(Limb *, const word *) {
        return false;
    }
    // Limb i of this lane's K limbs of the number in memory, `fill` from limb `count` on.
    template <int K>
    static word load_limb(const Limb *memory, int count, int i, Limb fill) {
        return word::each([&](int l) { return l * K + i < count ? memory[l * K + i] : fill; });
    }
    // An address of which lanes read different parts.
    template <class T>
    static const T *as_memory(const T *address) {
        return address;
    }
    template <int K>
    static void store_limb(Limb *memory, int count, int i, const word &value) {
        for (int l = 0; l < Lanes; ++l) {
            if (l * K + i < count)
                memory[l * K + i] = value.lane[l];
        }
    }
    // The place in its number, lane K + i, of limb i.
    template <int K>
    static integer place(int i) {
        return integer::each([&](int l) { return l * K + i; });
    }
    // Whether all lanes that should call together do; see absent_lanes.
    bool is_complete() const { return (absent_lanes() & ((std::uint64_t{1} << Lanes) - 1)) == 0; }
};

#endif

#if WARPINT_DEVICE_PASS

template <int Lanes, Together together>
class WarpGroup {
    static_assert(is_lane_count<Lanes>);
    using u32 = std::uint32_t;

public:
    static constexpr int lanes = Lanes;
    using limb = u32;
    using word = u32;
    using flag = bool;
    using pair = std::uint64_t;
    using integer = int;
    using chain = warpint::limb::PairChain<u32>;

    __device__ __forceinline__ u32 rank() const { return warpint::limb::warp::lane() % Lanes; }
    __device__ __forceinline__ bool first() const { return rank() == 0; }
    __device__ __forceinline__ bool last() const { return rank() == Lanes - 1; }
    __device__ __forceinline__ u32 broadcast(u32 value, int source) const {
        return shuffle(value, static_cast<u32>(source));
    }
    __device__ __forceinline__ bool broadcast(bool value, int source) const {
        return shuffle(value ? 1u : 0u, static_cast<u32>(source)) != 0;
    }
    __device__ __forceinline__ u32 from_above(u32 value) const {
        return shuffle(value, warpint::limb::warp::lane() + 1);
    }
    __device__ __forceinline__ u32 from_below(u32 value) const {
        if constexpr (Lanes == 1)
            return value;
        return warpint::limb::warp::shuffle_up<Lanes>(mask(), value);
    }
    __device__ __forceinline__ u32 gather(u32 value, int source) const {
        return shuffle(value, static_cast<u32>(source));
    }

    __device__ __forceinline__ static u32 select(bool condition, u32 a, u32 b) {
        return condition ? a : b;
    }
    __device__ __forceinline__ static void assign_where(bool condition, u32 &r, u32 value) {
        if (condition) // where r is in local memory it is not read
            r = value;
    }
    __device__ __forceinline__ static u32 to_word(bool f) { return f ? 1u : 0u; }

    __device__ __forceinline__ u32 ballot(bool condition) const {
        return warpint::limb::warp::ballot(mask(), condition);
    }
    __device__ __forceinline__ u32 own_bit(u32 bits) const {
        return bits >> warpint::limb::warp::lane() & 1u;
    }
    __device__ __forceinline__ bool last_bit(u32 bits) const {
        return (bits >> (warpint::limb::warp::lane() | (Lanes - 1)) & 1u) != 0;
    }
    __device__ __forceinline__ u32 number_bits(u32 bits) const {
        if constexpr (Lanes == 32)
            return bits;
        return bits >> base() & ones;
    }

    __device__ __forceinline__ bool any(bool condition) const {
        if constexpr (Lanes == 1)
            return condition;
        if constexpr (together == Together::number || Lanes == 32)
            return warpint::limb::warp::any(mask(), condition);
        return number_bits(ballot(condition)) != 0;
    }
    __device__ __forceinline__ bool all(bool condition) const { return !any(!condition); }
    __device__ __forceinline__ bool vote(bool condition) const {
        if constexpr (Lanes == 1 && together == Together::number)
            return condition;
        return warpint::limb::warp::any(mask(), condition);
    }
    __device__ __forceinline__ int largest(int value) const {
        if constexpr (together == Together::number)
            return value;
        return warpint::limb::warp::maximum(warpint::limb::warp::all_lanes, value);
    }
    __device__ __forceinline__ int sum(int value) const {
        for (u32 step = 1; step < Lanes; step *= 2)
            value += static_cast<int>(
                shuffle(static_cast<u32>(value), warpint::limb::warp::lane() ^ step));
        return value;
    }

    template <int K, int N>
    __device__ __forceinline__ bool load_vectors(u32 *r, const u32 *memory, u32 fill) const {
        constexpr int size = vector_limbs<K, N>;
        if constexpr (size > 1) {
#pragma unroll
            for (int i = 0; i < K; i += size) {
                if (N == K * Lanes || place<K>(i) < N) {
                    warpint::limb::warp::load_vector<size>(r + i, memory + place<K>(i));
                } else {
#pragma unroll
                    for (int j = 0; j < size; ++j)
                        r[i + j] = fill;
                }
            }
            return true;
        }
        return false;
    }
    template <int K, int N>
    __device__ __forceinline__ bool store_vectors(u32 *memory, const u32 *a) const {
        constexpr int size = vector_limbs<K, N>;
        if constexpr (size > 1) {
#pragma unroll
            for (int i = 0; i < K; i += size) {
                if (N == K * Lanes || place<K>(i) < N)
                    warpint::limb::warp::store_vector<size>(memory + place<K>(i), a + i);
            }
            return true;
        }
        return false;
    }
    template <int K>
    __device__ __forceinline__ u32 load_limb(const u32 *memory, int count, int i, u32 fill) const {
        const int place = static_cast<int>(rank()) * K + i;
        return place < count ? memory[place] : fill;
    }
    template <class T>
    __device__ __forceinline__ static const T *as_memory(const T *address) {
        return warpint::limb::warp::as_memory(address);
    }
    template <int K>
    __device__ __forceinline__ void store_limb(u32 *memory, int count, int i, u32 value) const {
        const int place = static_cast<int>(rank()) * K + i;
        if (place < count)
            memory[place] = value;
    }
    template <int K>
    __device__ __forceinline__ int place(int i) const {
        return static_cast<int>(rank()) * K + i;
    }
    __device__ __forceinline__ bool is_complete() const {
        const u32 wanted = static_cast<u32>(ones) << base();
        return (warpint::limb::warp::active() & wanted) == wanted;
    }

private:
    // Limbs of the vectors that a number of N limbs is made of, and the K of a lane: numbers of
    // whole vectors lie at multiples of their size.
    template <int K, int N>
    static constexpr int vector_limbs = N % 4 == 0 && K % 4 == 0   ? 4
                                        : N % 2 == 0 && K % 2 == 0 ? 2
                                                                   : 1;
    static constexpr u32 ones = Lanes == 32 ? ~0u : (1u << (Lanes % 32)) - 1u;

    __device__ __forceinline__ static u32 base() {
        return warpint::limb::warp::lane() & (32u - Lanes);
    }
    __device__ __forceinline__ static u32 mask() {
        if constexpr (together == Together::warp || Lanes == 32) {
            return warpint::limb::warp::all_lanes;
        } else {
            return ones << base();
        }
    }
    __device__ __forceinline__ static u32 shuffle(u32 value, u32 source) {
        if constexpr (Lanes == 1) {
            return value;
        } else {
            return warpint::limb::warp::shuffle<Lanes>(mask(), value, source);
        }
    }
};

// The group of this machine.
template <int Lanes, Together together>
using MachineGroup = WarpGroup<Lanes, together>;
#else
template <int Lanes, Together>
using MachineGroup = HostGroup<Lanes, std::uint32_t>;
#endif

// Bits Lanes - 1, 2 Lanes - 1, ... of a ballot: the last lanes of all numbers of a warp.
template <int Lanes>
inline constexpr std::uint32_t last_lanes =
    0xffffffffu / ((std::uint64_t{1} << Lanes) - 1) << (Lanes - 1);

// Carries between lanes, all of a warp's numbers in one addition: a lane that generates one gives
// it to the lane above, one that propagates hands on what it gets; no lane does both. Returns the
// carry into each lane (0 or 1); out: the carry out of the number. (The carries of g + p are those
// of the lanes: Mitchell's and Knuth's carry look-ahead on the bits of a word.)
template <class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::word
resolve_carries(const G &group, const typename G::flag &generates,
                const typename G::flag &propagates, bool &out) {
    const std::uint32_t generated = group.ballot(generates);
    const std::uint32_t propagated = group.ballot(propagates);
    constexpr std::uint32_t inner = ~last_lanes<G::lanes>;
    const std::uint32_t begun = (generated & inner) << 1;
    const std::uint32_t handed = propagated & inner;
    const std::uint32_t carries = (begun + handed) ^ handed;
    out = group.last_bit(generated | (propagated & carries));
    return group.own_bit(carries);
}

} // namespace warpint::lanes
