// SPDX-License-Identifier: Apache-2.0
// Vectors on output streams.
#pragma once

#include "eval.h"

#include "../number/stream.h"

namespace warpint {

// Prints a vector, as in {1, 2, 3}, each element with the stream's flags and width, as in
// {    1,     2} for std::setw(5); `none` stands for a fault. Reads the vector back.
template <class Character, class Traits, class T, Space space>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const batch_vector<T, space> &vector) {
    batch_vector<T, space> copied = vector;
    const std::vector<bool> none = vector.error_mask();
    copied.clear_errors();
    const auto values = copied.to_host();
    const auto width = out.width(0);
    out << '{';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            out << ", ";
        out.width(width);
        if (none[i]) {
            out << "none";
        } else if constexpr (BuiltinInteger<T> && sizeof(T) == 1) {
            out << static_cast<int>(values[i]); // not a character
        } else {
            out << values[i];
        }
    }
    return out << '}';
}

// Numbers have no end in a stream; this is here for its message.
template <limb::Advice instead =
              "write v = parse<T>(text), or v.assign_text(text): a number in each line",
          class Character, class Traits, class T, Space space>
void operator>>(std::basic_istream<Character, Traits> &, batch_vector<T, space> &)
    WARPINT_REFUSED("write v = parse<T>(text), or v.assign_text(text): a number in each line");

// Prints a view like a vector, to which it is copied first.
template <class Character, class Traits, class T, Space space, class Layout>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const batch_view<T, space, Layout> &view) {
    return out << batch_vector<std::remove_const_t<T>, space>(view);
}

namespace expression {

template <class Tree>
concept Printable =
    Description<Tree> && requires(std::ostream &out, const Tree &formula) { out << eval(formula); };

} // namespace expression

// Runs a formula of one result and prints the vector that it gives.
template <class Character, class Traits, expression::Printable Tree>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const Tree &formula) {
    return out << eval(formula);
}

// Prints an explanation, as its to_string() gives it.
template <class Character, class Traits>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &out,
                                                  const Explanation &explanation) {
    return out << explanation.to_string().c_str();
}

} // namespace warpint
