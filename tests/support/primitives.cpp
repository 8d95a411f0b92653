// SPDX-License-Identifier: Apache-2.0
// The functions of single limbs, compiled optimised: a program that is not takes half of its time
// in them. It is linked before the sources of such a program, so that the linker takes these. (No
// rows or blocks of 64-bit limbs: those have other code where a compiler optimises.)

#include <warpint/warpint.h>

namespace warpint::limb {

#define WARPINT_INSTANTIATE_SINGLE(Limb)                                                           \
    template Limb add_carry(Limb, Limb, Limb &);                                                   \
    template Limb sub_borrow(Limb, Limb, Limb &);                                                  \
    template int countl_zero(Limb);                                                                \
    template int countr_zero(Limb);                                                                \
    template Limb value_barrier(Limb);                                                             \
    template Limb subtract_smaller(Limb &, Limb &, Limb &, Limb &);                                \
    template Limb subtract_smaller(Limb &, Limb &, Limb &, Limb &, Limb &, Limb &);
WARPINT_INSTANTIATE_SINGLE(std::uint8_t)
WARPINT_INSTANTIATE_SINGLE(std::uint16_t)
WARPINT_INSTANTIATE_SINGLE(std::uint32_t)
WARPINT_INSTANTIATE_SINGLE(std::uint64_t)

#define WARPINT_INSTANTIATE_PRODUCTS(Limb)                                                         \
    template Limb multiply_add(Limb, Limb, Limb, Limb &);                                          \
    template void multiply_wide(Limb &, Limb &, Limb, Limb);                                       \
    template struct Column<Limb>;                                                                  \
    template struct ProductChain<Limb>;
WARPINT_INSTANTIATE_PRODUCTS(std::uint8_t)
WARPINT_INSTANTIATE_PRODUCTS(std::uint16_t)
WARPINT_INSTANTIATE_PRODUCTS(std::uint32_t)
#if WARPINT_HAS_INT128
WARPINT_INSTANTIATE_PRODUCTS(std::uint64_t)
#endif

#define WARPINT_INSTANTIATE_SHORT(Limb)                                                            \
    template double_limb_t<Limb> join_halves(Limb, Limb);                                          \
    template Limb low_half(double_limb_t<Limb>);                                                   \
    template Limb high_half(double_limb_t<Limb>);                                                  \
    template double_limb_t<Limb> multiply_pair(Limb, Limb);                                        \
    template class PairChain<Limb>;                                                                \
    template Limb multiply_add_row(Limb *, const Limb *, int, Limb);
WARPINT_INSTANTIATE_SHORT(std::uint8_t)
WARPINT_INSTANTIATE_SHORT(std::uint32_t)

} // namespace warpint::limb
