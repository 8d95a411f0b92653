// SPDX-License-Identifier: Apache-2.0
#include "checker.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace batch_test {

using test::Integer;

void Checker::begin(const unsigned char *record, std::size_t size) {
    at_ = record;
    end_ = record + size;
    message_.clear();
}

void Checker::fail(const char *what, const std::string &text) {
    if (message_.empty())
        message_ = std::string(what) + ": " + text;
}

bool Checker::open_slot(const char *what) {
    ++comparisons_;
    if (static_cast<std::size_t>(end_ - at_) < sizeof(SlotHeader)) {
        fail(what, "no slot is left");
        return false;
    }
    std::memcpy(&header_, at_, sizeof header_);
    at_ += slot_unit;
    const std::size_t space = round_to_unit(header_.size) + slot_unit;
    if (static_cast<std::size_t>(end_ - at_) < space) {
        fail(what, "the slot has no header");
        return false;
    }
    // All the bytes around the value, at once: those after it are at most two units.
    constexpr std::uint64_t guard = 0x0101010101010101u * guard_byte;
    constexpr std::uint64_t guards[2 * slot_unit / 8] = {guard, guard, guard, guard};
    const bool intact = std::memcmp(header_.guard, guards, sizeof header_.guard) == 0 &&
                        std::memcmp(at_ + header_.size, guards, space - header_.size) == 0;
    if (!intact)
        fail(what, "guard bytes around the result were overwritten");
    return true;
}

bool Checker::has_type(const char *what, Type type) {
    const std::uint32_t wanted_type = 2u * static_cast<std::uint32_t>(type.bits) + type.is_signed;
    if (header_.type != wanted_type) {
        fail(what, "stored in a type of " + std::to_string(header_.type / 2) +
                       " bits, signed: " + std::to_string(header_.type % 2) + "; expected " +
                       std::to_string(type.bits) + ", " + std::to_string(type.is_signed));
        return false;
    }
    if (8 * std::size_t{header_.size} < static_cast<std::size_t>(type.bits)) {
        fail(what, "the slot's header has no valid size");
        return false;
    }
    return true;
}

void Checker::value(const char *what, Type type, const Integer &exact) {
    if (failed() || !open_slot(what))
        return;
    const unsigned char *const got = at_;
    at_ += round_to_unit(header_.size) + slot_unit;

    if (!has_type(what, type))
        return;
    // The limbs that the value must have, sign copies and zero padding included.
    std::vector<mp_limb_t> &limbs = limbs_.of(exact, type.bits);
    limbs.resize((header_.size + 7) / 8);
    if (type.is_signed) {
        const std::size_t top = static_cast<std::size_t>(type.bits - 1) / 64;
        const mp_limb_t sign = mp_limb_t{1} << (type.bits - 1) % 64;
        if ((limbs[top] & sign) != 0) {
            limbs[top] |= ~(sign - 1);
            std::fill(limbs.begin() + static_cast<std::ptrdiff_t>(top) + 1, limbs.end(),
                      ~mp_limb_t{0});
        }
    }
    if (std::memcmp(got, limbs.data(), header_.size) != 0) {
        Integer found, wanted;
        mpz_import(found.raw(), header_.size, -1, 1, 0, 0, got);
        mpz_import(wanted.raw(), header_.size, -1, 1, 0, 0, limbs.data());
        std::ostringstream text;
        text << "got limbs " << found << ", expected limbs " << wanted;
        fail(what, text.str());
    }
}

Integer Checker::taken(const char *what, Type type) {
    if (failed() || !open_slot(what))
        return {};
    const unsigned char *const got = at_;
    at_ += round_to_unit(header_.size) + slot_unit;
    if (!has_type(what, type))
        return {};
    Integer found;
    mpz_import(found.raw(), header_.size, -1, 1, 0, 0, got);
    if (type.is_signed)
        found = test::store_signed(found, 8 * static_cast<int>(header_.size));
    if (type.is_signed ? !test::fits_signed(found, type.bits)
                       : !test::fits_unsigned(found, type.bits))
        fail(what, "has bits above its width");
    return found;
}

void Checker::stored(const char *what, const Integer &exact) {
    if (failed())
        return;
    if (static_cast<std::size_t>(end_ - at_) < sizeof(SlotHeader)) {
        fail(what, "no slot is left");
        return;
    }
    SlotHeader header{};
    std::memcpy(&header, at_, sizeof header);
    value(what, {static_cast<int>(header.type / 2), header.type % 2 != 0}, exact);
}

void Checker::any_type(const char *what, const Integer &exact) {
    if (failed())
        return;
    if (static_cast<std::size_t>(end_ - at_) < sizeof(SlotHeader)) {
        fail(what, "no slot is left");
        return;
    }
    SlotHeader header{};
    std::memcpy(&header, at_, sizeof header);
    const Type type{static_cast<int>(header.type / 2), header.type % 2 != 0};
    const bool fits = type.is_signed ? test::fits_signed(exact, type.bits)
                                     : test::fits_unsigned(exact, type.bits);
    if (!fits)
        fail(what, "the result's type is too narrow");
    value(what, type, exact);
}

void Checker::end() {
    if (!failed() && at_ != end_)
        fail("the record", "has slots that nobody expects");
}

} // namespace batch_test
