// SPDX-License-Identifier: Apache-2.0
// Diffie-Hellman as batch formulas of warpint: what a reader of this sample came for.
#pragma once

#include <cstddef>

#include <warpint/bigint.h>
#include <warpint/constant_time.h>
#include <warpint/modular.h>
#include <warpint/random.h>
#include <warpint/vector.h>

#include "exchange.h"
#include "groups.h"
#include "parallel.h"
#include "system_random.h"

namespace dh {

using warpint::BigInt;
using warpint::host_vector;
using warpint::indices;
using warpint::Modulus;

// Private keys are as long as twice the strength of the group (RFC 7919, section 5.2, and appendix
// A), which is also OpenSSL's choice. The group's other exponents do not make it stronger.
template <int Bits>
inline constexpr int private_bits = Bits <= 2048   ? 225
                                    : Bits <= 3072 ? 275
                                                   : 325;

// Key agreement modulo a prime of Bits bits. Place: OnHost or OnDevice. A vector holds an element
// for each agreement of the batch.
template <int Bits, class Place>
class KeyAgreement {
public:
    static constexpr int bits = Bits;
    using Numbers = typename Place::template Vector<BigInt<Bits>>;
    template <int PrivateBits>
    using PrivateKeys = typename Place::template Vector<BigInt<PrivateBits>>;

    KeyAgreement(const Group &group, Timing timing)
        : constant_time(timing == Timing::constant), p(BigInt<Bits>::parse(group.prime, 16)) {}

    BigInt<Bits> prime() const { return p.value(); }

    // Uniform in [1, 2^private_bits).
    static PrivateKeys<private_bits<Bits>> private_keys(std::size_t count) {
        const auto most = BigInt<private_bits<Bits>>(0) - 1u;
        host_vector<BigInt<private_bits<Bits>>> x(count);
        sample::parallel_for(count, [&](std::size_t first, std::size_t last) {
            sample::SystemRandom generator;
            for (std::size_t i = first; i != last; ++i)
                x[i] = random_below(most, generator) + 1u;
        });
        return x;
    }

    // y = g^x mod p.
    template <int PrivateBits>
    void public_keys(Numbers &y, const PrivateKeys<PrivateBits> &x) const {
        if (constant_time)
            y = pow_ct(g, x, p);
        else
            y = pow(g, x, p); // one base for the whole batch: a comb, where it is faster
    }

    // secret = theirs^x mod p: what both sides know, and nobody else.
    template <int PrivateBits>
    void secrets(Numbers &secret, const Numbers &theirs, const PrivateKeys<PrivateBits> &x) const {
        if (constant_time)
            secret = pow_ct(theirs, x, p);
        else
            secret = pow(theirs, x, p);
    }

    // The first public key outside (1, p - 1), or their number if all are inside. A key outside
    // would make a secret that everybody can guess; modulo a safe prime no other check is needed
    // (RFC 7919, section 5.1).
    std::size_t first_invalid(const Numbers &y) const {
        const auto size = static_cast<std::uint64_t>(y.size());
        const auto invalid = (y <= 1) | (y >= prime() - 1u);
        return static_cast<std::size_t>(min(select(invalid, indices(y.size()), size)));
    }

private:
    bool constant_time;
    Modulus<Bits> p;
    BigInt<Bits> g = 2;
};

} // namespace dh
