// SPDX-License-Identifier: Apache-2.0
// What GMP says of the grid's cases, and the rows of operands they take. Knows nothing of CUDA.
#pragma once

#include "cells.h"

#include "../batch/subject.h"
#include "../support/property.h"

#include <map>
#include <string>

namespace grid {

using batch_test::Element;
using test::Integer;

/// The operands of one element, by their roles, and its parameters.
class Row {
public:
    Row(int width, Moduli moduli, test::OperandSource &source);

    const Integer &number(Role role, bool is_signed) const;
    const Parameters &parameters() const { return parameters_; }

private:
    static constexpr std::size_t role_count = static_cast<std::size_t>(Role::u) + 1;
    std::array<Integer, role_count> numbers_, signed_numbers_;
    Parameters parameters_;
};

/// What a cell must store for an element of its rows.
struct Expected {
    bool exists = true;
    std::vector<Integer> parts;
};
Expected expected_of(const Cell &cell, const std::vector<Row> &rows, std::size_t element);

/// Names of cases by place: those that a place does not have.
struct Absence {
    const char *place;
    std::string functions;
};
std::vector<Absence> absences();
/// How many cells a width has, by place and kind, as the tables of cases say.
std::map<std::string, std::size_t> cells_of_width();

} // namespace grid
