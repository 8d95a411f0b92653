// Number theory: gcd, lcm, gcd_ext, jacobi, inverse, sqrt_mod, crt, primality, next_prime and
// random primes.
#pragma once

#include "modular/crt.h"
#include "modular/gcd.h"
#include "modular/inverse.h"
#include "modular/next_prime.h"
#include "modular/prime.h"
#include "modular/sqrt_mod.h"
