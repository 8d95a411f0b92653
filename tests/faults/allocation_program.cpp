// SPDX-License-Identifier: Apache-2.0
// Fails allocation number k of each part of a typical program, for every k: the call throws
// std::bad_alloc, what it was to write is as it was, nothing is lost, and the next call is right
// (in_turn.h). (vector/fault_program.cpp does so for the memory of the vectors themselves, on GPUs
// too, gpu_program.cpp for whatever a program on GPUs calls.) Exit code 0: right; 1: wrong.

#include "faults/in_turn.h"

#include <warpint/sharded.h>
#include <warpint/sort.h>
#include <warpint/warpint.h>

#include <stdexcept>
#include <utility>

using namespace warpint;
using in_turn::all_or_nothing;
using in_turn::Digest;
using in_turn::require;

namespace {

using Number = BigInt<192>;

std::vector<Number> numbers(std::size_t count, std::uint64_t step) {
    return in_turn::numbers<192>(count, step);
}

// ---- the parts

std::uint64_t text_of_one_number() {
    Digest digest;
    const auto x = BigInt<9000>::parse("0x1234567890abcdef" + std::string(2000, '7'));
    const std::string text = to_string(x);
    digest.add(text);
    digest.add(BigInt<9000>::parse(text, 10));
    digest.add(to_string(x, 7));
    return digest.value;
}

// (Streams keep exceptions to themselves, as those of the standard do: a failure is a bad stream.)
std::uint64_t text_of_a_vector() {
    Digest digest;
    host_vector<Number> v(numbers(20, 3));
    const std::vector<std::string> lines = to_strings(v);
    for (const std::string &line : lines)
        digest.add(line);
    all_or_nothing(v, [&] { v = parse<192>(lines, 10); }, "parse of lines");
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    all_or_nothing(v, [&] { v.assign_text(text); }, "assign_text");
    all_or_nothing(v, [&] { v.assign_text("1\nx\n3\n", 10, bad_lines::are_faults); }, "bad lines");
    digest.add(static_cast<std::uint64_t>(v.error_mask()[1]));
    v.clear_errors();
    bool refused = false;
    try {
        v.assign_text("1\nx\n3\n");
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    require(refused, "a bad line is invalid_argument, or there was no memory for it");
    digest.add_all(v);
    return digest.value;
}

std::uint64_t bytes_of_a_vector() {
    Digest digest;
    device_vector<Number> v(numbers(30, 5));
    const std::vector<std::uint8_t> bytes = to_bytes(v, 24, std::endian::big);
    all_or_nothing(v, [&] { v.assign_bytes(bytes, 12, std::endian::little); }, "assign_bytes");
    digest.add_all(v);
    return digest.value;
}

std::uint64_t formulas() {
    Digest digest;
    const device_vector<Number> a(numbers(40, 7)), b(numbers(40, 11));
    device_vector<Number> c(numbers(3, 1));
    device_vector<Number> q(2), r(2);
    const Number m = Number(0) - 237;
    all_or_nothing(c, [&] { c = (a * b + a) % m; }, "a remainder");
    digest.add_all(c);
    all_or_nothing(c, [&] { c = pow(a, 65537u, m); }, "a power");
    digest.add_all(c);
    all_or_nothing(c, [&] { c = pow(a, b, Modulus<192>(m)); }, "a power modulo a Modulus");
    digest.add_all(c);
    all_or_nothing(c, [&] { c = let(a + b, [](auto x) { return x * x - x; }); }, "let");
    digest.add_all(c);
    all_or_nothing(q, [&] { tie(q, r) = divmod(a, b); }, "divmod");
    digest.add_all(q);
    digest.add_all(r);
    digest.add(static_cast<std::uint64_t>(explain(a * b % m).to_string().size()));
    digest.add(static_cast<std::uint64_t>(count(a < b)));
    digest.add(to_string(sum(a * b)));
    digest.add(to_string(product(a, m)));
    digest.add(max(a));
    return digest.value;
}

// Elements without a value, and the text of the exception that says why.
std::uint64_t faults() {
    Digest digest;
    const device_vector<Number> a(numbers(20, 13));
    device_vector<Number> c(4);
    all_or_nothing(c, [&] { c = a / (a - a); }, "divisions by zero");
    std::string said;
    try {
        c.check();
    } catch (const std::domain_error &error) {
        said = error.what();
    }
    digest.add(said);
    return digest.value;
}

// What a function throws is its element's fault, std::bad_alloc as well: no memory for the
// exception is not an exception.
std::uint64_t functions_that_throw() {
    Digest digest;
    const device_vector<Number> a(numbers(20, 13));
    device_vector<Number> c(4);
    all_or_nothing(
        c,
        [&] {
            c = map(
                [](const Number &x) {
                    if ((x & 1u) == 1u)
                        throw std::runtime_error("odd");
                    return x;
                },
                a);
        },
        "a function that throws");
    for (const bool fault : c.error_mask())
        digest.add(static_cast<std::uint64_t>(fault));
    return digest.value;
}

std::uint64_t sequences() {
    Digest digest;
    host_vector<Number> v(numbers(10, 17)), w(numbers(5, 19));
    all_or_nothing(v, [&] { v.push_back(Number(1)); }, "push_back");
    all_or_nothing(v, [&] { v.resize(40, Number(9)); }, "resize");
    all_or_nothing(v, [&] { v.insert(v.begin() + 3, Number(5)); }, "insert");
    all_or_nothing(v, [&] { v.reserve(200); }, "reserve");
    all_or_nothing(w, [&] { w = v; }, "a copy");
    host_vector<Number> moved(std::move(w));
    w = moved;
    swap(v, w);
    all_or_nothing(v, [&] { v.view(1, 4) = v.view(5, 4) + 1u; }, "a view");
    const host_vector<BigInt<32>> index{3, 1, 2, 99, 0};
    all_or_nothing(w, [&] { w = gather(v, index); }, "gather");
    digest.add(static_cast<std::uint64_t>(w.error_mask()[3]));
    w.clear_errors();
    all_or_nothing(v, [&] { v.shrink_to_fit(); }, "shrink_to_fit");
    all_or_nothing(v, [&] { sort(v); }, "sort");
    digest.add_all(v);
    digest.add_all(w);
    return digest.value;
}

std::uint64_t residues() {
    Digest digest;
    const Modulus<192> m(Number(0) - 237);
    const device_vector<Number> a(numbers(20, 23));
    device_vector<Residue<192>> x(m, a), y;
    y = x * x + 3;
    device_vector<Number> r(2);
    all_or_nothing(r, [&] { r = value(pow(y, 65537)); }, "a power of residues");
    digest.add_all(r);
    all_or_nothing(r, [&] { r = value(inverse(y)); }, "inverses of residues");
    digest.add_all(r);
    y.push_back(m(5));
    y.resize(50);
    digest.add(static_cast<std::uint64_t>(y.size()));
    return digest.value;
}

std::uint64_t many_numbers() {
    Digest digest;
    device_vector<Number> v(numbers(20000, 29)); // on all cores
    device_vector<Number> c(3);
    all_or_nothing(c, [&] { c = v * v + 1u; }, "a long formula");
    digest.add(sum(c) % Number(1000003u));
    all_or_nothing(c, [&] { sort(c); }, "a long sort");
    digest.add(c.read(7));
    return digest.value;
}

std::uint64_t shards() {
    Digest digest;
    const std::vector<Number> values = numbers(30, 31);
    const device_group group{0, 0, 0};
    sharded_vector<Number> v(group, values), w(group, 7);
    all_or_nothing(w, [&] { w = v; }, "a copy");
    all_or_nothing(w, [&] { w.assign(20, Number(5)); }, "assign copies");
    all_or_nothing(w, [&] { w.assign(values); }, "assign numbers");
    w = v * v + 1u;
    all_or_nothing(v, [&] { v.redistribute({1, 20, 9}); }, "redistribute");
    all_or_nothing(v, [&] { sort(v); }, "sort");
    digest.add_all(v);
    digest.add_all(w);
    digest.add(to_string(sum(w)));
    return digest.value;
}

} // namespace

int main() {
    const auto fail_each = in_turn::fail_each<in_turn::HostMemory>;
    fail_each("text of one number", text_of_one_number, false);
    fail_each("text of a vector", text_of_a_vector, false);
    fail_each("bytes of a vector", bytes_of_a_vector, false);
    fail_each("formulas", formulas, false);
    fail_each("faults", faults, false);
    fail_each("throwing functions", functions_that_throw, true);
    fail_each("sequences", sequences, false);
    fail_each("residues", residues, false);
    fail_each("many numbers", many_numbers, false);
    fail_each("shards", shards, true);
    return in_turn::wrong == 0 ? 0 : 1;
}
