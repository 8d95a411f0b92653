// The runner of the batched number tests: draws operands, has batches of them computed on the
// device or the host, and compares every result with GMP on all cores.
//
// Environment, beside WARPINT_TEST_SEED and WARPINT_TEST_SCALE (support/property.h):
// WARPINT_TEST_LONG_MINUTES=<m> runs the long set: 10^7 elements per group of operations and pair
// of types (10^6 where a group divides, takes roots or draws random numbers), but at most m minutes
// for the whole program. A case that its share of the time cannot finish stops early; the table
// says what was reached.

#include "computer.h"
#include "elements.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

namespace number_test {

std::vector<Case> &cases() {
    static std::vector<Case> all;
    return all;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Outcome {
    std::uint64_t elements = 0;
    std::uint64_t comparisons = 0;
    std::string failure;
};

/// Minutes of the long set; 0 for the quick set.
double long_minutes() {
    const char *text = std::getenv("WARPINT_TEST_LONG_MINUTES");
    return text != nullptr ? std::strtod(text, nullptr) : 0;
}

/// Elements of a case in the quick set, fewer of those that take longer.
std::uint64_t quick_count(const Case &which) {
    const double limbs = 1 + static_cast<double>(std::max(which.a.bits, which.b.bits)) / 256;
    const bool linear = which.group == Group::sums || which.group == Group::bits ||
                        which.group == Group::orders || which.group == Group::conversions;
    const double count = 3000 / std::pow(limbs, linear ? 1.1 : 1.6);
    return static_cast<std::uint64_t>(test::scaled(std::max(12L, std::lround(count))));
}

std::uint64_t long_count(const Case &which) {
    const bool slow = divides_by_b(which.group) || which.group == Group::functions;
    return slow ? 1000000 : 10000000;
}

/// A failed element with smaller operands that fail too, in words.
std::string describe(const Case &which, const Operands &failed, const std::string &message,
                     std::uint64_t batch, std::size_t record_size, bool on_device) {
    const auto judge = [&](const Operands &v, bool device) {
        Computer computer(device);
        computer.compute(which, {v}, record_size);
        Checker checker;
        checker.begin(computer.record(0), record_size);
        check_record(checker, which, v);
        return checker.message();
    };
    const bool host_can = !(divides_by_b(which.group) && failed.b.is_zero());
    std::ostringstream text;
    text << name_of(which) << (on_device ? " on the device" : " on the host") << ", batch " << batch
         << ", WARPINT_TEST_SEED=" << test::run_seed()
         << "\n  before shrinking: " << message.substr(0, 600);
    if (on_device && host_can) {
        const std::string host = judge(failed, false);
        text << "\n  on the host: " << (host.empty() ? "correct" : host.substr(0, 600));
    }
    const test::Property property = [&](test::Verdict &verdict, const test::Operands &v) {
        const Operands smaller{v[0], v[1], failed.parameters};
        if (!on_device && divides_by_b(which.group) && v[1].is_zero())
            return;
        const std::string found = judge(smaller, on_device);
        if (!found.empty())
            verdict.fail(found);
    };
    const test::Operands shrunk = test::shrink(property, {failed.a, failed.b});
    const Parameters &p = failed.parameters;
    text << "\n  " << test::judge(property, shrunk).message() << "\n  a " << shrunk[0] << "\n  b "
         << shrunk[1] << "\n  shift " << p.shift << ", position " << p.position << ", count "
         << p.count << ", carry " << p.carry;
    return text.str();
}

/// Runs `wanted` elements of a case on all cores, or fewer if that takes longer than `limit`
/// seconds (but at least `least`). 0: no limit.
Outcome run_case(const Case &which, std::uint64_t wanted, std::uint64_t least, double limit,
                 bool on_device) {
    const std::size_t record_size = record_size_of(which);
    const std::size_t element_size = record_size + which.a_size + which.b_size + sizeof(Parameters);
    const std::size_t memory = (std::size_t{1} << 20) * (on_device ? 32 : 1);
    const std::uint64_t batch_size = std::clamp<std::uint64_t>(memory / element_size, 8, 4096);
    const std::uint64_t batches = (wanted + batch_size - 1) / batch_size;

    const Clock::time_point start = Clock::now();
    std::atomic<std::uint64_t> next{0}, elements{0}, comparisons{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::string failure;
    const auto work = [&] {
        try {
            Computer computer(on_device);
            Checker checker;
            for (std::uint64_t batch = next++; batch < batches && !stop; batch = next++) {
                if (limit > 0 && batch * batch_size >= least && seconds_since(start) > limit)
                    break;
                const std::uint64_t first = batch * batch_size;
                const int count = static_cast<int>(std::min(batch_size, wanted - first));
                const std::vector<Operands> operands =
                    draw_elements(which, batch, first, count, on_device);
                computer.compute(which, operands, record_size);
                const std::uint64_t before = checker.comparisons();
                for (std::size_t i = 0; i < operands.size(); ++i) {
                    checker.begin(computer.record(i), record_size);
                    check_record(checker, which, operands[i]);
                    if (checker.failed()) {
                        stop = true;
                        const std::lock_guard<std::mutex> lock(mutex);
                        if (failure.empty())
                            failure = describe(which, operands[i], checker.message(), batch,
                                               record_size, on_device);
                        return;
                    }
                }
                elements += operands.size();
                comparisons += checker.comparisons() - before;
            }
        } catch (const std::exception &error) {
            stop = true;
            const std::lock_guard<std::mutex> lock(mutex);
            if (failure.empty())
                failure = name_of(which) + ": " + error.what();
        }
    };
    const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (std::uint64_t i = 1; i < std::min(cores, batches); ++i)
        threads.emplace_back(work);
    work();
    for (std::thread &thread : threads)
        thread.join();
    return {elements, comparisons, failure};
}

std::string where() {
#ifdef __CUDACC__
    if (has_device()) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
        return std::string("device threads, ") + properties.name;
    }
#endif
    return "host";
}

} // namespace

TEST_CASE("every operation on numbers of many widths, against GMP") {
    const bool on_device = has_device();
    const double minutes = long_minutes();
    std::vector<Case> all = cases();
    REQUIRE(!all.empty());
    std::stable_sort(all.begin(), all.end(), [](const Case &x, const Case &y) {
        return std::max(x.a.bits, x.b.bits) < std::max(y.a.bits, y.b.bits);
    });

    const Clock::time_point start = Clock::now();
    std::uint64_t elements = 0, comparisons = 0, cut = 0, exhaustive = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Case &which = all[i];
        const std::uint64_t quick = quick_count(which);
        std::uint64_t wanted = minutes > 0 ? std::max(quick, long_count(which)) : quick;
        double limit = 0;
        if (is_exhaustive(which)) {
            wanted = exhaustive_count(which);
            ++exhaustive;
        } else if (minutes > 0) {
            const double left = 60 * minutes - seconds_since(start);
            limit = std::max(0.05, left / static_cast<double>(all.size() - i));
        }
        const Clock::time_point case_start = Clock::now();
        const Outcome outcome = run_case(which, wanted, quick, limit, on_device);
        if (!outcome.failure.empty()) {
            FAIL_CHECK(outcome.failure);
            continue;
        }
        CHECK(outcome.comparisons > 0);
        elements += outcome.elements;
        comparisons += outcome.comparisons;
        cut += outcome.elements < wanted;
        if (minutes > 0 || std::getenv("WARPINT_TEST_TABLE") != nullptr)
            std::printf("%-60s %9llu of %9llu elements, %10llu results, %7.2f s\n",
                        name_of(which).c_str(), static_cast<unsigned long long>(outcome.elements),
                        static_cast<unsigned long long>(wanted),
                        static_cast<unsigned long long>(outcome.comparisons),
                        seconds_since(case_start));
    }
    std::printf("%s, %s set: %zu cases (%llu of them exhaustive), %llu elements, %llu results "
                "compared, %llu cases ended early for time, %.1f s\n",
                where().c_str(), minutes > 0 ? "long" : "quick", all.size(),
                static_cast<unsigned long long>(exhaustive),
                static_cast<unsigned long long>(elements),
                static_cast<unsigned long long>(comparisons), static_cast<unsigned long long>(cut),
                seconds_since(start));
}

} // namespace number_test
