// SPDX-License-Identifier: Apache-2.0
// The parts of a vector that do not depend on its elements: sizes, capacity, faults, and handing
// storage to formulas. Not a template, so that it is compiled once.
#pragma once

#include "../execution/assign.h"
#include "../execution/memory/copies.h"
#include "../limb/assert.h"

#include <bit>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace warpint {
namespace containers {

// Swaps what two vectors share with the formulas that name them: by its contents, so that formulas
// follow. Where a vector has none, because it was moved from, by the pointers.
template <class Shared>
void swap_shared(std::shared_ptr<Shared> &a, std::shared_ptr<Shared> &b) noexcept {
    if (a != nullptr && b != nullptr) {
        std::swap(*a, *b);
    } else {
        a.swap(b);
    }
}

} // namespace containers

namespace execution::inline WARPINT_BACKEND {

// Elements in one piece of memory that is shared with formulas. A vector derives from it.
class SharedElements {
public:
    [[nodiscard]] std::size_t size() const { return storage_ ? storage_->size : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    // The number of elements that there is room for.
    [[nodiscard]] std::size_t capacity() const { return storage_ ? storage_->capacity : 0; }
    [[nodiscard]] Location location() const { return storage_ ? storage_->location : place(); }

    // Makes room for at least `count` elements.
    void reserve(std::size_t count) {
        if (count > capacity())
            move_to(count, size());
    }
    void shrink_to_fit() {
        if (capacity() != size())
            move_to(size(), size());
    }
    // Removes the last element of a vector that is not empty.
    void pop_back() {
        WARPINT_ASSERT(!empty());
        storage_->size -= 1;
    }
    void clear() {
        if (storage_)
            replace_by(*target_for(0, storage_->location));
    }

    // Waits for the work on this vector; throws std::domain_error with the count and the first
    // index if there are faults: elements without a value (division by zero, no modulus ...), which
    // are 0.
    void check() const {
        if (!storage_)
            return;
        if (!storage_->may_have_faults()) {
            wait_for_writes(*storage_);
            return;
        }
        const std::vector<std::uint32_t> mask = fault_words(*storage_);
        std::size_t count = 0;
        std::size_t first = size();
        for (std::size_t word = mask.size(); word-- > 0;) {
            if (mask[word] == 0)
                continue;
            count += static_cast<std::size_t>(std::popcount(mask[word]));
            first = word * 32 + static_cast<std::size_t>(std::countr_zero(mask[word]));
        }
        if (count != 0) {
            const expression::Thrown *thrown = storage_->marks->thrown.get();
            if (thrown != nullptr && (thrown->index >= size() || has_value(thrown->index)))
                thrown = nullptr; // the element is gone
            throw_without_value(count, size(), first, thrown);
        }
    }

    // One flag per element: true for a fault.
    [[nodiscard]] std::vector<bool> error_mask() const {
        std::vector<bool> flags(size(), false);
        if (!storage_ || !storage_->may_have_faults())
            return flags;
        const std::vector<std::uint32_t> mask = fault_words(*storage_);
        for (std::size_t i = 0; i < flags.size(); ++i)
            flags[i] = (mask[i / 32] >> (i % 32) & 1u) != 0;
        return flags;
    }

    // Clears all faults: their elements become plain zeros.
    void clear_errors() {
        if (storage_)
            storage_->set_may_have_faults(false);
    }

    // ---- for this library

    // What formulas share.
    [[nodiscard]] const std::shared_ptr<Storage> &handle() const {
        if (!storage_)
            make_empty();
        return storage_;
    }
    // Whether this vector's storage has that size and place.
    [[nodiscard]] bool fits(std::size_t count, Location where) const {
        return handle()->size == count && (count == 0 || storage_->location == where);
    }
    // This vector's storage if it fits, otherwise a fresh one.
    [[nodiscard]] WARPINT_NOINLINE std::shared_ptr<Storage> target_for(std::size_t count,
                                                                       Location where) {
        if (fits(count, where))
            return storage_;
        return make_storage(where, count, element_bytes_, resource_at(where));
    }
    // The resource that this vector uses at a place: its own there, otherwise the place's default
    // (null).
    [[nodiscard]] memory_resource *resource_at(Location where) const {
        return storage_ && storage_->location == where ? storage_->resource : nullptr;
    }
    // Adopts the storage that target_for() returned; formulas that share this vector see it too.
    void adopt(Storage &target) {
        if (&target != storage_.get())
            std::swap(*storage_, target);
    }

    // The target of one formula of these operands. A formula of indices alone runs where the vector
    // lies.
    class Target {
    public:
        Target(SharedElements &vector, std::span<const Operand> operands)
            : vector_{vector}, extent_{extent_of(operands, vector.handle()->location)} {
            if (!vector.fits(extent_.size, extent_.location))
                fresh_ = vector.target_for(extent_.size, extent_.location);
        }
        [[nodiscard]] const Extent &extent() const { return extent_; }
        [[nodiscard]] Storage &storage() const {
            return fresh_ != nullptr ? *fresh_ : *vector_.storage_;
        }
        // After the formula ran.
        void adopt() {
            if (fresh_ != nullptr)
                vector_.adopt(*fresh_);
        }

    private:
        SharedElements &vector_;
        Extent extent_;
        std::shared_ptr<Storage> fresh_; // null: the vector's own
    };

protected:
    // Makes elements that are not initialised. on_device: vectors of this type lie on the GPU that
    // is current, if there is one.
    SharedElements(std::size_t element_bytes, bool on_device, std::size_t count, Location where,
                   memory_resource *resource)
        : storage_{make_storage(where, count, element_bytes, resource)},
          element_bytes_{element_bytes}, on_device_{on_device} {}
    SharedElements(const SharedElements &other)
        : SharedElements(other.element_bytes_, other.on_device_, other.size(), other.location(),
                         nullptr) {
        copy_elements(*storage_, *other.handle(), size());
    }
    SharedElements(SharedElements &&other) noexcept = default;
    SharedElements &operator=(const SharedElements &other) {
        if (this != &other)
            copy_from(other);
        return *this;
    }
    SharedElements &operator=(SharedElements &&other) noexcept {
        if (this != &other) {
            swap(other);
            if (other.storage_) {
                other.storage_->size = 0; // also for formulas that name it
                other.storage_.reset();
            }
        }
        return *this;
    }
    ~SharedElements() = default;

    // Copies the elements of another vector of the same type, also between host and device, with
    // their faults.
    void copy_from(const SharedElements &other) {
        const std::shared_ptr<Storage> target = new_elements(other.size());
        copy_elements(*target, *other.handle(), other.size());
        adopt(*target);
    }
    // Exchanges what two vectors hold, also for formulas that name them.
    void swap(SharedElements &other) noexcept { containers::swap_shared(storage_, other.storage_); }

    [[nodiscard]] Location place() const { return on_device_ ? device_location() : Location{}; }
    // Where `count` elements go that replace all: replace_by() follows when they are there.
    [[nodiscard]] std::shared_ptr<Storage> new_elements(std::size_t count) {
        return target_for(count, handle()->location);
    }
    // Adopts a storage without faults.
    void replace_by(Storage &target) {
        target.set_may_have_faults(false);
        adopt(target);
    }
    // Moves the first `kept` elements to memory for `room`.
    void move_to(std::size_t room, std::size_t kept) {
        const Storage &former = *handle();
        const std::shared_ptr<Storage> target =
            make_storage(former.location, room, element_bytes_, former.resource);
        copy_elements(*target, *storage_, kept);
        target->size = kept;
        adopt(*target);
    }
    // Replaces `count` elements from `first` by those of a storage, in new memory. Faults stay with
    // their elements. std::out_of_range beyond the end.
    void splice(std::size_t first, std::size_t count, const Storage &by) {
        check_range(first, count);
        const Storage &former = *handle();
        const RangeCopy parts[] = {
            {0, &former, 0, first},
            {first, &by, 0, by.size},
            {first + by.size, &former, first + count, former.size - first - count}};
        const std::size_t size = parts[2].to_first + parts[2].count;
        const std::shared_ptr<Storage> target = make_storage(
            former.location, std::max(size, former.capacity), element_bytes_, former.resource);
        target->size = size;
        target->set_may_have_faults(false);
        copy_ranges(*target, {std::begin(parts), std::end(parts)});
        if (former.may_have_faults() || by.may_have_faults()) {
            std::vector<std::uint32_t> to(fault_word_count(size));
            expression::ThrownText thrown;
            for (const RangeCopy &part : parts) {
                if (!part.from->may_have_faults())
                    continue;
                const expression::ThrownText &its = part.from->marks->thrown;
                if (its != nullptr && its->index - part.from_first < part.count) {
                    const std::size_t k = its->index - part.from_first + part.to_first;
                    thrown = expression::first_thrown(thrown, expression::thrown_at(its, k));
                }
                const std::vector<std::uint32_t> from = fault_words(*part.from);
                for (std::size_t i = 0; i < part.count; ++i) {
                    const std::size_t j = part.from_first + i;
                    const std::size_t k = part.to_first + i;
                    to[k / 32] |= (from[j / 32] >> (j % 32) & 1u) << (k % 32);
                }
            }
            set_fault_words(*target, to);
            if (target->marks != nullptr)
                target->marks->thrown = thrown;
        }
        adopt(*target);
    }
    // Adds elements, which stand behind the last one already. No faults.
    void grow_within(std::size_t count) {
        if (count > size())
            clear_faults(size(), count);
        handle()->size = count;
    }
    // Clears the faults of elements [first, last).
    void clear_faults(std::size_t first, std::size_t last) {
        if (!storage_->may_have_faults() || first >= last)
            return;
        expression::ThrownText &thrown = storage_->marks->thrown;
        if (thrown != nullptr && thrown->index >= first && thrown->index < last)
            thrown = nullptr; // of an element that gets a value
        const std::size_t word = first / 32;
        const std::size_t words = fault_word_count(last) - word;
        const std::size_t offset = fault_offset(*storage_) + word * 4;
        std::vector<std::uint32_t> mask(words);
        copy_to_host(mask.data(), *storage_, offset, words * 4);
        for (std::size_t i = first; i < last; ++i)
            mask[i / 32 - word] &= ~(1u << (i % 32));
        copy_from_host(*storage_, offset, mask.data(), words * 4);
    }

    void check_range(std::size_t first, std::size_t count) const {
        if (first > size() || count > size() - first) {
            throw std::out_of_range(
                number::Message("warpint: %zu elements from position %zu in a vector of %zu", count,
                                first, size())
                    .text());
        }
    }
    void check_index(std::size_t i) const {
        if (i >= size()) {
            throw std::out_of_range(
                number::Message("warpint: element %zu of a vector of %zu", i, size()).text());
        }
    }
    // Whether element i < size() has a value.
    [[nodiscard]] bool has_value(std::size_t i) const {
        if (!storage_->may_have_faults())
            return true;
        std::uint32_t word = 0;
        copy_to_host(&word, *storage_, fault_offset(*storage_) + i / 32 * 4, 4);
        return (word >> (i % 32) & 1u) == 0;
    }
    // Throws std::domain_error if element i < size() has no value: as check() does, or, where a
    // reference to it was asked for, with the way to give it one.
    void check_element(std::size_t i) const {
        if (!has_value(i))
            check();
    }
    void check_reference(std::size_t i) const {
        if (!has_value(i))
            throw_no_reference(i, storage_->marks->thrown.get());
    }

    mutable std::shared_ptr<Storage> storage_; // null in a vector that was moved from

private:
    WARPINT_COLD void make_empty() const {
        storage_ = make_storage(place(), 0, element_bytes_, nullptr);
    }

    std::size_t element_bytes_;
    bool on_device_;
};

} // namespace execution::inline WARPINT_BACKEND
} // namespace warpint
