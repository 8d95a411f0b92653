// Runs a body (bodies.h) for every element of a batch, on the host or on the device with a thread
// per element, behind pointers to functions: the runner (batch.cpp) and the oracle (oracle.cpp)
// are compiled once, for all types.
#pragma once

#include "bodies.h"

#include <vector>

namespace number_test {

enum class Group {
    sums,
    products,
    divisions,
    division_aliases,
    bits,
    orders,
    conversions,
    builtin_divisions,
    functions
};
inline constexpr int group_count = 9;

template <Group group>
struct body;
template <>
struct body<Group::sums> {
    using type = Sums;
};
template <>
struct body<Group::products> {
    using type = Products;
};
template <>
struct body<Group::divisions> {
    using type = Divisions;
};
template <>
struct body<Group::division_aliases> {
    using type = DivisionAliases;
};
template <>
struct body<Group::bits> {
    using type = Bits;
};
template <>
struct body<Group::orders> {
    using type = Orders;
};
template <>
struct body<Group::conversions> {
    using type = Conversions;
};
template <>
struct body<Group::builtin_divisions> {
    using type = BuiltinDivisions;
};
template <>
struct body<Group::functions> {
    using type = Functions;
};

/// A batch in the memory of the side that computes it.
struct Batch {
    const void *a;
    const void *b;
    const Parameters *parameters;
    unsigned char *records; // filled with guard_byte
    std::size_t record_size;
    int count;
};

/// One body for one pair of types.
struct Case {
    Group group;
    Type a, b;
    std::size_t a_size, b_size; // of an operand, in bytes
    bool has_roots;
    /// Computes the batch on the host; returns the size of a record.
    std::size_t (*run_host)(const Batch &);
    /// Starts the batch's kernel on a CUDA stream, given as void *; returns a cudaError_t. Null in
    /// builds without CUDA.
    int (*launch)(const Batch &, void *stream);
};

/// All cases of the program.
std::vector<Case> &cases();

template <class Body, class A, class B>
std::size_t run_host(const Batch &batch) {
    std::size_t size = 0;
    for (int i = 0; i < batch.count; ++i) {
        Results out(batch.records + static_cast<std::size_t>(i) * batch.record_size);
        Body::apply(static_cast<const A *>(batch.a)[i], static_cast<const B *>(batch.b)[i],
                    batch.parameters[i], out);
        size = out.size();
    }
    return size;
}

#ifdef __CUDACC__

template <class Body, class A, class B>
__global__ void compute(Batch batch) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= batch.count)
        return;
    Results out(batch.records + static_cast<std::size_t>(i) * batch.record_size);
    Body::apply(static_cast<const A *>(batch.a)[i], static_cast<const B *>(batch.b)[i],
                batch.parameters[i], out);
}

template <class Body, class A, class B>
int launch(const Batch &batch, void *stream) {
    constexpr int threads_per_block = 64;
    const int blocks = (batch.count + threads_per_block - 1) / threads_per_block;
    compute<Body, A, B><<<blocks, threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(batch);
    return static_cast<int>(cudaGetLastError());
}

#endif

template <Group group, class A, class B>
void add_case() {
    using Body = typename body<group>::type;
    Case added{group,
               type_of<A>,
               type_of<B>,
               sizeof(A),
               sizeof(B),
               has_roots<BigInt<A::bits>>,
               &run_host<Body, A, B>,
               nullptr};
#ifdef __CUDACC__
    added.launch = &launch<Body, A, B>;
#endif
    cases().push_back(added);
}

/// Every group for A and B.
template <class A, class B>
void add_all() {
    add_case<Group::sums, A, B>();
    add_case<Group::products, A, B>();
    add_case<Group::divisions, A, B>();
    add_case<Group::division_aliases, A, B>();
    add_case<Group::bits, A, B>();
    add_case<Group::orders, A, B>();
    add_case<Group::conversions, A, B>();
    add_case<Group::builtin_divisions, A, B>();
    add_case<Group::functions, A, B>();
}

/// Registers cases before main: `const Registration r([] { add_all<...>(); });`
struct Registration {
    template <class F>
    explicit Registration(F add) {
        add();
    }
};

} // namespace number_test
