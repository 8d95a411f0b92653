// SPDX-License-Identifier: Apache-2.0
// Plain numbers against intx, where its header is found.
#include "number_perf.h"

#if __has_include(<intx/intx.hpp>)
#include "number_peer_perf.h"

#include <intx/intx.hpp>

namespace {

struct Intx {
    template <int Bits>
    using Number = intx::uint<Bits>;

    template <int Bits>
    static Number<Bits> from_words(const perf::Words &words) {
        Number<Bits> x;
        for (unsigned i = 0; i < Bits / 64; ++i)
            x[i] = words[i];
        return x;
    }
    template <int Bits>
    static perf::Words to_words(const Number<Bits> &x) {
        perf::Words words;
        for (unsigned i = 0; i < Bits / 64; ++i)
            words.push_back(x[i]);
        return words;
    }
    template <int Bits>
    static Number<2 * Bits> multiply(const Number<Bits> &a, const Number<Bits> &b) {
        return umul(a, b);
    }
    template <int A, int B>
    static void divide(Number<A> &q, Number<B> &r, const Number<A> &a, const Number<B> &b) {
        const auto result = udivrem(a, b);
        q = result.quot;
        r = result.rem;
    }
    template <int Bits>
    static Number<Bits> parse(const std::string &text) {
        return intx::from_string<Number<Bits>>(text);
    }
    template <int Bits>
    static std::string text(const Number<Bits> &x, int base) {
        return intx::to_string(x, base);
    }
};

} // namespace

void perf::measure_intx() {
    measure_fixed<Intx>("intx", 1.0);
}
#else
void perf::measure_intx() {
    std::puts("\n== intx: not found when this was built");
}
#endif
