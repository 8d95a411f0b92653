// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include <warpint/number_theory.h>
#include <warpint/text.h>

#include "error.h"
#include "plan.h"
#include "progress.h"

namespace ecm {

namespace {

struct Bounds {
    std::uint32_t b1, b2;
};

// A divisor of n that is not 1 and not n.
struct Divisor {
    Number value;
    std::size_t curve;
    int stage;
};

std::optional<Divisor> divisor_among(const std::vector<Number> &divisors, const Number &n,
                                     int stage) {
    for (std::size_t i = 0; i != divisors.size(); ++i) {
        if (divisors[i] != 1u && divisors[i] != n)
            return Divisor{divisors[i], i, stage};
    }
    return std::nullopt;
}

std::vector<std::uint32_t> sigmas(std::uint32_t first, std::size_t count) {
    static std::random_device generator;
    std::uniform_int_distribution<std::uint32_t> any(6, 0xffffffff);
    std::vector<std::uint32_t> result(count);
    for (std::size_t i = 0; i != count; ++i)
        result[i] = first == 0 ? any(generator) : first + static_cast<std::uint32_t>(i);
    return result;
}

// A bar of work whose parts are known as shares of it.
class ShareProgress {
public:
    ShareProgress(const char *what, const Options &options)
        : bar(what, units, options.common.always_show_progress) {}

    void add(double share) {
        const double before = std::round(units * done);
        done += share;
        bar.add(static_cast<std::uint64_t>(std::round(units * done) - before));
    }

private:
    static constexpr int units = 1000;

    sample::Progress bar;
    double done = 0;
};

std::optional<Divisor> run_curves(Curves &curves, const std::vector<std::uint32_t> &sigma,
                                  const Number &n, const Bounds &bounds, const Options &options,
                                  sample::Report *report) {
    const auto start = std::chrono::steady_clock::now();
    // Stage 1 costs some 16 products for each unit of b1, stage 2 fewer for each of b2.
    const double share =
        bounds.b2 > bounds.b1 ? 16. * bounds.b1 / (16. * bounds.b1 + .25 * bounds.b2) : 1;
    std::optional<Divisor> found;
    {
        ShareProgress progress("curves", options); // its line ends before the next one begins
        curves.start(sigma);
        curves.stage_1(bounds.b1, [&](double part) { progress.add(share * part); });
        found = divisor_among(curves.divisors(), n, 1);
        if (!found && bounds.b2 > bounds.b1) {
            curves.stage_2(bounds.b1, bounds.b2,
                           [&](double part) { progress.add((1 - share) * part); });
            found = divisor_among(curves.divisors(), n, 2);
        }
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (report != nullptr) {
        report->rate(std::to_string(sigma.size()) + " curves, " +
                         std::to_string(to_string(n).size()) + " digits, B1 = " +
                         std::to_string(bounds.b1) + ", B2 = " + std::to_string(bounds.b2),
                     static_cast<double>(sigma.size()) / time.count());
        if (found)
            report->text("found    " + to_string(found->value) + " by sigma " +
                         std::to_string(sigma[found->curve]) + " in stage " +
                         std::to_string(found->stage));
    }
    return found;
}

std::optional<Number> divisor_of(const Number &n, const Options &options, sample::Report *report) {
    const std::size_t batch =
        options.batch != 0 ? options.batch : usual_batch(n, options.common.device);
    const std::uint32_t b2 = options.b2 != 0 ? options.b2 : 100 * options.b1;
    const std::uint64_t most = options.curves != 0 ? options.curves : 2000;
    const auto curves = make_curves(n, options.common.device);
    // Small bounds first: large ones find all small factors at once, and so none.
    if (options.sigma == 0) {
        for (std::uint32_t b1 = 250; b1 < options.b1 / 2; b1 *= 4) {
            if (const auto found = run_curves(*curves, sigmas(0, std::min<std::size_t>(batch, 64)),
                                              n, {b1, 20 * b1}, options, report))
                return found->value;
        }
    }
    for (std::uint64_t done = 0; done < most;) {
        const std::size_t count =
            static_cast<std::size_t>(std::min<std::uint64_t>(batch, most - done));
        const std::uint32_t first =
            options.sigma == 0 ? 0 : options.sigma + static_cast<std::uint32_t>(done);
        if (const auto found =
                run_curves(*curves, sigmas(first, count), n, {options.b1, b2}, options, report))
            return found->value;
        done += count;
    }
    return std::nullopt;
}

} // namespace

Factors factors(const Number &n, const Options &options, sample::Report *report) {
    Factors result;
    Number rest = n;
    for (const std::uint32_t p : primes_up_to(100000)) {
        while (rest % p == 0u) {
            result.primes.push_back(Number(p));
            rest = rest / p;
        }
    }
    std::vector<Number> waiting{rest};
    while (!waiting.empty()) {
        const Number part = waiting.back();
        waiting.pop_back();
        if (part == 1u)
            continue;
        if (is_probable_prime(part)) {
            result.primes.push_back(part);
        } else if (const auto divisor = divisor_of(part, options, report)) {
            waiting.push_back(*divisor);
            waiting.push_back(part / *divisor);
        } else {
            result.left.push_back(part);
        }
    }
    std::sort(result.primes.begin(), result.primes.end());
    return result;
}

std::vector<Number> points(const Number &n, const Options &options) {
    const auto curves = make_curves(n, options.common.device);
    curves->start(sigmas(options.sigma, static_cast<std::size_t>(options.curves)));
    ShareProgress progress("points", options);
    curves->stage_1(options.b1, [&](double part) { progress.add(part); });
    return curves->points();
}

} // namespace ecm
