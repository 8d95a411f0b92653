// SPDX-License-Identifier: Apache-2.0
// Batches of public keys and signatures on one curve, on CPU or GPU. engine.cpp has the formulas.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <warpint/bigint.h>

#include "command_line.h"

namespace curves {

using warpint::BigInt;
using Number = BigInt<256>;
using CompressedKey = BigInt<264>; // 02 x or 03 x as a number, for even and odd y (SEC 1, 2.3.3)
using AnyKey = BigInt<520>;        // compressed, or 04 x y

enum class CurveName { secp256k1, p256 };

// Signature i is of the number hash[i], the leftmost 256 bits of a message's hash. All have one
// size.
struct Signatures {
    std::vector<AnyKey> key;
    std::vector<Number> hash, r, s;

    Signatures() = default;
    explicit Signatures(std::size_t size) : key(size), hash(size), r(size), s(size) {}
    std::size_t size() const { return key.size(); }
};

class Engine {
public:
    virtual ~Engine() = default;

    // The order of the group.
    virtual Number order() const = 0;

    // The public keys of private keys in [1, order).
    virtual std::vector<CompressedKey> public_keys(const std::vector<Number> &private_keys) = 0;

    // Computes the public keys of `from`, from + 1, ... and leaves them where the engine computes:
    // as many as are asked for, or those of a whole batch, whichever is less. Returns how many.
    // On input: 1 <= from, from + count <= order.
    virtual std::size_t consecutive(const Number &from, std::size_t count) = 0;
    virtual std::size_t consecutive_batch() const = 0;
    // Those of the last call: keys [first, first + count).
    virtual std::vector<CompressedKey> consecutive_keys(std::size_t first, std::size_t count) = 0;

    // Whether each of the signatures [first, first + count) is valid (SEC 1, 4.1.4). Any input: a
    // key that is no point of the curve, or an r or s out of range, makes a signature invalid.
    virtual std::vector<bool> verify(const Signatures &all, std::size_t first,
                                     std::size_t count) = 0;
    // Verifies once more, `rounds` times, what still lies where the engine computes: the last
    // signatures of the last calls. No copies. Returns how many it verified.
    virtual std::size_t verify_held(std::size_t rounds) = 0;

    virtual bool on_gpu() const = 0;
};

// Throws Error for a device that is not there.
std::unique_ptr<Engine> make_engine(CurveName curve, sample::Device device);

// What an engine of this choice runs on, in words.
std::string device_name(sample::Device device);

} // namespace curves
