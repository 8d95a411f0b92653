// SPDX-License-Identifier: Apache-2.0
// The core of the Python package: numbers whose width is known at run time.
//
//   streaming.cpp   what costs a pass over the limbs: sums, bits, comparisons, shifts, casts
//   width.cpp.in    what needs a width that the compiler knows: one file for each class of widths
//   engine.cpp      powers and products side by side, where the CPU has the library's engine; any
//   width numbers.cpp     one operation on a block of numbers: signs, faults, and which of these
//   computes it program.cpp     a formula: its operations block after block, on all cores
//   module.cpp      what Python sees
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace core {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Bits of a number and whether it has a sign. In memory it is ceil(bits / 32) limbs, least
// significant first; the unused bits of the last one are zero, or copies of the sign (two's
// complement).
struct Width {
    int bits = 0;
    bool is_signed = false;
    int limbs() const { return (bits + 31) / 32; }
};

// Number i of a block lies at data + i * stride, its fault at faults[i * fault_stride] where there
// are any. Strides of 0: one number for all.
struct Column : Width {
    u32 *data = nullptr;
    std::size_t stride = 0;
    std::uint8_t *faults = nullptr;
    std::size_t fault_stride = 0;
    u32 *operator[](std::size_t i) const { return data + i * stride; }
    std::uint8_t fault(std::size_t i) const {
        return faults == nullptr ? 0 : faults[i * fault_stride];
    }
};

// Why an element has no value. The first reason stays, in the order in which Python would raise.
enum Fault : std::uint8_t { none, no_value, divided_by_zero };
inline void set_fault(const Column &x, std::size_t i, std::uint8_t why) {
    if (x.faults[i] == none)
        x.faults[i] = why;
}

// Python finds them by their names (module.cpp).
enum class Operation : int {
    cast,
    add,
    sub,
    neg,
    invert,
    bit_and,
    bit_or,
    bit_xor,
    shl,
    shr,
    shl_by,
    shr_by,
    lt,
    le,
    eq,
    ne,
    bit_count,
    bit_length,
    where,
    absolute,
    mul,
    floordiv,
    mod,
    mulmod,
    muladdmod,
    powmod,
    invmod,
    gcd,
    isqrt,
    iroot,
    jacobi,
    is_prime,
    next_prime,
    sqrt_mod
};
inline constexpr Operation last_streaming = Operation::absolute;
inline constexpr Operation last_operation = Operation::sqrt_mod;

// Functions of unsigned numbers of `bits` bits, whole limbs, aligned to 16 bytes. Divisors and
// moduli are not 0. A function that returns bool says whether there is a result.
struct WidthClass {
    int bits;
    void (*multiply)(u32 *twice, const u32 *a, const u32 *b);
    void (*divide)(u32 *quotient, u32 *remainder, const u32 *a, const u32 *b);
    void (*multiply_modulo)(u32 *r, const u32 *a, const u32 *b, const u32 *m);
    void (*multiply_add_modulo)(u32 *r, const u32 *a, const u32 *b, const u32 *c, const u32 *m);
    void (*power_modulo)(u32 *r, const u32 *a, const u32 *e, int e_limbs, const u32 *m);
    bool (*inverse)(u32 *r, const u32 *a, const u32 *m);
    void (*gcd)(u32 *r, const u32 *a, const u32 *b);
    void (*square_root)(u32 *r, const u32 *a);
    void (*root)(u32 *r, const u32 *a, int degree);
    int (*jacobi)(const u32 *a, const u32 *n); // n odd
    bool (*is_prime)(const u32 *a);
    void (*next_prime)(u32 *r, const u32 *a); // a below 2^(bits - 1)
    bool (*square_root_modulo)(u32 *r, const u32 *a, const u32 *p);
    char *(*write)(char *last, const u32 *a, int base);
    bool (*read)(u32 *r, const char *digits, std::size_t count, int base);
};
extern const WidthClass *const width_classes[]; // ascending
extern const int width_class_count;
// The least class that holds numbers of so many bits; null if none does.
const WidthClass *class_of(int bits);

// out[i] for i < count. Bits beyond those of out are dropped.
void stream(Operation operation, const Column &out, const Column *in, int operands,
            std::size_t count, std::int64_t k);

// At most 32 numbers, all unsigned. Bit i of the result: element i is left to others.
u32 engine_power(const Column &out, const Column &a, const Column &e, const Column &m, int bits,
                 int count);
u32 engine_multiply_modulo(const Column &out, const Column &a, const Column &b, const Column *c,
                           const Column &m, int bits, int count);
u32 engine_multiply(const Column &out, const Column &a, const Column &b, int bits, int count);
u32 engine_square_root(const Column &out, const Column &a, int count);
const char *engine_name();
// Elements that make a core as fast as more of them do.
std::size_t elements_at_once(int bits);

// Memory for numbers of a class, aligned as they must be.
class Room {
public:
    Room(int limbs, int numbers);
    u32 *operator[](int i) const { return first_ + static_cast<std::size_t>(i) * stride_; }

private:
    std::size_t stride_;
    std::vector<u64> memory_;
    u32 *first_;
};
// The magnitude of number i, in `limbs` limbs (at least its own); returns whether it is negative.
bool load_magnitude(const Column &x, std::size_t i, u32 *to, int limbs);
bool is_zero(const u32 *x, int limbs);
void negate(u32 *x, int limbs);
// The last limb of a number with its unused bits made zero or copies of the sign.
u32 normal_top(u32 top, Width width);

// Whether some class of widths must hold the operands of this operation, and which bits it must
// have.
int bits_of_class(Operation operation, const Width *in, int operands);
// About how many steps of a CPU one number takes.
std::size_t cost(Operation operation, int bits);
// out[i] for i < count, and its faults: those of its operands and its own. k: a shift count or a
// degree.
void compute(Operation operation, const Column &out, const Column *in, int operands,
             std::size_t count, std::int64_t k);

// A formula. Registers: first the inputs, then one for each step; the last is the result.
struct Step {
    Operation operation;
    Width width;
    std::vector<int> operands;
    std::int64_t k;
};
struct Program {
    std::vector<Column> inputs;
    std::vector<Step> steps;
};
// out needs faults. Throws std::invalid_argument if no class holds a step's numbers.
void run(const Program &program, const Column &out, std::size_t count);

} // namespace core
