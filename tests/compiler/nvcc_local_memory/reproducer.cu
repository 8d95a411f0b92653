// SPDX-License-Identifier: Apache-2.0
// nvcc 13.0 (V13.0.88) gives two local arrays that are alive at the same time one address. Nothing
// of warpint is used here: plain loops over arrays, no inline assembly, no undefined behaviour. The
// host's half of the same functions is the reference.
//
//   nvcc -std=c++17 -arch=sm_90 reproducer.cu -o reproducer && ./reproducer
//
// prints "64 of 64 words are wrong". Right with any of
//
//   -Xcicc=--Xopt,-disable-ReuseLocalMemoryPass
//   -Xcicc=--Xllc,-no-stack-coloring
//   -G
//
// In the kernel's PTX the last call of multiply_odd() has one address for its operands a and b,
// which are `form.words` and `unit` in leave_form() (README.md).
#include <cstdio>

constexpr int words = 64;

#define BOTH __host__ __device__
#define INLINED __host__ __device__ __forceinline__

struct Modulus {
    unsigned inverse;
    unsigned odd[words];
    unsigned even[words];
    int zeros;
    int shift;
};

struct alignas(16) Number {
    unsigned words[::words];
};

// Two functions that are called. What they compute does not matter.
BOTH __noinline__ void multiply_odd(unsigned *r, const unsigned *a, const unsigned *b,
                                    const unsigned *m, unsigned inverse) {
    for (int i = 0; i < words; ++i)
        r[i] = a[i] + b[i] * inverse + m[i];
}
BOTH __noinline__ void multiply_even(unsigned *r, const unsigned *a, const unsigned *b,
                                     const unsigned *m, int shift) {
    for (int i = 0; i < words; ++i)
        r[i] = a[i] + (b[i] << shift) + m[i];
}

INLINED void multiply(unsigned *r, const unsigned *a, const unsigned *b, const Modulus &m) {
    if (m.zeros == 0)
        multiply_odd(r, a, b, m.odd, m.inverse);
    else
        multiply_even(r, a, b, m.even, m.shift);
}

struct Form {
    alignas(16) unsigned words[::words];
    const Modulus *modulus;

    INLINED explicit Form(const Modulus *m) : words{}, modulus{m} {}
};

INLINED Form form_of(const Number &x, const Modulus &m) {
    Form r(&m);
    for (int i = 0; i < words; ++i)
        r.words[i] = x.words[i];
    return r;
}
INLINED Form product(const Form &a, const Form &b) {
    Form r(a.modulus);
    multiply(r.words, a.words, b.words, *a.modulus);
    return r;
}
INLINED Number leave_form(const Form &form) {
    const Modulus &m = *form.modulus;
    unsigned plain[words]{};
    if (m.zeros == 0) {
        unsigned unit[words]{};
        unit[0] = 1;
        multiply(plain, form.words, unit, m);
    } else {
        for (int i = 0; i < words; ++i)
            plain[i] = form.words[i] >> m.shift;
    }
    Number r;
    for (int i = 0; i < words; ++i)
        r.words[i] = plain[i];
    return r;
}

// The operands must be temporaries of a function that is inlined, not of the kernel itself.
INLINED Form product_of(const Number &a, const Number &b, const Modulus &m) {
    return product(form_of(a, m), form_of(b, m));
}

__global__ void merges_live_arrays(Number *r, const Number *a, const Number *b, const Modulus m) {
    *r = leave_form(product_of(*a, *b, m));
}

int main() {
    static Modulus m;
    static Number a, b, r;
    m.inverse = 3;
    for (int i = 0; i < words; ++i) {
        m.odd[i] = 5 * i + 1;
        a.words[i] = 1000 * i;
        b.words[i] = 7 * i + 2;
    }
    Number *device = nullptr;
    cudaMalloc(&device, 3 * sizeof(Number));
    cudaMemcpy(device + 1, &a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(device + 2, &b, sizeof(b), cudaMemcpyHostToDevice);
    merges_live_arrays<<<1, 1>>>(device, device + 1, device + 2, m);
    cudaMemcpy(&r, device, sizeof(r), cudaMemcpyDeviceToHost);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        return 2;
    }
    const Number expected = leave_form(product_of(a, b, m));
    int wrong = 0;
    for (int i = 0; i < words; ++i)
        wrong += r.words[i] != expected.words[i];
    std::printf("%d of %d words are wrong; word 5 is %u and should be %u\n", wrong, words,
                r.words[5], expected.words[5]);
    return wrong != 0;
}
