// SPDX-License-Identifier: Apache-2.0
// A function of the user that a kernel is to call: what nvcc would say late, unclearly or not at
// all about one that it cannot pass there.
#pragma once

#include "config.h"

#if WARPINT_HOSTED
#include <stdexcept>
#endif

namespace warpint::limb {

#if WARPINT_CUDA

// Whether F is a lambda's closure, as far as nvcc's own front end is concerned, which reports
// errors first and spells such a type "lambda [](...)->...". Host compilers, which follow, spell it
// otherwise: false there.
template <class F>
constexpr bool is_closure() {
    const char *text = __PRETTY_FUNCTION__;
    const char *const pattern = "F = lambda [";
    for (; *text != '\0'; ++text) {
        int matched = 0;
        while (pattern[matched] != '\0' && text[matched] == pattern[matched])
            ++matched;
        if (pattern[matched] == '\0')
            return true;
    }
    return false;
}

// Whether it is the closure of a lambda that nvcc cannot pass to a kernel.
template <class F>
constexpr bool is_closure_of_host() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    return is_closure<F>() && !__nv_is_extended_device_lambda_closure_type(F) &&
           !__nv_is_extended_host_device_lambda_closure_type(F);
#else
    return is_closure<F>();
#endif
}

// Whether it is the closure of a lambda with __device__ alone.
template <class F>
constexpr bool is_closure_of_device() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    return __nv_is_extended_device_lambda_closure_type(F);
#else
    return false;
#endif
}

// Whether it is one whose return type the host does not know.
template <class F>
constexpr bool is_closure_of_unknown_type() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    return is_closure_of_device<F>() &&
           !__nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
    return false;
#endif
}

// Whether nvcc passes it to kernels: also a lambda with __host__ __device__, which stands on hosts
// in a wrapper that has a copy constructor.
template <class F>
constexpr bool is_passed_to_kernels() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    return std::is_trivially_copyable_v<F> || __nv_is_extended_host_device_lambda_closure_type(F);
#else
    return std::is_trivially_copyable_v<F>;
#endif
}
#else
template <class F>
constexpr bool is_closure_of_device() {
    return false;
}
template <class F>
constexpr bool is_passed_to_kernels() {
    return std::is_trivially_copyable_v<F>;
}
#endif

// How a function of type F is called: nvcc's stand-in on the host for a lambda with __device__
// alone is not callable as a constant.
template <class F>
using called_as = std::conditional_t<is_closure_of_device<F>(), F &, const F &>;

#if WARPINT_CUDA
#pragma nv_diagnostic push
#pragma nv_diag_error 20011, 20013, 20014, 20015
// f(values...) in a kernel. nvcc only warns of some functions without __device__, and leaves the
// kernel empty: here that is an error.
template <class Function, class... Values>
__device__ __forceinline__ decltype(auto)
call_function_that_must_be_device(const Function &f, const Values &...values) {
    // The function given to map: its operator() must be __host__ __device__ or __device__.
    return const_cast<called_as<Function>>(f)(values...);
}
#pragma nv_diagnostic pop
#endif

// f(values...) for a batch that may lie on a GPU. On the CPU a lambda with __device__ alone throws
// std::logic_error; a function object with __device__ alone ends the program, as nvcc has it.
WARPINT_ON_EITHER_SIDE
template <class Function, class... Values>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
call_function_of_batches(const Function &f, const Values &...values) {
#if WARPINT_CUDA && WARPINT_DEVICE_PASS
    return call_function_that_must_be_device(f, values...);
#else
    if (is_closure_of_device<Function>())
        throw std::logic_error("warpint: a __device__ lambda cannot run on the CPU");
    return const_cast<called_as<Function>>(f)(values...);
#endif
}

// The same for a batch that lies on the host: any function.
WARPINT_ON_EITHER_SIDE
template <class Function, class... Values>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
call_function_of_host(const Function &f, const Values &...values) {
    return f(values...);
}

} // namespace warpint::limb
