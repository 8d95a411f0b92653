// SPDX-License-Identifier: Apache-2.0
// distributed_vector<T>: numbers or residues in pieces on several processes.
//
//   distributed_vector<Residue<256>> x(m, a), y(m, b);  // a, b: distributed vectors of numbers
//   x = x * y + 3;                                      // forms stay forms, on every rank
//   distributed_vector<BigInt<256>> r = value(x);
#pragma once

#include "ranges.h"

#include "../vector/sharded_vector.h"

namespace warpint {

inline namespace WARPINT_BACKEND {

// For this library: what the pieces of a vector hold, and their group. Of the pieces of other ranks
// only the sizes are known.
struct RankedState : expression::ShardedState {
    RankedState() = default; // without a group there are no pieces
    explicit RankedState(const process_group &of) : on_{of} {}
    [[nodiscard]] bool has_group() const { return on_.has_value(); }
    [[nodiscard]] const process_group &group() const {
        if (!has_group())
            throw std::logic_error("warpint: a distributed vector that has no process_group yet");
        return *on_;
    }

private:
    std::optional<process_group> on_;
};

} // namespace WARPINT_BACKEND

template <class T, Space space>
class distributed_batch;

namespace containers {

// The group of the distributed vectors that a formula names.
template <class Tree>
const process_group &group_of_ranks(const Tree &tree) {
    const process_group *group = nullptr;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; }) {
            const auto &own = static_cast<const RankedState &>(*leaf.shared).group();
            if (group != nullptr && !(own == *group)) {
                throw wrong_location(
                    "warpint: distributed vectors of different groups in one formula");
            }
            group = &own;
        }
    });
    return *group;
}

// Of what functions threw for elements of each rank, numbered among all, the first; null: nothing.
// own: that of this rank. Collective.
inline expression::ThrownText thrown_on_ranks(const process_group &group,
                                              const expression::ThrownText &own) {
    struct Text {
        std::uint64_t index, length;
    };
    constexpr std::uint64_t none = ~std::uint64_t{0};
    const std::vector<Text> all = group.together(message_passing::Call("text of a fault"), [&] {
        return own == nullptr ? Text{none, 0} : Text{own->index, own->text.size()};
    });
    const auto first = std::min_element(
        all.begin(), all.end(), [](const Text &a, const Text &b) { return a.index < b.index; });
    if (first->index == none)
        return nullptr;
    const int rank = static_cast<int>(first - all.begin());
    auto thrown = group.alone([&] {
        return expression::Thrown{static_cast<std::size_t>(first->index),
                                  rank == group.rank() ? own->text
                                                       : std::string(first->length, ' ')};
    });
    group.send([&] { group.transport().broadcast(thrown.text.data(), thrown.text.size(), rank); });
    return group.alone(
        [&] { return std::make_shared<const expression::Thrown>(std::move(thrown)); });
}

// What formulas share of the elements on this process.
template <class T, Space space>
struct PieceState : RankedState {
    using RankedState::RankedState;
    std::vector<batch_vector<T, space>> shards; // of this process; parts has their handles

    static constexpr const char *kind = "distributed";
    template <class Tree>
    static constexpr void check_formula() {
        static_assert(!expression::cost<Tree>.on_host && !expression::cost<Tree>.on_device &&
                          !expression::cost<Tree>.on_shards,
                      "a formula of other vectors cannot be stored in a distributed vector: write "
                      "distributed_vector<T>::from_local(group, v)");
    }
    static std::shared_ptr<PieceState> without_group() { return std::make_shared<PieceState>(); }
    // Zeros.
    static std::shared_ptr<PieceState> made(const process_group &on,
                                            const std::vector<std::size_t> &sizes) {
        auto state = std::make_shared<PieceState>(on);
        on.alone([&] {
            state->shards = made_on_each(on.devices(), [&](std::size_t i) {
                return batch_vector<T, space>(sizes[on.place(i)]);
            });
        });
        state->set_sizes(sizes);
        return state;
    }
    [[nodiscard]] OwnPieces own() const { return {this->group().devices(), this->group().place()}; }
    void set_sizes(const std::vector<std::size_t> &sizes) {
        const process_group &on = this->group();
        std::vector<std::shared_ptr<expression::BatchState>> all;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            if (on.rank_of(k) == on.rank()) {
                all.push_back(shards[k - on.place()].handle());
            } else {
                auto part = std::make_shared<expression::BatchState>();
                part->size = sizes[k];
                all.push_back(std::move(part));
            }
        }
        this->parts = std::move(all);
    }
};

// Elements of type T in pieces on several processes.
template <class T, Space space>
class DistributedElements : public Pieces<PieceState<T, space>> {
    using State = PieceState<T, space>;
    using Base = Pieces<State>;

public:
    using Base::group;
    using Base::size;
    using Base::sizes;

    // The index that the first element of this process has among all.
    [[nodiscard]] std::size_t first() const { return first(0); }
    // That of its piece i.
    [[nodiscard]] std::size_t first(std::size_t i) const {
        return shards_of(state()).first(group().place(i));
    }

    // Waits for the work on all pieces. Throws std::domain_error with the count and the first
    // index, and what a function of map() threw first, the same on all ranks, if there are faults.
    // Collective.
    void check() const {
        const auto all = group().together(call("check", 0), [&] { return Base::own_faults(); });
        execution::Reduced<int> faults{0, size()};
        for (const execution::ReductionFaults &each : all)
            faults.faults.join(each);
        if (faults.faults.count != 0)
            execution::check_faults(faults, all_thrown().get());
    }
    // One flag per element: true for a fault. Collective.
    [[nodiscard]] std::vector<bool> error_mask() const {
        std::vector<unsigned char> faults;
        std::vector<unsigned char> all;
        group().together(call("error_mask", 0), [&] {
            for (const auto &each : Base::handles()) {
                const message_passing::Bytes of_piece = message_passing::faults_of(*each);
                faults.insert(faults.end(), of_piece.data(), of_piece.data() + of_piece.size());
            }
            all.resize(size());
        });
        group().send([&] {
            group().transport().gather_all(faults.data(), group().of_ranks(sizes()), all.data());
        });
        return std::vector<bool>(all.begin(), all.end());
    }

    // Moves elements between the places, keeping their order, so that all have equally many or the
    // given numbers of them. Collective. size_mismatch if the sizes do not add up to size(),
    // std::invalid_argument unless there is a size for each place.
    void redistribute() { redistribute(even_sizes(size(), group().places())); }
    void redistribute(const std::vector<std::size_t> &to) {
        group().prepare([&] { this->check_sizes(to); });
        std::uint64_t where = 0;
        for (const std::size_t each : to)
            where = message_passing::Call("", where, each).number();
        const expression::ThrownText thrown = all_thrown();
        adopt(message_passing::sent_elements(group(), call("redistribute", where),
                                             message_passing::Moves(sizes(), to), Base::handles()),
              to);
        Base::keep_thrown(thrown);
    }

    // ---- for this library

    [[nodiscard]] bool has_group() const { return state_ != nullptr && state_->has_group(); }
    void adopt(const Storages &targets, const std::vector<std::size_t> &each) {
        adopt_each(state().shards, targets);
        state().set_sizes(each);
    }
    // As ShardedElements::with_layout(). Vectors without a group take the formula's; a formula of
    // indices alone has the first vector's (std::logic_error if that has none).
    template <class Tree, class Run, class... Vectors>
    static void with_layout(const Tree &tree, const Run &run, Vectors &...each) {
        check_different({static_cast<const void *>(&each)...});
        const auto &first = std::get<0>(std::tie(each...));
        const process_group group = [&]() -> const process_group & {
            if constexpr (expression::cost<Tree>.on_ranks) {
                return group_of_ranks(tree);
            } else {
                return first.group();
            }
        }();
        const auto take_group = [&](auto &vector) {
            if (!vector.has_group()) {
                vector = std::remove_reference_t<decltype(vector)>(group);
            } else if (!(vector.group() == group)) {
                throw wrong_location("warpint: a result on a different group from its formula");
            }
        };
        (take_group(each), ...);
        group.alone([&] { run(first.shards_for(tree)); });
    }
    // A call of this vector that all ranks must make with the same argument.
    [[nodiscard]] message_passing::Call call(const char *name, std::size_t argument) const {
        return message_passing::Call(name, argument, sizeof(T), size());
    }

protected:
    using Base::piece;
    using Base::state;
    using Base::state_;

    DistributedElements() : Base(State::without_group()) {}
    // Makes zeros.
    DistributedElements(const process_group &on, const std::vector<std::size_t> &given)
        : Base(State::made(on, given)) {}
    DistributedElements(const DistributedElements &other) : DistributedElements() {
        if (other.has_group())
            copy_from(other);
    }
    DistributedElements(DistributedElements &&other) noexcept = default;
    DistributedElements &operator=(const DistributedElements &other) {
        if (this == &other)
            return *this;
        if (!other.has_group()) {
            DistributedElements none;
            swap(none);
        } else {
            copy_from(other);
        }
        return *this;
    }
    DistributedElements &operator=(DistributedElements &&other) {
        join_groups(other);
        Base::operator=(std::move(other));
        return *this;
    }
    ~DistributedElements() = default;

    void swap(DistributedElements &other) {
        join_groups(other);
        Base::swap(other);
    }

    // The number of this process's piece if it has one only.
    [[nodiscard]] std::size_t only_piece() const {
        if (group().devices().size() != 1) {
            throw std::logic_error("warpint: this rank has " +
                                   std::to_string(group().devices().size()) +
                                   " pieces: write local(i)");
        }
        return 0;
    }

    // What functions threw for the first of the elements of all ranks; or null. Collective.
    [[nodiscard]] expression::ThrownText all_thrown() const {
        return thrown_on_ranks(group(), group().alone([&] { return Base::own_thrown(); }));
    }
    // Element i, on all ranks.
    [[nodiscard]] T read_stored(std::size_t i) const {
        const auto place = group().prepare([&] { return this->place_of(i); });
        const int rank = group().rank_of(place.piece);
        T value{};
        const auto faults = group().together(call("read", i), [&] {
            if (rank != group().rank())
                return 0;
            const auto &own = piece(place.piece - group().place());
            if (own.handle()->may_have_faults() && own.error_mask()[place.index])
                return 1;
            value = own.read(place.index);
            return 0;
        });
        if (faults[static_cast<std::size_t>(rank)] != 0)
            check();
        group().send([&] { group().transport().broadcast(&value, sizeof(T), rank); });
        return value;
    }
    void write_stored(std::size_t i, const T &value) {
        group().alone([&] {
            const auto place = this->place_of(i);
            if (group().rank_of(place.piece) == group().rank())
                state().shards[place.piece - group().place()].write(place.index, value);
        });
    }

    static void check_rank(const process_group &on, int rank) {
        on.prepare([&] {
            if (rank < 0 || rank >= on.size()) {
                throw std::invalid_argument("warpint: there is no rank " + std::to_string(rank) +
                                            "; there are " + std::to_string(on.size()) +
                                            ", numbered from 0");
            }
        });
    }
    // On the ranks that are wanted; where: a number for them.
    template <class Wanted>
    [[nodiscard]] memory_vector<T> collected(std::size_t where, const Wanted &wanted) const {
        check();
        const std::vector<std::size_t> from = sizes();
        memory_vector<T> values;
        std::vector<std::optional<message_passing::BytesToSend>> sent;
        std::vector<message_passing::Outgoing> outgoing;
        std::vector<message_passing::Incoming> incoming;
        const process_group &on = group();
        on.together(call("collect", where), [&] {
            const Storages mine = Base::handles();
            sent.resize(mine.size());
            on.devices().for_each_shard([&](std::size_t p) {
                sent[p].emplace(on, *mine[p], message_passing::Memory::host);
            });
            for (std::size_t k = 0; k < on.count(); ++k) {
                for (std::size_t p = 0; wanted(k) && p < mine.size(); ++p) {
                    outgoing.push_back(
                        {static_cast<int>(k), sent[p]->data(), mine[p]->size * sizeof(T)});
                }
            }
            if (!wanted(on.index()))
                return;
            values.resize(size());
            for (std::size_t k = 0, first = 0; k < from.size(); first += from[k++])
                incoming.push_back({on.rank_of(k), values.data() + first, from[k] * sizeof(T)});
        });
        on.exchange(message_passing::Memory::host, outgoing, incoming);
        return values;
    }

    // Runs a formula of what is stored.
    template <class Tree>
    void run_stored(const Tree &tree) {
        const process_group on = group_for(tree);
        if (!has_group() || !(on == group())) { // it takes the formula's group
            DistributedElements fresh(on, even_sizes(0, on.places()));
            fresh.run_stored(tree);
            Base::swap(fresh);
            return;
        }
        on.alone([&] {
            const expression::Shards shards = this->shards_for(tree);
            const Storages targets = Base::targets_for(shards);
            run_on_pieces(Base::own(), tree, shards, [&](std::size_t i, const auto &part) {
                run_formula_at(part, {}, on.location(i), Destination<T>(*targets[i]));
            });
            adopt(targets, shards.sizes);
        });
    }
    template <class Tree>
    void run_stored_in_place(const Tree &tree) {
        if (!(group_for(tree) == group()))
            throw wrong_location("warpint: the target's group differs from the formula's");
        this->check_layout(tree);
        run_stored(tree);
    }

private:
    template <class Tree>
    [[nodiscard]] process_group group_for(const Tree &tree) const {
        State::template check_formula<Tree>();
        if constexpr (expression::cost<Tree>.on_ranks) {
            return group_of_ranks(tree);
        } else {
            return group();
        }
    }
    // Before what two vectors hold is exchanged: a formula that names the one with a group then
    // reads no elements on that group, if the other has none.
    void join_groups(DistributedElements &other) {
        if (state_ == nullptr || other.state_ == nullptr || has_group() == other.has_group())
            return;
        if (has_group()) {
            *other.state_ = std::move(*State::made(group(), even_sizes(0, group().places())));
        } else {
            other.join_groups(*this);
        }
    }
    void copy_from(const DistributedElements &other) {
        if (!has_group() || !(other.group() == group())) {
            DistributedElements copied(other.group(), even_sizes(0, other.group().places()));
            copied.copy_from(other);
            Base::swap(copied);
            return;
        }
        group().alone([&] {
            Base::copy_shards(other);
            state().set_sizes(other.sizes());
        });
    }
};

// As base_of_vector.
template <class T, Space space>
using base_of_pieces =
    std::conditional_t<expression::is_shared_residue<T>, distributed_batch<stored_t<T>, space>,
                       DistributedElements<T, space>>;

template <class T, Space space>
inline constexpr bool is_container<distributed_batch<T, space>> = true;

} // namespace containers

// A vector in pieces, a device_vector on each place of a process_group: one on each process, or on
// each device of one that has several. Write distributed_vector<T>. A formula runs on each piece at
// once and sends nothing; all its vectors must lie on one group in pieces of the same sizes
// (wrong_location otherwise; redistribute() moves elements). Faults stay with their elements. Of
// residues all ranks must give the same modulus. All ranks must assign the same formulas. Where
// memory runs out on one rank, or something else fails there, that rank throws at once and the
// others do at their next collective function (remote_error); what the target then holds is
// unspecified. Constructors with a count, assignments, swap, write() and clear_errors() send
// nothing, but all ranks call them; what is collective says so.
template <class T, Space space>
class distributed_batch : protected containers::base_of_pieces<T, space>,
                          private containers::with_context<T> {
    using Base = containers::base_of_pieces<T, space>;
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
    using Base::first;
    using Base::group; // throws std::logic_error for a vector without a group
    using Base::redistribute;
    using Base::size;
    using Base::sizes;
    // For this library.
    using Base::adopt;
    using Base::call;
    using Base::handle;
    using Base::handles;
    using Base::has_group;
    using Base::own;
    using Base::shards_for;
    using Base::targets_for;
    using Base::with_layout;
    using WithContext::context; // what the elements share

    // Makes a vector without a group, which takes that of the first formula assigned to it.
    distributed_batch() = default;
    // Makes a vector of `count` zeros, or copies of a value, spread evenly.
    explicit distributed_batch(const process_group &on, std::size_t count = 0)
        : Base(on, containers::even_sizes(count, on.places())) {}
    distributed_batch(const process_group &on, std::size_t count, const T &value)
        requires(!residues)
        : distributed_batch(on, count) {
        fill(value);
    }
    // A vector of residues takes its Modulus first: makes one without a group, of `count` zeros or
    // copies of a number or residue, or the residues of a distributed vector or formula of numbers.
    explicit distributed_batch(const Shared &m)
        requires(residues)
        : WithContext(typename Traits::context(m)) {}
    distributed_batch(const Shared &m, const process_group &on, std::size_t count = 0)
        requires(residues)
        : distributed_batch(on, count) {
        context() = typename Traits::context(m);
    }
    distributed_batch(const Shared &m, const process_group &on, std::size_t count,
                      const Argument &value)
        requires(residues)
        : distributed_batch(m, on, count) {
        fill(value);
    }
    template <expression::Batch Numbers>
        requires(residues && AnyNumber<typename expression::captured_t<Numbers>::value_type>)
    distributed_batch(const Shared &m, Numbers &&numbers) : distributed_batch(m) {
        run(expression::capture(std::forward<Numbers>(numbers)));
    }

    // Spreads the numbers of one rank evenly; what other ranks give is ignored. Faults of a
    // batch_vector come along. Collective. std::invalid_argument if there is no such rank.
    [[nodiscard]] static distributed_batch from_root(const process_group &on,
                                                     const std::vector<T> &values, int root = 0)
        requires(!residues)
    {
        return scattered(on, values, root);
    }
    template <Space from>
        requires(!residues)
    [[nodiscard]] static distributed_batch
    from_root(const process_group &on, const batch_vector<T, from> &values, int root = 0) {
        return scattered(on, values, root);
    }
    // Makes a vector of the numbers that each rank gives, in the order of ranks; a rank of several
    // devices spreads its numbers evenly over them. Faults of a batch_vector come along.
    // Collective.
    [[nodiscard]] static distributed_batch from_local(const process_group &on,
                                                      const std::vector<T> &values)
        requires(!residues)
    {
        return joined(on, values);
    }
    template <Space from>
        requires(!residues)
    [[nodiscard]] static distributed_batch from_local(const process_group &on,
                                                      const batch_vector<T, from> &values) {
        return joined(on, values);
    }

    // Makes a vector of the pieces of the sharded vectors that the ranks give, where they lie: on
    // the devices of the group (wrong_location otherwise). Faults come along. Collective.
    template <Space from>
        requires(!residues && from == space)
    [[nodiscard]] static distributed_batch from_local(const process_group &on,
                                                      const sharded_batch<T, from> &values) {
        const message_passing::Call call("from_local of shards", sizeof(T));
        distributed_batch result(on);
        std::optional<sharded_batch<T, space>> copied;
        on.together(call, [&] {
            if (!(values.group() == on.devices())) {
                throw wrong_location(
                    "warpint: a sharded vector on other devices than those of the process_group");
            }
            copied = values;
        });
        result.adopt(copied->handles(), message_passing::given_by_all(on, call, copied->sizes()));
        return result;
    }

    // Runs the formula, on each piece.
    template <expression::Description Tree>
        requires(!residues || AnyResidue<typename Tree::value_type>)
    distributed_batch(const Tree &tree) {
        run(tree);
    }
    template <expression::Description Tree>
    distributed_batch &operator=(const Tree &tree) {
        run(tree);
        return *this;
    }
    // Widens narrower numbers, or reduces numbers, where they lie. as<T>(other) narrows.
    template <class U>
        requires(containers::widens<T, U> && !residues)
    distributed_batch(const distributed_batch<U, space> &other)
        : distributed_batch(expression::capture(other)) {}
    template <class U>
        requires(containers::widens<T, U>)
    distributed_batch &operator=(const distributed_batch<U, space> &other) {
        return *this = expression::capture(other);
    }

    // The piece of this process: a vector to read, or a view for a kernel or a formula of your own.
    // Of a process of several devices, that on device i (std::out_of_range if there is none); which
    // one must be said there (std::logic_error).
    [[nodiscard]] const batch_vector<T, space> &local() const
        requires(!residues)
    {
        return local(Base::only_piece());
    }
    [[nodiscard]] const batch_vector<T, space> &local(std::size_t i) const
        requires(!residues)
    {
        return Base::piece(i);
    }
    [[nodiscard]] batch_view<T, space> local_view() &
        requires(!residues)
    {
        return local_view(Base::only_piece());
    }
    [[nodiscard]] batch_view<T, space> local_view(std::size_t i) &
        requires(!residues)
    {
        return Base::state().shards.at(i).view();
    }
    // A view does not keep the elements of a temporary vector; this is here for its message.
    template <limb::Advice instead = "give the vector a name: its view does not keep the elements",
              std::convertible_to<std::size_t>... Device>
        batch_view<T, space> local_view(Device...) &&
        WARPINT_REFUSED("give the vector a name: its view does not keep the elements");
    // The forms of residues in memory, and their modulus (wrong_modulus if there is none).
    [[nodiscard]] const distributed_batch<Stored, space> &forms() const
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

    // Element i, on all ranks. Collective. std::out_of_range beyond the end, std::domain_error if
    // it is a fault.
    [[nodiscard]] typename Traits::element read(std::size_t i) const {
        return Traits::load(Base::read_stored(i), context());
    }
    // Writes element i, where it lies, and clears its fault. std::out_of_range beyond the end.
    void write(std::size_t i, const Argument &value) {
        Base::write_stored(i, Traits::store(value, context()));
        context().take(value);
    }

    // All elements, in order: on one rank (nothing elsewhere), or on all. Collective.
    // std::domain_error, on all ranks, if there are faults.
    [[nodiscard]] std::vector<typename Traits::element> to_root(int root = 0) const {
        Base::check_rank(group(), root);
        return containers::loaded<T>(Base::collected(static_cast<std::size_t>(root),
                                                     [&](std::size_t rank) {
                                                         return rank ==
                                                                static_cast<std::size_t>(root);
                                                     }),
                                     context());
    }
    [[nodiscard]] std::vector<typename Traits::element> to_all() const {
        return containers::loaded<T>(
            Base::collected(group().count(), [](std::size_t) { return true; }), context());
    }

    // Exchanges what two vectors hold, also for formulas that name them. If one has no group, the
    // other keeps its group, without elements; so it does where it is assigned such a vector.
    void swap(distributed_batch &other) {
        Base::swap(other);
        context().swap(other.context());
    }
    friend void swap(distributed_batch &a, distributed_batch &b) { a.swap(b); }

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
        containers::check_no_stream(stream);
        Base::run_stored_in_place(context().stored(tree));
        context().take(tree);
    }

protected:
    // Zeros.
    distributed_batch(const process_group &on, const std::vector<std::size_t> &given)
        : Base(on, given) {}

private:
    // Evenly, from one rank.
    template <class Values>
    static distributed_batch scattered(const process_group &on, const Values &values, int root) {
        Base::check_rank(on, root);
        batch_vector<T, space> own;
        const auto counts = on.together(message_passing::Call("from_root", root, sizeof(T)), [&] {
            if (on.rank() == root)
                own = as_piece(values);
            return own.size();
        });
        const std::size_t count = counts[static_cast<std::size_t>(root)];
        return spread(on, own.handle(), counts, containers::even_sizes(count, on.places()));
    }
    template <class Values>
    static distributed_batch joined(const process_group &on, const Values &values) {
        batch_vector<T, space> own;
        const auto counts = on.together(message_passing::Call("from_local", sizeof(T)), [&] {
            own = as_piece(values);
            return own.size();
        });
        const auto places = on.of_ranks(std::vector<std::size_t>(on.places(), 1));
        std::vector<std::size_t> to;
        for (std::size_t k = 0; k < on.count(); ++k) {
            const auto of_rank = containers::even_sizes(counts[k], places[k]);
            to.insert(to.end(), of_rank.begin(), of_rank.end());
        }
        return spread(on, own.handle(), counts, to);
    }
    // The elements that the ranks give, so many each, where they are to lie.
    static distributed_batch spread(const process_group &on,
                                    const std::shared_ptr<execution::Storage> &own,
                                    const std::vector<std::size_t> &given,
                                    const std::vector<std::size_t> &to) {
        distributed_batch result(on);
        auto pieces = result.handles();
        pieces[0] = own;
        std::vector<std::size_t> from(on.places(), 0); // on the first place of each rank
        for (std::size_t k = 0; k < on.count(); ++k)
            from[on.first_place_of(k)] = given[k];
        if (from == to) {
            result.adopt(pieces, to);
            return result;
        }
        const expression::ThrownText thrown = containers::thrown_on_ranks(on, on.alone([&] {
            const bool has_text = own->may_have_faults() && own->marks->thrown != nullptr &&
                                  own->marks->thrown->index < own->size;
            if (!has_text)
                return expression::ThrownText();
            const auto before =
                std::accumulate(given.begin(), given.begin() + on.rank(), std::size_t{0});
            return expression::thrown_at(own->marks->thrown, before + own->marks->thrown->index);
        }));
        result.adopt(message_passing::sent_elements(on, result.call("spread", 0),
                                                    message_passing::Moves(from, to), pieces),
                     to);
        result.keep_thrown(thrown);
        return result;
    }
    template <class Values>
    static batch_vector<T, space> as_piece(const Values &values) {
        batch_vector<T, space> piece;
        piece = values;
        return piece;
    }
    void fill(const Argument &value) {
        const Stored stored = Traits::store(value, context());
        auto &pieces = Base::state().shards;
        group().alone([&] {
            group().devices().for_each_shard(
                [&](std::size_t i) { pieces[i].assign(pieces[i].size(), stored); });
        });
        context().take(value);
    }
};

// A vector in pieces on the processes of a process_group.
template <class T>
using distributed_vector = distributed_batch<T, Space::device>;

template <class T, Space space>
struct expression::capture_traits<distributed_batch<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const distributed_batch<T, space> &vector) {
        return vector.context().leaf(ShardedLeaf<stored_t<T>, space, true>{vector.handle()});
    }
};

} // namespace warpint
