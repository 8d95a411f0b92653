// SPDX-License-Identifier: Apache-2.0
// The functions of crossing.h, for the side named SIDE.
#include "crossing.h"

namespace crossing::SIDE {

using namespace warpint;

Vector squares(std::size_t count) {
    Vector v(count);
    for (std::size_t i = 0; i < count; ++i)
        v[i] = Number(i) * Number(i);
    return v;
}
Number total(const Vector &v) {
    Number sum(0);
    for (const Number &x : v)
        sum += x;
    return sum;
}
void fill(View view, const Number &value) {
    evaluate(view * 0u + value, view);
}
Formula formula(const Vector &a, const Vector &b, const Modulus<96> &m) {
    return (a * b + 1u) % m;
}
Vector run(const Formula &formula) {
    return formula;
}
Explanation explained(const Formula &formula) {
    return explain(formula);
}
Vector quotients(const Vector &a, const Vector &b) {
    return a / b;
}
void grow(Vector &v, std::size_t count) {
    v.resize(count, Number(7));
    v.push_back(Number(8));
}
void throw_size_mismatch() {
    const Vector a(3), b(4);
    Vector c = a + b;
}
std::uint64_t launches() {
    return launch_count();
}
bool same_resource(memory_resource *resource) {
    return host_resource() == resource;
}
int run_device_formula() {
    const device_vector<Number> a(3, Number(5));
    const device_vector<Number> b = a * 2u + indices(3);
    const host_vector<std::uint64_t> n = indices(3);
    return static_cast<int>(static_cast<Number>(b[2]) + n[2]);
}

} // namespace crossing::SIDE
