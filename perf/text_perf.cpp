// SPDX-License-Identifier: Apache-2.0
// Numbers to and from lines of text, bytes of text per second; the host's conversions, one thread,
// beside them.
#include "support.h"

#include <string>

namespace {

using namespace perf;

#if defined(__CUDACC__)
// Bytes a second of the kernels alone, which write and read so many bytes of text.
template <int Bits>
void measure_kernels(const device_vector<BigInt<Bits>> &v, const std::string &text, int base) {
    using T = BigInt<Bits>;
    const std::size_t count = v.size();
    const std::size_t room = algorithm::max_digits(Bits, base) + 1;
    device_vector<char> blocks(count * room, uninitialized);
    device_vector<std::uint32_t> lengths(count, uninitialized);
    const containers::TextOfNumbers<T> write_text{v.data(), blocks.data(), lengths.data(), room,
                                                  base};
    const double write =
        seconds([&] { execution::for_each_on_gpu(count, write_text, nullptr); }, 3);
    std::vector<std::uint64_t> starts{0};
    for (std::size_t end = 0; (end = text.find('\n', end)) != std::string::npos;)
        starts.push_back(++end);
    const device_vector<char> characters(text.begin(), text.end());
    const device_vector<std::uint64_t> offsets(starts);
    device_vector<T> out(count);
    using Text = expression::SourceLeaf<char, Space::device>;
    using Offsets = expression::SourceLeaf<std::uint64_t, Space::device>;
    using Read = expression::operation::NumberOfLine<T>;
    Read read_text;
    read_text.base = base;
    const expression::Node<Read, Text, Offsets, expression::IndexLeaf> tree{
        read_text,
        {{Text{{characters.handle(), {}}}}, {Offsets{{offsets.handle(), {}}}}, {indices(count)}}};
    const double read = seconds([&] { evaluate(tree, out); }, 3);
    require(all(out == v), "the kernel that reads");
    const double size = static_cast<double>(text.size());
    std::printf("            the GPU's part: writes %.1f GB/s, reads %.1f GB/s\n",
                size / write / 1e9, size / read / 1e9);
}
#endif

template <int Bits>
void measure(int base, std::size_t bytes) {
    using T = BigInt<Bits>;
    const std::size_t count = bytes / sizeof(T);
    const std::vector<T> numbers = random_batch<Bits>(count, 5);
    const device_vector<T> v(numbers);
    std::vector<std::string> lines;
    const double write = seconds([&] { lines = to_strings(v, base); }, 3);
    std::string text;
    for (const std::string &line : lines)
        text += line + '\n';
    device_vector<T> w;
    const double read = seconds([&] { w.assign_text(text, base); }, 3);
    require(w.to_host() == numbers, "assign_text");
    const std::size_t few = std::min<std::size_t>(count, 2000);
    std::size_t few_bytes = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < few; ++i) {
        const std::string line = to_string(numbers[i], base);
        require(line == lines[i], "to_strings");
        few_bytes += line.size();
    }
    const double host =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double size = static_cast<double>(text.size());
    std::printf(
        "%5d bits, base %2d: to_strings %8.1f MB/s, assign_text %8.1f MB/s; to_string on one "
        "core %8.1f MB/s\n",
        Bits, base, size / write / 1e6, size / read / 1e6,
        static_cast<double>(few_bytes) / host / 1e6);
#if defined(__CUDACC__)
    if (device_info().gpu)
        measure_kernels<Bits>(v, text, base);
#endif
    std::fflush(stdout);
}

} // namespace

int main() {
    print_machine();
    const std::size_t bytes = device_info().gpu ? std::size_t{1} << 26 : std::size_t{1} << 20;
    measure<256>(10, bytes);
    measure<256>(16, bytes);
    measure<2048>(10, bytes);
    measure<2048>(16, bytes);
}
