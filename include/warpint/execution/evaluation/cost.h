// SPDX-License-Identifier: Apache-2.0
// The cost of a lowered formula with its targets (expression/cost.h): beside what its operations
// cost, how its elements may travel between memory and the threads of a GPU.
#pragma once

#include "../plan/tuning/all_gpus.h"
#include "evaluate.h"

namespace warpint::execution {

using expression::Cost;

// Shared memory that a block may use without asking the driver for more.
inline constexpr int default_shared_bytes = 48 * 1024;

// Shared memory a warp needs to transpose 32 elements of this size.
WARPINT_HOST_DEVICE constexpr int staging_bytes_per_warp(int element_bytes) {
    return 32 * ((element_bytes + 15) / 16 * 16);
}

// Elements worth reading as a warp: a thread reads 16 or 32 bytes in whole vectors and sectors of
// memory by itself, but not what is longer or lies across vectors.
template <class T>
inline constexpr bool is_transposed =
    BigNumber<T> && sizeof(T) > 8 && (sizeof(T) > 32 || sizeof(T) % 16 != 0);

// Bytes of the widest such element that a tree reads.
template <class Tree>
inline constexpr int transposed_bytes = 0;
template <class T>
inline constexpr int transposed_bytes<BatchPointer<T>> =
    is_transposed<T> ? static_cast<int>(sizeof(T)) : 0;
template <class Operation, class... Operands>
inline constexpr int transposed_bytes<Node<Operation, Operands...>> =
    expression::greatest(transposed_bytes<Operands>...);
template <int Bits, class Tree>
inline constexpr int transposed_bytes<WithModulus<Bits, Tree>> = transposed_bytes<Tree>;

// A product modulo its last operand, which may be folded.
template <class Operation, int operands>
inline constexpr bool is_product_modulo = requires { Operation::template fold_term<operands>; };

// An operand of a staged formula: its bits, and the shared memory of the 32 of a warp.
template <class Operand>
struct StagedOperand {
    static constexpr int bits = 0; // cannot be staged
    static constexpr int bytes = 0;
    static constexpr bool is_shared = false; // by all elements: a parameter of the kernel
    static constexpr bool of_forms = false;  // the modulus of residues
};
template <BigNumber T>
struct StagedOperand<BatchPointer<T>> : StagedOperand<void> {
    // Beside longer ones whole vectors are worth staging too: divmod of 512 by 256 bits 26.4 G/s on
    // an H200, with the divisor read by its thread 23.8.
    static constexpr bool suits = T::bits >= tuning::min_staged_bits || sizeof(T) % 16 == 0;
    static constexpr int bits = suits ? T::bits : 0;
    static constexpr int bytes = staging_bytes_per_warp(static_cast<int>(sizeof(T)));
};
template <int Bits>
struct StagedOperand<ConstantLeaf<SharedModulus<Bits>>> : StagedOperand<void> {
    static constexpr int bits = Bits;
    static constexpr bool is_shared = true;
};
template <int Bits>
struct StagedOperand<FormulaModulus<Bits>> : StagedOperand<void> {
    static constexpr int bits = Bits;
    static constexpr bool is_shared = true;
    static constexpr bool of_forms = true;
};

// A number of this width, or what is a modulus of such numbers.
template <class Operand, int Bits>
inline constexpr bool is_fold_operand = std::is_same_v<Operand, BatchPointer<BigInt<Bits>>> ||
                                        std::is_same_v<Operand, ConstantLeaf<SharedModulus<Bits>>>;
template <int ModulusBits, int Bits>
inline constexpr bool is_fold_operand<FormulaModulus<ModulusBits>, Bits> =
    number::form_t<ModulusBits>::bits == Bits;

// True for a product modulo m, all of it numbers of one type that fold in registers; m is a vector
// or shared by all elements.
template <class Operation, class... Operands>
inline constexpr bool is_folded = false;
template <class Operation, int Bits, class... More>
inline constexpr bool is_folded<Operation, BatchPointer<BigInt<Bits>>, More...> =
    is_product_modulo<Operation, static_cast<int>(sizeof...(More)) + 1> &&
    Bits <= 32 * arith::register_limbs && (is_fold_operand<More, Bits> && ...);

template <class Operation, class... Operands>
inline constexpr bool is_staged_work = [] {
    constexpr WorkKind work =
        expression::operation::work_of<Operation, typename Operands::value_type...>;
    return work != WorkKind::streaming && work != WorkKind::power;
}();

// Formulas of one operation whose operands all travel to shared memory at once: how many, all of
// them vectors but for a modulus of a folded product; 0 for other formulas.
template <class Tree>
struct StagedFormula {
    static constexpr int operands = 0;
};
template <class Operation, class... Operands>
    requires(!Operation::runs_user_code && is_staged_work<Operation, Operands...> &&
             ((StagedOperand<Operands>::bits > 0) && ...) &&
             ((StagedOperand<Operands>::bits >= tuning::min_staged_bits) || ...) &&
             (StagedOperand<Operands>::bytes + ...) <= tuning::max_staged_bytes &&
             (is_folded<Operation, Operands...> || !(StagedOperand<Operands>::is_shared || ...)))
struct StagedFormula<Node<Operation, Operands...>> {
    static constexpr int operands = static_cast<int>(sizeof...(Operands));
    static constexpr int bytes_per_warp = (StagedOperand<Operands>::bytes + ...);
    static constexpr bool folded = is_folded<Operation, Operands...>;
    static constexpr bool shares_modulus = (StagedOperand<Operands>::is_shared || ...);
    static constexpr bool of_forms = (StagedOperand<Operands>::of_forms || ...); // of residues
    static constexpr arith::FoldTerm term = [] { // beside a folded product
        if constexpr (folded)
            return Operation::template fold_term<operands>;
        return arith::FoldTerm::none;
    }();
    static constexpr bool subtracts =
        term == arith::FoldTerm::minus || term == arith::FoldTerm::minus_product;

    // Where operand i begins, in vectors.
    template <int i>
    static constexpr int offset = [] {
        const int bytes[] = {StagedOperand<Operands>::bytes...};
        int sum = 0;
        for (int k = 0; k < i; ++k)
            sum += bytes[k] / 16;
        return sum;
    }();
};

template <int Bits, class Tree>
struct StagedFormula<WithModulus<Bits, Tree>> : StagedFormula<Tree> {};

// A formula that is staged for these targets: results leave through the same shared memory.
template <class Tree, class... T>
inline constexpr bool is_staged =
    StagedFormula<Tree>::operands != 0 &&
    ((staging_bytes_per_warp(static_cast<int>(sizeof(T))) <= default_shared_bytes) && ...);

template <class Tree, class... T>
inline constexpr Cost cost_of = [] {
    using Staged = StagedFormula<Tree>;
    Cost r = expression::cost<Tree>;
    r.bytes_moved += (static_cast<int>(sizeof(T)) + ... + 0);
    r.transposed_bytes = expression::greatest(
        transposed_bytes<Tree>, (is_transposed<T> ? static_cast<int>(sizeof(T)) : 0)...);
    if constexpr (is_staged<Tree, T...>) {
        r.staged_bytes = expression::greatest(
            Staged::bytes_per_warp, staging_bytes_per_warp(static_cast<int>(sizeof(T)))...);
        r.fold_operands = Staged::folded ? Staged::operands : 0;
        r.shares_modulus = Staged::shares_modulus;
        r.subtracts = Staged::subtracts;
    }
    return r;
}();

} // namespace warpint::execution
