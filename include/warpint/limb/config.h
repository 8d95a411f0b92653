// SPDX-License-Identifier: Apache-2.0
// Limb room: what the compiler and the machine offer. The only room that looks at __CUDA_ARCH__ or
// has inline assembly. Intrinsics stand elsewhere too where a room is about them: those of vector
// registers in arith/simd, those of warps and blocks in the kernels of execution and vector.
// Everything else is plain C++. Words: src/docs/guide/glossary.md.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Functions that run on both sides.
#if defined(__CUDACC__)
#define WARPINT_HOST_DEVICE __host__ __device__
#else
#define WARPINT_HOST_DEVICE
#endif

// Before a function for both sides that calls what may exist on one side only.
#if defined(__CUDACC__)
#define WARPINT_ON_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define WARPINT_ON_EITHER_SIDE
#endif

// 1 where this library forces inlining, and unrolling on hosts: in device code, and on hosts where
// the compiler optimises. Where it does not, this gains nothing and triples g++'s compile time. A
// program may define this as 0 for its host code.
#if defined(__CUDA_ARCH__) || !defined(WARPINT_FORCES_INLINING)
#undef WARPINT_FORCES_INLINING
#if defined(__CUDA_ARCH__) || (defined(__GNUC__) && defined(__OPTIMIZE__))
#define WARPINT_FORCES_INLINING 1
#else
#define WARPINT_FORCES_INLINING 0
#endif
#endif
#if WARPINT_FORCES_INLINING && defined(__CUDACC__)
#define WARPINT_INLINE __forceinline__
#elif WARPINT_FORCES_INLINING
#define WARPINT_INLINE __attribute__((always_inline)) inline
#else
#define WARPINT_INLINE inline
#endif

// Functions whose arrays live in registers on a GPU, or which are over lanes: they are inlined
// there. A host compiler decides.
#if defined(__CUDA_ARCH__)
#define WARPINT_DEVICE_INLINE __forceinline__
#else
#define WARPINT_DEVICE_INLINE inline
#endif

// Functions that return a number which is mostly stored elsewhere: inlined on a host, since a copy
// of what a call has just written waits for words that lie in two writes. nvcc decides itself.
#if defined(__CUDACC__)
#define WARPINT_HOST_INLINE inline
#else
#define WARPINT_HOST_INLINE WARPINT_INLINE
#endif

// After the parameters of a lambda: inlined, as WARPINT_INLINE says of functions.
#if WARPINT_FORCES_INLINING
#define WARPINT_INLINE_LAMBDA __attribute__((always_inline))
#else
#define WARPINT_INLINE_LAMBDA
#endif

// Large functions, out of line.
#if defined(__CUDACC__)
#define WARPINT_NOINLINE __noinline__
#elif defined(__GNUC__)
#define WARPINT_NOINLINE __attribute__((noinline))
#else
#define WARPINT_NOINLINE
#endif

// What runs once or never, such as errors: out of line, and compiled for its size.
#if defined(__GNUC__)
#define WARPINT_COLD WARPINT_NOINLINE __attribute__((cold))
#else
#define WARPINT_COLD WARPINT_NOINLINE
#endif

// Loops of assembly: out of line, and at an address that does not depend on the code before them,
// which can cost them a tenth.
#if defined(__GNUC__)
#define WARPINT_HOT WARPINT_NOINLINE __attribute__((aligned(64)))
#else
#define WARPINT_HOT WARPINT_NOINLINE
#endif

// Large functions, out of line in CUDA code for the sake of its compile time; a host compiler
// decides.
#if defined(__CUDACC__)
#define WARPINT_DEVICE_NOINLINE __noinline__
#else
#define WARPINT_DEVICE_NOINLINE
#endif

// Behind the declaration of a function that exists to be refused: clang++ says the reason, other
// compilers print the name of the function's template parameter, which should give it too. Traits
// like std::is_convertible see no such conversion.
#if defined(__clang__) && !defined(__CUDACC__)
#define WARPINT_REFUSED(reason) __attribute__((unavailable(reason)))
#else
#define WARPINT_REFUSED(reason) = delete
#endif

// 1 in files compiled as CUDA, in every pass.
#if defined(__CUDACC__)
#define WARPINT_CUDA 1
#else
#define WARPINT_CUDA 0
#endif

// 1 where there is a host with a standard library: text, bytes, exceptions, containers. 0 where a
// run-time compiler (NVRTC) reads what kernels include, and nothing of hosts.
#if defined(__CUDACC_RTC__)
#define WARPINT_HOSTED 0
#else
#define WARPINT_HOSTED 1
#endif

// Copies and fills bytes: builtins, which NVRTC has by other names.
#if WARPINT_HOSTED
#define WARPINT_MEMCPY __builtin_memcpy
#define WARPINT_MEMSET __builtin_memset
#else
#define WARPINT_MEMCPY memcpy
#define WARPINT_MEMSET memset
#endif

// The inline namespace of what differs between such files and others, so that a program may link
// both.
#if WARPINT_CUDA
#define WARPINT_BACKEND cuda_backend
#else
#define WARPINT_BACKEND cpu_backend
#endif

// 1 while the compiler is translating for a GPU, and the compute capability (10 * major + minor) it
// translates for; in other passes the lowest supported one.
#if defined(__CUDA_ARCH__)
#define WARPINT_DEVICE_PASS 1
#define WARPINT_COMPILED_CAPABILITY (__CUDA_ARCH__ / 10)
#else
#define WARPINT_DEVICE_PASS 0
#define WARPINT_COMPILED_CAPABILITY 75
#endif

// A 64 x 64 -> 128-bit product in the language. WARPINT_NO_INT128 turns it off, so that the
// portable path can be tested on a compiler that has it.
#if defined(__SIZEOF_INT128__) && !defined(WARPINT_NO_INT128)
#define WARPINT_HAS_INT128 1
#else
#define WARPINT_HAS_INT128 0
#endif

#if WARPINT_HAS_INT128 && defined(__x86_64__) && defined(__GNUC__) && !WARPINT_DEVICE_PASS
#define WARPINT_X86_64 1
#else
#define WARPINT_X86_64 0
#endif

// 1 where there is also assembly that needs all registers but the stack pointer. The address
// sanitizer keeps one or two.
#if !WARPINT_X86_64 || defined(__SANITIZE_ADDRESS__)
#define WARPINT_X86_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPINT_X86_BLOCKS 0
#endif
#endif
#ifndef WARPINT_X86_BLOCKS
#define WARPINT_X86_BLOCKS 1
#endif

// Unrolls a loop whose trip count is known: completely up to `limit` iterations in device code,
// where arrays must live in registers; left to the compiler on the host.
#if WARPINT_DEVICE_PASS
#define WARPINT_PRAGMA(text) _Pragma(#text)
#define WARPINT_UNROLL(count, limit) WARPINT_PRAGMA(unroll((count) <= (limit) ? (count) : 1))
#else
#define WARPINT_UNROLL(count, limit)
#endif

// Unrolls a short loop whose trip count is known, on the host as well, completely up to 64
// (WARPINT_UNROLL_ALWAYS) or 16 (WARPINT_UNROLL_HOST, nothing in device code) iterations. clang++
// takes a count for the inner of two loops before it knows the outer one's index, copies it so
// often, and then again for each step of the outer one; told "full" it waits.
#if defined(__CUDACC__) // nvcc hands on "GCC unroll" to the host compiler but warns of it
#define WARPINT_GCC_UNROLL(text)                                                                   \
    _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1675") _Pragma(text)                   \
        _Pragma("nv_diagnostic pop")
#else
#define WARPINT_GCC_UNROLL(text) _Pragma(text)
#endif
#if defined(__GNUC__) && WARPINT_FORCES_INLINING && !WARPINT_DEVICE_PASS
#define WARPINT_UNROLL_HOST WARPINT_GCC_UNROLL("GCC unroll 16")
#else
#define WARPINT_UNROLL_HOST
#endif
#if WARPINT_DEVICE_PASS
#define WARPINT_UNROLL_ALWAYS _Pragma("unroll")
#elif defined(__clang__) && WARPINT_FORCES_INLINING && !defined(__CUDACC__)
#define WARPINT_UNROLL_ALWAYS _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__) && WARPINT_FORCES_INLINING
#define WARPINT_UNROLL_ALWAYS WARPINT_GCC_UNROLL("GCC unroll 64")
#else
#define WARPINT_UNROLL_ALWAYS
#endif

namespace warpint::limb {

// Where the code runs: conditions of an if. Macros, because compilers leave out the branch that a
// macro rules out before they compile it; of functions they find out later (nvcc takes a fifth
// longer for the device code of a power).
//
// On a GPU, not in a constant expression: PTX may be used.
#define WARPINT_USES_PTX (WARPINT_DEVICE_PASS && !__builtin_is_constant_evaluated())
// On a host whose natural limb is 64 bits wide, not in a constant expression. There, and only
// there, the 32-bit limbs of a number are regrouped into 64-bit words.
#if WARPINT_HAS_INT128 && !WARPINT_DEVICE_PASS
#define WARPINT_USES_WORDS                                                                         \
    (!__builtin_is_constant_evaluated() && std::endian::native == std::endian::little)
#else
#define WARPINT_USES_WORDS false
#endif

#if WARPINT_HAS_INT128
__extension__ using uint128 = unsigned __int128;
#endif

// The unsigned type that holds a product of two limbs.
template <class Limb>
struct double_limb;
template <>
struct double_limb<std::uint8_t> {
    using type = std::uint16_t;
};
template <>
struct double_limb<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct double_limb<std::uint32_t> {
    using type = std::uint64_t;
};
#if WARPINT_HAS_INT128
template <>
struct double_limb<std::uint64_t> {
    using type = uint128;
};
#endif
template <class Limb>
using double_limb_t = typename double_limb<Limb>::type;

template <class Limb>
inline constexpr int limb_bits = static_cast<int>(sizeof(Limb) * 8);

} // namespace warpint::limb
