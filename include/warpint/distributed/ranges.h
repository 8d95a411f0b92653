// SPDX-License-Identifier: Apache-2.0
// The elements of pieces in host memory, and their way to where they are to lie.
#pragma once

#include "group.h"

#include "../vector.h"
#include "../vector/shards.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace warpint::message_passing {
inline namespace WARPINT_BACKEND {

using containers::Moves;
using containers::Storages;
using Bytes = host_vector<unsigned char>; // pinned where a GPU is

// Pinned memory that transfers have used and the next ones take again: to pin a gigabyte takes
// longer than to copy it to a GPU. Keeps the blocks that came back last, `limit` bytes of them at
// most.
class PinnedBlocks {
public:
    static constexpr std::size_t usual_limit = std::size_t{1} << 30;

    explicit PinnedBlocks(std::size_t limit = usual_limit) : limit_{limit} {}
    static PinnedBlocks &of_process() {
        static auto *const blocks = new PinnedBlocks; // outlives every group
        return *blocks;
    }

    // A block of at least so many bytes: the smallest that is kept, or a new one.
    Bytes take(std::size_t bytes) {
        {
            const std::lock_guard lock(mutex_);
            auto best = kept_.end();
            for (auto block = kept_.begin(); block != kept_.end(); ++block) {
                if (block->size() >= bytes && (best == kept_.end() || block->size() < best->size()))
                    best = block;
            }
            if (best != kept_.end()) {
                Bytes block = std::move(*best);
                kept_.erase(best);
                return block;
            }
        }
        return Bytes(bytes, uninitialized, pinned_resource());
    }
    void give_back(Bytes block) {
        const std::lock_guard lock(mutex_);
        kept_.push_back(std::move(block));
        std::size_t all = 0;
        for (const Bytes &each : kept_)
            all += each.size();
        while (all > limit_) {
            all -= kept_.front().size();
            kept_.pop_front();
        }
    }

private:
    std::size_t limit_;
    std::mutex mutex_;
    std::deque<Bytes> kept_; // the oldest first
};

// So many bytes of a pinned block, until the end of its life.
class PinnedBytes {
public:
    PinnedBytes() = default;
    explicit PinnedBytes(std::size_t size)
        : block_{PinnedBlocks::of_process().take(size)}, size_{size} {}
    PinnedBytes(PinnedBytes &&other) noexcept
        : block_{std::move(other.block_)}, size_{std::exchange(other.size_, 0)} {}
    PinnedBytes &operator=(PinnedBytes &&other) noexcept {
        std::swap(block_, other.block_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~PinnedBytes() {
        if (block_.size() != 0) {
            try {
                PinnedBlocks::of_process().give_back(std::move(block_));
            } catch (...) { // no memory for the list: the block goes
            }
        }
    }
    [[nodiscard]] unsigned char *data() { return block_.data(); }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    Bytes block_;
    std::size_t size_ = 0;
};

// The bytes of a storage's elements, to send to memory of that kind: those themselves where they
// can travel from where they lie, else a copy.
class BytesToSend {
public:
    BytesToSend(const process_group &group, const execution::Storage &from, Memory to) {
        if (from.location.on_gpu() && !(to == Memory::pieces && group.is_direct())) {
            copied_ = PinnedBytes(from.size * from.element_bytes);
            execution::copy_to_host(copied_.data(), from, 0, copied_.size());
            data_ = copied_.data();
        } else {
            execution::wait_for_writes(from);
            data_ = static_cast<const unsigned char *>(from.data);
        }
    }
    [[nodiscard]] const unsigned char *data() const { return data_; }

private:
    PinnedBytes copied_;
    const unsigned char *data_ = nullptr;
};

// Room for the bytes of a storage's elements, from memory of that kind; finish() has them there.
class BytesToReceive {
public:
    BytesToReceive(const process_group &group, execution::Storage &to, Memory from)
        : to_{to}, data_{static_cast<unsigned char *>(to.data)},
          is_copied_{to.location.on_gpu() && !(from == Memory::pieces && group.is_direct())} {
        if (is_copied_) {
            room_ = PinnedBytes(to.size * to.element_bytes);
            data_ = room_.data();
        } else {
            execution::wait_for_uses(to);
        }
    }
    [[nodiscard]] unsigned char *data() { return data_; }
    void finish() {
        if (is_copied_)
            execution::copy_from_host(to_, 0, room_.data(), room_.size());
    }

private:
    execution::Storage &to_;
    PinnedBytes room_;
    unsigned char *data_;
    bool is_copied_;
};

// How many elements lie on each place.
using Sizes = std::vector<std::size_t>;

// The numbers that all places give, in their order, each equally many. mine: of this rank's.
inline Sizes given_by_all(const process_group &group, const Call &call, const Sizes &mine) {
    Sizes bytes, all;
    group.together(call, [&] {
        const std::size_t each = mine.size() / group.devices().size();
        bytes = group.of_ranks(Sizes(group.places(), each * sizeof(std::size_t)));
        all.resize(group.places() * each);
    });
    group.send([&] { group.transport().gather_all(mine.data(), bytes, all.data()); });
    return all;
}

// Sends elements: counts(a, b) of those of place a, which lie in the order of b, to place b, which
// has them in the order of a. mine, rooms: of each place of this rank.
template <class Counts>
void exchange_elements(const process_group &group, Memory memory, const Counts &counts,
                       std::size_t element_bytes, std::vector<const unsigned char *> mine,
                       std::vector<unsigned char *> rooms) {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    // Between two ranks, all in the order of (a, b).
    for (std::size_t i = 0; i < mine.size(); ++i) {
        for (std::size_t place = 0; place < group.places(); ++place) {
            const std::size_t bytes = counts(group.place(i), place) * element_bytes;
            outgoing.push_back({group.rank_of(place), mine[i], bytes});
            mine[i] += bytes;
        }
    }
    for (std::size_t place = 0; place < group.places(); ++place) {
        for (std::size_t i = 0; i < rooms.size(); ++i) {
            const std::size_t bytes = counts(place, group.place(i)) * element_bytes;
            incoming.push_back({group.rank_of(place), rooms[i], bytes});
            rooms[i] += bytes;
        }
    }
    group.exchange(memory, outgoing, incoming);
}
// Where the bytes of each are: use(i).
template <class Data>
auto data_of(const process_group &group, const Data &data) {
    std::vector<std::invoke_result_t<const Data &, std::size_t>> all;
    for (std::size_t i = 0; i < group.devices().size(); ++i)
        all.push_back(data(i));
    return all;
}

// ---- faults, as a byte for each element where a storage has or takes any

inline Bytes faults_of(const execution::Storage &storage) {
    Bytes faults(storage.size);
    if (storage.size == 0 || !storage.may_have_faults())
        return faults;
    const std::vector<std::uint32_t> words = execution::fault_words(storage);
    for (std::size_t i = 0; i < storage.size; ++i)
        faults.data()[i] = static_cast<unsigned char>(words[i / 32] >> (i % 32) & 1u);
    return faults;
}
inline void set_faults(execution::Storage &storage, const Bytes &faults) {
    const unsigned char *const end = faults.data() + storage.size;
    if (std::find(faults.data(), end, 1) == end)
        return;
    std::vector<std::uint32_t> words(execution::fault_word_count(storage.size), 0);
    for (std::size_t i = 0; i < storage.size; ++i)
        words[i / 32] |= std::uint32_t{faults.data()[i]} << (i % 32);
    execution::set_fault_words(storage, words);
}

// Sends elements as exchange_elements() does from the storages of this rank's places, with their
// faults if any rank may have some. Returns new storages of what these places then have.
template <class Counts>
Storages sent_elements(const process_group &group, const Call &call, const Counts &counts,
                       const Storages &mine) {
    const device_group &devices = group.devices();
    const std::size_t own = devices.size();
    const std::size_t element_bytes = mine[0]->element_bytes;
    Storages rooms;
    std::vector<std::optional<BytesToSend>> sent;
    std::vector<std::optional<BytesToReceive>> received;
    const std::vector<int> may_have_faults = group.together(call, [&] {
        rooms.resize(own);
        sent.resize(own);
        received.resize(own);
        devices.for_each_shard([&](std::size_t i) {
            std::size_t size = 0;
            for (std::size_t place = 0; place < group.places(); ++place)
                size += counts(place, group.place(i));
            rooms[i] = execution::make_storage(devices.location(i), size, element_bytes, nullptr);
            sent[i].emplace(group, *mine[i], Memory::pieces);
            received[i].emplace(group, *rooms[i], Memory::pieces);
        });
        const auto may_have = [](const auto &each) { return each->may_have_faults(); };
        return std::any_of(mine.begin(), mine.end(), may_have) ? 1 : 0;
    });
    exchange_elements(group, Memory::pieces, counts, element_bytes,
                      data_of(group, [&](std::size_t i) { return sent[i]->data(); }),
                      data_of(group, [&](std::size_t i) { return received[i]->data(); }));
    group.alone([&] { devices.for_each_shard([&](std::size_t i) { received[i]->finish(); }); });
    if (std::find(may_have_faults.begin(), may_have_faults.end(), 1) == may_have_faults.end())
        return rooms;
    std::vector<Bytes> faults, received_faults;
    group.together(call, [&] {
        faults.resize(own);
        received_faults.resize(own);
        devices.for_each_shard([&](std::size_t i) {
            faults[i] = faults_of(*mine[i]);
            received_faults[i] = Bytes(rooms[i]->size);
        });
    });
    exchange_elements(
        group, Memory::host, counts, 1,
        data_of(group, [&](std::size_t i) { return std::as_const(faults[i]).data(); }),
        data_of(group, [&](std::size_t i) { return received_faults[i].data(); }));
    group.alone([&] {
        devices.for_each_shard([&](std::size_t i) { set_faults(*rooms[i], received_faults[i]); });
    });
    return rooms;
}

} // namespace WARPINT_BACKEND
} // namespace warpint::message_passing
