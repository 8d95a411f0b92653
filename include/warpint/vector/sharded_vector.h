// SPDX-License-Identifier: Apache-2.0
// sharded_vector<T>: numbers or residues in pieces on several GPUs.
//
//   sharded_vector<Residue<256>> x(m, a), y(m, b);      // a, b: sharded vectors of numbers
//   x = x * y + 3;                                      // forms stay forms, on every GPU
//   sharded_vector<BigInt<256>> r = value(x);
#pragma once

#include "eval.h"
#include "shards.h"

#include "../execution/memory/copies.h"
#include "../expression/sharded.h"

#include <algorithm>

namespace warpint {

// The number of elements of each shard, in the order of the group.
struct shard_sizes {
    explicit shard_sizes(std::vector<std::size_t> sizes) : each{std::move(sizes)} {}
    std::vector<std::size_t> each;
};

template <class T, Space space>
class sharded_batch;

namespace containers {

template <class T, Space space>
struct ShardsState : GroupedState {
    using GroupedState::GroupedState;
    std::vector<batch_vector<T, space>> shards; // parts are their handles

    static constexpr const char *kind = "sharded";
    template <class Tree>
    static constexpr void check_formula() {
        static_assert(!expression::cost<Tree>.on_host && !expression::cost<Tree>.on_device &&
                          !expression::cost<Tree>.on_ranks,
                      "a formula of other vectors cannot be stored in a sharded vector: write "
                      "sharded_vector<T>(group, v.to_host())");
    }
    // A vector without a group takes that of all GPUs.
    static std::shared_ptr<ShardsState> without_group() {
        const device_group all;
        return made(all, std::vector<std::size_t>(all.size(), 0));
    }
    // Zeros.
    static std::shared_ptr<ShardsState> made(const device_group &group,
                                             const std::vector<std::size_t> &sizes) {
        check_group_sizes(sizes, group.size());
        auto state = std::make_shared<ShardsState>(group);
        state->shards =
            made_on_each(group, [&](std::size_t i) { return batch_vector<T, space>(sizes[i]); });
        for (const auto &shard : state->shards)
            state->parts.push_back(shard.handle());
        return state;
    }
    [[nodiscard]] OwnPieces own() const { return {this->group(), 0}; }
};

// Elements of type T in shards.
template <class T, Space space>
class ShardedElements : public Pieces<ShardsState<T, space>> {
    using State = ShardsState<T, space>;
    using Base = Pieces<State>;

public:
    using Base::group;
    using Base::size;
    using Base::sizes;

    // Waits for the work on all pieces. Throws std::domain_error with the count and the first index
    // if there are faults.
    void check() const {
        if (state_ == nullptr)
            return;
        const expression::ThrownText thrown = Base::own_thrown();
        execution::check_faults(execution::Reduced<int>{0, size(), Base::own_faults()},
                                thrown.get());
    }
    // One flag per element: true for a fault.
    [[nodiscard]] std::vector<bool> error_mask() const {
        std::vector<bool> mask;
        for (std::size_t i = 0; state_ != nullptr && i < state_->shards.size(); ++i) {
            const std::vector<bool> part = piece(i).error_mask();
            mask.insert(mask.end(), part.begin(), part.end());
        }
        return mask;
    }

    // Moves elements between the members, keeping their order, so that all members have equally
    // many or the given numbers of them. size_mismatch if the sizes do not add up to size(),
    // std::invalid_argument unless there is a size for each member.
    void redistribute() { redistribute(even_sizes(size(), group().size())); }
    void redistribute(const std::vector<std::size_t> &given) {
        this->check_sizes(given);
        const std::vector<std::size_t> from = sizes();
        if (from == given)
            return;
        const Storages mine = Base::handles();
        const expression::ThrownText thrown = Base::own_thrown();
        const Storages targets = new_storages(group(), given, sizeof(T));
        exchange_elements(group(), Moves(from, given), mine, targets);
        if (std::any_of(mine.begin(), mine.end(),
                        [](const auto &each) { return each->may_have_faults(); })) {
            const std::vector<bool> mask = error_mask();
            std::size_t k = 0;
            for (const auto &target : targets) {
                std::vector<std::uint32_t> words(execution::fault_word_count(target->size), 0);
                for (std::size_t i = 0; i < target->size; ++i, ++k)
                    words[i / 32] |= std::uint32_t{mask[k]} << (i % 32);
                if (!words.empty())
                    execution::set_fault_words(*target, words);
            }
        }
        adopt(targets, given);
        Base::keep_thrown(thrown);
    }

    // ---- for this library

    // Calls run(shards) with the layout of a formula whose results different vectors store, all on
    // its group (wrong_location). Vectors of no elements take that group.
    template <class Tree, class Run, class... Vectors>
    static void with_layout(const Tree &tree, const Run &run, Vectors &...each) {
        const auto &first = std::get<0>(std::tie(each...));
        const expression::Shards shards = first.shards_for(tree);
        check_different({static_cast<const void *>(&each)...});
        const device_group group = [&] {
            if constexpr (expression::cost<Tree>.on_shards) {
                return group_of_formula(tree);
            } else {
                return first.group();
            }
        }();
        const auto is_elsewhere = [&](const auto &vector) {
            return vector.size() != 0 && !(vector.group() == group);
        };
        if ((is_elsewhere(each) || ...))
            throw wrong_location("warpint: a result on a different group from its formula");
        (each.take_group(group), ...);
        run(shards);
    }
    // Moves a vector of no elements to a group.
    void take_group(const device_group &other) {
        if (group() == other)
            return;
        ShardedElements fresh(other, shard_sizes(std::vector<std::size_t>(other.size(), 0)));
        this->swap(fresh);
    }

    void adopt(const Storages &targets, const std::vector<std::size_t> &) {
        adopt_each(state().shards, targets);
    }

protected:
    using Base::piece;
    using Base::state;
    using Base::state_;

    ShardedElements() : Base(State::without_group()) {}
    ShardedElements(const device_group &on, const shard_sizes &given)
        : Base(State::made(on, given.each)) {}
    ShardedElements(const ShardedElements &other)
        : ShardedElements(other.group(), shard_sizes(other.sizes())) {
        Base::copy_shards(other);
    }
    ShardedElements(ShardedElements &&other) noexcept = default;
    ShardedElements &operator=(const ShardedElements &other) {
        if (this == &other)
            return *this;
        if (state_ == nullptr || !(other.group() == group())) {
            ShardedElements copied(other);
            this->swap(copied);
        } else {
            Base::copy_shards(other);
        }
        return *this;
    }
    ShardedElements &operator=(ShardedElements &&other) noexcept = default;
    ~ShardedElements() = default;

    template <std::random_access_iterator Iterator>
    void assign_elements(Iterator values, std::size_t count) {
        if constexpr (std::contiguous_iterator<Iterator>) {
            const T *const elements = std::to_address(values);
            assign_shards(count, [&](std::size_t first, std::size_t) { return elements + first; });
        } else {
            const memory_vector<T> elements(values, values + static_cast<std::ptrdiff_t>(count));
            assign_shards(count,
                          [&](std::size_t first, std::size_t) { return elements.data() + first; });
        }
    }
    void assign_copies(std::size_t count, const T &value) {
        const memory_vector<T> copies(count, value);
        assign_shards(count, [&](std::size_t, std::size_t) { return copies.data(); });
    }
    // elements_of(first, count) gives those of a shard. It has as many as now if the count stays
    // the same, evenly many otherwise.
    template <class Elements>
    void assign_shards(std::size_t count, const Elements &elements_of) {
        expression::Shards shards = shards_of(state());
        if (shards.size() != count)
            shards.sizes = even_sizes(count, shards.sizes.size());
        const Storages targets = Base::targets_for(shards);
        group().for_each_shard([&](std::size_t i) {
            const std::size_t of_shard = shards.sizes[i];
            execution::copy_from_host(*targets[i], 0, elements_of(shards.first(i), of_shard),
                                      of_shard * sizeof(T));
        });
        for (const auto &target : targets)
            target->set_may_have_faults(false);
        adopt(targets, shards.sizes);
    }
    // All elements. On input: no faults.
    [[nodiscard]] memory_vector<T> elements() const {
        const expression::Shards shards = shards_of(state());
        memory_vector<T> values(shards.size());
        group().for_each_shard([&](std::size_t i) {
            execution::copy_to_host(values.data() + shards.first(i), *piece(i).handle(), 0,
                                    shards.sizes[i] * sizeof(T));
        });
        return values;
    }

    // Runs a formula of what is stored.
    template <class Tree>
    void run_stored(const Tree &tree) {
        const expression::Shards shards = this->shards_for(tree);
        if (shards.locations != shards_of(state()).locations) { // it takes the formula's group
            ShardedElements fresh(group_of_formula(tree), shard_sizes(shards.sizes));
            fresh.run_stored(tree);
            this->swap(fresh);
            return;
        }
        const Storages targets = Base::targets_for(shards);
        run_on_pieces(Base::own(), tree, shards, [&](std::size_t i, const auto &part) {
            run_formula_at(part, {}, shards.locations[i], Destination<T>(*targets[i]));
        });
        adopt(targets, shards.sizes);
    }
};

// As base_of_vector.
template <class T, Space space>
using base_of_shards =
    std::conditional_t<expression::is_shared_residue<T>, sharded_batch<stored_t<T>, space>,
                       ShardedElements<T, space>>;

template <class T, Space space>
inline constexpr bool is_container<sharded_batch<T, space>> = true;

} // namespace containers

// A vector in pieces, a device_vector on each member of a device_group. Write sharded_vector<T>.
// Formulas run on all GPUs at once, each on its piece. Reductions combine the results of the GPUs.
// All vectors of a formula must lie on the same group in pieces of the same sizes (wrong_location
// otherwise); redistribute() moves elements between members. Faults, residues and errors are those
// of device_vector. If a GPU fails in the middle of an assignment (cuda_error), or a formula of
// several steps finds no scratch memory there, pieces on others may have their new values.
template <class T, Space space>
class sharded_batch : protected containers::base_of_shards<T, space>,
                      private containers::with_context<T> {
    using Base = containers::base_of_shards<T, space>;
    using WithContext = containers::with_context<T>;
    using Traits = element_traits<T>;
    using Stored = typename Traits::stored;
    using Argument = typename Traits::argument;
    using Shared = typename Traits::context::shared;
    static constexpr bool residues = expression::is_shared_residue<T>; // of a Modulus

public:
    using value_type = T;
    using size_type = std::size_t;

    using Base::check;
    using Base::clear_errors;
    using Base::empty;
    using Base::error_mask;
    using Base::group;
    using Base::redistribute;
    using Base::size;
    using Base::sizes;
    // For this library.
    using Base::adopt;
    using Base::handle;
    using Base::handles;
    using Base::own;
    using Base::shards_for;
    using Base::take_group;
    using Base::targets_for;
    using Base::with_layout;
    using WithContext::context; // what the elements share

    // Makes a vector of no elements, `count` zeros, copies of a value, or numbers of the host,
    // spread evenly over the group.
    sharded_batch() = default;
    explicit sharded_batch(const device_group &on, std::size_t count = 0)
        : sharded_batch(on, shard_sizes(containers::even_sizes(count, on.size()))) {}
    sharded_batch(const device_group &on, std::size_t count, const T &value)
        requires(!residues)
        : sharded_batch(on, count) {
        assign(count, value);
    }
    // Makes a vector of zeros, with the given number on each member (std::invalid_argument unless
    // there is a size for each), or of numbers of the host, spread evenly.
    sharded_batch(const device_group &on, const shard_sizes &given) : Base(on, given) {}
    sharded_batch(const device_group &on, const std::vector<T> &values)
        requires(!residues)
        : sharded_batch(on) {
        assign(values);
    }
    sharded_batch(const device_group &on, std::initializer_list<T> values)
        requires(!residues)
        : sharded_batch(on, std::vector<T>(values)) {}
    sharded_batch(const device_group &on, const host_vector<T> &values)
        requires(!residues)
        : sharded_batch(on) {
        values.check();
        Base::assign_elements(values.data(), values.size());
    }
    // Without a group; this is here for its message.
    template <limb::Advice instead =
                  "name the group first, as in sharded_vector<T>(device_group(), values)">
        requires(!residues)
    explicit sharded_batch(const host_vector<T> &)
        WARPINT_REFUSED("name the group first, as in sharded_vector<T>(device_group(), values)");
    // A vector of residues takes its Modulus first: makes one of no elements, `count` zeros or
    // copies of a number or residue, of numbers or residues of the host, all spread evenly, or of a
    // sharded vector or formula of numbers.
    explicit sharded_batch(const Shared &m, const device_group &on = {}, std::size_t count = 0)
        requires(residues)
        : sharded_batch(on, count) {
        context() = typename Traits::context(m);
    }
    sharded_batch(const Shared &m, const device_group &on, std::size_t count, const Argument &value)
        requires(residues)
        : sharded_batch(m, on) {
        assign(count, value);
    }
    template <class Value>
        requires(residues)
    sharded_batch(const Shared &m, const device_group &on, const std::vector<Value> &values)
        : sharded_batch(m, on) {
        assign(values);
    }
    template <expression::Batch Numbers>
        requires(residues && AnyNumber<typename expression::captured_t<Numbers>::value_type>)
    sharded_batch(const Shared &m, Numbers &&numbers) : sharded_batch(m) {
        run(expression::capture(std::forward<Numbers>(numbers)));
    }

    // Runs the formula, on all members at once.
    template <expression::Description Tree>
        requires(!residues || AnyResidue<typename Tree::value_type>)
    sharded_batch(const Tree &tree) {
        run(tree);
    }
    template <expression::Description Tree>
    sharded_batch &operator=(const Tree &tree) {
        run(tree);
        return *this;
    }
    // Widens narrower numbers, or reduces numbers, where they lie. as<T>(other) narrows.
    template <class U>
        requires(containers::widens<T, U>)
    sharded_batch &operator=(const sharded_batch<U, space> &other) {
        return *this = expression::capture(other);
    }

    // The elements on member i of the group: a vector to read, or a view for a kernel of your own.
    [[nodiscard]] const batch_vector<T, space> &shard(std::size_t i) const
        requires(!residues)
    {
        return Base::piece(i);
    }
    [[nodiscard]] batch_view<T, space> view(std::size_t i) &
        requires(!residues)
    {
        return Base::state().shards.at(i).view();
    }
    [[nodiscard]] batch_view<const T, space> view(std::size_t i) const &
        requires(!residues)
    {
        return shard(i).view();
    }
    // A view does not keep the elements of a temporary vector; this is here for its message.
    template <limb::Advice instead = "give the vector a name: its view does not keep the elements">
    batch_view<const T, space> view(std::size_t) const &&WARPINT_REFUSED(
        "give the vector a name: its view does not keep the elements");
    // The forms of residues in memory, and their modulus (wrong_modulus if there is none).
    [[nodiscard]] const sharded_batch<Stored, space> &forms() const
        requires(residues)
    {
        return *this;
    }
    [[nodiscard]] const auto &modulus() const &
        requires(residues)
    {
        return *context().modulus();
    }
    [[nodiscard]] auto modulus() const &&
        requires(residues)
    {
        return *context().modulus();
    }

    // Replaces all elements by numbers of the host, for residues also by residues, or by copies of
    // one. If the count stays the same, so do the sizes of the pieces; otherwise they are spread
    // evenly.
    void assign(const std::vector<T> &values)
        requires(!residues)
    {
        Base::assign_elements(values.begin(), values.size());
    }
    template <class Value>
        requires(residues)
    void assign(const std::vector<Value> &values) {
        if constexpr (AnyNumber<Value>) {
            sharded_batch<Value, space> numbers(group(), shard_sizes(sizes()));
            numbers.assign(values);
            *this = numbers;
        } else {
            auto shared = context(); // as it was, if one of the residues is refused
            std::vector<Stored> forms;
            for (const Value &each : values) {
                forms.push_back(Traits::store(each, shared));
                shared.take(each);
            }
            Base::assign_elements(forms.data(), forms.size());
            context() = shared;
        }
    }
    void assign(std::size_t count, const Argument &value) {
        const Stored stored = Traits::store(value, context());
        Base::assign_copies(count, stored);
        context().take(value);
    }

    // Element i; std::out_of_range beyond the end, std::domain_error if it is a fault. write()
    // clears the fault.
    [[nodiscard]] typename containers::element_access<T, space>::const_reference
    operator[](std::size_t i) const {
        return read(i);
    }
    [[nodiscard]] typename Traits::element read(std::size_t i) const {
        const auto place = Base::place_of(i);
        return Traits::load(Base::piece(place.piece).read(place.index), context());
    }
    void write(std::size_t i, const Argument &value) {
        const auto place = Base::place_of(i);
        Base::state().shards[place.piece].write(place.index, Traits::store(value, context()));
        context().take(value);
    }

    // All elements, in order. Throws std::domain_error if there are faults.
    [[nodiscard]] std::vector<typename Traits::element> to_host() const {
        check();
        return containers::loaded<T>(Base::elements(), context());
    }

    // Exchanges what two vectors hold, also for formulas that name them.
    void swap(sharded_batch &other) noexcept {
        Base::swap(other);
        context().swap(other.context());
    }
    friend void swap(sharded_batch &a, sharded_batch &b) noexcept { a.swap(b); }

    // For this library: runs a formula; the stream must be null.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream = {}) {
        containers::check_no_stream(stream);
        Base::run_stored(context().stored(tree));
        context().take(tree);
    }
    // For this library: as run(), but the target must already have the formula's size, on its
    // group.
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream = {}) {
        Base::check_layout(context().stored(tree));
        run(tree, stream);
    }
};

// A vector in pieces on the GPUs of a device_group, or in host memory if there is no GPU.
template <class T>
using sharded_vector = sharded_batch<T, Space::device>;

template <class T, Space space>
struct expression::capture_traits<sharded_batch<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const sharded_batch<T, space> &vector) {
        return vector.context().leaf(ShardedLeaf<stored_t<T>, space>{vector.handle()});
    }
};

} // namespace warpint
