// SPDX-License-Identifier: Apache-2.0
#include "problems.h"

#include <optional>
#include <random>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <warpint/number_theory.h>
#include <warpint/random.h>

#include "error.h"
#include "files.h"

namespace pollard {
namespace {

using sample::Error;

// The point with the least x >= from.
template <int Bits>
Point<Bits> point_from(const Curve<Bits> &curve, BigInt<Bits> from) {
    for (;; ++from) {
        const auto y =
            sqrt_mod(((from * from + curve.a) * from + curve.b) % curve.p, curve.p.value());
        if (y)
            return {from, *y, false};
    }
}

// The only m in Hasse's interval around p + 1 with m q = O, or none if there are several.
// Baby steps and giant steps (H. Cohen: A Course in Computational Algebraic Number Theory,
// algorithm 7.4.12, for one point).
std::optional<BigInt<64>> order_in_interval(const Curve<64> &curve, const Point<64> &q) {
    const BigInt<64> p = curve.p.value();
    const auto radius = static_cast<std::uint64_t>(isqrt(p << 2)) + 1;
    const std::uint64_t babies = static_cast<std::uint64_t>(isqrt(BigInt<64>(radius))) + 1;
    std::unordered_map<std::uint64_t, std::pair<std::uint64_t, BigInt<64>>> baby; // by x: i and y
    Point<64> r = q;
    for (std::uint64_t i = 1; i <= babies; ++i) {
        if (r.infinite)
            return std::nullopt;
        baby.emplace(static_cast<std::uint64_t>(r.x), std::pair(i, r.y));
        r = curve.sum(r, q);
    }
    const std::uint64_t stride = 2 * babies + 1;
    const Point<64> giant = curve.multiple(BigInt<64>(stride), q);
    BigInt<64> m = p + 1 - radius;
    r = curve.multiple(m, q);
    std::optional<BigInt<64>> found;
    int count = 0;
    for (std::uint64_t at = 0; at <= 2 * radius + stride; at += stride, m += stride) {
        std::optional<BigInt<64>> here;
        if (r.infinite)
            here = m;
        else if (const auto same = baby.find(static_cast<std::uint64_t>(r.x)); same != baby.end())
            here = r.y == same->second.second ? m - same->second.first : m + same->second.first;
        if (here && *here + radius > p && *here <= p + 1 + radius) {
            found = here;
            ++count;
        }
        r = curve.sum(r, giant);
    }
    return count == 1 ? found : std::nullopt;
}

template <int Bits>
void choose_points(Problem &problem) {
    const Curve<Bits> curve(problem);
    const auto p = point_from(curve, BigInt<Bits>(1));
    const auto q = point_from(curve, BigInt<Bits>(curve.p.value() >> 1));
    problem.px = p.x, problem.py = p.y, problem.qx = q.x, problem.qy = q.y;
}

void check(const Problem &problem) {
    const auto require = [](bool holds, const char *what) {
        if (!holds)
            throw Error(what);
    };
    require(bit_width(problem.p) >= 20, "the field has fewer than 20 bits");
    require(is_probable_prime(problem.p), "p is not prime");
    require(is_probable_prime(problem.n), "the order is not prime");
    require(problem.a < problem.p && problem.b < problem.p, "a or b is not below p");
    const Wide distance = problem.n > problem.p ? problem.n - problem.p : problem.p - problem.n;
    require(distance <= isqrt(BigInt<max_bits + 2>(problem.p) << 2) + 1,
            "the order is impossible for a curve over this field");
    const Curve<max_bits> curve(problem);
    for (const auto &[x, y] :
         {std::pair(problem.px, problem.py), std::pair(problem.qx, problem.qy)}) {
        const Point<max_bits> point{x, y, false};
        require(x < problem.p && y < problem.p && curve.contains(point),
                "a point is not on the curve");
        require(curve.multiple(problem.n, point).infinite, "the order is not that of the points");
    }
}

} // namespace

Problem find_problem(const std::string &file, const std::string &name) {
    const std::string source = file.empty() ? "curves.txt of this sample" : file;
    std::istringstream text(file.empty() ? own_curves : sample::read_text(file, 1 << 20));
    std::string names;
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        Problem problem;
        if (!(words >> problem.name))
            continue;
        names += (names.empty() ? "" : ", ") + problem.name;
        if (problem.name != name)
            continue;
        try {
            std::vector<std::string> numbers;
            for (std::string word; words >> word;)
                numbers.push_back(word);
            if (numbers.size() != 4 && numbers.size() != 8)
                throw Error("a line must hold a name and four or eight numbers");
            Wide *const places[] = {&problem.p,  &problem.a,  &problem.b,  &problem.n,
                                    &problem.px, &problem.py, &problem.qx, &problem.qy};
            for (std::size_t i = 0; i != numbers.size(); ++i)
                *places[i] = Wide::parse(numbers[i], 16);
            if (numbers.size() == 4)
                choose_points<max_bits>(problem);
            check(problem);
        } catch (const std::exception &error) {
            throw Error(source + ": " + name + ": " + error.what());
        }
        return problem;
    }
    throw Error(source + " has no curve " + name + (names.empty() ? "" : ", but " + names));
}

std::string to_line(const Problem &problem) {
    std::string line = problem.name;
    for (const Wide &number : {problem.p, problem.a, problem.b, problem.n, problem.px, problem.py,
                               problem.qx, problem.qy})
        line += " " + to_string(number, 16);
    return line;
}

Problem make_problem(int bits, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Problem problem;
    problem.name = "random" + std::to_string(bits);
    const BigInt<64> low = BigInt<64>(1) << (bits - 1);
    const BigInt<64> p = next_prime(low + warpint::random_below(low - (low >> 8), random));
    for (;;) {
        problem.p = p;
        problem.a = warpint::random_below(p, random);
        problem.b = warpint::random_below(p, random);
        problem.n = p; // not known yet
        const Curve<64> curve(problem);
        const BigInt<64> a(problem.a), b(problem.b);
        if ((a * a % p * a * 4u + b * b * 27u) % p == 0)
            continue; // singular
        // A prime m with m q = O is q's order, and so long that the group has no other points.
        const auto q = point_from(curve, BigInt<64>(1));
        const auto order = order_in_interval(curve, q);
        if (order && is_probable_prime(*order) && *order != p) {
            problem.n = *order;
            choose_points<64>(problem);
            return problem;
        }
    }
}

} // namespace pollard
