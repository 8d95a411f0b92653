// SPDX-License-Identifier: Apache-2.0
// The grid: every function x every kind of numbers x widths x places, against GMP. Its program
// consists of this, the oracle, and a source for each width and place. Prints a row for each width;
// a wrong cell is named with its first wrong element.
//
// Environment: WARPINT_TEST_SEED, and
//   WARPINT_GRID_ELEMENTS=<n>   elements of each cell, 100 by default
//   WARPINT_GRID_ONLY=<text>    only cells whose description contains the text; the table says how
//                               many did not run, and the test fails
//   WARPINT_GRID_WITHOUT=<text> leaves out the columns whose names contain the text
//   WARPINT_GRID_PART=<number>  the program was compiled with a part of the cells only
#include "oracle.h"

#include "../batch/computer.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>

namespace grid {

std::vector<Cell> &cells() {
    static std::vector<Cell> all;
    return all;
}

namespace {

const char *name_of(Moduli moduli) {
    switch (moduli) {
    case Moduli::each:
        return "";
    case Moduli::odd:
        return ", odd";
    case Moduli::even:
        return ", even";
    case Moduli::constant:
        return ", constant";
    default:
        return ", folded constant";
    }
}
std::string describe(const Cell &cell) {
    return std::to_string(cell.code.width) + " bits, " + cell.place + ", " + cell.kind +
           name_of(cell.moduli) + ": " + cell.function;
}

/// The rows of one width and way to choose moduli.
class Rows {
public:
    Rows(int width, Moduli moduli, int count) {
        test::OperandSource source(
            test::property_seed(std::string("grid") + name_of(moduli), width));
        for (int i = 0; i < count; ++i)
            rows_.emplace_back(width, moduli, source);
    }
    const std::vector<Row> &rows() const { return rows_; }
    /// As a cell takes them.
    std::vector<Element> elements(const Cell &cell) const {
        std::vector<Element> all;
        for (const Row &row : rows_) {
            Element element;
            for (std::size_t i = 0; i < static_cast<std::size_t>(cell.code.operand_count); ++i)
                element.number(i) = row.number(cell.roles[i], cell.is_signed);
            element.parameters = row.parameters();
            all.push_back(std::move(element));
        }
        return all;
    }

private:
    std::vector<Row> rows_;
};

/// What came of a cell.
struct Outcome {
    std::size_t elements = 0, wrong = 0;
    std::string message;
};

Outcome run_cell(const Cell &cell, const Rows &rows) {
    Outcome outcome;
    const bool on_device = cell.code.launch != nullptr && batch_test::has_device();
    const std::size_t room = record_room(cell.code.width);
    const std::vector<Element> elements = rows.elements(cell);
    try {
        batch_test::Computer computer(on_device);
        computer.compute(cell.code, elements, room);
        batch_test::Checker checker;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const Expected expected = expected_of(cell, rows.rows(), i);
            checker.begin(computer.record(i), room);
            checker.boolean("exists", expected.exists);
            for (const Integer &part : expected.parts)
                checker.stored("value", part);
            ++outcome.elements;
            if (!checker.failed())
                continue;
            if (outcome.wrong++ == 0) {
                std::ostringstream text;
                text << "element " << i << ": " << checker.message();
                outcome.message = text.str().substr(0, 400);
            }
        }
    } catch (const std::exception &error) {
        outcome.wrong = elements.size();
        outcome.message = error.what();
    }
    return outcome;
}

/// Cells of a place and kind.
struct Count {
    std::size_t there = 0, run = 0, wrong = 0;
};
using Counts = std::map<std::string, Count>;

/// The cells that ran and, where not all did, how many there are; and "!" with the number of wrong
/// ones.
std::string text_of(const Count &count, std::size_t wanted) {
    std::string text = std::to_string(count.run);
    if (count.run != wanted)
        text += "/" + std::to_string(wanted);
    if (count.wrong != 0)
        text += "!" + std::to_string(count.wrong);
    return text;
}
/// A row for each width. Cells of large batches are as many as formulas have a kernel for them.
void print_table(const std::map<int, Counts> &table,
                 const std::map<std::string, std::size_t> &wanted) {
    std::printf("cells that ran (/ of how many) (! wrong ones)");
    char letter = 'A';
    for (const auto &[column, count] : wanted)
        std::printf("; %c %s", letter++, column.c_str());
    std::printf("; %c %s\n  bits", letter, large_batches);
    for (char each = 'A'; each <= letter; ++each)
        std::printf(" %7c", each);
    std::printf("\n");
    for (const auto &[width, counts] : table) {
        std::printf("%6d", width);
        const auto count_of = [&counts = counts](const std::string &column) {
            const auto found = counts.find(column);
            return found == counts.end() ? Count{} : found->second;
        };
        for (const auto &[column, count] : wanted)
            std::printf(" %7s", text_of(count_of(column), count).c_str());
        const Count large = count_of(large_batches);
        std::printf(" %7s\n", text_of(large, large.there).c_str());
    }
}

std::string where() {
#ifdef __CUDACC__
    if (batch_test::has_device()) {
        cudaDeviceProp properties{};
        batch_test::check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
        return properties.name;
    }
#endif
    return "CPU";
}

} // namespace

TEST_CASE("the grid: functions, kinds, widths and places, against GMP") {
    const char *const wanted_elements = std::getenv("WARPINT_GRID_ELEMENTS");
    const int count = wanted_elements != nullptr ? std::atoi(wanted_elements) : 100;
    REQUIRE(count > 0);
    const char *const only = std::getenv("WARPINT_GRID_ONLY");
    const char *const without = std::getenv("WARPINT_GRID_WITHOUT");
    const char *const part = std::getenv("WARPINT_GRID_PART");

    std::map<std::pair<int, Moduli>, std::unique_ptr<Rows>> rows;
    std::map<int, Counts> table;
    Count all;
    std::size_t elements = 0, wrong_elements = 0;
    for (const Cell &cell : cells()) {
        const std::string name = describe(cell);
        const std::string column =
            cell.place == large_batches ? large_batches : std::string(cell.place) + " " + cell.kind;
        if (without != nullptr && column.find(without) != std::string::npos)
            continue;
        Count &entry = table[cell.code.width][column];
        ++entry.there;
        ++all.there;
        if (only != nullptr && name.find(only) == std::string::npos)
            continue;
        auto &of_cell = rows[{cell.code.width, cell.moduli}];
        if (of_cell == nullptr)
            of_cell = std::make_unique<Rows>(cell.code.width, cell.moduli, count);
        const Outcome outcome = run_cell(cell, *of_cell);
        ++entry.run;
        ++all.run;
        elements += outcome.elements;
        wrong_elements += outcome.wrong;
        if (outcome.wrong != 0) {
            ++entry.wrong;
            ++all.wrong;
            std::printf("WRONG: %s: %zu of %d elements; %s\n", name.c_str(), outcome.wrong, count,
                        outcome.message.c_str());
            std::fflush(stdout);
        }
        CHECK_MESSAGE(outcome.wrong == 0, name);
    }

    const std::map<std::string, std::size_t> wanted = cells_of_width();
    print_table(table, wanted);
    for (const Absence &absence : absences())
        std::printf("the library does not offer in %s: %s\n", absence.place,
                    absence.functions.c_str());
    std::printf("%s, seed %llu, widths: %zu, cells left out by WARPINT_GRID_ONLY: %zu\n",
                where().c_str(), static_cast<unsigned long long>(test::run_seed()), table.size(),
                all.there - all.run);
    if (part != nullptr)
        std::printf("a part of the cells was compiled, number %s\n", part);
    std::printf("%zu cells, %zu elements, %zu wrong (%zu elements)\n", all.run, elements, all.wrong,
                wrong_elements);
    for (auto &[width, counts] : table) {
        for (const auto &[column, cells_wanted] : wanted) {
            if (without != nullptr && column.find(without) != std::string::npos) {
                std::printf("left out: %s\n", column.c_str());
                continue;
            }
            CAPTURE(width);
            CAPTURE(column);
            if (part == nullptr) {
                CHECK(counts[column].run == cells_wanted);
            } else {
                CHECK(counts[column].run <= cells_wanted);
            }
        }
    }
    CHECK(all.run == all.there);
    CHECK(all.run > 0);
}

} // namespace grid
