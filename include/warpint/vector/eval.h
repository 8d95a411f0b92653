// SPDX-License-Identifier: Apache-2.0
// Ways to run a formula other than by assigning it to a vector, and to ask how it would run.
#pragma once

#include "reduce.h"
#include "vector.h"

namespace warpint {

namespace expression {

// The types of a formula's results, as a list.
template <class... T>
struct Types {};
template <class Value>
struct results_of {
    using type = Types<Value>;
};
template <std::size_t... i, class... T>
struct results_of<ItemSequence<std::index_sequence<i...>, T...>> {
    using type = Types<T...>;
};
template <class Value>
    requires requires { std::tuple_size<Value>::value; }
struct results_of<Value> {
    template <std::size_t... i>
    static auto list(std::index_sequence<i...>)
        -> Types<std::remove_cvref_t<std::tuple_element_t<i, Value>>...>;
    using type = decltype(list(std::make_index_sequence<std::tuple_size_v<Value>>{}));
};
template <class Tree>
using results_t = typename results_of<std::remove_cvref_t<typename Tree::value_type>>::type;

} // namespace expression

namespace expression::operation {

// The results of a formula as vectors of T... store them: residues as their forms.
template <class... T>
struct StoredParts : Streaming {
    template <class A>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &, const A &a) {
        return parts(a, std::index_sequence_for<T...>{});
    }

private:
    template <class A, std::size_t... i>
    WARPINT_HOST_DEVICE static constexpr auto parts(const A &a, std::index_sequence<i...>) {
        return Tuple<decltype(stored_part<T>(execution::part<i>(a)))...>{
            {stored_part<T>(execution::part<i>(a))}...};
    }
    template <class To, class A>
    WARPINT_HOST_DEVICE static constexpr auto stored_part(const A &a) {
        if constexpr (AnyResidue<To>) {
            static_assert(AnyResidue<A> || !is_shared_residue<To>,
                          "tie: a vector of residues of a Modulus cannot store a result that is a "
                          "number: store it in a vector of numbers, then assign that");
            bool fault = false;
            return FormOfResidue<To>::apply(fault, a);
        } else {
            return a;
        }
    }
};

} // namespace expression::operation

namespace containers {

// The vectors that one formula fills must be different ones.
inline void check_different(std::initializer_list<const void *> vectors) {
    for (auto a = vectors.begin(); a != vectors.end(); ++a) {
        for (auto b = vectors.begin(); b != a; ++b) {
            if (*a == *b)
                throw wrong_location("warpint: one vector cannot store two results");
        }
    }
}

// The formula whose results vectors of T... store.
template <class... T, class Tree>
auto formula_of_parts(const Tree &tree) {
    if constexpr ((AnyResidue<T> || ...)) {
        return expression::describe(expression::operation::StoredParts<T...>{}, tree);
    } else {
        return tree;
    }
}

// A sharded or distributed vector, whose pieces own() tells.
template <class Vector>
concept InPieces = requires(const Vector &vector) { vector.own(); };

// Runs a formula of several results into vectors in pieces; see sharded.h.
template <class Tree, class... Vectors>
void run_into_pieces(const Tree &tree, stream_handle stream, Vectors &...each);

} // namespace containers

// Several vectors that one formula fills at once; in pieces, on each place.
template <class... Vectors>
class TiedVectors {
public:
    explicit TiedVectors(Vectors &...vectors) : vectors_{vectors...} {}
    TiedVectors(const TiedVectors &) = delete;

    // Runs the formula. The vectors must be different ones (wrong_location). Vectors in pieces must
    // be on the formula's group (wrong_location); distributed ones without a group take it.
    template <expression::Description Tree>
    void operator=(const Tree &tree) {
        run(tree);
    }

    // Runs the formula on a stream; see evaluate(). Of vectors in pieces the stream must be null.
    template <class Tree>
    void run(const Tree &tree, stream_handle stream = {}) {
        run_each(tree, stream, std::index_sequence_for<Vectors...>{});
    }

private:
    // Without lambdas: with nvcc -rdc=true g++ warns of one that captures a formula with a function
    // object of an unnamed namespace (-Wattributes).
    template <class Tree, std::size_t... i>
    void run_each(const Tree &tree, stream_handle stream, std::index_sequence<i...> sequence) {
        run_into(containers::formula_of_parts<typename Vectors::value_type...>(tree), stream,
                 sequence, std::get<i>(vectors_)...);
        (std::get<i>(vectors_).context().take(tree), ...);
    }
    template <class Tree, class Sequence, containers::InPieces... Elements>
    static void run_into(const Tree &tree, stream_handle stream, Sequence, Elements &...each) {
        containers::run_into_pieces(tree, stream, each...);
    }
    template <class Tree, std::size_t... i, class... T, Space... space>
    static void run_into(const Tree &tree, stream_handle stream, std::index_sequence<i...>,
                         batch_vector<T, space> &...each) {
        containers::check_different({static_cast<const void *>(&each)...});
        (containers::check_target_space<Tree, space>(), ...);
        execution::Operand room[execution::leaf_count<Tree>];
        const std::span<const execution::Operand> operands{room,
                                                           execution::list_operands(room, tree)};
        const auto extent =
            execution::extent_of(operands, std::get<0>(std::tie(each...)).handle()->location);
        const std::shared_ptr<execution::Storage> targets[] = {
            each.target_for(extent.size, extent.location)...};
        execution::assign(tree, operands, extent, stream,
                          containers::Destination<T>(*targets[i])...);
        (each.adopt(*targets[i]), ...);
    }

    std::tuple<Vectors &...> vectors_;
};

// Collects different vectors as the target of a formula with several results.
// Example:
//     const device_vector<BigInt<128>> a(10, BigInt<128>(100)), b(10, BigInt<128>(7));
//     device_vector<BigInt<128>> q, r;
//     tie(q, r) = divmod(a, b); // both in one launch
template <class... Vectors>
    requires(containers::is_container<Vectors> && ...)
[[nodiscard]] TiedVectors<Vectors...> tie(Vectors &...vectors) {
    return TiedVectors<Vectors...>(vectors...);
}

namespace containers {

template <class Tree, class T>
auto eval_as(expression::Types<T>, const Tree &tree, stream_handle stream) {
    auto result = formula_in_place<Tree>::template target<T>(tree);
    result.run(tree, stream);
    return result;
}
template <class Tree, class... T>
auto eval_as(expression::Types<T...>, const Tree &tree, stream_handle stream) {
    std::tuple results{formula_in_place<Tree>::template target<T>(tree)...};
    std::apply([&](auto &...result) { tie(result...).run(tree, stream); }, results);
    return results;
}
// Into new vectors of these elements.
template <class Tree, class... T>
Explanation explain_as(expression::Types<T...>, const Tree &tree) {
    return execution::explain_formula<execution::Stores<T...>>(tree);
}
template <class Tree, AnyResidue T>
Explanation explain_as(expression::Types<T>, const Tree &tree) {
    const auto stored = expression::describe(expression::operation::FormOfResidue<T>{}, tree);
    using Form = typename decltype(stored)::value_type;
    return execution::explain_formula<execution::Stores<Form>>(stored);
}
// To a place of elements T, as run_formula_at() runs it there.
template <class T, class Tree>
Explanation explain_at(const Tree &stored, const execution::Result &to) {
    return execution::explain_formula<execution::Stores<T>>(stored, {&to, 1});
}

// What is stored in rows of limbs.
template <class T, class Tree>
auto formula_for_rows(const Tree &tree) {
    static_assert(!std::is_const_v<T>, "a view of const numbers is read-only");
    return expression::describe(expression::operation::NumberForRows<T>{}, tree);
}

} // namespace containers

// Runs a formula into a new vector, whose element type is wide enough for every exact result. A
// formula with several results gives a std::tuple of vectors. A vector or view gives a copy of
// itself.
// Example:
//     const device_vector<BigInt<64>> a(10, BigInt<64>(3));
//     const auto bits = eval(popcount(a * a)); // a device_vector
template <expression::Batch A>
[[nodiscard]] auto eval(const A &formula, stream_handle stream = {}) {
    return containers::eval_as(expression::results_t<expression::tree_of_t<A>>{},
                               expression::tree_of(formula), stream);
}

// Runs a formula on a stream into a vector or view of its size (size_mismatch otherwise). It does
// not wait for the result. A vector flags faults, also through a view of it; a
// view of other memory stores 0 for them. A vector or view in place of a formula is copied. A
// vector in pieces must be laid out like the formula (wrong_location), and the stream null.
// Example:
//     const stream_handle stream{}; // or one of cudaStreamCreate's
//     const device_vector<BigInt<64>> a(10, BigInt<64>(3));
//     device_vector<BigInt<64>> r(10);
//     evaluate(a * a + 1, r, stream);
template <expression::Batch A, class Vector>
    requires containers::is_container<Vector>
void evaluate(const A &formula, Vector &out, stream_handle stream = {}) {
    out.run_in_place(expression::tree_of(formula), stream);
}
template <expression::Batch A, class T, Space space>
void evaluate(const A &formula, batch_view<T, space> out, stream_handle stream = {}) {
    static_assert(!std::is_const_v<T>, "a view of const numbers is read-only");
    static_assert(containers::check_target_space<expression::tree_of_t<A>, space>());
    const auto &tree = expression::tree_of(formula);
    containers::run_formula_at(
        element_traits<T>::context::stored(tree), stream, out.location(),
        containers::Destination<T>(out.data(), out.size(), out.location(), out.marks()));
}
template <expression::Batch A, class T, Space space>
void evaluate(const A &formula, batch_view<T, space, limb_major> out, stream_handle stream = {}) {
    const auto tree = containers::formula_for_rows<T>(formula);
    using Tree = std::remove_const_t<decltype(tree)>;
    static_assert(containers::check_target_space<Tree, space>());
    containers::run_formula_at(
        tree, stream, out.location(),
        containers::Destination<expression::InLimbRows<T>>{out.rows(), out.size(), out.location()});
}

// Explains how eval(formula) would run here, and why. For sharded vectors it explains the first
// member of their group, for distributed ones this process.
// Example:
//     const device_vector<BigInt<2048>> a(10), m(10, BigInt<2048>(7));
//     const std::string plan = explain(a * a % m).to_string();
template <expression::Batch A>
[[nodiscard]] Explanation explain(const A &formula) {
    using Tree = expression::tree_of_t<A>;
    return containers::explain_as(
        expression::results_t<Tree>{},
        containers::formula_in_place<Tree>::explained(expression::tree_of(formula)));
}

// The same for evaluate(formula, out) and for `out = formula`, whose elements may have another
// width. Throws what they would throw; a vector of another size is one that `=` resizes.
template <expression::Description Tree, class T, Space space>
[[nodiscard]] Explanation explain(const Tree &tree, const batch_vector<T, space> &out) {
    static_assert(containers::check_target_space<Tree, space>());
    return containers::explain_at<stored_t<T>>(out.context().stored(tree),
                                               containers::Destination<stored_t<T>>(*out.handle()));
}
template <expression::Description Tree, class T, Space space>
[[nodiscard]] Explanation explain(const Tree &tree, const batch_view<T, space> &out) {
    static_assert(!std::is_const_v<T>, "a view of const numbers is read-only");
    static_assert(containers::check_target_space<Tree, space>());
    return containers::explain_at<T>(
        element_traits<T>::context::stored(tree),
        containers::Destination<T>(out.data(), out.size(), out.location(), out.marks()));
}
template <expression::Description Tree, class T, Space space>
[[nodiscard]] Explanation explain(const Tree &tree, const batch_view<T, space, limb_major> &out) {
    static_assert(containers::check_target_space<Tree, space>());
    using Rows = expression::InLimbRows<T>;
    return containers::explain_at<Rows>(
        containers::formula_for_rows<T>(tree),
        containers::Destination<Rows>{out.rows(), out.size(), out.location()});
}
// Into a vector in pieces: as explain(formula) does.
template <expression::Description Tree, containers::InPieces Vector>
    requires(expression::cost<Tree>.on_shards || expression::cost<Tree>.on_ranks)
[[nodiscard]] Explanation explain(const Tree &tree, const Vector &) {
    return containers::explain_as(expression::Types<typename Vector::value_type>{},
                                  containers::formula_in_place<Tree>::explained(tree));
}

// The same for copying a vector or view.
template <expression::BareBatch Batch, class Target>
[[nodiscard]] Explanation explain(const Batch &batch, const Target &out) {
    return explain(expression::capture(batch), out);
}

} // namespace warpint
