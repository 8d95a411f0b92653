// SPDX-License-Identifier: Apache-2.0
#include "instructions.h"
#include "thread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace ptx {
namespace {

__extension__ using uint128 = unsigned __int128;
__extension__ using int128 = __int128;

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class T>
struct Wide;
template <>
struct Wide<u16> {
    using type = u32;
};
template <>
struct Wide<s16> {
    using type = s32;
};
template <>
struct Wide<u32> {
    using type = u64;
};
template <>
struct Wide<s32> {
    using type = s64;
};
template <>
struct Wide<u64> {
    using type = uint128;
};
template <>
struct Wide<s64> {
    using type = int128;
};

bool has(const Words &words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// f(T{}) for the type that a word names.
template <class F>
Instruction::Run with_type(std::string_view type, const F &f) {
    if (type == "b8" || type == "u8")
        return f(u8{});
    if (type == "s8")
        return f(s8{});
    if (type == "b16" || type == "u16")
        return f(u16{});
    if (type == "s16")
        return f(s16{});
    if (type == "b32" || type == "u32")
        return f(u32{});
    if (type == "s32")
        return f(s32{});
    if (type == "b64" || type == "u64")
        return f(u64{});
    if (type == "s64")
        return f(s64{});
    if (type == "f32")
        return f(float{});
    if (type == "f64")
        return f(double{});
    return nullptr;
}
// F::run<T>
template <class F>
Instruction::Run for_integer(std::string_view type) {
    return with_type(type, []<class T>(T) -> Instruction::Run {
        if constexpr (std::is_integral_v<T> && sizeof(T) > 1) {
            return F::template run<T>;
        } else {
            return nullptr;
        }
    });
}
template <class F>
Instruction::Run for_float(std::string_view type) {
    return with_type(type, []<class T>(T) -> Instruction::Run {
        if constexpr (std::is_floating_point_v<T>) {
            return F::template run<T>;
        } else {
            return nullptr;
        }
    });
}
template <class F>
Instruction::Run for_number(std::string_view type) {
    const Instruction::Run run = for_integer<F>(type);
    return run != nullptr ? run : for_float<F>(type);
}
template <class F>
Instruction::Run for_bits(std::string_view type) {
    return type == "pred" ? F::template run<bool> : for_integer<F>(type);
}

// An instruction of one, two or three operands of a type.
template <class Op>
struct Unary {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        put<T>(t, i.slot[0], static_cast<T>(Op{}(get<T>(t, i.slot[1]))));
    }
};
template <class Op>
struct Binary {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        put<T>(t, i.slot[0], static_cast<T>(Op{}(get<T>(t, i.slot[1]), get<T>(t, i.slot[2]))));
    }
};
template <class Op>
struct Ternary {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        put<T>(
            t, i.slot[0],
            static_cast<T>(Op{}(get<T>(t, i.slot[1]), get<T>(t, i.slot[2]), get<T>(t, i.slot[3]))));
    }
};
template <class T>
auto widened(T x) {
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, bool>) {
        return x;
    } else {
        return static_cast<typename Wide<std::make_unsigned_t<T>>::type>(
            static_cast<std::make_unsigned_t<T>>(x));
    }
}
struct AddOp {
    auto operator()(auto a, auto b) const { return widened(a) + widened(b); }
};
struct SubtractOp {
    auto operator()(auto a, auto b) const { return widened(a) - widened(b); }
};
struct ProductOp { // of floats; the low half of integers
    auto operator()(auto a, auto b) const { return widened(a) * widened(b); }
};
struct HighOp {
    template <class T>
    auto operator()(T a, T b) const {
        using W = typename Wide<T>::type;
        return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(T)));
    }
};
struct MadLowOp {
    auto operator()(auto a, auto b, auto c) const { return widened(a) * widened(b) + widened(c); }
};
struct MadHighOp {
    template <class T>
    auto operator()(T a, T b, T c) const {
        return widened(HighOp{}(a, b)) + widened(c);
    }
};
struct FmaOp {
    auto operator()(auto a, auto b, auto c) const { return std::fma(a, b, c); }
};
struct DivideOp {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) {
            if (b == 0)
                return static_cast<T>(~T{0});
            if constexpr (std::is_signed_v<T>) {
                if (b == -1)
                    return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
            }
        }
        return static_cast<T>(a / b);
    }
};
struct RemainderOp {
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0)
            return a;
        if constexpr (std::is_signed_v<T>) {
            if (b == -1)
                return 0;
        }
        return static_cast<T>(a % b);
    }
};
struct MinOp {
    auto operator()(auto a, auto b) const { return std::min(a, b); }
};
struct MaxOp {
    auto operator()(auto a, auto b) const { return std::max(a, b); }
};
struct AndOp {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a & b);
    }
};
struct OrOp {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a | b);
    }
};
struct XorOp {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a ^ b);
    }
};
struct NotOp {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_same_v<T, bool>) {
            return !a;
        } else {
            return static_cast<T>(~a);
        }
    }
};
struct NegateOp {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(0 - widened(a));
        } else {
            return -a;
        }
    }
};
struct AbsoluteOp {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>) {
            return std::fabs(a);
        } else {
            return a < 0 ? static_cast<T>(0 - widened(a)) : a;
        }
    }
};
struct ReciprocalOp {
    template <class T>
    T operator()(T a) const {
        return T{1} / a;
    }
};
struct RootOp {
    template <class T>
    T operator()(T a) const {
        return std::sqrt(a);
    }
};
struct ReverseOp {
    template <class T>
    T operator()(T a) const {
        T r = 0;
        for (unsigned k = 0; k < 8 * sizeof(T); ++k)
            r = static_cast<T>(r << 1 | (a >> k & 1));
        return r;
    }
};

// ---- with types of their own

struct ShiftLeft {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        const u32 n = get<u32>(t, i.slot[2]);
        const T a = get<T>(t, i.slot[1]);
        put<T>(t, i.slot[0], n >= 8 * sizeof(T) ? T{0} : static_cast<T>(widened(a) << n));
    }
};
struct ShiftRight {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        const u32 n = get<u32>(t, i.slot[2]);
        const T a = get<T>(t, i.slot[1]);
        put<T>(t, i.slot[0], static_cast<T>(n < 8 * sizeof(T) ? a >> n : a < 0 ? -1 : 0));
    }
};
template <bool left, bool wraps>
void funnel(Thread &t, const Instruction &i) {
    const u64 both = static_cast<u64>(get<u32>(t, i.slot[2])) << 32 | get<u32>(t, i.slot[1]);
    const u32 given = get<u32>(t, i.slot[3]);
    const u32 n = wraps ? given & 31 : std::min<u32>(given, 32);
    put<u32>(t, i.slot[0],
             static_cast<u32>(left ? (n == 0 ? both >> 32 : both >> (32 - n)) : both >> n));
}
template <class T>
void multiply_wide(Thread &t, const Instruction &i) {
    using W = typename Wide<T>::type;
    put<W>(t, i.slot[0],
           static_cast<W>(static_cast<W>(get<T>(t, i.slot[1])) *
                          static_cast<W>(get<T>(t, i.slot[2]))));
}
template <class T>
void mad_wide(Thread &t, const Instruction &i) {
    using W = typename Wide<T>::type;
    using U = std::make_unsigned_t<W>;
    const W product =
        static_cast<W>(static_cast<W>(get<T>(t, i.slot[1])) * static_cast<W>(get<T>(t, i.slot[2])));
    put<W>(t, i.slot[0],
           static_cast<W>(static_cast<U>(product) + static_cast<U>(get<W>(t, i.slot[3]))));
}

// add, sub, mad with the carry flag
enum class Half { none, low, high };
template <Half half, bool subtracts, bool reads, bool writes>
struct WithCarry {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        using U = std::make_unsigned_t<T>;
        using W = typename Wide<U>::type;
        U a;
        U b;
        if constexpr (half == Half::none) {
            a = get<U>(t, i.slot[1]);
            b = get<U>(t, i.slot[2]);
        } else {
            const T x = get<T>(t, i.slot[1]), y = get<T>(t, i.slot[2]);
            a = half == Half::low ? static_cast<U>(widened(x) * widened(y))
                                  : static_cast<U>(HighOp{}(x, y));
            b = get<U>(t, i.slot[3]);
        }
        if (reads && t.carry == Carry::unknown)
            fail_at(t, i, "the carry of another function, which calls do not keep");
        const W in = reads && t.carry == Carry::set ? 1 : 0;
        const W r = subtracts ? static_cast<W>(a) - b - in : static_cast<W>(a) + b + in;
        put<U>(t, i.slot[0], static_cast<U>(r));
        if (writes)
            t.carry = (r >> (8 * sizeof(U)) & 1) != 0 ? Carry::set : Carry::clear;
    }
};
template <Half half, bool subtracts, bool reads>
Instruction::Run with_carry(const Words &words) {
    return has(words, "cc") ? for_integer<WithCarry<half, subtracts, reads, true>>(words.back())
                            : for_integer<WithCarry<half, subtracts, reads, false>>(words.back());
}

template <class T>
void select(Thread &t, const Instruction &i) {
    put<T>(t, i.slot[0], get<bool>(t, i.slot[3]) ? get<T>(t, i.slot[1]) : get<T>(t, i.slot[2]));
}
struct Select {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        select<T>(t, i);
    }
};
template <class T>
void count_ones(Thread &t, const Instruction &i) {
    put<u32>(t, i.slot[0], static_cast<u32>(std::popcount(get<T>(t, i.slot[1]))));
}
template <class T>
void leading_zeros(Thread &t, const Instruction &i) {
    put<u32>(t, i.slot[0], static_cast<u32>(std::countl_zero(get<T>(t, i.slot[1]))));
}
template <class T, bool shift_amount>
void find_top(Thread &t, const Instruction &i) {
    T x = get<T>(t, i.slot[1]);
    if constexpr (std::is_signed_v<T>)
        x = x < 0 ? static_cast<T>(~x) : x;
    const auto bits = static_cast<std::make_unsigned_t<T>>(x);
    const auto zeros = static_cast<u32>(std::countl_zero(bits));
    put<u32>(t, i.slot[0],
             bits == 0      ? ~0u
             : shift_amount ? zeros
                            : static_cast<u32>(8 * sizeof(T)) - 1 - zeros);
}
template <class T>
void extract_bits(Thread &t, const Instruction &i) {
    using U = std::make_unsigned_t<T>;
    constexpr u32 width = 8 * sizeof(T);
    const T a = get<T>(t, i.slot[1]);
    const u32 at = get<u32>(t, i.slot[2]) & 0xff, length = get<u32>(t, i.slot[3]) & 0xff;
    U r = 0;
    const bool top = length != 0 && std::is_signed_v<T> &&
                     (static_cast<U>(a) >> std::min(at + length - 1, width - 1) & 1) != 0;
    for (u32 k = 0; k < width; ++k) {
        const bool bit =
            k < length && at + k < width ? (static_cast<U>(a) >> (at + k) & 1) != 0 : top;
        r |= bit ? U{1} << k : U{0};
    }
    put<U>(t, i.slot[0], r);
}
template <class T>
void insert_bits(Thread &t, const Instruction &i) {
    constexpr u32 width = 8 * sizeof(T);
    const T a = get<T>(t, i.slot[1]);
    T r = get<T>(t, i.slot[2]);
    const u32 at = get<u32>(t, i.slot[3]) & 0xff, length = get<u32>(t, i.slot[4]) & 0xff;
    for (u32 k = 0; k < length && at + k < width; ++k)
        r = static_cast<T>((r & ~(T{1} << (at + k))) | ((a >> k & 1) << (at + k)));
    put<T>(t, i.slot[0], r);
}
void permute(Thread &t, const Instruction &i) {
    const u64 both = static_cast<u64>(get<u32>(t, i.slot[2])) << 32 | get<u32>(t, i.slot[1]);
    const u32 selector = get<u32>(t, i.slot[3]);
    u32 r = 0;
    for (unsigned k = 0; k < 4; ++k) {
        const u32 which = selector >> (4 * k) & 15;
        auto byte = static_cast<u8>(both >> (8 * (which & 7)));
        if ((which & 8) != 0)
            byte = static_cast<s8>(byte) < 0 ? 0xff : 0;
        r |= static_cast<u32>(byte) << (8 * k);
    }
    put<u32>(t, i.slot[0], r);
}
void logic3(Thread &t, const Instruction &i) {
    const u32 a = get<u32>(t, i.slot[1]), b = get<u32>(t, i.slot[2]), c = get<u32>(t, i.slot[3]);
    const u32 table = get<u32>(t, i.slot[4]);
    u32 r = 0;
    for (unsigned k = 0; k < 32; ++k) {
        const u32 row = (a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1);
        r |= (table >> row & 1) << k;
    }
    put<u32>(t, i.slot[0], r);
}

// ---- conversions

enum class Rounding { zero, nearest, down, up };
template <class To, class From, Rounding rounding>
void convert(Thread &t, const Instruction &i) {
    const From x = get<From>(t, i.slot[1]);
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        double y = static_cast<double>(x);
        y = rounding == Rounding::zero      ? std::trunc(y)
            : rounding == Rounding::nearest ? std::nearbyint(y)
            : rounding == Rounding::down    ? std::floor(y)
                                            : std::ceil(y);
        constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
        To r = 0;
        if (y >= static_cast<double>(high)) {
            r = high;
        } else if (y <= static_cast<double>(low)) {
            r = low;
        } else if (y == y) {
            r = static_cast<To>(y);
        }
        put<To>(t, i.slot[0], r);
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        // To a register that may be wider: signs reach all of it.
        put<u64>(t, i.slot[0],
                 static_cast<u64>(static_cast<std::conditional_t<std::is_signed_v<To>, s64, u64>>(
                     static_cast<To>(x))));
    } else {
        put<To>(t, i.slot[0], static_cast<To>(x));
    }
}
template <class To, class From>
Instruction::Run converting(const Words &words) {
    if (has(words, "rni"))
        return convert<To, From, Rounding::nearest>;
    if (has(words, "rmi"))
        return convert<To, From, Rounding::down>;
    if (has(words, "rpi"))
        return convert<To, From, Rounding::up>;
    return convert<To, From, Rounding::zero>;
}
Instruction::Run conversion(const Words &words) {
    if (has(words, "sat"))
        return nullptr;
    return with_type(words[words.size() - 2], [&]<class To>(To) {
        return with_type(words.back(),
                         [&]<class From>(From) { return converting<To, From>(words); });
    });
}

// ---- comparisons

enum class Order { eq, ne, lt, le, gt, ge };
template <class T, Order order>
void compare(Thread &t, const Instruction &i) {
    const T a = get<T>(t, i.slot[1]), b = get<T>(t, i.slot[2]);
    bool r = order == Order::eq   ? a == b
             : order == Order::ne ? a != b
             : order == Order::lt ? a < b
             : order == Order::le ? a <= b
             : order == Order::gt ? a > b
                                  : a >= b;
    bool other = !r;
    if (i.count != 0) {
        const bool c = get<bool>(t, i.slot[4]) != (i.count == 2);
        const auto combine = [&](bool x) {
            return i.number2 == 0 ? x && c : i.number2 == 1 ? x || c : x != c;
        };
        r = combine(r);
        other = combine(other);
    }
    put<bool>(t, i.slot[3], other);
    put<bool>(t, i.slot[0], r);
}
template <Order order>
struct Compare {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        compare<T, order>(t, i);
    }
};

// ---- memory

[[noreturn]] void bad_address(const Thread &t, const Instruction &i, const void *address) {
    fail_at(t, i,
            "an address that is not aligned: " + std::to_string(reinterpret_cast<u64>(address)));
}
inline char *address_of(const Thread &t, const Instruction &i) {
    if (i.slot[7] >= 0)
        return t.parameter(static_cast<Parameter::Place>(i.number2),
                           static_cast<std::size_t>(i.slot[7])) +
               i.number;
    u64 base = t.slots[i.slot[6]];
    if (i.number2 != 0)
        base = static_cast<u32>(base);
    return reinterpret_cast<char *>(base + static_cast<u64>(i.number));
}
template <class T>
struct Load {
    static void run(Thread &t, const Instruction &i) {
        const char *from = address_of(t, i);
        if (reinterpret_cast<u64>(from) % (sizeof(T) * static_cast<unsigned>(i.count)) != 0 &&
            i.slot[7] < 0)
            bad_address(t, i, from);
        T values[8];
        std::memcpy(values, from, sizeof(T) * static_cast<unsigned>(i.count));
        for (int k = 0; k < i.count; ++k) {
            if constexpr (std::is_signed_v<T>) {
                t.slots[i.slot[k]] = static_cast<u64>(static_cast<s64>(values[k]));
            } else {
                t.slots[i.slot[k]] = values[k];
            }
        }
    }
};
template <class T>
struct Store {
    static void run(Thread &t, const Instruction &i) {
        char *to = address_of(t, i);
        if (reinterpret_cast<u64>(to) % (sizeof(T) * static_cast<unsigned>(i.count)) != 0 &&
            i.slot[7] < 0)
            bad_address(t, i, to);
        T values[8];
        for (int k = 0; k < i.count; ++k)
            values[k] = get<T>(t, i.slot[k]);
        std::memcpy(to, values, sizeof(T) * static_cast<unsigned>(i.count));
    }
};

template <class T>
T *atomic_place(Thread &t, const Instruction &i) {
    u64 base = t.slots[i.slot[1]];
    if (i.number2 != 0)
        base = static_cast<u32>(base);
    return reinterpret_cast<T *>(base + static_cast<u64>(i.number));
}
template <class Op>
struct Atomic {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        T *const place = atomic_place<T>(t, i);
        const T old = *place;
        *place = static_cast<T>(Op{}(old, get<T>(t, i.slot[2])));
        put<T>(t, i.slot[0], old);
    }
};
struct ExchangeOp {
    template <class T>
    T operator()(T, T b) const {
        return b;
    }
};
struct IncrementOp {
    template <class T>
    T operator()(T a, T b) const {
        return a >= b ? T{0} : static_cast<T>(a + 1);
    }
};
struct DecrementOp {
    template <class T>
    T operator()(T a, T b) const {
        return a == 0 || a > b ? b : static_cast<T>(a - 1);
    }
};
struct CompareAndSwap {
    template <class T>
    static void run(Thread &t, const Instruction &i) {
        T *const place = atomic_place<T>(t, i);
        const T old = *place;
        if (old == get<T>(t, i.slot[2]))
            *place = get<T>(t, i.slot[3]);
        put<T>(t, i.slot[0], old);
    }
};

// Numbers in half precision: normal ones and 0, which is what the library has.
float float_of_half(u32 half) {
    if ((half & 0x7fff) == 0)
        return 0;
    if ((half >> 10 & 31) == 0 || (half >> 10 & 31) == 31)
        fail("a subnormal number, an infinity or a NaN in half precision");
    const u32 magnitude = ((half & 0x7fff) << 13) + (112u << 23);
    return std::bit_cast<float>((half & 0x8000) << 16 | magnitude);
}
u32 half_of_float(float x) {
    const auto bits = std::bit_cast<u32>(x);
    if (x == 0)
        return bits >> 16;
    const u32 magnitude = ((bits & 0x7fffffff) - (112u << 23)) >> 13;
    const u32 half = (bits >> 16 & 0x8000) | magnitude;
    if ((half & 0x7fff) >= 0x7c00 || float_of_half(half) != x)
        fail("a number that is rounded to half precision");
    return half;
}
void subtract_halves(Thread &t, const Instruction &i) {
    u32 r = 0;
    for (u32 shift = 0; shift < 32; shift += 16) {
        const float x = float_of_half(get<u32>(t, i.slot[1]) >> shift & 0xffff);
        const float y = float_of_half(get<u32>(t, i.slot[2]) >> shift & 0xffff);
        r |= half_of_float(x - y) << shift;
    }
    put<u32>(t, i.slot[0], r);
}

} // namespace

Instruction::Run plain_instruction(const Words &words) {
    const std::string_view name = words[0], type = words.back();
    const bool is_float = type == "f32" || type == "f64";
    if (has(words, "sat"))
        return nullptr;
    if (name == "add")
        return has(words, "cc") ? with_carry<Half::none, false, false>(words)
                                : for_number<Binary<AddOp>>(type);
    if (name == "addc")
        return with_carry<Half::none, false, true>(words);
    if (name == "sub" && type == "f16x2")
        return subtract_halves;
    if (name == "sub")
        return has(words, "cc") ? with_carry<Half::none, true, false>(words)
                                : for_number<Binary<SubtractOp>>(type);
    if (name == "subc")
        return with_carry<Half::none, true, true>(words);
    if (name == "mul") {
        if (has(words, "wide")) {
            return type == "u16"   ? multiply_wide<u16>
                   : type == "s16" ? multiply_wide<s16>
                   : type == "u32" ? multiply_wide<u32>
                   : type == "s32" ? multiply_wide<s32>
                                   : nullptr;
        }
        return has(words, "hi") ? for_integer<Binary<HighOp>>(type)
                                : for_number<Binary<ProductOp>>(type);
    }
    if (name == "mad" || name == "madc" || name == "fma") {
        if (is_float)
            return for_float<Ternary<FmaOp>>(type);
        if (has(words, "wide")) {
            return type == "u16"   ? mad_wide<u16>
                   : type == "s16" ? mad_wide<s16>
                   : type == "u32" ? mad_wide<u32>
                   : type == "s32" ? mad_wide<s32>
                                   : nullptr;
        }
        const bool high = has(words, "hi");
        if (name == "madc")
            return high ? with_carry<Half::high, false, true>(words)
                        : with_carry<Half::low, false, true>(words);
        if (has(words, "cc"))
            return high ? with_carry<Half::high, false, false>(words)
                        : with_carry<Half::low, false, false>(words);
        return high ? for_integer<Ternary<MadHighOp>>(type) : for_integer<Ternary<MadLowOp>>(type);
    }
    if (name == "div")
        return for_number<Binary<DivideOp>>(type);
    if (name == "rem")
        return for_integer<Binary<RemainderOp>>(type);
    if (name == "min")
        return for_number<Binary<MinOp>>(type);
    if (name == "max")
        return for_number<Binary<MaxOp>>(type);
    if (name == "neg")
        return for_number<Unary<NegateOp>>(type);
    if (name == "abs")
        return for_number<Unary<AbsoluteOp>>(type);
    if (name == "rcp")
        return for_float<Unary<ReciprocalOp>>(type);
    if (name == "sqrt")
        return for_float<Unary<RootOp>>(type);
    if (name == "and")
        return for_bits<Binary<AndOp>>(type);
    if (name == "or")
        return for_bits<Binary<OrOp>>(type);
    if (name == "xor")
        return for_bits<Binary<XorOp>>(type);
    if (name == "not")
        return for_bits<Unary<NotOp>>(type);
    if (name == "shl")
        return for_integer<ShiftLeft>(type);
    if (name == "shr")
        return for_integer<ShiftRight>(type == "b32" ? "u32" : type);
    if (name == "shf") {
        const bool wraps = has(words, "wrap");
        if (has(words, "l"))
            return wraps ? funnel<true, true> : funnel<true, false>;
        return wraps ? funnel<false, true> : funnel<false, false>;
    }
    if (name == "selp")
        return for_number<Select>(type);
    if (name == "popc")
        return type == "b32" ? count_ones<u32> : count_ones<u64>;
    if (name == "clz")
        return type == "b32" ? leading_zeros<u32> : leading_zeros<u64>;
    if (name == "brev")
        return type == "b32" ? Unary<ReverseOp>::run<u32> : Unary<ReverseOp>::run<u64>;
    if (name == "bfind") {
        const bool shift = has(words, "shiftamt");
        if (type == "u32")
            return shift ? find_top<u32, true> : find_top<u32, false>;
        if (type == "s32")
            return shift ? find_top<s32, true> : find_top<s32, false>;
        if (type == "u64")
            return shift ? find_top<u64, true> : find_top<u64, false>;
        return shift ? find_top<s64, true> : find_top<s64, false>;
    }
    if (name == "bfe") {
        return type == "u32"   ? extract_bits<u32>
               : type == "s32" ? extract_bits<s32>
               : type == "u64" ? extract_bits<u64>
                               : extract_bits<s64>;
    }
    if (name == "bfi")
        return type == "b32" ? insert_bits<u32> : insert_bits<u64>;
    if (name == "prmt")
        return words.size() == 2 ? permute : nullptr;
    if (name == "lop3")
        return logic3;
    if (name == "cvt")
        return conversion(words);
    return nullptr;
}

Instruction::Run comparison(const Words &words) {
    const std::string_view order = words[1], type = words.back();
    if (order == "eq")
        return for_number<Compare<Order::eq>>(type);
    if (order == "ne" || order == "neu")
        return for_number<Compare<Order::ne>>(type);
    if (order == "lt" || order == "lo")
        return for_number<Compare<Order::lt>>(type);
    if (order == "le" || order == "ls")
        return for_number<Compare<Order::le>>(type);
    if (order == "gt" || order == "hi")
        return for_number<Compare<Order::gt>>(type);
    if (order == "ge" || order == "hs")
        return for_number<Compare<Order::ge>>(type);
    return nullptr;
}

Instruction::Run access(std::string_view type, bool loads) {
    return with_type(type, [&]<class T>(T) -> Instruction::Run {
        using Bits = std::conditional_t<std::is_same_v<T, float>, u32,
                                        std::conditional_t<std::is_same_v<T, double>, u64, T>>;
        return loads ? Load<Bits>::run : Store<Bits>::run;
    });
}

Instruction::Run atomic(const Words &words) {
    const std::string_view type = words.back();
    if (has(words, "add"))
        return for_number<Atomic<AddOp>>(type);
    if (has(words, "exch"))
        return for_integer<Atomic<ExchangeOp>>(type);
    if (has(words, "cas"))
        return for_integer<CompareAndSwap>(type);
    if (has(words, "and"))
        return for_integer<Atomic<AndOp>>(type);
    if (has(words, "or"))
        return for_integer<Atomic<OrOp>>(type);
    if (has(words, "xor"))
        return for_integer<Atomic<XorOp>>(type);
    if (has(words, "min"))
        return for_integer<Atomic<MinOp>>(type);
    if (has(words, "max"))
        return for_integer<Atomic<MaxOp>>(type);
    if (has(words, "inc"))
        return for_integer<Atomic<IncrementOp>>(type);
    if (has(words, "dec"))
        return for_integer<Atomic<DecrementOp>>(type);
    return nullptr;
}

void run_nothing(Thread &, const Instruction &) {}
void run_branch(Thread &t, const Instruction &i) {
    t.at = static_cast<u32>(i.number);
}
void run_indexed_branch(Thread &t, const Instruction &i) {
    const u32 index = get<u32>(t, i.slot[0]);
    if (index >= static_cast<u32>(i.count))
        fail_at(t, i, "an index beyond the branches");
    t.at = static_cast<u32>(reinterpret_cast<const s64 *>(i.number)[index]);
}
void run_call(Thread &t, const Instruction &i) {
    const Call &call = *i.call;
    Function *target = call.target;
    if (call.slot >= 0) {
        target = reinterpret_cast<Function *>(t.slots[call.slot]);
    } else if (target == nullptr) {
        target = t.frame->function->module->find(call.name);
        if (target == nullptr)
            fail_at(t, i, "a function that is not there: " + call.name);
        const_cast<Call &>(call).target = target;
    }
    char *arguments[16] = {}, *results[2] = {};
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
        arguments[k] = t.parameter(call.arguments[k].place, call.arguments[k].at);
    for (std::size_t k = 0; k < call.results.size(); ++k)
        results[k] = t.parameter(call.results[k].place, call.results[k].at);
    t.carry = Carry::unknown;
    enter(t, *target, arguments, results);
}
void run_return(Thread &t, const Instruction &) {
    t.carry = Carry::unknown;
    leave(t);
}
void run_exit(Thread &t, const Instruction &) {
    t.waits = Waits::done;
}
void run_trap(Thread &t, const Instruction &i) {
    fail_at(t, i, "a trap");
}
void run_move(Thread &t, const Instruction &i) {
    t.slots[i.slot[0]] = t.slots[i.slot[1]];
}
namespace {
template <class T>
void move_of(Thread &t, const Instruction &i) {
    put<T>(t, i.slot[0], get<T>(t, i.slot[1]));
}
} // namespace
Instruction::Run run_move_of(std::string_view type) {
    if (type.ends_with("16"))
        return move_of<u16>;
    if (type.ends_with("32"))
        return move_of<u32>;
    return nullptr;
}
void run_pack(Thread &t, const Instruction &i) {
    u64 r = 0;
    const u64 mask = (u64{1} << i.number) - 1;
    for (int k = 0; k < i.count; ++k)
        r |= (t.slots[i.slot[k + 1]] & mask) << (k * i.number);
    t.slots[i.slot[0]] = r;
}
void run_unpack(Thread &t, const Instruction &i) {
    const u64 x = t.slots[i.slot[0]];
    const u64 mask = (u64{1} << i.number) - 1;
    for (int k = 0; k < i.count; ++k)
        t.slots[i.slot[k + 1]] = x >> (k * i.number) & mask;
}
void run_address_of_parameter(Thread &t, const Instruction &i) {
    t.slots[i.slot[0]] = reinterpret_cast<u64>(
        t.parameter(static_cast<Parameter::Place>(i.number2), static_cast<std::size_t>(i.slot[7])));
}

std::optional<int> special_register(std::string_view name) {
    static constexpr std::string_view names[] = {
        "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",
        "%ntid.z",      "%ctaid.x",     "%ctaid.y",     "%ctaid.z",     "%nctaid.x",
        "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",      "%lanemask_eq",
        "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%smid",
        "%nsmid",       "%clock",       "%clock64",     "%globaltimer", "%dynamic_smem_size",
        "%nwarpid"};
    for (std::size_t k = 0; k < std::size(names); ++k) {
        if (names[k] == name)
            return static_cast<int>(k);
    }
    return std::nullopt;
}
void run_special(Thread &t, const Instruction &i) {
    const Block &b = *t.block;
    const u32 lane = t.lane(), bit = 1u << lane;
    const u32 values[] = {t.index.x,
                          t.index.y,
                          t.index.z,
                          b.size.x,
                          b.size.y,
                          b.size.z,
                          b.index.x,
                          b.index.y,
                          b.index.z,
                          b.grid.x,
                          b.grid.y,
                          b.grid.z,
                          lane,
                          t.number / 32,
                          bit,
                          bit - 1,
                          bit | (bit - 1),
                          ~(bit | (bit - 1)),
                          ~(bit - 1),
                          0,
                          1};
    if (static_cast<std::size_t>(i.number) < std::size(values)) {
        t.slots[i.slot[0]] = values[i.number];
    } else {
        t.slots[i.slot[0]] = i.number == 24   ? b.dynamic_shared_bytes
                             : i.number == 25 ? 64
                                              : instructions_run();
    }
}
void run_active_mask(Thread &t, const Instruction &i) {
    const u32 threads = t.block->size.x * t.block->size.y * t.block->size.z;
    const u32 first = t.number - t.lane();
    put<u32>(t, i.slot[0], threads - first >= 32 ? ~0u : (1u << (threads - first)) - 1);
}
namespace {
void copy_to(Thread &t, const Instruction &i, u64 to) {
    const auto bytes = static_cast<std::size_t>(i.count);
    const std::size_t given = std::min<std::size_t>(bytes, get<u32>(t, i.slot[2]));
    char *const place = reinterpret_cast<char *>(to + static_cast<u64>(i.number));
    std::memcpy(place,
                reinterpret_cast<const char *>(t.slots[i.slot[1]] + static_cast<u64>(i.number2)),
                given);
    std::memset(place + given, 0, bytes - given);
}
} // namespace
void run_copy(Thread &t, const Instruction &i) {
    copy_to(t, i, t.slots[i.slot[0]]);
}
void run_copy_to_narrow(Thread &t, const Instruction &i) {
    copy_to(t, i, get<u32>(t, i.slot[0]));
}

// ---- several lanes together

namespace {
enum Kind : int {
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    shuffle_index,
    vote_all,
    vote_any,
    vote_uniform,
    ballot,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
    reduce_min_signed,
    reduce_max_signed,
    multiply_bytes,
    multiply_halves,
    meet
};

// D = A B + C over the lanes of a whole warp, of 16 x 32 unsigned bytes, 32 x 8 signed bytes and
// 32-bit sums, or of 16 x 16 and 16 x 8 halves and float sums: row lane / 4 (+ 8) of A, C, D and
// column lane / 4 of B are a lane's. add(sum, a word of A, a word of B).
template <class Sum, class Add>
void run_matrices(Thread *const *lanes, const Instruction &i, Add &&add) {
    u32 a[16][8], b[8][8]; // words of a row of A, of a column of B
    Sum d[16][8];
    for (u32 k = 0; k < 32; ++k) {
        if (lanes[k] == nullptr)
            fail("a product of matrices without all lanes");
        const Thread &t = *lanes[k];
        for (u32 half = 0; half < 2; ++half) {
            a[k / 4][k % 4 + 4 * half] = get<u32>(t, i.slot[8 + 2 * half]);
            a[k / 4 + 8][k % 4 + 4 * half] = get<u32>(t, i.slot[9 + 2 * half]);
            b[k / 4][k % 4 + 4 * half] = get<u32>(t, i.slot[12 + half]);
        }
        for (u32 j = 0; j < 4; ++j)
            d[k / 4 + 8 * (j / 2)][2 * (k % 4) + j % 2] = get<Sum>(t, i.slot[14 + j]);
    }
    for (u32 row = 0; row < 16; ++row) {
        for (u32 column = 0; column < 8; ++column) {
            for (u32 k = 0; k < 8; ++k)
                add(d[row][column], a[row][k], b[column][k]);
        }
    }
    for (u32 k = 0; k < 32; ++k) {
        for (u32 j = 0; j < 4; ++j)
            put<Sum>(*lanes[k], i.slot[j], d[k / 4 + 8 * (j / 2)][2 * (k % 4) + j % 2]);
    }
}
void run_matrices(Thread *const *lanes, const Instruction &i) {
    if (i.number == multiply_bytes) {
        run_matrices<s32>(lanes, i, [](s32 &sum, u32 x, u32 y) {
            for (u32 shift = 0; shift < 32; shift += 8)
                sum +=
                    static_cast<s32>(x >> shift & 255) * static_cast<std::int8_t>(y >> shift & 255);
        });
    } else {
        run_matrices<float>(lanes, i, [](float &sum, u32 x, u32 y) {
            for (u32 shift = 0; shift < 32; shift += 16)
                sum += float_of_half(x >> shift & 0xffff) * float_of_half(y >> shift & 0xffff);
        });
    }
}
} // namespace
int together_kind(const Words &words) {
    const std::string_view name = words[0];
    if (name == "bar" || name == "barrier")
        return meet;
    if (name == "mma")
        return has(words, "satfinite")                                          ? -1
               : has(words, "m16n8k32") && has(words, "u8") && has(words, "s8") ? multiply_bytes
               : has(words, "m16n8k16") && has(words, "f16") && words.back() == "f32"
                   ? multiply_halves
                   : -1;
    if (name == "shfl")
        return has(words, "up")     ? shuffle_up
               : has(words, "down") ? shuffle_down
               : has(words, "bfly") ? shuffle_xor
                                    : shuffle_index;
    if (name == "vote")
        return has(words, "ballot") ? ballot
               : has(words, "all")  ? vote_all
               : has(words, "any")  ? vote_any
                                    : vote_uniform;
    if (name == "match")
        return has(words, "any") ? match_any : match_all;
    const bool is_signed = words.back() == "s32";
    if (has(words, "add"))
        return reduce_add;
    if (has(words, "min"))
        return is_signed ? reduce_min_signed : reduce_min;
    if (has(words, "max"))
        return is_signed ? reduce_max_signed : reduce_max;
    return has(words, "and")   ? reduce_and
           : has(words, "or")  ? reduce_or
           : has(words, "xor") ? reduce_xor
                               : -1;
}
void run_together(Thread *const *lanes, const Instruction &i) {
    const auto kind = static_cast<Kind>(i.number);
    if (kind == meet)
        return;
    if (kind == multiply_bytes || kind == multiply_halves)
        return run_matrices(lanes, i);
    u64 value[32] = {};
    u32 members = 0, trues = 0;
    for (u32 k = 0; k < 32; ++k) {
        if (lanes[k] == nullptr)
            continue;
        value[k] = i.number2 == 64 ? lanes[k]->slots[i.slot[1]] : get<u32>(*lanes[k], i.slot[1]);
        if (i.count == 1 && kind >= vote_all && kind <= ballot)
            value[k] ^= 1;
        members |= 1u << k;
        trues |= value[k] != 0 ? 1u << k : 0;
    }
    for (u32 k = 0; k < 32; ++k) {
        if (lanes[k] == nullptr)
            continue;
        Thread &t = *lanes[k];
        if (kind <= shuffle_index) {
            const u32 b = get<u32>(t, i.slot[2]) & 31, c = get<u32>(t, i.slot[3]);
            const u32 segment = c >> 8 & 31, clamp = c & 31;
            const u32 last = (k & segment) | (clamp & ~segment & 31);
            s32 from = 0;
            bool is_inside = false;
            if (kind == shuffle_up) {
                from = static_cast<s32>(k) - static_cast<s32>(b);
                is_inside = from >= static_cast<s32>(last);
            } else {
                from = kind == shuffle_down ? static_cast<s32>(k + b)
                       : kind == shuffle_xor
                           ? static_cast<s32>(k ^ b)
                           : static_cast<s32>((k & segment) | (b & ~segment & 31));
                is_inside = from <= static_cast<s32>(last);
            }
            const u32 source = is_inside ? static_cast<u32>(from) : k;
            t.slots[i.slot[0]] =
                (members >> source & 1) != 0 ? value[source] : 0xbadbad00u + source;
            put<bool>(t, i.slot[5], is_inside);
            continue;
        }
        u64 r = 0;
        switch (kind) {
        case vote_all:
            r = trues == members ? 1 : 0;
            break;
        case vote_any:
            r = trues != 0 ? 1 : 0;
            break;
        case vote_uniform:
            r = trues == 0 || trues == members ? 1 : 0;
            break;
        case ballot:
            r = trues;
            break;
        case match_any:
        case match_all:
            for (u32 j = 0; j < 32; ++j)
                r |= lanes[j] != nullptr && value[j] == value[k] ? 1u << j : 0;
            if (kind == match_all) {
                r = r == members ? members : 0;
                put<bool>(t, i.slot[5], r != 0);
            }
            break;
        default: {
            bool is_first = true;
            for (u32 j = 0; j < 32; ++j) {
                if (lanes[j] == nullptr)
                    continue;
                const u64 x = value[j];
                const auto s = static_cast<s32>(x), so_far = static_cast<s32>(r);
                r = is_first                    ? x
                    : kind == reduce_add        ? static_cast<u32>(r + x)
                    : kind == reduce_min        ? std::min(r, x)
                    : kind == reduce_max        ? std::max(r, x)
                    : kind == reduce_and        ? r & x
                    : kind == reduce_or         ? r | x
                    : kind == reduce_xor        ? r ^ x
                    : kind == reduce_min_signed ? static_cast<u32>(std::min(s, so_far))
                                                : static_cast<u32>(std::max(s, so_far));
                is_first = false;
            }
        }
        }
        t.slots[i.slot[0]] = r;
    }
}

} // namespace ptx
