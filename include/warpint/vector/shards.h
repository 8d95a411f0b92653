// SPDX-License-Identifier: Apache-2.0
// Vectors in pieces: the layout of a formula's pieces, their group, and what vectors do alike on
// several GPUs and on several processes.
#pragma once

#include "device_group.h"

#include "../execution/memory/copies.h"
#include "../execution/memory/operands.h"
#include "../execution/reduce.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace warpint {

namespace containers {

// The sizes of shards that share `count` elements as evenly as possible: the first shards may have
// one more.
inline std::vector<std::size_t> even_sizes(std::size_t count, std::size_t shards) {
    std::vector<std::size_t> sizes(shards, count / shards);
    for (std::size_t i = 0; i < count % shards; ++i)
        ++sizes[i];
    return sizes;
}

inline void check_group_sizes(const std::vector<std::size_t> &sizes, std::size_t members) {
    if (sizes.size() != members) {
        throw std::invalid_argument("warpint: " + std::to_string(sizes.size()) +
                                    " sizes for a group of " + std::to_string(members));
    }
}

inline void check_no_stream(stream_handle stream) {
    if (stream != nullptr) {
        throw std::invalid_argument("warpint: a stream belongs to one GPU: formulas of sharded "
                                    "vectors run on the default stream of each");
    }
}

// The layout of the elements of a formula of sharded vectors: that of its vectors, which must all
// have the same. A source that is gathered from does not count, unless there are only indices
// beside it: then it gives the group. Null if there are indices only. Throws size_mismatch for
// batches of different sizes, wrong_location for groups or sizes of shards that differ. kind: of
// the vectors, for the messages.
template <class Tree>
std::unique_ptr<const expression::Shards> shards_of_formula(const Tree &tree,
                                                            const std::string &kind = "sharded") {
    std::unique_ptr<expression::Shards> found;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; } && !expression::is_sharded_source<Leaf>) {
            auto shards = std::make_unique<expression::Shards>(shards_of(*leaf.shared));
            if (found == nullptr) {
                found = std::move(shards);
                return;
            }
            execution::check_same_size(found->size(), shards->size());
            if (found->locations != shards->locations) {
                throw wrong_location("warpint: " + kind +
                                     " vectors of different groups in one formula");
            }
            if (found->sizes != shards->sizes) {
                throw wrong_location("warpint: " + kind +
                                     " vectors with shards of different sizes in one formula: "
                                     "redistribute one of them");
            }
        }
    });
    std::unique_ptr<expression::Shards> source;
    std::optional<std::size_t> indices;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (std::is_same_v<Leaf, expression::IndexLeaf>) {
            execution::check_same_size(
                found != nullptr ? found->size() : indices.value_or(leaf.size), leaf.size);
            indices = leaf.size;
        } else if constexpr (expression::is_sharded_source<Leaf>) {
            source = std::make_unique<expression::Shards>(shards_of(*leaf.shared));
        }
    });
    if (found == nullptr && source != nullptr && indices) {
        source->sizes = even_sizes(*indices, source->sizes.size());
        return source;
    }
    return found;
}

// The group of a formula that names a sharded vector.
template <class Tree>
device_group group_of_formula(const Tree &tree) {
    std::shared_ptr<const expression::ShardedState> state;
    bool is_source = true;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (requires { leaf.shared->parts; }) {
            if (is_source)
                state = leaf.shared;
            is_source = is_source && expression::is_sharded_source<Leaf>;
        }
    });
    return static_cast<const GroupedState &>(*state).group();
}

// Waits for the sources that a formula gathers from, because each GPU reads the memory of others.
// Returns whether it gathers.
template <class Tree>
bool wait_for_sources(const device_group &group, const Tree &tree) {
    std::vector<std::shared_ptr<const expression::ShardedState>> sources;
    expression::for_each_leaf(tree, [&]<class Leaf>(const Leaf &leaf) {
        if constexpr (expression::is_sharded_source<Leaf>)
            sources.push_back(leaf.shared);
    });
    for (const auto &source : sources) {
        if (source->parts.size() > expression::max_gathered_shards) {
            throw std::length_error("warpint: gather from " + std::to_string(source->parts.size()) +
                                    " shards; it takes up to " +
                                    std::to_string(expression::max_gathered_shards));
        }
        for (const auto &part : source->parts) {
            for (const Location &place : group.locations())
                execution::check_reaches(place, part->location);
            execution::wait_for_writes(static_cast<const execution::Storage &>(*part));
        }
    }
    return !sources.empty();
}

// The pieces of a vector that lie on this process, one on each of these devices: the first of them
// has this number among the pieces of all processes.
struct OwnPieces {
    const device_group &devices;
    std::size_t first;
};

// Calls body(i, formula) with the formula of each piece i of this process, on its device, to start
// it. If a formula gathers from shards, no later work on them overtakes it.
template <class Tree, class Body>
void run_on_pieces(const OwnPieces &own, const Tree &tree, const expression::Shards &shards,
                   const Body &body) {
    const auto start = [&](std::size_t i) {
        body(i, expression::formula_of_shard(tree, own.first + i, shards));
    };
    if (!wait_for_sources(own.devices, tree)) {
        own.devices.start_on_each(start);
        return;
    }
    own.devices.for_each_shard([&](std::size_t i) { // waits for each also where another one throws
        start(i);
        execution::wait_for_device(own.devices.location(i));
    });
}

// Makes make(i) on each device i.
template <class Make>
auto made_on_each(const device_group &devices, const Make &make) {
    using Made = std::invoke_result_t<const Make &, std::size_t>;
    std::vector<std::optional<Made>> made(devices.size());
    devices.for_each_shard([&](std::size_t i) { made[i].emplace(make(i)); });
    std::vector<Made> all;
    for (std::optional<Made> &each : made)
        all.push_back(std::move(*each));
    return all;
}

// The storages of the pieces of a process, and back.
using Storages = std::vector<std::shared_ptr<execution::Storage>>;
template <class Vectors>
Storages handles_of(const Vectors &vectors) {
    Storages all;
    for (const auto &each : vectors)
        all.push_back(each.handle());
    return all;
}
template <class Vectors>
void adopt_each(Vectors &vectors, const Storages &storages) {
    for (std::size_t i = 0; i < storages.size(); ++i)
        vectors[i].adopt(*storages[i]);
}

// Elements that keep their order and get other places: of those of piece a, `(a, b)` go to piece b.
class Moves {
public:
    Moves(const std::vector<std::size_t> &from, const std::vector<std::size_t> &to)
        : from_{ends_of(from)}, to_{ends_of(to)} {}
    std::size_t operator()(std::size_t a, std::size_t b) const {
        const std::size_t first = std::max(from_[a], to_[b]);
        const std::size_t end = std::min(from_[a + 1], to_[b + 1]);
        return first < end ? end - first : 0;
    }

private:
    static std::vector<std::size_t> ends_of(const std::vector<std::size_t> &sizes) {
        std::vector<std::size_t> ends(sizes.size() + 1, 0);
        std::partial_sum(sizes.begin(), sizes.end(), ends.begin() + 1);
        return ends;
    }
    std::vector<std::size_t> from_, to_; // the first element of each piece, and the end
};

// New storages for so many elements on each device.
inline Storages new_storages(const device_group &devices, const std::vector<std::size_t> &sizes,
                             std::size_t element_bytes) {
    Storages all;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        all.push_back(
            execution::make_storage(devices.location(i), sizes[i], element_bytes, nullptr));
    }
    return all;
}

// Copies elements from device to device: counts(a, b) of those of piece a, which lie in the order
// of b, to piece b, which has them in the order of a. Faults are left behind. own_too: otherwise
// the counts(a, a) that stay are there already, and are not in `from`.
template <class Counts>
void exchange_elements(const device_group &devices, const Counts &counts, const Storages &from,
                       const Storages &to, bool own_too = true) {
    devices.for_each_shard([&](std::size_t b) {
        std::vector<execution::RangeCopy> ranges;
        std::size_t filled = 0;
        for (std::size_t a = 0; a < from.size(); ++a) {
            std::size_t first = 0;
            for (std::size_t k = 0; k < b; ++k)
                first += own_too || k != a ? counts(a, k) : 0;
            if (own_too || a != b)
                ranges.push_back({filled, from[a].get(), first, counts(a, b)});
            filled += counts(a, b);
        }
        execution::copy_ranges(*to[b], ranges);
    });
}

// A vector in pieces, one for each member of a group. State is what it shares with formulas: the
// group, the sizes of all pieces, and those pieces that lie on this process (`shards`; own() says
// which these are).
template <class State>
class Pieces {
public:
    // Clears the faults of all elements.
    void clear_errors() {
        for (auto &each : state().shards)
            each.clear_errors();
    }

    // Of all pieces together.
    [[nodiscard]] std::size_t size() const {
        return state_ == nullptr ? 0 : shards_of(*state_).size();
    }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] const auto &group() const { return state().group(); }
    // The number of elements of each piece.
    [[nodiscard]] std::vector<std::size_t> sizes() const { return shards_of(state()).sizes; }

    // ---- for this library

    [[nodiscard]] std::shared_ptr<const expression::ShardedState> handle() const {
        (void)state();
        return state_;
    }
    // The layout of the formula's elements. A formula of indices alone takes this vector's layout
    // if it has the same size, and is spread evenly otherwise.
    template <class Tree>
    [[nodiscard]] expression::Shards shards_for(const Tree &tree) const {
        State::template check_formula<Tree>();
        static_assert(expression::check_spaces<Tree>());
        if (const auto found = shards_of_formula(tree, State::kind))
            return *found;
        expression::Shards own = shards_of(state());
        execution::Operand room[execution::leaf_count<Tree>];
        const std::size_t count =
            execution::extent_of({room, execution::list_operands(room, tree)}, Location{}).size;
        if (own.size() != count)
            own.sizes = even_sizes(count, own.sizes.size());
        return own;
    }
    [[nodiscard]] OwnPieces own() const { return state().own(); }
    // The storages of this process's pieces.
    [[nodiscard]] Storages handles() const { return handles_of(state().shards); }
    // Those if they have the sizes of a formula's pieces, otherwise fresh ones.
    [[nodiscard]] Storages targets_for(const expression::Shards &shards) {
        const OwnPieces own = this->own();
        Storages targets;
        for (std::size_t i = 0; i < own.devices.size(); ++i) {
            targets.push_back(
                state().shards[i].target_for(shards.sizes[own.first + i], own.devices.location(i)));
        }
        return targets;
    }

protected:
    explicit Pieces(std::shared_ptr<State> state) : state_{std::move(state)} {}
    Pieces(Pieces &&other) noexcept = default;
    Pieces &operator=(Pieces &&other) noexcept {
        if (this != &other) {
            swap(other);
            const Pieces former(std::move(other));
            if (former.state_ != nullptr)
                former.state_->forget();
        }
        return *this;
    }
    ~Pieces() = default;

    // Exchanges what two vectors hold, also for formulas that name them.
    void swap(Pieces &other) noexcept { swap_shared(state_, other.state_); }

    [[nodiscard]] State &state() const {
        if (state_ == nullptr)
            state_ = State::without_group();
        return *state_;
    }
    // Piece i of this process; std::out_of_range if there is none.
    [[nodiscard]] const auto &piece(std::size_t i) const { return state().shards.at(i); }
    void copy_shards(const Pieces &other) {
        const Storages from = other.handles();
        const Storages to = targets_for(shards_of(other.state()));
        own().devices.for_each_shard(
            [&](std::size_t i) { execution::copy_elements(*to[i], *from[i], to[i]->size); });
        adopt_each(state().shards, to);
    }
    // The faults of this process's pieces, when the work on them has ended.
    [[nodiscard]] execution::ReductionFaults own_faults() const {
        const OwnPieces own = this->own();
        std::vector<std::vector<bool>> masks(own.devices.size());
        own.devices.for_each_shard([&](std::size_t i) {
            if (piece(i).handle()->may_have_faults()) {
                masks[i] = piece(i).error_mask();
            } else {
                piece(i).check();
            }
        });
        execution::ReductionFaults faults;
        std::size_t before = shards_of(state()).first(own.first);
        for (std::size_t i = 0; i < masks.size(); ++i) {
            for (std::size_t k = 0; k < masks[i].size(); ++k) {
                if (masks[i][k])
                    faults.note(before + k);
            }
            before += piece(i).size();
        }
        return faults;
    }
    // What functions threw for the first of their elements; or null.
    [[nodiscard]] expression::ThrownText own_thrown() const {
        const OwnPieces own = this->own();
        for (std::size_t i = 0; i < own.devices.size(); ++i) {
            const auto &storage = *piece(i).handle();
            if (!storage.may_have_faults() || storage.marks->thrown == nullptr)
                continue;
            const std::size_t index = storage.marks->thrown->index;
            if (index < storage.size) {
                return expression::thrown_at(storage.marks->thrown,
                                             shards_of(state()).first(own.first + i) + index);
            }
        }
        return {};
    }
    // Notes what a function threw for an element that lies in a piece of this process.
    void keep_thrown(const expression::ThrownText &thrown) {
        if (thrown == nullptr)
            return;
        const OwnPieces own = this->own();
        for (std::size_t i = 0; i < own.devices.size(); ++i) {
            const auto &storage = *piece(i).handle();
            const std::size_t k = thrown->index - shards_of(state()).first(own.first + i);
            if (k < storage.size && storage.may_have_faults())
                storage.marks->thrown = expression::thrown_at(thrown, k);
        }
    }
    // Throws unless a formula's elements lie as those of this vector.
    template <class Tree>
    void check_layout(const Tree &tree) const {
        const expression::Shards shards = shards_for(tree);
        if (shards.size() != size()) {
            throw size_mismatch("warpint: a formula of " + std::to_string(shards.size()) +
                                " elements and a target of " + std::to_string(size()));
        }
        if (shards != shards_of(state()))
            throw wrong_location("warpint: the target's pieces differ from the formula's");
    }
    // Throws unless the elements may be spread as given.
    void check_sizes(const std::vector<std::size_t> &sizes) const {
        const expression::Shards given{sizes, {}};
        check_group_sizes(sizes, this->sizes().size());
        if (given.size() != size()) {
            throw size_mismatch("warpint: " + std::to_string(size()) +
                                " elements cannot be spread as " + std::to_string(given.size()));
        }
    }

    struct Place {
        std::size_t piece;
        std::size_t index; // among the elements there
    };
    // Of element i; std::out_of_range beyond the end.
    [[nodiscard]] Place place_of(std::size_t i) const {
        std::size_t index = i;
        if (state_ != nullptr) {
            const std::vector<std::size_t> all = sizes();
            for (std::size_t k = 0; k < all.size(); ++k) {
                if (index < all[k])
                    return {k, index};
                index -= all[k];
            }
        }
        throw std::out_of_range("warpint: element " + std::to_string(i) + " of a vector of " +
                                std::to_string(size()));
    }

    mutable std::shared_ptr<State> state_; // null in a vector without a group
};

} // namespace containers

} // namespace warpint
