// SPDX-License-Identifier: Apache-2.0
// Formulas of vectors of residues.
#include "kernel.h"

using Residues = device_vector<Residue<bits>>;

void formulas(Residues &x, const Residues &y, device_vector<Number> &r) {
    r = value(x * y);
    r = value(x + y);
    r = value(-x);
    r = value(sqr(x));
    r = value(x * 5 - y);
    r = value(x * y + 3);
    r = value(-x * y);
    r = value(x * y * x - y);
    r = value((x * y + 3) * x - y);
    r = value((x + y) * (x - y) * x - y * y);
    x = x * y;
    x = x * y * x - y;
    x = x * 3 + 1;
}
