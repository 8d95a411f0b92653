// SPDX-License-Identifier: Apache-2.0
// What warpint_perf_tune chooses and writes, from invented measurements. write_tables.cpp wrote
// the tables that are compiled here.
#include "invented.h"

#include <doctest/doctest.h>
#include <sm_91.h> // measured where warpint_perf_tune measures
#include <sm_92.h> // measured at the edges of all rows

using namespace tune_test;
using warpint::execution::tuning::Sm90;
using warpint::execution::tuning::Sm91;
using warpint::execution::tuning::Sm92;
using warpint::execution::tuning::Tables;

namespace {

template <class Table>
Candidate choice(const Cost &cost, Slot slot) {
    const TuningRow row = Tables<Table>::row(Table::capability, cost, slot);
    return {row.family, row.lanes, row.threads_per_block, row.min_blocks, row.loading, 1};
}

// Kernels, and the batches that take them, as sm_90.h says.
template <class Table>
bool chooses_as_library(const Cost &cost) {
    using Written = Tables<Table>;
    const auto from = [&](auto tables, int capability) {
        return decltype(tables)::has_small(cost)
                   ? decltype(tables)::row(capability, cost, Slot::large).min_count
                   : std::size_t{0};
    };
    return choice<Table>(cost, Slot::large) == choice<Sm90>(cost, Slot::large) &&
           Written::has_small(cost) == Known::has_small(cost) &&
           (!Known::has_small(cost) ||
            choice<Table>(cost, Slot::small) == choice<Sm90>(cost, Slot::small)) &&
           from(Written{}, Table::capability) == from(Known{}, 90);
}

template <class Visit>
void for_each_cost(const Visit &visit) {
    std::set<int> widths;
    for (int bits = 1; bits <= 20'000; bits += 1 + bits / 256)
        widths.insert(bits);
    for (const TuningRow &row : Sm90::rows().rows)
        widths.insert({row.max_bits - 1, row.max_bits, row.max_bits + 1});
    for (const WorkKind kind : kinds) {
        for (const int bits : widths) {
            for (const bool over_lanes : {false, true}) {
                for (const int exponent_bits : {0, 17, 64, 65, bits, 2 * bits}) {
                    if (bits <= 20'000 && (kind == WorkKind::power) == (exponent_bits != 0))
                        visit(cost_of({kind, bits, exponent_bits, over_lanes}));
                }
            }
        }
    }
}

} // namespace

TEST_CASE("a table from measurements at the edges of sm_90.h chooses as sm_90.h for every cost") {
    int costs = 0;
    for_each_cost([&](const Cost &cost) {
        ++costs;
        if (!chooses_as_library<Sm92>(cost)) {
            const Candidate found = choice<Sm92>(cost, Slot::large);
            FAIL_CHECK(std::string(name(cost.work)), " of ", cost.bits, " bits, exponents of ",
                       cost.exponent_bits, ", over lanes: ", cost.over_lanes, ": ", found.lanes,
                       " lanes, ", found.threads, " threads, ", found.blocks, " blocks");
        }
    });
    CHECK(costs > 15'000);
    for (int limbs = 9; limbs <= 32; ++limbs) {
        for (int operands = 3; operands <= 5; ++operands) {
            for (const bool shares : {false, true}) {
                for (const bool subtracts : {false, true}) {
                    Cost cost = cost_of({WorkKind::fold, 32 * limbs});
                    cost.fold_operands = operands;
                    cost.shares_modulus = shares;
                    cost.subtracts = subtracts;
                    CHECK(Sm92::staged_fold_blocks(cost) == Sm90::staged_fold_blocks(cost));
                    CHECK(choice<Sm92>(cost, Slot::large) == choice<Sm90>(cost, Slot::large));
                }
            }
        }
    }
    for (int bytes = 1; bytes < 300; ++bytes) {
        Cost cost = cost_of({WorkKind::streaming, 64});
        cost.bytes_moved = bytes;
        CHECK(Sm92::elements_of_thread(cost) == Sm90::elements_of_thread(cost));
        CHECK(Sm92::elements_together(cost) == Sm90::elements_together(cost));
        CHECK(Sm92::least_tensor_powers(cost.bits) == Sm90::least_tensor_powers(cost.bits));
        CHECK(Sm92::most_spread_powers(cost.bits) == Sm90::most_spread_powers(cost.bits));
        CHECK(Sm92::is_transformed(cost.bits, false, false) ==
              Sm90::is_transformed(cost.bits, false, false));
        cost.runs_user_code = true;
        CHECK(Sm92::elements_of_thread(cost) == 1);
    }
    CHECK(Sm92::inverse_blocks(256) == Sm90::inverse_blocks(256));
    CHECK(Sm92::inverse_blocks(257) == Sm90::inverse_blocks(257));
    CHECK(Sm92::column_sums().vectors_together == Sm90::column_sums().vectors_together);
    CHECK(Sm92::column_sums().blocks == Sm90::column_sums().blocks);
}

TEST_CASE("a table from what warpint_perf_tune measures chooses as sm_90.h there") {
    int points = 0;
    for (const Measurement &one : measured_on_grid()) {
        const Cost cost = cost_of(one.point);
        if (one.point.bytes_moved != 0) {
            CHECK(Sm91::elements_of_thread(cost) == Sm90::elements_of_thread(cost));
            continue;
        }
        ++points;
        // Below the measured batch from which the library takes its kernel for large ones.
        const TuningRow large = Tables<Sm91>::row(91, cost, Slot::large);
        const Slot slot = one.count < large.min_count ? Slot::small : Slot::large;
        INFO(std::string(name(cost.work)), " of ", cost.bits, " bits, ", one.count, " elements");
        CHECK(choice<Sm91>(cost, slot) == library_choice(one.point, one.count));
    }
    CHECK(points > 2000);
}

TEST_CASE("tables put a cost into one family, and have a row for all") {
    for_each_cost([](const Cost &cost) {
        for (const Slot slot : {Slot::large, Slot::small}) {
            const auto written = choice<Sm91>(cost, slot);
            CHECK(written.family == choice<Sm90>(cost, slot).family);
            CHECK(std::string(Tables<Sm91>::row(91, cost, slot).measured) == "an invented GPU");
        }
    });
    const TuningRow row =
        Tables<Sm90, Sm91>::row(100, cost_of({WorkKind::power, 2048, 2048}), Slot::large);
    CHECK(std::string(row.measured) == "an invented GPU");
}

namespace {

constexpr Candidate over(int lanes, int threads = 64, int blocks = 8) {
    return {KernelFamily::lanes_per_number, lanes, threads, blocks, Loading::direct, 1};
}

// Rates of products and powers over lanes: what is not named has a tenth.
struct Rates {
    std::vector<Measurement> all;
    double least = 0.05;

    void add(WorkKind kind, int bits, std::size_t count, const Candidate &candidate, double rate) {
        all.push_back(
            {{kind, bits, kind == WorkKind::power ? bits : 0}, "one", count, candidate, rate});
    }
    std::vector<ChosenRow> rows(WorkKind kind) const {
        return perf::tune::detail::choose_kind(all, kind, least);
    }
};

} // namespace

TEST_CASE("widths whose best candidates hardly differ have one row") {
    Rates rates;
    const auto add = [&](int bits, double four, double eight) {
        rates.add(WorkKind::product, bits, 1000, over(4), four);
        rates.add(WorkKind::product, bits, 1000, over(8), eight);
    };
    add(2048, 100e6, 98e6);
    add(2560, 50e6, 51e6);
    add(3072, 30e6, 40e6);
    auto rows = rates.rows(WorkKind::product);
    REQUIRE(rows.size() == 2);
    // 8 lanes lose 2 percent at 2048 bits and win everywhere else: one row, but that of any width.
    CHECK(rows[0].row.lanes == 8);
    CHECK(rows[0].row.max_bits == 3072 + 3072 / 8);
    CHECK(rows[0].row.min_count == 0);
    CHECK(rows[0].figure == "3072: 40 M, over 4 lanes 30 M");
    CHECK(rows[1].row.lanes == 32);
    CHECK(rows[1].row.max_bits == any_width);
    CHECK(rows[1].figure == "not measured");
    // Told apart by one percent they have two.
    rates.least = 0.01;
    rows = rates.rows(WorkKind::product);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].row.lanes == 4);
    CHECK(rows[0].row.max_bits == 2048 + 2048 / 8);
    CHECK(rows[0].figure == "2048: 100 M, over 8 lanes 98 M");
    CHECK(rows[1].row.lanes == 8);
}

TEST_CASE("powers have a row for small batches where it pays") {
    Rates rates;
    const auto add = [&](std::size_t count, double two, double four, double eight) {
        rates.add(WorkKind::power, 2048, count, over(2), two);
        rates.add(WorkKind::power, 2048, count, over(4), four);
        rates.add(WorkKind::power, 2048, count, over(8), eight);
    };
    add(1, 1e3, 1.5e3, 2e3);
    add(1000, 40e3, 80e3, 120e3);
    add(8000, 300e3, 290e3, 250e3);
    add(65536, 450e3, 400e3, 300e3);
    auto rows = rates.rows(WorkKind::power);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].row.lanes == 2);
    CHECK(rows[0].row.min_count == 8000);
    CHECK(rows[0].figure == "2048: 450 K, over 4 lanes 400 K");
    CHECK(rows[1].row.lanes == 8);
    CHECK(rows[1].row.min_count == 0);
    CHECK(rows[1].figure == "1000 of 2048: 120 K, over 4 lanes 80 K");
    // Within the limit one kernel is enough: that of the least mean loss.
    rates.least = 1;
    rows = rates.rows(WorkKind::power);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].row.lanes == 8);
    CHECK(rows[0].row.min_count == 0);
}

TEST_CASE("a candidate counts where it was measured with all formulas and in all batches") {
    Rates rates;
    const auto add = [&](const char *formula, std::size_t count, int lanes, double rate) {
        rates.all.push_back({{WorkKind::power, 2048, 2048}, formula, count, over(lanes), rate});
    };
    for (const char *formula : {"own", "shared"}) {
        for (const std::size_t count : {10, 1000}) {
            add(formula, count, 4, 100);
            add(formula, count, 8, 90);
        }
    }
    add("own", 1000, 16, 500); // failed elsewhere
    CHECK(rates.rows(WorkKind::power)[0].row.lanes == 4);
    // The geometric mean over the formulas: 1 and 0.9 against 0.4 and 1.
    for (Measurement &one : rates.all) {
        if (one.formula == "shared" && one.candidate.lanes == 8)
            one.rate = 250;
    }
    CHECK(rates.rows(WorkKind::power)[0].row.lanes == 8);
    rates.all.clear();
    add("own", 10, 4, 100);
    add("own", 1000, 8, 100);
    CHECK_THROWS_AS(rates.rows(WorkKind::power), std::runtime_error);
}

TEST_CASE("a table without measurements of some work is refused, by name") {
    std::vector<Measurement> all = measured_on_grid();
    CHECK_NOTHROW(perf::tune::choose(all, 0.03));
    const auto refusal = [&](auto missing) {
        std::vector<Measurement> some = all;
        std::erase_if(some, missing);
        try {
            perf::tune::choose(some, 0.03);
        } catch (const std::runtime_error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal([](const Measurement &one) {
              return one.point.work == WorkKind::power && one.point.over_lanes;
          }).find("nothing was measured for power of") == 0);
    CHECK(refusal([](const Measurement &one) {
              return one.point.work == WorkKind::product && one.point.over_lanes &&
                     one.point.bits > 1024;
          }).find("nothing was measured for product of") == 0);
    CHECK(refusal([](const Measurement &one) {
              return one.point.work == WorkKind::product && !one.point.over_lanes;
          }).find("nothing was measured for product of") == 0);
    CHECK(refusal([](const Measurement &one) { return one.point.fold_operands != 0; }) ==
          "nothing was measured for staged folds");
}

TEST_CASE("rates are written short") {
    CHECK(perf::tune::rate_text(1.714e9) == "1.71 G");
    CHECK(perf::tune::rate_text(999.9e3) == "1 M");
    CHECK(perf::tune::rate_text(13.5e3) == "13.5 K");
    CHECK(perf::tune::rate_text(7) == "7");
}
