// SPDX-License-Identifier: Apache-2.0
// sharded_vector<T>: numbers in pieces on several GPUs.
#pragma once

#include "eval.h"
#include "shards.h"

#include "../expression/sharded.h"

#include <algorithm>

namespace warpint {

// The number of elements of each shard, in the order of the group.
struct shard_sizes {
    explicit shard_sizes(std::vector<std::size_t> sizes) : each{std::move(sizes)} {}
    std::vector<std::size_t> each;
};

// A vector in pieces, a device_vector on each member of a device_group. Write sharded_vector<T>.
// Formulas run on all GPUs at once, each on its piece. Reductions combine the results of the GPUs.
// All vectors of a formula must lie on the same group in pieces of the same sizes (wrong_location
// otherwise); redistribute() moves elements between members. Faults and errors are those of
// device_vector. If a GPU fails in the middle of an assignment (cuda_error), pieces on others may
// have their new values.
template <class T, Space space>
class sharded_batch {
    using Shard = batch_vector<T, space>;
    struct State : GroupedState {
        using GroupedState::GroupedState;
        std::vector<Shard> shards; // parts are their handles
    };

public:
    using value_type = T;
    using size_type = std::size_t;

    // Makes a vector of no elements, `count` zeros, copies of a value, or numbers of the host,
    // spread evenly over the group.
    sharded_batch() : sharded_batch(device_group()) {}
    explicit sharded_batch(const device_group &group, std::size_t count = 0)
        : sharded_batch(group, shard_sizes(containers::even_sizes(count, group.size()))) {}
    sharded_batch(const device_group &group, std::size_t count, const T &value)
        : sharded_batch(group, count) {
        group.for_each_shard(
            [&](std::size_t i) { state_->shards[i].assign(state_->shards[i].size(), value); });
    }
    // Makes a vector of zeros, with the given number on each member (std::invalid_argument unless
    // there is a size for each), or of numbers of the host, spread evenly.
    sharded_batch(const device_group &group, const shard_sizes &given)
        : state_{std::make_shared<State>(group)} {
        const std::vector<std::size_t> &sizes = given.each;
        check_sizes(group, sizes);
        std::vector<std::unique_ptr<Shard>> made(group.size());
        group.for_each_shard([&](std::size_t i) { made[i] = std::make_unique<Shard>(sizes[i]); });
        for (auto &shard : made) {
            state_->shards.push_back(std::move(*shard));
            state_->parts.push_back(state_->shards.back().handle());
        }
    }
    sharded_batch(const device_group &group, const std::vector<T> &values) : sharded_batch(group) {
        assign(values);
    }
    sharded_batch(const device_group &group, std::initializer_list<T> values)
        : sharded_batch(group, std::vector<T>(values)) {}
    sharded_batch(const device_group &group, const host_vector<T> &values) : sharded_batch(group) {
        values.check();
        assign_elements(values.data(), values.size());
    }

    sharded_batch(const sharded_batch &other)
        : sharded_batch(other.group(), shard_sizes(other.sizes())) {
        copy_from(other);
    }
    sharded_batch(sharded_batch &&other) noexcept = default;
    sharded_batch &operator=(const sharded_batch &other) {
        if (this == &other)
            return *this;
        if (state_ == nullptr || !(other.group() == group())) {
            sharded_batch copied(other);
            swap(copied);
        } else {
            copy_from(other);
        }
        return *this;
    }
    sharded_batch &operator=(sharded_batch &&other) noexcept {
        if (this != &other) {
            swap(other);
            sharded_batch(std::move(other)).forget();
        }
        return *this;
    }
    ~sharded_batch() = default;

    // Runs the formula, on all members at once.
    template <class Tree>
    requires(expression::is_description<Tree>::value) sharded_batch(const Tree &tree)
        : sharded_batch() {
        run(tree);
    }
    template <class Tree>
    requires(expression::is_description<Tree>::value) sharded_batch &operator=(const Tree &tree) {
        run(tree);
        return *this;
    }
#define WARPINT_SHARDED_ASSIGNMENT(symbol, operation)                                              \
    template <class Operand>                                                                       \
    requires expression::Captured<const Operand &> sharded_batch &operator symbol(                 \
        const Operand &operand) {                                                                  \
        return *this = *this operation operand;                                                    \
    }
    WARPINT_SHARDED_ASSIGNMENT(+=, +)
    WARPINT_SHARDED_ASSIGNMENT(-=, -)
    WARPINT_SHARDED_ASSIGNMENT(*=, *)
    WARPINT_SHARDED_ASSIGNMENT(/=, /)
    WARPINT_SHARDED_ASSIGNMENT(%=, %)
    WARPINT_SHARDED_ASSIGNMENT(&=, &)
    WARPINT_SHARDED_ASSIGNMENT(|=, |)
    WARPINT_SHARDED_ASSIGNMENT(^=, ^)
    WARPINT_SHARDED_ASSIGNMENT(<<=, <<)
    WARPINT_SHARDED_ASSIGNMENT(>>=, >>)
#undef WARPINT_SHARDED_ASSIGNMENT

    [[nodiscard]] std::size_t size() const {
        return state_ == nullptr ? 0 : shards_of(*state_).size();
    }
    [[nodiscard]] bool empty() const {
        return size() == 0;
    }
    [[nodiscard]] const device_group &group() const {
        return state().group;
    }
    // The number of elements of each shard.
    [[nodiscard]] std::vector<std::size_t> sizes() const {
        return shards_of(state()).sizes;
    }
    // The elements on member i of the group: a vector to read, or a view for a kernel of your own.
    [[nodiscard]] const Shard &shard(std::size_t i) const {
        return state().shards.at(i);
    }
    [[nodiscard]] batch_view<T, space> view(std::size_t i) {
        return state().shards.at(i).view();
    }
    [[nodiscard]] batch_view<const T, space> view(std::size_t i) const {
        return shard(i).view();
    }

    // Replaces all elements by numbers of the host. If the count stays the same, so do the sizes of
    // the pieces; otherwise the numbers are spread evenly.
    void assign(const std::vector<T> &values) {
        assign_elements(values.data(), values.size());
    }

    // Element i; std::out_of_range beyond the end, std::domain_error if it is a fault. write()
    // clears the fault.
    [[nodiscard]] T operator[](std::size_t i) const {
        return read(i);
    }
    [[nodiscard]] T read(std::size_t i) const {
        const auto [shard, index] = place_of(i);
        return state().shards[shard].read(index);
    }
    void write(std::size_t i, const T &value) {
        const auto [shard, index] = place_of(i);
        state().shards[shard].write(index, value);
    }

    // All elements, in order. Throws std::domain_error if there are faults.
    [[nodiscard]] std::vector<T> to_host() const {
        check();
        const expression::Shards shards = shards_of(state());
        std::vector<T> values(shards.size());
        if constexpr (std::is_same_v<T, bool>) { // its std::vector has no memory to copy to
            for (std::size_t i = 0; i < shards.sizes.size(); ++i) {
                const std::vector<bool> part = shard(i).to_host();
                std::copy(part.begin(), part.end(),
                          values.begin() + static_cast<std::ptrdiff_t>(shards.first(i)));
            }
            return values;
        } else {
            group().for_each_shard([&](std::size_t i) {
                execution_backend::copy_to_host(values.data() + shards.first(i), *shard(i).handle(),
                                                0, shards.sizes[i] * sizeof(T));
            });
            return values;
        }
    }

    // Waits for the work on all pieces. Throws std::domain_error with the count and the first index
    // if there are faults.
    void check() const {
        if (state_ == nullptr)
            return;
        std::vector<std::vector<bool>> masks(group().size());
        group().for_each_shard([&](std::size_t i) {
            if (shard(i).handle()->may_have_faults()) {
                masks[i] = shard(i).error_mask();
            } else {
                shard(i).check();
            }
        });
        execution_backend::Reduced<int> faults{0, size()};
        std::size_t before = 0;
        for (std::size_t i = 0; i < masks.size(); ++i) {
            for (std::size_t k = 0; k < masks[i].size(); ++k) {
                if (masks[i][k])
                    faults.faults.note(before + k);
            }
            before += shard(i).size();
        }
        execution_backend::check_faults(faults);
    }
    // One flag per element: true for a fault.
    [[nodiscard]] std::vector<bool> error_mask() const {
        std::vector<bool> mask;
        for (std::size_t i = 0; state_ != nullptr && i < state_->shards.size(); ++i) {
            const std::vector<bool> part = shard(i).error_mask();
            mask.insert(mask.end(), part.begin(), part.end());
        }
        return mask;
    }
    void clear_errors() {
        for (Shard &each : state().shards)
            each.clear_errors();
    }

    // Moves elements between the members, keeping their order, so that all members have equally
    // many or the given numbers of them. size_mismatch if the sizes do not add up to size(),
    // std::invalid_argument unless there is a size for each member.
    void redistribute() {
        redistribute(containers::even_sizes(size(), group().size()));
    }
    void redistribute(const std::vector<std::size_t> &sizes) {
        check_sizes(group(), sizes);
        const expression::Shards from = shards_of(state());
        const expression::Shards to{sizes, from.locations};
        if (to.size() != from.size()) {
            throw size_mismatch("warpint: " + std::to_string(from.size()) +
                                " elements cannot be spread as " + std::to_string(to.size()));
        }
        if (from == to)
            return;
        const bool may_have_faults =
            std::any_of(state_->shards.begin(), state_->shards.end(),
                        [](const Shard &each) { return each.handle()->may_have_faults(); });
        const std::vector<bool> mask = may_have_faults ? error_mask() : std::vector<bool>{};
        std::vector<std::shared_ptr<execution::Storage>> targets = storages(sizes);
        group().for_each_shard([&](std::size_t i) {
            const std::size_t first = to.first(i);
            std::vector<execution_backend::RangeCopy> ranges;
            for (std::size_t k = 0; k < from.sizes.size(); ++k) { // what shard k has of it
                const std::size_t begin = std::max(first, from.first(k));
                const std::size_t end = std::min(first + sizes[i], from.first(k) + from.sizes[k]);
                if (begin < end) {
                    ranges.push_back({begin - first, shard(k).handle().get(), begin - from.first(k),
                                      end - begin});
                }
            }
            execution_backend::copy_ranges(*targets[i], ranges);
            if (!may_have_faults || sizes[i] == 0)
                return;
            std::vector<std::uint32_t> words(execution::fault_word_count(sizes[i]));
            for (std::size_t k = 0; k < sizes[i]; ++k)
                words[k / 32] |= std::uint32_t{mask[first + k]} << (k % 32);
            execution_backend::set_fault_words(*targets[i], words);
        });
        adopt(targets);
    }

    // Exchanges what two vectors hold, also for formulas that name them.
    void swap(sharded_batch &other) noexcept {
        containers::swap_shared(state_, other.state_);
    }
    friend void swap(sharded_batch &a, sharded_batch &b) noexcept {
        a.swap(b);
    }

    // For this library: runs a formula; the stream must be null.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream = {}) {
        containers::check_no_stream(stream);
        const expression::Shards shards = shards_for(tree);
        if (shards.locations != shards_of(state()).locations) { // it takes the formula's group
            sharded_batch fresh(containers::group_of_formula(tree), shard_sizes(shards.sizes));
            fresh.run(tree);
            swap(fresh);
            return;
        }
        const std::vector<std::shared_ptr<execution::Storage>> targets = targets_for(shards);
        containers::run_on_shards(group(), tree, [&](std::size_t i) {
            const auto part = expression::formula_of_shard(tree, i, shards);
            containers::run_formula_at<T>(part, {}, shards.locations[i], *targets[i]);
        });
        adopt(targets);
    }
    // For this library: as run(), but the target must already have the formula's size, on its
    // group.
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream = {}) {
        const expression::Shards shards = shards_for(tree);
        if (shards.size() != size()) {
            throw size_mismatch("warpint: a formula of " + std::to_string(shards.size()) +
                                " elements and a target of " + std::to_string(size()));
        }
        if (!(shards == shards_of(state())))
            throw wrong_location("warpint: the target's shards differ from the formula's");
        run(tree, stream);
    }

    // ---- for this library

    [[nodiscard]] std::shared_ptr<const expression::ShardedState> handle() const {
        (void)state();
        return state_;
    }
    template <class Tree>
    static constexpr void check_formula() {
        static_assert(!expression::cost<Tree>.on_host && !expression::cost<Tree>.on_device &&
                          !expression::cost<Tree>.on_ranks,
                      "a formula of other vectors cannot be stored in a sharded vector: write "
                      "sharded_vector<T>(group, v.to_host())");
    }
    // The layout of the formula's elements. A formula of indices alone takes this vector's layout
    // if it has the same size, and is spread evenly otherwise.
    template <class Tree>
    [[nodiscard]] expression::Shards shards_for(const Tree &tree) const {
        check_formula<Tree>();
        static_assert(expression::check_spaces<Tree>());
        if (const auto found = containers::shards_of_formula(tree))
            return *found;
        expression::Shards own = shards_of(state());
        execution::Operand room[execution::leaf_count<Tree>];
        const std::size_t count =
            execution::extent_of({room, execution::list_operands(room, tree)}, Location{}).size;
        if (own.size() != count)
            own.sizes = containers::even_sizes(count, own.sizes.size());
        return own;
    }
    // Each shard's storage if it has that size, otherwise a fresh one.
    [[nodiscard]] std::vector<std::shared_ptr<execution::Storage>>
    targets_for(const expression::Shards &shards) {
        std::vector<std::shared_ptr<execution::Storage>> targets;
        for (std::size_t i = 0; i < shards.sizes.size(); ++i)
            targets.push_back(state().shards[i].target_for(shards.sizes[i], shards.locations[i]));
        return targets;
    }
    // New storages on the members.
    [[nodiscard]] std::vector<std::shared_ptr<execution::Storage>>
    storages(const std::vector<std::size_t> &sizes) const {
        std::vector<std::shared_ptr<execution::Storage>> made;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            made.push_back(
                execution_backend::make_storage(group().location(i), sizes[i], sizeof(T), nullptr));
        }
        return made;
    }
    void adopt(const std::vector<std::shared_ptr<execution::Storage>> &targets) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            state().shards[i].adopt(*targets[i]);
    }

private:
    static void check_sizes(const device_group &group, const std::vector<std::size_t> &sizes) {
        if (sizes.size() != group.size()) {
            throw std::invalid_argument("warpint: " + std::to_string(sizes.size()) +
                                        " shard sizes for a group of " +
                                        std::to_string(group.size()));
        }
    }
    [[nodiscard]] State &state() const {
        if (state_ == nullptr)
            state_ = sharded_batch().state_;
        return *state_;
    }
    // Empties the vector for formulas that name it.
    void forget() noexcept {
        if (state_ != nullptr) {
            state_->shards.clear();
            state_->parts.clear();
        }
    }
    [[nodiscard]] std::pair<std::size_t, std::size_t> place_of(std::size_t i) const {
        std::size_t index = i;
        for (std::size_t k = 0; state_ != nullptr && k < state_->shards.size(); ++k) {
            const std::size_t here = state_->shards[k].size();
            if (index < here)
                return {k, index};
            index -= here;
        }
        throw std::out_of_range("warpint: element " + std::to_string(i) + " of a vector of " +
                                std::to_string(size()));
    }
    void assign_elements(const T *values, std::size_t count) {
        expression::Shards shards = shards_of(state());
        if (shards.size() != count)
            shards.sizes = containers::even_sizes(count, shards.sizes.size());
        group().for_each_shard([&](std::size_t i) {
            const T *const first = values + shards.first(i);
            state_->shards[i].assign(first, first + shards.sizes[i]);
        });
    }
    void copy_from(const sharded_batch &other) {
        group().for_each_shard([&](std::size_t i) { state_->shards[i] = other.state().shards[i]; });
    }

    mutable std::shared_ptr<State> state_; // null in a vector that was moved from
};

// A vector in pieces on the GPUs of a device_group, or in host memory if there is no GPU.
template <class T>
using sharded_vector = sharded_batch<T, Space::device>;

template <class T, Space space>
struct expression::capture_traits<sharded_batch<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const sharded_batch<T, space> &vector) {
        return ShardedLeaf<T, space>{vector.handle()};
    }
};

} // namespace warpint
