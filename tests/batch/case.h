// SPDX-License-Identifier: Apache-2.0
// What one batched test computes: a body with its types of operands, run for every element of a
// batch, on the host or on the device with a thread per element. It stands behind pointers to
// functions, so that the runner and the oracles are compiled once, for all types.
#pragma once

#include "results.h"

#include <array>
#include <utility>
#include <vector>

namespace batch_test {

/// The most numbers that an element of a batch consists of.
inline constexpr std::size_t max_operands = 4;

/// A batch in the memory of the side that computes it.
struct Batch {
    const void *operands[max_operands];
    const Parameters *parameters;
    unsigned char *records; // filled with guard_byte
    std::size_t record_size;
    int count;
};

/// One body for its types of operands.
struct Case {
    int group;                            // of operations, as the subject counts them
    int width;                            // in bits: its row in the table
    int detail;                           // what else the subject must know of the types
    int operand_count;                    // at most max_operands
    std::array<Type, max_operands> types; // bits = 0 where there is no operand
    /// Computes the batch on the host; returns the size of a record.
    std::size_t (*run_host)(const Batch &);
    /// Starts the batch's kernel on a CUDA stream, given as void *; returns a cudaError_t. Null in
    /// builds without CUDA.
    int (*launch)(const Batch &, void *stream);

    Type a() const { return types[0]; }
    Type b() const { return types[1]; }
};

/// Bytes of a number.
inline std::size_t size_of(Type type) {
    return (static_cast<std::size_t>(type.bits) + 31) / 32 * 4;
}

template <class Body, class... T, std::size_t... I>
WARPINT_HOST_DEVICE std::size_t apply_to(const Batch &batch, int i, std::index_sequence<I...>) {
    Results out(batch.records + static_cast<std::size_t>(i) * batch.record_size);
    Body::apply(static_cast<const T *>(batch.operands[I])[i]..., batch.parameters[i], out);
    return out.size();
}

template <class Body, class... T>
std::size_t run_host(const Batch &batch) {
    std::size_t size = 0;
    for (int i = 0; i < batch.count; ++i)
        size = apply_to<Body, T...>(batch, i, std::index_sequence_for<T...>{});
    return size;
}

#ifdef __CUDACC__

template <class Body, class... T>
__global__ void compute(Batch batch) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < batch.count)
        apply_to<Body, T...>(batch, i, std::index_sequence_for<T...>{});
}

template <class Body, class... T>
int launch(const Batch &batch, void *stream) {
    constexpr int threads_per_block = 64;
    const int blocks = (batch.count + threads_per_block - 1) / threads_per_block;
    compute<Body, T...><<<blocks, threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(batch);
    return static_cast<int>(cudaGetLastError());
}

#endif

/// The case of a body for operands of types T, which must offer
///   static void Body::apply(const T &..., const Parameters &, Results &)
/// on both sides.
template <class Body, class... T>
Case make_case(int group, int width, int detail = 0) {
    static_assert(sizeof...(T) <= max_operands);
    static_assert(((sizeof(T) == (static_cast<std::size_t>(T::bits) + 31) / 32 * 4) && ...));
    Case made{group,           width,
              detail,          static_cast<int>(sizeof...(T)),
              {type_of<T>...}, &run_host<Body, T...>,
              nullptr};
#ifdef __CUDACC__
    made.launch = &launch<Body, T...>;
#endif
    return made;
}

/// Registers cases before main: `const Registration r([] { add_all<...>(); });`
struct Registration {
    template <class F>
    explicit Registration(F add) {
        add();
    }
};

} // namespace batch_test
