// SPDX-License-Identifier: Apache-2.0
// sort of sharded vectors. Each member sorts its elements; where the sorted shards are to be cut,
// so that the parts between two cuts are exactly what a member shall keep, is found by samples that
// close in on the cuts (Varman, Scheufler, Iyer and Ricard, Merging multiple lists on
// hierarchical-memory multiprocessors, Journal of Parallel and Distributed Computing 12, 1991);
// each member gets its parts from all others, once, and merges them.
#pragma once

#include "sharded.h"
#include "sort.h"

namespace warpint {

namespace containers {

// A number of a sorted run, with its place. Equal numbers are told apart by their places.
template <class T>
struct PlacedNumber {
    T value;
    std::size_t run;
    std::size_t index;

    friend bool operator<(const PlacedNumber &a, const PlacedNumber &b) {
        const auto &x = number::as_number(a.value);
        const auto &y = number::as_number(b.value);
        if (number::less(x, y))
            return true;
        if (number::less(y, x))
            return false;
        return a.run != b.run ? a.run < b.run : a.index < b.index;
    }
};

// What is known of a cut: run j has between lower[j] and upper[j] of the first `rank` numbers.
struct Cut {
    std::size_t rank;
    std::vector<std::size_t> lower;
    std::vector<std::size_t> upper;

    [[nodiscard]] bool is_found() const { return lower == upper; }
};

// Samples of the part of a run in which a cut lies.
inline constexpr std::size_t samples_of_run = 512;
inline std::size_t sample_stride(const Cut &cut, std::size_t run) {
    return (cut.upper[run] - cut.lower[run]) / samples_of_run + 1;
}
inline std::size_t sample_count(const Cut &cut, std::size_t run) {
    const std::size_t stride = sample_stride(cut, run);
    return (cut.upper[run] - cut.lower[run] + stride - 1) / stride;
}

// Narrows a cut by the numbers lower[j] + k * sample_stride(j) of each run j, sorted. A number is
// one of the first `rank` exactly if fewer than `rank` numbers come before it; samples say how many
// those are to within a stride for each run.
template <class T>
void narrow(Cut &cut, const std::vector<PlacedNumber<T>> &samples) {
    const std::size_t runs = cut.lower.size();
    std::vector<std::size_t> least = cut.lower; // of each run before the sample at hand
    std::vector<std::size_t> most = cut.lower;
    std::vector<std::size_t> lower = cut.lower;
    std::vector<std::size_t> upper = cut.upper;
    for (const PlacedNumber<T> &sample : samples) {
        least[sample.run] = most[sample.run] = sample.index;
        const std::size_t at_least = std::accumulate(least.begin(), least.end(), std::size_t{0});
        const std::size_t at_most = std::accumulate(most.begin(), most.end(), std::size_t{0});
        if (at_most < cut.rank) { // it is one of the first
            for (std::size_t j = 0; j < runs; ++j)
                lower[j] = std::max(lower[j], least[j]);
            lower[sample.run] = std::max(lower[sample.run], sample.index + 1);
        } else if (at_least >= cut.rank) { // it is not
            for (std::size_t j = 0; j < runs; ++j)
                upper[j] = std::min(upper[j], most[j]);
        }
        least[sample.run] = sample.index + 1;
        most[sample.run] =
            std::min(sample.index + sample_stride(cut, sample.run), cut.upper[sample.run]);
    }
    cut.lower = std::move(lower);
    cut.upper = std::move(upper);
}

// The samples that run j gives for each cut, one cut after another.
template <class T>
std::vector<T> samples_of(const execution::Storage &run, const std::vector<Cut> &cuts,
                          std::size_t j) {
    std::size_t count = 0;
    for (const Cut &cut : cuts)
        count += sample_count(cut, j);
    std::vector<T> samples(count);
    if (count == 0)
        return samples;
    const auto take = [&](T *to, const auto &for_each) {
        for (const Cut &cut : cuts) {
            for_each(sample_count(cut, j),
                     execution::EachStride<T>{static_cast<const T *>(run.data), to, cut.lower[j],
                                              sample_stride(cut, j)});
            to += sample_count(cut, j);
        }
    };
#if WARPINT_CUDA
    if (run.location.on_gpu()) {
        execution_backend::wait_for_writes(run);
        const execution::Workspace<T> room(*execution_backend::default_resource(run.location),
                                           count, nullptr);
        take(room.data(), [](std::size_t n, const execution::EachStride<T> &f) {
            execution::for_each_on_gpu(n, f, nullptr);
        });
        execution::check_cuda(
            cudaMemcpy(samples.data(), room.data(), count * sizeof(T), cudaMemcpyDeviceToHost),
            "warpint: copy to the host");
        return samples;
    }
#endif
    take(samples.data(), [](std::size_t n, const execution::EachStride<T> &f) {
        for (std::size_t k = 0; k < n; ++k)
            f(k);
    });
    return samples;
}

// Where sorted runs are to be cut, so that the parts before cut i, of all runs, have as many
// numbers as members 0 ... i - 1 shall keep: one cut more than there are members.
template <class T, Space space>
std::vector<Cut> cuts_of(const device_group &group,
                         const std::vector<std::shared_ptr<execution::Storage>> &runs,
                         const expression::Shards &shards) {
    const std::size_t members = runs.size();
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i <= members; ++i) {
        const std::vector<std::size_t> none(members, 0);
        cuts.push_back(
            {shards.first(i), i == members ? shards.sizes : none, i == 0 ? none : shards.sizes});
    }
    const auto are_found = [&] {
        return std::all_of(cuts.begin(), cuts.end(), [](const Cut &cut) { return cut.is_found(); });
    };
    while (!are_found()) {
        std::vector<std::vector<T>> samples(members); // of run j: for cut 0, for cut 1 ...
        group.for_each_shard([&](std::size_t j) { samples[j] = samples_of<T>(*runs[j], cuts, j); });
        std::vector<std::size_t> taken(members, 0);
        for (Cut &cut : cuts) {
            std::vector<PlacedNumber<T>> placed;
            for (std::size_t j = 0; j < members; ++j) {
                for (std::size_t k = 0; k < sample_count(cut, j); ++k) {
                    placed.push_back(
                        {samples[j][taken[j]++], j, cut.lower[j] + k * sample_stride(cut, j)});
                }
            }
            std::sort(placed.begin(), placed.end());
            narrow(cut, placed);
        }
    }
    return cuts;
}

// Where both storages lie.
template <class T>
void merge([[maybe_unused]] execution::Storage &from, [[maybe_unused]] execution::Storage &to,
           const execution::MergeRuns<T> &runs) {
#if WARPINT_CUDA
    if (to.location.on_gpu()) {
        const execution::Operand operands[] = {{&from, &from, from.size, sizeof(T), false}};
        const execution::Result results[] = {{to.data, to.size, sizeof(T), to.location, &to}};
        execution::OrderedWork work(to.location.device, nullptr, operands, results);
        execution::for_each_on_gpu(runs.calls(), runs, nullptr);
        work.done();
        return;
    }
#endif
    execution::parallel_for(runs.calls(), 1, 50 * runs.each,
                            [&](std::size_t first, std::size_t last) {
                                for (std::size_t i = first; i < last; ++i)
                                    runs(i);
                            });
}

// Merges sorted runs, which end at ends[0], ends[1] ... of one storage; in that one or
// another, whichever comes out.
template <class T>
std::shared_ptr<execution::Storage> merged_runs(std::shared_ptr<execution::Storage> from,
                                                std::vector<std::size_t> ends) {
    if (ends.size() < 2 || from->size == 0)
        return from;
    std::shared_ptr<execution::Storage> to =
        execution_backend::make_storage(from->location, from->size, sizeof(T), nullptr);
    while (ends.size() > 1) {
        std::vector<std::size_t> merged;
        for (std::size_t k = 0; k < ends.size(); k += 2) {
            const std::size_t first = k == 0 ? 0 : ends[k - 1];
            const std::size_t last = k + 1 < ends.size() ? ends[k + 1] : ends[k];
            merge(*from, *to,
                  execution::MergeRuns<T>{static_cast<const T *>(from->data),
                                          static_cast<T *>(to->data), first, ends[k], last});
            merged.push_back(last);
        }
        ends = std::move(merged);
        std::swap(from, to);
    }
    return from;
}

} // namespace containers

// Sorts the elements in ascending order of their values, all members at once; each keeps as many as
// it has. Needs memory for three copies. std::domain_error if elements have no value; then, and out
// of memory, nothing is moved.
template <AnyNumber T, Space space>
void sort(sharded_batch<T, space> &vector) {
    vector.check();
    if (vector.size() < 2)
        return;
    const device_group &group = vector.group();
    const expression::Shards shards = shards_of(*vector.handle());
    const std::size_t members = group.size();

    std::vector<std::shared_ptr<execution::Storage>> runs(members);
    group.for_each_shard([&](std::size_t i) {
        runs[i] = containers::sorted_elements(vector.shard(i), stream_handle{});
    });
    if (members > 1) {
        const std::vector<containers::Cut> cuts =
            containers::cuts_of<T, space>(group, runs, shards);
        std::vector<std::shared_ptr<execution::Storage>> parts = vector.storages(shards.sizes);
        std::vector<std::vector<std::size_t>> ends(members);
        group.for_each_shard([&](std::size_t i) {
            std::vector<execution_backend::RangeCopy> ranges;
            std::size_t filled = 0;
            for (std::size_t j = 0; j < members; ++j) {
                const std::size_t first = cuts[i].lower[j];
                const std::size_t count = cuts[i + 1].lower[j] - first;
                if (count == 0)
                    continue;
                ranges.push_back({filled, runs[j].get(), first, count});
                filled += count;
                ends[i].push_back(filled);
            }
            execution_backend::copy_ranges(*parts[i], ranges);
        });
        runs.assign(members, nullptr);
        group.for_each_shard([&](std::size_t i) {
            runs[i] = containers::merged_runs<T>(std::move(parts[i]), std::move(ends[i]));
        });
    }
    vector.adopt(runs);
}

} // namespace warpint
