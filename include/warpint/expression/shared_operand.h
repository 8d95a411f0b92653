// SPDX-License-Identifier: Apache-2.0
// Operands that all elements of a formula share, as lowering prepares them (prepare.h), and how
// operations take them.
#pragma once

#include "../modular.h"
#include "../number/exact.h"
#include "../number/modular/forms.h"

namespace warpint::expression {

// A modulus. exists is false for 0, by which no element has a value.
template <int Bits>
struct SharedModulus {
    number::formula_modulus_t<Bits> modulus;
    bool exists;
};

// An exponent. exists is false for a negative one.
template <int Bits>
struct SharedExponent {
    arith::PowerSchedule<Bits> schedule;
    bool exists;
};

// A base and a modulus. exists is false for the modulus 0.
template <int Bits, int ExponentBits>
struct SharedBase {
    FixedBase<Bits, ExponentBits> base;
    bool exists;
};

// The same with its tables elsewhere: for exponents that are wide numbers, from 1024 bits on.
template <int Bits, int ExponentBits>
struct SharedTabledBase {
    number::TabledBase<Bits, ExponentBits> base;
    bool exists;
};

template <class T>
inline constexpr bool is_shared_tabled_base = false;
template <int Bits, int ExponentBits>
inline constexpr bool is_shared_tabled_base<SharedTabledBase<Bits, ExponentBits>> = true;
template <class T>
inline constexpr bool is_shared_modulus = false;
template <int Bits>
inline constexpr bool is_shared_modulus<SharedModulus<Bits>> = true;
template <class T>
inline constexpr bool is_shared_exponent = false;
template <int Bits>
inline constexpr bool is_shared_exponent<SharedExponent<Bits>> = true;

// Bits of what an operand holds.
template <class T>
inline constexpr int value_bits = 0;
template <AnyNumber T>
inline constexpr int value_bits<T> = number::bits_of<T>;
template <ModulusContext T>
inline constexpr int value_bits<T> = T::bits;
template <AnyResidue T>
inline constexpr int value_bits<T> = T::bits;
template <int Bits>
inline constexpr int value_bits<SharedModulus<Bits>> = Bits;
template <int Bits>
inline constexpr int value_bits<SharedExponent<Bits>> = Bits;
template <int Bits, int ExponentBits>
inline constexpr int value_bits<SharedBase<Bits, ExponentBits>> = Bits;
template <int Bits, int ExponentBits>
inline constexpr int value_bits<SharedTabledBase<Bits, ExponentBits>> = Bits;
template <int Bits>
inline constexpr int value_bits<number::FormRing<Bits>> = number::form_t<Bits>::bits;
template <number::RunsTogether T>
inline constexpr int value_bits<T> = value_bits<number::scalar_t<T>>;

// Plain numbers that a modulus of a formula may be prepared from: unsigned ones, because a
// remainder by them lies in [0, m).
template <class T>
inline constexpr bool is_plain_modulus = false;
template <AnyNumber T>
inline constexpr bool is_plain_modulus<T> = !number::signed_of<T>;

// What may be a modulus over lanes.
template <class M>
inline constexpr bool is_lane_modulus =
    is_shared_modulus<M> || ModulusContext<M> || number::is_ring<M> || is_plain_modulus<M>;

// Numbers, and a modulus as the last.
template <class T, class... Rest>
inline constexpr bool are_numbers_and_modulus = AnyNumber<T> && are_numbers_and_modulus<Rest...>;
template <class M>
inline constexpr bool are_numbers_and_modulus<M> = is_lane_modulus<M>;

namespace operation {

// Whether a modulus of this type may be one by which there is no value. Of one that all elements
// share it is known when the formula is lowered (constants_fault in lower.h).
template <class M>
inline constexpr bool modulus_can_fault =
    !ModulusContext<M> && !is_shared_modulus<M> && !number::is_ring<M>;

template <class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE bool is_modulus(const M &m) {
    if constexpr (ModulusContext<M> || number::is_ring<M>) {
        return true;
    } else if constexpr (is_shared_modulus<M>) {
        return m.exists;
    } else {
        const bool negative = number::is_negative(number::as_number(m));
        const bool divides = static_cast<bool>(m);
        return !negative && divides;
    }
}
// Whether an exponent of this type may be negative, by which there is no value: likewise.
template <class E>
inline constexpr bool exponent_can_fault = false;
template <AnyNumber E>
inline constexpr bool exponent_can_fault<E> = number::signed_of<E>;

// power(exponent), of numbers of this kind; a negative exponent is a fault.
template <class Kind, class E, class Function>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto raise(bool &fault, const E &e,
                                                               const Function &power) {
    if constexpr (is_shared_exponent<E>) {
        return number::guard<Kind>(fault, e.exists,
                                   [&]() WARPINT_INLINE_LAMBDA { return power(e.schedule); });
    } else {
        const auto exponent = number::as_number(e);
        return number::guard<Kind>(fault, !number::is_negative(exponent),
                                   [&]() WARPINT_INLINE_LAMBDA { return power(exponent); });
    }
}

// The modulus as the functions of a kind of numbers take it.
template <class Kind = number::InThread, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE decltype(auto) modulus_of(const M &m) {
    if constexpr (is_shared_modulus<M>) {
        return modulus_of<Kind>(m.modulus);
    } else if constexpr (number::is_ring<M>) {
        return (m);
    } else if constexpr (!ModulusContext<M>) {
        return number::in_kind<Kind>(m);
    } else if constexpr (Kind::together) {
        return Kind::functions::modulus(m);
    } else {
        return (m);
    }
}

} // namespace operation

} // namespace warpint::expression
