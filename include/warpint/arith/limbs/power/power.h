// SPDX-License-Identifier: Apache-2.0
// Modular powers of limb arrays over Montgomery multiplication: fixed windows (Handbook of Applied
// Cryptography, algorithm 14.82), sliding windows (14.85), or bit by bit, whichever needs the
// fewest products. Exponents are little-endian 32-bit limbs. Variable time in the exponent and the
// modulus.
#pragma once

#include "../reduction/montgomery_length.h"

namespace warpint::arith {

// What Montgomery arithmetic needs to know of an odd modulus. R = B^N, or B^length where `prepare`
// found that the modulus is shorter; residues then have zeros from there on.
template <int N, class Limb>
struct MontgomeryContext {
    Limb modulus[N];
    Limb one[N];       // R mod m
    Limb r_squared[N]; // R^2 mod m
    Limb inverse;      // -m^-1 mod B
    static constexpr int length = N;
};
template <int N, class Limb>
    requires follows_length<N, Limb>
struct MontgomeryContext<N, Limb> {
    Limb modulus[N];
    Limb one[N];
    Limb r_squared[N];
    Limb inverse;
    int length = N;
};

// Fixed windows take the same steps for exponents of the same length, as the threads of a warp
// should; sliding windows need fewer products.
enum class PowerMethod { fixed_windows, sliding_windows };

namespace detail {

template <int N>
struct MontgomeryConstants {
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
    operator()(Limb *one, Limb *r_squared, const Limb *m, Limb m_inverse) const {
        montgomery_constants<N>(one, r_squared, m, m_inverse);
    }
};

} // namespace detail

// Computes the other members from context.modulus, for R = B^N.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void prepare_whole(MontgomeryContext<N, Limb> &context) {
    context.inverse = limb::negative_inverse(context.modulus[0]);
    if constexpr (follows_length<N, Limb>) {
        const int n = detail::significant_limbs<N>(context.modulus);
        if (2 * n <= N && n > 0) {
            detail::montgomery_constants_above<detail::length_room<N>>(
                context.one, context.r_squared, context.modulus, context.inverse, n, N);
            return;
        }
    }
    const Limb *const m = context.modulus;
    inline_or_call<N <= inlined_limbs>(detail::MontgomeryConstants<N>{}, &context.one[0],
                                       &context.r_squared[0], m, context.inverse);
}

// The same for R of the modulus' own length, where arithmetic follows it. This is the one place
// that looks for it: whatever takes a context works at its length.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void prepare(MontgomeryContext<N, Limb> &context) {
    if constexpr (follows_length<N, Limb>) {
        const int n = detail::significant_limbs<N>(context.modulus);
        if (n <= detail::max_length<N> && n > 0) {
            context.length = n;
            context.inverse = limb::negative_inverse(context.modulus[0]);
            set_zero<N>(context.one);
            set_zero<N>(context.r_squared);
            detail::montgomery_constants_row<detail::length_room<N>>(
                context.one, context.r_squared, context.modulus, context.inverse, n);
            return;
        }
    }
    prepare_whole(context);
}

// Products besides the squares for an exponent of the given length with windows of the given width:
// 2^w - 2 for the table of fixed windows and one per window; 2^(w - 1) for the odd powers of
// sliding windows and one for w + 1 bits on average.
WARPINT_HOST_DEVICE constexpr int window_cost(int exponent_bits, int window, PowerMethod method) {
    if (window == 1)
        return exponent_bits / 2; // bit by bit: the ones
    return method == PowerMethod::fixed_windows
               ? (1 << window) - 2 + exponent_bits / window
               : (1 << (window - 1)) + exponent_bits / (window + 1);
}

// The window width that needs the fewest products, where bit by bit, which is a window of 1, needs
// so many.
WARPINT_HOST_DEVICE constexpr int best_window_beside(int bit_by_bit, int exponent_bits, int limit,
                                                     PowerMethod method) {
    int window = 1;
    int products = bit_by_bit;
    for (int candidate = 2; candidate <= limit; ++candidate) {
        const int needed = window_cost(exponent_bits, candidate, method);
        if (needed < products) {
            window = candidate;
            products = needed;
        }
    }
    return window;
}

// The same for any exponent of so many bits.
WARPINT_HOST_DEVICE constexpr int best_window(int exponent_bits, int limit,
                                              PowerMethod method = PowerMethod::fixed_windows) {
    return best_window_beside(window_cost(exponent_bits, 1, method), exponent_bits, limit, method);
}

// Significant bits of an exponent, and how many are set.
struct ExponentShape {
    int bits = 0;
    int ones = 0;
};
WARPINT_HOST_DEVICE constexpr ExponentShape exponent_shape(const std::uint32_t *e, int limbs) {
    ExponentShape shape;
    for (int i = limbs - 1; i >= 0; --i) {
        if (e[i] != 0 && shape.bits == 0)
            shape.bits = (i + 1) * 32 - limb::countl_zero(e[i]);
        shape.ones += limb::popcount(e[i]);
    }
    return shape;
}

// The same for one exponent: bit by bit where few bits are set (3, 17, 65537).
WARPINT_HOST_DEVICE constexpr int exponent_best_window(ExponentShape shape, int limit,
                                                       PowerMethod method) {
    return best_window_beside(shape.ones - 1, shape.bits, limit, method);
}

// Bits [position, position + width) of e, width <= 16; limbs beyond the end are zero. Constant time
// in e, not in position.
WARPINT_HOST_DEVICE constexpr std::uint32_t exponent_window(const std::uint32_t *e, int limbs,
                                                            int position, int width) {
    const int index = position / 32;
    const int shift = position % 32;
    std::uint32_t bits = e[index] >> shift;
    if (shift + width > 32 && index + 1 < limbs)
        bits |= e[index + 1] << (32 - shift);
    return bits & ((1u << width) - 1u);
}

namespace detail {

// r = a b / R mod m, its code short enough for a power's several products.
template <int N, Headroom headroom = Headroom::none, int unrolled_rows = power_rows<N>, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_form(Limb *r, const Limb *a, const Limb *b, const MontgomeryContext<N, Limb> &context) {
    if constexpr (follows_length<N, Limb>) {
        if (context.length < N) [[unlikely]] {
            montgomery_multiply_row<length_room<N>>(r, a, b, context.modulus, context.inverse,
                                                    context.length);
            return;
        }
    }
    montgomery_multiply<N, headroom, unrolled_rows>(r, a, b, context.modulus, context.inverse);
}

// r = a^2 / R mod m.
template <int N, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
square_form(Limb *r, const Limb *a, const MontgomeryContext<N, Limb> &context) {
    if constexpr (follows_length<N, Limb>) {
        if (context.length < N) [[unlikely]] {
            montgomery_square_row<length_room<N>>(r, a, context.modulus, context.inverse,
                                                  context.length);
            return;
        }
    }
    montgomery_square<N, headroom>(r, a, context.modulus, context.inverse);
}

// x = a R mod m for any a < B^N; x and a do not overlap, and x has zeros above the context's
// length.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
enter_form(Limb *x, const Limb *a, const MontgomeryContext<N, Limb> &context) {
    if constexpr (follows_length<N, Limb>) {
        if (context.length < N) [[unlikely]] {
            enter_row<length_room<N>>(x, a, N, context.r_squared, context.modulus, context.inverse,
                                      context.length);
            return;
        }
    }
    multiply_form<N>(x, a, context.r_squared, context);
}

// r = x / R mod m for x < R; r has zeros above the context's length.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
leave_form(Limb *r, const Limb *x, const MontgomeryContext<N, Limb> &context) {
    if constexpr (follows_length<N, Limb>) {
        if (context.length < N) {
            Limb one[N]{};
            one[0] = 1;
            multiply_form<N>(r, x, one, context);
            return;
        }
    }
    montgomery_leave<N>(r, x, context.modulus, context.inverse);
}

// multiply_form for products that wait for the one before, as the squares between them do.
template <int N, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_next(Limb *r, const Limb *a, const Limb *b, const MontgomeryContext<N, Limb> &context) {
    if constexpr (N == limb::montgomery_words && limb::compiles_word_blocks<Limb>) {
        WARPINT_ASSERT(fits_montgomery<N>(a, b, context.modulus));
        if (limb::has_word_blocks<Limb>()) {
            limb::montgomery_4x64(r, a, b, context.modulus, context.inverse);
        } else {
            multiply_by_outlined_rows<N>(r, a, b, context.modulus, context.inverse);
        }
        WARPINT_ASSERT(bounds::below_1m<N>(r, context.modulus));
    } else {
        multiply_form<N, headroom>(r, a, b, context);
    }
}

template <int N, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
square_often(Limb *x, int count, const MontgomeryContext<N, Limb> &context) {
    WARPINT_UNROLL(1, 0)
    for (int i = 0; i < count; ++i)
        square_form<N, headroom>(x, x, context);
}

// x = x times a table entry. Threads of a warp read different entries, one sector of memory for
// each limb: a number that is read more than once is copied first.
template <int N, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_entry(Limb *x, const Limb *entry, const MontgomeryContext<N, Limb> &context) {
    if constexpr (N > inlined_limbs) {
        if (WARPINT_USES_PTX) {
            Limb factor[N];
            copy<N>(factor, entry);
            multiply_form<N, headroom>(x, x, factor, context);
            return;
        }
    }
    multiply_next<N, headroom>(x, x, entry, context);
}

} // namespace detail

// x = x^e in Montgomery form (x R -> x^e R mod m) by fixed windows; e has exponent_limbs limbs,
// MaxWindow bounds the table to 2^MaxWindow entries. Headroom::whole: x < R comes out.
template <int N, int MaxWindow, Headroom headroom = Headroom::none, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_power(Limb *x, const std::uint32_t *e,
                                                    int exponent_limbs,
                                                    const MontgomeryContext<N, Limb> &context) {
    const ExponentShape shape = exponent_shape(e, exponent_limbs);
    if (shape.bits == 0) {
        copy<N>(x, context.one);
        return;
    }
    const int window = exponent_best_window(shape, MaxWindow, PowerMethod::fixed_windows);
    Limb table[N << MaxWindow]; // entry i is x^i, from 1 on
    copy<N>(table + N, x);
    for (int i = 1; i < 1 << (window - 1); ++i) {
        detail::square_form<N, headroom>(x, table + i * N, context);
        copy<N>(table + 2 * i * N, x);
        detail::multiply_form<N, headroom>(x, x, table + N, context);
        copy<N>(table + (2 * i + 1) * N, x);
    }
    int position = (shape.bits - 1) / window * window;
    copy<N>(x, table + N * static_cast<int>(exponent_window(e, exponent_limbs, position, window)));
    while (position > 0) {
        position -= window;
        detail::square_often<N, headroom>(x, window, context);
        const int index = static_cast<int>(exponent_window(e, exponent_limbs, position, window));
        if (index != 0)
            detail::multiply_entry<N, headroom>(x, table + N * index, context);
    }
}

// An exponent as it is stored: `limb_count` limbs.
struct ExponentLimbs {
    const std::uint32_t *limbs;
    int limb_count;
};

// The steps of a power by sliding windows, from the top: how many squares, then which odd power to
// multiply by. Windows begin and end with a set bit.
struct PowerStep {
    int squares;
    int entry; // multiply by x^(2 entry + 1); less than 0: no product
};

// Finds the steps while the power runs.
struct SlidingSteps {
    ExponentLimbs e;
    int window;
    int position; // of the highest bit not yet taken; -1 at the end

    WARPINT_HOST_DEVICE constexpr SlidingSteps(const ExponentLimbs &exponent, int bits, int width)
        : e{exponent}, window{width}, position{bits - 1} {}

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool done() const { return position < 0; }
    WARPINT_HOST_DEVICE constexpr PowerStep next() {
        int squares = 0;
        while (position >= 0 && exponent_window(e.limbs, e.limb_count, position, 1) == 0) {
            ++squares;
            --position;
        }
        if (position < 0)
            return {squares, -1};
        int width = position + 1 < window ? position + 1 : window;
        std::uint32_t bits = exponent_window(e.limbs, e.limb_count, position + 1 - width, width);
        const int zeros = limb::countr_zero(bits);
        width -= zeros;
        bits >>= zeros;
        position -= width;
        return {squares + width, static_cast<int>(bits >> 1)};
    }
};

// An exponent that many powers share, recoded once: its window was chosen for its own length and
// bits, and its steps are read instead of found. Trivially copyable, the same bytes on host and
// device, two bytes for each pair of bits.
template <int Bits>
struct PowerSchedule {
    static constexpr int exponent_limbs = (Bits + 31) / 32;
    static constexpr int max_steps = Bits <= 64 ? Bits + 1 : Bits / 2 + Bits / 128 + 2;
    static constexpr int max_squares = 255; // of one step
    static constexpr int no_entry = 255;

    std::uint32_t limbs[exponent_limbs];
    int bits;   // significant ones; 0 for the exponent 0
    int ones;   // how many are set
    int window; // of the table, in bits; 1 for none
    int count;
    std::uint16_t steps[max_steps]; // squares in the upper byte, entry in the lower one

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr ExponentLimbs exponent() const {
        return {limbs, exponent_limbs};
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr PowerStep step(int index) const {
        const int entry = steps[index] & 255;
        return {steps[index] >> 8, entry == no_entry ? -1 : entry};
    }
};

// Recodes an exponent; its table may have up to 2^(limit - 1) entries. A limit of 1 counts as 2
// above 64 bits.
template <int Bits>
constexpr PowerSchedule<Bits> make_schedule(const std::uint32_t *e, int limit) {
    using Schedule = PowerSchedule<Bits>;
    Schedule schedule{};
    for (int i = 0; i < Schedule::exponent_limbs; ++i)
        schedule.limbs[i] = e[i];
    const ExponentShape shape = exponent_shape(e, Schedule::exponent_limbs);
    schedule.bits = shape.bits;
    schedule.ones = shape.ones;
    schedule.window = exponent_best_window(shape, Bits > 64 && limit < 2 ? 2 : limit,
                                           PowerMethod::sliding_windows);
    const auto append = [&](int squares, int entry) {
        schedule.steps[schedule.count++] = static_cast<std::uint16_t>(squares << 8 | entry);
    };
    for (SlidingSteps steps(schedule.exponent(), shape.bits, schedule.window); !steps.done();) {
        PowerStep step = steps.next();
        for (; step.squares > Schedule::max_squares; step.squares -= Schedule::max_squares)
            append(Schedule::max_squares, Schedule::no_entry);
        append(step.squares, step.entry < 0 ? Schedule::no_entry : step.entry);
    }
    return schedule;
}

template <int Bits>
struct ScheduledSteps {
    const PowerSchedule<Bits> &schedule;
    int position = 0;

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool done() const {
        return position == schedule.count;
    }
    WARPINT_HOST_DEVICE constexpr PowerStep next() { return schedule.step(position++); }
};

namespace detail {

// x = x^e in Montgomery form by the steps of e > 0. The first step has an entry, its squares are of
// 1. The table holds the odd powers, 2^(MaxWindow - 1). leave_last: the product of the last step is
// left out.
template <int N, int MaxWindow, class Limb, class Steps>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
montgomery_power_by_steps(Limb *x, Steps steps, int window,
                          const MontgomeryContext<N, Limb> &context, bool leave_last = false) {
    Limb table[N << (MaxWindow - 1)]; // entry i is x^(2 i + 1)
    copy<N>(table, x);
    if constexpr (MaxWindow > 1) { // else the window is 1, which compilers cannot know
        if (window > 1) {
            Limb squared[N];
            square_form<N>(squared, x, context);
            for (int i = 1; i < 1 << (window - 1); ++i) {
                multiply_next<N>(x, x, squared, context);
                copy<N>(table + i * N, x);
            }
        }
    }
    const int first = steps.next().entry;
    copy<N>(x, table + (MaxWindow > 1 && first > 0 ? N * first : 0)); // never less than 0
    while (!steps.done()) {
        const PowerStep step = steps.next();
        square_often<N>(x, step.squares, context);
        if (step.entry >= 0 && !(leave_last && steps.done()))
            multiply_entry<N>(x, table + N * step.entry, context);
    }
}

} // namespace detail

// The same by sliding windows, for an exponent that is the same in all threads of a warp, and on
// hosts.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr void
montgomery_power_sliding(Limb *x, const std::uint32_t *e, int exponent_limbs,
                         const MontgomeryContext<N, Limb> &context) {
    const ExponentShape shape = exponent_shape(e, exponent_limbs);
    if (shape.bits == 0) {
        copy<N>(x, context.one);
        return;
    }
    const int window = exponent_best_window(shape, MaxWindow, PowerMethod::sliding_windows);
    detail::montgomery_power_by_steps<N, MaxWindow>(
        x, SlidingSteps(ExponentLimbs{e, exponent_limbs}, shape.bits, window), window, context);
}

// The same by a schedule, whose window is at most MaxWindow, but for a product with the base itself
// at its end: returns whether that is left to do.
template <int N, int MaxWindow, int Bits, class Limb>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool
montgomery_power_scheduled(Limb *x, const PowerSchedule<Bits> &schedule,
                           const MontgomeryContext<N, Limb> &context) {
    if (schedule.bits == 0) {
        copy<N>(x, context.one);
        return false;
    }
    const bool ends_with_base = schedule.count > 1 && schedule.step(schedule.count - 1).entry == 0;
    detail::montgomery_power_by_steps<N, MaxWindow>(x, ScheduledSteps<Bits>{schedule},
                                                    schedule.window, context, ends_with_base);
    return ends_with_base;
}

// r = a^e mod m for an odd modulus and any a < B^N.
// Exponent: ExponentLimbs, or a pointer to a PowerSchedule, whose method is its own.
template <int N, int MaxWindow, PowerMethod method = PowerMethod::fixed_windows, class Limb,
          class Exponent>
WARPINT_HOST_DEVICE constexpr void power_odd(Limb *r, const Limb *a, const Exponent &e,
                                             const MontgomeryContext<N, Limb> &context) {
    Limb x[N]{};
    detail::enter_form<N>(x, a, context);
    if constexpr (follows_length<N, Limb>)
        set_zero<N>(r);
    if constexpr (std::is_pointer_v<Exponent>) {
        Limb last[N]{}; // the product that leaves Montgomery form: by 1, or by the base itself
        last[0] = 1;
        if constexpr (follows_length<N, Limb>) {
            Limb base[N]{}; // reduced, if the modulus is shorter
            if (context.length < N) {
                detail::leave_form<N>(base, x, context);
            } else {
                copy<N>(base, a);
            }
            if (montgomery_power_scheduled<N, MaxWindow>(x, *e, context))
                copy<N>(last, base);
        } else {
            if (montgomery_power_scheduled<N, MaxWindow>(x, *e, context))
                copy<N>(last, a);
        }
        detail::multiply_form<N>(r, x, last, context);
        return;
    } else if constexpr (method == PowerMethod::fixed_windows) {
        montgomery_power<N, MaxWindow, Headroom::whole>(x, e.limbs, e.limb_count, context);
    } else {
        montgomery_power_sliding<N, MaxWindow>(x, e.limbs, e.limb_count, context);
    }
    detail::leave_form<N>(r, x, context);
}

// x = x^e for x in Montgomery form, x < m on input and output; out of the form unless `stays`.
// Exponent and method as for power_odd.
template <int N, int MaxWindow, PowerMethod method = PowerMethod::fixed_windows, class Limb,
          class Exponent>
WARPINT_HOST_DEVICE constexpr void
power_form(Limb *x, const Exponent &e, const MontgomeryContext<N, Limb> &context, bool stays) {
    if constexpr (std::is_pointer_v<Exponent>) {
        Limb base[N];
        copy<N>(base, x);
        if (montgomery_power_scheduled<N, MaxWindow>(x, *e, context))
            detail::multiply_form<N>(x, x, base, context);
    } else if constexpr (method == PowerMethod::fixed_windows) {
        montgomery_power<N, MaxWindow, Headroom::whole>(x, e.limbs, e.limb_count, context);
        if (stays) // below R becomes below m
            detail::multiply_form<N>(x, x, context.one, context);
    } else {
        montgomery_power_sliding<N, MaxWindow>(x, e.limbs, e.limb_count, context);
    }
    if (!stays)
        detail::leave_form<N>(x, x, context);
}

} // namespace warpint::arith
