// SPDX-License-Identifier: Apache-2.0
// Specialisations for the standard library: std::hash and std::numeric_limits, the latter also in
// namespace cuda::std for code that runs through Thrust and CUB.
#pragma once

#include "storage.h"

#if WARPINT_HOSTED

#include <limits>
#include <string_view> // std::hash; <functional> would bring hash tables and sorting along

// cuda::std::numeric_limits is declared here, because its header is 1.8 MB to read. The header is
// included only if it is not known how to declare it.
#if WARPINT_CUDA
#if __has_include(<cuda/std/detail/__config>)
#include <cuda/std/detail/__config>
#endif
#if defined(_CCCL_BEGIN_NAMESPACE_CUDA_STD)
_CCCL_BEGIN_NAMESPACE_CUDA_STD
template <class T>
class numeric_limits;
_CCCL_END_NAMESPACE_CUDA_STD
#define WARPINT_HAS_CUDA_LIMITS 1
#elif defined(_LIBCUDACXX_BEGIN_NAMESPACE_STD) && defined(_LIBCUDACXX_END_NAMESPACE_STD)
_LIBCUDACXX_BEGIN_NAMESPACE_STD
template <class T>
class numeric_limits;
_LIBCUDACXX_END_NAMESPACE_STD
#define WARPINT_HAS_CUDA_LIMITS 1
#elif __has_include(<cuda/std/limits>)
#include <cuda/std/limits>
#define WARPINT_HAS_CUDA_LIMITS 1
#endif
#endif

namespace warpint::number {

// floor(bits log10(2)): the decimal digits that bits hold. Exact, because bits log10(2) exceeds an
// integer by at least 5e-10 for bits below 2^31, and the constant, log10(2) 2^64 rounded down, is
// less than 1 / 2^64 too small.
WARPINT_HOST_DEVICE constexpr int decimal_digits(int bits) {
    const std::uint64_t high = 0x4d104d42u;
    const std::uint64_t low = 0x7de7fbccu;
    const auto factor = static_cast<std::uint64_t>(bits);
    return static_cast<int>((factor * high + (factor * low >> 32)) >> 32);
}

// The members of numeric_limits. Arithmetic wraps modulo 2^Bits, also for signed numbers.
template <BigNumber T>
struct Limits {
    static constexpr bool is_specialized = true;
    static constexpr bool is_signed = T::is_signed;
    static constexpr bool is_integer = true;
    static constexpr bool is_exact = true;
    static constexpr bool is_bounded = true;
    static constexpr bool is_modulo = true;
    static constexpr bool traps = false;
    static constexpr int radix = 2;
    static constexpr int digits = T::bits - T::is_signed;
    static constexpr int digits10 = decimal_digits(digits);

    // 0, or -2^(Bits-1).
    WARPINT_HOST_DEVICE static constexpr T min() noexcept {
        T x{};
        if constexpr (T::is_signed) {
            x.limbs[T::limb_count - 1] = 1u << ((T::bits - 1) % 32);
            normalise<T::bits, true>(x.limbs);
        }
        return x;
    }
    WARPINT_HOST_DEVICE static constexpr T lowest() noexcept { return min(); }
    // 2^Bits - 1, or 2^(Bits-1) - 1.
    WARPINT_HOST_DEVICE static constexpr T max() noexcept {
        T x = min();
        for (int i = 0; i < T::limb_count; ++i)
            x.limbs[i] = ~x.limbs[i];
        normalise<T::bits, T::is_signed>(x.limbs);
        return x;
    }
    WARPINT_HOST_DEVICE static constexpr T epsilon() noexcept { return T{}; }
    WARPINT_HOST_DEVICE static constexpr T round_error() noexcept { return T{}; }
    WARPINT_HOST_DEVICE static constexpr T infinity() noexcept { return T{}; }
    WARPINT_HOST_DEVICE static constexpr T quiet_NaN() noexcept { return T{}; }
    WARPINT_HOST_DEVICE static constexpr T signaling_NaN() noexcept { return T{}; }
    WARPINT_HOST_DEVICE static constexpr T denorm_min() noexcept { return T{}; }

    // What only floating-point types have.
    static constexpr int max_digits10 = 0;
    static constexpr int min_exponent = 0;
    static constexpr int min_exponent10 = 0;
    static constexpr int max_exponent = 0;
    static constexpr int max_exponent10 = 0;
    static constexpr bool has_infinity = false;
    static constexpr bool has_quiet_NaN = false;
    static constexpr bool has_signaling_NaN = false;
    static constexpr bool has_denorm_loss = false;
    static constexpr bool is_iec559 = false;
    static constexpr bool tinyness_before = false;
};

// Mixes the limbs that the number uses, one by one: multiply by an odd constant (2^64 / golden
// ratio), fold the high half down. Variable time.
template <BigNumber T>
constexpr std::size_t hash(const T &x) noexcept {
    std::uint64_t state = static_cast<std::uint64_t>(T::bits);
    const int length = arith::bit_width<T::limb_count>(x.limbs);
    for (int i = 0; i < length; i += 32) {
        state = (state ^ x.limbs[i / 32]) * 0x9e3779b97f4a7c15u;
        state ^= state >> 32;
    }
    return state;
}

} // namespace warpint::number

template <int Bits>
struct std::numeric_limits<warpint::BigInt<Bits>> : warpint::number::Limits<warpint::BigInt<Bits>> {
    static constexpr std::float_denorm_style has_denorm = std::denorm_absent;
    static constexpr std::float_round_style round_style = std::round_toward_zero;
};
template <int Bits>
struct std::numeric_limits<warpint::SignedBigInt<Bits>>
    : warpint::number::Limits<warpint::SignedBigInt<Bits>> {
    static constexpr std::float_denorm_style has_denorm = std::denorm_absent;
    static constexpr std::float_round_style round_style = std::round_toward_zero;
};

template <int Bits>
struct std::hash<warpint::BigInt<Bits>> {
    std::size_t operator()(const warpint::BigInt<Bits> &x) const noexcept {
        return warpint::number::hash(x);
    }
};
template <int Bits>
struct std::hash<warpint::SignedBigInt<Bits>> {
    std::size_t operator()(const warpint::SignedBigInt<Bits> &x) const noexcept {
        return warpint::number::hash(x);
    }
};

#if defined(WARPINT_HAS_CUDA_LIMITS)
#undef WARPINT_HAS_CUDA_LIMITS
namespace warpint::number {
// The styles of an int, in the types of cuda::std, which are complete where a program uses them.
template <BigNumber T, class Integer = std::conditional_t<T::is_signed, int, unsigned>>
struct CudaLimits : Limits<T> {
    static constexpr auto has_denorm = cuda::std::numeric_limits<Integer>::has_denorm;
    static constexpr auto round_style = cuda::std::numeric_limits<Integer>::round_style;
};
} // namespace warpint::number
template <int Bits>
class cuda::std::numeric_limits<warpint::BigInt<Bits>>
    : public warpint::number::CudaLimits<warpint::BigInt<Bits>> {};
template <int Bits>
class cuda::std::numeric_limits<warpint::SignedBigInt<Bits>>
    : public warpint::number::CudaLimits<warpint::SignedBigInt<Bits>> {};
#endif

#endif
