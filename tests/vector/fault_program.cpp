// SPDX-License-Identifier: Apache-2.0
// A program that lets one thing go wrong, named by its argument, and says whether batches did what
// they promise: an exception, nothing written, nothing lost. One process each, because some leave a
// GPU unusable. Exit code 0: right; 1: wrong; 77: not possible here.

#include "support/spaces.h"

#include <warpint/sort.h>
#include <warpint/vector.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

void require(bool condition, const char *what) {
    if (condition)
        return;
    std::printf("wrong: %s\n", what);
    std::exit(1);
}

// Fails the allocation number `next_failure`; -1: none. Counts those that are held.
std::atomic<long> next_failure{-1};
std::atomic<long> held{0};

bool is_to_fail() {
    long left = next_failure.load();
    while (left >= 0 && !next_failure.compare_exchange_weak(left, left - 1)) {
    }
    return left == 0;
}

// No failures in a scope.
class Calm {
public:
    Calm() : former_{next_failure.exchange(-1)} {}
    ~Calm() { next_failure = former_; }

private:
    long former_;
};

// Calls action; if it throws, `unchanged` must hold.
void attempt(const std::function<void()> &action, const std::function<bool()> &unchanged,
             const char *what) {
    try {
        action();
    } catch (...) {
        {
            const Calm calm;
            require(unchanged(), what);
        }
        throw;
    }
}

// What programs do with vectors of a space.
template <class S>
void use_vectors(memory_resource *resource) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> x = some_numbers(100);
    Vector a(x.begin(), x.end(), resource), b(100, Number(7), resource), c(3, Number(1), resource);
    const auto is = [](const Vector &v, const std::vector<Number> &values) {
        return v.to_host() == values;
    };
    const std::vector<Number> ones(3, Number(1));
    attempt([&] { c = a * b + 1u; }, [&] { return is(c, ones) && is(a, x); }, "assignment");
    attempt([&] { c = a / b; }, [&] { return c.size() == 100 && is(a, x); }, "division");
    attempt([&] { a.push_back(Number(1)); }, [&] { return is(a, x); }, "push_back");
    a.pop_back();
    attempt([&] { a.reserve(500); }, [&] { return is(a, x); }, "reserve");
    attempt([&] { b.resize(1000); }, [&] { return is(b, std::vector<Number>(100, Number(7))); },
            "resize");
    b.resize(100);
    const std::vector<Number> sevens(100, Number(7));
    Vector d(2, Number(3), resource);
    attempt([&] { d = a; }, [&] { return is(a, x) && d.size() <= 2; }, "copy");
    attempt([&] { tie(c, d) = divmod(a, b); }, [&] { return is(a, x) && is(b, sevens); }, "tie");
    attempt([&] { (void)sum(a * b); }, [&] { return is(a, x); }, "sum");
    attempt([&] { sort(a); }, [&] { return is(a, x); }, "sort");
    attempt(
        [&] {
            (void)inverse(b, Number(11));
            c = inverse(b, Number(11));
        },
        [&] { return is(b, sevens); }, "inverse");
    attempt([&] { (void)to_strings(b); }, [&] { return is(b, sevens); }, "to_strings");
}

// The use, with allocation 0, 1, 2 ... failing, until none is left to fail.
template <class Use>
void fail_each_allocation(const Use &use) {
    use(); // what is kept for later formulas is made now
    const long before = held;
    long failures = 0;
    for (;; ++failures) {
        next_failure = failures;
        bool thrown = false;
        try {
            use();
        } catch (const std::bad_alloc &) {
            thrown = true;
        }
        const bool failed = next_failure < 0;
        next_failure = -1;
        require(thrown == failed, "bad_alloc where memory was short, and nowhere else");
        require(held == before, "all memory was given back");
        if (!failed)
            break;
    }
    require(failures >= 10, "allocations did fail");
    std::printf("%ld allocations failed in turn\n", failures);
}

// Memory of a space that runs short.
class ShortResource final : public memory_resource {
public:
    explicit ShortResource(memory_resource *from) : from_{from} {}
    void *allocate(std::size_t bytes, stream_handle stream) override {
        if (is_to_fail())
            throw std::bad_alloc();
        void *const memory = from_->allocate(bytes, stream);
        ++held;
        return memory;
    }
    void deallocate(void *memory, std::size_t bytes, stream_handle stream) noexcept override {
        --held;
        from_->deallocate(memory, bytes, stream);
    }

private:
    memory_resource *from_;
};

template <class S>
void short_resource() {
    ShortResource resource(
        execution::default_resource(typename S::template vector<Number>().location()));
    fail_each_allocation([&] { use_vectors<S>(&resource); });
}

// Formulas of two threads on vectors of their own, and on one that both read.
void two_threads() {
    const std::vector<Number> x = some_numbers(3000);
    const device_vector<Number> shared(x);
    const Number m = ~Number(0) - 16;
    const std::vector<Number> expected = eval(as<Number>((shared * shared + shared) % m)).to_host();
    std::atomic<int> right{0};
    const auto work = [&] {
        for (int i = 0; i < 50; ++i) {
            device_vector<Number> own;
            own = (shared * shared + shared) % m;
            right += own.to_host() == expected ? 1 : 0;
        }
    };
    std::thread one(work), two(work);
    one.join();
    two.join();
    require(right == 100, "each thread has its own result");
}

#if defined(__CUDACC__)

__global__ void write_to(int *nowhere) {
    *nowhere = 1;
}

// A kernel of somebody else reads where nothing is: formulas say so from then on, vectors go
// quietly.
void after_a_neighbours_fault() {
    device_vector<Number> a(some_numbers(50)), c(50);
    c = a + a;
    c.check();
    write_to<<<1, 1>>>(reinterpret_cast<int *>(16));
    int reported = 0;
    for (const auto &action :
         std::vector<std::function<void()>>{[&] { (void)c.to_host(); },
                                            [&] {
                                                c = a + a;
                                                c.check();
                                            },
                                            [&] {
                                                device_vector<Number> more(1000);
                                                more.check();
                                            },
                                            [&] { (void)sum(a); }}) {
        try {
            action();
        } catch (const cuda_error &error) {
            require(error.code() != 0, "the code of the error");
            ++reported;
        }
    }
    require(reported == 4, "every call says that the GPU has failed");
}

// Under stream capture what waits throws; what does not is recorded.
void under_capture() {
    device_vector<Number> a(some_numbers(50)), c(50);
    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "a stream");
    cudaDeviceSynchronize();
    cudaGraph_t graph = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess,
            "capture");
    evaluate(a + 1u, c, stream);
    bool refused = false;
    try {
        (void)sum(a, stream);
    } catch (const std::logic_error &) {
        refused = true;
    }
    require(refused, "a reduction");
    refused = false;
    try {
        sort(a, stream);
    } catch (const std::logic_error &) {
        refused = true;
    }
    require(refused, "a sort");
    require(cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr, "the graph");
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    require(a.to_host() == some_numbers(50), "nothing was moved");
}

// What a GPU cannot hold.
void beyond_memory() {
    device_vector<Number> a(some_numbers(50));
    const std::size_t too_many = device_info().memory_bytes / sizeof(Number) + 1;
    bool refused = false;
    try {
        a.resize(too_many);
    } catch (const device_bad_alloc &) {
        refused = true;
    }
    require(refused, "device_bad_alloc");
    require(a.to_host() == some_numbers(50), "the vector is as it was");
    a += 1u;
    a.check();
}

// The current device is what it was, after calls that succeed and calls that do not.
void current_device() {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices < 2)
        std::exit(77);
    cudaSetDevice(1);
    device_vector<Number> there(some_numbers(50));
    cudaSetDevice(0);
    device_vector<Number> here(some_numbers(50));
    const auto is_current = [](int device) {
        int now = -1;
        cudaGetDevice(&now);
        return now == device;
    };
    there += 1u;
    require(is_current(0), "after a formula on another GPU");
    require(sum(there) == sum(here) + 50u, "a reduction on another GPU");
    require(is_current(0), "after it");
    bool refused = false;
    try {
        here = here + there;
    } catch (const wrong_location &) {
        refused = true;
    }
    require(refused && is_current(0), "after a formula that cannot run");
    here = device_vector<Number>(there);
    require(is_current(0), "after a copy");
}

#endif

int run(std::string_view name) {
#if defined(__CUDACC__)
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("skipped: no GPU");
        return 77;
    }
    if (name == "resource") {
        short_resource<test::OnDevice>();
    } else if (name == "threads") {
        two_threads();
    } else if (name == "neighbour") {
        after_a_neighbours_fault();
    } else if (name == "capture") {
        under_capture();
    } else if (name == "memory") {
        beyond_memory();
    } else if (name == "current_device") {
        current_device();
    } else {
        return 2;
    }
#else
    if (name == "memory") {
        fail_each_allocation([] { use_vectors<test::OnHost>(nullptr); });
        fail_each_allocation([] { use_vectors<test::OnDevice>(nullptr); });
    } else if (name == "resource") {
        short_resource<test::OnHost>();
    } else if (name == "threads") {
        two_threads();
    } else {
        return 2;
    }
#endif
    return 0;
}

} // namespace

#if !defined(__CUDACC__)

// All memory of the program, in the case "memory".
static bool counts_everything = false;

void *operator new(std::size_t bytes) {
    if (counts_everything && is_to_fail())
        throw std::bad_alloc();
    void *const memory = std::malloc(bytes);
    if (memory == nullptr)
        throw std::bad_alloc();
    if (counts_everything)
        ++held;
    return memory;
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
    if (counts_everything && is_to_fail())
        throw std::bad_alloc();
    const std::size_t unit = static_cast<std::size_t>(alignment);
    void *const memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (memory == nullptr)
        throw std::bad_alloc();
    if (counts_everything)
        ++held;
    return memory;
}
void operator delete(void *memory) noexcept {
    if (counts_everything && memory != nullptr)
        --held;
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
    operator delete(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
    operator delete(memory);
}

#endif

int main(int argc, char **argv) {
    const std::string_view name = argc > 1 ? argv[1] : "";
#if !defined(__CUDACC__)
    counts_everything = name == "memory";
#endif
    try {
        return run(name);
    } catch (const std::exception &error) {
        std::printf("wrong: %s\n", error.what());
        return 1;
    }
}
