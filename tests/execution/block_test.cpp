// SPDX-License-Identifier: Apache-2.0
// What the threads of a block do together: a plain engine of products, in which every thread
// multiplies for its neighbour, so that a thread that is missing, late or early gives wrong values,
// and every seventh leaves its element undone. Products and squares; alone, twice in a formula,
// beside inverses; blocks that are not full; elements without a value. Against the same formulas of
// host vectors.
#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <random>
#include <string>
#include <vector>

namespace warpint::execution {

template <>
struct BlockEngine<void> : expression::NoEngine {
    template <class A, class B>
    static constexpr bool multiplies = std::is_same_v<A, B> && (std::is_same_v<A, BigInt<256>> ||
                                                                std::is_same_v<A, BigInt<512>>);

    struct Room {
        std::uint32_t limbs[tuning::row_threads][32];
        bool takes_part[tuning::row_threads];
    };
    Room *room;
#if WARPINT_CUDA
    template <class R, class A, class B>
    __device__ std::uint32_t multiply(R *out, int count, const A &a, const B &b) const {
        constexpr int n = A::bits / 32;
        const unsigned own = threadIdx.x, other = (own + 1) % tuning::row_threads;
        arith::copy<n>(room->limbs[own], a.value(0).limbs);
        arith::copy<n>(room->limbs[own] + n, b.value(0).limbs);
        room->takes_part[own] = count != 0;
        __syncthreads();
        BigInt<A::bits> x, y;
        arith::copy<n>(x.limbs, room->limbs[other]);
        arith::copy<n>(y.limbs, room->limbs[other] + n);
        const bool works = room->takes_part[other];
        __syncthreads();
        if (works) {
            const R product = x * y;
            arith::copy<2 * n>(room->limbs[other], product.limbs);
        }
        __syncthreads();
        const bool undone = own % 7 == 0;
        if (count != 0 && !undone)
            arith::copy<2 * n>(out->limbs, room->limbs[own]);
        __syncthreads();
        return undone;
    }
#endif
};

} // namespace warpint::execution

using namespace warpint;

namespace {

using Number = BigInt<256>;

template <template <class> class V>
struct Operands {
    V<Number> a, b;
    V<BigInt<32>> divisors; // some are 0
};

// The formulas, with the values and flags of each.
struct Results {
    std::vector<std::vector<BigInt<1024>>> values;
    std::vector<std::vector<bool>> masks;

    template <class Vector>
    void take(Vector got) {
        masks.push_back(got.error_mask());
        got.clear_errors();
        std::vector<BigInt<1024>> wide;
        for (const auto &x : got.to_host())
            wide.push_back(BigInt<1024>(x));
        values.push_back(std::move(wide));
    }
};
template <template <class> class V>
Results results(const Operands<V> &x, const Modulus<256> &m) {
    const std::size_t n = x.a.size();
    V<BigInt<512>> squares(n);
    V<Number> r(n);
    V<BigInt<1024>> fourth(n);
    Results found;
    found.take(squares = sqr(x.a));
    found.take(squares = x.a * x.b);
    found.take(r = sqr(x.a) ^ x.b);
    found.take(fourth = sqr(sqr(x.b)) + x.a);
    found.take(squares = sqr(x.a / x.divisors) - sqr(x.b & x.a));
    found.take(r = (inverse(x.a, m) * x.b + sqr(x.b)) % m);
    r = x.a;
    found.take(r = sqr(r) + r); // in place
    return found;
}

template <class T>
using Device = device_vector<T>;
template <class T>
using Host = host_vector<T>;

} // namespace

TEST_CASE("The threads of a block compute together") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: blocks are not tried");
        return;
    }
    std::mt19937_64 generator(11);
    const auto number = [&] {
        Number x;
        for (auto &limb : x.limbs)
            limb = static_cast<std::uint32_t>(generator());
        return x;
    };
    const Modulus<256> m(set_bit(set_bit(number(), 0), 255));
    for (const std::size_t count : {1u, 5u, 127u, 128u, 129u, 1000u, 70'001u}) {
        CAPTURE(count);
        std::vector<Number> a(count), b(count);
        std::vector<BigInt<32>> divisors(count);
        for (std::size_t i = 0; i < count; ++i) {
            a[i] = number();
            b[i] = number();
            divisors[i] = BigInt<32>(static_cast<std::uint32_t>(i % 7));
        }
        const Operands<Device> on_device{Device<Number>(a), Device<Number>(b),
                                         Device<BigInt<32>>(divisors)};
        const Operands<Host> on_host{Host<Number>(a), Host<Number>(b), Host<BigInt<32>>(divisors)};
        const std::string reason = explain(sqr(on_device.a) + 1u).reason;
        CHECK(reason.find("threads of a block") != std::string::npos);
        const Results got = results(on_device, m), wanted = results(on_host, m);
        REQUIRE(got.values.size() == wanted.values.size());
        for (std::size_t i = 0; i < got.values.size(); ++i) {
            CAPTURE(i);
            CHECK(got.masks[i] == wanted.masks[i]);
            CHECK(got.values[i] == wanted.values[i]);
        }
    }
}
