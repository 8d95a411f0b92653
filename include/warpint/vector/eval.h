// eval, evaluate and explain: running a formula other than by assignment, and asking how it would
// run.
#pragma once

#include "vector.h"

namespace warpint {

namespace expression {

template <class Tree>
inline constexpr Space space_of = Summary<Tree>::on_host ? Space::host : Space::device;

} // namespace expression

inline namespace WARPINT_BACKEND {

// The formula's exact values in a new vector, whose element type is wide enough for all of them.
template <class Tree>
requires(expression::is_description<Tree>::value)
    [[nodiscard]] auto eval(const Tree &tree, stream_handle stream = {}) {
    batch_vector<std::remove_cvref_t<typename Tree::value_type>, expression::space_of<Tree>> result;
    result.run(tree, stream);
    return result;
}

// Runs the formula into a vector or view of its size (size_mismatch otherwise), in one launch on
// the stream. A view has no room for faults: elements without a value are 0.
template <class Tree, class T, Space space>
requires(expression::is_description<Tree>::value) void evaluate(const Tree &tree,
                                                                batch_vector<T, space> &out,
                                                                stream_handle stream = {}) {
    out.run_in_place(tree, stream);
}
template <class Tree, class T, Space space>
requires(expression::is_description<Tree>::value) void evaluate(const Tree &tree,
                                                                batch_view<T, space> out,
                                                                stream_handle stream = {}) {
    execution_backend::assign(out.data(), nullptr, out.size(), out.location(), tree, stream);
}

// How the formula would run here, and why.
template <class Tree>
requires(expression::is_description<Tree>::value) [[nodiscard]] Explanation
    explain(const Tree &tree) {
    return execution_backend::explain<std::remove_cvref_t<typename Tree::value_type>>(tree);
}

} // namespace WARPINT_BACKEND
} // namespace warpint
