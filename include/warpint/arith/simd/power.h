// SPDX-License-Identifier: Apache-2.0
// Modular powers of several numbers at once, each with its own base, exponent and modulus. Of an
// even modulus the odd part takes its place; what is then missing is done number by number, in
// little time (arith/limbs/power/even_modulus.h).
//
// Exponents of their own: fixed windows, every lane reads its own entry of its own table; lanes
// with shorter exponents multiply by 1. One exponent for all lanes: sliding windows over odd
// powers, so that 65537 costs 16 squares and one product. In constant time: fixed windows for the
// full width of the exponent's type, every entry of the table is read for every window and selected
// by a mask.
#pragma once

#include "../limbs/power/even_modulus.h"
#include "convert.h"
#include "montgomery.h"
#include "tuning.h"
#include "workspace.h"

#if WARPINT_SIMD

namespace warpint::simd {

// How the exponent may be looked at.
enum class Timing { variable, constant };
// What is known of the exponents before they are read.
enum class Exponents { any, shared };

namespace detail {

// The largest window whose table of 2^(w - spared) entries of n digits fits the table's share.
constexpr int window_limit(int n, int spared) {
    int window = 1 + spared;
    while (window < 7 && (static_cast<std::size_t>(n) * 64 << (window + 1 - spared)) <= table_bytes)
        ++window;
    return window;
}
constexpr int fixed_window(int bits, int n) {
    return arith::best_window_beside(bits, bits, window_limit(n, 0),
                                     arith::PowerMethod::fixed_windows);
}
// For one exponent that all lanes have: bit by bit, without a table, where few bits are set.
constexpr int shared_window(const arith::ExponentShape &exponent, int n) {
    return arith::exponent_best_window(exponent, window_limit(n, 1),
                                       arith::PowerMethod::sliding_windows);
}
// Scans of 32 entries and more fall out of the first-level cache at every window: at 1024 bits, 64
// entries cost 20% more than 16.
constexpr int scanned_window(int bits, int n) {
    const int best = fixed_window(bits, n);
    const int limit = n > 60 ? 5 : 4;
    return best < limit ? best : limit;
}

// The window of a power of n digits, in bits, for exponents of up to `bits` bits.
constexpr int power_window(Timing timing, int bits, int n) {
    return timing == Timing::constant ? scanned_window(bits, n) : fixed_window(bits, n);
}

// Whether the odd parts of the moduli of elements first to last need at most a quarter of the
// limbs. Such powers are faster one by one, which follows their length: not measured.
inline bool are_short(const Operand &modulus, int first, int last) {
    const int limbs = modulus.limbs();
    if (limbs <= 2 * arith::length_limbs)
        return false;
    for (int i = first; i <= (modulus.shared() ? first : last); ++i) {
        const std::uint32_t *const m = modulus.element(i);
        int top = limbs - 1;
        while (top >= limbs / 4 && m[top] == 0)
            --top;
        for (int k = 0; k <= top - limbs / 4; ++k) {
            if (m[k] != 0)
                return false;
        }
    }
    return true;
}

// odd = m / 2^zeros, of whole words; returns zeros. For m = 0: odd = 1, and -1.
inline int odd_part(std::uint64_t *odd, const std::uint32_t *m, int limbs) {
    const int words = (limbs + 1) / 2;
    odd[words - 1] = 0;
    std::memcpy(odd, m, 4 * static_cast<std::size_t>(limbs));
    int low = 0; // words that are 0
    while (low < words && odd[low] == 0)
        ++low;
    if (low == words) {
        odd[0] = 1;
        return -1;
    }
    const int shift = std::countr_zero(odd[low]);
    for (int i = 0; i < words; ++i) {
        const std::uint64_t word = i + low < words ? odd[i + low] : 0;
        const std::uint64_t above = i + low + 1 < words ? odd[i + low + 1] : 0;
        odd[i] = limb::funnel_right(above, word, shift);
    }
    return 64 * low + shift;
}

} // namespace detail

inline namespace WARPINT_SIMD_MACHINE {

// The modulus that a thread's last batch shared, with what a power needs of it.
struct CommonModulus {
    Workspace memory; // m (its odd part), then rr, n digits each, then -1 / m, then m's limbs
    int columns = 0;
    int windows = 0;
    int limbs = 0;

    static CommonModulus &of_this_thread() { return limb::thread_object<CommonModulus>(); }
};

// One group of eight numbers on its way.
struct PowerGroup {
    Moduli moduli;
    const Digits *rr; // R^2 mod m
    Digits *m;        // n
    Digits *own_rr;   // n
    Digits *inverse;  // 1
    Digits *base;     // n, in Montgomery form
    Digits *x;        // n + 8
    Digits *y;        // n + 8
    Digits *t;        // 4 n
    Digits *exponent; // a vector per 64-bit word
    Digits *table;    // entries of n digits
};

template <int K>
struct Powers {
    static constexpr int max_groups = 2;

    PowerGroup group[max_groups];
    int groups;
    int windows;
    int n;
    int exponent_words;
    int room;      // of a group, in vectors
    Digits *words; // for conversions

    // Of every element: the zeros at the low end of its modulus, -1 for the modulus 0; constant
    // time does not know them. Where one of a group has some: the odd parts, of modulus_words words
    // each, the remainders by them, and room for 8 numbers.
    int zeros[8 * max_groups];
    int modulus_words;
    std::uint64_t *odd_parts;
    std::uint64_t *remainders;
    std::uint64_t *lift_room;

    // n rounded up to the rows of a table.
    static constexpr int row_digits(int n) { return (n + 7) / 8 * 8; }

    void lay_out(int limbs, int exponent_limbs, int base_limbs, std::size_t table_vectors) {
        const auto digits = static_cast<std::size_t>(n);
        exponent_words = (exponent_limbs + 1) / 2;
        const auto exponent_room = static_cast<std::size_t>(row_words(exponent_limbs));
        const int widest = base_limbs > limbs ? base_limbs : limbs;
        const auto word_room = static_cast<std::size_t>(conversion_words(widest, 2 * n));
        const std::size_t each = 10 * digits + 17 + exponent_room + table_vectors;
        modulus_words = (limbs + 1) / 2;
        const auto modulus_room = static_cast<std::size_t>(modulus_words); // of 8 numbers
        room = static_cast<int>(each);
        auto *memory = static_cast<Digits *>(Workspace::of_this_thread().reserve(
            word_room + (each + modulus_room) * static_cast<std::size_t>(groups) +
            2 * modulus_room));
        words = memory;
        memory += word_room;
        odd_parts = reinterpret_cast<std::uint64_t *>(memory);
        memory += modulus_room * static_cast<std::size_t>(groups);
        remainders = reinterpret_cast<std::uint64_t *>(memory);
        memory += modulus_room;
        lift_room = reinterpret_cast<std::uint64_t *>(memory);
        memory += modulus_room;
        for (int g = 0; g < groups; ++g) {
            PowerGroup &p = group[g];
            p.m = memory;
            p.own_rr = p.m + n;
            p.inverse = p.own_rr + n;
            p.base = p.inverse + 1;
            p.x = p.base + n;
            p.y = p.x + n + 8;
            p.t = p.y + n + 8;
            p.exponent = p.t + 4 * n;
            p.table = p.exponent + exponent_room;
            memory += each;
        }
    }

    // m, made odd where it is not, its inverse and R^2. Returns the lanes where m was odd.
    WARPINT_SIMD_CALL unsigned load_moduli(int g, const Operand &modulus, int first, int last) {
        PowerGroup &p = group[g];
        from_limbs<K>(p.m, n, words, modulus, first, last);
        const Digits low = p.m[0];
        const unsigned odd = bits(equal(low & splat(1), splat(1)));
        p.m[0] = low | splat(1);
        *p.inverse = negative_inverse<K>(p.m[0]);
        p.moduli = {p.m, p.inverse, windows};
        square_of_r<K>(p.own_rr, p.t, p.moduli);
        p.rr = p.own_rr;
        return odd;
    }
    // The same of odd parts. Notes the zeros.
    WARPINT_SIMD_CALL void load_odd_parts(int g, const Operand &modulus, int first, int last) {
        const int behind = last - first < lanes - 1 ? last - first : lanes - 1;
        const std::size_t bytes = 8 * static_cast<std::size_t>(modulus_words);
        std::uint64_t *const odd = odd_part_of(8 * g);
        bool all_odd = true;
        for (int l = 0; l < lanes; ++l)
            zeros[8 * g + l] = 0;
        for (int l = 0; l <= behind; ++l)
            all_odd = all_odd && (*modulus.element(first + l) & 1u) != 0;
        if (all_odd) {
            load_moduli(g, modulus, first, last);
            return;
        }
        for (int l = 0; l <= behind; ++l) {
            zeros[8 * g + l] =
                detail::odd_part(lift_room, modulus.element(first + l), modulus.limbs());
            std::memcpy(odd + l * modulus_words, lift_room, bytes);
        }
        load_moduli(g, {odd, bytes, modulus.bits}, 0, behind);
    }
    std::uint64_t *odd_part_of(int i) const { return odd_parts + i * modulus_words; }

    // The same for one modulus for all, which is kept for the thread's next batch.
    WARPINT_SIMD_CALL void share_modulus(const Operand &modulus) {
        CommonModulus &shared = CommonModulus::of_this_thread();
        const auto digits = static_cast<std::size_t>(n);
        const std::size_t bytes = 4 * static_cast<std::size_t>(modulus.limbs());
        auto *memory =
            static_cast<Digits *>(shared.memory.reserve(2 * digits + 1 + bytes / 64 + 1));
        Digits *const m = memory;
        Digits *const rr = memory + n;
        Digits *const inverse = memory + 2 * n;
        Digits *const limbs = inverse + 1;
        zeros[0] = detail::odd_part(lift_room, modulus.element(0), modulus.limbs());
        std::memcpy(odd_parts, lift_room, 8 * static_cast<std::size_t>(modulus_words));
        for (int i = 1; i < 8 * groups; ++i)
            zeros[i] = zeros[0];
        if (shared.columns != K || shared.windows != windows || shared.limbs != modulus.limbs() ||
            std::memcmp(limbs, modulus.data, bytes) != 0) {
            shared.columns = 0;
            load_moduli(0, {odd_parts, 0, modulus.bits}, 0, 0);
            std::memcpy(m, group[0].m, digits * sizeof(Digits));
            std::memcpy(rr, group[0].own_rr, digits * sizeof(Digits));
            *inverse = *group[0].inverse;
            std::memcpy(limbs, modulus.data, bytes);
            shared.columns = K;
            shared.windows = windows;
            shared.limbs = modulus.limbs();
        }
        for (int g = 0; g < groups; ++g) {
            group[g].moduli = {m, inverse, windows};
            group[g].rr = rr;
        }
    }

    // base in Montgomery form; bases of up to twice the modulus' digits.
    WARPINT_SIMD_CALL void load_base(int g, const Operand &base, int first, int last) {
        PowerGroup &p = group[g];
        if (base.bits <= 52 * n - 4) {
            from_limbs<K>(p.base, n, words, base, first, last);
        } else { // base / R, below R / 16 as n digits and m are; then base
            from_limbs<K>(p.t, 2 * n, words, base, first, last);
            reduce<K>(p.base, p.t, p.moduli.m, p.moduli.inverse, windows);
            multiply_montgomery<K>(p.base, p.base, p.rr, p.t, p.moduli);
        }
        multiply_montgomery<K>(p.base, p.base, p.rr, p.t, p.moduli);
    }

    // r = a b / R < 2 m in every group, for numbers < 2 m of group 0: other groups' lie at the same
    // places.
    WARPINT_SIMD_CALL void multiply_all(Digits *r, const Digits *a, const Digits *b) {
        WARPINT_ASSERT(are_below_2m(a) && are_below_2m(b));
        for (int g = 0; g < groups; ++g) {
            if (a == b) {
                square<K>(group[g].t, a + g * room, windows);
            } else {
                multiply<K>(group[g].t, a + g * room, b + g * room, windows);
            }
        }
        for (int g = 0; g < groups; ++g)
            reduce<K>(r + g * room, group[g].t, group[g].moduli.m, group[g].moduli.inverse,
                      windows);
        WARPINT_ASSERT(are_below_2m(r));
    }
    // For assertions.
    [[nodiscard]] bool are_below_2m(const Digits *x) const {
        bool are = true;
        for (int g = 0; g < groups; ++g)
            are = are && is_below<K>(x + g * room, group[g].moduli.m, n, 1);
        return are;
    }
    // x^2 `times` times.
    WARPINT_SIMD_INLINE void square_all(int times) {
        for (int i = 0; i < times; ++i)
            multiply_all(group[0].x, group[0].x, group[0].x);
    }
    // r = a, likewise.
    WARPINT_SIMD_INLINE void copy_all(Digits *r, const Digits *a) {
        for (int g = 0; g < groups; ++g)
            std::memcpy(r + g * room, a + g * room, static_cast<std::size_t>(n) * sizeof(Digits));
    }

    // x = base^e for one exponent, by windows of at most `widest` bits.
    WARPINT_SIMD_CALL void raise_to_shared(const std::uint32_t *e, int limbs, int widest) {
        const arith::ExponentShape shape = arith::exponent_shape(e, limbs);
        if (shape.bits == 0) {
            for (int g = 0; g < groups; ++g)
                leave_montgomery<K>(group[g].x, group[g].rr, group[g].t, group[g].moduli);
            return;
        }
        const int best = detail::shared_window(shape, n);
        const int window = best < widest ? best : widest;
        const int entries = 1 << (window - 1);
        Digits *const table = group[0].table; // of odd powers
        copy_all(table, group[0].base);
        if (entries > 1)
            multiply_all(group[0].y, table, table);
        for (int i = 1; i < entries; ++i)
            multiply_all(table + i * n, table + (i - 1) * n, group[0].y);
        arith::SlidingSteps steps({e, limbs}, shape.bits, window);
        copy_all(group[0].x, table + steps.next().entry * n);
        while (!steps.done()) {
            const arith::PowerStep step = steps.next();
            square_all(step.squares);
            if (step.entry >= 0)
                multiply_all(group[0].x, group[0].x, table + step.entry * n);
        }
    }

    // x = base^e for exponents of up to `length` bits, each lane its own.
    template <Timing timing>
    WARPINT_SIMD_CALL void raise(int length, int window) {
        const int entries = 1 << window;
        for (int g = 0; g < groups; ++g) {
            PowerGroup &p = group[g];
            leave_montgomery<K>(p.x, p.rr, p.t, p.moduli); // 1
            put<timing>(g, 0, entries, p.x);
            put<timing>(g, 1, entries, p.base);
            std::memcpy(p.y, p.base, static_cast<std::size_t>(n) * sizeof(Digits));
        }
        for (int i = 2; i < entries; ++i) {
            multiply_all(group[0].y, group[0].y, group[0].base);
            for (int g = 0; g < groups; ++g)
                put<timing>(g, i, entries, group[g].y);
        }
        const int top = length == 0 ? 0 : (length - 1) / window * window;
        for (int position = top; position >= 0; position -= window) {
            if (position != top)
                square_all(window);
            unsigned used = 0; // lanes that multiply by something else than 1
            for (int g = 0; g < groups; ++g) {
                const Digits index = window_of(group[g].exponent, position, window);
                if constexpr (timing == Timing::variable)
                    used |= ~bits(equal(index, Digits{}));
                get<timing>(g, position == top ? group[g].x : group[g].y, &index, entries);
            }
            if (position == top || (timing == Timing::variable && (used & 0xffu) == 0))
                continue;
            multiply_all(group[0].x, group[0].x, group[0].y);
        }
    }
    WARPINT_SIMD_INLINE Digits window_of(const Digits *e, int position, int window) const {
        const int word = position / 64;
        const int shift = position % 64;
        Digits index = e[word] >> static_cast<std::uint64_t>(shift);
        if (shift + window > 64 && word + 1 < exponent_words)
            index |= e[word + 1] << static_cast<std::uint64_t>(64 - shift);
        return index & splat((std::uint64_t{1} << window) - 1);
    }

    // Tables: [lane][entry][digit], a lane's entry in whole rows; to be scanned:
    // [entry][digit][lane].
    template <Timing timing>
    WARPINT_SIMD_CALL void put(int g, int entry, int entries, const Digits *v) {
        Digits *const table = group[g].table;
        if constexpr (timing == Timing::constant) {
            std::memcpy(table + entry * n, v, static_cast<std::size_t>(n) * sizeof(Digits));
        } else {
            const int rows = row_digits(n) / 8;
            for (int r = 0; r < rows; ++r) {
                Digits row[lanes];
                for (int i = 0; i < lanes; ++i)
                    row[i] = 8 * r + i < n ? v[8 * r + i] : Digits{};
                transpose(row);
                WARPINT_SIMD_UNROLL
                for (int l = 0; l < lanes; ++l)
                    table[(l * entries + entry) * rows + r] = row[l];
            }
        }
    }
    template <Timing timing>
    WARPINT_SIMD_CALL void get(int g, Digits *v, const Digits *index, int entries) const {
        const Digits *const table = group[g].table;
        if constexpr (timing == Timing::constant) {
            for (int c = 0; c < n; c += K) {
                Digits found[K];
                WARPINT_SIMD_UNROLL
                for (int j = 0; j < K; ++j)
                    found[j] = Digits{};
                for (int entry = 0; entry < entries; ++entry) {
                    const Mask hit = equal(*index, splat(static_cast<std::uint64_t>(entry)));
                    WARPINT_SIMD_UNROLL
                    for (int j = 0; j < K; ++j)
                        found[j] = select(hit, table[entry * n + c + j], found[j]);
                }
                WARPINT_SIMD_UNROLL
                for (int j = 0; j < K; ++j)
                    v[c + j] = found[j];
            }
        } else {
            const int rows = row_digits(n) / 8;
            const Digits *at[lanes];
            for (int l = 0; l < lanes; ++l)
                at[l] = table + (l * entries + static_cast<int>((*index)[l])) * rows;
            for (int r = 0; r < rows; ++r) { // v has room for whole rows
                Digits row[lanes];
                WARPINT_SIMD_UNROLL
                for (int l = 0; l < lanes; ++l)
                    row[l] = at[l][r];
                transpose(row);
                WARPINT_SIMD_UNROLL
                for (int i = 0; i < lanes; ++i)
                    v[8 * r + i] = row[i];
            }
        }
    }

    // The length of the longest exponent; *same: all lanes have one exponent.
    WARPINT_SIMD_CALL int exponent_length(bool *same) const {
        int length = 0;
        unsigned equal_lanes = 0xff;
        for (int w = exponent_words - 1; w >= 0; --w) {
            const std::uint64_t first = group[0].exponent[w][0];
            std::uint64_t any = 0;
            for (int g = 0; g < groups; ++g) {
                const Digits word = group[g].exponent[w];
                equal_lanes &= bits(equal(word, splat(first)));
                for (int l = 0; l < lanes; ++l)
                    any |= word[l];
            }
            if (length == 0 && any != 0)
                length = 64 * w + static_cast<int>(std::bit_width(any));
        }
        *same = equal_lanes == 0xff;
        return length;
    }

    // out = base^e mod m for those elements of the group whose m is even, given the remainder by
    // the odd part in x.
    WARPINT_SIMD_CALL void lift(int g, unsigned which, const Target &out, const Operand &base,
                                const Operand &exponent, const Operand &modulus, int first) {
        const int n_words = modulus_words;
        const std::size_t bytes = 8 * static_cast<std::size_t>(n_words);
        const auto base_bytes = 4 * static_cast<std::size_t>(base.limbs());
        const auto out_bytes = 4 * static_cast<std::size_t>(out.limbs());
        std::memset(remainders, 0, lanes * bytes);
        to_limbs<K, is_one_window(K) ? K : 16>({remainders, bytes, modulus.bits}, 0, which,
                                               group[g].x, n, words);
        std::uint64_t *const r = lift_room;
        std::uint64_t *const odd = r + n_words;
        std::uint64_t *const a = odd + n_words;
        for (int l = 0; l < lanes; ++l) {
            if ((which >> l & 1u) == 0)
                continue;
            const int i = first + 8 * g + l;
            std::memcpy(r, remainders + l * n_words, bytes);
            std::memcpy(odd, odd_part_of(modulus.shared() ? 0 : 8 * g + l), bytes);
            std::memset(a, 0, bytes);
            std::memcpy(a, base.element(i), base_bytes < bytes ? base_bytes : bytes);
            arith::lift_to_even_row(r, a, {exponent.element(i), exponent.limbs()}, zeros[8 * g + l],
                                    odd, limb::negative_inverse(odd[0]), n_words, a + n_words);
            std::memset(out.element(i), 0, out_bytes);
            std::memcpy(out.element(i), r, out_bytes < bytes ? out_bytes : bytes);
        }
    }

    // out = base^e mod m for the elements first .. first + 8 groups - 1 below `count`; those with
    // m = 0, in constant time with an even m, which are not stored, are returned, as bits from bit
    // 0 on.
    template <Timing timing, Exponents exponents>
    WARPINT_SIMD_CALL std::uint32_t run(const Target &out, const Operand &base,
                                        const Operand &exponent, const Operand &modulus, int first,
                                        int count) {
        const int last = count - 1;
        const int longest = exponent.bits;
        const int fixed = detail::power_window(timing, longest, n);
        // The table has room for these windows, and for sliding ones of a bit more. Exponents that
        // are a little shorter may have a wider best window: it is cut to these.
        lay_out(modulus.limbs(), exponent.limbs(), base.limbs(),
                static_cast<std::size_t>(row_digits(n)) << fixed);
        std::uint32_t odd = 0;
        std::uint32_t even = 0; // and not 0
        if constexpr (timing == Timing::variable) {
            if (modulus.shared()) {
                share_modulus(modulus);
            } else {
                for (int g = 0; g < groups; ++g)
                    load_odd_parts(g, modulus, first + 8 * g, last);
            }
            for (int i = 0; i < 8 * groups; ++i) {
                odd |= static_cast<std::uint32_t>(zeros[i] == 0) << i;
                even |= static_cast<std::uint32_t>(zeros[i] > 0) << i;
            }
        } else {
            for (int g = 0; g < groups; ++g)
                odd |= load_moduli(g, modulus, first + 8 * g, last) << (8 * g);
        }
        const int here = count - first < 8 * groups ? count - first : 8 * groups;
        const std::uint32_t wanted = (std::uint32_t{1} << here) - 1;
        odd &= wanted;
        even &= wanted;
        if ((odd | even) == 0)
            return wanted;
        for (int g = 0; g < groups; ++g) {
            load_base(g, base, first + 8 * g, last);
            if constexpr (exponents == Exponents::any)
                load_words<K>(group[g].exponent, exponent_words, exponent, first + 8 * g, last);
        }
        const std::uint32_t *const e = exponent.element(first);
        if constexpr (timing == Timing::constant) {
            raise<timing>(longest, fixed);
        } else if constexpr (exponents == Exponents::shared) {
            raise_to_shared(e, exponent.limbs(), fixed + 1);
        } else {
            bool same = false;
            const int length = exponent_length(&same);
            if (same) {
                raise_to_shared(e, exponent.limbs(), fixed + 1);
            } else {
                const int best = detail::power_window(timing, length, n);
                raise<timing>(length, best < fixed ? best : fixed);
            }
        }
        for (int g = 0; g < groups; ++g) {
            PowerGroup &p = group[g];
            leave_montgomery<K>(p.x, p.x, p.t, p.moduli); // at most m
            subtract_if_not_less<K>(p.x, p.moduli.m, p.t, n);
            WARPINT_ASSERT(is_below<K>(p.x, p.moduli.m, n, 0));
            to_limbs<K, is_one_window(K) ? K : 16>(out, first + 8 * g, odd >> (8 * g) & 0xffu, p.x,
                                                   n, words);
            const unsigned left = even >> (8 * g) & 0xffu;
            if (left != 0)
                lift(g, left, out, base, exponent, modulus, first);
        }
        return wanted & ~(odd | even);
    }
};

// out[i] = base[i]^e[i] mod m[i] for i < count <= 32; modulus_shape(bits of m) gives the columns K
// and windows. base of up to twice the bits of m. Bit i of what is returned: element i is not done
// (m[i] = 0, in constant time any even m[i], or a lone element), its place in `out` not touched.
// `out` may be one of the operands, element for element.
template <int K, Timing timing, Exponents exponents>
std::uint32_t power(const Target &out, const Operand &base, const Operand &exponent,
                    const Operand &modulus, int windows, int count) {
    std::uint32_t undone = 0;
    for (int first = 0; first < count;) {
        Powers<K> powers;
        powers.windows = windows;
        powers.n = K * windows;
        powers.groups = powers.n <= interleaved_digits && count - first > 8 ? 2 : 1;
        const int block = 8 * powers.groups;
        const int here = count - first < block ? count - first : block;
        if (timing == Timing::variable && (count - first < min_power_elements ||
                                           detail::are_short(modulus, first, first + here - 1))) {
            undone |= ((std::uint32_t{1} << here) - 1) << first;
        } else {
            undone |=
                powers.template run<timing, exponents>(out, base, exponent, modulus, first, count)
                << first;
        }
        first += block;
    }
    return undone;
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
