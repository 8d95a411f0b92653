// SPDX-License-Identifier: Apache-2.0
// Formulas that another program generates as text, for a run-time compiler (NVRTC). The text says
// what each operand is and the tree of operations; the library's kernels and tables do the rest.
//
//     #include <warpint/rtc.h>
//     using namespace warpint;
//     using namespace warpint::expression;
//     struct Generated {
//         static auto of(const auto &a0, const auto &a1, const auto &a2) {
//             return make_node(operation::MultiplyModulo{}, a0, a1, a2); // a0 * a1 % a2
//         }
//     };
//     using Run = rtc::Program<Generated, BigInt<256>, // what it stores
//                              rtc::Batch<BigInt<256>>, rtc::Batch<BigInt<256>>,
//                              rtc::Number<BigInt<256>>>;
//
// Kernels, by name expressions:
//
//   execution::describe_kernel<Run>(words, out)    one thread; it writes to `out`, 33,280 bytes of
//                                                  a GPU's memory, what a host needs to launch:
//                                                  integers (kernels/generated.h) and the
//                                                  parameters
//   execution::formula_kernel<execution::tuning::Slot::large, Run::Tree, Run::Result>
//                                                  (target, count, staging vectors, null, tree)
//   the same with Run::small_slot                  for batches below the plan's least count
//   execution::sum_columns_kernel<is_signed>       the sum of numbers in memory, limb by limb, of
//                                                  any width (kernels/column_sum.h)
//
// A program that is one power of wide numbers has more kernels, in another header:
// execution/kernels/generated_powers.h.
//
// words: the address of the results and that of their fault bits or 0, then the words of each leaf.
// Parameters hold addresses as they are, 64 bits each, so a host may put others in their places.
// Of the options of NVRTC, -std=c++20 and -default-device are needed, and headers of the standard
// library that forward to libcu++ (the guide's chapter on kernels names them).
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "execution/evaluation/evaluate_choice.h"
#include "execution/kernels/column_sum.h"
#include "execution/kernels/generated.h"

#if WARPINT_CUDA

namespace warpint::rtc {

using Words = execution::GeneratedWords;

// Elements one after another. Words: their address, that of their fault bits or 0.
template <class T>
struct Batch {
    static constexpr int words = 2;
    WARPINT_HOST_DEVICE static expression::BatchPointer<T> leaf(const unsigned long long *word) {
        return {reinterpret_cast<const T *>(word[0]),
                reinterpret_cast<const std::uint32_t *>(word[1])};
    }
};
// One number for all elements. Word: its address.
template <class T>
struct Number {
    static constexpr int words = 1;
    WARPINT_HOST_DEVICE static expression::ConstantLeaf<T> leaf(const unsigned long long *word) {
        return {*reinterpret_cast<const T *>(word[0])};
    }
};
// One modulus for all elements, not 0: describe_kernel prepares it. Word: its address.
template <int Bits>
struct SharedModulus {
    static constexpr int words = 1;
    WARPINT_HOST_DEVICE static auto leaf(const unsigned long long *word) {
        using Shared = expression::SharedModulus<Bits>;
        const auto &value = *reinterpret_cast<const BigInt<Bits> *>(word[0]);
        return expression::ConstantLeaf<Shared>{
            Shared{number::formula_modulus_t<Bits>(Modulus<Bits>(value)), true}};
    }
};
// One exponent for all elements, of powers modulo numbers of ModulusBits bits: describe_kernel
// makes its schedule. Word: its address.
template <int Bits, int ModulusBits>
struct SharedExponent {
    static constexpr int words = 1;
    WARPINT_HOST_DEVICE static auto leaf(const unsigned long long *word) {
        using Shared = expression::SharedExponent<Bits>;
        constexpr int window =
            number::schedule_window(Bits, Modulus<ModulusBits>::limb_count, true);
        const auto &value = *reinterpret_cast<const BigInt<Bits> *>(word[0]);
        return expression::ConstantLeaf<Shared>{
            Shared{arith::make_schedule<Bits>(value.limbs, window), true}};
    }
};
// A count of bits, or a degree. Word: itself.
struct Count {
    static constexpr int words = 1;
    WARPINT_HOST_DEVICE static expression::ConstantLeaf<int> leaf(const unsigned long long *word) {
        return {static_cast<int>(word[0])};
    }
};

// The name of the value of a tree, for what is computed once; and the tree in which it has that
// name. Names have numbers of their own.
template <int number, class Tree>
WARPINT_HOST_DEVICE constexpr auto name_of(const Tree &) {
    return expression::NamedLeaf<expression::Level<number>, typename Tree::value_type>{};
}
template <int number, class Tree, class Body>
WARPINT_HOST_DEVICE constexpr auto with_name(const Tree &tree, const Body &body) {
    return expression::make_node(expression::operation::Let<number>{}, tree, body);
}

// Generated::of(leaves...) is the tree, T what is stored.
template <class Generated, class T, class... Leaves>
struct Program {
    using Result = T;
    using Tree = decltype(Generated::of(Leaves::leaf(nullptr)...));
    static constexpr execution::tuning::Slot small_slot = execution::has_small_kernel<Tree, Result>
                                                              ? execution::tuning::Slot::small
                                                              : execution::tuning::Slot::large;
    static constexpr int word_count = 2 + (Leaves::words + ... + 0);
    static_assert(word_count <= Words::capacity);

    WARPINT_HOST_DEVICE static execution::Target<Result> target(const Words &words) {
        return {{{{reinterpret_cast<Result *>(words.at[0]),
                   reinterpret_cast<std::uint32_t *>(words.at[1])}}}};
    }
    WARPINT_HOST_DEVICE static Tree tree(const Words &words) {
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return Generated::of(Leaves::leaf(words.at + place<i>())...);
        }(std::index_sequence_for<Leaves...>{});
    }

private:
    // Where the words of leaf i begin.
    template <std::size_t i>
    WARPINT_HOST_DEVICE static constexpr int place() {
        constexpr int counts[] = {Leaves::words...};
        int at = 2;
        for (std::size_t k = 0; k != i; ++k)
            at += counts[k];
        return at;
    }
};

} // namespace warpint::rtc

#endif

WARPINT_HEADER_END
#endif
