// SPDX-License-Identifier: Apache-2.0
// Over how many lanes a formula runs, by width, operation and batch, as far as it can be seen
// without a GPU; and that the lanes of a number which do not call together are caught.
#include <warpint/execution/evaluation/over_lanes.h>
#include <warpint/execution/plan/tuning/choose.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#if defined(__unix__)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace warpint;

namespace lanes_plan {

using execution::any_count;
using execution::KernelFamily;
using execution::WorkKind;

constexpr TuningRow row_of(WorkKind kind, int bits, int exponent = 0,
                           std::size_t count = any_count) {
    execution::Cost cost;
    cost.work = kind;
    cost.bits = bits;
    cost.exponent_bits = exponent;
    cost.over_lanes = true;
    return execution::tuning::Known::row(90, cost, count);
}
constexpr int lanes_of(WorkKind kind, int bits, int exponent = 0, std::size_t count = any_count) {
    const TuningRow row = row_of(kind, bits, exponent, count);
    return row.family == KernelFamily::lanes_per_number ? row.lanes : 0; // 0: a thread
}

// 16 or 32 limbs a lane in large batches; the widths between powers of two beside them.
static_assert(lanes_of(WorkKind::power, 512, 512) == 0);
static_assert(lanes_of(WorkKind::power, 1024, 1024) == 1);
static_assert(lanes_of(WorkKind::power, 1056, 1056) == 1);
static_assert(lanes_of(WorkKind::power, 1536, 1536) == 2);
static_assert(lanes_of(WorkKind::power, 2048, 2048) == 2);
static_assert(lanes_of(WorkKind::power, 2100, 2100) == 2);
static_assert(lanes_of(WorkKind::power, 1100, 1100) == 2);
static_assert(lanes_of(WorkKind::power, 2560, 2560) == 4);
static_assert(lanes_of(WorkKind::power, 3072, 3072) == 4);
static_assert(lanes_of(WorkKind::power, 4096, 4096) == 4);
static_assert(lanes_of(WorkKind::power, 8192, 8192) == 8);
static_assert(lanes_of(WorkKind::power, 32768, 32768) == 32);
// More lanes for small batches of powers.
static_assert(lanes_of(WorkKind::power, 1024, 1024, 20000) == 4);
static_assert(lanes_of(WorkKind::power, 1024, 1024, 1000) == 4);
static_assert(lanes_of(WorkKind::power, 2048, 2048, 1000) == 8);
static_assert(lanes_of(WorkKind::power, 2048, 2048, 27999) == 8);
static_assert(lanes_of(WorkKind::power, 2048, 2048, 28000) == 2);
static_assert(lanes_of(WorkKind::power, 1100, 1100, 10999) == 4);
static_assert(lanes_of(WorkKind::power, 2100, 2100, 20000) == 8);
static_assert(lanes_of(WorkKind::power, 3072, 3072, 3000) == 16);
static_assert(lanes_of(WorkKind::power, 4096, 4096, 1) == 16);
static_assert(lanes_of(WorkKind::power, 8192, 8192, 1499) == 32);
// Short exponents stay in a thread while that pays.
static_assert(lanes_of(WorkKind::power, 1024, 17) == 0);
static_assert(lanes_of(WorkKind::power, 2048, 17) == 2);
static_assert(lanes_of(WorkKind::product, 1024) == 0 && lanes_of(WorkKind::product, 2048) == 4);
static_assert(lanes_of(WorkKind::division, 4096) == 8);
// No thread holds a number of more than 32 limbs.
static_assert(lanes_of(WorkKind::product, 1056) == 4 && lanes_of(WorkKind::division, 1056) == 4);
// Few lanes just above a power of two; products modulo a number have rows of their own.
static_assert(lanes_of(WorkKind::product, 3072) == 4 && lanes_of(WorkKind::division, 2560) == 4);
static_assert(lanes_of(WorkKind::product, 5120) == 8 && lanes_of(WorkKind::division, 6144) == 8);
static_assert(row_of(WorkKind::fold, 1280).lanes == 2);
static_assert(row_of(WorkKind::fold, 2560).lanes == 4);
static_assert(row_of(WorkKind::fold, 2048).min_blocks <
              row_of(WorkKind::division, 2048, 0).min_blocks);
static_assert(lanes_of(WorkKind::number_theory, 1536) == 0);
static_assert(lanes_of(WorkKind::number_theory, 4096) == 4);
// Square roots take fewer lanes than divisions.
static_assert(row_of(WorkKind::root, 128).family == KernelFamily::thread_per_number);
static_assert(row_of(WorkKind::root, 256).lanes == 1);
static_assert(row_of(WorkKind::root, 1024).lanes == 1);
static_assert(row_of(WorkKind::root, 1056).lanes == 2);
static_assert(row_of(WorkKind::root, 1152).lanes == 1);
static_assert(row_of(WorkKind::root, 4096).lanes == 4);
static_assert(row_of(WorkKind::root, 8192).lanes == 8);
static_assert(row_of(WorkKind::power, 4096, 4096).lanes == 4);
// Cofactors take more registers than numbers alone.
static_assert(row_of(WorkKind::number_theory, 4096).min_blocks == 3);
static_assert(row_of(WorkKind::cofactor, 4096).min_blocks == 2);
static_assert(row_of(WorkKind::cofactor, 1216).family == KernelFamily::thread_per_number);
static_assert(row_of(WorkKind::cofactor, 1280).lanes == 2);
// Four limbs a lane or more, so that warps read whole lines.
static_assert(lanes_of(WorkKind::streaming, 1152) == 0);
static_assert(lanes_of(WorkKind::streaming, 2049) == 16);
static_assert(lanes_of(WorkKind::streaming, 4096) == 32);

template <class Tree>
constexpr execution::Cost cost = execution::gpu_cost<expression::lowered_t<Tree>>;

using Vector = host_vector<BigInt<2048>>;
const Vector &v();
const host_vector<BigInt<4096>> &w();
struct Twice {
    template <class T>
    auto operator()(const T &x) const {
        return x + x;
    }
};

// Mixed formulas stay in the family, with the width of their heaviest operation.
static_assert(cost<decltype(pow(v(), v(), v()) * v() + v())>.over_lanes);
static_assert(cost<decltype(pow(v(), v(), v()) * v() + v())>.bits == 2048);
static_assert(cost<decltype(divmod(w(), v()))>.bits == 2048);
static_assert(cost<decltype(gcd(v(), v()))>.bits == 2048);
static_assert(cost<decltype(isqrt(w()))>.over_lanes);
static_assert(cost<decltype(isqrt(w()) + v() % v())>.work == WorkKind::root);
static_assert(cost<decltype(is_square(w()))>.over_lanes);
static_assert(cost<decltype(iroot(w(), 3))>.over_lanes);
static_assert(cost<decltype(iroot(w(), v()))>.bits == 4096);
static_assert(cost<decltype(v() % v())>.work == WorkKind::division);
static_assert(cost<decltype(map(over_lanes(Twice{}), v()))>.over_lanes);
// A function that does not say that it takes numbers over lanes gets plain ones.
static_assert(!cost<decltype(map(Twice{}, v()))>.over_lanes);

} // namespace lanes_plan

using namespace lanes_plan;

TEST_CASE("tuning rows over lanes are possible ones, and some row applies to every width") {
    const auto table = execution::tuning::Sm90::rows();
    for (const TuningRow &row : table.rows) {
        INFO(row.max_bits);
        CHECK((row.lanes >= 1 && row.lanes <= 32 && (row.lanes & (row.lanes - 1)) == 0));
        CHECK(row.threads_per_block % 32 == 0);
        CHECK(row.threads_per_block * row.min_blocks <= 2048);
        if (row.max_bits == execution::any_width)
            CHECK(row.min_count == 0);
    }
    for (WorkKind kind : {WorkKind::streaming, WorkKind::product, WorkKind::division,
                          WorkKind::number_theory, WorkKind::power}) {
        for (int bits = 64; bits <= 65536; bits += 64) {
            const TuningRow large = row_of(kind, bits, bits);
            const TuningRow small = row_of(kind, bits, bits, 1);
            CHECK(small.lanes >= large.lanes);
            CHECK(small.family == large.family);
        }
    }
}

#if defined(__unix__)
TEST_CASE("half of the lanes of a number are caught by an assertion") {
    using W = WarpInt<256, 8>;
    BigInt<256> x(5);
    const auto dies = [&](std::uint64_t absent) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            std::signal(SIGABRT, SIG_DFL);
            static_cast<void>(close(2)); // the message
            lanes::absent_lanes() = absent;
            const W number(&x);
            number.store(&x);
            _exit(0);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        return WIFSIGNALED(status);
    };
    CHECK(!dies(0));
    CHECK(dies(0xf0));
    CHECK(dies(1));
    CHECK(!dies(0x100)); // another number's
}
#endif
