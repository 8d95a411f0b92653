// SPDX-License-Identifier: Apache-2.0
// Running a formula with cuts (cut.h) on a CPU: every core takes rows of elements. On GPUs
// run_rows_cuda.h.
#pragma once

#include "cut.h"
#include "run_cpu.h"

namespace warpint::execution {

// Elements of a row: one inversion for them.
inline constexpr int cpu_row = 8 * static_cast<int>(cpu_group);

namespace detail {

// A cut of a core's row. What it inverts is computed once and kept.
template <int k, class Row>
struct KeptRowOfCut : RowOfCut<k, Row> {
    using Base = RowOfCut<k, Row>;
    using T = typename Base::T;
    const T *kept;
    const bool *faults;

    [[nodiscard]] constexpr const T &load(int i, bool &fault) const {
        fault = faults[i];
        return kept[i];
    }
};

template <class Row>
struct CpuRows;
template <class Rest, class... Cuts, int length, class... T>
struct CpuRows<CutRow<CutFormula<Rest, Cuts...>, length, T...>> {
    using Formula = CutFormula<Rest, Cuts...>;
    using Row = CutRow<Formula, length, T...>;
    using Positions = std::index_sequence_for<Cuts...>;

    // What a core keeps from row to row.
    template <std::size_t... k>
    static void run(std::index_sequence<k...> positions, const Target<T...> &target,
                    std::size_t first, std::size_t last, const Formula &formula,
                    std::atomic<bool> &any_fault) {
        using Rings =
            expression::Slots<decltype(expression::slot<k>(formula.cut).ring(formula.rest))...>;
        const Rings rings{{expression::slot<k>(formula.cut).ring(formula.rest)}...};
        expression::Slots<number::LearnedDivisors<
            decltype(expression::slot<k>(formula.cut).ring(formula.rest))>...>
            divisors{{number::LearnedDivisors<
                decltype(expression::slot<k>(formula.cut).ring(formula.rest))>(
                expression::slot<k>(rings))}...};
        // The same memory for all rows.
        std::tuple<std::vector<typename Cuts::Element>...> kept{
            std::vector<typename Cuts::Element>(static_cast<std::size_t>(length))...};
        std::tuple<std::vector<typename Cuts::Element>...> room{
            std::vector<typename Cuts::Element>(static_cast<std::size_t>(length))...};
        bool faults[length];
        for (std::size_t begin = first; begin < last; begin += length) {
            const std::size_t count = std::min<std::size_t>(length, last - begin);
            const CutScratch<Formula> scratch{{{std::get<k>(room).data()}...}};
            Row row{formula, target, scratch, begin, 1, begin + count, begin};
            const auto of_cut = [&]<std::size_t at>(std::integral_constant<std::size_t, at>,
                                                    Row &whole) {
                constexpr int cut = static_cast<int>(at);
                const RowOfCut<cut, Row> computed{whole};
                for (std::size_t i = 0; i < count; ++i) {
                    faults[i] = false;
                    std::get<at>(kept)[i] = computed.load(static_cast<int>(i), faults[i]);
                }
                return KeptRowOfCut<cut, Row>{{whole}, std::get<at>(kept).data(), faults};
            };
            evaluate_row(positions, row, static_cast<int>(count), of_cut, rings, divisors);
            for (std::size_t group = 0; group < count; group += cpu_group) {
                const std::uint32_t mask = row.missing[Formula::cuts - 1][group / cpu_group];
                set_fault_word(target, (begin + group) / cpu_group, mask);
                if (mask != 0)
                    any_fault.store(true, std::memory_order_relaxed);
            }
        }
    }
};

} // namespace detail

// As run_on_cpu(), for a formula with cuts, all of which have a modulus.
template <class Formula, class... T>
bool run_rows_on_cpu(const Target<T...> &target, std::size_t count, const Formula &formula,
                     std::size_t operations) {
    using Row = CutRow<Formula, cpu_row, T...>;
    using Rows = detail::CpuRows<Row>;
    std::atomic<bool> any_fault{false};
    parallel_for(count, static_cast<std::size_t>(cpu_row), operations,
                 [&](std::size_t first, std::size_t last) {
                     Rows::run(typename Rows::Positions{}, target, first, last, formula, any_fault);
                 });
    return any_fault.load(std::memory_order_relaxed);
}

} // namespace warpint::execution
