// SPDX-License-Identifier: Apache-2.0
// Objects that a thread keeps from call to call.
#pragma once

namespace warpint::limb {

// The T of this thread: made at the first use, destroyed when the thread ends. It may be asked for
// at any time: by a destructor or a function of atexit() that runs later in the thread it is made
// anew, and then left to the end of the process.
template <class T>
T &thread_object() {
    thread_local T *object = nullptr; // has no destructor: it is there as long as the thread
    struct Owner {
        ~Owner() {
            delete object;
            object = nullptr;
        }
    };
    if (object == nullptr) {
        object = new T();
        thread_local const Owner owner;
        (void)owner;
    }
    return *object;
}

} // namespace warpint::limb
