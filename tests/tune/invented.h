// SPDX-License-Identifier: Apache-2.0
// Invented measurements: a GPU on which the rows of sm_90.h are the best choice.
#pragma once

#include <tune/choose_rows.h>

#include <set>

namespace tune_test {

using namespace perf::tune;
using warpint::execution::any_count;
using warpint::execution::any_width;
using warpint::execution::covers;
using warpint::execution::tuning::Known;
using warpint::execution::tuning::Slot;

inline constexpr WorkKind kinds[] = {
    WorkKind::streaming, WorkKind::product,  WorkKind::fold,          WorkKind::root,
    WorkKind::division,  WorkKind::cofactor, WorkKind::number_theory, WorkKind::power};

inline TuningRow library_row(const Point &point, std::size_t count) {
    const Cost cost = cost_of(point);
    const TuningRow large = Known::row(90, cost, Slot::large);
    return count < large.min_count ? Known::row(90, cost, Slot::small) : large;
}

// What the library's tables choose here.
inline Candidate library_choice(const Point &point, std::size_t count) {
    const TuningRow row = library_row(point, count);
    Candidate chosen{row.family, row.lanes, row.threads_per_block, row.min_blocks, row.loading, 1};
    if (point.bytes_moved != 0) {
        chosen = {KernelFamily::thread_per_number,
                  1,
                  128,
                  1,
                  Loading::direct,
                  Known::elements_of_thread(90, cost_of(point))};
    }
    return chosen;
}

// Two formulas, of different rates; all but the library's choice a fifth slower. Throws if that is
// no candidate.
inline void measure(std::vector<Measurement> &all, const Point &point, std::size_t count) {
    const Candidate chosen = library_choice(point, count);
    bool found = false;
    for (const Candidate &candidate : candidates(point)) {
        const bool best = candidate == chosen;
        found = found || best;
        all.push_back({point, "first", count, candidate, best ? 2e9 : 1.6e9});
        all.push_back({point, "second", count, candidate, best ? 1e9 : 0.8e9});
    }
    if (!found) {
        throw std::runtime_error(
            "the library's row is no candidate: " + std::string(execution::name(point.work)) +
            ", " + std::to_string(point.bits) + " bits, over " + std::to_string(chosen.lanes) +
            " lanes, " + std::to_string(chosen.threads) + " threads, " +
            std::to_string(chosen.blocks) + " blocks");
    }
}

// At the points that warpint_perf_tune measures.
inline std::vector<Measurement> measured_on_grid() {
    std::vector<Measurement> all;
    for (const Series &series : all_series) {
        for (const int bits : series.widths) {
            if (bits == 0)
                continue;
            Point point = point_of(series, bits);
            if (point.bytes_moved != 0)
                point.bytes_moved = bits / 4 + 1; // a comparison
            for (const std::size_t count : counts(point))
                measure(all, point, count);
        }
    }
    return all;
}

// On both sides of every edge between two rows, and everywhere between limbs: of the widths, of the
// batches, of the bytes.
inline std::vector<Measurement> measured_at_edges() {
    std::set<int> widths{20'000};
    for (int limbs = 1; limbs <= 80; ++limbs)
        widths.insert({32 * limbs - 31, 32 * limbs});
    for (const TuningRow &row : warpint::execution::tuning::Sm90::rows().rows) {
        if (row.max_bits != any_width)
            widths.insert({row.max_bits, row.max_bits + 1});
    }
    std::vector<Measurement> all;
    const auto add = [&](const Point &point) {
        std::set<std::size_t> counts{std::size_t{1} << 20};
        const std::size_t edge = Known::row(90, cost_of(point), Slot::large).min_count;
        if (edge != 0)
            counts.insert({1, edge - 1, edge});
        for (const std::size_t count : counts)
            measure(all, point, count);
    };
    for (const WorkKind kind : kinds) {
        const bool has_own_threads =
            kind != WorkKind::fold && kind != WorkKind::root && kind != WorkKind::cofactor;
        for (const int bits : widths) {
            const bool is_power = kind == WorkKind::power;
            Point point{kind, bits, is_power ? bits : 0};
            point.odd_limbs = library_row(point, any_count).odd_limbs;
            add(point);
            point.odd_limbs = false;
            if (is_power && is_over_lanes(cost_of(point))) {
                Point with_short = point;
                with_short.exponent_bits = short_exponent_bits;
                if (!is_over_lanes(cost_of(with_short)))
                    add(with_short);
            }
            if (has_own_threads && is_over_lanes(cost_of(point))) {
                point.over_lanes = false;
                add(point);
            }
        }
    }
    for (int limbs = 9; limbs <= 32; ++limbs) {
        for (const int operands : {3, 4}) {
            Point point{WorkKind::fold, 32 * limbs};
            point.fold_operands = operands;
            add(point);
        }
    }
    for (int bytes = 1; bytes <= 40; ++bytes) {
        Point point{WorkKind::streaming, 64, 0, false};
        point.bytes_moved = bytes;
        add(point);
    }
    return all;
}

} // namespace tune_test
