// host_vector<T> and device_vector<T>: owning containers of numbers, and the assignment of formulas
// to them.
#pragma once

#include "element.h"
#include "view.h"

#include <initializer_list>
#include <iterator>
#include <vector>

#if WARPINT_CUDA
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#endif

namespace warpint {

// What a batch may hold: numbers and built-in integers (bool included).
template <class T>
concept BatchElement = AnyNumber<T> && std::is_trivially_copyable_v<T> && !std::is_reference_v<T> &&
                       !std::is_const_v<T>;

// Tag: a container whose elements are not initialised.
struct uninitialized_t {
    explicit uninitialized_t() = default;
};
inline constexpr uninitialized_t uninitialized{};

inline namespace WARPINT_BACKEND {

// A container of `size()` numbers in one piece of memory, with one bit per element beside it that
// says whether the last formula had no value there. Copyable, movable; never shrinks what others
// see: a moved-from vector is empty.
//
// Assigning a formula runs it, in exactly one launch. A target of another size is resized first.
// Nothing waits for the GPU except reading elements back, check(), error_mask(), and allocation.
// Errors: size_mismatch, wrong_location, device_bad_alloc, cuda_error, at once and with nothing
// written.
template <class T, Space space>
class batch_vector {
    static_assert(BatchElement<T>, "a batch holds BigInt, SignedBigInt or built-in integers");

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
#if WARPINT_CUDA
    using pointer = std::conditional_t<space == Space::device, thrust::device_ptr<T>, T *>;
    using const_pointer =
        std::conditional_t<space == Space::device, thrust::device_ptr<const T>, const T *>;
#else
    using pointer = T *;
    using const_pointer = const T *;
#endif
    using iterator = pointer;
    using const_iterator = const_pointer;

    // Empty; `count` zeros; `count` copies of a value; uninitialised.
    batch_vector() = default;
    explicit batch_vector(std::size_t count) : batch_vector(count, uninitialized) {
        execution_backend::fill_zero(location_, data_, count * sizeof(T));
    }
    batch_vector(std::size_t count, const T &value) : batch_vector(count, uninitialized) {
        fill(value);
    }
    batch_vector(std::size_t count, uninitialized_t) {
        allocate(count);
    }

    // From a range of host iterators (or, in CUDA code, device iterators), a list, or a
    // std::vector.
    template <std::input_iterator Iterator>
    batch_vector(Iterator first, Iterator last) {
        assign(first, last);
    }
    batch_vector(std::initializer_list<T> values) : batch_vector(values.begin(), values.end()) {}
    template <class Allocator>
    explicit batch_vector(const std::vector<T, Allocator> &values) {
        assign(values.begin(), values.end());
    }

    // Copies, also between host and device. Copying a vector with faults from the device to the
    // host throws std::domain_error; a copy within one space carries the faults along.
    batch_vector(const batch_vector &other) : batch_vector(other.size_, uninitialized) {
        copy_from(other);
    }
    batch_vector(batch_vector &&other) noexcept {
        swap(other);
    }
    template <Space other_space>
    requires(other_space != space) explicit batch_vector(const batch_vector<T, other_space> &other)
        : batch_vector(other.size(), uninitialized) {
        copy_from(other);
    }
    batch_vector &operator=(const batch_vector &other) {
        if (this != &other) {
            reserve_exactly(other.size_);
            copy_from(other);
        }
        return *this;
    }
    batch_vector &operator=(batch_vector &&other) noexcept {
        batch_vector taken(std::move(other));
        swap(taken);
        return *this;
    }
    template <Space other_space>
    requires(other_space != space) batch_vector &
    operator=(const batch_vector<T, other_space> &other) {
        reserve_exactly(other.size());
        copy_from(other);
        return *this;
    }
    template <class Allocator>
    batch_vector &operator=(const std::vector<T, Allocator> &values) {
        assign(values.begin(), values.end());
        return *this;
    }

    // Runs the formula: one launch. Storing keeps the low bits of T.
    template <class Tree>
    requires(expression::is_description<Tree>::value) batch_vector(const Tree &tree) {
        run(tree, stream_handle{});
    }
    template <class Tree>
    requires(expression::is_description<Tree>::value) batch_vector &operator=(const Tree &tree) {
        run(tree, stream_handle{});
        return *this;
    }
    // a op= b is a = a op b.
    template <class Operand>
    requires expression::Captured<const Operand &> batch_vector &
    operator+=(const Operand &operand) {
        return *this = *this + operand;
    }
    template <class Operand>
    requires expression::Captured<const Operand &> batch_vector &
    operator-=(const Operand &operand) {
        return *this = *this - operand;
    }
    template <class Operand>
    requires expression::Captured<const Operand &> batch_vector &
    operator*=(const Operand &operand) {
        return *this = *this * operand;
    }
    template <class Operand>
    requires expression::Captured<const Operand &> batch_vector &
    operator/=(const Operand &operand) {
        return *this = *this / operand;
    }
    template <class Operand>
    requires expression::Captured<const Operand &> batch_vector &
    operator%=(const Operand &operand) {
        return *this = *this % operand;
    }

    ~batch_vector() {
        release();
    }

    [[nodiscard]] std::size_t size() const {
        return size_;
    }
    [[nodiscard]] bool empty() const {
        return size_ == 0;
    }
    [[nodiscard]] T *data() {
        return data_;
    }
    [[nodiscard]] const T *data() const {
        return data_;
    }
    [[nodiscard]] Location location() const {
        return location_;
    }

    [[nodiscard]] iterator begin() {
        return iterator(data_);
    }
    [[nodiscard]] iterator end() {
        return iterator(data_ + size_);
    }
    [[nodiscard]] const_iterator begin() const {
        return const_iterator(data_);
    }
    [[nodiscard]] const_iterator end() const {
        return const_iterator(data_ + size_);
    }

    [[nodiscard]] batch_view<T, space> view() {
        return {data_, size_, location_};
    }
    [[nodiscard]] batch_view<const T, space> view() const {
        return {data_, size_, location_};
    }

    // Element i < size(), unchecked. In a device_vector a proxy that reads and writes where the
    // number lies.
    [[nodiscard]] decltype(auto) operator[](std::size_t i) {
        if constexpr (space == Space::host) {
            check_element(i);
            return (data_[i]);
        } else {
            return element_reference<T>(*this, i);
        }
    }
    [[nodiscard]] T operator[](std::size_t i) const {
        return read(i);
    }

    [[nodiscard]] T read(std::size_t i) const {
        check_element(i);
        T value;
        execution_backend::copy(Location{}, &value, location_, data_ + i, sizeof(T));
        return value;
    }
    void write(std::size_t i, const T &value) {
        execution_backend::copy(location_, data_ + i, Location{}, &value, sizeof(T));
    }

    // New size; the first elements are kept, new ones are 0.
    void resize(std::size_t count) {
        if (count == size_)
            return;
        batch_vector resized(count);
        const std::size_t kept = count < size_ ? count : size_;
        execution_backend::copy(resized.location_, resized.data_, location_, data_,
                                kept * sizeof(T));
        swap(resized);
    }
    void clear() {
        release();
    }

    template <std::input_iterator Iterator>
    void assign(Iterator first, Iterator last) {
        if constexpr (std::contiguous_iterator<Iterator> &&
                      std::is_same_v<std::iter_value_t<Iterator>, T>) {
            const auto count = static_cast<std::size_t>(last - first);
            reserve_exactly(count);
            if (count > 0)
                execution_backend::copy(location_, data_, Location{}, std::to_address(first),
                                        count * sizeof(T));
#if WARPINT_CUDA
        } else if constexpr (!std::is_same_v<typename thrust::iterator_system<Iterator>::type,
                                             thrust::host_system_tag> &&
                             !std::is_same_v<typename thrust::iterator_system<Iterator>::type,
                                             thrust::any_system_tag>) {
            reserve_exactly(static_cast<std::size_t>(last - first));
            thrust::copy(first, last, begin());
#endif
        } else if constexpr (space == Space::host && std::forward_iterator<Iterator>) {
            reserve_exactly(static_cast<std::size_t>(std::distance(first, last)));
            std::copy(first, last, data_);
        } else {
            batch_vector<T, Space::host> collected = collect(first, last);
            reserve_exactly(collected.size());
            execution_backend::copy(location_, data_, Location{}, collected.data(),
                                    collected.size() * sizeof(T));
        }
    }
    void assign(std::size_t count, const T &value) {
        reserve_exactly(count);
        fill(value);
    }

    // All elements as a std::vector. Throws std::domain_error if the last formula had elements
    // without a value.
    [[nodiscard]] std::vector<T> to_host() const {
        check();
        if constexpr (std::is_same_v<T, bool>) {
            const batch_vector<bool, Space::host> copied(copy_to_host());
            return std::vector<bool>(copied.begin(), copied.end());
        } else {
            std::vector<T> values(size_);
            execution_backend::copy(Location{}, values.data(), location_, data_, size_ * sizeof(T));
            return values;
        }
    }

    // Waits for the work on this vector; throws std::domain_error with the count and the first
    // index if elements of the last formula had no value (division by zero, no modulus ...). Those
    // elements are 0.
    void check() const {
        if (!may_have_faults_)
            return;
        const std::vector<std::uint32_t> mask = fault_words();
        std::size_t count = 0;
        std::size_t first = size_;
        for (std::size_t word = mask.size(); word-- > 0;) {
            if (mask[word] == 0)
                continue;
            count += static_cast<std::size_t>(std::popcount(mask[word]));
            first = word * 32 + static_cast<std::size_t>(std::countr_zero(mask[word]));
        }
        if (count == 0)
            return;
        throw std::domain_error(
            "warpint: " + std::to_string(count) + " of " + std::to_string(size_) +
            " elements have no value, the first is element " + std::to_string(first));
    }

    // One flag per element: true where the last formula had no value.
    [[nodiscard]] std::vector<bool> error_mask() const {
        std::vector<bool> flags(size_, false);
        if (!may_have_faults_)
            return flags;
        const std::vector<std::uint32_t> mask = fault_words();
        for (std::size_t i = 0; i < size_; ++i)
            flags[i] = (mask[i / 32] >> (i % 32) & 1u) != 0;
        return flags;
    }

    // Forgets the faults: their elements are plain zeros from now on.
    void clear_errors() {
        may_have_faults_ = false;
    }

    void swap(batch_vector &other) noexcept {
        std::swap(data_, other.data_);
        std::swap(faults_, other.faults_);
        std::swap(size_, other.size_);
        std::swap(location_, other.location_);
        std::swap(may_have_faults_, other.may_have_faults_);
    }

    // Runs a formula on a stream; see evaluate().
    template <class Tree>
    void run(const Tree &tree, stream_handle stream) {
        static_assert(
            !(space == Space::host ? expression::Summary<Tree>::on_device
                                   : expression::Summary<Tree>::on_host),
            "a formula of one space cannot be stored in a vector of the other: copy the result");
        const auto extent = execution_backend::extent_of(tree);
        if (extent.size != size_ || !(extent.location == location_)) {
            batch_vector fresh(extent.size, uninitialized, extent.location);
            fresh.run_in_place(tree, stream);
            swap(fresh);
        } else {
            run_in_place(tree, stream);
        }
    }

    // As run(), but the target must have the formula's size already.
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream) {
        execution_backend::assign(data_, expression::Summary<Tree>::can_fault ? faults_ : nullptr,
                                  size_, location_, tree, stream);
        may_have_faults_ = expression::Summary<Tree>::can_fault;
    }

private:
    template <class, Space>
    friend class batch_vector;

    batch_vector(std::size_t count, uninitialized_t, Location location) {
        allocate(count, location);
    }

    [[nodiscard]] static std::size_t fault_word_count(std::size_t count) {
        return (count + 31) / 32;
    }

    void allocate(std::size_t count) {
        allocate(count, space == Space::device ? execution_backend::device_location() : Location{});
    }
    void allocate(std::size_t count, Location location) {
        constexpr std::size_t most = (~std::size_t{0} - 4096) / (sizeof(T) + 1);
        if (count > most)
            throw std::length_error("warpint: a batch larger than the address space");
        const std::size_t bytes = (count * sizeof(T) + 15) / 16 * 16;
        location_ = location;
        if (count == 0)
            return;
        data_ = static_cast<T *>(
            execution_backend::allocate(location, bytes + fault_word_count(count) * 4));
        faults_ = reinterpret_cast<std::uint32_t *>(reinterpret_cast<char *>(data_) + bytes);
        size_ = count;
    }
    void release() noexcept {
        execution_backend::deallocate(location_, data_);
        data_ = nullptr;
        faults_ = nullptr;
        size_ = 0;
        may_have_faults_ = false;
    }
    // Room for exactly count elements, contents unspecified, no faults.
    void reserve_exactly(std::size_t count) {
        may_have_faults_ = false;
        if (count == size_ && (count != 0))
            return;
        batch_vector fresh(count, uninitialized);
        swap(fresh);
    }

    void fill(const T &value) {
        const std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>> values(size_,
                                                                                       value);
        execution_backend::copy(location_, data_, Location{}, values.data(), size_ * sizeof(T));
    }

    template <Space other_space>
    void copy_from(const batch_vector<T, other_space> &other) {
        if constexpr (other_space != space) {
            other.check();
        } else {
            may_have_faults_ = other.may_have_faults_;
            if (may_have_faults_) {
                execution_backend::copy(location_, faults_, other.location_, other.faults_,
                                        fault_word_count(size_) * 4);
            }
        }
        execution_backend::copy(location_, data_, other.location_, other.data_, size_ * sizeof(T));
    }

    [[nodiscard]] batch_vector<T, Space::host> copy_to_host() const {
        batch_vector<T, Space::host> copied(size_, uninitialized);
        execution_backend::copy(Location{}, copied.data(), location_, data_, size_ * sizeof(T));
        return copied;
    }

    template <class Iterator>
    [[nodiscard]] static batch_vector<T, Space::host> collect(Iterator first, Iterator last) {
        std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>> values;
        for (; first != last; ++first)
            values.push_back(static_cast<T>(*first));
        batch_vector<T, Space::host> collected(values.size(), uninitialized);
        execution_backend::copy(Location{}, collected.data(), Location{}, values.data(),
                                values.size() * sizeof(T));
        return collected;
    }

    [[nodiscard]] std::vector<std::uint32_t> fault_words() const {
        std::vector<std::uint32_t> mask(fault_word_count(size_));
        execution_backend::copy(Location{}, mask.data(), location_, faults_, mask.size() * 4);
        return mask;
    }
    void check_element(std::size_t i) const {
        if (!may_have_faults_)
            return;
        std::uint32_t word = 0;
        execution_backend::copy(Location{}, &word, location_, faults_ + i / 32, sizeof(word));
        if ((word >> (i % 32) & 1u) != 0)
            check();
    }

    T *data_ = nullptr;
    std::uint32_t *faults_ = nullptr; // behind the elements, in the same allocation
    std::size_t size_ = 0;
    Location location_;
    bool may_have_faults_ = false;
};

// In host memory; formulas run on all cores.
template <class T>
using host_vector = batch_vector<T, Space::host>;

// On the GPU that is current at construction; in host memory, run on all cores, where there is no
// GPU.
template <class T>
using device_vector = batch_vector<T, Space::device>;

} // namespace WARPINT_BACKEND

template <class T, Space space>
struct expression::capture_traits<batch_vector<T, space>> {
    static constexpr bool is_batch = true;
    static constexpr bool owning = true;
    static auto leaf(const batch_vector<T, space> &vector) {
        return VectorLeaf<T, space>{vector.data(), vector.size(), vector.location()};
    }
};

} // namespace warpint
