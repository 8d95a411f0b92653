// SPDX-License-Identifier: Apache-2.0
// The header of a table from what was chosen, as execution/plan/tuning/sm_90.h is written.
#pragma once

#include "choose_rows.h"

namespace perf::tune {

namespace detail {

inline std::string builder(const TuningRow &row) {
    const auto number = [](auto value) { return std::to_string(value); };
    const std::string kind = row.kind == WorkKind::number_theory ? "number_theory"
                             : row.kind == WorkKind::streaming   ? "streaming"
                             : row.kind == WorkKind::product     ? "product"
                             : row.kind == WorkKind::fold        ? "fold"
                             : row.kind == WorkKind::root        ? "root"
                             : row.kind == WorkKind::division    ? "division"
                             : row.kind == WorkKind::cofactor    ? "cofactor"
                                                                 : "power";
    const std::string bits =
        row.max_bits == execution::any_width ? "any_width" : number(row.max_bits);
    const std::string block = ", " + number(row.threads_per_block) + ", " + number(row.min_blocks);
    if (row.max_exponent_bits != execution::any_width)
        return "thread_for_short_exponents(" + number(row.max_exponent_bits) + ", " + bits + block +
               "),";
    if (row.odd_limbs)
        return "lanes_of_odd(" + kind + ", " + bits + ", " + number(row.lanes) + block + "),";
    if (row.family == KernelFamily::lanes_per_number)
        return "lanes(" + kind + ", " + bits + ", " + number(row.min_count) + ", " +
               number(row.lanes) + block + "),";
    return "thread(" + kind + ", " + bits + block +
           (row.loading == Loading::through_shared ? ", shared" : "") + "),";
}

// Comments of neighbouring lines begin in one column, as clang-format has them.
inline std::string lines_of(const std::vector<ChosenRow> &rows) {
    const std::string indent(12, ' ');
    std::string text;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin;
        std::size_t widest = 0;
        for (; end < rows.size() && rows[end].row.kind == rows[begin].row.kind; ++end)
            widest = std::max(widest, builder(rows[end].row).size());
        text += begin == 0 ? "" : "\n";
        for (; begin < end; ++begin) {
            std::string line = builder(rows[begin].row);
            line.resize(widest, ' ');
            text += indent + line + " // " + rows[begin].figure + "\n";
        }
    }
    return text;
}

// Narrower numbers first: `limbs <= 12 ? 7 : limbs <= 16 ? 5 : 3`.
inline std::string blocks_text(const std::vector<FoldBlocks> &blocks, const std::string &indent) {
    std::string text;
    for (const FoldBlocks &one : blocks) {
        text += one == blocks.back() ? std::to_string(one.blocks)
                                     : "limbs <= " + std::to_string(one.max_limbs) + " ? " +
                                           std::to_string(one.blocks) + "\n" + indent + ": ";
    }
    return text;
}

} // namespace detail

// The header's text. capability: 10 * major + minor; device: "an H200"; least: as choose() took it.
inline std::string table_text(const Chosen &chosen, int capability, const std::string &device,
                              double least, const std::string &name = "ProgramTable") {
    const std::string architecture =
        std::to_string(capability / 10) + "." + std::to_string(capability % 10);
    char percent[32];
    std::snprintf(percent, sizeof percent, "%g", 100 * least);
    std::string text = R"(// SPDX-License-Identifier: Apache-2.0
// What was measured on compute capability )" +
                       architecture + ", " + device + R"(, by warpint_perf_tune.
// Candidates within )" +
                       percent +
                       R"( percent of each other count as equally fast. Comments give rates there:
// numbers a second, and those of the best other candidate.
#pragma once

#include <warpint/execution/plan/tuning/build_rows.h>

namespace warpint::execution::tuning {

struct )" + name +
                       R"( : MeasuredByHand {
    static constexpr int capability = )" +
                       std::to_string(capability) + R"(;
    static constexpr const char *device = ")" +
                       device + R"(";

    struct Rows {
        static constexpr int count = )" +
                       std::to_string(chosen.rows.size()) + R"(;
        TuningRow rows[count];
    };

    // The first row that applies is taken; rows of lanes only for formulas that have a form over
    // lanes. By value, because device code reads them in constant expressions.
    WARPINT_HOST_DEVICE static constexpr Rows rows() {
        using enum WorkKind;
        using detail::lanes;
        using detail::lanes_of_odd;
        using detail::thread;
        using detail::thread_for_short_exponents;
        constexpr Loading shared = Loading::through_shared;
        return {{
            //     kind, up to bits, threads, blocks per SM, loading
            //     kind, up to bits, from count, lanes, threads, blocks per SM
)" + detail::lines_of(chosen.rows) +
                       R"(        }};
    }

    // Blocks of 128 threads per SM, for the compiler, of one product modulo m whose operands are
    // staged.
    WARPINT_HOST_DEVICE static constexpr int staged_fold_blocks(const Cost &cost) {
        const int limbs = (cost.bits + 31) / 32;
        // clang-format off
        if (cost.fold_operands > (cost.shares_modulus && !cost.subtracts ? 4 : 3))
            return )" + detail::blocks_text(chosen.fold_sum_blocks, "                 ") +
                       R"(;
        return )" + detail::blocks_text(chosen.fold_blocks, "             ") +
                       R"(;
        // clang-format on
    }

    // Elements of a thread: two where a formula streams so few bytes that too few are under way.
    WARPINT_HOST_DEVICE static constexpr int elements_of_thread(const Cost &cost) {
        return cost.work == WorkKind::streaming && cost.bytes_moved < )" +
                       std::to_string(chosen.two_elements_below) +
                       R"( && !cost.runs_user_code &&
                       cost.staged_bytes == 0
                   ? 2
                   : 1;
    }
};

} // namespace warpint::execution::tuning
)";
    return text;
}

} // namespace perf::tune
