// SPDX-License-Identifier: Apache-2.0
// Fuzz target: sequences of calls on vectors, against lists of numbers and of elements without a
// value.

#include "fuzz.h"

#include <warpint/sort.h>
#include <warpint/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using fuzz::require;
using Number = warpint::BigInt<65>;
using Vector = warpint::host_vector<Number>;
using Element = std::optional<Number>; // none: without a value
using Model = std::vector<Element>;
constexpr std::size_t vectors = 3;
constexpr std::size_t most = 40; // elements

struct ThrowIfOdd {
    Number operator()(const Number &x) const {
        if (test_bit(x, 0))
            throw std::runtime_error("odd");
        return x >> 1;
    }
};

class Machine {
public:
    void step(fuzz::Input &input) {
        const int operation = input.below(28);
        const std::size_t i = index(input.below(int(vectors)));
        const std::size_t j = index(input.below(int(vectors)));
        const int at = input.byte();
        const int count = input.byte();
        const Number x = number(input);
        Vector &a = vector_[i];
        Vector &b = vector_[j];
        Model &m = model_[i];
        Model &n = model_[j];
        const std::size_t position = m.empty() ? 0 : index(at) % (m.size() + 1);
        const std::size_t length =
            m.empty() ? 0 : index(count) % (m.size() - std::min(position, m.size()) + 1);
        const auto point = static_cast<std::ptrdiff_t>(position);
        const auto point_end = static_cast<std::ptrdiff_t>(position + length);
        switch (operation) {
        case 0:
            a.push_back(x);
            m.push_back(x);
            break;
        case 1:
            if (!m.empty()) {
                a.pop_back();
                m.pop_back();
            }
            break;
        case 2:
            a.resize(index(count) % most);
            m.resize(index(count) % most, Number(0));
            break;
        case 3:
            a.resize(index(count) % most, x);
            m.resize(index(count) % most, x);
            break;
        case 4:
            if (m.size() < most) {
                a.insert(a.begin() + point, x);
                m.insert(m.begin() + point, x);
            }
            break;
        case 5:
            if (m.size() < most) {
                a.insert(a.begin() + point, index(count) % 5, x);
                m.insert(m.begin() + point, index(count) % 5, x);
            }
            break;
        case 6:
            a.erase(a.begin() + point, a.begin() + point_end);
            m.erase(m.begin() + point, m.begin() + point_end);
            break;
        case 7:
            a.assign(index(count) % most, x);
            m.assign(index(count) % most, x);
            break;
        case 8:
            a = b;
            m = Model(n);
            break;
        case 9: // a moved-from vector may be assigned to
            if (i != j) {
                a = std::move(b);
                m = std::move(n);
                b = Vector(2, x);
                n = Model(2, x);
            }
            break;
        case 10:
            swap(a, b);
            std::swap(m, n);
            break;
        case 11: // one view into another, at places that may overlap
            assign_view(a, m, b, n, i == j, index(at), index(count), x);
            break;
        case 12:
            sizes_agree(m.size() == n.size(), [&] { a = (a * b + x) % Number(1000003u); });
            if (m.size() == n.size())
                for (std::size_t k = 0; k < m.size(); ++k)
                    m[k] =
                        m[k] && n[k] ? Element((*m[k] * *n[k] + x) % Number(1000003u)) : Element();
            break;
        case 13:
            sizes_agree(m.size() == n.size(), [&] { a = a / b; });
            if (m.size() == n.size())
                for (std::size_t k = 0; k < m.size(); ++k)
                    m[k] = m[k] && n[k] && *n[k] ? Element(*m[k] / *n[k]) : Element();
            break;
        case 14:
            if (i != j) {
                a = gather(b, a);
                for (Element &each : m)
                    each =
                        each && *each < n.size() ? n[static_cast<std::size_t>(*each)] : Element();
            }
            break;
        case 15:
            a = map(ThrowIfOdd{}, b);
            m = Model(n);
            for (Element &each : m)
                each = each && !test_bit(*each, 0) ? Element(*each >> 1) : Element();
            break;
        case 16:
            if (position < m.size()) {
                a.write(position, x);
                m[position] = x;
            } else {
                throws<std::out_of_range>([&] { a.write(position, x); });
            }
            break;
        case 17:
            if (position >= m.size()) {
                throws<std::out_of_range>([&] { (void)a.read(position); });
            } else if (m[position]) {
                require(a.read(position) == *m[position] && a[position] == *m[position], "read");
            } else {
                throws<std::domain_error>([&] { (void)a.read(position); });
                throws<std::domain_error>([&] { (void)a[position]; });
            }
            break;
        case 18:
            a.clear_errors();
            for (Element &each : m)
                each = each.value_or(Number(0));
            break;
        case 19:
            if (std::all_of(m.begin(), m.end(), [](const Element &e) { return e.has_value(); })) {
                sort(a);
                std::sort(m.begin(), m.end());
            } else {
                throws<std::domain_error>([&] { sort(a); });
            }
            break;
        case 20:
            a.reserve(index(count));
            break;
        case 21:
            a.shrink_to_fit();
            break;
        case 22: // a part of a vector, also of itself
            a.assign(
                std::as_const(b).view(std::min(position, n.size()),
                                      std::min(length, n.size() - std::min(position, n.size()))));
            {
                const auto from = static_cast<std::ptrdiff_t>(std::min(position, n.size()));
                const auto to = from + static_cast<std::ptrdiff_t>(std::min(
                                           length, n.size() - std::min(position, n.size())));
                m = Model(n.begin() + from, n.begin() + to);
            }
            break;
        case 23: { // a formula reads what its vectors hold when it runs
            const auto formula = b + x;
            b.push_back(x);
            n.push_back(x);
            a = formula;
            Model r;
            for (const Element &each : n)
                r.push_back(each ? Element(*each + x) : Element());
            m = r;
            break;
        }
        case 24: { // of a vector that is gone
            const auto formula = [&] {
                const Vector local(b);
                return local ^ x;
            }();
            Model r;
            for (const Element &each : n)
                r.push_back(each ? Element(*each ^ x) : Element());
            a = formula;
            m = r;
            break;
        }
        case 25: {
            warpint::device_vector<Number> other(b);
            other += 1u;
            a = Vector(other);
            Model r;
            for (const Element &each : n)
                r.push_back(each ? Element(*each + 1u) : Element());
            m = r;
            break;
        }
        case 26:
            throws<std::out_of_range>([&] { (void)a.view(m.size(), 1); });
            throws<std::out_of_range>([&] { (void)a.at(m.size() + index(at)); });
            break;
        default:
            check_sum(a, m);
            break;
        }
        if (m.size() > 4 * most) {
            a.clear();
            m.clear();
        }
        for (std::size_t k = 0; k < vectors; ++k)
            compare(vector_[k], model_[k]);
    }

private:
    static std::size_t index(int x) { return static_cast<std::size_t>(x); }
    static Number number(fuzz::Input &input) {
        const int kind = input.byte();
        return kind < 128 ? Number(kind) : kind < 192 ? ~Number(kind) : Number(kind) << (kind & 63);
    }

    template <class Error, class Action>
    static void throws(const Action &action) {
        bool thrown = false;
        try {
            action();
        } catch (const Error &) {
            thrown = true;
        }
        require(thrown, "an exception");
    }
    template <class Action>
    static void sizes_agree(bool agree, const Action &action) {
        if (agree)
            action();
        else
            throws<warpint::size_mismatch>(action);
    }

    void assign_view(Vector &a, Model &m, Vector &b, Model &n, bool same, std::size_t at,
                     std::size_t count, const Number &x) {
        if (m.empty() || n.empty())
            return;
        const std::size_t length = count % (std::min(m.size(), n.size()) + 1);
        const std::size_t to = at % (m.size() - length + 1);
        const std::size_t from = (at / 7) % (n.size() - length + 1);
        const bool overlap = same && to != from && to < from + length && from < to + length;
        const auto assign = [&] { a.view(to, length) = b.view(from, length) - x; };
        if (overlap) {
            throws<warpint::wrong_location>(assign);
            return;
        }
        assign();
        for (std::size_t k = 0; k < length; ++k)
            m[to + k] = n[from + k] ? Element(*n[from + k] - x) : Element();
    }

    static void check_sum(const Vector &a, const Model &m) {
        warpint::BigInt<129> expected = 0;
        bool good = true;
        for (const Element &each : m) {
            good = good && each;
            expected += each.value_or(Number(0));
        }
        if (good)
            require(sum(a) == expected, "sum");
        else
            throws<std::domain_error>([&] { (void)sum(a); });
    }

    static void compare(const Vector &a, const Model &m) {
        require(a.size() == m.size() && a.empty() == m.empty() && a.capacity() >= a.size(), "size");
        const std::vector<bool> mask = a.error_mask();
        for (std::size_t k = 0; k < m.size(); ++k) {
            require(mask[k] == !m[k], "which elements have a value");
            require(a.data()[k] == m[k].value_or(Number(0)), "an element");
        }
    }

    std::array<Vector, vectors> vector_;
    std::array<Model, vectors> model_;
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    Machine machine;
    for (int steps = 0; !input.empty() && steps < 60; ++steps)
        machine.step(input);
    return 0;
}
