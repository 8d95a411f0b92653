// SPDX-License-Identifier: Apache-2.0
// All rows, in groups: add_row<Place, Formula, Bits>() is a benchmark. program.cmake says which
// groups a width has and writes the sources that call them: on CPUs one for a width, as CUDA one
// for a group.
#pragma once

#include "papers.h"

namespace perf {

// Widths of a quick run.
template <int Bits>
inline constexpr bool in_quick = Bits == 256 || Bits == 1024 || Bits == 4096;

// A formula, and on CPUs the same in a loop.
template <class Place, class Formula, int Bits>
void add_row_and_loop() {
    add_row<Place, Formula, Bits>({.quick = in_quick<Bits>});
    if constexpr (Place::device == Device::cpu)
        add_row<Place, Loop<Formula>, Bits>();
}

template <class Place, int Bits>
void add_linear() {
    add_row_and_loop<Place, Add, Bits>();
    add_row<Place, Less, Bits>();
    add_row<Place, Shift, Bits>();
}

template <class Place, int Bits>
void add_products() {
    add_row_and_loop<Place, Multiply, Bits>();
    add_row<Place, Square, Bits>();
}

template <class Place, int Bits>
void add_modular() {
    add_row_and_loop<Place, MultiplyModulo, Bits>();
    add_row<Place, MultiplyByModulus, Bits>();
    add_row<Place, MultiplyByNumber, Bits>();
    if constexpr (Bits == 256) { // batches of all sizes
        const std::size_t most = Place::device == Device::gpu ? 1'000'000 : 100'000;
        for (std::size_t count = 1; count <= most; count *= 10)
            add_row<Place, MultiplyModulo, Bits>({.count = count});
    }
#if defined(__CUDACC__)
    if constexpr (Bits == 1024)
        if (Place::device == Device::gpu && device_info().gpu && device_group().size() > 1)
            add_row<Place, Sharded<SquareModulo>, Bits>();
#endif
}

template <class Place, int Bits>
void add_fused() {
    add_row<Place, MultiplyAddModulo, Bits>({.quick = in_quick<Bits>});
    add_row<Place, MultiplyAddModuloUnfused, Bits>({.quick = in_quick<Bits>});
    add_row<Place, MultiplyResidues, Bits>();
}

template <class Place, int Bits>
void add_layouts() {
    add_row<Place, SquareModulo, Bits>();
    add_row<Place, LimbMajor<SquareModulo>, Bits>();
}

template <class Place, int Bits>
void add_orders() {
    const auto scaled = [](std::size_t gpu, std::size_t cpu) {
        return (Place::device == Device::gpu ? gpu : cpu) * 256 / Bits;
    };
    add_row<Place, Sum, Bits>();
    add_row<Place, Sort, Bits>({.count = scaled(4'000'000, 200'000)});
    add_row<Place, ToStrings, Bits>({.count = scaled(400'000, 20'000)});
    add_row<Place, AssignText, Bits>({.count = scaled(400'000, 20'000)});
}

template <class Place, int Bits>
void add_powers() {
    add_row_and_loop<Place, Power, Bits>();
    add_row<Place, Power65537, Bits>();
    add_row<Place, PowerOfEvenModulus, Bits>();
    if constexpr (Bits == 2048) {
        const std::size_t most = Place::device == Device::gpu ? 10'000 : 100;
        for (std::size_t count = 1; count <= most; count *= 10)
            add_row<Place, Power, Bits>({.count = count});
    }
}

template <class Place, int Bits>
void add_divisions() {
    add_row<Place, DivideWithRemainder, Bits>({.quick = in_quick<Bits>});
    add_row_and_loop<Place, DivideByHalf, Bits>();
    add_row<Place, SquareRoot, Bits>({.quick = in_quick<Bits>});
}

template <class Place, int Bits>
void add_theory() {
    add_row_and_loop<Place, GreatestCommonDivisor, Bits>();
    add_row<Place, Inverse, Bits>({.quick = in_quick<Bits>});
    if constexpr (Place::device == Device::cpu && (Bits == 1024 || Bits == 4096)) {
        add_row<Place, PowerOfShortModulus, Bits>();
        add_row<Place, InverseOfShortModulus, Bits>();
    }
    if constexpr (Bits <= 1024) // beyond, the search for a prime takes longer than the row
        add_row<Place, InverseByModulus, Bits>();
}

// The rows of the papers in papers.py, by the names they have there
// ---------------------------------------

// "kashani": short numbers, from memory in both layouts and from registers.
template <class Place, int Bits>
void add_short() {
    add_row<Place, Add, Bits>();
    add_row<Place, Subtract, Bits>();
    add_row<Place, AddModulo, Bits>();
    add_row<Place, SubtractModulo, Bits>();
    add_row<Place, Multiply, Bits>();
    add_row<Place, MultiplyByModulus, Bits>();
    add_row<Place, LimbMajor<Add>, Bits>();
    add_row<Place, LimbMajor<MultiplyByModulus>, Bits>();
    add_row<Place, MultiplyResidues, Bits>();
    add_row<Place, ResidueSumChain, Bits>();
    add_row<Place, ResidueChain, Bits>();
    add_row<Place, ShortProduct<false>, Bits>();
    add_row<Place, ShortProduct<true>, Bits>();
    add_row<Place, Sum, Bits>(); // the paper has none: of accumulators with an odd limb
    if constexpr (Place::device == Device::cpu) { // likewise: of moduli with an odd limb
        add_row<Place, MultiplyModulo, Bits>();
        add_row<Place, MultiplyByNumber, Bits>();
    }
}

// "honda": exact products by method, batches of 100,000.
template <class Place, int Bits>
void add_methods() {
    if constexpr (Place::device == Device::gpu) {
        add_row<Place, Multiply, Bits>({.count = 100'000});
        add_row<Place, ProductMethod<0>, Bits>({.count = 100'000});
        add_row<Place, ProductMethod<1>, Bits>({.count = 100'000});
        add_row<Place, ProductMethod<2>, Bits>({.count = 100'000});
    } else {
        add_row<Place, ProductMethod<0>, Bits>();
        add_row<Place, ProductMethod<1>, Bits>();
        add_row<Place, ProductMethod<2>, Bits>();
    }
}

// "lee": Montgomery products from memory, over batch sizes.
template <class Place, int Bits>
void add_batches() {
    using enum MontgomeryVariant;
    add_row<Place, MontgomeryForm<sos, false, 1>, Bits>();
    add_row<Place, MontgomeryForm<cios, false, 1>, Bits>();
    add_row<Place, MontgomeryForm<fios, false, 1>, Bits>();
    add_row<Place, MontgomeryForm<fips, false, 1>, Bits>();
    add_row<Place, LimbMajor<MontgomeryForm<sos, false, 1>>, Bits>();
    add_row<Place, LimbMajor<MontgomeryForm<cios, false, 1>>, Bits>();
    if constexpr (Place::device == Device::gpu) // the paper's blocks of 1024 threads
        for (const std::size_t count : {1024, 4096, 6144, 8192, 16384, 30720})
            add_row<Place, LimbMajor<MontgomeryForm<cios, false, 1>>, Bits>({.count = count});
    add_row<Place, PowerWideExponent, Bits>();
}

// "emmart": Montgomery products in registers, by form.
template <class Place, int Bits>
void add_forms() {
    using enum MontgomeryVariant;
    add_row<Place, MontgomeryForm<cios, false, 512>, Bits>();
    add_row<Place, MontgomeryForm<fips, false, 512>, Bits>();
    add_row<Place, MontgomeryForm<two_pass, false, 512>, Bits>();
    add_row<Place, MontgomeryForm<sos, true, 512>, Bits>();
    add_row<Place, MontgomeryForm<two_pass, true, 512>, Bits>();
}

// "emmart": what warpint chooses itself, in registers.
template <class Place, int Bits>
void add_chains() {
    add_row<Place, ResidueChain, Bits>({.quick = in_quick<Bits>});
    add_row<Place, ResidueSquareChain, Bits>();
    if constexpr (Bits == 256)
        add_row<Place, StaticResidueChain, Bits>();
}

// "lee": RSA and Diffie-Hellman.
template <class Place, int Bits>
void add_keys() {
#if defined(WARPINT_PERF_HAS_GMP) // makes the keys
    add_row<Place, RsaPrivate, Bits>();
#endif
    add_row<Place, PowerOfTwo, Bits>();
}

} // namespace perf
