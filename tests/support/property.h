// SPDX-License-Identifier: Apache-2.0
// Properties: a check that must hold for all operands, run over many operands of an
// OperandSource. A failure is shrunk to small operands and reported with its seed.
//
// Environment: WARPINT_TEST_SEED (decimal or 0x...) reproduces or varies a run,
// WARPINT_TEST_SCALE (a positive factor, default 1) multiplies every count.
#pragma once

#include "operands.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

/// The seed of this run.
std::uint64_t run_seed();

/// `count` multiplied by the scale of this run; at least 1.
long scaled(long count);

/// The seed of one property: depends on the run's seed, the property's name and its width, so that
/// a failure does not depend on which other tests ran.
std::uint64_t property_seed(const std::string &name, int bits);

/// Collects the comparisons of one run of a property; remembers the first that failed.
class Verdict {
public:
    void equal(const char *what, const Integer &got, const Integer &expected);
    void is_true(const char *what, bool condition);
    void fail(const std::string &message);
    bool failed() const { return !message_.empty(); }
    const std::string &message() const { return message_; }
    std::uint64_t comparisons() const { return comparisons_; }

private:
    std::string message_;
    std::uint64_t comparisons_ = 0;
};

/// What a test hands to a driver: a function, or a function object, which must outlive the call if
/// it holds anything. Cheaper to compile than std::function, of which the tests would have
/// thousands.
template <class Signature>
class Call;

template <class Result, class... Arguments>
class Call<Result(Arguments...)> {
public:
    Call(Result (*function)(Arguments...)) : function_(function) {}
    template <class Function>
        requires(std::is_class_v<Function>)
    Call(const Function &function) : object_(&function), invoke_(&invoke<Function>) {}

    Result operator()(Arguments... arguments) const {
        return invoke_ != nullptr ? invoke_(object_, static_cast<Arguments>(arguments)...)
                                  : function_(static_cast<Arguments>(arguments)...);
    }

private:
    template <class Function>
    static Result invoke(const void *object, Arguments... arguments) {
        if constexpr (std::is_empty_v<Function>)
            return Function{}(static_cast<Arguments>(arguments)...);
        else
            return (*static_cast<const Function *>(object))(static_cast<Arguments>(arguments)...);
    }

    const void *object_ = nullptr;
    Result (*function_)(Arguments...) = nullptr;
    Result (*invoke_)(const void *, Arguments...) = nullptr;
};

using Operands = std::vector<Integer>;
/// Draws the operands of one run.
using Draw = Call<Operands(OperandSource &)>;
/// Checks one run. Must accept any operands in the ranges it was given, also shrunk ones: return
/// early where they do not meet a precondition (a divisor of 0, say).
using Property = Call<void(Verdict &, const Operands &)>;

Verdict judge(const Property &property, const Operands &operands);

/// Smaller operands that still fail: clears 32-bit limbs and bits and halves numbers, as long as
/// that helps.
Operands shrink(const Property &property, Operands operands);

/// Runs `property` on scaled(count) draws. `bits` names the width in messages and seeds.
void check_property(const std::string &name, int bits, long count, const Draw &draw,
                    const Property &property);

/// Checks that nothing failed and something was compared.
void expect(const Verdict &verdict, const std::string &what);

} // namespace test
