// SPDX-License-Identifier: Apache-2.0
// Reductions, order, text and bytes of vectors.
#include "kernel.h"

#include <warpint/sort.h>

#include <string>

using Numbers = device_vector<Number>;

void reductions(Numbers &a, Numbers &b, const Modulus<bits> &m,
                device_vector<std::uint32_t> &index) {
    (void)sum(a * b);
    (void)product(a, m);
    (void)max(a ^ b);
    (void)count(a < b);
    sort(a);
    b = gather(a, index);
    const auto text = to_strings(a, 10);
    b = parse<bits>(text, 10);
    const auto bytes = to_bytes(a, bits / 8, std::endian::big);
    b.assign_bytes(bytes, bits / 8, std::endian::big);
}
