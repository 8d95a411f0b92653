// SPDX-License-Identifier: Apache-2.0
// One operation on a block of numbers. Classes of widths and engines compute with magnitudes; signs
// are here, and are Python's: // rounds down, and % has the sign of its divisor.
#include "core.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace core {

Room::Room(int limbs, int numbers)
    : stride_{(static_cast<std::size_t>(limbs) + 3) / 4 * 4},
      memory_(stride_ * static_cast<std::size_t>(numbers) / 2 + 2) {
    auto *const bytes = reinterpret_cast<unsigned char *>(memory_.data());
    first_ =
        reinterpret_cast<u32 *>(bytes + (16 - reinterpret_cast<std::uintptr_t>(bytes) % 16) % 16);
}

bool is_zero(const u32 *x, int limbs) {
    for (int j = 0; j < limbs; ++j) {
        if (x[j] != 0)
            return false;
    }
    return true;
}
void negate(u32 *x, int limbs) {
    u64 carry = 1;
    for (int j = 0; j < limbs; ++j) {
        carry += ~x[j];
        x[j] = static_cast<u32>(carry);
        carry >>= 32;
    }
}
bool load_magnitude(const Column &x, std::size_t i, u32 *to, int limbs) {
    const int own = x.limbs();
    const bool negative = x.is_signed && x[i][own - 1] >> 31 != 0;
    std::memcpy(to, x[i], static_cast<std::size_t>(own) * 4);
    if (negative)
        negate(to, own); // the least number too: 2^(bits - 1) is below 2^(32 own)
    std::memset(to + own, 0, static_cast<std::size_t>(limbs - own) * 4);
    return negative;
}

const WidthClass *class_of(int bits) {
    const auto *const end = width_classes + width_class_count;
    const auto *const found =
        std::find_if(width_classes, end, [bits](const auto *c) { return c->bits >= bits; });
    return found == end ? nullptr : *found;
}

int bits_of_class(Operation operation, const Width *in, int operands) {
    if (operation <= Operation::mul)
        return 0;
    int bits = 1;
    for (int k = 0; k < operands; ++k) {
        if (operation != Operation::powmod || k != 1) // an exponent has any width
            bits = std::max(bits, in[k].bits);
    }
    return operation == Operation::next_prime ? bits + 1 : bits;
}

std::size_t cost(Operation operation, int bits) {
    const auto words = static_cast<std::size_t>(bits / 64 + 1);
    switch (operation) {
    case Operation::powmod:
    case Operation::is_prime:
    case Operation::next_prime:
    case Operation::sqrt_mod:
    case Operation::iroot:
        return 64 * words * words * words;
    case Operation::gcd:
    case Operation::invmod:
    case Operation::jacobi:
        return 200 * words * words;
    default:
        return operation <= last_streaming ? 4 * words : 8 * words + 2 * words * words;
    }
}

namespace {

void subtract(u32 *r, const u32 *a, const u32 *b, int limbs) {
    u64 borrow = 0;
    for (int j = 0; j < limbs; ++j) {
        const u64 difference = u64{a[j]} - b[j] - borrow;
        r[j] = static_cast<u32>(difference);
        borrow = difference >> 63;
    }
}
void increment(u32 *x, int limbs) {
    for (int j = 0; j < limbs && ++x[j] == 0; ++j) {
    }
}
// r = a b, for factors of lengths that no class fits well.
void multiply_schoolbook(u32 *r, const u32 *a, int a_limbs, const u32 *b, int b_limbs) {
    std::memset(r, 0, static_cast<std::size_t>(a_limbs + b_limbs) * 4);
    for (int i = 0; i < b_limbs; ++i) {
        u64 carry = 0;
        for (int j = 0; j < a_limbs; ++j) {
            carry += u64{a[j]} * b[i] + r[i + j];
            r[i + j] = static_cast<u32>(carry);
            carry >>= 32;
        }
        r[i + a_limbs] = static_cast<u32>(carry);
    }
}

// Elements one after another.
class OneByOne {
public:
    OneByOne(Operation operation, const Column &out, const Column *in, int operands, std::int64_t k)
        : operation_{operation}, out_{out}, in_{in}, k_{k}, class_{chosen(operation, in, operands)},
          limbs_{class_ == nullptr ? longest(in, operands) : class_->bits / 32},
          room_(2 * limbs_ + 2, 7),
          exponent_(operation == Operation::powmod ? in[1].limbs() : 1, 1) {}

    void run(std::size_t i) {
        const int n = limbs_;
        u32 *const a = room_[0];
        u32 *const b = room_[1];
        u32 *const c = room_[2];
        u32 *const m = room_[3];
        u32 *const q = room_[4];
        u32 *const r = room_[5];
        switch (operation_) {
        case Operation::mul: {
            const bool a_negative = load(0, i, a);
            const bool b_negative = load(1, i, b);
            if (class_ != nullptr) {
                class_->multiply(r, a, b);
                return store(i, r, 2 * n, a_negative != b_negative);
            }
            const int a_limbs = in_[0].limbs();
            const int b_limbs = in_[1].limbs();
            multiply_schoolbook(r, a, a_limbs, b, b_limbs);
            return store(i, r, a_limbs + b_limbs, a_negative != b_negative);
        }
        case Operation::floordiv:
        case Operation::mod: {
            const bool a_negative = load(0, i, a);
            const bool m_negative = load(1, i, m);
            if (is_zero(m, n))
                return fault(i, divided_by_zero);
            class_->divide(q, r, a, m);
            if (operation_ == Operation::mod)
                return store_residue(i, r, m, a_negative != m_negative, m_negative);
            q[n] = 0;
            if (a_negative != m_negative && !is_zero(r, n))
                increment(q, n + 1);
            return store(i, q, n + 1, a_negative != m_negative);
        }
        case Operation::mulmod: {
            const bool a_negative = load(0, i, a);
            const bool b_negative = load(1, i, b);
            const bool m_negative = load(2, i, m);
            if (is_zero(m, n))
                return fault(i, divided_by_zero);
            class_->multiply_modulo(r, a, b, m);
            return store_residue(i, r, m, (a_negative != b_negative) != m_negative, m_negative);
        }
        case Operation::muladdmod: // of unsigned numbers only
            load(0, i, a);
            load(1, i, b);
            load(2, i, c);
            load(3, i, m);
            if (is_zero(m, n))
                return fault(i, divided_by_zero);
            class_->multiply_add_modulo(r, a, b, c, m);
            return store(i, r, n, false);
        case Operation::powmod: {
            const bool a_negative = load(0, i, a);
            const bool inverts = load_magnitude(in_[1], i, exponent_[0], in_[1].limbs());
            const bool m_negative = load(2, i, m);
            if (is_zero(m, n))
                return fault(i, no_value);
            if (a_negative)
                reduce_negative(a, m, q, r);
            if (inverts) {
                if (!class_->inverse(b, a, m))
                    return fault(i, no_value);
                std::memcpy(a, b, static_cast<std::size_t>(n) * 4);
            }
            class_->power_modulo(r, a, exponent_[0], in_[1].limbs(), m);
            return store_residue(i, r, m, m_negative, m_negative);
        }
        case Operation::invmod: {
            const bool a_negative = load(0, i, a);
            const bool m_negative = load(1, i, m);
            if (is_zero(m, n) || !class_->inverse(r, a, m))
                return fault(i, no_value);
            return store_residue(i, r, m, a_negative != m_negative, m_negative);
        }
        case Operation::gcd:
            load(0, i, a);
            load(1, i, b);
            class_->gcd(r, a, b);
            return store(i, r, n, false);
        case Operation::isqrt:
        case Operation::iroot:
            if (load(0, i, a))
                return fault(i, no_value);
            if (operation_ == Operation::isqrt) {
                class_->square_root(r, a);
            } else {
                class_->root(r, a, static_cast<int>(k_));
            }
            return store(i, r, n, false);
        case Operation::jacobi: {
            const bool a_negative = load(0, i, a);
            if (load(1, i, m) || m[0] % 2 == 0)
                return fault(i, no_value);
            int symbol = class_->jacobi(a, m);
            if (a_negative && m[0] % 4 == 3) // (-1 / m)
                symbol = -symbol;
            std::memset(r, 0, static_cast<std::size_t>(n) * 4);
            r[0] = symbol != 0 ? 1 : 0;
            return store(i, r, n, symbol < 0);
        }
        case Operation::is_prime: {
            const bool negative = load(0, i, a);
            std::memset(r, 0, static_cast<std::size_t>(n) * 4);
            r[0] = !negative && class_->is_prime(a) ? 1 : 0;
            return store(i, r, n, false);
        }
        case Operation::next_prime:
            if (load(0, i, a))
                std::memset(a, 0, static_cast<std::size_t>(n) * 4);
            class_->next_prime(r, a);
            return store(i, r, n, false);
        case Operation::sqrt_mod: {
            const bool a_negative = load(0, i, a);
            if (load(1, i, m) || is_zero(m, n))
                return fault(i, no_value);
            if (a_negative)
                reduce_negative(a, m, q, r);
            if (!class_->square_root_modulo(r, a, m))
                return fault(i, no_value);
            return store(i, r, n, false);
        }
        default:
            return;
        }
    }

private:
    // Products of short or very different factors, or longer than all classes, have none.
    static const WidthClass *chosen(Operation operation, const Column *in, int operands) {
        if (operation != Operation::mul) {
            Width widths[4];
            std::copy(in, in + operands, widths);
            return class_of(bits_of_class(operation, widths, operands));
        }
        const auto *const found = class_of(std::max(in[0].bits, in[1].bits));
        const bool fits_well = found != nullptr && found->bits > 128 &&
                               64 * std::min(in[0].limbs(), in[1].limbs()) > found->bits;
        return fits_well ? found : nullptr;
    }
    static int longest(const Column *in, int operands) {
        int limbs = 1;
        for (int k = 0; k < operands; ++k)
            limbs = std::max(limbs, in[k].limbs());
        return limbs;
    }

    bool load(int operand, std::size_t i, u32 *to) const {
        return load_magnitude(in_[operand], i, to, limbs_);
    }
    void store(std::size_t i, u32 *magnitude, int limbs, bool negative) const {
        negative = negative && !is_zero(magnitude, limbs);
        if (negative)
            negate(magnitude, limbs);
        const int own = out_.limbs();
        const int here = std::min(own, limbs);
        u32 *const to = out_[i];
        std::memcpy(to, magnitude, static_cast<std::size_t>(here) * 4);
        std::memset(to + here, negative ? 0xff : 0, static_cast<std::size_t>(own - here) * 4);
        to[own - 1] = normal_top(to[own - 1], out_);
    }
    // r in [0, |m|), or m - r if `other`; of the sign of m.
    void store_residue(std::size_t i, u32 *r, const u32 *m, bool other, bool m_negative) const {
        if (other && !is_zero(r, limbs_))
            subtract(r, m, r, limbs_);
        store(i, r, limbs_, m_negative);
    }
    // a = -a mod m
    void reduce_negative(u32 *a, const u32 *m, u32 *q, u32 *r) const {
        class_->divide(q, r, a, m);
        if (is_zero(r, limbs_)) {
            std::memset(a, 0, static_cast<std::size_t>(limbs_) * 4);
        } else {
            subtract(a, m, r, limbs_);
        }
    }
    void fault(std::size_t i, Fault why) const { set_fault(out_, i, why); }

    Operation operation_;
    const Column &out_;
    const Column *in_;
    std::int64_t k_;
    const WidthClass *class_;
    int limbs_;
    Room room_;
    Room exponent_;
};

Column from(const Column &x, std::size_t first) {
    Column r = x;
    r.data += first * x.stride;
    if (r.faults != nullptr)
        r.faults += first * x.fault_stride;
    return r;
}

// The elements [0, count), count <= 32, that an engine leaves.
u32 by_engine(Operation operation, const Column &out, const Column *in, int operands, int count) {
    const auto all = static_cast<u32>((u64{1} << count) - 1);
    for (int k = 0; k < operands; ++k) {
        if (in[k].is_signed)
            return all;
    }
    switch (operation) {
    case Operation::powmod:
        return all & engine_power(out, in[0], in[1], in[2], in[2].bits, count);
    case Operation::mulmod: {
        const int bits = std::max(in[0].bits, in[1].bits);
        return in[2].bits > bits
                   ? all
                   : all & engine_multiply_modulo(out, in[0], in[1], nullptr, in[2], bits, count);
    }
    case Operation::muladdmod: {
        const int bits = std::max(in[0].bits, in[1].bits);
        const bool fits = in[3].bits <= bits && in[2].bits <= 2 * bits;
        return fits ? all & engine_multiply_modulo(out, in[0], in[1], &in[2], in[3], bits, count)
                    : all;
    }
    case Operation::mul: {
        const auto [least, most] = std::minmax(in[0].bits, in[1].bits);
        return 4 * least < 3 * most ? all : all & engine_multiply(out, in[0], in[1], most, count);
    }
    case Operation::isqrt:
        return all & engine_square_root(out, in[0], count);
    default:
        return all;
    }
}

} // namespace

void compute(Operation operation, const Column &out, const Column *in, int operands,
             std::size_t count, std::int64_t k) {
    for (std::size_t i = 0; i < count; ++i) {
        out.faults[i] = in[0].fault(i);
        if (operation == Operation::where) {
            set_fault(out, i, in[is_zero(in[0][i], in[0].limbs()) ? 2 : 1].fault(i));
        } else {
            for (int j = 1; j < operands; ++j)
                set_fault(out, i, in[j].fault(i));
        }
    }
    if (operation <= last_streaming) {
        stream(operation, out, in, operands, count, k);
    } else {
        std::unique_ptr<OneByOne> rest;
        for (std::size_t first = 0; first < count; first += 32) {
            const int here = static_cast<int>(std::min<std::size_t>(32, count - first));
            Column block[4];
            for (int j = 0; j < operands; ++j)
                block[j] = from(in[j], first);
            u32 left = by_engine(operation, from(out, first), block, operands, here);
            if (left != 0 && rest == nullptr)
                rest = std::make_unique<OneByOne>(operation, out, in, operands, k);
            for (; left != 0; left &= left - 1)
                rest->run(first + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (out.faults[i] != none)
            std::memset(out[i], 0, static_cast<std::size_t>(out.limbs()) * 4);
    }
}

} // namespace core
