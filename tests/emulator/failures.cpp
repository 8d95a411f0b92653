// SPDX-License-Identifier: Apache-2.0
// Errors of the emulated runtime, and what a program asks for and of it (failures.h).
#include "runtime.h"

#include <atomic>

namespace emulator {

namespace {

thread_local cudaError_t last = cudaSuccess;

// What emulator::fail() and break_down() asked for.
struct Failing {
    std::atomic<bool> active{false};
    std::atomic<bool> paused{false};
    emulator::Call which = emulator::Call::allocate;
    std::atomic<long> before{0};
    long times = 0;
    cudaError_t error = cudaSuccess;
};
Failing failing;
std::atomic<cudaError_t> broken{cudaSuccess};

} // namespace

cudaError_t done(cudaError_t error) {
    if (broken != cudaSuccess)
        error = broken;
    if (error != cudaSuccess)
        last = error;
    return error;
}
cudaError_t failure_of(Call which) {
    if (broken != cudaSuccess)
        return done();
    if (!failing.active || failing.paused || failing.which != which)
        return cudaSuccess;
    const long left = failing.before--;
    return left <= 0 && left > -failing.times ? done(failing.error) : cudaSuccess;
}

void fail(Call which, long before, long times, cudaError_t error) {
    failing.which = which;
    failing.before = before;
    failing.times = times;
    failing.error = error;
    failing.active = true;
}
bool stop_failing() {
    failing.active = false;
    return failing.before < 0;
}
void pause_failing(bool pause) {
    failing.paused = pause;
}
void break_down(cudaError_t error) {
    broken = error;
}
Held held() {
    const Lock lock(runtime().mutex);
    Held all;
    for (const auto &[begin, allocation] : runtime().allocations)
        ++(allocation.type == cudaMemoryTypeHost ? all.pinned_memory : all.device_memory);
    all.streams = static_cast<long>(runtime().streams.size());
    all.events = runtime().events;
    return all;
}
bool is_inside() {
    return calls_inside != 0;
}

} // namespace emulator

extern "C" {

cudaError_t cudaGetLastError() {
    const cudaError_t error =
        emulator::broken != cudaSuccess ? emulator::broken.load() : emulator::last;
    emulator::last = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() {
    return emulator::last;
}
const char *cudaGetErrorName(cudaError_t error) {
    return error == cudaSuccess ? "cudaSuccess" : "cudaError of the emulated runtime";
}
const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaSuccess                      ? "no error"
           : error == cudaErrorMemoryAllocation      ? "out of memory"
           : error == cudaErrorInvalidDeviceFunction ? "invalid device function"
           : error == cudaErrorInvalidValue          ? "invalid argument"
           : error == cudaErrorInvalidConfiguration  ? "invalid configuration argument"
           : error == cudaErrorStreamCaptureUnsupported
               ? "operation not permitted when stream is capturing"
               : "an error of the emulated runtime";
}

} // extern "C"
