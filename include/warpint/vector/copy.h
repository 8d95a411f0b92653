// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPU on a stream.
#pragma once

#include "vector.h"

namespace warpint {

// Copies elements and faults on a stream, without waiting for it. `to` is resized to the size of
// `from` first. If the host vector lies in pinned memory (pinned_resource()), the copy overlaps
// with work of the host and of other streams. The program must keep the host vector alive and
// unmodified until the stream has made the copy; device vectors order their own uses. Without a GPU
// the copy is made at once. Throws wrong_location for vectors on two different GPUs; `to = from`
// copies between those.
template <class T, Space from_space, Space to_space>
void copy_async(const batch_vector<T, from_space> &from, batch_vector<T, to_space> &to,
                [[maybe_unused]] stream_handle stream = {}) {
    const auto source = from.handle();
    if (source == to.handle())
        return;
    const auto target = to.target_for(from.size(), to.location());
#if WARPINT_CUDA
    const Location there = source->location.on_gpu() ? source->location : target->location;
    if (there.on_gpu()) {
        if (target->location.on_gpu() && !(target->location == there)) {
            throw wrong_location(
                number::Message(
                    "warpint: copy_async from %s to %s: a stream belongs to one of them; "
                    "assign instead",
                    execution::name_of(there).text(), execution::name_of(target->location).text())
                    .text());
        }
        if (from.size() != 0) {
            const execution::CurrentDevice current(there.device);
            const execution::Operand operands[] = {
                {source.get(), source.get(), from.size(), source->element_bytes, false}};
            const execution::Result results[] = {
                {target->data, from.size(), source->element_bytes, target->location, target.get()}};
            execution::OrderedWork work(there.device, stream, operands, results);
            const auto copy = [&](void *to_memory, const void *from_memory, std::size_t bytes) {
                execution::check_cuda(
                    cudaMemcpyAsync(to_memory, from_memory, bytes, cudaMemcpyDefault, stream),
                    "warpint: copy on a stream");
            };
            copy(target->data, source->data, from.size() * source->element_bytes);
            if (source->may_have_faults())
                copy(target->faults, source->faults, execution::fault_word_count(from.size()) * 4);
            work.done();
        }
    } else
#endif
        execution::copy_elements(*target, *source, from.size());
    target->set_may_have_faults(source->may_have_faults());
    if (from.size() != 0)
        target->marks->thrown = source->marks->thrown;
    to.context() = from.context();
    to.adopt(*target);
}

} // namespace warpint
