// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA: what one writes without a library. A thread per number, limbs of 64 bits in an
// array, products by unsigned __int128, Montgomery's reduction interleaved (CIOS, Koc, Acar and
// Kaliski 1996), the modulus of each element its own, powers by the bits of the exponent.
#include <algorithm>
#include <cstdint>
#include <memory>

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include "operands.h"
#include "reference.h"
#include "row.h"
#include "work.h"

namespace perf {

namespace {

using Limb = std::uint64_t;
__extension__ using Wide = unsigned __int128;

template <int N>
struct Plain {
    Limb limbs[N];
};

template <int N>
__device__ bool less(const Plain<N> &a, const Plain<N> &b) {
    for (int i = N - 1; i >= 0; --i) {
        if (a.limbs[i] != b.limbs[i])
            return a.limbs[i] < b.limbs[i];
    }
    return false;
}

template <int N>
__device__ void subtract(Plain<N> &a, const Plain<N> &b) {
    Limb borrow = 0;
    for (int i = 0; i < N; ++i) {
        const Wide t = static_cast<Wide>(a.limbs[i]) - b.limbs[i] - borrow;
        a.limbs[i] = static_cast<Limb>(t);
        borrow = static_cast<Limb>(t >> 64) & 1;
    }
}

// a b / 2^(64 N) modulo m, for b < m and any a below 2^(64 N). inverse: -1 / m modulo 2^64.
template <int N>
__device__ Plain<N> multiply(const Plain<N> &a, const Plain<N> &b, const Plain<N> &m,
                             Limb inverse) {
    Limb t[N + 2] = {};
    for (int i = 0; i < N; ++i) {
        Limb carry = 0;
        for (int j = 0; j < N; ++j) {
            const Wide s = static_cast<Wide>(a.limbs[i]) * b.limbs[j] + t[j] + carry;
            t[j] = static_cast<Limb>(s);
            carry = static_cast<Limb>(s >> 64);
        }
        Wide s = static_cast<Wide>(t[N]) + carry;
        t[N] = static_cast<Limb>(s);
        t[N + 1] = static_cast<Limb>(s >> 64);
        const Limb q = t[0] * inverse;
        s = static_cast<Wide>(q) * m.limbs[0] + t[0];
        carry = static_cast<Limb>(s >> 64);
        for (int j = 1; j < N; ++j) {
            s = static_cast<Wide>(q) * m.limbs[j] + t[j] + carry;
            t[j - 1] = static_cast<Limb>(s);
            carry = static_cast<Limb>(s >> 64);
        }
        s = static_cast<Wide>(t[N]) + carry;
        t[N - 1] = static_cast<Limb>(s);
        t[N] = t[N + 1] + static_cast<Limb>(s >> 64);
    }
    Plain<N> r;
    for (int i = 0; i < N; ++i)
        r.limbs[i] = t[i];
    if (t[N] != 0 || !less(r, m))
        subtract(r, m);
    return r;
}

// -1 / m modulo 2^64 by Newton's iteration.
__device__ Limb negative_inverse(Limb m) {
    Limb x = m; // right in three bits
    for (int i = 0; i < 5; ++i)
        x *= 2 - m * x;
    return 0 - x;
}

// 2^(128 N) modulo m, for m with its top bit set, by doubling.
template <int N>
__device__ Plain<N> square_of_radix(const Plain<N> &m) {
    Plain<N> r{};
    subtract(r, m); // 2^(64 N) - m, below m
    for (int i = 0; i < 64 * N; ++i) {
        const bool carry = r.limbs[N - 1] >> 63 != 0;
        for (int k = N - 1; k > 0; --k)
            r.limbs[k] = r.limbs[k] << 1 | r.limbs[k - 1] >> 63;
        r.limbs[0] <<= 1;
        if (carry || !less(r, m))
            subtract(r, m);
    }
    return r;
}

template <int N>
__global__ void __launch_bounds__(128)
    multiply_kernel(Plain<N> *r, const Plain<N> *a, const Plain<N> *b, Plain<N> m,
                    Plain<N> radix_squared, std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const Limb inverse = negative_inverse(m.limbs[0]);
    r[i] = multiply(a[i], multiply(b[i], radix_squared, m, inverse), m, inverse);
}

template <int N>
__global__ void radix_kernel(Plain<N> *r, Plain<N> m) {
    *r = square_of_radix(m);
}

template <int N>
__global__ void __launch_bounds__(128)
    power_kernel(Plain<N> *r, const Plain<N> *a, const Plain<N> *e, const Plain<N> *m,
                 std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const Plain<N> modulus = m[i];
    const Plain<N> exponent = e[i];
    const Limb inverse = negative_inverse(modulus.limbs[0]);
    const Plain<N> base = multiply(a[i], square_of_radix(modulus), modulus, inverse);
    Plain<N> power = base; // the exponent's top bit is set
    for (int bit = 64 * N - 2; bit >= 0; --bit) {
        power = multiply(power, power, modulus, inverse);
        if (exponent.limbs[bit / 64] >> (bit % 64) & 1)
            power = multiply(power, base, modulus, inverse);
    }
    Plain<N> one{};
    one.limbs[0] = 1;
    r[i] = multiply(one, power, modulus, inverse);
}

template <int N>
std::shared_ptr<Plain<N>> numbers(std::size_t count) {
    void *memory = nullptr;
    require(cudaMalloc(&memory, count * sizeof(Plain<N>)), "cudaMalloc");
    return {static_cast<Plain<N> *>(memory), [](Plain<N> *p) { cudaFree(p); }};
}

template <int N>
Numbers filled(const std::shared_ptr<Plain<N>> &memory, std::size_t count, Shape shape) {
    const Numbers result{reinterpret_cast<std::uint32_t *>(memory.get()), count, 64 * N};
    fill(Device::gpu, result, shape);
    return result;
}

template <int N>
Batch batch_of(std::size_t count, const std::shared_ptr<Plain<N>> &result) {
    Batch batch;
    batch.device = Device::gpu;
    batch.count = count;
    batch.result = result.get();
    batch.result_bytes = sizeof(Plain<N>);
    batch.result_bits = 64 * N;
    return batch;
}

unsigned blocks(std::size_t count) {
    return static_cast<unsigned>((count + 127) / 128);
}

template <int N>
Prepared prepare_product(std::size_t count) {
    const auto a = numbers<N>(count), b = numbers<N>(count), r = numbers<N>(count),
               radix = numbers<N>(1);
    const auto m = std::make_shared<Plain<N>>();
    Batch batch = batch_of<N>(count, r);
    batch.a = filled<N>(a, count, Shape::full);
    batch.b = filled<N>(b, count, Shape::full);
    batch.m = {reinterpret_cast<std::uint32_t *>(m->limbs), 1, 64 * N, true};
    fill(Device::cpu, batch.m, Shape::odd);
    radix_kernel<N><<<1, 1>>>(radix.get(), *m);
    Plain<N> radix_squared;
    copy_to_host(Device::gpu, &radix_squared, radix.get(), sizeof radix_squared);
    Prepared prepared;
    prepared.bytes = 3.0 * static_cast<double>(count * sizeof(Plain<N>));
    prepared.once = [=] {
        multiply_kernel<N>
            <<<blocks(count), 128>>>(r.get(), a.get(), b.get(), *m, radix_squared, count);
        require(cudaGetLastError(), "plain CIOS");
    };
    prepared.spoil = [=] { spoil(Device::gpu, r.get(), count * sizeof(Plain<N>)); };
    prepared.check = [=](std::size_t most) { // operands live as long as this does
        (void)a, (void)b, (void)m;
        return check(batch, reference::multiply_modulo, most);
    };
    return prepared;
}

template <int N>
Prepared prepare_power(std::size_t count) {
    const auto a = numbers<N>(count), e = numbers<N>(count), m = numbers<N>(count),
               r = numbers<N>(count);
    Batch batch = batch_of<N>(count, r);
    batch.a = filled<N>(a, count, Shape::full);
    batch.e = filled<N>(e, count, Shape::full);
    batch.m = filled<N>(m, count, Shape::odd);
    Prepared prepared;
    prepared.bytes = 4.0 * static_cast<double>(count * sizeof(Plain<N>));
    prepared.once = [=] {
        power_kernel<N><<<blocks(count), 128>>>(r.get(), a.get(), e.get(), m.get(), count);
        require(cudaGetLastError(), "plain CIOS");
    };
    prepared.spoil = [=] { spoil(Device::gpu, r.get(), count * sizeof(Plain<N>)); };
    prepared.check = [=](std::size_t most) {
        (void)a, (void)e, (void)m;
        return check(batch, reference::power, most);
    };
    return prepared;
}

// thrust::sort of a copy.
struct Before {
    __host__ __device__ bool operator()(const Plain<4> &a, const Plain<4> &b) const {
        for (int i = 3; i >= 0; --i) {
            if (a.limbs[i] != b.limbs[i])
                return a.limbs[i] < b.limbs[i];
        }
        return false;
    }
};

Prepared prepare_sort(std::size_t count) {
    const auto before = numbers<4>(count), after = numbers<4>(count);
    const Numbers from = filled<4>(before, count, Shape::full);
    const Numbers to{reinterpret_cast<std::uint32_t *>(after.get()), count, 256};
    Prepared prepared;
    prepared.bytes = 2.0 * static_cast<double>(count * sizeof(Plain<4>));
    prepared.once = [=] {
        require(cudaMemcpyAsync(after.get(), before.get(), count * sizeof(Plain<4>),
                                cudaMemcpyDeviceToDevice),
                "cudaMemcpyAsync");
        thrust::sort(thrust::device, after.get(), after.get() + count, Before{});
    };
    prepared.spoil = [=] { spoil(Device::gpu, after.get(), count * sizeof(Plain<4>)); };
    prepared.check = [=](std::size_t) { return check_sorted(Device::gpu, from, to); };
    return prepared;
}

void add_sort() {
    Row row;
    row.operation = "sort(a)";
    row.by = "thrust::sort";
    row.device = Device::gpu;
    row.bits = 256;
    row.count = 4'000'000;
    row.prepare = prepare_sort;
    registry().push_back(row);
}

template <int Bits>
void add_rows() {
    Row row;
    row.by = "plain CIOS";
    row.device = Device::gpu;
    row.bits = Bits;
    row.quick = Bits == 256 || Bits == 1024;
    row.operation = "a * b % m";
    row.kind = "Modulus";
    row.multiply_adds = work::modular_product;
    row.count = default_count(Device::gpu, Bits / 8.0, 8 * work::modular_product(Bits, 32));
    row.prepare = prepare_product<Bits / 64>;
    registry().push_back(row);
    row.operation = "pow(a, e, m)";
    row.kind = "vector";
    row.multiply_adds = work::power;
    row.count = std::max(default_count(Device::gpu, Bits / 8.0, 8 * work::power(Bits, 32), 4),
                         std::size_t{1} << 16); // threads enough for a large GPU
    row.prepare = prepare_power<Bits / 64>;
    registry().push_back(row);
}

const Registration registration{[] {
    add_sort();
    add_rows<256>();
    add_rows<512>();
    add_rows<1024>();
    add_rows<2048>();
}};

} // namespace
} // namespace perf
