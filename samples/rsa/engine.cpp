// SPDX-License-Identifier: Apache-2.0
// Chooses device and width. Compiled as CUDA where the build has it.
#include "engine.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "device.h"
#include "engine_width.h"
#include "error.h"
#include "parallel.h"

namespace rsa {

using sample::Error;

namespace {

int bit_width(const Bytes &number) {
    return static_cast<int>(8 * (number.size() - 1)) + std::bit_width(number.front());
}

// Calls make with the smallest compiled width that holds `bits`, as an integral_constant.
template <std::size_t Index = 0, class Make>
auto with_width(int bits, Make make) {
    constexpr bool is_last = Index + 1 == std::size(engine_widths);
    if (bits <= engine_widths[Index])
        return make(std::integral_constant<int, engine_widths[Index]>{});
    if constexpr (!is_last) {
        return with_width<Index + 1>(bits, make);
    } else {
        throw Error("the key is too long: this program takes moduli of up to " +
                    std::to_string(largest_modulus_bits) + " bits and primes of half of that");
    }
}

} // namespace

std::unique_ptr<Engine> make_public_engine(const PublicKey &key, Device device) {
    return with_width(key.bits(), [&](auto width) {
        return public_engine<decltype(width)::value>(key, sample::use_gpu(device));
    });
}

std::unique_ptr<Engine> make_private_engine(const PrivateKey &key, Device device) {
    const int prime_bits = std::max(bit_width(key.p), bit_width(key.q));
    return with_width(std::max(key.public_key.bits(), 2 * prime_bits), [&](auto width) {
        return private_engine<decltype(width)::value>(key, sample::use_gpu(device));
    });
}

std::vector<PrivateKey> generate_keys(int bits, std::size_t count, Device device) {
    return with_width(bits, [&](auto width) {
        return generate_keys<decltype(width)::value>(bits, count, sample::use_gpu(device));
    });
}

std::size_t keys_at_once(Device device) {
    return sample::use_gpu(device) ? 1024 : 8 * sample::hardware_threads();
}

std::string device_name(Device device) {
    return sample::device_name(device);
}

} // namespace rsa
