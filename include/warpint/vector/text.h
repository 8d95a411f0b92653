// SPDX-License-Identifier: Apache-2.0
// Whole vectors from and to text, converted where the vector lies. On a GPU each thread reads or
// writes a line, by the algorithms that hosts use for numbers of that width. If the numbers are
// wide or few, the threads of a block share a line; very few numbers are converted by the host.
#pragma once

#include "copy.h"
#include "eval.h"
#include "kernels/lines.h"
#include "text_cuda.h"
#include "vector.h"

#include "../execution/memory/for_each_cuda.h"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace warpint {

namespace containers {

// Calls take(i, line) for each of `count` numbers, whose lines were written to blocks.
template <class Take>
void take_lines(const char *text, const std::uint32_t *lengths, std::size_t room, std::size_t count,
                const Take &take) {
    execution::parallel_for(count, 1, 200 + room / 4, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            take(i, std::string_view(text + (i + 1) * room - lengths[i], lengths[i]));
    });
}

// The lines of a text, without their ends (\n or \r\n); the last may have none.
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, number::size_of_line(text.data(), size)));
        text.remove_prefix(size);
    }
    return lines;
}

// A rough cost of a conversion, in limb operations.
constexpr std::size_t operations_of_text(int bits) {
    const std::size_t words = static_cast<std::size_t>(bits) / 64 + 1;
    return 50 * words + 4 * words * words;
}

// A range of strings that is not one string itself.
template <class Lines>
concept SeveralLines =
    !std::convertible_to<const Lines &, std::string_view> && requires(const Lines &lines) {
        requires std::forward_iterator<decltype(std::begin(lines))>;
        { *std::begin(lines) } -> std::convertible_to<std::string_view>;
        { std::size(lines) } -> std::convertible_to<std::size_t>;
    };

template <BigNumber T, class Lines>
host_vector<T> parse_lines(const Lines &lines, std::size_t count, int base, bad_lines bad) {
    if (base != 0 && !number::is_base(base))
        number::throw_bad_base("parse", base, "0 or 2..36");
    host_vector<T> numbers(count, uninitialized);
    T *const out = numbers.data();
    std::atomic<std::size_t> first_bad{count};
    std::vector<char> is_bad(bad == bad_lines::are_faults ? count : 0);
    execution::parallel_for(
        count, 16, operations_of_text(T::bits), [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                if (is_bad.empty() && i > first_bad.load(std::memory_order_relaxed))
                    return;
                if (number::try_parse(out[i], std::string_view(lines[i]), base))
                    continue;
                std::size_t known = first_bad.load();
                while (i < known && !first_bad.compare_exchange_weak(known, i)) {
                }
                if (is_bad.empty())
                    return;
                out[i] = T{};
                is_bad[i] = 1;
            }
        });
    const std::size_t bad_line = first_bad.load();
    if (bad_line == count)
        return numbers;
    if (!is_bad.empty()) {
        std::vector<std::uint32_t> faults(execution::fault_word_count(count));
        for (std::size_t i = bad_line; i < count; ++i)
            faults[i / 32] |= std::uint32_t{is_bad[i] != 0} << (i % 32);
        execution::set_fault_words(*numbers.handle(), faults);
        return numbers;
    }
    const std::string_view line(lines[bad_line]);
    const std::string where = "warpint: line " + std::to_string(bad_line + 1) + ": ";
    try {
        (void)T::parse(line, base);
    } catch (const std::out_of_range &error) {
        throw std::out_of_range(where + error.what());
    } catch (const std::invalid_argument &error) {
        const std::size_t digit = line.starts_with('-') ? 1 : 0;
        const bool has_prefix = base == 10 && line.substr(digit, 1) == "0" &&
                                line.find_first_of("xXbB", digit) == digit + 1;
        throw std::invalid_argument(where + error.what() +
                                    (has_prefix ? " (base 0 reads prefixes)" : ""));
    }
    return numbers;
}

} // namespace containers

// Reads a number from each line, as T::parse does: parse<256>(text), or parse<T>(text) for another
// T. The lines are those of one text, or the elements of a list or range of strings. In a
// text they end with \n or \r\n; the last end may be missing, and an empty line is bad. Strings of
// a range have no line ends. The default base is 10, because lines are data: "010" is ten. Base 0
// reads 0x and 0b, and a leading 0 as octal. A bad line, which is no number of type T, is an error
// unless bad_lines::are_faults is given. Then its element is a fault, a 0 without a value:
// error_mask() lists the bad lines, and reading back throws while there are any. Otherwise parse
// throws what T::parse throws for the first bad line (std::invalid_argument, std::out_of_range);
// the message names the line, from 1, and the position. Example:
//     const host_vector<BigInt<256>> v = parse<256>("10\n020\n30\n"); // 10, 20, 30
//     const auto w = parse<256>("10\nten\n", 10, bad_lines::are_faults);  // {10, none}
template <BigNumber T>
[[nodiscard]] host_vector<T> parse(std::string_view text, int base = 10,
                                   bad_lines bad = bad_lines::are_errors) {
    const auto lines = containers::lines_of(text);
    return containers::parse_lines<T>(lines, lines.size(), base, bad);
}
template <BigNumber T, containers::SeveralLines Lines>
[[nodiscard]] host_vector<T> parse(const Lines &lines, int base = 10,
                                   bad_lines bad = bad_lines::are_errors) {
    if constexpr (std::random_access_iterator<decltype(std::begin(lines))>) {
        return containers::parse_lines<T>(std::begin(lines), std::size(lines), base, bad);
    } else {
        const std::vector<std::string_view> each(std::begin(lines), std::end(lines));
        return containers::parse_lines<T>(each, each.size(), base, bad);
    }
}
template <BigNumber T>
[[nodiscard]] host_vector<T> parse(std::initializer_list<std::string_view> lines, int base = 10,
                                   bad_lines bad = bad_lines::are_errors) {
    return containers::parse_lines<T>(lines.begin(), lines.size(), base, bad);
}
template <int Bits>
[[nodiscard]] host_vector<BigInt<Bits>> parse(std::initializer_list<std::string_view> lines,
                                              int base = 10,
                                              bad_lines bad = bad_lines::are_errors) {
    return parse<BigInt<Bits>>(lines, base, bad);
}
template <int Bits>
[[nodiscard]] host_vector<BigInt<Bits>> parse(std::string_view text, int base = 10,
                                              bad_lines bad = bad_lines::are_errors) {
    return parse<BigInt<Bits>>(text, base, bad);
}
template <int Bits, containers::SeveralLines Lines>
[[nodiscard]] host_vector<BigInt<Bits>> parse(const Lines &lines, int base = 10,
                                              bad_lines bad = bad_lines::are_errors) {
    return parse<BigInt<Bits>>(lines, base, bad);
}

#if WARPINT_CUDA

namespace containers {

// Writes the lines of `count` numbers into blocks of `room` characters, on the legacy stream, as
// TextOfNumbers does.
template <BigNumber T>
void write_text_on_gpu(const TextOfNumbers<T> &write, std::size_t count, const TextPlan &plan) {
    if (count == 0)
        return;
    if (plan.family == TextFamily::blocks) {
        launch_text_blocks(plan, write_text_kernel<TextTree>, count, write.numbers->limbs, count,
                           T::is_signed, plan.tree, write.text, write.lengths, write.room);
    } else if constexpr (!only_blocks_convert(T::limb_count)) {
        execution::for_each_on_gpu(count, write, nullptr);
    }
}

// Works in pieces: the GPU writes and sends one while the host makes strings of the one before.
template <BigNumber T, Space space>
std::vector<std::string> to_strings_on_gpu(const batch_vector<T, space> &vector, int base,
                                           TextPlan plan) {
    const std::size_t room = arith::max_digits(T::bits, base) + 1;
    const std::size_t piece = std::min(
        vector.size(), std::max<std::size_t>(1, execution::tuning::text_piece_bytes / room));
    const execution::CurrentDevice current(vector.location().device);
    std::vector<std::string> lines(vector.size());
    const batch_vector<std::uint32_t, space> constants(plan.family == TextFamily::blocks
                                                           ? text_constants(plan.tree, true)
                                                           : std::vector<std::uint32_t>());
    plan.tree.constants = constants.data();
    struct Piece { // the lengths of its lines, then their blocks, on both sides
        std::size_t first;
        std::size_t count;
        batch_vector<char, space> on_gpu;
        host_vector<char> on_host;
    };
    const std::size_t lengths_bytes = piece * sizeof(std::uint32_t);
    const auto piece_of = [&] {
        const std::size_t bytes = lengths_bytes + piece * room;
        const bool pinned = vector.size() * room > execution::tuning::pageable_text_bytes;
        return Piece{0, 0, batch_vector<char, space>(bytes, uninitialized),
                     host_vector<char>(bytes, uninitialized, pinned ? pinned_resource() : nullptr)};
    };
    const auto start = [&](Piece &p, std::size_t first) {
        p.first = first;
        p.count = std::min(piece, lines.size() - first);
        char *const text = p.on_gpu.data() + lengths_bytes;
        write_text_on_gpu(TextOfNumbers<T>{vector.data() + first, text,
                                           reinterpret_cast<std::uint32_t *>(p.on_gpu.data()), room,
                                           base},
                          p.count, plan);
        copy_async(p.on_gpu, p.on_host);
    };
    const auto finish = [&](const Piece &p) {
        take_lines(p.on_host.data() + lengths_bytes,
                   reinterpret_cast<const std::uint32_t *>(p.on_host.data()), room, p.count,
                   [&](std::size_t i, std::string_view line) { lines[p.first + i] = line; });
    };
    if (lines.empty())
        return lines;
    Piece ready = piece_of();
    start(ready, 0);
    std::optional<Piece> next;
    for (std::size_t first = piece; first < lines.size(); first += piece) {
        execution::check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: to_strings");
        if (!next)
            next.emplace(piece_of());
        start(*next, first);
        finish(ready);
        std::swap(ready, *next);
    }
    execution::check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: to_strings");
    finish(ready);
    return lines;
}

} // namespace containers

#endif

namespace containers {

// vector = numbers, if these have no faults or bad lines are faults; else false.
template <BigNumber T, Space space>
bool take_numbers(batch_vector<T, space> &vector, batch_vector<T, space> &numbers, bad_lines bad) {
    if (bad == bad_lines::are_errors) {
        for (const bool is_bad : numbers.error_mask()) {
            if (is_bad)
                return false;
        }
        numbers.clear_errors();
    }
    vector = std::move(numbers);
    return true;
}

// What batch_vector::assign_text() does for the lines that begin at starts[i] and end at
// starts[i + 1]; false, with nothing assigned, for an error. A thread takes a line.
template <BigNumber T, Space space>
bool read_text_by_threads(batch_vector<T, space> &vector, std::string_view text,
                          const std::vector<std::uint64_t> &starts, int base, bad_lines bad) {
    const batch_vector<char, space> characters(text.begin(), text.end());
    const batch_vector<std::uint64_t, space> offsets(starts);
    expression::operation::NumberOfLine<T> read;
    read.base = base;
    batch_vector<T, space> numbers(vector.resource_at(characters.location()));
    numbers = expression::describe(read, expression::source_of(characters),
                                   expression::source_of(offsets), indices(starts.size() - 1));
    return take_numbers(vector, numbers, bad);
}

#if WARPINT_CUDA

// The same, with the threads of a block sharing a line.
template <BigNumber T, Space space>
bool read_text_by_blocks(batch_vector<T, space> &vector, std::string_view text,
                         const std::vector<std::uint64_t> &starts, int base, TextPlan plan,
                         bad_lines bad) {
    const std::size_t count = starts.size() - 1;
    const batch_vector<char, space> characters(text.begin(), text.end());
    const batch_vector<std::uint64_t, space> offsets(starts);
    const batch_vector<std::uint32_t, space> constants(text_constants(plan.tree, false));
    plan.tree.constants = constants.data();
    batch_vector<T, space> numbers(count, uninitialized, vector.resource_at(characters.location()));
    execution::set_fault_words(*numbers.handle(),
                               std::vector<std::uint32_t>(execution::fault_word_count(count)));
    launch_text_blocks(plan, read_text_kernel<TextTree>, count, characters.data(), offsets.data(),
                       count, base, T::bits, T::is_signed, plan.tree, numbers.data()->limbs,
                       numbers.handle()->faults);
    return take_numbers(vector, numbers, bad);
}

#endif

// The same, by the fastest of these; false also if that is parse().
template <BigNumber T, Space space>
bool read_text(batch_vector<T, space> &vector, std::string_view text,
               const std::vector<std::uint64_t> &starts, int base, bad_lines bad) {
#if WARPINT_CUDA
    if constexpr (space == Space::device) {
        if (execution::device_location().on_gpu()) {
            const TextPlan plan = text_plan(false, T::limb_count, base, starts.size() - 1);
            if (plan.family == TextFamily::host)
                return false;
            if (plan.family == TextFamily::blocks)
                return read_text_by_blocks(vector, text, starts, base, plan, bad);
        }
        if constexpr (only_blocks_convert(T::limb_count)) {
            return false; // there is no GPU
        } else {
            return read_text_by_threads(vector, text, starts, base, bad);
        }
    } else
#endif
        return read_text_by_threads(vector, text, starts, base, bad);
}

} // namespace containers

// Reads a number from each line of a text, as parse() does, where the vector lies: the text goes to
// the GPU and the numbers stay there. Very few lines are read by the host. Throws what parse()
// throws, with nothing assigned.
template <class T, Space space>
void batch_vector<T, space>::assign_text(std::string_view text, int base, bad_lines bad) {
    static_assert(BigNumber<T>, "lines are read as BigInt or SignedBigInt");
    if (base != 0 && !number::is_base(base))
        number::throw_bad_base("assign_text", base, "0 or 2..36");
    std::vector<std::uint64_t> starts = {0};
    for (std::size_t end = 0; (end = text.find('\n', end)) != std::string_view::npos;)
        starts.push_back(++end);
    if (starts.back() != text.size())
        starts.push_back(text.size());
    if (!containers::read_text(*this, text, starts, base, bad)) {
        // Says what is wrong with which line.
        const host_vector<T> numbers = parse<T>(text, base, bad);
        Base::copy_from(numbers);
    }
}

// All elements as text, as to_string gives it. Waits for the work on the vector. Throws
// std::domain_error if there are faults, and std::invalid_argument for a base outside 2..36.
// Example:
//     const device_vector<BigInt<64>> v(3, BigInt<64>(255));
//     const std::vector<std::string> lines = to_strings(v, 16); // "ff", "ff", "ff"
template <BigNumber T, Space space>
[[nodiscard]] std::vector<std::string> to_strings(const batch_vector<T, space> &vector,
                                                  int base = 10) {
    if (!number::is_base(base))
        number::throw_bad_base("to_strings", base, "in 2..36");
#if WARPINT_CUDA
    if (vector.location().on_gpu()) {
        vector.check();
        const auto plan = containers::text_plan(true, T::limb_count, base, vector.size());
        if (plan.family != containers::TextFamily::host)
            return containers::to_strings_on_gpu(vector, base, plan);
    }
#endif
    const std::vector<T> numbers = vector.to_host();
    std::vector<std::string> lines(numbers.size());
    execution::parallel_for(numbers.size(), 16, containers::operations_of_text(T::bits),
                            [&](std::size_t first, std::size_t last) {
                                for (std::size_t i = first; i < last; ++i)
                                    lines[i] = to_string(numbers[i], base);
                            });
    return lines;
}

namespace containers {

// A view, a formula of one result, or a vector of built-in integers, in one piece.
template <class A>
concept EvaluatedForText = NumberBatch<A> && !(is_container<A> && BigNumber<reduced_value_t<A>>) &&
                           !expression::cost<expression::tree_of_t<A>>.on_shards &&
                           !expression::cost<expression::tree_of_t<A>>.on_ranks;

} // namespace containers

// The same of a view, of a vector of built-in integers, or of what a formula gives.
template <containers::EvaluatedForText A>
[[nodiscard]] std::vector<std::string> to_strings(const A &a, int base = 10) {
    if constexpr (BigNumber<containers::reduced_value_t<A>>) {
        return to_strings(eval(a), base);
    } else {
        return to_strings(eval(as<number::big_t<containers::reduced_value_t<A>>>(a)), base);
    }
}
// Of residues their numbers in [0, m), as to_string gives one.
template <expression::ResidueBatch A>
[[nodiscard]] std::vector<std::string> to_strings(const A &a, int base = 10) {
    return to_strings(value(a), base);
}
// One text of many numbers; this is here for its message.
template <limb::Advice instead = "write to_strings(v), or std::cout << v", expression::Batch A>
int to_string(const A &, int = 10) WARPINT_REFUSED("write to_strings(v), or std::cout << v");

} // namespace warpint
