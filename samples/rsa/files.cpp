// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>

#include <unistd.h>

#include "error.h"

namespace fs = std::filesystem;

namespace rsa {
namespace {

// The temporary file to remove when a signal ends the program; one at a time is enough here.
char interrupted_file[4096];

void remove_and_exit(int signal_number) {
    if (interrupted_file[0] != '\0')
        unlink(interrupted_file);
    _exit(128 + signal_number);
}

void remove_on_interrupt(const std::string &path) {
    if (path.size() >= sizeof interrupted_file)
        return;
    std::memcpy(interrupted_file, path.c_str(), path.size() + 1);
    for (int signal_number : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal_number, remove_and_exit) == SIG_IGN)
            std::signal(signal_number, SIG_IGN); // as nohup wants it
}

void keep_on_interrupt() {
    for (int signal_number : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal_number, SIG_DFL) == SIG_IGN)
            std::signal(signal_number, SIG_IGN);
    interrupted_file[0] = '\0';
}

} // namespace

InputFile::InputFile(const std::string &path) : name(path), file(nullptr, std::fclose) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status))
        throw Error("cannot read " + name + ": it is a directory");
    file.reset(std::fopen(path.c_str(), "rb"));
    if (!file)
        throw Error("cannot read " + name + ": " + std::strerror(errno));
    if (fs::is_regular_file(status))
        known_size = fs::file_size(path);
}

Bytes InputFile::read(std::size_t most) {
    Bytes data(most);
    data.resize(std::fread(data.data(), 1, most, file.get()));
    if (std::ferror(file.get()))
        throw Error("cannot read " + name + ": " + std::strerror(errno));
    return data;
}

OutputFile::OutputFile(const std::string &path) : name(path), file(nullptr, std::fclose) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error); // of what a link points to
    if (fs::is_directory(status))
        fail("it is a directory");
    if (fs::exists(status) && !fs::is_regular_file(status))
        fail("it is not a regular file");
    // A link to a file stays a link: the file behind it is replaced.
    target = fs::exists(status) ? fs::canonical(path, error).string() : path;
    temporary = target + ".part-" + std::to_string(std::random_device{}());
    file.reset(std::fopen(temporary.c_str(), "wbx"));
    if (!file)
        fail(std::strerror(errno));
    remove_on_interrupt(temporary);
}

OutputFile::~OutputFile() {
    if (temporary.empty())
        return;
    std::error_code ignored;
    fs::remove(temporary, ignored);
    keep_on_interrupt();
}

void OutputFile::write(std::span<const std::uint8_t> data) {
    if (std::fwrite(data.data(), 1, data.size(), file.get()) != data.size())
        fail(std::strerror(errno));
}

void OutputFile::commit() {
    if (std::fclose(file.release()) != 0)
        fail(std::strerror(errno));
    std::error_code error;
    fs::rename(temporary, target, error);
    if (error)
        fail(error.message());
    temporary.clear();
    keep_on_interrupt();
}

void OutputFile::fail(const std::string &reason) const {
    throw Error("cannot write " + name + ": " + reason);
}

} // namespace rsa
