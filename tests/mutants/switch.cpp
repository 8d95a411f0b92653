// SPDX-License-Identifier: Apache-2.0
// The fault that WARPINT_MUTANT names is active. For -1 the numbers of those reached are written to
// WARPINT_MUTANTS_REACHED.
#include "switch.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace warpint_mutants {

Number chosen = Number{0};

static std::atomic<bool> reached[1 << 16];

bool note(int number) {
    reached[number].store(true, std::memory_order_relaxed);
    return false;
}

[[gnu::constructor(101)]] static void read_environment() { // before all other initialisers
    const char *const text = std::getenv("WARPINT_MUTANT");
    chosen = Number{text == nullptr ? 0 : std::atoi(text)};
}

[[gnu::destructor(101)]] static void write_reached() { // after all other destructors
    const char *const path = std::getenv("WARPINT_MUTANTS_REACHED");
    std::FILE *const file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) {
        return;
    }
    for (int i = 0; i < 1 << 16; ++i) {
        if (reached[i].load(std::memory_order_relaxed)) {
            std::fprintf(file, "%d\n", i);
        }
    }
    std::fclose(file);
}

} // namespace warpint_mutants
