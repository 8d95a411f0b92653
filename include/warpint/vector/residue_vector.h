// SPDX-License-Identifier: Apache-2.0
// Vectors of residues of a Modulus: host_vector<Residue<N>>, device_vector<Residue<N>>.
//
//   const Modulus<256> m(p);
//   device_vector<Residue<256>> x(m, a), y(m, b);      // a, b: vectors or formulas of numbers
//   x = x * y + 3;                                     // forms stay forms
//   device_vector<BigInt<256>> r = value(pow(x, e));   // in [0, m)
//
// A vector of residues with the modulus in their type, device_vector<StaticResidue<p>>, is an
// ordinary vector.
#pragma once

#include "residue_element.h"
#include "vector.h"

#include <compare>
#include <iterator>

namespace warpint {

// Reads the elements of a vector of residues one after another.
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
    friend bool operator==(const residue_iterator &a, const residue_iterator &b) {
        return a.index_ == b.index_;
    }
    friend auto operator<=>(const residue_iterator &a, const residue_iterator &b) {
        return a.index_ <=> b.index_;
    }

private:
    const Vector *vector_ = nullptr;
    std::size_t index_ = 0;
};

namespace containers {

// Calls run with the formula of the forms that a vector of residues of a Modulus stores, and has
// the vector take the formula's modulus.
template <class Vector, class Tree, class Run>
void store_residues(Vector &to, const Tree &tree, const Run &run) {
    using R = typename Vector::value_type;
    using Store = expression::operation::FormOfResidue<R>;
    if constexpr (AnyResidue<typename Tree::value_type>) {
        static_assert(std::is_same_v<typename Tree::value_type, R>,
                      "the residues must have the vector's width");
        auto modulus = expression::common_modulus<R::bits>(tree);
        run(expression::describe<Store>(tree));
        if (modulus != nullptr)
            to.set_modulus(std::move(modulus));
    } else {
        (void)to.modulus();
        expression::operation::ReducedNumber<R::bits> reduce;
        reduce.state = to.state();
        run(expression::describe<Store>(expression::describe_by(reduce, tree)));
    }
}

} // namespace containers

namespace containers {

// The modulus of the state; throws wrong_modulus if there is none.
template <int Bits>
const std::shared_ptr<const Modulus<Bits>> &
modulus_of(const expression::ResidueState<Bits> &state) {
    if (state.modulus == nullptr)
        throw wrong_modulus("warpint: the vector of residues has no modulus");
    return state.modulus;
}

template <int Bits>
void check_modulus(const Modulus<Bits> &of_residue, const Modulus<Bits> &of_vector) {
    if (&of_residue != &of_vector && of_residue.value() != of_vector.value())
        throw wrong_modulus("warpint: the residue has a different modulus than the vector");
}

template <int Bits, class T>
inline constexpr bool is_residue_vector = false;
template <int Bits, Space space>
inline constexpr bool is_residue_vector<Bits, batch_vector<Residue<Bits>, space>> = true;

template <int Bits, class Form>
std::vector<residue_element<Bits>> elements_of_forms(const std::vector<Form> &forms,
                                                     const expression::ResidueState<Bits> &state) {
    std::vector<residue_element<Bits>> residues;
    residues.reserve(forms.size());
    for (const Form &form : forms)
        residues.emplace_back(form, modulus_of(state));
    return residues;
}

} // namespace containers

// The forms of residues in one piece of memory, and the Modulus of all of them. Copyable and
// movable. Assigning a formula of residues runs it, in one launch, and takes the modulus of the
// formula's residues (residues of different ones: wrong_modulus); assigning numbers reduces them by
// the modulus that the vector has (wrong_modulus if it has none). What batch_vector says about
// formulas, streams, faults and errors holds here too.
template <int Bits, Space space>
class batch_vector<Residue<Bits>, space> {
    using State = expression::ResidueState<Bits>;

public:
    using value_type = Residue<Bits>;
    using size_type = std::size_t;
    using Form = typename Residue<Bits>::Form;
    using const_iterator = residue_iterator<Bits, space>;
    using iterator = const_iterator;

    // Makes a vector without a modulus; of no elements or `count` zeros, with a modulus; or of the
    // residues of numbers in a vector, a view, a formula, a std::vector or a list.
    batch_vector() = default;
    explicit batch_vector(const Modulus<Bits> &m, std::size_t count = 0) : forms_(count) {
        set_modulus(std::make_shared<const Modulus<Bits>>(m));
    }
    template <expression::Batch Numbers>
    requires AnyNumber<typename expression::captured_t<Numbers>::value_type>
    batch_vector(const Modulus<Bits> &m, Numbers &&numbers) : batch_vector(m) {
        run(expression::capture(std::forward<Numbers>(numbers)), stream_handle{});
    }
    template <AnyNumber T>
    batch_vector(const Modulus<Bits> &m, const std::vector<T> &numbers)
        : batch_vector(m, batch_vector<T, space>(numbers)) {}
    template <AnyNumber T>
    batch_vector(const Modulus<Bits> &m, std::initializer_list<T> numbers)
        : batch_vector(m, batch_vector<T, space>(numbers)) {}

    batch_vector(const batch_vector &other) : forms_(other.forms_) {
        set_modulus(other.state()->modulus);
    }
    batch_vector(batch_vector &&other) noexcept = default;
    batch_vector &operator=(const batch_vector &other) {
        if (this != &other) {
            forms_ = other.forms_;
            set_modulus(other.state()->modulus);
        }
        return *this;
    }
    batch_vector &operator=(batch_vector &&other) noexcept {
        if (this != &other) {
            forms_ = std::move(other.forms_);
            swap_states(other);
            other.state_.reset();
        }
        return *this;
    }
    ~batch_vector() = default;
    template <Space other_space>
    requires(other_space != space)
        batch_vector(const batch_vector<Residue<Bits>, other_space> &other)
        : forms_(other.forms()) {
        set_modulus(other.state()->modulus);
    }

    // Runs a formula of residues or numbers, in one launch.
    template <class Tree>
    requires(expression::is_description<Tree>::value &&AnyResidue<typename Tree::value_type>)
        batch_vector(const Tree &tree) {
        run(tree, stream_handle{});
    }
    template <Space other_space>
    requires(other_space != space) batch_vector &
    operator=(const batch_vector<Residue<Bits>, other_space> &other) {
        return *this = batch_vector(other);
    }
    template <expression::Batch Formula>
    requires(!containers::is_residue_vector<Bits, std::remove_cvref_t<Formula>>) batch_vector &
    operator=(Formula &&formula) {
        run(expression::capture(std::forward<Formula>(formula)), stream_handle{});
        return *this;
    }
#define WARPINT_RESIDUE_ASSIGNMENT(symbol, operation)                                              \
    template <expression::Captured Operand>                                                        \
    batch_vector &operator symbol(const Operand &operand) {                                        \
        return *this = *this operation operand;                                                    \
    }
    WARPINT_RESIDUE_ASSIGNMENT(+=, +)
    WARPINT_RESIDUE_ASSIGNMENT(-=, -)
    WARPINT_RESIDUE_ASSIGNMENT(*=, *)
    WARPINT_RESIDUE_ASSIGNMENT(/=, /)
#undef WARPINT_RESIDUE_ASSIGNMENT

    [[nodiscard]] std::size_t size() const {
        return forms_.size();
    }
    [[nodiscard]] bool empty() const {
        return forms_.empty();
    }
    [[nodiscard]] Location location() const {
        return forms_.location();
    }
    // The forms in memory; modulus().form_modulus() bounds them.
    [[nodiscard]] const batch_vector<Form, space> &forms() const {
        return forms_;
    }
    // The modulus of all elements; throws wrong_modulus if there is none.
    [[nodiscard]] const Modulus<Bits> &modulus() const & {
        return *shared_modulus();
    }
    [[nodiscard]] Modulus<Bits> modulus() const && {
        return *shared_modulus();
    }

    // Element i < size(); the index is not checked. std::domain_error if the element is a fault. An
    // element shares the vector's modulus and may outlive the vector.
    [[nodiscard]] const residue_element<Bits> operator[](std::size_t i) const {
        return {std::as_const(forms_)[i], shared_modulus()};
    }
    // The same with a check: std::out_of_range beyond the end.
    [[nodiscard]] const residue_element<Bits> at(std::size_t i) const {
        return {forms_.at(i), shared_modulus()};
    }
    [[nodiscard]] const residue_element<Bits> front() const {
        return (*this)[0];
    }
    [[nodiscard]] const residue_element<Bits> back() const {
        return (*this)[size() - 1];
    }
    // Each read waits for the work on the vector and copies one element to the host; to_host()
    // copies all at once.
    [[nodiscard]] const_iterator begin() const {
        return {*this, 0};
    }
    [[nodiscard]] const_iterator end() const {
        return {*this, size()};
    }
    [[nodiscard]] const_iterator cbegin() const {
        return begin();
    }
    [[nodiscard]] const_iterator cend() const {
        return end();
    }
    // Writes element i and clears its fault. A number is reduced; wrong_modulus for a residue of
    // another modulus. std::out_of_range beyond the end.
    template <AnyNumber T>
    void write(std::size_t i, const T &x) {
        forms_.write(i, modulus()(x).form());
    }
    void write(std::size_t i, const Residue<Bits> &x) {
        containers::check_modulus(x.modulus(), modulus());
        forms_.write(i, x.form());
    }
    void write(std::size_t i, const residue_element<Bits> &x) {
        containers::check_modulus(*x.shared_modulus(), modulus());
        forms_.write(i, x.form());
    }
    // Changes the size; new elements are 0.
    void resize(std::size_t count) {
        forms_.resize(count);
    }
    void clear() {
        forms_.clear();
    }

    // All elements; they share this vector's modulus. std::domain_error if there are faults.
    [[nodiscard]] std::vector<residue_element<Bits>> to_host() const {
        return containers::elements_of_forms(forms_.to_host(), *state());
    }
    // As for batch_vector.
    void check() const {
        forms_.check();
    }
    [[nodiscard]] std::vector<bool> error_mask() const {
        return forms_.error_mask();
    }
    void clear_errors() {
        forms_.clear_errors();
    }

    void swap(batch_vector &other) noexcept {
        forms_.swap(other.forms_);
        swap_states(other);
    }
    friend void swap(batch_vector &a, batch_vector &b) noexcept {
        a.swap(b);
    }

    // For this library: runs a formula on a stream.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream) {
        containers::store_residues(*this, tree,
                                   [&](const auto &stored) { forms_.run(stored, stream); });
    }
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream) {
        containers::store_residues(
            *this, tree, [&](const auto &stored) { forms_.run_in_place(stored, stream); });
    }

    // For this library: what elements and formulas share.
    [[nodiscard]] const std::shared_ptr<const Modulus<Bits>> &shared_modulus() const {
        return containers::modulus_of(*state());
    }
    [[nodiscard]] const std::shared_ptr<State> &state() const {
        if (state_ == nullptr)
            state_ = std::make_shared<State>();
        return state_;
    }

    [[nodiscard]] batch_vector<Form, space> &forms_to_write() {
        return forms_;
    }
    void set_modulus(std::shared_ptr<const Modulus<Bits>> modulus) {
        state()->modulus = std::move(modulus);
    }

private:
    // Formulas share the storage of the forms and the state: both change hands alike, by their
    // contents where both vectors have them.
    void swap_states(batch_vector &other) noexcept {
        if (state_ != nullptr && other.state_ != nullptr) {
            std::swap(*state_, *other.state_);
        } else {
            state_.swap(other.state_);
        }
    }

    batch_vector<Form, space> forms_;
    // Null in a vector that was moved from, as the storage of its forms is.
    mutable std::shared_ptr<State> state_ = std::make_shared<State>();
};

namespace containers {

// Forms, of a vector of residues or gathered from it, as residues modulo its modulus.
template <class Forms, int Bits>
auto as_stored_residues(const std::shared_ptr<expression::ResidueState<Bits>> &state,
                        Forms &&forms) {
    expression::operation::StoredResidue<Bits> operation;
    operation.state = state;
    return expression::describe_by(operation, std::forward<Forms>(forms));
}

} // namespace containers

template <int Bits, Space space>
struct expression::capture_traits<batch_vector<Residue<Bits>, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const batch_vector<Residue<Bits>, space> &vector) {
        return containers::as_stored_residues(vector.state(), vector.forms());
    }
};

// Elements index[i] of a vector of residues. An index beyond the source is a fault.
template <int Bits, Space space, class Index>
requires expression::Captured<Index>
[[nodiscard]] auto gather(const batch_vector<Residue<Bits>, space> &source, Index &&index) {
    return containers::as_stored_residues(source.state(),
                                          gather(source.forms(), std::forward<Index>(index)));
}

} // namespace warpint
