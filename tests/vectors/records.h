// SPDX-License-Identifier: Apache-2.0
// Records of public test vectors, read from JSON text.
#pragma once

#include "../support/integer.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace vectors_test {

using test::Integer;

/// One flat JSON object; numbers, true and false are kept as text.
struct Record {
    std::map<std::string, std::string> fields;

    bool has(const std::string &key) const { return fields.count(key) != 0; }
    const std::string &text(const std::string &key) const {
        const auto field = fields.find(key);
        if (field == fields.end()) {
            throw std::runtime_error("record without field " + key);
        }
        return field->second;
    }
    Integer number(const std::string &key, int base = 16) const { return Integer(text(key), base); }
};

/// Every flat object of `json`. Of objects that contain other objects or lists only what is inside
/// them is read.
std::vector<Record> read_records(const std::string &json);

/// The text behind "key" in `json`: up to the bracket or comma that ends its value.
std::string value_of(const std::string &json, const std::string &key);

/// The decimal numbers in a text, keys of objects (digits in quotes before a colon) left out.
std::vector<Integer> numbers_in(const std::string &text);

} // namespace vectors_test
