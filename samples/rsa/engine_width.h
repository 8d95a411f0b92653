// SPDX-License-Identifier: Apache-2.0
// Engines and keys for moduli of up to Bits bits. Each width is compiled in files of its own, made
// from engine_width.cpp.in and engine_keys_width.cpp.in: compiles stay small and run side by side.
#pragma once

#include <memory>

#include "engine.h"

namespace rsa {

template <int Bits>
std::unique_ptr<Engine> public_engine(const PublicKey &key, bool on_gpu);
template <int Bits>
std::unique_ptr<Engine> private_engine(const PrivateKey &key, bool on_gpu);
template <int Bits>
std::vector<PrivateKey> generate_keys(int bits, std::size_t count, bool on_gpu);

} // namespace rsa
