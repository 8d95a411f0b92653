// SPDX-License-Identifier: Apache-2.0
// Optional<T>: a value or nothing, for results that may not exist, such as an inverse or a square
// root. It is used like std::optional, but is trivially copyable and works in device code.
#pragma once

#include "../limb/refused.h"
#include "storage.h"

#include <type_traits>
#if WARPINT_HOSTED
#include <iosfwd>
#include <optional>
#endif

namespace warpint {

// A value of a type T, or nothing; trivially copyable if T is. It is empty at first. An empty
// Optional still holds a T, which is zero at first; in device code * and value() return it, because
// nothing can be thrown there.
template <class T>
class Optional {
public:
    using value_type = T;

    Optional() = default;
    WARPINT_HOST_DEVICE constexpr Optional(const T &value) : value_{value}, exists_{true} {}
    // Holds the value if it exists. No branch, for constant-time code.
    WARPINT_HOST_DEVICE constexpr Optional(const T &value, bool exists)
        : value_{value}, exists_{exists} {}
    // Of a value that converts implicitly, as a narrower number does.
    template <class U>
        requires(!std::is_same_v<T, U> && std::is_convertible_v<const U &, T>)
    WARPINT_HOST_DEVICE constexpr Optional(const Optional<U> &other)
        : value_{*other}, exists_{other.has_value()} {}

    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool has_value() const { return exists_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr explicit operator bool() const { return exists_; }

    // The value. On input: there is one; this is not checked.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const T &operator*() const { return value_; }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const T *operator->() const { return &value_; }

    // The value. Errors: without one, std::bad_optional_access on the host; device code returns
    // what is stored.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const T &value() const {
#if !WARPINT_DEVICE_PASS
        if (!exists_)
            throw std::bad_optional_access();
#endif
        return value_;
    }
    // The value, or `other` if there is none.
    template <class U>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr T value_or(const U &other) const {
        return exists_ ? value_ : static_cast<T>(other);
    }

#if WARPINT_HOSTED
    // Converts to std::optional, also of what T converts to implicitly, on the host.
    template <class U>
        requires std::is_convertible_v<const T &, U>
    constexpr operator std::optional<U>() const {
        return exists_ ? std::optional<U>(value_) : std::nullopt;
    }
#endif

    // An Optional is no T; these are here for their message.
#define WARPINT_VALUE_OF_OPTIONAL "*x of an Optional x, after checking that it has a value"
    WARPINT_REFUSED_ARITHMETIC(Optional, WARPINT_VALUE_OF_OPTIONAL, T);
    template <class write_star_x_of_an_Optional_x>
        requires(BigNumber<write_star_x_of_an_Optional_x> ||
                 (std::is_class_v<T> && std::is_same_v<write_star_x_of_an_Optional_x, T>))
    operator write_star_x_of_an_Optional_x() const WARPINT_REFUSED(WARPINT_VALUE_OF_OPTIONAL);

private:
    T value_{};
    bool exists_ = false;
};

#if WARPINT_HOSTED
// An Optional is not printed; this is here for its message.
template <limb::Advice instead = WARPINT_VALUE_OF_OPTIONAL, class Character, class Traits, class T>
void operator<<(std::basic_ostream<Character, Traits> &, const Optional<T> &)
    WARPINT_REFUSED(WARPINT_VALUE_OF_OPTIONAL);
#endif
#undef WARPINT_VALUE_OF_OPTIONAL

} // namespace warpint
