// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <algorithm>

#include "error.h"
#include "files.h"

namespace matrix {

using sample::Error;

std::string without_leading_zeros(std::string_view number) {
    if (!number.starts_with("0x") && !number.starts_with("0X")) {
        const std::size_t zeros = std::min(number.find_first_not_of('0'), number.size());
        number.remove_prefix(zeros == number.size() && zeros != 0 ? zeros - 1 : zeros);
    }
    return std::string(number);
}

Table read_table(const std::string &path) {
    constexpr std::string_view blanks = " \t\r";
    const std::string text = sample::read_text(path);
    Table table{path == "-" ? "standard input" : path, 0, 0, {}};
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t before = table.entries.size();
        for (;;) {
            line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
            if (line.empty())
                break;
            const std::size_t length = std::min(line.find_first_of(blanks), line.size());
            table.entries.push_back(without_leading_zeros(line.substr(0, length)));
            line.remove_prefix(length);
        }
        const std::size_t columns = table.entries.size() - before;
        const std::string where = table.name + ": row " + std::to_string(++table.rows);
        if (columns == 0)
            throw Error(where + " is empty");
        if (table.rows == 1)
            table.columns = columns;
        if (columns != table.columns)
            throw Error(where + " has " + std::to_string(columns) + " entries, the first row has " +
                        std::to_string(table.columns));
    }
    if (table.rows == 0)
        throw Error(table.name + " is empty");
    return table;
}

} // namespace matrix
