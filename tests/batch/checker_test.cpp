// SPDX-License-Identifier: Apache-2.0
// The checker of batched tests: results are found by their names, each is looked at once, and all.
#include "checker.h"

#include <doctest/doctest.h>
#include <warpint/bigint.h>

#include <cstring>
#include <functional>

using batch_test::Checker;
using batch_test::Results;
using test::Integer;
using warpint::BigInt;
using Number = BigInt<70>;

namespace {

constexpr batch_test::Type type = batch_test::type_of<Number>;

/// A record with a sum, a difference and two parts of a pair.
class Record {
public:
    Record() {
        std::memset(bytes_, batch_test::guard_byte, sizeof bytes_);
        Results out(bytes_);
        const Number a(9u), b(5u);
        BATCH_TEST_RESULT(a + b);
        difference_ = &out.copy("difference", a - b);
        BATCH_TEST_NAMED("pair", a > b);
        BATCH_TEST_NAMED("pair", a);
        size_ = out.size();
    }
    Number &difference() { return *difference_; }
    unsigned char *bytes() { return bytes_; }
    std::size_t size() const { return size_; }

    /// What the checker says of it after these questions.
    std::string judge(const std::function<void(Checker &)> &ask) const {
        Checker checker;
        checker.begin(bytes_, size_);
        ask(checker);
        checker.end();
        return checker.message();
    }

private:
    alignas(batch_test::slot_unit) unsigned char bytes_[512];
    Number *difference_;
    std::size_t size_;
};

void ask_sum(Checker &out) {
    out.value("a + b", type, Integer(14));
}
void ask_difference(Checker &out) {
    out.value("difference", type, Integer(4));
}
void ask_pair(Checker &out) {
    out.boolean("pair", true);
    out.value("pair", type, Integer(9));
}
void ask_all(Checker &out) {
    ask_sum(out);
    ask_difference(out);
    ask_pair(out);
}

} // namespace

TEST_CASE("results are found by their names, in any order") {
    const Record record;
    CHECK(record.judge(ask_all) == "");
    CHECK(record.judge([](Checker &out) {
        ask_pair(out);
        ask_difference(out);
        ask_sum(out);
    }) == "");
    CHECK(record.judge([](Checker &out) {
        out.boolean("pair", true);
        ask_difference(out);
        out.any_type("pair", Integer(9));
        CHECK(out.taken("a + b", type) == Integer(14));
    }) == "");
    // Parts of one result come in the order in which they were stored.
    CHECK(record.judge([](Checker &out) { out.value("pair", type, Integer(9)); }) ==
          "pair: stored in a type of 1 bits, signed: 0; expected 70, 0");
}

TEST_CASE("a result that only the body or only the oracle has is a failure") {
    const Record record;
    CHECK(record.judge([](Checker &out) {
        ask_sum(out);
        ask_pair(out);
    }) == "the record: nobody expects result 2 of 4, of 70 bits");
    CHECK(record.judge([](Checker &out) {
        ask_all(out);
        out.value("product", type, Integer(45));
    }) == "product: the body has no such result");
    CHECK(record.judge([](Checker &out) {
        ask_all(out);
        ask_sum(out); // each is there once
    }) == "a + b: the body has no such result");
}

TEST_CASE("wrong values, types and bytes around a value are failures") {
    const auto start_of = [](const std::string &text) { return text.substr(0, text.find(' ')); };
    const auto damaged = [](const auto &damage) {
        Record record;
        damage(record);
        return record.judge(ask_all);
    };
    CHECK(start_of(damaged([](Record &record) { record.difference() = Number(3u); })) ==
          "difference:");
    CHECK(damaged([](Record &record) { record.difference().limbs[2] = 1u << 6; }) ==
          "difference: got limbs 0x400000000000000004, expected limbs 0x4");
    const std::string overwritten = "difference: guard bytes around the result were overwritten";
    CHECK(damaged([](Record &record) {
              auto *const value = reinterpret_cast<unsigned char *>(&record.difference());
              value[sizeof(Number)] = 0;
          }) == overwritten);
    CHECK(damaged([](Record &record) {
              auto *const value = reinterpret_cast<unsigned char *>(&record.difference());
              value[-1] = 0;
          }) == overwritten);
    CHECK(damaged([](Record &record) { std::memset(record.bytes(), 0xff, 16); }) ==
          "a + b: the body has no such result");
    const Record record;
    CHECK(record.judge([](Checker &out) { out.value("a + b", {71, false}, Integer(14)); }) ==
          "a + b: stored in a type of 70 bits, signed: 0; expected 71, 0");
    CHECK(start_of(record.judge([](Checker &out) { out.boolean("pair", false); })) == "pair:");
}
