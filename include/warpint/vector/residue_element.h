// SPDX-License-Identifier: Apache-2.0
// The elements of a vector of residues: what is read from it, and a reference to where it is
// written.
#pragma once

#include "../expression/residue.h"
#include "../text.h"
#include "element.h"

#include <compare>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace warpint {

template <int Bits>
class residue_element;
template <int Bits, Space space>
class residue_reference;

namespace containers {

template <class T>
inline constexpr int element_bits = 0;
template <int Bits>
inline constexpr int element_bits<residue_element<Bits>> = Bits;
template <int Bits, Space space>
inline constexpr int element_bits<residue_reference<Bits, space>> = Bits;

// An element of a vector of residues of a Modulus.
template <class T>
concept ResidueElement = element_bits<T> != 0;

// Operands of which at least one is an element of a vector of residues of a Modulus<Bits>. The
// others are such elements, residues, numbers or elements of a device_vector of numbers.
template <class T, int Bits>
concept BesideElement = (element_bits<T> == Bits) || std::is_same_v<T, Residue<Bits>> ||
                        AnyNumber<T> || expression::is_element<T>;
template <class A, class B>
concept ResidueElements = (element_bits<A> != 0 && BesideElement<B, element_bits<A>>) ||
                          (element_bits<B> != 0 && BesideElement<A, element_bits<B>>);

// Conversions that elements do not have; these are here for their messages.
template <int Bits>
struct RefusedConversions {
    template <class write_x_i_residue_m_with_a_Modulus_m_or_x_read_i>
        requires std::is_same_v<write_x_i_residue_m_with_a_Modulus_m_or_x_read_i, Residue<Bits>>
    operator write_x_i_residue_m_with_a_Modulus_m_or_x_read_i() const WARPINT_REFUSED(
        "a Residue refers to a Modulus that must outlive it: write x[i].residue(m) with a "
        "Modulus m, or auto r = x.read(i)");
    template <BigNumber write_x_value_for_the_number>
    operator write_x_value_for_the_number() const WARPINT_REFUSED("write x.value() for the number");
};

} // namespace containers

// A residue that holds a share of its vector's Modulus, and so may outlive the vector. It has the
// operators and functions of residues; their results are residue_elements too. It is not a
// Residue<Bits>, which refers to a Modulus that must outlive it; x[i].residue(m) gives one, for a
// Modulus m of the program. Host only; variable time.
template <int Bits>
class residue_element : public containers::RefusedConversions<Bits> {
public:
    static constexpr int bits = Bits;
    using Form = typename Residue<Bits>::Form;

    // No residue, until one is assigned: what is read of it throws wrong_modulus.
    residue_element() = default;
    // The residue x, with a share of the modulus that it refers to.
    residue_element(const Residue<Bits> &x, std::shared_ptr<const Modulus<Bits>> modulus)
        : modulus_{std::move(modulus)}, form_{x.form()} {}
    residue_element(const Form &form, std::shared_ptr<const Modulus<Bits>> modulus)
        : modulus_{std::move(modulus)}, form_{form} {}
    residue_element(const residue_element &) = default;
    residue_element(residue_element &&) noexcept = default;
    // Not defaulted, which nvcc would take for a function of both sides.
    residue_element &operator=(residue_element other) noexcept {
        modulus_.swap(other.modulus_);
        form_ = other.form_;
        return *this;
    }

    // The number in [0, m).
    [[nodiscard]] BigInt<Bits> value() const { return here().value(); }
    [[nodiscard]] Modulus<Bits> modulus() const { return *shared_modulus(); }
    // For this library: the form that operations compute with, as in Residue.
    [[nodiscard]] const Form &form() const { return form_; }

    // The same residue, referring to m; wrong_modulus if m has another value.
    [[nodiscard]] Residue<Bits> residue(const Modulus<Bits> &m) const {
        if (m.value() != shared_modulus()->value())
            throw wrong_modulus("warpint: the residue has a different modulus");
        return Residue<Bits>::from_form(form_, m);
    }
    Residue<Bits> residue(Modulus<Bits> &&) const = delete; // give the Modulus a name

    // For this library: the modulus to share, and the residue while this object lives.
    [[nodiscard]] const std::shared_ptr<const Modulus<Bits>> &shared_modulus() const {
        if (modulus_ == nullptr)
            throw wrong_modulus("warpint: the residue was made without a modulus");
        return modulus_;
    }
    [[nodiscard]] Residue<Bits> here() const {
        return Residue<Bits>::from_form(form_, *shared_modulus());
    }

private:
    std::shared_ptr<const Modulus<Bits>> modulus_;
    Form form_{};
};

// A reference to an element of a vector of residues, as operator[] and iterators of a vector that
// is not constant return it. Writing takes a number, which is reduced, or a residue of the vector's
// modulus (wrong_modulus), and clears a fault. In expressions and functions it stands for the
// residue_element that is read there, to which it converts. It refers to the vector.
template <int Bits, Space space>
class residue_reference
    : public containers::RefusedConversions<Bits>,
      public containers::ElementAccess<residue_reference<Bits, space>, Residue<Bits>, space> {
    using Access = containers::ElementAccess<residue_reference, Residue<Bits>, space>;

public:
    static constexpr int bits = Bits;
    using value_type = residue_element<Bits>;

    using Access::Access;
    using Access::operator=;
    residue_reference(const residue_reference &) = default;
    residue_reference &operator=(const residue_reference &other) {
        Access::operator=(other);
        return *this;
    }

    // Reads the element; std::domain_error if it is a fault.
    [[nodiscard]] residue_element<Bits> read() const { return Access::element(); }
    operator residue_element<Bits>() const { return read(); }
    // Of the element that is read.
    [[nodiscard]] BigInt<Bits> value() const { return read().value(); }
    [[nodiscard]] Modulus<Bits> modulus() const { return read().modulus(); }
    [[nodiscard]] Residue<Bits> residue(const Modulus<Bits> &m) const { return read().residue(m); }
    Residue<Bits> residue(Modulus<Bits> &&) const = delete; // give the Modulus a name

    // For this library: in a formula.
    friend auto capture_residue(const residue_reference &x) {
        return expression::capture_residue(x.read());
    }
};

namespace expression {
template <int Bits, Space space>
inline constexpr bool is_residue_element<residue_reference<Bits, space>> = true;
}

namespace containers {

template <int Bits, Space space>
inline constexpr bool is_place<residue_reference<Bits, space>> = true;

template <class T>
decltype(auto) as_residue(const T &x) {
    if constexpr (ResidueElement<T>) {
        return x.here();
    } else {
        return (x);
    }
}
template <class A, class B>
const auto &modulus_among(const A &a, const B &b) {
    if constexpr (ResidueElement<A>) {
        return a.shared_modulus();
    } else {
        return b.shared_modulus();
    }
}
template <int Bits>
residue_element<Bits> as_element(const Residue<Bits> &x,
                                 const std::shared_ptr<const Modulus<Bits>> &modulus) {
    return {x, modulus};
}

} // namespace containers

// The operators of residues.
#define WARPINT_RESIDUE_ELEMENT_OPERATOR(symbol)                                                   \
    template <class A, class B>                                                                    \
        requires containers::ResidueElements<A, B>                                                 \
    [[nodiscard]] auto operator symbol(const A &a, const B &b) {                                   \
        const auto &x = containers::value_of(a);                                                   \
        const auto &y = containers::value_of(b);                                                   \
        return containers::as_element(containers::as_residue(x) symbol containers::as_residue(y),  \
                                      containers::modulus_among(x, y));                            \
    }                                                                                              \
    template <int Bits, containers::BesideElement<Bits> B>                                         \
    residue_element<Bits> &operator symbol## = (residue_element<Bits> & a, const B &b) {           \
        return a = a symbol b;                                                                     \
    }                                                                                              \
    template <int Bits, containers::ResidueElement B>                                              \
        requires(containers::element_bits<B> == Bits)                                              \
    Residue<Bits> &operator symbol## = (Residue<Bits> & a, const B &b) {                           \
        return a = a symbol b.residue(a.modulus());                                                \
    }
WARPINT_RESIDUE_ELEMENT_OPERATOR(+)
WARPINT_RESIDUE_ELEMENT_OPERATOR(-)
WARPINT_RESIDUE_ELEMENT_OPERATOR(*)
WARPINT_RESIDUE_ELEMENT_OPERATOR(/)
#undef WARPINT_RESIDUE_ELEMENT_OPERATOR
#define WARPINT_RESIDUE_ELEMENT_STEP(symbol, assignment)                                           \
    template <int Bits>                                                                            \
    residue_element<Bits> &operator symbol(residue_element<Bits> &x) {                             \
        return x assignment 1;                                                                     \
    }                                                                                              \
    template <int Bits>                                                                            \
    residue_element<Bits> operator symbol(residue_element<Bits> &x, int) {                         \
        const residue_element<Bits> former = x;                                                    \
        x assignment 1;                                                                            \
        return former;                                                                             \
    }
WARPINT_RESIDUE_ELEMENT_STEP(++, +=)
WARPINT_RESIDUE_ELEMENT_STEP(--, -=)
#undef WARPINT_RESIDUE_ELEMENT_STEP
template <class A, class B>
    requires containers::ResidueElements<A, B>
[[nodiscard]] bool operator==(const A &a, const B &b) {
    const auto &x = containers::value_of(a);
    const auto &y = containers::value_of(b);
    return containers::as_residue(x) == containers::as_residue(y);
}

template <containers::ResidueElement X>
[[nodiscard]] auto operator+(const X &x) {
    const auto &element = containers::value_of(x);
    return containers::as_element(element.here(), element.shared_modulus());
}
template <containers::ResidueElement X>
[[nodiscard]] auto operator-(const X &x) {
    const auto &element = containers::value_of(x);
    return containers::as_element(-element.here(), element.shared_modulus());
}
template <containers::ResidueElement X>
[[nodiscard]] auto sqr(const X &x) {
    const auto &element = containers::value_of(x);
    return containers::as_element(sqr(element.here()), element.shared_modulus());
}
template <containers::ResidueElement X, class E>
    requires(AnyNumber<E> || containers::is_element<E>)
[[nodiscard]] auto pow(const X &x, const E &e) {
    const auto &element = containers::value_of(x);
    return containers::as_element(pow(element.here(), containers::value_of(e)),
                                  element.shared_modulus());
}
template <std::uint64_t E, containers::ResidueElement X>
[[nodiscard]] auto pow(const X &x) {
    const auto &element = containers::value_of(x);
    return containers::as_element(pow<E>(element.here()), element.shared_modulus());
}
template <containers::ResidueElement X>
[[nodiscard]] std::optional<residue_element<X::bits>> inverse(const X &x) {
    const auto &element = containers::value_of(x);
    if (const auto found = inverse(element.here()))
        return containers::as_element(*found, element.shared_modulus());
    return std::nullopt;
}

template <containers::ResidueElement X>
[[nodiscard]] std::string to_string(const X &x, int base = 10) {
    return to_string(x.value(), base);
}
template <class Character, class Traits, containers::ResidueElement X>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const X &x) {
    return out << x.value();
}

// An iterator of a vector of residues; Vector is constant if it only reads.
template <class Vector>
class residue_iterator {
public:
    using value_type = residue_element<Vector::value_type::bits>;
    using reference = decltype(std::declval<Vector &>()[0]); // memory holds forms
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag; // as for std::vector<bool>

    residue_iterator() = default;
    residue_iterator(Vector &vector, std::size_t index) : vector_{&vector}, index_{index} {}
    template <class Other>
        requires std::is_same_v<const Other, Vector>
    residue_iterator(const residue_iterator<Other> &other)
        : residue_iterator(other.vector(), other.index()) {}

    // For this library.
    [[nodiscard]] Vector &vector() const { return *vector_; }
    [[nodiscard]] std::size_t index() const { return index_; }

    [[nodiscard]] reference operator*() const {
        if constexpr (std::is_const_v<Vector>) {
            return (*vector_)[index_];
        } else {
            return reference(*vector_, index_);
        }
    }
    [[nodiscard]] reference operator[](difference_type k) const { return *(*this + k); }
    residue_iterator &operator++() { return *this += 1; }
    residue_iterator &operator--() { return *this += -1; }
    residue_iterator operator++(int) {
        const residue_iterator former = *this;
        ++*this;
        return former;
    }
    residue_iterator operator--(int) {
        const residue_iterator former = *this;
        --*this;
        return former;
    }
    residue_iterator &operator+=(difference_type k) {
        index_ += static_cast<std::size_t>(k);
        return *this;
    }
    residue_iterator &operator-=(difference_type k) { return *this += -k; }
    friend residue_iterator operator+(residue_iterator a, difference_type k) { return a += k; }
    friend residue_iterator operator+(difference_type k, residue_iterator a) { return a += k; }
    friend residue_iterator operator-(residue_iterator a, difference_type k) { return a -= k; }
    friend difference_type operator-(const residue_iterator &a, const residue_iterator &b) {
        return static_cast<difference_type>(a.index_ - b.index_);
    }
    friend bool operator==(const residue_iterator &, const residue_iterator &) = default;
    friend auto operator<=>(const residue_iterator &, const residue_iterator &) = default;

private:
    Vector *vector_ = nullptr;
    std::size_t index_ = 0;
};

} // namespace warpint
