// SPDX-License-Identifier: Apache-2.0
// A user's program: squares the Mersenne prime 2^127 - 1 and tests 2^255 - 19 after Fermat.

#include <cstdio>
#include <string>
#include <warpint/warpint.h>

using warpint::BigInt;

int main() {
    // Names are found without a using-directive, also those of formulas whose operands name no type
    // of it.
    const warpint::host_vector<BigInt<64>> odd = warpint::indices(5) * 2 + 1;
    if (odd[4] != 9 || sum(odd) != sum(2 * warpint::indices(5) + 1)) {
        std::puts("wrong formula");
        return 1;
    }

    const BigInt<127> mersenne = BigInt<127>::parse("170141183460469231731687303715884105727");
    const std::string square = to_string(mersenne * mersenne);
    if (square != "28948022309329048855892746252171976962977213799489202546401021394546514198529") {
        std::printf("wrong square: %s\n", square.c_str());
        return 1;
    }

    const BigInt<255> prime = BigInt<255>(0) - 19; // wraps to 2^255 - 19
    const BigInt<255> power = pow(BigInt<255>(3), prime - 1, prime);
    if (power != 1) {
        std::printf("wrong power: %s\n", to_string(power).c_str());
        return 1;
    }

    std::puts("consumer: correct");
    return 0;
}
