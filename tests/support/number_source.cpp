// SPDX-License-Identifier: Apache-2.0
#include "number_source.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace test {

Integer at_least_one(const Integer &a) {
    return a.is_zero() ? Integer(1) : a;
}

Integer fibonacci(int index) {
    Integer f;
    mpz_fib_ui(f.raw(), static_cast<unsigned long>(index));
    return f;
}

NumberSource::NumberSource(std::uint64_t seed) : engine_(seed) {}

std::uint64_t NumberSource::word() {
    return engine_();
}
int NumberSource::below(int bound) {
    return static_cast<int>(word() % static_cast<std::uint64_t>(bound));
}

template <typename Make>
Integer NumberSource::from_limbs(int bits, int limb_bits, Make make) {
    std::vector<std::uint64_t> words(std::size_t(bits + 63) / 64 + 1);
    auto *const bytes = reinterpret_cast<unsigned char *>(words.data());
    const int limb_size = limb_bits / 8;
    const int count = (bits + limb_bits - 1) / limb_bits;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t limb = make(i);
        std::memcpy(bytes + std::size_t(count - 1 - i) * std::size_t(limb_size), &limb,
                    std::size_t(limb_size));
    }
    Integer x;
    mpz_import(x.raw(), words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
    return store_unsigned(x, bits);
}

Integer NumberSource::uniform_bits(int bits) {
    return from_limbs(bits, 64, [&](int) { return word(); });
}

Integer NumberSource::number(int bits) {
    switch (below(10)) {
    case 0:
        return counted(OperandClass::uniform, uniform_bits(bits));
    case 1:
        return counted(OperandClass::uniform, uniform_bits(below(bits + 1)));
    case 2:
    case 3:
        return counted(OperandClass::runs, runs(bits));
    case 4:
        return counted(OperandClass::limbs, special_limbs(bits, 32));
    case 5:
        return counted(OperandClass::limbs, special_limbs(bits, 64));
    case 6:
        return counted(OperandClass::density, dense(bits));
    case 7:
        return counted(OperandClass::density, sparse(bits));
    case 8:
        return counted(OperandClass::modulus, corner(bits));
    default:
        return counted(OperandClass::gcd, store_unsigned(fibonacci(fibonacci_index(bits)), bits));
    }
}

Integer NumberSource::signed_number(int bits) {
    if (one_in(7)) {
        const Integer minimum = -power_of_two(bits - 1);
        switch (below(6)) {
        case 0:
            return minimum;
        case 1:
            return -minimum - 1;
        case 2:
            return Integer(-1);
        case 3:
            return Integer(0);
        case 4:
            return store_signed(minimum + 1, bits);
        default:
            return store_signed(Integer(1), bits);
        }
    }
    // Small magnitudes of both signs as well as every bit pattern of the whole width.
    if (one_in(3)) {
        return store_signed(-number(1 + below(bits)), bits);
    }
    return store_signed(number(bits), bits);
}

int NumberSource::fibonacci_index(int bits) {
    return 1 + below(std::max(1, static_cast<int>(bits / 0.6943)));
}

Integer NumberSource::runs(int bits) {
    Integer x = all_ones(bits);
    const int cap = std::max(1, bits / (1 + below(4)));
    bool flip = true;
    for (int i = bits - 1 - below(cap); i >= 0; i -= 1 + below(cap), flip = !flip) {
        if (flip) {
            mpz_combit(x.raw(), static_cast<mp_bitcnt_t>(i));
        } else {
            x += power_of_two(i);
        }
    }
    return store_unsigned(x, bits);
}

Integer NumberSource::special_limbs(int bits, int limb_bits) {
    return from_limbs(bits, limb_bits, [&](int) { return special_limb(limb_bits); });
}

Integer NumberSource::dense(int bits) {
    const int density = below(65);
    return from_limbs(bits, 64, [&](int) {
        if (density == 64) {
            return ~std::uint64_t(0);
        }
        // After step i each bit is one with probability (density mod 2^(i+1)) / 2^(i+1).
        std::uint64_t ones = 0;
        for (int i = 0; i < 6; ++i) {
            ones = (density >> i) & 1 ? (ones | word()) : (ones & word());
        }
        return ones;
    });
}

Integer NumberSource::sparse(int bits) {
    const int limbs = (bits + 31) / 32;
    Integer x;
    for (int i = 0; i < limbs; ++i) {
        x = x << 32;
        if (one_in(50)) {
            x += Integer(word() & 0xffffffffu);
        }
    }
    if (x.is_zero() && !one_in(8)) {
        x = Integer((word() & 0xffffffffu) | 1) << std::size_t(32 * below(limbs));
    }
    return store_unsigned(x, bits);
}

Integer NumberSource::corner(int bits) {
    switch (below(8)) {
    case 0:
        return Integer(0);
    case 1:
        return store_unsigned(Integer(1 + below(4)), bits);
    case 2:
        return all_ones(bits);
    case 3:
        return all_ones(bits) - store_unsigned(Integer(1 + below(3)), bits);
    case 4:
        return power_of_two(bits - 1);
    case 5:
        return store_unsigned(power_of_two(below(bits)) + 1, bits);
    case 6:
        return power_of_two(below(bits)) - 1;
    default:
        return power_of_two(below(bits));
    }
}

Integer NumberSource::counted(OperandClass which, Integer a) {
    ++drawn_[std::size_t(which)];
    return a;
}

std::uint64_t NumberSource::special_limb(int limb_bits) {
    const std::uint64_t ones = ~std::uint64_t(0) >> (64 - limb_bits);
    const std::uint64_t power = std::uint64_t(1) << below(limb_bits);
    switch (below(9)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return power - 1;
    case 3:
        return power;
    case 4:
        return (power + 1) & ones;
    case 5:
        return ones;
    case 6:
        return ones - 1;
    case 7:
        return ones >> 1;
    default:
        return (ones >> 1) + 1;
    }
}

} // namespace test
