// SPDX-License-Identifier: Apache-2.0
// One figure of the guide's tables, or one with a modulus for all, by the public interface alone,
// so that headers of other revisions compile it too: CELL is the operation, BITS the width.
// before_after.py compiles it with two trees of headers, by nvcc or by a host compiler, and runs
// both programs in turns. Prints how many elements a second, and a hash of results.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <warpint/warpint.h>
#if defined(__CUDACC__)
#include <thrust/device_ptr.h>
#endif

using namespace warpint;

namespace {

#if defined(__CUDACC__)
constexpr bool on_gpu = true;
#define BOTH __host__ __device__
#else
constexpr bool on_gpu = false;
#define BOTH
#endif

// Word i of random numbers (splitmix64): the highest bit of each is set, and the lowest one if it
// shall be odd.
BOTH std::uint64_t random_word(std::size_t i, std::size_t words_of_number, bool odd,
                               std::uint64_t seed) {
    std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    if (odd && i % words_of_number == 0)
        x |= 1;
    if ((i + 1) % words_of_number == 0)
        x |= std::uint64_t{1} << 63;
    return x;
}

#if defined(__CUDACC__)
__global__ void fill(std::uint64_t *words, std::size_t count, std::size_t words_of_number, bool odd,
                     std::uint64_t seed) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += step)
        words[i] = random_word(i, words_of_number, odd, seed);
}
void wait() {
    if (cudaDeviceSynchronize() != cudaSuccess) {
        std::fprintf(stderr, "before_after: a kernel failed\n");
        std::exit(1);
    }
}
template <class V>
auto *memory_of(const V &v) {
    return const_cast<typename V::value_type *>(thrust::raw_pointer_cast(v.data()));
}
#else
void wait() {}
template <class V>
auto *memory_of(const V &v) {
    return const_cast<typename V::value_type *>(v.data());
}
#endif

template <int bits>
device_vector<BigInt<bits>> random_numbers(std::size_t count, std::uint64_t seed,
                                           bool odd = false) {
    static_assert(bits % 64 == 0 && sizeof(BigInt<bits>) * 8 == bits);
    device_vector<BigInt<bits>> v(count);
    auto *const words = reinterpret_cast<std::uint64_t *>(memory_of(v));
#if defined(__CUDACC__)
    fill<<<1024, 256>>>(words, count * (bits / 64), bits / 64, odd, seed);
    wait();
#else
    for (std::size_t i = 0; i < count * (bits / 64); ++i) {
        const std::uint64_t word = random_word(i, bits / 64, odd, seed);
        std::memcpy(reinterpret_cast<char *>(words) + 8 * i, &word, 8);
    }
#endif
    return v;
}

// FNV-1a of the words of the first elements.
template <class V>
std::uint64_t hash(const V &v) {
    const std::size_t bytes =
        std::min<std::size_t>(v.size(), 5000) * sizeof(typename V::value_type);
    std::vector<unsigned char> host(bytes);
#if defined(__CUDACC__)
    cudaMemcpy(host.data(), memory_of(v), bytes, cudaMemcpyDeviceToHost);
#else
    std::memcpy(host.data(), memory_of(v), bytes);
#endif
    std::uint64_t h = 14695981039346656037u;
    for (const unsigned char byte : host)
        h = (h ^ byte) * 1099511628211u;
    return h;
}

// Elements a second: the median of nine readings of 20 ms or a call, of three where a call takes
// half a second.
template <class Call>
double rate(std::size_t count, const Call &call) {
    using clock = std::chrono::steady_clock;
    const auto seconds_of = [&](int calls) {
        wait();
        const auto start = clock::now();
        for (int i = 0; i < calls; ++i)
            call();
        wait();
        return std::chrono::duration<double>(clock::now() - start).count() / calls;
    };
    seconds_of(1);
    const double once = seconds_of(1);
    const int calls = std::max(1, static_cast<int>(0.02 / once));
    std::vector<double> readings(once > 0.5 ? 3 : 9);
    for (double &reading : readings)
        reading = seconds_of(calls);
    std::sort(readings.begin(), readings.end());
    return static_cast<double>(count) / readings[readings.size() / 2];
}

constexpr int bits = BITS;
// So that operands of a memory-bound formula exceed the caches.
[[maybe_unused]] constexpr std::size_t many =
    (on_gpu ? std::size_t{8'437'500} : std::size_t{500'000}) * 256 / bits;
[[maybe_unused]] constexpr std::size_t powers = on_gpu ? bits <= 512 ? (std::size_t{1} << 31) / bits
                                                         : bits <= 1024
                                                             ? std::size_t{1} << 20
                                                             : (std::size_t{1} << 28) / bits
                                                       : (std::size_t{1} << 32) / bits / bits;

} // namespace

int main() {
#if CELL == 1
    const auto a = random_numbers<bits>(powers, 1), e = random_numbers<bits>(powers, 2);
    const auto m = random_numbers<bits>(powers, 3, true);
    device_vector<BigInt<bits>> c;
    const double r = rate(powers, [&] { c = pow(a, e, m); });
#elif CELL == 2
    const auto a = random_numbers<bits>(many, 1), b = random_numbers<bits>(many, 2);
    const auto m = random_numbers<bits>(many, 3, true);
    device_vector<BigInt<bits>> c;
    const double r = rate(many, [&] { c = a * b % m; });
#elif CELL == 3
    const auto a = random_numbers<bits>(many, 1), b = random_numbers<bits>(many, 2);
    device_vector<BigInt<2 * bits>> c;
    const double r = rate(many, [&] { c = a * b; });
#elif CELL == 4
    const auto w = random_numbers<2 * bits>(many, 1);
    const auto m = random_numbers<bits>(many, 3, true);
    device_vector<BigInt<2 * bits>> q;
    device_vector<BigInt<bits>> c;
    const double r = rate(many, [&] { tie(q, c) = divmod(w, m); });
#elif CELL == 5
    const auto a = random_numbers<bits>(many, 1);
    device_vector<BigInt<bits / 2>> c;
    const double r = rate(many, [&] { c = isqrt(a); });
#elif CELL == 6
    const auto a = random_numbers<bits>(many, 1), b = random_numbers<bits>(many, 2);
    device_vector<BigInt<bits>> c;
    const double r = rate(many, [&] { c = gcd(a, b); });
#elif CELL == 7 || CELL == 12
    const auto a = random_numbers<bits>(many, 1);
#if CELL == 7
    const auto m = random_numbers<bits>(many, 3, true);
#else
    const Modulus<bits> m((BigInt<bits>(1u) << (bits - 1)) + 12345u);
#endif
    device_vector<BigInt<bits>> c;
    const double r = rate(many, [&] { c = inverse(a, m); });
    c.clear_errors(); // some have none
#elif CELL == 13 || CELL == 14
    constexpr BigInt<bits> m = ~BigInt<bits>(0u) / 5u + (CELL == 13 ? 1000u : 1001u);
    const device_vector<StaticResidue<m>> x(random_numbers<bits>(many, 1, true));
    device_vector<StaticResidue<m>> z;
    const double r = rate(many, [&] { z = inverse(x); });
    z.clear_errors();
    const device_vector<BigInt<bits>> c = value(z);
#elif CELL >= 8 // residues of a Modulus, which is odd in 8 and 9
    const Modulus<bits> m((BigInt<bits>(1u) << (bits - 1)) + (CELL < 10 ? 12345u : 12344u));
    const auto a = random_numbers<bits>(many, 1, true), b = random_numbers<bits>(many, 2);
    const device_vector<Residue<bits>> x(m, a), y(m, b);
    device_vector<Residue<bits>> z;
#if CELL % 2 == 0
    const double r = rate(many, [&] { z = inverse(x); });
#else
    const double r = rate(many, [&] { z = y / x; });
#endif
    z.clear_errors();
    const device_vector<BigInt<bits>> c = value(z);
#endif
    std::printf("%.6g %016llx\n", r, static_cast<unsigned long long>(hash(c)));
}
