// SPDX-License-Identifier: Apache-2.0
// A formula, block after block, on all cores: what lies between its operations stays in a core's
// cache.
#include "core.h"

#include <warpint/execution/memory/parallel.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace core {
namespace {

constexpr std::size_t group = 32; // what an engine takes at once

// Elements of a block: intermediate values of so many bytes an element stay within a core's cache.
std::size_t block_of(std::size_t bytes_per_element) {
    constexpr std::size_t cache = 128 * 1024;
    return std::clamp<std::size_t>(cache / std::max<std::size_t>(1, bytes_per_element) / group, 1,
                                   32) *
           group;
}

// Elements that a core takes at least: of dear ones, fewer than a group.
std::size_t granule_of(std::size_t operations, int widest) {
    return warpint::execution::is_dear_work(operations) ? elements_at_once(widest) : group;
}

// The registers of one thread.
class Blocks {
public:
    Blocks(const Program &program, const Column &out, std::size_t block)
        : program_{program}, out_{out}, registers_(program.inputs) {
        std::size_t limbs = 0;
        for (const Step &step : program.steps)
            limbs += static_cast<std::size_t>(step.width.limbs() + 3) / 4 * 4 * block;
        memory_.resize(limbs);
        faults_.resize(program.steps.size() * block);
        u32 *next = memory_.data();
        std::uint8_t *next_fault = faults_.data();
        for (const Step &step : program.steps) {
            const auto own = static_cast<std::size_t>(step.width.limbs());
            Column column{step.width, next, own, next_fault, 1};
            registers_.push_back(column);
            next += (own + 3) / 4 * 4 * block;
            next_fault += block;
        }
    }

    void run(std::size_t first, std::size_t count) {
        for (std::size_t j = 0; j < program_.inputs.size(); ++j) {
            const Column &input = program_.inputs[j];
            registers_[j].data = input[first];
            if (input.faults != nullptr)
                registers_[j].faults = input.faults + first * input.fault_stride;
        }
        registers_.back().data = out_[first];
        registers_.back().faults = out_.faults + first;
        for (std::size_t j = 0; j < program_.steps.size(); ++j) {
            const Step &step = program_.steps[j];
            Column operands[4];
            for (std::size_t o = 0; o < step.operands.size(); ++o)
                operands[o] = registers_[static_cast<std::size_t>(step.operands[o])];
            compute(step.operation, registers_[program_.inputs.size() + j], operands,
                    static_cast<int>(step.operands.size()), count, step.k);
        }
    }

private:
    const Program &program_;
    const Column &out_;
    std::vector<Column> registers_;
    std::vector<u32> memory_;
    std::vector<std::uint8_t> faults_;
};

} // namespace

void run(const Program &program, const Column &out, std::size_t count) {
    std::vector<Width> widths(program.inputs.begin(), program.inputs.end());
    std::size_t bytes = 0;
    std::size_t operations = 0;
    int widest = 0;
    for (const Step &step : program.steps) {
        Width operands[4];
        int bits = step.width.bits;
        for (std::size_t o = 0; o < step.operands.size(); ++o) {
            operands[o] = widths[static_cast<std::size_t>(step.operands[o])];
            bits = std::max(bits, operands[o].bits);
        }
        const int needed =
            bits_of_class(step.operation, operands, static_cast<int>(step.operands.size()));
        if (class_of(needed) == nullptr)
            throw std::invalid_argument("no class of widths holds " + std::to_string(needed) +
                                        " bits");
        bytes += static_cast<std::size_t>(step.width.limbs()) * 4 + 1;
        operations += cost(step.operation, bits);
        widest = std::max(widest, bits);
        widths.push_back(step.width);
    }
    const std::size_t block = block_of(bytes);
    warpint::execution::parallel_for(count, granule_of(operations, widest), operations,
                                     [&](std::size_t first, std::size_t last) {
                                         Blocks blocks(program, out, std::min(block, last - first));
                                         for (; first < last; first += block)
                                             blocks.run(first, std::min(block, last - first));
                                     });
}

} // namespace core
