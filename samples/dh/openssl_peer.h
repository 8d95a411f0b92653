// SPDX-License-Identifier: Apache-2.0
// The same key agreements by OpenSSL alone: what the demo compares with, in results and in speed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exchange.h"
#include "groups.h"

namespace dh {

// Whether OpenSSL's group of this name has the same prime and the generator 2.
bool openssl_has_group(const Group &group);

// Whether OpenSSL computes the same public key and the same secret.
bool openssl_confirms(const Group &group, const Agreement &agreement);

struct OpenSslRates {
    double key_pairs = 0; // per second
    double secrets = 0;   // per second; the public keys are not checked while this is measured
};

// The rates of so many threads together, each measured for about `seconds`. OpenSSL computes in
// constant time, with private keys of the same length.
OpenSslRates openssl_rates(const Group &group, std::size_t threads, double seconds);

// Name and version.
std::string openssl_name();

} // namespace dh
