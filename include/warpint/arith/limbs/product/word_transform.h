// SPDX-License-Identifier: Apache-2.0
// Products of long numbers on hosts, in 64-bit words, by the transform of arith/transform/shape.h.
// Hosts have vectors instead of blocks of threads, and a digit is as long as the bound on its error
// allows.
//
// Order. The n values are four transforms of n / 4 values side by side, one in each lane of a
// vector, so that all passes but the first are of whole vectors, with one root for all lanes. The
// first pass, of four values at a distance of n / 4, makes the lanes out of the digits, the last
// one makes coefficients out of the lanes. The passes between are of radix 4, and one of radix 3
// where n is three times a power of two; depth first, so that most of them find their values in a
// cache.
//
// Rounding. With the notation of shape.h, each level of radix 2 adds u, sqrt(5) u and the error of
// a root, here less than u, since roots are rounded from extended precision. (With fused
// multiply-adds, 2 u instead of sqrt(5) u: Jeannerod, Kornerup, Louvet, Muller, Error bounds on
// complex floating-point multiplication with an FMA, Math. Comp. 86 (2017).) A pass of radix 4 adds
// twice and multiplies once, which is less than two levels. One of radix 3 makes an error of at
// most 6.3 u in the norm before it multiplies: t = b + c, d = b - c, s = sqrt(3) / 2 give |t|, |d|
// <= sqrt(2) |x| and |s d|, |a - t / 2| <= 1.23 |x|, so that output 0 is off by at most 3.2 u |x|,
// the others by 7.4 u |x|, all three by 10.9 u |x|, and the outputs' norm is sqrt(3) |x|. That is
// less than two levels too. The factors exp(pi i k / 8) on the way in and out are what a pass of
// radix 4 has less. So there are 3 l + 3 levels at most, l = ceil(log2(n)); digits of b bits are at
// most 2^(b - 1), a last one 2^b.
//
// A program may have chosen another rounding mode, which doubles u and rounds no number to the next
// integer. So the error has to be below 0.2, and coefficients are made positive and cut off.
//
// Which operations run depends on the lengths only, and no value is subnormal: constant time.
#pragma once

#include "../../../limb/assert.h"
#include "../../../limb/cpu_features.h"

// Roots need an extended precision, the bound one double for each operation, in the order written.
#if !WARPINT_DEVICE_PASS && defined(__GNUC__) && __LDBL_MANT_DIG__ >= 64 &&                        \
    __FLT_EVAL_METHOD__ == 0 && !defined(__FAST_MATH__)
#define WARPINT_WORD_TRANSFORMS 1
#else
#define WARPINT_WORD_TRANSFORMS 0
#endif

namespace warpint::arith::word_transform {

// Shorter numbers are not multiplied so. On an EPYC, us by Karatsuba's method, by a transform with
// AVX2 and without: 320 words 28, 26, 33; 512 words 68, 53, 64; 1024 words 216, 91, 117.
inline constexpr int min_words = 320;

#if WARPINT_WORD_TRANSFORMS

// Transforms of n values, with digits of so many bits.
struct WordShape {
    long n;
    int bits;
};

namespace detail {

inline constexpr int min_log_values = 8;
inline constexpr int max_log_values = 20;
inline constexpr int word_shapes = 2 * (max_log_values - min_log_values) + 1;

// What a coefficient may be off by in rounding to nearest; twice as much otherwise.
inline constexpr double max_error = 0.2;

// Powers of two and three times such, in order.
constexpr long values_of_shape(int index) {
    return index % 2 == 0 ? 1L << (min_log_values + index / 2)
                          : 3L << (min_log_values + index / 2 - 1);
}
struct WordShapes {
    WordShape shape[word_shapes];
};
inline constexpr WordShapes all_word_shapes = [] {
    WordShapes all{};
    for (int i = 0; i < word_shapes; ++i) {
        const long n = values_of_shape(i);
        const int levels = min_log_values + (i + 1) / 2;
        constexpr double u = 0x1p-53;
        const double error = (3 * levels + 3) * (1 + 2.2361 + 1) * u * 1.001; // and its powers
        int bits = 16;
        while (error * static_cast<double>(n + 3) * static_cast<double>(1L << (2 * bits - 2)) >=
               max_error)
            --bits;
        all.shape[i] = {n, bits};
    }
    return all;
}();

constexpr long digits_of(long words, int bits) {
    return (64 * words + bits - 1) / bits;
}

// The least shape for a product, by its index; -1: there is none.
constexpr int shape_for(long words_a, long words_b) {
    for (int i = 0; i < word_shapes; ++i) {
        const WordShape s = all_word_shapes.shape[i];
        if (digits_of(words_a, s.bits) + digits_of(words_b, s.bits) <= 2 * s.n)
            return i;
    }
    return -1;
}

// A value of each of four transforms: four real parts, then four imaginary ones.
inline constexpr int lanes = 4;
inline constexpr int doubles = 2 * lanes;

// Vectors of processors: with AVX2 all four lanes, elsewhere two and two.
#if defined(__x86_64__)
#define WARPINT_WITH_AVX2 __attribute__((target("avx2,fma")))
#endif

#define WARPINT_LOAD(vector, from) __builtin_memcpy(&(vector), (from), sizeof(vector))
#define WARPINT_STORE(to, vector) __builtin_memcpy((to), &(vector), sizeof(vector))

// (re, im) times w, or times its conjugate.
template <bool conjugated, class Vector, class Root>
WARPINT_INLINE void multiply(Vector &re, Vector &im, const Root &w_re, const Root &w_im) {
    const Vector x = re;
    if constexpr (conjugated) {
        re = x * w_re + im * w_im;
        im = im * w_re - x * w_im;
    } else {
        re = x * w_re - im * w_im;
        im = x * w_im + im * w_re;
    }
}

// In place, the transform of Radix values, or its inverse, times Radix.
template <bool inverse, class Vector>
WARPINT_INLINE void transform_few(Vector (&re)[4], Vector (&im)[4]) {
    const Vector a_re = re[0] + re[2];
    const Vector a_im = im[0] + im[2];
    const Vector b_re = re[0] - re[2];
    const Vector b_im = im[0] - im[2];
    const Vector c_re = re[1] + re[3];
    const Vector c_im = im[1] + im[3];
    const Vector d_re = inverse ? re[3] - re[1] : re[1] - re[3];
    const Vector d_im = inverse ? im[3] - im[1] : im[1] - im[3];
    re[0] = a_re + c_re;
    im[0] = a_im + c_im;
    re[1] = b_re + d_im; // b - i d
    im[1] = b_im - d_re;
    re[2] = a_re - c_re;
    im[2] = a_im - c_im;
    re[3] = b_re - d_im;
    im[3] = b_im + d_re;
}
template <bool inverse, class Vector>
WARPINT_INLINE void transform_few(Vector (&re)[3], Vector (&im)[3]) {
    constexpr double s = inverse ? -0x1.bb67ae8584caap-1 : 0x1.bb67ae8584caap-1; // sqrt(3) / 2
    const Vector t_re = re[1] + re[2];
    const Vector t_im = im[1] + im[2];
    const Vector d_re = (re[1] - re[2]) * s;
    const Vector d_im = (im[1] - im[2]) * s;
    const Vector half_re = re[0] - t_re * 0.5;
    const Vector half_im = im[0] - t_im * 0.5;
    re[0] = re[0] + t_re;
    im[0] = im[0] + t_im;
    re[1] = half_re + d_im;
    im[1] = half_im - d_re;
    re[2] = half_re - d_im;
    im[2] = half_im + d_re;
}
template <bool inverse, class Vector>
WARPINT_INLINE void transform_few(Vector (&re)[2], Vector (&im)[2]) {
    const Vector d_re = re[0] - re[1];
    const Vector d_im = im[0] - im[1];
    re[0] = re[0] + re[1];
    im[0] = im[0] + im[1];
    re[1] = d_re;
    im[1] = d_im;
}

constexpr int radix_of(long length) {
    return length % 3 == 0 ? 3 : length % 4 == 0 ? 4 : static_cast<int>(length);
}
// Doubles of its roots: w^(j k) with w = exp(-2 pi i / length) for all j, k = 1 .. radix - 1. The
// last pass of a transform has none.
constexpr long roots_of_pass(long length) {
    const int radix = radix_of(length);
    return length > radix ? 2 * (radix - 1) * (length / radix) : 0;
}

// One pass of transforms of Radix values at a distance of length / Radix. The roots come behind
// them, of the inverse before them.
template <class Machine, int Radix, bool inverse>
WARPINT_INLINE void pass(double *x, long length, const double *roots) {
    using Vector = typename Machine::Vector;
    const long distance = length / Radix;
    for (long j = 0; j < distance; ++j, x += doubles, roots += 2 * (Radix - 1)) {
        WARPINT_UNROLL_ALWAYS
        for (int lane = 0; lane < lanes; lane += Machine::width) {
            Vector re[Radix];
            Vector im[Radix];
            const auto by_root = [&](int k) WARPINT_INLINE_LAMBDA {
                if (k > 0 && distance > 1)
                    multiply<inverse>(re[k], im[k], roots[2 * k - 2], roots[2 * k - 1]);
            };
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < Radix; ++k) {
                WARPINT_LOAD(re[k], x + k * distance * doubles + lane);
                WARPINT_LOAD(im[k], x + k * distance * doubles + lanes + lane);
                if constexpr (inverse)
                    by_root(k);
            }
            transform_few<inverse>(re, im);
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < Radix; ++k) {
                if constexpr (!inverse)
                    by_root(k);
                WARPINT_STORE(x + k * distance * doubles + lane, re[k]);
                WARPINT_STORE(x + k * distance * doubles + lanes + lane, im[k]);
            }
        }
    }
}

// The transforms of `length` vectors, or back. Machine::transform is this function.
template <class Machine, bool inverse>
WARPINT_INLINE void transform_vectors(double *x, long length, const double *roots) {
    const int radix = radix_of(length);
    const long part = length / radix;
    const auto parts = [&]() WARPINT_INLINE_LAMBDA {
        for (int k = 0; k < radix && part > 1; ++k)
            Machine::template transform<inverse>(x + k * part * doubles, part,
                                                 roots + roots_of_pass(length));
    };
    if constexpr (inverse)
        parts();
    if (radix == 4) {
        pass<Machine, 4, inverse>(x, length, roots);
    } else if (radix == 3) {
        pass<Machine, 3, inverse>(x, length, roots);
    } else if (radix == 2) {
        pass<Machine, 2, inverse>(x, length, roots);
    }
    if constexpr (!inverse)
        parts();
}

// exp(pi i k / 8)
inline constexpr double eighths[4][2] = {{1, 0},
                                         {0x1.d906bcf328d46p-1, 0x1.87de2a6aea963p-2},
                                         {0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},
                                         {0x1.87de2a6aea963p-2, 0x1.d906bcf328d46p-1}};

// Where the first pass has its roots theta^(j (1 - 4 q)) for output q at j, as real parts of four j
// and their imaginary ones.
constexpr long place_of_root(long j, int q) {
    return (j / 4 * 4 + q) * 8 + j % 4;
}

// The lanes from 2 n digits.
template <class Machine>
WARPINT_INLINE void first_pass(double *x, const double *digits, long n, const double *roots) {
    using Vector = typename Machine::Vector;
    const long m = n / lanes;
    for (long j = 0; j < m; j += Machine::width) {
        Vector re[4];
        Vector im[4];
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 4; ++k) {
            WARPINT_LOAD(re[k], digits + j + k * m);
            WARPINT_LOAD(im[k], digits + n + j + k * m);
            if (k > 0)
                multiply<false>(re[k], im[k], eighths[k][0], eighths[k][1]);
        }
        transform_few<false>(re, im);
        WARPINT_UNROLL_ALWAYS
        for (int q = 0; q < 4; ++q) {
            Vector w_re;
            Vector w_im;
            WARPINT_LOAD(w_re, roots + place_of_root(j, q));
            WARPINT_LOAD(w_im, roots + place_of_root(j, q) + 4);
            multiply<false>(re[q], im[q], w_re, w_im);
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < Machine::width; ++i) {
                x[doubles * (j + i) + q] = re[q][i];
                x[doubles * (j + i) + lanes + q] = im[q][i];
            }
        }
    }
}

// Back: 2 n coefficients.
template <class Machine>
WARPINT_INLINE void last_pass(double *coefficients, const double *x, long n, const double *roots) {
    using Vector = typename Machine::Vector;
    const long m = n / lanes;
    const double scale = 1.0 / static_cast<double>(n);
    for (long j = 0; j < m; j += Machine::width) {
        Vector re[4];
        Vector im[4];
        WARPINT_UNROLL_ALWAYS
        for (int q = 0; q < 4; ++q) {
            double parts[2][Machine::width];
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < Machine::width; ++i) {
                parts[0][i] = x[doubles * (j + i) + q];
                parts[1][i] = x[doubles * (j + i) + lanes + q];
            }
            WARPINT_LOAD(re[q], parts[0]);
            WARPINT_LOAD(im[q], parts[1]);
            Vector w_re;
            Vector w_im;
            WARPINT_LOAD(w_re, roots + place_of_root(j, q));
            WARPINT_LOAD(w_im, roots + place_of_root(j, q) + 4);
            multiply<true>(re[q], im[q], w_re, w_im);
        }
        transform_few<true>(re, im);
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 4; ++k) {
            multiply<true>(re[k], im[k], scale * eighths[k][0], scale * eighths[k][1]);
            WARPINT_STORE(coefficients + j + k * m, re[k]);
            WARPINT_STORE(coefficients + n + j + k * m, im[k]);
        }
    }
}

// x *= y, point by point.
template <class Machine>
WARPINT_INLINE void multiply_points(double *x, const double *y, long n) {
    using Vector = typename Machine::Vector;
    for (long i = 0; i < 2 * n; i += doubles) {
        WARPINT_UNROLL_ALWAYS
        for (int lane = 0; lane < lanes; lane += Machine::width) {
            Vector re;
            Vector im;
            Vector y_re;
            Vector y_im;
            WARPINT_LOAD(re, x + i + lane);
            WARPINT_LOAD(im, x + i + lanes + lane);
            WARPINT_LOAD(y_re, y + i + lane);
            WARPINT_LOAD(y_im, y + i + lanes + lane);
            multiply<false>(re, im, y_re, y_im);
            WARPINT_STORE(x + i + lane, re);
            WARPINT_STORE(x + i + lanes + lane, im);
        }
    }
}

// 2 n digits of a number of at least two words, balanced but for its last. Each needs the bit below
// it, its carry.
WARPINT_INLINE void split_words(double *digits, long n, const std::uint64_t *a, long words,
                                int bits) {
    const auto balanced = [bits](std::uint64_t raw) WARPINT_INLINE_LAMBDA { // bits + 1 of them
        const auto top = static_cast<std::int64_t>(raw << (63 - bits));
        return static_cast<double>((top >> (64 - bits)) + static_cast<std::int64_t>(raw & 1u));
    };
    const auto read = [](const std::uint64_t *from, long bit) WARPINT_INLINE_LAMBDA {
        std::uint64_t raw;
        __builtin_memcpy(&raw, reinterpret_cast<const unsigned char *>(from) + bit / 8, 8);
        return raw >> (bit % 8);
    };
    const long count = digits_of(words, bits);
    digits[0] = balanced(a[0] << 1);
    long j = 1;
    long bit = bits - 1;
    for (; bit / 8 + 8 <= 8 * words; ++j, bit += bits)
        digits[j] = balanced(read(a, bit));
    const std::uint64_t end[4] = {a[words - 2], a[words - 1], 0, 0};
    bit -= 64 * (words - 2);
    for (; j < count - 1; ++j, bit += bits)
        digits[j] = balanced(read(end, bit));
    const std::uint64_t last = read(end, bit);
    digits[j++] = static_cast<double>((last >> 1) + (last & 1u));
    for (; j < 2 * n; ++j)
        digits[j] = 0;
}

// The words of a number from its coefficients, of which each is below 2^47.
WARPINT_INLINE void join_words(std::uint64_t *r, long words, const double *coefficients, int bits) {
    constexpr double above = 0x1p48 + 0.5;
    constexpr std::int64_t offset = std::int64_t{1} << 48;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::int64_t carry = 0;
    std::uint64_t word = 0;
    int filled = 0; // bits of the word
    for (const double *four = coefficients; words > 0; four += 4) {
        std::uint64_t next = 0;
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < 4; ++k) {
            const std::int64_t c = static_cast<std::int64_t>(four[k] + above) - offset;
            WARPINT_ASSERT(four[k] - static_cast<double>(c) < 2 * max_error &&
                           static_cast<double>(c) - four[k] < 2 * max_error);
            carry += c;
            next |= (static_cast<std::uint64_t>(carry) & mask) << (k * bits);
            carry >>= bits;
        }
        word |= next << filled;
        filled += 4 * bits;
        if (filled >= 64) {
            *r++ = word;
            --words;
            filled -= 64;
            word = filled > 0 ? next >> (4 * bits - filled) : 0;
        }
    }
}

// What a product of n values takes: room for two transforms and for the digits, and roots.
struct Room {
    double *x;
    double *y;
    double *digits;
    const double *roots;
};

template <class Machine>
WARPINT_INLINE void multiply_words(std::uint64_t *r, const std::uint64_t *a, long words_a,
                                   const std::uint64_t *b, long words_b, const WordShape &shape,
                                   const Room &room) {
    const long n = shape.n;
    const double *const rest = room.roots + 2 * n;
    const bool is_square = a == b && words_a == words_b;
    for (int k = 0; k < (is_square ? 1 : 2); ++k) {
        double *const to = k == 0 ? room.x : room.y;
        split_words(room.digits, n, k == 0 ? a : b, k == 0 ? words_a : words_b, shape.bits);
        first_pass<Machine>(to, room.digits, n, room.roots);
        Machine::template transform<false>(to, n / lanes, rest);
    }
    multiply_points<Machine>(room.x, is_square ? room.x : room.y, n);
    Machine::template transform<true>(room.x, n / lanes, rest);
    last_pass<Machine>(room.digits, room.x, n, room.roots);
    join_words(r, words_a + words_b, room.digits, shape.bits);
}

struct Portable {
    using Vector = double __attribute__((vector_size(16)));
    static constexpr int width = 2;

    template <bool inverse>
    static void transform(double *x, long length, const double *roots) {
        transform_vectors<Portable, inverse>(x, length, roots);
    }
    static void multiply(std::uint64_t *r, const std::uint64_t *a, long words_a,
                         const std::uint64_t *b, long words_b, const WordShape &shape,
                         const Room &room) {
        multiply_words<Portable>(r, a, words_a, b, words_b, shape, room);
    }
};

#if defined(WARPINT_WITH_AVX2)
struct Avx2 {
    using Vector = double __attribute__((vector_size(32)));
    static constexpr int width = 4;

    template <bool inverse>
    WARPINT_WITH_AVX2 static void transform(double *x, long length, const double *roots) {
        transform_vectors<Avx2, inverse>(x, length, roots);
    }
    WARPINT_WITH_AVX2 static void multiply(std::uint64_t *r, const std::uint64_t *a, long words_a,
                                           const std::uint64_t *b, long words_b,
                                           const WordShape &shape, const Room &room) {
        multiply_words<Avx2>(r, a, words_a, b, words_b, shape, room);
    }
};
#endif

// The roots of a shape: those of the first pass, 2 n doubles, then those of the passes between,
// less than n. Null: out of memory.
WARPINT_COLD inline double *compute_word_roots(long n) {
    // exp(pi i t / 2n) from two tables, t = high * step + low.
    long step = 1;
    while (step * step < 4 * n)
        step *= 2;
    struct Root {
        long double re;
        long double im;
    };
    const long highs = 4 * n / step + 1;
    auto *const tables = static_cast<Root *>(
        __builtin_malloc(sizeof(Root) * static_cast<std::size_t>(highs + step)));
    auto *const roots =
        static_cast<double *>(__builtin_malloc(sizeof(double) * static_cast<std::size_t>(3 * n)));
    if (tables == nullptr || roots == nullptr) {
        __builtin_free(tables);
        __builtin_free(roots);
        return nullptr;
    }
    constexpr long double pi = 3.141592653589793238462643383279502884L;
    for (long i = 0; i < highs + step; ++i) {
        const long double t = static_cast<long double>(i < highs ? i * step : i - highs);
        const long double angle = pi * t / static_cast<long double>(2 * n);
        tables[i] = {__builtin_cosl(angle), __builtin_sinl(angle)};
    }
    const auto set = [&](double *re, double *im, long t) { // of the power t > -4 n
        t = (t % (4 * n) + 4 * n) % (4 * n);
        const Root high = tables[t / step];
        const Root low = tables[highs + t % step];
        *re = static_cast<double>(high.re * low.re - high.im * low.im);
        *im = static_cast<double>(high.re * low.im + high.im * low.re);
    };
    for (long j = 0; j < n / lanes; ++j) {
        for (int q = 0; q < 4; ++q) {
            double *const at = roots + place_of_root(j, q);
            set(at, at + 4, j * (1 - 4 * q));
        }
    }
    double *next = roots + 2 * n;
    for (long length = n / lanes; roots_of_pass(length) > 0; length /= radix_of(length)) {
        const int radix = radix_of(length);
        for (long j = 0; j < length / radix; ++j) {
            for (int k = 1; k < radix; ++k, next += 2)
                set(next, next + 1, -4 * (n / length) * j * k);
        }
    }
    __builtin_free(tables);
    return roots;
}

// Computed once for a shape, and kept.
inline const double *word_roots(int index) {
    static double *kept[word_shapes];
    double *roots = __atomic_load_n(&kept[index], __ATOMIC_ACQUIRE);
    if (roots != nullptr)
        return roots;
    roots = compute_word_roots(values_of_shape(index));
    double *other = nullptr;
    if (roots != nullptr && !__atomic_compare_exchange_n(&kept[index], &other, roots, false,
                                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        __builtin_free(roots);
        return other;
    }
    return roots;
}

// A thread's memory: as much as its longest product took, until it ends.
struct WordMemory {
    double *values;
    std::size_t size;
};
inline thread_local WordMemory word_memory{nullptr, 0};
struct WordMemoryOwner {
    ~WordMemoryOwner() {
        __builtin_free(word_memory.values);
        word_memory = {nullptr, 0}; // what runs later takes its own
    }
};

// So many doubles, from a cache line on. Null: out of memory.
inline double *memory_of_thread(std::size_t size) {
    thread_local const WordMemoryOwner owner;
    if (size > word_memory.size) {
        __builtin_free(word_memory.values);
        auto *const values = static_cast<double *>(__builtin_malloc(size * sizeof(double) + 64));
        word_memory = {values, values != nullptr ? size : 0};
    }
    double *const values = word_memory.values;
    if (values == nullptr)
        return nullptr;
    return values + (64 - reinterpret_cast<std::uintptr_t>(values) % 64) / sizeof(double);
}

} // namespace detail

// r = a b for numbers of at least min_words; r has all their words and overlaps neither. False,
// with nothing done: the product is too long (some 12 million bits each), or memory is short.
WARPINT_NOINLINE inline bool multiply_words(std::uint64_t *r, const std::uint64_t *a, long words_a,
                                            const std::uint64_t *b, long words_b) {
    const int index = detail::shape_for(words_a, words_b);
    if (index < 0)
        return false;
    const WordShape shape = detail::all_word_shapes.shape[index];
    const double *const roots = detail::word_roots(index);
    double *const memory = detail::memory_of_thread(static_cast<std::size_t>(6 * shape.n));
    if (roots == nullptr || memory == nullptr)
        return false;
    const detail::Room room{memory, memory + 2 * shape.n, memory + 4 * shape.n, roots};
#if defined(WARPINT_WITH_AVX2)
    if (limb::cpu_features.has_avx2_fma()) {
        detail::Avx2::multiply(r, a, words_a, b, words_b, shape, room);
        return true;
    }
#endif
    detail::Portable::multiply(r, a, words_a, b, words_b, shape, room);
    return true;
}

#undef WARPINT_LOAD
#undef WARPINT_STORE
#undef WARPINT_WITH_AVX2
#endif

} // namespace warpint::arith::word_transform
