// SPDX-License-Identifier: Apache-2.0
// Subject: what the runner of batched tests must know about the cases of a room: how their operands
// are drawn, and what GMP says about their results.
#pragma once

#include "checker.h"

#include "../support/exact.h"
#include "../support/operands.h"

#include <cstdint>
#include <string>
#include <vector>

namespace batch_test {

/// Operands of one element: the first of these numbers, as many as its case has types.
struct Element {
    test::Integer a, b, m, e;
    Parameters parameters;

    test::Integer &number(std::size_t i) { return i == 0 ? a : i == 1 ? b : i == 2 ? m : e; }
    const test::Integer &number(std::size_t i) const {
        return const_cast<Element *>(this)->number(i);
    }
};

class Subject {
public:
    virtual ~Subject() = default;

    /// In the order of Case::group.
    virtual const std::vector<const char *> &group_names() const = 0;
    /// The case in words; also seeds its operands.
    virtual std::string name(const Case &which) const = 0;

    /// Cases with equal types and details and the same kind take the same operands, and equally
    /// many in the long set.
    virtual int kind(const Case &which) const = 0;
    /// Elements in the quick set, before scaling.
    virtual double quick_count(const Case &which) const = 0;
    /// Elements of all cases of a kind and width in the long set.
    virtual std::uint64_t long_count(const Case &which) const = 0;
    /// Number of all elements, where a case is tested with all of them; otherwise 0.
    virtual std::uint64_t exhaustive_count(const Case &) const { return 0; }
    virtual Element exhaustive_element(const Case &, std::uint64_t) const { return {}; }

    /// Whether the body is defined for these operands on that side. On the host some throw where
    /// device code gives 0.
    virtual bool allows(const Case &which, const Element &v, bool on_device) const = 0;
    /// An element that is allowed.
    virtual Element draw(const Case &which, test::OperandSource &source, bool on_device) const = 0;
    /// What an element has beside its numbers, in words.
    virtual std::string describe(const Case &which, const Element &v) const = 0;

    /// Checks all of one record, which the caller has begun, against exact results.
    virtual void check(Checker &out, const Case &which, const Element &v) const = 0;
};

using test::kept;
using test::name_of;

} // namespace batch_test
