// SPDX-License-Identifier: Apache-2.0
// Choosing a row for a cost: a pure function of what is known, the same when kernels are compiled
// and when a plan is made. Each GPU takes the rows of the newest measured architecture not above
// it, or else of the oldest.
#pragma once

#include "sm_90.h"

// A header with a table of the program, ProgramTable, which is written as sm_90.h is
// (warpint_perf_tune writes such headers) and is the same in all sources of the program.
#ifdef WARPINT_TUNING_TABLE
#include WARPINT_TUNING_TABLE
#endif

#include <type_traits>

namespace warpint::execution::tuning {

// A plan is made for every launch: hosts read the rows where they lie, instead of a copy.
template <class Table>
inline constexpr auto rows_on_host = Table::rows();

// The tables of measured architectures, oldest first.
template <class Oldest, class... Newer>
struct Tables {
    // Whose rows a GPU takes.
    WARPINT_HOST_DEVICE static constexpr int architecture(int capability) {
        return answer(capability, [](auto table) { return table.capability; });
    }

    // The row of the table for this cost.
    WARPINT_HOST_DEVICE static constexpr TuningRow row(int capability, const Cost &cost,
                                                       std::size_t count) {
        return answer(capability, [&](auto table) { return row_of<decltype(table)>(cost, count); });
    }
    WARPINT_HOST_DEVICE static constexpr TuningRow row(int capability, const Cost &cost,
                                                       Slot slot) {
        return row(capability, cost, slot == Slot::large ? any_count : std::size_t{0});
    }

    // Whether small batches have a kernel of their own, with more lanes for each number. The same
    // for all architectures, because hosts launch it.
    WARPINT_HOST_DEVICE static constexpr bool has_small(const Cost &cost) {
        return has_small_of<Oldest>(cost) || (has_small_of<Newer>(cost) || ...);
    }

    // Whether large batches of this cost run over lanes somewhere. The same for all architectures,
    // because hosts split formulas by it.
    WARPINT_HOST_DEVICE static constexpr bool is_over_lanes(const Cost &cost) {
        return is_over_lanes_of<Oldest>(cost) || (is_over_lanes_of<Newer>(cost) || ...);
    }

    // Elements of a thread; those that a thread of a reduction reads before it adds the first.
    WARPINT_HOST_DEVICE static constexpr int elements_of_thread(int capability, const Cost &cost) {
        return answer(capability, [&](auto table) { return table.elements_of_thread(cost); });
    }
    WARPINT_HOST_DEVICE static constexpr int elements_together(int capability, const Cost &cost) {
        return answer(capability, [&](auto table) { return table.elements_together(cost); });
    }

    // Blocks per SM of the kernel of inverses modulo one modulus (kernels/strips.h).
    WARPINT_HOST_DEVICE static constexpr int inverse_blocks(int capability, int bits) {
        return answer(capability, [=](auto table) { return table.inverse_blocks(bits); });
    }

    // Elements for each SM from which a round of powers on tensor cores pays.
    WARPINT_HOST_DEVICE static constexpr int least_tensor_powers(int capability, int bits) {
        return answer(capability, [=](auto table) { return table.least_tensor_powers(bits); });
    }

    // Elements for each SM up to which each power has a block.
    WARPINT_HOST_DEVICE static constexpr int most_spread_powers(int capability, int bits) {
        return answer(capability, [=](auto table) { return table.most_spread_powers(bits); });
    }

    // Whether a product of so many limbs, or a square, is made by a transform.
    WARPINT_HOST_DEVICE static constexpr bool is_transformed(int capability, int limbs,
                                                             bool is_square, bool low) {
        return answer(capability,
                      [=](auto table) { return table.is_transformed(limbs, is_square, low); });
    }

    // Whether it is somewhere. The same for all architectures, because hosts split formulas by it.
    WARPINT_HOST_DEVICE static constexpr bool may_be_transformed(int limbs, bool is_square,
                                                                 bool low) {
        return Oldest::is_transformed(limbs, is_square, low) ||
               (Newer::is_transformed(limbs, is_square, low) || ...);
    }

    WARPINT_HOST_DEVICE static constexpr ColumnSums column_sums(int capability) {
        return answer(capability, [](auto table) { return table.column_sums(); });
    }

#if WARPINT_HOSTED
    // What a batch of `count` elements runs as. A reduction, which has one kernel of its own, takes
    // its loading from the choice.
    static constexpr Choice choose(const Cost &cost, std::size_t count, const Gpu &gpu,
                                   bool reduces = false) {
        Choice choice;
        choice.row = row(gpu.compiled_for, cost, Slot::large);
        if (!reduces && has_small(cost) && count < choice.row.min_count) {
            choice.slot = Slot::small;
            choice.row = row(gpu.compiled_for, cost, Slot::small);
        }
        choice.architecture = architecture(gpu.compiled_for);
        choice.is_measured =
            gpu.capability == choice.architecture && gpu.compiled_for == choice.architecture;
        return choice;
    }
#endif

private:
    // What the table that a GPU takes says.
    template <class Question>
    WARPINT_HOST_DEVICE static constexpr auto answer([[maybe_unused]] int capability,
                                                     const Question &question) {
        auto said = question(Oldest{});
        ((Newer::capability <= capability ? void(said = question(Newer{})) : void()), ...);
        return said;
    }
    template <class Table>
    WARPINT_HOST_DEVICE static constexpr TuningRow row_of(const Cost &cost, std::size_t count) {
#if WARPINT_DEVICE_PASS
        const auto table = Table::rows();
#else
        constexpr const auto &table = rows_on_host<Table>;
#endif
        for (const TuningRow &each : table.rows) {
            const bool over_lanes = each.family == KernelFamily::lanes_per_number;
            if (!applies(each, cost, count) || (over_lanes && !cost.over_lanes))
                continue;
            TuningRow row = each;
            row.measured = Table::device;
            if (!over_lanes && cost.fold_operands != 0)
                row.min_blocks = Table::staged_fold_blocks(cost);
            return row;
        }
        return {};
    }
    template <class Table>
    WARPINT_HOST_DEVICE static constexpr bool is_over_lanes_of(const Cost &cost) {
        return row_of<Table>(cost, any_count).family == KernelFamily::lanes_per_number;
    }
    template <class Table>
    WARPINT_HOST_DEVICE static constexpr bool has_small_of(const Cost &cost) {
        const TuningRow large = row_of<Table>(cost, any_count);
        const TuningRow small = row_of<Table>(cost, 0);
        return small.family == KernelFamily::lanes_per_number && small.lanes != large.lanes;
    }
};

// The library's own. A new GPU is a file of rows and a name here.
#ifndef WARPINT_TUNING_TABLE
using Known = Tables<Sm90>;
#else
// And the program's, in the place of one of the same architecture.
using Known =
    std::conditional_t<ProgramTable::capability == Sm90::capability, Tables<ProgramTable>,
                       std::conditional_t<(ProgramTable::capability < Sm90::capability),
                                          Tables<ProgramTable, Sm90>, Tables<Sm90, ProgramTable>>>;
#endif

} // namespace warpint::execution::tuning
