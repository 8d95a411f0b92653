// SPDX-License-Identifier: Apache-2.0
// How formulas over vectors run: number of launches, batches of sizes around those of warps and
// blocks, a large batch, what explain() and device_info() say, capture into CUDA graphs.

#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

TEST_CASE_TEMPLATE("one launch per assignment", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Vector a(some_numbers(100)), b(some_numbers(100, 17)), m(some_numbers(100, 99));
    Vector c;
    std::uint64_t before = launch_count();
    c = a + b;
    CHECK(launch_count() == before + 1);
    c = (a * b + c) % m;
    CHECK(launch_count() == before + 2);
    const auto lazy = (a - b) * c;
    CHECK(launch_count() == before + 2);
    c = lazy;
    CHECK(launch_count() == before + 3);
    const auto exact = eval(lazy);
    CHECK(launch_count() == before + 4);
    evaluate(a + b, c);
    CHECK(launch_count() == before + 5);
    c += a;
    CHECK(launch_count() == before + 6);
    CHECK(exact.size() == 100);
    const Vector constructed = a + b;
    CHECK(launch_count() == before + 7);
    Vector wrong(99);
    CHECK_THROWS_AS(evaluate(a + b, wrong), size_mismatch);
    CHECK(launch_count() == before + 7);
}

TEST_CASE_TEMPLATE("sizes around warps and blocks", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    for (std::size_t count : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000}) {
        CAPTURE(count);
        const std::vector<Number> x = some_numbers(count), y = some_numbers(count, 11);
        std::vector<Number> z = y;
        for (std::size_t i = 0; i < count; i += 5)
            z[i] = Number(0);
        const Vector a(x), b(y), d(z);
        Vector sum(count + 1, Number(1)), quotient;
        sum = a * b + 1u;
        quotient = a % d;
        const std::vector<bool> mask = quotient.error_mask();
        quotient.clear_errors();
        const std::vector<Number> sums = sum.to_host(), quotients = quotient.to_host();
        REQUIRE(sums.size() == count);
        REQUIRE(mask.size() == count);
        bool right = true;
        for (std::size_t i = 0; i < count; ++i) {
            right = right && sums[i] == Number(x[i] * y[i]) + 1 && mask[i] == (i % 5 == 0) &&
                    quotients[i] == (i % 5 == 0 ? Number(0) : x[i] % z[i]);
        }
        CHECK(right);
    }
}

TEST_CASE_TEMPLATE("a large batch", S, TEST_SPACES) {
    constexpr std::size_t count = 300'001;
    std::vector<std::uint64_t> x(count), y(count);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = state = state * 0x5851f42d4c957f2du + 1;
        y[i] = state = state * 0x5851f42d4c957f2du + 1;
    }
    y[299'999] = y[123'456] = 0;
    using Vector = typename S::template vector<BigInt<64>>;
    const Vector a(x.begin(), x.end()), b(y.begin(), y.end());
    Vector products = a * b + a;
    Vector averages = (a + b) >> 1;
    Vector remainders = a % b;
    const std::vector<bool> mask = remainders.error_mask();
    remainders.clear_errors();
    const auto p = products.to_host(), v = averages.to_host(), r = remainders.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        wrong += p[i] != x[i] * y[i] + x[i];
        wrong += v[i] != (x[i] & y[i]) + ((x[i] ^ y[i]) >> 1);
        wrong += r[i] != (y[i] == 0 ? 0 : x[i] % y[i]);
        wrong += mask[i] != (y[i] == 0);
    }
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("explain", S, TEST_SPACES) {
    using Vector = typename S::template vector<BigInt<256>>;
    const Vector a(1000, 1), b(1000, 3);
    const std::uint64_t before = launch_count();
    const Explanation sum = explain(a + b);
    CHECK(launch_count() == before);
    CHECK(sum.kind == execution::WorkKind::streaming);
    CHECK(sum.widest_bits == 257);
    CHECK(sum.lanes_per_number >= 1);
    CHECK(sum.threads_per_block >= 1);
    CHECK(sum.window == 0);
    CHECK(sum.bytes_moved == 1000 * (32 + 32 + 36));
    CHECK(!sum.reason.empty());
    CHECK(!sum.to_string().empty());
    CHECK(explain(a * b).kind == execution::WorkKind::product);
    CHECK(explain(a * b).widest_bits == 512);
    CHECK(explain(a / b).kind == execution::WorkKind::division);
    const Explanation power = explain(pow(a, b, BigInt<256>(7)));
    CHECK(power.kind == execution::WorkKind::power);
    CHECK(power.window >= 1);
    const bool gpu = S::space == Space::device && device_info().gpu;
    CHECK((sum.family == execution::KernelFamily::cpu_threads) == !gpu);
    CHECK((sum.registers > 0) == gpu);
    if (gpu)
        CHECK(sum.threads_per_block % 32 == 0);
}

TEST_CASE("device_info") {
    const DeviceInfo info = device_info();
    CHECK(!info.name.empty());
    CHECK(info.cpu_threads >= 1);
    CHECK(info.gpu == (info.compute_capability > 0));
    CHECK(info.gpu == (info.multiprocessors > 0));
    MESSAGE("device batches run on: ", info.name);
}

#if defined(__CUDACC__)

TEST_CASE("a formula under stream capture is one kernel") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: stream capture is not tried");
        return;
    }
    using Vector = device_vector<BigInt<131>>;
    const std::size_t count = 1000;
    Vector a(count, 5), b(count, 7), out(count);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    evaluate((a * a - b) / b, out, stream);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);

    std::size_t node_count = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &node_count) == cudaSuccess);
    CHECK(node_count == 1);
    std::vector<cudaGraphNode_t> nodes(node_count);
    REQUIRE(cudaGraphGetNodes(graph, nodes.data(), &node_count) == cudaSuccess);
    int kernels = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        REQUIRE(cudaGraphNodeGetType(node, &type) == cudaSuccess);
        kernels += type == cudaGraphNodeTypeKernel;
    }
    CHECK(kernels == 1);

    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    for (unsigned value : {5u, 100u}) {
        a.assign(count, BigInt<131>(value));
        b[3] = BigInt<131>(value == 5 ? 7 : 0); // and a fault in the second replay
        REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
        REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
        REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
        const std::vector<bool> mask = out.error_mask();
        CHECK(mask[3] == (value == 100));
        CHECK(!mask[4]);
        CHECK(static_cast<BigInt<131>>(out[4]) == (value * value - 7) / 7);
        CHECK(static_cast<BigInt<131>>(out[count - 1]) == (value * value - 7) / 7);
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

#endif
