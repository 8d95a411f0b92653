// SPDX-License-Identifier: Apache-2.0
// What a formula costs, folded once over its tree: all that is known from its type. Rows of the
// tuning tables apply to costs (execution/plan/tuning), and a plan is made for one.
#pragma once

#include "gather.h"
#include "let.h"
#include "residue.h"

namespace warpint::expression {

struct Cost {
    WorkKind work = WorkKind::streaming; // of the heaviest operation
    int bits = 0;        // the width that decides: of its operands, of the widest value in a stream
    int widest_bits = 0; // of all values
    int exponent_bits = 0;  // of the widest exponent of a modular power
    int bytes_moved = 0;    // for each element, between memory and registers
    bool can_fault = false; // by an operation of its own
    bool runs_user_code = false;
    bool on_host = false;
    bool on_device = false;
    bool on_shards = false; // in pieces, on a group of devices
    bool on_ranks = false;  // in pieces, on a group of processes

    // Of the tree that runs (execution/evaluation/cost.h).
    bool over_lanes = false;     // there is a form over the lanes of a warp
    int staged_bytes = 0;        // shared memory of a warp for all operands at once; 0: not so
    int transposed_bytes = 0;    // of the widest element that a warp may move in whole lines
    int fold_operands = 0;       // of one staged product modulo a number; 0: it is none
    bool shares_modulus = false; // by one modulus for all elements
    bool subtracts = false;      // with a term that is subtracted
};

WARPINT_HOST_DEVICE constexpr Cost joined(const Cost &a, const Cost &b) {
    Cost r;
    r.work = a.work < b.work ? b.work : a.work;
    r.bits = greatest(a.bits, b.bits);
    r.widest_bits = greatest(a.widest_bits, b.widest_bits);
    r.exponent_bits = greatest(a.exponent_bits, b.exponent_bits);
    r.bytes_moved = a.bytes_moved + b.bytes_moved;
    r.can_fault = a.can_fault || b.can_fault;
    r.runs_user_code = a.runs_user_code || b.runs_user_code;
    r.on_host = a.on_host || b.on_host;
    r.on_device = a.on_device || b.on_device;
    r.on_shards = a.on_shards || b.on_shards;
    r.on_ranks = a.on_ranks || b.on_ranks;
    return r;
}

// Of a leaf. One that has an element_type is read from memory. Beside a heavier operation wide
// values that only stream weigh half: a product is twice as wide as what it is computed from.
template <class Tree>
inline constexpr Cost cost_of_tree = [] {
    Cost r;
    if constexpr (requires { typename Tree::element_type; }) {
        using T = typename Tree::element_type;
        r.widest_bits = value_bits<T>;
        r.bits = (value_bits<T> + 1) / 2;
        r.bytes_moved = static_cast<int>(sizeof(T));
        if constexpr (requires { Tree::space; }) {
            r.on_host = Tree::space == Space::host;
            r.on_device = Tree::space != Space::host;
        }
    } else {
        r.widest_bits = value_bits<typename Tree::value_type>;
    }
    return r;
}();
template <int Bits, class Tree>
inline constexpr Cost cost_of_tree<WithModulus<Bits, Tree>> = cost_of_tree<Tree>;

template <class Operation, class... Operands>
inline constexpr Cost cost_of_tree<Node<Operation, Operands...>> = [] {
    Cost r;
    ((r = joined(r, cost_of_tree<Operands>)), ...);
    if constexpr (Operation::exponent >= 0) {
        const int bits[] = {value_bits<typename Operands::value_type>...};
        r.exponent_bits = greatest(r.exponent_bits, bits[Operation::exponent]);
    }
    using Value = typename Node<Operation, Operands...>::value_type;
    constexpr WorkKind work = operation::work_of<Operation, typename Operands::value_type...>;
    r.work = r.work < work ? work : r.work;
    constexpr int bits = operation::bits_of<Operation, typename Operands::value_type...>;
    r.bits = greatest(r.bits, work == WorkKind::streaming ? (bits + 1) / 2 : bits);
    if constexpr (Operation::raises_by_modulus)
        r.exponent_bits = greatest(r.exponent_bits, bits);
    r.widest_bits = greatest(r.widest_bits, value_bits<Value>);
    r.can_fault = r.can_fault || Operation::template can_fault<typename Operands::value_type...>;
    r.runs_user_code = r.runs_user_code || Operation::runs_user_code;
    return r;
}();

template <class Tree>
inline constexpr Cost cost = [] {
    Cost r = cost_of_tree<Tree>;
    if (r.work == WorkKind::streaming)
        r.bits = r.widest_bits;
    return r;
}();

// Formulas of one space only.
template <class Tree>
constexpr bool check_spaces() {
    static_assert(!(cost<Tree>.on_host && cost<Tree>.on_device),
                  "a formula cannot mix host_vector and device_vector: copy one of them");
    static_assert(!cost<Tree>.on_shards || !(cost<Tree>.on_host || cost<Tree>.on_device),
                  "a formula cannot mix sharded_vector and other vectors: copy one of them");
    static_assert(!cost<Tree>.on_ranks ||
                      !(cost<Tree>.on_host || cost<Tree>.on_device || cost<Tree>.on_shards),
                  "a formula cannot mix distributed_vector and other vectors: copy one of them");
    return true;
}

} // namespace warpint::expression
