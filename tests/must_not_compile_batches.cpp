// SPDX-License-Identifier: Apache-2.0
// Mistakes with batches and residues that the compiler must refuse, with a message that says what
// to write instead; see must_not_compile.cpp. A case is one line, which clang-format would break.
// clang-format off

#include <warpint/constant_time.h>
#include <warpint/modular.h>
#include <warpint/sharded.h>
#include <warpint/sort.h>
#include <warpint/vector.h>

#include <concepts>
#include <iostream>
#include <type_traits>
#include <vector>

using namespace warpint;

#if CASE == 0
// Traits and requires-expressions see no refused functions.
template <class A, class B>
concept Addable = requires(const A &a, const B &b) { a + b; };
static_assert(!Addable<device_vector<BigInt<256>>, Modulus<256>> && !Addable<Modulus<256>, Modulus<256>>);
static_assert(!Addable<Modulus<128>, int> && !Addable<Optional<BigInt<256>>, int> && !Addable<int, Optional<BigInt<256>>>);
static_assert(!Addable<device_vector<BigInt<256>>, std::vector<BigInt<256>>>);
static_assert(Addable<device_vector<BigInt<256>>, BigInt<256>>);
static_assert(!std::is_assignable_v<device_vector<BigInt<256>> &, device_vector<Residue<256>>>);
template <class A>
concept Changeable = requires(A &a) { ++a; } || requires(A &a) { a -= 1; };
template <class A, class B>
concept ChangedBy = requires(A &a, const B &b) { a += b; };
static_assert(Changeable<Residue<256>> && !Changeable<const Residue<256>>);
using Element = device_vector<BigInt<256>>::reference;
static_assert(ChangedBy<BigInt<256>, Element> && !ChangedBy<const BigInt<256>, Element>);

static_assert(!std::is_assignable_v<device_vector<BigInt<256>> &, int> && !std::is_convertible_v<Optional<BigInt<256>>, BigInt<256>>);
template <class A>
concept Summed = requires(const A &a) { a.sum(); };
template <class A>
concept Printed = requires(std::ostream &out, const A &a) { out << a; };
template <class A>
concept Anded = requires(const A &a) { a && a; };
static_assert(!Summed<device_vector<BigInt<256>>> && !Printed<Optional<BigInt<256>>> && !Anded<device_vector<bool>>);

// A program's own functions are preferred to refused ones.
int operator*(std::vector<BigInt<256>>, const device_vector<BigInt<256>> &);
int operator*(const Optional<BigInt<256>> &, BigInt<256>);
int operator+(const BigInt<256> &, const Modulus<256> &);
#endif

void program();
void program() {
    [[maybe_unused]] device_vector<BigInt<256>> a(3), b(3), c;
    [[maybe_unused]] host_vector<BigInt<256>> h(3);
    [[maybe_unused]] device_vector<bool> flags(3);
    [[maybe_unused]] const host_vector<BigInt<256>> constant(3);
    [[maybe_unused]] const Modulus<256> m(BigInt<256>(7));
    [[maybe_unused]] const device_vector<Residue<256>> x(m, 3);

#if CASE == 0 // what to write instead
    c = a + device_vector<BigInt<256>>(h);
    h = device_vector<BigInt<256>>(a * b);
    [[maybe_unused]] const bool same = all(a == b);
    [[maybe_unused]] const BigInt<256> element = eval(mul_low(a, b))[0];
    [[maybe_unused]] const device_vector<BigInt<128>> low = as<BigInt<128>>(a);
    [[maybe_unused]] const BigInt<128> low_bits = BigInt<128>(constant[0]);
    c = a * b % m;
    c = map([](const BigInt<256> &x, const BigInt<256> &y) { return x & y; }, a, b);
    [[maybe_unused]] const auto residue = m(3) + m(5);
    [[maybe_unused]] const BigInt<256> number = residue.value();
    [[maybe_unused]] const Residue<256> first = x[0].residue(m);
    [[maybe_unused]] const auto shared = x[0];
    c = a * BigInt<256>(2.0);
    [[maybe_unused]] const BigInt<256> least = min(value(x));
    [[maybe_unused]] const device_vector<Residue<256>> middle = gather(x, indices(2) + 1);
    [[maybe_unused]] const device_vector<Residue<256>> zeros(m, 3), reduced(m, a);
    c = value(x);
    flags = ((a > 1u) & (b < 5u)) | !flags;
    c = select(a > 1u, a, b);
    c.assign(3, BigInt<256>(5));
    c.view(0, 2) = a.view(1, 2) * 2u;
    c.view(0, 2) = 5;
    c.view(0, 2) += a.view(1, 2);
    [[maybe_unused]] const BigInt<256> all_of_them = product(a, m);
    [[maybe_unused]] const StaticResidue<BigInt<64>(97)> element_of_field(3);
    [[maybe_unused]] const auto [quotients, remainders] = eval(divmod(a, 2u));
    [[maybe_unused]] const auto lines = to_strings(a * b);
    [[maybe_unused]] const auto power = pow_ct(BigInt<64>(3), 5u, m);
    [[maybe_unused]] const std::same_as<int> auto own_product = std::vector<BigInt<256>>(3) * a;
    [[maybe_unused]] const std::same_as<int> auto own_multiple = inverse(BigInt<256>(3), m) * 2;
    [[maybe_unused]] const std::same_as<int> auto own_sum = BigInt<256>(3) + m;

#elif CASE == 1 // a formula cannot mix host_vector and device_vector: copy one of them
    c = a + h;
#elif CASE == 2 // a formula cannot be stored across host_vector and device_vector: copy the result
    h = a * b;
#elif CASE == 3 // a formula is a batch, not a condition: write all
    if (a == b)
        c = a;
#elif CASE == 4 // a formula is a batch, not a number: eval
    BigInt<256> element = a * b;
#elif CASE == 5 // (use of deleted function .*write_as_T_v_for_the_low_bits|as<T>\(v\) keeps the low bits)
    device_vector<BigInt<128>> low = a;
#elif CASE == 6 // (conversion from 'BigInt<256>' to non-scalar type 'BigInt<128>'|no viable conversion from 'const .*BigInt<256>)
    BigInt<128> low_bits = constant[0];
#elif CASE == 7 // (use of deleted function|is unavailable).*\(a \+ b\) % m, or addmod\(a, b, m\): a Modulus m is the right operand of %, or the last argument
    c = a * m;
#elif CASE == 8 // map: the function must take one number of each batch
    c = map([](const BigInt<256> &x, const BigInt<256> &y) { return x & y; }, a);
#elif CASE == 9 // a residue refers to its Modulus, which must have a name
    const auto residue = Modulus<256>(BigInt<256>(7))(3);
#elif CASE == 10 // a batch holds BigInt
    device_vector<double> numbers(3);
#elif CASE == 11 // a plain number has no modulus: write r = m.5. with a Modulus m
    auto residue = m(3);
    residue = 5;
#elif CASE == 12 // write.x.value.+for.the.number
    BigInt<256> number = m(3);
#elif CASE == 13 // a formula has no elements yet: eval
    (a * b)[0];
#elif CASE == 14 // (use of deleted function .*write_x_i_residue_m_with_a_Modulus|a Residue refers to a Modulus that must outlive it: write x.i..residue.m.)
    const Residue<256> first = x[0];
#elif CASE == 15 // a residue refers to its Modulus, which must have a name
    const auto residue = device_vector<Residue<256>>(m, 3).modulus()(5);
#elif CASE == 16 // (use of deleted function .*make_a_Modulus_of_it|a residue refers to a Modulus: const Modulus<256> m.p.)
    const Residue<256> residue(5, BigInt<256>(7));
#elif CASE == 72 // map: the function returns nothing: let it return the element
    c = map([](const BigInt<256> &) {}, a);
#elif CASE == 73 // map: elements are integers: let the function return one, as in BigInt<64>.x., which truncates
    c = map([](const BigInt<256> &number) { return static_cast<double>(number); }, a);
#elif CASE == 70 // (use of deleted function .*convert_it_first_as_in_Modulus_256_BigInt_256_p|a modulus is an unsigned number of at most Bits bits: convert it first)
    const Modulus<256> wide(constant[0] * constant[1]);
#elif CASE == 71 // (use of deleted function .*convert_it_first_as_in_Modulus_256_BigInt_256_p|a modulus is an unsigned number of at most Bits bits: convert it first)
    const Modulus<256> negative(SignedBigInt<64>(5));
#elif CASE == 17 // map: the function is copied as bytes to where it runs, so it must be trivially copyable
    c = map([v = std::vector<int>(3)](const BigInt<256> &number) { return number + v[0]; }, a);
#elif CASE == 18 // (use of deleted function .*write_BigInt_256_x_for_a_floating_point_x|a batch cannot be combined with a floating-point number x: write BigInt<256>.x.)
    c = a * 0.5;
#elif CASE == 19 // (use of deleted function .*write_pow_a_e_m|write pow.a, e, m)
    c = powm(a, b, m);
#elif CASE == 20 // (use of deleted function .*isqrt_rounds_down|isqrt.a. is the square root, rounded down)
    c = sqrt(a);
#elif CASE == 21 // (use of deleted function .*write_pow_base_e_the_base_holds_its_modulus|write pow.base, e.: the base holds its modulus)
    [[maybe_unused]] const auto power = pow(FixedBase<256, 256>(BigInt<256>(3), m), BigInt<256>(5), m);
#elif CASE == 22 // map: the function returns a std::optional: write warpint::Optional
    c = map([](const BigInt<256> &x) { return std::optional<BigInt<256>>(x); }, a);
#elif CASE == 23 // (use of deleted function|is unavailable).*\(a \+ b\) % m, or addmod\(a, b, m\): a Modulus m is the right operand of %, or the last argument
    auto sum = BigInt<256>(3) + m;
#elif CASE == 24 // (use of deleted function|is unavailable).*\(a \+ b\) % m, or addmod\(a, b, m\): a Modulus m is the right operand of %, or the last argument
    auto square = m * m;
#elif CASE == 25 // (use of deleted function|is unavailable).*.x of an Optional x, after checking that it has a value
    auto twice = inverse(BigInt<256>(3), m) * 2;
#elif CASE == 26 // (use of deleted function|is unavailable).*.x of an Optional x, after checking that it has a value
    auto one_more = 1 + inverse(BigInt<256>(3), m);
#elif CASE == 27 // (use of deleted function|is unavailable).*device_vector<T>.v., or host_vector<T>.v., of a std::vector<T> v
    c = std::vector<BigInt<256>>(3) * a;
#elif CASE == 28 // (use of deleted function|is unavailable).*device_vector<T>.v., or host_vector<T>.v., of a std::vector<T> v
    c = (a + b) % std::vector<BigInt<256>>(3);
#elif CASE == 29 // (use of deleted function .*write_min_value_x|residues have no order: write min.value.x)
    auto least = min(x);
#elif CASE == 30 // (use of deleted function .*write_sort_of_the_numbers_value_x|residues have no order: sort the numbers value.x.)
    sort(x);
#elif CASE == 31 // (use of deleted function .*write_product_x|write product.x.)
    auto all_of_them = product(x, m);
#elif CASE == 32 // a view shows memory, which holds forms of residues
    auto product_of_views = x.view(0, 2) * x;
#elif CASE == 33 // (use of deleted function .*write_x_m_numbers_with_the_Modulus_m_first|a vector of residues takes its Modulus m first)
    const device_vector<Residue<256>> zeros(3);
#elif CASE == 34 // (use of deleted function .*write_x_m_numbers_with_the_Modulus_m_first|a vector of residues takes its Modulus m first)
    const device_vector<Residue<256>> reduced(a);
#elif CASE == 35 // (use of deleted function .*write_value_x_for_the_numbers|value.x. gives the numbers of a vector x of residues)
    c = device_vector<BigInt<256>>(x);
#elif CASE == 36 // (use of deleted function .*write_count_value_x|write count.value.x)
    auto how_many = count(x * x);
#elif CASE == 37 // residues have no order, no bits and no remainder: write value.x.
    c = min(x, x);
#elif CASE == 38 // residues have no order, no bits and no remainder: write value.x.
    c = x % 5;
#elif CASE == 39 // residues have no order, no bits and no remainder: write value.x.
    c = x & 5;
#elif CASE == 40 // (use of deleted function .*store_the_formula_in_a_vector_first|store the formula in a vector first)
    c = gather(a * b, indices(2));
#elif CASE == 41 // (use of deleted function .*write_value_x_for_the_numbers|value.x. gives the numbers of a vector x of residues)
    c = x;
#elif CASE == 42 // (use of deleted function .*store_the_formula_in_a_vector_first|store the formula in a vector first)
    sort(a * b);
#elif CASE == 43 // (use of deleted function .*store_the_formula_in_a_vector_first|store the formula in a vector first)
    auto order = argsort(a * b);
#elif CASE == 44 // (use of deleted function .*write_argsort_of_the_numbers_value_x|residues have no order: write argsort of the numbers value.x.)
    auto order = argsort(x);
#elif CASE == 45 // (use of deleted function|is unavailable).*.x of an Optional x, after checking that it has a value
    std::cout << inverse(BigInt<256>(3), m);
#elif CASE == 46 // (use of deleted function.*write_star_x_of_an_Optional_x|is unavailable: .x of an Optional x, after checking that it has a value)
    BigInt<256> element = inverse(BigInt<256>(3), m);
#elif CASE == 47 // (use of deleted function|is unavailable).*a formula has no elements yet: eval.formula. i
    std::cout << (a * b)[0];
#elif CASE == 48 // (use of deleted function|is unavailable).*write .a < b. & .c < d. for conditions of batches
    flags = a > 1u && b < 5u;
#elif CASE == 49 // (use of deleted function|is unavailable).*write .a < b. . .c < d. for conditions of batches
    flags = flags || flags;
#elif CASE == 50 // select.a == b, x, y. for a == b . x : y
    c = a > 1u ? a : b;
#elif CASE == 51 // (use of deleted function|is unavailable).*write v.assign.n, x. for n copies of a number x
    c = BigInt<256>(5);
#elif CASE == 52 // (use of deleted function|is unavailable).*write product.v, m.: it is computed modulo a number or Modulus m
    std::cout << product(a);
#elif CASE == 53 // StaticResidue: the modulus has a width: write StaticResidue<BigInt<64>.97.>
    StaticResidue<7> element(3);
#elif CASE == 54 // StaticResidue: the modulus has a width: write StaticResidue<BigInt<64>.97.>
    StaticResidue<97_bi> element(3);
#elif CASE == 55 // a formula has no results yet: write tie.q, r. = divmod.a, b., or auto  q, r  = eval.divmod.a, b
    auto [q, r] = divmod(a, 2u);
#elif CASE == 56 // (use of deleted function|is unavailable).*write to_strings.v., or std::cout << v
    auto text = to_string(a);
#elif CASE == 57 // (use of deleted function|is unavailable).*write v.push_back.x
    c.emplace_back(5);
#elif CASE == 58 // (use of deleted function|is unavailable).*write sum.v
    auto total = a.sum();
#elif CASE == 59 // (use of deleted function|is unavailable).*write v = parse<T>.text., or v.assign_text.text.: a number in each line
    std::cin >> a;
#elif CASE == 60 // (use of deleted function|is unavailable).*operands are unsigned: write BigInt<256>.x. of an x >= 0
    auto sum = addmod_ct(SignedBigInt<64>(3), BigInt<64>(4), m);
#elif CASE == 61 // (use of deleted function|is unavailable).*operands are unsigned: write BigInt<256>.x. of an x >= 0
    auto power = pow_ct(BigInt<64>(3), 5, m);
#elif CASE == 62 // a view of const numbers is read-only
    constant.view(0, 2) = h * 2u;
#elif CASE == 63 // a formula is a batch, not a condition: write all
    if (!a)
        c = b;
#elif CASE == 64 // (use of deleted function|is unavailable).*give the vector a name: its view does not keep the elements
    auto part = eval(a * b).view(0, 2);
#elif CASE == 65 // a formula has residues of one modulus: store value.x. of the others in a vector of numbers first
    device_vector<Residue<128>> y;
    c = value(x) + value(y);
#elif CASE == 66 // (use of deleted function|is unavailable).*their moduli differ: write m.x.value... for x modulo the other one, m
    const Modulus<128> other(BigInt<128>(7));
    auto residue = m(3) * other(5);
#elif CASE == 67 // (use of deleted function|is unavailable).*write x = value.y. for a vector y of residues of another modulus
    device_vector<Residue<128>> y;
    y = x;
#elif CASE == 68 // (use of deleted function|is unavailable).*write explain<BatchReduction::product>.v, m. with the number or Modulus m
    std::cout << explain<BatchReduction::product>(a);
#elif CASE == 69 // residues of different moduli do not combine: store value.x. of one in a vector of numbers first
    auto elements = device_vector<StaticResidue<BigInt<64>(97)>>(3) * device_vector<StaticResidue<BigInt<64>(101)>>(3);
#elif CASE == 74 // (use of deleted function|is unavailable).*convert the number first, as in BigInt<256>.x
    c.view(0, 2) = BigInt<512>(5);
#elif CASE == 75 // (use of deleted function|is unavailable).*sort reorders a vector: copy the view to one first
    sort(a.view(0, 2));
#elif CASE == 76 // (use of deleted function|is unavailable).*write product.v, m.: it is computed modulo a number or Modulus m
    auto all_of_them = product(a);
#elif CASE == 77 // (use of deleted function|is unavailable).*a formula has no elements yet: eval.formula. i
    auto element = (a * b)[0];
#elif CASE == 79 // (use of deleted function|is unavailable).*name the group first, as in sharded_vector<T>.device_group.., values
    sharded_vector<BigInt<256>> pieces(h);
#else
#error "there is no such case"
#endif
}
