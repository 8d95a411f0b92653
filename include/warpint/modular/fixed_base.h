// FixedBase<Bits, ExponentBits>: many powers of one base modulo one modulus.
#pragma once

#include "../algorithm/power/comb.h"
#include "power.h"

namespace warpint {

// A base and a Modulus with a comb of 2^Teeth powers (algorithm/power/comb.h): pow(fixed, e) takes
// ExponentBits / Teeth squares and products instead of ExponentBits squares. Trivially copyable,
// the same bytes on host and device. The base is any number; the modulus has any parity, though
// only the part of the power modulo its odd factor is fast. Construction costs about one ordinary
// power.
template <int Bits, int ExponentBits, int Teeth = 5>
class FixedBase {
    static_assert(ExponentBits >= 1 && Teeth >= 1 && Teeth <= 12);

public:
    static constexpr int limb_count = Modulus<Bits>::limb_count;
    static constexpr int teeth = Teeth;
    static constexpr int columns = algorithm::comb_columns(ExponentBits, Teeth);

    FixedBase() = default;

    // Errors as for pow.
    template <AnyNumber A>
    WARPINT_HOST_DEVICE constexpr FixedBase(const A &base, const Modulus<Bits> &modulus)
        : modulus_{modulus}, base_{number::reduce(number::as_number(base), modulus)}, table_{} {
        std::uint32_t x[limb_count]{};
        algorithm::copy<BigInt<Bits>::limb_count>(x, base_.limbs);
        if constexpr (number::has_words) {
            if (limb::use_words()) {
                constexpr int words = limb_count / 2;
                const auto context = modulus_.odd_part_words();
                std::uint64_t wide[words];
                std::uint64_t table[std::size_t{words} << Teeth];
                number::load_words<limb_count>(wide, x);
                fill<words>(table, wide, context);
                for (int i = 0; i < 1 << Teeth; ++i)
                    number::store_words<limb_count>(table_ + i * limb_count, table + i * words);
                return;
            }
        }
        fill<limb_count>(table_, x, modulus_.odd_part());
    }

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Modulus<Bits> &modulus() const {
        return modulus_;
    }
    // The base, reduced.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const BigInt<Bits> &base() const { return base_; }

    // base^e mod m, e < 2^ExponentBits.
    template <int E>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> power(const BigInt<E> &e) const {
        constexpr int exponent_limbs = BigInt<E>::limb_count;
        std::uint32_t result[limb_count]{};
        std::uint32_t base[limb_count]{};
        algorithm::copy<BigInt<Bits>::limb_count>(base, base_.limbs);
        bool done = false;
        if constexpr (number::has_words) {
            if (limb::use_words()) {
                constexpr int words = limb_count / 2;
                const auto context = modulus_.odd_part_words();
                std::uint64_t x[words];
                std::uint64_t wide_base[words];
                number::load_words<limb_count>(wide_base, base);
                evaluate<words>(
                    x, wide_base, e.limbs, exponent_limbs,
                    [this](std::uint64_t *entry, int i) {
                        number::load_words<limb_count>(entry, table_ + i * limb_count);
                    },
                    context);
                number::store_words<limb_count>(result, x);
                done = true;
            }
        }
        if (!done) {
            evaluate<limb_count>(
                result, base, e.limbs, exponent_limbs,
                [this](std::uint32_t *entry, int i) {
                    algorithm::copy<limb_count>(entry, table_ + i * limb_count);
                },
                modulus_.odd_part());
        }
        BigInt<Bits> r{};
        algorithm::copy<BigInt<Bits>::limb_count>(r.limbs, result);
        return r;
    }

private:
    template <int L, class Limb>
    WARPINT_HOST_DEVICE static constexpr void
    fill(Limb *table, Limb *x, const algorithm::MontgomeryContext<L, Limb> &context) {
        algorithm::montgomery_multiply<L>(x, x, context.r_squared, context.modulus,
                                          context.inverse);
        algorithm::comb_table<L, Teeth>(table, x, columns, context);
    }

    template <int L, class Limb, class Load>
    WARPINT_HOST_DEVICE constexpr void
    evaluate(Limb *r, const Limb *base, const std::uint32_t *e, int exponent_limbs,
             const Load &load, const algorithm::MontgomeryContext<L, Limb> &context) const {
        Limb x[L]{};
        algorithm::comb_power<L, Teeth>(x, e, exponent_limbs, columns, load, context);
        Limb unit[L]{};
        unit[0] = 1;
        algorithm::montgomery_multiply<L>(r, x, unit, context.modulus, context.inverse);
        if (modulus_.zeros() != 0)
            algorithm::lift_to_even<L>(r, base, e, exponent_limbs, modulus_.zeros(), context);
    }

    Modulus<Bits> modulus_;
    BigInt<Bits> base_;
    std::uint32_t table_[std::size_t{limb_count} << Teeth];
};

// base^e mod m in [0, m) for e >= 0; exponents of more than ExponentBits bits take the ordinary
// way. 0^0 = 1 mod m. Variable time. Errors (host): std::domain_error for negative e; device code
// returns 0.
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
            if (algorithm::bit_width<E::limb_count>(e.limbs) > ExponentBits)
                return pow(base.base(), e, base.modulus());
        }
        return base.power(e);
    }
}

} // namespace warpint
