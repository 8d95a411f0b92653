// SPDX-License-Identifier: Apache-2.0
// Sorting sharded vectors, by samples (Frazer and McKellar, Samplesort: a sampling approach to
// minimal storage tree sorting, Journal of the ACM 17, 1970). Samples of all pieces show where to
// split the numbers so that each member gets about as many as it will keep. Each member receives
// its numbers from all others, once, and sorts them. A few numbers then move to neighbours so that
// each member keeps its count. Equal numbers are split by their positions, so that many of them do
// not meet on one member.
#pragma once

#include "sharded.h"
#include "sort.h"

#include "../execution/order/partition_cuda.h"

#include <algorithm>
#include <span>

namespace warpint {

namespace containers {

// Samples for each member: the sizes of the parts are off by about 5 per cent.
inline constexpr std::size_t samples_of_member = 512;

// Samples of a shard, in any order, one for every `stride` numbers.
template <class T>
std::vector<execution::PlacedNumber<T>> samples_of(const execution::Storage &shard, std::size_t run,
                                                   std::size_t stride) {
    const std::size_t count = (shard.size + stride - 1) / stride;
    if (count == 0)
        return {};
    std::vector<T> values(count);
    const auto take = [&](T *to) {
        return execution::TakeSamples<T>{static_cast<const T *>(shard.data), to, stride,
                                         shard.size};
    };
#if WARPINT_CUDA
    if (shard.location.on_gpu()) {
        execution::wait_for_writes(shard);
        const execution::Workspace<T> room(*execution::default_resource(shard.location), count,
                                           nullptr);
        execution::for_each_on_gpu(count, take(room.data()), nullptr);
        execution::check_cuda(
            cudaMemcpy(values.data(), room.data(), count * sizeof(T), cudaMemcpyDeviceToHost),
            "warpint: copy to the host");
    } else
#endif
    {
        for (std::size_t k = 0; k < count; ++k)
            take(values.data())(k);
    }
    std::vector<execution::PlacedNumber<T>> samples;
    for (std::size_t k = 0; k < count; ++k)
        samples.push_back({values[k], run, execution::sample_index(k, stride, shard.size)});
    return samples;
}

// A sample is one of so many numbers.
inline std::size_t stride_of(const expression::Shards &shards) {
    return shards.size() / (shards.sizes.size() * samples_of_member) + 1;
}
// Samples of the pieces of a process.
template <class T>
std::vector<execution::PlacedNumber<T>>
samples_of_pieces(const OwnPieces &own, const Storages &pieces, std::size_t stride) {
    const auto each = made_on_each(own.devices, [&](std::size_t i) {
        return samples_of<T>(*pieces[i], own.first + i, stride);
    });
    std::vector<execution::PlacedNumber<T>> all;
    for (const auto &some : each)
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

// Of [begin, end), puts the elements to the given places, which ascend, that they have in order.
template <class Iterator, class Less>
void select_places(Iterator all, std::size_t begin, std::size_t end,
                   std::span<const std::size_t> places, const Less &less) {
    if (places.empty())
        return;
    const std::size_t middle = places.size() / 2;
    const std::size_t place = places[middle];
    const auto at = [&](std::size_t i) { return all + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(place), at(end), less);
    std::size_t next = middle + 1;
    while (next < places.size() && places[next] == place)
        ++next;
    select_places(all, begin, place, places.first(middle), less);
    select_places(all, place + 1, end, places.subspan(next), less);
}

// The numbers that split all numbers into parts about as large as the shards.
template <class T>
std::vector<execution::PlacedNumber<T>>
splitters_of(std::vector<execution::PlacedNumber<T>> samples, std::size_t stride,
             const expression::Shards &shards) {
    using Placed = execution::PlacedNumber<T>;
    std::vector<std::size_t> places;
    for (std::size_t i = 1; i < shards.sizes.size(); ++i)
        places.push_back(std::min(shards.first(i) / stride, samples.size() - 1));
    select_places(samples.begin(), 0, samples.size(), places, [](const Placed &a, const Placed &b) {
        return execution::comes_before(a.value, a.run, a.index, b);
    });
    std::vector<Placed> splitters;
    for (const std::size_t place : places)
        splitters.push_back(samples[place]);
    return splitters;
}

// A shard's numbers part by part, in memory of their own.
struct PartedShard {
    std::shared_ptr<execution::Storage> numbers;
    std::vector<std::size_t> sizes;

    [[nodiscard]] std::size_t first(std::size_t part) const {
        return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(part),
                               std::size_t{0});
    }
};
template <class T>
PartedShard parted(execution::Storage &shard, std::size_t run,
                   const std::vector<execution::PlacedNumber<T>> &splitters) {
    PartedShard result{
        execution::make_storage(shard.location, shard.size, sizeof(T), shard.resource),
        std::vector<std::size_t>(splitters.size() + 1, 0)};
    execution::Storage &to = *result.numbers;
    const T *const numbers = static_cast<const T *>(shard.data);
#if WARPINT_CUDA
    if (shard.location.on_gpu()) {
        const execution::Operand operands[] = {{&shard, &shard, shard.size, sizeof(T), false}};
        const execution::Result results[] = {{to.data, to.size, sizeof(T), to.location, &to}};
        execution::OrderedWork work(shard.location.device, nullptr, operands, results);
        result.sizes = execution::partition_on_gpu(numbers, shard.size, run, splitters,
                                                   static_cast<T *>(to.data),
                                                   *execution::default_resource(shard.location));
        work.done();
        return result;
    }
#endif
    const auto part = [&](std::size_t i) {
        return execution::part_of(numbers[i], run, i, splitters.data(),
                                  static_cast<unsigned>(splitters.size()));
    };
    for (std::size_t i = 0; i < shard.size; ++i)
        ++result.sizes[part(i)];
    std::vector<std::size_t> next;
    for (std::size_t p = 0; p <= splitters.size(); ++p)
        next.push_back(result.first(p));
    for (std::size_t i = 0; i < shard.size; ++i)
        static_cast<T *>(to.data)[next[part(i)]++] = numbers[i];
    return result;
}

template <class T>
std::vector<PartedShard> parted_pieces(const OwnPieces &own, const Storages &pieces,
                                       const std::vector<execution::PlacedNumber<T>> &splitters) {
    return made_on_each(
        own.devices, [&](std::size_t i) { return parted(*pieces[i], own.first + i, splitters); });
}

// Gathers numbers in order: of these places to `kept`, the others, before and after those, to
// memory of their own.
template <class T, class Positions>
struct GatherApart {
    const T *from;
    T *others;
    T *kept;
    std::size_t begin, end;
    Positions positions;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        T *const to = i < begin ? others + i
                      : i < end ? kept + (i - begin)
                                : others + (i - (end - begin));
        *to = from[static_cast<std::size_t>(positions[i])];
    }
};
// Sorts the numbers that member i has. Those that it keeps go to their places at once; returns the
// others.
template <class T, Space space>
std::shared_ptr<execution::Storage> sort_part(const batch_vector<T, space> &part, std::size_t i,
                                              const Moves &moves,
                                              const std::shared_ptr<execution::Storage> &kept) {
    const std::size_t stay = moves(i, i);
    std::size_t begin = 0; // of those that it keeps: here,
    std::size_t place = 0; // and where they go
    for (std::size_t k = 0; k < i; ++k) {
        begin += moves(i, k);
        place += moves(k, i);
    }
    auto others = execution::make_storage(part.location(), part.size() - stay, sizeof(T), nullptr);
    if (part.size() == 0)
        return others;
    const OrderedCopy copies[] = {{nullptr, others}, {nullptr, kept}};
    with_order(part, copies, stream_handle{}, [&](const auto &for_each, const auto &positions) {
        for_each(part.size(),
                 GatherApart<T, std::remove_cvref_t<decltype(positions)>>{
                     part.data(), static_cast<T *>(others->data),
                     static_cast<T *>(kept->data) + place, begin, begin + stay, positions});
    });
    return others;
}

} // namespace containers

// Sorts the elements in ascending order, on all members at once. Each member keeps its number of
// elements. Needs memory for three copies, and what sort() of one vector needs besides. Faults:
// std::domain_error. After this error, or if memory runs out, nothing has moved.
template <AnyNumber T, Space space>
void sort(sharded_batch<T, space> &vector) {
    using namespace containers;
    vector.check();
    if (vector.size() < 2)
        return;
    const device_group &group = vector.group();
    const expression::Shards shards = shards_of(*vector.handle());
    if (group.size() == 1) {
        vector.adopt({sorted_elements(vector.shard(0), stream_handle{})}, shards.sizes);
        return;
    }
    const std::size_t stride = stride_of(shards);
    const Storages mine = vector.handles();
    const auto splitters =
        splitters_of(samples_of_pieces<T>(vector.own(), mine, stride), stride, shards);
    auto parts = parted_pieces<T>(vector.own(), mine, splitters);
    const auto counts = [&](std::size_t a, std::size_t b) { return parts[a].sizes[b]; };
    std::vector<std::size_t> sizes(group.size(), 0);
    Storages numbers;
    for (const PartedShard &each : parts) {
        numbers.push_back(each.numbers);
        for (std::size_t i = 0; i < sizes.size(); ++i)
            sizes[i] += each.sizes[i];
    }
    const Storages collected = new_storages(group, sizes, sizeof(T));
    exchange_elements(group, counts, numbers, collected);
    numbers.clear();
    parts.clear();
    const Storages runs = new_storages(group, shards.sizes, sizeof(T));
    const Moves moves(sizes, shards.sizes);
    const Storages others = made_on_each(group, [&](std::size_t i) {
        batch_vector<T, space> unsorted;
        unsorted.adopt(*collected[i]);
        return sort_part(unsorted, i, moves, runs[i]);
    });
    exchange_elements(group, moves, others, runs, false);
    vector.adopt(runs, shards.sizes);
}

} // namespace warpint
