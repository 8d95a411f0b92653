// Deciding how a formula runs. A Workload says what there is to do; select() looks it up in the
// tuning tables for the GPU's compute capability and returns a Plan. Nothing here launches
// anything.
#pragma once

#include "../expression/node.h"

namespace warpint::execution {

// Families of kernels. Only the first exists so far; selection and tables leave room for
//   lanes_per_number  a number across 2 ... 32 lanes of a warp, for wide products and powers
//   fp64              52-bit limbs in double precision, on chips with full-rate FP64
//   tensor_rns        residue number systems on matrix units
enum class KernelFamily { cpu_threads, thread_per_number };

constexpr const char *name(KernelFamily family) {
    switch (family) {
    case KernelFamily::cpu_threads:
        return "cpu threads";
    case KernelFamily::thread_per_number:
        return "thread per number";
    }
    return "unknown";
}

// What dominates the work of one element.
enum class WorkKind { streaming, product, division, power };

constexpr const char *name(WorkKind kind) {
    switch (kind) {
    case WorkKind::streaming:
        return "streaming";
    case WorkKind::product:
        return "product";
    case WorkKind::division:
        return "division";
    case WorkKind::power:
        return "power";
    }
    return "unknown";
}

// How elements reach the registers of their thread.
enum class Loading {
    direct,         // each thread reads its own number
    through_shared, // a warp reads 32 numbers in whole lines and transposes them in shared memory
};

// One row of a tuning table. It applies from this compute capability on, to this kind of work, up
// to this width.
struct ThreadPerNumberPolicy {
    int compute_capability; // 10 * major + minor
    WorkKind kind;
    int max_bits; // of the widest value in the formula
    int threads_per_block;
    int min_blocks_per_multiprocessor; // for the register allocation
    Loading loading;
};

struct Workload {
    WorkKind kind;
    int widest_bits;
    int widest_element_bytes;
};

template <class Tree, class Target>
WARPINT_HOST_DEVICE constexpr Workload workload_of() {
    using Summary = expression::Summary<Tree>;
    Workload work{};
    work.kind = Summary::has_power      ? WorkKind::power
                : Summary::has_division ? WorkKind::division
                : Summary::has_product  ? WorkKind::product
                                        : WorkKind::streaming;
    work.widest_bits = Summary::widest_bits;
    work.widest_element_bytes =
        expression::larger(Summary::widest_element_bytes, static_cast<int>(sizeof(Target)));
    return work;
}

} // namespace warpint::execution
