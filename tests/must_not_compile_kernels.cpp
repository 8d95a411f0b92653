// SPDX-License-Identifier: Apache-2.0
// Functions that nvcc cannot pass to a kernel, given to map: see must_not_compile.cpp. Compiled as
// CUDA. What to write instead is in the guide, which the tests compile. A case is one line, which
// clang-format would break.
// clang-format off

#include <warpint/vector.h>

using namespace warpint;

struct OfTheHost {
    BigInt<256> operator()(const BigInt<256> &x) const { return x + 1; }
};
inline BigInt<256> function(BigInt<256> x) { return x + 1; }

#if CASE == 4
__global__ void kernel(device_vector<BigInt<256>> *vector) { vector->data()[threadIdx.x] = 5; }
#endif

void program(device_vector<BigInt<256>> &a);
void program(device_vector<BigInt<256>> &a) {
#if CASE == 1 // map: write the lambda as .. __host__ __device__ .* nvcc --extended-lambda, or use a function object
    a = map([](const BigInt<256> &x) { return x + 1; }, a);
#elif CASE == 2 // map: a GPU cannot call a pointer to a function of the host: use a function object
    a = map(function, a);
#elif CASE == 3 // calling a __host__ function\(.OfTheHost.*from a __device__ function.*call_function_that_must_be_device
    a = map(OfTheHost{}, a);
#elif CASE == 4 // calling a __host__ function\(.*batch_vector.*data\(\).*from a __global__ function
    kernel<<<1, 1>>>(&a);
#elif CASE == 5 // map: write the type that a __device__ lambda returns: .. __device__ .* -> T
    a = map([] __device__ (const BigInt<256> &x) { return x; }, a); // nvcc --extended-lambda
#endif
}
