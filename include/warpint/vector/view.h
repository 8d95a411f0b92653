// batch_view<T>: elements that somebody else owns.
#pragma once

#include "../execution/assign.h"
#include "../expression/operators.h"

namespace warpint {

inline namespace WARPINT_BACKEND {

// A non-owning view of `size` elements at `data`, on the host (the default) or on a GPU. Trivially
// copyable: pass it to kernels, or wrap memory of your own to use it in formulas and as a target of
// evaluate(). On input: data is aligned for T and valid for size elements; null only if size is 0
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
                     space == Space::device ? execution_backend::device_location() : Location{}) {}

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

} // namespace WARPINT_BACKEND

template <class T, Space space>
struct expression::capture_traits<batch_view<T, space>> {
    static constexpr bool is_batch = true;
    static constexpr bool owning = false;
    static constexpr auto leaf(const batch_view<T, space> &view) {
        return VectorLeaf<std::remove_const_t<T>, space>{view.data(), view.size(), view.location()};
    }
};

} // namespace warpint
