// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA where the build has it.
#include "solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_map>

#include "device.h"
#include "error.h"
#include "problems.h"
#include "progress.h"
#include "store.h"
#include "walk.h"

namespace pollard {
namespace {

using sample::Error;

template <int Bits>
Point<Bits> point(const Wide &x, const Wide &y) {
    return {BigInt<Bits>(x), BigInt<Bits>(y), false};
}

template <int Bits, class Place>
class Solver {
    using Number = BigInt<Bits>;

public:
    Solver(const Problem &the_problem, const SolveOptions &options)
        : problem(the_problem), curve(problem), p(point<Bits>(problem.px, problem.py)),
          q(point<Bits>(problem.qx, problem.qy)), steps(curve, p, q),
          walk_count(options.walks != 0 ? options.walks
                     : Place::gpu       ? std::size_t{1} << 19
                                        : 2048),
          distinguishing_bits(options.distinguishing_bits.value_or(suitable_bits())),
          store_name(options.store), common(options.common) {}

    Wide solve() {
        if (p == q)
            return 1;
        std::optional<Store> store;
        if (!store_name.empty()) {
            store.emplace(store_name, to_line(problem) + " " + std::to_string(distinguishing_bits));
            for (const Record &record : store->take_records()) {
                if (const auto k = arrived(record))
                    return *k;
            }
        }
        Walks<Bits, Place> walks(curve, steps, distinguishing_bits);
        start_walks(walks);
        const double expected = std::sqrt(std::acos(-1.0) / 2 * static_cast<double>(problem.n));
        sample::Progress progress("steps", static_cast<std::uint64_t>(std::min(expected, 0x1p63)),
                                  common.always_show_progress);
        // Ends of walks are collected when some are due, and at least once in a second.
        const int steps_at_once = std::max(1, (1 << distinguishing_bits) / 16);
        constexpr int steps_between_looks = 16;
        using Clock = std::chrono::steady_clock;
        for (;;) {
            const auto start = Clock::now();
            for (int left = steps_at_once;
                 left != 0 && Clock::now() - start < std::chrono::seconds(1);) {
                const int now = std::min(left, steps_between_looks);
                for (int i = 0; i != now; ++i)
                    walks.step();
                if (left > now)
                    (void)walks.x.read(0); // waits
                progress.add(walk_count * static_cast<std::uint64_t>(now));
                left -= now;
            }
            const std::vector<Record> found = collect(walks);
            if (store)
                store->append(found);
            for (const Record &record : found) {
                if (const auto k = arrived(record))
                    return *k;
            }
        }
    }

    Bench bench(double seconds) {
        using Clock = std::chrono::steady_clock;
        distinguishing_bits = Bits - step_bits - 1; // only where x < 1024
        Walks<Bits, Place> walks(curve, steps, distinguishing_bits);
        start_walks(walks);
        Bench result;
        result.walks = walk_count;
        result.checked_steps = 200;
        for (int i = 0; i != result.checked_steps; ++i)
            walks.step();
        const auto x = walks.x.to_host();
        const auto y = walks.y.to_host();
        result.correct = true;
        for (std::size_t i = 0; i < walk_count; i += walk_count / 61 + 1, ++result.checked_walks) {
            Point<Bits> w = curve.multiple(Number(number_of_walk[i]), p);
            for (int step = 0; step != result.checked_steps && !is_distinguished(w.x); ++step)
                w = next(w);
            result.correct = result.correct && w == Point<Bits>{x[i], y[i], false};
        }
        std::size_t done = 0;
        double elapsed = 0;
        const auto start = Clock::now();
        do {
            for (int i = 0; i != 64; ++i)
                walks.step();
            (void)walks.x.read(0); // waits
            done += 64 * walk_count;
            elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        } while (elapsed < seconds);
        result.steps_per_second = static_cast<double>(done) / elapsed;
        result.correct = result.correct && walks.all_on_curve();
        return result;
    }

private:
    // So many bits that the walks' last steps, which are lost, are an eighth of all; but no more
    // than 20, so that a walk is soon followed again, and not 0, since a walk must take steps.
    int suitable_bits() const {
        const int bits = bit_width(problem.n) / 2 - bit_width(BigInt<64>(walk_count)) - 2;
        return std::clamp(bits, 1, 20);
    }

    Point<Bits> next(const Point<Bits> &w) const {
        const auto j = static_cast<std::size_t>(Steps<Bits>::index(w.x));
        return curve.sum(w, {steps.x[j], steps.y[j], false});
    }
    bool is_distinguished(const Number &x) const {
        return (x & distinguishing_mask<Bits>(distinguishing_bits)) == 0;
    }

    // Walk number s starts at s P.
    Point<Bits> start_next_walk() {
        if (last_start.infinite)
            last_start = curve.multiple(Number(next_walk), p);
        else
            last_start = curve.sum(last_start, p);
        ++next_walk;
        return last_start.infinite ? start_next_walk() : last_start;
    }

    void start_walks(Walks<Bits, Place> &walks) {
        std::vector<Number> x, y;
        for (std::size_t i = 0; i != walk_count; ++i) {
            number_of_walk.push_back(next_walk);
            const Point<Bits> start = start_next_walk();
            x.push_back(start.x);
            y.push_back(start.y);
        }
        walks.x = x;
        walks.y = y;
    }

    // Takes the distinguished points that walks have reached, and starts new ones in their places.
    // What left the curve, where a walk met a step's own x, is dropped.
    std::vector<Record> collect(Walks<Bits, Place> &walks) {
        auto x = walks.x.to_host();
        auto y = walks.y.to_host();
        std::vector<Record> found;
        for (std::size_t i = 0; i != walk_count; ++i) {
            if (!is_distinguished(x[i]))
                continue;
            if (curve.contains({x[i], y[i], false}))
                found.push_back({x[i], number_of_walk[i]});
            number_of_walk[i] = next_walk;
            const Point<Bits> start = start_next_walk();
            x[i] = start.x;
            y[i] = start.y;
        }
        walks.x = x;
        walks.y = y;
        return found;
    }

    // Notes the end of a walk. The logarithm, if another walk ended there.
    std::optional<Wide> arrived(const Record &record) {
        // A resumed search must not repeat walks. Those that were under way have no record.
        next_walk = std::max(next_walk, record.walk + 1);
        const auto [place, is_new] = ends.emplace(Number(record.x), record.walk);
        if (is_new || place->second == record.walk)
            return std::nullopt;
        const auto first = follow(place->second);
        const auto second = follow(record.walk);
        if (!first || !second || first->end.x != second->end.x)
            return std::nullopt;
        // c1 P + d1 Q = +-(c2 P + d2 Q)
        const auto &n = curve.n;
        const bool opposite = first->end.y != second->end.y;
        const Number c = opposite ? addmod(first->c, second->c, n) : submod(first->c, second->c, n);
        const Number d = opposite ? addmod(first->d, second->d, n) : submod(first->d, second->d, n);
        const auto reciprocal = inverse(d, n);
        if (!reciprocal)
            return std::nullopt;
        const Number k = submod(Number(0), mulmod(c, *reciprocal, n), n);
        return curve.multiple(k, p) == q ? std::optional<Wide>(k) : std::nullopt;
    }

    struct Followed {
        Number c, d; // end = c P + d Q
        Point<Bits> end;
    };
    // Goes the way of a walk again. Nothing if it does not end.
    std::optional<Followed> follow(std::uint64_t walk) const {
        Followed w{Number(walk) % curve.n, Number(0), curve.multiple(Number(walk), p)};
        for (std::uint64_t left = std::uint64_t{64} << distinguishing_bits; left != 0; --left) {
            if (w.end.infinite)
                return std::nullopt;
            if (is_distinguished(w.end.x))
                return w;
            const auto j = static_cast<std::size_t>(Steps<Bits>::index(w.end.x));
            w.c = addmod(w.c, steps.c[j], curve.n);
            w.d = addmod(w.d, steps.d[j], curve.n);
            w.end = next(w.end);
        }
        return std::nullopt;
    }

    Problem problem;
    Curve<Bits> curve;
    Point<Bits> p, q;
    Steps<Bits> steps;
    std::size_t walk_count;
    int distinguishing_bits;
    std::string store_name;
    sample::CommonOptions common;

    std::uint64_t next_walk = 1;
    Point<Bits> last_start; // of walk next_walk - 1; infinite before the first
    std::vector<std::uint64_t> number_of_walk;
    std::unordered_map<Number, std::uint64_t> ends; // the walk that ended at this x
};

// Calls use(Solver) with the narrowest that holds the curve.
template <class Use>
auto with_solver(const Problem &problem, const SolveOptions &options, Use use) {
    return sample::on_device(options.common.device, [&](auto place) {
        using Place = decltype(place);
        const int bits = std::max(bit_width(problem.p), bit_width(problem.n));
        if (bits <= 64)
            return use(Solver<64, Place>(problem, options));
        if (bits <= 96)
            return use(Solver<96, Place>(problem, options));
        return use(Solver<max_bits, Place>(problem, options));
    });
}

} // namespace

Wide solve(const Problem &problem, const SolveOptions &options) {
    return with_solver(problem, options, [](auto &&solver) { return solver.solve(); });
}

Bench bench(const Problem &problem, const SolveOptions &options, double seconds) {
    return with_solver(problem, options, [&](auto &&solver) { return solver.bench(seconds); });
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

} // namespace pollard
