// SPDX-License-Identifier: Apache-2.0
// Streams, events and graphs of the emulated runtime.
#include "runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

// What was given to a stream before; without one it is done.
struct CUevent_st {
    std::shared_ptr<emulator::Queue> queue;
    std::uint64_t count = 0;

    void wait() const {
        if (queue != nullptr)
            queue->run_until(count);
    }
};
struct CUgraph_st {
    std::vector<emulator::Node> nodes;
};
struct CUgraphNode_st {
    cudaGraphNodeType type;
};
struct CUgraphExec_st {
    std::vector<emulator::Node> nodes;
};

namespace emulator {

bool streams_are_late() {
    static const char *const given = std::getenv("WARPINT_EMULATED_STREAMS");
    static const bool late = given != nullptr && std::strcmp(given, "late") == 0;
    return late;
}
bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
bool is_captured(cudaStream_t stream) {
    return !is_default(stream) && stream->captures;
}
void wait_for_streams(bool all) {
    const Lock lock(runtime().mutex);
    for (const cudaStream_t each : runtime().streams) {
        if (all || each->flags != cudaStreamNonBlocking)
            each->wait();
    }
}
void work(cudaStream_t stream, cudaGraphNodeType type, std::function<void()> f) {
    if (is_captured(stream)) {
        stream->nodes.push_back({type, std::move(f)});
    } else if (is_default(stream)) {
        wait_for_streams(false);
        f();
    } else if (streams_are_late()) {
        stream->queue->put(std::move(f));
    } else {
        f();
    }
}

} // namespace emulator

using namespace emulator;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    static unsigned long long next = 3;
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::create); error != cudaSuccess)
        return error;
    const Lock lock(runtime().mutex);
    *stream = new CUstream_st{current, flags, false, {}, next++};
    runtime().streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    stream->wait();
    {
        const Lock lock(runtime().mutex);
        runtime().streams.erase(stream);
    }
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (is_captured(stream))
        return done(cudaErrorStreamCaptureUnsupported);
    if (is_default(stream)) {
        wait_for_streams(false);
    } else {
        stream->wait();
    }
    return done();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return is_default(stream) || stream->queue->has_done(stream->queue->given())
               ? cudaSuccess
               : done(cudaErrorNotReady);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const Inside inside;
    if (!is_captured(stream))
        work(stream, cudaGraphNodeTypeWaitEvent, [of_now = *event] { of_now.wait(); });
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
    *id = stream == nullptr || stream == cudaStreamLegacy ? 1
          : stream == cudaStreamPerThread                 ? 2
                                                          : stream->id;
    return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
    *device = is_default(stream) ? current : stream->device;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    *flags = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    *status = !is_default(stream) && stream->captures ? cudaStreamCaptureStatusActive
                                                      : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
    thread_local cudaStreamCaptureMode own = cudaStreamCaptureModeGlobal;
    std::swap(own, *mode);
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    if (is_default(stream))
        return done(cudaErrorStreamCaptureUnsupported);
    stream->captures = true;
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    const Inside inside;
    stream->captures = false;
    *graph = new CUgraph_st{std::move(stream->nodes)};
    stream->nodes.clear();
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long) {
    const Inside inside;
    *executable = new CUgraphExec_st{graph->nodes};
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    const Inside inside;
    work(stream, cudaGraphNodeTypeGraph, [nodes = executable->nodes] {
        for (const Node &node : nodes)
            node.work();
    });
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    delete executable;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, std::size_t *count) {
    if (nodes != nullptr) {
        for (std::size_t k = 0; k < std::min(*count, graph->nodes.size()); ++k)
            nodes[k] = reinterpret_cast<cudaGraphNode_t>(&graph->nodes[k].type);
    }
    *count = graph->nodes.size();
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    const Inside inside;
    if (const cudaError_t error = failure_of(emulator::Call::create); error != cudaSuccess)
        return error;
    const Lock lock(runtime().mutex);
    *event = new CUevent_st;
    ++runtime().events;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Lock lock(runtime().mutex);
    --runtime().events;
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    *event = {};
    if (!is_default(stream) && !stream->captures)
        *event = {stream->queue, stream->queue->given()};
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    event->wait();
    return done();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return event->queue == nullptr || event->queue->has_done(event->count)
               ? cudaSuccess
               : done(cudaErrorNotReady);
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 1;
    return cudaSuccess;
}

} // extern "C"
