// SPDX-License-Identifier: Apache-2.0
// Small kernels, one per operation and width, for listing.py: what the compiler makes of them, not
// how fast they run. Every kernel loads its operands from global memory as whole numbers, computes
// and stores the result.
//
// LISTING_OPERATION (the name of a class below) and LISTING_BITS choose the kernel.
#include <warpint/bigint.h>

#include <cstdint>
#include <type_traits>

namespace listing {

using warpint::BigInt;

constexpr int bits = LISTING_BITS;
using N = BigInt<bits>;
using Wide = BigInt<2 * bits>;

// Operations with the loads and stores of an interesting one and next to no arithmetic: their
// instructions are taken off.
struct frame_n_n_n {
    __device__ N operator()(const N &a, const N &b) const { return a ^ b; }
};
struct frame_n_n_wide {
    __device__ Wide operator()(const N &a, const N &b) const {
        Wide r;
        for (int i = 0; i < N::limb_count; ++i) {
            r.limbs[i] = a.limbs[i] ^ b.limbs[i];
            r.limbs[N::limb_count + i] = a.limbs[i] ^ ~b.limbs[i];
        }
        return r;
    }
};
struct frame_n_wide {
    __device__ Wide operator()(const N &a) const {
        Wide r;
        for (int i = 0; i < N::limb_count; ++i) {
            r.limbs[i] = ~a.limbs[i];
            r.limbs[N::limb_count + i] = a.limbs[i] ^ 0x55555555u;
        }
        return r;
    }
};
struct frame_n_n_bool {
    __device__ bool operator()(const N &a, const N &b) const {
        std::uint32_t folded = 0;
        for (int i = 0; i < N::limb_count; ++i)
            folded ^= a.limbs[i] ^ b.limbs[i];
        return folded != 0;
    }
};
struct frame_n_int_n {
    __device__ N operator()(const N &a, std::uint32_t k) const {
        N r;
        for (int i = 0; i < N::limb_count; ++i)
            r.limbs[i] = a.limbs[i] ^ k;
        return r;
    }
};

struct add {
    using Frame = frame_n_n_n;
    __device__ N operator()(const N &a, const N &b) const { return a + b; }
};
struct sub {
    using Frame = frame_n_n_n;
    __device__ N operator()(const N &a, const N &b) const { return a - b; }
};
struct mul {
    using Frame = frame_n_n_wide;
    __device__ Wide operator()(const N &a, const N &b) const { return a * b; }
};
struct sqr {
    using Frame = frame_n_wide;
    __device__ Wide operator()(const N &a) const { return warpint::sqr(a); }
};
struct mul_low {
    using Frame = frame_n_n_n;
    __device__ N operator()(const N &a, const N &b) const { return warpint::mul_low(a, b); }
};
struct mul_high {
    using Frame = frame_n_n_n;
    __device__ N operator()(const N &a, const N &b) const { return warpint::mul_high(a, b); }
};
struct divmod {
    using Frame = frame_n_n_wide;
    struct Result {
        N quotient, remainder;
    };
    __device__ Result operator()(const N &a, const N &b) const {
        const auto r = warpint::divmod(a, b);
        return {r.quotient, r.remainder};
    }
};
struct less {
    using Frame = frame_n_n_bool;
    __device__ bool operator()(const N &a, const N &b) const { return a < b; }
};
struct equal {
    using Frame = frame_n_n_bool;
    __device__ bool operator()(const N &a, const N &b) const { return a == b; }
};
struct shift_left {
    using Frame = frame_n_int_n;
    __device__ N operator()(const N &a, std::uint32_t k) const { return a << k; }
};
struct shift_right {
    using Frame = frame_n_int_n;
    __device__ N operator()(const N &a, std::uint32_t k) const { return a >> k; }
};

template <class Operation, class Result, class... Operands>
__device__ void run(Result *r, const Operands *...operands) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const auto compute = [](const Operands... values) { return Operation{}(values...); };
    r[i] = compute(operands[i]...);
}

template <class Operation>
concept OneOperand = requires(Operation f, N a) { f(a); };

// The second operand's type.
template <class Operation>
using Second =
    std::conditional_t<std::is_same_v<typename Operation::Frame, frame_n_int_n>, std::uint32_t, N>;

template <class Operation, class B>
__device__ void run_any(void *r, const N *a, const B *b) {
    if constexpr (OneOperand<Operation>) {
        run<Operation>(static_cast<decltype(Operation{}(N{})) *>(r), a);
    } else {
        run<Operation>(static_cast<decltype(Operation{}(N{}, B{})) *>(r), a, b);
    }
}

using Operation = LISTING_OPERATION;

extern "C" __global__ void kernel(void *r, const N *a, const Second<Operation> *b) {
    run_any<Operation>(r, a, b);
}
extern "C" __global__ void frame(void *r, const N *a, const Second<Operation> *b) {
    run_any<Operation::Frame>(r, a, b);
}

} // namespace listing
