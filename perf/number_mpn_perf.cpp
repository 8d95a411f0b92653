// SPDX-License-Identifier: Apache-2.0
// Plain numbers of 1024 to 8192 bits against GMP's mpn functions, where GMP is found: the same
// limbs, no allocation on either side. GMP has no low or high product of its own in its interface:
// those lines have its full product as peer.
#include "number_perf.h"

#if defined(WARPINT_PERF_HAS_GMP)
#include <warpint/bigint.h>

#include <gmp.h>

#include <cstring>

namespace perf {
namespace {

static_assert(sizeof(mp_limb_t) == 8 && GMP_NAIL_BITS == 0);

using Limbs = std::vector<mp_limb_t>; // `count` numbers one after another

template <class T>
concept HasSquareRoot = requires(const T &x) {
    sqrt_rem(x).root;
    sqrt_rem(x).remainder;
};

template <int Bits>
class WideNumbers {
public:
    explicit WideNumbers(Report &report) : report_(report) {}

    void measure() {
        measure_linear();
        measure_products();
        measure_divisions();
        measure_text("decimal", 10);
        measure_text("hex", 16);
        if constexpr (HasSquareRoot<Number<Bits>>)
            measure_square_roots<Number<Bits>>();
    }

private:
    template <int B>
    using Number = warpint::BigInt<B>;

    static constexpr int n = Bits / 64;
    static constexpr std::size_t bytes = Bits / 8;
    static constexpr std::size_t count = 32 * 8192 / Bits; // operands and results lie in L2
    static constexpr std::size_t many = 4 * count;         // where branches depend on the operands

    // Equal numbers for both.
    template <int B, std::size_t Count = count>
    struct Operands {
        std::vector<Number<B>> ours = std::vector<Number<B>>(Count);
        Limbs theirs = Limbs(Count * B / 64);

        explicit Operands(std::uint64_t seed, Lengths lengths = Lengths::full) {
            const auto words = random_operands(Count, B, lengths, seed);
            for (std::size_t i = 0; i < Count; ++i) {
                for (std::size_t k = 0; k < B / 64; ++k) {
                    theirs[i * B / 64 + k] = words[i][k];
                    ours[i].limbs[2 * k] = static_cast<std::uint32_t>(words[i][k]);
                    ours[i].limbs[2 * k + 1] = static_cast<std::uint32_t>(words[i][k] >> 32);
                }
            }
        }
        const mp_limb_t *operator[](std::size_t i) const { return theirs.data() + i * B / 64; }
    };

    // Room for results, different before the measurement.
    template <int B, std::size_t Count = count>
    struct Results {
        std::vector<Number<B>> ours = std::vector<Number<B>>(Count, Number<B>(1));
        Limbs theirs = Limbs(Count * B / 64, 2);

        mp_limb_t *operator[](std::size_t i) { return theirs.data() + i * B / 64; }

        static bool same(const Number<B> &x, const mp_limb_t *limbs) {
            for (std::size_t k = 0; k < B / 64; ++k) {
                if ((x.limbs[2 * k] | std::uint64_t{x.limbs[2 * k + 1]} << 32) != limbs[k])
                    return false;
            }
            return true;
        }
        bool equal() {
            for (std::size_t i = 0; i < Count; ++i) {
                if (!same(ours[i], (*this)[i]))
                    return false;
            }
            return true;
        }
        // Ours are the low (or high) halves of their numbers twice as wide.
        template <int H>
        bool equal_half(const std::vector<Number<H>> &halves, bool high) {
            for (std::size_t i = 0; i < Count; ++i) {
                if (!Results<H>::same(halves[i], (*this)[i] + (high ? H / 64 : 0)))
                    return false;
            }
            return true;
        }
    };

    // A line whose contenders are given for one operand; many operands come in an order that cannot
    // be remembered.
    template <std::size_t Count = count, class Ours, class Theirs, class Right>
    void line(const char *operation, std::size_t each, const Ours &ours, const Theirs &theirs,
              const Right &right) {
        if (!wanted(operation))
            return;
        const auto pass = [this](const auto &contender) {
            return [this, &contender] {
                if constexpr (Count == many) {
                    in_new_order<Count>(generator_, contender);
                } else {
                    for (std::size_t i = 0; i < Count; ++i)
                        contender(i);
                }
            };
        };
        report_.line(Bits, operation, Count, each, pass(ours), pass(theirs), right);
    }

    void measure_linear() {
        const Operands<Bits> a(1), b(2);
        Results<Bits> r;
        line(
            "a + b", 3 * bytes, [&](auto i) { r.ours[i] = a.ours[i] + b.ours[i]; },
            [&](auto i) { mpn_add_n(r[i], a[i], b[i], n); }, [&] { return r.equal(); });
        line(
            "a - b", 3 * bytes, [&](auto i) { r.ours[i] = a.ours[i] - b.ours[i]; },
            [&](auto i) { mpn_sub_n(r[i], a[i], b[i], n); }, [&] { return r.equal(); });
        // In place: without the copy of a result that g++ makes of every assigned temporary.
        for (std::size_t i = 0; i < count; ++i) {
            r.ours[i] = a.ours[i];
            mpn_copyi(r[i], a[i], n);
        }
        line(
            "a += b, a -= b", 3 * bytes,
            [&](auto i) {
                r.ours[i] += b.ours[i];
                asm volatile("" ::: "memory");
                r.ours[i] -= b.ours[i];
            },
            [&](auto i) {
                mpn_add_n(r[i], r[i], b[i], n);
                mpn_sub_n(r[i], r[i], b[i], n);
            },
            [&] { return r.equal(); });
        // Equal operands: all limbs are looked at.
        const Operands<Bits> c(1);
        std::vector<unsigned char> ours(count, 2), theirs(count, 3);
        const auto tests_equal = [&] { return ours == theirs; };
        line(
            "a < b, equal", 2 * bytes, [&](auto i) { ours[i] = a.ours[i] < c.ours[i]; },
            [&](auto i) { theirs[i] = mpn_cmp(a[i], c[i], n) < 0; }, tests_equal);
        line(
            "a < b, random", 2 * bytes, [&](auto i) { ours[i] = a.ours[i] < b.ours[i]; },
            [&](auto i) { theirs[i] = mpn_cmp(a[i], b[i], n) < 0; }, tests_equal);
        line(
            "a == b, equal", 2 * bytes, [&](auto i) { ours[i] = a.ours[i] == c.ours[i]; },
            [&](auto i) { theirs[i] = mpn_cmp(a[i], c[i], n) == 0; }, tests_equal);

        std::mt19937_64 generator(3);
        std::vector<unsigned> counts(count);
        for (unsigned &k : counts)
            k = static_cast<unsigned>(generator() % Bits);
        line(
            "a << k", 2 * bytes, [&](auto i) { r.ours[i] = a.ours[i] << counts[i]; },
            [&](auto i) {
                const int places = static_cast<int>(counts[i] / 64);
                const unsigned shift = counts[i] % 64;
                mpn_zero(r[i], places);
                if (shift != 0) {
                    mpn_lshift(r[i] + places, a[i], n - places, shift);
                } else {
                    mpn_copyd(r[i] + places, a[i], n - places);
                }
            },
            [&] { return r.equal(); });
        line(
            "a >> k", 2 * bytes, [&](auto i) { r.ours[i] = a.ours[i] >> counts[i]; },
            [&](auto i) {
                const int places = static_cast<int>(counts[i] / 64);
                const unsigned shift = counts[i] % 64;
                mpn_zero(r[i] + n - places, places);
                if (shift != 0) {
                    mpn_rshift(r[i], a[i] + places, n - places, shift);
                } else {
                    mpn_copyi(r[i], a[i] + places, n - places);
                }
            },
            [&] { return r.equal(); });
    }

    void measure_products() {
        const Operands<Bits> a(4), b(5);
        Results<2 * Bits> r;
        std::vector<Number<Bits>> half(count);
        const auto product = [&](std::size_t i) { mpn_mul_n(r[i], a[i], b[i], n); };
        line(
            "a * b", 4 * bytes, [&](auto i) { r.ours[i] = a.ours[i] * b.ours[i]; }, product,
            [&] { return r.equal(); });
        line(
            "sqr(a)", 3 * bytes, [&](auto i) { r.ours[i] = sqr(a.ours[i]); },
            [&](auto i) { mpn_sqr(r[i], a[i], n); }, [&] { return r.equal(); });
        line(
            "mul_low(a, b)", 4 * bytes, [&](auto i) { half[i] = mul_low(a.ours[i], b.ours[i]); },
            product, [&] { return r.equal_half(half, false); });
        line(
            "mul_high(a, b)", 4 * bytes, [&](auto i) { half[i] = mul_high(a.ours[i], b.ours[i]); },
            product, [&] { return r.equal_half(half, true); });
    }

    void measure_divisions() {
        const Operands<2 * Bits, many> a(6);
        const Operands<Bits, many> b(7);
        Results<2 * Bits, many> q;
        Results<Bits, many> r;
        line<many>(
            "divmod, 2N / N bits", 6 * bytes,
            [&](auto i) {
                const auto result = divmod(a.ours[i], b.ours[i]);
                q.ours[i] = result.quotient;
                r.ours[i] = result.remainder;
            },
            [&](auto i) {
                mpn_tdiv_qr(q[i], r[i], 0, a[i], 2 * n, b[i], n); // n + 1 limbs of quotient
                mpn_zero(q[i] + n + 1, n - 1);
            },
            [&] { return q.equal() && r.equal(); });

        const Operands<Bits, many> c(8);
        Results<Bits, many> s;
        std::vector<warpint::BigInt<64>> our_rest(many);
        Limbs their_rest(many);
        line<many>(
            "divmod, N / 64 bits", 2 * bytes,
            [&](auto i) {
                const auto result = divmod(c.ours[i], std::uint64_t{b[i][0]} | 1);
                s.ours[i] = result.quotient;
                our_rest[i] = result.remainder;
            },
            [&](auto i) { their_rest[i] = mpn_divrem_1(s[i], 0, c[i], n, b[i][0] | 1); },
            [&] {
                for (std::size_t i = 0; i < many; ++i) {
                    if (our_rest[i] != std::uint64_t{their_rest[i]})
                        return false;
                }
                return s.equal();
            });
    }

    void measure_text(const std::string &name, int base) {
        const Operands<Bits, many> a(9);
        std::vector<std::string> text(many, "?"), digits(many);
        for (std::size_t i = 0; i < many; ++i)
            digits[i] = to_string(a.ours[i], base);
        const std::size_t length = digits[0].size();

        std::vector<std::string> their_text(many, "!");
        std::vector<unsigned char> values(length + 2);
        mp_limb_t copy[n + 1];
        line<many>(("to_string, " + name).c_str(), bytes + length,
                   [&](auto i) { text[i] = to_string(a.ours[i], base); },
                   [&](auto i) {
                       mpn_copyi(copy, a[i], n); // mpn_get_str destroys its operand
                       const std::size_t size = mpn_get_str(values.data(), base, copy, n);
                       std::string s(size, '0');
                       for (std::size_t k = 0; k < size; ++k)
                           s[k] = "0123456789abcdef"[values[k]];
                       their_text[i] = s.substr(s[0] == '0' && size > 1 ? 1 : 0);
                   },
                   [&] { return text == their_text; });

        Results<Bits, many> r;
        line<many>(("parse, " + name).c_str(), bytes + length,
                   [&](auto i) { r.ours[i] = Number<Bits>::parse(digits[i], base); },
                   [&](auto i) {
                       const std::string &s = digits[i];
                       values.resize(s.size());
                       for (std::size_t k = 0; k < s.size(); ++k)
                           values[k] = static_cast<unsigned char>(s[k] <= '9' ? s[k] - '0'
                                                                              : s[k] - 'a' + 10);
                       mp_limb_t value[n + 1];
                       const mp_size_t size =
                           mpn_set_str(value, values.data(), values.size(), base);
                       mpn_zero(value + size, n - std::min<mp_size_t>(size, n));
                       mpn_copyi(r[i], value, n);
                   },
                   [&] { return r.equal(); });
    }

    template <class T>
    void measure_square_roots() {
        const Operands<Bits, many> a(10);
        using Root = std::remove_cvref_t<decltype(sqrt_rem(T{}).root)>;
        using Rest = std::remove_cvref_t<decltype(sqrt_rem(T{}).remainder)>;
        std::vector<Root> roots(many);
        std::vector<Rest> rests(many);
        Results<Bits, many> r, s; // n / 2 limbs and n / 2 + 1
        std::fill(r.theirs.begin(), r.theirs.end(), 0);
        line<many>(
            "sqrt_rem(a)", 2 * bytes,
            [&](auto i) {
                const auto result = sqrt_rem(a.ours[i]);
                roots[i] = result.root;
                rests[i] = result.remainder;
            },
            [&](auto i) {
                const mp_size_t size = mpn_sqrtrem(r[i], s[i], a[i], n);
                mpn_zero(s[i] + size, n - size);
            },
            [&] {
                for (std::size_t i = 0; i < many; ++i) {
                    r.ours[i] = roots[i];
                    s.ours[i] = rests[i];
                }
                return r.equal() && s.equal();
            });
    }

    Report &report_;
    std::mt19937_64 generator_{20};
};

} // namespace

void measure_mpn() {
    Report report("mpn", 0.7);
    WideNumbers<1024>(report).measure();
    WideNumbers<2048>(report).measure();
    WideNumbers<4096>(report).measure();
    WideNumbers<8192>(report).measure();
}

} // namespace perf
#else
void perf::measure_mpn() {
    std::puts("\n== GMP: not found when this was built");
}
#endif
