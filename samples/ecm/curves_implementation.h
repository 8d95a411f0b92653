// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <warpint/number_theory.h>

#include "curve.h"
#include "curves_width.h"
#include "device.h"
#include "error.h"
#include "plan.h"

namespace ecm {

using sample::OnDevice;
using sample::OnHost;

template <int Bits, class Place>
class CurvesOfWidth : public Curves {
    using Value = BigInt<Bits>;
    template <class T>
    using Vector = typename Place::template Vector<T>;

public:
    explicit CurvesOfWidth(const Number &modulus) : n(Value(modulus)) {}

    void start(const std::vector<std::uint32_t> &sigmas) override {
        Vector<std::uint32_t> sigma(sigmas);
        Vector<Value> u, v, t, d;
        u = (sqr(as<Value>(sigma)) - 5u) % n;
        v = 4u * as<Value>(sigma) % n;
        x = u * u % n * u % n;
        z = v * v % n * v % n;
        // (a + 2) / 4 = (v - u)^3 (3 u + v) / (16 u^3 v)
        t = (v - u) % n;
        d = 16u * x % n * v % n;
        a24 = t * t % n * t % n * (3u * u + v) % n * inverse(invertible(d), n) % n;
    }

    void stage_1(std::uint32_t b1, const std::function<void(double)> &progress) override {
        const std::vector<BigInt<4096>> parts = prime_powers(b1);
        for (const BigInt<4096> &k : parts) {
            const Multiply<Bits> multiply{n, k};
            const auto [host_x, host_z] = multiply(x.read(0), z.read(0), a24.read(0));
            tie(x, z) = map(multiply, x, z, a24);
            if (host_x != x.read(0) || host_z != z.read(0))
                throw sample::Error("stage 1 failed: the host computes a different point");
            progress(1. / static_cast<double>(parts.size()));
        }
        divisor = gcd(z, n.value());
    }

    void stage_2(std::uint32_t b1, std::uint32_t b2,
                 const std::function<void(double)> &progress) override {
        Vector<Value> product(x.size(), Value(1u));
        const std::vector<Steps> parts = stage_2_steps(b1, b2);
        for (const Steps &steps : parts) {
            const MultiplyDifferences<Bits> multiply{n, steps};
            const Value host = multiply(x.read(0), z.read(0), a24.read(0), product.read(0));
            product = map(multiply, x, z, a24, product);
            if (host != product.read(0))
                throw sample::Error("stage 2 failed: the host computes a different product");
            progress(1. / static_cast<double>(parts.size()));
        }
        divisor = gcd(product, n.value());
    }

    std::vector<Number> divisors() override { return numbers(divisor); }

    std::vector<Number> points() override {
        Vector<Value> result;
        result = x * inverse(invertible(z), n) % n;
        return numbers(result);
    }

private:
    // 1 in place of what has no inverse modulo n, so that no element has a fault. (A curve that is
    // made from such a number is none, but whatever divisor comes of it is one.)
    Vector<Value> invertible(const Vector<Value> &v) const {
        return select(gcd(v, n.value()) == 1u, v, Value(1u));
    }
    static std::vector<Number> numbers(const Vector<Value> &v) {
        const auto values = v.to_host();
        return {values.begin(), values.end()};
    }

    Modulus<Bits> n;
    Vector<Value> x, z, a24, divisor;
};

template <int Bits>
std::unique_ptr<Curves> curves_of_width(const Number &n, bool gpu) {
    if (gpu)
        return std::make_unique<CurvesOfWidth<Bits, OnDevice>>(n);
    return std::make_unique<CurvesOfWidth<Bits, OnHost>>(n);
}

} // namespace ecm
