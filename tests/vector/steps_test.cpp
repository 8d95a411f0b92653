// SPDX-License-Identifier: Apache-2.0
// Formulas that a GPU computes in several steps: launches are those that explain() lists, a batch
// whose scratch memory would be too large goes in parts, faults travel from step to step, and a
// graph records all steps. Against the same formulas of host vectors.
#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace warpint;

namespace {

template <int Bits>
std::vector<BigInt<Bits>> random_numbers(std::size_t count, unsigned seed, bool odd) {
    std::mt19937_64 generator(seed);
    std::vector<BigInt<Bits>> numbers(count);
    for (BigInt<Bits> &x : numbers)
        x = random_bits<Bits>(generator) | BigInt<Bits>(odd ? 1u : 0u);
    return numbers;
}

template <int Bits, class S>
struct Numbers {
    using Vector = batch_vector<BigInt<Bits>, S::space>;
    Vector a, b, e, m;
    batch_vector<std::uint32_t, S::space> i;
    Modulus<Bits> M{random_numbers<Bits>(1, 5, true)[0]};

    explicit Numbers(std::size_t count)
        : a(random_numbers<Bits>(count, 1, false)), b(random_numbers<Bits>(count, 2, false)),
          e(random_numbers<Bits>(count, 3, false)) {
        std::vector<BigInt<Bits>> moduli = random_numbers<Bits>(count, 4, true);
        std::vector<std::uint32_t> positions(count);
        for (std::size_t k = 0; k < count; ++k) {
            if (k % 97 == 11)
                moduli[k] = BigInt<Bits>(0u);
            positions[k] = static_cast<std::uint32_t>(k % 89 == 7 ? count + k : k * 7 % count);
        }
        m = Vector(moduli);
        i = batch_vector<std::uint32_t, S::space>(positions);
    }
};
struct OnGpu {
    static constexpr Space space = Space::device;
};
struct OnHost {
    static constexpr Space space = Space::host;
};

// Each formula with the number of its steps.
template <class Check, class Data>
void for_each_formula(const Check &check, const Data &v) {
    check(v.a * v.b % v.m * v.e % v.m, 2);
    check(v.a * v.b % v.m + v.e * v.b % v.m, 2);
    check(gather(v.a, v.i) * v.b % v.m, 1);
    check((v.a * v.b - v.e * v.b) % v.m, 2);
    check((v.a - v.b) * v.e % v.m, 2);
    check(inverse(v.a * v.b % v.M, v.M) * v.e % v.M, 3);
    check(let(gcd(v.a, v.m) * v.b % v.m, [&](auto x) { return x * x % v.m + indices(v.a.size()); }),
          3);
}

template <class Vector>
auto mask_and_values(Vector v) {
    const std::vector<bool> mask = v.error_mask();
    v.clear_errors();
    return std::pair(mask, v.to_host());
}

// Scratch memory of this many bytes at most, for a while.
struct MaxScratch {
#if WARPINT_CUDA
    std::size_t &most = execution::max_scratch_bytes(0);
    std::size_t before = most;
    explicit MaxScratch(std::size_t bytes) { most = bytes; }
    ~MaxScratch() { most = before; }
#endif
};

void check_formulas(std::size_t count) {
    const Numbers<2048, OnGpu> gpu(count);
    const Numbers<2048, OnHost> host(count);
    std::vector<std::pair<std::vector<bool>, std::vector<BigInt<2200>>>> expected;
    const auto store = [](const auto &formula) {
        return mask_and_values(batch_vector<BigInt<2200>, Space::host>(formula));
    };
    for_each_formula([&](const auto &formula, int) { expected.push_back(store(formula)); }, host);
    std::size_t k = 0;
    for_each_formula(
        [&](const auto &formula, std::size_t steps) {
            CAPTURE(k);
            device_vector<BigInt<2200>> result(count);
            const Explanation plan = explain(formula, result);
            CHECK(plan.before.size() + 1 == steps);
            const std::size_t part = plan.elements_at_once == 0 ? count : plan.elements_at_once;
            const std::uint64_t before = launch_count();
            result = formula;
            CHECK(launch_count() - before == steps * ((count + part - 1) / part));
            CHECK(mask_and_values(result) == expected[k++]);
        },
        gpu);
}

} // namespace

TEST_CASE("formulas of several steps") {
    if (!device_info().gpu)
        return;
    check_formulas(300);
    check_formulas(1);
}

TEST_CASE("a batch goes in parts where its scratch memory would be too large") {
    if (!device_info().gpu)
        return;
#if WARPINT_CUDA
    const MaxScratch most(12'300 * 256); // of 256 bytes each, a little more than three times 4096
    const std::size_t count = 3 * 4096 + 77;
    const Numbers<2048, OnGpu> gpu(count);
    CHECK(explain(gpu.a * gpu.b % gpu.m * gpu.e % gpu.m).elements_at_once == 3 * 4096);
    check_formulas(count);
    const Numbers<2048, OnHost> host(count);
    const auto faults_of = [](const auto &reduce) {
        try {
            reduce();
        } catch (const std::domain_error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(sum(gpu.a * gpu.b) == sum(host.a * host.b));
    CHECK(max(isqrt(gpu.a)) == max(isqrt(host.a)));
    CHECK(faults_of([&] { (void)sum(gpu.a * gpu.b % gpu.m); }) ==
          faults_of([&] { (void)sum(host.a * host.b % host.m); }));
#endif
}

TEST_CASE("a graph records all steps") {
    if (!device_info().gpu)
        return;
#if WARPINT_CUDA
    const std::size_t count = 1000;
    Numbers<2048, OnGpu> v(count);
    device_vector<BigInt<2048>> result(count);
    const auto formula = v.a * v.b % v.M * v.e % v.M;
    cudaStream_t stream;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    cudaGraph_t graph;
    cudaGraphExec_t recorded;
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    evaluate(formula, result, stream);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&recorded, graph, 0) == cudaSuccess);
    for (int round = 0; round < 2; ++round) {
        v.a = v.a + 1u; // where the graph reads it
        const device_vector<BigInt<2048>> expected = v.a * v.b % v.M * v.e % v.M;
        REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
        REQUIRE(cudaGraphLaunch(recorded, stream) == cudaSuccess);
        REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
        CHECK(all(result == expected));
    }
    cudaGraphExecDestroy(recorded);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
#endif
}
