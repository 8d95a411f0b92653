// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

namespace fs = std::filesystem;

namespace sample {
namespace {

[[noreturn]] void refuse_existing(const std::string &path) {
    throw Error(path + " is there already (--force replaces it)");
}

// What `path` names in the end, whether it exists or not. No loop: its status was read before.
fs::path behind_links(fs::path path) {
    while (fs::is_symlink(path))
        path = path.parent_path() / fs::read_symlink(path);
    return path;
}

mode_t permissions_of_new_files() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// Gives the open file the owner and permissions of the file `replaced`, or those of a new file
// where there is none. A file system that has no permissions keeps its own.
void set_permissions(int descriptor, const std::string &replaced, Readers readers) {
    mode_t mode = 0;
    struct stat old{};
    if (stat(replaced.c_str(), &old) != 0) {
        mode = permissions_of_new_files();
    } else {
        mode = old.st_mode & 0777;
        // Only root gives files away. Where not even the group can stay, its permissions go: they
        // were not meant for another one.
        if (fchown(descriptor, old.st_uid, old.st_gid) != 0 &&
            fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) != 0)
            mode &= ~static_cast<mode_t>(S_IRWXG);
    }
    if (readers == Readers::owner)
        mode &= ~static_cast<mode_t>(S_IRWXG | S_IRWXO);
    (void)fchmod(descriptor, mode);
}

// Where the file is written before it gets its name. A long name is cut.
std::string temporary_prefix(const fs::path &target) {
    constexpr std::size_t longest_name = 255, added = sizeof(".part-XXXXXX") - 1;
    const std::string name = target.filename().string().substr(0, longest_name - added);
    return (target.parent_path() / name).string() + ".part-";
}

} // namespace

InputFile::InputFile(const std::string &path) : name(path) {
    if (path == "-") {
        name = "standard input";
        descriptor = dup(STDIN_FILENO);
    } else {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (fs::is_directory(status))
            throw Error("cannot read " + name + ": it is a directory");
        descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0 && fs::is_regular_file(status))
            known_size = fs::file_size(path);
    }
    if (descriptor < 0)
        throw Error("cannot read " + name + ": " + std::strerror(errno));
}

InputFile::~InputFile() {
    if (descriptor >= 0)
        close(descriptor);
}

Bytes InputFile::read(std::size_t most) {
    const std::atomic<bool> never = false;
    Bytes data(most);
    data.resize(read(data, never));
    return data;
}

std::size_t InputFile::read(std::span<std::uint8_t> data, const std::atomic<bool> &stop) {
    constexpr int patience = 100; // milliseconds between looks at `stop`
    std::size_t size = 0;
    while (size != data.size()) {
        pollfd source{descriptor, POLLIN, 0};
        while (poll(&source, 1, patience) == 0) {
            if (stop)
                return size;
        }
        const ssize_t got = ::read(descriptor, data.data() + size, data.size() - size);
        if (got == 0)
            break;
        if (got > 0)
            size += static_cast<std::size_t>(got);
        else if (errno != EINTR && errno != EAGAIN)
            throw Error("cannot read " + name + ": " + std::strerror(errno));
    }
    return size;
}

std::string read_text(const std::string &path, std::size_t most) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    InputFile file(path);
    std::string text;
    for (;;) {
        const Bytes part = file.read(piece);
        text.append(part.begin(), part.end());
        if (text.size() > most)
            throw Error(path + " has more than " + std::to_string(most) + " bytes");
        if (part.size() < piece)
            return text;
    }
}

bool is_standard_output(const std::string &path) {
    return path == "-" || path == "/dev/stdout";
}

void require_new(const std::string &path) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored))
        refuse_existing(path);
}

void require_other_than_key(const std::string &out, const std::string &key) {
    std::error_code ignored;
    if (fs::is_regular_file(key, ignored) && fs::equivalent(out, key, ignored))
        throw Error("cannot write " + out + ": it is the file of the key");
}

OutputFile::OutputFile(const std::string &path, Readers readers, Existing existing)
    : name(path), allowed(readers), old(existing), file(nullptr, std::fclose) {
    if (old == Existing::stays)
        require_new(path);
    std::error_code error;
    const fs::file_status status = fs::status(path, error); // of what a link points to
    if (is_standard_output(path)) {
        name = "standard output";
        file.reset(fdopen(dup(STDOUT_FILENO), "wb"));
    } else if (fs::is_directory(status)) {
        fail("it is a directory");
    } else if (fs::is_other(status)) {
        file.reset(std::fopen(path.c_str(), "wb"));
    } else {
        if (!fs::exists(status) && status.type() != fs::file_type::not_found)
            fail(error.message());
        target = behind_links(path).string();
        if (fs::exists(status) && access(target.c_str(), W_OK) != 0)
            fail(std::strerror(errno));
        try {
            temporary.emplace(Temporary::Kind::file, temporary_prefix(target));
        } catch (const std::system_error &reason) {
            fail(reason.code().message());
        }
        file.reset(fdopen(temporary->descriptor(), "wb"));
    }
    if (!file)
        fail(std::strerror(errno));
}

void OutputFile::write(std::span<const std::uint8_t> data) {
    if (std::fwrite(data.data(), 1, data.size(), file.get()) != data.size())
        fail(std::strerror(errno));
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
        fail(std::strerror(errno));
}

void OutputFile::close() {
    if (!file)
        return;
    if (std::fflush(file.get()) != 0)
        fail(std::strerror(errno));
    if (temporary)
        set_permissions(fileno(file.get()), target, allowed);
    if (std::fclose(file.release()) != 0)
        fail(std::strerror(errno));
}

void OutputFile::commit_all(const std::vector<OutputFile *> &files) {
    std::vector<OutputFile *> renamed;
    std::vector<Temporary::Kept> kept;
    for (OutputFile *const one : files) {
        one->close();
        if (!one->temporary)
            continue;
        std::error_code ignored;
        if (fs::is_directory(one->target, ignored))
            one->fail("it is a directory");
        renamed.push_back(one);
    }
    // Those that may be refused come first, while nothing has been replaced.
    std::stable_partition(renamed.begin(), renamed.end(),
                          [](const OutputFile *one) { return one->old == Existing::stays; });
    for (OutputFile *const one : renamed)
        kept.push_back({&*one->temporary, one->target, one->old == Existing::replaced});
    std::error_code error;
    const std::size_t done = Temporary::keep_all(kept, error);
    if (done != kept.size()) {
        if (error == std::errc::file_exists)
            refuse_existing(renamed[done]->name);
        renamed[done]->fail(error.message());
    }
}

void OutputFile::fail(const std::string &reason) const {
    throw Error("cannot write " + name + ": " + reason);
}

OutputFile &OutputFiles::add(const std::string &path, Readers readers, Existing existing) {
    OutputFile &added = files.emplace_back(path, readers, existing);
    const auto place = [](const OutputFile &file) {
        std::error_code ignored;
        return fs::weakly_canonical(fs::absolute(file.target), ignored);
    };
    for (OutputFile &before : files) {
        const bool same = added.temporary ? before.temporary && place(before) == place(added)
                                          : is_standard_output(path) && before.name == added.name;
        if (&before != &added && same)
            throw Error("cannot write two files to " + added.name);
    }
    return added;
}

void OutputFiles::commit() {
    std::vector<OutputFile *> all;
    for (OutputFile &file : files)
        all.push_back(&file);
    OutputFile::commit_all(all);
}

OutputFolder::OutputFolder(const std::string &path) {
    fs::path named = path;
    if (!named.has_filename()) // "keys/"
        named = named.parent_path();
    std::error_code error;
    if (fs::exists(named, error) && !(fs::is_directory(named, error) && fs::is_empty(named, error)))
        throw Error("cannot write into " + path + ": it is no new or empty folder");
    target = behind_links(named).string();
    try {
        temporary.emplace(Temporary::Kind::folder, temporary_prefix(target));
    } catch (const std::system_error &reason) {
        throw Error("cannot make " + path + ": " + reason.code().message());
    }
}

void OutputFolder::commit() {
    std::error_code error;
    temporary->keep_as(target, error);
    if (error)
        throw Error("cannot make " + target + ": " + error.message());
    temporary.reset();
}

} // namespace sample
