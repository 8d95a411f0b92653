// SPDX-License-Identifier: Apache-2.0
// The iterators of device_vector in CUDA code: Thrust's pointers with a system of their own, so
// that Thrust's algorithms run where the vector lies: on the GPU if there is one, else on the host.
//
//   thrust::sort(v.begin(), v.end());                           // where v lies
//   thrust::sort(warpint::device_system{}, v.begin(), v.end()); // the same, said
//   thrust::sort(thrust::device, v.begin(), v.end());           // on a GPU only
//
// On the host they run as with thrust::host, and need functions that hosts can call.
#pragma once

#include "element.h"

#if WARPINT_CUDA

#include <iterator>
#include <ostream>
#include <stdexcept>
#include <type_traits>

#include <thrust/detail/pointer.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/pair.h>
#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/cuda/detail/cross_system.h>

namespace warpint {
namespace thrust_system {

// Beside iterators of thrust::device_vector an algorithm belongs to their system.
struct device_system : thrust::cuda_cub::execution_policy<device_system> {};

// Pointers of this system, and Thrust's own of GPUs. Neither takes the references of Thrust, whose
// headers and those of <thrust/device_ptr.h> would add 8 seconds to every compilation.
template <class T>
class reference;
template <class T>
using pointer = thrust::pointer<T, device_system, reference<T>>;
template <class T>
using gpu_pointer = thrust::pointer<T, thrust::device_system_tag>;

inline bool is_on_gpu() {
    return execution_backend::device_location().on_gpu();
}

// ---- arguments as each side takes them, and results back

template <class T>
T for_gpu(const T &x) {
    return x;
}
template <class T>
gpu_pointer<T> for_gpu(const pointer<T> &x) {
    return gpu_pointer<T>(x.get());
}
template <class T>
T for_host(const T &x) {
    return x;
}
template <class T>
T *for_host(const pointer<T> &x) {
    return x.get();
}

template <class T>
T returned(const T &x) {
    return x;
}
template <class T>
pointer<T> returned(const gpu_pointer<T> &x) {
    return pointer<T>(x.get());
}
template <class First, class Second>
auto returned(const thrust::pair<First, Second> &x) {
    const auto first = returned(x.first);
    const auto second = returned(x.second);
    return thrust::pair<std::remove_const_t<decltype(first)>,
                        std::remove_const_t<decltype(second)>>(first, second);
}
// What the host gives, as a Result.
template <class Result, class T>
Result returned_as(const T &x) {
    return Result(x);
}
template <class Result, class First, class Second>
Result returned_as(const thrust::pair<First, Second> &x) {
    return Result(typename Result::first_type(x.first), typename Result::second_type(x.second));
}

template <class T>
constexpr bool is_for_gpus_alone() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    return __nv_is_extended_device_lambda_closure_type(T);
#else
    return false;
#endif
}

// Calls call(system, arguments ...) with Thrust's system for GPUs or for hosts.
template <class Call, class... Arguments>
auto run(const Call &call, const Arguments &...arguments) {
    const thrust::device_system_tag gpu{};
    const thrust::host_system_tag host{};
    using Found = decltype(call(gpu, for_gpu(arguments)...));
    if constexpr (std::is_void_v<Found>) {
        if (is_on_gpu()) {
            call(gpu, for_gpu(arguments)...);
            return;
        }
    } else {
        if (is_on_gpu())
            return returned(call(gpu, for_gpu(arguments)...));
    }
    if constexpr ((is_for_gpus_alone<Arguments>() || ...)) {
        throw std::logic_error(
            "warpint: there is no GPU, and a __device__ lambda cannot run on the "
            "CPU: make it __host__ __device__");
    } else if constexpr (std::is_void_v<Found>) {
        call(host, for_host(arguments)...);
    } else {
        using Result = decltype(returned(call(gpu, for_gpu(arguments)...)));
        return returned_as<Result>(call(host, for_host(arguments)...));
    }
}

// Thrust finds these by the system of the iterators.
#define WARPINT_THRUST_ALGORITHM(name)                                                             \
    struct Call_##name {                                                                           \
        template <class System, class... Arguments>                                                \
        auto operator()(const System &system, const Arguments &...arguments) const {               \
            return name(system, arguments...);                                                     \
        }                                                                                          \
    };                                                                                             \
    template <class... Arguments>                                                                  \
    auto name(device_system &, const Arguments &...arguments) {                                    \
        return run(Call_##name{}, arguments...);                                                   \
    }
#define WARPINT_THRUST_ALGORITHMS(a, b, c, d)                                                      \
    WARPINT_THRUST_ALGORITHM(a)                                                                    \
    WARPINT_THRUST_ALGORITHM(b)                                                                    \
    WARPINT_THRUST_ALGORITHM(c)                                                                    \
    WARPINT_THRUST_ALGORITHM(d)
WARPINT_THRUST_ALGORITHMS(adjacent_difference, all_of, any_of, none_of)
WARPINT_THRUST_ALGORITHMS(binary_search, lower_bound, upper_bound, equal_range)
WARPINT_THRUST_ALGORITHMS(copy, copy_n, copy_if, count)
WARPINT_THRUST_ALGORITHMS(count_if, equal, exclusive_scan, inclusive_scan)
WARPINT_THRUST_ALGORITHMS(exclusive_scan_by_key, inclusive_scan_by_key, fill, fill_n)
WARPINT_THRUST_ALGORITHMS(find, find_if, find_if_not, for_each)
WARPINT_THRUST_ALGORITHMS(for_each_n, gather, gather_if, generate)
WARPINT_THRUST_ALGORITHMS(generate_n, inner_product, is_partitioned, is_sorted)
WARPINT_THRUST_ALGORITHMS(is_sorted_until, max_element, min_element, minmax_element)
WARPINT_THRUST_ALGORITHMS(merge, merge_by_key, mismatch, partition)
WARPINT_THRUST_ALGORITHMS(partition_copy, partition_point, stable_partition, stable_partition_copy)
WARPINT_THRUST_ALGORITHMS(reduce, reduce_by_key, remove, remove_if)
WARPINT_THRUST_ALGORITHMS(remove_copy, remove_copy_if, replace, replace_if)
WARPINT_THRUST_ALGORITHMS(replace_copy, replace_copy_if, reverse, reverse_copy)
WARPINT_THRUST_ALGORITHMS(scatter, scatter_if, sequence, set_difference)
WARPINT_THRUST_ALGORITHMS(set_difference_by_key, set_intersection, set_intersection_by_key,
                          set_union)
WARPINT_THRUST_ALGORITHMS(set_symmetric_difference, set_symmetric_difference_by_key,
                          set_union_by_key, shuffle)
WARPINT_THRUST_ALGORITHMS(shuffle_copy, sort, sort_by_key, stable_sort)
WARPINT_THRUST_ALGORITHMS(stable_sort_by_key, swap_ranges, tabulate, transform)
WARPINT_THRUST_ALGORITHMS(transform_if, transform_reduce, transform_inclusive_scan,
                          transform_exclusive_scan)
WARPINT_THRUST_ALGORITHMS(uninitialized_copy, uninitialized_copy_n, uninitialized_fill,
                          uninitialized_fill_n)
WARPINT_THRUST_ALGORITHMS(unique, unique_copy, unique_by_key, unique_by_key_copy)
WARPINT_THRUST_ALGORITHM(unique_count)
#undef WARPINT_THRUST_ALGORITHMS
#undef WARPINT_THRUST_ALGORITHM

// ---- copies between this system and the host's

template <class First, class Second, class Iterator, class Result>
Result copy_across(First &first_system, Second &second_system, Iterator first, Iterator last,
                   Result result) {
    if (is_on_gpu()) {
        thrust::cuda_cub::cross_system<First, Second> systems(first_system, second_system);
        return Result(returned(copy(systems, for_gpu(first), for_gpu(last), for_gpu(result))));
    }
    const thrust::host_system_tag host{};
    return Result(copy(host, for_host(first), for_host(last), for_host(result)));
}
template <class Host, class Iterator, class Result>
Result copy(thrust::cuda_cub::cross_system<device_system, Host> systems, Iterator first,
            Iterator last, Result result) {
    thrust::device_system_tag gpu;
    return copy_across(gpu, thrust::detail::derived_cast(systems.sys2), first, last, result);
}
template <class Host, class Iterator, class Result>
Result copy(thrust::cuda_cub::cross_system<Host, device_system> systems, Iterator first,
            Iterator last, Result result) {
    thrust::device_system_tag gpu;
    return copy_across(thrust::detail::derived_cast(systems.sys1), gpu, first, last, result);
}
template <class Host, class Iterator, class Size, class Result>
Result copy_n(thrust::cuda_cub::cross_system<device_system, Host> systems, Iterator first, Size n,
              Result result) {
    return copy(systems, first, first + n, result);
}
template <class Host, class Iterator, class Size, class Result>
Result copy_n(thrust::cuda_cub::cross_system<Host, device_system> systems, Iterator first, Size n,
              Result result) {
    return copy(systems, first, std::next(first, n), result);
}

// ---- single elements, behind references

template <class T>
void copy_element(T *to, const T *from) {
    if (is_on_gpu()) {
        execution::check_cuda(
            cudaMemcpy(static_cast<void *>(to), from, sizeof(T), cudaMemcpyDefault),
            "warpint: copy of an element");
    } else {
        *to = *from;
    }
}
// What pointers of this system point to, as Thrust's algorithms take references: read and written
// in code of the GPU as any memory, by hosts with a copy each.
template <class T>
class reference {
public:
    using value_type = std::remove_cv_t<T>;
    using pointer = thrust_system::pointer<T>;
    struct wrapped_reference_hint {}; // Thrust knows them by this name

    WARPINT_HOST_DEVICE explicit reference(const pointer &to) : to_(to) {}
    reference(const reference &) = default;

    WARPINT_HOST_DEVICE pointer operator&() const { return to_; }
    [[nodiscard]] WARPINT_HOST_DEVICE value_type value() const { return *this; }

    _CCCL_EXEC_CHECK_DISABLE
    WARPINT_HOST_DEVICE operator value_type() const {
#if WARPINT_DEVICE_PASS
        return *to_.get();
#else
        value_type value;
        copy_element(&value, to_.get());
        return value;
#endif
    }
    _CCCL_EXEC_CHECK_DISABLE
    WARPINT_HOST_DEVICE reference &operator=(const value_type &value) {
#if WARPINT_DEVICE_PASS
        *to_.get() = value;
#else
        copy_element(to_.get(), &value);
#endif
        return *this;
    }
    WARPINT_HOST_DEVICE reference &operator=(const reference &other) {
        return *this = static_cast<value_type>(other);
    }
    template <class U>
    WARPINT_HOST_DEVICE reference &operator=(const reference<U> &other) {
        return *this = value_type(static_cast<typename reference<U>::value_type>(other));
    }

    WARPINT_HOST_DEVICE void swap(reference &other) {
        const value_type former = *this;
        *this = other;
        other = former;
    }
    friend WARPINT_HOST_DEVICE void swap(reference a, reference b) {
        a.swap(b);
    }
    friend std::ostream &operator<<(std::ostream &stream, const reference &x) {
        return stream << static_cast<value_type>(x);
    }

private:
    pointer to_;
};

_CCCL_EXEC_CHECK_DISABLE
template <class Pointer>
WARPINT_HOST_DEVICE thrust::detail::it_value_t<Pointer> get_value(device_system &, Pointer from) {
#if WARPINT_DEVICE_PASS
    return *thrust::raw_pointer_cast(from);
#else
    thrust::detail::it_value_t<Pointer> value;
    copy_element(&value, thrust::raw_pointer_cast(from));
    return value;
#endif
}
_CCCL_EXEC_CHECK_DISABLE
template <class To, class From>
WARPINT_HOST_DEVICE void assign_value(device_system &, To to, From from) {
#if WARPINT_DEVICE_PASS
    *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
#else
    using T = thrust::detail::it_value_t<To>;
    const T value = *from; // of another type, or behind a reference
    copy_element(thrust::raw_pointer_cast(to), &value);
#endif
}
template <class Host, class To, class From>
WARPINT_HOST_DEVICE void assign_value(thrust::cuda_cub::cross_system<device_system, Host> &, To to,
                                      From from) {
    device_system system;
    assign_value(system, to, from);
}
template <class Host, class To, class From>
WARPINT_HOST_DEVICE void assign_value(thrust::cuda_cub::cross_system<Host, device_system> &, To to,
                                      From from) {
    device_system system;
    assign_value(system, to, from);
}
template <class A, class B>
WARPINT_HOST_DEVICE void iter_swap(device_system &system, A a, B b) {
    const thrust::detail::it_value_t<A> former = get_value(system, a);
    assign_value(system, a, b);
    assign_value(system, b, &former);
}

} // namespace thrust_system

// On hosts they stand for their values in expressions, as elements of a vector do; on both sides
// they take ++, -- and the assignments that compute.
namespace containers {
template <class T>
inline constexpr bool is_element<thrust_system::reference<T>> = true;
} // namespace containers

using thrust_system::device_system;

} // namespace warpint

#endif
