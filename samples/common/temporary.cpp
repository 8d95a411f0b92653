// SPDX-License-Identifier: Apache-2.0
#include "temporary.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace sample {
namespace {

// What is to be removed. Never destroyed: a signal may come while the program ends. Locked while
// something is made, renamed or removed; once a signal came, for good.
struct Registry {
    std::mutex mutex;
    std::set<std::string> paths;
};
Registry &registry = *new Registry;

void remove(const std::string &path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

// Gives the file `from` the name `to`, unless there is something of this name.
void rename_new(const std::string &from, const std::string &to, std::error_code &error) {
    error.clear();
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return;
    if (errno == EINVAL || errno == ENOSYS) // not in this file system, or not in this kernel
#endif
        if (link(from.c_str(), to.c_str()) == 0 && unlink(from.c_str()) == 0)
            return;
    error.assign(errno, std::generic_category());
}

} // namespace

void remove_temporaries_on_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction action{};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN)
            sigaddset(&signals, signal);
    }
    // Blocked here, and so in every thread that starts later: the signals go to the one that waits.
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals] {
        int signal = 0;
        while (sigwait(&signals, &signal) != 0) {
        }
        const std::lock_guard lock(registry.mutex);
        for (const std::string &path : registry.paths)
            remove(path);
        std::signal(signal, SIG_DFL);
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
        std::raise(signal);
    }).detach();
}

Temporary::Temporary(Kind kind, const std::string &prefix) : name(prefix + "XXXXXX") {
    const std::lock_guard lock(registry.mutex);
    const bool made =
        kind == Kind::file ? (opened = mkstemp(name.data())) >= 0 : mkdtemp(name.data()) != nullptr;
    if (!made)
        throw std::system_error(errno, std::generic_category(), "cannot make " + name);
    registry.paths.insert(name);
}

Temporary::~Temporary() {
    if (kept)
        return;
    const std::lock_guard lock(registry.mutex);
    remove(name);
    registry.paths.erase(name);
}

void Temporary::keep_as(const std::string &target, std::error_code &error) {
    keep_all({{this, target}}, error);
}

std::size_t Temporary::keep_all(const std::vector<Kept> &all, std::error_code &error) {
    const std::lock_guard lock(registry.mutex);
    std::size_t done = 0;
    for (; done != all.size(); ++done) {
        const Kept &next = all[done];
        if (next.may_replace)
            std::filesystem::rename(next.temporary->name, next.target, error);
        else
            rename_new(next.temporary->name, next.target, error);
        if (error)
            break;
    }
    for (std::size_t i = 0; i != done; ++i) {
        Temporary &file = *all[i].temporary;
        if (done != all.size() && !all[i].may_replace) {
            std::error_code stays;
            std::filesystem::rename(all[i].target, file.name, stays);
            if (!stays)
                continue;
        }
        file.kept = true;
        registry.paths.erase(file.name);
    }
    return done;
}

} // namespace sample
