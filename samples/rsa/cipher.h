// SPDX-License-Identifier: Apache-2.0
// Padding and arithmetic together: messages and files to ciphertext blocks and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine.h"
#include "files.h"
#include "key.h"
#include "padding.h"

namespace rsa {

// Everything that a direction of the cipher needs. The engine is public for encryption and
// private for decryption.
struct Cipher {
    Engine &engine;
    const Bytes &modulus;
    Padding padding;

    std::size_t block_size() const { return modulus.size(); }
};

// The message of ciphertext blocks, each block_size() bytes, one after another. Throws Error naming
// the first bad block, or saying that the key is another one.
Bytes decrypt(const Cipher &cipher, std::span<const std::uint8_t> blocks);

struct FileOptions {
    bool always_show_progress = false;
    bool any_end = false;        // decrypts also where the last block is full: see padding.h
    std::size_t first_batch = 0; // blocks; 0: by device. Later batches grow as far as it gains
};

// How long a job took, and for how long each of its stages had work. They overlap: the one that is
// busy nearly all the time is what limits the job.
struct JobTimes {
    struct Stage {
        std::string name;
        double seconds;
    };
    double seconds = 0;
    std::vector<Stage> stages; // in the order of the work

    JobTimes &operator+=(const JobTimes &other); // the same stages
    std::string shares() const;                  // "read 3%, pad 40%, ..." of the time
};

// From file to file, in bounded memory: names as InputFile and OutputFile take them. Reading,
// padding, arithmetic and writing overlap.
JobTimes encrypt_file(const Cipher &cipher, const std::string &in, const std::string &out,
                      const FileOptions &options = {});
JobTimes decrypt_file(const Cipher &cipher, const std::string &in, const std::string &out,
                      const FileOptions &options = {});

// Most blocks in one batch: bounds the memory that a file of any size takes, to about 0.1 GiB.
std::size_t largest_batch(std::size_t block_size);

} // namespace rsa
