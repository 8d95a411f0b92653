// SPDX-License-Identifier: Apache-2.0
// What functions of the user throw while a formula runs on the CPU. Host only.
#pragma once

#include "../../expression/batch.h"

#include <exception>
#include <memory>
#include <mutex>
#include <string>

namespace warpint::execution {

// Keeps the text of the exception of the first element that threw, while it lives. The threads of
// a loop that this thread starts note theirs here too (parallel.h).
class ThrownInRun {
public:
    ThrownInRun() : outer_{current()} { current() = this; }
    ~ThrownInRun() { current() = outer_; }
    ThrownInRun(const ThrownInRun &) = delete;
    ThrownInRun &operator=(const ThrownInRun &) = delete;

    // That of the run that this thread takes part in; null: none.
    static ThrownInRun *&current() {
        thread_local ThrownInRun *run = nullptr;
        return run;
    }
    // In a handler: notes what element `index` threw, if it has a text.
    WARPINT_COLD static void note(std::size_t index) noexcept {
        ThrownInRun *const run = current();
        if (run == nullptr)
            return;
        const std::lock_guard lock(run->mutex_);
        if (run->first_ != nullptr && run->first_->index <= index)
            return;
        try {
            throw;
        } catch (const std::exception &error) {
            run->keep(index, error.what());
        } catch (...) {
        }
    }
    // What was noted; null: nothing.
    [[nodiscard]] const expression::ThrownText &first() const { return first_; }

private:
    void keep(std::size_t index, const char *text) noexcept {
        try {
            first_ = std::make_shared<const expression::Thrown>(expression::Thrown{index, text});
        } catch (const std::bad_alloc &) { // the element is a fault without a text
        }
    }

    ThrownInRun *const outer_;
    std::mutex mutex_;
    expression::ThrownText first_;
};

} // namespace warpint::execution
