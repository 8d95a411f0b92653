// SPDX-License-Identifier: Apache-2.0
// WarpInt against BigInt: every operator and function, on the host over lanes in lock step and,
// compiled as CUDA, in kernels, where the numbers of a warp call together (Together::warp) or each
// with its own lanes only (Together::number, every other number of a warp leaves early).

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>
#include <warpint/warp_int.h>

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

using namespace warpint;

// Values go to a row of slots, each zero but for what was put there.
template <int SlotLimbs>
struct Sink {
    std::uint32_t *slots;
    int used = 0;

    template <class T>
    WARPINT_HOST_DEVICE void put(const T &value) {
        std::uint32_t *const slot = slots + SlotLimbs * used++;
        if constexpr (WarpNumber<T>) {
            static_assert(T::limb_count <= SlotLimbs);
            value.store(reinterpret_cast<typename T::plain *>(slot));
        } else if constexpr (BigNumber<T>) {
            static_assert(T::limb_count <= SlotLimbs);
            for (int i = 0; i < T::limb_count; ++i)
                slot[i] = value.limbs[i];
        } else {
            slot[0] = static_cast<std::uint32_t>(value); // all lanes write the same
        }
    }
};

// Every operator and function of two numbers; shift is in [-3, width + 3], count too.
template <class X, class Y, class S>
WARPINT_HOST_DEVICE void compute(const X &x, const Y &y, int shift, int count, bool flag, S &r) {
    r.put(x + y);
    r.put(x - y);
    r.put(x * y);
    r.put(x & y);
    r.put(x | y);
    r.put(x ^ y);
    r.put(~x);
    r.put(-x);
    r.put(x == y);
    r.put(x != y);
    r.put(x < y);
    r.put(x <= y);
    r.put(x > y);
    r.put(x >= y);
    r.put(x << shift);
    r.put(x >> shift);
    r.put(rotl(x, shift));
    r.put(rotr(x, shift));
    r.put(x + 7);
    r.put(x - (-3));
    r.put(x * 5u);
    r.put(3 * x);
    r.put(bit_width(x));
    r.put(popcount(x));
    r.put(countl_zero(x));
    r.put(countr_zero(x));
    r.put(has_single_bit(x));
    r.put(test_bit(x, shift));
    r.put(set_bit(x, shift, flag));
    r.put(extract_bits(x, shift, count));
    r.put(extract_bits<40>(x, shift));
    r.put(insert_bits(x, y, shift, count));
    r.put(sqr(x));
    r.put(abs(x));
    r.put(min(x, y));
    r.put(max(x, y));
    r.put(mul_low(x, y));
    r.put(mul_low(y, x));
    r.put(mul_low(x, 3u));
    r.put(mul_low(-7, y));
    r.put(mul_high(x, y));
    const auto sum = add_carry(x, y, flag);
    r.put(sum.value);
    r.put(sum.carry);
    const auto difference = sub_borrow(x, y, flag);
    r.put(difference.value);
    r.put(difference.borrow);
    const auto exact_sum = add_overflow(x, y);
    r.put(exact_sum.value);
    r.put(exact_sum.overflow);
    const auto exact_difference = sub_overflow(x, y);
    r.put(exact_difference.value);
    r.put(exact_difference.overflow);
    const auto exact_product = mul_overflow(x, y);
    r.put(exact_product.value);
    r.put(exact_product.overflow);
    r.put(x / y);
    r.put(x % y);
    const auto both = divmod(x, y);
    r.put(both.quotient);
    r.put(both.remainder);
    r.put(x % 12345u);
    if constexpr (!Y::is_signed) {
        r.put(mulmod(x, x, y));
        r.put(addmod(x, y, y));
        r.put(submod(5, x, y));
        r.put(sqrmod(x, y));
        r.put(pow(x, abs(x), y));
        r.put(pow(x, 3, y));
    }
    X t = x;
    t += y;
    t *= y;
    r.put(t);
    t *= 5u;
    t *= -3;
    t -= 3;
    t <<= 3;
    ++t;
    t ^= y;
    r.put(t);
    t >>= 1;
    t %= y;
    r.put(t);
    X u = x;
    swap(t, u);
    r.put(t);
    r.put(u);
    r.put(static_cast<bool>(x));
    r.put(static_cast<int>(x));
}
inline constexpr int slot_count = 69;

template <class A, class B>
inline constexpr int slot_limbs = (A::limb_count + B::limb_count + 2 * A::limb_count + 5) / 4 * 4;

template <class A, class B>
struct Case {
    A a;
    B b;
    int shift, count;
};

template <class A, int L, Together together>
using over = warp_int::Number<A::bits, L, together, A::is_signed>;

#if WARPINT_CUDA
template <class A, class B, int L, Together together>
__global__ void kernel(const Case<A, B> *cases, std::size_t n, std::uint32_t *slots) {
    using X = over<A, L, together>;
    using Y = over<B, L, together>;
    const std::size_t index = X::index();
    if (index >= n)
        return;
    // Numbers that wait for nobody: the odd ones come later.
    for (int turn = 0; turn < 2; ++turn) {
        if (together == Together::number && static_cast<int>(index % 2) != turn)
            continue;
        if (together == Together::warp && turn == 1)
            continue;
        Sink<slot_limbs<A, B>> sink{slots + index * slot_limbs<A, B> * slot_count};
        const X x(&cases[index].a);
        const Y y(&cases[index].b);
        compute(x, y, cases[index].shift, cases[index].count, index % 3 == 0, sink);
    }
}
#endif

template <class A, class B, int L, Together together>
void check(int count) {
    using X = over<A, L, together>;
    using Y = over<B, L, together>;
    constexpr int limbs = slot_limbs<A, B>;
    test::OperandSource source(test::property_seed("warp_int", A::bits * 64 + L));
    const std::size_t n = static_cast<std::size_t>(test::scaled(count));
    std::vector<Case<A, B>> cases;
    for (std::size_t i = 0; i < n; ++i) {
        const auto pair = source.pair(A::bits, B::bits);
        Case<A, B> c{test::from_integer<A>(pair.a), test::from_integer<B>(pair.b),
                     source.below(A::bits + 7) - 3, source.below(A::bits + 7) - 3};
        if (c.b == 0)
            c.b = B(1);
        cases.push_back(c);
    }
    const std::size_t words = n * limbs * slot_count;
    std::vector<std::uint32_t> expected(words + 4, 0);
    std::vector<std::uint32_t> got(words + 4, 0);
    // Slots lie on multiples of 16 bytes.
    const auto aligned = [](std::vector<std::uint32_t> &v) {
        const auto address = reinterpret_cast<std::uintptr_t>(v.data());
        return v.data() + (16 - address % 16) % 16 / 4;
    };
    for (std::size_t i = 0; i < n; ++i) {
        Sink<limbs> sink{aligned(expected) + i * limbs * slot_count};
        compute(cases[i].a, cases[i].b, cases[i].shift, cases[i].count, i % 3 == 0, sink);
        REQUIRE(sink.used <= slot_count);
    }
#if WARPINT_CUDA
    Case<A, B> *device_cases = nullptr;
    std::uint32_t *device_slots = nullptr;
    REQUIRE(cudaMalloc(&device_cases, n * sizeof(Case<A, B>)) == cudaSuccess);
    REQUIRE(cudaMalloc(&device_slots, words * 4) == cudaSuccess);
    REQUIRE(cudaMemset(device_slots, 0, words * 4) == cudaSuccess);
    REQUIRE(cudaMemcpy(device_cases, cases.data(), n * sizeof(Case<A, B>),
                       cudaMemcpyHostToDevice) == cudaSuccess);
    kernel<A, B, L, together><<<X::blocks(n, 64), 64>>>(device_cases, n, device_slots);
    REQUIRE(cudaMemcpy(aligned(got), device_slots, words * 4, cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    REQUIRE(cudaFree(device_cases) == cudaSuccess);
    REQUIRE(cudaFree(device_slots) == cudaSuccess);
#else
    for (std::size_t i = 0; i < n; ++i) {
        Sink<limbs> sink{aligned(got) + i * limbs * slot_count};
        const X x(&cases[i].a);
        const Y y(&cases[i].b);
        compute(x, y, cases[i].shift, cases[i].count, i % 3 == 0, sink);
    }
#endif
    long wrong = 0;
    for (std::size_t i = 0; i < n * slot_count; ++i) {
        if (std::memcmp(aligned(expected) + i * limbs, aligned(got) + i * limbs, limbs * 4) != 0) {
            INFO("result ", i % slot_count, " of ", cases[i / slot_count].a, " and ",
                 cases[i / slot_count].b, " shift ", cases[i / slot_count].shift, " count ",
                 cases[i / slot_count].count, ", ", L, " lanes");
            CHECK(++wrong == 0);
            if (wrong > 3)
                return;
        }
    }
}

// Types and values of conversions, the same everywhere.
template <int L>
void check_conversions() {
    using W = WarpInt<200, L>;
    static_assert(std::is_same_v<decltype(W(1) * W(2)), WarpInt<400, L>>);
    static_assert(std::is_same_v<decltype(W(1) - SignedWarpInt<201, L>(2)), SignedWarpInt<201, L>>);
    static_assert(std::is_same_v<decltype(W(1) / BigInt<64>(2)), W>);
    static_assert(std::is_same_v<decltype(W(1) % BigInt<64>(2)), WarpInt<64, L>>);
    static_assert(std::is_trivially_copyable_v<W>);
    static_assert(!std::is_convertible_v<const WarpInt<201, L> &, W>);
    static_assert(std::is_convertible_v<WarpInt<201, L>, W>);
    static_assert(std::is_convertible_v<const WarpInt<199, L> &, W>);
#if !WARPINT_CUDA
    const BigInt<200> plain = (BigInt<200>(1) << 199) + 12345;
    const W x(plain);
    CHECK(static_cast<BigInt<200>>(x) == plain);
    CHECK(static_cast<BigInt<200>>(W::load(&plain)) == plain);
    CHECK(static_cast<BigInt<100>>(WarpInt<100, L>(x)) == BigInt<100>(plain));
    CHECK(static_cast<SignedBigInt<300>>(SignedWarpInt<300, L>(-5)) == SignedBigInt<300>(-5));
    CHECK(static_cast<long long>(SignedWarpInt<300, L>(-5)) == -5);
    CHECK_THROWS_AS((void)(x / W(0)), std::domain_error);
    CHECK_THROWS_AS((void)pow(x, x, W(0)), std::domain_error);
    CHECK_THROWS_AS((void)pow(x, -1, W(7)), std::domain_error);
    CHECK(W::blocks(1000, 128) == (1000 + 128 / L - 1) / (128 / L));
#endif
}

} // namespace

TEST_CASE("WarpInt computes what BigInt computes") {
    check<BigInt<109>, BigInt<64>, 2, Together::number>(100);
    check<SignedBigInt<109>, BigInt<131>, 4, Together::warp>(100);
#if !WARPINT_CUDA // for the sake of compile time
    check<SignedBigInt<256>, SignedBigInt<97>, 1, Together::number>(100);
#endif
    check<BigInt<700>, BigInt<400>, 32, Together::warp>(30);
}
TEST_CASE("conversions of WarpInt") {
    check_conversions<1>();
    check_conversions<8>();
    check_conversions<32>();
}

// Positions and counts of any types: what does not fit an int lies beyond every number.
TEST_CASE("positions in WarpInt of any integer type") {
    using W = WarpInt<100, 4>;
    constexpr unsigned long long distant = 1ull << 40;
    const W one(1), abc(0xabc);
    const SignedWarpInt<100, 4> below_zero(-2);
    CHECK(test_bit(abc, BigInt<64>(3)));
    CHECK(!test_bit(one, 1ull << 32));
    CHECK(test_bit(below_zero, distant));
    CHECK(test_bit(SignedWarpInt<256, 4>(-2), 256)); // where the lanes have no bit above
    CHECK(set_bit(one, 5ull) == 33);
    CHECK(set_bit(one, 1ull << 32 | 1u) == 1);
    CHECK(rotl(one, 100 * distant + 3) == 8);
    CHECK(rotr(W(8), 100 * distant + 3) == 1);
    CHECK(rotl(W(8), -3ll) == 1);
    CHECK(extract_bits(abc, 4ull, 4) == 0xb);
    CHECK(extract_bits(abc, 4, distant) == 0xab);
    CHECK(warpint::extract_bits<4>(abc, 4ull) == 0xb);
    CHECK(warpint::extract_bits<4>(abc, distant) == 0);
    CHECK(insert_bits(W(0), 7, 4ull, 2ull) == 0x30);
    CHECK(insert_bits(W(0xff0), 7, 0ull, 2ull) == 0xff3);
    CHECK(insert_bits(one, abc, distant, 2) == 1);
    CHECK((one << distant) == 0);
    CHECK((one << 3ull) == 8);
    constexpr std::uint32_t most = 0xffffffff; // is not -1
    CHECK(rotl(one, most) == W(1) << 95);
    CHECK(rotr(one, most) == 32);
    CHECK(extract_bits(abc, 4u, most) == 0xab);
    CHECK(extract_bits(below_zero, most, 4) == 15);
    CHECK(insert_bits(W(0xff1), 7, 4, most) == 0x71);
}

// Products stored as they come from the rows.
TEST_CASE("store_product of WarpInt") {
    const auto check_lanes = []<int L, int Bits>(std::integer_sequence<int, L, Bits>) {
        using W = WarpInt<Bits, L>;
        static_assert(warp_int::has_stored_product<W>);
        test::OperandSource source(test::property_seed("store_product", Bits));
        for (int i = 0; i < 200; ++i) {
            const auto pair = source.pair(Bits, Bits);
            const auto a = test::from_integer<BigInt<Bits>>(pair.a);
            const auto b = test::from_integer<BigInt<Bits>>(pair.b);
            BigInt<2 * Bits> r{};
            store_product(W(&a), W(&b), &r);
            REQUIRE(test::to_integer(r) == pair.a * pair.b);
        }
    };
    check_lanes(std::integer_sequence<int, 1, 256>{});
    check_lanes(std::integer_sequence<int, 4, 512>{});
    check_lanes(std::integer_sequence<int, 4, 690>{}); // 22 limbs in 24 words
    check_lanes(std::integer_sequence<int, 32, 4096>{});
}

// Products and powers modulo m of numbers of one lane, which GPUs compute as one thread does, and
// of numbers that leave words of their lanes unused.
namespace {
template <int Bits, int L>
WARPINT_HOST_DEVICE void compute_modular(const BigInt<Bits> *operands, BigInt<Bits> *results) {
    using W = WarpInt<Bits, L>;
    const W a(operands), b(operands + 1), m(operands + 2);
    mulmod(a, b, m).store(results);
    pow(a, b, m).store(results + 1);
}
#if WARPINT_CUDA
template <int Bits, int L>
__global__ void modular_kernel(const BigInt<Bits> *operands, BigInt<Bits> *results, std::size_t n) {
    const std::size_t i = WarpInt<Bits, L>::index();
    if (i < n)
        compute_modular<Bits, L>(operands + 3 * i, results + 2 * i);
}
#endif
template <int Bits, int L>
void check_modular(std::size_t count) {
    using Number = BigInt<Bits>;
    test::OperandSource source(test::property_seed("warp_int modular", Bits));
    std::vector<test::Integer> expected;
    std::vector<Number> operands;
    for (std::size_t i = 0; i < count; ++i) {
        auto triple = source.triple(Bits, Bits, Bits);
        if (triple.m.is_zero())
            triple.m = 1;
        if (i % 4 == 1)
            triple.m = test::all_ones(Bits);
        if (i % 4 == 2)
            triple.a = triple.m - 1;
        expected.push_back(test::modulo(triple.a * triple.b, triple.m));
        expected.push_back(test::power_modulo(triple.a, triple.b, triple.m));
        operands.push_back(test::from_integer<Number>(triple.a));
        operands.push_back(test::from_integer<Number>(triple.b));
        operands.push_back(test::from_integer<Number>(triple.m));
    }
    std::vector<Number> results(2 * count);
#if WARPINT_CUDA
    Number *device = nullptr;
    REQUIRE(cudaMalloc(&device, 5 * count * sizeof(Number)) == cudaSuccess);
    REQUIRE(cudaMemcpy(device, operands.data(), 3 * count * sizeof(Number),
                       cudaMemcpyHostToDevice) == cudaSuccess);
    modular_kernel<Bits, L>
        <<<WarpInt<Bits, L>::blocks(count, 64), 64>>>(device, device + 3 * count, count);
    REQUIRE(cudaMemcpy(results.data(), device + 3 * count, 2 * count * sizeof(Number),
                       cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaFree(device) == cudaSuccess);
#else
    for (std::size_t i = 0; i < count; ++i)
        compute_modular<Bits, L>(&operands[3 * i], &results[2 * i]);
#endif
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO(Bits, " bits, ", L, " lanes, element ", i / 2, i % 2 == 0 ? ", product" : ", power");
        REQUIRE(test::to_integer(results[i]) == expected[i]);
    }
}
} // namespace
TEST_CASE("products and powers modulo m of WarpInt") {
    check_modular<320, 1>(200);
    check_modular<690, 4>(100);
}
