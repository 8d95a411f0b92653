// SPDX-License-Identifier: Apache-2.0
// Properties of the shifts and bit functions of BigInt and SignedBigInt.
//
// Part of bigint_cases.h.
#pragma once

#include "bigint_operands.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace bigint_cases {

// ---- << >> --------------------------------------------------------------------------------------

template <typename A>
void check_shifts(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        int shift = source.below(A::bits + 70);
        switch (source.below(6)) {
        case 0:
            shift = 32 * source.below(A::bits / 32 + 3);
            break;
        case 1:
            shift = source.below(64);
            break;
        case 2:
            shift = A::bits - 2 + source.below(4);
            break;
        default:
            break;
        }
        return {draw_number<A>(source), Integer(std::max(0, shift))};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const int shift = static_cast<int>(v[1].to_long());
        static_assert(std::is_same_v<decltype(a << shift), A>);
        static_assert(std::is_same_v<decltype(a >> shift), A>);
        const Integer left = v[0] << std::size_t(shift);
        const Integer right = v[0] >> std::size_t(shift);
        holds(verdict, "a << k", a << shift, left);
        holds(verdict, "a >> k", a >> shift, right);
        holds(verdict, "a << unsigned k", a << static_cast<unsigned>(shift), left);
        holds(verdict, "a >> unsigned k", a >> static_cast<unsigned>(shift), right);
        holds(verdict, "a << BigInt k", a << BigInt<64>(shift), left);
        holds(verdict, "a >> BigInt k", a >> BigInt<64>(shift), right);
        A x = a;
        x <<= shift;
        holds(verdict, "a <<= k", x, left);
        x = a;
        x >>= shift;
        holds(verdict, "a >>= k", x, right);
    });
    const A minus_one = from_integer<A>(Integer(-1)); // all ones
    const A sign = is_signed_number<A> ? minus_one : A{};
    CHECK((minus_one << std::numeric_limits<int>::max()) == A{});
    CHECK((minus_one >> std::numeric_limits<int>::max()) == sign);
    CHECK((minus_one << std::numeric_limits<std::uint64_t>::max()) == A{});
    CHECK((minus_one >> std::numeric_limits<std::uint64_t>::max()) == sign);
    CHECK((minus_one << (BigInt<100>(1) << 99)) == A{});
    CHECK((minus_one >> (BigInt<100>(1) << 99)) == sign);
    CHECK((minus_one << -1) == A{}); // a negative count has no bits left either
    CHECK((minus_one >> -1) == sign);
    CHECK((minus_one << A::bits) == A{});
    CHECK((minus_one >> A::bits) == sign);
}

// ---- bit functions ------------------------------------------------------------------------------

template <int N>
void check_bits(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        return {source.number(N), Integer(source.below(N)), Integer(source.below(N))};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        const BigInt<N> a = from_integer<BigInt<N>>(v[0]);
        const int index = static_cast<int>(v[1].to_long());
        const Integer mask = test::power_of_two(index);
        verdict.equal("bit_width", to_integer(bit_width(a)), v[0].bit_width());
        verdict.equal("countl_zero", to_integer(countl_zero(a)), N - v[0].bit_width());
        verdict.equal("countr_zero", to_integer(countr_zero(a)),
                      v[0].is_zero() ? N : v[0].trailing_zeros());
        verdict.equal("popcount", to_integer(popcount(a)), v[0].popcount());
        verdict.is_true("has_single_bit", has_single_bit(a) == (v[0].popcount() == 1));
        verdict.is_true("test_bit", test_bit(a, index) == v[0].bit(std::size_t(index)));
        verdict.is_true("test_bit beyond the width", !test_bit(a, N) && !test_bit(a, N + 100));
        holds(verdict, "set_bit", set_bit(a, index), v[0] | mask);
        holds(verdict, "set_bit(false)", set_bit(a, index, false), v[0] & ~mask);
        holds(verdict, "set_bit beyond the width", set_bit(a, N), v[0]);
        const int turn = v[2].to_long() % N;
        const Integer turned_left = (v[0] << std::size_t(turn)) | (v[0] >> std::size_t(N - turn));
        const Integer turned_right = (v[0] >> std::size_t(turn)) | (v[0] << std::size_t(N - turn));
        holds(verdict, "rotl", rotl(a, turn), turned_left);
        holds(verdict, "rotl by more than the width", rotl(a, turn + 3 * N), turned_left);
        holds(verdict, "rotl by a negative count", rotl(a, -turn), turned_right);
        holds(verdict, "rotr", rotr(a, turn), turned_right);
        verdict.is_true("explicit operator bool", static_cast<bool>(a) == !v[0].is_zero());
    });
}

} // namespace bigint_cases
