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
        const Value value = sum();
        if (at != text.size())
            fail("an unexpected character");
        return fitting<widest>(value);
    }

private:
    // On the way values may be twice as long: that of 2^1024-1 is.
    static constexpr int longest = 2 * widest;
    using Value = warpint::BigInt<longest>;

    Value sum() {
        Value value = product();
        for (;;) {
            if (take('+')) {
                value = fitting<longest>(warpint::BigInt<longest + 1>(value) + product());
            } else if (take('-')) {
                const Value subtrahend = product();
                if (value < subtrahend)
                    fail("a negative number");
                value = value - subtrahend;
            } else {
                return value;
            }
        }
    }

    Value product() {
        Value value = power();
        for (;;) {
            if (take('*')) {
                value = fitting<longest>(value * power());
            } else if (take('/')) {
                const Value divisor = power();
                if (divisor == 0u)
                    fail("a division by 0");
                if (value % divisor != 0u)
                    fail("a division that leaves a remainder");
                value = value / divisor;
            } else {
                return value;
            }
        }
    }

    Value power() {
        const Value base = factor();
        if (!take('^'))
            return base;
        deeper();
        const Value exponent = power();
        --depth;
        Value value = 1u;
        if (base == 1u || (base == 0u && exponent != 0u))
            return base;
        for (Value i = 0u; i < exponent; i = i + 1u) // ends at the longest value
            value = fitting<longest>(value * base);
        return value;
    }

    Value factor() {
        if (take('(')) {
            deeper();
            const Value value = sum();
            if (!take(')'))
                fail("a parenthesis is missing");
            --depth;
            return value;
        }
        const std::size_t begin = at;
        Value value = 0u;
        for (; at != text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
            value = fitting<longest>(value * 10u + static_cast<unsigned>(text[at] - '0'));
        if (at == begin)
            fail("a number is missing");
        return value;
    }

    template <int bits, class Wide>
    warpint::BigInt<bits> fitting(const Wide &value) {
        if (bit_width(value) > bits)
            fail("a number of more than " + std::to_string(bits) + " bits");
        return warpint::BigInt<bits>(value);
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
