// SPDX-License-Identifier: Apache-2.0
// distributed_vector<T>: numbers in pieces on several processes.
#pragma once

#include "ranges.h"

#include "../expression/sharded.h"

namespace warpint {

inline namespace WARPINT_BACKEND {

// For this library: what the pieces of a vector hold, and their group. Of the pieces of other ranks
// only the sizes are known.
struct RankedState : expression::ShardedState {
    explicit RankedState(const process_group &of) : group{of} {}
    process_group group;
};

} // namespace WARPINT_BACKEND

namespace containers {

// The group of the distributed vectors that a formula names.
template <class Tree>
const process_group &group_of_ranks(const Tree &tree) {
    const process_group *group = nullptr;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; }) {
            const auto &own = static_cast<const RankedState &>(*leaf.shared).group;
            if (group != nullptr && !(own == *group)) {
                throw wrong_location(
                    "warpint: distributed vectors of different groups in one formula");
            }
            group = &own;
        }
    });
    return *group;
}

// The piece of a formula that this process computes.
template <class Tree>
auto formula_of_rank(const Tree &tree, std::size_t rank) {
    return expression::formula_of_shard(tree, rank, *shards_of_formula(tree, "distributed"));
}

} // namespace containers

// A vector in pieces, a device_vector on each process of a process_group. Write
// distributed_vector<T>. A formula runs on each piece at once and sends nothing; all its vectors
// must lie on one group in pieces of the same sizes (wrong_location otherwise; redistribute() moves
// elements). Faults stay with their elements. All ranks must assign the same formulas. Where memory
// runs out on one rank, or something else fails there, that rank throws at once and the others do
// at their next collective function (remote_error); what the target then holds is unspecified.
// Constructors with a count, assignments, swap, write() and clear_errors() send nothing, but all
// ranks call them; what is collective says so.
template <class T, Space space>
class distributed_batch {
    using Piece = batch_vector<T, space>;
    struct State : RankedState {
        using RankedState::RankedState;
        Piece piece; // parts has its handle
    };

public:
    using value_type = T;
    using size_type = std::size_t;

    // Makes a vector without a group, which takes that of the first formula assigned to it.
    distributed_batch() = default;
    // Makes a vector of `count` zeros, or copies of a value, spread evenly.
    explicit distributed_batch(const process_group &group, std::size_t count = 0)
        : distributed_batch(group, containers::even_sizes(count, group.count()), nullptr) {}
    distributed_batch(const process_group &group, std::size_t count, const T &value)
        : distributed_batch(group, count) {
        group.alone([&] { state_->piece.assign(state_->piece.size(), value); });
    }

    // Spreads the numbers of one rank evenly; what other ranks give is ignored. Faults of a
    // batch_vector come along. Collective. std::invalid_argument if there is no such rank.
    [[nodiscard]] static distributed_batch from_root(const process_group &group,
                                                     const std::vector<T> &values, int root = 0) {
        return scattered(group, values, root);
    }
    template <Space from>
    [[nodiscard]] static distributed_batch
    from_root(const process_group &group, const batch_vector<T, from> &values, int root = 0) {
        return scattered(group, values, root);
    }
    // Makes a vector of the numbers that each rank gives, in the order of ranks. Faults of a
    // batch_vector come along. Collective.
    [[nodiscard]] static distributed_batch from_local(const process_group &group,
                                                      const std::vector<T> &values) {
        return joined(group, values);
    }
    template <Space from>
    [[nodiscard]] static distributed_batch from_local(const process_group &group,
                                                      const batch_vector<T, from> &values) {
        return joined(group, values);
    }

    distributed_batch(const distributed_batch &other) {
        if (other.state_ != nullptr)
            copy_from(other);
    }
    distributed_batch(distributed_batch &&other) noexcept = default;
    distributed_batch &operator=(const distributed_batch &other) {
        if (this == &other)
            return *this;
        if (other.state_ == nullptr) {
            distributed_batch().swap(*this);
        } else {
            copy_from(other);
        }
        return *this;
    }
    distributed_batch &operator=(distributed_batch &&other) noexcept {
        if (this != &other) {
            swap(other);
            distributed_batch(std::move(other)).forget();
        }
        return *this;
    }
    ~distributed_batch() = default;

    // Runs the formula, on each piece.
    template <class Tree>
    requires(expression::is_description<Tree>::value) distributed_batch(const Tree &tree) {
        run(tree);
    }
    template <class Tree>
    requires(expression::is_description<Tree>::value) distributed_batch &
    operator=(const Tree &tree) {
        run(tree);
        return *this;
    }
    // Widens narrower numbers, where they lie. as<T>(other) narrows.
    template <class U>
    requires(containers::widens<T, U>) distributed_batch(const distributed_batch<U, space> &other)
        : distributed_batch(expression::capture(other)) {}
    template <class U>
    requires(containers::widens<T, U>) distributed_batch &
    operator=(const distributed_batch<U, space> &other) {
        return *this = expression::capture(other);
    }
#define WARPINT_DISTRIBUTED_ASSIGNMENT(symbol, operation)                                          \
    template <class Operand>                                                                       \
    requires expression::Captured<const Operand &> distributed_batch &operator symbol(             \
        const Operand &operand) {                                                                  \
        return *this = *this operation operand;                                                    \
    }
    WARPINT_DISTRIBUTED_ASSIGNMENT(+=, +)
    WARPINT_DISTRIBUTED_ASSIGNMENT(-=, -)
    WARPINT_DISTRIBUTED_ASSIGNMENT(*=, *)
    WARPINT_DISTRIBUTED_ASSIGNMENT(/=, /)
    WARPINT_DISTRIBUTED_ASSIGNMENT(%=, %)
    WARPINT_DISTRIBUTED_ASSIGNMENT(&=, &)
    WARPINT_DISTRIBUTED_ASSIGNMENT(|=, |)
    WARPINT_DISTRIBUTED_ASSIGNMENT(^=, ^)
    WARPINT_DISTRIBUTED_ASSIGNMENT(<<=, <<)
    WARPINT_DISTRIBUTED_ASSIGNMENT(>>=, >>)
#undef WARPINT_DISTRIBUTED_ASSIGNMENT

    // Of all pieces together.
    [[nodiscard]] std::size_t size() const {
        return state_ == nullptr ? 0 : shards_of(*state_).size();
    }
    [[nodiscard]] bool empty() const {
        return size() == 0;
    }
    // Throws std::logic_error for a vector without a group.
    [[nodiscard]] const process_group &group() const {
        return state().group;
    }
    // The number of elements of each piece.
    [[nodiscard]] std::vector<std::size_t> sizes() const {
        return shards_of(state()).sizes;
    }
    // The piece of this process: a vector to read, or a view for a kernel or a formula of your own.
    [[nodiscard]] const Piece &local() const {
        return state().piece;
    }
    [[nodiscard]] batch_view<T, space> local_view() {
        return state().piece.view();
    }
    // The index that its first element has among all.
    [[nodiscard]] std::size_t first() const {
        return shards_of(state()).first(group().index());
    }

    // Element i, on all ranks. Collective. std::out_of_range beyond the end, std::domain_error if
    // it is a fault.
    [[nodiscard]] T read(std::size_t i) const {
        const Place place = place_of(i);
        T value{};
        const auto faults = group().together(call("read", i), [&] {
            const bool fault = group().index() == place.rank && is_fault(place.index);
            if (group().index() == place.rank && !fault)
                value = local().read(place.index);
            return fault ? 1 : 0;
        });
        if (faults[place.rank] != 0)
            check();
        group().send([&] {
            group().transport().broadcast(&value, sizeof(T), static_cast<int>(place.rank));
        });
        return value;
    }
    // Writes element i, where it lies, and clears its fault. std::out_of_range beyond the end.
    void write(std::size_t i, const T &value) {
        const Place place = place_of(i);
        if (place.rank == group().index())
            group().alone([&] { state().piece.write(place.index, value); });
    }

    // All elements, in order: on one rank (nothing elsewhere), or on all. Collective.
    // std::domain_error, on all ranks, if there are faults.
    [[nodiscard]] std::vector<T> to_root(int root = 0) const {
        check_rank(group(), root);
        return collected(static_cast<std::size_t>(root),
                         [&](std::size_t rank) { return rank == static_cast<std::size_t>(root); });
    }
    [[nodiscard]] std::vector<T> to_all() const {
        return collected(group().count(), [](std::size_t) { return true; });
    }

    // Waits for the work on all pieces. Throws std::domain_error with the count and the first
    // index, the same on all ranks, if there are faults. Collective.
    void check() const {
        const auto all = group().together(call("check", 0), [&] {
            execution::ReductionFaults faults;
            if (local().handle()->may_have_faults()) {
                const std::vector<bool> mask = local().error_mask();
                for (std::size_t i = 0; i < mask.size(); ++i) {
                    if (mask[i])
                        faults.note(first() + i);
                }
            } else {
                local().check();
            }
            return faults;
        });
        execution_backend::Reduced<int> faults{0, size()};
        for (const execution::ReductionFaults &each : all)
            faults.faults.join(each);
        execution_backend::check_faults(faults);
    }
    // One flag per element: true for a fault. Collective.
    [[nodiscard]] std::vector<bool> error_mask() const {
        message_passing::Bytes faults;
        message_passing::Bytes all;
        const std::size_t count = size();
        group().together(call("error_mask", 0), [&] {
            faults = message_passing::faults_of(*local().handle());
            all = message_passing::Bytes(count);
        });
        group().send([&] { group().transport().gather_all(faults.data(), sizes(), all.data()); });
        return std::vector<bool>(all.data(), all.data() + count);
    }
    void clear_errors() {
        state().piece.clear_errors();
    }

    // Moves elements between the ranks, keeping their order, so that all have equally many or the
    // given numbers of them. Collective. size_mismatch if the sizes do not add up to size(),
    // std::invalid_argument unless there is a size for each rank.
    void redistribute() {
        redistribute(containers::even_sizes(size(), group().count()));
    }
    void redistribute(const std::vector<std::size_t> &to) {
        const std::vector<std::size_t> from = sizes();
        if (to.size() != from.size()) {
            throw std::invalid_argument("warpint: " + std::to_string(to.size()) +
                                        " sizes for a group of " + std::to_string(from.size()));
        }
        if (message_passing::first_of(to, to.size()) != size()) {
            throw size_mismatch("warpint: " + std::to_string(size()) +
                                " elements cannot be spread as " +
                                std::to_string(message_passing::first_of(to, to.size())));
        }
        distributed_batch moved = made(group(), to);
        message_passing::move_storage(group(), call("redistribute", 0), *local().handle(), from,
                                      *moved.local().handle(), to);
        adopt(*moved.local().handle(), to);
    }

    // Exchanges what two vectors hold, also for formulas that name them.
    void swap(distributed_batch &other) noexcept {
        containers::swap_shared(state_, other.state_);
    }
    friend void swap(distributed_batch &a, distributed_batch &b) noexcept {
        a.swap(b);
    }

    // For this library: runs a formula; the stream must be null.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream = {}) {
        containers::check_no_stream(stream);
        const process_group on = group_for(tree);
        if (state_ == nullptr || !(on == group())) { // it takes the formula's group
            distributed_batch fresh(on);
            fresh.run(tree);
            swap(fresh);
            return;
        }
        on.alone([&] {
            const expression::Shards shards = shards_for(tree);
            const auto part = expression::formula_of_shard(tree, on.index(), shards);
            const auto target = target_for(shards);
            containers::run_formula_at<T>(part, {}, on.location(), *target);
            adopt(*target, shards.sizes);
        });
    }
    // For this library: as run(), but the target must already have the formula's size, on its
    // group.
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream = {}) {
        if (!(group_for(tree) == group()))
            throw wrong_location("warpint: the target's group differs from the formula's");
        const expression::Shards shards = shards_for(tree);
        if (shards.size() != size()) {
            throw size_mismatch("warpint: a formula of " + std::to_string(shards.size()) +
                                " elements and a target of " + std::to_string(size()));
        }
        if (shards.sizes != sizes())
            throw wrong_location("warpint: the target's pieces differ from the formula's");
        run(tree, stream);
    }

    // ---- for this library

    [[nodiscard]] std::shared_ptr<const expression::ShardedState> handle() const {
        (void)state();
        return state_;
    }
    [[nodiscard]] bool has_group() const {
        return state_ != nullptr;
    }
    // A vector of elements that are not initialised.
    [[nodiscard]] static distributed_batch made(const process_group &group,
                                                const std::vector<std::size_t> &sizes) {
        return distributed_batch(group, sizes, uninitialized);
    }
    // The layout of the formula's elements. A formula of indices alone takes this vector's layout
    // if it has the same size, and is spread evenly otherwise.
    template <class Tree>
    [[nodiscard]] expression::Shards shards_for(const Tree &tree) const {
        check_formula<Tree>();
        if (const auto found = containers::shards_of_formula(tree, "distributed"))
            return *found;
        expression::Shards own = shards_of(state());
        execution::Operand room[execution::leaf_count<Tree>];
        const std::size_t count =
            execution::extent_of({room, execution::list_operands(room, tree)}, Location{}).size;
        if (own.size() != count)
            own.sizes = containers::even_sizes(count, own.sizes.size());
        return own;
    }
    // The piece's storage if it has that size, otherwise a fresh one.
    [[nodiscard]] std::shared_ptr<execution::Storage> target_for(const expression::Shards &shards) {
        return state().piece.target_for(shards.sizes[group().index()], group().location());
    }
    void adopt(execution::Storage &target, const std::vector<std::size_t> &sizes) {
        state().piece.adopt(target);
        set_sizes(sizes);
    }
    // A call of this vector that all ranks must make with the same argument.
    [[nodiscard]] message_passing::Call call(const char *name, std::size_t argument) const {
        return message_passing::Call(name, argument, sizeof(T), size());
    }

private:
    template <class Initial>
    distributed_batch(const process_group &group, const std::vector<std::size_t> &sizes,
                      [[maybe_unused]] Initial initial)
        : state_{std::make_shared<State>(group)} {
        const std::size_t count = sizes[group.index()];
        group.alone([&] {
            if constexpr (std::is_same_v<Initial, uninitialized_t>) {
                state_->piece = Piece(count, uninitialized);
            } else {
                state_->piece = Piece(count);
            }
        });
        set_sizes(sizes);
    }
    template <class Tree>
    static constexpr void check_formula() {
        static_assert(!expression::cost<Tree>.on_host && !expression::cost<Tree>.on_device &&
                          !expression::cost<Tree>.on_shards,
                      "a formula of other vectors cannot be stored in a distributed vector: write "
                      "distributed_vector<T>::from_local(group, v)");
        static_assert(expression::check_spaces<Tree>());
    }
    template <class Tree>
    [[nodiscard]] process_group group_for(const Tree &tree) const {
        check_formula<Tree>();
        if constexpr (expression::cost<Tree>.on_ranks) {
            return containers::group_of_ranks(tree);
        } else {
            return group();
        }
    }
    // Evenly, from one rank.
    template <class Values>
    static distributed_batch scattered(const process_group &group, const Values &values, int root) {
        check_rank(group, root);
        Piece own;
        const auto counts =
            group.together(message_passing::Call("from_root", root, sizeof(T)), [&] {
                if (group.rank() == root)
                    own = as_piece(values);
                return own.size();
            });
        const std::size_t count = counts[static_cast<std::size_t>(root)];
        const auto from =
            message_passing::all_on(static_cast<std::size_t>(root), count, group.count());
        const auto to = containers::even_sizes(count, group.count());
        distributed_batch result = made(group, to);
        message_passing::move_storage(group, result.call("from_root", 0), *own.handle(), from,
                                      *result.local().handle(), to);
        return result;
    }
    template <class Values>
    static distributed_batch joined(const process_group &group, const Values &values) {
        distributed_batch result;
        const auto sizes = group.together(message_passing::Call("from_local", sizeof(T)), [&] {
            result.state_ = std::make_shared<State>(group);
            result.state_->piece = as_piece(values);
            return values.size();
        });
        result.set_sizes(sizes);
        return result;
    }
    template <class Values>
    static Piece as_piece(const Values &values) {
        if constexpr (std::is_same_v<Values, std::vector<T>>) {
            return Piece(values.begin(), values.end());
        } else {
            Piece piece;
            piece = values;
            return piece;
        }
    }
    static void check_rank(const process_group &group, int rank) {
        if (rank < 0 || rank >= group.size()) {
            throw std::invalid_argument("warpint: there is no rank " + std::to_string(rank) +
                                        "; there are " + std::to_string(group.size()) +
                                        ", numbered from 0");
        }
    }
    // On the ranks that are wanted; where: a number for them.
    template <class Wanted>
    [[nodiscard]] std::vector<T> collected(std::size_t where, const Wanted &wanted) const {
        check();
        // Not a std::vector<bool>, which has no memory to copy to.
        using Stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
        const std::vector<std::size_t> from = sizes();
        std::vector<Stored> values;
        std::optional<message_passing::BytesToSend> sent;
        std::vector<message_passing::Outgoing> outgoing;
        std::vector<message_passing::Incoming> incoming;
        const process_group &on = group();
        on.together(call("collect", where), [&] {
            sent.emplace(*local().handle());
            if (wanted(on.index()))
                values.resize(size());
            for (std::size_t k = 0, first = 0; k < on.count(); first += from[k++]) {
                if (wanted(k)) {
                    outgoing.push_back(
                        {static_cast<int>(k), sent->data(), from[on.index()] * sizeof(T)});
                }
                if (wanted(on.index())) {
                    incoming.push_back(
                        {static_cast<int>(k), values.data() + first, from[k] * sizeof(T)});
                }
            }
        });
        on.send([&] { on.transport().exchange(outgoing, incoming); });
        if constexpr (std::is_same_v<T, bool>) {
            return std::vector<bool>(values.begin(), values.end());
        } else {
            return values;
        }
    }
    [[nodiscard]] bool is_fault(std::size_t i) const {
        return local().handle()->may_have_faults() && local().error_mask()[i];
    }
    [[nodiscard]] State &state() const {
        if (state_ == nullptr) {
            throw std::logic_error("warpint: a distributed vector that has no process_group yet");
        }
        return *state_;
    }
    // Empties the vector for formulas that name it.
    void forget() noexcept {
        if (state_ != nullptr) {
            const Piece forgotten = std::move(state_->piece);
            state_->parts.clear();
        }
    }
    void set_sizes(const std::vector<std::size_t> &sizes) {
        std::vector<std::shared_ptr<const expression::BatchState>> parts;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            if (k == state_->group.index()) {
                parts.push_back(state_->piece.handle());
            } else {
                auto part = std::make_shared<expression::BatchState>();
                part->size = sizes[k];
                parts.push_back(std::move(part));
            }
        }
        state_->parts = std::move(parts);
    }
    struct Place {
        std::size_t rank;
        std::size_t index; // among the elements there
    };
    [[nodiscard]] Place place_of(std::size_t i) const {
        std::size_t index = i;
        const std::vector<std::size_t> all = sizes();
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (index < all[k])
                return {k, index};
            index -= all[k];
        }
        throw std::out_of_range("warpint: element " + std::to_string(i) + " of a vector of " +
                                std::to_string(size()));
    }
    void copy_from(const distributed_batch &other) {
        if (state_ == nullptr || !(other.group() == group())) {
            distributed_batch copied(other.group());
            copied.copy_from(other);
            swap(copied);
            return;
        }
        group().alone([&] {
            state_->piece = other.state_->piece;
            set_sizes(other.sizes());
        });
    }

    std::shared_ptr<State> state_; // null without a group
};

// A vector in pieces on the processes of a process_group.
template <class T>
using distributed_vector = distributed_batch<T, Space::device>;

template <class T, Space space>
struct expression::capture_traits<distributed_batch<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const distributed_batch<T, space> &vector) {
        return DistributedLeaf<T, space>{{vector.handle()}};
    }
};

} // namespace warpint
