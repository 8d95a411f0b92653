// SPDX-License-Identifier: Apache-2.0
// Integer: the oracle's number. A small owning wrapper around GMP's mpz_t, and the mathematical
// meaning ("the law") of every operation that warpint offers, stated over unbounded integers.
//
// Needs libgmp only (no gmpxx), so that CUDA builds of the tests can link it too.
#pragma once

#include <gmp.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace test {

/// An unbounded integer. Value semantics; operators mean what they mean for C++ signed integers,
/// without a width: `/` truncates toward zero, `%` takes the dividend's sign, `>>` rounds toward
/// minus infinity, `& | ^ ~` act on the infinite two's complement form.
class Integer {
public:
    Integer();
    Integer(const Integer &other);
    Integer(Integer &&other) noexcept;
    template <typename T>
        requires(std::is_integral_v<T>)
    Integer(T number) {
        if constexpr (std::is_signed_v<T>) {
            mpz_init_set_si(value_, static_cast<long>(number));
        } else {
            mpz_init_set_ui(value_, static_cast<unsigned long>(number));
        }
        static_assert(sizeof(T) <= sizeof(long), "the tests assume a 64-bit long");
    }
    /// Reads digits of `base` with an optional leading '-'; throws std::invalid_argument.
    Integer(std::string_view digits, int base);
    ~Integer();

    Integer &operator=(const Integer &other);
    Integer &operator=(Integer &&other) noexcept;

    mpz_ptr raw() { return value_; }
    mpz_srcptr raw() const { return value_; }

    int sign() const { return mpz_sgn(value_); }
    bool is_zero() const { return sign() == 0; }
    bool is_odd() const { return mpz_odd_p(value_) != 0; }
    bool bit(std::size_t index) const { return mpz_tstbit(value_, index) != 0; }

    /// The number of bits of the absolute value; 0 for 0.
    int bit_width() const;
    /// The number of set bits; the value must not be negative.
    int popcount() const { return static_cast<int>(mpz_popcount(value_)); }
    /// The index of the lowest set bit; the value must not be 0.
    int trailing_zeros() const { return static_cast<int>(mpz_scan1(value_, 0)); }

    long to_long() const { return mpz_get_si(value_); }
    std::uint64_t to_uint64() const { return mpz_get_ui(value_); }
    std::string to_string(int base = 16) const;

#define TEST_INTEGER_OPERATOR(op)                                                                  \
    friend Integer operator op(const Integer &a, const Integer &b);                                \
    Integer &operator op## = (const Integer &b);
    TEST_INTEGER_OPERATOR(+)
    TEST_INTEGER_OPERATOR(-)
    TEST_INTEGER_OPERATOR(*)
    TEST_INTEGER_OPERATOR(/)
    TEST_INTEGER_OPERATOR(%)
    TEST_INTEGER_OPERATOR(&)
    TEST_INTEGER_OPERATOR(|)
    TEST_INTEGER_OPERATOR(^)
#undef TEST_INTEGER_OPERATOR

    Integer operator-() const;
    Integer operator~() const;
    Integer operator<<(std::size_t count) const;
    Integer operator>>(std::size_t count) const;

    friend int compare(const Integer &a, const Integer &b);
    friend bool operator==(const Integer &a, const Integer &b);
    friend bool operator!=(const Integer &a, const Integer &b);
    friend bool operator<(const Integer &a, const Integer &b);
    friend bool operator>(const Integer &a, const Integer &b);
    friend bool operator<=(const Integer &a, const Integer &b);
    friend bool operator>=(const Integer &a, const Integer &b);

    friend std::ostream &operator<<(std::ostream &stream, const Integer &a);
    friend Integer abs(const Integer &a);

private:
    mpz_t value_;
};

/// 2^exponent.
Integer power_of_two(int exponent);

/// 2^bits - 1, the largest unsigned number of `bits` bits.
Integer all_ones(int bits);

/// What storing `a` in an unsigned number of `bits` bits keeps: a mod 2^bits, in [0, 2^bits).
Integer store_unsigned(const Integer &a, int bits);

/// What storing `a` in a two's complement number of `bits` bits keeps: the value congruent to `a`
/// in [-2^(bits-1), 2^(bits-1)).
Integer store_signed(const Integer &a, int bits);

bool fits_unsigned(const Integer &a, int bits);
bool fits_signed(const Integer &a, int bits);

/// `a % m` with an unsigned m >= 1: the representative of a in [0, m), also where a is negative.
Integer modulo(const Integer &a, const Integer &m);

/// Quotient rounded toward minus infinity.
Integer divide_floor(const Integer &a, const Integer &b);

/// a^exponent mod m in [0, m), for exponent >= 0 and any m >= 1; 0^0 is 1 mod m.
Integer power_modulo(const Integer &a, const Integer &exponent, const Integer &m);

Integer greatest_common_divisor(const Integer &a, const Integer &b);

/// The inverse of a modulo m in [0, m), or 0 where there is none (or m is 1).
Integer inverse_or_zero(const Integer &a, const Integer &m);

/// The low `count` bytes of a number (of its infinite two's complement form), least significant
/// first.
std::vector<std::uint8_t> little_endian_bytes(const Integer &a, std::size_t count);

/// The number that `count` little-endian limbs hold, and the same read as two's complement.
Integer unsigned_from_limbs(const std::uint32_t *limbs, int count);
Integer signed_from_limbs(const std::uint32_t *limbs, int count);
/// Writes the low 32 `count` bits of `a` to little-endian limbs that are 0.
void to_limbs(std::uint32_t *limbs, int count, const Integer &a);

} // namespace test

// One set of this vector's functions for all programs.
extern template class std::vector<test::Integer>;
