// SPDX-License-Identifier: Apache-2.0
#include "gmp_peer.h"

#ifdef PRIMES_WITH_GMP

#include <gmp.h>

#include "parallel.h"

namespace primes {

std::string gmp_name() {
    return std::string("GMP ") + gmp_version;
}

std::vector<bool> gmp_are_prime(const std::string &start, const Pairs &pairs, std::size_t first,
                                std::size_t last) {
    constexpr int baillie_psw = 24; // rounds; those of Miller and Rabin begin with the 25th
    std::vector<char> verdicts(last - first);
    sample::parallel_for(verdicts.size(), [&](std::size_t begin, std::size_t end) {
        mpz_t base, n;
        mpz_init_set_str(base, start.c_str(), 10);
        mpz_init(n);
        for (std::size_t i = begin; i != end; ++i) {
            mpz_add_ui(n, base, pairs.offset[first + i]);
            verdicts[i] = mpz_probab_prime_p(n, baillie_psw) != 0;
        }
        mpz_clears(base, n, nullptr);
    });
    return {verdicts.begin(), verdicts.end()};
}

} // namespace primes

#else

namespace primes {

std::string gmp_name() {
    return {};
}

std::vector<bool> gmp_are_prime(const std::string &, const Pairs &, std::size_t, std::size_t) {
    return {};
}

} // namespace primes

#endif
