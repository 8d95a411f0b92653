// SPDX-License-Identifier: Apache-2.0
// Test bodies of one number in vectors (arith/simd/one) against GMP, for the CPU's vectors and for
// the emulated ones.
#pragma once

#include "support/operands.h"
#include "support/property.h"

#include <warpint/arith/simd/one/divide.h>
#include <warpint/arith/simd/one/root.h>
#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace test::one_number {

namespace simd = warpint::simd;

/// A number in limbs, with a guard limb behind it.
class Limbs {
public:
    explicit Limbs(int length) : limbs_(std::size_t(length) + 1, guard) {}
    Limbs(const Integer &value, int length) : Limbs(length) {
        std::fill(limbs_.begin(), limbs_.end() - 1, 0);
        mpz_export(limbs_.data(), nullptr, -1, 4, 0, 0, value.raw());
    }
    [[nodiscard]] Integer value() const {
        return unsigned_from_limbs(limbs_.data(), int(limbs_.size()) - 1);
    }
    [[nodiscard]] bool intact() const { return limbs_.back() == guard; }
    [[nodiscard]] bool untouched() const {
        return std::all_of(limbs_.begin(), limbs_.end(), [](auto x) { return x == guard; });
    }
    simd::Result result() { return {limbs_.data(), int(limbs_.size()) - 1}; }
    simd::Source source() {
        int length = int(limbs_.size()) - 1;
        while (limbs_[std::size_t(length) - 1] == 0)
            --length;
        return {limbs_.data(), length};
    }

private:
    static constexpr std::uint32_t guard = 0xa5a5a5a5;
    std::vector<std::uint32_t> limbs_;
};

/// A number of up to `bits` bits in digits of 52 bits: zeros, ones, all ones, and others.
inline Integer digits(OperandSource &source, int bits) {
    Integer x = 0;
    for (int i = 0; i < bits; i += 52) {
        const int kind = source.below(6);
        const Integer digit = kind < 2    ? Integer(0)
                              : kind == 2 ? Integer(1)
                              : kind == 3 ? all_ones(52)
                              : kind == 4 ? all_ones(52) - source.below(40)
                                          : source.uniform_bits(52);
        x = (x << 52) | digit;
    }
    return store_unsigned(x, bits);
}
/// Of any class.
inline Integer some_number(OperandSource &source, int bits) {
    switch (source.below(3)) {
    case 0:
        return source.uniform_bits(bits);
    case 1:
        return digits(source, bits);
    default:
        return source.number(bits);
    }
}

/// A divisor of `bits` bits with its top bit set: its top digits may be the least or the largest
/// ones.
inline Integer divisor(OperandSource &source, int bits) {
    const Integer top = power_of_two(bits - 1);
    switch (bits > 2 ? source.below(6) : 0) {
    case 0:
        return top;
    case 1:
        return all_ones(bits) - source.below(3);
    case 2: // power_of_two(bits - 1) and a little more
        return top | some_number(source, 1 + source.below(bits - 1));
    case 3: // all ones at the top
        return all_ones(bits) - some_number(source, 1 + source.below(bits - 1));
    default:
        return top | some_number(source, bits);
    }
}

/// A quotient of up to so many bits, and what remains: the digits of a quotient are hard to find
/// where the quotient of what is left is next to an integer.
inline Integer dividend(OperandSource &source, const Integer &b, int quotient_bits) {
    const Integer q = some_number(source, quotient_bits);
    const int b_bits = b.bit_width();
    switch (source.below(4)) {
    case 0:
        return q * b + source.below(2);
    case 1:
        return q * b + (b - 1 - source.below(2));
    case 2:
        return q * b + modulo(some_number(source, 1 + source.below(b_bits)), b);
    default:
        return some_number(source, b_bits + quotient_bits - 1);
    }
}

/// Divisions by numbers of more than 128 bits, in so many vectors.
template <int vectors>
void check_divisions(long count) {
    OperandSource source(property_seed("divisions of one number", vectors));
    const int most = 52 * simd::divisor_digits(vectors);
    for (long i = 0, all = scaled(count); i < all; ++i) {
        const int b_bits = source.one_in(4) ? most : 129 + source.below(most - 128);
        const Integer b = divisor(source, b_bits);
        const int quotient_bits = 1 + source.below(source.one_in(2) ? 120 : 2 * most);
        const Integer a = std::max(dividend(source, b, quotient_bits), b);
        const int a_length = (a.bit_width() + 31) / 32;
        const int b_length = (b.bit_width() + 31) / 32;
        Limbs x(a, a_length), y(b, b_length);
        Limbs q(a_length - b_length + 1 + source.below(40)), r(b_length + source.below(40));
        std::vector<std::uint64_t> room(std::size_t(simd::division_room(32 * a_length, vectors)),
                                        ~std::uint64_t{0});
        const std::uint64_t room_guard = 0xa5a5a5a5a5a5a5a5;
        room.push_back(room_guard);
        const Integer quotient = a / b, remainder = a % b;
        INFO(a.to_string(), " by ", b.to_string(), "; WARPINT_TEST_SEED=", run_seed());
        simd::divide_in_vectors<vectors>(q.result(), r.result(), x.source(), y.source(),
                                         room.data());
        REQUIRE(q.value() == quotient);
        REQUIRE(r.value() == remainder);
        REQUIRE((q.intact() && r.intact() && room.back() == room_guard));
        REQUIRE((x.value() == a && y.value() == b));
        Limbs only(a_length), rest(b_length);
        simd::divide_in_vectors<vectors>(only.result(), {nullptr, 0}, x.source(), y.source(),
                                         room.data());
        simd::divide_in_vectors<vectors>({nullptr, 0}, rest.result(), x.source(), y.source(),
                                         room.data());
        REQUIRE(only.value() == quotient);
        REQUIRE(rest.value() == remainder);
        const simd::Source from = x.source(), by = y.source(); // over the operands
        simd::divide_in_vectors<vectors>(x.result(), y.result(), from, by, room.data());
        REQUIRE(x.value() == quotient);
        REQUIRE(y.value() == remainder);
        REQUIRE((x.intact() && y.intact() && room.back() == room_guard));
    }
}

/// Roots of numbers of up to `bits` bits: what is left to other code is untouched, and of numbers
/// as they come it is few.
template <int bits>
void check_roots(long count) {
    constexpr int vectors = simd::root_vectors(bits);
    constexpr int least = 6 * 52; // four digits
    OperandSource source(property_seed("root of one number", bits));
    long plain = 0, left = 0;
    for (long i = 0, all = scaled(count); i < all; ++i) {
        const int width = source.one_in(4) ? bits : least + source.below(bits - least + 1);
        Integer a = power_of_two(width - 1) | some_number(source, width);
        const bool is_plain = source.one_in(2);
        if (is_plain) {
            a = power_of_two(width - 1) | source.uniform_bits(width);
        } else if (source.one_in(2)) { // next to a square
            Integer s = power_of_two((width + 1) / 2 - 1) | some_number(source, (width + 1) / 2);
            a = s * s + (source.one_in(2) ? Integer(source.below(3) - 1) : s + s - source.below(2));
            if (a.bit_width() > bits || a.bit_width() < least)
                continue;
        }
        Integer s;
        mpz_sqrt(s.raw(), a.raw());
        const int length = (a.bit_width() + 31) / 32;
        Limbs x(a, length), root((s.bit_width() + 31) / 32 + source.below(40));
        std::vector<std::uint64_t> room(std::size_t(simd::root_room(32 * length)),
                                        ~std::uint64_t{0});
        if (simd::root_vectors(32 * length) != vectors) // narrower in a wide type
            room.assign(std::size_t(simd::root_room(bits)), ~std::uint64_t{0});
        const std::uint64_t room_guard = 0xa5a5a5a5a5a5a5a5;
        room.push_back(room_guard);
        INFO("root of ", a.to_string(), "; WARPINT_TEST_SEED=", run_seed());
        const bool done =
            simd::find_root_in_vectors<vectors>(root.result(), x.source(), room.data());
        REQUIRE((root.intact() && room.back() == room_guard && x.value() == a));
        if (done) {
            REQUIRE(root.value() == s);
            simd::find_root_in_vectors<vectors>(x.result(), x.source(), room.data());
            REQUIRE(x.value() == s); // over the number
            REQUIRE(x.intact());
        } else {
            REQUIRE(root.untouched());
        }
        plain += is_plain;
        left += is_plain && !done;
    }
    INFO(left, " of ", plain, " roots of ", bits, " bits are left");
    CHECK(plain > 0);
    CHECK(left <= 1 + plain * vectors / 20);
}

template <int N>
warpint::BigInt<N> to_number(const Integer &value) {
    warpint::BigInt<N> r{};
    to_limbs(r.limbs, r.limb_count, value);
    return r;
}

/// Numbers, of any width in their types: what is done in vectors, and in how many, is the
/// library's choice.
template <int N, int M>
void check_numbers(long count) {
    OperandSource source(property_seed("one number", N + M));
    for (long i = 0, all = scaled(count); i < all; ++i) {
        const int b_bits = source.one_in(2) ? M : 1 + source.below(M);
        const Integer b = divisor(source, b_bits > 1 ? b_bits : 2);
        const Integer a =
            store_unsigned(dividend(source, b, 1 + source.below(source.one_in(3) ? 80 : N)), N);
        const auto x = to_number<N>(a);
        const auto y = to_number<M>(b);
        INFO(a.to_string(), " by ", b.to_string(), "; WARPINT_TEST_SEED=", run_seed());
        const auto both = divmod(x, y);
        REQUIRE(unsigned_from_limbs(both.quotient.limbs, x.limb_count) == a / b);
        REQUIRE(unsigned_from_limbs(both.remainder.limbs, y.limb_count) == a % b);
        REQUIRE(x / y == both.quotient);
        REQUIRE(x % y == both.remainder);
        Integer s;
        mpz_sqrt(s.raw(), a.raw());
        const auto root = sqrt_rem(x);
        REQUIRE(unsigned_from_limbs(root.root.limbs, x.limb_count) == s);
        REQUIRE(unsigned_from_limbs(root.remainder.limbs, x.limb_count) == a - s * s);
        REQUIRE(isqrt(x) == root.root);
    }
}

// The same at pairs of widths, on both sides of the rows.
inline void check_numbers_of_many_widths(int count) {
    check_numbers<320, 288>(count);
    check_numbers<521, 521>(count);
    check_numbers<1024, 512>(count);
    check_numbers<1024, 1024>(count);
    check_numbers<2100, 2100>(count / 2);
    check_numbers<4096, 1040>(count / 2);
}

} // namespace test::one_number
