// SPDX-License-Identifier: Apache-2.0
// What lies in memory for an element of a vector, and what all its elements share. Vectors are
// written in these terms, once for numbers and for residues of a Modulus:
//
//   stored        what lies in memory: the element itself, or the form of a residue
//   element       what reading an element gives
//   argument      what a function takes that writes an element
//   context       what all elements share: nothing, or the Modulus of residues
//   load, store   one from the other
#pragma once

#include "residue_element.h"
#include "shared_elements.h"

#include <vector>

namespace warpint {
namespace containers {

// Elements T that share nothing: numbers, and residues with the modulus in their type.
template <class T>
struct NoContext {
    struct shared; // there is none to give
    void swap(NoContext &) noexcept {}
    // The formula of what is stored: of residues their forms.
    template <class Tree>
    static constexpr decltype(auto) stored(const Tree &tree) {
        static_assert(!AnyResidue<typename Tree::value_type> || AnyResidue<T>,
                      "residues must be stored in a vector of residues; value(x) gives numbers");
        if constexpr (AnyResidue<T>) {
            return expression::describe(expression::operation::FormOfResidue<T>{}, tree);
        } else {
            return (tree);
        }
    }
    template <class Tree>
    void take(const Tree &) {}
    template <class Leaf>
    const Leaf &leaf(const Leaf &leaf) const {
        return leaf;
    }
};

template <int Bits>
class ResidueArgument;

// The Modulus of a vector's residues, shared with the formulas that name the vector.
template <int Bits>
class ModulusOfVector {
    using Shared = std::shared_ptr<const Modulus<Bits>>;
    using State = expression::ResidueState<Bits>;

public:
    using shared = Modulus<Bits>;

    ModulusOfVector() = default;
    explicit ModulusOfVector(const Modulus<Bits> &m)
        : state_{std::make_shared<State>(State{std::make_shared<const Modulus<Bits>>(m)})} {}
    ModulusOfVector(const ModulusOfVector &other)
        : state_{std::make_shared<State>(*other.state())} {}
    ModulusOfVector(ModulusOfVector &&other) noexcept = default;
    ModulusOfVector &operator=(const ModulusOfVector &other) {
        *state() = *other.state();
        return *this;
    }
    ModulusOfVector &operator=(ModulusOfVector &&other) noexcept {
        if (this != &other) {
            swap(other);
            other.state_.reset();
        }
        return *this;
    }
    ~ModulusOfVector() = default;

    // Exchanges the moduli, also for formulas that name the vectors.
    void swap(ModulusOfVector &other) noexcept { swap_shared(state_, other.state_); }

    // Throws wrong_modulus if there is none.
    [[nodiscard]] const Shared &modulus() const {
        if (state()->modulus == nullptr)
            throw wrong_modulus("warpint: the vector of residues has no modulus");
        return state()->modulus;
    }

    // What is stored for an element. A residue must have this modulus (wrong_modulus), if there is
    // one; a number needs one (wrong_modulus).
    [[nodiscard]] typename Residue<Bits>::Form store(const ResidueArgument<Bits> &x) const {
        return x.form(*this);
    }
    void check(const Modulus<Bits> &given) const {
        const Shared &own = state()->modulus;
        if (own != nullptr && own.get() != &given && own->value() != given.value())
            throw wrong_modulus("warpint: the residue has a different modulus than the vector");
    }
    // After an element was stored: the residue's modulus, where there is none.
    void take(const ResidueArgument<Bits> &x) {
        if (state()->modulus == nullptr)
            state()->modulus = x.modulus();
    }

    // The formula of what is stored: the forms of residues, which must have one modulus, or of
    // numbers, reduced by this one (wrong_modulus).
    template <class Tree>
    [[nodiscard]] auto stored(const Tree &tree) const {
        using R = Residue<Bits>;
        using Store = expression::operation::FormOfResidue<R>;
        if constexpr (AnyResidue<typename Tree::value_type>) {
            static_assert(std::is_same_v<typename Tree::value_type, R>,
                          "the residues must have the vector's width");
            (void)expression::common_modulus<Bits>(tree);
            return expression::describe(Store{}, tree);
        } else {
            (void)modulus();
            expression::operation::ReducedNumber<Bits> reduce;
            reduce.state = state();
            return expression::describe(Store{}, expression::describe(reduce, tree));
        }
    }
    // After the formula ran: its residues' modulus, if it has residues.
    template <expression::Description Tree>
    void take(const Tree &tree) {
        if constexpr (!AnyNumber<typename Tree::value_type>) {
            if (Shared found = expression::common_modulus<Bits>(tree))
                state()->modulus = std::move(found);
        }
    }
    // Forms, of the vector or gathered from it, as residues.
    template <class Forms>
    [[nodiscard]] auto leaf(Forms &&forms) const {
        expression::operation::StoredResidue<Bits> operation;
        operation.state = state();
        return expression::describe(operation, std::forward<Forms>(forms));
    }

private:
    [[nodiscard]] const std::shared_ptr<State> &state() const {
        if (state_ == nullptr)
            state_ = std::make_shared<State>();
        return state_;
    }

    // Null in a vector that was moved from.
    mutable std::shared_ptr<State> state_ = std::make_shared<State>();
};

// A number, which is reduced, or a residue of the vector's modulus. It refers to the function's
// argument.
template <int Bits>
class ResidueArgument {
    using Form = typename Residue<Bits>::Form;
    using Shared = std::shared_ptr<const Modulus<Bits>>;

public:
    template <BesideElement<Bits> T>
    ResidueArgument(const T &x) : x_{&x}, form_{form_of<T>}, modulus_{modulus_of<T>} {}

    [[nodiscard]] Form form(const ModulusOfVector<Bits> &vector) const { return form_(x_, vector); }
    // Null of a number.
    [[nodiscard]] Shared modulus() const { return modulus_(x_); }

private:
    template <class T>
    static Form form_of(const void *argument, const ModulusOfVector<Bits> &vector) {
        const auto &element = value_of(*static_cast<const T *>(argument));
        if constexpr (AnyNumber<std::remove_cvref_t<decltype(element)>>) {
            return (*vector.modulus())(element).form();
        } else {
            vector.check(as_residue(element).modulus());
            return element.form();
        }
    }
    template <class T>
    static Shared modulus_of(const void *argument) {
        const auto &element = value_of(*static_cast<const T *>(argument));
        using Element = std::remove_cvref_t<decltype(element)>;
        if constexpr (AnyNumber<Element>) {
            return nullptr;
        } else if constexpr (ResidueElement<Element>) {
            return element.shared_modulus();
        } else {
            return std::make_shared<const Modulus<Bits>>(element.modulus());
        }
    }

    const void *x_;
    Form (*form_)(const void *, const ModulusOfVector<Bits> &);
    Shared (*modulus_)(const void *);
};

} // namespace containers

// For this library: numbers, built-in integers and residues with the modulus in their type lie in
// memory as they are.
template <class T>
struct element_traits {
    using stored = T;
    using element = T;
    using argument = T;
    using context = containers::NoContext<T>;
    static const T &load(const T &x, const context &) { return x; }
    static const T &store(const T &x, const context &) { return x; }
};
// For this library: of residues of a Modulus their forms do.
template <int Bits>
struct element_traits<Residue<Bits>> {
    using stored = typename Residue<Bits>::Form;
    using element = residue_element<Bits>;
    using argument = containers::ResidueArgument<Bits>;
    using context = containers::ModulusOfVector<Bits>;
    static element load(const stored &form, const context &shared) {
        return {form, shared.modulus()};
    }
    static stored store(const argument &x, const context &shared) { return shared.store(x); }
};

// For this library.
template <class T>
using stored_t = typename element_traits<T>::stored;

namespace containers {

// A vector's context: a base class, which takes no memory where there is nothing to share.
template <class Context>
class WithContext : private Context {
public:
    WithContext() = default;
    explicit WithContext(Context given) : Context(std::move(given)) {}

    [[nodiscard]] const Context &context() const { return *this; }
    [[nodiscard]] Context &context() { return *this; }
};
template <class T>
using with_context = WithContext<typename element_traits<T>::context>;

// What is stored, in contiguous memory, which a std::vector<bool> has not.
template <class Stored>
using memory_vector = std::vector<std::conditional_t<std::is_same_v<Stored, bool>, char, Stored>>;

// Elements that are read from what is stored.
template <class T>
std::vector<typename element_traits<T>::element>
loaded(memory_vector<stored_t<T>> &&values, const typename element_traits<T>::context &context) {
    if constexpr (std::is_same_v<T, bool>) {
        return std::vector<bool>(values.begin(), values.end());
    } else if constexpr (std::is_same_v<stored_t<T>, T>) {
        return std::move(values);
    } else {
        std::vector<typename element_traits<T>::element> elements;
        elements.reserve(values.size());
        for (const stored_t<T> &value : values)
            elements.push_back(element_traits<T>::load(value, context));
        return elements;
    }
}

} // namespace containers

} // namespace warpint
