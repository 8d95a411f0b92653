// SPDX-License-Identifier: Apache-2.0
// Numbers to and from lines of text, bytes of text per second: the whole calls, beside them the
// host's conversions, one thread; and the kernels alone, with a thread and with a block a number.
#include "support.h"

#include <string>

namespace {

using namespace perf;

template <class Body>
double host_seconds(const Body &body) {
    double best = 1e9;
    for (int i = 0; i < 4; ++i) { // the first one is not counted
        const auto start = std::chrono::steady_clock::now();
        body();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = i > 0 && time.count() < best ? time.count() : best;
    }
    return best;
}

#if defined(__CUDACC__)
// Bytes a second of the kernels alone, which write and read so many bytes of text.
template <int Bits>
void measure_kernels(const device_vector<BigInt<Bits>> &v, const std::string &text, int base) {
    using T = BigInt<Bits>;
    const std::size_t count = v.size();
    const double size = static_cast<double>(text.size());
    const std::size_t room = algorithm::max_digits(Bits, base) + 1;
    device_vector<char> characters(count * room, uninitialized);
    device_vector<std::uint32_t> lengths(count, uninitialized);
    const containers::TextOfNumbers<T> write_text{v.data(), characters.data(), lengths.data(), room,
                                                  base};
    const double write =
        seconds([&] { execution::for_each_on_gpu(count, write_text, nullptr); }, 3);
    std::vector<std::uint64_t> starts{0};
    for (std::size_t end = 0; (end = text.find('\n', end)) != std::string::npos;)
        starts.push_back(++end);
    const device_vector<char> lines(text.begin(), text.end());
    const device_vector<std::uint64_t> offsets(starts);
    device_vector<T> out(count);
    using Text = expression::SourceLeaf<char, Space::device>;
    using Offsets = expression::SourceLeaf<std::uint64_t, Space::device>;
    using Read = expression::operation::NumberOfLine<T>;
    Read read_text;
    read_text.base = base;
    const expression::Node<Read, Text, Offsets, expression::IndexLeaf> tree{
        read_text,
        {{Text{{lines.handle(), {}}}}, {Offsets{{offsets.handle(), {}}}}, {indices(count)}}};
    const double read = seconds([&] { evaluate(tree, out); }, 3);
    require(all(out == v), "the kernel that reads");

    auto plan = containers::text_plan(true, T::limb_count, base, count);
    plan.threads = execution::tuning::text_threads(T::limb_count, count);
    plan.shared_bytes = containers::text_shared_bytes(true, plan.tree);
    const device_vector<std::uint32_t> constants(containers::text_constants(plan.tree, true));
    plan.tree.constants = constants.data();
    const double block_write = seconds(
        [&] {
            containers::launch_text_blocks(
                plan, containers::write_text_kernel<containers::TextTree>, count, v.data()->limbs,
                count, false, plan.tree, characters.data(), lengths.data(), room);
        },
        3);
    plan.shared_bytes = containers::text_shared_bytes(false, plan.tree);
    out = out ^ out;
    device_vector<std::uint32_t> any_bad(1, std::uint32_t{0});
    const double block_read = seconds(
        [&] {
            containers::launch_text_blocks(plan, containers::read_text_kernel<containers::TextTree>,
                                           count, lines.data(), offsets.data(), count, base, Bits,
                                           false, plan.tree, out.data()->limbs, any_bad.data());
        },
        3);
    require(all(out == v) && any_bad[0] == 0u, "the blocks that read");
    std::printf(
        "              kernels, GB/s: writes %6.2f by threads, %6.2f by blocks of %u; reads "
        "%6.2f, %6.2f\n",
        size / write / 1e9, size / block_write / 1e9, plan.threads, size / read / 1e9,
        size / block_read / 1e9);
}
#endif

template <int Bits>
void measure(int base, std::size_t count) {
    using T = BigInt<Bits>;
    const std::vector<T> numbers = random_batch<Bits>(count, 5);
    const device_vector<T> v(numbers);
    std::vector<std::string> lines;
    const double write = host_seconds([&] { lines = to_strings(v, base); });
    std::string text;
    for (const std::string &line : lines)
        text += line + '\n';
    device_vector<T> w;
    const double read = host_seconds([&] { w.assign_text(text, base); });
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
    std::printf("%5d bits, base %2d, %7zu numbers: to_strings %8.1f MB/s (%.0f us), assign_text "
                "%8.1f MB/s (%.0f us); to_string on one core %8.1f MB/s\n",
                Bits, base, count, size / write / 1e6, write * 1e6, size / read / 1e6, read * 1e6,
                static_cast<double>(few_bytes) / host / 1e6);
#if defined(__CUDACC__)
    if (device_info().gpu)
        measure_kernels<Bits>(v, text, base);
#endif
    std::fflush(stdout);
}

template <int Bits>
void measure_width() {
    const std::size_t bytes = device_info().gpu ? std::size_t{1} << 25 : std::size_t{1} << 20;
    for (const std::size_t count :
         {std::size_t{1}, std::size_t{10}, std::size_t{1000}, bytes / sizeof(BigInt<Bits>)})
        measure<Bits>(10, count);
    measure<Bits>(16, bytes / sizeof(BigInt<Bits>));
}

} // namespace

int main() {
    print_machine();
#if defined(WARPINT_PERF_TEXT_BITS)
    measure_width<WARPINT_PERF_TEXT_BITS>();
#else
    measure_width<256>();
    measure_width<2048>();
    measure_width<8192>();
    measure_width<32768>();
#endif
}
