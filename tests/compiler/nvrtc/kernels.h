// SPDX-License-Identifier: Apache-2.0
// All kernels, and formulas and functions to compile them for: read by NVRTC, not by nvcc.
#pragma once

#include <warpint/execution/kernels/column_sum.h>
#include <warpint/execution/kernels/for_each.h>
#include <warpint/execution/kernels/formula.h>
#include <warpint/execution/kernels/marks.h>
#include <warpint/execution/kernels/order.h>
#include <warpint/execution/kernels/partition.h>
#include <warpint/execution/kernels/reduce.h>
#include <warpint/execution/kernels/strips.h>
#include <warpint/rtc.h>
#include <warpint/vector/kernels/bytes.h>
#include <warpint/vector/kernels/lines.h>
#include <warpint/vector/kernels/text.h>

namespace kinds {

using namespace warpint;
using namespace warpint::execution;
using namespace warpint::expression;

using N256 = BigInt<256>;
using N512 = BigInt<512>;
using N2048 = BigInt<2048>;
using N4096 = BigInt<4096>;
using S128 = SignedBigInt<128>;
template <class T>
using Of = BatchPointer<T>;
template <class T>
using Shared = ConstantLeaf<T>;

// ---- a thread per number
using Sum = Node<operation::Add, Of<N256>, Of<N256>>;
using LongSum = Node<operation::Add, Of<N4096>, Of<N4096>>;
using SignedSum = Node<operation::Subtract, Of<S128>, Shared<S128>>;
using ProductModulo = Node<operation::MultiplyModulo, Of<N512>, Of<N512>, Of<N512>>;
using ProductModuloShared =
    Node<operation::MultiplyModulo, Of<N256>, Of<N256>, Shared<SharedModulus<256>>>;
using QuotientAndRemainder = Node<operation::DivideWithRemainder, Of<N256>, Of<N256>>;
using Power =
    Node<operation::Power, Of<N256>, Shared<SharedExponent<256>>, Shared<SharedModulus<256>>>;
using Gcd = Node<operation::Gcd, Of<N256>, Of<N256>>;
using IsPrime = Node<operation::IsProbablePrime, Of<N256>>;
using SquareRootOf = Node<operation::SquareRoot, Of<N256>>;
using Gathered = Node<operation::Gather, Shared<GatherSource<N256>>, IndexLeaf>;
using GatheredFromShards = Node<operation::Gather, Shared<ShardedSource<N256>>, IndexLeaf>;
using Name = NamedLeaf<Level<0>, N256>;
using Named = Node<operation::Let<0>, Of<N256>, Node<operation::Multiply, Name, Name>>;
using Rows = Node<operation::Add, LimbRows<N256>, Of<N256>>;
using Form = Residue<256>::Form;
using Residues =
    WithModulus<256, Node<operation::MultiplyModulo, Of<Form>, Of<Form>, FormulaModulus<256>>>;
using Line = Node<operation::NumberOfLine<N256>, Shared<GatherSource<char>>,
                  Shared<GatherSource<std::uint64_t>>, IndexLeaf>;
using Bytes = Node<operation::NumberOfBytes<N256>, Shared<GatherSource<std::uint8_t>>, IndexLeaf>;
using Byte = Node<operation::ByteOfNumber, Shared<GatherSource<N256>>, IndexLeaf>;
using Fits = Node<operation::FitsBits, Of<N256>>;

// ---- several lanes per number
using LongProduct = Node<operation::Multiply, Of<N2048>, Of<N2048>>;
using LongPower = Node<operation::Power, Of<N2048>, Of<N2048>, Of<N2048>>;
using LongComparison = Node<operation::Equal, Of<N4096>, Of<N4096>>;

// ---- rows
using InverseOfAll = CutFormula<CutLeaf<0, N256>, CutInverse<Of<N256>, SharedModulus<256>, 256>>;

// ---- a generated program
struct Generated {
    static auto of(const auto &a, const auto &b, const auto &count) {
        const auto product = make_node(operation::Multiply{}, a, b);
        const auto name = rtc::name_of<0>(product);
        return rtc::with_name<0>(
            product, make_node(operation::Choose{}, make_node(operation::Less{}, a, name),
                               make_node(operation::FloorQuotient{}, name, b),
                               make_node(operation::ShiftRight{}, name, count)));
    }
};
using Program = rtc::Program<Generated, S128, rtc::Batch<N256>, rtc::Number<S128>, rtc::Count>;

// ---- a function for each index
using TakeWindows = WindowsOfNumbers<N256>;
using Reorder = GatherByOrder<N256, const std::uint32_t *>;
using WritePositions = PositionsByOrder<const std::uint32_t *>;
using Sample = TakeSamples<N256>;
using WriteText = containers::TextOfNumbers<N256>;

} // namespace kinds
