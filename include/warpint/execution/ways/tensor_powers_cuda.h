// SPDX-License-Identifier: Apache-2.0
// Powers in a residue number system, as a step of their own (kernels/powers.h, spread_powers.h). Of
// large batches on tensor cores: blocks of 256 numbers, above 2080 bits of 128. As many blocks as
// the GPU holds are a round; rounds follow one another and share the memory of one. Of small
// batches each number has a block, and all are one round. Elements behind the last round that pays,
// and those whose modulus the system cannot have, are computed by the formula's own kernel
// afterwards, in one launch.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/power_source.h"
#include "../kernels/spread_powers.h"
#include "../memory/for_each_cuda.h"
#include "../memory/storage.h"
#include "formula_cuda.h"
#include "window.h"

#include <vector>

namespace warpint::execution {

// The constants of a residue number system on a device, which is current; null if there is no
// memory for them: the formula's own kernel needs none.
template <int bits>
const rns::Tables<bits> *tables_on_device(int device) {
    using Tables = rns::Tables<bits>;
    return kept_constants<Tables, Tables>(device, [] {
        std::vector<Tables> made(1);
        rns::compute_tables(made[0]);
        return made;
    });
}

// A power whose operands lie in memory or are constants, stored as one number.
template <class Tree, class... T>
struct TensorPowers {
    static constexpr bool exists = false;
};

// Of residues of an odd modulus.
template <int Bits, class Operation, class A, class E>
    requires(is_tensor_power<Node<Operation, A, E, FormulaModulus<Bits>>> &&
             TensorOperand<A>::bits > 0 && TensorOperand<E>::bits > 0)
struct TensorSource<WithModulus<Bits, Node<Operation, A, E, FormulaModulus<Bits>>>> {
    static constexpr bool exists = true;
    using Tree = WithModulus<Bits, Node<Operation, A, E, FormulaModulus<Bits>>>;
    static constexpr int bits = number::form_t<Bits>::bits;
    using Operands = PowerOperands<TensorOperand<A>::bits, TensorOperand<E>::bits, bits, true>;

    static bool suits(const Tree &whole) {
        const Modulus<Bits> &modulus = whole.modulus;
        return modulus.is_odd() && modulus.value() > 2u &&
               suits_tensor_power(item<1>(whole.tree.operands));
    }
    static Operands of(const Tree &whole) {
        const Modulus<Bits> &modulus = whole.modulus;
        const auto one = modulus(1u);
        auto square = one; // P_A^2
        for (int i = 0; i < 2 * rns::Bases<bits>::channels; ++i)
            square *= modulus(rns::Bases<bits>::prime_a(i / 2));
        const auto as_form = number::to<number::form_t<Bits>>(square.value());
        Operands operands{TensorOperand<A>::of(item<0>(whole.tree.operands)),
                          TensorOperand<E>::of(item<1>(whole.tree.operands)),
                          {nullptr, nullptr, number::to<BigInt<bits>>(modulus.value())},
                          {}};
        operands.forms.into =
            number::to<BigInt<bits>>(Residue<Bits>::from_form(as_form, modulus).value());
        operands.forms.out_of = number::to<BigInt<bits>>(one.form());
        return operands;
    }
};

template <class Tree_, BigNumber T>
    requires(TensorSource<Tree_>::exists)
struct TensorPowers<Tree_, T> {
    static constexpr bool exists = true;
    using Tree = Tree_;
    using Source = TensorSource<Tree>;
    using Operands = typename Source::Operands;
    static constexpr int bits = Operands::bits;
    static constexpr int slots = rns::Bases<bits>::slots;
    using Block = PowerBlock<slots>;
    using Spread = SpreadBlock<slots>;
    using Round = PowerRound<Operands>;

    static constexpr auto prepare = &prepare_powers_kernel<Operands>;
    static constexpr auto enter = &enter_residues_kernel<Operands>;
    static constexpr auto raise = &powers_kernel<slots, Operands::exponent_bits>;
    static constexpr auto spread = &spread_powers_kernel<slots, Operands::exponent_bits>;
    static constexpr auto leave = &leave_residues_kernel<Operands, T>;

    static void plan(Plan &plan, const Tree &tree, std::size_t count, int device) {
        if (plan.family != KernelFamily::lanes_per_number || !Source::suits(tree))
            return;
        const KernelFacts facts = kernel_facts(reinterpret_cast<const void *>(raise), device);
        if (facts.gpu.compiled_for < 80) // such code has empty kernels, which newer GPUs run too
            return;
        const auto multiprocessors = static_cast<std::size_t>(facts.multiprocessors);
        const auto of_row = [&](int row) {
            return multiprocessors * static_cast<std::size_t>(row);
        };
        using Rows = tuning::Known;
        if (count <= of_row(Rows::most_spread_powers(facts.gpu.compiled_for, bits))) {
            if (can_have(count, device))
                set(plan, &Execution::spread_elements, tree, count, count, count, device);
            return;
        }
        if (!has_tensor_powers(facts.gpu.capability))
            return;
        const std::size_t round = multiprocessors * Block::numbers;
        const std::size_t least = of_row(Rows::least_tensor_powers(facts.gpu.compiled_for, bits));
        const std::size_t whole = least <= round ? count / round * round : 0;
        const std::size_t elements = count - whole >= least ? count : whole;
        if (elements == 0 || !can_have(round, device) ||
            !allows_shared_bytes<raise>(Block::shared_bytes, device))
            return;
        const std::size_t blocks = (elements + Block::numbers - 1) / Block::numbers;
        set(plan, &Execution::tensor_elements, tree, count, elements,
            std::min(round, blocks * Block::numbers), device);
    }

    static void run(const Plan &plan, const void *to, std::size_t count, const void *of,
                    memory_resource &memory, stream_handle stream) {
        const auto &target = *static_cast<const Target<T> *>(to);
        const Tree &tree = *static_cast<const Tree *>(of);
        const Operands operands = Source::of(tree);
        int device = 0;
        check_cuda(cudaGetDevice(&device), "warpint: cudaGetDevice");
        const rns::Tables<bits> *const tables = tables_on_device<bits>(device);
        const PowerConstants constants = power_constants(tables);
        const std::size_t words = (count + 31) / 32;
        Workspace<std::byte> workspace(memory, Round::bytes(plan.round) + words * 4, stream);
        auto *const left =
            reinterpret_cast<std::uint32_t *>(workspace.data() + Round::bytes(plan.round));
        const PowerSpace space = Round::space_at(workspace.data(), plan.round, left);
        // Of the last part of a batch that runs in parts there may be fewer.
        const bool spreads = plan.spread_elements > 0;
        const std::size_t elements =
            std::min(spreads ? plan.spread_elements : plan.tensor_elements, count);
        if (elements < count) {
            const std::size_t first = elements / 32; // rounds are whole words
            check_cuda(cudaMemsetAsync(left + first, 0xff, (words - first) * 4, stream),
                       "warpint: cudaMemsetAsync");
        }
        for (std::size_t first = 0; first < elements; first += plan.round) {
            const auto n = static_cast<unsigned>(std::min(plan.round, elements - first));
            launch_kernel(prepare, (n + 127) / 128, 128, 0, stream, operands, first, n, space,
                          tables);
            launch_kernel(enter, (std::size_t{n} * 2 * Block::channels + 255) / 256, 256, 0, stream,
                          operands, first, n, space, tables);
            if (spreads) {
                launch_kernel(spread, n, Spread::threads, Spread::shared_bytes, stream,
                              operands.exponent, first, space, constants);
            } else {
                launch_kernel(raise, (n + Block::numbers - 1) / Block::numbers, Block::threads,
                              Block::shared_bytes, stream, operands.exponent, first, n, space,
                              constants, rns::Biases{});
            }
            launch_kernel(leave, (n + 127) / 128, 128, 0, stream, target, operands, first, n, space,
                          tables);
        }
        launch(plan, stream, target, count, 0u, static_cast<const std::uint32_t *>(left), tree);
    }

private:
    // Whether there is memory for a round of n numbers, and for the constants.
    static bool can_have(std::size_t n, int device) {
        return Round::bytes(n) <= max_scratch_bytes(device) &&
               tables_on_device<bits>(device) != nullptr;
    }
    // The plan for so many of `count` elements, in rounds. The kernel for what is left: hardly any
    // of the others, so that its time is that of a small batch.
    static void set(Plan &plan, std::size_t Execution::*field, const Tree &tree, std::size_t count,
                    std::size_t elements, std::size_t round, int device) {
        plan = replanned(plan, tree, std::max<std::size_t>(count - elements, 1), device);
        const std::size_t in_block = static_cast<std::size_t>(plan.threads_per_block) /
                                     static_cast<std::size_t>(plan.lanes_per_number);
        plan.blocks = (count + in_block - 1) / in_block;
        plan.*field = elements;
        plan.round = round;
        plan.workspace_bytes = Round::bytes(round) + (count + 31) / 32 * 4;
        plan.run = &run;
    }
    // The plan of the formula's own kernel for another count.
    static Plan replanned(const Plan &old, const Tree &tree, std::size_t count, int device) {
        Plan plan = plan_formula<Tree, T>(count, device, true);
        plan.kind = old.kind;
        plan.widest_bits = old.widest_bits;
        plan.bytes_moved = old.bytes_moved;
        plan.values_bytes = old.values_bytes;
        plan.window = window_of(tree, plan, 0);
        return plan;
    }
};

} // namespace warpint::execution

#endif
