// SPDX-License-Identifier: Apache-2.0
// Curves on all processes that mpirun started, with results that survive them.
#pragma once

#include <string>
#include <vector>

#include "search.h"

namespace ecm {

struct Report {
    bool is_root = false; // who prints it; the others have nothing
    std::size_t batches = 0;
    std::size_t done_before = 0;
    std::vector<Number> divisors; // ascending, each once
};

// Runs `curves` curves from `sigma` on, in batches, on whichever process is free. Each process
// appends a line for each batch that it has done to its own file, results.RANK, and nobody runs a
// batch that is in one of these files: start the same job again, with any number of processes, and
// it continues.
Report distribute(const Number &n, const Options &options, const std::string &results);

} // namespace ecm
