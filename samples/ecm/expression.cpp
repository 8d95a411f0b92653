// SPDX-License-Identifier: Apache-2.0
#include "expression.h"

#include "error.h"

namespace ecm {

namespace {

// Recursive descent, a function for each precedence.
class Parser {
public:
    explicit Parser(const std::string &expression) : text(expression) {}

    Number all() {
        const Number value = sum();
        if (at != text.size())
            fail("an unexpected character");
        return value;
    }

private:
    using Wide = warpint::BigInt<2 * widest>;

    Number sum() {
        Number value = product();
        for (;;) {
            if (take('+')) {
                value = fitting(Wide(value) + product());
            } else if (take('-')) {
                const Number subtrahend = product();
                if (value < subtrahend)
                    fail("a negative number");
                value = value - subtrahend;
            } else {
                return value;
            }
        }
    }

    Number product() {
        Number value = power();
        for (;;) {
            if (take('*')) {
                value = fitting(value * power());
            } else if (take('/')) {
                const Number divisor = power();
                if (divisor == 0u || value % divisor != 0u)
                    fail("a division that leaves a remainder");
                value = value / divisor;
            } else {
                return value;
            }
        }
    }

    Number power() {
        const Number base = factor();
        if (!take('^'))
            return base;
        deeper();
        const Number exponent = power();
        --depth;
        Number value = 1u;
        if (base == 1u || (base == 0u && exponent != 0u))
            return base;
        for (Number i = 0u; i < exponent; i = i + 1u) // ends at the widest number
            value = fitting(value * base);
        return value;
    }

    Number factor() {
        if (take('(')) {
            deeper();
            const Number value = sum();
            if (!take(')'))
                fail("a parenthesis is missing");
            --depth;
            return value;
        }
        const std::size_t begin = at;
        Number value = 0u;
        for (; at != text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
            value = fitting(value * 10u + static_cast<unsigned>(text[at] - '0'));
        if (at == begin)
            fail("a number is missing");
        return value;
    }

    template <class Value>
    Number fitting(const Value &value) {
        if (bit_width(value) > widest)
            fail("a number of more than " + std::to_string(widest) + " bits");
        return Number(value);
    }

    void deeper() { // bounds the stack
        if (++depth > 100)
            fail("too much nesting");
    }

    bool take(char c) {
        if (at == text.size() || text[at] != c)
            return false;
        ++at;
        return true;
    }

    [[noreturn]] void fail(const std::string &what) const {
        throw sample::UsageError(what + " at position " + std::to_string(at + 1) + " of \"" +
                                 text.substr(0, 40) + (text.size() > 40 ? "..." : "") + "\"");
    }

    const std::string &text;
    std::size_t at = 0;
    int depth = 0;
};

} // namespace

Number evaluate(const std::string &text) {
    return Parser(text).all();
}

} // namespace ecm
