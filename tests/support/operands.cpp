// SPDX-License-Identifier: Apache-2.0
#include "operands.h"

#include <algorithm>

namespace test {

OperandPair OperandSource::pair(int bits_a, int bits_b) {
    switch (below(8)) {
    case 0:
    case 1:
        return related_pair(*this, bits_a, bits_b);
    case 2: {
        DivisionPair d = hard_division(*this, bits_a, bits_b);
        return {d.dividend, d.divisor};
    }
    case 3:
        return test::gcd_pair(*this, bits_a, bits_b);
    default: {
        Integer a = number(bits_a);
        return {a, number(bits_b)};
    }
    }
}

OperandTriple OperandSource::triple(int bits_a, int bits_b, int bits_m) {
    switch (below(4)) {
    case 0: {
        Integer m = modulus(bits_m);
        Integer a = related_to_modulus(bits_a, m);
        return {a, related_to_modulus(bits_b, m), m};
    }
    case 1: {
        // A narrower modulus, so that 2m-1 and m^2-1 fit too.
        Integer m = modulus(std::max(1, std::min(bits_m, bits_a / 2)));
        Integer a = related_to_modulus(bits_a, m);
        return {a, one_in(2) ? store_unsigned(a, bits_b) : number(bits_b), m};
    }
    case 2: {
        OperandPair p = pair(bits_a, bits_b);
        return {p.a, p.b, modulus(bits_m)};
    }
    default: {
        DivisionPair d = division_pair(bits_a, bits_m);
        return {d.dividend, number(bits_b), d.divisor};
    }
    }
}

DivisionPair OperandSource::division_pair(int bits_dividend, int bits_divisor) {
    if (one_in(2)) {
        return hard_division(*this, bits_dividend, bits_divisor);
    }
    OperandPair p = pair(bits_dividend, bits_divisor);
    return {p.a, at_least_one(p.b)};
}

OperandPair OperandSource::inverse_pair(int bits_a, int bits_b) {
    return one_in(2) ? test::gcd_pair(*this, bits_a, bits_b) : pair(bits_a, bits_b);
}

Integer OperandSource::modulus(int bits) {
    if (below(5) < 3) {
        return at_least_one(
            store_unsigned(counted(OperandClass::modulus, special_modulus(*this, bits)), bits));
    }
    return at_least_one(number(bits));
}

Integer OperandSource::exponent(int bits, const Integer &m) {
    if (one_in(2)) {
        return store_unsigned(counted(OperandClass::exponent, special_exponent(*this, bits, m)),
                              bits);
    }
    return number(bits);
}

Integer OperandSource::related_to_modulus(int bits, const Integer &m) {
    return test::related_to_modulus(*this, bits, m);
}

} // namespace test
