// SPDX-License-Identifier: Apache-2.0
// Numbers from and to lines of text, one by a thread, by the algorithms that hosts use for numbers
// of that width. The same on hosts.
#pragma once

#include "../../expression/gather.h"
#include "../../number/digits.h"

namespace warpint {

namespace expression::operation {

// The number on line `index` of a text: the characters from offsets[index] to the next line,
// without line ends. Faults: the line is no number of type T.
template <class T>
struct NumberOfLine : BasicOperation<WorkKind::division> {
    template <class...>
    static constexpr bool can_fault = true;
    int base = 0;

    template <class Index>
    WARPINT_HOST_DEVICE constexpr T apply(bool &fault, const GatherSource<char> &text,
                                          const GatherSource<std::uint64_t> &offsets,
                                          const Index &index) const {
        T r{};
        if (index + 1 >= offsets.size) // a thread beyond the end of the batch
            return r;
        const char *const line = text.data + offsets.data[index];
        const std::size_t size =
            number::size_of_line(line, offsets.data[index + 1] - offsets.data[index]);
        const number::TextHead head = number::head_of_text(line, size, base);
        bool good = size > head.start && (T::is_signed || !head.negative);
        good = number::are_digits(line + head.start, size - head.start, head.base) && good;
        if (good) {
            good = number::read_digits(r, head.negative, line + head.start, size - head.start,
                                       head.base);
        }
        fault = fault || !good;
        return good ? r : T{};
    }
};

} // namespace expression::operation

namespace containers {

// Writes each number so that it ends where block i of `room` characters ends.
template <class T>
struct TextOfNumbers {
    const T *numbers;
    char *text;
    std::uint32_t *lengths;
    std::size_t room;
    int base;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        char *const last = text + (i + 1) * room;
        lengths[i] =
            static_cast<std::uint32_t>(last - number::write_backward(last, numbers[i], base));
    }
};

} // namespace containers
} // namespace warpint
