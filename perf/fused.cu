// SPDX-License-Identifier: Apache-2.0
// One formula beside the same in pieces with vectors of one's own: FORMULA is its number, BITS the
// width, COUNT the elements (0: so many that operands exceed the caches). fused.py compiles and
// runs all, by nvcc or by a host compiler. Prints the formula, the milliseconds of both, and
// whether both gave the same.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <warpint/warpint.h>

using namespace warpint;

namespace {

// STORE(formula, pieces): the pieces leave the formula's value in d. REDUCE(formula, pieces): they
// return it.
#define FORMULAS(STORE, REDUCE)                                                                    \
    REDUCE(1, sum(a *b % m), t = a * b % m; return sum(t))                                         \
    REDUCE(2, sum(a *b), w = a * b; return sum(w))                                                 \
    REDUCE(3, max(a *b % M), t = a * b % M; return max(t))                                         \
    REDUCE(4, count(pow(a, k, m) == b), t = pow(a, k, m); return count(t == b))                    \
    REDUCE(5, count(a *b % m == e), t = a * b % m; return count(t == e))                           \
    REDUCE(6, sum(isqrt(a)), t = isqrt(a); return sum(t))                                          \
    REDUCE(7, count(gcd(a, b) == 1u), t = gcd(a, b); return count(t == 1u))                        \
    REDUCE(8, sum(a + b), auto s = eval(a + b); return sum(s))                                     \
    REDUCE(9, max(a + b), auto s = eval(a + b); return max(s))                                     \
    REDUCE(10, sum(max(a, b) * e), w = max(a, b) * e; return sum(w))                               \
    REDUCE(11, sum(a / h), t = a / h; return sum(t))                                               \
    REDUCE(12, min(a ^ b), t = a ^ b; return min(t))                                               \
    REDUCE(13, any(a *b % m == 0u), t = a * b % m; return any(t == 0u))                            \
    REDUCE(14, sum(popcount(a)), auto s = eval(popcount(a)); return sum(s))                        \
    REDUCE(15, sum(pow(a, 65537, M)), t = pow(a, 65537, M); return sum(t))                         \
    REDUCE(16, product(a *b % M, M), t = a * b % M; return product(t, M))                          \
    REDUCE(17, sum(gather(a, i)), t = gather(a, i); return sum(t))                                 \
    REDUCE(18, count(is_probable_prime(few)), auto s = eval(is_probable_prime(few));               \
           return count(s))                                                                        \
    STORE(19, a *b % m * e % m, t = a * b % m; d = t * e % m)                                      \
    STORE(20, a *b % m + b, t = a * b % m; d = t + b)                                              \
    STORE(21, a *b % m + e * b % m, t = a * b % m; u = e * b % m; d = t + u)                       \
    STORE(22, (a * b + e * h) % m, t = a * b % m; d = (e * h + t) % m)                             \
    STORE(23, (a * b - e * h) % m, t = e * h % m; d = (a * b - t) % m)                             \
    STORE(24, (a * b + e) % m, t = a * b % m; d = (t + e) % m)                                     \
    STORE(25, (a - b) * e % m, t = (a - b) % m; d = t * e % m)                                     \
    STORE(26, (a + b) * e % m, auto s = eval(a + b); d = s * e % m)                                \
    STORE(27, gcd(a *b % m, m), t = a * b % m; d = gcd(t, m))                                      \
    STORE(28, isqrt(a *b), w = a * b; d = isqrt(w))                                                \
    STORE(29, a *b / m, w = a * b; d = w / m)                                                      \
    STORE(30, pow(a, k, m) * b % m, t = pow(a, k, m); d = t * b % m)                               \
    STORE(31, pow(a, k, m) + b, t = pow(a, k, m); d = t + b)                                       \
    STORE(32, pow(a *b % m, k, m), t = a * b % m; d = pow(t, k, m))                                \
    STORE(33, inverse(a, M) * b % M, t = inverse(a, M); d = t * b % M)                             \
    STORE(34, inverse(a *b % M, M), t = a * b % M; d = inverse(t, M))                              \
    STORE(35, inverse(a, M) * pow(b, 65537, M) % M, t = inverse(a, M); u = pow(b, 65537, M);       \
          d = t * u % M)                                                                           \
    STORE(36, inverse(pow(a, 65537, M), M), t = pow(a, 65537, M); d = inverse(t, M))               \
    STORE(37, inverse(a, m) * b % m, t = inverse(a, m); d = t * b % m)                             \
    STORE(38, gather(a, i) * b % m, t = gather(a, i); d = t * b % m)                               \
    STORE(39, pow(gather(a, i), k, m), t = gather(a, i); d = pow(t, k, m))                         \
    STORE(40, gather(a, i) + b, t = gather(a, i); d = t + b)                                       \
    STORE(41, let(a *b % m, [&](auto x) { return x * x % m + x; }), t = a * b % m;                 \
          d = t * t % m + t)                                                                       \
    STORE(42, let(a + b, [&](auto x) { return x * x; }), auto s = eval(a + b); d = s * s)          \
    STORE(43, select(a < b, a * b % m, e), t = a * b % m; d = select(a < b, t, e))                 \
    STORE(44, select(a < b, a, b) * e % m, t = select(a < b, a, b); d = t * e % m)                 \
    STORE(45, map(Low{}, a *b % m), t = a * b % m; d = map(Low{}, t))                              \
    STORE(46, map(Low{}, a) * b % m, auto s = eval(map(Low{}, a)); d = s * b % m)                  \
    STORE(47, a / h + e, t = a / h; d = t + e)                                                     \
    STORE(48, w2 % m + a, t = w2 % m; d = t + a)                                                   \
    STORE(49, (a & b) * e, t = a & b; d = t * e)                                                   \
    STORE(50, a *b + e * h, w = a * b; w3 = e * h; d = w + w3)                                     \
    STORE(51, as<BigInt<64>>(a * b % m), t = a * b % m; d = as<BigInt<64>>(t))                     \
    STORE(52, (a << 3) + (b >> 7), t = a << 3; u = b >> 7; d = t + u)                              \
    STORE(53, y / x, z = inverse(x); d = y * z)                                                    \
    STORE(54, x *y + 3, z = x * y; d = z + 3)                                                      \
    STORE(55, pow(x, 65537) * y, z = pow(x, 65537); d = z * y)                                     \
    STORE(56, value(x *y), z = x * y; d = value(z))                                                \
    STORE(57, x * y * x + y, z = x * y; z = z * x; d = z + y)                                      \
    STORE(58, f *g + f, z2 = f * g; d = z2 + f)                                                    \
    STORE(59, f / g, z2 = inverse(g); d = f * z2)                                                  \
    STORE(60, a.view(1, n - 1) * b.view(1, n - 1) % m.view(1, n - 1), t2 = a.view(1, n - 1);       \
          u2 = b.view(1, n - 1); v2 = m.view(1, n - 1); d = t2 * u2 % v2)                          \
    STORE(61, abs(s1 - s2) % m, auto s = eval(s1 - s2); d = abs(s) % m)                            \
    STORE(62, jacobi(a *b % m, m), t = a * b % m; d = jacobi(t, m))                                \
    STORE(63, lcm(a, b) % m, auto s = eval(lcm(a, b)); d = s % m)                                  \
    STORE(64, a *a % m * a % m, t = a * a % m; d = t * a % m)                                      \
    STORE(65, a *b + e, w = a * b; d = w + e)                                                      \
    STORE(66, a *b - w2, w = a * b; d = w - w2)

constexpr int bits = BITS;
using Number = BigInt<bits>;
struct Low {
    template <class T>
    WARPINT_HOST_DEVICE Number operator()(const T &x) const {
        return x ^ (x >> 1);
    }
};

std::mt19937_64 generator(bits);
template <int width>
device_vector<BigInt<width>> numbers(std::size_t count, bool odd = false) {
    std::vector<BigInt<width>> v(count);
    for (BigInt<width> &x : v) {
        for (std::uint32_t &limb : x.limbs)
            limb = static_cast<std::uint32_t>(generator());
        x = (x >> (32 * BigInt<width>::limb_count - width)) | BigInt<width>(1) << (width - 1);
        x = x | BigInt<width>(odd ? 1u : 0u);
    }
    return device_vector<BigInt<width>>(v);
}

void wait() {
#if defined(__CUDACC__)
    if (cudaDeviceSynchronize() != cudaSuccess) {
        std::fprintf(stderr, "fused: a kernel failed\n");
        std::exit(1);
    }
#endif
}

// Milliseconds of a call: the median of seven readings of a call or 10 ms.
template <class Call>
double milliseconds(const Call &call) {
    using clock = std::chrono::steady_clock;
    const auto read = [&](int calls) {
        wait();
        const auto start = clock::now();
        for (int at = 0; at < calls; ++at)
            call();
        wait();
        return std::chrono::duration<double, std::milli>(clock::now() - start).count() / calls;
    };
    read(1);
    const int calls = std::max(1, static_cast<int>(10 / read(1)));
    double readings[7];
    for (double &reading : readings)
        reading = read(calls);
    std::sort(readings, readings + 7);
    return readings[3];
}

template <class Fused, class Pieces>
void print(const char *name, const Fused &fused, const Pieces &pieces, bool same) {
    const double in_pieces = milliseconds(pieces);
    const double whole = std::min(milliseconds(fused), milliseconds(fused));
    std::printf("%s\t%.5f\t%.5f\t%s\n", name, whole, std::min(in_pieces, milliseconds(pieces)),
                same ? "same" : "DIFFERENT");
}

struct Data {
    std::size_t n;
    device_vector<Number> a = numbers<bits>(n), b = numbers<bits>(n), e = numbers<bits>(n);
    device_vector<Number> m = numbers<bits>(n, true), h = b >> (bits / 2);
    device_vector<Number> few;
    device_vector<BigInt<32>> k = numbers<32>(n);
    Modulus<bits> M{Number(m[0])};
    device_vector<std::uint64_t> i = indices(n) * 7u % n;
    device_vector<BigInt<2 * bits>> w2 = a * b;
    device_vector<SignedBigInt<bits>> s1 = as<SignedBigInt<bits>>(a);
    device_vector<SignedBigInt<bits>> s2 = as<SignedBigInt<bits>>(b);
    device_vector<Residue<bits>> x{M, a}, y{M, b};
    using Static = StaticResidue<BigInt<bits>(0u) - BigInt<bits>(189u)>;
    device_vector<Static> f = a, g = b;
    // Room for pieces.
    device_vector<Number> t = a, u = a, t2, u2, v2;
    device_vector<BigInt<2 * bits>> w = w2, w3 = w2;
    device_vector<Residue<bits>> z = x;
    device_vector<Static> z2 = f;

    explicit Data(std::size_t count) : n{count} {
        few = m.view(0, std::min<std::size_t>(n, 1000));
        t2 = u2 = v2 = a.view(1, n - 1);
    }
};
#define NAMES                                                                                      \
    [[maybe_unused]] auto &n = v.n;                                                                \
    [[maybe_unused]] auto &a = v.a;                                                                \
    [[maybe_unused]] auto &b = v.b;                                                                \
    [[maybe_unused]] auto &e = v.e;                                                                \
    [[maybe_unused]] auto &m = v.m;                                                                \
    [[maybe_unused]] auto &h = v.h;                                                                \
    [[maybe_unused]] auto &few = v.few;                                                            \
    [[maybe_unused]] auto &k = v.k;                                                                \
    [[maybe_unused]] auto &M = v.M;                                                                \
    [[maybe_unused]] auto &i = v.i;                                                                \
    [[maybe_unused]] auto &w2 = v.w2;                                                              \
    [[maybe_unused]] auto &s1 = v.s1;                                                              \
    [[maybe_unused]] auto &s2 = v.s2;                                                              \
    [[maybe_unused]] auto &x = v.x;                                                                \
    [[maybe_unused]] auto &y = v.y;                                                                \
    [[maybe_unused]] auto &f = v.f;                                                                \
    [[maybe_unused]] auto &g = v.g;                                                                \
    [[maybe_unused]] auto &t = v.t;                                                                \
    [[maybe_unused]] auto &u = v.u;                                                                \
    [[maybe_unused]] auto &t2 = v.t2;                                                              \
    [[maybe_unused]] auto &u2 = v.u2;                                                              \
    [[maybe_unused]] auto &v2 = v.v2;                                                              \
    [[maybe_unused]] auto &w = v.w;                                                                \
    [[maybe_unused]] auto &w3 = v.w3;                                                              \
    [[maybe_unused]] auto &z = v.z;                                                                \
    [[maybe_unused]] auto &z2 = v.z2;

// One function template each: that of FORMULA is instantiated.
template <int number>
using Formula = std::integral_constant<int, number>;
#define DEFINE_STORE(number, formula, ...)                                                         \
    template <class V>                                                                             \
    void run(Formula<number>, V &v) {                                                              \
        NAMES                                                                                      \
        auto c = eval(formula);                                                                    \
        auto d = c;                                                                                \
        const auto fused = [&] { c = formula; };                                                   \
        const auto pieces = [&] { __VA_ARGS__; };                                                  \
        d = decltype(d)();                                                                         \
        pieces();                                                                                  \
        const bool same_faults = c.error_mask() == d.error_mask();                                 \
        c.clear_errors();                                                                          \
        d.clear_errors();                                                                          \
        print(#formula, fused, pieces, same_faults && c.size() == d.size() && all(c == d));        \
    }
#define DEFINE_REDUCE(number, formula, ...)                                                        \
    template <class V>                                                                             \
    void run(Formula<number>, V &v) {                                                              \
        NAMES                                                                                      \
        const auto fused = [&] { return formula; };                                                \
        const auto pieces = [&] { __VA_ARGS__; };                                                  \
        print(#formula, fused, pieces, fused() == pieces());                                       \
    }
FORMULAS(DEFINE_STORE, DEFINE_REDUCE)

} // namespace

int main() {
    constexpr int log2_count = bits <= 576 ? 20 : bits <= 1152 ? 19 : bits <= 2304 ? 17 : 15;
    Data data(COUNT != 0 ? COUNT : std::size_t{1} << log2_count);
    run(Formula<FORMULA>{}, data);
    return 0;
}
