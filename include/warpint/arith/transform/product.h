// SPDX-License-Identifier: Apache-2.0
// The product of two long numbers by the threads of a block (shape.h). One text for kernels and for
// hosts, where tests run the threads in turn:
//
//   block.each(f)               f(t, own) for each thread t with what it holds, behind which they
//                               wait for each other
//   block.each_alone(f)         the same without waiting
//   block.store_four(to, from)  four limbs
//   block.shared                Shape::shared_bytes, on a multiple of 16
//   block.kept                  room for Shape::size values, if they are not kept there
#pragma once

#include "../../limb/assert.h"
#include "shape.h"

namespace warpint::transform {

// A number in memory: 0 < count limbs; of a signed one in two's complement.
struct Factor {
    const std::uint32_t *limbs;
    int count;
    bool is_signed;
};

// Where `count` limbs of a product go that follow so many others. Of the last only some bits count;
// those above are zeros, or of a signed number its sign. valid: else zeros are written.
struct Stored {
    std::uint32_t *limbs;
    int skipped;
    int count;
    int unused_bits; // of the last
    bool is_signed;
    bool valid;
};

namespace detail {

// Balanced digit j of a number, or 0 beyond its end.
WARPINT_HOST_DEVICE WARPINT_INLINE int balanced_digit(const Factor &x, int j) {
    const int k = j / 2;
    const int last = x.count - 1;
    const std::uint32_t limb = x.limbs[k < last ? k : last];
    const std::uint32_t before = x.limbs[k > 0 ? (k - 1 < last ? k - 1 : last) : 0];
    // The digit, and the one before it: the low half's top bit is the carry.
    const std::uint32_t two =
        j % 2 != 0 ? limb : limb << 16 | (k > 0 ? before >> 16 : std::uint32_t{0});
    const int carry = static_cast<int>(two >> 15 & 1u);
    const int d =
        j < 2 * last + 1 || x.is_signed ? static_cast<int>(two) >> 16 : static_cast<int>(two >> 16);
    WARPINT_ASSERT(-(1 << 15) <= d && d + carry <= (j < 2 * last + 1 ? 1 << 15 : 1 << 16));
    return j <= 2 * last + 1 ? d + carry : 0;
}

// The integer next to x, |x| < 2^51, of which x is off by at most max_error.
WARPINT_HOST_DEVICE WARPINT_INLINE std::int64_t to_integer(double x,
                                                           [[maybe_unused]] double max_error) {
    constexpr double shift = 0x1.8p52;
    WARPINT_ASSERT(-0x1p51 < x && x < 0x1p51);
    const double shifted = x + shift;
    std::int64_t bits;
    std::int64_t zero;
    __builtin_memcpy(&bits, &shifted, sizeof(bits));
    __builtin_memcpy(&zero, &shift, sizeof(zero));
    WARPINT_ASSERT(static_cast<double>(bits - zero) - x <= max_error &&
                   x - static_cast<double>(bits - zero) <= max_error);
    return bits - zero;
}

// The carry out of a thread's limbs for one of -1, 0 or 1 into them. Only limbs that are all 0 or
// all ones pass one on.
//   bits 0, 1   the carry out for 0, plus 1
//   bits 2, 3   of the limbs: whether they are all 0, all ones
struct CarryOut {
    std::uint32_t bits;

    WARPINT_HOST_DEVICE static CarryOut of(int carry, bool all_zeros, bool all_ones) {
        return {static_cast<std::uint32_t>(carry + 1) | (all_zeros ? 4u : 0u) |
                (all_ones ? 8u : 0u)};
    }
    [[nodiscard]] WARPINT_HOST_DEVICE bool depends() const { return bits > 3; }
    [[nodiscard]] WARPINT_HOST_DEVICE int operator()(int in) const {
        const int out = static_cast<int>(bits & 3u) - 1;
        return (in < 0 && (bits & 4u) != 0) || (in > 0 && (bits & 8u) != 0) ? out + in : out;
    }
};

} // namespace detail

// What a thread holds.
struct ThreadOfProduct {
    Complex v[16];
    std::uint32_t limbs[16];
};

// The passes of a transform.
template <int log_size, class Block>
struct Passes {
    using S = Shape<log_size>;
    Block &block;
    const Complex *roots; // Shape::roots of them

    // Values change hands between two passes. A thread's v[k] are values k of its last pass, of the
    // other its outputs in the order of reversed().
    template <int from, int to>
    WARPINT_HOST_DEVICE WARPINT_INLINE void exchange() const {
        constexpr bool is_forward = from < to;
        double *const shared = reinterpret_cast<double *>(block.shared);
        const auto write = [shared](int t, const ThreadOfProduct &own, double Complex::*part) {
            double *const first = shared + S::first_place(from, t);
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 16; ++k)
                first[S::place(from, k)] = own.v[is_forward ? reversed(k) : k].*part;
        };
        const auto read = [shared](int t, ThreadOfProduct &own, double Complex::*part) {
            const double *const first = shared + S::first_place(to, t);
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 16; ++k)
                own.v[is_forward ? k : reversed(k)].*part = first[S::place(to, k)];
        };
        block.each([&](int t, ThreadOfProduct &own) { write(t, own, &Complex::re); });
        block.each([&](int t, ThreadOfProduct &own) { read(t, own, &Complex::re); });
        block.each([&](int t, ThreadOfProduct &own) { write(t, own, &Complex::im); });
        block.each([&](int t, ThreadOfProduct &own) { read(t, own, &Complex::im); });
    }

    template <int pass>
    WARPINT_HOST_DEVICE WARPINT_INLINE void forward_from(const Factor *x) const {
        if constexpr (pass == S::last) {
            block.each_alone([&](int, ThreadOfProduct &own) {
                WARPINT_UNROLL_ALWAYS
                for (int k = 0; k < 16; k += S::radix_of_last)
                    forward<S::radix_of_last>(own.v + k);
            });
        } else {
            block.each_alone([&](int t, ThreadOfProduct &own) {
                if constexpr (pass == 0)
                    load(*x, t, own);
                forward<16>(own.v);
                multiply_by_roots<pass, false>(t, own);
            });
            exchange<pass, pass + 1>();
            forward_from<pass + 1>(x);
        }
    }

    // Back to pass 0; the values are then those of the coefficients times n theta^j.
    template <int pass>
    WARPINT_HOST_DEVICE WARPINT_INLINE void inverse_from() const {
        if constexpr (pass == S::last) {
            block.each_alone([&](int, ThreadOfProduct &own) {
                WARPINT_UNROLL_ALWAYS
                for (int k = 0; k < 16; k += S::radix_of_last)
                    inverse<S::radix_of_last>(own.v + k);
            });
        } else {
            exchange<pass + 1, pass>();
            block.each_alone([&](int t, ThreadOfProduct &own) {
                multiply_by_roots<pass, true>(t, own);
                inverse<16>(own.v);
            });
        }
        if constexpr (pass > 0)
            inverse_from<pass - 1>();
    }

private:
    // Output q of a pass times its root, or the root's conjugate.
    template <int pass, bool conjugated>
    WARPINT_HOST_DEVICE WARPINT_INLINE void multiply_by_roots(int t, ThreadOfProduct &own) const {
        const auto of = [](const Complex &w) { return conjugated ? conjugate(w) : w; };
        const Complex *const first = roots + S::first_root(pass) + t % S::distance(pass);
        if constexpr (pass == 0) { // half as much to read, of what does not fit a cache
            Complex up_to_3[4];
            WARPINT_UNROLL_ALWAYS
            for (int q = 1; q < 4; ++q)
                up_to_3[q] = first[(3 + q) * S::distance(0)];
            WARPINT_UNROLL_ALWAYS
            for (int q = 0; q < 16; ++q) {
                const Complex w = first[q / 4 * S::distance(0)];
                Complex &value = own.v[reversed(q)];
                value = value * of(q % 4 == 0 ? w : w * up_to_3[q % 4]);
            }
        } else {
            WARPINT_UNROLL_ALWAYS
            for (int q = 1; q < 16; ++q) {
                Complex &value = own.v[reversed(q)];
                value = value * of(first[(q - 1) * S::distance(pass)]);
            }
        }
    }

    // The digits of a thread, times theta^(k n / 16).
    WARPINT_HOST_DEVICE WARPINT_INLINE static void load(const Factor &x, int t,
                                                        ThreadOfProduct &own) {
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 16; ++k) {
            const double re = detail::balanced_digit(x, t + k * S::threads);
            const Complex w = root_of_64(k);
            own.v[k] = Complex{re * w.re, re * w.im};
        }
        if (2 * x.count > S::size) {
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 16; ++k) {
                const double im = detail::balanced_digit(x, S::size + t + k * S::threads);
                const Complex w = root_of_64(k);
                own.v[k] = own.v[k] + Complex{-im * w.im, im * w.re};
            }
        }
    }
};

// The limbs of a product from its coefficients.
template <int log_size, class Block>
WARPINT_HOST_DEVICE WARPINT_INLINE void resolve_carries(Block &block, const Stored &to) {
    using S = Shape<log_size>;
    auto *const digits = reinterpret_cast<std::int64_t *>(block.shared);
    auto *const carries = reinterpret_cast<std::int64_t *>(block.shared + S::digits_bytes);
    auto *const outs = reinterpret_cast<detail::CarryOut *>(carries + S::threads);
    // Coefficients in [0, n), which the first half of the threads takes 32 each, then those in
    // [n, 2n) for the others; i at i + i / 32.
    const auto place = [](int i) { return i + i / 32; };
    static_assert(S::threads % 32 == 0);
    block.each_alone([&](int, ThreadOfProduct &own) {
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 16; ++k) {
            constexpr double scale = 1.0 / S::size;
            const Complex w = root_of_64(k);
            own.v[k] = own.v[k] * Complex{w.re * scale, -w.im * scale};
        }
    });
    const auto take_half = [&](double Complex::*part, int first_thread) {
        block.each([&](int t, ThreadOfProduct &own) {
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 16; ++k)
                digits[place(t) + place(k * S::threads)] =
                    detail::to_integer(own.v[k].*part, S::max_error);
        });
        block.each([&](int t, ThreadOfProduct &own) {
            const int at = t - first_thread;
            if (at < 0 || at >= S::threads / 2)
                return;
            std::int64_t sum = 0;
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 16; ++k) {
                sum += digits[33 * at + 2 * k];
                const auto low = static_cast<std::uint32_t>(sum) & 0xffffu;
                sum >>= 16;
                sum += digits[33 * at + 2 * k + 1];
                own.limbs[k] = low | static_cast<std::uint32_t>(sum) << 16;
                sum >>= 16;
            }
            carries[t] = sum;
        });
    };
    take_half(&Complex::re, 0);
    take_half(&Complex::im, S::threads / 2);
    // Each adds what its neighbour carries; what that gives is -1, 0 or 1.
    block.each([&](int t, ThreadOfProduct &own) {
        std::int64_t carry = t == 0 ? 0 : carries[t - 1];
        std::uint32_t all = 0xffffffffu;
        std::uint32_t any = 0;
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 16; ++k) {
            carry += own.limbs[k];
            own.limbs[k] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
            all &= own.limbs[k];
            any |= own.limbs[k];
        }
        WARPINT_ASSERT(-1 <= carry && carry <= 1);
        outs[t] = detail::CarryOut::of(static_cast<int>(carry), any == 0, all == 0xffffffffu);
    });
    const auto last = [&to](std::uint32_t limb) {
        const std::uint32_t shifted = limb << to.unused_bits;
        return to.is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(shifted) >>
                                                         to.unused_bits)
                            : shifted >> to.unused_bits;
    };
    block.each([&](int t, ThreadOfProduct &own) {
        int from = t - 1; // whose carry is known
        while (from > 0 && outs[from].depends())
            --from;
        int in = 0;
        for (int k = from < 0 ? 0 : from; k < t; ++k)
            in = outs[k](in);
        std::int64_t carry = in;
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 16; ++k) {
            carry += own.limbs[k];
            own.limbs[k] = to.valid ? static_cast<std::uint32_t>(carry) : 0;
            carry >>= 32;
        }
        const int first = 16 * t - to.skipped;
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 16; k += 4) {
            const int at = first + k;
            if (at >= 0 && at + 4 < to.count) {
                block.store_four(to.limbs + at, own.limbs + k);
            } else {
                WARPINT_UNROLL_ALWAYS
                for (int i = 0; i < 4; ++i) {
                    if (at + i >= 0 && at + i < to.count) {
                        to.limbs[at + i] =
                            at + i + 1 == to.count ? last(own.limbs[k + i]) : own.limbs[k + i];
                    }
                }
            }
        }
    });
}

// a b, or a^2 if b is null: the limbs that are stored. a and b have at most 2^log_size limbs
// together (a twice, for a square).
template <int log_size, class Block>
WARPINT_HOST_DEVICE WARPINT_INLINE void multiply(Block &block, const Factor &a, const Factor *b,
                                                 const Stored &to, const Complex *roots) {
    using S = Shape<log_size>;
    const Passes<log_size, Block> passes{block, roots};
    auto *const kept = S::keeps_in_shared
                           ? reinterpret_cast<Complex *>(block.shared + S::exchange_bytes)
                           : block.kept;
    passes.template forward_from<0>(&a);
    if (b != nullptr) {
        block.each_alone([&](int t, ThreadOfProduct &own) {
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 16; ++k)
                kept[k * S::threads + t] = own.v[k];
        });
        passes.template forward_from<0>(b);
    }
    block.each_alone([&](int t, ThreadOfProduct &own) {
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 16; ++k)
            own.v[k] = own.v[k] * (b != nullptr ? kept[k * S::threads + t] : own.v[k]);
    });
    passes.template inverse_from<S::last>();
    resolve_carries<log_size>(block, to);
}

} // namespace warpint::transform
