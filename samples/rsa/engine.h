// SPDX-License-Identifier: Apache-2.0
// The arithmetic of RSA, on batches of blocks and of keys: the only part of the sample that uses
// warpint.
//
// Variable time: the running time depends on key and data, as everywhere in warpint but in
// functions named _ct. Fine for files at rest, not for a server that answers strangers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command_line.h"
#include "engine_widths.h"
#include "key.h"

namespace rsa {

using sample::Device;

inline constexpr int largest_modulus_bits = engine_widths[std::size(engine_widths) - 1];

class Engine {
public:
    virtual ~Engine() = default;

    // Maps every block of `in` to one of `out`, of the same size in bytes: a whole number of
    // blocks, each a big-endian number below the modulus. The spans do not overlap.
    // Throws Error if a result of the private engine fails its check; `out` is then unspecified.
    virtual void apply(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) = 0;

    // Where it computes: a GPU wants large batches.
    virtual bool on_gpu() const = 0;
};

// block^e mod n. Throws Error for a modulus that is too long, or a device that is not there.
std::unique_ptr<Engine> make_public_engine(const PublicKey &key, Device device);

// block^d mod n by the Chinese remainder theorem: two exponentiations of half the width.
// Each result is raised to e again and compared, since one faulty result would betray the
// primes (Boneh, DeMillo, Lipton 1997). Throws as make_public_engine() does.
std::unique_ptr<Engine> make_private_engine(const PrivateKey &key, Device device);

// New keys with e = 65537 and moduli of exactly `bits` bits, an even number from 1024 to
// largest_modulus_bits; engine_keys.h says what else holds of them. Random numbers are the
// system's. Throws as make_public_engine() does.
std::vector<PrivateKey> generate_keys(int bits, std::size_t count, Device device);

// How many keys at once keep the device busy.
std::size_t keys_at_once(Device device);

// What the engines of this choice run on, in words.
std::string device_name(Device device);

} // namespace rsa
