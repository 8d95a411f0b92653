// SPDX-License-Identifier: Apache-2.0
// Optional<T>: a value or nothing, for results that may not exist (an inverse, a square root). Like
// std::optional in use, but trivially copyable, usable in device code and without exceptions there.
#pragma once

#include "../limb/config.h"

#include <optional>
#include <type_traits>

namespace warpint {

// A T, or none; trivially copyable if T is. An empty Optional still holds a T (zero after
// `Optional<T>{}`), which is what * gives in device code where there is nothing to throw.
template <class T>
class Optional {
public:
    using value_type = T;

    Optional() = default;
    WARPINT_HOST_DEVICE constexpr Optional(const T &value) : value_{value}, exists_{true} {}
    // The value if it exists; a constructor without a branch, for constant-time code.
    WARPINT_HOST_DEVICE constexpr Optional(const T &value, bool exists)
        : value_{value}, exists_{exists} {}

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool has_value() const { return exists_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr explicit operator bool() const { return exists_; }

    // On input: there is a value.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const T &operator*() const { return value_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const T *operator->() const { return &value_; }

    // Error (host): std::bad_optional_access when there is no value; device code returns what is
    // stored.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const T &value() const {
#if !WARPINT_DEVICE_PASS
        if (!exists_)
            throw std::bad_optional_access();
#endif
        return value_;
    }
    template <class U>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T value_or(const U &other) const {
        return exists_ ? value_ : static_cast<T>(other);
    }

    // On the host, also as what the rest of a program uses.
    constexpr operator std::optional<T>() const {
        return exists_ ? std::optional<T>(value_) : std::nullopt;
    }

private:
    T value_;
    bool exists_;
};

} // namespace warpint
