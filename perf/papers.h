// SPDX-License-Identifier: Apache-2.0
// Algorithms that the papers name, as rows: papers.py prints the papers' tables beside them. Only
// here and in papers_gpu.cpp the benchmarks reach behind the public interface: users have no need
// to choose these by name.
#pragma once

#include "../tests/reference/montgomery_variants.h"
#include "formulas.h"

#include <warpint/arith/limbs/product/karatsuba.h>

namespace perf {

using arith::MontgomeryVariant;

constexpr const char *name(MontgomeryVariant variant) {
    constexpr const char *names[] = {
        "warpint: SOS",      "warpint: CIOS",      "warpint: FIOS",   "warpint: FIPS (columns)",
        "warpint: two-pass", "warpint: alternate", "warpint: blocks", "warpint: tiles"};
    return names[static_cast<int>(variant)];
}

// Montgomery's product, a thread per number: a = a b / R or a^2 / R, `times` times in registers.
template <MontgomeryVariant variant, bool squares, int times>
struct MontgomeryForm : FormulaDefaults {
    template <int Bits>
    struct Function {
        BigInt<Bits> m;
        std::uint32_t inverse; // -1 / m modulo 2^32
        WARPINT_HOST_DEVICE BigInt<Bits> operator()(const BigInt<Bits> &a,
                                                    const BigInt<Bits> &b) const {
            constexpr int n = BigInt<Bits>::limb_count;
            BigInt<Bits> r = a;
            for (int i = 0; i < times; ++i) {
                if constexpr (squares) {
                    arith::montgomery_square_by<variant, n>(r.limbs, r.limbs, m.limbs, inverse);
                } else {
                    arith::montgomery_multiply_by<variant, n>(r.limbs, r.limbs, b.limbs, m.limbs,
                                                              inverse);
                }
            }
            return r;
        }
    };
    static constexpr const char *operation = times == 1 ? "a * b / R % m"
                                             : squares  ? "sqr(x) in registers"
                                                        : "x * y in registers";
    static constexpr const char *kind = "Montgomery";
    static constexpr const char *by = name(variant);
    static constexpr int repeats = times;
    static constexpr unsigned uses = use_a_below | use_b_below | use_one;
    static constexpr Reference reference = times == 1 ? reference::montgomery_multiply
                                           : squares  ? reference::montgomery_square_512_times
                                                      : reference::montgomery_multiply_512_times;
    static constexpr MultiplyAdds multiply_adds =
        squares ? work::modular_square : work::modular_product;
    static double effort(int bits) { return 2 * times * work::modular_product(bits, 32); }
    template <class X>
    static auto formula(const X &x) {
        return map(Function<X::bits>{x.one, limb::negative_inverse(x.one.limbs[0])}, x.a, x.b);
    }
};

// Exact products, a thread per number: schoolbook, and Karatsuba's at so many levels.
template <int levels>
struct ProductMethod : Multiply {
    template <int Bits>
    struct Function {
        WARPINT_HOST_DEVICE BigInt<2 * Bits> operator()(const BigInt<Bits> &a,
                                                        const BigInt<Bits> &b) const {
            constexpr int n = BigInt<Bits>::limb_count;
            BigInt<2 * Bits> r;
            if constexpr (levels == 0) {
                arith::detail::multiply_base(r.limbs, a.limbs, n, b.limbs, n);
            } else {
                std::uint32_t scratch[arith::karatsuba_scratch(n)];
                arith::multiply_karatsuba<8, levels>(r.limbs, a.limbs, b.limbs, n, scratch);
            }
            return r;
        }
    };
    static constexpr const char *by = levels == 0   ? "warpint: schoolbook, a thread"
                                      : levels == 1 ? "warpint: Karatsuba, a thread"
                                                    : "warpint: Karatsuba twice, a thread";
    template <class X>
    static auto formula(const X &x) {
        return map(Function<X::bits>{}, x.a, x.b);
    }
};

// Exact products of short numbers, 64 times in registers: a = the low half of a b ^ its high half.
template <bool karatsuba>
struct ShortProduct : FormulaDefaults {
    static constexpr int times = 64;
    template <int Bits>
    static constexpr int whole_bits = (Bits + 31) / 32 * 32;
    template <int Bits>
    struct Function {
        WARPINT_HOST_DEVICE BigInt<whole_bits<Bits>> operator()(const BigInt<Bits> &a,
                                                                const BigInt<Bits> &b) const {
            constexpr int n = BigInt<Bits>::limb_count;
            BigInt<whole_bits<Bits>> r;
            for (int k = 0; k < n; ++k)
                r.limbs[k] = a.limbs[k];
            for (int i = 0; i < times; ++i) {
                std::uint32_t product[2 * n];
                if constexpr (karatsuba) {
                    arith::multiply_karatsuba_registers<n>(product, r.limbs, b.limbs);
                } else {
                    arith::multiply_columns<n, n>(product, r.limbs, b.limbs);
                }
                for (int k = 0; k < n; ++k)
                    r.limbs[k] = product[k] ^ product[n + k];
            }
            return r;
        }
    };
    template <int Bits>
    using Result = BigInt<whole_bits<Bits>>;
    static constexpr const char *operation = "a * b in registers";
    static constexpr const char *by =
        karatsuba ? "warpint: Karatsuba" : "warpint: schoolbook (columns)";
    static constexpr int repeats = times;
    static constexpr unsigned uses = use_a | use_b;
    static constexpr Reference reference = reference::multiply_and_fold;
    static constexpr MultiplyAdds multiply_adds = work::product;
    static double effort(int bits) { return times * work::product(bits, 32); }
    template <class X>
    static auto formula(const X &x) {
        return map(Function<X::bits>{}, x.a, x.b);
    }
};

} // namespace perf
