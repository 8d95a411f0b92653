// SPDX-License-Identifier: Apache-2.0
// PTX instructions with the carry flag, one function each, also on pairs of limbs. Chains of them
// are written in chain.h: the statements are volatile and follow one another with nothing in
// between that writes the flag.
#pragma once

#include "config.h"

namespace warpint::limb::ptx {

using u32 = std::uint32_t;

// Whether this pass of the compiler has instructions for these limbs.
template <class Limb>
inline constexpr bool exists = WARPINT_DEVICE_PASS != 0 && sizeof(Limb) == 4;

#if WARPINT_DEVICE_PASS
// clang-format off
__device__ __forceinline__ u32 add_cc(u32 a, u32 b)   { u32 r; asm volatile("add.cc.u32 %0, %1, %2;"   : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ u32 addc_cc(u32 a, u32 b)  { u32 r; asm volatile("addc.cc.u32 %0, %1, %2;"  : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ u32 addc(u32 a, u32 b)     { u32 r; asm volatile("addc.u32 %0, %1, %2;"     : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ u32 sub_cc(u32 a, u32 b)   { u32 r; asm volatile("sub.cc.u32 %0, %1, %2;"   : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ u32 subc_cc(u32 a, u32 b)  { u32 r; asm volatile("subc.cc.u32 %0, %1, %2;"  : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ u32 subc(u32 a, u32 b)     { u32 r; asm volatile("subc.u32 %0, %1, %2;"     : "=r"(r) : "r"(a), "r"(b)); return r; }
// r -= b where the condition is not 0, else nothing.
__device__ __forceinline__ void sub_cc_if(u32 &r, u32 b, u32 condition)  { asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p sub.cc.u32 %0, %0, %1; }"  : "+r"(r) : "r"(b), "r"(condition)); }
__device__ __forceinline__ void subc_cc_if(u32 &r, u32 b, u32 condition) { asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p subc.cc.u32 %0, %0, %1; }" : "+r"(r) : "r"(b), "r"(condition)); }
__device__ __forceinline__ u32 mad_lo_cc(u32 a, u32 b, u32 c)  { u32 r; asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;"  : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ u32 madc_lo_cc(u32 a, u32 b, u32 c) { u32 r; asm volatile("madc.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ u32 madc_hi_cc(u32 a, u32 b, u32 c) { u32 r; asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ u32 madc_hi(u32 a, u32 b, u32 c)    { u32 r; asm volatile("madc.hi.u32 %0, %1, %2, %3;"    : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ u32 mul_lo(u32 a, u32 b)   { u32 r; asm volatile("mul.lo.u32 %0, %1, %2;"   : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ u32 mul_hi(u32 a, u32 b)   { u32 r; asm volatile("mul.hi.u32 %0, %1, %2;"   : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __forceinline__ void mul_wide(u32 &low, u32 &high, u32 a, u32 b) { asm volatile("{ .reg .u64 t; mul.wide.u32 t, %2, %3; mov.b64 {%0, %1}, t; }" : "=r"(low), "=r"(high) : "r"(a), "r"(b)); }
// Sets the flag to carry (0 or 1), or to borrow (0 or 1) for a subtraction.
__device__ __forceinline__ void set_carry(u32 carry)   { asm volatile("{ .reg .u32 t; add.cc.u32 t, %0, 0xffffffff; }" :: "r"(carry)); }
__device__ __forceinline__ void set_borrow(u32 borrow) { asm volatile("{ .reg .u32 t; sub.cc.u32 t, 0, %0; }" :: "r"(borrow)); }
// clang-format on

__device__ __forceinline__ std::uint64_t mul_pair(u32 a, u32 b) {
    std::uint64_t product;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
    return product;
}

// pair + a b, low limb first, so that ptxas makes one wide multiply-add of it.
__device__ __forceinline__ std::uint64_t mad_pair_cc(u32 a, u32 b, std::uint64_t pair) {
    asm volatile("{\n\t.reg .u32 low, high;\n\t"
                 "mov.b64 {low, high}, %0;\n\t"
                 "mad.lo.cc.u32 low, %1, %2, low;\n\t"
                 "madc.hi.cc.u32 high, %1, %2, high;\n\t"
                 "mov.b64 %0, {low, high};\n\t}"
                 : "+l"(pair)
                 : "r"(a), "r"(b));
    return pair;
}
__device__ __forceinline__ std::uint64_t madc_pair_cc(u32 a, u32 b, std::uint64_t pair) {
    asm volatile("{\n\t.reg .u32 low, high;\n\t"
                 "mov.b64 {low, high}, %0;\n\t"
                 "madc.lo.cc.u32 low, %1, %2, low;\n\t"
                 "madc.hi.cc.u32 high, %1, %2, high;\n\t"
                 "mov.b64 %0, {low, high};\n\t}"
                 : "+l"(pair)
                 : "r"(a), "r"(b));
    return pair;
}

// pair + b in its low limb, and pair + carry in its high limb.
__device__ __forceinline__ std::uint64_t add_low_cc(std::uint64_t pair, u32 b) {
    asm volatile("{\n\t.reg .u32 low, high;\n\t"
                 "mov.b64 {low, high}, %0;\n\t"
                 "add.cc.u32 low, low, %1;\n\t"
                 "mov.b64 %0, {low, high};\n\t}"
                 : "+l"(pair)
                 : "r"(b));
    return pair;
}
__device__ __forceinline__ std::uint64_t addc_high(std::uint64_t pair) {
    asm volatile("{\n\t.reg .u32 low, high;\n\t"
                 "mov.b64 {low, high}, %0;\n\t"
                 "addc.u32 high, high, 0;\n\t"
                 "mov.b64 %0, {low, high};\n\t}"
                 : "+l"(pair));
    return pair;
}

#else // named on hosts, and never called
u32 add_cc(u32, u32), addc_cc(u32, u32), addc(u32, u32);
u32 sub_cc(u32, u32), subc_cc(u32, u32), subc(u32, u32);
u32 mad_lo_cc(u32, u32, u32), madc_lo_cc(u32, u32, u32);
u32 madc_hi_cc(u32, u32, u32), madc_hi(u32, u32, u32);
u32 mul_lo(u32, u32), mul_hi(u32, u32);
void sub_cc_if(u32 &, u32, u32), subc_cc_if(u32 &, u32, u32), mul_wide(u32 &, u32 &, u32, u32);
void set_carry(u32), set_borrow(u32);
std::uint64_t mul_pair(u32, u32), add_low_cc(std::uint64_t, u32), addc_high(std::uint64_t);
std::uint64_t mad_pair_cc(u32, u32, std::uint64_t), madc_pair_cc(u32, u32, std::uint64_t);
#endif

} // namespace warpint::limb::ptx
