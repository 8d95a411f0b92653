// SPDX-License-Identifier: Apache-2.0
// The groups of operations of the batched tests of modular arithmetic, the constants of their
// StaticResidues, and the cases of the program.
#pragma once

#include "../../batch/subject.h"

namespace modular_test {

using batch_test::Case;
using batch_test::Checker;
using batch_test::Element;
using batch_test::Type;
using batch_test::type_of;
using test::Integer;

enum class Group {
    sums,
    products,
    mixed_operands,
    functions,
    inverses,
    quotients,
    all_inverses,
    chains,
    static_sums,
    static_powers,
    powers,
    fixed_bases,
    montgomery,
    constant_time,
    constant_time_powers,
    divisors,
    bezout,
    symbols,
    roots,
    congruences,
    primes,
    safe_primes,
    next_primes,
    next_safe_primes,
    random_primes,
    random_safe_primes,
    sums_of_products
};

inline Group group_of(const Case &which) {
    return static_cast<Group>(which.group);
}

/// Moduli of StaticResidues: every shape that has a reduction of its own, and moduli without one.
enum class Constant {
    one,
    mersenne_61,
    mersenne_127,
    prime_25519,
    pseudo_mersenne_160, // not a prime: 2^160 - 2^32 - 1
    p224,
    p256,
    p384,
    p521,
    secp256k1,
    sm2,
    brainpool_p256,
    even_192
};

/// The constant, worked out by GMP.
Integer value_of(Constant constant);

/// All cases of the program.
std::vector<Case> &cases();

/// An element with operands of the classes that matter to its group.
Element random_element(const Case &which, test::OperandSource &source, bool on_device);

/// Checks one record. Without a modulus (m = 0, in device code only) all results must be 0.
void check_record(Checker &out, const Case &which, const Element &v);

/// Whether the body is defined for these operands on that side.
bool allows(const Case &which, const Element &v, bool on_device);

// ---- by GMP

/// x mod m in [0, m); 0 without a modulus.
inline Integer reduced(const Integer &x, const Integer &m) {
    return m.is_zero() ? Integer(0) : test::modulo(x, m);
}

} // namespace modular_test
