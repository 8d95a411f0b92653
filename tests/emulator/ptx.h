// SPDX-License-Identifier: Apache-2.0
// Runs PTX, the code that nvcc makes of kernels, on the host: each thread of a block in turn, one
// instruction after the other, until it waits for others at a shuffle, a vote or a barrier.
//
// It shows whether PTX is right, and it is strict: lanes that name each other in the mask of a
// shuffle and wait at different ones are an error, a shuffle from a lane that takes no part gives
// an arbitrary number, local memory begins with arbitrary bytes. What ptxas makes of the PTX is not
// seen here, nor are races between threads, nor speed. Of tensor cores' instructions there is the
// product of 8-bit digits that the library uses; those of textures and of clusters are missing; one
// that is not known ends the process with its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct Thread;
struct Function;

struct Instruction {
    using Run = void (*)(Thread &, const Instruction &);
    static constexpr int max_slots = 18;

    Run run = nullptr;
    std::int32_t guard = -1; // the slot of a predicate, if there is one
    bool is_negated = false; // whether it runs where the predicate is false
    // Slots of the operands among the registers and constants of the function.
    std::int32_t slot[max_slots] = {};
    int count = 0;            // of a vector
    std::int64_t number = 0;  // an offset, a target, a mode
    std::int64_t number2 = 0; // another
    const struct Call *call = nullptr;
    std::uint32_t line = 0; // of the module's text, from 1 on
};

// Where a .param variable is.
struct Parameter {
    enum class Place : std::uint8_t { argument, result, call_site };
    Place place;
    std::size_t at; // number of the argument, or offset among the parameters of call sites
};

struct Call {
    std::string name;       // of the function, or none
    std::int32_t slot = -1; // which has its address
    Function *target = nullptr;
    std::vector<Parameter> arguments;
    std::vector<Parameter> results;
};

struct Variable {
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    char *address = nullptr; // of a global or constant
    std::size_t offset = 0;  // in shared memory
    bool is_shared = false;
    bool is_dynamic = false;
};

class Module;

struct Function {
    Module *module = nullptr;
    std::string name;
    std::string_view text; // from its head to its closing brace
    std::uint32_t line = 0;
    bool is_kernel = false;
    bool is_decoded = false;
    int max_threads = 1024;
    std::vector<std::size_t> parameter_bytes;
    std::vector<Instruction> code;
    std::vector<std::uint64_t> constants; // the slots behind the registers
    std::int32_t registers = 0;
    std::vector<std::pair<std::int32_t, const Variable *>> shared_slots;
    std::vector<std::pair<std::int32_t, std::size_t>> local_slots; // and offset
    std::size_t local_bytes = 0;
    std::size_t call_site_bytes = 0;
    std::vector<std::unique_ptr<Call>> calls;
    std::vector<std::unique_ptr<std::vector<std::int64_t>>> tables;
};

class Module {
public:
    // The text must outlive the module.
    explicit Module(std::string_view text);
    // Decodes the function when it is needed first; null if there is none.
    Function *find(std::string_view name);
    Variable *variable(std::string_view name);
    // What it was compiled for: 90 for sm_90.
    [[nodiscard]] int target() const { return target_; }
    // Static shared memory of all its functions together.
    [[nodiscard]] std::size_t shared_bytes() const { return shared_bytes_; }
    Variable &declare(std::string_view declaration,
                      std::map<std::string, Variable, std::less<>> &scope);

private:
    std::map<std::string, Function, std::less<>> functions_;
    std::map<std::string, Variable, std::less<>> variables_;
    std::size_t shared_bytes_ = 0;
    int target_ = 0;
};

void decode(Function &function);
[[noreturn]] void fail(const std::string &message);

struct Size3 {
    unsigned x = 1, y = 1, z = 1;
};
// Runs a kernel; arguments as cudaLaunchKernel takes them.
void launch(Function &kernel, Size3 grid, Size3 block, void **arguments, std::size_t shared_bytes);
// Instructions run so far, by all kernels.
std::uint64_t instructions_run();

} // namespace ptx
