// SPDX-License-Identifier: Apache-2.0
// Chains of residues in vectors, products of a whole batch, and inverses in bulk, at 256 bits.
#include "support.h"

namespace {

using namespace perf;

constexpr int bits = 256;
using Number = BigInt<bits>;
using Field = StaticResidue<(Number(1) << 255) - 19>;

// A polynomial of degree 8 by Horner's rule.
constexpr auto polynomial = [](const auto &x) {
    return (((((((x * 3 + 1) * x + 5) * x + 7) * x + 9) * x + 11) * x + 13) * x + 15) * x + 1;
};

void print(const char *what, double count, double time) {
    std::printf("%-58s %8.3f G/s\n", what, count / time / 1e9);
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    const std::size_t count = device_info().gpu ? std::size_t{1} << 22 : std::size_t{1} << 14;
    const double n = static_cast<double>(count);
    const std::vector<Number> numbers = random_batch<bits>(count, 1),
                              others = random_batch<bits>(count, 2);
    const Modulus<bits> m(~Number(0) - 188); // prime
    const Number p = m.value();
    const device_vector<Number> a(numbers), b(others);
    device_vector<Number> c(count, uninitialized);
    const auto check = [&](const char *what, const auto &expected) {
        for (std::size_t i = 0; i < count; i += count / 64 + 1)
            require(c.read(i) == expected(i), what);
    };

    const device_vector<Residue<bits>> x(m, a), y(m, b);
    device_vector<Residue<bits>> z = x;
    print("x * y", n, seconds([&] { z = x * y; }));
    c = value(z);
    check("x * y", [&](std::size_t i) { return mulmod(numbers[i], others[i], m); });
    const double horner = seconds([&] { z = polynomial(x); });
    print("polynomial of degree 8", n, horner);
    print("  its products", 8 * n, horner);
    c = value(z);
    check("polynomial", [&](std::size_t i) { return polynomial(m(numbers[i])).value(); });
    print("value(x * y)", n, seconds([&] { c = value(x * y); }));
    print("a * b % m", n, seconds([&] { c = a * b % m; }));
    check("a * b % m", [&](std::size_t i) { return mulmod(numbers[i], others[i], m); });

    const device_vector<Field> f(numbers.begin(), numbers.end()), g(others.begin(), others.end());
    device_vector<Field> h = f;
    print("StaticResidue of 2^255 - 19: x * y", n, seconds([&] { h = f * g; }));
    print("  polynomial of degree 8", n, seconds([&] { h = polynomial(f); }));
    c = value(h);
    check("polynomial in the field",
          [&](std::size_t i) { return Number(polynomial(Field(numbers[i])).value()); });

    print("product of all modulo m", n, seconds([&] { (void)product(a, m); }));
    Number all = 1;
    for (std::size_t i = 0; i < 1000; ++i)
        all = mulmod(all, numbers[i], m);
    require(product(a.view(0, 1000), m) == all, "product");

    print("inverse(a, m), together", n, seconds([&] { evaluate(inverse(a, m), c); }));
    check("inverse", [&](std::size_t i) { return *inverse(numbers[i], p); });
    print("inverse(a, m) + 0, one each", n, seconds([&] { evaluate(inverse(a, m) + 0u, c); }, 3));
    check("inverse", [&](std::size_t i) { return *inverse(numbers[i], p); });
    print("inverse(x) of residues", n, seconds([&] { z = inverse(x); }));
    c = value(z);
    check("inverse of residues", [&](std::size_t i) { return *inverse(numbers[i], p); });
}
