// SPDX-License-Identifier: Apache-2.0
// Views of memory that something else owns.
#pragma once

#include "../execution/assign.h"
#include "../expression/functions.h"

#include <concepts>
#include <iterator>

namespace warpint {

namespace containers {

// Throws unless `data` is aligned to `least` bytes.
inline void check_alignment(const void *data, std::size_t least) {
    if (reinterpret_cast<std::uintptr_t>(data) % least != 0) {
        throw std::invalid_argument(
            number::Message("warpint: a view of memory at %p, which is not aligned to %zu bytes: "
                            "copy the numbers to aligned memory",
                            data, least)
                .text());
    }
}

// What may be written to all elements of a view of T.
template <class Value, class T>
concept FillsView = !expression::Batch<Value> && std::convertible_to<const Value &, T>;

template <class Value, class T>
concept DoesNotFillView =
    (AnyNumber<Value> || BuiltinFloating<Value>) && !std::convertible_to<const Value &, T>;

template <class View, class Value>
void fill_view(const View &view, const Value &value) {
    const typename View::value_type x = value;
    evaluate(select(indices(view.size()) >= 0u, x, x), view);
}

} // namespace containers

// A non-owning view of `size` elements at `data`, in device memory (the default) or in host memory.
// Pass it to kernels, or wrap memory of your own to use it in formulas and as a target of
// evaluate(). Like a pointer, it does not keep the elements: a view of a vector, and a formula that
// names it, hold until the vector is destroyed or gets other memory. Temporary vectors give none.
//
// A view that a vector gave uses that vector's error flags, as operand and as target. A view of
// other memory has none: a fault is stored as 0. The memory must stay valid and unmodified while a
// formula reads it. `data` is valid for `size` elements; it is null only if `size` is 0. It is
// aligned to 4 bytes, or to alignof(T) if that is less (std::invalid_argument). Elements that are
// not aligned for T, as another library's bytes may be, are copied before the formula and after it,
// which costs time and memory. [] and iterators need them aligned for T; load() and store() do not.
// Trivially copyable.
template <class T, Space space = Space::device, class Layout = number_major>
class batch_view {
    static_assert(std::is_same_v<Layout, number_major>,
                  "the layouts of a view are number_major and limb_major");

public:
    using value_type = std::remove_const_t<T>;
    using limb_type = std::conditional_t<std::is_const_v<T>, const std::uint32_t, std::uint32_t>;

    constexpr batch_view() = default;
    batch_view(T *data, std::size_t size, Location location)
        : data_{data}, size_{size}, location_{location} {
        if (data == nullptr && size != 0)
            throw std::invalid_argument("warpint: a view of a null pointer");
        containers::check_alignment(data, alignof(T) < 4 ? alignof(T) : 4);
    }
    // Finds out where the memory lies: on its GPU, or in host memory for host views and where there
    // is no GPU. A device view of host memory that GPUs cannot reach is an error
    // (std::invalid_argument).
    batch_view(T *data, std::size_t size)
        : batch_view(data, size,
                     space == Space::host ? Location{} : execution::location_of_memory(data)) {}
    // A view that only reads.
    template <class U>
        requires(std::is_same_v<const U, T> && !std::is_const_v<U>)
    batch_view(const batch_view<U, space> &view)
        : data_{view.data()}, size_{view.size()}, location_{view.location()}, marks_{view.marks()} {
    }
    // A view of numbers given by their limbs, one number after another.
    template <std::same_as<limb_type> Limb>
        requires BigNumber<T>
    batch_view(Limb *limbs, std::size_t size, Location location)
        : batch_view(reinterpret_cast<T *>(limbs), size, location) {}
    template <std::same_as<limb_type> Limb>
        requires BigNumber<T>
    batch_view(Limb *limbs, std::size_t size) : batch_view(reinterpret_cast<T *>(limbs), size) {}

    batch_view(const batch_view &) = default;
    // A named view then shows what the other one shows.
    batch_view &operator=(const batch_view &) & = default;
    // Runs a formula into the elements, as evaluate() does: v.view(0, n) = a * b. A view without a
    // name, as view() returns it, also copies the elements of a vector or view.
    template <expression::Description Tree>
    const batch_view &operator=(const Tree &formula) const & {
        evaluate(formula, *this);
        return *this;
    }
    template <expression::Batch A>
    void operator=(const A &formula) const && {
        evaluate(formula, *this);
    }
    // Writes one number or residue to all elements, in one launch.
    template <containers::FillsView<T> Value>
    const batch_view &operator=(const Value &value) const {
        containers::fill_view(*this, value);
        return *this;
    }
    // Narrowing must be explicit; this is here for its message.
    template <limb::Advice instead = "convert the number first, as in BigInt<256>(x)", class Value>
        requires(containers::DoesNotFillView<Value, T>)
    void operator=(const Value &) const
        WARPINT_REFUSED("convert the number first, as in BigInt<256>(x)");

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T *data() const { return data_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr std::size_t size() const { return size_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T &operator[](std::size_t i) const {
        WARPINT_ASSERT(i < size_);
        return data_[i];
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T *begin() const { return data_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T *end() const { return data_ + size_; }
    // From the last element to the first, on the host.
    [[nodiscard]] constexpr std::reverse_iterator<T *> rbegin() const {
        return std::reverse_iterator<T *>(end());
    }
    [[nodiscard]] constexpr std::reverse_iterator<T *> rend() const {
        return std::reverse_iterator<T *>(begin());
    }
    // Loads or stores element i < size(), whatever its alignment. Call it where the memory can be
    // reached: in kernels, or on the host.
    [[nodiscard]] WARPINT_HOST_DEVICE value_type load(std::size_t i) const {
        value_type x;
        if constexpr (BigNumber<T>) {
            arith::copy<T::limb_count>(x.limbs, limbs() + i * T::limb_count);
        } else {
            __builtin_memcpy(&x, reinterpret_cast<const char *>(data_ + i), sizeof(T));
        }
        return x;
    }
    WARPINT_HOST_DEVICE void store(std::size_t i, const value_type &x) const {
        static_assert(!std::is_const_v<T>, "a view of const numbers is read-only");
        if constexpr (BigNumber<T>) {
            arith::copy<T::limb_count>(limbs() + i * T::limb_count, x.limbs);
        } else {
            __builtin_memcpy(reinterpret_cast<char *>(data_ + i), &x, sizeof(T));
        }
    }
    // Where the memory lies.
    [[nodiscard]] constexpr Location location() const { return location_; }

    // For this library: the error flags of the vector whose memory it shows, or null.
    [[nodiscard]] constexpr expression::MemoryMarks *marks() const { return marks_; }
    constexpr batch_view with_marks(expression::MemoryMarks *marks) const {
        batch_view view = *this;
        view.marks_ = marks;
        return view;
    }

private:
    [[nodiscard]] WARPINT_HOST_DEVICE limb_type *limbs() const {
        return reinterpret_cast<limb_type *>(data_);
    }

    T *data_ = nullptr;
    std::size_t size_ = 0;
    Location location_;
    expression::MemoryMarks *marks_ = nullptr;
};

// A view of numbers whose limbs lie in rows: limb j of number i is limbs[j * stride + i], least
// significant first, 32 bits each. A formula reads them and evaluate() writes them, with one thread
// for each number. stride >= size (std::invalid_argument); it is size if not given. Otherwise as
// batch_view<T, space>.
template <class T, Space space>
class batch_view<T, space, limb_major> {
    static_assert(BigNumber<T>, "numbers in rows of limbs are BigInt or SignedBigInt");

public:
    using value_type = std::remove_const_t<T>;
    using limb_type = std::conditional_t<std::is_const_v<T>, const std::uint32_t, std::uint32_t>;

    constexpr batch_view() = default;
    batch_view(limb_type *limbs, std::size_t size, std::size_t stride, Location location)
        : limbs_{limbs}, size_{size}, stride_{stride}, location_{location} {
        if (limbs == nullptr && size != 0)
            throw std::invalid_argument("warpint: a view of a null pointer");
        containers::check_alignment(limbs, 4);
        if (stride < size) {
            throw std::invalid_argument("warpint: rows of " + std::to_string(stride) +
                                        " limbs cannot hold " + std::to_string(size) + " numbers");
        }
    }
    batch_view(limb_type *limbs, std::size_t size, std::size_t stride)
        : batch_view(limbs, size, stride,
                     space == Space::host ? Location{} : execution::location_of_memory(limbs)) {}
    batch_view(limb_type *limbs, std::size_t size) : batch_view(limbs, size, size) {}

    batch_view(const batch_view &) = default;
    batch_view &operator=(const batch_view &) & = default;
    template <expression::Description Tree>
    const batch_view &operator=(const Tree &formula) const & {
        evaluate(formula, *this);
        return *this;
    }
    template <expression::Batch A>
    void operator=(const A &formula) const && {
        evaluate(formula, *this);
    }
    // Writes one number or residue to all elements, in one launch.
    template <containers::FillsView<T> Value>
    const batch_view &operator=(const Value &value) const {
        containers::fill_view(*this, value);
        return *this;
    }
    // Narrowing must be explicit; this is here for its message.
    template <limb::Advice instead = "convert the number first, as in BigInt<256>(x)", class Value>
        requires(containers::DoesNotFillView<Value, T>)
    void operator=(const Value &) const
        WARPINT_REFUSED("convert the number first, as in BigInt<256>(x)");

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr limb_type *data() const { return limbs_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr std::size_t size() const { return size_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr std::size_t stride() const { return stride_; }
    [[nodiscard]] constexpr Location location() const { return location_; }
    // Loads or stores number i < size(), for kernels of your own.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr value_type load(std::size_t i) const {
        return rows().load(i);
    }
    WARPINT_HOST_DEVICE constexpr void store(std::size_t i, const value_type &x) const {
        static_assert(!std::is_const_v<T>, "a view of const numbers is read-only");
        rows().store(i, x);
    }

    // For this library.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr expression::LimbRows<value_type> rows() const {
        return {const_cast<std::uint32_t *>(limbs_), stride_, size_};
    }

private:
    limb_type *limbs_ = nullptr;
    std::size_t size_ = 0;
    std::size_t stride_ = 0;
    Location location_;
};

namespace containers {

template <class T>
inline constexpr bool is_view = false;
template <class T, Space space, class Layout>
inline constexpr bool is_view<batch_view<T, space, Layout>> = true;

} // namespace containers

#define WARPINT_VIEW_ASSIGNMENT(symbol, operation)                                                 \
    template <class View, class Operand>                                                           \
        requires(containers::is_view<View> && expression::Captured<const Operand &>)               \
    const View &operator symbol(const View &a, const Operand &b) {                                 \
        evaluate(a operation b, a);                                                                \
        return a;                                                                                  \
    }
// Into the elements that a view shows: v.view(0, n) += b, as evaluate(view + b, view).
WARPINT_VIEW_ASSIGNMENT(+=, +)
WARPINT_VIEW_ASSIGNMENT(-=, -)
WARPINT_VIEW_ASSIGNMENT(*=, *)
WARPINT_VIEW_ASSIGNMENT(/=, /)
WARPINT_VIEW_ASSIGNMENT(%=, %)
WARPINT_VIEW_ASSIGNMENT(&=, &)
WARPINT_VIEW_ASSIGNMENT(|=, |)
WARPINT_VIEW_ASSIGNMENT(^=, ^)
WARPINT_VIEW_ASSIGNMENT(<<=, <<)
WARPINT_VIEW_ASSIGNMENT(>>=, >>)
#undef WARPINT_VIEW_ASSIGNMENT

template <class T, Space space>
struct expression::capture_traits<batch_view<T, space, limb_major>> {
    static constexpr bool is_batch = true;
    static auto leaf(const batch_view<T, space, limb_major> &view) {
        BatchState state;
        state.data = const_cast<std::uint32_t *>(view.data()); // is only read
        state.size = view.size();
        state.location = view.location();
        return LimbMajorLeaf<std::remove_const_t<T>, space>{state, view.stride()};
    }
};

template <class T, Space space>
struct expression::capture_traits<batch_view<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const batch_view<T, space> &view) {
        BatchState state;
        state.data = const_cast<std::remove_const_t<T> *>(view.data()); // is only read
        state.size = view.size();
        state.location = view.location();
        state.marks = view.marks();
        return BatchLeaf<std::remove_const_t<T>, space>{nullptr, state};
    }
};

} // namespace warpint
