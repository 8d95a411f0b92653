// SPDX-License-Identifier: Apache-2.0
// What the benchmarks of plain numbers share: operands, timing of two contenders in turns, and one
// line per operation. One thread, throughput unless a line says "chain".
//
// A pass works through an array of operands and stores every result. Both contenders read equal
// operands, run in turns (the machine may be shared) and are timed by chunks of many passes; the
// figure is the fastest chunk of each. Their results are compared afterwards: a difference ends the
// program.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perf {

using Words = std::vector<std::uint64_t>; // least significant first

// 64-bit words of `bits` random bits, the top one set, in a number of `width` bits.
inline Words random_words(std::mt19937_64 &generator, int bits, int width) {
    Words words(static_cast<std::size_t>(width / 64), 0);
    for (int i = 0; i * 64 < bits; ++i) {
        const int left = bits - i * 64;
        std::uint64_t word = generator();
        if (left <= 64)
            word = (word >> (64 - left)) | std::uint64_t{1} << (left - 1);
        words[static_cast<std::size_t>(i)] = word;
    }
    return words;
}

enum class Lengths { full, random };

// Numbers of `width` bits. full: the top bit set. random: every length from 1 bit on.
inline std::vector<Words> random_operands(std::size_t count, int width, Lengths lengths,
                                          std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<Words> operands;
    for (std::size_t i = 0; i < count; ++i) {
        const int bits = lengths == Lengths::random
                             ? 1 + static_cast<int>(generator() % static_cast<unsigned>(width))
                             : width;
        operands.push_back(random_words(generator, bits, width));
    }
    return operands;
}

// Partners for comparisons: in random order half of them equal, a quarter different in the lowest
// word, a quarter independent.
inline std::vector<Words> half_equal_to(const std::vector<Words> &a, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<Words> b = a;
    for (Words &x : b) {
        const auto kind = generator() % 4;
        if (kind == 0)
            x = random_words(generator, static_cast<int>(x.size() * 64),
                             static_cast<int>(x.size() * 64));
        if (kind == 1)
            x[0] = generator();
    }
    return b;
}

// Partners that differ in one word at a random place: a comparison that ends at the first
// difference, from either end, ends anywhere.
inline std::vector<Words> one_word_from(const std::vector<Words> &a, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<Words> b = a;
    for (Words &x : b)
        x[generator() % x.size()] ^= generator() | 1;
    return b;
}

// The compiler must assume that all memory is read and written here.
inline void clobber_memory() {
    asm volatile("" ::: "memory");
}

// The compiler must assume that the value is read and changed here.
inline void keep_value(std::size_t &value) {
    asm volatile("" : "+r"(value));
}

// Calls operation(k) for all k < Count, a power of two, on every call in another order: processors
// remember how thousands of branches went in one order of operands.
template <std::size_t Count, class Operation>
void in_new_order(std::mt19937_64 &generator, const Operation &operation) {
    static_assert(Count % 2 == 0 && (Count & (Count - 1)) == 0);
    const std::size_t step = generator() | 1;
    std::size_t k = 0;
    for (std::size_t i = 0; i < Count; ++i) {
        k = (k + step) % Count;
        operation(k);
    }
}

// Seconds of `passes` calls.
template <class Pass>
[[gnu::noinline]] double chunk_seconds(int passes, const Pass &pass) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < passes; ++i) {
        pass();
        clobber_memory();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The number of passes that take about a fifth of a millisecond.
template <class Pass>
int passes_per_chunk(const Pass &pass) {
    int passes = 1;
    while (passes < (1 << 20) && chunk_seconds(passes, pass) < 2e-4)
        passes *= 2;
    return passes;
}

inline constexpr int repetitions = 31;

struct Seconds {
    double ours;
    double theirs;
};

// Seconds of one pass of each, the fastest of the chunks.
template <class Ours, class Theirs>
Seconds fastest_passes(const Ours &ours, const Theirs &theirs) {
    const int our_passes = passes_per_chunk(ours);
    const int their_passes = passes_per_chunk(theirs);
    Seconds best{1e30, 1e30};
    for (int i = 0; i < repetitions; ++i) {
        best.ours = std::min(best.ours, chunk_seconds(our_passes, ours) / our_passes);
        best.theirs = std::min(best.theirs, chunk_seconds(their_passes, theirs) / their_passes);
    }
    return best;
}

// The operation that a line belongs to: "a < b, equal" and "a == b, random" are comparisons.
inline std::string operation_of(const std::string &line) {
    struct Name {
        const char *text;
        const char *operation;
    };
    constexpr Name names[] = {
        {"a + b", "add, sub"},        {"a - b", "add, sub"},   {"a += b", "add, sub"},
        {"chain x += b", "add, sub"}, {"a * b", "mul"},        {"mul_low", "mul"},
        {"mul_high", "mul"},          {"chain x *= b", "mul"}, {"sqr(", "sqr"},
        {"a < b", "compare"},         {"a == b", "compare"},   {"divmod", "divmod"},
        {"a << k", "shift"},          {"a >> k", "shift"},     {"parse", "parse"},
        {"to_string", "to_string"},   {"sqrt_rem", "sqrt_rem"}};
    for (const Name &name : names) {
        if (line.rfind(name.text, 0) == 0)
            return name.operation;
    }
    return line;
}

// The lines of one peer, one for every kind of operands of an operation. The goal is asked of the
// operations: of the geometric mean of the ratios of their lines, at every width. Lines below the
// goal are marked and counted all the same.
class Report {
public:
    Report(const char *peer, double goal) : peer_(peer), goal_(goal) {
        std::printf("\n== warpint and %s: nanoseconds per operation; ratio = %s / warpint, goal of "
                    "every operation's geometric mean at least %.1f\n",
                    peer, peer, goal);
        std::printf("%5s  %-26s %9s %10s %10s %7s  %s\n", "bits", "operation", "warpint", peer,
                    "ratio", "", "operands");
    }

    // One line: two contenders that each do `count` operations per call on `bytes` bytes of
    // operands and results; right: whether their results are equal, asked after the measurement.
    template <class Ours, class Theirs, class Right>
    void line(int bits, const char *operation, std::size_t count, std::size_t bytes,
              const Ours &ours, const Theirs &theirs, const Right &right) {
        const Seconds seconds = fastest_passes(ours, theirs);
        if (!right()) {
            std::printf("WRONG RESULT: %s, %d bits, warpint and %s differ\n", operation, bits,
                        peer_);
            std::exit(1);
        }
        const double ratio = seconds.theirs / seconds.ours;
        const double each = 1e9 / static_cast<double>(count);
        std::printf("%5d  %-26s %9.2f %10.2f %10.2f %7s  %zu, %zu KiB, %s\n", bits, operation,
                    seconds.ours * each, seconds.theirs * each, ratio, ratio < goal_ ? "below" : "",
                    count, (count * bytes + 1023) / 1024, count * bytes <= 32 * 1024 ? "L1" : "L2");
        std::fflush(stdout);
        Operation &group = operations_[{bits, operation_of(operation)}];
        group.log_sum += std::log(ratio);
        group.lowest = std::min(group.lowest, ratio);
        ++group.lines;
        group.below += ratio < goal_;
    }

    ~Report() {
        std::printf("-- %s by operations: geometric mean, lowest and number of the ratios\n",
                    peer_);
        int below = 0, lines = 0, lines_below = 0;
        for (const auto &[key, group] : operations_) {
            const double mean = std::exp(group.log_sum / group.lines);
            std::printf("%5d  %-10s %6.2f %6.2f %3d %s\n", key.first, key.second.c_str(), mean,
                        group.lowest, group.lines, mean < goal_ ? "BELOW" : "");
            below += mean < goal_;
            lines += group.lines;
            lines_below += group.below;
        }
        std::printf("%d of %zu operations below the goal of %.1f; of single lines %d of %d\n",
                    below, operations_.size(), goal_, lines_below, lines);
    }

private:
    struct Operation {
        double log_sum = 0;
        double lowest = 1e30;
        int lines = 0;
        int below = 0;
    };

    const char *peer_;
    double goal_;
    std::map<std::pair<int, std::string>, Operation> operations_;
};

// Only operations whose name contains this text are measured (first argument of the program).
inline std::string wanted_operation; // NOLINT

inline bool wanted(const char *operation) {
    return std::string(operation).find(wanted_operation) != std::string::npos;
}

// One function per peer, each in a file of its own.
void measure_intx();
void measure_boost();
void measure_mpn();

} // namespace perf
