// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include "exact_calls.h"
#include "place_batches.h"

#include <map>
#include <stdexcept>

namespace grid {

using test::Exact;
using test::ExactResidue;
using test::Maybe;

// ---- expressions of exact numbers

namespace {

Integer integer_of(const Exact &x) {
    return x.value();
}
Integer integer_of(const ExactResidue &x) {
    return x.value().value();
}
template <class T>
    requires(std::is_integral_v<T>)
Integer integer_of(T x) {
    return Integer(x);
}

template <class T>
Expected parts_of(const T &r) {
    Expected expected{batch_test::exists(r), {}};
    if (expected.exists)
        batch_test::for_each_part(
            r, [&](const auto &part) { expected.parts.push_back(integer_of(part)); });
    return expected;
}

template <class C>
Expected expected_of_case(const Cell &cell, const Row &row) {
    const auto compute = [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto operand = [&]<Role role>() {
            const Integer &number = row.number(role, cell.is_signed);
            if constexpr (is_residue(role)) {
                return ExactResidue(number,
                                    Exact(row.number(Role::m, false), {cell.code.width, false}));
            } else {
                return Exact(number, {stored_bits(cell.code.width, role),
                                      cell.is_signed && takes_sign(role)});
            }
        };
        return parts_of(C::apply(operand.template operator()<C::roles[I]>()..., row.parameters()));
    };
    return compute(std::make_index_sequence<C::arity>{});
}

// ---- batches as a whole

/// What is said of each element alone, or of all.
using Rows = std::vector<Row>;

template <class F>
Integer total(const Rows &rows, Integer start, const F &add) {
    for (const Row &row : rows)
        start = add(start, row.number(Role::a, false), row.number(Role::b, false));
    return start;
}
using I = const Integer &;

Expected expected_of_batch(const std::string &name, const Rows &rows, std::size_t element) {
    const auto a = [&](std::size_t i) -> I { return rows[i].number(Role::a, false); };
    const auto b = [&](std::size_t i) -> I { return rows[i].number(Role::b, false); };
    const std::size_t n = rows.size();
    const auto number = [](Integer x) { return Expected{true, {std::move(x)}}; };
    if (name == BatchSum::name)
        return number(total(rows, 0, [](I s, I x, I y) { return s + x * y; }));
    if (name == BatchSignedSum::name)
        return number(total(rows, 0, [](I s, I x, I y) { return s + x - y; }));
    if (name == BatchProduct::name || name == BatchProductEven::name) {
        const bool first = name == BatchProduct::name;
        const Integer &m = rows[0].number(first ? Role::odd : Role::n, false);
        return number(total(rows, test::modulo(1, m),
                            [&](I s, I x, I) { return test::modulo(s * (first ? x : x + 1), m); }));
    }
    if (name == BatchLeast::name)
        return number(total(rows, a(0), [](I s, I x, I) { return x < s ? x : s; }));
    if (name == BatchGreatest::name)
        return number(total(rows, 0, [](I s, I x, I y) { return (x ^ y) > s ? x ^ y : s; }));
    if (name == BatchCount::name)
        return number(total(rows, 0, [](I s, I x, I y) { return s + (x < y ? 1 : 0); }));
    if (name == BatchAll::name)
        return number(1);
    if (name == BatchAny::name)
        return number(total(rows, 0, [](I s, I x, I y) { return s | (x * y < x ? 1 : 0); }));
    if (name == BatchGather::name)
        return number(a((7 * element + 3) % n) + b(element));
    if (name == BatchIndices::name)
        return number(a(element) * element);
    if (name == BatchSort::name) {
        std::vector<Integer> sorted;
        for (std::size_t i = 0; i < n; ++i)
            sorted.push_back(a(i));
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(element),
                         sorted.end());
        return number(sorted[element]);
    }
    if (name == BatchInPlace::name)
        return number(test::modulo(a(element) * b(element), rows[element].number(Role::m, false)) +
                      b(element));
    return number(a(element)); // text and bytes
}
bool is_batch(const std::string &name) {
    bool found = false;
    for_each_case(BatchCases{}, [&]<class C>() { found = found || name == C::name; });
    return found;
}

using Oracle = Expected (*)(const Cell &, const Row &);

const std::map<std::string, Oracle> &oracles() {
    static const std::map<std::string, Oracle> all = [] {
        std::map<std::string, Oracle> made;
        const auto add = [&]<class C>() {
            if (!made.emplace(C::name, expected_of_case<C>).second)
                throw std::logic_error(std::string("two cases have the name ") + C::name);
        };
        for_each_case(GridCases{}, add);
        for_each_case(ResidueCases{}, add);
        return made;
    }();
    return all;
}

} // namespace

Expected expected_of(const Cell &cell, const std::vector<Row> &rows, std::size_t element) {
    if (is_batch(cell.function))
        return expected_of_batch(cell.function, rows, element);
    return oracles().at(cell.function)(cell, rows[element]);
}

// ---- operands

namespace {

Integer nonzero(const Integer &x) {
    return x.is_zero() ? Integer(1) : x;
}
/// Primes that need no search: named ones, and the next one after a number of up to 64 bits.
Integer prime_of(int width, test::OperandSource &source) {
    if (source.one_in(2)) {
        const Integer named = source.named_prime(width);
        if (test::is_prime(named))
            return named;
    }
    Integer p;
    mpz_nextprime(p.raw(), source.number(2 + source.below(62)).raw());
    return p;
}

/// The one modulus of the rows of `moduli`, of exactly `width` bits.
Integer modulus_of(int width, Moduli moduli, test::OperandSource &source) {
    if (moduli == Moduli::constant || moduli == Moduli::folded) {
        Integer m(0);
        for (int i = (width - 1) / 32; i >= 0; --i)
            m = (m << 32) | Integer(limb_of_constant(moduli, i));
        return test::store_unsigned(m, width) | test::power_of_two(width - 1);
    }
    // Of the full width, with nothing special but its top.
    const Integer m = source.uniform_bits(width) | (test::all_ones(20) << std::size_t(width - 20));
    return moduli == Moduli::odd ? m | 1 : (m | 1) - 1;
}

} // namespace

Row::Row(int width, Moduli moduli, test::OperandSource &source) {
    const auto at = [](auto &numbers, Role role) -> Integer & {
        return numbers[static_cast<std::size_t>(role)];
    };
    const auto set = [&](Role role, const Integer &x, const Integer &of_signed) {
        at(numbers_, role) = x;
        at(signed_numbers_, role) = of_signed;
    };
    const auto read_signed = [&](const Integer &bits) { return test::store_signed(bits, width); };

    Integer m;
    if (moduli == Moduli::each) {
        m = source.modulus(width);
    } else {
        // The same for every row: a source of its own.
        test::OperandSource of_modulus(test::property_seed("grid modulus", width));
        m = modulus_of(width, moduli, of_modulus);
    }
    set(Role::m, m, m);

    test::OperandTriple triple = source.triple(width, width, width);
    if (source.one_in(2)) { // related to the modulus
        triple.a = source.related_to_modulus(width, m);
        triple.b = source.one_in(2) ? source.related_to_modulus(width, m) : triple.b;
    } else if (source.one_in(3)) {
        const test::OperandPair pair = source.gcd_pair(width, width);
        triple.a = pair.a;
        triple.b = pair.b;
    }
    test::DivisionPair division = source.division_pair(width, width);
    if (source.one_in(3))
        triple.a = division.dividend;
    set(Role::a, triple.a, source.one_in(2) ? read_signed(triple.a) : source.signed_number(width));
    set(Role::b, triple.b, source.one_in(2) ? read_signed(triple.b) : source.signed_number(width));
    const Integer c = source.number(width);
    set(Role::c, c, source.one_in(2) ? read_signed(c) : source.signed_number(width));
    const Integer signed_divisor = read_signed(division.divisor);
    set(Role::d, nonzero(division.divisor), nonzero(signed_divisor));

    // Exponents: most of them short, so that powers do not take all the time.
    const Integer e = source.exponent(std::min(width, source.one_in(16) ? 1024 : 96), m);
    set(Role::e, e, e);
    const Integer word = source.number(64);
    set(Role::word, word, word);
    const Integer n = nonzero(source.modulus(width));
    set(Role::n, n, n);
    const Integer odd = source.odd_modulus(width);
    set(Role::odd, odd, odd);
    const Integer p = prime_of(std::min(width, 1024), source);
    set(Role::prime, p, p);
    const Integer q =
        source.one_in(2) ? prime_of(std::min(width, 1024), source) : source.number(width);
    set(Role::q, q, q);
    const Integer small = source.number(40);
    set(Role::small, small, small);

    set(Role::x, triple.a, triple.a);
    set(Role::y, triple.b, triple.b);
    Integer u = triple.b;
    while (test::greatest_common_divisor(u, m) != 1)
        u = source.number(width);
    set(Role::u, u, u);

    parameters_.shift =
        source.one_in(3) ? 32 * source.below(width / 32 + 3) : source.below(width + 70);
    parameters_.position =
        source.one_in(3) ? 32 * source.below((width + 31) / 32) : source.below(width);
    parameters_.count = source.below(width + 3);
    parameters_.carry = source.below(2);
}

const Integer &Row::number(Role role, bool is_signed) const {
    return (is_signed ? signed_numbers_ : numbers_)[static_cast<std::size_t>(role)];
}

// ---- the table

std::vector<Absence> absences() {
    std::vector<Absence> all;
    const auto add = [&](const char *place, std::uint64_t flag, auto list) {
        std::string functions;
        for_each_case(list, [&]<class C>() {
            if ((C::places & flag) == 0)
                functions += (functions.empty() ? "" : ", ") + std::string(C::name);
        });
        if (!functions.empty())
            all.push_back({place, functions});
    };
    add("kernels, numbers", kernels_only, GridCases{});
    add("formulas, numbers", formulas_only, GridCases{});
    add("lanes, numbers", lanes_only, GridCases{});
    add("kernels, residues", kernels_only, ResidueCases{});
    add("formulas, residues", formulas_only, ResidueCases{});
    add("lanes, residues", lanes_only, ResidueCases{});
    return all;
}

template <class C, std::size_t... I>
constexpr bool gives_residue(std::index_sequence<I...>) {
    using Result = decltype(C::apply(
        std::declval<const std::conditional_t<is_residue(C::roles[I]), ExactResidue, Exact> &>()...,
        Parameters{}));
    return std::is_same_v<Result, ExactResidue> || std::is_same_v<Result, Maybe<ExactResidue>>;
}

std::map<std::string, std::size_t> cells_of_width() {
    std::map<std::string, std::size_t> counts;
    const auto add = [&](const char *column, bool exists, std::size_t count = 1) {
        if (exists)
            counts[column] += count;
    };
    for_each_case(GridCases{}, [&]<class C>() {
        const bool kernel = (C::places & kernels_only) != 0;
        const bool formula = (C::places & formulas_only) != 0;
        const bool lanes = (C::places & lanes_only) != 0;
        const bool modulo = has_role<C>(Role::m);
        add("kernel BigInt", kernel);
        add("kernel SignedBigInt", kernel && C::takes_signed);
        add("kernel Modulus", kernel && modulo, 2);
        add("formula BigInt", formula);
        add("formula SignedBigInt", formula && C::takes_signed);
        add("formula one modulus", formula && modulo, 2);
        add("formula Modulus", formula && modulo, 2);
        add("lanes WarpInt", lanes);
        add("lanes SignedWarpInt", lanes && C::takes_signed);
    });
    for_each_case(ResidueCases{}, [&]<class C>() {
        const bool kernel = (C::places & kernels_only) != 0;
        const bool formula = (C::places & formulas_only) != 0;
        const bool stored = formula && gives_residue<C>(std::make_index_sequence<C::arity>{});
        add("kernel Residue", kernel, 2);
        add("kernel Residue, own Modulus", kernel);
        add("kernel StaticResidue", kernel, 2);
        add("formula Residue", formula, 2);
        add("formula Residue, stored", stored, 2);
        add("formula StaticResidue", formula, 2);
        add("formula StaticResidue, stored", stored);
        add("lanes WarpResidue", (C::places & lanes_only) != 0);
    });
    for_each_case(BatchCases{}, [&]<class>() { add("batch BigInt", true); });
    return counts;
}

} // namespace grid
