// SPDX-License-Identifier: Apache-2.0
// Curves modulo numbers of up to Bits bits. Each width is compiled in a file of its own, made from
// curves_width.cpp.in: compiles stay small and run side by side.
#pragma once

#include "curves.h"

namespace ecm {

template <int Bits>
std::unique_ptr<Curves> curves_of_width(const Number &n, bool gpu);

} // namespace ecm
