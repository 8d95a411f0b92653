// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <vector>

namespace perf {

#if defined(WARPINT_PERF_HAS_GMP)

Element::Element() {
    mpz_inits(a, b, c, e, m, w, result, remainder, nullptr);
}
Element::~Element() {
    mpz_clears(a, b, c, e, m, w, result, remainder, nullptr);
}

namespace reference {

void add(Element &x) {
    mpz_add(x.result, x.a, x.b);
}
void subtract(Element &x) {
    mpz_sub(x.result, x.a, x.b);
}
void shift(Element &x) {
    mpz_mul_2exp(x.result, x.a, 37);
}
void less(Element &x) {
    mpz_set_ui(x.result, mpz_cmp(x.a, x.b) < 0 ? 1 : 0);
}
void multiply(Element &x) {
    mpz_mul(x.result, x.a, x.b);
}
void square(Element &x) {
    mpz_mul(x.result, x.a, x.a);
}
void multiply_modulo(Element &x) {
    mpz_mul(x.result, x.a, x.b);
    mpz_mod(x.result, x.result, x.m);
}
void square_modulo(Element &x) {
    mpz_mul(x.result, x.a, x.a);
    mpz_mod(x.result, x.result, x.m);
}
void multiply_512_times(Element &x) {
    mpz_powm_ui(x.result, x.b, 512, x.m);
    mpz_mul(x.result, x.result, x.a);
    mpz_mod(x.result, x.result, x.m);
}
void add_modulo(Element &x) {
    mpz_add(x.result, x.a, x.b);
    mpz_mod(x.result, x.result, x.m);
}
void subtract_modulo(Element &x) {
    mpz_sub(x.result, x.a, x.b);
    mpz_mod(x.result, x.result, x.m);
}
void multiply_add_modulo(Element &x) {
    mpz_mul(x.result, x.a, x.b);
    mpz_add(x.result, x.result, x.c);
    mpz_mod(x.result, x.result, x.m);
}
void power(Element &x) {
    mpz_powm(x.result, x.a, x.e, x.m);
}
void power_65537(Element &x) {
    mpz_powm_ui(x.result, x.a, 65537, x.m);
}
void divide_with_remainder(Element &x) {
    mpz_fdiv_qr(x.result, x.remainder, x.w, x.m);
}
void divide(Element &x) {
    mpz_fdiv_q(x.result, x.a, x.b);
}
void square_root(Element &x) {
    mpz_sqrt(x.result, x.a);
}
void greatest_common_divisor(Element &x) {
    mpz_gcd(x.result, x.a, x.b);
}
void inverse(Element &x) {
    if (mpz_invert(x.result, x.a, x.m) == 0)
        mpz_set_ui(x.result, 0); // an element without a value is 0
}

} // namespace reference

namespace {

class Reader {
public:
    explicit Reader(Device device) : device_(device) {}

    void read(mpz_t out, const void *from, std::size_t index, std::size_t bytes) {
        room_.resize(bytes);
        copy_to_host(device_, room_.data(), static_cast<const char *>(from) + index * bytes, bytes);
        mpz_import(out, bytes, -1, 1, 0, 0, room_.data());
    }

    void read(mpz_t out, const Numbers &numbers, std::size_t index) {
        const std::size_t bytes = 4 * static_cast<std::size_t>((numbers.bits + 31) / 32);
        if (numbers.limbs == nullptr)
            return;
        if (numbers.count == 1) { // shared: always on the host
            mpz_import(out, bytes, -1, 1, 0, 0, numbers.limbs);
        } else {
            read(out, numbers.limbs, index, bytes);
        }
    }

private:
    Device device_;
    std::vector<char> room_;
};

} // namespace

Check check(const Batch &batch, Reference reference) {
    constexpr std::size_t most = 16;
    const std::size_t samples = std::min(batch.count, most);
    Reader reader(batch.device);
    Element x;
    mpz_t ours;
    mpz_init(ours);
    bool right = true;
    for (std::size_t k = 0; k < samples; ++k) {
        const std::size_t i = samples == 1 ? 0 : k * (batch.count - 1) / (samples - 1);
        reader.read(x.a, batch.a, i);
        reader.read(x.b, batch.b, i);
        reader.read(x.c, batch.c, i);
        reader.read(x.e, batch.e, i);
        reader.read(x.m, batch.m, i);
        reader.read(x.w, batch.w, i);
        reference(x);
        mpz_fdiv_r_2exp(x.result, x.result, static_cast<mp_bitcnt_t>(batch.result_bits));
        reader.read(ours, batch.result, i, batch.result_bytes);
        right = right && mpz_cmp(ours, x.result) == 0;
        if (batch.remainder != nullptr) {
            reader.read(ours, batch.remainder, i,
                        4 * static_cast<std::size_t>((batch.m.bits + 31) / 32));
            right = right && mpz_cmp(ours, x.remainder) == 0;
        }
    }
    mpz_clear(ours);
    return {right ? Verdict::right : Verdict::wrong, samples};
}

Check check_sum(Device device, const Numbers &numbers, const std::uint32_t *total, int total_bits) {
    const std::size_t limbs = static_cast<std::size_t>((numbers.bits + 31) / 32);
    std::vector<std::uint32_t> host(numbers.count * limbs);
    copy_to_host(device, host.data(), numbers.limbs, 4 * host.size());
    mpz_t sum, x;
    mpz_inits(sum, x, nullptr);
    for (std::size_t i = 0; i < numbers.count; ++i) {
        mpz_import(x, limbs, -1, 4, 0, 0, host.data() + i * limbs);
        mpz_add(sum, sum, x);
    }
    mpz_import(x, static_cast<std::size_t>((total_bits + 31) / 32), -1, 4, 0, 0, total);
    const bool right = mpz_cmp(sum, x) == 0;
    mpz_clears(sum, x, nullptr);
    return {right ? Verdict::right : Verdict::wrong, numbers.count};
}

void random_prime(std::uint32_t *limbs, int bits, std::uint64_t seed) {
    const std::size_t count = static_cast<std::size_t>((bits + 31) / 32);
    fill(Device::cpu, {limbs, 1, bits}, Shape::odd, seed);
    mpz_t p;
    mpz_init(p);
    mpz_import(p, count, -1, 4, 0, 0, limbs);
    mpz_nextprime(p, p);
    std::fill(limbs, limbs + count, 0);
    mpz_export(limbs, nullptr, -1, 4, 0, 0, p);
    mpz_clear(p);
}

#else

namespace reference {
void add(Element &) {}
void subtract(Element &) {}
void shift(Element &) {}
void less(Element &) {}
void multiply(Element &) {}
void square(Element &) {}
void multiply_modulo(Element &) {}
void square_modulo(Element &) {}
void multiply_512_times(Element &) {}
void add_modulo(Element &) {}
void subtract_modulo(Element &) {}
void multiply_add_modulo(Element &) {}
void power(Element &) {}
void power_65537(Element &) {}
void divide_with_remainder(Element &) {}
void divide(Element &) {}
void square_root(Element &) {}
void greatest_common_divisor(Element &) {}
void inverse(Element &) {}
} // namespace reference

Check check(const Batch &, Reference) {
    return {};
}

Check check_sum(Device, const Numbers &, const std::uint32_t *, int) {
    return {};
}

void random_prime(std::uint32_t *limbs, int bits, std::uint64_t seed) {
    fill(Device::cpu, {limbs, 1, bits}, Shape::odd, seed); // odd, and maybe not prime
}

#endif

} // namespace perf
