// SPDX-License-Identifier: Apache-2.0
// Choosing rows and fitting them to kernels, which needs no GPU: pretended GPUs of every
// architecture, a pretended second table, and the costs of real formulas.
#include <doctest/doctest.h>
#include <warpint/execution/evaluation/over_lanes.h>
#include <warpint/execution/plan/fit.h>
#include <warpint/vector.h>

#include <string>
#include <utility>

using namespace warpint;
using namespace warpint::execution;
using tuning::Known;
using tuning::Slot;

namespace {

constexpr int capabilities[] = {75, 80, 86, 89, 90, 100, 120};
constexpr WorkKind kinds[] = {WorkKind::streaming, WorkKind::product, WorkKind::division,
                              WorkKind::fold,      WorkKind::root,    WorkKind::number_theory,
                              WorkKind::cofactor,  WorkKind::power};

constexpr Cost cost_of_work(WorkKind kind, int bits, bool over_lanes = true) {
    Cost cost;
    cost.work = kind;
    cost.bits = cost.widest_bits = bits;
    cost.exponent_bits = kind == WorkKind::power ? bits : 0;
    cost.over_lanes = over_lanes;
    return cost;
}

constexpr bool is_same_choice(const TuningRow &a, const TuningRow &b) {
    return a.family == b.family && a.lanes == b.lanes &&
           a.threads_per_block == b.threads_per_block && a.min_blocks == b.min_blocks &&
           a.loading == b.loading && a.max_bits == b.max_bits && a.min_count == b.min_count;
}

// A table as another GPU's may be: twice the threads in threads, half the lanes over lanes, and
// small batches of products over 16 of them.
template <int Capability>
struct Pretended {
    static constexpr int capability = Capability;
    static constexpr const char *device = "a pretended GPU";
    struct Rows {
        TuningRow rows[10];
    };
    static constexpr Rows rows() {
        Rows table{};
        int next = 0;
        for (const WorkKind kind : {WorkKind::power, WorkKind::number_theory, WorkKind::division,
                                    WorkKind::product, WorkKind::streaming}) {
            TuningRow &wide = table.rows[next++];
            wide.kind = kind;
            wide.family = KernelFamily::lanes_per_number;
            wide.lanes = 8;
            wide.min_bits = 5000;
            wide.min_count = kind == WorkKind::product ? 77 : 0;
            TuningRow &other = table.rows[next++];
            other.kind = kind;
            other.threads_per_block = 256;
            other.lanes = 1;
            if (kind == WorkKind::product) {
                other = wide;
                other.lanes = 16;
                other.min_count = 0;
            }
        }
        return table;
    }
    static constexpr int staged_fold_blocks(const Cost &) { return 1; }
    static constexpr int elements_of_thread(const Cost &) { return 4; }
    static constexpr int elements_together(const Cost &) { return 3; }
};

// As the guide's page on performance shows it.
struct Changed : tuning::Sm90 {
    static constexpr const char *device = "our own GPU, last week";
    WARPINT_HOST_DEVICE static constexpr Rows rows() {
        Rows table = Sm90::rows();
        for (TuningRow &row : table.rows) {
            if (row.kind == WorkKind::power && row.max_bits <= 512)
                row.threads_per_block = 64;
        }
        return table;
    }
};

} // namespace

// All of it is known when kernels are compiled.
static_assert(Known::choose(cost_of_work(WorkKind::power, 2048), 100'000, 90).row.lanes == 2);
static_assert(Known::choose(cost_of_work(WorkKind::power, 2048), 1000, 90).slot == Slot::small);
static_assert(Known::architecture(75) == 90 && Known::architecture(120) == 90);

TEST_CASE("GPUs that were not measured take the rows of the nearest that was, and say so") {
    for (const WorkKind kind : kinds) {
        for (const int bits : {32, 256, 1024, 2048, 4096, 32768}) {
            for (const bool over_lanes : {false, true}) {
                for (const std::size_t count : {std::size_t{1}, std::size_t{5000}, any_count}) {
                    const Cost cost = cost_of_work(kind, bits, over_lanes);
                    const auto measured = Known::choose(cost, count, 90);
                    CHECK(measured.is_measured);
                    CHECK(std::string(measured.row.measured) == "an H200");
                    for (const int capability : capabilities) {
                        const auto choice = Known::choose(cost, count, capability);
                        CHECK(is_same_choice(choice.row, measured.row));
                        CHECK(choice.slot == measured.slot);
                        CHECK(choice.architecture == 90);
                        CHECK(choice.is_measured == (capability == 90));
                        const Plan plan = fit(choice, cost, 1000, true, {capability, 128, 0, 1024});
                        const bool says = reason_of(plan).find("not measured here") == 0;
                        CHECK(says == (capability != 90));
                    }
                    // Code for another architecture than the GPU's.
                    CHECK(!Known::choose(cost, count, tuning::Gpu{90, 80}).is_measured);
                    CHECK(!Known::choose(cost, count, tuning::Gpu{100, 90}).is_measured);
                }
            }
        }
    }
}

TEST_CASE("a second table is taken by its GPUs and those above") {
    const Cost narrow = cost_of_work(WorkKind::division, 512);
    const Cost wide = cost_of_work(WorkKind::product, 6000);
    using Newer = tuning::Tables<tuning::Sm90, Pretended<100>>;
    for (const int capability : capabilities) {
        const bool pretended = capability >= 100;
        INFO(capability);
        CHECK(Newer::architecture(capability) == (pretended ? 100 : 90));
        const auto choice = Newer::choose(narrow, 10, capability);
        CHECK(choice.row.threads_per_block == (pretended ? 256 : 128));
        CHECK(choice.is_measured == (capability == 90 || capability == 100));
        CHECK(Newer::choose(wide, any_count, capability).row.lanes == (pretended ? 8 : 16));
        CHECK(Newer::elements_of_thread(capability, narrow) == (pretended ? 4 : 1));
        CHECK(Newer::elements_together(capability, narrow) == (pretended ? 3 : 1));
        // The library's rows go by what the code was compiled for.
        CHECK(Newer::choose(narrow, 10, tuning::Gpu{120, capability}).row.threads_per_block ==
              (pretended ? 256 : 128));
    }
    using Older = tuning::Tables<Pretended<80>, tuning::Sm90>;
    for (const int capability : capabilities) {
        CHECK(Older::architecture(capability) == (capability < 90 ? 80 : 90));
        CHECK(Older::choose(narrow, 10, capability).row.threads_per_block ==
              (capability < 90 ? 256 : 128));
        CHECK(Older::choose(narrow, 10, capability).is_measured ==
              (capability == 80 || capability == 90));
    }
    // Tables may differ in the family of kernels, too.
    const Cost power = cost_of_work(WorkKind::power, 2048);
    for (const std::size_t count : {std::size_t{1}, any_count}) {
        CHECK(Newer::choose(power, count, 90).row.family == KernelFamily::lanes_per_number);
        CHECK(Newer::choose(power, count, 100).row.family == KernelFamily::thread_per_number);
        CHECK(Newer::choose(power, count, tuning::Gpu{100, 90}).row.lanes > 1);
    }
    // A kernel for small batches is compiled everywhere if any table has one; a table without one
    // has the same row in both slots, and takes the first.
    CHECK(!Known::has_small(wide));
    CHECK(Newer::has_small(wide));
    CHECK(Newer::choose(wide, 76, 100).slot == Slot::small);
    CHECK(Newer::choose(wide, 76, 100).row.lanes == 16);
    CHECK(Newer::choose(wide, 77, 100).slot == Slot::large);
    CHECK(Newer::choose(wide, 1, 90).slot == Slot::large);
}

TEST_CASE("a table may change some rows of another") {
    using Own = tuning::Tables<Changed>;
    for (const int bits : {256, 512, 640}) {
        for (const WorkKind kind : kinds) {
            const Cost cost = cost_of_work(kind, bits);
            const TuningRow row = Own::row(90, cost, Slot::large);
            CHECK(std::string(row.measured) == "our own GPU, last week");
            CHECK(row.threads_per_block ==
                  (kind == WorkKind::power && bits <= 512
                       ? 64
                       : Known::row(90, cost, Slot::large).threads_per_block));
        }
    }
}

TEST_CASE("every cost has a row, lanes only where there is a form over lanes") {
    for (const WorkKind kind : kinds) {
        for (int bits = 1; bits < 70'000; bits += 1 + bits / 8) {
            const Cost in_thread = cost_of_work(kind, bits, false);
            const Cost any = cost_of_work(kind, bits);
            for (const Slot slot : {Slot::large, Slot::small}) {
                const TuningRow thread = Known::row(90, in_thread, slot);
                const TuningRow row = Known::row(90, any, slot);
                CHECK(thread.family == KernelFamily::thread_per_number);
                CHECK(std::string(thread.measured) == "an H200"); // of a table, not the default
                CHECK(std::string(row.measured) == "an H200");
                CHECK(covers(row.kind, kind));
                CHECK((row.lanes & (row.lanes - 1)) == 0);
                CHECK(row.threads_per_block % 32 == 0);
                CHECK(row.threads_per_block * row.min_blocks <= 2048);
            }
        }
    }
    // Products modulo a number whose operands are staged: as many blocks as their registers allow.
    Cost fold = cost_of_work(WorkKind::fold, 512);
    CHECK(Known::row(90, fold, Slot::large).min_blocks == 1);
    fold.fold_operands = 3;
    CHECK(Known::row(90, fold, Slot::large).min_blocks == 5);
    fold.fold_operands = 5;
    CHECK(Known::row(90, fold, Slot::large).min_blocks == 4);
}

TEST_CASE("rows of divisions cover products modulo a number and roots, those of theory cofactors") {
    for (const WorkKind kind : kinds) {
        const bool is_division =
            kind == WorkKind::division || kind == WorkKind::fold || kind == WorkKind::root;
        const bool is_theory = kind == WorkKind::number_theory || kind == WorkKind::cofactor;
        CHECK(covers(WorkKind::division, kind) == is_division);
        CHECK(covers(WorkKind::number_theory, kind) == is_theory);
        CHECK(covers(WorkKind::fold, kind) == (kind == WorkKind::fold));
    }
    using Newer = tuning::Tables<Pretended<100>>; // has no rows of them
    CHECK(Newer::choose(cost_of_work(WorkKind::root, 128), 1, 100).row.kind == WorkKind::division);
    CHECK(Newer::choose(cost_of_work(WorkKind::cofactor, 128), 1, 100).row.kind ==
          WorkKind::number_theory);
}

TEST_CASE("reductions take the loading of a row") {
    Cost sum = cost_of_work(WorkKind::streaming, 512, false);
    sum.transposed_bytes = 64;
    ReductionKernel kernel{{90, 40, 8, 128}, 128, 1, 4, 100};
    const auto plan = [&](bool aligned = true) {
        return fit_reduction(Known::choose(sum, 1000, 90, true), sum, 1000, aligned, kernel);
    };
    const Plan usual = plan();
    CHECK(usual.loading == Loading::through_shared);
    CHECK(usual.shared_bytes == 4 * 32 * 64);
    CHECK(usual.threads_per_block == 128); // the kernel's, not the row's
    CHECK(usual.blocks == 2);              // of 4 * 128 elements
    CHECK(usual.registers == 40);
    CHECK(usual.local_bytes == 8);
    CHECK(usual.family == KernelFamily::thread_per_number);
    CHECK(reason_of(usual) == "the blocks of reductions, loading as the row of compute capability "
                              "9.0 (an H200) for streaming, up to 1152 bits");
    CHECK(plan(false).loading == Loading::direct);
    CHECK(plan(false).shared_bytes == 0);
    CHECK(reason_of(plan(false)) ==
          reason_of(usual) + "; but its numbers are not transposed: too narrow, too wide, "
                             "unaligned or over lanes");
    // It has no kernel of its own for small batches.
    const Cost power = cost_of_work(WorkKind::power, 2048);
    CHECK(Known::choose(power, 1, 90).slot == Slot::small);
    CHECK(Known::choose(power, 1, 90, true).slot == Slot::large);

    // What is counted over lanes is read so; blocks have no more shared memory than there is.
    kernel.lanes = 16;
    CHECK(plan().loading == Loading::direct);
    CHECK(plan().lanes_per_number == 16);
    CHECK(plan().family == KernelFamily::lanes_per_number);
    kernel.lanes = 1;
    CHECK(fit_reduction(Known::choose(sum, 1000, 90, true), sum, 1024, true, kernel).blocks == 2);
    kernel.shared_bytes = 48 * 1024 - 4 * 32 * 64;
    CHECK(plan().loading == Loading::through_shared);
    ++kernel.shared_bytes;
    CHECK(plan().loading == Loading::direct);
}

TEST_CASE("a choice is fitted to the kernel and to the memory") {
    const KernelFacts kernel{90, 100, 8, 128};
    Cost cost = cost_of_work(WorkKind::product, 1024, false);
    cost.transposed_bytes = 128;
    const auto choice = Known::choose(cost, 1000, 90);
    Plan plan = fit(choice, cost, 1000, true, kernel);
    CHECK(plan.loading == Loading::through_shared);
    CHECK(plan.shared_bytes == 4 * 32 * 128);
    CHECK(plan.threads_per_block == 128);
    CHECK(plan.blocks == 8);
    CHECK(plan.registers == 100);
    CHECK(plan.local_bytes == 8);
    plan = fit(choice, cost, 1000, false, kernel); // elements that do not lie on 16 bytes
    CHECK(plan.loading == Loading::direct);
    CHECK(plan.shared_bytes == 0);
    cost.transposed_bytes = 1024; // more than a block has
    CHECK(fit(choice, cost, 1000, true, kernel).loading == Loading::direct);
    cost.transposed_bytes = default_shared_bytes / (4 * 32); // all that it has
    CHECK(fit(choice, cost, 1000, true, kernel).shared_bytes == default_shared_bytes);
    plan = fit(choice, cost, 1000, true, {90, 255, 0, 100}); // a kernel for fewer threads
    CHECK(plan.threads_per_block == 96);
    CHECK(plan.blocks == 11);
    // All operands at once: fewer threads until they fit, whatever the alignment.
    cost.staged_bytes = 20'000;
    plan = fit(choice, cost, 1000, false, kernel);
    CHECK(plan.threads_per_block == 64);
    CHECK(plan.shared_bytes == 40'000);
    CHECK(plan.loading == Loading::through_shared);
    cost.staged_bytes = default_shared_bytes / 4;
    CHECK(fit(choice, cost, 1000, false, kernel).threads_per_block == 128);
    cost.staged_bytes = default_shared_bytes + 1; // a warp is the least
    CHECK(fit(choice, cost, 1000, false, kernel).threads_per_block == 32);
    // Two elements of a thread; several lanes of a number.
    Cost stream = cost_of_work(WorkKind::streaming, 64);
    stream.bytes_moved = 16;
    CHECK(fit(Known::choose(stream, 1000, 90), stream, 1000, true, kernel).blocks == 4);
    const Cost wide = cost_of_work(WorkKind::product, 4096);
    plan = fit(Known::choose(wide, 1000, 90), wide, 1000, true, kernel);
    CHECK(plan.lanes_per_number == 8);
    CHECK(plan.blocks == 125);
    CHECK(plan.shared_bytes == 0);
}

// ---- the costs of formulas

namespace {

template <int Bits>
const host_vector<BigInt<Bits>> &v();
#define COST(T, ...) (gpu_cost<expression::lowered_t<decltype(__VA_ARGS__)>, T>)
using N = BigInt<512>;

constexpr Cost sum = COST(N, v<512>() + v<512>());
static_assert(sum.work == WorkKind::streaming && sum.bits == 513 && sum.bytes_moved == 3 * 64);
static_assert(sum.over_lanes && sum.transposed_bytes == 64 && sum.staged_bytes == 0);
constexpr Cost product = COST(BigInt<1024>, v<512>() * v<512>());
static_assert(product.work == WorkKind::product && product.bits == 512);
static_assert(product.widest_bits == 1024 && product.staged_bytes == 2 * 32 * 64);
constexpr Cost fold = COST(N, v<512>() * v<512>() % v<512>());
static_assert(fold.work == WorkKind::fold && fold.bits == 512 && fold.fold_operands == 3);
static_assert(!fold.shares_modulus && fold.can_fault && fold.staged_bytes == 3 * 32 * 64);
constexpr Cost shared =
    COST(N, (v<512>() * v<512>() - v<512>()) % std::declval<const Modulus<512> &>());
static_assert(shared.fold_operands == 4 && shared.shares_modulus && shared.subtracts);
// Narrow numbers are read by their threads; wide ones do not fold in registers.
static_assert(COST(BigInt<256>, v<256>() * v<256>() % v<256>()).fold_operands == 0);
static_assert(COST(BigInt<256>, v<256>() * v<256>() % v<256>()).transposed_bytes == 0);
static_assert(COST(BigInt<96>, v<96>() + v<96>()).transposed_bytes == 12);
static_assert(COST(BigInt<2048>, v<2048>() * v<2048>() % v<2048>()).fold_operands == 0);
constexpr Cost quotient = COST(BigInt<4096>, v<4096>() / v<1024>());
static_assert(quotient.work == WorkKind::division && quotient.bits == 2048);
constexpr Cost root = COST(N, isqrt(v<1024>()));
static_assert(root.work == WorkKind::root && root.bits == 1024);
constexpr Cost common = COST(N, gcd(v<512>(), v<256>()));
static_assert(common.work == WorkKind::number_theory && common.bits == 512);
constexpr Cost inverted = COST(N, inverse(v<512>(), v<512>()) * v<512>());
static_assert(inverted.work == WorkKind::cofactor && inverted.bits == 512);
static_assert(inverted.widest_bits == 1024);
constexpr Cost power = COST(N, pow(v<512>(), v<1024>(), v<512>()) + v<64>());
static_assert(power.work == WorkKind::power && power.bits == 512 && power.exponent_bits == 1024);
constexpr Cost short_power = COST(N, pow(v<512>(), 65537, v<512>()));
static_assert(short_power.exponent_bits == 32);
// The heaviest work decides.
static_assert(COST(N, isqrt(v<512>()) * v<512>() % v<512>()).work == WorkKind::root);
static_assert(COST(N, gcd(v<512>(), isqrt(v<512>()))).work == WorkKind::number_theory);

// Residues of a Modulus run as numbers do: a product is one modulo a number, a power goes by the
// width of the modulus.
template <int Bits>
const host_vector<Residue<Bits>> &residues();
template <int Bits, class Formula>
auto form_of(const Formula &formula) {
    return expression::describe(expression::operation::FormOfResidue<Residue<Bits>>{}, formula);
}
using F = Residue<2048>::Form;
constexpr Cost residue_product = COST(F, form_of<2048>(residues<2048>() * residues<2048>()));
static_assert(residue_product.over_lanes && residue_product.work == WorkKind::fold);
static_assert(residue_product.bits == 2048 && residue_product.bytes_moved == 3 * 256);
constexpr Cost residue_power = COST(F, form_of<2048>(pow(residues<2048>(), v<64>())));
static_assert(residue_power.over_lanes && residue_power.work == WorkKind::power);
static_assert(residue_power.bits == 2048 && residue_power.exponent_bits == 64);
static_assert(COST(F, form_of<2048>(residues<2048>() + residues<2048>())).work ==
              WorkKind::streaming);
static_assert(COST(F, form_of<2048>(select(v<64>() < v<64>(), residues<2048>(), residues<2048>())))
                  .over_lanes);
// Staged as a product modulo a number that all share.
using F512 = Residue<512>::Form;
constexpr Cost staged_residues =
    COST(F512, form_of<512>(residues<512>() * residues<512>() + residues<512>()));
static_assert(staged_residues.fold_operands == 4 && staged_residues.shares_modulus);
static_assert(staged_residues.staged_bytes == 3 * 32 * 64 && !staged_residues.subtracts);

struct Twice {
    template <class T>
    auto operator()(const T &x) const {
        return x + x;
    }
};
static_assert(!COST(N, map(Twice{}, v<512>())).over_lanes);
static_assert(COST(N, map(Twice{}, v<512>())).runs_user_code);
static_assert(COST(N, map(over_lanes(Twice{}), v<512>())).over_lanes);
static_assert(!COST(N, map(Twice{}, v<512>()) + v<512>()).over_lanes);

} // namespace
