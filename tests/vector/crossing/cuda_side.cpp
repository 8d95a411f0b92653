// SPDX-License-Identifier: Apache-2.0
// The other side of crossing.h, compiled as CUDA.
#define SIDE cuda_side
#include "side.h"
