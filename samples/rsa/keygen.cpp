// SPDX-License-Identifier: Apache-2.0
#include "keygen.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine.h"
#include "error.h"
#include "files.h"
#include "key.h"
#include "parallel.h"
#include "pipeline.h"
#include "progress.h"

namespace fs = std::filesystem;

namespace rsa {

using sample::Existing;
using sample::OutputFile;
using sample::OutputFolder;
using sample::Progress;
using sample::Readers;

namespace {

// Where keys go, one after another.
class KeyOutput {
public:
    explicit KeyOutput(const KeygenOptions &options)
        : digits(std::to_string(options.count).size()) {
        const std::string &out = options.out;
        std::error_code error;
        if (out.ends_with('/') || fs::is_directory(out, error)) {
            folder.emplace(out);
            return;
        }
        file.emplace(out, Readers::owner, options.force ? Existing::replaced : Existing::stays);
    }

    void write(const std::string &pem) {
        ++written;
        if (file)
            return file->write(pem);
        const std::string number = std::to_string(written);
        OutputFile key(folder->path() + "/key-" + std::string(digits - number.size(), '0') +
                           number + ".pem",
                       Readers::owner);
        key.write(pem);
        key.commit();
    }
    void commit() { file ? file->commit() : folder->commit(); }

private:
    std::optional<OutputFile> file;
    std::optional<OutputFolder> folder;
    std::size_t digits;
    std::size_t written = 0;
};

} // namespace

void make_keys(const KeygenOptions &options) {
    using Keys = std::vector<PrivateKey>;
    const std::size_t at_once = keys_at_once(options.common.device); // throws without a GPU
    KeyOutput output(options);
    Progress progress("making keys", options.count, options.common.always_show_progress);
    std::atomic<bool> stop = false;
    std::size_t missing = options.count;
    const auto generate = [&](Keys &keys) {
        keys = generate_keys(options.bits, std::min(missing, at_once), options.common.device);
        missing -= keys.size();
        return !keys.empty();
    };
    const auto write = [&](Keys &keys) {
        std::vector<std::string> pem(keys.size());
        sample::parallel_for(keys.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i != last; ++i)
                pem[i] = private_pem(openssl_key(keys[i]));
        });
        for (const std::string &text : pem)
            output.write(text);
        progress.add(keys.size());
        return true;
    };
    sample::run_pipeline<Keys>({generate, write}, 0, stop);
    output.commit();
}

} // namespace rsa
