// SPDX-License-Identifier: Apache-2.0
// Wide numbers at all widths (lanes_perf.h), and decryption by RSA-4096 in one power and by the
// Chinese remainder theorem. With arguments: only these widths, and "rsa".
#include "lanes_perf.h"

#include <cstring>

#define WARPINT_PERF_WIDTHS(use)                                                                   \
    use(1024) use(1536) use(2048) use(2100) use(3072) use(4096) use(8192) use(16384) use(32768)
#define WARPINT_PERF_DECLARE(bits) void measure_lanes_##bits(std::size_t count);
WARPINT_PERF_WIDTHS(WARPINT_PERF_DECLARE)

namespace {

using namespace perf;

// One key, `count` messages.
void measure_rsa(std::size_t count) {
    if (!device_info().gpu)
        count = 16;
    Philox generator(2026);
    const BigInt<65> e(65537);
    BigInt<2048> p{}, q{};
    const auto draw = [&] {
        BigInt<2048> prime{};
        do { // with the two top bits set, the product has 4096
            prime = random_prime<2048>(generator);
        } while (!test_bit(prime, 2046) || gcd(prime - 1, e) != 1);
        return prime;
    };
    p = draw();
    q = draw();
    const BigInt<4096> n = p * q;
    const BigInt<4096> d = *inverse(e, lcm(p - 1, q - 1));
    const BigInt<2048> dp = d % (p - 1), dq = d % (q - 1), q_inverse = *inverse(q, p);
    const auto plain = wide_batch<4000>(count, 7);
    device_vector<BigInt<4000>> messages(plain);
    device_vector<BigInt<4096>> secret(count, uninitialized), found(count, uninitialized);
    device_vector<BigInt<2048>> by_p(count, uninitialized), by_q(count, uninitialized);
    const double k = static_cast<double>(count);
    const auto check = [&](const char *what) {
        for (std::size_t i = 0; i < count; i += count / 32 + 1)
            require(found.read(i) == plain[i], what);
    };
    std::printf("RSA-4096 encryption, e = 65537        %14.0f /s\n",
                k / seconds([&] { secret = pow(messages, 65537, n); }, 3));
    std::printf("RSA-4096 decryption, one power        %14.0f /s\n",
                k / seconds([&] { found = pow(secret, d, n); }, 3));
    check("decryption by one power");
    std::printf("RSA-4096 decryption, two and the CRT  %14.0f /s\n",
                k / seconds(
                        [&] {
                            by_p = pow(secret % p, dp, p);
                            by_q = pow(secret % q, dq, q);
                            found = ((by_p - by_q) * q_inverse % p) * q + by_q;
                        },
                        3));
    check("decryption by the Chinese remainder theorem");
}

} // namespace

int main(int count, char **arguments) {
    print_machine();
    const auto wanted = [&](const char *name) {
        bool found = count == 1;
        for (int i = 1; i < count; ++i)
            found = found || std::strcmp(arguments[i], name) == 0;
        return found;
    };
    // 128 MB of an operand each.
#define WARPINT_PERF_MEASURE(bits)                                                                 \
    if (wanted(#bits))                                                                             \
        measure_lanes_##bits((std::size_t{1} << 30) / bits);
    WARPINT_PERF_WIDTHS(WARPINT_PERF_MEASURE)
    if (wanted("rsa"))
        measure_rsa(std::size_t{1} << 14);
}
