// SPDX-License-Identifier: Apache-2.0
// Vectors of residues of a modulus in their type, against GMP.
#include "residue_batch.h"

using namespace residue_batch;

namespace {

template <class S, class R, bool every>
void check_static() {
    check_formulas<S, R::bits, every>(
        to_integer(R::modulus()), [&](const auto &numbers) { return vector_in<S, R>(numbers); });
}

constexpr auto prime_25519 = (BigInt<256>(1) << 255) - 19;
constexpr auto some_odd = BigInt<96>::parse("54321098765432109876543210987");

} // namespace

TEST_CASE_TEMPLATE("residues of a modulus in their type", S, test::OnDevice) {
    check_static<S, StaticResidue<prime_25519>, false>();
#if !defined(WARPINT_CHECKED_ONLY)
    check_static<S, StaticResidue<some_odd>, true>();
#endif
}
