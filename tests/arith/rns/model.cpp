// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rns_model {

namespace rns = warpint::rns;

namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

void require(bool holds, const char *what) {
    if (!holds)
        throw std::logic_error(what);
}

// A residue by Montgomery's method is below p, and below what 5 of ranges.h says.
std::uint32_t checked(std::uint32_t word, std::int64_t limit) {
    const std::int64_t r = rns::residue_of_word(word);
    require(-limit < r && r < limit, "a product is too large");
    return word;
}
std::int32_t squared(std::uint32_t word, const rns::Channel &c) {
    const std::int32_t r = rns::square(word, c.negative_prime, c.reciprocal);
    const std::int64_t size = r < 0 ? -std::int64_t{r} : r;
    require(size << 18 <= (std::int64_t{c.prime} << 17) + c.prime, "a square is too large");
    require(size < rns::square_limit, "a square exceeds the limit");
    return r;
}
std::uint32_t times(std::int32_t x, std::int32_t f, const rns::Channel &c) {
    return checked(rns::Reduction{c.prime, c.inverse}.multiply(x, f, rns::Biases{}),
                   std::int64_t{c.prime} * 3 / 4);
}
std::uint32_t sum_of_products(const Width &width, std::int32_t x, std::int32_t e, std::int32_t y,
                              std::int32_t f, const rns::Channel &c) {
    return checked(rns::Reduction{c.prime, c.inverse}.multiply_two(x, e, y, f, rns::Biases{}),
                   std::int64_t{c.prime} * (width.carries ? 7 : 8) / 8);
}

// s_j = z / P_A + q N / P_A from the quotient's words.
template <class ScaledState>
Words next_state(const Width &width, const Modulus &modulus, const Words &quotient,
                 const ScaledState &scaled) {
    const std::vector<std::int32_t> v =
        extended(width, false, quotient, rns::spare_word_of_quotient);
    Words result(v.size());
    for (std::size_t j = 0; j < v.size(); ++j)
        result[j] = scaled(j, v[j], modulus.quotient_b[j]);
    return result;
}

} // namespace

std::vector<std::int8_t> unpacked(const std::int8_t *matrix, int slots) {
    const int steps = slots / 2 + 1;
    const int rows = 32 * steps;
    std::vector<std::int8_t> digits(index(16 * slots * rows));
    for (int slot = 0; slot < slots; ++slot)
        for (int step = 0; step < steps; ++step)
            for (int lane = 0; lane < 32; ++lane)
                for (int byte = 0; byte < 16; ++byte, ++matrix) {
                    // Two right operands of 8 columns, each of two registers: the first has rows
                    // 4 (lane % 4) + i, the second those + 16, of column lane / 4.
                    const int block = byte / 8;
                    const int column = lane / 4;
                    const int row = 32 * step + 16 * (byte / 4 % 2) + 4 * (lane % 4) + byte % 4;
                    // A thread gets columns 2 (lane % 4) and + 1 of each block's sums: the digits
                    // of its channel.
                    const int channel = 4 * slot + column / 2;
                    const int digit = 2 * block + column % 2;
                    digits[index((4 * channel + digit) * rows + row)] = *matrix;
                }
    return digits;
}

std::vector<std::int8_t> unpacked_of_groups(const std::int8_t *matrix, int slots) {
    const int steps = slots / 2 + 1;
    const int rows = 32 * steps;
    std::vector<std::int8_t> digits(index(16 * slots * rows));
    for (int first = 0, count = 0; first < slots; first += count) {
        count = rns::group_chunk(slots, first).count;
        for (int step = 0; step < steps; ++step)
            for (int slot = first; slot < first + count; ++slot)
                // Four core matrices of 8 columns by 16 bytes: below one another, then beside.
                for (int core = 0; core < 4; ++core)
                    for (int column = 0; column < 8; ++column)
                        for (int byte = 0; byte < 16; ++byte, ++matrix) {
                            const int row = 32 * step + 16 * (core % 2) + byte;
                            const int channel = 4 * slot + column / 2;
                            const int digit = 2 * (core / 2) + column % 2;
                            digits[index((4 * channel + digit) * rows + row)] = *matrix;
                        }
    }
    return digits;
}

void complete(Width &width) {
    width.product_a = 1;
    width.product_b = 1;
    for (int i = 0; i < width.channels; ++i) {
        width.product_a *= width.in_a[index(i)].prime;
        width.product_b *= width.in_b[index(i)].prime;
    }
    for (int i = 0; i < width.channels; ++i) {
        width.cofactors_a.push_back(width.product_a / width.in_a[index(i)].prime);
        width.cofactors_b.push_back(width.product_b / width.in_b[index(i)].prime);
    }
}

const std::vector<Width> &widths() {
    static const std::vector<Width> all = {
        make_width<768>(),  make_width<896>(),  make_width<1024>(), make_width<1280>(),
        make_width<1536>(), make_width<1792>(), make_width<2048>(), make_width<2304>(),
        make_width<2560>(), make_width<3072>(), make_width<3584>(), make_width<4096>()};
    return all;
}

Words limbs_of(const Integer &a, int limbs) {
    Words result(index(limbs));
    test::to_limbs(result.data(), limbs, a);
    return result;
}

Modulus make_modulus(const Width &width, const Integer &value) {
    Modulus m{value, limbs_of(value, width.limbs), Words(index(width.limbs)), {}, {}};
    require(!width.shares(m.limbs.data()), "the modulus shares a prime");
    width.montgomery_factor(m.factor.data(), m.limbs.data());
    for (const rns::ConversionOfA &c : width.in_a)
        m.one_a.push_back(rns::entry_of_one(c, rns::residue(m.limbs.data(), width.limbs, c.prime)));
    for (const rns::ConversionOfB &c : width.in_b)
        m.quotient_b.push_back(
            rns::quotient_factor(c, rns::residue(m.limbs.data(), width.limbs, c.prime)));
    return m;
}

Entry make_entry(const Width &width, const Modulus &modulus, const Words &limbs) {
    Entry entry;
    for (std::size_t i = 0; i < width.in_a.size(); ++i) {
        const rns::ConversionOfA &a = width.in_a[i];
        entry.a.push_back(rns::entry_of_factor(a, modulus.one_a[i],
                                               rns::residue(limbs.data(), width.limbs, a.prime)));
        const rns::ConversionOfB &b = width.in_b[i];
        entry.b.push_back(
            rns::entry_of_factor(b, rns::residue(limbs.data(), width.limbs, b.prime)));
    }
    return entry;
}

Words start(const Width &width, const Words &limbs) {
    Words words;
    for (const rns::ConversionOfB &c : width.in_b)
        words.push_back(rns::start_word(c, rns::residue(limbs.data(), width.limbs, c.prime)));
    return words;
}

Words words_of(const Width &width, const Integer &z) {
    Words words;
    for (std::size_t j = 0; j < width.in_b.size(); ++j) {
        const Integer p(width.in_b[j].prime);
        const Integer s = modulo(z * inverse_or_zero(width.cofactors_b[j], p), p);
        const auto r = static_cast<std::uint32_t>(s.to_uint64());
        words.push_back(rns::word_bias +
                        static_cast<std::uint32_t>(rns::balanced(r, width.in_b[j].prime)));
    }
    return words;
}

Integer value_of(const Width &width, const Words &words) {
    Integer z;
    for (std::size_t j = 0; j < words.size(); ++j)
        z += width.cofactors_b[j] * (std::int64_t{words[j]} - std::int64_t{rns::word_bias});
    z = modulo(z, width.product_b);
    return z * Integer(2) > width.product_b ? z - width.product_b : z;
}

std::vector<std::int32_t> extended(const Width &width, bool to_a, const Words &words,
                                   std::uint32_t spare) {
    std::vector<std::uint8_t> bytes;
    const auto append = [&](std::uint32_t word) {
        for (int t = 0; t < 4; ++t)
            bytes.push_back(static_cast<std::uint8_t>(word >> 8 * t));
    };
    std::for_each(words.begin(), words.end(), append);
    for (int i = 0; i < 4; ++i)
        append(spare);
    require(static_cast<int>(bytes.size()) == width.rows, "bytes and rows differ");

    std::vector<std::int32_t> result;
    const std::int8_t *digits = (to_a ? width.to_a : width.to_b).data();
    for (int channel = 0; channel < width.channels; ++channel) {
        std::int64_t sums[4];
        for (std::int64_t &sum : sums) {
            sum = 0;
            for (int step = 0; step < width.rows; step += 32, digits += 32) {
                std::int32_t part = 0;
                for (int i = 0; i < 32; ++i)
                    part += bytes[index(step + i)] * digits[i];
                sum += part;
            }
            require(-(1 << 25) < sum && sum < 1 << 25, "a sum of digits");
        }
        const std::uint32_t p =
            to_a ? width.in_a[index(channel)].prime : width.in_b[index(channel)].prime;
        const std::int64_t e = sums[0] + 256 * sums[1];
        const std::int64_t f = sums[2] + 256 * sums[3];
        require(e == static_cast<std::int32_t>(e) && f == static_cast<std::int32_t>(f), "a half");
        const std::int64_t upper = width.carries ? f + (e >> 16) : f;
        require(upper == static_cast<std::int32_t>(upper), "the upper half");
        const std::int64_t x = e + (f - (1 << 14)) * 65536 - (upper >> 15) * p;
        require(x == static_cast<std::int32_t>(x), "an extended residue");
        // As a GPU has it, in words, and as a residue.
        const auto sum = [&](int k) { return static_cast<int>(sums[k]); };
        const auto recombined = width.carries ? rns::recombined<true> : rns::recombined<false>;
        const auto biased = [&](std::uint32_t bias) {
            return recombined(sum(0), sum(1), sum(2), sum(3), 0u - p, bias);
        };
        require(rns::residue_of_word(biased(rns::Biases{}.word)) == x, "the word");
        require(static_cast<std::int32_t>(biased(rns::Biases{}.residue)) == x, "the residue");
        result.push_back(static_cast<std::int32_t>(x));
    }
    return result;
}

Words product(const Width &width, const Modulus &modulus, const Words &z, const Entry &y,
              Words *quotient) {
    const std::vector<std::int32_t> x = extended(width, true, z, width.spare(z));
    Words q;
    for (std::size_t i = 0; i < x.size(); ++i)
        q.push_back(times(x[i], y.a[i], width.a[i]));
    if (quotient != nullptr)
        *quotient = q;
    return next_state(width, modulus, q, [&](std::size_t j, std::int32_t v, std::int32_t n) {
        return sum_of_products(width, rns::residue_of_word(z[j]), y.b[j], v, n, width.b[j]);
    });
}

Words square(const Width &width, const Modulus &modulus, const Words &z, Words *quotient) {
    const std::vector<std::int32_t> x = extended(width, true, z, width.spare(z));
    Words q;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const rns::Channel &c = width.a[i];
        q.push_back(times(squared(rns::word_of_residue(x[i]), c), modulus.one_a[i], c));
    }
    if (quotient != nullptr)
        *quotient = q;
    return next_state(width, modulus, q, [&](std::size_t j, std::int32_t v, std::int32_t n) {
        const rns::Channel &c = width.b[j];
        return sum_of_products(width, squared(z[j], c), c.square_factor, v, n, c);
    });
}

Entry entry_of_state(const Width &width, const Modulus &modulus, const Words &z) {
    Entry entry;
    const std::vector<std::int32_t> x = extended(width, true, z, width.spare(z));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::uint32_t scaled = times(x[i], modulus.one_a[i], width.a[i]);
        entry.a.push_back(rns::entry_of_word(scaled, width.a[i], rns::Biases{}));
        entry.b.push_back(rns::entry_of_word(z[i], width.b[i], rns::Biases{}));
    }
    return entry;
}

Integer power(const Width &width, const Integer &x, const Integer &e, const Integer &n) {
    constexpr int window = 5;
    const Modulus modulus = make_modulus(width, n);
    const Entry factor = make_entry(width, modulus, modulus.factor);
    const Words one = limbs_of(1, width.limbs);
    const Words x_limbs = limbs_of(x, width.limbs);
    // Powers of x in Montgomery form, and their entries, as far as the exponent can need them.
    const Words first = product(width, modulus, start(width, one), factor);
    Words state = product(width, modulus, start(width, x_limbs), factor);
    std::vector<Entry> table = {entry_of_state(width, modulus, first),
                                entry_of_state(width, modulus, state)};
    const int windows = (e.bit_width() + window - 1) / window;
    while (table.size() < std::size_t{1} << window && Integer(table.size()) <= e) {
        state = product(width, modulus, state, table[1]);
        table.push_back(entry_of_state(width, modulus, state));
    }
    state = first;
    for (int w = windows - 1; w >= 0; --w) {
        for (int i = 0; i < window; ++i)
            state = square(width, modulus, state);
        const Integer digit = (e >> index(window * w)) & Integer((1 << window) - 1);
        state = product(width, modulus, state, table[digit.to_uint64()]);
    }
    state = product(width, modulus, state, make_entry(width, modulus, one));
    Words result(index(width.limbs));
    width.integer(result.data(), state.data(), modulus.limbs.data());
    return test::unsigned_from_limbs(result.data(), width.limbs);
}

} // namespace rns_model
