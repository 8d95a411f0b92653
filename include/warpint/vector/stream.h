// SPDX-License-Identifier: Apache-2.0
// Vectors on output streams.
#pragma once

#include "residue_vector.h"

#include "../number/stream.h"

namespace warpint {

// {1, 2, 3}: the elements as the stream's flags say, `none` for elements without a value. Reads the
// vector back.
template <class T, Space space>
std::ostream &operator<<(std::ostream &out, const batch_vector<T, space> &vector) {
    batch_vector<T, space> copied = vector;
    const std::vector<bool> none = vector.error_mask();
    copied.clear_errors();
    const auto values = copied.to_host();
    out << '{';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            out << ", ";
        if (none[i]) {
            out << "none";
        } else {
            out << values[i];
        }
    }
    return out << '}';
}

// The same of a view, which is copied.
template <class T, Space space, class Layout>
std::ostream &operator<<(std::ostream &out, const batch_view<T, space, Layout> &view) {
    return out << batch_vector<std::remove_const_t<T>, space>(view);
}

// What explain() says: its to_string().
inline std::ostream &operator<<(std::ostream &out, const Explanation &explanation) {
    return out << explanation.to_string();
}

} // namespace warpint
