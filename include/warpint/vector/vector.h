// SPDX-License-Identifier: Apache-2.0
// The owning containers of numbers and residues.
//
//   const Modulus<256> m(p);
//   device_vector<Residue<256>> x(m, a), y(m, b);      // a, b: vectors or formulas of numbers
//   x = x * y + 3;                                     // forms stay forms
//   device_vector<BigInt<256>> r = value(pow(x, e));   // in [0, m)
#pragma once

#include "device_iterator.h"
#include "element_ranges.h"
#include "element_traits.h"
#include "formula_target.h"
#include "shared_elements.h"
#include "view.h"

#include <initializer_list>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace warpint {

// The type of `uninitialized`, which requests a vector whose elements are not initialised.
struct uninitialized_t {
    explicit uninitialized_t() = default;
};
inline constexpr uninitialized_t uninitialized{};

// What a line that is no number is where lines of text are read: an exception, with nothing read,
// or a fault of its element.
enum class bad_lines { are_errors, are_faults };

namespace containers {

// A vector of residues of a Modulus is one of their forms, with the modulus.
template <class T, Space space>
using base_of_vector =
    std::conditional_t<expression::is_shared_residue<T>, batch_vector<stored_t<T>, space>,
                       execution::SharedElements>;

#if WARPINT_CUDA

// The elements between two iterators of device vectors, as elements of type T: a view, or a formula
// that converts as a cast does.
template <class T, class U, class Library>
    requires(std::is_same_v<std::remove_const_t<U>, T> ||
             (BatchElement<T> && AnyNumber<std::remove_const_t<U>>))
auto as_elements(const device_memory::basic_pointer<U, Library> &first,
                 const device_memory::basic_pointer<U, Library> &last) {
    const batch_view<const U> elements(first.get(), static_cast<std::size_t>(last - first));
    if constexpr (AnyNumber<T> && !std::is_same_v<std::remove_const_t<U>, T>) {
        return as<T>(elements);
    } else {
        return elements;
    }
}

#endif

} // namespace containers

// A container of numbers in one piece of memory, with an error flag for each. Write host_vector<T>
// or device_vector<T>. Copyable and movable; a moved-from vector is empty.
//
// Assigning a formula runs it, in exactly one launch. A target of another size is resized first.
// Formulas share the vectors they name: they read what these hold when the formula runs, and keep
// it alive. Only reading elements back, check(), error_mask() and allocation wait for the GPU, and
// only for the work on this vector.
//
// An element without a value, such as a quotient by zero, is a fault: it is 0 and its flag is set.
// Whatever a formula computes from a fault is a fault too. Resizing and copying keep faults;
// writing an element clears its fault. check() and reading back throw std::domain_error with the
// count and the first index; error_mask() lists the faults; clear_errors() clears all of them.
//
// Other errors are thrown at once, with nothing written: size_mismatch, wrong_location,
// device_bad_alloc, cuda_error. (If CUDA fails between the launches of a formula into a view, or
// between the parts of a batch that runs in parts, some are written.)
//
// A vector of residues of a Modulus holds their forms and one Modulus for all. A formula of
// residues gives it their modulus; residues of different moduli in one formula are an error
// (wrong_modulus). A vector without a modulus also takes that of the first residue that is written,
// appended or assigned. Numbers are reduced by the modulus that the vector has (wrong_modulus if it
// has none). Reading gives residue_elements, which share the modulus and may outlive the vector;
// x[i] of a vector that is not constant refers to where it lies, as of a device_vector: x[i] = a.
// Example:
//     device_vector<BigInt<256>> a(1000, BigInt<256>(3)), b(1000, BigInt<256>(5)), c;
//     c = a * b % BigInt<256>(7);
//     const std::vector<BigInt<256>> numbers = c.to_host(); // all 1
template <class T, Space space>
class batch_vector : protected containers::base_of_vector<T, space>,
                     private containers::with_context<T> {
    using Base = containers::base_of_vector<T, space>;
    using WithContext = containers::with_context<T>;
    using Storage = execution::Storage;
    using Traits = element_traits<T>;
    using Stored = typename Traits::stored;
    using Argument = typename Traits::argument;
    using Shared = typename Traits::context::shared;
    using Access = containers::element_access<T, space>;
    static constexpr bool residues = expression::is_shared_residue<T>; // of a Modulus
    static_assert(BatchElement<Stored>,
                  "a batch holds BigInt, SignedBigInt, residues or built-in integers");

public:
    using Base::capacity;
    using Base::check;
    using Base::clear;
    using Base::clear_errors;
    using Base::empty;
    using Base::error_mask;
    using Base::location;
    using Base::pop_back;
    using Base::reserve;
    using Base::shrink_to_fit;
    using Base::size;
    // For this library.
    using Base::adopt;
    using Base::handle;
    using Base::resource_at;
    using Base::target_for;
    using WithContext::context; // what the elements share

    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = typename Access::pointer;
    using const_pointer = typename Access::const_pointer;
    using iterator = typename Access::iterator;
    using const_iterator = typename Access::const_iterator;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    using reference = typename Access::reference;
    using const_reference = typename Access::const_reference;

    // Makes an empty vector.
    batch_vector() : batch_vector(0, uninitialized, current_place(), nullptr) {}
    // Makes an empty vector whose memory comes from the resource.
    template <std::derived_from<memory_resource> Resource>
    explicit batch_vector(Resource *resource)
        : batch_vector(0, uninitialized, current_place(), resource) {}
    // Makes `count` zeros. This and the following constructors take their memory from the resource,
    // if it is not null.
    explicit batch_vector(std::size_t count, memory_resource *resource = nullptr)
        requires(!residues)
        : batch_vector(count, uninitialized, resource) {
        execution::fill_zero(*storage_, 0, count);
    }
    // Makes `count` copies of a value.
    batch_vector(std::size_t count, const T &value, memory_resource *resource = nullptr)
        requires(!residues)
        : batch_vector(count, uninitialized, current_place(), resource) {
        fill(*storage_, 0, count, value);
    }
    // Makes `count` elements that are not initialised: batch_vector(1000, uninitialized).
    batch_vector(std::size_t count, uninitialized_t, memory_resource *resource = nullptr)
        requires(!residues)
        : batch_vector(count, uninitialized, current_place(), resource) {}

    // Copies a range of host iterators (in CUDA code also device iterators), a list, or another
    // container of T: std::vector, thrust::host_vector, thrust::device_vector. Containers, lists
    // and arrays of built-in integers or narrower numbers are converted.
    template <std::input_iterator Iterator>
        requires(!residues || containers::IsResidueOf<std::iter_value_t<Iterator>, T>)
    batch_vector(Iterator first, Iterator last, memory_resource *resource = nullptr)
        : batch_vector(resource) {
        assign(first, last);
    }
    batch_vector(std::initializer_list<T> values, memory_resource *resource = nullptr)
        : batch_vector(values.begin(), values.end(), resource) {}
    explicit batch_vector(std::span<const T> values, memory_resource *resource = nullptr)
        requires(!residues)
        : batch_vector(values.begin(), values.end(), resource) {}
    template <containers::ForeignContainer<T> Container>
        requires(!residues)
    explicit batch_vector(const Container &values, memory_resource *resource = nullptr)
        : batch_vector(values.begin(), values.end(), resource) {}
    template <containers::RangeOfNumbers<T> Range>
    explicit batch_vector(const Range &values, memory_resource *resource = nullptr)
        : batch_vector(std::begin(values), std::end(values), resource) {}

    // A vector of residues takes its Modulus first: makes `count` zeros, `count` copies of a number
    // or residue, or the residues of numbers in a vector, a view, a formula, a range of iterators,
    // a std::vector or a list. Ranges may also hold residues of this modulus.
    explicit batch_vector(const Shared &m, std::size_t count = 0,
                          memory_resource *resource = nullptr)
        requires(residues)
        : batch_vector(m, resource, uninitialized) {
        resize(count);
    }
    batch_vector(const Shared &m, std::size_t count, const Argument &value,
                 memory_resource *resource = nullptr)
        requires(residues)
        : batch_vector(m, resource, uninitialized) {
        assign(count, value);
    }
    template <expression::Batch Numbers>
        requires(residues && AnyNumber<typename expression::captured_t<Numbers>::value_type>)
    batch_vector(const Shared &m, Numbers &&numbers, memory_resource *resource = nullptr)
        : batch_vector(m, resource, uninitialized) {
        run(expression::capture(std::forward<Numbers>(numbers)), stream_handle{});
    }
    template <std::input_iterator Iterator>
        requires(residues)
    batch_vector(const Shared &m, Iterator first, Iterator last,
                 memory_resource *resource = nullptr)
        : batch_vector(m, resource, uninitialized) {
        assign(first, last);
    }
    template <class Value, class Allocator>
        requires(residues)
    batch_vector(const Shared &m, const std::vector<Value, Allocator> &values,
                 memory_resource *resource = nullptr)
        : batch_vector(m, values.begin(), values.end(), resource) {}
    template <class Value>
        requires(residues)
    batch_vector(const Shared &m, std::initializer_list<Value> values,
                 memory_resource *resource = nullptr)
        : batch_vector(m, values.begin(), values.end(), resource) {}

    // Residues, or elements of such a vector, bring their modulus: copies of one, ranges, lists and
    // vectors of them. That of the first one holds for all (wrong_modulus).
    template <containers::IsResidueOf<T> Value>
    batch_vector(std::size_t count, const Value &value, memory_resource *resource = nullptr)
        : batch_vector(resource) {
        assign(count, value);
    }
    template <containers::IsResidueOf<T> Value, class Allocator>
    explicit batch_vector(const std::vector<Value, Allocator> &values,
                          memory_resource *resource = nullptr)
        : batch_vector(values.begin(), values.end(), resource) {}
    template <containers::IsResidueOf<T> Value>
    batch_vector(std::initializer_list<Value> values, memory_resource *resource = nullptr)
        : batch_vector(values.begin(), values.end(), resource) {}
    // Numbers have no modulus; this is here for its message.
    template <containers::SourceOfNumbers... Numbers,
              class write_x_m_numbers_with_the_Modulus_m_first = void>
        requires(residues && sizeof...(Numbers) != 0)
    explicit batch_vector(const Numbers &...)
        WARPINT_REFUSED("a vector of residues takes its Modulus m first: "
                        "device_vector<Residue<256>> x(m, count), or x(m, numbers)");

    // Copies, also between host and device (copies of the same space are implicit), and keeps
    // faults. A copy lies in the default memory of its place.
    template <Space other_space>
        requires(other_space != space)
    batch_vector(const batch_vector<T, other_space> &other) : batch_vector() {
        *this = other;
    }
    template <Space other_space>
        requires(other_space != space)
    batch_vector &operator=(const batch_vector<T, other_space> &other) {
        Base::copy_from(other);
        context() = other.context();
        return *this;
    }
    template <class Value, class Allocator>
        requires(residues || std::is_same_v<Value, T>)
    batch_vector &operator=(const std::vector<Value, Allocator> &values) {
        assign(values.begin(), values.end());
        return *this;
    }
    template <containers::ForeignContainer<T> Container>
    batch_vector &operator=(const Container &values) {
        assign(values.begin(), values.end());
        return *this;
    }
    template <containers::RangeOfNumbers<T> Range>
    batch_vector &operator=(const Range &values) {
        assign(values);
        return *this;
    }
    batch_vector &operator=(std::initializer_list<Argument> values) {
        assign(values);
        return *this;
    }

    // Runs the formula, in one launch, and stores the low bits that T holds.
    template <expression::Description Tree>
        requires(!residues || AnyResidue<typename Tree::value_type>)
    batch_vector(const Tree &tree) : batch_vector() {
        run(tree, stream_handle{});
    }
    template <expression::Description Tree>
    batch_vector &operator=(const Tree &tree) {
        run(tree, stream_handle{});
        return *this;
    }
    // Widens narrower numbers, or copies a view of the same space, in one launch. as<T>(other)
    // narrows.
    template <class U>
        requires(containers::widens<T, U> && !residues)
    batch_vector(const batch_vector<U, space> &other)
        : batch_vector(expression::capture_traits<batch_vector<U, space>>::leaf(other)) {}
    // Narrowing must be explicit; these are here for their messages.
    template <class U, class write_as_T_v_for_the_low_bits = void>
        requires(AnyNumber<U> && !std::is_same_v<T, U> && !containers::widens<T, U>)
    batch_vector(const batch_vector<U, space> &)
        WARPINT_REFUSED("a vector of wider or signed numbers does not convert implicitly: "
                        "as<T>(v) keeps the low bits");
    template <AnyResidue U, Space other_space, class write_value_x_for_the_numbers = void>
        requires(AnyNumber<T>)
    batch_vector(const batch_vector<U, other_space> &)
        WARPINT_REFUSED("value(x) gives the numbers of a vector x of residues");
    template <AnyResidue U, Space other_space, class write_value_x_for_the_numbers = void>
        requires(AnyNumber<T>)
    batch_vector &operator=(const batch_vector<U, other_space> &)
        WARPINT_REFUSED("value(x) gives the numbers of a vector x of residues");
    template <
        limb::Advice instead = "write x = value(y) for a vector y of residues of another modulus",
        AnyResidue U>
        requires(AnyResidue<T> && !std::is_same_v<T, U>)
    void operator=(const batch_vector<U, space> &)
        WARPINT_REFUSED("write x = value(y) for a vector y of residues of another modulus");
    template <
        limb::Advice instead = "write x(m, value(y)) for a vector y of residues of another modulus",
        AnyResidue U>
        requires(AnyResidue<T> && !std::is_same_v<T, U>)
    batch_vector(const batch_vector<U, space> &)
        WARPINT_REFUSED("write x(m, value(y)) for a vector y of residues of another modulus");
    template <class U>
        requires(containers::widens<T, U>)
    batch_vector &operator=(const batch_vector<U, space> &other) {
        return *this = expression::capture_traits<batch_vector<U, space>>::leaf(other);
    }
    template <class U, class Layout>
        requires(!residues && (std::is_same_v<std::remove_const_t<U>, T> ||
                               containers::widens<T, std::remove_const_t<U>>))
    explicit batch_vector(const batch_view<U, space, Layout> &other)
        : batch_vector(expression::capture(other)) {}
    template <class U, class Layout>
        requires(std::is_same_v<std::remove_const_t<U>, T> ||
                 containers::widens<T, std::remove_const_t<U>>)
    batch_vector &operator=(const batch_view<U, space, Layout> &other) {
        return *this = expression::capture(other);
    }

    // A vector is no number; this is here for its message.
    template <limb::Advice instead = "write v.assign(n, x) for n copies of a number x",
              AnyNumber Value>
    void operator=(const Value &)
        WARPINT_REFUSED("write v.assign(n, x) for n copies of a number x");

    // The elements in memory; of residues, their forms: modulus().form_modulus() bounds them.
    [[nodiscard]] Stored *data() { return elements(); }
    [[nodiscard]] const Stored *data() const { return elements(); }
    // Each access through iterators of residues, or of a device_vector, waits for the work on the
    // vector and copies one element; to_host() copies all at once.
    [[nodiscard]] iterator begin() { return Access::template at<iterator>(*this, elements(), 0); }
    [[nodiscard]] iterator end() {
        return Access::template at<iterator>(*this, elements(), size());
    }
    [[nodiscard]] const_iterator begin() const {
        return Access::template at<const_iterator>(*this, elements(), 0);
    }
    [[nodiscard]] const_iterator end() const {
        return Access::template at<const_iterator>(*this, elements(), size());
    }
    [[nodiscard]] const_iterator cbegin() const { return begin(); }
    [[nodiscard]] const_iterator cend() const { return end(); }
    // From the last element to the first; for Thrust's algorithms there is
    // thrust::make_reverse_iterator(v.end()).
    [[nodiscard]] reverse_iterator rbegin() { return reverse_iterator(end()); }
    [[nodiscard]] reverse_iterator rend() { return reverse_iterator(begin()); }
    [[nodiscard]] const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    [[nodiscard]] const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    [[nodiscard]] const_reverse_iterator crbegin() const { return rbegin(); }
    [[nodiscard]] const_reverse_iterator crend() const { return rend(); }

    [[nodiscard]] batch_view<T, space> view() &
        requires(!residues)
    {
        return view_of<T>(0, size());
    }
    [[nodiscard]] batch_view<const T, space> view() const &
        requires(!residues)
    {
        return view_of<const T>(0, size());
    }
    // A view of elements [first, first + count); std::out_of_range beyond the end.
    [[nodiscard]] batch_view<T, space> view(std::size_t first, std::size_t count) &
        requires(!residues)
    {
        check_range(first, count);
        return view_of<T>(first, count);
    }
    [[nodiscard]] batch_view<const T, space> view(std::size_t first, std::size_t count) const &
        requires(!residues)
    {
        check_range(first, count);
        return view_of<const T>(first, count);
    }
    // A view does not keep the elements of a temporary vector; this is here for its message.
    template <limb::Advice instead = "give the vector a name: its view does not keep the elements",
              std::convertible_to<std::size_t>... Range>
        requires(!residues)
    batch_view<const T, space> view(Range...) const &&WARPINT_REFUSED(
        "give the vector a name: its view does not keep the elements");

    // Residues do not lie in memory; this is here for its message.
    template <class... Range>
    auto view(Range...) const
        requires(residues)
    {
        static_assert(!residues, "a view shows memory, which holds forms of residues: write "
                                 "gather(x, indices(count) + first), or x.forms().view()");
    }

    // The forms of residues as a vector of numbers.
    [[nodiscard]] const batch_vector<Stored, space> &forms() const
        requires(residues)
    {
        return *this;
    }
    // The modulus of all residues; throws wrong_modulus if there is none.
    [[nodiscard]] const auto &modulus() const &
        requires(residues)
    {
        return *context().modulus();
    }
    [[nodiscard]] auto modulus() const &&
        requires(residues)
    {
        return *context().modulus();
    }

    // Element i < size(); the index is checked only where WARPINT_ASSERTIONS is 1. In a
    // device_vector, and of residues, it is a
    // reference object that reads and writes where the element lies; of a temporary vector it is
    // the element's value. A fault throws std::domain_error: in a host_vector at once, in a
    // device_vector when it is read. write() clears it, and so does d[i] = a of a device_vector.
    [[nodiscard]] reference operator[](std::size_t i) & {
        WARPINT_ASSERT(i < size());
        if constexpr (space == Space::host)
            check_reference(i);
        if constexpr (space == Space::host && !residues) {
            return elements()[i];
        } else {
            return reference(*this, i);
        }
    }
    [[nodiscard]] const_reference operator[](std::size_t i) const & {
        WARPINT_ASSERT(i < size());
        if constexpr (space == Space::host && !residues) {
            check_element(i);
            return elements()[i];
        } else {
            return read(i);
        }
    }
    [[nodiscard]] typename Traits::element operator[](std::size_t i) && { return read(i); }
    // Element i; std::out_of_range beyond the end.
    [[nodiscard]] reference at(std::size_t i) & {
        check_index(i);
        return (*this)[i];
    }
    [[nodiscard]] const_reference at(std::size_t i) const & {
        check_index(i);
        return (*this)[i];
    }
    [[nodiscard]] typename Traits::element at(std::size_t i) && { return read(i); }
    // The first element of a vector that is not empty.
    [[nodiscard]] reference front() & { return (*this)[0]; }
    [[nodiscard]] const_reference front() const & { return (*this)[0]; }
    [[nodiscard]] typename Traits::element front() && { return read(0); }
    // The last element of a vector that is not empty.
    [[nodiscard]] reference back() & { return (*this)[size() - 1]; }
    [[nodiscard]] const_reference back() const & { return (*this)[size() - 1]; }
    [[nodiscard]] typename Traits::element back() && { return read(size() - 1); }

    // Reads element i. std::out_of_range beyond the end, std::domain_error if it is a fault.
    [[nodiscard]] typename Traits::element read(std::size_t i) const {
        check_index(i);
        check_element(i);
        Stored value;
        execution::copy_to_host(&value, *storage_, i * sizeof(Stored), sizeof(Stored));
        return Traits::load(value, context());
    }
    // Writes element i and clears its fault. std::out_of_range beyond the end. A vector of residues
    // takes numbers, which are reduced, and residues of its modulus (wrong_modulus), here and
    // wherever a value is asked for.
    void write(std::size_t i, const Argument &value) {
        check_index(i);
        write_stored(i, Traits::store(value, context()));
        context().take(value);
    }

    // Changes the size. The first elements are kept; new ones are 0, or the given value.
    void resize(std::size_t count) {
        change_size(count, [&](Storage &to, std::size_t former) {
            execution::fill_zero(to, former, count);
        });
    }
    void resize(std::size_t count, const Argument &value) {
        const Stored stored = Traits::store(value, context()); // may be an element of this vector
        change_size(count,
                    [&](Storage &to, std::size_t former) { fill(to, former, count, stored); });
        context().take(value);
    }
    // Appends an element.
    void push_back(const Argument &value) {
        const Stored stored = Traits::store(value, context()); // may be an element of this vector
        const std::size_t last = size();
        if (last == capacity())
            reserve(last < 16 ? 32 : 2 * last);
        copy_stored(last, stored);
        grow_within(last + 1);
        context().take(value);
    }
    // Inserts an element, `count` copies of one, a range or a list before a position of this
    // vector, and returns the position of the first that was inserted. What is inserted may lie in
    // this vector. Faults stay with their elements. Takes time for all elements and memory for a
    // second vector. Positions beyond the end: std::out_of_range.
    iterator insert(const_iterator position, const Argument &value) {
        return insert(position, 1, value);
    }
    iterator insert(const_iterator position, std::size_t count, const Argument &value) {
        const batch_vector<Stored, space> copies(count, Traits::store(value, context()));
        const iterator inserted = replace(position, position, *copies.handle());
        context().take(value);
        return inserted;
    }
    template <std::input_iterator Iterator>
    iterator insert(const_iterator position, Iterator first, Iterator last) {
        batch_vector values = fresh(0);
        values.context() = context();
        values.assign(first, last);
        const iterator inserted = replace(position, position, *values.handle());
        context() = values.context();
        return inserted;
    }
    iterator insert(const_iterator position, std::initializer_list<Argument> values) {
        return insert(position, values.begin(), values.end());
    }
    // Removes an element, or those of a range, and returns the position behind them; otherwise as
    // insert().
    iterator erase(const_iterator position) { return erase(position, position + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        return replace(first, last, *batch_vector<Stored, space>().handle());
    }

    // What vectors do not have; these are here for their messages.
#define WARPINT_NOT_A_MEMBER(function, text)                                                       \
    template <limb::Advice instead = "write " text, class... Values>                               \
    int function(const Values &...) const WARPINT_REFUSED("write " text);
    WARPINT_NOT_A_MEMBER(emplace_back, "v.push_back(x)")
    WARPINT_NOT_A_MEMBER(sum, "sum(v)")
    WARPINT_NOT_A_MEMBER(product, "product(v, m)")
    WARPINT_NOT_A_MEMBER(min, "min(v)")
    WARPINT_NOT_A_MEMBER(max, "max(v)")
    WARPINT_NOT_A_MEMBER(count, "count(v)")
    WARPINT_NOT_A_MEMBER(all, "all(v)")
    WARPINT_NOT_A_MEMBER(any, "any(v)")
    WARPINT_NOT_A_MEMBER(sort, "sort(v)")
#undef WARPINT_NOT_A_MEMBER

    // Replaces all elements. The range may lie in this vector; iterators of a device_vector do not
    // carry its faults. Those of a vector of residues keep its modulus.
    template <std::input_iterator Iterator>
    void assign(Iterator first, Iterator last) {
        using Value = std::iter_value_t<Iterator>;
        if constexpr (residues && AnyNumber<Value>) {
            batch_vector<Value, space> numbers(0, uninitialized, location(), nullptr);
            numbers.assign(first, last); // where this vector lies
            if (numbers.empty()) {
                clear(); // needs no modulus
            } else {
                *this = numbers;
            }
        } else if constexpr (residues) {
            auto shared = context(); // as it was, if one of the residues is refused
            std::vector<Stored> values;
            for (; first != last; ++first) {
                const auto &value = *first;
                values.push_back(Traits::store(value, shared));
                shared.take(value);
            }
            assign_memory(values.data(), values.size());
            context() = shared;
        } else if constexpr (std::contiguous_iterator<Iterator> && std::is_same_v<Value, T>) {
            assign_memory(std::to_address(first), static_cast<std::size_t>(last - first));
#if WARPINT_CUDA
        } else if constexpr (device_memory::is_basic_pointer<Iterator> &&
                             requires { containers::as_elements<T>(first, last); }) {
            if constexpr (space == Space::device) {
                *this = containers::as_elements<T>(first, last);
            } else {
                *this = batch_vector<T, Space::device>(containers::as_elements<T>(first, last));
            }
        } else if constexpr (device_memory::is_device_iterator<Iterator>) {
            batch_vector values = fresh(static_cast<std::size_t>(last - first));
            copy(first, last, values.begin()); // Thrust's, of <thrust/copy.h>, as the iterators are
            adopt(*values.handle());
#endif
        } else if constexpr (space == Space::host && std::forward_iterator<Iterator>) {
            batch_vector values = fresh(static_cast<std::size_t>(std::distance(first, last)));
            std::copy(first, last, values.elements());
            adopt(*values.handle());
        } else {
            const auto values = containers::collect<T>(first, last);
            replace_by_copy(values.data(), values.size());
        }
    }
    void assign(std::size_t count, const Argument &value) {
        const Stored stored = Traits::store(value, context()); // may be an element of this vector
        const std::shared_ptr<Storage> target = new_elements(count);
        fill(*target, 0, count, stored);
        replace_by(*target);
        context().take(value);
    }
    void assign(std::initializer_list<Argument> values) { assign(values.begin(), values.end()); }
    // Replaces all elements by those of a view, with the faults of the view's vector.
    template <class U, Space from>
        requires std::is_same_v<std::remove_const_t<U>, T>
    void assign(const batch_view<U, from> &values) {
        if constexpr (from == space) {
            *this = values;
        } else {
            *this = batch_vector<T, from>(values);
        }
    }
    void assign(std::span<const T> values) { assign(values.begin(), values.end()); }
    template <containers::RangeOfNumbers<T> Range>
    void assign(const Range &values) {
        assign(std::begin(values), std::end(values));
    }
    // Reads numbers from blocks of `block` bytes each, most significant byte first for
    // std::endian::big, two's complement for signed T, where the vector lies. Throws, with nothing
    // assigned, size_mismatch if the last block is not whole, std::length_error for the first block
    // that does not fit T, std::domain_error if there are faults among the bytes, and
    // std::invalid_argument for blocks of 0 bytes.
    void assign_bytes(std::span<const std::uint8_t> bytes, std::size_t block, std::endian order);
    void assign_bytes(const batch_vector<std::uint8_t, space> &bytes, std::size_t block,
                      std::endian order);

    // Reads a number from each line of a text, as parse() does, in base 10 unless another is given.
    void assign_text(std::string_view text, int base = 10, bad_lines bad = bad_lines::are_errors);

    // All elements as a std::vector. Throws std::domain_error if there are faults.
    [[nodiscard]] std::vector<typename Traits::element> to_host() const {
        check();
        containers::memory_vector<Stored> values(size());
        execution::copy_to_host(values.data(), *handle(), 0, size() * sizeof(Stored));
        return containers::loaded<T>(std::move(values), context());
    }

    // Exchanges what two vectors hold, also for formulas that name them.
    void swap(batch_vector &other) noexcept {
        Base::swap(other);
        context().swap(other.context());
    }
    friend void swap(batch_vector &a, batch_vector &b) noexcept { a.swap(b); }

    // For this library: runs a formula on a stream, as evaluate() does.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream) {
        static_assert(containers::check_target_space<Tree, space>());
        const auto &stored = context().stored(tree);
        execution::Operand room[execution::leaf_count<Tree>];
        const std::span<const execution::Operand> operands{room,
                                                           execution::list_operands(room, stored)};
        execution::SharedElements::Target target(*this, operands);
        execution::assign(stored, operands, target.extent(), stream,
                          containers::Destination<Stored>(target.storage()));
        target.adopt();
        context().take(tree);
    }
    // For this library: as run(), but the target must already have the formula's size.
    template <class Tree>
    void run_in_place(const Tree &tree, stream_handle stream) {
        static_assert(containers::check_target_space<Tree, space>());
        containers::run_formula_at(context().stored(tree), stream, handle()->location,
                                   containers::Destination<Stored>(*handle()));
        context().take(tree);
    }

protected:
    // For a vector of residues, of whose forms this one is.
    batch_vector(std::size_t element_bytes, bool on_device, std::size_t count, Location where,
                 memory_resource *resource)
        : Base(element_bytes, on_device, count, where, resource) {}

private:
    template <class, Space>
    friend class batch_vector;
    using Base::check_element;
    using Base::check_index;
    using Base::check_range;
    using Base::check_reference;
    using Base::clear_faults;
    using Base::grow_within;
    using Base::move_to;
    using Base::new_elements;
    using Base::replace_by;
    using Base::splice;
    using Base::storage_;

    batch_vector(std::size_t count, uninitialized_t, Location where, memory_resource *resource)
        : Base(sizeof(Stored), space != Space::host, count, where, resource) {}
    batch_vector(const Shared &m, memory_resource *resource, uninitialized_t)
        requires(residues)
        : batch_vector(0, uninitialized, current_place(), resource) {
        context() = typename Traits::context(m);
    }
    static Location current_place() {
        return space == Space::host ? Location{} : execution::device_location();
    }
    [[nodiscard]] Stored *elements() const {
        return storage_ ? static_cast<Stored *>(storage_->data) : nullptr;
    }

    // A vector of `count` elements that are not initialised, in this vector's place and memory.
    [[nodiscard]] batch_vector fresh(std::size_t count) const {
        return batch_vector(count, uninitialized, location(), resource_at(location()));
    }
    // values: in host memory, also of this vector.
    void assign_memory(const Stored *values, std::size_t count) {
        if (is_own(values)) {
            batch_vector copied = fresh(count);
            copied.replace_by_copy(values, count);
            adopt(*copied.storage_);
        } else {
            replace_by_copy(values, count);
        }
    }
    void replace_by_copy(const void *values, std::size_t count) {
        const std::shared_ptr<Storage> target = new_elements(count);
        execution::copy_from_host(*target, 0, values, count * sizeof(Stored));
        replace_by(*target);
    }
    [[nodiscard]] bool is_own(const Stored *values) const {
        return !execution::are_disjoint(values, 1, elements(), capacity() * sizeof(Stored));
    }

    template <class U>
    [[nodiscard]] batch_view<U, space> view_of(std::size_t first, std::size_t count) const {
        return batch_view<U, space>(elements() + first, count, location())
            .with_marks(storage_ ? storage_->marks : nullptr);
    }

    iterator replace(const_iterator first, const_iterator last, const Storage &by) {
        const difference_type at = first - cbegin();
        splice(static_cast<std::size_t>(at), static_cast<std::size_t>(last - first), by);
        return begin() + at;
    }
    // Changes the size; write(storage, former) gives the new elements their values.
    template <class Write>
    void change_size(std::size_t count, const Write &write) {
        const std::size_t former = size();
        if (count <= former) {
            if (storage_)
                storage_->size = count;
            return;
        }
        if (count > capacity())
            move_to(count, former);
        write(*storage_, former);
        grow_within(count);
    }
    static void fill(Storage &to, std::size_t first, std::size_t last, const Stored &value) {
        if constexpr (space == Space::host || !WARPINT_CUDA) {
            Stored *const elements = static_cast<Stored *>(to.data);
            std::fill(elements + first, elements + last, value);
        } else {
            const containers::memory_vector<Stored> values(last - first, value);
            execution::copy_from_host(to, first * sizeof(Stored), values.data(),
                                      values.size() * sizeof(Stored));
        }
    }
    void copy_stored(std::size_t i, const Stored &value) {
        execution::copy_from_host(*storage_, i * sizeof(Stored), &value, sizeof(Stored));
    }
    void write_stored(std::size_t i, const Stored &value) {
        copy_stored(i, value);
        clear_faults(i, i + 1);
    }
};

// A vector in host memory. Formulas of host vectors run on all cores.
template <class T>
using host_vector = batch_vector<T, Space::host>;

// A vector on the GPU that is current at construction. Without a GPU, and in files that nvcc does
// not compile, it lies in host memory and its formulas run on all cores.
template <class T>
using device_vector = batch_vector<T, Space::device>;

template <class T, Space space>
struct expression::capture_traits<batch_vector<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const batch_vector<T, space> &vector) {
        return vector.context().leaf(BatchLeaf<stored_t<T>, space>(vector.handle()));
    }
};

// Elements index[i] of a vector of residues. An index beyond the source is a fault.
template <int Bits, Space space, class Index>
    requires expression::Captured<Index>
[[nodiscard]] auto gather(const batch_vector<Residue<Bits>, space> &source, Index &&index) {
    return source.context().leaf(gather(source.forms(), std::forward<Index>(index)));
}

} // namespace warpint
