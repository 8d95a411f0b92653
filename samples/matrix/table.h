// SPDX-License-Identifier: Apache-2.0
// A matrix as text: a line for each row, entries separated by blanks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace matrix {

struct Table {
    std::string name; // of the file
    std::uint64_t rows = 0, columns = 0;
    std::vector<std::string> entries; // row after row, each without leading zeros
};

// "-" is standard input. Throws Error where the file cannot be read, is empty, or has rows of
// different lengths. The entries may not be numbers.
Table read_table(const std::string &path);

// So that base 0 reads a number as decimal, or as hexadecimal with 0x.
std::string without_leading_zeros(std::string_view number);

} // namespace matrix
