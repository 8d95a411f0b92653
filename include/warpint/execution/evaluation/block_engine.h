// SPDX-License-Identifier: Apache-2.0
// The place for what the threads of a GPU's block do together, each for its element: an operation
// that this engine does (is_together in expression/operation_traits.h) is a cut of its formula
// (cut.h), and kernels/rows.h runs it. The library has no such engine yet. Powers on tensor cores
// will be one: the numbers of a block are a matrix.
#pragma once

#include "../../expression/operation.h"
#include "../tuning/all_gpus.h"

namespace warpint::execution {

// Its constants say what it does, as those of collective::SideBySide do for CPUs. An engine has
//   struct Room      the block's shared memory, or an empty struct
//   Room *room       a member
//   elements         1
// and, as device code, the functions that an operation's together() calls: out is where the value
// of this thread's element goes, count is 1, and an operand x gives its own by x.value(0). What it
// returns is 0, or 1 where it leaves the element to the operation's own apply(). All threads of a
// block call it, and equally often, so that it may use barriers. A thread without an element, or of
// which an operand has no value, calls it with zeros and the count 0. It ends with a barrier if the
// room may not be written at once.
template <class = void>
struct BlockEngine : expression::NoEngine {};

// The engine, looked up when a formula is known.
template <class Node>
struct BlockEngineFor : std::type_identity<BlockEngine<>> {};
template <class Node>
using block_engine_t = typename BlockEngineFor<Node>::type;

// An operand of this thread's element.
template <class Value>
struct BlockOperand {
    static constexpr int bits = expression::value_bits<Value>;
    const Value &own;
    WARPINT_HOST_DEVICE constexpr const Value &value(int) const { return own; }
};

} // namespace warpint::execution
