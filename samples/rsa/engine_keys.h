// SPDX-License-Identifier: Apache-2.0
// New keys: the primes are found in batches, on the GPU too; what follows from them is a few
// functions of numbers.
//
// The conditions are those of FIPS 186-5, appendix A.1.1 and A.1.3, for k = bits / 2:
//   - e = 65537, and e is prime to p - 1 and q - 1;
//   - p and q have k bits, of which the two highest are 1: both are above sqrt(2) 2^(k - 1);
//   - |p - q| > 2^(k - 100);
//   - d = 1 / e modulo lcm(p - 1, q - 1), and d > 2^k.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>

#include "device.h"
#include "engine_width.h"
#include "error.h"
#include "parallel.h"
#include "random_primes.h"

namespace rsa {

using warpint::BigInt;

template <int Bits>
Bytes big_endian(const BigInt<Bits> &number) {
    const auto all = to_bytes(number, std::endian::big);
    const auto first = std::find_if(all.begin(), all.end(), [](auto byte) { return byte != 0; });
    return Bytes(first, all.end());
}

// None where a condition does not hold.
template <int Bits>
std::optional<PrivateKey> key_of_primes(const BigInt<Bits / 2> &one, const BigInt<Bits / 2> &other,
                                        int bits) {
    constexpr int half = Bits / 2;
    const int k = bits / 2;
    const BigInt<32> e = 65537;
    const BigInt<half> p = max(one, other);
    const BigInt<half> q = min(one, other);
    if (p % e == 1u || q % e == 1u || p - q <= BigInt<half>(1) << (k - 100))
        return std::nullopt;
    const BigInt<Bits> d = *inverse(e, lcm(p - 1u, q - 1u));
    if (d <= BigInt<Bits>(1) << k)
        return std::nullopt;
    const BigInt<Bits> n = p * q;
    const BigInt<half> dp = d % (p - 1u);
    const BigInt<half> dq = d % (q - 1u);
    const BigInt<half> coefficient = *inverse(q, p);

    // A new key must decrypt what it encrypts.
    sample::SystemRandom generator;
    const BigInt<Bits> message = random_below(n, generator);
    const BigInt<Bits> cipher = pow(message, e, n);
    const BigInt<half> m1 = pow(cipher, dp, p);
    const BigInt<half> m2 = pow(cipher, dq, q);
    if (submod(m1, m2, p) * coefficient % p * q + m2 != message)
        throw sample::Error("a new key does not decrypt what it encrypts: a fault in the "
                            "computation");
    return PrivateKey{{big_endian(n), big_endian(BigInt<32>(e))},
                      big_endian(d),
                      big_endian(p),
                      big_endian(q),
                      big_endian(dp),
                      big_endian(dq),
                      big_endian(coefficient)};
}

template <int Bits, class Place>
std::vector<PrivateKey> generate_on(int bits, std::size_t count) {
    std::vector<PrivateKey> keys;
    while (keys.size() < count) {
        std::vector<std::optional<PrivateKey>> found(count - keys.size());
        const auto primes = sample::random_primes<Bits / 2, Place>(2 * found.size(), bits / 2);
        sample::parallel_for(
            found.size(),
            [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i != last; ++i)
                    found[i] = key_of_primes<Bits>(primes[2 * i], primes[2 * i + 1], bits);
            },
            1);
        for (std::optional<PrivateKey> &key : found) {
            if (key)
                keys.push_back(std::move(*key));
        }
    }
    return keys;
}

template <int Bits>
std::vector<PrivateKey> generate_keys(int bits, std::size_t count, bool on_gpu) {
    return on_gpu ? generate_on<Bits, sample::OnDevice>(bits, count)
                  : generate_on<Bits, sample::OnHost>(bits, count);
}

} // namespace rsa
