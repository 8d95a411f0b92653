// SPDX-License-Identifier: Apache-2.0
// What a formula reads and writes, as plain lists: the checks before a launch and the order of work
// on streams look at these and not at the formula's type, so that they are compiled once.
#pragma once

#include "../../expression/gather.h"
#include "../../expression/limb_major.h"
#include "../../expression/sharded.h"
#include "storage.h"

#include <span>

namespace warpint {
namespace execution {

// One leaf of a formula that has a length.
struct Operand {
    const expression::BatchState *state = nullptr; // null: indices
    const Storage *storage = nullptr;              // null: indices, and memory that others own
    std::size_t size = 0;
    std::size_t element_bytes = 0;
    bool any_element = false; // is gathered from, and does not tell how many elements there are
    std::size_t stride = 0;   // of limbs in rows; 0: elements one after another
    bool anywhere = false;    // may lie on another GPU; what orders its uses is not looked at here
};

// How the elements of a batch are aligned in memory of its own.
constexpr std::size_t alignment_of(std::size_t element_bytes) {
    const std::size_t factor = element_bytes & (~element_bytes + 1); // of two, the largest
    return factor < 16 ? factor : 16;
}

// Bytes from the first to behind the last of an operand's or a result's elements.
template <class Elements>
std::size_t bytes_of(const Elements &elements) {
    if (elements.stride == 0 || elements.size == 0)
        return elements.size * elements.element_bytes;
    return (elements.element_bytes - 4) * elements.stride + 4 * elements.size;
}

template <class Tree>
inline constexpr std::size_t leaf_count = 1;
template <class T, Space space>
inline constexpr std::size_t leaf_count<expression::SourceOfShards<T, space>> =
    expression::max_gathered_shards;
template <class Operation, class... Operands>
inline constexpr std::size_t leaf_count<expression::Node<Operation, Operands...>> =
    (leaf_count<Operands> + ...);

// Writes the operands of a formula from `next` on, leaf_count<Tree> at most; returns where they
// end:
//
//   Operand room[leaf_count<Tree>];
//   const std::span<const Operand> operands{room, list_operands(room, tree)};
//
// The list is good for as long as the formula is.
template <class Leaf>
Operand *list_operands(Operand *next, const Leaf &) { // a constant, a name
    return next;
}
inline Operand *list_operands(Operand *next, const expression::IndexLeaf &leaf) {
    *next = Operand{nullptr, nullptr, leaf.size, 0, false};
    return next + 1;
}
template <class T, Space space>
Operand *list_operands(Operand *next, const expression::BatchLeaf<T, space> &leaf) {
    const expression::BatchState &state = leaf.state();
    *next = Operand{&state, static_cast<const Storage *>(leaf.shared.get()), state.size, sizeof(T),
                    false};
    return next + 1;
}
template <class T, Space space>
Operand *list_operands(Operand *next, const expression::SourceLeaf<T, space> &leaf) {
    Operand *const end =
        list_operands(next, static_cast<const expression::BatchLeaf<T, space> &>(leaf));
    next->any_element = true;
    return end;
}
template <class T, Space space>
Operand *list_operands(Operand *next, const expression::LimbMajorLeaf<T, space> &leaf) {
    *next = Operand{&leaf.state, nullptr, leaf.state.size, sizeof(T), false, leaf.stride};
    return next + 1;
}
template <class T, Space space>
Operand *list_operands(Operand *next, const expression::SourceOfShards<T, space> &leaf) {
    for (const auto &part : leaf.shared->parts)
        *next++ = Operand{part.get(), nullptr, part->size, sizeof(T), true, 0, true};
    return next;
}
template <class Operation, class... Operands>
Operand *list_operands(Operand *next, const expression::Node<Operation, Operands...> &node) {
    expression::with_operands(
        node, [&](const auto &...operand) { ((next = list_operands(next, operand)), ...); });
    return next;
}

// Where one result goes: the elements of a storage, or of a view (storage null).
struct Result {
    void *data = nullptr;
    std::size_t size = 0;
    std::size_t element_bytes = 0;
    Location location;
    Storage *storage = nullptr;
    std::size_t stride = 0;                   // as Operand's
    expression::MemoryMarks *marks = nullptr; // of a view of a vector
};

// The number of elements and the place of a formula, and whether its operands may have elements
// without a value.
struct Extent {
    std::size_t size = 0;
    Location location;
    bool may_have_faults = false;
};

// Whether all operands are vectors in host memory, of one size, read element by element, and have
// all values. Most short formulas are such; there is nothing else to look at then.
inline bool are_plain_vectors(std::span<const Operand> operands) {
    for (const Operand &operand : operands) {
        const Storage *const storage = operand.storage;
        if (storage == nullptr || operand.any_element || storage->size != operands.front().size ||
            storage->location.on_gpu() || storage->may_have_faults())
            return false;
    }
    return !operands.empty();
}

// A place in messages.
inline number::Message name_of(Location location) {
    return location.on_gpu() ? number::Message("GPU %d", location.device)
                             : number::Message("the host");
}

[[noreturn]] WARPINT_COLD inline void throw_two_places(Location one, Location other) {
    throw wrong_location(
        number::Message("warpint: batches on %s and on %s in one formula: copy one of them",
                        name_of(one).text(), name_of(other).text())
            .text());
}

WARPINT_NOINLINE inline Extent extent_of_any(std::span<const Operand> operands,
                                             Location of_indices) {
    Extent extent{0, of_indices};
    bool first_size = true;
    bool first_place = true;
    for (const Operand &operand : operands) {
        if (operand.state != nullptr && operand.state->may_have_faults())
            extent.may_have_faults = true;
        if (operand.state != nullptr && !operand.anywhere) {
            if (first_place) {
                extent.location = operand.state->location;
                first_place = false;
            } else if (!(operand.state->location == extent.location)) {
                throw_two_places(extent.location, operand.state->location);
            }
        }
        if (operand.any_element)
            continue;
        if (first_size) {
            extent.size = operand.size;
            first_size = false;
        } else {
            check_same_size(extent.size, operand.size);
        }
    }
    return extent;
}

// Throws if the operands disagree. A formula of indices alone runs where it is told to.
inline Extent extent_of(std::span<const Operand> operands, Location of_indices) {
    if (are_plain_vectors(operands))
        return {operands.front().size, Location{}};
    return extent_of_any(operands, of_indices);
}

[[noreturn]] WARPINT_COLD inline void throw_wrong_target(std::size_t elements,
                                                         std::size_t of_target) {
    throw size_mismatch(number::Message("warpint: a formula of %zu elements and a target of %zu",
                                        elements, of_target)
                            .text());
}
[[noreturn]] WARPINT_COLD inline void throw_wrong_target(Location formula, Location target) {
    throw wrong_location(number::Message("warpint: a formula on %s and a target on %s",
                                         name_of(formula).text(), name_of(target).text())
                             .text());
}
[[noreturn]] WARPINT_COLD inline void throw_overlap(const char *message) {
    throw wrong_location(message);
}

inline bool are_disjoint(const void *a, std::size_t a_bytes, const void *b, std::size_t b_bytes) {
    const auto x = reinterpret_cast<std::uintptr_t>(a);
    const auto y = reinterpret_cast<std::uintptr_t>(b);
    return x + a_bytes <= y || y + b_bytes <= x;
}

// Throws unless the results have the formula's size and place, lie apart from each other, and each
// operand is the result itself, element for element, or lies apart from it.
inline void check_results(std::span<const Result> results, std::span<const Operand> operands,
                          const Extent &extent) {
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Result &to = results[i];
        if (to.size != extent.size)
            throw_wrong_target(extent.size, to.size);
        if (!(to.location == extent.location) && extent.size != 0)
            throw_wrong_target(extent.location, to.location);
        const std::size_t bytes = bytes_of(to);
        for (const Operand &operand : operands) {
            if (operand.state == nullptr)
                continue;
            if (operand.storage != nullptr && to.storage != nullptr &&
                operand.storage != to.storage)
                continue; // vectors lie apart
            const bool same = !operand.any_element && operand.state->data == to.data &&
                              operand.element_bytes == to.element_bytes &&
                              operand.stride == to.stride;
            if (!same && !are_disjoint(to.data, bytes, operand.state->data, bytes_of(operand))) {
                throw_overlap(
                    operand.any_element
                        ? "warpint: the target overlaps the batch that is gathered from: assign to "
                          "another vector"
                        : "warpint: the target overlaps an operand at another offset: assign to "
                          "another vector");
            }
        }
        for (std::size_t k = 0; k < i; ++k) {
            if (!are_disjoint(to.data, bytes, results[k].data, bytes_of(results[k])))
                throw_overlap("warpint: two results of one formula go to the same place");
        }
    }
}

// Whether all operands and results lie on multiples of 16 bytes.
inline bool are_aligned(std::span<const Result> results, std::span<const Operand> operands) {
    const auto aligned = [](const void *data) {
        return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
    };
    for (const Result &to : results) {
        if (!aligned(to.data))
            return false;
    }
    for (const Operand &operand : operands) {
        if (operand.state != nullptr && !aligned(operand.state->data))
            return false;
    }
    return true;
}

// Bytes for each element that a formula loads again: those of batches that it names more than once.
inline int repeated_bytes(std::span<const Operand> operands) {
    std::size_t bytes = 0;
    for (std::size_t i = 1; i < operands.size(); ++i) {
        const Operand &a = operands[i];
        for (std::size_t k = 0; k < i && a.state != nullptr && !a.any_element; ++k) {
            const Operand &b = operands[k];
            if (b.state != nullptr && !b.any_element && b.state->data == a.state->data &&
                b.element_bytes == a.element_bytes && b.stride == a.stride) {
                bytes += a.element_bytes;
                break;
            }
        }
    }
    return static_cast<int>(bytes);
}

// Whether a result is an operand too.
inline bool is_in_place(std::span<const Result> results, std::span<const Operand> operands) {
    for (const Result &to : results) {
        for (const Operand &operand : operands) {
            if (operand.state != nullptr && operand.state->data == to.data)
                return true;
        }
    }
    return false;
}

inline void set_faults(std::span<const Result> results, bool may_have) {
    for (const Result &to : results) {
        if (to.storage != nullptr)
            to.storage->set_may_have_faults(may_have);
    }
}

#if WARPINT_CUDA

// Work on a stream in the order of what it reads and writes: waits for earlier work when it is
// made, and notes the new one by done(), or when an exception ends it, for what was launched
// before. All memory for that is taken before anything is launched. A view's memory is its owner's
// business; so is the order of what a stream records as a graph.
class OrderedWork {
public:
    WARPINT_NOINLINE OrderedWork(int device, cudaStream_t stream, std::span<const Operand> operands,
                                 std::span<const Result> results)
        : stream_{stream}, operands_{operands}, results_{results} {
        if (is_capturing(stream))
            return;
        if (!is_legacy(stream)) {
            const auto event = std::make_shared<Event>(device);
            const unsigned long long number = number_of(stream);
            for_each_storage([&](const Storage &, bool writes) {
                notes_.push_back(StreamUse{event, number, writes});
            });
            event_ = event->handle();
        }
        for_each_storage([&](const Storage &storage, bool writes) {
            uses_of(storage).order_before(device, stream_, writes);
        });
        is_open_ = true;
    }
    WARPINT_NOINLINE ~OrderedWork() {
        if (is_open_) {
            (void)note();
            cudaGetLastError(); // the exception that ended this tells of the first error
        }
    }
    OrderedWork(const OrderedWork &) = delete;
    OrderedWork &operator=(const OrderedWork &) = delete;

    WARPINT_NOINLINE void done() {
        if (is_open_)
            check_cuda(note(), "warpint: cudaEventRecord");
    }
    // Instead of done(), for work that the caller waits for.
    void is_waited_for() { is_open_ = false; }

private:
    static bool is_tracked(const Storage *storage) {
        return storage != nullptr && storage->uses != nullptr;
    }
    template <class Function>
    void for_each_storage(const Function &f) const {
        for (const Operand &operand : operands_) {
            if (is_tracked(operand.storage))
                f(*operand.storage, false);
        }
        for (const Result &to : results_) {
            if (is_tracked(to.storage))
                f(*to.storage, true);
        }
    }
    // If no event can be recorded, the work has ended when this returns.
    cudaError_t note() noexcept {
        is_open_ = false;
        cudaError_t error = cudaSuccess;
        if (event_ != nullptr)
            error = cudaEventRecord(event_, stream_);
        if (error != cudaSuccess) {
            cudaStreamSynchronize(stream_);
            return error;
        }
        for_each_storage([&](const Storage &storage, bool writes) {
            std::list<StreamUse> its;
            if (!notes_.empty())
                its.splice(its.begin(), notes_, notes_.begin());
            uses_of(storage).order_after(std::move(its), writes);
        });
        return cudaSuccess;
    }

    cudaStream_t stream_;
    std::span<const Operand> operands_;
    std::span<const Result> results_;
    std::list<StreamUse> notes_;  // one for each storage; none on the legacy stream
    cudaEvent_t event_ = nullptr; // of them
    bool is_open_ = false;
};

#endif

} // namespace execution
} // namespace warpint
