// What the bodies of the batched number tests must have stored, from GMP alone.
#pragma once

#include "batch.h"

#include "../support/integer.h"

#include <string>

namespace number_test {

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
    test::Integer stored_;
    std::vector<std::uint32_t> limbs_;
};

/// Operands of one element.
struct Operands {
    test::Integer a, b;
    Parameters parameters;
};

/// Checks one record of `which`. A division by b = 0 must have given 0, as in device code.
void check_record(Checker &checker, const Case &which, const Operands &operands);

} // namespace number_test
