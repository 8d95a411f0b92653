// SPDX-License-Identifier: Apache-2.0
// What the program does, from file to file. The rest of the sample sees these functions only. They
// throw Error, with nothing written, naming the file and the line that is wrong.
//
// A key file has a word on its first line and a hexadecimal number on each of the others: n for a
// public key, for dj-short then h (cryptosystem.h) with the digits of n; p and q for a private one.
// A file of ciphertexts begins with the line "paillier-ciphertexts FINGERPRINT COUNT", where
// FINGERPRINT is the last 16 digits of n; then comes a ciphertext a line, hexadecimal with leading
// zeros, all of one length. Values are decimal, one a line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command_line.h"

namespace paillier {

using sample::CommonOptions;

// How numbers are encrypted (cryptosystem.h). Keys for dj_short also serve the textbook's scheme.
enum class Scheme { textbook, dj_short };

// Writes name.private, which only its owner can read, and name.public; of several keys
// name-1.private and so on: all files or none. Private keys replace none without `force`.
void make_keys(Scheme scheme, int bits, std::size_t count, const std::string &name, bool force,
               const CommonOptions &options);

// Each number of a column, of which column.h says more.
void encrypt(Scheme scheme, const std::string &key, const std::string &csv,
             const std::string &column, const std::string &out, const CommonOptions &options);

// Of one file the sum of all lines, of two files the sums line by line.
void add(const std::string &key, const std::vector<std::string> &in, const std::string &out,
         const CommonOptions &options);

// Multiplies the values by a decimal number.
void scale(const std::string &key, const std::string &in, const std::string &factor,
           const std::string &out, const CommonOptions &options);

void decrypt(const std::string &key, const std::string &in, const std::string &out,
             const CommonOptions &options);

// All of it in memory, both schemes, `rows` values at once for at least so many seconds, compared
// with plain arithmetic; prints rates. Returns whether all results were right.
bool demo(int bits, std::size_t rows, double seconds, const CommonOptions &options);

} // namespace paillier
