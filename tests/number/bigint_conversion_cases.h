// SPDX-License-Identifier: Apache-2.0
// Properties of BigInt and SignedBigInt as values: layout in memory, conversions to and from
// built-in integers and other widths, bytes.
//
// Part of bigint_cases.h.
#pragma once

#include "bigint_operands.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace bigint_cases {

// ---- layout -------------------------------------------------------------------------------------

template <int N>
void check_layout() {
    static_assert(BigInt<N>::bits == N && SignedBigInt<N>::bits == N);
    static_assert(BigInt<N>::limb_count == (N + 31) / 32);
    static_assert(sizeof(BigInt<N>) == 4 * ((N + 31) / 32));
    static_assert(sizeof(SignedBigInt<N>) == 4 * ((N + 31) / 32));
    static_assert(alignof(BigInt<N>) <= 16 && sizeof(BigInt<N>) % alignof(BigInt<N>) == 0);
    static_assert(std::is_trivially_copyable_v<BigInt<N>> &&
                  std::is_trivially_copyable_v<SignedBigInt<N>>);
    static_assert(std::is_standard_layout_v<BigInt<N>> &&
                  std::is_standard_layout_v<SignedBigInt<N>>);
    CHECK(to_integer(BigInt<N>{}) == 0);
    CHECK(to_integer(SignedBigInt<N>()) == 0);
}

// ---- conversions --------------------------------------------------------------------------------

template <typename A>
void check_conversions(const char *name, long count) {
    check_property(name, A::bits, count, draw_pair<A, A>, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        // Built-in integers keep the low bits.
        verdict.equal("uint64_t(a)", static_cast<std::uint64_t>(a), store_unsigned(v[0], 64));
        verdict.equal("int64_t(a)", static_cast<std::int64_t>(a), store_signed(v[0], 64));
        verdict.equal("uint32_t(a)", static_cast<std::uint32_t>(a), store_unsigned(v[0], 32));
        verdict.equal("int32_t(a)", static_cast<std::int32_t>(a), store_signed(v[0], 32));
        verdict.equal("uint8_t(a)", static_cast<std::uint8_t>(a), store_unsigned(v[0], 8));
        verdict.equal("int16_t(a)", static_cast<std::int16_t>(a), store_signed(v[0], 16));
        // Other widths and signs.
        constexpr int narrower = A::bits / 2 + 1;
        constexpr int wider = A::bits + 45;
        holds(verdict, "BigInt<wider>(a)", BigInt<wider>(a), v[0]);
        holds(verdict, "BigInt<narrower>(a)", BigInt<narrower>(a), v[0]);
        holds(verdict, "SignedBigInt<wider>(a)", SignedBigInt<wider>(a), v[0]);
        holds(verdict, "SignedBigInt<narrower>(a)", SignedBigInt<narrower>(a), v[0]);
        holds(verdict, "BigInt<same>(a)", BigInt<A::bits>(a), v[0]);
        holds(verdict, "SignedBigInt<same>(a)", SignedBigInt<A::bits>(a), v[0]);
        // An expression stored in a narrower number keeps its low bits.
        const A stored_product = a * a;
        holds(verdict, "A x = a * a", stored_product, v[0] * v[0]);
        A assigned{};
        assigned = a * a;
        holds(verdict, "x = a * a", assigned, v[0] * v[0]);
    });
    const auto from_builtin = [](const char *what, auto value) {
        Verdict verdict;
        const A a = value;
        holds(verdict, what, a, Integer(value));
        A b{};
        b = value;
        holds(verdict, what, b, Integer(value));
        INFO(verdict.message());
        CHECK_FALSE(verdict.failed());
    };
    from_builtin("uint64_t max", std::numeric_limits<std::uint64_t>::max());
    from_builtin("int64_t min", std::numeric_limits<std::int64_t>::min());
    from_builtin("int64_t max", std::numeric_limits<std::int64_t>::max());
    from_builtin("uint32_t max", std::numeric_limits<std::uint32_t>::max());
    from_builtin("int min", std::numeric_limits<int>::min());
    from_builtin("-1", -1);
    from_builtin("-2", static_cast<std::int8_t>(-2));
    from_builtin("unsigned short", static_cast<unsigned short>(65535));
    from_builtin("char", 'a');
    from_builtin("true", true);
}

// ---- bytes --------------------------------------------------------------------------------------

template <typename A>
void check_bytes(const char *name, long count) {
    constexpr std::size_t size = (A::bits + 7) / 8;
    const auto draw = [](OperandSource &source) -> Operands {
        return {draw_number<A>(source), Integer(source.below(int(size) + 9))};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const std::size_t length = v[1].to_uint64(); // of the caller's buffer
        const int length_bits = 8 * static_cast<int>(length);
        const bool in_range = is_signed_number<A> ? length > 0 && fits_signed(v[0], length_bits)
                                                  : fits_unsigned(v[0], length_bits);
        const bool fits = v[0].is_zero() || in_range;
        std::vector<std::uint8_t> expected = test::little_endian_bytes(v[0], length);
        for (std::endian order : {std::endian::little, std::endian::big}) {
            std::vector<std::uint8_t> out(length + 2, 0xa5); // with a guard byte at each end
            bool threw = false;
            try {
                to_bytes(a, std::span<std::uint8_t>(out).subspan(1, length), order);
            } catch (const std::length_error &) {
                threw = true;
            }
            verdict.is_true("to_bytes throws exactly if the value does not fit", threw == !fits);
            verdict.is_true("to_bytes stays inside", out.front() == 0xa5 && out.back() == 0xa5);
            if (fits) {
                const std::vector<std::uint8_t> got(out.begin() + 1, out.end() - 1);
                verdict.is_true("to_bytes", got == expected);
                holds(verdict, "from_bytes", A::from_bytes(got, order), v[0]);
            } else {
                verdict.is_true("a failed to_bytes writes nothing",
                                std::all_of(out.begin(), out.end(),
                                            [](std::uint8_t byte) { return byte == 0xa5; }));
            }
            std::reverse(expected.begin(), expected.end());
            const auto own = to_bytes(a, order); // the bytes of the type
            static_assert(own.size() == size);
            std::vector<std::uint8_t> own_expected = test::little_endian_bytes(v[0], size);
            if (order == std::endian::big) {
                std::reverse(own_expected.begin(), own_expected.end());
            }
            verdict.is_true("to_bytes(a, order)",
                            std::equal(own.begin(), own.end(), own_expected.begin()));
        }
    });
    // Values one beyond each end, and any number of leading zero bytes.
    const int value_bits = A::bits - (is_signed_number<A> ? 1 : 0);
    const auto refused = [&](const Integer &value, std::size_t length) {
        std::vector<std::uint8_t> bytes = test::little_endian_bytes(value, length);
        CHECK_THROWS_AS(A::from_bytes(bytes, std::endian::little), std::out_of_range);
        std::reverse(bytes.begin(), bytes.end());
        CHECK_THROWS_AS(A::from_bytes(bytes, std::endian::big), std::out_of_range);
    };
    const Integer beyond = test::power_of_two(value_bits);
    refused(beyond, size + 1);
    refused(beyond, size + 30);
    refused(test::power_of_two(8 * int(size) + 17), size + 30);
    if (is_signed_number<A>) {
        refused(-beyond - 1, size + 1);
        refused(-beyond - 1, size + 30);
    }
    std::vector<std::uint8_t> bytes(size + 40, 0);
    CHECK(to_integer(A::from_bytes(bytes, std::endian::little)) == 0);
    CHECK(to_integer(A::from_bytes({}, std::endian::big)) == 0);
    bytes.assign(size + 40, 0xff);
    if (is_signed_number<A>) {
        CHECK(to_integer(A::from_bytes(bytes, std::endian::big)) == -1);
    } else {
        CHECK_THROWS_AS(A::from_bytes(bytes, std::endian::big), std::out_of_range);
    }
}

} // namespace bigint_cases
