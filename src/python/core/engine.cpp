// SPDX-License-Identifier: Apache-2.0
// Powers, products and square roots of numbers side by side. The library's engine takes widths at
// run time, but for the columns of a window, of which there are few: a copy of each loop for each
// number of columns serves all widths.
#include "core.h"

#include <warpint/arith/simd/group.h>

namespace core {

#if WARPINT_SIMD
namespace {

namespace simd = warpint::simd;

constexpr u32 all_left = ~u32{0};

simd::Operand operand(const Column &x) {
    return {x.data, x.stride * 4, x.bits};
}
simd::Target target(const Column &x) {
    return {x.data, x.stride * 4, x.bits};
}
bool is_for(int bits, int least) {
    return simd::engine() != simd::Engine::scalar && bits >= least && bits <= simd::largest_bits;
}

// f<columns>() for the columns of a shape; all are left where there is no such copy.
template <int First = 2, int Last = 10, class Function>
u32 with_columns(int columns, const Function &f) {
    if (columns == First)
        return f.template operator()<First>();
    if constexpr (First < Last)
        return with_columns<First + 1, Last>(columns, f);
    return all_left;
}
// Elements [first, first + n) of 32, as bits.
u32 some(int first, int n) {
    return static_cast<u32>(((u64{1} << n) - 1) << first);
}

} // namespace

u32 engine_power(const Column &out, const Column &a, const Column &e, const Column &m, int bits,
                 int count) {
    if (!is_for(bits, simd::min_power_bits) || a.bits > 2 * bits)
        return all_left;
    const simd::Shape shape = simd::modulus_shape(bits);
    return with_columns(shape.columns, [&]<int Columns>() {
        using namespace simd;
        return e.stride == 0
                   ? power<Columns, Timing::variable, Exponents::shared>(
                         target(out), operand(a), operand(e), operand(m), shape.windows, count)
                   : power<Columns, Timing::variable, Exponents::any>(
                         target(out), operand(a), operand(e), operand(m), shape.windows, count);
    });
}

u32 engine_multiply_modulo(const Column &out, const Column &a, const Column &b, const Column *c,
                           const Column &m, int bits, int count) {
    if (!is_for(bits, simd::min_remainder_bits))
        return all_left;
    const simd::Shape shape = simd::plain_shape(bits);
    const simd::Operand third = c == nullptr ? simd::Operand{} : operand(*c);
    return simd::in_groups(count, [&](int groups, int first) {
        return with_columns(shape.columns, [&]<int Columns>() {
            simd::ModularProducts<Columns> products;
            return products.run(target(out), operand(a), operand(b),
                                c == nullptr ? nullptr : &third, nullptr, operand(m), shape.windows,
                                groups, first, count);
        });
    });
}

u32 engine_multiply(const Column &out, const Column &a, const Column &b, int bits, int count) {
    if (!is_for(bits, simd::min_product_bits))
        return all_left;
    const simd::Shape shape = simd::plain_shape(bits);
    u32 left = 0;
    for (int first = 0; first < count; first += simd::lanes) {
        const int here = count - first < simd::lanes ? count - first : simd::lanes;
        if (here < simd::min_product_elements) {
            left |= some(first, here);
        } else {
            left |= with_columns(shape.columns, [&]<int Columns>() -> u32 {
                simd::multiply_block<Columns>(target(out), operand(a), operand(b), shape.windows,
                                              first, count - 1,
                                              static_cast<unsigned>(some(0, here)));
                return 0;
            });
        }
    }
    return left;
}

u32 engine_square_root(const Column &out, const Column &a, int count) {
    if (!is_for(a.bits, simd::min_root_bits))
        return all_left;
    const simd::Shape shape = simd::plain_shape(a.bits);
    return simd::in_groups(count, [&](int groups, int first) {
        return with_columns(shape.columns, [&]<int Columns>() {
            simd::NumberRoots<Columns> roots;
            return roots.run(target(out), operand(a), a.is_signed, groups, first, count);
        });
    });
}

const char *engine_name() {
    return simd::name(simd::engine());
}
std::size_t elements_at_once(int bits) {
    return simd::elements_at_once(bits);
}
#else
u32 engine_power(const Column &, const Column &, const Column &, const Column &, int, int) {
    return ~u32{0};
}
u32 engine_multiply_modulo(const Column &, const Column &, const Column &, const Column *,
                           const Column &, int, int) {
    return ~u32{0};
}
u32 engine_multiply(const Column &, const Column &, const Column &, int, int) {
    return ~u32{0};
}
u32 engine_square_root(const Column &, const Column &, int) {
    return ~u32{0};
}
const char *engine_name() {
    return "scalar";
}
std::size_t elements_at_once(int) {
    return 1;
}
#endif

} // namespace core
