// SPDX-License-Identifier: Apache-2.0
// Which engine CPU batches use for products, remainders and powers of several numbers at once, and
// single numbers for division and roots.
//
//   avx512_ifma   eight numbers side by side in 512-bit vectors (arith/simd), or one number's
//                 digits (arith/simd/one): x86-64 with AVX-512 F, DQ, IFMA and VBMI2, and BMI2:
//                 Intel since Ice Lake, AMD since Zen 4 (AMD: not measured)
//   scalar        one number at a time, in 64-bit words: everywhere else
//
// Why there is no other engine. Powers of 1024 bits a second and core, estimated from timed
// products in radix 2^28 (values not checked): AVX-512 without IFMA 6.0 K, twice the scalar
// code's 3.0 K (IFMA: 22 K); those CPUs, Skylake-X to Cooper Lake, would want a second radix.
// AVX2 3.9 K: 1.3 times, not worth a path of its own. AVX-IFMA on 256 bits (Sierra Forest, Arrow
// Lake) would be the same text with four lanes. It, NEON and SVE are not here because no such CPU
// was at hand to measure on.
//
// The environment variable WARPINT_CPU_ENGINES, read once, lists what may be used, separated by
// commas, with or without blanks: "scalar" turns the engines off; "avx512_ifma", or nothing, leaves
// the choice to the CPU. Words that name no engine are passed over, with one line to the standard
// error stream.
// (A program compiled with WARPINT_SIMD_EMULATED has the engine "emulated" instead: for tests.)
#pragma once

#include "../../../limb/cpu_features.h"
#include "digits.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace warpint::simd {

enum class Engine { scalar, avx512_ifma, emulated };

constexpr const char *name(Engine engine) {
    switch (engine) {
    case Engine::scalar:
        return "scalar";
    case Engine::avx512_ifma:
        return "avx512_ifma";
    case Engine::emulated:
        return "emulated";
    }
    return "unknown";
}

// What a list of engines says.
struct WantedEngines {
    bool all = true; // it names none
    bool best = false;
    std::string_view unknown; // the first word that names no engine; empty without one
};
WARPINT_COLD inline WantedEngines wanted_engines(const char *list, Engine best) {
    WantedEngines wanted;
    for (const char *at = list + std::strspn(list, " \t,"); *at != 0;
         at += std::strspn(at, " \t,")) {
        std::string_view word(at, std::strcspn(at, ","));
        at += word.size();
        while (word.back() == ' ' || word.back() == '\t')
            word.remove_suffix(1);
        bool known = false;
        for (const Engine engine : {Engine::scalar, Engine::avx512_ifma, Engine::emulated}) {
            if (word == name(engine)) {
                known = true;
                wanted.best = wanted.best || engine == best;
            }
        }
        if (known) {
            wanted.all = false;
        } else if (wanted.unknown.empty()) {
            wanted.unknown = word;
        }
    }
    return wanted;
}

inline namespace WARPINT_SIMD_MACHINE {

// The best engine that this CPU and this build have.
inline Engine best_engine() {
#if defined(WARPINT_SIMD_EMULATED)
    return Engine::emulated;
#elif WARPINT_SIMD && WARPINT_X86_64 // not while nvcc compiles device code
    return limb::CpuFeatures().has_avx512_ifma() ? Engine::avx512_ifma : Engine::scalar;
#else
    return Engine::scalar;
#endif
}

// The engine of this process.
WARPINT_NOINLINE inline Engine engine() {
    static const Engine chosen = [] {
        const char *const list = std::getenv("WARPINT_CPU_ENGINES");
        const Engine best = best_engine();
        const WantedEngines wanted = wanted_engines(list == nullptr ? "" : list, best);
        if (!wanted.unknown.empty()) {
            constexpr std::size_t max_shown = 80;
            const bool cut = wanted.unknown.size() > max_shown;
            std::fprintf(stderr,
                         "warpint: WARPINT_CPU_ENGINES names \"%.*s%s\", which is no engine: use "
                         "scalar or avx512_ifma\n",
                         static_cast<int>(cut ? max_shown : wanted.unknown.size()),
                         wanted.unknown.data(), cut ? "..." : "");
        }
        return wanted.all || wanted.best ? best : Engine::scalar;
    }();
    return chosen;
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd
