// SPDX-License-Identifier: Apache-2.0
// Batches of every width on the device path, from 1 to 8192 bits: + - * / % comparisons, against
// GMP. One formula of several operations per width, so that the compiler has little to do; a
// handful of elements.
#include "support/batches.h"
#include "support/oracle.h"
#include "support/property.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <vector>

using namespace warpint;
using test::Integer;
using test::vector_of;
using test::Width;

namespace {

// The index of the first element that is not the expected value, or that is flagged though it has
// one (or not though it has none); -1 if there is no such element.
template <class T>
long first_wrong(device_vector<T> &got, const std::vector<Integer> &expected,
                 const std::vector<bool> &faults) {
    const std::vector<bool> mask = got.error_mask();
    got.clear_errors();
    const std::vector<T> values = got.to_host();
    if (values.size() != expected.size())
        return static_cast<long>(expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Integer wanted = faults[i] ? Integer(0) : test::stored<T>(expected[i]);
        if (test::to_integer(values[i]) != wanted || mask[i] != faults[i])
            return static_cast<long>(i);
    }
    return -1;
}

template <int Bits>
void check_width() {
    using Number = BigInt<Bits>;
    // More than a warp where that is cheap; not a multiple of it.
    const std::size_t count = static_cast<std::size_t>(test::scaled(Bits <= 1024 ? 69 : 35));
    test::OperandSource source(test::property_seed("wide batches", Bits));
    std::vector<Integer> x, y, z, m;
    for (std::size_t i = 0; i < count; ++i) {
        test::OperandTriple triple = source.triple(Bits, Bits, Bits);
        if (i < 2)
            triple.a = triple.b = test::all_ones(Bits);
        x.push_back(triple.a);
        y.push_back(triple.b);
        z.push_back(source.one_in(3) ? triple.b : source.number(Bits));
        m.push_back(i % 17 == 5 ? Integer(0) : triple.m);
    }
    const auto a = vector_of<Number>(x), b = vector_of<Number>(y), c = vector_of<Number>(z),
               d = vector_of<Number>(m);

    std::vector<Integer> expected(count);
    std::vector<bool> faults(count), none(count, false);
    for (std::size_t i = 0; i < count; ++i) {
        faults[i] = m[i].is_zero();
        if (faults[i])
            continue;
        expected[i] =
            test::modulo(x[i] * y[i] - z[i], m[i]) + (x[i] + z[i]) / m[i] + (x[i] < y[i] ? 1 : 0);
    }
    CAPTURE(Bits);
    CAPTURE(test::run_seed());
    device_vector<BigInt<Bits + 2>> result;
    result = (a * b - c) % d + (a + c) / d + (a < b);
    CHECK(first_wrong(result, expected, faults) == -1);
    if constexpr (Bits >=
                  1024) { // memory-bound formulas of wide numbers are loaded through shared memory
        std::vector<Integer> mixed(count);
        for (std::size_t i = 0; i < count; ++i)
            mixed[i] = (x[i] + y[i]) ^ (z[i] << 1);
        device_vector<BigInt<Bits>> stored;
        stored = (a + b) ^ (c + c);
        CHECK(first_wrong(stored, mixed, none) == -1);
    }
}

} // namespace

// Where device code is compiled but cannot run, a width of each kernel is enough: all run on the
// host.
#if defined(WARPINT_CHECKED_ONLY)
#define WIDE_WIDTHS Width<31>, Width<521>, Width<1100>, Width<2048>
#else
#define WIDE_WIDTHS                                                                                \
    Width<768>, Width<1024>, Width<1100>, Width<1536>, Width<2048>, Width<2112>, Width<3072>,      \
        Width<4096>, Width<8192>
TEST_CASE_TEMPLATE("wide batches: narrow widths", W, Width<1>, Width<7>, Width<31>, Width<32>,
                   Width<33>, Width<64>, Width<96>, Width<109>, Width<128>, Width<131>, Width<160>,
                   Width<163>) {
    check_width<W::bits>();
}
TEST_CASE_TEMPLATE("wide batches: curve widths", W, Width<191>, Width<192>, Width<239>, Width<256>,
                   Width<384>, Width<512>, Width<521>, Width<544>) {
    check_width<W::bits>();
}
#endif
TEST_CASE_TEMPLATE("wide batches: wide widths", W, WIDE_WIDTHS) {
    check_width<W::bits>();
}
