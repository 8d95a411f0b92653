// Modulus<Bits>: everything that depends on a modulus alone, computed once.
#pragma once

#include "../algorithm/power.h"
#include "../bigint.h"

namespace warpint {

// A modulus m in [1, 2^Bits) of any parity, with the constants of Montgomery arithmetic for its odd
// part m' = m / 2^zeros. Trivially copyable; the same bytes on host and device. R = 2^(64 ceil(Bits
// / 64)). Construction costs some 40 products of the modulus' size and is variable time. Errors: 0
// is a std::domain_error on the host; in device code operations with it return 0.
template <int Bits>
class Modulus {
public:
    static constexpr int bits = Bits;
    // Limbs of the Montgomery form: an even number, so that hosts may use 64-bit words.
    static constexpr int limb_count = 2 * ((Bits + 63) / 64);
    using Context = algorithm::MontgomeryContext<limb_count, std::uint32_t>;

    Modulus() = default;

    WARPINT_HOST_DEVICE constexpr explicit Modulus(const BigInt<Bits> &value)
        : odd_{}, value_{value}, inverse_{0}, zeros_{0} {
        if (!static_cast<bool>(value)) {
            number::report_domain_error("warpint: modulus 0");
            return;
        }
        // The odd part is built in its place and not in a temporary: with a second array of this
        // size, nvcc 13.0 laid an operand of the caller over it in local memory (seen at 4096
        // bits).
        zeros_ = countr_zero(value);
        algorithm::copy<BigInt<Bits>::limb_count>(odd_.modulus, value.limbs);
        if (zeros_ != 0)
            algorithm::shift_right<limb_count>(odd_.modulus, odd_.modulus, zeros_);
        inverse_ = limb::negative_inverse(std::uint64_t{odd_.modulus[1]} << 32 | odd_.modulus[0]);
        if constexpr (number::has_words) {
            if (limb::use_words()) {
                constexpr int words = limb_count / 2;
                algorithm::MontgomeryContext<words, std::uint64_t> context;
                number::load_words<limb_count>(context.modulus, odd_.modulus);
                algorithm::prepare<words>(context);
                number::store_words<limb_count>(odd_.one, context.one);
                number::store_words<limb_count>(odd_.r_squared, context.r_squared);
                odd_.inverse = static_cast<std::uint32_t>(context.inverse);
                return;
            }
        }
        algorithm::prepare<limb_count>(odd_);
    }

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const BigInt<Bits> &value() const { return value_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_odd() const { return zeros_ == 0; }

    // The odd part's constants, for code that works on limbs.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Context &odd_part() const { return odd_; }
    // Number of factors 2.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr int zeros() const { return zeros_; }

    // The odd part's constants in 64-bit words. Host only.
    [[nodiscard]] constexpr algorithm::MontgomeryContext<limb_count / 2, std::uint64_t>
    odd_part_words() const {
        algorithm::MontgomeryContext<limb_count / 2, std::uint64_t> context;
        number::load_words<limb_count>(context.modulus, odd_.modulus);
        number::load_words<limb_count>(context.one, odd_.one);
        number::load_words<limb_count>(context.r_squared, odd_.r_squared);
        context.inverse = inverse_;
        return context;
    }

private:
    Context odd_;
    BigInt<Bits> value_;
    std::uint64_t inverse_; // -m'^-1 mod 2^64
    int zeros_;
};

namespace number {

template <class T>
struct modulus_traits {
    static constexpr bool is_modulus = false;
};
template <int Bits>
struct modulus_traits<Modulus<Bits>> {
    static constexpr bool is_modulus = true;
};

} // namespace number

template <class T>
concept ModulusContext = number::modulus_traits<std::remove_cvref_t<T>>::is_modulus;

// What may stand for a modulus: a Modulus, or an unsigned number of which one is made on the spot.
template <class T>
concept ModulusLike = ModulusContext<T> || AnyNumber<T>;

namespace number {

template <class T>
struct modulus_bits : std::integral_constant<int, bits_of<T>> {};
template <ModulusContext T>
struct modulus_bits<T> : std::integral_constant<int, T::bits> {};
template <ModulusLike T>
inline constexpr int modulus_bits_v = modulus_bits<std::remove_cvref_t<T>>::value;

// The modulus as a number, in [0, 2^N); a negative one is reported as a domain error and becomes 0.
template <ModulusLike M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> modulus_value(const M &m) {
    if constexpr (ModulusContext<M>) {
        return m.value();
    } else {
        const auto value = as_number(m);
        if (is_negative(value)) {
            report_domain_error("warpint: negative modulus");
            return BigInt<modulus_bits_v<M>>{};
        }
        return to<BigInt<modulus_bits_v<M>>>(value);
    }
}

} // namespace number

} // namespace warpint
