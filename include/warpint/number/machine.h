// SPDX-License-Identifier: Apache-2.0
// From a number's stored 32-bit limbs to the limbs that this machine computes with: 64-bit words on
// hosts at run time, the 32-bit limbs themselves in device code, in constant expressions and on
// hosts without a 128-bit product. For algorithms on whole numbers; linear-time functions read
// words in place, one at a time (limb/word.h).
//
//   on_machine_limbs(
//       []<class Limb>(Limb *r, const Limb *a) {
//           arith::square<machine_limbs<n, Limb>>(r, a);
//       },
//       output<2 * n>(r.limbs), input<n>(a.limbs));
//
// The body is written once for any limb type. The operands decide what it receives. `input` and
// `output` give it the stored limbs where those are the machine's, and words in a local array
// elsewhere; the copied kinds give it a local array everywhere. An operand is any type with a
// member template `opened<Limb>`, which provides argument() and close(operand). Those of numbers
// are below; those of moduli are in number/modular/machine_modulus.h.
//
// To add another kind of limb, add a branch to choose_limbs that says where it is used, and
// specialise what is opened below.
#pragma once

#include "words.h"

namespace warpint::number {

// The number of machine limbs that N stored limbs fill.
template <int N, class Limb>
inline constexpr int machine_limbs = (N * 32 + limb::limb_bits<Limb> - 1) / limb::limb_bits<Limb>;

// r = N stored limbs as machine limbs, with zeros above up to Room stored limbs. Constant time.
template <int N, int Room = N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void load_limbs(Limb *r, const std::uint32_t *limbs) {
    if constexpr (sizeof(Limb) == 8) {
        load_words<N>(r, limbs);
    } else {
        arith::copy<N>(r, limbs);
    }
    for (int i = machine_limbs<N, Limb>; i < machine_limbs<Room, Limb>; ++i)
        r[i] = 0;
}

// The reverse: stores N limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void store_limbs(std::uint32_t *limbs, const Limb *r) {
    if constexpr (sizeof(Limb) == 8) {
        store_words<N>(limbs, r);
    } else {
        arith::copy<N>(limbs, r);
    }
}

namespace detail {

// An opened operand of which nothing is stored at the end.
struct NothingToStore {
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &) const {}
};

template <int N, class Limb>
struct OpenedInput : NothingToStore {
    Limb words[machine_limbs<N, Limb>];

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedInput(const Operand &operand) {
        load_limbs<N>(words, operand.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const Limb *argument() const { return words; }
};
template <int N>
struct OpenedInput<N, std::uint32_t> : NothingToStore {
    const std::uint32_t *limbs;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedInput(const Operand &operand)
        : limbs{operand.limbs} {
        limb::keep_local_arrays_apart<N>();
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const std::uint32_t *argument() const {
        return limbs;
    }
};

template <int N, int Room, class Limb>
struct OpenedCopy : NothingToStore {
    Limb words[machine_limbs<Room, Limb>];

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedCopy(const Operand &operand) {
        load_limbs<N, Room>(words, operand.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb *argument() { return words; }
};

// The body's array has Size machine limbs, of which the lowest N stored limbs are kept.
template <bool Cleared, int N, int Size, class Limb>
struct OpenedOutput {
    Limb words[Size];

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedOutput(const Operand &) {
        if constexpr (Cleared) {
            for (int i = 0; i < Size; ++i)
                words[i] = 0;
        }
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb *argument() { return words; }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &operand) const {
        store_limbs<N>(operand.limbs, words);
    }
};
template <bool Cleared, int N>
struct OpenedOutput<Cleared, N, N, std::uint32_t> : NothingToStore {
    std::uint32_t *limbs;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedOutput(const Operand &operand)
        : limbs{operand.limbs} {
        limb::keep_local_arrays_apart<N>();
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint32_t *argument() const { return limbs; }
};

template <class Limb>
struct OpenedNothing : NothingToStore {
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedNothing(const Operand &) {}
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb *argument() const { return nullptr; }
};

template <int N>
struct Input {
    template <class Limb>
    using opened = OpenedInput<N, Limb>;
    const std::uint32_t *limbs;
};
template <int N, int Room>
struct CopiedInput {
    template <class Limb>
    using opened = OpenedCopy<N, Room, Limb>;
    const std::uint32_t *limbs;
};
template <bool Cleared, int N, int... Parts>
struct Output {
    template <class Limb>
    using opened = OpenedOutput<Cleared, N, (machine_limbs<Parts, Limb> + ...), Limb>;
    std::uint32_t *limbs;
};
struct NoOutput {
    template <class Limb>
    using opened = OpenedNothing<Limb>;
};

// Opens the operands, runs the body on them and closes them (Conditional: only if the body returns
// true). Returns the body's result. Each opened operand is a temporary of the caller, not a member
// of one object, and holds either a pointer or an array: compilers then keep its words in
// registers.
template <bool Conditional, class... Operands>
struct MachineCall {
    template <class Limb, class Body>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE auto
    run(const Body &body, const Operands &...operands,
        typename Operands::template opened<Limb> &&...opened) {
        if constexpr (std::is_void_v<decltype(body(opened.argument()...))>) {
            body(opened.argument()...);
            (opened.close(operands), ...);
        } else {
            const auto result = body(opened.argument()...);
            if constexpr (Conditional) {
                if (!result)
                    return result;
            }
            (opened.close(operands), ...);
            return result;
        }
    }
    template <class Limb, class Body>
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE auto on(const Body &body,
                                                                const Operands &...operands) {
        return run<Limb>(body, operands..., typename Operands::template opened<Limb>(operands)...);
    }
};

template <bool Conditional, class Body, class... Operands>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto choose_limbs(const Body &body,
                                                               const Operands &...operands) {
    using Call = MachineCall<Conditional, Operands...>;
    if constexpr (has_words) {
        if (!WARPINT_USES_WORDS)
            return Call::template on<std::uint32_t>(body, operands...);
        return Call::template on<std::uint64_t>(body, operands...);
    } else {
        return Call::template on<std::uint32_t>(body, operands...);
    }
}

} // namespace detail

// N stored limbs to read: `const Limb *` to machine_limbs<N, Limb>.
template <int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::Input<N> input(const std::uint32_t *limbs) {
    return {limbs};
}
// The same in a local array, which the body may overwrite, with zeros above up to Room stored
// limbs: `Limb *`. In device code this keeps loads out of carry chains.
template <int N, int Room = N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::CopiedInput<N, Room>
copied_input(const std::uint32_t *limbs) {
    return {limbs};
}

// N stored limbs to write: `Limb *` to machine_limbs<N, Limb>, or, with Parts, to the sum of
// machine_limbs<Part, Limb>, of which the N lowest are kept. May be an input's limbs if the
// algorithm allows that.
template <int N, int... Parts>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto output(std::uint32_t *limbs) {
    if constexpr (sizeof...(Parts) == 0) {
        return detail::Output<false, N, N>{limbs};
    } else {
        return detail::Output<false, N, Parts...>{limbs};
    }
}
// The same, but the local array (words on hosts) is zero at the start: for algorithms that need
// this, or where compilers do not see that all of it is written.
template <int N, int... Parts>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto cleared_output(std::uint32_t *limbs) {
    if constexpr (sizeof...(Parts) == 0) {
        return detail::Output<true, N, N>{limbs};
    } else {
        return detail::Output<true, N, Parts...>{limbs};
    }
}
// For a result that is not wanted: null, known at compile time.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::NoOutput no_output() {
    return {};
}

// cleared_output() or, if the result is not wanted, no_output().
template <bool Wanted, int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto wanted_output(std::uint32_t *limbs) {
    if constexpr (Wanted) {
        return cleared_output<N>(limbs);
    } else {
        return no_output();
    }
}

// Calls the body with the operands in limbs of this machine, then stores the outputs. Returns the
// body's result. The only cost is that of loading and storing words on hosts.
template <class Body, class... Operands>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto on_machine_limbs(const Body &body,
                                                                   const Operands &...operands) {
    return detail::choose_limbs<false>(body, operands...);
}

// The same for a body that returns whether there is a result. Without one, outputs are not stored;
// those that are the stored limbs themselves keep what the body wrote.
template <class Body, class... Operands>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
try_on_machine_limbs(const Body &body, const Operands &...operands) {
    return detail::choose_limbs<true>(body, operands...);
}

} // namespace warpint::number
