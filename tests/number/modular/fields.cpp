// SPDX-License-Identifier: Apache-2.0
// Residues modulo constants of every shape that has a reduction of its own, and without one.
#include "cases.h"

namespace modular_test {
namespace {

constexpr auto one = BigInt<40>(1);
constexpr auto mersenne_61 = (BigInt<64>(1) << 61) - 1;
constexpr auto mersenne_127 = (BigInt<127>(0) - 1);
constexpr auto prime_25519 = BigInt<255>(0) - 19;
constexpr auto pseudo_mersenne_160 = BigInt<160>(0) - (BigInt<160>(1) << 32) - 1;
constexpr auto p224 = BigInt<224>(0) - (BigInt<224>(1) << 96) + 1;
constexpr auto p256 =
    BigInt<256>(0) - (BigInt<256>(1) << 224) + (BigInt<256>(1) << 192) + (BigInt<256>(1) << 96) - 1;
constexpr auto p384 =
    BigInt<384>(0) - (BigInt<384>(1) << 128) - (BigInt<384>(1) << 96) + (BigInt<384>(1) << 32) - 1;
constexpr auto p521 = BigInt<521>(0) - 1;
constexpr auto secp256k1 = BigInt<256>(0) - (BigInt<256>(1) << 32) - 977;
constexpr auto sm2 =
    BigInt<256>(0) - (BigInt<256>(1) << 224) - (BigInt<256>(1) << 96) + (BigInt<256>(1) << 64) - 1;
constexpr auto brainpool_p256 =
    BigInt<256>::parse("0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377");
constexpr auto even_192 = (BigInt<192>(12345678901u) << 150) + 98765432123456u;

using One = warpint::StaticResidue<one>;
using Mersenne61 = warpint::StaticResidue<mersenne_61>;
using Mersenne127 = warpint::StaticResidue<mersenne_127>;
using Prime25519 = warpint::StaticResidue<prime_25519>;
using PseudoMersenne160 = warpint::StaticResidue<pseudo_mersenne_160>;
using P224 = warpint::StaticResidue<p224>;
using P256 = warpint::StaticResidue<p256>;
using P384 = warpint::StaticResidue<p384>;
using P521 = warpint::StaticResidue<p521>;
using Secp256k1 = warpint::StaticResidue<secp256k1>;
using Sm2 = warpint::StaticResidue<sm2>;
using BrainpoolP256 = warpint::StaticResidue<brainpool_p256>;
using Even192 = warpint::StaticResidue<even_192>;

const Registration fields([] {
    add_static_sums<Mersenne127>(Constant::mersenne_127);
    add_static_sums<Prime25519>(Constant::prime_25519);
    add_static_sums<P256>(Constant::p256);
    add_static_sums<P384>(Constant::p384);
    add_static_sums<P521>(Constant::p521);
    add_static_sums<Secp256k1>(Constant::secp256k1);
    add_static_sums<BrainpoolP256>(Constant::brainpool_p256);
    add_static_powers<Prime25519>(Constant::prime_25519);
#if !defined(__CUDACC__) || defined(WARPINT_LONG_TESTS)
    add_static_sums<One>(Constant::one);
    add_static_sums<Mersenne61>(Constant::mersenne_61);
    add_static_sums<PseudoMersenne160>(Constant::pseudo_mersenne_160);
    add_static_sums<P224>(Constant::p224);
    add_static_sums<Sm2>(Constant::sm2);
    add_static_sums<Even192>(Constant::even_192);
    add_static_powers<One>(Constant::one);
    add_static_powers<Mersenne61>(Constant::mersenne_61);
    add_static_powers<Mersenne127>(Constant::mersenne_127);
    add_static_powers<PseudoMersenne160>(Constant::pseudo_mersenne_160);
    add_static_powers<P224>(Constant::p224);
    add_static_powers<P256>(Constant::p256);
    add_static_powers<P384>(Constant::p384);
    add_static_powers<P521>(Constant::p521);
    add_static_powers<Secp256k1>(Constant::secp256k1);
    add_static_powers<Sm2>(Constant::sm2);
    add_static_powers<BrainpoolP256>(Constant::brainpool_p256);
    add_static_powers<Even192>(Constant::even_192);
#endif
});

} // namespace
} // namespace modular_test
