// SPDX-License-Identifier: Apache-2.0
#include "column.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "error.h"
#include "files.h"

namespace paillier {

using sample::Error;

namespace {

// The fields of a line without its end. Blanks around a field that is not quoted do not count.
std::vector<std::string> split(std::string_view line, const std::string &where) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i != line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && line.substr(i + 1, 1) == "\"")
                fields.back() += line[i++];
            else
                quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    if (quoted)
        throw Error(where + ": a quote is not closed");
    for (std::string &field : fields) {
        field.erase(0, field.find_first_not_of(" \t"));
        field.erase(field.find_last_not_of(" \t") + 1);
    }
    return fields;
}

} // namespace

Column read_column(const std::string &path, const std::string &column) {
    const std::string text = sample::read_text(path);
    std::size_t index = 0; // from 1; 0: by name
    const auto parsed = std::from_chars(column.data(), column.data() + column.size(), index);
    if (parsed.ptr != column.data() + column.size())
        index = 0;
    Column result;
    std::size_t number = 0;
    std::string_view rest = text;
    if (rest.starts_with("\xef\xbb\xbf")) // a byte order mark
        rest.remove_prefix(3);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const std::string where = path + ": line " + std::to_string(++number);
        std::vector<std::string> fields = split(line, where);
        if (index == 0) {
            const auto found = std::find(fields.begin(), fields.end(), column);
            if (found == fields.end())
                throw Error(path + " has no column named " + column);
            if (std::find(found + 1, fields.end(), column) != fields.end())
                throw Error(path + " has two columns named " + column);
            index = static_cast<std::size_t>(found - fields.begin()) + 1;
            result.first_line = 2;
            continue;
        }
        if (fields.size() < index)
            throw Error(where + ": it has no column " + std::to_string(index));
        result.fields.push_back(std::move(fields[index - 1]));
    }
    if (result.fields.empty())
        throw Error(path + " has no rows");
    return result;
}

} // namespace paillier
