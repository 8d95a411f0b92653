// SPDX-License-Identifier: Apache-2.0
// The emulator as a library of C functions, for a program in another language that compiles PTX by
// itself (tests/python/emulated.py).
#include "ptx.h"

#include <string>

namespace {

struct Loaded {
    std::string text; // the module refers to it
    ptx::Module module;
    explicit Loaded(const char *of) : text(of), module(text) {}
};

} // namespace

extern "C" {

// A module, for as long as the process runs.
void *warpint_emulator_load(const char *text) {
    return new Loaded(text);
}
// Null if there is no such kernel.
void *warpint_emulator_kernel(void *module, const char *name) {
    return static_cast<Loaded *>(module)->module.find(name);
}
int warpint_emulator_max_threads(void *kernel) {
    return static_cast<ptx::Function *>(kernel)->max_threads;
}
void warpint_emulator_launch(void *kernel, unsigned blocks, unsigned threads,
                             std::size_t shared_bytes, void **arguments) {
    ptx::launch(*static_cast<ptx::Function *>(kernel), {blocks, 1, 1}, {threads, 1, 1}, arguments,
                shared_bytes);
}
}
