// SPDX-License-Identifier: Apache-2.0
// batch_view<T>: elements that somebody else owns.
#pragma once

#include "../execution/assign.h"
#include "../expression/functions.h"

namespace warpint {

// A non-owning view of `size` elements at `data`, on the device (the default) or on the host.
// Trivially copyable: pass it to kernels, or wrap memory of your own to use it in formulas and as a
// target of evaluate(). Its memory must live and hold still while a formula that reads it runs. On
// input: data is aligned for T and valid for size elements; null only if size is 0
// (std::invalid_argument).
template <class T, Space space = Space::device>
class batch_view {
public:
    using value_type = std::remove_const_t<T>;

    constexpr batch_view() = default;
    batch_view(T *data, std::size_t size, Location location)
        : data_{data}, size_{size}, location_{location} {
        if (data == nullptr && size != 0)
            throw std::invalid_argument("warpint: a view of a null pointer");
        if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0) {
            throw std::invalid_argument("warpint: a view of misaligned memory");
        }
    }
    // On the GPU that is current here, or in host memory if there is none.
    batch_view(T *data, std::size_t size)
        : batch_view(data, size,
                     space == Space::host ? Location{} : execution_backend::device_location()) {}

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T *data() const { return data_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr std::size_t size() const { return size_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T &operator[](std::size_t i) const {
        return data_[i];
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T *begin() const { return data_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T *end() const { return data_ + size_; }
    [[nodiscard]] constexpr Location location() const { return location_; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
    Location location_;
};

template <class T, Space space>
struct expression::capture_traits<batch_view<T, space>> {
    static constexpr bool is_batch = true;
    static auto leaf(const batch_view<T, space> &view) {
        BatchState state;
        state.data = const_cast<std::remove_const_t<T> *>(view.data()); // is only read
        state.size = view.size();
        state.location = view.location();
        return BatchLeaf<std::remove_const_t<T>, space>{nullptr, state};
    }
};

} // namespace warpint
