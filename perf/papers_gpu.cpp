// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA: the papers' kernels that are no formulas over vectors. A number over the lanes
// of a warp (honda's sum-rotate product, emmart's distributed Montgomery product), and grids and
// blocks of given sizes (kashani).
#include "../tests/reference/sum_rotate.h"
#include "papers.h"

#include <warpint/warp_int.h>

namespace perf {

namespace {

template <int Bits>
using Vector = device_vector<BigInt<Bits>>;

// A row whose kernel is launch(r, a, b, m, count), m one modulus for all.
template <int Bits, int ResultBits>
Prepared prepare_kernel(std::size_t count, Reference reference,
                        void (*launch)(BigInt<ResultBits> *, const BigInt<Bits> *,
                                       const BigInt<Bits> *, const BigInt<Bits> &, std::size_t,
                                       unsigned),
                        unsigned block) {
    struct State {
        Vector<Bits> a, b;
        Vector<ResultBits> r;
        BigInt<Bits> m;
    };
    const auto state = std::make_shared<State>();
    state->a = Vector<Bits>(count, uninitialized);
    state->b = Vector<Bits>(count, uninitialized);
    state->r = Vector<ResultBits>(count, uninitialized);
    Batch batch;
    batch.device = Device::gpu;
    batch.count = count;
    batch.a = numbers(state->a);
    batch.b = numbers(state->b);
    batch.m = {state->m.limbs, 1, Bits, true};
    fill(Device::gpu, batch.a, Shape::full);
    fill(Device::gpu, batch.b, Shape::full);
    fill(Device::cpu, batch.m, Shape::odd);
    batch.result = state->r.data();
    batch.result_bytes = sizeof(BigInt<ResultBits>);
    batch.result_bits = ResultBits;
    Prepared prepared;
    prepared.bytes =
        static_cast<double>(count) * (2 * sizeof(BigInt<Bits>) + sizeof(BigInt<ResultBits>));
    prepared.once = [state, launch, count, block] {
        launch(state->r.data(), state->a.data(), state->b.data(), state->m, count, block);
        require(cudaGetLastError(), "a paper's kernel");
    };
    prepared.plan = [block] {
        return "a kernel of its own, blocks of " + std::to_string(block) + " threads";
    };
    prepared.spoil = [state] {
        spoil(Device::gpu, state->r.data(), state->r.size() * sizeof(BigInt<ResultBits>));
    };
    prepared.check = [state, batch, reference](std::size_t most) {
        return check(batch, reference, most);
    };
    return prepared;
}

// honda: one limb of each factor in a lane.
__global__ void __launch_bounds__(128) sum_rotate_kernel(BigInt<2048> *r, const BigInt<1024> *a,
                                                         const BigInt<1024> *b, std::size_t count) {
#if defined(__CUDA_ARCH__) // the host's compiler has other groups
    using Group = lanes::MachineGroup<32, Together::warp>;
    const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    if (i >= count)
        return;
    const unsigned lane = threadIdx.x % 32;
    Group::word low, high;
    lanes::multiply_sum_rotate(Group{}, low, high, a[i].limbs[lane], b[i].limbs[lane]);
    r[i].limbs[lane] = low;
    r[i].limbs[32 + lane] = high;
#endif
}
void sum_rotate(BigInt<2048> *r, const BigInt<1024> *a, const BigInt<1024> *b, const BigInt<1024> &,
                std::size_t count, unsigned block) {
    sum_rotate_kernel<<<WarpInt<1024, 32>::blocks(count, static_cast<int>(block)), block>>>(r, a, b,
                                                                                            count);
}

// emmart: x = x y modulo m, 512 times.
template <int Bits, int Lanes>
__global__ void __launch_bounds__(128)
    distributed_kernel(BigInt<Bits> *r, const BigInt<Bits> *a, const BigInt<Bits> *b,
                       BigInt<Bits> m, std::size_t count) {
    using Wide = WarpInt<Bits, Lanes, Together::warp>;
    const std::size_t index = Wide::index();
    if (index / (32 / Lanes) * (32 / Lanes) >= count)
        return;
    const std::size_t i = index < count ? index : count - 1; // the last one twice: the same result
    const WarpModulus<Bits, Lanes, Together::warp> modulus{Wide(&m)};
    auto x = modulus(Wide(a + i));
    const auto y = modulus(Wide(b + i));
    for (int k = 0; k < chain_steps; ++k)
        x = x * y;
    x.value().store(r + i);
}
template <int Bits, int Lanes>
void distributed(BigInt<Bits> *r, const BigInt<Bits> *a, const BigInt<Bits> *b,
                 const BigInt<Bits> &m, std::size_t count, unsigned block) {
    distributed_kernel<Bits, Lanes>
        <<<WarpInt<Bits, Lanes>::blocks(count, static_cast<int>(block)), block>>>(r, a, b, m,
                                                                                  count);
}

// kashani: products in registers, a thread per number, no more threads than numbers.
template <int Bits, bool karatsuba>
__global__ void short_kernel(BigInt<(Bits + 31) / 32 * 32> *r, const BigInt<Bits> *a,
                             const BigInt<Bits> *b) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    r[i] = typename ShortProduct<karatsuba>::template Function<Bits>{}(a[i], b[i]);
}
template <int Bits, bool karatsuba>
void short_product(BigInt<(Bits + 31) / 32 * 32> *r, const BigInt<Bits> *a, const BigInt<Bits> *b,
                   const BigInt<Bits> &, std::size_t count, unsigned block) {
    short_kernel<Bits, karatsuba><<<static_cast<unsigned>(count / block), block>>>(r, a, b);
}

Row row_of(const char *operation, const char *kind, std::string by, int bits, std::size_t count,
           int repeats, MultiplyAdds multiply_adds) {
    Row row;
    row.operation = operation;
    row.kind = kind;
    row.by = std::move(by);
    row.device = Device::gpu;
    row.bits = bits;
    row.count = count;
    row.repeats = repeats;
    row.multiply_adds = multiply_adds;
    return row;
}

template <int Bits, int Lanes>
void add_distributed() {
    Row row = row_of("x * y in registers", "Montgomery",
                     "warpint: distributed, " + std::to_string(Lanes) + " lanes", Bits,
                     default_count(Device::gpu, Bits / 8.0, ResidueChain::effort(Bits)),
                     chain_steps, work::modular_product);
    row.prepare = [](std::size_t count) {
        return prepare_kernel<Bits, Bits>(count, reference::multiply_512_times,
                                          distributed<Bits, Lanes>, 128);
    };
    registry().push_back(row);
}

template <int Bits, bool karatsuba>
void add_grids() {
    constexpr int whole = (Bits + 31) / 32 * 32;
    for (const unsigned grid : {16, 32, 512, 4096}) {
        for (const unsigned block : {16, 32, 128, 256}) {
            Row row = row_of("a * b in registers", "vector",
                             std::string(ShortProduct<karatsuba>::by) + ", " +
                                 std::to_string(grid) + " blocks of " + std::to_string(block),
                             Bits, std::size_t{grid} * block, ShortProduct<karatsuba>::times,
                             work::product);
            row.granule = block;
            row.prepare = [block](std::size_t count) {
                return prepare_kernel<Bits, whole>(count, reference::multiply_and_fold,
                                                   short_product<Bits, karatsuba>, block);
            };
            registry().push_back(row);
        }
    }
}

const Registration registration{[] {
    Row row =
        row_of("a * b", "vector", "warpint: sum-rotate, a warp", 1024, 100'000, 1, work::product);
    row.prepare = [](std::size_t count) {
        return prepare_kernel<1024, 2048>(count, reference::multiply, sum_rotate, 128);
    };
    registry().push_back(row);
    add_distributed<128, 2>();
    add_distributed<256, 4>();
    add_distributed<384, 4>();
    add_distributed<512, 4>();
    add_grids<131, false>();
    add_grids<131, true>();
    add_grids<239, false>();
    add_grids<239, true>();
}};

} // namespace
} // namespace perf
