// SPDX-License-Identifier: Apache-2.0
// Roles: what the operands of the lists' cases are, and the cases as types. A case has a name, the
// roles of its operands, where it runs, and one expression for numbers of every kind: for numbers
// of a thread, over lanes, batches of them, and the exact numbers of the oracle.
#pragma once

#include "calls.h"

#include <array>

namespace grid {

enum class Role {
    a, // numbers
    b, // related to a, or to the modulus
    c,
    d,     // not 0: divisors
    e,     // exponents
    word,  // of 64 bits
    m,     // moduli >= 1
    n,     // the same
    odd,   // odd moduli
    prime, // primes
    q,     // primes and composite numbers
    small, // of few bits
    x,     // residues of a
    y,     // residues of b
    u      // residues that have an inverse
};
constexpr bool is_residue(Role role) {
    return role == Role::x || role == Role::y || role == Role::u;
}
/// Whether signed kinds have a signed number there.
constexpr bool takes_sign(Role role) {
    return role == Role::a || role == Role::b || role == Role::c || role == Role::d;
}

constexpr std::uint64_t flag(int i) {
    return std::uint64_t{1} << i;
}
/// Where a case is tested: the grid's places, the groups of the other tests.
enum Places : std::uint64_t {
    kernels_only = 1,  // a kernel, a thread for each element
    formulas_only = 2, // a formula over vectors
    lanes_only = 4,    // a kernel, several lanes of a warp for each element
    everywhere = 7,
    not_lanes = kernels_only | formulas_only,
    not_formulas = kernels_only | lanes_only,

    // Groups of the batch runner's tests: of tests/number in the order of number_test::Group, then
    // of tests/number/modular. The result has parts: {quotient, remainder} and the like.
    in_parts = flag(7),
    in_sums = flag(8),
    in_products = flag(9),
    in_divisions = flag(10),
    in_division_aliases = flag(11),
    in_bits = flag(12),
    in_orders = flag(13),
    in_conversions = flag(14),
    in_builtin_divisions = flag(15),
    in_functions = flag(16),
    with_number = flag(17),  // functions with the modulus as a number
    with_modulus = flag(18), // prepared
    with_context = flag(19), // beside residues
    in_sums_of_products = flag(20),
    in_inverses = flag(21),
    in_chains = flag(22),
    in_powers = flag(23),
    in_prepared_powers = flag(24),
    in_constant_time = flag(25),
    in_prepared_constant_time = flag(26),
    in_constant_time_powers = flag(27),
    in_prepared_constant_time_powers = flag(28),
    in_divisors = flag(29),
    in_bezout = flag(30),
    in_symbols = flag(31),
    in_congruences = flag(32),
    in_primes = flag(33),
    in_safe_primes = flag(34),
    in_next_primes = flag(35),
    in_next_safe_primes = flag(36),
    in_exact_differences = flag(37),
    in_held = flag(38),
    in_residue_sums = flag(39),
    in_residue_products = flag(40),
    in_mixed_operands = flag(41),
    in_quotients = flag(42),
    in_residue_powers = flag(43),
    in_short_powers = flag(44),
    in_wide_powers = flag(45),

    // The law (tests/vector), a source for each group of outer operations.
    law_sums = flag(46),
    law_products = flag(47),
    law_remainders = flag(48),
    law_powers = flag(49),
    law_bits = flag(50),
    law_shifts = flag(51),
    law_equalities = flag(52),
    law_orders = flag(53),
    in_law = law_sums | law_products | law_remainders | law_powers | law_bits | law_shifts |
             law_equalities | law_orders,

    // The law over lanes (tests/vector/lanes_law.h), groups of outer operations.
    lanes_sums = flag(54),
    lanes_quotients = flag(55),
    lanes_bits = flag(56),
    lanes_shifts = flag(57),

    in_trees = flag(58) // random formulas (tests/formulas)
};
enum Kinds : unsigned { unsigned_only, both };

#define GRID_CASE_TRAITS(where, kinds, text)                                                       \
    static constexpr const char *name = text;                                                      \
    static constexpr std::uint64_t places = where;                                                 \
    static constexpr bool takes_signed = (kinds) == both;
#define GRID_CASE1(Name, where, kinds, r1, ...)                                                    \
    struct Name {                                                                                  \
        GRID_CASE_TRAITS(where, kinds, #__VA_ARGS__)                                               \
        static constexpr std::size_t arity = 1;                                                    \
        static constexpr std::array<Role, 1> roles{Role::r1};                                      \
        GRID_ANY_SIDE template <class A, class P>                                                  \
        WARPINT_HOST_DEVICE static constexpr auto apply(const A &r1,                               \
                                                        [[maybe_unused]] const P &p) {             \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
#define GRID_CASE2(Name, where, kinds, r1, r2, ...)                                                \
    struct Name {                                                                                  \
        GRID_CASE_TRAITS(where, kinds, #__VA_ARGS__)                                               \
        static constexpr std::size_t arity = 2;                                                    \
        static constexpr std::array<Role, 2> roles{Role::r1, Role::r2};                            \
        GRID_ANY_SIDE template <class A, class B, class P>                                         \
        WARPINT_HOST_DEVICE static constexpr auto apply(const A &r1, const B &r2,                  \
                                                        [[maybe_unused]] const P &p) {             \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
#define GRID_CASE3(Name, where, kinds, r1, r2, r3, ...)                                            \
    struct Name {                                                                                  \
        GRID_CASE_TRAITS(where, kinds, #__VA_ARGS__)                                               \
        static constexpr std::size_t arity = 3;                                                    \
        static constexpr std::array<Role, 3> roles{Role::r1, Role::r2, Role::r3};                  \
        GRID_ANY_SIDE template <class A, class B, class C, class P>                                \
        WARPINT_HOST_DEVICE static constexpr auto apply(const A &r1, const B &r2, const C &r3,     \
                                                        [[maybe_unused]] const P &p) {             \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
#define GRID_CASE4(Name, where, kinds, r1, r2, r3, r4, ...)                                        \
    struct Name {                                                                                  \
        GRID_CASE_TRAITS(where, kinds, #__VA_ARGS__)                                               \
        static constexpr std::size_t arity = 4;                                                    \
        static constexpr std::array<Role, 4> roles{Role::r1, Role::r2, Role::r3, Role::r4};        \
        GRID_ANY_SIDE template <class A, class B, class C, class D, class P>                       \
        WARPINT_HOST_DEVICE static constexpr auto                                                  \
        apply(const A &r1, const B &r2, const C &r3, const D &r4, [[maybe_unused]] const P &p) {   \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };

#define GRID_GROUP
#include "numbers.def"
#include "residues.def"
#undef GRID_GROUP
#undef GRID_CASE1
#undef GRID_CASE2
#undef GRID_CASE3
#undef GRID_CASE4

struct NextGroup; // in a list: what follows is of another group
struct End;       // of a list
template <class... Cases>
struct List {};

#define GRID_GROUP NextGroup,
#define GRID_CASE1(Name, ...) Name,
#define GRID_CASE2(Name, ...) Name,
#define GRID_CASE3(Name, ...) Name,
#define GRID_CASE4(Name, ...) Name,
using NumberCases = List<
#include "numbers.def"
    End>;
using ResidueCases = List<
#include "residues.def"
    End>;
#undef GRID_GROUP
#undef GRID_CASE1
#undef GRID_CASE2
#undef GRID_CASE3
#undef GRID_CASE4

template <class... A, class... B>
constexpr List<A..., B...> operator+(List<A...>, List<B...>) {
    return {};
}
template <class Entry>
inline constexpr bool is_marker = std::is_same_v<Entry, NextGroup> || std::is_same_v<Entry, End>;
/// The entry where it is a case of one of the places; markers, where they are wanted.
template <std::uint64_t places, bool with_markers, class Entry>
constexpr auto entry_of() {
    if constexpr (is_marker<Entry>) {
        return std::conditional_t<with_markers, List<Entry>, List<>>{};
    } else {
        return std::conditional_t<(Entry::places & places) != 0, List<Entry>, List<>>{};
    }
}
template <std::uint64_t places, bool with_markers, class... Entries>
constexpr auto cases_of(List<Entries...>) {
    return (List<>{} + ... + entry_of<places, with_markers, Entries>());
}
/// What the grid has of numbers, with its groups.
using GridCases = decltype(cases_of<everywhere, true>(NumberCases{}));

/// What one source compiles of a list: a part of its groups, as many as the others. Cases of a
/// group call the same large functions, which a source compiles once.
struct Part {
    int index, count;
};

/// Whether the entry at `position` of a list is a case of the part.
template <Part part, class... Entries>
constexpr bool is_in_part(List<Entries...>, int position) {
    int groups = 1, group = 0, i = 0;
    bool is_case = false;
    const auto next = [&](bool begins_group, bool ends) {
        groups += begins_group ? 1 : 0;
        if (i++ == position) {
            is_case = !begins_group && !ends;
            group = groups - 1;
        }
    };
    (next(std::is_same_v<Entries, NextGroup>, std::is_same_v<Entries, End>), ...);
    return is_case && group * part.count / groups == part.index;
}

/// Calls f.operator()<Case>() for each case of a part.
template <Part part = Part{0, 1}, class F, class... Entries>
void for_each_case(List<Entries...>, const F &f) {
    const auto one = [&]<class C, int position>() {
        if constexpr (is_in_part<part>(List<Entries...>{}, position))
            f.template operator()<C>();
    };
    [&]<int... position>(std::integer_sequence<int, position...>) {
        (one.template operator()<Entries, position>(), ...);
    }(std::make_integer_sequence<int, sizeof...(Entries)>{});
}

/// Whether a case has an operand of this role.
template <class C>
constexpr bool has_role(Role role) {
    for (const Role each : C::roles)
        if (each == role)
            return true;
    return false;
}

} // namespace grid
