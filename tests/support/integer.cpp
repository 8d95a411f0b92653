// SPDX-License-Identifier: Apache-2.0
#include "integer.h"

#include <ostream>
#include <stdexcept>

template class std::vector<test::Integer>;

namespace test {

Integer::Integer() {
    mpz_init(value_);
}
Integer::Integer(const Integer &other) {
    mpz_init_set(value_, other.value_);
}
Integer::Integer(Integer &&other) noexcept {
    mpz_init(value_);
    mpz_swap(value_, other.value_);
}
Integer::Integer(std::string_view digits, int base) {
    const std::string copy(digits);
    if (mpz_init_set_str(value_, copy.c_str(), base) != 0) {
        mpz_clear(value_);
        throw std::invalid_argument("Integer: bad digits: " + copy);
    }
}
Integer::~Integer() {
    mpz_clear(value_);
}

Integer &Integer::operator=(const Integer &other) {
    mpz_set(value_, other.value_);
    return *this;
}
Integer &Integer::operator=(Integer &&other) noexcept {
    mpz_swap(value_, other.value_);
    return *this;
}

int Integer::bit_width() const {
    return is_zero() ? 0 : static_cast<int>(mpz_sizeinbase(value_, 2));
}

std::string Integer::to_string(int base) const {
    std::string text(mpz_sizeinbase(value_, base) + 2, '\0');
    mpz_get_str(text.data(), base, value_);
    text.resize(std::char_traits<char>::length(text.c_str()));
    return text;
}

#define TEST_INTEGER_OPERATOR(op, function)                                                        \
    Integer operator op(const Integer &a, const Integer &b) {                                      \
        Integer result;                                                                            \
        function(result.value_, a.value_, b.value_);                                               \
        return result;                                                                             \
    }                                                                                              \
    Integer &Integer::operator op## = (const Integer &b) {                                         \
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

Integer Integer::operator-() const {
    Integer result;
    mpz_neg(result.value_, value_);
    return result;
}
Integer Integer::operator~() const {
    Integer result;
    mpz_com(result.value_, value_);
    return result;
}
Integer Integer::operator<<(std::size_t count) const {
    Integer result;
    mpz_mul_2exp(result.value_, value_, count);
    return result;
}
Integer Integer::operator>>(std::size_t count) const {
    Integer result;
    mpz_fdiv_q_2exp(result.value_, value_, count);
    return result;
}

int compare(const Integer &a, const Integer &b) {
    return mpz_cmp(a.value_, b.value_);
}
bool operator==(const Integer &a, const Integer &b) {
    return compare(a, b) == 0;
}
bool operator!=(const Integer &a, const Integer &b) {
    return compare(a, b) != 0;
}
bool operator<(const Integer &a, const Integer &b) {
    return compare(a, b) < 0;
}
bool operator>(const Integer &a, const Integer &b) {
    return compare(a, b) > 0;
}
bool operator<=(const Integer &a, const Integer &b) {
    return compare(a, b) <= 0;
}
bool operator>=(const Integer &a, const Integer &b) {
    return compare(a, b) >= 0;
}

std::ostream &operator<<(std::ostream &stream, const Integer &a) {
    return stream << (a.sign() < 0 ? "-0x" : "0x") << abs(a).to_string(16);
}
Integer abs(const Integer &a) {
    return a.sign() < 0 ? -a : a;
}

Integer power_of_two(int exponent) {
    return Integer(1) << static_cast<std::size_t>(exponent);
}

Integer all_ones(int bits) {
    return power_of_two(bits) - 1;
}

Integer store_unsigned(const Integer &a, int bits) {
    Integer result;
    mpz_fdiv_r_2exp(result.raw(), a.raw(), static_cast<mp_bitcnt_t>(bits));
    return result;
}

Integer store_signed(const Integer &a, int bits) {
    Integer result = store_unsigned(a, bits);
    if (result.bit(static_cast<std::size_t>(bits - 1))) {
        result -= power_of_two(bits);
    }
    return result;
}

bool fits_unsigned(const Integer &a, int bits) {
    return a.sign() >= 0 && a.bit_width() <= bits;
}
bool fits_signed(const Integer &a, int bits) {
    return store_signed(a, bits) == a;
}

Integer modulo(const Integer &a, const Integer &m) {
    Integer result;
    mpz_fdiv_r(result.raw(), a.raw(), m.raw());
    return result;
}

Integer divide_floor(const Integer &a, const Integer &b) {
    Integer result;
    mpz_fdiv_q(result.raw(), a.raw(), b.raw());
    return result;
}

Integer power_modulo(const Integer &a, const Integer &exponent, const Integer &m) {
    Integer result;
    mpz_powm(result.raw(), a.raw(), exponent.raw(), m.raw());
    return result;
}

Integer greatest_common_divisor(const Integer &a, const Integer &b) {
    Integer result;
    mpz_gcd(result.raw(), a.raw(), b.raw());
    return result;
}

Integer inverse_or_zero(const Integer &a, const Integer &m) {
    Integer result;
    if (m == 1 || mpz_invert(result.raw(), a.raw(), m.raw()) == 0) {
        return Integer(0);
    }
    return result;
}

std::vector<std::uint8_t> little_endian_bytes(const Integer &a, std::size_t count) {
    std::vector<std::uint8_t> bytes(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::uint8_t>(store_unsigned(a >> (8 * i), 8).to_uint64());
    }
    return bytes;
}

Integer unsigned_from_limbs(const std::uint32_t *limbs, int count) {
    Integer result;
    mpz_import(result.raw(), static_cast<std::size_t>(count), -1, sizeof(std::uint32_t), 0, 0,
               limbs);
    return result;
}
Integer signed_from_limbs(const std::uint32_t *limbs, int count) {
    return store_signed(unsigned_from_limbs(limbs, count), 32 * count);
}
void to_limbs(std::uint32_t *limbs, int count, const Integer &a) {
    const Integer bits = store_unsigned(a, 32 * count);
    mpz_export(limbs, nullptr, -1, sizeof(std::uint32_t), 0, 0, bits.raw());
}

} // namespace test
