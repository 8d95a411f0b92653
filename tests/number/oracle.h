// What the bodies of the batched number tests must have stored, from GMP alone.
#pragma once

#include "batch.h"

#include "../support/integer.h"

#include <algorithm>
#include <bit>
#include <string>

namespace number_test {

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

/// Reads the slots of one record in order and compares them with exact values.
class Checker {
public:
    /// Starts on a record. The first difference is kept in message().
    void begin(const unsigned char *record, std::size_t size);
    /// The next slot holds `exact`, stored in a number of type `type`.
    void value(const char *what, Type type, const test::Integer &exact);
    /// The next slot holds `exact`, in a type of its own choice that has room for it.
    void any_type(const char *what, const test::Integer &exact);
    void boolean(const char *what, bool expected) {
        value(what, type_of<bool>, test::Integer(expected ? 1 : 0));
    }
    void number(const char *what, long expected) {
        value(what, type_of<int>, test::Integer(expected));
    }
    /// All slots were looked at.
    void end();

    bool failed() const { return !message_.empty(); }
    const std::string &message() const { return message_; }
    /// Values compared since construction.
    std::uint64_t comparisons() const { return comparisons_; }

private:
    bool open_slot(const char *what);
    void fail(const char *what, const std::string &text);

    const unsigned char *at_ = nullptr;
    const unsigned char *end_ = nullptr;
    SlotHeader header_{};
    std::string message_;
    std::uint64_t comparisons_ = 0;
    TwosComplement limbs_;
};

/// Operands of one element.
struct Operands {
    test::Integer a, b;
    Parameters parameters;
};

/// Checks one record of `which`. A division by b = 0 must have given 0, as in device code.
void check_record(Checker &checker, const Case &which, const Operands &operands);

} // namespace number_test
