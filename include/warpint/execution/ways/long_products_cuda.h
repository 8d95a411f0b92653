// SPDX-License-Identifier: Apache-2.0
// Products of long numbers as a step of their own, by transforms (kernels/long_products.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../arith/transform/roots.h"
#include "../evaluation/long_product.h"
#include "../kernels/long_products.h"
#include "../memory/resource.h"
#include "../memory/storage.h"
#include "../plan/kernel_facts.h"
#include "formula_cuda.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace warpint::execution {

// GPUs with double precision at half the rate of single.
constexpr bool has_fast_doubles(int capability) {
    return capability == 80 || capability == 90 || capability == 100;
}

// The roots of a transform on a device, which is current; null if there is no memory for them.
template <int log_size>
const transform::Complex *roots_on_device(int device) {
    return kept_constants<transform::Shape<log_size>, transform::Complex>(
        device, &transform::compute_roots<log_size>);
}

// A product whose operands lie in memory, stored as a number no wider than it.
template <class Tree, class... T>
struct LongProductStep {
    static constexpr bool exists = false;
    static constexpr bool is_only_way = false;
};
template <class Operation, BigNumber A, BigNumber... B, BigNumber T>
    requires(
        T::bits <=
            value_bits<typename Node<Operation, BatchPointer<A>, BatchPointer<B>...>::value_type> &&
        is_transformed<
            expression::product_part<Node<Operation, BatchPointer<A>, BatchPointer<B>...>>, T::bits,
            A, B...>)
struct LongProductStep<Node<Operation, BatchPointer<A>, BatchPointer<B>...>, T> {
    static constexpr bool exists = true;
    using Tree = Node<Operation, BatchPointer<A>, BatchPointer<B>...>;
    static constexpr bool is_square = sizeof...(B) == 0;
    static constexpr int product_limbs = limbs_of_long_product<A, B...>;
    static constexpr bool low = T::limb_count < product_limbs;
    static constexpr int skipped = // limbs below a high product
        expression::product_part<Tree> == expression::ProductPart::high ? (B::limb_count + ... + 0)
                                                                        : 0;
    static constexpr int log_size = transform::log_size_of(product_limbs);
    using Shape = transform::Shape<log_size>;
    static_assert(skipped + T::limb_count <= Shape::max_limbs);
    static constexpr auto kernel = &long_products_kernel<log_size>;

    // Products so long have no kernel over lanes: it would take minutes to compile.
    static constexpr bool is_only_way = product_limbs > tuning::max_limbs_of_products_over_lanes;

    // Plans the step so, if the table says that it pays, or if there is no other way; else leaves
    // the plan as it is. Throws std::runtime_error if there is no other way and the GPU cannot.
    static void plan(Plan &plan, std::size_t count, int device) {
        const KernelFacts facts = kernel_facts(reinterpret_cast<const void *>(kernel), device);
        if (!is_only_way &&
            (!has_fast_doubles(facts.gpu.capability) ||
             !tuning::Known::is_transformed(facts.gpu.compiled_for, product_limbs, is_square, low)))
            return;
        if (!allows_shared_bytes<kernel>(Shape::shared_bytes, device)) {
            if constexpr (is_only_way) {
                throw std::runtime_error("warpint: products of more than 131072 bits take 73 KB of "
                                         "a block's shared memory, which this GPU does not have: "
                                         "use one of compute capability 8.0 or newer, or the CPU");
            }
            return;
        }
        if (roots_on_device<log_size>(device) == nullptr) {
            if constexpr (is_only_way)
                throw device_bad_alloc();
            return;
        }
        plan_own_kernel(plan, reinterpret_cast<const void *>(kernel), Shape::threads, device);
        plan.family = KernelFamily::block_per_number;
        plan.shared_bytes = Shape::shared_bytes;
        plan.blocks = std::min(count, max_grid);
        if constexpr (!Shape::keeps_in_shared) {
            static_assert(Shape::threads == 512); // of 128 registers: an SM holds one block
            plan.blocks = std::min(count, static_cast<std::size_t>(facts.multiprocessors));
            plan.workspace_bytes = plan.blocks * Shape::kept_bytes;
        }
        plan.reason = "a product of long numbers: a block makes three Fourier transforms";
        plan.run = &run;
    }

    static void run(const Plan &plan, const void *to, std::size_t count, const void *of,
                    memory_resource &memory, stream_handle stream) {
        const auto &target = *static_cast<const Target<T> *>(to);
        const Tree &tree = *static_cast<const Tree *>(of);
        int device = 0;
        check_cuda(cudaGetDevice(&device), "warpint: cudaGetDevice");
        LongProducts products{};
        products.a = factors(item<0>(tree.operands));
        if constexpr (!is_square) {
            products.b = factors(item<1>(tree.operands));
            if (products.b.is(products.a))
                products.b = {}; // a * a is a square
        }
        products.limbs = place<0>(target).data->limbs;
        products.faults = place<0>(target).faults;
        products.skipped = skipped;
        products.count = T::limb_count;
        products.unused_bits = 32 * T::limb_count - T::bits;
        products.is_signed = T::is_signed;
        products.roots = roots_on_device<log_size>(device);
        products.elements = count;
        std::optional<Workspace<std::byte>> kept;
        if constexpr (!Shape::keeps_in_shared) {
            kept.emplace(memory, plan.workspace_bytes, stream);
            products.kept = reinterpret_cast<transform::Complex *>(kept->data());
        }
        launch(plan, stream, products);
    }

private:
    static constexpr std::size_t max_grid = 0x7fffffff;

    template <class Number>
    static LongFactors factors(const BatchPointer<Number> &leaf) {
        static_assert(sizeof(Number) == 4 * Number::limb_count);
        return {leaf.data->limbs, leaf.faults, Number::limb_count, Number::is_signed};
    }
};

} // namespace warpint::execution

#endif
