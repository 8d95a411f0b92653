// SPDX-License-Identifier: Apache-2.0
// Programs in which one call fails, number k of its kind, for k = 0, 1, 2 ... until none is left to
// fail. Each time the program must throw what is promised, give back what it holds, and be right
// when it is run again.
#pragma once

#include "counted_memory.h"

#include <warpint/vector.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WARPINT_TEST_EMULATED
#include "emulator/failures.h"
#endif

namespace in_turn {

using warpint::BigInt;

// ---- ways to fail

// An allocation of the host fails.
struct HostMemory {
    static void arm(long k) {
        left_to_success = k;
        counting = true;
    }
    // Returns whether it has failed.
    static bool disarm() {
        counting = false;
        return left_to_success.exchange(-1) < 0;
    }
    static bool is_promised(const std::exception &error) {
        return dynamic_cast<const std::bad_alloc *>(&error) != nullptr;
    }
};

#ifdef WARPINT_TEST_EMULATED
// A call of the emulated runtime fails. Memory of a GPU is asked for twice: what was given back may
// come in between.
template <emulator::Call call, cudaError_t error, long times = 1>
struct RuntimeCall {
    static void arm(long k) { emulator::fail(call, k, times, error); }
    static bool disarm() { return emulator::stop_failing(); }
    static bool is_promised(const std::exception &thrown) {
        if (error == cudaErrorMemoryAllocation)
            return dynamic_cast<const std::bad_alloc *>(&thrown) != nullptr;
        const auto *const of_cuda = dynamic_cast<const warpint::cuda_error *>(&thrown);
        return of_cuda != nullptr && of_cuda->code() == error;
    }
};
#endif

// No failures in a scope.
class Calm {
public:
    Calm() : former_{counting.exchange(false)} {
#ifdef WARPINT_TEST_EMULATED
        emulator::pause_failing(true);
#endif
    }
    ~Calm() {
        counting = former_;
#ifdef WARPINT_TEST_EMULATED
        emulator::pause_failing(false);
#endif
    }
    Calm(const Calm &) = delete;
    Calm &operator=(const Calm &) = delete;

private:
    bool former_;
};

// ---- what is looked at

inline const char *part = "";
inline long failing = -1;
inline int wrong = 0;
inline void require(bool condition, const char *what) {
    if (condition)
        return;
    counting = false;
    std::printf("wrong: %s, failure %ld: %s\n", part, failing, what);
    std::fflush(stdout);
    ++wrong;
}

// What a vector holds: its elements that have a value, and which have none.
template <class Vector>
struct Contents {
    std::vector<typename Vector::value_type> values;
    std::vector<bool> mask;
    explicit Contents(const Vector &vector) {
        const Calm calm;
        mask = vector.error_mask();
        Vector copy = vector;
        copy.clear_errors();
        values = copy.to_host();
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (mask[i])
                values[i] = {};
        }
    }
    bool operator==(const Contents &) const = default;
};
// Runs `action`, which throws or does all of its work: if it throws, `vector` holds what it did,
// also behind wait(), which waits for what may be in flight.
template <class Vector, class Action>
void all_or_nothing(
    Vector &vector, const Action &action, const char *what,
    const std::function<void()> &wait = [] {}) {
    const Contents<Vector> before(vector);
    try {
        action();
    } catch (...) {
        {
            const Calm calm;
            wait();
        }
        require(Contents<Vector>(vector) == before, what);
        throw;
    }
}

// What was computed, as one number.
struct Digest {
    std::uint64_t value = 0;
    void add(std::uint64_t x) { value = (value ^ x) * 0x9e3779b97f4a7c15u + (value >> 29); }
    void add(const std::string &text) {
        for (const char c : text)
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    template <int Bits>
    void add(const BigInt<Bits> &x) {
        for (const auto limb : x.limbs)
            add(static_cast<std::uint64_t>(limb));
    }
    template <class Vector>
    void add_all(const Vector &vector) {
        for (const auto &x : vector.to_host())
            add(x);
    }
};

template <int Bits>
std::vector<BigInt<Bits>> numbers(std::size_t count, std::uint64_t step) {
    std::vector<BigInt<Bits>> r(count);
    BigInt<Bits> x(step);
    for (BigInt<Bits> &each : r)
        each = x = x * 0x2545f4914f6cdd1du + step;
    return r;
}

// What the program holds.
struct Held {
    long host = held;
#ifdef WARPINT_TEST_EMULATED
    emulator::Held gpu = emulator::held();
#endif
    // Of `former`, or less: what is kept for later use may have been given back.
    [[nodiscard]] bool is_at_most(const Held &former) const {
#ifdef WARPINT_TEST_EMULATED
        if (gpu.device_memory > former.gpu.device_memory ||
            gpu.pinned_memory > former.gpu.pinned_memory || gpu.streams > former.gpu.streams ||
            gpu.events > former.gpu.events)
            return false;
#endif
        return host <= former.host;
    }
};

// Fails call `failing` of a part of a program, that gives `expected`, after which it holds `kept`
// at most. Returns whether there was such a call. may_go_on: the part may be right without it.
template <class Way>
bool fail_once(std::uint64_t (*use)(), std::uint64_t expected, const Held &kept, bool may_go_on) {
    bool thrown = false;
    std::uint64_t got = 0;
    std::string unexpected;
    Way::arm(failing);
    try {
        got = use();
    } catch (const std::exception &error) {
        const Calm calm;
        thrown = true;
        if (!Way::is_promised(error))
            unexpected = error.what();
    }
    const bool failed = Way::disarm();
    require(unexpected.empty(), unexpected.c_str());
    require(thrown || got == expected, "the result is right or there is none");
    require(thrown == failed || (may_go_on && !thrown),
            "the exception where something failed, and nowhere else");
    require(Held().is_at_most(kept), "all was given back");
    require(use() == expected, "the next call is right");
    require(Held().is_at_most(kept), "and keeps nothing");
    return failed;
}

inline void report(const char *name) {
    std::printf("%-24s %4ld failed in turn\n", name, failing);
    std::fflush(stdout);
}

// Fails each call of a part in turn, where what is kept for later use is there already.
template <class Way>
void fail_each(const char *name, std::uint64_t (*use)(), bool may_go_on = false) {
    part = name;
    failing = -1;
    (void)use();
    const std::uint64_t expected = use();
    const Held kept;
    for (failing = 0; wrong < 20; ++failing) {
        if (!fail_once<Way>(use, expected, kept, may_go_on))
            break;
    }
    report(name);
}

// The same where a process uses nothing before: each call fails in a process of its own.
template <class Way>
void fail_each_at_first(const char *name, std::uint64_t (*use)()) {
    struct Shared { // by all these processes
        std::uint64_t expected;
        Held kept;
        bool failed;
    };
    auto *const shared = static_cast<Shared *>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    part = name;
    for (failing = -1; wrong < 20; ++failing) {
        const pid_t child = fork();
        if (child == 0) {
            if (failing < 0) {
                (void)use();
                shared->expected = use();
                shared->kept = Held();
                shared->failed = true;
            } else {
                shared->failed = fail_once<Way>(use, shared->expected, shared->kept, false);
            }
            _exit(wrong == 0 ? 0 : 1);
        }
        int status = 1;
        require(waitpid(child, &status, 0) == child && status == 0, "the process ends well");
        if (!shared->failed)
            break;
    }
    report(name);
}

} // namespace in_turn
