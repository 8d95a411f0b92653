// SPDX-License-Identifier: Apache-2.0
// An element of a vector of residues, as operator[], iterators and to_host() return it.
#pragma once

#include "../expression/residue.h"
#include "../text.h"

#include <compare>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace warpint {

// A residue that holds a share of its vector's Modulus, and so may outlive the vector. It has the
// operators and functions of residues; their results are residue_elements too. It is not a
// Residue<Bits>, which refers to a Modulus that must outlive it; x[i].residue(m) gives one, for a
// Modulus m of the program. Host only; variable time.
template <int Bits>
class residue_element {
public:
    static constexpr int bits = Bits;
    using Form = typename Residue<Bits>::Form;

    // The residue x, with a share of the modulus that it refers to.
    residue_element(const Residue<Bits> &x, std::shared_ptr<const Modulus<Bits>> modulus)
        : modulus_{std::move(modulus)}, form_{x.form()} {}
    residue_element(const Form &form, std::shared_ptr<const Modulus<Bits>> modulus)
        : modulus_{std::move(modulus)}, form_{form} {}

    // The number in [0, m).
    [[nodiscard]] BigInt<Bits> value() const { return here().value(); }
    [[nodiscard]] Modulus<Bits> modulus() const { return *modulus_; }
    // For this library: the form that operations compute with, as in Residue.
    [[nodiscard]] const Form &form() const { return form_; }

    // The same residue, referring to m; wrong_modulus if m has another value.
    [[nodiscard]] Residue<Bits> residue(const Modulus<Bits> &m) const {
        if (m.value() != modulus_->value())
            throw wrong_modulus("warpint: the residue has a different modulus");
        return Residue<Bits>::from_form(form_, m);
    }
    Residue<Bits> residue(Modulus<Bits> &&) const = delete; // give the Modulus a name
    template <class write_x_i_residue_m_with_a_Modulus_m_or_auto>
    requires std::is_same_v<write_x_i_residue_m_with_a_Modulus_m_or_auto, Residue<Bits>>
    operator write_x_i_residue_m_with_a_Modulus_m_or_auto() const WARPINT_REFUSED(
        "a Residue refers to a Modulus that must outlive it: write x[i].residue(m) with a "
        "Modulus m, or use auto");
    // For this library: converting to a number is an error, declared for its diagnostic.
    template <BigNumber write_x_value_for_the_number>
    operator write_x_value_for_the_number() const WARPINT_REFUSED("write x.value() for the number");

    // For this library: the modulus to share, and the residue while this object lives.
    [[nodiscard]] const std::shared_ptr<const Modulus<Bits>> &shared_modulus() const {
        return modulus_;
    }
    [[nodiscard]] Residue<Bits> here() const { return Residue<Bits>::from_form(form_, *modulus_); }

private:
    std::shared_ptr<const Modulus<Bits>> modulus_;
    Form form_;
};

namespace containers {

template <class T>
inline constexpr int element_bits = 0;
template <int Bits>
inline constexpr int element_bits<residue_element<Bits>> = Bits;

// Operands of which at least one is an element of a vector of residues of a Modulus<Bits>. The
// others are such elements, residues or numbers.
template <class T, int Bits>
concept BesideElement =
    (element_bits<T> == Bits) || std::is_same_v<T, Residue<Bits>> || AnyNumber<T>;
template <class A, class B>
concept ResidueElements = (element_bits<A> != 0 && BesideElement<B, element_bits<A>>) ||
                          (element_bits<B> != 0 && BesideElement<A, element_bits<B>>);

template <class T>
decltype(auto) as_residue(const T &x) {
    if constexpr (element_bits<T> != 0) {
        return x.here();
    } else {
        return (x);
    }
}
template <class A, class B>
const auto &modulus_among(const A &a, const B &b) {
    if constexpr (element_bits<A> != 0) {
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
    requires containers::ResidueElements<A, B>                                                     \
    [[nodiscard]] auto operator symbol(const A &a, const B &b) {                                   \
        return containers::as_element(containers::as_residue(a) symbol containers::as_residue(b),  \
                                      containers::modulus_among(a, b));                            \
    }                                                                                              \
    template <int Bits, containers::BesideElement<Bits> B>                                         \
    residue_element<Bits> &operator symbol##=(residue_element<Bits> &a, const B &b) {              \
        return a = a symbol b;                                                                     \
    }
WARPINT_RESIDUE_ELEMENT_OPERATOR(+)
WARPINT_RESIDUE_ELEMENT_OPERATOR(-)
WARPINT_RESIDUE_ELEMENT_OPERATOR(*)
WARPINT_RESIDUE_ELEMENT_OPERATOR(/)
#undef WARPINT_RESIDUE_ELEMENT_OPERATOR
#define WARPINT_RESIDUE_ELEMENT_COMPARISON(symbol)                                                 \
    template <class A, class B>                                                                    \
    requires containers::ResidueElements<A, B>                                                     \
    [[nodiscard]] bool operator symbol(const A &a, const B &b) {                                   \
        return containers::as_residue(a) symbol containers::as_residue(b);                         \
    }
WARPINT_RESIDUE_ELEMENT_COMPARISON(==)
WARPINT_RESIDUE_ELEMENT_COMPARISON(!=)
#undef WARPINT_RESIDUE_ELEMENT_COMPARISON

template <int Bits>
[[nodiscard]] residue_element<Bits> operator-(const residue_element<Bits> &x) {
    return {-x.here(), x.shared_modulus()};
}
template <int Bits>
[[nodiscard]] residue_element<Bits> sqr(const residue_element<Bits> &x) {
    return {sqr(x.here()), x.shared_modulus()};
}
template <int Bits, AnyNumber E>
[[nodiscard]] residue_element<Bits> pow(const residue_element<Bits> &x, const E &e) {
    return {pow(x.here(), e), x.shared_modulus()};
}
template <int Bits>
[[nodiscard]] std::optional<residue_element<Bits>> inverse(const residue_element<Bits> &x) {
    if (const auto found = inverse(x.here()))
        return residue_element<Bits>(*found, x.shared_modulus());
    return std::nullopt;
}

template <int Bits>
[[nodiscard]] std::string to_string(const residue_element<Bits> &x, int base = 10) {
    return to_string(x.value(), base);
}
template <class Character, class Traits, int Bits>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const residue_element<Bits> &x) {
    return out << x.value();
}

// Reads the elements of a vector of residues one after another.
template <class T, Space space>
class batch_vector;
template <int Bits, Space space>
class residue_iterator {
    using Vector = batch_vector<Residue<Bits>, space>;

public:
    using value_type = residue_element<Bits>;
    using reference = residue_element<Bits>; // by value: memory holds forms
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;

    residue_iterator() = default;
    residue_iterator(const Vector &vector, std::size_t index) : vector_{&vector}, index_{index} {}

    [[nodiscard]] reference operator*() const { return (*vector_)[index_]; }
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
    const Vector *vector_ = nullptr;
    std::size_t index_ = 0;
};

} // namespace warpint
