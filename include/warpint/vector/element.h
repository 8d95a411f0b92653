// SPDX-License-Identifier: Apache-2.0
// An element of a device_vector, as operator[] returns it.
#pragma once

#include "../execution/memory/backend.h"
#include "../expression/operators.h"
#include "../modular.h"
#include "../number_theory.h"
#include "../text.h"

#include <bit>
#include <type_traits>

namespace warpint {

template <class T, Space space>
class batch_vector;
template <class T>
struct element_traits;

namespace containers {

// A reference to an element of a vector: class Reference, which derives from this. It assigns to
// the element, also where it is constant, as what an iterator gives may be.
template <class Reference, class T, Space space>
class ElementAccess {
    using Vector = batch_vector<T, space>;

public:
    ElementAccess(Vector &owner, std::size_t index) : owner_{&owner}, index_{index} {}
    ElementAccess(const ElementAccess &) = default;

    const Reference &operator=(const typename element_traits<T>::argument &x) const {
        owner_->write(index_, x);
        return static_cast<const Reference &>(*this);
    }
    const Reference &operator=(const ElementAccess &other) const { return *this = other.element(); }
    // Another library's reference to an element.
    template <class U>
        requires(!std::is_convertible_v<const U &, typename element_traits<T>::argument> &&
                 std::is_convertible_v<const U &, typename element_traits<T>::element>)
    const Reference &operator=(const U &other) const {
        const typename element_traits<T>::element x = other;
        return *this = x;
    }
    ElementAccess &operator=(const ElementAccess &other) {
        owner_->write(index_, other.element());
        return *this;
    }
    // By value: of variables that hold references, std::swap's T & would match better than const &,
    // and lose an element.
    friend void swap(const Reference a, const Reference b) {
        const auto x = a.element();
        a = b.element();
        b = x;
    }

protected:
    [[nodiscard]] auto element() const { return owner_->read(index_); }

private:
    Vector *owner_;
    std::size_t index_;
};

} // namespace containers

// A reference to an element of a device vector. Reading it waits for the work on the vector and
// throws std::domain_error if the element is a fault; writing it clears the fault. In expressions
// and functions an element stands for its value.
template <class T, Space space>
class element_reference : public containers::ElementAccess<element_reference<T, space>, T, space> {
    using Access = containers::ElementAccess<element_reference, T, space>;

public:
    using value_type = T;

    using Access::Access;
    using Access::operator=;

    operator T() const { return value(); }
    // To numbers of other types as T converts: narrowing must be explicit.
    template <BigNumber U>
        requires(!std::is_same_v<U, T> && std::is_convertible_v<const T &, U>)
    operator U() const {
        return U(value());
    }
    template <BigNumber U>
        requires(!std::is_convertible_v<const T &, U>)
    explicit operator U() const {
        return U(value());
    }
    template <class U>
        requires std::is_arithmetic_v<U>
    explicit operator U() const {
        return static_cast<U>(value());
    }
    [[nodiscard]] T value() const { return Access::element(); }
};

template <class T, Space space>
inline constexpr bool expression::is_element<element_reference<T, space>> = true;

// Elements compute on hosts. In device code they do too where device iterators point to them
// (device_iterator.h), as with any memory.

namespace containers {

using expression::is_element;

template <class T>
concept HasText = BigNumber<T> || AnyResidue<T>;

// What refers to an element where it lies, and writes it.
template <class T>
inline constexpr bool is_place = is_element<T>;

// The number or residue that an operand is, or that lies where it refers to.
WARPINT_ON_EITHER_SIDE
template <class T>
[[nodiscard]] WARPINT_HOST_DEVICE decltype(auto) value_of(const T &x) {
    if constexpr (is_element<T>) {
        return x.value();
    } else if constexpr (is_place<T>) {
        return x.read();
    } else {
        return (x);
    }
}

// Compares by value, even if both are built-in integers of different signs.
WARPINT_ON_EITHER_SIDE
template <class T>
[[nodiscard]] WARPINT_HOST_DEVICE decltype(auto) compared(const T &x) {
    if constexpr (is_element<T>) {
        return containers::compared(x.value());
    } else if constexpr (BuiltinInteger<T>) {
        return number::as_number(x);
    } else {
        return T(x);
    }
}

// Operands of which at least one is an element.
template <class... T>
concept ElementOperands =
    (is_element<std::remove_cvref_t<T>> || ...) &&
    ((is_element<std::remove_cvref_t<T>> || AnyNumber<T> || AnyResidue<T> || ModulusContext<T>) &&
     ...);

} // namespace containers

// ++ and -- of an element in place: it is read, changed and written.
#define WARPINT_ELEMENT_STEP(symbol)                                                               \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class Element>                                                                       \
        requires containers::is_place<Element>                                                     \
    WARPINT_HOST_DEVICE Element operator symbol(const Element &element) {                          \
        typename Element::value_type value = element;                                              \
        symbol value;                                                                              \
        Element there(element);                                                                    \
        there = value;                                                                             \
        return there;                                                                              \
    }                                                                                              \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class Element>                                                                       \
        requires containers::is_place<Element>                                                     \
    WARPINT_HOST_DEVICE typename Element::value_type operator symbol(const Element &element,       \
                                                                     int) {                        \
        const typename Element::value_type former = element;                                       \
        typename Element::value_type value = former;                                               \
        symbol value;                                                                              \
        Element there(element);                                                                    \
        there = value;                                                                             \
        return former;                                                                             \
    }
WARPINT_ELEMENT_STEP(++)
WARPINT_ELEMENT_STEP(--)
#undef WARPINT_ELEMENT_STEP

// Binary operators; with `op=` an element in place, as ++ and -- do, and numbers: `total += v[i]`
// and the like. Each one of these waits for the work on v and copies one number; sum(v), or a loop
// over v.to_host(), copies once.
#define WARPINT_ELEMENT_OPERATOR(symbol)                                                           \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class A, class B>                                                                    \
        requires containers::ElementOperands<A, B>                                                 \
    [[nodiscard]] WARPINT_HOST_DEVICE auto operator symbol(const A &a, const B &b) {               \
        return containers::value_of(a) symbol containers::value_of(b);                             \
    }                                                                                              \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class Element, class B>                                                              \
        requires(containers::is_place<Element> &&                                                  \
                 requires(typename Element::value_type value, const B &b) { value symbol## = b; }) \
    WARPINT_HOST_DEVICE Element operator symbol## = (const Element &element, const B &b) {         \
        typename Element::value_type value = element;                                              \
        value symbol## = b;                                                                        \
        Element there(element);                                                                    \
        there = value;                                                                             \
        return there;                                                                              \
    }                                                                                              \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class A, class Element>                                                              \
        requires(number::Variable<A> && (BigNumber<A> || AnyResidue<A>) &&                         \
                 containers::is_element<Element>)                                                  \
    WARPINT_HOST_DEVICE A &operator symbol## = (A & a, const Element &element) {                   \
        return a symbol## = element.value();                                                       \
    }
WARPINT_ELEMENT_OPERATOR(+)
WARPINT_ELEMENT_OPERATOR(-)
WARPINT_ELEMENT_OPERATOR(*)
WARPINT_ELEMENT_OPERATOR(/)
WARPINT_ELEMENT_OPERATOR(%)
WARPINT_ELEMENT_OPERATOR(&)
WARPINT_ELEMENT_OPERATOR(|)
WARPINT_ELEMENT_OPERATOR(^)
WARPINT_ELEMENT_OPERATOR(<<)
WARPINT_ELEMENT_OPERATOR(>>)
#undef WARPINT_ELEMENT_OPERATOR
#define WARPINT_ELEMENT_COMPARISON(symbol)                                                         \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class A, class B>                                                                    \
        requires containers::ElementOperands<A, B>                                                 \
    [[nodiscard]] WARPINT_HOST_DEVICE bool operator symbol(const A &a, const B &b) {               \
        return containers::compared(a) symbol containers::compared(b);                             \
    }
WARPINT_ELEMENT_COMPARISON(==)
WARPINT_ELEMENT_COMPARISON(!=)
WARPINT_ELEMENT_COMPARISON(<)
WARPINT_ELEMENT_COMPARISON(>)
WARPINT_ELEMENT_COMPARISON(<=)
WARPINT_ELEMENT_COMPARISON(>=)
#undef WARPINT_ELEMENT_COMPARISON
template <class A, class B>
    requires containers::ElementOperands<A, B>
[[nodiscard]] auto operator<=>(const A &a, const B &b) {
    return containers::compared(a) <=> containers::compared(b);
}

#define WARPINT_ELEMENT_SIGN(symbol)                                                               \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class Element>                                                                       \
        requires containers::is_element<Element>                                                   \
    [[nodiscard]] WARPINT_HOST_DEVICE auto operator symbol(const Element &a) {                     \
        return symbol a.value();                                                                   \
    }
WARPINT_ELEMENT_SIGN(+)
WARPINT_ELEMENT_SIGN(-)
WARPINT_ELEMENT_SIGN(~)
WARPINT_ELEMENT_SIGN(!)
#undef WARPINT_ELEMENT_SIGN

#define WARPINT_ELEMENT_FUNCTION(function)                                                         \
    WARPINT_ON_EITHER_SIDE                                                                         \
    template <class... A>                                                                          \
        requires(containers::ElementOperands<A...> &&                                              \
                 requires(const A &...a) { function(containers::value_of(a)...); })                \
    [[nodiscard]] WARPINT_HOST_DEVICE auto function(const A &...a) {                               \
        return function(containers::value_of(a)...);                                               \
    }
WARPINT_ELEMENT_FUNCTION(add_carry)
WARPINT_ELEMENT_FUNCTION(sub_borrow)
WARPINT_ELEMENT_FUNCTION(add_overflow)
WARPINT_ELEMENT_FUNCTION(sub_overflow)
WARPINT_ELEMENT_FUNCTION(mul_overflow)
WARPINT_ELEMENT_FUNCTION(sqr)
WARPINT_ELEMENT_FUNCTION(mul_low)
WARPINT_ELEMENT_FUNCTION(mul_high)
WARPINT_ELEMENT_FUNCTION(divmod)
WARPINT_ELEMENT_FUNCTION(compare)
WARPINT_ELEMENT_FUNCTION(abs)
WARPINT_ELEMENT_FUNCTION(min)
WARPINT_ELEMENT_FUNCTION(max)
WARPINT_ELEMENT_FUNCTION(isqrt)
WARPINT_ELEMENT_FUNCTION(sqrt_rem)
WARPINT_ELEMENT_FUNCTION(is_square)
WARPINT_ELEMENT_FUNCTION(iroot)
WARPINT_ELEMENT_FUNCTION(pow)
WARPINT_ELEMENT_FUNCTION(gcd)
WARPINT_ELEMENT_FUNCTION(lcm)
WARPINT_ELEMENT_FUNCTION(gcd_ext)
WARPINT_ELEMENT_FUNCTION(jacobi)
WARPINT_ELEMENT_FUNCTION(crt)
WARPINT_ELEMENT_FUNCTION(addmod)
WARPINT_ELEMENT_FUNCTION(submod)
WARPINT_ELEMENT_FUNCTION(mulmod)
WARPINT_ELEMENT_FUNCTION(sqrmod)
WARPINT_ELEMENT_FUNCTION(inverse)
WARPINT_ELEMENT_FUNCTION(sqrt_mod)
WARPINT_ELEMENT_FUNCTION(is_probable_prime)
WARPINT_ELEMENT_FUNCTION(is_safe_prime)
WARPINT_ELEMENT_FUNCTION(next_prime)
WARPINT_ELEMENT_FUNCTION(popcount)
WARPINT_ELEMENT_FUNCTION(bit_width)
WARPINT_ELEMENT_FUNCTION(countl_zero)
WARPINT_ELEMENT_FUNCTION(countr_zero)
WARPINT_ELEMENT_FUNCTION(has_single_bit)
WARPINT_ELEMENT_FUNCTION(rotl)
WARPINT_ELEMENT_FUNCTION(rotr)
WARPINT_ELEMENT_FUNCTION(test_bit)
WARPINT_ELEMENT_FUNCTION(set_bit)
WARPINT_ELEMENT_FUNCTION(extract_bits)
WARPINT_ELEMENT_FUNCTION(insert_bits)
#undef WARPINT_ELEMENT_FUNCTION
WARPINT_ON_EITHER_SIDE
template <std::uint64_t E, class... A>
    requires containers::ElementOperands<A...>
[[nodiscard]] WARPINT_HOST_DEVICE auto pow(const A &...a) {
    return pow<E>(containers::value_of(a)...);
}
WARPINT_ON_EITHER_SIDE
template <int Count, class Element, AnyNumber P>
    requires containers::is_element<Element>
[[nodiscard]] WARPINT_HOST_DEVICE auto extract_bits(const Element &element, const P &position) {
    return extract_bits<Count>(element.value(), position);
}

template <class Element>
    requires(containers::is_element<Element> && containers::HasText<typename Element::value_type>)
[[nodiscard]] std::string to_string(const Element &element, int base = 10) {
    return to_string(element.value(), base);
}
template <class Element>
    requires(containers::is_element<Element> && BigNumber<typename Element::value_type>)
[[nodiscard]] auto to_bytes(const Element &element, std::endian order) {
    return to_bytes(element.value(), order);
}
template <class Character, class Traits, class T, Space space>
    requires containers::HasText<T>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const element_reference<T, space> &element) {
    return out << element.value();
}
template <class Character, class Traits, BigNumber T, Space space>
std::basic_istream<Character, Traits> &operator>>(std::basic_istream<Character, Traits> &in,
                                                  const element_reference<T, space> &element) {
    const typename std::basic_istream<Character, Traits>::sentry ready(in);
    if (!ready)
        return in; // the element stays
    T x{};
    in >> x;
    element = x;
    return in;
}

} // namespace warpint
