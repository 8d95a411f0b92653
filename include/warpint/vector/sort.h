// SPDX-License-Identifier: Apache-2.0
// Sorting vectors where they lie.
#pragma once

#include "vector.h"

#include "../execution/order/order.h"
#include "../execution/order/order_cuda.h"

namespace warpint {

namespace containers {

// Copies of elements in the order of their keys, made on one device.
struct OrderedCopy {
    std::shared_ptr<execution::Storage> from;
    std::shared_ptr<execution::Storage> to;
};

template <class T, Space space>
OrderedCopy ordered_copy(const batch_vector<T, space> &vector) {
    const auto &from = vector.handle();
    return {from, execution::make_storage(from->location, from->size, from->element_bytes,
                                          from->resource)};
}

// Calls write(for_each, positions) with the positions of the keys in ascending order; for_each(n,
// f) calls f(0) ... f(n - 1) behind what was there before.
template <class T, Space space, class Write>
void with_order(const batch_vector<T, space> &keys,
                [[maybe_unused]] std::span<const OrderedCopy> copies,
                [[maybe_unused]] stream_handle stream, const Write &write) {
    const std::size_t count = keys.size();
    const T *const numbers = keys.data();
#if WARPINT_CUDA
    if (keys.location().on_gpu()) {
        const int device = keys.location().device;
        const execution::CurrentDevice current(device);
        if (execution::is_capturing(stream)) {
            throw std::logic_error("warpint: a sort cannot be captured into a graph: its number of "
                                   "passes depends on the elements");
        }
        if (count > execution::max_ordered_by_windows) {
            throw std::length_error("warpint: a sort of " + std::to_string(count) +
                                    " elements on one GPU; the limit is 2^32 - 1");
        }
        std::vector<execution::Operand> operands{
            {keys.handle().get(), keys.handle().get(), count, sizeof(T), false}};
        std::vector<execution::Result> results;
        for (const OrderedCopy &copy : copies) {
            if (copy.from != nullptr) {
                operands.push_back(
                    {copy.from.get(), copy.from.get(), count, copy.from->element_bytes, false});
            }
            results.push_back(
                {copy.to->data, count, copy.to->element_bytes, copy.to->location, copy.to.get()});
        }
        execution::OrderedWork work(device, stream, operands, results);
        execution::WindowSorter sorter(*execution::default_resource(keys.location()), count,
                                       stream);
        execution::order_by_windows(sorter, numbers, count);
        write([&](std::size_t n, const auto &f) { sorter.for_each(n, f); }, sorter.positions());
        work.done();
        return;
    }
#endif
    const std::vector<execution::OrderEntry> entries = execution::order_on_cpu(numbers, count);
    write(
        [](std::size_t n, const auto &f) {
            execution::parallel_for(n, 1, 16, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i)
                    f(i);
            });
        },
        execution::OrderOfEntries{entries.data()});
}

template <class T, class ForEach, class Positions>
void copy_by_order(const ForEach &for_each, const Positions &positions, const OrderedCopy &copy) {
    for_each(copy.from->size,
             execution::GatherByOrder<T, Positions>{static_cast<const T *>(copy.from->data),
                                                    static_cast<T *>(copy.to->data), positions});
}

// Throws if there are faults, which have no place in an order.
template <class T, Space space>
void check_values(const batch_vector<T, space> &vector) {
    if (vector.size() != 0 && vector.handle()->may_have_faults())
        vector.check();
}

// The elements in ascending order, in memory of their own. On input: no faults.
template <AnyNumber T, Space space>
std::shared_ptr<execution::Storage> sorted_elements(const batch_vector<T, space> &vector,
                                                    stream_handle stream) {
    const OrderedCopy copies[] = {ordered_copy(vector)};
    if (vector.size() == 0)
        return copies[0].to;
    if constexpr (execution::sorts_directly<T>) {
        if (!vector.location().on_gpu()) {
            execution::sort_on_cpu(vector.data(), vector.size(),
                                   static_cast<T *>(copies[0].to->data));
            return copies[0].to;
        }
    }
    with_order(vector, copies, stream, [&](const auto &for_each, const auto &positions) {
        copy_by_order<T>(for_each, positions, copies[0]);
    });
    return copies[0].to;
}

} // namespace containers

// Sorts the elements in ascending order. On a GPU it is a radix sort on the stream, for up to 2^32
// - 1 elements (std::length_error). It waits for the stream, so it cannot run on a stream that is
// being captured into a graph (std::logic_error). On the CPU it runs on all cores. Needs memory for
// a second copy, and 24 bytes per element (18 on the CPU). Faults: std::domain_error. After an
// exception nothing has moved.
template <AnyNumber T, Space space>
void sort(batch_vector<T, space> &vector, stream_handle stream = {}) {
    containers::check_values(vector);
    if (vector.size() >= 2)
        vector.adopt(*containers::sorted_elements(vector, stream));
}

// Residues have no order; these are here for their messages.
template <AnyResidue T, Space space, class write_sort_of_the_numbers_value_x = void>
void sort(const batch_vector<T, space> &, stream_handle = {}) WARPINT_REFUSED(
    "residues have no order: sort the numbers value(x), or x by them with sort_by_key");
template <AnyResidue T, Space space, class write_argsort_of_the_numbers_value_x = void>
batch_vector<std::uint64_t, space> argsort(const batch_vector<T, space> &, stream_handle = {})
    WARPINT_REFUSED("residues have no order: write argsort of the numbers value(x)");
template <AnyResidue Key, class T, Space space,
          class write_sort_by_key_with_the_numbers_value_x = void>
void sort_by_key(const batch_vector<Key, space> &, const batch_vector<T, space> &,
                 stream_handle = {})
    WARPINT_REFUSED("residues have no order: write sort_by_key with the numbers value(x)");

// Formulas are not in memory; these are here for their messages.
template <expression::Description Tree, class store_the_formula_in_a_vector_first = void>
void sort(const Tree &, stream_handle = {})
    WARPINT_REFUSED("sort reorders a vector: store the formula in a vector first");
template <expression::Description Tree, class store_the_formula_in_a_vector_first = void>
batch_vector<std::uint64_t, Space::host> argsort(const Tree &, stream_handle = {})
    WARPINT_REFUSED("argsort reads a vector: store the formula in a vector first");
template <limb::Advice instead = "sort reorders a vector: copy the view to one first", class View>
    requires(containers::is_view<View>)
void sort(const View &, stream_handle = {})
    WARPINT_REFUSED("sort reorders a vector: copy the view to one first");
template <limb::Advice instead = "argsort reads a vector: copy the view to one first", class View>
    requires(containers::is_view<View>)
batch_vector<std::uint64_t, Space::host> argsort(const View &, stream_handle = {})
    WARPINT_REFUSED("argsort reads a vector: copy the view to one first");

// Sorts the keys as sort() does, and moves the values along with them. Values of equal keys keep
// their order. Both must have the same size and place (size_mismatch, wrong_location). Otherwise as
// sort().
template <AnyNumber Key, class T, Space space>
void sort_by_key(batch_vector<Key, space> &keys, batch_vector<T, space> &values,
                 stream_handle stream = {}) {
    if (keys.size() != values.size()) {
        throw size_mismatch("warpint: " + std::to_string(keys.size()) + " keys and " +
                            std::to_string(values.size()) + " values");
    }
    if (keys.handle() == values.handle())
        throw wrong_location("warpint: the keys are the values: write sort(v)");
    if (!(keys.location() == values.location()))
        throw wrong_location("warpint: keys and values on different devices");
    containers::check_values(keys);
    containers::check_values(values);
    if (keys.size() < 2)
        return;
    const containers::OrderedCopy copies[] = {containers::ordered_copy(keys),
                                              containers::ordered_copy(values)};
    containers::with_order(keys, copies, stream, [&](const auto &for_each, const auto &positions) {
        containers::copy_by_order<Key>(for_each, positions, copies[0]);
        containers::copy_by_order<stored_t<T>>(for_each, positions, copies[1]);
    });
    keys.adopt(*copies[0].to);
    values.adopt(*copies[1].to);
}

// The positions of the elements in ascending order of their values, so that gather(v, argsort(v))
// is sorted. Equal elements keep their order. Otherwise as sort().
template <AnyNumber T, Space space>
[[nodiscard]] batch_vector<std::uint64_t, space> argsort(const batch_vector<T, space> &vector,
                                                         stream_handle stream = {}) {
    containers::check_values(vector);
    if (vector.size() == 0)
        return {};
    batch_vector<std::uint64_t, space> order;
    const containers::OrderedCopy copies[] = {
        {nullptr, execution::make_storage(vector.location(), vector.size(), sizeof(std::uint64_t),
                                          nullptr)}};
    containers::with_order(
        vector, copies, stream, [&](const auto &for_each, const auto &positions) {
            using Positions = std::remove_cvref_t<decltype(positions)>;
            for_each(vector.size(),
                     execution::PositionsByOrder<Positions>{
                         static_cast<std::uint64_t *>(copies[0].to->data), positions});
        });
    order.adopt(*copies[0].to);
    return order;
}

} // namespace warpint
