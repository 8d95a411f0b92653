// SPDX-License-Identifier: Apache-2.0
// Cells in kernels of one's own: a thread for each element, or several lanes. Without CUDA the same
// bodies run in a loop.
//
// The cells of a source that take a thread share a kernel, each in a function of its own that is
// not copied into it: the compiler optimises it by itself, as it does a kernel, but what it calls
// is there once and not once for each cell, which would take several times as long to compile.
#pragma once

#include "cells.h"

#include <tuple>

namespace grid {

/// What all elements of a cell share: nothing, or one Modulus.
struct Nothing {};

// What many cells do before and after their function, once in a source.
template <int N>
WARPINT_HOST_DEVICE GRID_CALLED warpint::Modulus<N> make_modulus(const warpint::BigInt<N> &m) {
    return warpint::Modulus<N>(m);
}
template <int N>
WARPINT_HOST_DEVICE GRID_CALLED warpint::Residue<N> make_residue(const warpint::Modulus<N> &m,
                                                                 const warpint::BigInt<N> &x) {
    return m(x);
}
template <class Field, class Number>
WARPINT_HOST_DEVICE GRID_CALLED Field make_residue(const Number &x) {
    return Field(x);
}

/// Numbers. Prepared: moduli are a Modulus made of the element's.
template <class C, int N, bool is_signed, bool prepared>
struct NumberBody {
    using Case = C;
    using Shared = Nothing;
    static constexpr int lanes = 1;
    template <std::size_t... I>
    WARPINT_HOST_DEVICE static void run(const Batch &batch, int i, const Nothing &, Results &out,
                                        std::index_sequence<I...>) {
        store(out, C::apply(load<C::roles[I]>(batch.operands[I], i)..., batch.parameters[i]));
    }
    template <Role role>
    WARPINT_HOST_DEVICE static auto load(const void *operands, int i) {
        const auto number = static_cast<const stored_t<N, is_signed, role> *>(operands)[i];
        if constexpr (prepared && role == Role::m) {
            return make_modulus(number);
        } else {
            return number;
        }
    }
};

/// Residues of one Modulus.
template <class C, int N>
struct ResidueBody {
    using Case = C;
    using Shared = warpint::Modulus<N>;
    static constexpr int lanes = 1;
    template <std::size_t... I>
    WARPINT_HOST_DEVICE static void run(const Batch &batch, int i, const Shared &modulus,
                                        Results &out, std::index_sequence<I...>) {
        store(out,
              C::apply(load<C::roles[I]>(batch.operands[I], i, modulus)..., batch.parameters[i]));
    }
    template <Role role, class Modulus>
    WARPINT_HOST_DEVICE static auto load(const void *operands, int i, const Modulus &modulus) {
        const auto number = static_cast<const warpint::BigInt<N> *>(operands)[i];
        if constexpr (is_residue(role)) {
            return make_residue(modulus, number);
        } else {
            return number;
        }
    }
};
/// Residues modulo the element's modulus, which stands behind the other operands.
template <class C, int N>
struct OwnResidueBody {
    using Case = C;
    using Shared = Nothing;
    static constexpr int lanes = 1;
    template <std::size_t... I>
    WARPINT_HOST_DEVICE static void run(const Batch &batch, int i, const Nothing &, Results &out,
                                        std::index_sequence<I...> operands) {
        const warpint::Modulus<N> modulus =
            make_modulus(static_cast<const warpint::BigInt<N> *>(batch.operands[sizeof...(I)])[i]);
        ResidueBody<C, N>::run(batch, i, modulus, out, operands);
    }
};

/// Residues of a modulus in their type.
template <class C, int N, class Field>
struct StaticBody {
    using Case = C;
    using Shared = Nothing;
    static constexpr int lanes = 1;
    template <std::size_t... I>
    WARPINT_HOST_DEVICE static void run(const Batch &batch, int i, const Nothing &, Results &out,
                                        std::index_sequence<I...>) {
        store(out, C::apply(load<C::roles[I]>(batch.operands[I], i)..., batch.parameters[i]));
    }
    template <Role role>
    WARPINT_HOST_DEVICE static auto load(const void *operands, int i) {
        const auto number = static_cast<const warpint::BigInt<N> *>(operands)[i];
        if constexpr (is_residue(role)) {
            return make_residue<Field>(number);
        } else {
            return number;
        }
    }
};

/// Numbers over lanes.
template <class C, int N, bool is_signed, int L>
struct LanesBody {
    using Case = C;
    using Shared = Nothing;
    static constexpr int lanes = L;
    template <std::size_t... I>
    WARPINT_HOST_DEVICE static void run(const Batch &batch, int i, const Nothing &, Results &out,
                                        std::index_sequence<I...>) {
        store(out, C::apply(load<C::roles[I]>(batch.operands[I], i)..., batch.parameters[i]));
    }
    template <Role role>
    WARPINT_HOST_DEVICE static auto load(const void *operands, int i) {
        using Stored = stored_t<N, is_signed, role>;
        using Number =
            std::conditional_t<Stored::is_signed, warpint::SignedWarpInt<Stored::bits, L>,
                               warpint::WarpInt<Stored::bits, L>>;
        return Number(static_cast<const Stored *>(operands) + i);
    }
};

/// Residues over lanes.
template <class C, int N, int L>
struct LanesResidueBody {
    using Case = C;
    using Shared = Nothing;
    static constexpr int lanes = L;
    template <std::size_t... I>
    WARPINT_HOST_DEVICE static void run(const Batch &batch, int i, const Nothing &, Results &out,
                                        std::index_sequence<I...>) {
        const warpint::WarpModulus<N, L> modulus(load<Role::m>(batch.operands[sizeof...(I)], i, 0));
        store(out,
              C::apply(load<C::roles[I]>(batch.operands[I], i, modulus)..., batch.parameters[i]));
    }
    template <Role role, class Modulus>
    WARPINT_HOST_DEVICE static auto load(const void *operands, int i, const Modulus &modulus) {
        const warpint::WarpInt<N, L> number(static_cast<const warpint::BigInt<N> *>(operands) + i);
        if constexpr (is_residue(role)) {
            return modulus(number);
        } else {
            return number;
        }
    }
};

template <class Body>
WARPINT_HOST_DEVICE void run_element(const Batch &batch, int i,
                                     const typename Body::Shared &shared) {
    Results out(batch.records + static_cast<std::size_t>(i) * batch.record_size);
    Body::run(batch, i, shared, out, std::make_index_sequence<Body::Case::arity>{});
}

/// The bodies that share a kernel, and so what its elements share.
template <class... Bodies>
struct Group {};
template <class... A, class... B>
constexpr Group<A..., B...> operator+(Group<A...>, Group<B...>) {
    return {};
}

#ifdef __CUDACC__

template <class Body>
__device__ __noinline__ void call_element(const Batch &batch, int i,
                                          const typename Body::Shared &shared) {
    run_element<Body>(batch, i, shared);
}

/// Computes the cell `which` of a group.
template <class First, class... Others>
__global__ void compute_group(const __grid_constant__ Batch batch, int which,
                              const __grid_constant__ typename First::Shared shared) {
    const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / First::lanes);
    if (i >= batch.count)
        return;
    if constexpr (sizeof...(Others) == 0) {
        run_element<First>(batch, i, shared);
    } else {
        if (which == 0)
            call_element<First>(batch, i, shared);
        int index = 0;
        ((++index == which ? call_element<Others>(batch, i, shared) : void()), ...);
    }
}

template <int which, class... Bodies>
using body_at = std::tuple_element_t<which, std::tuple<Bodies...>>;

template <int which, class First, class... Others>
int launch_in(Group<First, Others...>, const Batch &batch, void *stream) {
    using Shared = typename First::Shared;
    constexpr int threads_per_block = 64;
    const int blocks = (batch.count * First::lanes + threads_per_block - 1) / threads_per_block;
    const auto kernel = compute_group<First, Others...>;
    const auto start = [&](const Shared &shared) {
        kernel<<<blocks, threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(batch, which,
                                                                                    shared);
        return static_cast<int>(cudaGetLastError());
    };
    if constexpr (std::is_same_v<Shared, Nothing>) {
        return start(Nothing{});
    } else {
        warpint::BigInt<Shared::bits> m;
        const cudaError_t copied =
            cudaMemcpyAsync(&m, batch.operands[body_at<which, First, Others...>::Case::arity],
                            sizeof m, cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(stream));
        const cudaError_t waited = cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
        if (copied != cudaSuccess || waited != cudaSuccess) {
            (void)cudaGetLastError(); // not the next cell's
            return static_cast<int>(copied != cudaSuccess ? copied : waited);
        }
        return start(Shared(m));
    }
}
template <class G, int which>
int launch(const Batch &batch, void *stream) {
    return launch_in<which>(G{}, batch, stream);
}

// A program of kernels runs where there is a GPU only.
template <class Body>
constexpr std::size_t (*on_host)(const Batch &) = nullptr;

#else

template <class Body>
std::size_t on_host(const Batch &batch) {
    const auto run_all = [&](const typename Body::Shared &shared) {
        for (int i = 0; i < batch.count; ++i)
            run_element<Body>(batch, i, shared);
    };
    if constexpr (std::is_same_v<typename Body::Shared, Nothing>) {
        run_all(Nothing{});
    } else {
        using Number = warpint::BigInt<Body::Shared::bits>;
        run_all(
            typename Body::Shared(*static_cast<const Number *>(batch.operands[Body::Case::arity])));
    }
    return batch.record_size;
}
template <class G, int which>
constexpr int (*launch)(const Batch &, void *) = nullptr;

#endif

// ---- the cells of a width

namespace detail {

/// The bodies that Kind makes of a part of the cases.
template <class Kind, Part part, class... Entries, int... position>
constexpr auto group_of(List<Entries...>, std::integer_sequence<int, position...>) {
    constexpr auto body = []<class C, int at>() {
        if constexpr (!is_in_part<part>(List<Entries...>{}, at)) {
            return Group<>{};
        } else if constexpr (!Kind::template has<C>()) {
            return Group<>{};
        } else {
            return Group<typename Kind::template Body<C>>{};
        }
    };
    return (Group<>{} + ... + body.template operator()<Entries, position>());
}
template <class Kind, class... Bodies, int... index>
void add_bodies(Group<Bodies...>, std::integer_sequence<int, index...>) {
    [[maybe_unused]] const auto add = [&]<class Body, int which>() {
        using G = std::conditional_t<Body::lanes == 1, Group<Bodies...>, Group<Body>>;
        add_cells<typename Body::Case, Kind::width, Kind::is_signed>(
            Body::lanes == 1 ? "kernel" : "lanes", Kind::name, Kind::moduli, on_host<Body>,
            launch < G, Body::lanes == 1 ? which : 0 >, Kind::moduli_behind);
    };
    (add.template operator()<Bodies, index>(), ...);
}
template <class Kind, Part part, class... Cases>
void add_kind(List<Cases...> cases) {
    using G =
        decltype(group_of<Kind, part>(cases, std::make_integer_sequence<int, sizeof...(Cases)>{}));
    const auto add = []<class... Bodies>(Group<Bodies...> group) {
        add_bodies<Kind>(group, std::make_integer_sequence<int, sizeof...(Bodies)>{});
    };
    add(G{});
}

// The kinds: their bodies, and for which cases there are any.

template <int N, bool signs>
struct Numbers {
    static constexpr int width = N;
    static constexpr bool is_signed = signs;
    static constexpr const char *name = signs ? "SignedBigInt" : "BigInt";
    static constexpr std::initializer_list<Moduli> moduli = {Moduli::each};
    static constexpr int moduli_behind = 0;
    template <class C>
    static constexpr bool has() {
        return (C::places & kernels_only) != 0 && (!signs || C::takes_signed);
    }
    template <class C>
    using Body = NumberBody<C, N, signs, false>;
};
template <int N>
struct NumbersModuloPrepared : Numbers<N, false> {
    static constexpr const char *name = "Modulus";
    static constexpr std::initializer_list<Moduli> moduli = {Moduli::odd, Moduli::even};
    template <class C>
    static constexpr bool has() {
        return (C::places & kernels_only) != 0 && has_role<C>(Role::m);
    }
    template <class C>
    using Body = NumberBody<C, N, false, true>;
};
template <int N>
struct Residues : Numbers<N, false> {
    static constexpr const char *name = "Residue";
    static constexpr std::initializer_list<Moduli> moduli = {Moduli::odd, Moduli::even};
    static constexpr int moduli_behind = 1;
    template <class C>
    using Body = ResidueBody<C, N>;
};
template <int N>
struct OwnResidues : Residues<N> {
    static constexpr const char *name = "Residue, own Modulus";
    static constexpr std::initializer_list<Moduli> moduli = {Moduli::each};
    template <class C>
    using Body = OwnResidueBody<C, N>;
};
template <int N, Moduli constant>
struct StaticResidues : Numbers<N, false> {
    static constexpr const char *name = "StaticResidue";
    static constexpr std::initializer_list<Moduli> moduli = {constant};
    template <class C>
    using Body = StaticBody<C, N, Field<N, constant>>;
};
/// 8 to 32 limbs a lane.
constexpr int lanes_of_width(int width) {
    return width <= 1100 ? 4 : width <= 2400 ? 8 : 16;
}
template <int N, bool signs>
struct NumbersOverLanes : Numbers<N, signs> {
    static constexpr const char *name = signs ? "SignedWarpInt" : "WarpInt";
    template <class C>
    static constexpr bool has() {
        return (C::places & lanes_only) != 0 && (!signs || C::takes_signed);
    }
    template <class C>
    using Body = LanesBody<C, N, signs, lanes_of_width(N)>;
};
template <int N>
struct ResiduesOverLanes : NumbersOverLanes<N, false> {
    static constexpr const char *name = "WarpResidue";
    static constexpr int moduli_behind = 1;
    template <class C>
    using Body = LanesResidueBody<C, N, lanes_of_width(N)>;
};

} // namespace detail

template <int N, Part part>
void add_kernels() {
    detail::add_kind<detail::Numbers<N, false>, part>(GridCases{});
    detail::add_kind<detail::NumbersModuloPrepared<N>, part>(GridCases{});
    detail::add_kind<detail::Numbers<N, true>, part>(GridCases{});
}
template <int N, Part part>
void add_residue_kernels() {
    detail::add_kind<detail::Residues<N>, part>(ResidueCases{});
    detail::add_kind<detail::OwnResidues<N>, part>(ResidueCases{});
}
template <int N, Part part>
void add_static_kernels() {
    detail::add_kind<detail::StaticResidues<N, Moduli::constant>, part>(ResidueCases{});
    detail::add_kind<detail::StaticResidues<N, Moduli::folded>, part>(ResidueCases{});
}
template <int N, Part part>
void add_lanes() {
    detail::add_kind<detail::NumbersOverLanes<N, false>, part>(GridCases{});
    detail::add_kind<detail::NumbersOverLanes<N, true>, part>(GridCases{});
}
template <int N, Part part>
void add_residue_lanes() {
    detail::add_kind<detail::ResiduesOverLanes<N>, part>(ResidueCases{});
}

} // namespace grid
