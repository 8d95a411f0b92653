// SPDX-License-Identifier: Apache-2.0
// Formulas of vectors of numbers.
#include "kernel.h"

using Numbers = device_vector<Number>;

struct OfUser {
    WARPINT_HOST_DEVICE Number operator()(const Number &x, const Number &y) const {
        const Modulus<bits> m(y);
        return (m(x) * m(x) + 3).value();
    }
};

void formulas(Numbers &a, Numbers &b, Numbers &c, device_vector<Wide> &w, const Modulus<bits> &m,
              const Number &e) {
    c = a + b - c;
    w = a * b;
    c = a * b % m;
    c = (a * b + c) % b;
    c = a / b;
    c = addmod(a, b, m);
    c = pow(a, e, m);
    c = pow(a, b, c);
    c = pow(a, 65537u, m);
    c = inverse(a, m);
    c = inverse(a, b);
    c = inverse(a, m) * b % m;
    c = gcd(a, b);
    c = isqrt(a) << 3;
    c = map(OfUser{}, a, b);
    tie(a, b) = divmod(b, c);
}
