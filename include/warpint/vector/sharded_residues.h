// SPDX-License-Identifier: Apache-2.0
// sharded_vector<Residue<N>>: residues of one Modulus in pieces on several GPUs.
//
//   sharded_vector<Residue<256>> x(m, a), y(m, b);      // a, b: sharded vectors of numbers
//   x = x * y + 3;                                      // forms stay forms, on every GPU
//   sharded_vector<BigInt<256>> r = value(x);
//
// A sharded vector of residues with the modulus in their type is an ordinary one.
#pragma once

#include "sharded.h"

namespace warpint {

// The forms of residues in pieces, and the Modulus of all of them. What batch_vector<Residue<N>>
// says about moduli, and sharded_batch about places, holds here.
template <int Bits, Space space>
class sharded_batch<Residue<Bits>, space> {
    using State = expression::ResidueState<Bits>;

public:
    using value_type = Residue<Bits>;
    using size_type = std::size_t;
    using Form = typename Residue<Bits>::Form;

    // Makes a vector without a modulus, or one with a modulus and no elements, `count` zeros,
    // numbers of the host, or the residues of a sharded vector or formula of numbers. Zeros and
    // numbers of the host are spread evenly.
    sharded_batch() = default;
    explicit sharded_batch(const device_group &group) : forms_(group) {}
    explicit sharded_batch(const Modulus<Bits> &m, const device_group &group = {},
                           std::size_t count = 0)
        : forms_(group, count) {
        set_modulus(std::make_shared<const Modulus<Bits>>(m));
    }
    template <AnyNumber T>
    sharded_batch(const Modulus<Bits> &m, const device_group &group, const std::vector<T> &numbers)
        : sharded_batch(m, group) {
        *this = sharded_batch<T, space>(group, numbers);
    }
    template <expression::Batch Numbers>
    requires AnyNumber<typename expression::captured_t<Numbers>::value_type>
    sharded_batch(const Modulus<Bits> &m, Numbers &&numbers) : sharded_batch(m) {
        *this = std::forward<Numbers>(numbers);
    }

    sharded_batch(const sharded_batch &other) : forms_(other.forms_) {
        set_modulus(other.state()->modulus);
    }
    sharded_batch(sharded_batch &&other) noexcept = default;
    sharded_batch &operator=(const sharded_batch &other) {
        if (this != &other) {
            forms_ = other.forms_;
            set_modulus(other.state()->modulus);
        }
        return *this;
    }
    sharded_batch &operator=(sharded_batch &&other) noexcept {
        if (this != &other) {
            forms_ = std::move(other.forms_);
            swap_states(other);
            other.state_.reset();
        }
        return *this;
    }
    ~sharded_batch() = default;

    // Runs a formula of residues or numbers, on all members at once.
    template <class Tree>
    requires(expression::is_description<Tree>::value &&AnyResidue<typename Tree::value_type>)
        sharded_batch(const Tree &tree) {
        run(tree);
    }
    template <expression::Batch Formula>
    requires(!std::is_same_v<std::remove_cvref_t<Formula>, sharded_batch>) sharded_batch &
    operator=(Formula &&formula) {
        run(expression::capture(std::forward<Formula>(formula)));
        return *this;
    }
#define WARPINT_RESIDUE_ASSIGNMENT(symbol, operation)                                              \
    template <expression::Captured Operand>                                                        \
    sharded_batch &operator symbol(const Operand &operand) {                                       \
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
    [[nodiscard]] const device_group &group() const {
        return forms_.group();
    }
    [[nodiscard]] std::vector<std::size_t> sizes() const {
        return forms_.sizes();
    }
    // The forms in memory.
    [[nodiscard]] const sharded_batch<Form, space> &forms() const {
        return forms_;
    }
    // The modulus of all elements; throws wrong_modulus if there is none.
    [[nodiscard]] const Modulus<Bits> &modulus() const & {
        return *shared_modulus();
    }
    [[nodiscard]] Modulus<Bits> modulus() const && {
        return *shared_modulus();
    }

    // Element i; std::out_of_range beyond the end, std::domain_error if it is a fault. An element
    // shares the vector's modulus and may outlive the vector. write() reduces a number.
    [[nodiscard]] const residue_element<Bits> operator[](std::size_t i) const {
        return {forms_.read(i), shared_modulus()};
    }
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

    // All elements, in order; they share this vector's modulus. std::domain_error if there are
    // faults.
    [[nodiscard]] std::vector<residue_element<Bits>> to_host() const {
        return containers::elements_of_forms(forms_.to_host(), *state());
    }
    // As for sharded_batch.
    void check() const {
        forms_.check();
    }
    [[nodiscard]] std::vector<bool> error_mask() const {
        return forms_.error_mask();
    }
    void clear_errors() {
        forms_.clear_errors();
    }
    void redistribute() {
        forms_.redistribute();
    }
    void redistribute(const std::vector<std::size_t> &sizes) {
        forms_.redistribute(sizes);
    }
    void swap(sharded_batch &other) noexcept {
        forms_.swap(other.forms_);
        swap_states(other);
    }
    friend void swap(sharded_batch &a, sharded_batch &b) noexcept {
        a.swap(b);
    }

    // For this library: runs a formula; the stream must be null. In place, the formula must have
    // the target's size and group.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream = {}) {
        containers::store_residues(*this, tree,
                                   [&](const auto &stored) { forms_.run(stored, stream); });
    }
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream = {}) {
        containers::store_residues(
            *this, tree, [&](const auto &stored) { forms_.run_in_place(stored, stream); });
    }

    // ---- for this library

    [[nodiscard]] const std::shared_ptr<const Modulus<Bits>> &shared_modulus() const {
        return containers::modulus_of(*state());
    }
    [[nodiscard]] const std::shared_ptr<State> &state() const {
        if (state_ == nullptr)
            state_ = std::make_shared<State>();
        return state_;
    }
    [[nodiscard]] sharded_batch<Form, space> &forms_to_write() {
        return forms_;
    }
    void set_modulus(std::shared_ptr<const Modulus<Bits>> modulus) {
        state()->modulus = std::move(modulus);
    }

private:
    // Formulas share the storage of the forms and the state: both change hands alike, by their
    // contents where both vectors have them.
    void swap_states(sharded_batch &other) noexcept {
        if (state_ != nullptr && other.state_ != nullptr) {
            std::swap(*state_, *other.state_);
        } else {
            state_.swap(other.state_);
        }
    }

    sharded_batch<Form, space> forms_;
    // Null in a vector that was moved from, as the storage of its forms is.
    mutable std::shared_ptr<State> state_ = std::make_shared<State>();
};

template <int Bits, Space space>
struct expression::capture_traits<sharded_batch<Residue<Bits>, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const sharded_batch<Residue<Bits>, space> &vector) {
        return containers::as_stored_residues(vector.state(), vector.forms());
    }
};

// Elements index[i] of a sharded vector of residues. An index beyond the source is a fault.
template <int Bits, Space space, class Index>
requires expression::Batch<Index>
[[nodiscard]] auto gather(const sharded_batch<Residue<Bits>, space> &source, Index &&index) {
    return containers::as_stored_residues(source.state(),
                                          gather(source.forms(), std::forward<Index>(index)));
}

} // namespace warpint
