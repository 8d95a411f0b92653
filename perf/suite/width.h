// SPDX-License-Identifier: Apache-2.0
// The rows of one width, in groups that compile in about the same time. CMakeLists.txt says which
// groups a width has and writes a source for each: on CPUs one for a width, as CUDA one for a group.
#pragma once

#include "formulas.h"

namespace perf {

// Widths of a quick run.
template <int Bits>
inline constexpr bool in_quick = Bits == 256 || Bits == 1024 || Bits == 4096;

template <class Place, int Bits>
void add_linear() {
    add_row<Place, Add, Bits>({.quick = in_quick<Bits>});
    add_row<Place, Less, Bits>();
    add_row<Place, Shift, Bits>();
}

template <class Place, int Bits>
void add_products() {
    add_row<Place, Multiply, Bits>({.quick = in_quick<Bits>});
    add_row<Place, Square, Bits>();
    if constexpr (Place::device == Device::gpu && Bits >= 1024) // a paper's table
        add_row<Place, Multiply, Bits>({.count = 100'000, .paper = "002"});
}

template <class Place, int Bits>
void add_modular() {
    add_row<Place, MultiplyModulo, Bits>({.quick = in_quick<Bits>});
    add_row<Place, MultiplyByModulus, Bits>();
    add_row<Place, MultiplyByNumber, Bits>();
    if constexpr (Bits == 256) // batches of all sizes
        for (std::size_t count = 1; count <= 1'000'000; count *= 10)
            add_row<Place, MultiplyModulo, Bits>({.count = count});
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
    add_row<Place, SquareModuloLimbMajor, Bits>();
    add_row<Place, Sum, Bits>();
}

// Tables of papers: see papers.py.
template <class Place, int Bits>
void add_short() {
    add_row<Place, Add, Bits>({.paper = "000"});
    add_row<Place, Subtract, Bits>({.paper = "000"});
    add_row<Place, AddModulo, Bits>({.paper = "000"});
    add_row<Place, SubtractModulo, Bits>({.paper = "000"});
    add_row<Place, Multiply, Bits>({.paper = "000"});
    add_row<Place, MultiplyResidues, Bits>({.paper = "000"});
}
template <class Place, int Bits>
void add_chains() {
    add_row<Place, ResidueChain, Bits>({.quick = in_quick<Bits>, .paper = "004"});
}

template <class Place, int Bits>
void add_powers() {
    add_row<Place, Power, Bits>({.quick = in_quick<Bits>});
    add_row<Place, Power65537, Bits>();
    if constexpr (Bits == 2048) {
        const std::size_t most = Place::device == Device::gpu ? 10'000 : 100;
        for (std::size_t count = 1; count <= most; count *= 10)
            add_row<Place, Power, Bits>({.count = count});
    }
}

template <class Place, int Bits>
void add_divisions() {
    add_row<Place, DivideWithRemainder, Bits>({.quick = in_quick<Bits>});
    add_row<Place, DivideByHalf, Bits>();
    add_row<Place, SquareRoot, Bits>();
}

template <class Place, int Bits>
void add_theory() {
    add_row<Place, GreatestCommonDivisor, Bits>({.quick = in_quick<Bits>});
    add_row<Place, Inverse, Bits>();
    if constexpr (Bits <= 1024) // beyond, GMP's search for a prime takes longer than the row
        add_row<Place, InverseByModulus, Bits>();
}

} // namespace perf
