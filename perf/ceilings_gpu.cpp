// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA: what this GPU can do at most. Wide multiply-adds as they occur in long
// arithmetic (carry chains of even limbs), FP64 multiply-adds, tensor multiply-adds of bytes,
// copied bytes, bytes of sums of two arrays, which is how formulas read and write, and launches.
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "operands.h"
#include "row.h"

namespace perf {

namespace {

constexpr int threads = 256;
constexpr int rounds = 2048;
constexpr int chains = 2; // a thread, each of four products with carry

// One row of a product: four limbs of a times b, added to eight limbs.
__device__ __forceinline__ void multiply_add_row(std::uint32_t (&r)[8], const std::uint32_t (&a)[4],
                                                 std::uint32_t b) {
    asm volatile("mad.lo.cc.u32 %0, %8, %12, %0;\n\t"
                 "madc.hi.cc.u32 %1, %8, %12, %1;\n\t"
                 "madc.lo.cc.u32 %2, %9, %12, %2;\n\t"
                 "madc.hi.cc.u32 %3, %9, %12, %3;\n\t"
                 "madc.lo.cc.u32 %4, %10, %12, %4;\n\t"
                 "madc.hi.cc.u32 %5, %10, %12, %5;\n\t"
                 "madc.lo.cc.u32 %6, %11, %12, %6;\n\t"
                 "madc.hi.u32 %7, %11, %12, %7;\n\t"
                 : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]),
                   "+r"(r[6]), "+r"(r[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b));
}

__global__ void __launch_bounds__(threads) wide_kernel(std::uint32_t *out) {
    const std::uint32_t seed = blockIdx.x * threads + threadIdx.x;
    std::uint32_t r[chains][8], a[chains][4];
#pragma unroll
    for (int k = 0; k < chains; ++k) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            r[k][i] = seed + static_cast<std::uint32_t>(8 * k + i);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            a[k][i] = (seed ^ 0x9e3779b9u) * static_cast<std::uint32_t>(4 * k + i + 1);
    }
    for (int round = 0; round < rounds / 4; ++round) {
#pragma unroll
        for (int step = 0; step < 4; ++step) {
#pragma unroll
            for (int k = 0; k < chains; ++k)
                multiply_add_row(r[k], a[k], seed + static_cast<std::uint32_t>(step));
        }
    }
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < chains; ++k) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            sum ^= r[k][i];
    }
    out[seed] = sum;
}

__global__ void __launch_bounds__(threads) fp64_kernel(std::uint32_t *out) {
    const std::uint32_t seed = blockIdx.x * threads + threadIdx.x;
    double r[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        r[i] = seed + i;
    const double a = 1 + 1e-9 * seed;
    const double b = 1e-3 * seed;
    for (int round = 0; round < rounds / 4; ++round) {
#pragma unroll
        for (int step = 0; step < 4; ++step) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                r[i] = fma(r[i], a, b);
        }
    }
    double sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum += r[i];
    out[seed] = static_cast<std::uint32_t>(__double_as_longlong(sum));
}

// mma.sync m16n8k32, bytes without sign: 4096 multiply-adds a warp.
__global__ void __launch_bounds__(threads) tensor_kernel(std::uint32_t *out) {
    const std::uint32_t seed = blockIdx.x * threads + threadIdx.x;
#if __CUDA_ARCH__ >= 800
    std::uint32_t a[4], b[2], r[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
        a[i] = seed * static_cast<std::uint32_t>(i + 1);
#pragma unroll
    for (int i = 0; i < 2; ++i)
        b[i] = seed ^ static_cast<std::uint32_t>(i);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            r[k][i] = 0;
    }
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
            asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, "
                         "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+r"(r[k][0]), "+r"(r[k][1]), "+r"(r[k][2]), "+r"(r[k][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            sum ^= r[k][i];
    }
    out[seed] = sum;
#else
    out[seed] = seed;
#endif
}

// r = a + b, words of 16 bytes.
__global__ void __launch_bounds__(threads)
    sum_kernel(uint4 *r, const uint4 *a, const uint4 *b, std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (i >= count)
        return;
    const uint4 x = a[i], y = b[i];
    r[i] = make_uint4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

__global__ void empty_kernel() {}

struct Gpu {
    int blocks = 0; // that fill it several times over
    int capability = 0;
};

Gpu gpu() {
    Gpu result;
    int device = 0;
    int multiprocessors = 0;
    int major = 0;
    int minor = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
        return result;
    result.blocks = multiprocessors * 32;
    result.capability = 10 * major + minor;
    return result;
}

// Device memory of a row.
std::shared_ptr<char> device_memory(std::size_t bytes) {
    void *memory = nullptr;
    require(cudaMalloc(&memory, bytes), "cudaMalloc");
    return {static_cast<char *>(memory), [](char *p) { cudaFree(p); }};
}

Row ceiling(const char *what, Ceiling kind, int bits, double operations) {
    Row row;
    row.operation = what;
    row.kind = "ceiling";
    row.layout = "registers";
    row.by = "the machine";
    row.device = Device::gpu;
    row.bits = bits;
    row.count = static_cast<std::size_t>(operations);
    row.quick = true;
    row.ceiling = kind;
    return row;
}

Row kernel_ceiling(const char *what, Ceiling kind, int bits, double per_thread, int blocks,
                   void (*kernel)(std::uint32_t *)) {
    Row row = ceiling(what, kind, bits, per_thread * blocks * threads);
    row.prepare = [kernel, blocks](std::size_t) {
        const auto out = device_memory(static_cast<std::size_t>(blocks) * threads * 4);
        Prepared prepared;
        prepared.once = [kernel, blocks, out] {
            kernel<<<blocks, threads>>>(reinterpret_cast<std::uint32_t *>(out.get()));
            require(cudaGetLastError(), "a ceiling");
        };
        return prepared;
    };
    return row;
}

const Registration registration{[] {
    const Gpu machine = gpu();
    if (machine.blocks == 0)
        return;
    registry().push_back(kernel_ceiling("multiply-add", Ceiling::multiply_add, 32,
                                        4.0 * chains * rounds, machine.blocks, wide_kernel));
    registry().push_back(kernel_ceiling("FP64 multiply-add", Ceiling::fp64, 64, 8.0 * rounds,
                                        machine.blocks, fp64_kernel));
    if (machine.capability >= 80) {
        registry().push_back(kernel_ceiling("tensor multiply-add (mma.sync)", Ceiling::tensor, 8,
                                            4.0 * rounds * 4096 / 32, machine.blocks,
                                            tensor_kernel));
    }
    constexpr std::size_t bytes = std::size_t{1} << 30;
    Row copy = ceiling("copied bytes", Ceiling::copy, 8, 2.0 * bytes);
    copy.layout = "memory";
    copy.prepare = [](std::size_t) {
        const auto memory = device_memory(2 * bytes);
        Prepared prepared;
        prepared.once = [memory] {
            require(cudaMemcpyAsync(memory.get(), memory.get() + bytes, bytes,
                                    cudaMemcpyDeviceToDevice),
                    "cudaMemcpyAsync");
        };
        prepared.bytes = 2.0 * bytes;
        return prepared;
    };
    registry().push_back(copy);
    Row sum = ceiling("bytes of a sum", Ceiling::sum, 128, 3.0 * bytes);
    sum.layout = "memory";
    sum.prepare = [](std::size_t) {
        constexpr std::size_t count = bytes / sizeof(uint4);
        const auto memory = device_memory(3 * bytes);
        Prepared prepared;
        prepared.once = [memory] {
            uint4 *const r = reinterpret_cast<uint4 *>(memory.get());
            sum_kernel<<<static_cast<unsigned>(count / threads), threads>>>(r, r + count,
                                                                            r + 2 * count, count);
            require(cudaGetLastError(), "a ceiling");
        };
        prepared.bytes = 3.0 * bytes;
        return prepared;
    };
    registry().push_back(sum);
    Row launch = ceiling("launch of an empty kernel", Ceiling::launch, 0, 1);
    launch.prepare = [](std::size_t) {
        Prepared prepared;
        prepared.once = [] { empty_kernel<<<1, 32>>>(); };
        return prepared;
    };
    registry().push_back(launch);
}};

} // namespace
} // namespace perf
