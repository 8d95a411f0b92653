// SPDX-License-Identifier: Apache-2.0
// Test bodies of numbers side by side (arith/simd/group.h) against GMP, for the CPU's vectors and
// for the emulated ones. What a function leaves to scalar code must not have been touched, and must
// be what its contract says.
#pragma once

#include "support/property.h"

#include <warpint/arith/simd/group.h>
#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace test::side_by_side {

namespace simd = warpint::simd;
using simd::Operand;
using simd::Target;
using simd::Timing;

/// Elements of a group in limbs, each with a guard limb behind it.
class Batch {
public:
    Batch(int bits, int count)
        : bits_{bits}, limbs_{(bits + 31) / 32},
          data_(static_cast<std::size_t>(count) * stride(), guard) {}

    void set(int i, const Integer &value) {
        std::uint32_t *const at = element(i);
        std::memset(at, 0, 4 * static_cast<std::size_t>(limbs_));
        mpz_export(at, nullptr, -1, 4, 0, 0, value.raw());
    }
    [[nodiscard]] Integer get(int i) const {
        Integer x;
        mpz_import(x.raw(), static_cast<std::size_t>(limbs_), -1, 4, 0, 0,
                   data_.data() + static_cast<std::size_t>(i) * stride());
        return x;
    }
    [[nodiscard]] bool untouched(int i) const {
        for (int j = 0; j < limbs_; ++j) {
            if (data_[static_cast<std::size_t>(i) * stride() + static_cast<std::size_t>(j)] !=
                guard) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] bool guards_intact() const {
        for (std::size_t i = stride() - 1; i < data_.size(); i += stride()) {
            if (data_[i] != guard) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] Operand operand(bool shared = false) const {
        return {data_.data(), shared ? 0 : 4 * stride(), bits_};
    }
    [[nodiscard]] Target target() { return {data_.data(), 4 * stride(), bits_}; }

private:
    static constexpr std::uint32_t guard = 0xa5a5a5a5;
    [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(limbs_) + 1; }
    std::uint32_t *element(int i) { return data_.data() + static_cast<std::size_t>(i) * stride(); }

    int bits_;
    int limbs_;
    std::vector<std::uint32_t> data_;
};

/// Counts; fails at the first wrong element with its operands.
class Judge {
public:
    Judge(const char *what, int bits) : what_{what}, bits_{bits} {}
    Judge(const Judge &) = delete;
    Judge &operator=(const Judge &) = delete;
    ~Judge() {
        INFO(what_, " at ", bits_, " bits; first failure: ", first_,
             "; WARPINT_TEST_SEED=", run_seed());
        CHECK(failures_ == 0);
        CHECK(done_ > 0);
        CHECK(left_ <= left_limit());
    }
    /// Of all elements, at most the expected ones and one in `divisor` others may be left.
    void may_leave_one_in(long divisor) { divisor_ = divisor; }

    void done(const Integer &got, const Integer &expected,
              std::initializer_list<Integer> operands) {
        ++done_;
        if (got == expected || failures_++ != 0) {
            return;
        }
        std::ostringstream text;
        text << "got " << got << ", expected " << expected << " for";
        for (const Integer &x : operands) {
            text << " " << x;
        }
        first_ = text.str();
    }
    void left(bool expected, bool untouched) {
        if (!expected) {
            ++left_;
        }
        if (!untouched) {
            is_true(false, "an element that was left is untouched");
        }
    }
    void is_true(bool condition, const char *what) {
        if (!condition && failures_++ == 0) {
            first_ = what;
        }
    }

private:
    [[nodiscard]] long left_limit() const { return divisor_ == 0 ? 0 : (done_ + left_) / divisor_; }

    std::string what_;
    int bits_;
    std::string first_;
    long done_ = 0;
    long left_ = 0;
    long failures_ = 0;
    long divisor_ = 0;
};

/// Group sizes: tails of every length, and whole groups.
inline int draw_count(OperandSource &source) {
    return source.one_in(4) ? 32 : 1 + source.below(17);
}

/// Powers, each lane its own base, exponent and modulus, or any of them shared; exponents of
/// ExponentBits bits.
template <int Bits, Timing timing>
void check_powers(int exponent_bits, long groups) {
    OperandSource source(property_seed("powers side by side", 2 * Bits + exponent_bits));
    Judge judge(timing == Timing::constant ? "powers in constant time" : "powers", Bits);
    for (long group = 0, all = scaled(groups); group < all; ++group) {
        const int count = draw_count(source);
        const int base_bits = source.one_in(4) ? 2 * Bits : Bits;
        const bool one_exponent = source.one_in(3);
        const bool one_modulus = source.one_in(3);
        const bool plain = source.one_in(4); // full length, odd
        // As they come, most of them even.
        const bool even = timing == Timing::variable && source.one_in(3);
        Batch base(base_bits, count), exponent(exponent_bits, count), modulus(Bits, count);
        Batch result(Bits, count);
        for (int i = 0; i < count; ++i) {
            OperandTriple t = source.triple(base_bits, base_bits, Bits);
            Integer m = plain ? source.uniform_bits(Bits) | power_of_two(Bits - 1) | 1 : t.m;
            if (even) {
                m = store_unsigned(m << std::size_t(source.below(3) * source.below(Bits)), Bits);
            } else if (!source.one_in(8)) {
                m = m | 1;
            } else if (source.one_in(8)) {
                m = 0;
            }
            base.set(i, source.one_in(8) ? store_unsigned(m, base_bits) : t.a);
            exponent.set(i, plain ? source.uniform_bits(exponent_bits)
                                  : source.exponent(exponent_bits, m));
            modulus.set(i, m);
        }
        const std::uint32_t undone = simd::power<Bits, timing>(result.target(), base.operand(),
                                                               exponent.operand(one_exponent),
                                                               modulus.operand(one_modulus), count);
        judge.is_true(result.guards_intact(), "memory behind the results");
        for (int i = 0; i < count; ++i) {
            const Integer m = modulus.get(one_modulus ? 0 : i);
            const Integer a = base.get(i);
            const Integer e = exponent.get(one_exponent ? 0 : i);
            const bool can = timing == Timing::variable ? m != 0 : (m & 1) == 1;
            if ((undone >> i & 1u) != 0) {
                const bool alone = i == count - 1 && (i % 8 == 0);
                // Neighbours whose moduli have odd parts of a quarter of the limbs are faster one
                // by one.
                const bool is_short =
                    Bits > 256 && m != 0 &&
                    m >> mpz_scan1(m.raw(), 0) < power_of_two(32 * ((Bits + 31) / 32 / 4));
                judge.left(!can || ((alone || is_short) && timing == Timing::variable),
                           result.untouched(i));
            } else {
                judge.is_true(can, "what cannot be done is left to scalar code");
                if (can) {
                    Integer expected;
                    mpz_powm(expected.raw(), a.raw(), e.raw(), m.raw());
                    judge.done(result.get(i), expected, {a, e, m});
                }
            }
        }
    }
}

/// Exact products, squares among them; b narrower at times, and the result wider than the product.
template <int Bits>
void check_products(long groups) {
    OperandSource source(property_seed("products side by side", Bits));
    Judge judge("products", Bits);
    for (long group = 0, all = scaled(groups); group < all; ++group) {
        const int count = draw_count(source);
        const bool squares = source.one_in(4);
        const int b_bits = squares || !source.one_in(4) ? Bits : 1 + source.below(Bits);
        const int more_bits = source.one_in(4) ? source.below(1100) : 0;
        Batch a(Bits, count), b(b_bits, count), result(Bits + b_bits + more_bits, count);
        const bool one_factor = !squares && source.one_in(4);
        for (int i = 0; i < count; ++i) {
            const OperandPair pair = source.pair(Bits, b_bits);
            a.set(i, pair.a);
            b.set(i, pair.b);
        }
        const std::uint32_t undone = simd::multiply<Bits>(
            result.target(), a.operand(), squares ? a.operand() : b.operand(one_factor), count);
        judge.is_true(result.guards_intact(), "memory behind the results");
        for (int i = 0; i < count; ++i) {
            const Integer x = a.get(i);
            const Integer y = squares ? x : b.get(one_factor ? 0 : i);
            if ((undone >> i & 1u) != 0) {
                judge.left(count % 8 != 0 && count % 8 < simd::min_product_elements &&
                               i >= count / 8 * 8,
                           result.untouched(i));
            } else {
                judge.done(result.get(i), x * y, {x, y});
            }
        }
    }
}

/// a b mod m; with `hostile` of all classes, else random with moduli of full length, of which none
/// may be left to scalar code.
template <int Bits>
void check_modular_products(long groups, bool hostile) {
    OperandSource source(property_seed("remainders side by side", 2 * Bits + (hostile ? 1 : 0)));
    Judge judge(hostile ? "hostile a b mod m" : "random a b mod m", Bits);
    if (hostile) {
        judge.may_leave_one_in(1);
    }
    for (long group = 0, all = scaled(groups); group < all; ++group) {
        const int count = draw_count(source);
        const bool one_modulus = source.one_in(4);
        const bool squares = source.one_in(4);
        Batch a(Bits, count), b(Bits, count), modulus(Bits, count), result(Bits, count);
        for (int i = 0; i < count; ++i) {
            if (hostile) {
                const OperandTriple t = source.triple(Bits, Bits, Bits);
                a.set(i, t.a);
                b.set(i, t.b);
                modulus.set(i, source.one_in(16) ? Integer(0) : t.m);
            } else {
                a.set(i, source.uniform_bits(Bits));
                b.set(i, source.uniform_bits(Bits));
                modulus.set(i, source.uniform_bits(Bits) | power_of_two(Bits - 1));
            }
        }
        const std::uint32_t undone = simd::multiply_modulo<Bits>(
            result.target(), a.operand(), squares ? a.operand() : b.operand(),
            modulus.operand(one_modulus), count);
        judge.is_true(result.guards_intact(), "memory behind the results");
        for (int i = 0; i < count; ++i) {
            const Integer m = modulus.get(one_modulus ? 0 : i);
            const Integer x = a.get(i);
            const Integer y = squares ? x : b.get(i);
            if ((undone >> i & 1u) != 0) {
                judge.left(m == 0 || (count % 8 != 0 && count % 8 < simd::min_product_elements &&
                                      i >= count / 8 * 8),
                           result.untouched(i));
            } else {
                judge.is_true(m != 0, "the modulus 0 is left to scalar code");
                if (m != 0) {
                    judge.done(result.get(i), modulo(x * y, m), {x, y, m});
                }
            }
        }
    }
}

/// a / m and a mod m of dividends of other widths, together and each alone; as above.
template <int Bits>
void check_divisions(long groups, bool hostile) {
    OperandSource source(property_seed("divisions side by side", 2 * Bits + (hostile ? 1 : 0)));
    Judge judge(hostile ? "hostile a / m" : "random a / m", Bits);
    if (hostile)
        judge.may_leave_one_in(1);
    for (long group = 0, all = scaled(groups); group < all; ++group) {
        const int count = draw_count(source);
        const bool one_modulus = source.one_in(4);
        const int kind = source.below(3); // both, quotients, remainders
        const int a_bits = source.one_in(2)   ? 2 * Bits
                           : source.one_in(2) ? Bits
                                              : Bits / 2 + source.below(3 * Bits / 2);
        Batch a(a_bits, count), modulus(Bits, count);
        Batch quotient(a_bits, count), remainder(Bits, count);
        for (int i = 0; i < count; ++i) {
            if (hostile) {
                const OperandTriple t = source.triple(a_bits, a_bits, Bits);
                const Integer multiple = t.m * store_unsigned(t.b, std::max(a_bits - Bits, 1)) -
                                         Integer(source.below(2));
                a.set(i, source.one_in(2) && multiple.sign() >= 0 ? store_unsigned(multiple, a_bits)
                                                                  : t.a);
                modulus.set(i, source.one_in(16) ? Integer(0) : t.m);
            } else {
                a.set(i, source.uniform_bits(a_bits));
                modulus.set(i, source.uniform_bits(Bits) | power_of_two(Bits - 1));
            }
        }
        const Target q = quotient.target(), r = remainder.target();
        const std::uint32_t undone =
            simd::divide<2 * Bits>(kind != 2 ? &q : nullptr, kind != 1 ? &r : nullptr, a.operand(),
                                   modulus.operand(one_modulus), count);
        judge.is_true(quotient.guards_intact() && remainder.guards_intact(),
                      "memory behind the results");
        for (int i = 0; i < count; ++i) {
            const Integer m = modulus.get(one_modulus ? 0 : i);
            const Integer x = a.get(i);
            if ((undone >> i & 1u) != 0) {
                judge.left(m == 0 || (count % 8 != 0 && count % 8 < simd::min_product_elements &&
                                      i >= count / 8 * 8),
                           quotient.untouched(i) && remainder.untouched(i));
            } else {
                judge.is_true(m != 0, "the modulus 0 is left to scalar code");
                if (m == 0)
                    continue;
                if (kind != 2)
                    judge.done(quotient.get(i), x / m, {x, m});
                if (kind != 1)
                    judge.done(remainder.get(i), modulo(x, m), {x, m});
                judge.is_true(kind != 2 || quotient.untouched(i), "quotients that nobody wants");
                judge.is_true(kind != 1 || remainder.untouched(i), "remainders that nobody wants");
            }
        }
    }
}

/// What roots are taken of: numbers of full length, such next to squares, and of all lengths:
/// hostile ones, next to squares of roots that end in zeros, next to powers of two.
enum class RootsOf { random, near_squares, any };

inline Integer draw_radicand(OperandSource &source, int bits, RootsOf of) {
    if (of == RootsOf::random)
        return source.uniform_bits(bits) | power_of_two(bits - 1);
    if (of == RootsOf::any) {
        switch (source.below(6)) {
        case 0:
            return source.number(bits);
        case 1:
            return store_unsigned(power_of_two(source.below(bits + 1)) - Integer(source.below(2)),
                                  bits);
        case 2:
            return Integer(source.below(6));
        default:
            break;
        }
    }
    const bool full = of == RootsOf::near_squares;
    const int root_bits = full ? bits / 2 : 1 + source.below(bits / 2);
    const Integer root = full ? source.uniform_bits(root_bits) | power_of_two(root_bits - 1)
                              : source.number(root_bits)
                                    << std::size_t(source.below(bits / 2 - root_bits + 1));
    const Integer square = root * root;
    switch (source.below(5)) {
    case 0:
        return square;
    case 1:
        return square.is_zero() ? square : square - Integer(1);
    case 2:
        return square + Integer(1);
    case 3:
        return square + root + root - Integer(source.below(2) * (root.is_zero() ? 0 : 1));
    default:
        return square + root;
    }
}

/// Square roots; in two's complement those of negative numbers are left.
template <int Bits, bool is_signed>
void check_roots(long groups, RootsOf of) {
    OperandSource source(
        property_seed("roots side by side", 8 * Bits + 2 * static_cast<int>(of) + is_signed));
    Judge judge("roots", Bits);
    const int room = 32 * ((Bits + 31) / 32);
    for (long group = 0, all = scaled(groups); group < all; ++group) {
        const int count = draw_count(source);
        const bool one_length = source.one_in(2);
        const int length = of == RootsOf::any && one_length ? 2 + source.below(Bits - is_signed - 1)
                                                            : Bits - is_signed;
        Batch a(Bits, count), result(Bits, count);
        for (int i = 0; i < count; ++i) {
            const Integer x = draw_radicand(source, length, of);
            const bool negative = is_signed && !x.is_zero() && source.one_in(8);
            a.set(i, negative ? power_of_two(room) - x : x);
        }
        const std::uint32_t undone =
            simd::square_root<Bits, is_signed>(result.target(), a.operand(), count);
        judge.is_true(result.guards_intact(), "memory behind the results");
        for (int i = 0; i < count; ++i) {
            const Integer x = a.get(i);
            const bool negative = is_signed && x >= power_of_two(room - 1);
            if ((undone >> i & 1u) != 0) {
                judge.left(negative || (count % 8 != 0 && count % 8 < simd::min_product_elements &&
                                        i >= count / 8 * 8),
                           result.untouched(i));
            } else {
                judge.is_true(!negative, "negative numbers are left to scalar code");
                Integer root;
                mpz_sqrt(root.raw(), x.raw());
                judge.done(result.get(i), root, {x});
            }
        }
    }
}

/// a b mod m whose partial remainders are m - 1 - d, d small in half of them: next to what a
/// quotient digit may leave. a = k m + m - 1 - d, b a power of 2^52.
template <int Bits>
void check_remainders_next_to_modulus(long groups) {
    OperandSource source(property_seed("remainders next to the modulus", Bits));
    Judge judge("a b mod m next to m", Bits);
    judge.may_leave_one_in(1);
    for (long group = 0, all = scaled(groups); group < all; ++group) {
        const int length = Bits / 2 + source.below(Bits / 2 - 2);
        Batch a(Bits, 16), b(Bits, 16), modulus(Bits, 16), result(Bits, 16);
        for (int i = 0; i < 16; ++i) {
            const Integer m = source.uniform_bits(length) | power_of_two(length - 1);
            const Integer k = source.uniform_bits(1 + source.below(Bits - length - 1));
            const Integer below =
                source.one_in(2) ? source.uniform_bits(length - 1) : source.uniform_bits(2);
            a.set(i, k * m + m - Integer(1) - below);
            b.set(i, power_of_two(52 * source.below(Bits / 52)));
            modulus.set(i, m);
        }
        const std::uint32_t undone = simd::multiply_modulo<Bits>(
            result.target(), a.operand(), b.operand(), modulus.operand(), 16);
        for (int i = 0; i < 16; ++i) {
            if ((undone >> i & 1u) != 0) {
                judge.left(true, result.untouched(i));
            } else {
                const Integer m = modulus.get(i), x = a.get(i), y = b.get(i);
                judge.done(result.get(i), modulo(x * y, m), {x, y, m});
            }
        }
    }
}

/// (a b + c) mod m and (a b + c d) mod m of the largest operands, whose sums are a bit longer than
/// the products, for each shift that normalises m. Without a digit at the top, elements would be
/// left to scalar code.
template <int Bits>
void check_largest_sums_modulo() {
    OperandSource source(property_seed("largest sums side by side", Bits));
    Judge judge("the largest sums mod m", Bits);
    judge.may_leave_one_in(100);
    constexpr int count = 16;
    Batch x(Bits, count), c(2 * Bits, count), modulus(Bits, count);
    for (int i = 0; i < count; ++i) {
        x.set(i, all_ones(Bits));
        c.set(i, all_ones(2 * Bits));
    }
    const Integer square = x.get(0) * x.get(0);
    for (int shift = 0; shift < 52; ++shift) {
        const int length = Bits - shift;
        for (int i = 0; i < count; ++i)
            modulus.set(i, source.uniform_bits(length - 1) | power_of_two(length - 1));
        for (const bool two : {false, true}) {
            Batch result(Bits, count);
            const Operand a = x.operand(), m = modulus.operand();
            const std::uint32_t undone =
                two ? simd::multiply_add_modulo<Bits>(result.target(), a, a, a, a, m, count)
                    : simd::multiply_add_modulo<Bits>(result.target(), a, a, c.operand(), m, count);
            for (int i = 0; i < count; ++i) {
                if ((undone >> i & 1u) != 0) {
                    judge.left(false, result.untouched(i));
                } else {
                    judge.done(result.get(i),
                               modulo(square + (two ? square : c.get(i)), modulus.get(i)),
                               {modulus.get(i)});
                }
            }
        }
    }
}

/// Everything at one width, `groups` groups each.
template <int Bits>
void check_width(long groups) {
    check_powers<Bits, Timing::variable>(Bits, groups);
    check_powers<Bits, Timing::variable>(17, groups);
    check_powers<Bits, Timing::constant>(Bits, groups / 2 + 1);
    check_powers<Bits, Timing::constant>(70, groups / 2 + 1);
    check_products<Bits>(2 * groups);
    check_modular_products<Bits>(2 * groups, true);
    check_modular_products<Bits>(groups, false);
    check_divisions<Bits>(2 * groups, true);
    check_divisions<Bits>(groups, false);
    for (const RootsOf of : {RootsOf::random, RootsOf::near_squares, RootsOf::any}) {
        check_roots<Bits, false>(2 * groups, of);
        check_roots<Bits, true>(groups, of);
    }
    if constexpr (Bits >= 256)
        check_remainders_next_to_modulus<Bits>(groups);
}

} // namespace test::side_by_side
