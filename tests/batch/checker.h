// SPDX-License-Identifier: Apache-2.0
// Checker: compares the records of batched tests with exact values.
#pragma once

#include "case.h"

#include "../support/integer.h"

#include <algorithm>
#include <bit>
#include <string>

namespace batch_test {

static_assert(GMP_NUMB_BITS == 64 && std::endian::native == std::endian::little,
              "GMP's limbs are copied as they lie in memory");

/// The limbs of numbers in two's complement; keeps its memory from number to number.
class TwosComplement {
public:
    /// The low `bits` bits of x; zeros above them in the last limb. Valid until the next call.
    std::vector<mp_limb_t> &of(const test::Integer &x, int bits) {
        const std::size_t count = (static_cast<std::size_t>(bits) + 63) / 64;
        const std::size_t present = std::min(count, mpz_size(x.raw()));
        limbs_.resize(count);
        std::copy_n(mpz_limbs_read(x.raw()), present, limbs_.begin());
        std::fill(limbs_.begin() + static_cast<std::ptrdiff_t>(present), limbs_.end(), 0);
        if (x.sign() < 0)
            mpn_neg(limbs_.data(), limbs_.data(), static_cast<mp_size_t>(count));
        if (bits % 64 != 0)
            limbs_.back() &= ~mp_limb_t{0} >> (64 - bits % 64);
        return limbs_;
    }

private:
    std::vector<mp_limb_t> limbs_;
};

/// Finds the results of one record by their names, in any order, and compares them with exact
/// values. Each is looked at once; of several of one name the first that was not looked at is next.
class Checker {
public:
    /// Starts on a record, which may have room behind its slots. The first difference is kept in
    /// message().
    void begin(const unsigned char *record, std::size_t size);
    /// The result `what` is `exact`, stored in a number of type `type`.
    void value(const char *what, Type type, const test::Integer &exact);
    /// The result `what` is `exact`, in a type of its own choice that has room for it.
    void any_type(const char *what, const test::Integer &exact);
    /// The result `what` is what its type, whichever it is, keeps of `exact`.
    void stored(const char *what, const test::Integer &exact);
    void boolean(const char *what, bool expected) {
        value(what, type_of<bool>, test::Integer(expected ? 1 : 0));
    }
    void number(const char *what, long expected) {
        value(what, type_of<int>, test::Integer(expected));
    }
    /// The result `what`, of type `type`, for properties of it; 0 after a failure.
    test::Integer taken(const char *what, Type type);
    /// A property of values taken.
    void require(bool holds, const char *what) {
        if (!holds)
            fail(what, "does not hold");
    }
    /// All results were looked at, and they fill the record.
    void end();

    bool failed() const { return !message_.empty(); }
    const std::string &message() const { return message_; }
    /// Values compared since construction.
    std::uint64_t comparisons() const { return comparisons_; }

private:
    struct Slot {
        SlotHeader header;
        const unsigned char *value;
        bool taken;

        Type type() const { return {static_cast<int>(header.type / 2), header.type % 2 != 0}; }
    };

    /// The first slot of this name that was not taken; null, and a failure, if there is none.
    Slot *find(const char *what);
    /// Takes it; false, and a failure, if its bytes around the value or its type are wrong.
    bool take(const char *what, Slot &slot, Type type);
    void compare(const char *what, const Slot &slot, const test::Integer &exact);
    void fail(const char *what, const std::string &text);

    std::vector<Slot> slots_;
    std::size_t first_ = 0; // all before it are taken
    bool is_whole_ = true;  // slots fill the record
    std::string message_;
    std::uint64_t comparisons_ = 0;
    TwosComplement limbs_;
};

} // namespace batch_test
