// SPDX-License-Identifier: Apache-2.0
// What warpint_perf_tune measures: the widths, the batches, and for each the candidates, which are
// kernels of their own. A row of a table can choose no other.
#pragma once

#include <warpint/execution/plan/tuning/choose.h>

#include <array>
#include <cstddef>
#include <vector>

namespace perf::tune {

using warpint::TuningRow;
using warpint::execution::Cost;
using warpint::execution::KernelFamily;
using warpint::execution::Loading;
using warpint::execution::WorkKind;

struct Candidate {
    KernelFamily family = KernelFamily::thread_per_number;
    int lanes = 1;
    int threads = 128; // of a block
    int blocks = 1;    // per SM, for the compiler
    Loading loading = Loading::direct;
    int elements = 1; // of a thread

    friend bool operator==(const Candidate &, const Candidate &) = default;
};

// Work of one kind at one width, as the tables tell costs apart.
struct Point {
    WorkKind work = WorkKind::streaming;
    int bits = 0;
    int exponent_bits = 0;  // of powers
    bool over_lanes = true; // the formula has a form over lanes
    bool odd_limbs = false; // stands for numbers of an odd number of limbs only
    int fold_operands = 0;  // of a staged product modulo m: its blocks are measured
    int bytes_moved = 0;    // of a short stream: the elements of a thread are measured

    friend bool operator==(const Point &, const Point &) = default;
};

// Exponents up to here have rows of their own.
inline constexpr int short_exponent_bits = 64;

constexpr Cost cost_of(const Point &point) {
    Cost cost;
    cost.work = point.work;
    cost.bits = cost.widest_bits = point.bits;
    cost.exponent_bits = point.exponent_bits;
    cost.over_lanes = point.over_lanes;
    cost.fold_operands = point.fold_operands;
    cost.bytes_moved = point.bytes_moved;
    return cost;
}

// The candidates are of the family that the tables put a cost into (tuning::Known): kernels of both
// would double what is compiled.
constexpr bool is_over_lanes(const Cost &cost) {
    using namespace warpint::execution::tuning;
    return Known::row(0, cost, Slot::large).family == KernelFamily::lanes_per_number;
}

template <int room>
struct List {
    std::array<Candidate, room> all{};
    int count = 0;

    constexpr void add(const Candidate &candidate) {
        all[static_cast<std::size_t>(count++)] = candidate;
    }
    constexpr const Candidate *begin() const { return all.data(); }
    constexpr const Candidate *end() const { return all.data() + count; }
};
using Candidates = List<64>;

namespace detail {

struct Bounds {
    int threads, blocks;
};

// Threads of a block and blocks per SM, over lanes and in threads.
constexpr std::array<Bounds, 5> bounds(WorkKind work, bool over_lanes) {
    if (!over_lanes) {
        if (work == WorkKind::power)
            return {{{128, 1}, {128, 3}, {128, 4}, {128, 6}, {128, 7}}};
        return {{{128, 1}, {128, 3}, {128, 4}, {64, 1}, {64, 8}}};
    }
    switch (work) {
    case WorkKind::streaming:
        return {{{128, 1}, {128, 4}, {64, 1}, {64, 8}}};
    case WorkKind::root:
        return {{{128, 2}, {128, 4}, {128, 6}, {128, 8}, {64, 4}}};
    case WorkKind::cofactor:
    case WorkKind::number_theory:
        return {{{128, 2}, {128, 3}, {128, 4}, {64, 4}, {64, 8}}};
    case WorkKind::power:
        return {{{64, 4}, {64, 5}, {64, 7}, {64, 8}, {128, 2}}};
    default:
        return {{{64, 5}, {64, 6}, {64, 7}, {64, 8}, {128, 2}}};
    }
}

} // namespace detail

// In the order in which equal ones are preferred.
constexpr Candidates candidates(const Point &point) {
    Candidates list;
    if (point.fold_operands != 0) {
        for (int blocks = 1; blocks <= 8; ++blocks)
            list.add({KernelFamily::thread_per_number, 1, 128, blocks, Loading::through_shared});
        return list;
    }
    if (point.bytes_moved != 0) {
        for (const int elements : {1, 2})
            list.add({KernelFamily::thread_per_number, 1, 128, 1, Loading::direct, elements});
        return list;
    }
    const bool over_lanes = is_over_lanes(cost_of(point));
    for (const auto [threads, blocks] : detail::bounds(point.work, over_lanes)) {
        if (threads == 0)
            continue;
        if (!over_lanes) {
            if (point.work != WorkKind::power) // which reads little
                list.add(
                    {KernelFamily::thread_per_number, 1, threads, blocks, Loading::through_shared});
            list.add({KernelFamily::thread_per_number, 1, threads, blocks, Loading::direct});
            continue;
        }
        // Limbs of a lane: what streams needs few registers, and few bytes of each lane for whole
        // lines.
        const int limbs = (point.bits + 31) / 32;
        const int fewest = point.work == WorkKind::streaming ? 2 : 4;
        for (int lanes = 1; lanes <= 32; lanes *= 2) {
            if (fewest * lanes <= limbs && limbs <= 40 * lanes)
                list.add({KernelFamily::lanes_per_number, lanes, threads, blocks, Loading::direct});
        }
    }
    return list;
}

// ---- the points that are measured

// Formulas of one kind of work, and their widths.
struct Series {
    const char *formulas; // the group of formulas.h
    Point point;          // but for its width
    std::array<int, 12> widths;
};

inline constexpr Series all_series[] = {
#define SERIES(formulas, kind, exponents, over_lanes, odd, operands, short_stream, ...)            \
    {#formulas,                                                                                    \
     {WorkKind::kind, 0, exponents, over_lanes, odd, operands, short_stream},                      \
     {__VA_ARGS__}},
#include "series.def"
#undef SERIES
};

// A series' point of this width.
constexpr Point point_of(const Series &series, int bits) {
    Point point = series.point;
    point.bits = bits;
    if (point.work == WorkKind::power && point.exponent_bits == 0)
        point.exponent_bits = bits;
    return point;
}

// Batches, the largest last. Only powers over lanes have kernels of their own for small ones.
inline std::vector<std::size_t> counts(const Point &point) {
    if (point.work == WorkKind::power && is_over_lanes(cost_of(point))) {
        if (point.bits > 4608)
            return {1, 100, 1000, 3500, 8000};
        return {1, 100, 1000, 2000, 3500, 6000, 8000, 11'000, 14'000, 20'000, 28'000, 65'536};
    }
    const bool is_slow = point.work == WorkKind::number_theory ||
                         point.work == WorkKind::cofactor || point.work == WorkKind::power;
    const int bytes = point.bits < 512 ? 64 : point.bits / 8;
    return {(std::size_t{1} << (is_slow ? 26 : 28)) / static_cast<std::size_t>(bytes)};
}

} // namespace perf::tune
