// SPDX-License-Identifier: Apache-2.0
// Which engine CPU batches use for products, remainders and powers of several numbers at once.
//
//   avx512_ifma   eight numbers side by side in 512-bit vectors (this room): x86-64 with AVX-512
//                 F, DQ, IFMA and VBMI2: Intel since Ice Lake, AMD since Zen 4 (AMD: not measured)
//   scalar        one number at a time, in 64-bit words: everywhere else
//
// Why there is no other engine. Powers of 1024 bits a second and core, estimated from timed
// products in radix 2^28 (values not checked): AVX-512 without IFMA 6.0 K, twice the scalar
// code's 3.0 K (IFMA: 22 K); those CPUs, Skylake-X to Cooper Lake, would want a second radix.
// AVX2 3.9 K: 1.3 times, not worth a path of its own. AVX-IFMA on 256 bits (Sierra Forest, Arrow
// Lake) would be the same text with four lanes. It, NEON and SVE are not here because no such CPU was
// at hand to measure on.
//
// The environment variable WARPINT_CPU_ENGINES, read once, lists what may be used, separated by
// commas, with or without blanks: "scalar" turns the engines off; "avx512_ifma", or nothing, leaves
// the choice to the CPU. Words that name no engine are passed over, with one line to the standard
// error stream.
// (A program compiled with WARPINT_SIMD_EMULATED has the engine "emulated" instead: for tests.)
#pragma once

#include "digits.h"

#include <cstdio>
#include <cstdlib>
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

constexpr std::string_view without_blanks(std::string_view word) {
    constexpr std::string_view blanks = " \t";
    const std::size_t first = word.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return word.substr(first, word.find_last_not_of(blanks) - first + 1);
}

// What a list of engines says.
struct WantedEngines {
    bool all = true; // it names none
    bool best = false;
    std::string_view unknown; // the first word that names no engine; empty without one
};
constexpr WantedEngines wanted_engines(std::string_view list, Engine best) {
    WantedEngines wanted;
    while (!list.empty()) {
        const std::size_t end = list.find(',');
        const std::string_view word = without_blanks(list.substr(0, end));
        list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
        if (word == name(Engine::scalar) || word == name(Engine::avx512_ifma) ||
            word == name(Engine::emulated)) {
            wanted.all = false;
            wanted.best = wanted.best || word == name(best);
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
#elif WARPINT_SIMD
    const bool has_ifma = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512ifma") &&
                          __builtin_cpu_supports("avx512vbmi2");
    return has_ifma ? Engine::avx512_ifma : Engine::scalar;
#else
    return Engine::scalar;
#endif
}

// The engine of this process.
inline Engine engine() {
    static const Engine chosen = [] {
        const char *const list = std::getenv("WARPINT_CPU_ENGINES");
        const Engine best = best_engine();
        const WantedEngines wanted = wanted_engines(list == nullptr ? "" : list, best);
        if (!wanted.unknown.empty()) {
            constexpr std::size_t most_shown = 80;
            const bool cut = wanted.unknown.size() > most_shown;
            std::fprintf(stderr,
                         "warpint: WARPINT_CPU_ENGINES names \"%.*s%s\", which is no engine: use "
                         "scalar or avx512_ifma\n",
                         static_cast<int>(cut ? most_shown : wanted.unknown.size()),
                         wanted.unknown.data(), cut ? "..." : "");
        }
        return wanted.all || wanted.best ? best : Engine::scalar;
    }();
    return chosen;
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd
