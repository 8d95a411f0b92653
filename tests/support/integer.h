// SPDX-License-Identifier: Apache-2.0
// Integer: the oracle's number. A small owning wrapper around GMP's mpz_t, and the mathematical
// meaning ("the law") of every operation that warpint offers, stated over unbounded integers.
//
// Needs libgmp only (no gmpxx), so that CUDA builds of the tests can link it too.
#pragma once

#include <gmp.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {

/// An unbounded integer. Value semantics; operators mean what they mean for C++ signed integers,
/// without a width: `/` truncates toward zero, `%` takes the dividend's sign, `>>` rounds toward
/// minus infinity, `& | ^ ~` act on the infinite two's complement form.
class Integer {
public:
    Integer() { mpz_init(value_); }
    Integer(const Integer &other) { mpz_init_set(value_, other.value_); }
    Integer(Integer &&other) noexcept {
        mpz_init(value_);
        mpz_swap(value_, other.value_);
    }
    template <typename T>
    requires(std::is_integral_v<T>) Integer(T number) {
        if constexpr (std::is_signed_v<T>) {
            mpz_init_set_si(value_, static_cast<long>(number));
        } else {
            mpz_init_set_ui(value_, static_cast<unsigned long>(number));
        }
        static_assert(sizeof(T) <= sizeof(long), "the tests assume a 64-bit long");
    }
    /// Reads digits of `base` with an optional leading '-'; throws std::invalid_argument.
    Integer(std::string_view digits, int base) {
        const std::string copy(digits);
        if (mpz_init_set_str(value_, copy.c_str(), base) != 0) {
            mpz_clear(value_);
            throw std::invalid_argument("Integer: bad digits: " + copy);
        }
    }
    ~Integer() { mpz_clear(value_); }

    Integer &operator=(const Integer &other) {
        mpz_set(value_, other.value_);
        return *this;
    }
    Integer &operator=(Integer &&other) noexcept {
        mpz_swap(value_, other.value_);
        return *this;
    }

    mpz_ptr raw() { return value_; }
    mpz_srcptr raw() const { return value_; }

    int sign() const { return mpz_sgn(value_); }
    bool is_zero() const { return sign() == 0; }
    bool is_odd() const { return mpz_odd_p(value_) != 0; }
    bool bit(std::size_t index) const { return mpz_tstbit(value_, index) != 0; }

    /// The number of bits of the absolute value; 0 for 0.
    int bit_width() const { return is_zero() ? 0 : static_cast<int>(mpz_sizeinbase(value_, 2)); }
    /// The number of set bits; the value must not be negative.
    int popcount() const { return static_cast<int>(mpz_popcount(value_)); }
    /// The index of the lowest set bit; the value must not be 0.
    int trailing_zeros() const { return static_cast<int>(mpz_scan1(value_, 0)); }

    long to_long() const { return mpz_get_si(value_); }
    std::uint64_t to_uint64() const { return mpz_get_ui(value_); }
    std::string to_string(int base = 16) const {
        std::string text(mpz_sizeinbase(value_, base) + 2, '\0');
        mpz_get_str(text.data(), base, value_);
        text.resize(std::char_traits<char>::length(text.c_str()));
        return text;
    }

#define TEST_INTEGER_OPERATOR(op, function)                                                        \
    friend Integer operator op(const Integer &a, const Integer &b) {                               \
        Integer result;                                                                            \
        function(result.value_, a.value_, b.value_);                                               \
        return result;                                                                             \
    }                                                                                              \
    Integer &operator op##=(const Integer &b) {                                                    \
        function(value_, value_, b.value_);                                                        \
        return *this;                                                                              \
    }
    TEST_INTEGER_OPERATOR(+, mpz_add)
    TEST_INTEGER_OPERATOR(-, mpz_sub)
    TEST_INTEGER_OPERATOR(*, mpz_mul)
    TEST_INTEGER_OPERATOR(/, mpz_tdiv_q)
    TEST_INTEGER_OPERATOR(%, mpz_tdiv_r)
    TEST_INTEGER_OPERATOR(&, mpz_and)
    TEST_INTEGER_OPERATOR(|, mpz_ior)
    TEST_INTEGER_OPERATOR(^, mpz_xor)
#undef TEST_INTEGER_OPERATOR

    Integer operator-() const {
        Integer result;
        mpz_neg(result.value_, value_);
        return result;
    }
    Integer operator~() const {
        Integer result;
        mpz_com(result.value_, value_);
        return result;
    }
    Integer operator<<(std::size_t count) const {
        Integer result;
        mpz_mul_2exp(result.value_, value_, count);
        return result;
    }
    Integer operator>>(std::size_t count) const {
        Integer result;
        mpz_fdiv_q_2exp(result.value_, value_, count);
        return result;
    }

    friend int compare(const Integer &a, const Integer &b) {
        return mpz_cmp(a.value_, b.value_);
    }
    friend bool operator==(const Integer &a, const Integer &b) {
        return compare(a, b) == 0;
    }
    friend bool operator!=(const Integer &a, const Integer &b) {
        return compare(a, b) != 0;
    }
    friend bool operator<(const Integer &a, const Integer &b) {
        return compare(a, b) < 0;
    }
    friend bool operator>(const Integer &a, const Integer &b) {
        return compare(a, b) > 0;
    }
    friend bool operator<=(const Integer &a, const Integer &b) {
        return compare(a, b) <= 0;
    }
    friend bool operator>=(const Integer &a, const Integer &b) {
        return compare(a, b) >= 0;
    }

    friend std::ostream &operator<<(std::ostream &stream, const Integer &a) {
        return stream << (a.sign() < 0 ? "-0x" : "0x") << abs(a).to_string(16);
    }
    friend Integer abs(const Integer &a) {
        return a.sign() < 0 ? -a : a;
    }

private:
    mpz_t value_;
};

/// 2^exponent.
inline Integer power_of_two(int exponent) {
    return Integer(1) << static_cast<std::size_t>(exponent);
}

/// 2^bits - 1, the largest unsigned number of `bits` bits.
inline Integer all_ones(int bits) {
    return power_of_two(bits) - 1;
}

/// What storing `a` in an unsigned number of `bits` bits keeps: a mod 2^bits, in [0, 2^bits).
inline Integer store_unsigned(const Integer &a, int bits) {
    Integer result;
    mpz_fdiv_r_2exp(result.raw(), a.raw(), static_cast<mp_bitcnt_t>(bits));
    return result;
}

/// What storing `a` in a two's complement number of `bits` bits keeps: the value congruent to `a`
/// in
/// [-2^(bits-1), 2^(bits-1)).
inline Integer store_signed(const Integer &a, int bits) {
    Integer result = store_unsigned(a, bits);
    if (result.bit(static_cast<std::size_t>(bits - 1))) {
        result -= power_of_two(bits);
    }
    return result;
}

inline bool fits_unsigned(const Integer &a, int bits) {
    return a.sign() >= 0 && a.bit_width() <= bits;
}
inline bool fits_signed(const Integer &a, int bits) {
    return store_signed(a, bits) == a;
}

/// `a % m` with an unsigned m >= 1: the representative of a in [0, m), also where a is negative.
inline Integer modulo(const Integer &a, const Integer &m) {
    Integer result;
    mpz_fdiv_r(result.raw(), a.raw(), m.raw());
    return result;
}

/// Quotient rounded toward minus infinity.
inline Integer divide_floor(const Integer &a, const Integer &b) {
    Integer result;
    mpz_fdiv_q(result.raw(), a.raw(), b.raw());
    return result;
}

/// a^exponent mod m in [0, m), for exponent >= 0 and any m >= 1; 0^0 is 1 mod m.
inline Integer power_modulo(const Integer &a, const Integer &exponent, const Integer &m) {
    Integer result;
    mpz_powm(result.raw(), a.raw(), exponent.raw(), m.raw());
    return result;
}

inline Integer greatest_common_divisor(const Integer &a, const Integer &b) {
    Integer result;
    mpz_gcd(result.raw(), a.raw(), b.raw());
    return result;
}

/// The inverse of a modulo m in [0, m), or 0 where there is none (or m is 1).
inline Integer inverse_or_zero(const Integer &a, const Integer &m) {
    Integer result;
    if (m == 1 || mpz_invert(result.raw(), a.raw(), m.raw()) == 0) {
        return Integer(0);
    }
    return result;
}

/// The low `count` bytes of a number (of its infinite two's complement form), least significant
/// first.
inline std::vector<std::uint8_t> little_endian_bytes(const Integer &a, std::size_t count) {
    std::vector<std::uint8_t> bytes(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::uint8_t>(store_unsigned(a >> (8 * i), 8).to_uint64());
    }
    return bytes;
}

} // namespace test
