// SPDX-License-Identifier: Apache-2.0
// Numbers as text: parse, to_string, to_chars and from_chars, literals such as 0xffff_bi, streams,
// std::format where the standard library has it, and print(x) for kernels. All but literals take
// variable time. <warpint/bigint.h> includes this header.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "limb/config.h"
#include "number/print.h"
#if WARPINT_HOSTED
#include "number/format.h"
#include "number/literals.h"
#include "number/stream.h"
#include "number/text.h"
#endif

WARPINT_HEADER_END
#endif
