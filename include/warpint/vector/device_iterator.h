// SPDX-License-Identifier: Apache-2.0
// The iterators of device_vector in CUDA code: pointers to memory that device code reads like any
// other memory, and that hosts read by copying each element.
//
// Thrust and CUB accept them like Thrust's own pointers to the memory of a GPU; Thrust's algorithms
// over them need a GPU. Their headers are 2 MB, which nvcc would read three times for a file that
// uses neither, so none is included here. This header declares those templates of theirs that
// describe iterators; they are defined where a program includes Thrust, before or after this
// header.
#pragma once

#include "element.h"

#if WARPINT_CUDA

#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <type_traits>

#include <thrust/detail/config.h>

THRUST_NAMESPACE_BEGIN
template <class Iterator>
struct iterator_system;
struct use_default;
namespace detail {
template <class Reference>
struct is_proxy_reference;
} // namespace detail
namespace cuda_cub {
struct tag;
} // namespace cuda_cub
THRUST_NAMESPACE_END

namespace warpint {

template <int Bits, Space space>
class residue_reference;

namespace device_memory {

namespace in_thrust = THRUST_NS_QUALIFIER;

template <class T>
class reference;

// A pointer to elements of type T, const or not. It carries no error flags. Library: for
// argument-dependent lookup alone, so that a call sort(v.begin(), v.end()) finds Thrust's function.
template <class T, class Library = in_thrust::use_default>
class basic_pointer {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = basic_pointer;
    using reference = device_memory::reference<T>;
    using raw_pointer = T *; // Thrust knows pointers by this name, and calls get()

    basic_pointer() = default;
    WARPINT_HOST_DEVICE basic_pointer(std::nullptr_t) {}
    template <class U>
        requires std::is_convertible_v<U *, T *>
    WARPINT_HOST_DEVICE explicit basic_pointer(U *to) : to_(to) {}
    template <class U>
        requires(!std::is_same_v<U, T> && std::is_convertible_v<U *, T *>)
    WARPINT_HOST_DEVICE basic_pointer(const basic_pointer<U, Library> &other) : to_(other.get()) {}

    [[nodiscard]] WARPINT_HOST_DEVICE T *get() const { return to_; }
    WARPINT_HOST_DEVICE T *operator->() const { return to_; }
    WARPINT_HOST_DEVICE explicit operator bool() const { return to_ != nullptr; }
    WARPINT_HOST_DEVICE reference operator*() const { return reference(*this); }
    WARPINT_HOST_DEVICE reference operator[](difference_type n) const {
        return reference(*this + n);
    }

    WARPINT_HOST_DEVICE basic_pointer &operator+=(difference_type n) {
        to_ += n;
        return *this;
    }
    WARPINT_HOST_DEVICE basic_pointer &operator-=(difference_type n) {
        to_ -= n;
        return *this;
    }
    WARPINT_HOST_DEVICE basic_pointer &operator++() { return *this += 1; }
    WARPINT_HOST_DEVICE basic_pointer &operator--() { return *this -= 1; }
    WARPINT_HOST_DEVICE basic_pointer operator++(int) {
        const basic_pointer former = *this;
        ++*this;
        return former;
    }
    WARPINT_HOST_DEVICE basic_pointer operator--(int) {
        const basic_pointer former = *this;
        --*this;
        return former;
    }
    friend WARPINT_HOST_DEVICE basic_pointer operator+(basic_pointer a, difference_type n) {
        return a += n;
    }
    friend WARPINT_HOST_DEVICE basic_pointer operator+(difference_type n, basic_pointer a) {
        return a += n;
    }
    friend WARPINT_HOST_DEVICE basic_pointer operator-(basic_pointer a, difference_type n) {
        return a -= n;
    }
    friend WARPINT_HOST_DEVICE bool operator==(const basic_pointer &a, std::nullptr_t) {
        return a.to_ == nullptr;
    }
    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits> &
    operator<<(std::basic_ostream<Character, Traits> &stream, const basic_pointer &a) {
        return stream << static_cast<const void *>(a.to_);
    }

private:
    T *to_ = nullptr;
};

// The distance of pointers to T and to const T.
template <class A, class B, class Library>
WARPINT_HOST_DEVICE std::ptrdiff_t operator-(const basic_pointer<A, Library> &a,
                                             const basic_pointer<B, Library> &b) {
    return a.get() - b.get();
}
#define WARPINT_POINTER_COMPARISON(symbol)                                                         \
    template <class A, class B, class Library>                                                     \
    WARPINT_HOST_DEVICE bool operator symbol(const basic_pointer<A, Library> &a,                   \
                                             const basic_pointer<B, Library> &b) {                 \
        return a.get() symbol b.get();                                                             \
    }
WARPINT_POINTER_COMPARISON(==)
WARPINT_POINTER_COMPARISON(!=)
WARPINT_POINTER_COMPARISON(<)
WARPINT_POINTER_COMPARISON(>)
WARPINT_POINTER_COMPARISON(<=)
WARPINT_POINTER_COMPARISON(>=)
#undef WARPINT_POINTER_COMPARISON

template <class T>
using pointer = basic_pointer<T>;

template <class T>
void copy_element(T *to, const T *from) {
    if (execution::device_location().on_gpu()) {
        execution::check_cuda(
            cudaMemcpy(static_cast<void *>(to), from, sizeof(T), cudaMemcpyDefault),
            "warpint: copy of an element");
    } else {
        *to = *from;
    }
}
// What the pointers point to, in the form of Thrust's references: device code reads and writes it
// like any other memory, hosts by a copy for each access.
template <class T>
class reference {
public:
    using value_type = std::remove_cv_t<T>;
    using pointer = device_memory::pointer<T>;
    struct wrapped_reference_hint {}; // Thrust knows them by this name

    template <class Library>
    WARPINT_HOST_DEVICE explicit reference(const basic_pointer<T, Library> &to) : to_(to.get()) {}
    reference(const reference &) = default;

    WARPINT_HOST_DEVICE pointer operator&() const { return pointer(to_); }
    [[nodiscard]] WARPINT_HOST_DEVICE value_type value() const { return *this; }

    WARPINT_ON_EITHER_SIDE WARPINT_HOST_DEVICE operator value_type() const {
#if WARPINT_DEVICE_PASS
        return *to_;
#else
        value_type value;
        copy_element(&value, to_);
        return value;
#endif
    }
    // Constant, as the standard's iterator concepts require of a proxy for an element.
    WARPINT_ON_EITHER_SIDE WARPINT_HOST_DEVICE const reference &
    operator=(const value_type &value) const
        requires(!std::is_const_v<T>)
    {
#if WARPINT_DEVICE_PASS
        *to_ = value;
#else
        copy_element(to_, &value);
#endif
        return *this;
    }
    WARPINT_HOST_DEVICE const reference &operator=(const reference &other) const
        requires(!std::is_const_v<T>)
    {
        return *this = static_cast<value_type>(other);
    }
    template <class U>
        requires(!std::is_const_v<T>)
    WARPINT_HOST_DEVICE const reference &operator=(const reference<U> &other) const {
        return *this = value_type(static_cast<typename reference<U>::value_type>(other));
    }

    WARPINT_HOST_DEVICE void swap(const reference &other) const
        requires(!std::is_const_v<T>)
    {
        const value_type former = *this;
        *this = other;
        other = former;
    }
    // By value, as of elements of a vector (element.h).
    friend WARPINT_HOST_DEVICE void swap(const reference a, const reference b)
        requires(!std::is_const_v<T>)
    {
        a.swap(b);
    }
    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits> &
    operator<<(std::basic_ostream<Character, Traits> &stream, const reference &x) {
        return stream << static_cast<value_type>(x);
    }

private:
    T *to_;
};

// Iterators into memory that only Thrust's algorithms reach: ours, and those whose system is not
// that of plain pointers. Where Thrust's trait is only declared, no iterator can be one of
// Thrust's.
template <class Iterator>
inline constexpr bool is_basic_pointer = false;
template <class T, class Library>
inline constexpr bool is_basic_pointer<basic_pointer<T, Library>> = true;
template <class Iterator>
constexpr bool has_device_system() {
    if constexpr (is_basic_pointer<Iterator>) {
        return true;
    } else if constexpr (requires { typename in_thrust::iterator_system<Iterator>::type; }) {
        return !std::is_convertible_v<typename in_thrust::iterator_system<Iterator>::type,
                                      typename in_thrust::iterator_system<Iterator *>::type>;
    } else {
        return false;
    }
}
template <class Iterator>
inline constexpr bool is_device_iterator = has_device_system<Iterator>();

} // namespace device_memory

// In host expressions they stand for their values, as elements of a vector do. On both sides they
// have ++, -- and compound assignment.
template <class T>
inline constexpr bool expression::is_element<device_memory::reference<T>> = true;

} // namespace warpint

THRUST_NAMESPACE_BEGIN
template <class T, class Library>
struct iterator_system<warpint::device_memory::basic_pointer<T, Library>> {
    using type = cuda_cub::tag;
};
// thrust::transform assigns to what an iterator gives if it is known to be a reference.
template <int Bits, warpint::Space space>
struct detail::is_proxy_reference<warpint::residue_reference<Bits, space>> : std::true_type {};
THRUST_NAMESPACE_END

#endif
