// SPDX-License-Identifier: Apache-2.0
// The Thrust system of device_vector's iterators (device_iterator.h). It makes Thrust's algorithms
// run where the vector lies: on the GPU if there is one, otherwise on the host.
//
//   thrust::sort(v.begin(), v.end());                           // where v lies
//   thrust::sort(warpint::device_system{}, v.begin(), v.end()); // the same, explicitly
//   thrust::sort(thrust::device, v.begin(), v.end());           // on a GPU only
//
// On the host they run as with thrust::host, and need functions that hosts can call. Thrust is not
// included here. The program includes it, before or after this header; Thrust's templates are
// complete then.
#pragma once

#include "device_iterator.h"

#if WARPINT_CUDA

#include <iterator>
#include <stdexcept>
#include <type_traits>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
template <class Derived>
struct execution_policy;
template <class First, class Second>
struct cross_system;
} // namespace cuda_cub
THRUST_NAMESPACE_END

namespace warpint {

template <int Bits, Space space>
class residue_reference;

namespace thrust_system {

// Beside iterators of thrust::device_vector an algorithm belongs to their system. A template, so
// that its base is needed only in programs that name the system to call Thrust.
template <class Of>
struct basic_device_system
    : in_thrust::cuda_cub::execution_policy<basic_device_system<Of>> { // include Thrust
};
using device_system = basic_device_system<OfVector>;

// Thrust's systems for GPUs and for hosts, which are complete where T is known.
template <class T>
struct ThrustSystems {
    using Gpu = std::conditional_t<std::is_void_v<T>, void, in_thrust::cuda_cub::tag>;
    using Host = typename in_thrust::iterator_system<T *>::type;
};

// ---- arguments in the form that each side needs, and results back

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
// Pairs of Thrust or of the standard library of CUDA, by its version.
template <class T>
concept Pair = requires(const T &x) {
    typename T::first_type;
    typename T::second_type;
    x.first;
    x.second;
};
template <template <class...> class P, class First, class Second>
    requires Pair<P<First, Second>>
auto returned(const P<First, Second> &x) {
    const auto first = returned(x.first);
    const auto second = returned(x.second);
    return P<std::remove_const_t<decltype(first)>, std::remove_const_t<decltype(second)>>(first,
                                                                                          second);
}
// The host's result, as a Result.
template <class Result, class T>
Result returned_as(const T &x) {
    if constexpr (Pair<T>) {
        return Result(typename Result::first_type(x.first), typename Result::second_type(x.second));
    } else {
        return Result(x);
    }
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
    const typename ThrustSystems<Call>::Gpu gpu{};
    const typename ThrustSystems<Call>::Host host{};
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
        in_thrust::cuda_cub::cross_system<First, Second> systems(first_system, second_system);
        return Result(returned(copy(systems, for_gpu(first), for_gpu(last), for_gpu(result))));
    }
    const typename ThrustSystems<First>::Host host{};
    return Result(copy(host, for_host(first), for_host(last), for_host(result)));
}
template <class Host, class Iterator, class Result>
Result copy(in_thrust::cuda_cub::cross_system<device_system, Host> systems, Iterator first,
            Iterator last, Result result) {
    typename ThrustSystems<Host>::Gpu gpu;
    return copy_across(gpu, static_cast<Host &>(systems.sys2), first, last, result);
}
template <class Host, class Iterator, class Result>
Result copy(in_thrust::cuda_cub::cross_system<Host, device_system> systems, Iterator first,
            Iterator last, Result result) {
    typename ThrustSystems<Host>::Gpu gpu;
    return copy_across(static_cast<Host &>(systems.sys1), gpu, first, last, result);
}
template <class Host, class Iterator, class Size, class Result>
Result copy_n(in_thrust::cuda_cub::cross_system<device_system, Host> systems, Iterator first,
              Size n, Result result) {
    return copy(systems, first, first + n, result);
}
template <class Host, class Iterator, class Size, class Result>
Result copy_n(in_thrust::cuda_cub::cross_system<Host, device_system> systems, Iterator first,
              Size n, Result result) {
    return copy(systems, first, std::next(first, n), result);
}

// ---- single elements

template <class T>
WARPINT_HOST_DEVICE T *address(T *at) {
    return at;
}
template <class Pointer>
WARPINT_HOST_DEVICE auto address(const Pointer &at) {
    return at.get();
}

WARPINT_ON_EITHER_SIDE template <class Pointer>
WARPINT_HOST_DEVICE std::iter_value_t<Pointer> get_value(device_system &, Pointer from) {
#if WARPINT_DEVICE_PASS
    return *address(from);
#else
    std::iter_value_t<Pointer> value;
    copy_element(&value, address(from));
    return value;
#endif
}
WARPINT_ON_EITHER_SIDE template <class To, class From>
WARPINT_HOST_DEVICE void assign_value(device_system &, To to, From from) {
#if WARPINT_DEVICE_PASS
    *address(to) = *address(from);
#else
    const std::iter_value_t<To> value = *from; // of another type, or behind a reference
    copy_element(address(to), &value);
#endif
}
template <class Host, class To, class From>
WARPINT_HOST_DEVICE void
assign_value(in_thrust::cuda_cub::cross_system<device_system, Host> &systems, To to, From from) {
    assign_value(static_cast<device_system &>(systems.sys1), to, from);
}
template <class Host, class To, class From>
WARPINT_HOST_DEVICE void
assign_value(in_thrust::cuda_cub::cross_system<Host, device_system> &systems, To to, From from) {
    assign_value(static_cast<device_system &>(systems.sys2), to, from);
}
template <class A, class B>
WARPINT_HOST_DEVICE void iter_swap(device_system &system, A a, B b) {
    const std::iter_value_t<A> former = get_value(system, a);
    assign_value(system, a, b);
    assign_value(system, b, &former);
}

} // namespace thrust_system

using thrust_system::device_system;

} // namespace warpint

THRUST_NAMESPACE_BEGIN
template <class T, class Library>
struct iterator_system<
    warpint::thrust_system::basic_pointer<T, warpint::thrust_system::OfVector, Library>> {
    using type = warpint::device_system;
};
template <class T, class Library>
struct iterator_system<
    warpint::thrust_system::basic_pointer<T, warpint::thrust_system::OfGpu, Library>> {
    using type = cuda_cub::tag;
};
// thrust::transform assigns to what an iterator gives if it is known to be a reference.
template <int Bits, warpint::Space space>
struct detail::is_proxy_reference<warpint::residue_reference<Bits, space>> : std::true_type {};
THRUST_NAMESPACE_END

#endif
