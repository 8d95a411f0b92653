// SPDX-License-Identifier: Apache-2.0
#include "cipher.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <vector>

#include "error.h"
#include "pipeline.h"
#include "progress.h"

namespace rsa {

using sample::Error;
using sample::InputFile;
using sample::OutputFile;
using sample::Progress;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Enough numbers to fill a GPU, and little memory to touch for the first time: the stages of a job
// hold some fifteen times as much.
constexpr std::size_t largest_batch_bytes = std::size_t{8} << 20;

// A batch need not last longer to fill the device. Short ones are better otherwise: nothing is
// computed while the first batch is read and while the last is written.
double batch_seconds(const Engine &engine) {
    return engine.on_gpu() ? 0.2 : 0.05;
}

// A GPU takes about as long for a few blocks as for thousands.
std::size_t usual_first_batch(const Engine &engine) {
    return engine.on_gpu() ? 8192 : 512;
}

// Every ciphertext block is a number below the modulus (RFC 8017, section 5.1.2, step 1). Others
// become zeros: these decrypt to zeros, which no padding allows.
void clear_out_of_range(const Cipher &cipher, std::span<std::uint8_t> blocks) {
    for (std::size_t at = 0; at != blocks.size(); at += cipher.block_size()) {
        const auto block = blocks.subspan(at, cipher.block_size());
        if (!std::lexicographical_compare(block.begin(), block.end(), cipher.modulus.begin(),
                                          cipher.modulus.end()))
            std::fill(block.begin(), block.end(), std::uint8_t{0});
    }
}

// Throws Error if a padding is wrong. sizes: as unpad() gives them; they begin with first_block.
void check_paddings(const Cipher &cipher, const std::vector<int> &sizes,
                    std::uint64_t first_block) {
    const auto is_bad = [](int size) { return size < 0; };
    const auto first_bad = std::find_if(sizes.begin(), sizes.end(), is_bad);
    if (first_bad == sizes.end())
        return;
    const auto bad = static_cast<std::size_t>(std::count_if(first_bad, sizes.end(), is_bad));
    const std::size_t good = sizes.size() - bad;
    if (first_block == 0 && sizes.size() == 1)
        throw Error("the ciphertext's only block is corrupted, or was not encrypted with this key "
                    "and padding");
    // Of blocks for another key some pass for good: one in hundreds with PKCS#1 v1.5.
    if (first_block == 0 && 8 * good < sizes.size())
        throw Error(
            "the ciphertext was not encrypted with this key and padding: " + std::to_string(bad) +
            " of its first " + std::to_string(sizes.size()) + " blocks do not decrypt");
    const std::uint64_t index = first_block + static_cast<std::uint64_t>(first_bad - sizes.begin());
    throw Error("block " + std::to_string(index) + " (at byte " +
                std::to_string(index * cipher.block_size()) + ") is corrupted");
}

void check_whole_blocks(const Cipher &cipher, std::uint64_t size) {
    if (size == 0)
        throw Error("the ciphertext is truncated: it is empty");
    if (size % cipher.block_size() != 0)
        throw Error("the ciphertext's length, " + std::to_string(size) +
                    " bytes, is no multiple of this key's block of " +
                    std::to_string(cipher.block_size()) + " bytes");
}

// Unpads one batch, whose blocks it overwrites, and throws Error if a padding is wrong.
void unpad_checked(const Cipher &cipher, std::span<std::uint8_t> blocks, std::uint64_t first_block,
                   Unpadded &result, Workers &workers) {
    unpad(cipher.padding, blocks, cipher.block_size(), result, workers);
    check_paddings(cipher, result.sizes, first_block);
}

// What passes through the stages of a job. One stage at a time has it.
struct Batch {
    Buffer message; // of an encryption
    Buffer blocks;  // numbers below the modulus
    Buffer results; // of the arithmetic
    Unpadded parts; // of a decryption
};

// The arithmetic of one batch after another, in the calling thread, and how many blocks the next
// should have. Another thread may ask for this.
class Arithmetic {
public:
    Arithmetic(const Cipher &cipher, std::size_t first_batch)
        : engine(cipher.engine), block_size(cipher.block_size()),
          wanted(std::min(first_batch != 0 ? first_batch : usual_first_batch(engine),
                          largest_batch(block_size))) {}

    std::size_t batch() const { return wanted; }

    void apply(Batch &batch) {
        batch.results.resize(batch.blocks.size());
        const auto start = Clock::now();
        engine.apply(batch.blocks, batch.results);
        if (seconds_since(start) < batch_seconds(engine)) {
            const std::size_t twice = 2 * (batch.blocks.size() / block_size);
            wanted = std::clamp(twice, wanted.load(), largest_batch(block_size));
        }
    }

private:
    Engine &engine;
    std::size_t block_size;
    std::atomic<std::size_t> wanted;
};

} // namespace

JobTimes &JobTimes::operator+=(const JobTimes &other) {
    seconds += other.seconds;
    if (stages.empty())
        stages.resize(other.stages.size());
    for (std::size_t i = 0; i != stages.size(); ++i)
        stages[i] = {other.stages[i].name, stages[i].seconds + other.stages[i].seconds};
    return *this;
}

std::string JobTimes::shares() const {
    std::string result;
    for (const Stage &stage : stages)
        result += (result.empty() ? "" : ", ") + stage.name + " " +
                  std::to_string(std::lround(100 * stage.seconds / seconds)) + "%";
    return result;
}

std::size_t largest_batch(std::size_t block_size) {
    return largest_batch_bytes / block_size;
}

Bytes decrypt(const Cipher &cipher, std::span<const std::uint8_t> blocks) {
    check_whole_blocks(cipher, blocks.size());
    Bytes in_range(blocks.begin(), blocks.end());
    clear_out_of_range(cipher, in_range);
    Bytes results(in_range.size());
    cipher.engine.apply(in_range, results);
    Unpadded parts;
    Workers workers;
    unpad_checked(cipher, results, 0, parts, workers);
    return {parts.message.begin(), parts.message.end()};
}

JobTimes encrypt_file(const Cipher &cipher, const std::string &in, const std::string &out,
                      const FileOptions &options) {
    const auto start = Clock::now();
    const std::size_t block_size = cipher.block_size();
    const std::size_t per_block = max_message(cipher.padding, block_size);
    InputFile input(in);
    OutputFile output(out);
    Progress progress("encrypting", input.size().value_or(0), options.always_show_progress);
    Arithmetic arithmetic(cipher, options.first_batch);
    Workers workers;
    std::atomic<bool> stop = false;
    bool ended = false;
    const auto read = [&](Batch &batch) {
        if (ended)
            return false;
        std::size_t count = arithmetic.batch();
        batch.message.resize(count * per_block);
        const std::size_t size = input.read(batch.message, stop);
        ended = size != batch.message.size();
        if (ended)
            count = block_count(size, per_block);
        batch.message.resize(size);
        batch.blocks.resize(count * block_size);
        return true;
    };
    const auto add_padding = [&](Batch &batch) {
        pad(cipher.padding, batch.message, batch.blocks, block_size, workers);
        return true;
    };
    const auto encrypt = [&](Batch &batch) {
        arithmetic.apply(batch);
        return true;
    };
    const auto write = [&](Batch &batch) {
        output.write(batch.results);
        progress.add(batch.message.size());
        return true;
    };
    const auto busy = sample::run_pipeline<Batch>({read, add_padding, encrypt, write}, 2, stop);
    output.commit();
    return {seconds_since(start),
            {{"read", busy[0]}, {"pad", busy[1]}, {"arithmetic", busy[2]}, {"write", busy[3]}}};
}

JobTimes decrypt_file(const Cipher &cipher, const std::string &in, const std::string &out,
                      const FileOptions &options) {
    const auto start = Clock::now();
    const std::size_t block_size = cipher.block_size();
    const std::size_t per_block = max_message(cipher.padding, block_size);
    InputFile input(in);
    if (input.size())
        check_whole_blocks(cipher, *input.size());
    OutputFile output(out);
    Progress progress("decrypting", input.size().value_or(0), options.always_show_progress);
    Arithmetic arithmetic(cipher, options.first_batch);
    Workers workers;
    std::atomic<bool> stop = false;
    std::uint64_t bytes_read = 0;
    std::uint64_t blocks_done = 0;
    bool last_is_full = true;
    const auto read = [&](Batch &batch) {
        batch.blocks.resize(arithmetic.batch() * block_size);
        const std::size_t size = input.read(batch.blocks, stop);
        bytes_read += size;
        if (size != batch.blocks.size())
            check_whole_blocks(cipher, bytes_read); // the end of the file
        batch.blocks.resize(size);
        clear_out_of_range(cipher, batch.blocks);
        return size != 0;
    };
    const auto decrypt = [&](Batch &batch) {
        arithmetic.apply(batch);
        return true;
    };
    const auto remove_padding = [&](Batch &batch) {
        unpad_checked(cipher, batch.results, blocks_done, batch.parts, workers);
        blocks_done += batch.parts.sizes.size();
        last_is_full = static_cast<std::size_t>(batch.parts.sizes.back()) == per_block;
        return true;
    };
    const auto write = [&](Batch &batch) {
        output.write(batch.parts.message);
        progress.add(batch.blocks.size());
        return true;
    };
    const auto busy = sample::run_pipeline<Batch>({read, decrypt, remove_padding, write}, 1, stop);
    if (last_is_full && !options.any_end)
        throw Error("the ciphertext is truncated: its last block is full, so that another one must "
                    "follow (--any-end accepts it)");
    output.commit();
    return {seconds_since(start),
            {{"read", busy[0]}, {"arithmetic", busy[1]}, {"unpad", busy[2]}, {"write", busy[3]}}};
}

} // namespace rsa
