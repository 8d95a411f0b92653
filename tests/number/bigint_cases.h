// SPDX-License-Identifier: Apache-2.0
// Properties of BigInt<N> and SignedBigInt<N>, templates over the width, instantiated by
// bigint_small_test.cpp, bigint_medium_test.cpp, bigint_curve_test.cpp, bigint_large_test.cpp and
// (the wide ones with properties of their own) bigint_wide_test.cpp.
//
// Every result is compared with the law: the exact value in unbounded integers (test::Integer),
// stored in the result's type. The result's type is checked at compile time.
#pragma once

#include "bigint_bit_cases.h"
#include "bigint_conversion_cases.h"
#include "bigint_operands.h"
#include "bigint_operator_cases.h"
