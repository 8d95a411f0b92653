// SPDX-License-Identifier: Apache-2.0
// A file of distinguished points, which outlives the program however it ends.
//
// Text: a line for the problem, then a line for each point: its x coordinate, the number of the
// walk that ended there, and a check sum of both, in hexadecimal. Lines are only ever appended. A
// last line that was not written whole is dropped, also where it is the first; any other damage is
// an error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "curve.h"
#include "files.h"

namespace pollard {

struct Record {
    Wide x;
    std::uint64_t walk;
};

class Store {
public:
    // Opens or makes the file. `problem` says in one line what the walks depend on. Throws Error
    // if the file is of another problem, is damaged, or is in use.
    Store(const std::string &path, const std::string &problem);

    // What it held when it was opened; the first call takes it.
    std::vector<Record> take_records() { return std::move(records); }

    // They are safe from the program's end when this returns.
    void append(const std::vector<Record> &added);

private:
    [[noreturn]] void fail(const std::string &reason) const;
    void write(const std::string &text);

    std::string path;
    sample::File file;
    std::vector<Record> records;
};

} // namespace pollard
