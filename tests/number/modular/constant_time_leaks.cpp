// SPDX-License-Identifier: Apache-2.0
// Run under valgrind's memcheck by tools/constant_time.cmake: the constant-time functions with
// secrets that are marked as uninitialised. Memcheck follows such bits through arithmetic and
// reports every branch and every memory address that is made of them (A. Langley, "ctgrind", 2010).
//
//   constant_time_leaks         no function may be reported
//   constant_time_leaks leak    every function must be: they leak on purpose, which checks the
//   check
//
// Exit code 77: not under valgrind.
#include <warpint/modular.h>

#include <warpint/constant_time.h>

#include <valgrind/memcheck.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

using warpint::BigInt;
using warpint::Modulus;
using warpint::SignedBigInt;

int failures = 0;
int functions = 0;
bool leaks_expected = false;
bool secret_result = false;
volatile std::uint32_t sink;

/// A number with pseudo-random bits, all of them secret.
template <class T>
T secret() {
    T x{};
    std::uint32_t state = 0x9e3779b9u + static_cast<std::uint32_t>(functions);
    for (std::uint32_t &limb : x.limbs) {
        state = state * 1664525u + 1013904223u;
        limb = state;
    }
    constexpr int unused = 32 * T::limb_count - T::bits;
    // A signed number stays positive here; its sign is made secret below like every other bit.
    x.limbs[T::limb_count - 1] &= 0xffffffffu >> unused >> (T::is_signed ? 1 : 0);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(x.limbs, sizeof(x.limbs));
    if constexpr (!T::is_signed) // the unused bits are public: zero
        x.limbs[T::limb_count - 1] &= 0xffffffffu >> unused;
    return x;
}

/// An odd modulus with its top bit set.
template <int Bits>
BigInt<Bits> public_modulus() {
    BigInt<Bits> m = secret<BigInt<Bits>>();
    (void)VALGRIND_MAKE_MEM_DEFINED(m.limbs, sizeof(m.limbs));
    m.limbs[0] |= 1u;
    m.limbs[BigInt<Bits>::limb_count - 1] |= 1u << ((Bits - 1) % 32);
    return m;
}

/// A secret modulus: what is known is that it is odd and that its top bit is set.
template <int Bits>
BigInt<Bits> secret_modulus() {
    BigInt<Bits> m = secret<BigInt<Bits>>();
    m.limbs[0] |= 1u;
    m.limbs[BigInt<Bits>::limb_count - 1] |= 1u << ((Bits - 1) % 32);
    return m;
}

bool secret_condition() {
    bool condition = functions % 2 == 0;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(&condition, sizeof(condition));
    return condition;
}

/// Makes a result public and uses it. Notes whether it was secret: if not, the operands were not.
template <class T>
void reveal(T result) {
    std::uint8_t bytes[sizeof(T)];
    if (VALGRIND_GET_VBITS(&result, bytes, sizeof(T)) != 1) {
        std::puts("memcheck does not tell which bits are initialised");
        ++failures;
    }
    for (const std::uint8_t undefined_bits : bytes) {
        secret_result = secret_result || undefined_bits != 0;
    }
    (void)VALGRIND_MAKE_MEM_DEFINED(&result, sizeof(result));
    std::memcpy(bytes, &result, sizeof(T));
    std::uint32_t sum = 0;
    for (const std::uint8_t byte : bytes) {
        sum = sum * 31u + byte;
    }
    sink = sum;
}

/// Runs one function; what memcheck reports meanwhile is its leak.
template <class Function>
void check(const char *name, const Function &function) {
    const unsigned before = VALGRIND_COUNT_ERRORS;
    secret_result = false;
    function();
    const bool leaked = VALGRIND_COUNT_ERRORS != before;
    ++functions;
    if (leaked != leaks_expected) {
        ++failures;
        std::printf("%s: %s\n", leaked ? "leaks" : "a leak was not noticed", name);
    }
    if (!leaks_expected && !secret_result) {
        ++failures;
        std::printf("the result is not secret: %s\n", name);
    }
}

template <int Bits>
void check_numbers() {
    using N = BigInt<Bits>;
    using S = SignedBigInt<Bits>;
    check("select_ct", [] { reveal(select_ct(secret_condition(), secret<N>(), secret<N>())); });
    check("select_ct, mixed",
          [] { reveal(select_ct(secret_condition(), secret<S>(), secret<BigInt<Bits + 40>>())); });
    check("select_ct, built-in", [] { reveal(select_ct(secret_condition(), secret<N>(), -1)); });
    check("swap_ct", [] {
        N a = secret<N>();
        N b = secret<N>();
        swap_ct(secret_condition(), a, b);
        reveal(a);
        reveal(b);
    });
    check("equal_ct", [] { reveal(equal_ct(secret<N>(), secret<N>())); });
    check("equal_ct, mixed", [] { reveal(equal_ct(secret<S>(), secret<BigInt<Bits + 40>>())); });
    check("less_ct", [] { reveal(less_ct(secret<N>(), secret<N>())); });
    check("less_ct, mixed", [] { reveal(less_ct(secret<S>(), secret<BigInt<Bits + 40>>())); });
    check("less_ct, signed", [] { reveal(less_ct(secret<S>(), secret<S>())); });
    check("less_ct into select_ct", [] {
        const N a = secret<N>();
        const N b = secret<N>();
        reveal(select_ct(less_ct(a, b), a, b));
    });
    check("is_zero_ct", [] { reveal(is_zero_ct(secret<N>())); });
}

/// The modular functions of a modulus m; its operands are secret.
template <int Bits, class M>
void check_modulus(const M &m) {
    using N = BigInt<Bits>;
    check("addmod_ct", [&] { reveal(addmod_ct(secret<N>(), secret<N>(), m)); });
    check("submod_ct", [&] { reveal(submod_ct(secret<N>(), secret<BigInt<Bits + 40>>(), m)); });
    check("mod_ct", [&] { reveal(mod_ct(secret<N>(), m)); });
    check("mod_ct, wide", [&] { reveal(mod_ct(secret<BigInt<2 * Bits + 9>>(), m)); });
    check("mulmod_ct", [&] { reveal(mulmod_ct(secret<N>(), secret<N>(), m)); });
    check("sqrmod_ct", [&] { reveal(sqrmod_ct(secret<N>(), m)); });
    check("inverse_ct", [&] { reveal(inverse_ct(secret<N>(), m)); });
}

template <int Bits, int ExponentBits>
void check_power() {
    using N = BigInt<Bits>;
    using E = BigInt<ExponentBits>;
    const Modulus<Bits> m(public_modulus<Bits>());
    check("pow_ct", [&] { reveal(pow_ct(secret<N>(), secret<E>(), m)); });
    check("pow_ct, secret modulus",
          [&] { reveal(pow_ct(secret<N>(), secret<E>(), secret_modulus<Bits>())); });
}

/// Early exit: a branch.
__attribute__((noinline)) int common_limbs(const BigInt<256> &a, const BigInt<256> &b) {
    int i = 0;
    while (i < BigInt<256>::limb_count && a.limbs[i] == b.limbs[i]) {
        ++i;
    }
    return i;
}

/// A table entry that is addressed by its secret index.
__attribute__((noinline)) std::uint32_t entry(const BigInt<256> &table, std::uint32_t index) {
    return table.limbs[index % 8];
}

void check_leaks() {
    leaks_expected = true;
    check("early exit", [] { reveal(common_limbs(secret<BigInt<256>>(), secret<BigInt<256>>())); });
    check("secret address",
          [] { reveal(entry(public_modulus<256>(), secret<BigInt<32>>().limbs[0])); });
    check("pow of secret exponent", [] {
        const Modulus<256> m(public_modulus<256>());
        reveal(pow(public_modulus<256>(), secret<BigInt<64>>(), m));
    });
    check("Modulus of a secret", [] { reveal(Modulus<256>(secret_modulus<256>()).value()); });
    check("remainder", [] { reveal(secret<BigInt<256>>() % public_modulus<131>()); });
}

} // namespace

int main(int count, char **arguments) {
    if (RUNNING_ON_VALGRIND == 0) {
        std::puts("run this under valgrind");
        return 77;
    }
    if (count > 1 && std::strcmp(arguments[1], "leak") == 0) {
        check_leaks();
    } else {
        check_numbers<131>();
        check_numbers<256>();
        check_modulus<131>(Modulus<131>(public_modulus<131>()));
        check_modulus<256>(Modulus<256>(public_modulus<256>()));
        check_modulus<256>(secret_modulus<256>());
        check_power<131, 33>();
        check_power<256, 64>();
        check_power<512, 64>();
    }
    std::printf("%d functions, %d failures\n", functions, failures);
    return failures == 0 ? 0 : 1;
}
