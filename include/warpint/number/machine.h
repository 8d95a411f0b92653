// SPDX-License-Identifier: Apache-2.0
// From a number's stored 32-bit limbs to the limbs that this machine computes with: 64-bit words on
// hosts at run time, the 32-bit limbs themselves in device code, in constant expressions and on
// hosts without a 128-bit product. For algorithms on whole numbers; functions of linear time read
// words where the number lies, one at a time (limb/word.h).
//
//   on_machine_limbs(
//       []<class Limb>(Limb *r, const Limb *a) {
//           algorithm::square<machine_limbs<n, Limb>>(r, a);
//       },
//       output<2 * n>(r.limbs), input<n>(a.limbs));
//
// The body is written once for any limb type. What it is given is what the operands say: `input`
// and `output` are the stored limbs where those are the machine's, words in an array of the
// function elsewhere; the copied kinds are an array of the function everywhere. Whatever type has a
// member template `opened<Limb>` with argument() and close(operand), as those below, is an operand:
// modular/machine_modulus.h has those of moduli.
//
// Another kind of limb has its place here: a branch of choose_limbs that says where it is used,
// and specialisations of what is opened below.
#pragma once

#include "words.h"

namespace warpint::number {

// Machine limbs that N stored limbs fill.
template <int N, class Limb>
inline constexpr int machine_limbs = (N * 32 + limb::limb_bits<Limb> - 1) / limb::limb_bits<Limb>;

// r = N stored limbs in the machine's, zeros above up to Room stored limbs. In constant time.
template <int N, int Room = N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void load_limbs(Limb *r, const std::uint32_t *limbs) {
    if constexpr (sizeof(Limb) == 8) {
        load_words<N>(r, limbs);
    } else {
        algorithm::copy<N>(r, limbs);
    }
    for (int i = machine_limbs<N, Limb>; i < machine_limbs<Room, Limb>; ++i)
        r[i] = 0;
}

// The other way, N stored limbs.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void store_limbs(std::uint32_t *limbs, const Limb *r) {
    if constexpr (sizeof(Limb) == 8) {
        store_words<N>(limbs, r);
    } else {
        algorithm::copy<N>(limbs, r);
    }
}

namespace detail {

template <int N, class Limb>
struct OpenedInput {
    Limb words[machine_limbs<N, Limb>];

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedInput(const Operand &operand) {
        load_limbs<N>(words, operand.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const Limb *argument() const { return words; }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &) const {}
};
template <int N>
struct OpenedInput<N, std::uint32_t> {
    const std::uint32_t *limbs;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedInput(const Operand &operand)
        : limbs{operand.limbs} {
        limb::keep_local_arrays_apart<N>();
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const std::uint32_t *argument() const {
        return limbs;
    }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &) const {}
};

template <int N, int Room, class Limb>
struct OpenedCopy {
    Limb words[machine_limbs<Room, Limb>];

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedCopy(const Operand &operand) {
        load_limbs<N, Room>(words, operand.limbs);
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb *argument() { return words; }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &) const {}
};

// Size limbs of the body's array, in machine limbs, are N stored ones and more.
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
struct OpenedOutput<Cleared, N, N, std::uint32_t> {
    std::uint32_t *limbs;

    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedOutput(const Operand &operand)
        : limbs{operand.limbs} {
        limb::keep_local_arrays_apart<N>();
    }
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint32_t *argument() const { return limbs; }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &) const {}
};

template <class Limb>
struct OpenedNothing {
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE explicit OpenedNothing(const Operand &) {}
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb *argument() const { return nullptr; }
    template <class Operand>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void close(const Operand &) const {}
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

// Runs the body on what the operands open as, and closes that (Conditional: where the body returns
// true); returns what the body does. What is opened are temporaries of the caller and not members
// of one object, and holds no pointer where it holds an array: compilers then keep the words of
// each in registers.
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
        if (WARPINT_KEEPS_LIMBS)
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
// The same in an array of the function, which the body may overwrite, with zeros above up to Room
// stored limbs: `Limb *`. In device code that keeps a load from standing between the instructions
// of a carry chain.
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
// The same, and an array of the function, words on hosts, is 0 before: for algorithms that need it,
// or of which compilers do not see that they write all of it.
template <int N, int... Parts>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto cleared_output(std::uint32_t *limbs) {
    if constexpr (sizeof...(Parts) == 0) {
        return detail::Output<true, N, N>{limbs};
    } else {
        return detail::Output<true, N, Parts...>{limbs};
    }
}
// A result that is not wanted: null, known at compile time.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE detail::NoOutput no_output() {
    return {};
}

// cleared_output or, if it is not wanted, no_output.
template <bool Wanted, int N>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto wanted_output(std::uint32_t *limbs) {
    if constexpr (Wanted) {
        return cleared_output<N>(limbs);
    } else {
        return no_output();
    }
}

// Calls body with the operands in limbs of this machine, then stores the outputs; returns what it
// returns. Costs nothing but the loads and stores of words on hosts.
template <class Body, class... Operands>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto on_machine_limbs(const Body &body,
                                                                   const Operands &...operands) {
    return detail::choose_limbs<false>(body, operands...);
}

// The same for a body that returns whether there is a result; without one, outputs that are not the
// stored limbs themselves are left alone.
template <class Body, class... Operands>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
try_on_machine_limbs(const Body &body, const Operands &...operands) {
    return detail::choose_limbs<true>(body, operands...);
}

} // namespace warpint::number
