// SPDX-License-Identifier: Apache-2.0
// Many powers of one base modulo one modulus.
#pragma once

#include "../../arith/limbs/power/comb.h"
#include "power.h"

namespace warpint {

namespace number {

// What combs for one base do with tables of Tables 2^Teeth entries of Modulus<Bits>::limb_count
// limbs in memory, in Montgomery form modulo the modulus' odd part.
template <int Bits, int ExponentBits, int Teeth, int Tables>
struct Comb {
    static constexpr int limb_count = Modulus<Bits>::limb_count;
    static constexpr int columns = arith::comb_columns(ExponentBits, Teeth *Tables);
    static constexpr int entries = Tables << Teeth;
    static constexpr int teeth = Teeth;
    static constexpr int tables = Tables;
    static constexpr int parts = arith::comb_parts(Teeth, Tables);

    // Fills the tables of a base below m.
    WARPINT_HOST_DEVICE static constexpr void
    prepare(std::uint32_t *table, const BigInt<Bits> &base, const Modulus<Bits> &modulus) {
        prepare_powers(table, base, modulus);
        for (int part = 0; part < parts; ++part)
            prepare_part(table, modulus, part);
    }
    // The same in steps: first the powers, then the parts, in any order or at once.
    WARPINT_HOST_DEVICE static constexpr void
    prepare_powers(std::uint32_t *table, const BigInt<Bits> &base, const Modulus<Bits> &modulus) {
        number::on_machine_limbs(
            [table]<class Limb>(Limb *x, const auto &context)
                WARPINT_INLINE_LAMBDA { set_powers(table, x, context); },
            number::copied_input<BigInt<Bits>::limb_count, limb_count>(base.limbs),
            number::odd_part(modulus));
    }
    WARPINT_HOST_DEVICE static constexpr void prepare_part(std::uint32_t *table,
                                                           const Modulus<Bits> &modulus, int part) {
        number::on_machine_limbs([table, part](const auto &context)
                                     WARPINT_INLINE_LAMBDA { set_part(table, part, context); },
                                 number::odd_part(modulus));
    }
    // base^e mod m, for e < 2^ExponentBits of so many limbs.
    WARPINT_HOST_DEVICE static constexpr BigInt<Bits>
    power(const std::uint32_t *table, const BigInt<Bits> &base, const Modulus<Bits> &modulus,
          const std::uint32_t *e, int exponent_limbs) {
        constexpr int n = BigInt<Bits>::limb_count;
        BigInt<Bits> r{};
        number::on_machine_limbs(
            [&]<class Limb>(Limb *x, const Limb *a, const auto &context) WARPINT_INLINE_LAMBDA {
                evaluate(x, a, table, e, exponent_limbs, modulus.zeros(), context);
            },
            number::output<n, limb_count>(r.limbs), number::copied_input<n, limb_count>(base.limbs),
            number::odd_part(modulus));
        return r;
    }

private:
    template <class Limb>
    WARPINT_HOST_DEVICE static constexpr auto loads(const std::uint32_t *table) {
        return [table](Limb *entry, int i) {
            number::load_limbs<limb_count>(entry, table + static_cast<std::size_t>(i) * limb_count);
        };
    }
    WARPINT_HOST_DEVICE static constexpr auto stores(std::uint32_t *table) {
        return [table](int i, const auto *entry) {
            number::store_limbs<limb_count>(table + static_cast<std::size_t>(i) * limb_count,
                                            entry);
        };
    }
    template <int L, class Limb>
    WARPINT_HOST_DEVICE static constexpr void
    set_powers(std::uint32_t *table, Limb *x, const arith::MontgomeryContext<L, Limb> &context) {
        arith::montgomery_multiply<L>(x, x, context.r_squared, context.modulus, context.inverse);
        arith::comb_powers<L, Teeth>(x, Tables, columns, stores(table), context);
    }
    template <int L, class Limb>
    WARPINT_HOST_DEVICE static constexpr void
    set_part(std::uint32_t *table, int part, const arith::MontgomeryContext<L, Limb> &context) {
        arith::comb_products<L, Teeth>(part, loads<Limb>(table), stores(table), context);
    }
    template <int L, class Limb>
    WARPINT_HOST_DEVICE static constexpr void
    evaluate(Limb *r, const Limb *base, const std::uint32_t *table, const std::uint32_t *e,
             int exponent_limbs, int zeros, const arith::MontgomeryContext<L, Limb> &context) {
        Limb x[L]{};
        arith::comb_power<L, Teeth>(x, e, exponent_limbs, Tables, columns, loads<Limb>(table),
                                    context);
        Limb unit[L]{};
        unit[0] = 1;
        arith::montgomery_multiply<L>(r, x, unit, context.modulus, context.inverse);
        if (zeros != 0)
            arith::lift_to_even<L>(r, base, {e, exponent_limbs}, zeros, context);
    }
};

} // namespace number

// A base and a Modulus with a table of 2^Teeth powers. pow(fixed, e) takes ExponentBits / Teeth
// squares and products instead of ExponentBits squares. Construction costs about one ordinary
// power. The base is any number. The modulus may be even, but then only the part modulo its odd
// factor is fast. Trivially copyable, with the same layout on host and device.
// Example:
//     const Modulus<256> m(BigInt<256>(0) - 189);
//     const FixedBase<256, 128> three(BigInt<256>(3), m);
//     const BigInt<256> power = pow(three, BigInt<128>(1'000'000));
template <int Bits, int ExponentBits, int Teeth = 5>
class FixedBase {
    static_assert(ExponentBits >= 1 && Teeth >= 1 && Teeth <= 12);
    using Comb = number::Comb<Bits, ExponentBits, Teeth, 1>;

public:
    static constexpr int limb_count = Modulus<Bits>::limb_count;
    static constexpr int teeth = Teeth;
    static constexpr int columns = Comb::columns;

    FixedBase() = default;

    // Errors as for a power with this modulus.
    template <AnyNumber A>
    WARPINT_HOST_DEVICE constexpr FixedBase(const A &base, const Modulus<Bits> &modulus)
        : modulus_{modulus}, base_{number::reduce(number::as_number(base), modulus)}, table_{} {
        Comb::prepare(table_, base_, modulus_);
    }

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Modulus<Bits> &modulus() const {
        return modulus_;
    }
    // The base, reduced modulo m.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const BigInt<Bits> &base() const { return base_; }

    // The power base^e mod m, for e < 2^ExponentBits.
    template <int E>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> power(const BigInt<E> &e) const {
        return Comb::power(table_, base_, modulus_, e.limbs, BigInt<E>::limb_count);
    }

private:
    Modulus<Bits> modulus_;
    BigInt<Bits> base_;
    std::uint32_t table_[std::size_t{limb_count} << Teeth];
};

namespace number {

// Where hosts find tables that are filled when they are first asked for.
struct TableSource {
    const std::uint32_t *(*limbs_of)(const TableSource &);
};

// A base of 1024 bits and more for exponents of ExponentBits bits, with tables in memory elsewhere.
// With more tables and teeth powers take fewer squares and products, and it takes longer to fill
// the tables: those of kernels, whose batches are large, have more, and all cores fill them.
// Trivially copyable.
template <int Bits, int ExponentBits>
class TabledBase {
public:
    using HostComb = number::Comb<Bits, ExponentBits, 8,
                                  ExponentBits >= 2048  ? 4
                                  : ExponentBits >= 512 ? 2
                                                        : 1>;
    using KernelComb = number::Comb<Bits, ExponentBits, 10, ExponentBits >= 512 ? 8 : 2>;
    static constexpr int limb_count = HostComb::limb_count;
    // The one that this code reads.
#if WARPINT_DEVICE_PASS
    using Comb = KernelComb;
#else
    using Comb = HostComb;
#endif

    TabledBase() = default;
    // A base below m. Its tables: for kernels `table`, KernelComb's, an address
    // that is a multiple of 16 bytes; hosts ask `source`, for HostComb's.
    TabledBase(const BigInt<Bits> &base, const Modulus<Bits> &modulus, const std::uint32_t *table,
               const TableSource &source)
        : modulus_{modulus}, base_{base}, table_{table}, source_{&source} {}

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Modulus<Bits> &modulus() const {
        return modulus_;
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const BigInt<Bits> &base() const { return base_; }
    [[nodiscard]] WARPINT_HOST_DEVICE const std::uint32_t *table() const {
#if WARPINT_DEVICE_PASS
        return table_;
#else
        return source_->limbs_of(*source_);
#endif
    }
    // As FixedBase's.
    template <int E>
    [[nodiscard]] WARPINT_HOST_DEVICE BigInt<Bits> power(const BigInt<E> &e) const {
        return Comb::power(table(), base_, modulus_, e.limbs, BigInt<E>::limb_count);
    }

private:
    Modulus<Bits> modulus_;
    BigInt<Bits> base_;
    const std::uint32_t *table_;
    const TableSource *source_;
};

} // namespace number

// The power base^e mod m, in [0, m); 0^0 is 1 mod m. An exponent of more than ExponentBits bits
// gets an ordinary power. Variable time. Errors: negative e is a std::domain_error on the host;
// device code returns 0.
template <int Bits, int ExponentBits, int Teeth, AnyNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits>
pow(const FixedBase<Bits, ExponentBits, Teeth> &base, const E &e) {
    if constexpr (!number::is_unsigned_big<E>) {
        const auto exponent = number::as_number(e);
        if (number::is_negative(exponent)) {
            number::report_domain_error("warpint: pow with a negative exponent");
            return BigInt<Bits>{};
        }
        return pow(base, number::to<BigInt<number::bits_of<E>>>(exponent));
    } else {
        if constexpr (E::bits > ExponentBits) {
            if (arith::bit_width<E::limb_count>(e.limbs) > ExponentBits)
                return pow(base.base(), e, base.modulus());
        }
        return base.power(e);
    }
}

// For this library: the base holds its modulus; declared for its diagnostic.
template <int Bits, int ExponentBits, int Teeth, class E, class M,
          class write_pow_base_e_the_base_holds_its_modulus = void>
BigInt<Bits> pow(const FixedBase<Bits, ExponentBits, Teeth> &, const E &, const M &)
    WARPINT_REFUSED("write pow(base, e): the base holds its modulus");

} // namespace warpint
