// SPDX-License-Identifier: Apache-2.0
// One side of crossing.h, and the program: it links both and runs without a GPU too.
#define SIDE cpp_side
#include "side.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace {

using namespace crossing;
using warpint::Modulus;

int failures = 0;

void expect(bool condition, int line) {
    if (condition)
        return;
    std::printf("%s:%d: not so\n", __FILE__, line);
    ++failures;
}
#define EXPECT(condition) expect(condition, __LINE__)

void vectors_cross() {
    Vector theirs = cuda_side::squares(100);
    EXPECT(theirs.size() == 100);
    EXPECT(theirs[99] == 99u * 99u);
    EXPECT(cuda_side::total(theirs) == 328350u);
    EXPECT(cpp_side::total(theirs) == 328350u);
    Vector ours = cpp_side::squares(100);
    EXPECT(cuda_side::total(ours) == 328350u);
    cuda_side::grow(ours, 200); // memory from here, grown there
    cpp_side::grow(theirs, 200);
    EXPECT(ours.size() == 201 && theirs.size() == 201);
    EXPECT(ours[150] == 7u && theirs[200] == 8u);
    ours = std::move(theirs);
    EXPECT(theirs.empty() && ours[99] == 9801u);
    cuda_side::fill(ours.view(0, 50), Number(3));
    EXPECT(ours[49] == 3u && ours[50] == 2500u);
    EXPECT(cuda_side::same_resource(warpint::host_resource()));
}

void formulas_cross() {
    const Modulus<96> m(Number(1000003));
    const auto theirs = [&] {
        const Vector a = cpp_side::squares(50), b = cuda_side::squares(50);
        return cuda_side::formula(a, b, m); // shares vectors of both sides
    }();
    const std::uint64_t before = cpp_side::launches();
    const Vector here = cpp_side::run(theirs), there = cuda_side::run(theirs);
    EXPECT(cpp_side::launches() == before + 2);
    EXPECT(cuda_side::launches() == before + 2);
    EXPECT(here.to_host() == there.to_host());
    EXPECT(here[49] == (Number(2401) * 2401u + 1u) % Number(1000003));
    EXPECT(cuda_side::explained(theirs) == cpp_side::explained(theirs));
    const Vector zeros(50);
    const Vector none = cuda_side::quotients(here, zeros);
    bool thrown = false;
    try {
        none.check();
    } catch (const std::domain_error &) {
        thrown = true;
    }
    EXPECT(thrown);
    EXPECT(cuda_side::quotients(none, here).error_mask()[7]);
}

void exceptions_cross() {
    bool caught = false;
    try {
        cuda_side::throw_size_mismatch();
    } catch (const warpint::size_mismatch &) {
        caught = true;
    }
    EXPECT(caught);
}

} // namespace

int main(int argc, char **argv) {
    const std::string_view fault = argc > 1 ? argv[1] : "";
    if (fault == "no_gpu" || fault == "old_driver") {
        const char *const wrong = wrong_without_gpu(fault == "old_driver");
        std::printf("%s%s\n",
                    wrong == nullptr ? "all right" : "not so: ", wrong == nullptr ? "" : wrong);
        return wrong == nullptr ? 0 : 1;
    }
    vectors_cross();
    formulas_cross();
    exceptions_cross();
    EXPECT(cpp_side::run_device_formula() == 14);
    EXPECT(cuda_side::run_device_formula() == 14);
    std::printf(failures == 0 ? "all right\n" : "%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
