// Rows of any length: r (+)= a b for a run-time number of limbs, the inner loop of host products,
// where numbers lie in memory. x86-64 processors with the BMI2 and ADX extensions run eight limbs
// per block on two independent carry chains (Ozturk, Guilford, Gopal, Feghali, "New Instructions
// Supporting Large Integer Arithmetic on Intel Architecture Processors", 2012); chosen at run time,
// no compiler flag needed.
#pragma once

#include "arithmetic.h"

#if WARPINT_X86_64
#include <cpuid.h>
#endif

namespace warpint::limb {

#if WARPINT_X86_64
namespace detail {

inline bool detect_two_carry_chains() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0)
        return false;
    return (b & (1u << 8)) != 0 && (b & (1u << 19)) != 0; // BMI2, ADX
}
inline const bool has_two_carry_chains = detect_two_carry_chains();

// r[0..8) += a[0..8) b + carry; returns the limb carried out.
inline std::uint64_t multiply_add_block8(std::uint64_t *r, const std::uint64_t *a, std::uint64_t b,
                                         std::uint64_t carry) {
    std::uint64_t low, high, zero;
    asm("xorl %k[zero], %k[zero]\n\t" // clears both carry flags
        "mulxq 0(%[a]), %[low], %[high]\n\t"
        "adcxq %[carry], %[low]\n\t"
        "adoxq 0(%[r]), %[low]\n\t"
        "movq %[low], 0(%[r])\n\t"
        "mulxq 8(%[a]), %[low], %[carry]\n\t"
        "adcxq %[high], %[low]\n\t"
        "adoxq 8(%[r]), %[low]\n\t"
        "movq %[low], 8(%[r])\n\t"
        "mulxq 16(%[a]), %[low], %[high]\n\t"
        "adcxq %[carry], %[low]\n\t"
        "adoxq 16(%[r]), %[low]\n\t"
        "movq %[low], 16(%[r])\n\t"
        "mulxq 24(%[a]), %[low], %[carry]\n\t"
        "adcxq %[high], %[low]\n\t"
        "adoxq 24(%[r]), %[low]\n\t"
        "movq %[low], 24(%[r])\n\t"
        "mulxq 32(%[a]), %[low], %[high]\n\t"
        "adcxq %[carry], %[low]\n\t"
        "adoxq 32(%[r]), %[low]\n\t"
        "movq %[low], 32(%[r])\n\t"
        "mulxq 40(%[a]), %[low], %[carry]\n\t"
        "adcxq %[high], %[low]\n\t"
        "adoxq 40(%[r]), %[low]\n\t"
        "movq %[low], 40(%[r])\n\t"
        "mulxq 48(%[a]), %[low], %[high]\n\t"
        "adcxq %[carry], %[low]\n\t"
        "adoxq 48(%[r]), %[low]\n\t"
        "movq %[low], 48(%[r])\n\t"
        "mulxq 56(%[a]), %[low], %[carry]\n\t"
        "adcxq %[high], %[low]\n\t"
        "adoxq 56(%[r]), %[low]\n\t"
        "movq %[low], 56(%[r])\n\t"
        "adcxq %[zero], %[carry]\n\t"
        "adoxq %[zero], %[carry]\n\t"
        : [carry] "+&r"(carry), [low] "=&r"(low), [high] "=&r"(high), [zero] "=&r"(zero)
        : [r] "r"(r), [a] "r"(a), "d"(b)
        : "cc", "memory");
    return carry;
}

} // namespace detail
#endif

// r[0..n) += a[0..n) b; returns the limb carried out. r and a do not overlap.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb multiply_add_row(Limb *r, const Limb *a, int n, Limb b) {
    Limb carry = 0;
    int i = 0;
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && detail::has_two_carry_chains) {
            for (; i + 8 <= n; i += 8)
                carry = detail::multiply_add_block8(r + i, a + i, b, carry);
        }
    }
#endif
    for (; i < n; ++i)
        r[i] = multiply_add(a[i], b, r[i], carry);
    return carry;
}

// r[0..n) -= a[0..n) b; returns the limb borrowed.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb multiply_sub_row(Limb *r, const Limb *a, int n, Limb b) {
    Limb carry = 0;
    for (int i = 0; i < n; ++i) {
        const Limb product = multiply_add(a[i], b, Limb{0}, carry);
        const Limb before = r[i];
        r[i] = static_cast<Limb>(before - product);
        carry = static_cast<Limb>(carry + (before < product));
    }
    return carry;
}

} // namespace warpint::limb
