// SPDX-License-Identifier: Apache-2.0
// A reader of as much JSON as the files of public test vectors need.

#include "records.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace vectors_test {

namespace {

class Reader {
public:
    explicit Reader(std::string json) : json_(std::move(json)) {}

    std::vector<Record> records() {
        std::vector<Record> result;
        while ((position_ = json_.find('{', position_)) != std::string::npos) {
            ++position_;
            Record record;
            if (flat_object(record)) {
                result.push_back(std::move(record));
            }
        }
        return result;
    }

private:
    char next() {
        position_ = json_.find_first_not_of(" \t\r\n", position_);
        if (position_ == std::string::npos) {
            throw std::runtime_error("JSON ends inside an object");
        }
        return json_[position_];
    }
    bool take(char c) { return next() == c ? (++position_, true) : false; }
    std::string string() {
        std::string text;
        for (; json_.at(position_) != '"'; ++position_) {
            if (json_[position_] == '\\') {
                text += json_[position_++];
            }
            text += json_.at(position_);
        }
        ++position_;
        return text;
    }
    bool flat_object(Record &record) {
        if (take('}')) {
            return true;
        }
        do {
            if (!take('"')) {
                return false;
            }
            const std::string key = string();
            if (!take(':')) {
                return false;
            }
            if (take('"')) {
                record.fields[key] = string();
            } else if (next() == '{' || next() == '[') {
                return false;
            } else {
                const std::size_t end = json_.find_first_of(",} \t\r\n", position_);
                record.fields[key] = json_.substr(position_, end - position_);
                position_ = end;
            }
        } while (take(','));
        return take('}');
    }

    std::string json_;
    std::size_t position_ = 0;
};

} // namespace

std::vector<Record> read_records(const std::string &json) {
    return Reader(json).records();
}

std::string value_of(const std::string &json, const std::string &key) {
    const std::size_t found = json.find('"' + key + '"');
    if (found == std::string::npos)
        throw std::runtime_error("JSON without " + key);
    const std::size_t start = json.find_first_not_of(": \n", found + key.size() + 2);
    const char last = json[start] == '[' ? ']' : json[start] == '{' ? '}' : ',';
    return json.substr(start, json.find(last, start) - start);
}

std::vector<Integer> numbers_in(const std::string &text) {
    std::vector<Integer> numbers;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
        if (end == i) {
            ++i;
            continue;
        }
        const bool is_key = end + 1 < text.size() && text[end] == '"' && text[end + 1] == ':';
        if (!is_key)
            numbers.emplace_back(std::string_view(text).substr(i, end - i), 10);
        i = end;
    }
    return numbers;
}

} // namespace vectors_test
