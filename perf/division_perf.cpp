// SPDX-License-Identifier: Apache-2.0
// Products modulo m and divisions from memory to memory, all operands different in each element,
// and with divisors of several lengths.
#include "support.h"

namespace {

using namespace perf;

// Numbers of `limbs` random limbs, the others zero; a few thousand distinct ones, repeated.
template <int Bits>
device_vector<BigInt<Bits>> batch_of(std::size_t count, std::uint64_t seed, int limbs) {
    auto numbers = random_batch<Bits>(std::min<std::size_t>(count, 4096), seed);
    for (auto &x : numbers) {
        for (int i = limbs; i < BigInt<Bits>::limb_count; ++i)
            x.limbs[i] = 0;
    }
    const std::size_t distinct = numbers.size();
    numbers.resize(count);
    for (std::size_t i = distinct; i < count; ++i)
        numbers[i] = numbers[i % distinct];
    return device_vector<BigInt<Bits>>(numbers);
}

// Seconds of one call among several that are queued one behind another.
template <class Body>
double queued(const Body &body) {
    constexpr int calls = 8;
    const double all = seconds([&] {
        for (int i = 0; i < calls; ++i)
            body();
    });
    return all / calls;
}

template <int Bits>
void measure(std::size_t count) {
    using Number = BigInt<Bits>;
    constexpr int limbs = Number::limb_count;
    if (!device_info().gpu)
        count /= 256;
    const auto a = batch_of<Bits>(count, 1, limbs);
    const auto b = batch_of<Bits>(count, 2, limbs);
    const auto m = batch_of<Bits>(count, 3, limbs);
    const auto w = batch_of<2 * Bits>(count, 4, 2 * limbs);
    device_vector<Number> c(count, uninitialized), r(count, uninitialized);
    device_vector<BigInt<2 * Bits>> wide(count, uninitialized);
    const Modulus<Bits> shared(set_bit(m.read(5), 0));
    const double n = static_cast<double>(count) / 1e9;
    const auto check = [&](const char *what, const auto &right) {
        for (std::size_t i = 0; i < count; i += count / 50 + 1)
            require(right(i), what);
    };

    std::printf("%d bits, 10^9 a second: a * b %% m %.2f", Bits,
                n / queued([&] { c = a * b % m; }));
    check("a * b % m",
          [&](std::size_t i) { return c.read(i) == a.read(i) * b.read(i) % m.read(i); });
    std::printf(", (a * b + b) %% m %.2f", n / queued([&] { c = (a * b + b) % m; }));
    check("(a * b + b) % m", [&](std::size_t i) {
        return c.read(i) == (BigInt<2 * Bits + 1>(a.read(i) * b.read(i)) + b.read(i)) % m.read(i);
    });
    std::printf(", a * b %% M %.2f", n / queued([&] { c = a * b % shared; }));
    std::printf(", a * b %.2f", n / queued([&] { wide = a * b; }));
    check("a * b", [&](std::size_t i) { return wide.read(i) == a.read(i) * b.read(i); });
    std::printf(", (a * b + b) %% M %.2f", n / queued([&] { c = (a * b + b) % shared; }));
    check("(a * b + b) % M", [&](std::size_t i) {
        return c.read(i) == muladdmod(a.read(i), b.read(i), b.read(i), shared);
    });
    std::printf(", divmod(w, m), quotient of %d bits %.2f", Bits,
                n / queued([&] { tie(c, r) = divmod(w, m); }));
    check("divmod(w, m)", [&](std::size_t i) {
        return c.read(i) == Number(w.read(i) / m.read(i)) && r.read(i) == w.read(i) % m.read(i);
    });
    std::printf(", of %d bits %.2f", 2 * Bits, n / queued([&] { tie(wide, r) = divmod(w, m); }));
    check("divmod(w, m)", [&](std::size_t i) {
        return wide.read(i) == w.read(i) / m.read(i) && r.read(i) == w.read(i) % m.read(i);
    });
    std::printf(", a / b with b of all, all but one, half, one limb");
    for (int length : {limbs, limbs - 1, limbs / 2, 1}) {
        const auto d = batch_of<Bits>(count, 7, length);
        std::printf(" %.2f", n / queued([&] { c = a / d; }));
        check("a / b", [&](std::size_t i) { return c.read(i) == a.read(i) / d.read(i); });
    }
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    measure<256>(std::size_t{1} << 23);
    measure<512>(std::size_t{1} << 22);
    measure<1024>(std::size_t{1} << 21);
}
