// SPDX-License-Identifier: Apache-2.0
// Sorting and gathering distributed vectors. The sort is the samplesort of sharded vectors
// (vector/sharded_sort.h), with messages between the pieces.
#pragma once

#include "reduce.h"

#include "../vector/sharded_sort.h"

namespace warpint {

namespace message_passing {
inline namespace WARPINT_BACKEND {

// The numbers that split all numbers into parts, one for each place. mine: of this rank's places.
template <class T>
std::vector<execution::PlacedNumber<T>> splitters_of_all(const process_group &group,
                                                         const Call &call, const Storages &mine,
                                                         const expression::Shards &shards) {
    using Placed = execution::PlacedNumber<T>;
    static_assert(std::is_trivially_copyable_v<Placed>);
    const std::size_t stride = containers::stride_of(shards);
    std::vector<Placed> samples;
    std::vector<Placed> all;
    Sizes bytes;
    group.together(call, [&] {
        samples = containers::samples_of_pieces<T>({group.devices(), group.place()}, mine, stride);
        for (const std::size_t size : shards.sizes) // as many as samples_of() takes of each
            bytes.push_back((size + stride - 1) / stride * sizeof(Placed));
        bytes = group.of_ranks(bytes);
        all.resize(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}) / sizeof(Placed));
    });
    group.send([&] { group.transport().gather_all(samples.data(), bytes, all.data()); });
    return containers::splitters_of(std::move(all), stride, shards);
}

// What each place has of each part, as Moves: (a, b) elements of place a are of part b.
class PartSizes {
public:
    // mine: the parts of each place of this rank.
    PartSizes(const process_group &group, const Call &call, const std::vector<Sizes> &mine)
        : places_{group.places()} {
        Sizes rows;
        for (const Sizes &row : mine)
            rows.insert(rows.end(), row.begin(), row.end());
        sizes_ = given_by_all(group, call, rows);
    }
    std::size_t operator()(std::size_t place, std::size_t part) const {
        return sizes_[place * places_ + part];
    }
    // The elements of each part.
    [[nodiscard]] Sizes of_parts() const {
        Sizes all(places_, 0);
        for (std::size_t place = 0; place < places_; ++place) {
            for (std::size_t part = 0; part < places_; ++part)
                all[part] += (*this)(place, part);
        }
        return all;
    }

private:
    std::size_t places_;
    Sizes sizes_;
};

// Of residues their forms.
template <class T, Space space>
const auto &stored_elements(const distributed_batch<T, space> &vector) {
    if constexpr (expression::is_shared_residue<T>) {
        return vector.forms();
    } else {
        return vector;
    }
}

// How many of a place's numbers, which are sorted, each part has.
template <class T>
Sizes sizes_of_sorted(const batch_vector<T, Space::device> &numbers, std::size_t place,
                      const std::vector<execution::PlacedNumber<T>> &splitters) {
    const std::vector<T> values = numbers.to_host();
    Sizes sizes;
    std::size_t before = 0;
    for (const execution::PlacedNumber<T> &splitter : splitters) {
        std::size_t low = before;
        std::size_t high = values.size();
        while (low < high) { // the first number that does not come before the splitter
            const std::size_t middle = low + (high - low) / 2;
            if (execution::comes_before(values[middle], place, middle, splitter)) {
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

// What a place asks the others for, to gather elements.
struct Asked {
    std::vector<std::uint64_t> positions; // on the places that have them, part by part
    std::vector<std::uint64_t> answers;   // which of those each element is; behind them: a fault
    Sizes parts;
};
// Where the elements are to come from, and how many each place has. Positions behind all, and
// faults, are faults.
inline Asked asked_of(const execution::Storage &where, const Sizes &lie) {
    const std::size_t count = where.size;
    std::vector<std::uint64_t> positions(count);
    execution::copy_to_host(positions.data(), where, 0, count * sizeof(positions[0]));
    const Bytes faults = faults_of(where);
    Sizes ends(lie.size());
    std::partial_sum(lie.begin(), lie.end(), ends.begin());
    Asked asked;
    asked.parts.resize(lie.size());
    std::vector<std::size_t> owner(count, lie.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (faults.data()[i] != 0 || positions[i] >= ends.back())
            continue;
        owner[i] = static_cast<std::size_t>(
            std::upper_bound(ends.begin(), ends.end(), positions[i]) - ends.begin());
        ++asked.parts[owner[i]];
    }
    Sizes next(lie.size());
    std::exclusive_scan(asked.parts.begin(), asked.parts.end(), next.begin(), std::size_t{0});
    asked.positions.resize(next.back() + asked.parts.back());
    asked.answers.assign(count, asked.positions.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (owner[i] == lie.size())
            continue;
        asked.answers[i] = next[owner[i]]++;
        asked.positions[asked.answers[i]] = positions[i] - (ends[owner[i]] - lie[owner[i]]);
    }
    return asked;
}

} // namespace WARPINT_BACKEND
} // namespace message_passing

// Sorts the elements in ascending order. Each piece keeps its number of elements. Collective. Each
// place needs memory for three copies of its elements, on a GPU also for two in host memory, and
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
    Storages mine = vector.handles();
    const auto splitters = splitters_of_all<T>(group, call, mine, shards);
    std::vector<Sizes> part_sizes(mine.size());
    group.together(call, [&] {
        auto parts = containers::parted_pieces<T>(vector.own(), mine, splitters);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            mine[i] = std::move(parts[i].numbers);
            part_sizes[i] = std::move(parts[i].sizes);
        }
    });
    const PartSizes sizes(group, call, part_sizes);
    mine = sent_elements(group, call, sizes, mine);
    group.together(call, [&] {
        group.devices().for_each_shard([&](std::size_t i) {
            batch_vector<T, space> part;
            part.adopt(*mine[i]);
            warpint::sort(part);
            mine[i] = part.handle();
        });
    });
    vector.adopt(sent_elements(group, call, Moves(sizes.of_parts(), shards.sizes), mine),
                 shards.sizes);
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
    distributed_batch<std::uint64_t, space> result(group);
    if (vector.size() == 0)
        return result;
    // Sorted where they lie; the parts are then ranges.
    const device_group &devices = group.devices();
    std::vector<batch_vector<T, space>> keys;
    std::vector<batch_vector<std::uint64_t, space>> positions;
    std::vector<Sizes> parts(devices.size());
    group.together(call, [&] {
        keys = containers::made_on_each(devices, [&](std::size_t i) { return vector.local(i); });
        positions = containers::made_on_each(devices, [&](std::size_t i) {
            batch_vector<std::uint64_t, space> own(keys[i].size());
            own = indices(own.size()) + vector.first(i);
            sort_by_key(keys[i], own);
            return own;
        });
    });
    const auto splitters = splitters_of_all<T>(group, call, containers::handles_of(keys), shards);
    group.together(call, [&] {
        devices.for_each_shard([&](std::size_t i) {
            parts[i] = sizes_of_sorted<T>(keys[i], group.place(i), splitters);
        });
    });
    const PartSizes sizes(group, call, parts);
    // Equal numbers arrive in the order of their positions, and a stable sort leaves them so.
    containers::adopt_each(keys, sent_elements(group, call, sizes, containers::handles_of(keys)));
    containers::adopt_each(positions,
                           sent_elements(group, call, sizes, containers::handles_of(positions)));
    group.together(call, [&] {
        devices.for_each_shard([&](std::size_t i) { sort_by_key(keys[i], positions[i]); });
    });
    result.adopt(sent_elements(group, call, Moves(sizes.of_parts(), shards.sizes),
                               containers::handles_of(positions)),
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
    group.prepare([&] {
        where = let(std::forward<Index>(index),
                    [count](const auto &i) { return select((i < 0) | (i >= count), count, i); });
        if (!(where.group() == group))
            throw wrong_location("warpint: an index on a different group from its source");
    });
    const Call call = where.call("gather", count * sizeof(Stored));
    distributed_batch<T, space> result(group);
    result.context() = source.context();

    // Each place asks the others for elements of theirs.
    const device_group &devices = group.devices();
    std::vector<Asked> asked;
    std::vector<Sizes> parts;
    group.together(call, [&] {
        const Storages own = where.handles();
        asked = containers::made_on_each(devices,
                                         [&](std::size_t i) { return asked_of(*own[i], lie); });
        for (const Asked &each : asked)
            parts.push_back(each.parts);
    });
    const PartSizes sizes(group, call, parts);
    std::vector<std::vector<std::uint64_t>> wanted;
    group.together(call, [&] {
        const Sizes of_places = sizes.of_parts();
        for (std::size_t i = 0; i < devices.size(); ++i)
            wanted.emplace_back(of_places[group.place(i)]);
    });
    exchange_elements(group, Memory::host, sizes, sizeof(std::uint64_t),
                      data_of(group,
                              [&](std::size_t i) {
                                  return reinterpret_cast<const unsigned char *>(
                                      asked[i].positions.data());
                              }),
                      data_of(group, [&](std::size_t i) {
                          return reinterpret_cast<unsigned char *>(wanted[i].data());
                      }));

    // What the others ask for, and where what they have sent belongs.
    const auto gathered = [](const batch_vector<Stored, space> &from,
                             const std::vector<std::uint64_t> &positions) {
        batch_vector<Stored, space> found;
        found = warpint::gather(from, Positions(positions.begin(), positions.end()));
        return found;
    };
    std::vector<batch_vector<Stored, space>> found;
    group.together(call, [&] {
        found = containers::made_on_each(devices, [&](std::size_t i) {
            return gathered(stored_elements(source).local(i), wanted[i]);
        });
    });
    const auto back = [&](std::size_t a, std::size_t b) { return sizes(b, a); };
    containers::adopt_each(found, sent_elements(group, call, back, containers::handles_of(found)));
    group.alone([&] {
        found = containers::made_on_each(
            devices, [&](std::size_t i) { return gathered(found[i], asked[i].answers); });
        result.adopt(containers::handles_of(found), where.sizes());
    });
    return result;
}

} // namespace warpint
