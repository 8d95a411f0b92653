// SPDX-License-Identifier: Apache-2.0
// The operation that a function of the user is, of elements.
#pragma once

#include "../limb/user_function.h"
#include "operation.h"

namespace warpint::expression {

// A user's function that takes numbers over lanes as well as plain ones: see over_lanes() in
// functions.h.
template <class Function>
struct TakesLanes {
    Function function;

    template <class... Values>
    WARPINT_HOST_DEVICE constexpr auto operator()(const Values &...values) const {
        return function(values...);
    }
};

namespace operation {

template <class Function>
inline constexpr bool takes_lanes = false;
template <class Function>
inline constexpr bool takes_lanes<TakesLanes<Function>> = true;
// What is known of the work in a user's function: that it is worth lanes, if it takes them.
template <class Function>
inline constexpr WorkKind work_of_function =
    takes_lanes<Function> ? WorkKind::division : WorkKind::streaming;

// A user's function of the elements. It reports that there is no value by an empty Optional, and on
// the CPU by throwing. on_host: the formula reads host vectors, so no kernel will call the
// function.
template <class Function, bool on_host>
struct Map : BasicOperation<work_of_function<Function>> {
    static constexpr bool runs_user_code = true;
    template <class... Values>
    static constexpr int bits = widest_operand<Values...>;
    template <class T>
    struct Unwrapped {
        using type = T;
        static constexpr bool is_optional = false;
    };
    template <class T>
    struct Unwrapped<Optional<T>> {
        using type = T;
        static constexpr bool is_optional = true;
    };
    template <class... Values>
    using Returned = std::remove_cvref_t<decltype(std::declval<limb::called_as<Function>>()(
        std::declval<const Values &>()...))>;
    template <class... Values>
    static constexpr bool can_fault = Unwrapped<Returned<Values...>>::is_optional;
    template <class... Values>
    static constexpr bool over_lanes = takes_lanes<Function> && (AnyNumber<Values> && ...);

    Function function;

    template <class... Values>
    WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE auto apply(bool &fault,
                                                                   const Values &...values) const {
        return result<number::kind_of<Values...>>(fault,
                                                  given<number::kind_of<Values...>>(values)...);
    }

private:
    // An operand as the function takes it.
    template <class Kind, class Value>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE decltype(auto) given(const Value &value) {
        if constexpr (Kind::together) {
            return number::in_kind<Kind>(value);
        } else {
            return (value);
        }
    }
    template <class Kind, class... Values>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE typename Unwrapped<Returned<Values...>>::type
    result([[maybe_unused]] bool &fault, const Values &...values) const {
        if constexpr (Unwrapped<Returned<Values...>>::is_optional) {
            return number::value_or_fault<Kind>(fault, call(values...));
        } else {
            return call(values...);
        }
    }
    template <class... Values>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto)
    call(const Values &...values) const {
        if constexpr (on_host) {
            return limb::call_function_of_host(function, values...);
        } else {
            return limb::call_function_of_batches(function, values...);
        }
    }
};

} // namespace operation

} // namespace warpint::expression
