// Number theory: gcd, lcm, gcd_ext, jacobi, inverse.
#pragma once

#include "modular/gcd.h"
#include "modular/inverse.h"
