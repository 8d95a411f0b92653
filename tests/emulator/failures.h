// SPDX-License-Identifier: Apache-2.0
// What a program that runs on the emulated runtime (runtime.h) can ask of it: that calls fail,
// and what is held.
#pragma once

#include <driver_types.h>

namespace emulator {

// Calls that can be told to fail.
enum class Call {
    allocate,        // memory of a GPU
    allocate_pinned, // of the host
    launch,
    copy,   // copies and fills
    create, // streams and events
};

// Of the calls that follow, `times` of one kind give this error, behind `before` that succeed.
void fail(Call which, long before, long times, cudaError_t error);
// No more do. Returns whether any did.
bool stop_failing();
// None do for a while.
void pause_failing(bool pause);
// From now on every call gives this error, as after a fault of a kernel.
void break_down(cudaError_t error);

// What the program holds now.
struct Held {
    long device_memory = 0; // allocations
    long pinned_memory = 0;
    long streams = 0;
    long events = 0;
};
Held held();

// Whether this thread is in a call: what is allocated there is not the program's.
bool is_inside();

} // namespace emulator
