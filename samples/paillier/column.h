// SPDX-License-Identifier: Apache-2.0
// A column of a CSV file (RFC 4180, but a quoted field ends on its line).
#pragma once

#include <string>
#include <vector>

namespace paillier {

struct Column {
    std::vector<std::string> fields;
    std::size_t first_line = 1; // of the file: 2 where there is a header
};

// column: its number, from 1, of a file without a header, or its name in the header. Throws Error
// where there is no such column or there are two, or a line lacks it.
Column read_column(const std::string &path, const std::string &column);

} // namespace paillier
