// SPDX-License-Identifier: Apache-2.0
// What a benchmark is: one row of the registry. The templates that know widths and formulas
// (formulas.h) end here; everything that runs, checks and reports rows knows only this.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perf {

enum class Device { cpu, gpu };

constexpr const char *name(Device device) {
    return device == Device::cpu ? "cpu" : "gpu";
}

// What the check of a row found. reference: the row is GMP itself.
enum class Verdict { unchecked, right, wrong, reference };

constexpr const char *name(Verdict verdict) {
    constexpr const char *names[] = {"unchecked", "right", "wrong", "reference"};
    return names[static_cast<int>(verdict)];
}

struct Check {
    Verdict verdict = Verdict::unchecked;
    std::size_t samples = 0; // elements compared
};

// A set of a row's operands and results in memory. Several of a row take turns.
struct Prepared {
    std::function<void()> once;        // one launch; on GPUs it need not have ended
    std::function<std::string()> plan; // what runs, in words; may be empty
    std::function<void()> spoil;       // makes the results wrong, before the timing; may be empty
    // Compares what the last call left, so many elements at most. Empty: a ceiling.
    std::function<Check(std::size_t most)> check;
    double bytes = 0; // operands read and results written by one call
};

// Multiply-adds of limbs of `limb_bits` bits that one element needs by schoolbook methods; 0 where
// no such count is honest.
using MultiplyAdds = double (*)(int bits, int limb_bits);

// What a row measures in place of an operation.
enum class Ceiling { none, multiply_add, multiply_add_52, fp64, tensor, copy, sum, launch };

struct Row {
    std::string operation;          // "a * b % m"
    std::string kind = "vector";    // what the operands are: vector, number, Modulus, residues
    std::string layout = "numbers"; // or limb-major
    std::string by = "warpint";     // whose code
    Device device = Device::cpu;
    int bits = 0;
    std::size_t count = 0;   // elements of one call
    std::size_t granule = 1; // of which the count is a multiple
    int repeats = 1;         // operations of one element
    bool quick = false;      // part of a quick run
    MultiplyAdds multiply_adds = nullptr;
    Ceiling ceiling = Ceiling::none;
    std::function<Prepared(std::size_t count)> prepare;

    // "gpu/a * b % m/vector/numbers/2048/100000/warpint": what --filter is matched with.
    [[nodiscard]] std::string name() const {
        return std::string(perf::name(device)) + "/" + operation + "/" + kind + "/" + layout + "/" +
               std::to_string(bits) + "/" + std::to_string(count) + "/" + by;
    }
};

// All rows. Each source adds its own before main() begins.
std::vector<Row> &registry();

struct Registration {
    explicit Registration(void (*add_rows)()) { add_rows(); }
};

// How many elements a call of this work takes by default: vectors beyond the caches, but a call
// that ends in some 40 ms. `bytes`: of the widest operand; `work`: 32-bit multiply-adds, or what
// takes as long; `patience`: times those 40 ms.
std::size_t default_count(Device device, double bytes, double work, double patience = 1);

// Seconds of `calls` calls one behind another: by events on the GPU, by a steady clock on the CPU.
double seconds(Device device, int calls, const std::function<void()> &once);

} // namespace perf
