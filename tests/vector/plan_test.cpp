// SPDX-License-Identifier: Apache-2.0
// Plans: explain() says what runs, word for word; windows of powers.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;

namespace {

// explain() before it runs, and what ran; the row is found anew for another size.
template <class Tree>
Explanation explained(const Tree &tree) {
    const Explanation before = explain(tree);
    const std::uint64_t launches = launch_count();
    const auto result = eval(tree);
    CHECK(launch_count() == launches + before.before.size() + 1);
    const Explanation ran = execution::explanation_of(execution::last_run());
    CHECK(ran == before);
    CHECK(ran.to_string() == before.to_string());
    CHECK(ran.to_string().find(ran.reason) != std::string::npos);
    return ran;
}

} // namespace

TEST_CASE_TEMPLATE("explain says what runs", S, TEST_SPACES) {
    using Vector = typename S::template vector<BigInt<512>>;
    Vector a(100, BigInt<512>(3)), b(100, BigInt<512>(5));
    const BigInt<512> m = ~BigInt<512>(0) - 568;
    CHECK(explained(a + b).bytes_moved == 100 * (64 + 64 + 68));
    CHECK(explained(a * b % m).kind == execution::WorkKind::fold);
    CHECK(explained(isqrt(a)).kind == execution::WorkKind::root);
    CHECK(explained(is_square(a)).kind == execution::WorkKind::root);
    CHECK(explained(iroot(a, 3)).kind == execution::WorkKind::division);
    CHECK(explained(inverse(a, b)).kind == execution::WorkKind::cofactor);
    CHECK(explained(a / b).kind == execution::WorkKind::division);
    CHECK(explained(gcd(a, b)).kind == execution::WorkKind::number_theory);
    CHECK(explained(divmod(a, b)).bytes_moved == 100 * (4 * 64));
    CHECK(explained(indices(100) + a).bytes_moved == 100 * (64 + 68));
    CHECK(explained(popcount(a)).window == 0);
    // A vector that is named twice is read from memory once, and written anew.
    CHECK(explained(a + a).bytes_moved == 100 * (64 + 68));
    CHECK(explained(a * b + a).bytes_moved == 100 * (64 + 64 + 132));
    CHECK(explained(a ^ a.view()).bytes_moved == 100 * (64 + 64));
    CHECK(explained(a.view(0, 50) ^ a.view(50, 50)).bytes_moved == 50 * (3 * 64));
    CHECK(explained(gather(a, indices(100)) ^ a).bytes_moved == 100 * (3 * 64));
    // Few set bits need no table; a full exponent a window; exponents that differ another one.
    CHECK(explained(pow(a, 65537, m)).window == 1);
    CHECK(explained(pow(a, 3, b)).window == 1);
    CHECK(explained(pow(a, m, m)).window >= 4);
    CHECK(explained(pow(a, b, m)).window >= 4);
    // On a GPU three powers of this width are a step each.
    const Explanation powers = explained(pow(a, 65537, m) * pow(a, m, m) + pow(b, 3, m));
    CHECK(powers.before.size() == (a.location().on_gpu() ? 2 : 0));
    CHECK((powers.before.empty() ? powers : powers.before[1]).window >= 4);
    a.resize(70'000, BigInt<512>(3));
    b.resize(70'000, BigInt<512>(5));
    CHECK(explained(a * b).bytes_moved == 70'000 * (64 + 64 + 128));
    const bool gpu = S::space == Space::device && device_info().gpu;
    if (!gpu) {
        CHECK(explained(a * b).threads_per_block == static_cast<int>(device_info().cpu_threads));
        a.resize(1);
        CHECK(explained(a + 1u).threads_per_block == 1);
    }
}

TEST_CASE_TEMPLATE("vectors and views by themselves", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector a(test::some_numbers(100)), c(100);
    CHECK(explain(a).bytes_moved == 100 * (12 + 12));
    CHECK(explain(a).kind == execution::WorkKind::streaming);
    CHECK(explain(a.view(3, 10)).bytes_moved == 10 * (12 + 12));
    const std::uint64_t launches = launch_count();
    const Vector copy = eval(a);
    CHECK(launch_count() == launches + 1);
    CHECK(copy.to_host() == a.to_host());
    const Vector part = eval(std::as_const(a).view(3, 10));
    CHECK(part.size() == 10);
    CHECK(part[9] == a[12]);
    evaluate(a, c);
    CHECK(c.to_host() == a.to_host());
    c = a + 1u;
    evaluate(c, a.view());
    CHECK(a.to_host() == c.to_host());
    evaluate(part, c.view(90, 10));
    CHECK(c[99] == part[9]);
    CHECK_THROWS_AS(evaluate(part, c), size_mismatch);
    evaluate(c / 0u, a.view()); // marks are copied too
    CHECK(eval(a).error_mask() == std::vector<bool>(100, true));
    using Residues = typename S::template vector<Residue<96>>;
    const Residues x(Modulus<96>(97u), c);
    CHECK(explain(x).bytes_moved == 100 * 2 * sizeof(typename Residue<96>::Form));
    CHECK(eval(x).to_host() == x.to_host());
    const Residues none;
    CHECK(explain(none * none + 1).bytes_moved == 0);
    CHECK(eval(none * none + 1).empty());
}

TEST_CASE_TEMPLATE("explain with a target", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Vector a(100, Number(3));
    Vector c(100);
    typename S::template vector<BigInt<32>> narrow;
    CHECK(explain(a + a).bytes_moved == 100 * (12 + 16));
    CHECK(explain(a + a, c).bytes_moved == 100 * (12 + 12));
    CHECK(explain(a + a, narrow).bytes_moved == 100 * (12 + 4));
    CHECK(explain(a, narrow).bytes_moved == 100 * (12 + 4));
    CHECK(explain(a + a, c.view()).bytes_moved == 100 * (12 + 12));
    const batch_view<BigInt<64>, S::space, limb_major> rows(
        reinterpret_cast<std::uint32_t *>(c.data()), 100);
    CHECK(explain(a + a, rows).bytes_moved == 100 * (12 + 8));
    CHECK(explain(a, rows).bytes_moved == 100 * (12 + 8));
    CHECK(explain(rows, Vector(100)).bytes_moved == 100 * (8 + 12));
    CHECK_THROWS_AS(static_cast<void>(explain(rows, c)), wrong_location); // rows of its memory
    evaluate(a + a, c.view());
    CHECK(execution::explanation_of(execution::last_run()) == explain(a + a, c.view()));
    // What evaluate() or `=` would throw; a vector takes the formula's size.
    CHECK_THROWS_AS(static_cast<void>(explain(gather(c, indices(100)), c)), wrong_location);
    CHECK_NOTHROW(static_cast<void>(explain(gather(c, indices(99)), c)));
    CHECK(c.size() == 100);
    CHECK_THROWS_AS(static_cast<void>(explain(a + a, c.view(0, 99))), size_mismatch);
    CHECK_THROWS_AS(static_cast<void>(explain(c.view(0, 50) + 1u, c.view(1, 50))), wrong_location);
    CHECK_THROWS_AS(static_cast<void>(explain(c.view(0, 50) + 1u, rows)), size_mismatch);
    CHECK_NOTHROW(static_cast<void>(explain(c.view(0, 50) + 1u, c.view(0, 50))));
    evaluate(rows + 0u, rows); // in place
    CHECK(execution::explanation_of(execution::last_run()) == explain(rows + 0u, rows));
    // Indices run where their target lies.
    host_vector<std::uint64_t> counted(10);
    CHECK(explain(indices(10), counted).family == execution::KernelFamily::cpu_threads);
}

// Products side by side from 4 elements on, one by one below; formulas of vectors that are all as
// they should be run without further checks, and say the same.
TEST_CASE("short formulas of host vectors") {
    using Wide = BigInt<256>;
    for (const std::size_t n : {1u, 3u, 4u, 40u}) {
        host_vector<Wide> a(n, ~Wide(0));
        const host_vector<Wide> m(n, ~Wide(0) - 4u);
        host_vector<Wide> r(n);
        const std::string reason = explained(a * a % m).reason;
        if (n < 4)
            CHECK(reason == "the batch lies in host memory");
        r = a * a % m;
        CHECK(execution::explanation_of(execution::last_run()) == explain(a * a % m, r));
        CHECK(r.to_host() == std::vector<Wide>(n, Wide(16)));
        a = a + r; // in place
        CHECK(a.to_host() == std::vector<Wide>(n, Wide(15)));
        a[n - 1] = 0u;
        r = m / a;
        CHECK_THROWS_AS(r.check(), std::domain_error);
        r = r + a; // faults travel
        CHECK(r.error_mask()[n - 1]);
        r = a + a; // and end
        CHECK(r.to_host().back() == 0u);
        CHECK_THROWS_AS(r = r + host_vector<Wide>(n + 1), size_mismatch);
        r = host_vector<Wide>(n + 1) + 1u;
        CHECK(r.to_host() == std::vector<Wide>(n + 1, Wide(1)));
    }
}

namespace {

// What explain() says of a power of full width by exponents that differ, on a CPU.
template <int Bits>
int window_of_powers() {
    const host_vector<BigInt<Bits>> a(2, BigInt<Bits>(3)), e(2, ~BigInt<Bits>(0)),
        m(2, ~BigInt<Bits>(0));
    return explained(pow(a, e, m)).window;
}

} // namespace

// The engine for several numbers has windows of its own, which it takes where it does the powers.
TEST_CASE("windows of powers on a CPU") {
    const bool engine = execution::collective::has_engine();
    CHECK(window_of_powers<256>() == (engine ? 4 : 5));
    CHECK(window_of_powers<512>() == 5);
    CHECK(window_of_powers<1024>() == 6);
    CHECK(window_of_powers<2048>() == (engine ? 6 : 7));
    CHECK(window_of_powers<4096>() == (engine ? 6 : 7));

    // It does no single power, none below a let(), and of one base no fewer than four.
    using Wide = BigInt<2048>;
    const Wide odd = ~Wide(0);
    const Wide even = odd - 1u;
    for (const std::size_t count : {1u, 2u, 4u, 40u}) {
        const host_vector<Wide> a(count, Wide(3)), e(count, ~Wide(0));
        const bool together = engine && count >= 2;
        CHECK(explain(pow(a, e, odd)).window == (together ? 6 : 7));
        CHECK(explain(pow(a, e, even)).window == (together ? 6 : 7));
        CHECK(explain(let(a + 1u, [&](auto x) { return pow(e, a, odd) + x; })).window == 7);
        CHECK(explain(pow(Wide(3), e, odd)).window == (engine && count >= 4 ? 6 : 8));
        CHECK(explain(pow(Wide(3), e, even)).window == (engine && count >= 4 ? 6 : 8));
        CHECK(explain(pow(a, odd, odd)).window == 7);
        CHECK(explain(pow(a, 65537, odd)).window == 1);
    }
}

TEST_CASE("last_run before anything ran") {
    // Of a thread of its own: elsewhere something has run.
    std::string text = "none";
    std::thread([&] { text = execution::explanation_of(execution::last_run()).reason; }).join();
    CHECK(text.empty());
}
