// SPDX-License-Identifier: Apache-2.0
// The place for what the threads of a GPU's block do together, each for its element: an operation
// that has a BlockMethod is a cut of its formula (cut.h), and execution/run_rows_cuda.h runs it.
// The library has none yet. Powers on tensor cores will be one: the numbers of a block are a
// matrix.
#pragma once

#include "../tuning/all_gpus.h"

namespace warpint::execution {

// Specialised for an operation of formulas:
//   template <class... Values> static constexpr bool runs
//       for which types of operands. Constants count as what they are (Modulus, SharedExponent).
//   struct Room
//       the block's shared memory, or an empty struct.
//   template <class Value, class... Values>
//   static __device__ Value run(Room &room, bool takes_part, bool &fault, const Values
//   &...operands)
//       the value for this thread's element, bit for bit that of the operation's own apply(); sets
//       fault where there is none. All threads of a block call it, and equally often, so that it
//       may use barriers. A thread without an element, or of which an operand has no value, calls
//       it with zeros and takes_part false; its value is not used. Ends with a barrier if the room
//       may not be written at once.
template <class Operation>
struct BlockMethod {
    template <class... Values>
    static constexpr bool runs = false;
};

} // namespace warpint::execution
