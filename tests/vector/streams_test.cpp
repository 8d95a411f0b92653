// SPDX-License-Identifier: Apache-2.0
// Device vectors and CUDA streams: a vector remembers the work on it, so that non-blocking streams,
// host threads, destroyed streams and vectors need no synchronisation; capture into graphs; memory
// from the program's own resources.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace warpint;

namespace {

using Number = BigInt<256>;
using Vector = device_vector<Number>;

constexpr std::size_t element_count = 200'000;

// A stream that does not wait for the legacy stream.
struct Stream {
    cudaStream_t handle = nullptr;
    Stream() { REQUIRE(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking) == cudaSuccess); }
    ~Stream() { destroy(); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    void destroy() {
        if (handle != nullptr)
            cudaStreamDestroy(handle);
        handle = nullptr;
    }
};

// A formula that takes a while: x^(2^64 - 1) mod m.
const Number modulus = Number(1000003);
auto slow(const Vector &x) {
    return pow(x, ~std::uint64_t{0}, modulus);
}
Number slow_value(const Number &x) {
    return pow(x, ~std::uint64_t{0}, modulus);
}

bool no_gpu() {
    if (device_info().gpu)
        return false;
    MESSAGE("no GPU: streams are not tried");
    return true;
}

// Whether all elements are `value`, without a CHECK in threads.
bool all_are(const Vector &v, const Number &value) {
    for (const Number &x : v.to_host()) {
        if (x != value)
            return false;
    }
    return v.size() == element_count;
}

} // namespace

TEST_CASE("work on one vector by several streams") {
    if (no_gpu())
        return;
    const Number once = slow_value(Number(3));
    for (unsigned round = 0; round < 20; ++round) {
        CAPTURE(round);
        Stream first, second;
        Vector a(element_count, Number(3)), b(element_count), c(element_count);
        evaluate(slow(a), b, first.handle); // written on one, read on another
        evaluate(b + 1u, c, second.handle);
        CHECK(all_are(c, once + 1u));
        evaluate(slow(a), b, first.handle); // read while another wants to write
        evaluate(slow(b), c, first.handle);
        evaluate(a + a, b, second.handle);
        CHECK(all_are(b, Number(6)));
        CHECK(all_are(c, slow_value(once)));
        evaluate(slow(a), b, first.handle); // the legacy stream between them
        c = b + 2u;
        evaluate(c + 1u, a, second.handle);
        CHECK(a[element_count - 1] == once + 3u);
        evaluate(slow(c), a, first.handle); // writing from the host
        a[5] = Number(9);
        CHECK(a[5] == 9u);
        CHECK(a[6] == slow_value(once + 2u));
    }
}

TEST_CASE("vectors and streams that go while work is in flight") {
    if (no_gpu())
        return;
    const Number once = slow_value(Number(3));
    for (unsigned round = 0; round < 20; ++round) {
        CAPTURE(round);
        Vector result(element_count);
        {
            Stream stream;
            const Vector a(element_count, Number(3));
            Vector b(element_count);
            evaluate(slow(a), b, stream.handle);
            evaluate(b + 1u, result, stream.handle);
            // a, b, and the stream are destroyed here
        }
        const Vector other(element_count, Number(77)),
            another(element_count, Number(78)); // may take the memory
        Stream next;                            // may take the handle
        Vector sum(element_count);
        evaluate(result + 1u, sum, next.handle);
        result.check();
        CHECK(all_are(result, once + 1u));
        CHECK(all_are(sum, once + 2u));
        CHECK(all_are(other, Number(77)));
        CHECK(all_are(another, Number(78)));

        // Resized, assigned, copied, swapped, moved at once after the launch.
        Stream stream;
        const Vector a(element_count, Number(3));
        Vector b(element_count), c(element_count);
        evaluate(slow(a), b, stream.handle);
        const Vector copy = b;
        evaluate(slow(a), c, stream.handle);
        c.resize(element_count + 1, Number(5));
        CHECK(c[element_count] == 5u);
        CHECK(c[element_count - 1] == once);
        b.swap(c);
        const Vector moved = std::move(c);
        CHECK(all_are(moved, once));
        CHECK(all_are(copy, once));
        const host_vector<Number> back(moved);
        CHECK(back[7] == once);
    }
}

TEST_CASE("faults on a stream") {
    if (no_gpu())
        return;
    Stream stream;
    Vector a(element_count, Number(10)), b(element_count, Number(5)), c(element_count);
    b[element_count - 2] = Number(0);
    evaluate(slow(a) / b, c, stream.handle);
    stream.destroy();
    CHECK_THROWS_AS(c.check(), std::domain_error);
    const std::vector<bool> mask = c.error_mask();
    CHECK(mask[element_count - 2]);
    CHECK(!mask[element_count - 1]);
}

TEST_CASE("reads on many streams leave no list behind") {
    if (no_gpu())
        return;
    const Vector a(100, Number(3));
    Vector b(100);
    for (unsigned i = 0; i < 2000; ++i) {
        Stream stream;
        evaluate(a + i, b, i % 2 == 0 ? stream.handle : cudaStreamPerThread);
    }
    CHECK(b[99] == 3u + 1999u);
}

TEST_CASE("two host threads, two streams") {
    if (no_gpu())
        return;
    std::atomic<int> right{0};
    const Vector shared(element_count, Number(3));
    const auto work = [&](unsigned id) {
        try {
            cudaStream_t stream = nullptr;
            if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
                return;
            Vector x(element_count, Number(id)), y(element_count);
            for (unsigned i = 0; i < 50; ++i) {
                evaluate((x * 3u + shared) % modulus, y, stream);
                evaluate((y * y - x) % modulus, x, stream);
                Vector temporary = x + y;
                evaluate(temporary % modulus, x, stream);
            }
            Number p(id), q;
            for (unsigned i = 0; i < 50; ++i) {
                q = (p * 3u + 3u) % modulus;
                p = submod(q * q, p, modulus);
                p = (p + q) % modulus;
            }
            right += all_are(x, p) && all_are(y, q);
            cudaStreamDestroy(stream);
        } catch (...) {
            right -= 100;
        }
    };
    std::thread one(work, 1u), two(work, 2u);
    one.join();
    two.join();
    CHECK(right == 2);
}

TEST_CASE("ten formulas captured, replayed a thousand times") {
    if (no_gpu())
        return;
    constexpr std::size_t n = 5000;
    Stream stream;
    Vector a(n, Number(3)), b(n, Number(5)), c(n), d(n);
    const auto pipeline = [&] {
        for (int i = 0; i < 2; ++i) {
            evaluate(a * b % modulus, c, stream.handle);
            evaluate(sqr(c) % modulus, d, stream.handle);
            evaluate((a + d) % modulus, a, stream.handle);
            evaluate(pow(b, 65537, modulus), b, stream.handle);
            evaluate(select(a < b, c, d), c, stream.handle);
        }
    };
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream.handle, cudaStreamCaptureModeGlobal) == cudaSuccess);
    pipeline();
    REQUIRE(cudaStreamEndCapture(stream.handle, &graph) == cudaSuccess);
    std::size_t nodes = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
    CHECK(nodes == 10);
    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    for (int i = 0; i < 1000; ++i)
        REQUIRE(cudaGraphLaunch(executable, stream.handle) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream.handle) == cudaSuccess);
    Number p(3), q(5), r;
    for (int i = 0; i < 2000; ++i) {
        r = p * q % modulus;
        const Number s = sqr(r) % modulus;
        p = (p + s) % modulus;
        q = pow(q, 65537, modulus);
        r = p < q ? r : s;
    }
    CHECK(a[n - 1] == p);
    CHECK(b[0] == q);
    CHECK(c[n / 2] == r);
    c.check();
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

// ---- memory

namespace {

// Memory of its own, whose pieces it counts.
class CountingResource final : public memory_resource {
public:
    void *allocate(std::size_t bytes, stream_handle) override {
        if (failing)
            throw device_bad_alloc();
        void *memory = nullptr;
        if (cudaMalloc(&memory, bytes) != cudaSuccess)
            throw device_bad_alloc();
        ++pieces;
        held += bytes;
        return memory;
    }
    void deallocate(void *memory, std::size_t bytes, stream_handle stream) noexcept override {
        cudaStreamSynchronize(stream);
        cudaFree(memory);
        ++returned;
        held -= bytes;
    }
    int pieces = 0;
    int returned = 0;
    std::size_t held = 0;
    bool failing = false;
};

} // namespace

TEST_CASE("memory from a resource of the program") {
    if (no_gpu())
        return;
    CountingResource resource;
    {
        Vector a(100, Number(3), &resource);
        Vector b(&resource);
        CHECK(resource.pieces == 1);
        b = a * a;
        CHECK(resource.pieces == 2);
        CHECK(b[99] == 9u);
        b.resize(1000);
        a.push_back(Number(4));
        b = a + 1u; // of another size
        CHECK(resource.pieces == resource.returned + 2);
        const Vector moved = std::move(b);
        const Vector copy = moved; // from the default resource
        CHECK(resource.pieces == resource.returned + 2);
        CHECK(copy[100] == 5u);
        resource.failing = true;
        const std::vector<Number> former = a.to_host();
        CHECK_THROWS_AS(a.resize(100'000), std::bad_alloc);
        CHECK_THROWS_AS(a = moved.view(0, 50) + 1u, std::bad_alloc);
        CHECK_THROWS_AS(a.assign(7, Number(1)), std::bad_alloc);
        CHECK(a.to_host() == former);
        resource.failing = false;
        const auto formula = a + 1u;
        a.clear();
        a = Vector(3, Number(1)); // the memory of the other one
    }
    CHECK(resource.pieces == resource.returned);
    CHECK(resource.held == 0);

    host_vector<Number> pinned(1000, Number(7), pinned_resource());
    const Vector there(pinned);
    CHECK(there[999] == 7u);
    pinned = pinned * 2u;
    CHECK(pinned[0] == 14u);
    cudaPointerAttributes attributes{};
    REQUIRE(cudaPointerGetAttributes(&attributes, pinned.data()) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeHost);
    CHECK_THROWS_AS(Vector(std::size_t{1} << 40), std::bad_alloc);
    CHECK(Vector(3, Number(1))[2] == 1u); // no error stays behind
}
