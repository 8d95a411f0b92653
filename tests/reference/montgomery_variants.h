// SPDX-License-Identifier: Apache-2.0
// Montgomery multiplication in the forms that the literature names, for tests and benchmarks; what
// products use is selected in montgomery.h. All give the same bits.
//
//   sos, cios, fios, fips   Koc, Acar, Kaliski, "Analyzing and Comparing Montgomery Multiplication
//                           Algorithms", IEEE Micro 16(3), 1996
//   two_pass                Emmart, Luitjens, Weems, Woolley, "Optimizing modular multiplication
//                           for NVIDIA's Maxwell GPUs", ARITH 2016: products of half limbs
//   alternate               two accumulators of alternate limbs (montgomery_alternate.h)
//   blocks                  SOS by blocks of eight rows (montgomery_rows.h)
//   tiles                   SOS by tiles of eight times eight limbs (tiles.h)
//
// Each computes r = a b / R mod m for a b < m R, R = B^N, m odd, m_inverse = -m^-1 mod B. r may be
// any operand but m. Constant time.
#pragma once

#include <warpint/arith/limbs/reduction/montgomery_rows.h>

namespace warpint::arith {

enum class MontgomeryVariant { sos, cios, fios, fips, two_pass, alternate, blocks, tiles };

// SOS, separated operand scanning: the whole product, then the whole reduction.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_sos(Limb *r, const Limb *a, const Limb *b,
                                                           const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    multiply_rows(t, a, N, b, N);
    const Limb top = detail::reduce_rows<N>(t, m, m_inverse);
    detail::subtract_once<N>(r, t + N, top, m);
}

// SOS with the squaring that computes every mixed product once.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_square_sos(Limb *r, const Limb *a, const Limb *m,
                                                         Limb m_inverse) {
    Limb t[2 * N]{};
    Limb scratch[square_rows_scratch(N)]{};
    square_rows(t, a, N, scratch);
    const Limb top = detail::reduce_rows<N>(t, m, m_inverse);
    detail::subtract_once<N>(r, t + N, top, m);
}

// CIOS, coarsely integrated operand scanning: a row of the product, then a row of the reduction.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_cios(Limb *r, const Limb *a, const Limb *b,
                                                            const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    Limb top = 0;
    for (int i = 0; i < N; ++i) {
        const Limb product_carry = limb::multiply_add_row(t + i, a, N, b[i]);
        const Limb q = static_cast<Limb>(1u * t[i] * m_inverse);
        const Limb reduction_carry = limb::multiply_add_row(t + i, m, N, q);
        t[i + N] = limb::add_carry(product_carry, reduction_carry, top);
    }
    detail::subtract_once<N>(r, t + N, top, m);
}

// FIOS, finely integrated operand scanning: both products of a limb of the sum in one loop, each
// with a carry of its own, so that no carry is propagated inside it.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_fios(Limb *r, const Limb *a, const Limb *b,
                                                            const Limb *m, Limb m_inverse) {
    Limb t[N]{};
    Limb top = 0;
    for (int i = 0; i < N; ++i) {
        Limb product_carry = 0;
        Limb reduction_carry = 0;
        const Limb low = limb::multiply_add(a[0], b[i], t[0], product_carry);
        const Limb q = static_cast<Limb>(1u * low * m_inverse);
        limb::multiply_add(m[0], q, low, reduction_carry);
        for (int j = 1; j < N; ++j) {
            const Limb sum = limb::multiply_add(a[j], b[i], t[j], product_carry);
            t[j - 1] = limb::multiply_add(m[j], q, sum, reduction_carry);
        }
        t[N - 1] = limb::add_carry(product_carry, reduction_carry, top);
    }
    detail::subtract_once<N>(r, t, top, m);
}

// FIPS, finely integrated product scanning: column by column. Fewer than B / 2 limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_fips(Limb *r, const Limb *a, const Limb *b,
                                                            const Limb *m, Limb m_inverse) {
    Limb q[N]{};
    Limb t[N]{};
    limb::Column<Limb> column;
    for (int k = 0; k < N; ++k) {
        for (int j = 0; j < k; ++j) {
            column.add_product(a[j], b[k - j]);
            column.add_product(q[j], m[k - j]);
        }
        column.add_product(a[k], b[0]);
        q[k] = static_cast<Limb>(1u * column.low * m_inverse);
        column.add_product(q[k], m[0]);
        column.next();
    }
    for (int k = N; k < 2 * N; ++k) {
        for (int j = k - N + 1; j < N; ++j) {
            column.add_product(a[j], b[k - j]);
            column.add_product(q[j], m[k - j]);
        }
        t[k - N] = column.next();
    }
    detail::subtract_once<N>(r, t, column.low, m);
}

namespace detail {

template <class Limb>
inline constexpr int half_bits = limb::limb_bits<Limb> / 2;

template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb low_half(Limb x) {
    return static_cast<Limb>(x & ((Limb{1} << half_bits<Limb>)-1u));
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb high_half(Limb x) {
    return static_cast<Limb>(x >> half_bits<Limb>);
}

// t[0..N] += sum of a (half of x[i]) B^i; a is a half limb, so each product is one limb.
template <int N, bool High, class Limb>
WARPINT_HOST_DEVICE constexpr void add_half_row(Limb *t, Limb a, const Limb *x) {
    Limb carry = 0;
    for (int i = 0; i < N; ++i) {
        const Limb half = High ? high_half(x[i]) : low_half(x[i]);
        t[i] = limb::add_carry(t[i], static_cast<Limb>(1u * a * half), carry);
    }
    t[N] = static_cast<Limb>(t[N] + carry);
}

// The two-pass product: the products that straddle limbs, a shift by half a limb, then the others.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_two_pass(Limb *r, const Limb *a, const Limb *b) {
    Limb t[2 * N + 1]{};
    for (int i = 0; i < N; ++i) {
        add_half_row<N, true>(t + i, low_half(b[i]), a);
        add_half_row<N, false>(t + i, high_half(b[i]), a);
    }
    for (int i = 2 * N - 1; i >= 0; --i)
        t[i] = limb::funnel_left(t[i], i > 0 ? t[i - 1] : Limb{0}, half_bits<Limb>);
    for (int i = 0; i < N; ++i) {
        Limb carry = 0; // of either row, together one limb's worth: it goes through to the end
        for (int j = 0; j < N; ++j) {
            t[i + j] = limb::add_carry(
                t[i + j], static_cast<Limb>(1u * low_half(b[i]) * low_half(a[j])), carry);
        }
        limb::add_limb_row(t + i + N, N - i, carry);
        carry = 0;
        for (int j = 0; j < N; ++j) {
            t[i + j + 1] = limb::add_carry(
                t[i + j + 1], static_cast<Limb>(1u * high_half(b[i]) * high_half(a[j])), carry);
        }
        limb::add_limb_row(t + i + N + 1, N - i - 1, carry);
    }
    for (int i = 0; i < 2 * N; ++i)
        r[i] = t[i];
}

} // namespace detail

// The two-pass form: quotients of half a limb, alternately from an aligned sum x and a sum u that
// stands half a limb higher, so that no product straddles a limb of its sum. The high half of the
// product is added at the end.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void
montgomery_multiply_two_pass(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    detail::multiply_two_pass<N>(t, a, b);
    Limb x[N + 1]{};
    Limb u[N + 1]{};
    for (int i = 0; i < N; ++i)
        x[i] = t[i];
    // One half step: the low half of sum[0] becomes 0, its high half moves to the other sum, and
    // the limb is dropped.
    const auto step = [&](Limb *sum, Limb *other) {
        const Limb q = detail::low_half(static_cast<Limb>(1u * sum[0] * m_inverse));
        detail::add_half_row<N, false>(sum, q, m);
        detail::add_half_row<N, true>(other, q, m);
        limb::add_limb_row(other, N + 1, detail::high_half(sum[0]));
        for (int i = 0; i < N; ++i)
            sum[i] = sum[i + 1];
        sum[N] = 0;
    };
    for (int i = 0; i < N; ++i) {
        step(x, u);
        step(u, x);
    }
    for (int i = N; i > 0; --i)
        u[i] = limb::funnel_left(u[i], u[i - 1], detail::half_bits<Limb>);
    u[0] = static_cast<Limb>(u[0] << detail::half_bits<Limb>);
    limb::add<N>(x, x, u);
    const Limb top = limb::add<N>(x, x, t + N);
    detail::subtract_once<N>(r, x, top, m);
}

// SOS by tiles: the whole product, then the whole reduction.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_tiles(Limb *r, const Limb *a, const Limb *b,
                                                             const Limb *m, Limb m_inverse) {
    Limb t[2 * N]{};
    multiply_tiles(t, 2 * N, a, N, b, N);
    reduce_tiles(r, t, m, N, m_inverse);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_square_tiles(Limb *r, const Limb *a, const Limb *m,
                                                           Limb m_inverse) {
    Limb t[2 * N]{};
    square_tiles(t, a, N);
    reduce_tiles(r, t, m, N, m_inverse);
}

// The multiplication by name.
template <MontgomeryVariant variant, int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_multiply_by(Limb *r, const Limb *a, const Limb *b,
                                                          const Limb *m, Limb m_inverse) {
    using enum MontgomeryVariant;
    if constexpr (variant == sos) {
        montgomery_multiply_sos<N>(r, a, b, m, m_inverse);
    } else if constexpr (variant == cios) {
        montgomery_multiply_cios<N>(r, a, b, m, m_inverse);
    } else if constexpr (variant == fios) {
        montgomery_multiply_fios<N>(r, a, b, m, m_inverse);
    } else if constexpr (variant == fips) {
        montgomery_multiply_fips<N>(r, a, b, m, m_inverse);
    } else if constexpr (variant == two_pass) {
        montgomery_multiply_two_pass<N>(r, a, b, m, m_inverse);
    } else if constexpr (variant == alternate) {
        montgomery_multiply_alternate<N>(r, a, b, m, m_inverse);
    } else if constexpr (variant == tiles) {
        montgomery_multiply_tiles<N>(r, a, b, m, m_inverse);
    } else {
        montgomery_multiply_blocks<N>(r, a, b, m, m_inverse);
    }
}

// The square by name: the variants that have one of their own, the others as a product.
template <MontgomeryVariant variant, int N, class Limb>
WARPINT_HOST_DEVICE constexpr void montgomery_square_by(Limb *r, const Limb *a, const Limb *m,
                                                        Limb m_inverse) {
    using enum MontgomeryVariant;
    if constexpr (variant == sos) {
        montgomery_square_sos<N>(r, a, m, m_inverse);
    } else if constexpr (variant == alternate) {
        montgomery_square_alternate<N>(r, a, m, m_inverse);
    } else if constexpr (variant == blocks) {
        montgomery_square_blocks<N>(r, a, m, m_inverse);
    } else if constexpr (variant == tiles) {
        montgomery_square_tiles<N>(r, a, m, m_inverse);
    } else {
        montgomery_multiply_by<variant, N>(r, a, a, m, m_inverse);
    }
}

} // namespace warpint::arith
