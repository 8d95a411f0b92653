// SPDX-License-Identifier: Apache-2.0
// Fuzz target: from_bytes and to_bytes against GMP; whole vectors from bytes and text, against the
// same of one number.

#include "fuzz.h"

#include <warpint/vector.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using fuzz::Integer;
using fuzz::require;

template <class T>
bool fits(const Integer &x, int bits) {
    return T::is_signed ? test::fits_signed(x, bits) : test::fits_unsigned(x, bits);
}

template <class T>
Integer read(std::span<const std::uint8_t> bytes, std::endian order) {
    Integer r(0);
    mpz_import(r.raw(), bytes.size(), order == std::endian::big ? 1 : -1, 1, 0, 0, bytes.data());
    const int bits = static_cast<int>(8 * bytes.size());
    return T::is_signed && bits > 0 ? test::store_signed(r, bits) : r;
}

template <class T>
void one(std::span<const std::uint8_t> bytes, std::endian order, std::size_t room) {
    const Integer expected = read<T>(bytes, order);
    T x(5);
    bool taken = true;
    try {
        x = T::from_bytes(bytes, order);
    } catch (const std::out_of_range &) {
        taken = false;
    }
    require(taken == fits<T>(expected, T::bits), "what from_bytes takes");
    if (!taken)
        return;
    require(test::to_integer(x) == expected, "from_bytes");
    std::vector<std::uint8_t> out(room, 0xa5);
    bool written = true;
    try {
        to_bytes(x, std::span<std::uint8_t>(out), order);
    } catch (const std::length_error &) {
        written = false;
    }
    // A 0 fits no bytes.
    const bool has_room =
        room == 0 ? expected.is_zero() : fits<T>(expected, static_cast<int>(8 * room));
    require(written == has_room, "what to_bytes writes");
    if (written)
        require(read<T>(out, order) == expected, "to_bytes");
    else
        require(std::all_of(out.begin(), out.end(), [](int b) { return b == 0xa5; }),
                "to_bytes writes nothing");
}

enum class Outcome { value, invalid, too_large, uneven };

template <class Vector>
void many_bytes(std::span<const std::uint8_t> bytes, std::size_t block, std::endian order) {
    using T = typename Vector::value_type;
    Vector v(2, T(5));
    Outcome expected = bytes.size() % block == 0 ? Outcome::value : Outcome::uneven;
    std::vector<T> values;
    for (std::size_t i = 0; expected == Outcome::value && i < bytes.size(); i += block) {
        try {
            values.push_back(T::from_bytes(bytes.subspan(i, block), order));
        } catch (const std::out_of_range &) {
            expected = Outcome::too_large;
        }
    }
    Outcome outcome = Outcome::value;
    try {
        v.assign_bytes(bytes, block, order);
    } catch (const warpint::size_mismatch &) {
        outcome = Outcome::uneven;
    } catch (const std::length_error &) {
        outcome = Outcome::too_large;
    }
    require(outcome == expected, "what assign_bytes takes");
    if (outcome != Outcome::value)
        values = {T(5), T(5)};
    require(v.to_host() == values, "assign_bytes");
    if (outcome == Outcome::value)
        require(to_bytes(v, block, order) == std::vector<std::uint8_t>(bytes.begin(), bytes.end()),
                "to_bytes of a vector");
}

template <class Vector>
void text(std::string_view text, int base) {
    using T = typename Vector::value_type;
    std::vector<T> values;
    std::vector<bool> bad;
    Outcome expected = Outcome::value;
    for (std::string_view left = text; !left.empty();) {
        const std::size_t end = left.find('\n');
        std::string_view line = left.substr(0, end);
        left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
        if (end != std::string_view::npos && line.ends_with('\r'))
            line.remove_suffix(1);
        Outcome of_line = Outcome::value;
        T x(0);
        try {
            x = T::parse(line, base);
        } catch (const std::invalid_argument &) {
            of_line = Outcome::invalid;
        } catch (const std::out_of_range &) {
            of_line = Outcome::too_large;
        }
        values.push_back(x);
        bad.push_back(of_line != Outcome::value);
        if (expected == Outcome::value)
            expected = of_line;
    }
    Vector v(2, T(5));
    Outcome outcome = Outcome::value;
    try {
        v.assign_text(text, base);
    } catch (const std::invalid_argument &) {
        outcome = Outcome::invalid;
    } catch (const std::out_of_range &) {
        outcome = Outcome::too_large;
    }
    require(outcome == expected, "what assign_text takes");
    require(v.to_host() == (outcome == Outcome::value ? values : std::vector<T>{T(5), T(5)}),
            "assign_text");
    v.assign_text(text, base, warpint::bad_lines::are_faults);
    require(v.error_mask() == bad, "bad lines are faults");
    v.clear_errors();
    require(v.to_host() == values, "assign_text beside bad lines");
    const std::vector<std::string> lines = to_strings(v, 10);
    for (std::size_t i = 0; i < values.size(); ++i)
        require(lines[i] == test::to_integer(values[i]).to_string(10), "to_strings");
}

template <class T>
void run(fuzz::Input &input, int what) {
    const std::endian order = what & 4 ? std::endian::big : std::endian::little;
    if (what % 4 == 0) {
        const std::size_t room = static_cast<std::size_t>(input.byte() % 40);
        one<T>(input.rest(), order, room);
    } else if (what % 4 == 1) {
        const std::size_t block = static_cast<std::size_t>(1 + input.byte() % 30);
        many_bytes<warpint::host_vector<T>>(input.rest(), block, order);
    } else {
        text<warpint::host_vector<T>>(input.text(), what & 8 ? 0 : what & 16 ? 16 : 10);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    const int what = input.byte();
    if (what & 128) {
        run<warpint::BigInt<65>>(input, what);
    } else {
        run<warpint::SignedBigInt<160>>(input, what);
    }
    return 0;
}
