// SPDX-License-Identifier: Apache-2.0
#include "soak/identities.h"

namespace {

constexpr warpint::BigInt<256> curve25519 = (warpint::BigInt<256>(1) << 255) - 19u;
constexpr warpint::BigInt<256> secp256k1 =
    warpint::BigInt<256>(0) - (warpint::BigInt<256>(1) << 32) - 977u;
constexpr warpint::BigInt<521> mersenne521 = ~warpint::BigInt<521>(0);

} // namespace

TEST_CASE("soak: residues") {
    soak::try_residues<64>();
    soak::try_residues<256>();
}
TEST_CASE("soak: static residues") {
    soak::try_static_residues<warpint::StaticResidue<curve25519>>("modulo 2^255 - 19", curve25519);
    soak::try_static_residues<warpint::StaticResidue<secp256k1>>("modulo secp256k1's prime",
                                                                 secp256k1);
    soak::try_static_residues<warpint::StaticResidue<mersenne521>>("modulo 2^521 - 1", mersenne521);
}
