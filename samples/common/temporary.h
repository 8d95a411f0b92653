// SPDX-License-Identifier: Apache-2.0
// Files and folders that do not outlive the program, also where a signal ends it.
#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace sample {

// Makes SIGINT, SIGTERM, SIGHUP and SIGQUIT remove every Temporary before they end the program.
// SIGKILL leaves them. A signal that is ignored stays ignored, as nohup wants it. Call it once,
// before the first thread starts.
void remove_temporaries_on_signals();

// A new file or folder that only its owner can read. Its name is `prefix` and six random
// characters.
class Temporary {
public:
    enum class Kind { file, folder };

    // Throws std::system_error where it cannot be made.
    Temporary(Kind kind, const std::string &prefix);

    // Removes it, with all that is in it; not once it was kept.
    ~Temporary();

    Temporary(const Temporary &) = delete;
    Temporary &operator=(const Temporary &) = delete;

    const std::string &path() const { return name; }

    // Renames it to `target`, under which it stays. A file or an empty folder of this name gives
    // way. A signal removes it before, or comes after.
    void keep_as(const std::string &target, std::error_code &error);

    // Renames one after the other; a signal comes before the first or after the last. Stops at the
    // first that fails, whose number is returned; otherwise how many there are. One that may not
    // replace fails with EEXIST where there is something of its target's name, at whatever moment
    // it came; those before it that could not replace either get their temporary names back.
    struct Kept;
    static std::size_t keep_all(const std::vector<Kept> &all, std::error_code &error);

    // The open file, to read and write, which the caller closes. Not for a folder.
    int descriptor() const { return opened; }

private:
    std::string name;
    int opened = -1;
    bool kept = false;
};

struct Temporary::Kept {
    Temporary *temporary;
    std::string target;
    bool may_replace = true;
};

} // namespace sample
