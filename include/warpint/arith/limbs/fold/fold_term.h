// SPDX-License-Identifier: Apache-2.0
// What is added to a product before its reduction: in a thread (fold.h) and over lanes
// (arith/lanes/modular.h).
#pragma once

namespace warpint::arith {

enum class FoldTerm { none, plus, minus, plus_product, minus_product };

} // namespace warpint::arith
