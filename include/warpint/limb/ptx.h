// SPDX-License-Identifier: Apache-2.0
// PTX instructions with the carry flag, one function each. Chains of them are written in chain.h:
// the statements are volatile and follow one another with nothing in between that writes the flag.
#pragma once

#include "config.h"

#if WARPINT_DEVICE_PASS

namespace warpint::limb::ptx {

using u32 = std::uint32_t;

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

} // namespace warpint::limb::ptx

#endif
