// SPDX-License-Identifier: Apache-2.0
// Many numbers as text: parse, to_strings, on all cores.
#pragma once

#include "vector.h"

#include <atomic>
#include <ranges>
#include <string>
#include <string_view>

namespace warpint {

namespace containers {

// The lines of a text, without their ends (\n or \r\n); the last may have none.
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        lines.push_back(line);
    }
    return lines;
}

// A rough cost of a conversion, in limb operations.
constexpr std::size_t operations_of_text(int bits) {
    const std::size_t words = static_cast<std::size_t>(bits) / 64 + 1;
    return 50 * words + 4 * words * words;
}

template <BigNumber T, class Lines>
host_vector<T> parse_lines(const Lines &lines, std::size_t count, int base) {
    host_vector<T> numbers(count, uninitialized);
    T *const out = numbers.data();
    std::atomic<std::size_t> first_bad{count};
    execution::parallel_for(
        count, 16, operations_of_text(T::bits), [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                if (i > first_bad.load(std::memory_order_relaxed))
                    return;
                try {
                    out[i] = T::parse(std::string_view(lines[i]), base);
                } catch (const std::logic_error &) {
                    std::size_t known = first_bad.load();
                    while (i < known && !first_bad.compare_exchange_weak(known, i)) {
                    }
                    return;
                }
            }
        });
    const std::size_t bad = first_bad.load();
    if (bad == count)
        return numbers;
    const std::string where = "warpint: line " + std::to_string(bad + 1) + ": ";
    try {
        (void)T::parse(std::string_view(lines[bad]), base);
    } catch (const std::out_of_range &error) {
        throw std::out_of_range(where + error.what());
    } catch (const std::invalid_argument &error) {
        throw std::invalid_argument(where + error.what());
    }
    return numbers;
}

} // namespace containers

// The numbers that the lines spell, one each, as T::parse reads them: parse<256>(text),
// parse<T>(text) for another T. The lines are those of one text, separated by \n or \r\n (the end
// of the last line may be missing; an empty line is an error), or the elements of a random access
// range of strings. Throws what T::parse throws for the first line that is none
// (std::invalid_argument, std::out_of_range); the message names the line, from 1, and the position
// in it.
template <BigNumber T>
[[nodiscard]] host_vector<T> parse(std::string_view text, int base = 0) {
    const auto lines = containers::lines_of(text);
    return containers::parse_lines<T>(lines, lines.size(), base);
}
template <BigNumber T, std::ranges::random_access_range Lines>
requires(std::convertible_to<std::ranges::range_reference_t<const Lines>, std::string_view> &&
         !std::convertible_to<const Lines &, std::string_view>)
    [[nodiscard]] host_vector<T> parse(const Lines &lines, int base = 0) {
    return containers::parse_lines<T>(std::ranges::begin(lines), std::ranges::size(lines), base);
}
template <int Bits>
[[nodiscard]] host_vector<BigInt<Bits>> parse(std::string_view text, int base = 0) {
    return parse<BigInt<Bits>>(text, base);
}
template <int Bits, std::ranges::random_access_range Lines>
requires(std::convertible_to<std::ranges::range_reference_t<const Lines>, std::string_view> &&
         !std::convertible_to<const Lines &, std::string_view>)
    [[nodiscard]] host_vector<BigInt<Bits>> parse(const Lines &lines, int base = 0) {
    return parse<BigInt<Bits>>(lines, base);
}

// Each element as to_string gives it. Waits for the work on the vector; throws std::domain_error if
// elements have no value and std::invalid_argument for a base outside 2..36.
template <BigNumber T, Space space>
[[nodiscard]] std::vector<std::string> to_strings(const batch_vector<T, space> &vector,
                                                  int base = 10) {
    if (!number::is_base(base))
        number::throw_bad_base("to_strings", base, "in 2..36");
    const std::vector<T> numbers = vector.to_host();
    std::vector<std::string> lines(numbers.size());
    execution::parallel_for(numbers.size(), 16, containers::operations_of_text(T::bits),
                            [&](std::size_t first, std::size_t last) {
                                for (std::size_t i = first; i < last; ++i)
                                    lines[i] = to_string(numbers[i], base);
                            });
    return lines;
}

} // namespace warpint
