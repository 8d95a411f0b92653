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
void disjunction(Element &x) {
    mpz_ior(x.result, x.a, x.b);
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
void square_512_times(Element &x) {
    mpz_set_ui(x.result, 1);
    mpz_mul_2exp(x.result, x.result, 512);
    mpz_powm(x.result, x.a, x.result, x.m);
}
void add_512_times(Element &x) {
    mpz_mul_ui(x.result, x.b, 512);
    mpz_add(x.result, x.result, x.a);
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
void power_wide(Element &x) {
    mpz_powm(x.result, x.a, x.w, x.m);
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

void copy(Element &x) {
    mpz_set(x.result, x.a);
}
void power_of_two(Element &x) {
    mpz_set_ui(x.result, 2);
    mpz_powm(x.result, x.result, x.e, x.m);
}

// out = 1 / R modulo m.
static void radix_inverse(mpz_t out, const mpz_t m) {
    mpz_set_ui(out, 1);
    mpz_mul_2exp(out, out, (mpz_sizeinbase(m, 2) + 31) / 32 * 32);
    mpz_invert(out, out, m);
}
void montgomery_multiply(Element &x) {
    radix_inverse(x.result, x.m);
    mpz_mul(x.result, x.result, x.a);
    mpz_mul(x.result, x.result, x.b);
    mpz_mod(x.result, x.result, x.m);
}
void montgomery_multiply_512_times(Element &x) {
    radix_inverse(x.result, x.m);
    mpz_mul(x.result, x.result, x.b);
    mpz_powm_ui(x.result, x.result, 512, x.m);
    mpz_mul(x.result, x.result, x.a);
    mpz_mod(x.result, x.result, x.m);
}
void montgomery_square_512_times(Element &x) {
    radix_inverse(x.result, x.m);
    for (int i = 0; i < 512; ++i) { // a = a^2 / R
        mpz_mul(x.a, x.a, x.a);
        mpz_mul(x.a, x.a, x.result);
        mpz_mod(x.a, x.a, x.m);
    }
    mpz_set(x.result, x.a);
}
void multiply_and_fold(Element &x) {
    const mp_bitcnt_t bits = (mpz_sizeinbase(x.b, 2) + 31) / 32 * 32;
    mpz_set(x.result, x.a);
    for (int i = 0; i < 64; ++i) {
        mpz_mul(x.result, x.result, x.b);
        mpz_fdiv_q_2exp(x.remainder, x.result, bits);
        mpz_fdiv_r_2exp(x.result, x.result, bits);
        mpz_xor(x.result, x.result, x.remainder);
    }
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
        if (numbers.shared) {
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

Check check(const Batch &batch, Reference reference, std::size_t most) {
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

Check check_text(Device device, const Numbers &numbers, const std::vector<std::string> &lines,
                 std::size_t most) {
    const std::size_t samples = std::min(numbers.count, most);
    bool right = lines.size() == numbers.count;
    Reader reader(device);
    mpz_t x;
    mpz_init(x);
    for (std::size_t k = 0; right && k < samples; ++k) {
        const std::size_t i = samples == 1 ? 0 : k * (numbers.count - 1) / (samples - 1);
        reader.read(x, numbers.limbs, i, 4 * static_cast<std::size_t>((numbers.bits + 31) / 32));
        std::string text(mpz_sizeinbase(x, 10) + 2, '\0');
        mpz_get_str(text.data(), 10, x);
        text.resize(text.find('\0'));
        right = text == lines[i];
    }
    mpz_clear(x);
    return {right ? Verdict::right : Verdict::wrong, samples};
}

RsaKey rsa_key(int bits) {
    const std::size_t half = static_cast<std::size_t>((bits / 2 + 31) / 32);
    const auto limbs_of = [](const mpz_t x, std::size_t size) {
        std::vector<std::uint32_t> limbs(size);
        mpz_export(limbs.data(), nullptr, -1, 4, 0, 0, x);
        return limbs;
    };
    mpz_t n, e, d, p, q, p1, q1, t;
    mpz_inits(n, e, d, p, q, p1, q1, t, nullptr);
    mpz_set_ui(e, 65537);
    std::vector<std::uint32_t> random(half);
    const auto draw = [&](mpz_t prime, mpz_t less_one) {
        do { // with the two top bits set, so that the product has all its bits
            fill(Device::cpu, {random.data(), 1, bits / 2}, Shape::odd);
            random.back() |= 0xc0000000u;
            mpz_import(prime, half, -1, 4, 0, 0, random.data());
            mpz_nextprime(prime, prime);
            mpz_sub_ui(less_one, prime, 1);
            mpz_gcd(t, less_one, e);
        } while (mpz_cmp_ui(t, 1) != 0);
    };
    draw(p, p1);
    draw(q, q1);
    mpz_mul(n, p, q);
    mpz_lcm(t, p1, q1);
    mpz_invert(d, e, t);
    RsaKey key;
    key.n = limbs_of(n, 2 * half);
    key.d = limbs_of(d, 2 * half);
    key.p = limbs_of(p, half);
    key.q = limbs_of(q, half);
    mpz_mod(t, d, p1);
    key.dp = limbs_of(t, half);
    mpz_mod(t, d, q1);
    key.dq = limbs_of(t, half);
    mpz_invert(t, q, p);
    key.coefficient = limbs_of(t, half);
    mpz_clears(n, e, d, p, q, p1, q1, t, nullptr);
    return key;
}

void random_prime(std::uint32_t *limbs, int bits) {
    const std::size_t count = static_cast<std::size_t>((bits + 31) / 32);
    fill(Device::cpu, {limbs, 1, bits}, Shape::odd);
    mpz_t p;
    mpz_init(p);
    mpz_import(p, count, -1, 4, 0, 0, limbs);
    mpz_nextprime(p, p);
    std::fill(limbs, limbs + count, 0);
    mpz_export(limbs, nullptr, -1, 4, 0, 0, p);
    mpz_clear(p);
}

#else // rows run, and say that they are unchecked

namespace reference {
void add(Element &) {}
void subtract(Element &) {}
void shift(Element &) {}
void less(Element &) {}
void disjunction(Element &) {}
void multiply(Element &) {}
void square(Element &) {}
void multiply_modulo(Element &) {}
void square_modulo(Element &) {}
void multiply_512_times(Element &) {}
void square_512_times(Element &) {}
void add_512_times(Element &) {}
void add_modulo(Element &) {}
void subtract_modulo(Element &) {}
void multiply_add_modulo(Element &) {}
void power(Element &) {}
void power_wide(Element &) {}
void power_65537(Element &) {}
void divide_with_remainder(Element &) {}
void divide(Element &) {}
void square_root(Element &) {}
void greatest_common_divisor(Element &) {}
void inverse(Element &) {}
void copy(Element &) {}
void power_of_two(Element &) {}
void montgomery_multiply(Element &) {}
void montgomery_multiply_512_times(Element &) {}
void montgomery_square_512_times(Element &) {}
void multiply_and_fold(Element &) {}
} // namespace reference

Check check(const Batch &, Reference, std::size_t) {
    return {};
}

Check check_sum(Device, const Numbers &, const std::uint32_t *, int) {
    return {};
}

Check check_text(Device, const Numbers &, const std::vector<std::string> &, std::size_t) {
    return {};
}

void random_prime(std::uint32_t *limbs, int bits) {
    fill(Device::cpu, {limbs, 1, bits}, Shape::odd); // odd, and maybe not prime
}

#endif

Check check_sorted(Device device, const Numbers &before, const Numbers &after) {
    const std::size_t size = static_cast<std::size_t>((before.bits + 31) / 32);
    std::vector<std::uint32_t> host(before.count * size);
    const auto hashes = [&](const Numbers &numbers) {
        copy_to_host(device, host.data(), numbers.limbs, 4 * host.size());
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < before.count; ++i) {
            std::uint64_t hash = 0;
            for (std::size_t k = 0; k < size; ++k)
                hash = (hash ^ host[i * size + k]) * 0x9e3779b97f4a7c15u;
            sum += hash ^ hash >> 32;
        }
        return sum;
    };
    bool right = before.count == after.count && hashes(before) == hashes(after);
    for (std::size_t i = 1; i < after.count; ++i) { // the host's copy is now of those after
        const auto number = [&](std::size_t k) {
            return host.rbegin() + static_cast<std::ptrdiff_t>((after.count - 1 - k) * size);
        };
        right = right && !std::lexicographical_compare(
                             number(i), number(i) + static_cast<std::ptrdiff_t>(size),
                             number(i - 1), number(i - 1) + static_cast<std::ptrdiff_t>(size));
    }
    return {right ? Verdict::right : Verdict::wrong, after.count};
}

} // namespace perf
