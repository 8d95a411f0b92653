// SPDX-License-Identifier: Apache-2.0
// Formulas of every kind of work, narrow and wide, for device_code.py: what nvcc makes of their
// kernels. DEVICE_CODE_GROUP chooses the formulas.
#include <warpint/number_theory.h>
#include <warpint/sort.h>
#include <warpint/vector.h>
#include <warpint/warp_int.h>

using namespace warpint;

namespace {

template <int Bits>
using Numbers = device_vector<BigInt<Bits>>;

template <int Bits>
struct Operands {
    Numbers<Bits> a, b, c, d, m, r;
    Numbers<2 * Bits> wide;
    BigInt<Bits> shared;
};

#if DEVICE_CODE_GROUP == 0 // what streams
template <int Bits>
void stream(Operands<Bits> &o) {
    o.r = o.a + o.b;
}
void formulas() {
    Operands<64> n64;
    Operands<256> n256;
    Operands<320> n320;
    Operands<512> n512;
    Operands<1024> n1024;
    Operands<2048> n2048;
    Operands<4096> n4096;
    stream(n64);
    stream(n256);
    stream(n320);
    stream(n1024);
    stream(n2048);
    stream(n4096);
    device_vector<bool> truth;
    device_vector<int> counts;
    truth = n64.a < n64.b;
    n256.r = n256.a << 3;
    n512.r = n512.a ^ n512.b;
    n2048.wide = n2048.a - n2048.b;
    counts = popcount(n2048.a);
    n256.r = select(n256.a < n256.b, n256.a, n256.b);
    n256.r = let(n256.a + n256.b, [](auto x) { return x ^ (x >> 1); });
    n256.r = gather(n256.a, indices(10));
    n512.r = n256.a;
}
#elif DEVICE_CODE_GROUP == 1  // products and products modulo m
template <int Bits>
void products(Operands<Bits> &o) {
    o.wide = o.a * o.b;
    o.r = o.a * o.b % o.m;
}
void formulas() {
    Operands<131> n131;
    Operands<256> n256;
    Operands<512> n512;
    Operands<1024> n1024;
    Operands<1056> n1056;
    Operands<2048> n2048;
    Operands<4096> n4096;
    products(n131);
    products(n256);
    products(n512);
    products(n1024);
    products(n1056);
    products(n2048);
    products(n4096);
    n512.wide = sqr(n512.a);
    n2048.r = mul_low(n2048.a, n2048.b);
    n256.r = n256.a * n256.b % n256.shared;
    n1024.r = n1024.a * n1024.b % n1024.shared;
    n2048.r = n2048.a * n2048.b % n2048.shared;
    n512.r = (n512.a * n512.b + n512.c) % n512.shared;
    n512.r = (n512.a * n512.b - n512.c * n512.d) % n512.m;
    n1024.r = (n1024.a * n1024.b - n1024.c) % n1024.m;
    n256.r = (n256.a + n256.b) % n256.m;
}
#elif DEVICE_CODE_GROUP == 2  // divisions and roots
template <int Bits>
void divisions(Operands<Bits> &o) {
    o.r = o.a / o.b;
    tie(o.r, o.c) = divmod(o.wide, o.m);
}
void formulas() {
    Operands<128> n128;
    Operands<256> n256;
    Operands<512> n512;
    Operands<736> n736;
    Operands<1024> n1024;
    Operands<2048> n2048;
    divisions(n256);
    divisions(n1024);
    divisions(n2048);
    n256.r = n256.a % n256.shared;
    n2048.r = n2048.a % n2048.shared;
    n128.r = isqrt(n128.a);
    n256.r = isqrt(n256.a);
    n736.r = isqrt(n736.a);
    n2048.r = isqrt(n2048.a);
}
#elif DEVICE_CODE_GROUP == 3  // greatest common divisors and inverses
template <int Bits>
void divisors(Operands<Bits> &o) {
    o.r = gcd(o.a, o.b);
    o.r = inverse(o.a, o.m);
}
void formulas() {
    Operands<256> n256;
    Operands<1280> n1280;
    Operands<2048> n2048;
    divisors(n256);
    divisors(n1280);
    divisors(n2048);
    n256.r = inverse(n256.a, n256.shared);
    n256.r = inverse(n256.a, n256.shared) * n256.b;
    n256.r = jacobi(n256.a, n256.m);
}
#elif DEVICE_CODE_GROUP == 4  // powers, an exponent for each element
template <int Bits>
void powers(Operands<Bits> &o) {
    o.r = pow(o.a, o.b, o.m);
}
void formulas() {
    Operands<256> n256;
    Operands<512> n512;
    Operands<1024> n1024;
    Operands<2048> n2048;
    powers(n256);
    powers(n512);
    powers(n1024);
    powers(n2048);
}
#elif DEVICE_CODE_GROUP == 5  // powers, what is shared
template <int Bits>
void powers(Operands<Bits> &o) {
    o.r = pow(o.a, o.shared, o.shared);
}
void formulas() {
    Operands<256> n256;
    Operands<1024> n1024;
    Operands<2048> n2048;
    powers(n256);
    powers(n2048);
    n1024.r = pow(n1024.a, 65537, n1024.m);
    n256.r = pow(n256.shared, n256.b, n256.shared);
    n256.r = pow(n256.a, n256.b);
}
#elif DEVICE_CODE_GROUP == 6  // residues
template <int Bits>
void residues() {
    device_vector<Residue<Bits>> x, y, z;
    z = x * y;
    z = x + y;
}
void formulas() {
    residues<256>();
    residues<1024>();
    device_vector<Residue<256>> x, z;
    z = pow(x, 65537);
    z = inverse(x);
    using Field = StaticResidue<(BigInt<255>(1) << 254) * 2u - 19u>;
    device_vector<Field> f, g, h;
    h = f * g + h;
}
#elif DEVICE_CODE_GROUP == 7  // reductions and sorting
void formulas() {
    Operands<64> n64;
    Operands<256> n256;
    Operands<2048> n2048;
    static_cast<void>(sum(n256.a));
    static_cast<void>(sum(n256.a * n256.b));
    static_cast<void>(count(n256.a == n256.b));
    static_cast<void>(count(n2048.a == n2048.b));
    static_cast<void>(max(n256.a));
    static_cast<void>(all(n64.a < n64.b));
    static_cast<void>(product(n256.a, n256.shared));
    sort(n256.a);
}
#elif DEVICE_CODE_GROUP == 8  // primality in a thread and over lanes
void formulas() {
    Operands<64> n64;
    Operands<256> n256;
    Operands<1024> n1024;
    Operands<1664> n1664;
    device_vector<bool> truth;
    truth = is_probable_prime(n64.a);
    truth = is_probable_prime(n256.a);
    truth = is_probable_prime(n1024.a);
    truth = is_probable_prime(n1664.a);
}
#elif DEVICE_CODE_GROUP == 9  // congruences and square roots modulo a prime
template <int Bits>
void congruences(Operands<Bits> &o) {
    o.wide = crt(o.a, o.m, o.b, o.c);
    o.r = sqrt_mod(o.a, o.m);
}
void formulas() {
    Operands<256> n256;
    Operands<1664> n1664;
    congruences(n256);
    congruences(n1664);
}
#elif DEVICE_CODE_GROUP == 10 // theory in kernels of users
template <class T, class Plain>
__global__ void random_rounds(const Plain *a, bool *r) {
    const auto i = T::index();
    Philox generator(1);
    r[i] = is_probable_prime(T(a + i), 3, generator);
}
template <class T, class Plain>
__global__ void safe_after(const Plain *a, Plain *r) {
    const auto i = T::index();
    next_safe_prime(T(a + i)).store(r + i);
}
template <class T, class Plain, class Wide>
__global__ void three_congruences(const Plain *a, const Plain *m, Wide *r) {
    const auto i = 3 * T::index();
    const T residues[] = {T(a + i), T(a + i + 1), T(a + i + 2)};
    const T moduli[] = {T(m + i), T(m + i + 1), T(m + i + 2)};
    crt(residues, moduli).value().store(r + i);
}
__global__ void of_threads(const BigInt<128> *a, BigInt<128> *r, BigInt<384> *wide, bool *truth) {
    const auto i = threadIdx.x;
    Philox generator(1);
    truth[i] = is_probable_prime(a[i], 3, generator);
    r[i] = next_safe_prime(a[i]);
    const BigInt<128> residues[] = {a[i], a[i + 1], a[i + 2]};
    const BigInt<128> moduli[] = {r[i], r[i + 1], r[i + 2]};
    wide[i] = *crt(residues, moduli);
}
void formulas() {
    using Number = WarpInt<256, 4>;
    using Together = WarpInt<256, 4, Together::warp>;
    random_rounds<Number, BigInt<256>><<<1, 128>>>(nullptr, nullptr);
    random_rounds<Together, BigInt<256>><<<1, 128>>>(nullptr, nullptr);
    safe_after<Number, BigInt<256>><<<1, 128>>>(nullptr, nullptr);
    three_congruences<Number, BigInt<256>, BigInt<768>><<<1, 128>>>(nullptr, nullptr, nullptr);
    of_threads<<<1, 128>>>(nullptr, nullptr, nullptr, nullptr);
}
#endif

} // namespace

void (*device_code_formulas)() = formulas;
