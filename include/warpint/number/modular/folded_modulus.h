// SPDX-License-Identifier: Apache-2.0
// A Modulus with the constants by which products modulo it are folded (arith/limbs/fold/fold.h).
// A formula holds one for all its elements, so that no thread derives the constants. Prepared once,
// on the host; read by GPUs.
#pragma once

#include "../../arith/limbs/fold/fold.h"
#include "modulus.h"

namespace warpint {

namespace number {

// Chooses the constructor without folds, for formulas that no GPU runs.
struct without_folds_t {};
inline constexpr without_folds_t without_folds;

// A Modulus whose products fold in registers: up to 1024 bits. What is folded are products of
// numbers, or of_forms those of forms of residues (forms.h), which an odd modulus does not fold.
// Trivially copyable; larger than the Modulus by two numbers.
template <int Bits, bool of_forms = false>
class FoldedModulus : public Modulus<Bits> {
    static constexpr int limbs = of_forms ? Modulus<Bits>::limb_count : BigInt<Bits>::limb_count;

public:
    using Fold = arith::PreparedFold<limbs, std::uint32_t>;

    FoldedModulus() = default;
    WARPINT_HOST_DEVICE constexpr explicit FoldedModulus(const Modulus<Bits> &modulus)
        : Modulus<Bits>{modulus}, fold_{} {
        if constexpr (of_forms) {
            if (!modulus.is_odd())
                fold_ = arith::prepare_folds<limbs>(modulus.form_modulus());
        } else {
            const BigInt<Bits> value = modulus.value();
            if (static_cast<bool>(value))
                fold_ = arith::prepare_folds<limbs>(&value.limbs[0]);
        }
    }
    constexpr FoldedModulus(const Modulus<Bits> &modulus, without_folds_t)
        : Modulus<Bits>{modulus}, fold_{} {}
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Fold &fold() const { return fold_; }
    // False for the modulus 0, and without folds.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool exists() const { return fold_.exists(); }

private:
    Fold fold_;
};
template <int Bits, bool of_forms>
struct modulus_traits<FoldedModulus<Bits, of_forms>> {
    static constexpr bool is_modulus = true;
};

// Whether products of numbers are folded.
template <class M>
inline constexpr bool is_folded_modulus = false;
template <int Bits>
inline constexpr bool is_folded_modulus<FoldedModulus<Bits>> = true;

// The type in which a formula holds a modulus of this width.
template <int Bits>
using formula_modulus_t = std::conditional_t<(BigInt<Bits>::limb_count <= arith::register_limbs),
                                             FoldedModulus<Bits>, Modulus<Bits>>;

} // namespace number

} // namespace warpint
