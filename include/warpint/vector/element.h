// An element of a device_vector, as operator[] returns it.
#pragma once

#include "../execution/backend.h"
#include "../text.h"

namespace warpint {

inline namespace WARPINT_BACKEND {

template <class T, Space space>
class batch_vector;

// An element of a device_vector: reads and writes one number where it lies. Reading waits for the
// work before it and throws std::domain_error if the element had no value.
template <class T>
class element_reference {
public:
    element_reference(batch_vector<T, Space::device> &owner, std::size_t index)
        : owner_{&owner}, index_{index} {}
    element_reference(const element_reference &) = default;

    operator T() const { return value(); }
    [[nodiscard]] T value() const { return owner_->read(index_); }
    element_reference &operator=(const T &value) {
        owner_->write(index_, value);
        return *this;
    }
    element_reference &operator=(const element_reference &other) {
        return *this = static_cast<T>(other);
    }

private:
    batch_vector<T, Space::device> *owner_;
    std::size_t index_;
};

// In expressions an element stands for its value.
#define WARPINT_ELEMENT_OPERATOR(symbol)                                                           \
    template <class T, AnyNumber B>                                                                \
    [[nodiscard]] auto operator symbol(const element_reference<T> &a, const B &b) {                \
        return a.value() symbol b;                                                                 \
    }                                                                                              \
    template <AnyNumber A, class T>                                                                \
    [[nodiscard]] auto operator symbol(const A &a, const element_reference<T> &b) {                \
        return a symbol b.value();                                                                 \
    }                                                                                              \
    template <class T, class U>                                                                    \
    [[nodiscard]] auto operator symbol(const element_reference<T> &a,                              \
                                       const element_reference<U> &b) {                            \
        return a.value() symbol b.value();                                                         \
    }
WARPINT_ELEMENT_OPERATOR(+)
WARPINT_ELEMENT_OPERATOR(-)
WARPINT_ELEMENT_OPERATOR(*)
WARPINT_ELEMENT_OPERATOR(/)
WARPINT_ELEMENT_OPERATOR(%)
WARPINT_ELEMENT_OPERATOR(&)
WARPINT_ELEMENT_OPERATOR(|)
WARPINT_ELEMENT_OPERATOR(^)
WARPINT_ELEMENT_OPERATOR(==)
WARPINT_ELEMENT_OPERATOR(!=)
WARPINT_ELEMENT_OPERATOR(<)
WARPINT_ELEMENT_OPERATOR(>)
WARPINT_ELEMENT_OPERATOR(<=)
WARPINT_ELEMENT_OPERATOR(>=)
#undef WARPINT_ELEMENT_OPERATOR

template <BigNumber T>
[[nodiscard]] std::string to_string(const element_reference<T> &element, int base = 10) {
    return to_string(element.value(), base);
}
template <BigNumber T>
std::ostream &operator<<(std::ostream &out, const element_reference<T> &element) {
    return out << element.value();
}

} // namespace WARPINT_BACKEND
} // namespace warpint
