// SPDX-License-Identifier: Apache-2.0
// What an x86-64 processor offers beyond x86-64, and what the system lets programs use of it. Read
// from the processor: __builtin_cpu_supports says no where the compiler has no library for it, as
// zig.
#pragma once

#include "config.h"

#if defined(__x86_64__) && defined(__GNUC__) && !WARPINT_DEVICE_PASS

#include <cpuid.h>

namespace warpint::limb {

class CpuFeatures {
public:
    CpuFeatures() {
        unsigned a = 0, b = 0, d = 0;
        if (__get_cpuid(1, &a, &b, &ecx1_, &d) == 0 ||
            __get_cpuid_count(7, 0, &a, &ebx7_, &ecx7_, &d) == 0)
            return;
        if (has(ecx1_, 27)) // OSXSAVE: xgetbv exists
            asm("xgetbv" : "=a"(kept_), "=d"(d) : "c"(0));
    }
    // BMI2 and ADX.
    [[nodiscard]] bool has_two_carry_chains() const { return has(ebx7_, 8) && has(ebx7_, 19); }
    // AVX2 and FMA.
    [[nodiscard]] bool has_avx2_fma() const {
        return has(ebx7_, 5) && has(ecx1_, 12) && keeps(0x06); // registers xmm, ymm
    }
    // AVX-512 F, DQ, IFMA and VBMI2, and BMI2.
    [[nodiscard]] bool has_avx512_ifma() const {
        return has(ebx7_, 8) && has(ebx7_, 16) && has(ebx7_, 17) && has(ebx7_, 21) &&
               has(ecx7_, 6) && keeps(0xe6); // and masks and both parts of zmm
    }

private:
    static bool has(unsigned word, int bit) { return (word >> bit & 1u) != 0; }
    // Whether the system keeps these registers when it switches threads.
    [[nodiscard]] bool keeps(unsigned state) const { return (kept_ & state) == state; }

    unsigned ecx1_ = 0; // of leaf 1
    unsigned ebx7_ = 0; // of leaf 7
    unsigned ecx7_ = 0;
    unsigned kept_ = 0; // XCR0
};
// Asked once: a processor that is emulated takes microseconds to say. Before main it may say no.
inline const CpuFeatures cpu_features;

} // namespace warpint::limb

#endif
