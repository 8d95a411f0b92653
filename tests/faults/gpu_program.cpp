// SPDX-License-Identifier: Apache-2.0
// A typical program on two emulated GPUs, in which one call fails, number k for every k: an
// allocation of the host or of a GPU, of pinned memory, a launch, a copy, the creation of a stream
// or event. The argument says which; a process each. Each time the call throws what is promised,
// what it was to write is as it was, nothing is lost, and the next call is right (in_turn.h).
// "broken": every call fails from some point on. Exit code 0: right; 1: wrong.

#include "faults/in_turn.h"

#include <warpint/sharded.h>
#include <warpint/sort.h>
#include <warpint/vector.h>

#include <cuda_runtime.h>

#include <stdexcept>
#include <string_view>

using namespace warpint;
using in_turn::all_or_nothing;
using in_turn::Digest;
using in_turn::require;

namespace {

using Number = BigInt<96>;
using Vector = device_vector<Number>;

std::vector<Number> numbers(std::size_t count, std::uint64_t step) {
    return in_turn::numbers<96>(count, step);
}
const Number modulus = Number(0) - 17;

// A stream of the program's own, which does not wait for others.
struct Stream {
    cudaStream_t handle = nullptr;
    Stream() {
        const in_turn::Calm calm;
        cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking);
    }
    ~Stream() { cudaStreamDestroy(handle); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    void wait() const { cudaStreamSynchronize(handle); }
};

struct Waiting {
    const Stream &stream;
    ~Waiting() { stream.wait(); }
};

std::uint64_t sequences() {
    Digest digest;
    Vector v(numbers(40, 3)), w(3, Number(7));
    all_or_nothing(w, [&] { w = v; }, "a copy");
    w.resize(5);
    all_or_nothing(w, [&] { w = host_vector<Number>(numbers(5, 9)); }, "from the host");
    host_vector<Number> h(3, Number(1));
    all_or_nothing(h, [&] { h = v; }, "to the host");
    digest.add_all(h);
    all_or_nothing(w, [&] { w.assign(50, Number(4)); }, "assign copies");
    all_or_nothing(w, [&] { w.assign(h.begin() + 3, h.begin() + 20); }, "assign a range");
    const std::vector<int> integers{1, 2, 3};
    all_or_nothing(w, [&] { w.assign(integers.begin(), integers.end()); }, "assign integers");
    all_or_nothing(w, [&] { w.push_back(Number(8)); }, "push_back");
    all_or_nothing(w, [&] { w.resize(70); }, "resize");
    all_or_nothing(w, [&] { w.resize(80, Number(5)); }, "resize by a value");
    all_or_nothing(w, [&] { w.insert(w.begin() + 2, 3, Number(6)); }, "insert");
    all_or_nothing(w, [&] { w.reserve(200); }, "reserve");
    all_or_nothing(w, [&] { w[4] = Number(99); }, "an element");
    digest.add_all(w);
    return digest.value;
}

std::uint64_t elements_without_value() {
    Digest digest;
    const Vector a(numbers(40, 7)), zeros(40);
    Vector c(numbers(4, 1)), d(numbers(40, 2));
    all_or_nothing(c, [&] { c = a / zeros; }, "divisions by zero");
    all_or_nothing(d, [&] { d = c; }, "a copy with faults");
    all_or_nothing(d, [&] { d.write(3, Number(1)); }, "an element gets a value");
    all_or_nothing(d, [&] { d.resize(20); }, "fewer");
    all_or_nothing(d, [&] { d.resize(30, Number(2)); }, "more again");
    all_or_nothing(d, [&] { d.push_back(Number(3)); }, "push_back");
    all_or_nothing(d, [&] { d.insert(d.begin(), Number(3)); }, "insert");
    all_or_nothing(d, [&] { d = a; }, "numbers over faults");
    d.check();
    host_vector<Number> h(2);
    all_or_nothing(h, [&] { h = c; }, "faults to the host");
    all_or_nothing(d, [&] { d = h; }, "and back");
    for (const bool fault : d.error_mask())
        digest.add(static_cast<std::uint64_t>(fault));
    return digest.value;
}

std::uint64_t formulas() {
    Digest digest;
    const Vector a(numbers(40, 7)), b(numbers(40, 11));
    Vector c(numbers(3, 1)), q(2), r(2);
    all_or_nothing(c, [&] { c = (a * b + a) % modulus; }, "a remainder");
    digest.add_all(c);
    all_or_nothing(c, [&] { c = a * b % c * b % modulus; }, "two steps");
    digest.add_all(c);
    all_or_nothing(q, [&] { tie(q, r) = divmod(a, b); }, "divmod");
    digest.add_all(r);
    digest.add(to_string(sum(a)));
    digest.add(to_string(sum(a * b)));
    digest.add(static_cast<std::uint64_t>(count(a < b)));
    digest.add(static_cast<std::uint64_t>(explain(a * b % modulus).to_string().size()));
    return digest.value;
}

std::uint64_t on_streams() {
    Digest digest;
    const Stream one, two;
    const Vector a(numbers(40, 7)), b(numbers(40, 11));
    Vector c(numbers(40, 1)), d(numbers(40, 2));
    const auto wait = [&] {
        one.wait();
        two.wait();
    };
    const auto run = [&](Vector &to, const auto &action, const char *what) {
        all_or_nothing(to, action, what, wait);
    };
    run(c, [&] { evaluate((a * b + a) % modulus, c, one.handle); }, "on one stream");
    run(d, [&] { evaluate(a + c, d, two.handle); }, "behind it, on another");
    digest.add(to_string(sum(d, one.handle)));
    run(c, [&] { c = a + b; }, "on the default stream");
    run(c, [&] { evaluate(a * b % c * b % modulus, c, two.handle); }, "two steps");
    digest.add_all(c);
    evaluate(c.view(5, 11) / Number(0), d.view(3, 11), one.handle);
    one.wait(); // the order of views is the program's
    digest.add(static_cast<std::uint64_t>(d.error_mask()[4]));
    d.clear_errors();
    host_vector<Number> pinned(40, uninitialized, pinned_resource());
    const Waiting copied{one}; // before the pinned memory goes
    copy_async(a, pinned, one.handle);
    all_or_nothing(d, [&] { copy_async(pinned, d, one.handle); }, "by a stream", wait);
    one.wait();
    digest.add_all(d);
    return digest.value;
}

std::uint64_t graphs() {
    Digest digest;
    const Stream stream;
    Vector a(numbers(40, 7)), c(40);
    const Vector b(numbers(40, 11));
    cudaDeviceSynchronize();
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream.handle, cudaStreamCaptureModeThreadLocal);
    try {
        evaluate((a * b + a) % modulus, c, stream.handle);
        evaluate(a * b % c * b % modulus, a, stream.handle);
        evaluate(pow(Number(3), b, modulus), c, stream.handle);
    } catch (...) {
        cudaStreamEndCapture(stream.handle, &graph);
        cudaGraphDestroy(graph);
        throw;
    }
    cudaStreamEndCapture(stream.handle, &graph);
    cudaGraphExec_t executable = nullptr;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream.handle);
    stream.wait();
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    digest.add_all(a);
    digest.add_all(c);
    return digest.value;
}

std::uint64_t orders() {
    Digest digest;
    Vector v(numbers(40, 17)), w(2, Number(1));
    const device_vector<std::uint32_t> index{3, 1, 2, 99, 0};
    all_or_nothing(w, [&] { w = gather(v, index); }, "gather");
    digest.add(static_cast<std::uint64_t>(w.error_mask()[3]));
    all_or_nothing(v, [&] { sort(v); }, "sort");
    digest.add_all(v);
    return digest.value;
}

// So many limbs that the GPU converts them.
std::uint64_t texts() {
    Digest digest;
    device_vector<BigInt<2048>> v(in_turn::numbers<2048>(33, 19));
    std::string text;
    for (const std::string &line : to_strings(v))
        text += line + "\n";
    digest.add(text);
    all_or_nothing(v, [&] { v.assign_text(text + text); }, "text");
    all_or_nothing(v, [&] { v.assign_text("1\nx\n3\n", 10, bad_lines::are_faults); }, "bad lines");
    digest.add(static_cast<std::uint64_t>(v.error_mask()[1]));
    return digest.value;
}

std::uint64_t shards() {
    Digest digest;
    const device_group both{0, 1};
    const std::vector<Number> values = numbers(31, 31);
    sharded_vector<Number> v(both, values), w(both, 7);
    all_or_nothing(w, [&] { w = v; }, "a copy");
    all_or_nothing(w, [&] { w.assign(20, Number(5)); }, "assign copies");
    all_or_nothing(w, [&] { w.assign(values); }, "assign numbers");
    sharded_vector<Number> sums(both, 3);
    all_or_nothing(sums, [&] { sums = (v * w + v) % modulus; }, "a formula");
    digest.add_all(sums);
    digest.add(to_string(sum(v * w)));
    all_or_nothing(v, [&] { v.redistribute({1, 30}); }, "redistribute");
    digest.add_all(v);
    return digest.value;
}
std::uint64_t sorted_shards() {
    Digest digest;
    sharded_vector<Number> v(device_group{0, 1}, numbers(31, 31));
    all_or_nothing(v, [&] { sort(v); }, "sort");
    digest.add_all(v);
    return digest.value;
}

// A kernel has failed, and with it the GPU: every call says so, and vectors go quietly.
void break_down() {
    Vector a(numbers(40, 7)), c(40);
    sharded_vector<Number> w(device_group{0, 1}, numbers(31, 31));
    const Stream stream;
    evaluate(a + 1u, c, stream.handle);
    host_vector<Number> h = c;
    emulator::break_down(cudaErrorIllegalAddress);
    int reported = 0;
    const std::vector<std::function<void()>> actions{
        [&] { (void)c.to_host(); },
        [&] { h = c; },
        [&] { c = a + a; },
        [&] { evaluate(a + a, c, stream.handle); },
        [&] { device_vector<Number> more(1000); },
        [&] { (void)sum(a); },
        [&] { sort(a); },
        [&] { (void)to_strings(a); },
        [&] { w = w + 1u; },
        [&] { (void)sum(w); },
        [&] { copy_async(a, h, stream.handle); },
        [&] { a.push_back(Number(1)); },
    };
    for (const auto &action : actions) {
        try {
            action();
        } catch (const cuda_error &error) {
            require(error.code() == cudaErrorIllegalAddress, "the code of the error");
            ++reported;
        }
    }
    std::printf("%d of %zu calls said so\n", reported, actions.size());
    require(reported == static_cast<int>(actions.size()), "every call says that the GPU failed");
    h = h + 1u;
    require(h.read(0) == numbers(40, 7)[0] + 2u, "vectors of the host work on");
}

// all: what takes seconds too.
template <class Way>
void fail_all(bool all) {
    using in_turn::fail_each;
    using in_turn::fail_each_at_first;
    fail_each_at_first<Way>("formulas, at first", formulas);
    fail_each_at_first<Way>("streams, at first", on_streams);
    fail_each<Way>("sequences", sequences);
    fail_each<Way>("elements without value", elements_without_value);
    fail_each<Way>("formulas", formulas);
    fail_each<Way>("streams", on_streams);
    fail_each<Way>("graphs", graphs);
    fail_each<Way>("orders", orders);
    fail_each<Way>("shards", shards, true); // without a thread the caller does its work
    if (all) {
        fail_each<Way>("texts", texts);
        fail_each<Way>("sorted shards", sorted_shards, true);
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::string_view way = argc > 1 ? argv[1] : "";
    using emulator::Call;
    using in_turn::RuntimeCall;
    if (way == "host") {
        fail_all<in_turn::HostMemory>(false);
    } else if (way == "device") {
        fail_all<RuntimeCall<Call::allocate, cudaErrorMemoryAllocation, 2>>(true);
    } else if (way == "pinned") {
        fail_all<RuntimeCall<Call::allocate_pinned, cudaErrorMemoryAllocation>>(false);
    } else if (way == "launch") {
        fail_all<RuntimeCall<Call::launch, cudaErrorLaunchOutOfResources>>(true);
    } else if (way == "copy") {
        fail_all<RuntimeCall<Call::copy, cudaErrorInvalidValue>>(false);
    } else if (way == "create") {
        fail_all<RuntimeCall<Call::create, cudaErrorOperatingSystem>>(false);
    } else if (way == "broken") {
        break_down();
    } else {
        return 2;
    }
    return in_turn::wrong == 0 ? 0 : 1;
}
