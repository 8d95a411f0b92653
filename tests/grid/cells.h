// SPDX-License-Identifier: Apache-2.0
// Cells: a function (a case) of one kind of numbers, of one width, in one place, ready to be
// computed. Sources of a width make them (place_*.h); grid_test.cpp runs them all.
#pragma once

#include "cases.h"

#include "../batch/case.h"
#include "../batch/parts.h"

#include <warpint/warp_int.h>

#include <string>
#include <vector>

namespace grid {

using batch_test::Batch;
using batch_test::Name;
using batch_test::Parameters;
using batch_test::Results;

/// The rows of operands that a cell takes: with a modulus for each element, or one for all.
enum class Moduli { each, odd, even, constant, folded };

/// Limb i of the constants that moduli in a type are.
constexpr std::uint32_t limb_of_constant(Moduli moduli, int i) {
    if (moduli == Moduli::folded) // 2^width - 12345
        return i == 0 ? ~std::uint32_t{0} - 12344u : ~std::uint32_t{0};
    const auto x = static_cast<std::uint32_t>(i + 1) * 0x9e3779b9u;
    return (x ^ x >> 15) * 0x85ebca6bu | (i == 0 ? 1u : 0u);
}
/// The constant, of exactly N bits.
template <int N>
constexpr warpint::BigInt<N> constant_modulus(Moduli moduli) {
    warpint::BigInt<N> r{};
    for (int i = 0; i < r.limb_count; ++i)
        r.limbs[i] = limb_of_constant(moduli, i);
    constexpr int top = (N - 1) % 32;
    r.limbs[r.limb_count - 1] &= ~std::uint32_t{0} >> (31 - top);
    r.limbs[r.limb_count - 1] |= std::uint32_t{1} << top;
    return r;
}
/// A residue modulo it: Montgomery form, or plain numbers that are folded.
template <int N, Moduli moduli>
using Field = warpint::StaticResidue<constant_modulus<N>(moduli)>;

struct Cell {
    batch_test::Case code; // width; operands in the order of the roles, a residue's modulus last
    const char *place;
    std::string kind;
    const char *function;
    bool is_signed;
    Moduli moduli;
    std::array<Role, batch_test::max_operands> roles;
};

/// The place of formulas that have another kernel for large batches, with such a batch.
inline constexpr const char *large_batches = "large batch";

/// All cells of the program.
std::vector<Cell> &cells();

/// What a number of the role is in memory.
constexpr int stored_bits(int width, Role role) {
    return role == Role::word ? 64 : width;
}
template <int N, bool is_signed, Role role>
using stored_t =
    std::conditional_t<is_signed && takes_sign(role), warpint::SignedBigInt<stored_bits(N, role)>,
                       warpint::BigInt<stored_bits(N, role)>>;

/// The room that a cell's results take at most, in bytes.
constexpr std::size_t record_room(int width) {
    return 4 * (2 * batch_test::slot_unit +
                batch_test::round_to_unit(std::size_t(3 * width + 128) / 8));
}

// A function of its own in device code, which compilers do not copy into what calls it.
#ifdef __CUDACC__
#define GRID_CALLED __noinline__
#else
#define GRID_CALLED
#endif

// ---- results: whether there are any, then each part

template <class T>
WARPINT_HOST_DEVICE GRID_CALLED auto value_of(const T &residue) {
    return residue.value();
}
template <class T>
WARPINT_HOST_DEVICE void store_part(Results &out, Name name, const T &x) {
    if constexpr (warpint::WarpNumber<T>) {
        using Plain = typename T::plain;
        x.store(static_cast<Plain *>(out.template slot<Plain>(name)));
    } else if constexpr (requires { x.value(); }) { // a residue
        store_part(out, name, value_of(x));
    } else {
        out.copy(name, x);
    }
}
struct StorePart {
    Results &out;
    template <class T>
    WARPINT_HOST_DEVICE void operator()(const T &x) const {
        store_part(out, "value", x);
    }
};
template <class T>
WARPINT_HOST_DEVICE void store(Results &out, const T &r) {
    store_part(out, "exists", batch_test::exists(r));
    batch_test::for_each_part(r, StorePart{out});
}

/// Adds the cells of a case: one for each of `moduli`. extra: how many operands of role m stand
/// behind those of the roles.
template <class C, int N, bool is_signed>
void add_cells(const char *place, const std::string &kind, std::initializer_list<Moduli> moduli,
               std::size_t (*run_host)(const Batch &), int (*launch)(const Batch &, void *),
               int extra = 0) {
    Cell cell{};
    cell.place = place;
    cell.kind = kind;
    cell.function = C::name;
    cell.is_signed = is_signed;
    int count = 0;
    for (const Role role : C::roles)
        cell.roles[static_cast<std::size_t>(count++)] = role;
    for (int i = 0; i < extra; ++i)
        cell.roles[static_cast<std::size_t>(count++)] = Role::m;
    cell.code.width = N;
    cell.code.operand_count = count;
    for (int i = 0; i < count; ++i)
        cell.code.types[static_cast<std::size_t>(i)] = {
            stored_bits(N, cell.roles[static_cast<std::size_t>(i)]),
            is_signed && takes_sign(cell.roles[static_cast<std::size_t>(i)])};
    cell.code.run_host = run_host;
    cell.code.launch = launch;
    for (const Moduli each : moduli) {
        cell.moduli = each;
        cells().push_back(cell);
    }
}

} // namespace grid
