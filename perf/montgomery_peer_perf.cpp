// SPDX-License-Identifier: Apache-2.0
// Montgomery products and squares on the host beside those of other libraries: one thread, one
// modulus, a chain of dependent operations, all peers in turns within one run. Results are
// compared. A peer is measured where the build found it.

#include <warpint/modular.h>
#include <warpint/random.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#if defined(WARPINT_PERF_HAS_GMP)
#include <gmp.h>
// What mpz_powm is made of; exported, but in no header.
extern "C" mp_limb_t __gmpn_redc_1(mp_ptr, mp_ptr, mp_srcptr, mp_size_t, mp_limb_t);
extern "C" mp_limb_t __gmpn_redc_2(mp_ptr, mp_ptr, mp_srcptr, mp_size_t, mp_srcptr);
#endif
#if defined(WARPINT_PERF_HAS_BOTAN)
#include <botan/bigint.h>
#include <botan/monty.h>
#include <botan/reducer.h>
#endif
#if defined(WARPINT_PERF_HAS_CRYPTOPP)
#include <cryptopp/integer.h>
#include <cryptopp/modarith.h>
#endif
#if defined(WARPINT_PERF_HAS_NTL)
#include <NTL/ZZ_p.h>
#endif

namespace {

using namespace warpint;

constexpr int chain_length = 512;

struct Peer {
    std::string name;
    // x <- x y, or x <- x^2, chain_length times from the start values; the result in hexadecimal.
    std::function<void()> multiply, square;
    std::function<std::string()> result;
    double best[2] = {1e9, 1e9};
};

void require(bool condition, const char *what, const std::string &name) {
    if (!condition) {
        std::printf("WRONG RESULT: %s, %s\n", name.c_str(), what);
        std::exit(1);
    }
}

double seconds(const std::function<void()> &chain) {
    const auto start = std::chrono::steady_clock::now();
    chain();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return time.count();
}

template <int Bits>
std::string text(const BigInt<Bits> &x) {
    return to_string(x, 16);
}

#if defined(WARPINT_PERF_HAS_GMP)
// mpn_mul_n or mpn_sqr, then mpn_redc_1 or mpn_redc_2.
template <int Bits>
Peer gmp_peer(int redc, const BigInt<Bits> &a, const BigInt<Bits> &b, const BigInt<Bits> &m) {
    constexpr int n = Bits / 64;
    struct State {
        mp_limb_t m[n], x[n], y[n], start[n], t[2 * n], inverse[2];
    };
    auto state = std::make_shared<State>();
    const auto load = [](mp_limb_t *r, const BigInt<Bits> &v) {
        for (int i = 0; i < n; ++i)
            r[i] = v.limbs[2 * i] | mp_limb_t{v.limbs[2 * i + 1]} << 32;
    };
    load(state->m, m);
    const auto form = [&](const BigInt<Bits> &v) {
        return BigInt<Bits>((BigInt<2 * Bits>(v) << Bits) % m);
    };
    load(state->start, form(a));
    load(state->y, form(b));
    __extension__ using Wide = unsigned __int128;
    const Wide low = state->m[0] | Wide{state->m[n > 1 ? 1 : 0]} << 64;
    Wide inverse = low;
    for (int i = 0; i < 7; ++i)
        inverse *= 2 - low * inverse;
    inverse = -inverse;
    state->inverse[0] = static_cast<mp_limb_t>(inverse);
    state->inverse[1] = static_cast<mp_limb_t>(inverse >> 64);
    const auto reduce = [state, redc] {
        const mp_limb_t carry =
            redc == 1 ? __gmpn_redc_1(state->x, state->t, state->m, n, state->inverse[0])
                      : __gmpn_redc_2(state->x, state->t, state->m, n, state->inverse);
        if (carry != 0)
            mpn_sub_n(state->x, state->x, state->m, n);
    };
    const auto restart = [state] { std::copy_n(state->start, n, state->x); };
    return {"GMP mpn, redc_" + std::to_string(redc),
            [=] {
                restart();
                for (int i = 0; i < chain_length; ++i) {
                    mpn_mul_n(state->t, state->x, state->y, n);
                    reduce();
                }
            },
            [=] {
                restart();
                for (int i = 0; i < chain_length; ++i) {
                    mpn_sqr(state->t, state->x, n);
                    reduce();
                }
            },
            [=] {
                std::fill_n(state->t, 2 * n, mp_limb_t{0});
                std::copy_n(state->x, n, state->t);
                reduce();
                if (mpn_cmp(state->x, state->m, n) >= 0)
                    mpn_sub_n(state->x, state->x, state->m, n);
                BigInt<Bits> r{};
                for (int i = 0; i < n; ++i) {
                    r.limbs[2 * i] = static_cast<std::uint32_t>(state->x[i]);
                    r.limbs[2 * i + 1] = static_cast<std::uint32_t>(state->x[i] >> 32);
                }
                return text(r);
            }};
}
#endif

#if defined(WARPINT_PERF_HAS_BOTAN)
template <int Bits>
Peer botan_peer(const BigInt<Bits> &a, const BigInt<Bits> &b, const BigInt<Bits> &m) {
    const auto number = [](const BigInt<Bits> &v) { return Botan::BigInt("0x" + text(v)); };
    const auto parameters = std::make_shared<const Botan::Montgomery_Params>(number(m));
    struct State {
        Botan::Montgomery_Int start, x, y;
        Botan::secure_vector<Botan::word> space;
    };
    const Botan::Montgomery_Int start(parameters, number(a)), y(parameters, number(b));
    const auto state = std::make_shared<State>(State{start, start, y, {}});
    return {"Botan Montgomery_Int",
            [state] {
                state->x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    state->x.mul_by(state->y, state->space);
            },
            [state] {
                state->x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    state->x.square_this(state->space);
            },
            [state] {
                const auto bytes = Botan::BigInt::encode(state->x.value());
                std::string r;
                for (const auto byte : bytes) {
                    char digits[3];
                    std::snprintf(digits, sizeof digits, "%02x", byte);
                    r += digits;
                }
                r.erase(0, std::min(r.find_first_not_of('0'), r.size() - 1));
                return r;
            }};
}
#endif

#if defined(WARPINT_PERF_HAS_CRYPTOPP)
template <int Bits>
Peer cryptopp_peer(const BigInt<Bits> &a, const BigInt<Bits> &b, const BigInt<Bits> &m) {
    const auto number = [](const BigInt<Bits> &v) {
        return CryptoPP::Integer(("0x" + text(v)).c_str());
    };
    struct State {
        CryptoPP::MontgomeryRepresentation ring;
        CryptoPP::Integer start, x, y;
        explicit State(const CryptoPP::Integer &modulus) : ring(modulus) {}
    };
    const auto state = std::make_shared<State>(number(m));
    state->start = state->ring.ConvertIn(number(a) % number(m));
    state->y = state->ring.ConvertIn(number(b) % number(m));
    return {"Crypto++ Montgomery",
            [state] {
                state->x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    state->x = state->ring.Multiply(state->x, state->y);
            },
            [state] {
                state->x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    state->x = state->ring.Square(state->x);
            },
            [state] {
                CryptoPP::Integer r = state->ring.ConvertOut(state->x);
                std::string digits;
                do {
                    digits.insert(digits.begin(), "0123456789abcdef"[r % 16]);
                    r /= 16;
                } while (!r.IsZero());
                return digits;
            }};
}
#endif

#if defined(WARPINT_PERF_HAS_NTL)
template <int Bits>
Peer ntl_peer(const BigInt<Bits> &a, const BigInt<Bits> &b, const BigInt<Bits> &m) {
    const auto number = [](const BigInt<Bits> &v) {
        return NTL::ZZFromBytes(reinterpret_cast<const unsigned char *>(v.limbs), Bits / 8);
    };
    struct State {
        NTL::ZZ m, start, x, y;
    };
    const auto state = std::make_shared<State>();
    state->m = number(m);
    state->start = number(a) % state->m;
    state->y = number(b) % state->m;
    return {"NTL MulMod", // no Montgomery form
            [state] {
                state->x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    NTL::MulMod(state->x, state->x, state->y, state->m);
            },
            [state] {
                state->x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    NTL::SqrMod(state->x, state->x, state->m);
            },
            [state] {
                BigInt<Bits> r{};
                NTL::BytesFromZZ(reinterpret_cast<unsigned char *>(r.limbs), state->x, Bits / 8);
                return text(r);
            }};
}
#endif

template <int Bits>
Peer our_peer(const Modulus<Bits> &modulus, const BigInt<Bits> &a, const BigInt<Bits> &b) {
    struct State {
        Residue<Bits> start, x, y;
    };
    const auto state = std::make_shared<State>(State{modulus(a), modulus(a), modulus(b)});
    return {"warpint Residue",
            [state] {
                Residue<Bits> x = state->start;
                const Residue<Bits> y = state->y;
                for (int i = 0; i < chain_length; ++i)
                    x = x * y;
                state->x = x;
            },
            [state] {
                Residue<Bits> x = state->start;
                for (int i = 0; i < chain_length; ++i)
                    x = sqr(x);
                state->x = x;
            },
            [state] { return text(state->x.value()); }};
}

template <int Bits>
void measure() {
    std::mt19937_64 engine(Bits);
    const auto m = set_bit(set_bit(random_bits<Bits>(engine), Bits - 1), 0);
    const auto a = random_bits<Bits>(engine);
    const auto b = random_bits<Bits>(engine);
    const Modulus<Bits> modulus(m);
    std::vector<Peer> peers{our_peer(modulus, a, b)};
#if defined(WARPINT_PERF_HAS_GMP)
    peers.push_back(gmp_peer(1, a, b, m));
    peers.push_back(gmp_peer(2, a, b, m));
#endif
#if defined(WARPINT_PERF_HAS_BOTAN)
    peers.push_back(botan_peer(a, b, m));
#endif
#if defined(WARPINT_PERF_HAS_CRYPTOPP)
    peers.push_back(cryptopp_peer(a, b, m));
#endif
#if defined(WARPINT_PERF_HAS_NTL)
    peers.push_back(ntl_peer(a, b, m));
#endif
    std::string expected[2];
    for (Peer &peer : peers) {
        for (int what = 0; what < 2; ++what) {
            (what == 0 ? peer.multiply : peer.square)();
            const std::string r = peer.result();
            if (expected[what].empty())
                expected[what] = r;
            require(r == expected[what], what == 0 ? "products" : "squares", peer.name);
        }
    }
    for (int turn = 0; turn < 40; ++turn) {
        for (Peer &peer : peers) {
            peer.best[0] = std::min(peer.best[0], seconds(peer.multiply) / chain_length);
            peer.best[1] = std::min(peer.best[1], seconds(peer.square) / chain_length);
        }
    }
    for (const Peer &peer : peers) {
        std::printf("%5d  %-22s %10.1f %10.1f   %6.2f %6.2f\n", Bits, peer.name.c_str(),
                    peer.best[0] * 1e9, peer.best[1] * 1e9, peer.best[0] / peers[0].best[0],
                    peer.best[1] / peers[0].best[1]);
    }
    std::fflush(stdout);
}

} // namespace

int main() {
    std::puts("# one thread; nanoseconds per product and per square, and how many times warpint's");
#if !defined(WARPINT_PERF_HAS_GMP)
    std::puts("# compiled without GMP");
#endif
#if !defined(WARPINT_PERF_HAS_BOTAN)
    std::puts("# compiled without Botan 2");
#endif
#if !defined(WARPINT_PERF_HAS_CRYPTOPP)
    std::puts("# compiled without Crypto++");
#endif
#if !defined(WARPINT_PERF_HAS_NTL)
    std::puts("# compiled without NTL");
#endif
    measure<256>();
    measure<384>();
    measure<512>();
    measure<1024>();
    measure<2048>();
    return 0;
}
