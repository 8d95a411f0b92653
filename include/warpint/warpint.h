// All of warpint except <warpint/gmp.h>.
#pragma once

#include "bigint.h"
#include "constant_time.h"
#include "modular.h"
#include "number_theory.h"
#include "random.h"
#include "text.h"
#include "vector.h"
