// SPDX-License-Identifier: Apache-2.0
// The words of this library, one meaning each. No code.
//
//   limb      one digit of a number in memory or in a register: 8, 16, 32 or 64 bits, least
//             significant first. What is stored has 32-bit limbs.
//   word      64 bits: two stored limbs at once, on hosts (limb/word.h).
//   machine   a machine's limbs are those that it computes with: words on hosts, the stored limbs
//             in device code and in constant expressions (number/machine.h).
//   digit     one place of a number in a base that is named where it is used: a character of a text
//             (arith/limbs/text), a limb of a quotient as it is found (arith/limbs/division), the w
//             - 2 bits that divsteps keep in a limb of w bits (arith/limbs/gcd/divsteps.h).
//   piece     the limbs or bits of a longer number that are worked on at once, N of them in a
//             reduction modulo N limbs (arith/limbs/reduction/barrett.h).
//   B         the number of values of a limb.
//   R         B^N, what Montgomery arithmetic modulo an odd number of N limbs divides by.
//   form      what a residue stores: x R mod m, or x shifted up, or x (number/modular/residue.h).
//   carry     0 or 1 handed from one limb to the next; also the limb that a product hands on.
//   borrow    the same of a difference.
//   row       a number times one limb, added to or subtracted from another number (limb/row.h). Of
//             elements: those that one thread or core evaluates one after another where a formula
//             has cuts (execution/evaluation/cut.h).
//   cut       an operation of a formula that many elements do together; its values are a leaf of
//             what is left of the formula (execution/evaluation/cut.h).
//   column    all products of two limbs that have the same weight B^k (limb/column.h).
//   tile      T limbs times T limbs: T^2 products in 2 T - 1 columns (arith/limbs/product/tiles.h).
//   block     eight rows at once, on hosts (limb/block.h); eight or sixteen words at once in loops
//             over long numbers. Of threads: CUDA's block, always "threads per block" or "thread
//             block". Of a file: what a cipher takes at once (samples/rsa).
//   chain     carry chain: instructions that hand on the carry in a machine's flag (limb/chain.h).
//             Addition chain, always with its first word: the way to an exponent
//             (arith/limbs/power/addition_chain.h).
//   window    a few bits of an exponent that are looked up together (arith/limbs/power/power.h).
//   comb      a table of powers of one base for teeth of equal distance (arith/limbs/power/comb.h).
//   lane      one of L threads of a warp that hold a number together (arith/lanes/); on CPUs, one
//   of the
//             numbers side by side in a vector register (arith/simd/).
//   batch     many numbers on which one formula works (vector/). Of steps, always "batch of steps"
//             or "half batch": what divsteps and the greatest common divisor do on one limb
//             (arith/limbs/gcd).
//   reduced   in [0, m).
//   fold      high limbs replaced by their product with a constant that is equal to their weight
//             modulo m (arith/limbs/fold/fold.h).
//   variable time, constant time
//             whether the running time and the addresses depend on the value of an operand.
#pragma once
