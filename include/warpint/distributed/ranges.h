// SPDX-License-Identifier: Apache-2.0
// The elements of a piece in host memory, and their way to where they are to lie.
#pragma once

#include "group.h"

#include "../vector.h"
#include "../vector/shards.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace warpint::message_passing {
inline namespace WARPINT_BACKEND {

using Bytes = host_vector<unsigned char>; // pinned where a GPU is

inline Bytes pinned_bytes(std::size_t count) {
    return Bytes(count, uninitialized, pinned_resource());
}

// The bytes of a storage's elements, to send to memory of that kind: those themselves where they
// can travel from where they lie, else a copy.
class BytesToSend {
public:
    BytesToSend(const process_group &group, const execution::Storage &from, Memory to) {
        if (from.location.on_gpu() && !(to == Memory::pieces && group.is_direct())) {
            const std::size_t count = from.size * from.element_bytes;
            copied_ = pinned_bytes(count);
            execution_backend::copy_to_host(copied_.data(), from, 0, count);
            data_ = copied_.data();
        } else {
            execution_backend::wait_for_writes(from);
            data_ = static_cast<const unsigned char *>(from.data);
        }
    }
    [[nodiscard]] const unsigned char *data() const { return data_; }

private:
    Bytes copied_;
    const unsigned char *data_ = nullptr;
};

// Room for the bytes of a storage's elements, from memory of that kind; finish() has them there.
class BytesToReceive {
public:
    BytesToReceive(const process_group &group, execution::Storage &to, Memory from)
        : to_{to}, data_{static_cast<unsigned char *>(to.data)},
          is_copied_{to.location.on_gpu() && !(from == Memory::pieces && group.is_direct())} {
        if (is_copied_) {
            room_ = pinned_bytes(to.size * to.element_bytes);
            data_ = room_.data();
        } else {
            execution_backend::wait_for_uses(to);
        }
    }
    [[nodiscard]] unsigned char *data() { return data_; }
    void finish() {
        if (is_copied_)
            execution_backend::copy_from_host(to_, 0, room_.data(), room_.size());
    }

private:
    execution::Storage &to_;
    Bytes room_;
    unsigned char *data_;
    bool is_copied_;
};

// Where elements lie: so many on each rank, in that order.
using Sizes = std::vector<std::size_t>;

inline std::size_t first_of(const Sizes &sizes, std::size_t rank) {
    return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(rank),
                           std::size_t{0});
}
// All of them on one rank.
inline Sizes all_on(std::size_t rank, std::size_t count, std::size_t ranks) {
    Sizes sizes(ranks, 0);
    sizes[rank] = count;
    return sizes;
}

// Sends elements that lie as `from` says to where `to` says.
inline void move_elements(const process_group &group, Memory memory, std::size_t element_bytes,
                          const unsigned char *mine, const Sizes &from, unsigned char *room,
                          const Sizes &to) {
    const std::size_t own = group.index();
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    const auto common = [](std::size_t first, std::size_t count, std::size_t other_first,
                           std::size_t other_count, const auto &use) {
        const std::size_t begin = std::max(first, other_first);
        const std::size_t end = std::min(first + count, other_first + other_count);
        if (begin < end)
            use(begin - first, end - begin);
    };
    const std::size_t from_first = first_of(from, own);
    const std::size_t to_first = first_of(to, own);
    std::size_t other_from = 0;
    std::size_t other_to = 0;
    for (std::size_t k = 0; k < group.count(); ++k) {
        const int rank = static_cast<int>(k);
        common(from_first, from[own], other_to, to[k], [&](std::size_t i, std::size_t count) {
            outgoing.push_back({rank, mine + i * element_bytes, count * element_bytes});
        });
        common(to_first, to[own], other_from, from[k], [&](std::size_t i, std::size_t count) {
            incoming.push_back({rank, room + i * element_bytes, count * element_bytes});
        });
        other_from += from[k];
        other_to += to[k];
    }
    group.exchange(memory, outgoing, incoming);
}

// ---- faults, as a byte for each element where a storage has or takes any

inline Bytes faults_of(const execution::Storage &storage) {
    Bytes faults(storage.size);
    if (storage.size == 0 || !storage.may_have_faults())
        return faults;
    const std::vector<std::uint32_t> words = execution_backend::fault_words(storage);
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
    execution_backend::set_fault_words(storage, words);
}

// Moves the elements of one storage of each rank to another of each rank, with their faults if any
// rank may have some.
inline void move_storage(const process_group &group, const Call &call,
                         const execution::Storage &mine, const Sizes &from,
                         execution::Storage &room, const Sizes &to) {
    std::optional<BytesToSend> sent;
    std::optional<BytesToReceive> received;
    const std::vector<int> may_have_faults = group.together(call, [&] {
        sent.emplace(group, mine, Memory::pieces);
        received.emplace(group, room, Memory::pieces);
        return mine.may_have_faults() ? 1 : 0;
    });
    move_elements(group, Memory::pieces, mine.element_bytes, sent->data(), from, received->data(),
                  to);
    group.alone([&] { received->finish(); });
    if (std::find(may_have_faults.begin(), may_have_faults.end(), 1) == may_have_faults.end())
        return;
    Bytes faults, received_faults;
    group.together(call, [&] {
        faults = faults_of(mine);
        received_faults = Bytes(room.size);
    });
    move_elements(group, Memory::host, 1, faults.data(), from, received_faults.data(), to);
    group.alone([&] { set_faults(room, received_faults); });
}

} // namespace WARPINT_BACKEND
} // namespace warpint::message_passing
