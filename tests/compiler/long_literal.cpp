// SPDX-License-Identifier: Apache-2.0
// A literal of 32768 bits, which takes a compiler seconds, not minutes: its value is
// computed once, not once a limb.
#include <warpint/bigint.h>

#include <cstddef>
#include <utility>

using namespace warpint;

// 0x0123456789abcdef0123...ef_bi
template <std::size_t... I>
constexpr auto spell(std::index_sequence<I...>) {
    return operator""_bi < '0', 'x', "0123456789abcdef"[I % 16]...>();
}

constexpr BigInt<32768> value = spell(std::make_index_sequence<8192>());
static_assert(value.limbs[0] == 0x89abcdef && value.limbs[1022] == 0x89abcdef &&
              value.limbs[1023] == 0x01234567);
