// SPDX-License-Identifier: Apache-2.0
// Plain numbers against Boost.Multiprecision's fixed-width unchecked cpp_int, where it is found.
#include "number_perf.h"

#if __has_include(<boost/multiprecision/cpp_int.hpp>)
#include "number_peer_perf.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wrestrict" // g++ 12 sees one in std::string inside cpp_int::str
#endif

#include <boost/multiprecision/cpp_int.hpp>

namespace {

namespace mp = boost::multiprecision;

struct Boost {
    template <int Bits>
    using Number =
        mp::number<mp::cpp_int_backend<Bits, Bits, mp::unsigned_magnitude, mp::unchecked, void>,
                   mp::et_off>;

    template <int Bits>
    static Number<Bits> from_words(const perf::Words &words) {
        Number<Bits> x;
        mp::import_bits(x, words.begin(), words.end(), 64, false);
        return x;
    }
    template <int Bits>
    static perf::Words to_words(const Number<Bits> &x) {
        perf::Words words;
        mp::export_bits(x, std::back_inserter(words), 64, false);
        words.resize(Bits / 64, 0);
        return words;
    }
    template <int Bits>
    static Number<2 * Bits> multiply(const Number<Bits> &a, const Number<Bits> &b) {
        Number<2 * Bits> r;
        mp::multiply(r, a, b);
        return r;
    }
    template <int A, int B>
    static void divide(Number<A> &q, Number<B> &r, const Number<A> &a, const Number<B> &b) {
        if constexpr (A == B) {
            mp::divide_qr(a, b, q, r);
        } else {
            Number<A> remainder;
            mp::divide_qr(a, Number<A>(b), q, remainder);
            r = Number<B>(remainder);
        }
    }
    template <int Bits>
    static Number<Bits> parse(const std::string &text) {
        return Number<Bits>(text);
    }
    template <int Bits>
    static std::string text(const Number<Bits> &x, int base) {
        return x.str(0, base == 16 ? std::ios_base::hex : std::ios_base::dec);
    }
};

} // namespace

void perf::measure_boost() {
    measure_fixed<Boost>("Boost", 2.0);
}
#else
void perf::measure_boost() {
    std::puts("\n== Boost.Multiprecision: not found when this was built");
}
#endif
