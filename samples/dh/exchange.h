// SPDX-License-Identifier: Apache-2.0
// Batches of key agreements: in memory, measured, and from file to file. The rest of the sample
// sees these functions only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command_line.h"
#include "groups.h"

namespace dh {

// Whether the powers take a time that depends on the private keys.
enum class Timing { constant, variable };

struct Options {
    Timing timing = Timing::constant;
    sample::CommonOptions common;
};

// One agreement, all in hexadecimal.
struct Agreement {
    std::string our_private, our_public, their_public, secret;
};

// One batch, both sides of each agreement.
struct Batch {
    std::size_t size = 0;
    double key_pairs = 0; // per second: private keys drawn and public keys computed
    double secrets = 0;   // per second: public keys checked and secrets computed
    bool equal = false;   // all public keys are valid, and both sides have the same secrets
    std::vector<Agreement> agreements; // evenly spread over the batch
};

// size: agreements at once; 0: as many as suit the device.
Batch run_batch(const Group &group, std::size_t size, std::size_t wanted_agreements,
                const Options &options);

// Writes new private keys and their public keys, one a line: both files or none. Only their owner
// can read the private keys, which replace none without `force`.
void make_keys(const Group &group, std::size_t count, const std::string &private_file,
               const std::string &public_file, bool force, const Options &options);

// Writes the secret of each line of a file of private keys and a file of public keys of the others.
// Throws Error naming the first line whose key is not valid.
void agree(const Group &group, const std::string &private_file, const std::string &public_file,
           const std::string &secret_file, const Options &options);

// What batches run on, in words.
std::string device_name(sample::Device device);

} // namespace dh
