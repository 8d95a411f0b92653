// SPDX-License-Identifier: Apache-2.0
// distributed_vector<Residue<N>>: residues of one Modulus in pieces on several processes.
//
//   distributed_vector<Residue<256>> x(m, a), y(m, b);  // a, b: distributed vectors of numbers
//   x = x * y + 3;                                      // forms stay forms, on every rank
//   distributed_vector<BigInt<256>> r = value(x);
//
// A distributed vector of residues with the modulus in their type is an ordinary one. All ranks
// must give the same modulus.
#pragma once

#include "reduce.h"

namespace warpint {

// The forms of residues in pieces, and the Modulus of all of them. What batch_vector<Residue<N>>
// says about moduli, and distributed_batch about groups, holds here.
template <int Bits, Space space>
class distributed_batch<Residue<Bits>, space> {
    using State = expression::ResidueState<Bits>;

public:
    using value_type = Residue<Bits>;
    using size_type = std::size_t;
    using Form = typename Residue<Bits>::Form;

    // Makes a vector without a modulus, or one with a modulus: without a group, with `count` zeros,
    // or with the residues of a distributed vector or formula of numbers.
    distributed_batch() = default;
    explicit distributed_batch(const Modulus<Bits> &m) {
        set_modulus(std::make_shared<const Modulus<Bits>>(m));
    }
    distributed_batch(const Modulus<Bits> &m, const process_group &group, std::size_t count = 0)
        : distributed_batch(m) {
        forms_ = distributed_batch<Form, space>(group, count);
    }
    template <expression::Batch Numbers>
    requires AnyNumber<typename expression::captured_t<Numbers>::value_type>
    distributed_batch(const Modulus<Bits> &m, Numbers &&numbers) : distributed_batch(m) {
        *this = std::forward<Numbers>(numbers);
    }

    distributed_batch(const distributed_batch &other) : forms_(other.forms_) {
        set_modulus(other.state()->modulus);
    }
    distributed_batch(distributed_batch &&other) noexcept = default;
    distributed_batch &operator=(const distributed_batch &other) {
        if (this != &other) {
            forms_ = other.forms_;
            set_modulus(other.state()->modulus);
        }
        return *this;
    }
    distributed_batch &operator=(distributed_batch &&other) noexcept {
        if (this != &other) {
            forms_ = std::move(other.forms_);
            containers::swap_shared(state_, other.state_);
            other.state_.reset();
        }
        return *this;
    }
    ~distributed_batch() = default;

    // Runs a formula of residues or numbers, on each piece.
    template <class Tree>
    requires(expression::is_description<Tree>::value &&AnyResidue<typename Tree::value_type>)
        distributed_batch(const Tree &tree) {
        run(tree);
    }
    template <expression::Batch Formula>
    requires(!std::is_same_v<std::remove_cvref_t<Formula>, distributed_batch>) distributed_batch &
    operator=(Formula &&formula) {
        run(expression::capture(std::forward<Formula>(formula)));
        return *this;
    }
#define WARPINT_RESIDUE_ASSIGNMENT(symbol, operation)                                              \
    template <expression::Captured Operand>                                                        \
    distributed_batch &operator symbol(const Operand &operand) {                                   \
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
    [[nodiscard]] const process_group &group() const {
        return forms_.group();
    }
    [[nodiscard]] std::vector<std::size_t> sizes() const {
        return forms_.sizes();
    }
    [[nodiscard]] std::size_t first() const {
        return forms_.first();
    }
    // The forms in memory.
    [[nodiscard]] const distributed_batch<Form, space> &forms() const {
        return forms_;
    }
    // The modulus of all elements; throws wrong_modulus if there is none.
    [[nodiscard]] const Modulus<Bits> &modulus() const & {
        return *shared_modulus();
    }
    [[nodiscard]] Modulus<Bits> modulus() const && {
        return *shared_modulus();
    }

    // As for distributed_batch. An element shares the vector's modulus and may outlive the vector.
    // Collective: read, to_root, to_all, check, error_mask, redistribute.
    [[nodiscard]] residue_element<Bits> read(std::size_t i) const {
        return {forms_.read(i), shared_modulus()};
    }
    template <AnyNumber T>
    void write(std::size_t i, const T &x) {
        forms_.write(i, modulus()(x).form());
    }
    [[nodiscard]] std::vector<residue_element<Bits>> to_root(int root = 0) const {
        return containers::elements_of_forms(forms_.to_root(root), *state());
    }
    [[nodiscard]] std::vector<residue_element<Bits>> to_all() const {
        return containers::elements_of_forms(forms_.to_all(), *state());
    }
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
    void swap(distributed_batch &other) noexcept {
        forms_.swap(other.forms_);
        containers::swap_shared(state_, other.state_);
    }
    friend void swap(distributed_batch &a, distributed_batch &b) noexcept {
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
    [[nodiscard]] distributed_batch<Form, space> &forms_to_write() {
        return forms_;
    }
    void set_modulus(std::shared_ptr<const Modulus<Bits>> modulus) {
        state()->modulus = std::move(modulus);
    }

private:
    distributed_batch<Form, space> forms_;
    // Null in a vector that was moved from, as the state of its forms is.
    mutable std::shared_ptr<State> state_ = std::make_shared<State>();
};

template <int Bits, Space space>
struct expression::capture_traits<distributed_batch<Residue<Bits>, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const distributed_batch<Residue<Bits>, space> &vector) {
        return containers::as_stored_residues(vector.state(), vector.forms());
    }
};

} // namespace warpint
