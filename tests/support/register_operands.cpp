// SPDX-License-Identifier: Apache-2.0
#include "register_operands.h"

namespace test {

RegisterOperands::RegisterOperands(const char *name, int tag) : engine_(property_seed(name, tag)) {}

std::uint32_t RegisterOperands::word() {
    return static_cast<std::uint32_t>(engine_());
}
unsigned RegisterOperands::below(unsigned bound) {
    return static_cast<unsigned>(engine_() % bound);
}

void RegisterOperands::draw(std::uint32_t *a, std::uint32_t *b, std::uint32_t *m, int n,
                            bool adversarial) {
    number(a, n, adversarial ? below(kinds) : 0);
    number(b, n, adversarial ? below(kinds) : 0);
    number(m, n, adversarial ? below(kinds) : 0);
    if (!adversarial)
        return;
    switch (below(12)) {
    case 0: // next to the modulus
        copy(a, m, n);
        a[0] ^= 1;
        break;
    case 1:
        copy(a, m, n);
        copy(b, m, n);
        break;
    case 2: { // equal upper limbs
        const int from = static_cast<int>(below(static_cast<unsigned>(n)));
        for (int i = from; i < n; ++i)
            a[i] = m[i];
        number(b, n, 12);
        break;
    }
    case 3: // m - 1
        copy(a, m, n);
        for (int i = 0; i < n && a[i]-- == 0; ++i) {
        }
        copy(b, a, n);
        break;
    case 4: // a small multiple
        copy(a, m, n);
        a[0] -= below(5);
        for (int i = 1; i < n; ++i)
            b[i] = 0;
        b[0] = below(7);
        break;
    default:
        break;
    }
}

void RegisterOperands::copy(std::uint32_t *r, const std::uint32_t *a, int n) {
    for (int i = 0; i < n; ++i)
        r[i] = a[i];
}

void RegisterOperands::number(std::uint32_t *r, int n, unsigned kind) {
    for (int i = 0; i < n; ++i)
        r[i] = word();
    const auto fill = [&](int from, int to, std::uint32_t value) {
        for (int i = from; i < to; ++i)
            r[i] = value;
    };
    const int somewhere = static_cast<int>(below(static_cast<unsigned>(n)));
    switch (kind) {
    case 1:
        fill(0, n, ones);
        break;
    case 2:
        r[n - 1] = 0x80000000u;
        break;
    case 3:
        r[n - 1] = ones;
        break;
    case 4: // the highest power of two
        fill(0, n, 0);
        r[n - 1] = 0x80000000u;
        break;
    case 5: // 1
        fill(0, n, 0);
        r[0] = 1;
        break;
    case 6: // top limbs zero
        fill(n - somewhere, n, 0);
        break;
    case 7: // and then a limb 1
        fill(n - somewhere, n, 0);
        if (somewhere < n)
            r[n - somewhere - 1] = 1;
        break;
    case 8:
        r[n - 1] >>= below(32);
        break;
    case 9:
        r[n - 1] = 1;
        break;
    case 10:
    case 11: // limbs of zeros and ones
        for (int i = 0; i < n; ++i) {
            const unsigned choice = below(kind == 10 ? 2 : 3);
            r[i] = choice == 0 ? 0 : choice == 1 ? ones : r[i];
        }
        break;
    case 12: // a power of two, or its complement
        fill(0, n, 0);
        r[somewhere] = std::uint32_t{1} << below(32);
        if (below(2) != 0) {
            for (int i = 0; i < n; ++i)
                r[i] = ~r[i];
        }
        break;
    case 13: // 2^k - c
        fill(0, n, 0);
        fill(0, somewhere + 1, ones);
        r[0] = 0u - (1 + below(600));
        break;
    case 14: // trailing zeros
        fill(0, somewhere, 0);
        r[somewhere] <<= below(32);
        break;
    case 15: // one limb that is not all ones
        fill(0, n, ones);
        r[somewhere] = word();
        break;
    case 16: // the top limb a power of two, those below at an end of their range
        r[n - 1] = below(2) != 0 ? 0x80000000u : ones;
        for (int i = n - 2; i >= 0 && i >= n - 3; --i)
            r[i] = below(2) != 0 ? ones : 0;
        break;
    case 17: // few bits
        fill(0, n, 0);
        r[somewhere] = below(4);
        break;
    default:
        break;
    }
}

} // namespace test
