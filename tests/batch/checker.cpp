// SPDX-License-Identifier: Apache-2.0
#include "checker.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace batch_test {

using test::Integer;

void Checker::begin(const unsigned char *record, std::size_t size) {
    slots_.clear();
    first_ = 0;
    message_.clear();
    std::size_t left = size;
    while (left >= slot_unit) {
        const unsigned char *const at = record + (size - left);
        Slot slot{{}, at + slot_unit, false};
        std::memcpy(&slot.header, at, sizeof slot.header);
        const std::size_t all = slot_unit + round_to_unit(slot.header.size) + slot_unit;
        if (all > left)
            break;
        slots_.push_back(slot);
        left -= all;
    }
    is_whole_ = left == 0;
}

void Checker::fail(const char *what, const std::string &text) {
    if (message_.empty())
        message_ = std::string(what) + ": " + text;
}

Checker::Slot *Checker::find(const char *what) {
    if (failed())
        return nullptr;
    ++comparisons_;
    while (first_ < slots_.size() && slots_[first_].taken)
        ++first_;
    const std::uint32_t name = hash_of_name(what);
    for (std::size_t i = first_; i < slots_.size(); ++i) {
        if (slots_[i].header.name == name && !slots_[i].taken)
            return &slots_[i];
    }
    fail(what, "the body has no such result");
    return nullptr;
}

bool Checker::take(const char *what, Slot &slot, Type type) {
    slot.taken = true;
    const SlotHeader &header = slot.header;
    // All the bytes around the value: those after it are at most two units.
    constexpr std::uint64_t guard = 0x0101010101010101u * guard_byte;
    constexpr std::uint64_t guards[2 * slot_unit / 8] = {guard, guard, guard, guard};
    const std::size_t space = round_to_unit(header.size) + slot_unit;
    const bool intact = std::memcmp(&header.guard, guards, sizeof header.guard) == 0 &&
                        std::memcmp(slot.value + header.size, guards, space - header.size) == 0;
    if (!intact)
        fail(what, "guard bytes around the result were overwritten");
    if (slot.type() != type) {
        fail(what, "stored in a type of " + std::to_string(slot.type().bits) +
                       " bits, signed: " + std::to_string(slot.type().is_signed) + "; expected " +
                       std::to_string(type.bits) + ", " + std::to_string(type.is_signed));
        return false;
    }
    if (8 * std::size_t{header.size} < static_cast<std::size_t>(type.bits)) {
        fail(what, "the slot's header has no valid size");
        return false;
    }
    return true;
}

void Checker::compare(const char *what, const Slot &slot, const Integer &exact) {
    const Type type = slot.type();
    const std::size_t size = slot.header.size;
    // The limbs that the value must have, sign copies and zero padding included.
    std::vector<mp_limb_t> &limbs = limbs_.of(exact, type.bits);
    limbs.resize((size + 7) / 8);
    if (type.is_signed) {
        const std::size_t top = static_cast<std::size_t>(type.bits - 1) / 64;
        const mp_limb_t sign = mp_limb_t{1} << (type.bits - 1) % 64;
        if ((limbs[top] & sign) != 0) {
            limbs[top] |= ~(sign - 1);
            std::fill(limbs.begin() + static_cast<std::ptrdiff_t>(top) + 1, limbs.end(),
                      ~mp_limb_t{0});
        }
    }
    if (std::memcmp(slot.value, limbs.data(), size) != 0) {
        Integer found, wanted;
        mpz_import(found.raw(), size, -1, 1, 0, 0, slot.value);
        mpz_import(wanted.raw(), size, -1, 1, 0, 0, limbs.data());
        std::ostringstream text;
        text << "got limbs " << found << ", expected limbs " << wanted;
        fail(what, text.str());
    }
}

void Checker::value(const char *what, Type type, const Integer &exact) {
    Slot *const slot = find(what);
    if (slot != nullptr && take(what, *slot, type))
        compare(what, *slot, exact);
}

Integer Checker::taken(const char *what, Type type) {
    Slot *const slot = find(what);
    if (slot == nullptr || !take(what, *slot, type))
        return {};
    Integer found;
    mpz_import(found.raw(), slot->header.size, -1, 1, 0, 0, slot->value);
    if (type.is_signed)
        found = test::store_signed(found, 8 * static_cast<int>(slot->header.size));
    if (type.is_signed ? !test::fits_signed(found, type.bits)
                       : !test::fits_unsigned(found, type.bits))
        fail(what, "has bits above its width");
    return found;
}

void Checker::stored(const char *what, const Integer &exact) {
    Slot *const slot = find(what);
    if (slot != nullptr && take(what, *slot, slot->type()))
        compare(what, *slot, exact);
}

void Checker::any_type(const char *what, const Integer &exact) {
    Slot *const slot = find(what);
    if (slot == nullptr || !take(what, *slot, slot->type()))
        return;
    const Type type = slot->type();
    const bool fits = type.is_signed ? test::fits_signed(exact, type.bits)
                                     : test::fits_unsigned(exact, type.bits);
    if (!fits)
        fail(what, "the result's type is too narrow");
    compare(what, *slot, exact);
}

void Checker::end() {
    if (!is_whole_) {
        fail("the record", "slot " + std::to_string(slots_.size() + 1) + " has no valid header");
    }
    for (std::size_t i = first_; i < slots_.size() && !failed(); ++i) {
        if (!slots_[i].taken) {
            fail("the record", "nobody expects result " + std::to_string(i + 1) + " of " +
                                   std::to_string(slots_.size()) + ", of " +
                                   std::to_string(slots_[i].type().bits) + " bits");
        }
    }
}

} // namespace batch_test
