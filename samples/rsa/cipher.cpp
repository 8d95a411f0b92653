// SPDX-License-Identifier: Apache-2.0
#include "cipher.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "error.h"
#include "progress.h"

namespace rsa {

using sample::Error;
using sample::InputFile;
using sample::OutputFile;
using sample::Progress;

namespace {

constexpr std::size_t largest_batch_bytes = std::size_t{32} << 20;

// A batch need not last longer to fill the device. On the CPU short ones are better: what is done
// beside them, padding and files, is more than a batch before the first and after the last.
double batch_seconds(const Engine &engine) {
    return engine.on_gpu() ? 0.5 : 0.05;
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
        throw Error("the ciphertext is truncated: " + std::to_string(size) +
                    " bytes are no whole number of blocks of " +
                    std::to_string(cipher.block_size()) + " bytes, this key's size");
}

Bytes applied(Engine &engine, std::span<const std::uint8_t> blocks) {
    Bytes result(blocks.size());
    engine.apply(blocks, result);
    return result;
}

Unpadded unpadded(const Cipher &cipher, std::span<const std::uint8_t> blocks,
                  std::uint64_t first_block) {
    Unpadded result = unpad(cipher.padding, blocks, cipher.block_size());
    check_paddings(cipher, result.sizes, first_block);
    return result;
}

// Runs batches through the engine. While it computes one, another thread calls finish() for the
// batch before and prepare() for the batch after, in this order and never at once.
// prepare(count) gives up to `count` blocks, none at the end; finish(blocks) takes the results.
void run_batches(Engine &engine, std::size_t block_size, std::size_t first_batch,
                 const std::function<Bytes(std::size_t)> &prepare,
                 const std::function<void(const Bytes &)> &finish) {
    std::size_t batch = std::min(first_batch, largest_batch(block_size));
    Bytes current = prepare(batch);
    std::optional<Bytes> previous;
    while (!current.empty()) {
        auto neighbours = std::async(std::launch::async, [&] {
            if (previous)
                finish(*previous);
            return prepare(batch);
        });
        const auto start = std::chrono::steady_clock::now();
        Bytes result = applied(engine, current);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        current = neighbours.get();
        previous = std::move(result);
        if (elapsed.count() < batch_seconds(engine))
            batch = std::min(2 * batch, largest_batch(block_size));
    }
    if (previous)
        finish(*previous);
}

} // namespace

std::size_t largest_batch(std::size_t block_size) {
    return largest_batch_bytes / block_size;
}

Bytes decrypt(const Cipher &cipher, std::span<const std::uint8_t> blocks) {
    check_whole_blocks(cipher, blocks.size());
    Bytes in_range(blocks.begin(), blocks.end());
    clear_out_of_range(cipher, in_range);
    return unpadded(cipher, applied(cipher.engine, in_range), 0).message;
}

void encrypt_file(const Cipher &cipher, const std::string &in, const std::string &out,
                  const FileOptions &options) {
    const std::size_t per_block = max_message(cipher.padding, cipher.block_size());
    InputFile input(in);
    OutputFile output(out);
    Progress progress("encrypting", input.size().value_or(0), "B", options.always_show_progress);
    bool ended = false;
    run_batches(
        cipher.engine, cipher.block_size(), options.first_batch,
        [&](std::size_t count) {
            if (ended)
                return Bytes{};
            const Bytes message = input.read(count * per_block);
            ended = message.size() != count * per_block;
            if (ended)
                count = block_count(message.size(), per_block);
            progress.add(message.size());
            return pad(cipher.padding, message, count, cipher.block_size());
        },
        [&](const Bytes &blocks) { output.write(blocks); });
    output.commit();
}

void decrypt_file(const Cipher &cipher, const std::string &in, const std::string &out,
                  const FileOptions &options) {
    const std::size_t per_block = max_message(cipher.padding, cipher.block_size());
    InputFile input(in);
    if (input.size())
        check_whole_blocks(cipher, *input.size());
    OutputFile output(out);
    Progress progress("decrypting", input.size().value_or(0), "B", options.always_show_progress);
    std::uint64_t bytes_read = 0;
    std::uint64_t blocks_done = 0;
    bool ended = false;
    run_batches(
        cipher.engine, cipher.block_size(), options.first_batch,
        [&](std::size_t count) {
            Bytes blocks = input.read(count * cipher.block_size());
            bytes_read += blocks.size();
            if (blocks.size() != count * cipher.block_size())
                check_whole_blocks(cipher, bytes_read); // the end of the file
            clear_out_of_range(cipher, blocks);
            return blocks;
        },
        [&](const Bytes &blocks) {
            const Unpadded parts = unpadded(cipher, blocks, blocks_done);
            output.write(parts.message);
            blocks_done += parts.sizes.size();
            ended = static_cast<std::size_t>(parts.sizes.back()) < per_block;
            progress.add(blocks.size());
        });
    if (!ended && !options.any_end)
        throw Error("the ciphertext is truncated: its last block is full, so that another one must "
                    "follow (--any-end accepts it)");
    output.commit();
}

} // namespace rsa
