// SPDX-License-Identifier: Apache-2.0
// Blocks and their threads (ptx.h).
#include "instructions.h"
#include "thread.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

namespace ptx {
namespace {

constexpr std::size_t arena_bytes = std::size_t{64}
                                    << 20; // of a thread: registers and local memory
constexpr std::size_t max_shared_bytes = std::size_t{16} << 20;
constexpr std::size_t gap = 64; // between local memory and its neighbours
std::uint64_t run_so_far = 0;

// What was run, said at the end of the process if WARPINT_EMULATOR_REPORT is set.
struct Report {
    std::uint64_t launches = 0;
    ~Report() {
        if (std::getenv("WARPINT_EMULATOR_REPORT") != nullptr) {
            std::fprintf(stderr, "emulated: %llu launches of kernels, %llu instructions\n",
                         static_cast<unsigned long long>(launches),
                         static_cast<unsigned long long>(run_so_far));
        }
    }
} report;

std::size_t rounded(std::size_t n) {
    return (n + 63) / 64 * 64;
}

char *reserve(std::size_t bytes, int flags) {
    void *const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (p == MAP_FAILED)
        fail("no address space for threads");
    return static_cast<char *>(p);
}

void run_thread(Thread &t) {
    const std::uint64_t limit = run_so_far + 20'000'000; // then others have their turn
    while (t.waits == Waits::no && run_so_far < limit) {
        const Instruction *const code = t.frame->function->code.data();
        const Frame *const frame = t.frame;
        while (true) {
            const Instruction &i = code[t.at++];
            ++run_so_far;
            if (i.guard >= 0 && (t.slots[i.guard] != 0) == i.is_negated)
                continue;
            i.run(t, i);
            if (t.waits != Waits::no || t.frame != frame || run_so_far >= limit)
                break;
        }
    }
}

class Warps {
public:
    Warps(std::vector<Thread> &threads, const Function &kernel)
        : threads_{threads}, kernel_{kernel} {}

    void run() {
        for (bool progress = true; progress;) {
            progress = false;
            for (Thread &t : threads_) {
                if (t.waits != Waits::no)
                    continue;
                run_thread(t);
                progress = true;
                if (t.lane() == 31 || &t == &threads_.back())
                    meet(t.number / 32);
            }
            for (std::size_t warp = 0; 32 * warp < threads_.size(); ++warp)
                progress = meet(warp) || progress;
            progress = barrier() || progress;
        }
        for (const Thread &t : threads_) {
            if (t.waits != Waits::done)
                refuse();
        }
    }

private:
    bool meet(std::size_t warp) {
        bool progress = false;
        const std::size_t first = 32 * warp,
                          count = std::min<std::size_t>(32, threads_.size() - first);
        for (std::size_t k = 0; k < count; ++k) {
            const Thread &t = threads_[first + k];
            if (t.waits != Waits::at_warp)
                continue;
            if ((t.mask >> k & 1) == 0)
                fail_at(t, *t.together, "a lane that its mask does not name");
            Thread *lanes[32] = {};
            bool all = true;
            for (std::size_t j = 0; j < count; ++j) {
                if ((t.mask >> j & 1) == 0)
                    continue;
                Thread &other = threads_[first + j];
                if (other.waits == Waits::done)
                    continue;
                all = all && other.waits == Waits::at_warp && other.mask == t.mask &&
                      (other.together == t.together ||
                       (other.together->number == t.together->number && is_meeting(*t.together)));
                lanes[j] = &other;
            }
            if (!all)
                continue;
            run_together(lanes, *t.together);
            for (Thread *lane : lanes) {
                if (lane != nullptr)
                    lane->waits = Waits::no;
            }
            progress = true;
        }
        return progress;
    }
    static bool is_meeting(const Instruction &i) { return i.number == together_kind({"bar"}); }

    bool barrier() {
        std::size_t done = 0;
        for (const Thread &t : threads_)
            done += t.waits == Waits::done ? 1 : 0;
        bool progress = false;
        for (const Thread &first : threads_) {
            if (first.waits != Waits::at_barrier)
                continue;
            std::vector<Thread *> here;
            for (Thread &t : threads_) {
                if (t.waits == Waits::at_barrier && t.barrier == first.barrier)
                    here.push_back(&t);
            }
            const bool is_whole = first.barrier_threads != 0
                                      ? here.size() == first.barrier_threads
                                      : here.size() + done == threads_.size();
            if (!is_whole)
                continue;
            std::uint64_t trues = 0;
            for (const Thread *t : here) {
                const Instruction &i = *t->together;
                if (i.number != 0)
                    trues += get<bool>(*t, i.slot[3]) != (i.count == 1) ? 1 : 0;
            }
            for (Thread *t : here) {
                const Instruction &i = *t->together;
                if (i.number != 0) {
                    t->slots[i.slot[0]] = i.number == 1   ? trues
                                          : i.number == 2 ? (trues == here.size() ? 1 : 0)
                                                          : (trues != 0 ? 1 : 0);
                }
                t->waits = Waits::no;
            }
            progress = true;
        }
        return progress;
    }

    [[noreturn]] void refuse() {
        std::fprintf(stderr, "PTX: threads that wait for ever in %s\n", kernel_.name.c_str());
        for (const Thread &t : threads_) {
            if (t.waits == Waits::done)
                continue;
            std::fprintf(stderr, "  thread %u at line %u of the module, %s", t.number,
                         t.together->line, t.waits == Waits::at_warp ? "lanes" : "a barrier");
            if (t.waits == Waits::at_warp)
                std::fprintf(stderr, " %08x", t.mask);
            std::fprintf(stderr, ", in %s\n", t.frame->function->name.c_str());
        }
        std::abort();
    }

    std::vector<Thread> &threads_;
    const Function &kernel_;
};

// Memory that blocks use one after the other.
struct Memory {
    std::vector<char *> arenas;
    char *shared = nullptr;
    char *arena(std::size_t k) {
        while (arenas.size() <= k)
            arenas.push_back(reserve(arena_bytes, 0));
        return arenas[k];
    }
};

} // namespace

std::uint64_t instructions_run() {
    return run_so_far;
}

void fail_at(const Thread &t, const Instruction &i, const std::string &message) {
    fail(message + "; thread " + std::to_string(t.number) + ", line " + std::to_string(i.line) +
         " of the module, in " + t.frame->function->name);
}

void enter(Thread &t, Function &function, char *const *arguments, char *const *results) {
    const std::size_t slots =
        static_cast<std::size_t>(function.registers) + function.constants.size();
    const std::size_t before = t.arena_used;
    const std::size_t slots_at = before + rounded(sizeof(Frame));
    const std::size_t local_at = slots_at + rounded(8 * slots) + gap;
    const std::size_t site_at = local_at + rounded(function.local_bytes) + gap;
    const std::size_t end = site_at + rounded(function.call_site_bytes) + gap;
    if (end > arena_bytes)
        fail("the stack of a thread is too small for " + function.name);
    ASAN_UNPOISON_MEMORY_REGION(t.arena + before, local_at - gap - before);
    ASAN_UNPOISON_MEMORY_REGION(t.arena + local_at, function.local_bytes);
    ASAN_UNPOISON_MEMORY_REGION(t.arena + site_at, function.call_site_bytes);
    auto *const frame = new (t.arena + before) Frame{};
    frame->function = &function;
    frame->slots = reinterpret_cast<std::uint64_t *>(t.arena + slots_at);
    frame->local = t.arena + local_at;
    frame->call_site = t.arena + site_at;
    std::copy(arguments, arguments + 16, frame->arguments);
    std::copy(results, results + 2, frame->results);
    frame->caller = t.frame;
    frame->arena_before = before;
    std::memcpy(frame->slots + function.registers, function.constants.data(),
                8 * function.constants.size());
    for (const auto &[slot, variable] : function.shared_slots) {
        const std::size_t offset =
            variable->is_dynamic ? rounded(function.module->shared_bytes()) : variable->offset;
        frame->slots[slot] = reinterpret_cast<std::uint64_t>(t.block->shared + offset);
    }
    for (const auto &[slot, offset] : function.local_slots)
        frame->slots[slot] = reinterpret_cast<std::uint64_t>(frame->local + offset);
    std::memset(frame->local, 0xa5, function.local_bytes);
    if (t.frame != nullptr)
        t.frame->at = t.at;
    t.frame = frame;
    t.slots = frame->slots;
    t.at = 0;
    t.arena_used = end;
}
void leave(Thread &t) {
    const Frame frame = *t.frame;
    ASAN_POISON_MEMORY_REGION(t.arena + frame.arena_before, t.arena_used - frame.arena_before);
    t.arena_used = frame.arena_before;
    t.frame = frame.caller;
    if (t.frame == nullptr) {
        t.waits = Waits::done;
        return;
    }
    t.slots = t.frame->slots;
    t.at = t.frame->at;
}

void wait_for_warp(Thread &t, const Instruction &i) {
    t.waits = Waits::at_warp;
    t.mask = get<std::uint32_t>(t, i.slot[6]);
    t.together = &i;
}
void wait_at_barrier(Thread &t, const Instruction &i) {
    t.waits = Waits::at_barrier;
    t.barrier = get<std::uint32_t>(t, i.slot[1]);
    t.barrier_threads = get<std::uint32_t>(t, i.slot[2]);
    t.together = &i;
}

void launch(Function &kernel, Size3 grid, Size3 size, void **arguments, std::size_t shared_bytes) {
    static std::mutex one_at_a_time;
    static Memory memory;
    const std::lock_guard lock(one_at_a_time);
    ++report.launches;
    if (memory.shared == nullptr)
        memory.shared = reserve(max_shared_bytes, MAP_32BIT);
    const std::size_t threads_in_block = std::size_t{size.x} * size.y * size.z;
    if (threads_in_block > static_cast<std::size_t>(kernel.max_threads))
        fail("more threads than the kernel was compiled for: " + kernel.name);
    if (rounded(kernel.module->shared_bytes()) + shared_bytes > max_shared_bytes)
        fail("too much shared memory: " + kernel.name);
    // Kernels cannot write their arguments.
    std::vector<std::vector<char>> own;
    char *places[16] = {}, *results[2] = {};
    for (std::size_t k = 0; k < kernel.parameter_bytes.size(); ++k) {
        own.emplace_back(kernel.parameter_bytes[k] + 64);
        places[k] = reinterpret_cast<char *>(
            (reinterpret_cast<std::uintptr_t>(own.back().data()) + 63) / 64 * 64);
        std::memcpy(places[k], arguments[k], kernel.parameter_bytes[k]);
    }
    std::vector<Thread> threads(threads_in_block);
    Block block;
    block.grid = grid;
    block.size = size;
    block.dynamic_shared_bytes = shared_bytes;
    block.shared = memory.shared;
    for (block.index.z = 0; block.index.z < grid.z; ++block.index.z) {
        for (block.index.y = 0; block.index.y < grid.y; ++block.index.y) {
            for (block.index.x = 0; block.index.x < grid.x; ++block.index.x) {
                std::memset(block.shared, 0xa5,
                            rounded(kernel.module->shared_bytes()) + shared_bytes);
                for (std::size_t k = 0; k < threads_in_block; ++k) {
                    Thread &t = threads[k];
                    t = Thread{};
                    t.number = static_cast<unsigned>(k);
                    t.index = {t.number % size.x, t.number / size.x % size.y,
                               t.number / size.x / size.y};
                    t.block = &block;
                    t.arena = memory.arena(k);
                    enter(t, kernel, places, results);
                }
                Warps(threads, kernel).run();
            }
        }
    }
}

} // namespace ptx
