// SPDX-License-Identifier: Apache-2.0
// Files that fail with one clear line, and outputs that appear whole or not at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "temporary.h"

namespace sample {

using Bytes = std::vector<std::uint8_t>;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

class InputFile {
public:
    // "-" is standard input. Throws Error where there is no such file or it cannot be read.
    explicit InputFile(const std::string &path);
    ~InputFile();
    InputFile(const InputFile &) = delete;
    InputFile &operator=(const InputFile &) = delete;

    // Up to `most` bytes; fewer only at the end of the file.
    Bytes read(std::size_t most);

    // Fills `data` and returns how much was read; less only at the end of the file, or soon after
    // `stop` became true while nothing came from a pipe.
    std::size_t read(std::span<std::uint8_t> data, const std::atomic<bool> &stop);

    // Size in bytes; none for a pipe, a device or standard input.
    std::optional<std::uint64_t> size() const { return known_size; }

private:
    std::string name;
    std::optional<std::uint64_t> known_size;
    int descriptor = -1;
};

// The whole of a text file, or of standard input ("-"). Throws Error as InputFile does, and where
// there is more than `most` bytes.
std::string read_text(const std::string &path, std::size_t most = SIZE_MAX);

// Whether files of this name are written to standard output: "-" and "/dev/stdout".
bool is_standard_output(const std::string &path);

// Throws Error where there is a file at `path` already: private keys replace none without --force.
// An OutputFile of Existing::stays does so too; this is for work that comes before it is made.
void require_new(const std::string &path);

// Throws Error where the output would replace the file of a key that is read.
void require_other_than_key(const std::string &out, const std::string &key);

// Who may read a file that is written: those that the umask says, or the target's permissions if
// there is one; or its owner alone.
enum class Readers { usual, owner };

// Whether a file that is written replaces one of its name.
enum class Existing { replaced, stays };

// A regular file is written under a temporary name beside the target, which only its owner can
// read, and renamed to the target by commit(). Without commit(), also after a signal, nothing is
// left and an older target is untouched. So the target may be the file that the input is read from.
// It keeps its permissions and, where the system allows, its owner; a new one gets those of the
// umask; for Readers::owner the permissions of others are taken away from both. A symbolic link
// stays one: the file behind it is replaced. For Existing::stays the constructor and commit() throw
// Error where there is a file of this name, at whatever moment it came.
//
// Standard output ("-" or "/dev/stdout"), pipes and devices are written at once.
class OutputFile {
public:
    explicit OutputFile(const std::string &path, Readers readers = Readers::usual,
                        Existing existing = Existing::replaced);
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void write(std::span<const std::uint8_t> data);
    void write(std::string_view text);
    void commit() { commit_all({this}); }

    // Ends the writing; commit() does it otherwise. What is left is the renaming.
    void close();

    // Renames all or, where a file cannot be written whole, its target is a folder or a file that
    // stays, none. (Should the system refuse to rename one after all, those before it that replace
    // files have been renamed.)
    static void commit_all(const std::vector<OutputFile *> &files);

private:
    [[noreturn]] void fail(const std::string &reason) const;
    friend class OutputFiles;

    std::string name;
    Readers allowed;
    Existing old;
    std::string target;
    std::optional<Temporary> temporary; // none where the target is written at once
    File file;
};

// Files that appear together.
class OutputFiles {
public:
    // Throws Error where it is one of those that were added before.
    OutputFile &add(const std::string &path, Readers readers = Readers::usual,
                    Existing existing = Existing::replaced);
    void commit();

private:
    std::deque<OutputFile> files;
};

// A folder that appears with all its files: they are written under a temporary name, which only
// the owner can read, and commit() gives the folder its own. Without commit(), also after a signal,
// nothing is left. Its owner alone can read it then too.
class OutputFolder {
public:
    // Throws Error where there is something at `path` other than an empty folder.
    explicit OutputFolder(const std::string &path);

    // Where to write the files.
    const std::string &path() const { return temporary->path(); }
    void commit();

private:
    std::string target;
    std::optional<Temporary> temporary;
};

} // namespace sample
