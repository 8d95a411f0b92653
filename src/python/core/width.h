// SPDX-License-Identifier: Apache-2.0
// The functions of one class of widths, from the library's functions of numbers.
#pragma once

#include "core.h"

#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/text.h>

#include <cstring>

namespace core {

template <int Bits>
struct Numbers {
    using N = warpint::BigInt<Bits>;

    static N get(const u32 *from) {
        N x;
        std::memcpy(x.limbs, from, sizeof(x.limbs));
        return x;
    }
    template <class T>
    static void put(u32 *to, const T &x) {
        std::memcpy(to, x.limbs, sizeof(x.limbs));
    }
    // An optional number.
    template <class Optional>
    static bool put_if(u32 *to, const Optional &x) {
        if (x)
            put(to, N(*x));
        return static_cast<bool>(x);
    }

    static void multiply(u32 *twice, const u32 *a, const u32 *b) { put(twice, get(a) * get(b)); }
    static void divide(u32 *quotient, u32 *remainder, const u32 *a, const u32 *b) {
        const auto both = divmod(get(a), get(b));
        put(quotient, both.quotient);
        put(remainder, both.remainder);
    }
    static void multiply_modulo(u32 *r, const u32 *a, const u32 *b, const u32 *m) {
        put(r, mulmod(get(a), get(b), get(m)));
    }
    static void multiply_add_modulo(u32 *r, const u32 *a, const u32 *b, const u32 *c,
                                    const u32 *m) {
        put(r, muladdmod(get(a), get(b), get(c), get(m)));
    }
    // pow() wants exponents whose width is a type; the function below it does not.
    static void power_modulo(u32 *r, const u32 *a, const u32 *e, int e_limbs, const u32 *m) {
        using namespace warpint::number;
        constexpr auto method = warpint::arith::PowerMethod::sliding_windows;
        constexpr int window = power_window(Bits, N::limb_count, host_power_table_bytes, method);
        put(r, power_of_number<window, method>(get(a), warpint::arith::ExponentLimbs{e, e_limbs},
                                               get(m)));
    }
    static bool inverse(u32 *r, const u32 *a, const u32 *m) {
        return put_if(r, warpint::inverse(get(a), get(m)));
    }
    static void gcd(u32 *r, const u32 *a, const u32 *b) { put(r, warpint::gcd(get(a), get(b))); }
    static void square_root(u32 *r, const u32 *a) { put(r, N(isqrt(get(a)))); }
    static void root(u32 *r, const u32 *a, int degree) { put(r, N(iroot(get(a), degree))); }
    static int jacobi(const u32 *a, const u32 *n) { return warpint::jacobi(get(a), get(n)); }
    static bool is_prime(const u32 *a) { return is_probable_prime(get(a)); }
    static void next_prime(u32 *r, const u32 *a) { put(r, warpint::next_prime(get(a))); }
    static bool square_root_modulo(u32 *r, const u32 *a, const u32 *p) {
        return put_if(r, sqrt_mod(get(a), get(p)));
    }
    static char *write(char *last, const u32 *a, int base) {
        return warpint::number::write_backward(last, get(a), base);
    }
    static bool read(u32 *r, const char *digits, std::size_t count, int base) {
        N x{};
        const bool fits = warpint::number::read_digits(x, digits, count, base);
        put(r, x);
        return fits;
    }
};

template <int Bits>
constexpr WidthClass make_width_class() {
    using F = Numbers<Bits>;
    return {Bits,
            F::multiply,
            F::divide,
            F::multiply_modulo,
            F::multiply_add_modulo,
            F::power_modulo,
            F::inverse,
            F::gcd,
            F::square_root,
            F::root,
            F::jacobi,
            F::is_prime,
            F::next_prime,
            F::square_root_modulo,
            F::write,
            F::read};
}

} // namespace core
