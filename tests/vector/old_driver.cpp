// SPDX-License-Identifier: Apache-2.0
// Stands for the CUDA driver of a machine, one too old for any CUDA runtime of this library: built
// as libcuda.so.1 for the fault "old_driver".

extern "C" int cuInit(unsigned);
extern "C" int cuDriverGetVersion(int *version);

int cuInit(unsigned) {
    return 0;
}
int cuDriverGetVersion(int *version) {
    *version = 8000;
    return 0;
}
