// SPDX-License-Identifier: Apache-2.0
// Powers, inverses and quotients of vectors of residues.
#include "kernel.h"

using Residues = device_vector<Residue<bits>>;

void formulas(Residues &x, const Residues &y, device_vector<Number> &r) {
    x = device_vector<Number>(r);
    r = value(pow(x, 65537u) * y);
    r = value(pow(x, r));
    x = inverse(x);
    r = value(inverse(x) * y);
    r = value(x / y + 1);
    auto same = eval(x == y);
    (void)all(x == y);
}
