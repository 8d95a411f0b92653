// SPDX-License-Identifier: Apache-2.0
// Powers modulo numbers of 8-bit limbs by the library's parts, as a caller combines them.
#pragma once

#include "support/limbs.h"

#include <warpint/arith/limbs/power/comb.h>
#include <warpint/modular.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace power_cases {

namespace arith = warpint::arith;

using arith::PowerMethod;
using test::limbs::Limb;
using test::limbs::Limbs;

/// What powers need of a modulus m >= 1.
template <int N>
struct Prepared {
    explicit Prepared(std::uint64_t m) : zeros(std::countr_zero(m)) {
        const Limbs<N> odd_part(m >> zeros);
        arith::copy<N>(context.modulus, odd_part.begin());
        arith::prepare<N>(context);
    }
    int zeros;
    arith::MontgomeryContext<N, Limb> context; // of the odd part
};

/// a^e mod m by the library's parts, as a caller combines them.
template <int N, int MaxWindow, PowerMethod method, std::size_t E>
std::uint64_t power(std::uint64_t a, const std::array<std::uint32_t, E> &e, const Prepared<N> &m) {
    const Limbs<N> base(a);
    Limbs<N> r;
    arith::power_odd<N, MaxWindow, method>(r.begin(), base.begin(),
                                           arith::ExponentLimbs{e.data(), int(E)}, m.context);
    if (m.zeros > 0) {
        arith::lift_to_even<N>(r.begin(), base.begin(), {e.data(), int(E)}, m.zeros, m.context);
    }
    return r.intact() ? r.value() : ~std::uint64_t(0);
}

/// The same for an exponent that was recoded before.
template <int N, int MaxWindow, class Schedule, std::size_t E>
std::uint64_t power_scheduled(std::uint64_t a, const std::array<std::uint32_t, E> &e,
                              const Schedule &schedule, const Prepared<N> &m) {
    const Limbs<N> base(a);
    Limbs<N> r;
    arith::power_odd<N, MaxWindow>(r.begin(), base.begin(), &schedule, m.context);
    if (m.zeros > 0) {
        arith::lift_to_even<N>(r.begin(), base.begin(), {e.data(), int(E)}, m.zeros, m.context);
    }
    return r.intact() ? r.value() : ~std::uint64_t(0);
}
template <int N, int MaxWindow, std::size_t E>
std::uint64_t power_recoded(std::uint64_t a, const std::array<std::uint32_t, E> &e,
                            const Prepared<N> &m) {
    return power_scheduled<N, MaxWindow>(a, e,
                                         arith::make_schedule<32 * int(E)>(e.data(), MaxWindow), m);
}

/// a^e mod m for odd m by a comb of so many tables, for many e.
template <int N, int Teeth>
struct Comb {
    Comb(std::uint64_t a, const Prepared<N> &m, int comb_tables, int comb_columns)
        : context(m.context), tables(comb_tables), columns(comb_columns),
          table(static_cast<std::size_t>(N * comb_tables << Teeth)) {
        const Limbs<N> base(a);
        Limbs<N> x;
        arith::montgomery_multiply<N>(x.begin(), base.begin(), context.r_squared, context.modulus,
                                      context.inverse);
        const auto load = [&](Limb *entry, int i) { arith::copy<N>(entry, table.data() + i * N); };
        const auto store = [&](int i, const Limb *entry) {
            arith::copy<N>(table.data() + i * N, entry);
        };
        arith::comb_powers<N, Teeth>(x.begin(), tables, columns, store, context);
        for (int part = 0; part < arith::comb_parts(Teeth, tables); ++part)
            arith::comb_products<N, Teeth>(part, load, store, context);
    }
    template <std::size_t E>
    std::uint64_t power(const std::array<std::uint32_t, E> &e) const {
        const Limbs<N> unit(1);
        Limbs<N> r;
        const auto load = [&](Limb *entry, int i) { arith::copy<N>(entry, table.data() + i * N); };
        arith::comb_power<N, Teeth>(r.begin(), e.data(), int(E), tables, columns, load, context);
        arith::montgomery_multiply<N>(r.begin(), r.begin(), unit.begin(), context.modulus,
                                      context.inverse);
        return r.intact() ? r.value() : ~std::uint64_t(0);
    }

    const arith::MontgomeryContext<N, Limb> &context;
    int tables;
    int columns;
    std::vector<Limb> table;
};
template <int N, int Teeth, std::size_t E>
std::uint64_t comb(std::uint64_t a, const std::array<std::uint32_t, E> &e, const Prepared<N> &m,
                   int columns, int tables = 1) {
    return Comb<N, Teeth>(a, m, tables, columns).power(e);
}

} // namespace power_cases
