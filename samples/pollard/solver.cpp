// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA where the build has it.
#include "solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <unordered_map>

#include "device.h"
#include "error.h"
#include "problems.h"
#include "progress.h"
#include "starts.h"
#include "store.h"
#include "walk.h"
#include "walks.h"

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
    using Numbers = typename Place::template Vector<Number>;

public:
    Solver(const Problem &the_problem, const SolveOptions &options)
        : problem(the_problem), curve(problem), p(point<Bits>(problem.px, problem.py)),
          q(point<Bits>(problem.qx, problem.qy)), steps(curve, p, q), launch(options.launch),
          walk_count(options.walks != 0 ? options.walks : suitable_walks()),
          distinguishing_bits(options.distinguishing_bits.value_or(suitable_bits())),
          store_name(options.store), common(options.common), starts(curve, p, walk_count) {
        // Fewer walks of each thread, not fewer threads.
        if (options.walks == 0) {
            const std::size_t each = Walks<Bits, Place>::suitable_count(launch);
            const std::size_t threads = each / static_cast<std::size_t>(launch.thread_walks);
            launch.thread_walks = static_cast<int>(
                std::clamp<std::size_t>((walk_count + threads - 1) / threads, 1,
                                        static_cast<std::size_t>(launch.thread_walks)));
        }
    }

    Wide solve() {
        if (p == q)
            return 1;
        std::optional<Store> store;
        if (!store_name.empty()) {
            store.emplace(store_name, to_line(problem) + " " + std::to_string(distinguishing_bits));
            const std::vector<Record> records = store->take_records();
            // A resumed search must not repeat walks. Those that were under way have no record.
            for (const Record &record : records)
                next_walk = std::max(next_walk, record.walk + 1);
            if (const auto k = arrived(records))
                return *k;
        }
        Walks<Bits, Place> walks(curve, steps, distinguishing_bits, walk_count, launch);
        start(walks, warpint::indices(walk_count));
        const double expected = std::sqrt(std::acos(-1.0) / 2 * static_cast<double>(problem.n));
        sample::Progress progress("steps", static_cast<std::uint64_t>(std::min(expected, 0x1p63)),
                                  common.always_show_progress);
        // Ends of walks are collected when some are due, and at least once in a second.
        const int steps_at_once = std::max(1, (1 << distinguishing_bits) / 16);
        using Clock = std::chrono::steady_clock;
        std::future<std::optional<Wide>> noted; // beside the steps
        for (;;) {
            const auto begin = Clock::now();
            for (int left = steps_at_once;
                 left != 0 && Clock::now() - begin < std::chrono::seconds(1);) {
                const int now = std::min(left, launch.steps);
                walks.step(now);
                walks.wait();
                progress.add(walk_count * static_cast<std::uint64_t>(now));
                left -= now;
            }
            std::vector<Record> ended = collect(walks);
            if (noted.valid()) {
                if (const auto k = noted.get())
                    return *k;
            }
            noted = std::async(std::launch::async, [this, &store, ended = std::move(ended)] {
                return note(ended, store);
            });
        }
    }

    Bench bench(double seconds) {
        using Clock = std::chrono::steady_clock;
        distinguishing_bits = Bits - step_bits - 1; // only where x < 1024
        Walks<Bits, Place> walks(curve, steps, distinguishing_bits, walk_count, launch);
        const typename Walks<Bits, Place>::Indices all_walks = warpint::indices(walk_count);
        start(walks, all_walks);
        Bench result;
        result.walks = walk_count;
        result.checked_steps = 200;
        for (int left = result.checked_steps; left > 0; left -= launch.steps)
            walks.step(std::min(left, launch.steps));
        Numbers end_x, end_y;
        walks.get(all_walks, end_x, end_y);
        const auto x = end_x.to_host();
        const auto y = end_y.to_host();
        result.correct = true;
        for (std::size_t i = 0; i < walk_count; i += walk_count / 61 + 1, ++result.checked_walks) {
            Point<Bits> w = curve.multiple(Number(number_of_walk[i]), p);
            for (int step = 0; step != result.checked_steps && !is_distinguished(w.x); ++step)
                w = next(w);
            result.correct = result.correct && w == Point<Bits>{x[i], y[i], false};
        }
        std::size_t done = 0;
        double elapsed = 0;
        const auto begin = Clock::now();
        do {
            walks.step(launch.steps);
            walks.wait();
            done += static_cast<std::size_t>(launch.steps) * walk_count;
            elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        } while (elapsed < seconds);
        result.steps_per_second = static_cast<double>(done) / elapsed;
        walks.get(all_walks, end_x, end_y);
        result.correct = result.correct && all(are_on_curve(end_x, end_y));
        return result;
    }

private:
    // As many as keep the device busy. But some eight times as many end until the logarithm is
    // found (suitable_bits()), and a core notes a million in a second: not so many that this takes
    // longer than the steps, of which a GPU takes 10 to 20 G.
    std::size_t suitable_walks() const {
        const int bits = std::clamp(bit_width(problem.n) / 2 - 17, 11, 30);
        return std::min(Walks<Bits, Place>::suitable_count(launch), std::size_t{1} << bits);
    }
    // So many bits that the walks' last steps, which are lost, are an eighth of all; but no more
    // than 20, so that a walk is soon followed again, and not 0, since a walk must take steps.
    int suitable_bits() const {
        const int bits = bit_width(problem.n) / 2 - bit_width(BigInt<64>(walk_count)) - 2;
        return std::clamp(bits, 1, 20);
    }

    Point<Bits> next(const Point<Bits> &w) const {
        const auto j = step_index(w.x);
        return curve.sum(w, {steps.x[j], steps.y[j], false});
    }
    bool is_distinguished(const Number &x) const {
        return (x & distinguishing_mask<Bits>(distinguishing_bits)) == 0;
    }

    auto are_on_curve(const Numbers &x, const Numbers &y) const {
        return y * y % curve.p == ((x * x + curve.a) * x + curve.b) % curve.p;
    }

    // New walks in these places. Walk number s starts at s P.
    void start(Walks<Bits, Place> &walks, const typename Walks<Bits, Place>::Indices &which) {
        Numbers x, y;
        starts.take(next_walk - 1, which.size(), x, y);
        walks.set(which, x, y);
        number_of_walk.resize(walk_count);
        for (const std::uint32_t i : which.to_host())
            number_of_walk[i] = next_walk++;
    }

    // Takes the distinguished points that walks have reached, and starts new ones in their places.
    // What left the curve, where a walk met a step's own x, is dropped.
    std::vector<Record> collect(Walks<Bits, Place> &walks) {
        const auto which = walks.take_ended();
        Numbers end_x, end_y;
        walks.get(which, end_x, end_y);
        const typename Place::template Vector<bool> on_curve = are_on_curve(end_x, end_y);
        const auto i = which.to_host();
        const auto x = end_x.to_host();
        const std::vector<bool> stayed = on_curve.to_host();
        std::vector<Record> ended;
        for (std::size_t end = 0; end != i.size(); ++end) {
            if (stayed[end])
                ended.push_back({x[end], number_of_walk[i[end]]});
        }
        start(walks, which);
        return ended;
    }

    // The logarithm, if a walk ended where another one had.
    std::optional<Wide> note(const std::vector<Record> &found, std::optional<Store> &store) {
        if (store)
            store->append(found);
        return arrived(found);
    }
    std::optional<Wide> arrived(const std::vector<Record> &records) {
        for (const Record &record : records) {
            if (const auto k = arrived(record))
                return k;
        }
        return std::nullopt;
    }
    std::optional<Wide> arrived(const Record &record) {
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
            const auto j = step_index(w.end.x);
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
    Launch launch;
    std::size_t walk_count;
    int distinguishing_bits;
    std::string store_name;
    sample::CommonOptions common;

    Starts<Bits, Place> starts;
    std::uint64_t next_walk = 1;
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
