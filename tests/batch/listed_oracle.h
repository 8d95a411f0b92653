// SPDX-License-Identifier: Apache-2.0
// What bodies made of the lists must have stored: the same expressions, of exact numbers.
#pragma once

#include "checker.h"
#include "parts.h"

#include "../grid/cases.h"
#include "../grid/exact_calls.h"

namespace batch_test {

/// The operands of one element by their roles.
struct ExactOperands {
    test::Exact a, b, c, d, e, m, n, odd;
    test::ExactResidue x{0, {}}, y{0, {}};

    template <grid::Role role>
    const auto &get() const {
        using grid::Role;
        if constexpr (role == Role::x) {
            return x;
        } else if constexpr (role == Role::y || role == Role::u) {
            return y;
        } else {
            return role == Role::b                          ? b
                   : role == Role::c                        ? c
                   : role == Role::d                        ? d
                   : role == Role::e || role == Role::word  ? e
                   : role == Role::m || role == Role::prime ? m
                   : role == Role::n                        ? n
                   : role == Role::odd                      ? odd
                                                            : a;
        }
    }
};

template <class C, std::size_t... I>
void check_case(Checker &out, const ExactOperands &operands, const Parameters &p,
                std::index_sequence<I...>) {
    const auto r = C::apply(operands.template get<C::roles[I]>()..., p);
    if constexpr (requires { r.has_value(); })
        out.boolean(C::name, r.has_value());
    for_each_part(r, [&]<class T>(const T &part) {
        if constexpr (std::is_integral_v<T>) {
            out.value(C::name, type_of<T>, test::Integer(part));
        } else if constexpr (std::is_same_v<T, test::Exact>) {
            out.value(C::name, part.type(), part.value());
        } else {
            out.value(C::name, part.value().type(), part.value().value());
        }
    });
}
template <class... C>
void check_list(Checker &out, grid::List<C...>, const ExactOperands &operands,
                const Parameters &p) {
    (check_case<C>(out, operands, p, std::make_index_sequence<C::arity>{}), ...);
}

/// Checks what store_numbers() and store_residues() store.
template <std::uint64_t group>
void check_numbers(Checker &out, const ExactOperands &operands, const Parameters &p) {
    check_list(out, grid::cases_of<group, false>(grid::NumberCases{}), operands, p);
}
template <std::uint64_t group>
void check_residues(Checker &out, const ExactOperands &operands, const Parameters &p) {
    check_list(out, grid::cases_of<group, false>(grid::ResidueCases{}), operands, p);
}

} // namespace batch_test
