// SPDX-License-Identifier: Apache-2.0
// Operations that pass once over the limbs. Operands are read as if they had infinitely many, so
// that one text does for all widths and signs.
#include "core.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace core {
namespace {

using i64 = std::int64_t;

// A number extended by its sign.
class Extended {
public:
    Extended(const Column &x, std::size_t i)
        : limbs_{x[i]}, count_{x.limbs()},
          fill_{x.is_signed && limbs_[count_ - 1] >> 31 != 0 ? ~u32{0} : 0} {}
    u32 operator[](int j) const { return j < count_ ? limbs_[j] : fill_; }
    const u32 *limbs() const { return limbs_; }
    bool is_negative() const { return fill_ != 0; }
    int count() const { return count_; }

private:
    const u32 *limbs_;
    int count_;
    u32 fill_;
};

int compare(const Extended &a, const Extended &b) {
    if (a.is_negative() != b.is_negative())
        return a.is_negative() ? -1 : 1;
    for (int j = std::max(a.count(), b.count()) - 1; j >= 0; --j) {
        if (a[j] != b[j])
            return a[j] < b[j] ? -1 : 1;
    }
    return 0;
}

// f(r, a, b, i) for each element; then the unused bits.
template <class Function>
void for_each(const Column &out, const Column &a, const Column &b, std::size_t count,
              const Function &f) {
    const int last = out.limbs() - 1;
    for (std::size_t i = 0; i < count; ++i) {
        u32 *const r = out[i];
        f(r, Extended(a, i), Extended(b, i), i);
        r[last] = normal_top(r[last], out);
    }
}
// What needs no extension, of limbs that are all there.
int common(int limbs, const Extended &a, const Extended &b) {
    return std::min({limbs, a.count(), b.count()});
}
// r[j] = f(a[j], b[j])
template <class Function>
void for_each_limb(const Column &out, const Column &a, const Column &b, std::size_t count,
                   const Function &f) {
    const int limbs = out.limbs();
    for_each(out, a, b, count, [&](u32 *r, const Extended &x, const Extended &y, std::size_t) {
        const int whole = common(limbs, x, y);
        const u32 *const all_x = x.limbs();
        const u32 *const all_y = y.limbs();
        for (int j = 0; j < whole; ++j)
            r[j] = f(all_x[j], all_y[j]);
        for (int j = whole; j < limbs; ++j)
            r[j] = f(x[j], y[j]);
    });
}
// r = f(a, b), a small number.
template <class Function>
void for_each_small(const Column &out, const Column &a, const Column &b, std::size_t count,
                    const Function &f) {
    const auto rest = static_cast<std::size_t>(out.limbs() - 1) * 4;
    for_each(out, a, b, count, [&](u32 *r, const Extended &x, const Extended &y, std::size_t) {
        std::memset(r + 1, 0, rest);
        r[0] = static_cast<u32>(f(x, y));
    });
}

// r = a + b, or a - b = a + ~b + 1.
void add(u32 *r, int limbs, const Extended &a, const Extended &b, bool subtracts) {
    u64 carry = subtracts ? 1 : 0;
    const u64 flip = subtracts ? ~u64{0} : 0;
    const int whole = common(limbs, a, b);
    int j = 0;
    for (; j + 2 <= whole; j += 2) { // two limbs at once
        u64 x = 0;
        u64 y = 0;
        std::memcpy(&x, a.limbs() + j, 8);
        std::memcpy(&y, b.limbs() + j, 8);
        const u64 part = x + (y ^ flip);
        const u64 sum = part + carry;
        carry = (part < x ? 1 : 0) | (sum < part ? 1 : 0);
        std::memcpy(r + j, &sum, 8);
    }
    for (; j < limbs; ++j) {
        carry += u64{a[j]} + (b[j] ^ static_cast<u32>(flip));
        r[j] = static_cast<u32>(carry);
        carry >>= 32;
    }
}

void shift_left(u32 *r, int limbs, const Extended &a, i64 by) {
    const i64 whole = std::min<i64>(by / 32, limbs);
    const int part = static_cast<int>(by % 32);
    for (int j = limbs - 1; j >= 0; --j) {
        const int from = static_cast<int>(j - whole);
        const u32 high = from >= 0 ? a[from] : 0;
        const u32 low = from >= 1 ? a[from - 1] : 0;
        r[j] = static_cast<u32>((u64{high} << 32 | low) << part >> 32);
    }
}
void shift_right(u32 *r, int limbs, const Extended &a, i64 by) {
    const int whole = static_cast<int>(std::min<i64>(by / 32, a.count()));
    const int part = static_cast<int>(by % 32);
    for (int j = 0; j < limbs; ++j)
        r[j] = static_cast<u32>((u64{a[j + whole + 1]} << 32 | a[j + whole]) >> part);
}
// A shift count: what no number survives, for any that is larger.
i64 count_of(const Extended &k) {
    for (int j = 1; j < k.count(); ++j) {
        if (k[j] != 0)
            return i64{1} << 40;
    }
    return k[0];
}

void negate_to(u32 *r, int limbs, const Extended &a, bool negates) {
    u64 carry = negates ? 1 : 0;
    const u32 flip = negates ? ~u32{0} : 0;
    for (int j = 0; j < limbs; ++j) {
        carry += a[j] ^ flip;
        r[j] = static_cast<u32>(carry);
        carry >>= 32;
    }
}
// f(limb, index) for the limbs of |a|.
template <class Function>
void for_magnitude(const Extended &a, const Function &f) {
    u64 carry = a.is_negative() ? 1 : 0;
    const u32 flip = a.is_negative() ? ~u32{0} : 0;
    for (int j = 0; j < a.count(); ++j) {
        carry += a[j] ^ flip;
        f(static_cast<u32>(carry), j);
        carry >>= 32;
    }
}

} // namespace

u32 normal_top(u32 top, Width width) {
    const int unused = (32 - width.bits % 32) % 32;
    return width.is_signed ? static_cast<u32>(static_cast<std::int32_t>(top << unused) >> unused)
                           : top << unused >> unused;
}

void stream(Operation operation, const Column &out, const Column *in, int operands,
            std::size_t count, i64 k) {
    const Column &a = in[0];
    const Column &b = in[operands > 1 ? 1 : 0];
    const int limbs = out.limbs();
    switch (operation) {
    case Operation::cast:
        return for_each_limb(out, a, b, count, [](u32 x, u32) { return x; });
    case Operation::add:
    case Operation::sub:
        return for_each(
            out, a, b, count,
            [limbs, operation](u32 *r, const Extended &x, const Extended &y, std::size_t) {
                add(r, limbs, x, y, operation == Operation::sub);
            });
    case Operation::neg:
        return for_each(out, a, b, count,
                        [limbs](u32 *r, const Extended &x, const Extended &, std::size_t) {
                            negate_to(r, limbs, x, true);
                        });
    case Operation::absolute:
        return for_each(out, a, b, count,
                        [limbs](u32 *r, const Extended &x, const Extended &, std::size_t) {
                            negate_to(r, limbs, x, x.is_negative());
                        });
    case Operation::invert:
        return for_each_limb(out, a, b, count, [](u32 x, u32) { return ~x; });
    case Operation::bit_and:
        return for_each_limb(out, a, b, count, [](u32 x, u32 y) { return x & y; });
    case Operation::bit_or:
        return for_each_limb(out, a, b, count, [](u32 x, u32 y) { return x | y; });
    case Operation::bit_xor:
        return for_each_limb(out, a, b, count, [](u32 x, u32 y) { return x ^ y; });
    case Operation::shl:
        return for_each(out, a, b, count,
                        [limbs, k](u32 *r, const Extended &x, const Extended &, std::size_t) {
                            shift_left(r, limbs, x, k);
                        });
    case Operation::shr:
        return for_each(out, a, b, count,
                        [limbs, k](u32 *r, const Extended &x, const Extended &, std::size_t) {
                            shift_right(r, limbs, x, k);
                        });
    case Operation::shl_by:
    case Operation::shr_by:
        return for_each(
            out, a, b, count,
            [&out, limbs, operation](u32 *r, const Extended &x, const Extended &y, std::size_t i) {
                if (y.is_negative()) {
                    std::memset(r, 0, static_cast<std::size_t>(limbs) * 4);
                    set_fault(out, i, no_value);
                } else if (operation == Operation::shl_by) {
                    shift_left(r, limbs, x, count_of(y));
                } else {
                    shift_right(r, limbs, x, count_of(y));
                }
            });
    case Operation::lt:
        return for_each_small(out, a, b, count, [](const Extended &x, const Extended &y) {
            return compare(x, y) < 0;
        });
    case Operation::le:
        return for_each_small(out, a, b, count, [](const Extended &x, const Extended &y) {
            return compare(x, y) <= 0;
        });
    case Operation::eq:
        return for_each_small(out, a, b, count, [](const Extended &x, const Extended &y) {
            return compare(x, y) == 0;
        });
    case Operation::ne:
        return for_each_small(out, a, b, count, [](const Extended &x, const Extended &y) {
            return compare(x, y) != 0;
        });
    case Operation::bit_count:
        return for_each_small(out, a, b, count, [](const Extended &x, const Extended &) {
            int ones = 0;
            for_magnitude(x, [&](u32 limb, int) { ones += std::popcount(limb); });
            return ones;
        });
    case Operation::bit_length:
        return for_each_small(out, a, b, count, [](const Extended &x, const Extended &) {
            int length = 0;
            for_magnitude(x, [&](u32 limb, int j) {
                if (limb != 0)
                    length = 32 * j + std::bit_width(limb);
            });
            return length;
        });
    case Operation::where:
        return for_each(out, in[1], in[2], count,
                        [&a, limbs](u32 *r, const Extended &x, const Extended &y, std::size_t i) {
                            const bool first = !is_zero(a[i], a.limbs());
                            for (int j = 0; j < limbs; ++j)
                                r[j] = first ? x[j] : y[j];
                        });
    default:
        return;
    }
}

} // namespace core
