// SPDX-License-Identifier: Apache-2.0
// The tests as batch formulas of warpint: what a reader of this sample came for.
#pragma once

#include <random>

#include <warpint/number_theory.h>
#include <warpint/text.h>

#include "candidates_width.h"
#include "device.h"

namespace primes {

using sample::OnDevice;
using sample::OnHost;
using warpint::BigInt;

template <int Bits, class Place>
class CandidatesOfWidth : public Candidates {
    using Number = BigInt<Bits>;
    template <class T>
    using Vector = typename Place::template Vector<T>;

public:
    CandidatesOfWidth(const std::string &lines, int base) { start.assign_text(lines, base); }

    std::vector<std::uint64_t> remainders(const Pairs &divisors) override {
        load(divisors);
        Vector<std::uint64_t> rest;
        rest = gather(start, which) % offset;
        return rest.to_host();
    }

    std::vector<bool> are_prime(const Pairs &numbers, int rounds) override {
        load(numbers);
        prime = is_probable_prime(as<Number>(gather(start, which) + offset));
        std::vector<bool> verdicts = host(prime);
        if (rounds > 0 && Bits > 64)
            add_miller_rabin(numbers, rounds, verdicts);
        return verdicts;
    }

    std::vector<std::string> text(const Pairs &numbers) override {
        load(numbers);
        n = gather(start, which) + offset;
        return to_strings(n);
    }

    std::vector<std::uint64_t> small_starts() override { return host(min(start, limit)); }
    std::vector<std::uint64_t> room() override { return host(min(~start, limit)); }
    std::size_t size() const override { return start.size(); }
    int bits() const override { return Bits; }
    bool on_gpu() const override { return Place::gpu; }

private:
    static constexpr std::uint64_t limit = std::uint64_t{1} << 63;

    void load(const Pairs &pairs) {
        which.assign(pairs.which.begin(), pairs.which.end());
        offset.assign(pairs.offset.begin(), pairs.offset.end());
    }

    // n - 1 = d 2^s with d odd. A prime n passes: x = base^d is 1, or one of x, x^2, ...,
    // x^(2^(s - 1)) is -1 modulo n. A composite odd n passes for at most a quarter of all bases.
    void miller_rabin(const Number &base) {
        shift = countr_zero(n - 1u);
        x = pow(base, as<Number>((n - 1u) >> shift), n);
        prime = (x <= 1u) | (x == n - 1u); // x = 0: the base is a multiple of n
        const auto most = static_cast<unsigned>(max(shift));
        for (unsigned square = 1; square < most; ++square) {
            x = x * x % n;
            prime = prime | ((square < shift) & (x == n - 1u));
        }
    }

    // Only what passed so far is tested again.
    void add_miller_rabin(const Pairs &numbers, int rounds, std::vector<bool> &verdicts) {
        std::random_device generator;
        for (int round = 0; round != rounds; ++round) {
            Pairs passed;
            std::vector<std::size_t> position;
            for (std::size_t i = 0; i != verdicts.size(); ++i) {
                if (verdicts[i]) {
                    passed.add(numbers.which[i], numbers.offset[i]);
                    position.push_back(i);
                }
            }
            if (position.empty())
                return;
            load(passed);
            n = gather(start, which) + offset;
            miller_rabin(warpint::random_bits<Bits>(generator));
            const std::vector<bool> verdict = host(prime);
            for (std::size_t i = 0; i != position.size(); ++i)
                verdicts[position[i]] = verdict[i];
        }
    }

    static std::vector<bool> host(const Vector<bool> &v) {
        const auto all = v.to_host();
        return std::vector<bool>(all.begin(), all.end());
    }
    template <class Formula>
    static std::vector<std::uint64_t> host(const Formula &formula) {
        Vector<std::uint64_t> v;
        v = formula;
        return v.to_host();
    }

    Vector<Number> start, n, x;
    Vector<std::uint32_t> which, shift;
    Vector<std::uint64_t> offset;
    Vector<bool> prime;
};

template <int Bits>
std::unique_ptr<Candidates> candidates_of_width(const std::string &lines, int base, bool gpu) {
    if (gpu)
        return std::make_unique<CandidatesOfWidth<Bits, OnDevice>>(lines, base);
    return std::make_unique<CandidatesOfWidth<Bits, OnHost>>(lines, base);
}

} // namespace primes
