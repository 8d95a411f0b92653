// SPDX-License-Identifier: Apache-2.0
// Roles: what the operands of the grid's cases are, and the cases as types. A case has a name, the
// roles of its operands, where it runs, and one expression for numbers of every kind: for numbers
// of a thread, over lanes, batches of them, and the exact numbers of the oracle.
#pragma once

#include "../batch/results.h"

#include <warpint/constant_time.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/vector.h>
#include <warpint/warp_int.h>

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

enum Places : unsigned {
    kernels_only = 1,  // a kernel, a thread for each element
    formulas_only = 2, // a formula over vectors
    lanes_only = 4,    // a kernel, several lanes of a warp for each element
    everywhere = 7,
    not_lanes = kernels_only | formulas_only,
    not_formulas = kernels_only | lanes_only
};
enum Kinds : unsigned { unsigned_only, both };

/// In-place operators.
template <class A, class B, class D>
WARPINT_HOST_DEVICE constexpr A assigned(A a, const B &b, const D &d, int shift) {
    a += b;
    a *= b;
    a -= 12345u;
    a <<= 3;
    ++a;
    a ^= b;
    a |= 64;
    a /= d;
    a *= 0xffffffffu;
    --a;
    a >>= shift;
    a &= b;
    a %= d;
    return a;
}
template <class X>
WARPINT_HOST_DEVICE constexpr X assigned(X x, const X &y) {
    x += y;
    x *= x;
    x -= y;
    x *= 3;
    x *= y;
    x -= 5;
    return x;
}

// Cases that are instantiated for batches run on the host alone; nvcc would warn.
#ifdef __CUDACC__
#define GRID_ANY_SIDE _Pragma("nv_exec_check_disable")
#else
#define GRID_ANY_SIDE
#endif

/// What a number of the type of a keeps of x.
GRID_ANY_SIDE template <class A, class X>
WARPINT_HOST_DEVICE constexpr A stored_like(const A &a, const X &x) {
    if constexpr (requires { a.error_mask(); }) { // a vector
        A r;
        r = x;
        return r;
    } else if constexpr (requires { a.keeps(x.value()); }) { // of the oracle
        return a.keeps(x.value());
    } else {
        return A(x);
    }
}
/// Random bits of a generator keyed by a and k.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE constexpr A random_of(const A &a, int k) {
    warpint::Philox generator(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(k));
    return warpint::random_bits<A::bits>(generator);
}
/// a^e modulo m by a table of powers of a.
template <warpint::BigNumber A, warpint::BigNumber E>
WARPINT_HOST_DEVICE constexpr A fixed_power(const A &a, const E &e, const A &m) {
    const warpint::Modulus<A::bits> modulus(m);
    const warpint::FixedBase<A::bits, E::bits, 3> base(a, modulus);
    return pow(base, e);
}
/// The inverse of b, computed together with those of two other numbers.
template <warpint::BigNumber A>
WARPINT_HOST_DEVICE constexpr warpint::Optional<A> inverse_among(const A &a, const A &b,
                                                                 const A &m) {
    const warpint::Modulus<A::bits> modulus(m);
    const A numbers[3] = {a, b, A(3u)};
    A inverses[3];
    bool exists[3];
    inverse_all(inverses, numbers, 3, modulus, exists);
    return warpint::Optional<A>(inverses[1], exists[1]);
}

// Functions for map() and let().
struct GcdTimesThree {
    template <class A, class B>
    WARPINT_HOST_DEVICE auto operator()(const A &a, const B &b) const {
        return gcd(a, b) * 3u;
    }
};
struct ProductAndExclusive {
    template <class A, class B>
    WARPINT_HOST_DEVICE auto operator()(const A &a, const B &b) const {
        return a * b + (a ^ 5u);
    }
};
struct SquareMinusItself {
    GRID_ANY_SIDE template <class T>
    WARPINT_HOST_DEVICE auto operator()(const T &t) const {
        return t * t - t;
    }
};

using namespace warpint::literals;
using warpint::over_lanes;

#define GRID_CASE_TRAITS(where, kinds, text)                                                       \
    static constexpr const char *name = text;                                                      \
    static constexpr unsigned places = where;                                                      \
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
