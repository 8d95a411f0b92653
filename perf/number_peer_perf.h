// SPDX-License-Identifier: Apache-2.0
// Plain numbers of 256 and 512 bits against another library's fixed-width type. The peer is a class
// with the static members that measure_fixed uses.
#pragma once

#include "number_perf.h"

#include <warpint/bigint.h>

#include <cstring>

namespace perf {

template <int Bits>
warpint::BigInt<Bits> number_from_words(const Words &words) {
    warpint::BigInt<Bits> x{};
    for (int i = 0; i < x.limb_count; ++i)
        x.limbs[i] =
            static_cast<std::uint32_t>(words[static_cast<std::size_t>(i / 2)] >> (i % 2 * 32));
    return x;
}

template <int Bits>
Words words_of(const warpint::BigInt<Bits> &x) {
    Words words(static_cast<std::size_t>(Bits / 64), 0);
    for (int i = 0; i < x.limb_count; ++i)
        words[static_cast<std::size_t>(i / 2)] |= std::uint64_t{x.limbs[i]} << (i % 2 * 32);
    return words;
}

// Equal operands for both.
template <class Peer, int Bits>
struct Operands {
    std::vector<warpint::BigInt<Bits>> ours;
    std::vector<typename Peer::template Number<Bits>> theirs;

    explicit Operands(const std::vector<Words> &words) {
        for (const Words &x : words) {
            ours.push_back(number_from_words<Bits>(x));
            theirs.push_back(Peer::template from_words<Bits>(x));
        }
    }
};

// Room for results; what is in it before differs, so that a pass that stores nothing is noticed.
template <class Peer, int Bits>
struct Results {
    std::vector<warpint::BigInt<Bits>> ours;
    std::vector<typename Peer::template Number<Bits>> theirs;

    explicit Results(std::size_t count)
        : ours(count, warpint::BigInt<Bits>(1)),
          theirs(count, Peer::template from_words<Bits>(Words(Bits / 64, 2))) {}

    bool equal() const {
        for (std::size_t i = 0; i < ours.size(); ++i) {
            if (words_of(ours[i]) != Peer::template to_words<Bits>(theirs[i]))
                return false;
        }
        return true;
    }
};

// All lines of one peer at one width.
template <class Peer, int Bits>
class FixedWidth {
public:
    explicit FixedWidth(Report &report) : report_(report) {}

    void measure() {
        measure_sums();
        measure_products();
        measure_comparisons();
        measure_divisions();
        measure_shifts();
        measure_text("decimal", 10);
        measure_text("hex", 16);
        measure_chains();
    }

private:
    using Ours = warpint::BigInt<Bits>;
    using Theirs = typename Peer::template Number<Bits>;
    static constexpr std::size_t bytes = Bits / 8;
    static constexpr std::size_t in_l1 = 32 * 1024 / (4 * bytes);
    static constexpr std::size_t in_l2 = 1024; // where the time depends on the operands
    static constexpr std::size_t many = 512;   // the same, for short operations

    template <class OurPass, class TheirPass, class Right>
    void line(const char *operation, std::size_t count, std::size_t each, const OurPass &ours,
              const TheirPass &theirs, const Right &right) {
        if (wanted(operation))
            report_.line(Bits, operation, count, each, ours, theirs, right);
    }

    // r[i] = operation(i), R bits wide, for both.
    template <int R, class OurOperation, class TheirOperation>
    void map(const char *operation, std::size_t count, std::size_t operand_bytes,
             const OurOperation &ours, const TheirOperation &theirs) {
        Results<Peer, R> r(count);
        line(
            operation, count, operand_bytes + R / 8,
            [&] {
                for (std::size_t i = 0; i < count; ++i)
                    r.ours[i] = ours(i);
            },
            [&] {
                for (std::size_t i = 0; i < count; ++i)
                    r.theirs[i] = theirs(i);
            },
            [&] { return r.equal(); });
    }

    void measure_sums() {
        const Operands<Peer, Bits> a(random_operands(in_l1, Bits, Lengths::full, 1));
        const Operands<Peer, Bits> b(random_operands(in_l1, Bits, Lengths::full, 2));
        map<Bits>(
            "a + b", in_l1, 2 * bytes, [&](std::size_t i) { return a.ours[i] + b.ours[i]; },
            [&](std::size_t i) { return Theirs(a.theirs[i] + b.theirs[i]); });
        map<Bits>(
            "a - b", in_l1, 2 * bytes, [&](std::size_t i) { return a.ours[i] - b.ours[i]; },
            [&](std::size_t i) { return Theirs(a.theirs[i] - b.theirs[i]); });
    }

    void measure_products() {
        const Operands<Peer, Bits> a(random_operands(in_l1, Bits, Lengths::full, 3));
        const Operands<Peer, Bits> b(random_operands(in_l1, Bits, Lengths::full, 4));
        map<2 * Bits>(
            "a * b (2N bits)", in_l1, 2 * bytes,
            [&](std::size_t i) { return a.ours[i] * b.ours[i]; },
            [&](std::size_t i) { return Peer::template multiply<Bits>(a.theirs[i], b.theirs[i]); });
        map<2 * Bits>(
            "sqr(a) (2N bits)", in_l1, bytes, [&](std::size_t i) { return sqr(a.ours[i]); },
            [&](std::size_t i) { return Peer::template multiply<Bits>(a.theirs[i], a.theirs[i]); });
        map<Bits>(
            "mul_low(a, b)", in_l1, 2 * bytes,
            [&](std::size_t i) { return mul_low(a.ours[i], b.ours[i]); },
            [&](std::size_t i) { return Theirs(a.theirs[i] * b.theirs[i]); });
    }

    // Counts the pairs for which the test is true: to store each answer would take longer than to
    // find it.
    template <std::size_t Count, bool NewOrder, class Test>
    void test(const char *operation, const std::vector<Words> &a_words,
              const std::vector<Words> &b_words, const Test &test) {
        const Operands<Peer, Bits> a(a_words), b(b_words);
        std::mt19937_64 generator(20);
        std::size_t ours = 0, theirs = 1;
        const auto pass = [&](std::size_t &result, const auto *x, const auto *y) {
            return [&generator, &result, x, y, test] {
                std::size_t sum = 0;
                const auto count_one = [&](std::size_t k) {
                    sum += test(x[k], y[k]);
                    keep_value(sum);
                };
                if constexpr (NewOrder) {
                    in_new_order<Count>(generator, count_one);
                } else {
#pragma GCC unroll 8
                    for (std::size_t k = 0; k < Count; ++k)
                        count_one(k);
                }
                result = sum;
            };
        };
        line(operation, Count, 2 * bytes, pass(ours, a.ours.data(), b.ours.data()),
             pass(theirs, a.theirs.data(), b.theirs.data()), [&] { return ours == theirs; });
    }

    // Pairs with which every comparison goes the same way, and pairs with which it does not, in an
    // order that cannot be remembered.
    void measure_comparisons() {
        const auto a = random_operands(many, Bits, Lengths::full, 5);
        const auto b = random_operands(many, Bits, Lengths::full, 7);
        const auto half = half_equal_to(a, 6);
        const auto near = one_word_from(a, 18);
        const auto less = [](const auto &x, const auto &y) { return x < y; };
        const auto equal = [](const auto &x, const auto &y) { return x == y; };
        test<2 * in_l1, false>("a < b, random", a, b, less);
        test<2 * in_l1, false>("a < b, equal", a, a, less);
        test<many, true>("a < b, half equal", a, half, less);
        test<many, true>("a < b, one word differs", a, near, less);
        test<2 * in_l1, false>("a == b, random", a, b, equal);
        test<2 * in_l1, false>("a == b, equal", a, a, equal);
        test<many, true>("a == b, half equal", a, half, equal);
        test<many, true>("a == b, one word differs", a, near, equal);
    }

    // q and r of a / b, dividends A bits wide, divisors B bits; b as ours and theirs take it. In an
    // order that cannot be remembered, as all that branches by its operands.
    template <int A, int B, class OurDivisors, class TheirDivisors>
    void divide(const char *operation, const Operands<Peer, A> &a, const OurDivisors &ours,
                const TheirDivisors &theirs) {
        constexpr std::size_t count = in_l2;
        std::mt19937_64 generator(19);
        Results<Peer, A> q(count);
        Results<Peer, B> r(count);
        std::vector<decltype(divmod(a.ours[0], ours[0]))> results(count);
        line(
            operation, count, 2 * (A + B) / 8,
            [&] {
                in_new_order<count>(
                    generator, [&](std::size_t i) { results[i] = divmod(a.ours[i], ours[i]); });
            },
            [&] {
                in_new_order<count>(generator, [&](std::size_t i) {
                    Peer::template divide<A, B>(q.theirs[i], r.theirs[i], a.theirs[i], theirs[i]);
                });
            },
            [&] {
                for (std::size_t i = 0; i < count; ++i) {
                    q.ours[i] = results[i].quotient;
                    r.ours[i] = results[i].remainder;
                }
                return q.equal() && r.equal();
            });
    }

    void measure_divisions() {
        const Operands<Peer, Bits> a(random_operands(in_l2, Bits, Lengths::random, 8));
        const Operands<Peer, Bits> b(random_operands(in_l2, Bits, Lengths::random, 9));
        divide<Bits, Bits>("divmod, random lengths", a, b.ours, b.theirs);
        const Operands<Peer, 2 * Bits> c(random_operands(in_l2, 2 * Bits, Lengths::full, 10));
        const Operands<Peer, Bits> d(random_operands(in_l2, Bits, Lengths::full, 11));
        divide<2 * Bits, Bits>("divmod, 2N / N bits", c, d.ours, d.theirs);
        const Operands<Peer, Bits> e(random_operands(in_l2, Bits, Lengths::full, 12));
        const auto words = random_operands(in_l2, 64, Lengths::full, 13);
        std::vector<std::uint64_t> divisors;
        std::vector<Words> wide;
        for (const Words &x : words) {
            divisors.push_back(x[0] >> (x[0] % 3));
            wide.push_back(Words(Bits / 64, 0));
            wide.back()[0] = divisors.back();
        }
        // The remainder has the width of the divisor's type: 64 bits here, theirs wider.
        const Operands<Peer, Bits> f(wide);
        std::vector<warpint::BigInt<64>> r(in_l2);
        std::mt19937_64 generator(21);
        Results<Peer, Bits> q(in_l2), s(in_l2);
        line(
            "divmod, N / 64 bits", in_l2, 3 * bytes + 16,
            [&] {
                in_new_order<in_l2>(generator, [&](std::size_t i) {
                    const auto result = divmod(e.ours[i], divisors[i]);
                    q.ours[i] = result.quotient;
                    r[i] = result.remainder;
                });
            },
            [&] {
                in_new_order<in_l2>(generator, [&](std::size_t i) {
                    Peer::template divide<Bits, Bits>(q.theirs[i], s.theirs[i], e.theirs[i],
                                                      f.theirs[i]);
                });
            },
            [&] {
                for (std::size_t i = 0; i < in_l2; ++i)
                    s.ours[i] = r[i];
                return q.equal() && s.equal();
            });
    }

    // By random counts, in an order that cannot be remembered.
    void measure_shifts() {
        const Operands<Peer, Bits> a(random_operands(many, Bits, Lengths::full, 14));
        std::mt19937_64 generator(15);
        std::vector<unsigned> counts(many);
        for (unsigned &count : counts)
            count = static_cast<unsigned>(generator() % Bits);
        Results<Peer, Bits> r(many);
        const auto shift = [&](const char *operation, const auto &shifted) {
            const auto pass = [&](auto &results, const auto &operands) {
                return [&, y = results.data(), x = operands.data(), k = counts.data()] {
                    in_new_order<many>(generator,
                                       [&](std::size_t i) { y[i] = shifted(x[i], k[i]); });
                };
            };
            line(operation, many, 2 * bytes + 4, pass(r.ours, a.ours), pass(r.theirs, a.theirs),
                 [&] { return r.equal(); });
        };
        shift("a << k", [](const auto &x, unsigned k) { return x << k; });
        shift("a >> k", [](const auto &x, unsigned k) { return x >> k; });
    }

    void measure_text(const std::string &name, int base) {
        constexpr std::size_t count = 256;
        const Operands<Peer, Bits> a(random_operands(count, Bits, Lengths::full, 16));
        std::mt19937_64 generator(22);
        std::vector<std::string> text, r(count, "?"), s(count, "!");
        for (const Ours &x : a.ours)
            text.push_back((base == 16 ? "0x" : "") + to_string(x, base));
        const std::size_t length = text[0].size();
        map<Bits>(("parse, " + name).c_str(), count, length,
                  [&](std::size_t i) { return Ours::parse(text[i]); },
                  [&](std::size_t i) { return Peer::template parse<Bits>(text[i]); });
        line(("to_string, " + name).c_str(), count, bytes + length,
             [&] {
                 in_new_order<count>(generator,
                                     [&](std::size_t i) { r[i] = to_string(a.ours[i], base); });
             },
             [&] {
                 in_new_order<count>(generator, [&](std::size_t i) {
                     s[i] = Peer::template text<Bits>(a.theirs[i], base);
                 });
             },
             [&] { return r == s; });
    }

    // Each operation waits for the one before.
    void measure_chains() {
        auto words = random_operands(in_l1, Bits, Lengths::full, 17);
        for (Words &x : words)
            x[0] |= 1;
        const Operands<Peer, Bits> b(words);
        Results<Peer, Bits> r(1);
        // The pass starts from the same value every time, so that the number of passes is free.
        const auto chain = [&](const char *operation, const auto &ours, const auto &theirs) {
            line(
                operation, in_l1, bytes,
                [&] {
                    Ours x = b.ours[0];
                    for (std::size_t i = 0; i < in_l1; ++i)
                        ours(x, b.ours[i]);
                    r.ours[0] = x;
                },
                [&] {
                    Theirs x = b.theirs[0];
                    for (std::size_t i = 0; i < in_l1; ++i)
                        theirs(x, b.theirs[i]);
                    r.theirs[0] = x;
                },
                [&] { return r.equal(); });
        };
        chain(
            "chain x += b", [](Ours &x, const Ours &y) { x += y; },
            [](Theirs &x, const Theirs &y) { x += y; });
        chain(
            "chain x *= b (low)", [](Ours &x, const Ours &y) { x *= y; },
            [](Theirs &x, const Theirs &y) { x *= y; });
    }

    Report &report_;
};

template <class Peer>
void measure_fixed(const char *name, double goal) {
    Report report(name, goal);
    FixedWidth<Peer, 256>(report).measure();
    FixedWidth<Peer, 512>(report).measure();
}

} // namespace perf
