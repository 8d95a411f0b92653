// SPDX-License-Identifier: Apache-2.0
// Sorting and gathering distributed vectors. The sort is the samplesort of sharded vectors
// (vector/sharded_sort.h), with messages between the pieces: samples of all pieces show where to
// split the numbers, each rank receives its part from all others and sorts it, and a few numbers
// move to neighbours so that each rank keeps its count.
#pragma once

#include "reduce.h"

#include "../vector/sharded_sort.h"

namespace warpint {

namespace message_passing {
inline namespace WARPINT_BACKEND {

// The numbers that split the numbers of all ranks; mine: this rank's.
template <class T>
std::vector<execution::PlacedNumber<T>>
splitters_of_ranks(const process_group &group, const Call &call, const execution::Storage &mine,
                   const expression::Shards &shards) {
    using Placed = execution::PlacedNumber<T>;
    static_assert(std::is_trivially_copyable_v<Placed>);
    const std::size_t stride = shards.size() / (group.count() * containers::samples_of_member) + 1;
    std::vector<Placed> samples;
    std::vector<Placed> all;
    Sizes bytes;
    const auto counts = group.together(call, [&] {
        samples = containers::samples_of<T>(mine, group.index(), stride);
        for (const std::size_t size : shards.sizes) // as many as samples_of() takes of each
            bytes.push_back((size + stride - 1) / stride * sizeof(Placed));
        all.resize(first_of(bytes, bytes.size()) / sizeof(Placed));
        return samples.size();
    });
    group.send([&] { group.transport().gather_all(samples.data(), bytes, all.data()); });
    return containers::splitters_of(std::move(all), stride, shards);
}

// What each rank has of each part: sizes[rank][part].
struct PartSizes {
    PartSizes(const process_group &group, const Call &call, const Sizes &mine)
        : ranks{group.count()} {
        group.together(call, [&] { sizes.resize(ranks * ranks); });
        group.send([&] {
            group.transport().gather_all(mine.data(), ranks * sizeof(std::size_t), sizes.data());
        });
    }
    [[nodiscard]] std::size_t of(std::size_t rank, std::size_t part) const {
        return sizes[rank * ranks + part];
    }
    // The elements of each part.
    [[nodiscard]] Sizes of_parts() const {
        Sizes all(ranks, 0);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (std::size_t part = 0; part < ranks; ++part)
                all[part] += of(rank, part);
        }
        return all;
    }

    std::size_t ranks;
    Sizes sizes;
};

// Sends part k of each rank's elements to rank k, which has them in the order of ranks. `mine` lies
// part by part; `room` holds this rank's part.
inline void exchange_parts(const process_group &group, Memory memory, const PartSizes &sizes,
                           std::size_t element_bytes, const unsigned char *mine,
                           unsigned char *room) {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (std::size_t k = 0; k < group.count(); ++k) {
        const int rank = static_cast<int>(k);
        const std::size_t sent = sizes.of(group.index(), k) * element_bytes;
        const std::size_t received = sizes.of(k, group.index()) * element_bytes;
        outgoing.push_back({rank, mine, sent});
        incoming.push_back({rank, room, received});
        mine += sent;
        room += received;
    }
    group.exchange(memory, outgoing, incoming);
}

// The same for storages, with their faults if any rank may have some; returns that of this rank's
// part.
template <class T>
std::shared_ptr<execution::Storage> received_part(const process_group &group, const Call &call,
                                                  const PartSizes &sizes,
                                                  const execution::Storage &mine) {
    std::shared_ptr<execution::Storage> room;
    std::optional<BytesToSend> sent;
    std::optional<BytesToReceive> received;
    const std::vector<int> may_have_faults = group.together(call, [&] {
        room = execution_backend::make_storage(group.location(), sizes.of_parts()[group.index()],
                                               sizeof(T), nullptr);
        sent.emplace(group, mine, Memory::pieces);
        received.emplace(group, *room, Memory::pieces);
        return mine.may_have_faults() ? 1 : 0;
    });
    exchange_parts(group, Memory::pieces, sizes, sizeof(T), sent->data(), received->data());
    group.alone([&] { received->finish(); });
    if (std::find(may_have_faults.begin(), may_have_faults.end(), 1) == may_have_faults.end())
        return room;
    Bytes faults, received_faults;
    group.together(call, [&] {
        faults = faults_of(mine);
        received_faults = Bytes(room->size);
    });
    exchange_parts(group, Memory::host, sizes, 1, faults.data(), received_faults.data());
    group.alone([&] { set_faults(*room, received_faults); });
    return room;
}

// Of residues their forms.
template <class T, Space space>
const auto &stored_elements(const distributed_batch<T, space> &vector) {
    if constexpr (expression::is_shared_residue<T>) {
        return vector.forms();
    } else {
        return vector;
    }
}

// How many of this rank's numbers, which are sorted, each part has.
template <class T>
Sizes sizes_of_sorted(const batch_vector<T, Space::device> &numbers, std::size_t rank,
                      const std::vector<execution::PlacedNumber<T>> &splitters) {
    const std::vector<T> values = numbers.to_host();
    Sizes sizes;
    std::size_t before = 0;
    for (const execution::PlacedNumber<T> &splitter : splitters) {
        std::size_t low = before;
        std::size_t high = values.size();
        while (low < high) { // the first number that does not come before the splitter
            const std::size_t middle = low + (high - low) / 2;
            if (execution::comes_before(values[middle], rank, middle, splitter)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        sizes.push_back(low - before);
        before = low;
    }
    sizes.push_back(values.size() - before);
    return sizes;
}

} // namespace WARPINT_BACKEND
} // namespace message_passing

// Sorts the elements in ascending order. Each rank keeps its number of elements. Collective. Each
// rank needs memory for three copies of its elements, on a GPU also for two in host memory, and
// what sort() of one vector needs besides. All elements travel once: a batch that fits one GPU is
// sorted faster there, and this is for those that do not. Faults: std::domain_error. After this
// error nothing has moved.
template <AnyNumber T, Space space>
void sort(distributed_batch<T, space> &vector) {
    using namespace message_passing;
    vector.check();
    if (vector.size() < 2)
        return;
    const process_group group = vector.group();
    const Call call = vector.call("sort", 0);
    const expression::Shards shards = shards_of(*vector.handle());
    execution::Storage &own = vector.storage();
    const auto splitters = splitters_of_ranks<T>(group, call, own, shards);
    containers::PartedShard<T> parts;
    group.together(call, [&] { parts = containers::parted<T>(own, group.index(), splitters); });
    const PartSizes sizes(group, call, parts.sizes);
    batch_vector<T, space> part;
    part.adopt(*received_part<T>(group, call, sizes, *parts.numbers));
    parts.numbers.reset();
    auto sorted = distributed_batch<T, space>::made(group, shards.sizes);
    group.together(call, [&] { warpint::sort(part); });
    move_storage(group, call, *part.handle(), sizes.of_parts(), sorted.storage(), shards.sizes);
    vector.adopt(sorted.storage(), shards.sizes);
}

// The positions of the elements in ascending order of their values, so that gather(v, argsort(v))
// is sorted, in pieces of the vector's sizes. Equal elements keep their order. Otherwise as sort().
template <AnyNumber T, Space space>
[[nodiscard]] distributed_batch<std::uint64_t, space>
argsort(const distributed_batch<T, space> &vector) {
    using namespace message_passing;
    vector.check();
    const process_group group = vector.group();
    const Call call = vector.call("argsort", 0);
    const expression::Shards shards = shards_of(*vector.handle());
    auto result = distributed_batch<std::uint64_t, space>::made(group, shards.sizes);
    if (vector.size() == 0)
        return result;
    // Sorted where they lie; the parts are then ranges.
    batch_vector<T, space> keys;
    batch_vector<std::uint64_t, space> positions;
    group.together(call, [&] {
        keys = vector.local();
        positions = batch_vector<std::uint64_t, space>(vector.local().size());
        positions = indices(vector.local().size()) + vector.first();
        sort_by_key(keys, positions);
    });
    const auto splitters = splitters_of_ranks<T>(group, call, *keys.handle(), shards);
    Sizes parts;
    group.together(call, [&] { parts = sizes_of_sorted<T>(keys, group.index(), splitters); });
    const PartSizes sizes(group, call, parts);
    // Equal numbers arrive in the order of their positions, and a stable sort leaves them so.
    keys.adopt(*received_part<T>(group, call, sizes, *keys.handle()));
    positions.adopt(*received_part<std::uint64_t>(group, call, sizes, *positions.handle()));
    group.together(call, [&] { sort_by_key(keys, positions); });
    move_storage(group, call, *positions.handle(), sizes.of_parts(), result.storage(),
                 shards.sizes);
    return result;
}

// Elements index[i] of a distributed vector, in a vector of their own: they are fetched at once.
// The index is a distributed vector, a formula of them, or one of indices(n); one beyond the source
// is a fault. Collective.
template <class T, Space space, class Index>
requires expression::Batch<Index>
[[nodiscard]] distributed_batch<T, space> gather(const distributed_batch<T, space> &source,
                                                 Index &&index) {
    using namespace message_passing;
    using Stored = stored_t<T>;
    using Positions = batch_vector<std::uint64_t, space>;
    const process_group group = source.group();
    const Sizes lie = source.sizes();
    const std::uint64_t count = source.size();
    // Positions; count for those beyond the source. Faults of the index stay its own.
    distributed_batch<std::uint64_t, space> where(group);
    where = let(std::forward<Index>(index),
                [count](const auto &i) { return select((i < 0) | (i >= count), count, i); });
    if (!(where.group() == group))
        throw wrong_location("warpint: an index on a different group from its source");
    const Call call = where.call("gather", count * sizeof(Stored));
    auto result = distributed_batch<T, space>::made(group, Sizes(group.count(), 0));
    result.context() = source.context();

    // Each rank asks the others for elements of theirs, part by part.
    const std::size_t own_count = where.local().size();
    std::vector<std::uint64_t> asked;  // positions on the ranks that have them
    std::vector<std::uint64_t> places; // where what was asked for will be; behind it for faults
    Sizes parts(group.count(), 0);
    group.together(call, [&] {
        std::vector<std::uint64_t> positions(own_count);
        execution_backend::copy_to_host(positions.data(), where.storage(), 0,
                                        own_count * sizeof(positions[0]));
        const Bytes faults = faults_of(where.storage());
        Sizes ends;
        for (std::size_t k = 1; k <= group.count(); ++k)
            ends.push_back(first_of(lie, k));
        const std::size_t none = group.count();
        std::vector<std::size_t> owner(own_count, none);
        for (std::size_t i = 0; i < own_count; ++i) {
            if (faults.data()[i] != 0 || positions[i] >= count)
                continue;
            owner[i] = static_cast<std::size_t>(
                std::upper_bound(ends.begin(), ends.end(), positions[i]) - ends.begin());
            ++parts[owner[i]];
        }
        Sizes next;
        for (std::size_t k = 0; k < group.count(); ++k)
            next.push_back(first_of(parts, k));
        asked.resize(first_of(parts, group.count()));
        places.assign(own_count, asked.size());
        for (std::size_t i = 0; i < own_count; ++i) {
            if (owner[i] == none)
                continue;
            places[i] = next[owner[i]]++;
            asked[places[i]] = positions[i] - (ends[owner[i]] - lie[owner[i]]);
        }
    });
    const PartSizes sizes(group, call, parts);
    PartSizes back = sizes;
    for (std::size_t a = 0; a < group.count(); ++a) {
        for (std::size_t b = 0; b < group.count(); ++b)
            back.sizes[a * group.count() + b] = sizes.of(b, a);
    }

    // The others' wishes, and what they get.
    std::vector<std::uint64_t> wanted;
    group.together(call, [&] { wanted.resize(sizes.of_parts()[group.index()]); });
    const auto bytes_of = [](auto &v) { return reinterpret_cast<unsigned char *>(v.data()); };
    exchange_parts(group, Memory::host, sizes, sizeof(std::uint64_t), bytes_of(asked),
                   bytes_of(wanted));
    batch_vector<Stored, space> found;
    group.together(call, [&] {
        const auto &elements = stored_elements(source).local();
        found = warpint::gather(elements, Positions(wanted.begin(), wanted.end()));
    });
    batch_vector<Stored, space> received;
    received.adopt(*received_part<Stored>(group, call, back, *found.handle()));
    group.alone([&] {
        found = warpint::gather(received, Positions(places.begin(), places.end()));
        result.adopt(*found.handle(), where.sizes());
    });
    return result;
}

} // namespace warpint
