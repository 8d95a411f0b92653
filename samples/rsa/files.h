// SPDX-License-Identifier: Apache-2.0
// Files that fail with one clear line, and outputs that appear whole or not at all.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "key.h"

namespace rsa {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

class InputFile {
public:
    // Throws Error where there is no such file or it cannot be read.
    explicit InputFile(const std::string &path);

    // Up to `most` bytes; fewer only at the end of the file.
    Bytes read(std::size_t most);

    // Size in bytes; none for a pipe.
    std::optional<std::uint64_t> size() const { return known_size; }

private:
    std::string name;
    std::optional<std::uint64_t> known_size;
    File file;
};

// Written under a temporary name beside the target, and renamed to it by commit(). Without
// commit(), also after an interrupt from the keyboard, nothing is left and an older target is
// untouched. So the target may also be the file that the input is read from.
class OutputFile {
public:
    explicit OutputFile(const std::string &path);
    ~OutputFile();
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void write(std::span<const std::uint8_t> data);
    void commit();

private:
    [[noreturn]] void fail(const std::string &reason) const;

    std::string name;
    std::string target;
    std::string temporary;
    File file;
};

} // namespace rsa
