// Modular arithmetic and number theory in kernels: every function against the host's result for the
// same operands, which the other tests hold to GMP. Operands of every class, moduli of both
// parities.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/constant_time.h>
#include <warpint/modular.h>
#include <warpint/number_theory.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace {

using namespace warpint;
using test::from_integer;
using test::Integer;

#define BOTH __host__ __device__

template <int N>
BOTH BigInt<N> or_zero(const Optional<BigInt<N>> &x) {
    return x.has_value() ? *x : BigInt<N>(0u);
}

struct MulMod {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &m) {
        return mulmod(a, b, m) ^ mulmod(a, b, Modulus<N>(m)) ^ submod(a, b, m) ^ addmod(a, b, m);
    }
};
struct Pow {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &m) {
        return pow(a, b, m);
    }
};
struct Inverse {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &, const BigInt<N> &m) {
        return or_zero(inverse(a, m));
    }
};
struct Gcd {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &) {
        return gcd(a, b);
    }
};
struct Bezout {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &) {
        const auto all = gcd_ext(a, b);
        return all.gcd ^ BigInt<N>(all.x) ^ BigInt<N>(BigInt<N>(all.y) << 1);
    }
};
struct Jacobi {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &, const BigInt<N> &m) {
        return BigInt<N>(jacobi(a, m | 1) + 1);
    }
};
struct Residues {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &m) {
        const Modulus<N> modulus(m);
        const auto x = modulus(a);
        const auto y = modulus(b);
        return (x * x + 3 * y - x * y + sqr(y) - 5).value();
    }
};
struct Prime {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &, const BigInt<N> &) {
        return BigInt<N>(is_probable_prime(a | 1));
    }
};
struct NextPrime {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &, const BigInt<N> &) {
        return next_prime(a >> 2);
    }
};
// Modulo the Mersenne primes 2^31 - 1 and 2^127 - 1, and a composite.
struct SqrtMod {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &m) {
        constexpr int exponent = N >= 127 ? 127 : 31;
        const BigInt<N> p = (BigInt<N>(1u) << exponent) - 1;
        const BigInt<N> odd_or_small = (m | 1) & 0xffffu;
        return or_zero(sqrt_mod(a, p)) ^ or_zero(sqrt_mod(b, odd_or_small));
    }
};
struct ConstantTime {
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &m) {
        const BigInt<N> odd = m | 1;
        const auto x = inverse_ct(a, odd);
        return pow_ct(a, b, odd) ^ mulmod_ct(a, b, odd) ^ *x ^ select_ct(less_ct(a, b), a, b);
    }
};

constexpr auto secp256k1 = (BigInt<256>(0u) - (BigInt<256>(1u) << 32)) - 977;
constexpr auto prime25519 = (BigInt<255>(0u)) - 19;
constexpr auto prime_p256 =
    BigInt<256>::parse("0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
constexpr auto prime256 =
    BigInt<256>::parse("0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377");

struct StaticFields {
    template <class F, int N>
    static BOTH BigInt<N> formula(const BigInt<N> &a, const BigInt<N> &b) {
        const F x = a;
        const F y = b;
        return BigInt<N>((x * x + 3 * y - sqr(x - y) + x * y).value());
    }
    template <int N>
    static BOTH BigInt<N> run(const BigInt<N> &a, const BigInt<N> &b, const BigInt<N> &) {
        return formula<StaticResidue<secp256k1>>(a, b) ^ formula<StaticResidue<prime25519>>(a, b) ^
               formula<StaticResidue<prime_p256>>(a, b) ^ formula<StaticResidue<prime256>>(a, b);
    }
};

#if defined(__CUDACC__)

template <class Operation, int N>
__global__ void run_each(BigInt<N> *r, const BigInt<N> *a, const BigInt<N> *b, const BigInt<N> *m,
                         int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        r[i] = Operation::template run<N>(a[i], b[i], m[i]);
}

// Device memory with what CUDA calls return checked.
template <class T>
class Memory {
public:
    explicit Memory(const std::vector<T> &values) : count_(values.size()) {
        REQUIRE(cudaMalloc(&data_, count_ * sizeof(T)) == cudaSuccess);
        REQUIRE(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice) ==
                cudaSuccess);
    }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() { cudaFree(data_); }
    T *data() { return data_; }
    std::vector<T> read() const {
        std::vector<T> values(count_);
        REQUIRE(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost) ==
                cudaSuccess);
        return values;
    }

private:
    T *data_ = nullptr;
    std::size_t count_;
};

template <class Operation, int N>
std::vector<BigInt<N>> on_device(const std::vector<BigInt<N>> &a, const std::vector<BigInt<N>> &b,
                                 const std::vector<BigInt<N>> &m) {
    const int count = static_cast<int>(a.size());
    int devices = 0;
    std::vector<BigInt<N>> r(a.size());
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) { // the fallback of main.cpp
        for (std::size_t i = 0; i < a.size(); ++i)
            r[i] = Operation::template run<N>(a[i], b[i], m[i]);
        return r;
    }
    Memory<BigInt<N>> da(a), db(b), dm(m), dr(r);
    run_each<Operation, N>
        <<<(count + 127) / 128, 128>>>(dr.data(), da.data(), db.data(), dm.data(), count);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    return dr.read();
}

#endif

template <class Operation, int N>
void check(const char *name, long count) {
    test::OperandSource source(test::property_seed(name, N));
    std::vector<BigInt<N>> a, b, m;
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const auto triple = source.triple(N, N, N);
        a.push_back(from_integer<BigInt<N>>(triple.a));
        b.push_back(from_integer<BigInt<N>>(triple.b));
        m.push_back(from_integer<BigInt<N>>(triple.m));
    }
    const auto r = on_device<Operation, N>(a, b, m);
    long wrong = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r[i] != Operation::template run<N>(a[i], b[i], m[i]) && wrong++ == 0)
            first = i;
    }
    INFO(name, " at ", N, " bits: ", wrong, " of ", r.size(), " differ, first ", first,
         ": a = ", to_string(a[first], 16), ", b = ", to_string(b[first], 16),
         ", m = ", to_string(m[first], 16), "; WARPINT_TEST_SEED=", test::run_seed());
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("products, sums and residues") {
    check<MulMod, 31>("mulmod", 4000);
    check<MulMod, 131>("mulmod", 4000);
    check<MulMod, 256>("mulmod", 4000);
    check<Residues, 131>("residues", 4000);
    check<Residues, 256>("residues", 4000);
    check<StaticFields, 256>("static residues", 8000);
}
TEST_CASE("powers") {
    check<Pow, 64>("pow", 4000);
    check<Pow, 256>("pow", 2000);
    check<Pow, 3072>("pow", 300); // beyond the registers: called functions
}
TEST_CASE("gcd, inverse, jacobi") {
    check<Gcd, 33>("gcd", 8000);
    check<Gcd, 256>("gcd", 8000);
    check<Gcd, 1024>("gcd", 1000);
    check<Bezout, 131>("gcd_ext", 4000);
    check<Inverse, 31>("inverse", 8000);
    check<Inverse, 256>("inverse", 8000);
    check<Inverse, 1024>("inverse", 1000);
    check<Jacobi, 131>("jacobi", 8000);
}
TEST_CASE("primality and square roots") {
    check<Prime, 33>("is_probable_prime", 8000);
    check<Prime, 256>("is_probable_prime", 2000);
    check<NextPrime, 64>("next_prime", 1000);
    check<SqrtMod, 64>("sqrt_mod", 2000);
    check<SqrtMod, 131>("sqrt_mod", 1000);
}
TEST_CASE("constant time") {
    check<ConstantTime, 131>("constant time", 2000);
    check<ConstantTime, 256>("constant time", 2000);
}
