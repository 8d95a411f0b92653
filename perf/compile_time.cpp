// SPDX-License-Identifier: Apache-2.0
// What compile_time.sh compiles: one file that uses BigInt<256> and BigInt<2048>, signed and
// unsigned, with all operators and functions; as CUDA also from a kernel. On hosts also branches on
// products of the widths between.
#include <warpint/bigint.h>

#include <cstdint>
#include <sstream>
#include <string>

namespace {

using namespace warpint;

#if defined(__CUDACC__)
#define BOTH __host__ __device__
#else
#define BOTH
#endif

// Operators of two numbers; every result ends in r.
template <class A, class B>
BOTH A use_operators(A a, const B &b, int k) {
    A r = a + b;
    r = r - b;
    r = A(r * b);
    r = A(r / b);
    r = A(r % b);
    r = (r & b) | (a ^ b);
    r = ~r << k;
    r = r >> k;
    r = -r + +a;
    r += b;
    r -= b;
    r *= b;
    r /= b;
    r %= b;
    r &= b;
    r |= b;
    r ^= b;
    r <<= k;
    r >>= k;
    ++r;
    --r;
    r++;
    r--;
    const bool flags[] = {r == b, r != b, r<b, r <= b, r> b, r >= b};
    for (const bool flag : flags)
        r += flag;
    return r;
}

template <class A>
BOTH A use_builtin(A a, std::uint64_t word, int k) {
    A r = a + word;
    r = r - word;
    r = A(r * word);
    r = r / word;
    r += a % word;
    r = (r & word) | (a ^ word);
    r += k;
    r -= k;
    r += r == word || r < word || r > k;
    return r;
}

template <class A, class B>
BOTH A use_functions(A a, const B &b, int k) {
    A r = A(sqr(a));
    r = mul_low(r, a);
    r += mul_high(a, a);
    const auto parts = divmod(a, b);
    r += A(parts.quotient) + A(parts.remainder);
    r += bit_width(a) + countl_zero(a) + countr_zero(a) + popcount(a);
    r += has_single_bit(a) || test_bit(a, k);
    r = set_bit(r, k);
    r = rotl(r, k) ^ rotr(a, k);
    r += A(add_carry(a, b).value) + A(sub_borrow(a, b).value);
    r += add_overflow(a, b).overflow || sub_overflow(a, b).overflow || mul_overflow(a, b).overflow;
    r += A(min(a, b)) + A(max(a, b)) + A(abs(a));
    r += A(extract_bits(a, k, 9));
    r = insert_bits(r, b, k, 13);
    if (a > 0)
        r += sqrt_rem(a).root + isqrt(r);
    return r;
}

template <class A, class B>
BOTH A use_all(A a, const B &b, int k) {
    return use_operators(use_operators(a, a, k), b, k) ^ use_builtin(a, 12345u, k) ^
           use_functions(a, a, k) ^ use_functions(a, b, k);
}

template <class A>
std::string use_text(const A &a) {
    const A b = A::parse(to_string(a));
    const A c = A::parse("0x1f");
    std::ostringstream stream;
    stream << b << to_string(c, 16);
    std::uint8_t bytes[A::bits / 8];
    to_bytes(c, bytes, std::endian::big);
    stream << A::from_bytes(bytes, std::endian::big);
    return stream.str();
}

} // namespace

BigInt<256> narrow(const BigInt<256> &a, const BigInt<2048> &b, int k) {
    return use_all(a, BigInt<256>(b), k);
}
BigInt<2048> wide(const BigInt<256> &a, const BigInt<2048> &b, int k) {
    return use_all(b, a, k);
}
SignedBigInt<256> narrow_signed(const SignedBigInt<256> &a, int k) {
    return use_all(a, a, k);
}
SignedBigInt<2048> wide_signed(const SignedBigInt<2048> &b, int k) {
    return use_all(b, b, k);
}
std::string text(const BigInt<256> &a, const BigInt<2048> &b) {
    return use_text(a) + use_text(b);
}

#if !defined(__CUDACC__)
namespace {

// In a loop, whose block has two predecessors: there g++ looks for what goes with a branch.
template <int Bits>
int branch_on_products(const BigInt<Bits> *a, const SignedBigInt<Bits> *s, int n) {
    int taken = 0;
    for (int i = 0; i < n; ++i) {
        taken += a[i] * a[n] == sqr(a[i]);
        if (mul_low(a[i], a[n]) == a[i + 1])
            ++taken;
        if (mul_low(s[i], s[n]) < 0)
            taken += 2;
        BigInt<Bits> z = a[i];
        z *= a[n];
        if (z != a[i + 1])
            taken += 3;
        if (mul_high(a[i], a[n]) == z || mul_overflow(a[i], z).overflow)
            taken += 4;
    }
    return taken;
}

} // namespace

int between(const BigInt<448> *a, const SignedBigInt<448> *b, int n) {
    return branch_on_products(a, b, n);
}
int between(const BigInt<592> *a, const SignedBigInt<592> *b, int n) {
    return branch_on_products(a, b, n);
}
#endif

#if defined(__CUDACC__)
__global__ void narrow_kernel(BigInt<256> *a, const BigInt<256> *b, int k) {
    a[threadIdx.x] = use_all(a[threadIdx.x], b[threadIdx.x], k);
}
__global__ void wide_kernel(BigInt<2048> *a, const BigInt<256> *b, int k) {
    a[threadIdx.x] = use_all(a[threadIdx.x], b[threadIdx.x], k);
}
#endif
