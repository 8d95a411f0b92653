// SPDX-License-Identifier: Apache-2.0
// Sorting sharded vectors, by samples (Frazer and McKellar, Samplesort: a sampling approach to
// minimal storage tree sorting, Journal of the ACM 17, 1970). Samples of all pieces show where to
// split the numbers so that each member gets about as many as it will keep. Each member receives
// its numbers from all others, once, and sorts them. A few numbers then move to neighbours to even
// out the sizes. Equal numbers are split by their positions, so that many of them do not meet on
// one member.
#pragma once

#include "sharded.h"
#include "sort.h"

#include "../execution/partition_cuda.h"

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
        execution_backend::wait_for_writes(shard);
        const execution::Workspace<T> room(*execution_backend::default_resource(shard.location),
                                           count, nullptr);
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
        execution_backend::make_storage(shard.location, shard.size, sizeof(T), shard.resource),
        std::vector<std::size_t>(splitters.size() + 1, 0)};
    execution::Storage &to = *result.numbers;
    const T *const numbers = static_cast<const T *>(shard.data);
#if WARPINT_CUDA
    if (shard.location.on_gpu()) {
        const execution::Operand operands[] = {{&shard, &shard, shard.size, sizeof(T), false}};
        const execution::Result results[] = {{to.data, to.size, sizeof(T), to.location, &to}};
        execution::OrderedWork work(shard.location.device, nullptr, operands, results);
        result.sizes = execution::partition_on_gpu(
            numbers, shard.size, run, splitters, static_cast<T *>(to.data),
            *execution_backend::default_resource(shard.location));
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

// The positions that begin at `first`.
template <class Positions>
struct PositionsFrom {
    Positions positions;
    std::size_t first;
    WARPINT_HOST_DEVICE std::size_t operator[](std::size_t i) const {
        return static_cast<std::size_t>(positions[first + i]);
    }
};
// The sorted numbers of a part, whose first has this rank among all. Those that its member keeps go
// to their places at once; the others, before and after those, go to memory of their own.
struct SortedPart {
    std::size_t rank = 0;
    std::size_t before = 0;
    std::size_t kept = 0;
    std::shared_ptr<execution::Storage> others;
};
template <class T, Space space>
SortedPart sort_part(const batch_vector<T, space> &part, std::size_t rank, execution::Storage &kept,
                     std::size_t kept_rank) {
    const std::size_t count = part.size();
    SortedPart result{rank, count, 0, nullptr};
    const std::size_t begin = std::max(rank, kept_rank);
    const std::size_t end = std::min(rank + count, kept_rank + kept.size);
    if (begin < end) {
        result.before = begin - rank;
        result.kept = end - begin;
    }
    result.others =
        execution_backend::make_storage(part.location(), count - result.kept, sizeof(T), nullptr);
    if (count == 0)
        return result;
    const std::shared_ptr<execution::Storage> places(&kept, [](execution::Storage *) {});
    const OrderedCopy copies[] = {{nullptr, result.others}, {nullptr, places}};
    with_order(part, copies, stream_handle{}, [&](const auto &for_each, const auto &positions) {
        using Positions = PositionsFrom<std::remove_cvref_t<decltype(positions)>>;
        const auto gather = [&](T *to, std::size_t first, std::size_t last) {
            for_each(last - first, execution::GatherByOrder<T, Positions>{
                                       part.data(), to, Positions{positions, first}});
        };
        T *const others = static_cast<T *>(result.others->data);
        const std::size_t behind = result.before + result.kept;
        gather(others, 0, result.before);
        if (result.kept != 0) {
            gather(static_cast<T *>(kept.data) + (begin - kept_rank), result.before, behind);
        }
        if (behind < count)
            gather(others + result.before, behind, count);
    });
    return result;
}

// Copies the numbers that other members sorted and that `kept`, from this rank on, holds to their
// places.
inline void take_others(execution::Storage &kept, std::size_t kept_rank,
                        const std::vector<SortedPart> &parts) {
    std::vector<execution_backend::RangeCopy> ranges;
    const auto take = [&](const SortedPart &part, std::size_t first, std::size_t count,
                          std::size_t rank) {
        const std::size_t begin = std::max(rank, kept_rank);
        const std::size_t end = std::min(rank + count, kept_rank + kept.size);
        if (begin < end) {
            ranges.push_back(
                {begin - kept_rank, part.others.get(), first + (begin - rank), end - begin});
        }
    };
    for (const SortedPart &part : parts) {
        take(part, 0, part.before, part.rank);
        take(part, part.before, part.others->size - part.before,
             part.rank + part.before + part.kept);
    }
    if (!ranges.empty())
        execution_backend::copy_ranges(kept, ranges);
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
    const std::size_t members = group.size();
    Storages runs(members);
    if (members == 1) {
        runs[0] = sorted_elements(vector.shard(0), stream_handle{});
        vector.adopt(runs, shards.sizes);
        return;
    }

    const std::size_t stride = vector.size() / (members * samples_of_member) + 1;
    std::vector<std::vector<execution::PlacedNumber<T>>> samples(members);
    group.for_each_shard(
        [&](std::size_t i) { samples[i] = samples_of<T>(*vector.shard(i).handle(), i, stride); });
    for (std::size_t i = 1; i < members; ++i)
        samples[0].insert(samples[0].end(), samples[i].begin(), samples[i].end());
    const auto splitters = splitters_of(std::move(samples[0]), stride, shards);

    std::vector<PartedShard> parts(members);
    group.for_each_shard(
        [&](std::size_t i) { parts[i] = parted<T>(*vector.shard(i).handle(), i, splitters); });
    std::vector<std::size_t> sizes(members, 0);
    for (std::size_t i = 0; i < members; ++i) {
        for (const PartedShard &from : parts)
            sizes[i] += from.sizes[i];
    }
    const Storages collected = vector.storages(sizes);
    group.for_each_shard([&](std::size_t i) {
        std::vector<execution_backend::RangeCopy> ranges;
        std::size_t filled = 0;
        for (const PartedShard &from : parts) {
            ranges.push_back({filled, from.numbers.get(), from.first(i), from.sizes[i]});
            filled += from.sizes[i];
        }
        execution_backend::copy_ranges(*collected[i], ranges);
    });
    parts.clear();
    runs = vector.storages(shards.sizes);
    const expression::Shards lie{sizes, shards.locations};
    std::vector<SortedPart> sorted(members);
    group.for_each_shard([&](std::size_t i) {
        batch_vector<T, space> unsorted;
        unsorted.adopt(*collected[i]);
        sorted[i] = sort_part(unsorted, lie.first(i), *runs[i], shards.first(i));
    });
    if (sizes != shards.sizes) {
        group.for_each_shard(
            [&](std::size_t i) { take_others(*runs[i], shards.first(i), sorted); });
    }
    vector.adopt(runs, shards.sizes);
}

} // namespace warpint
