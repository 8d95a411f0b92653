// SPDX-License-Identifier: Apache-2.0
#include "demo.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

#include <warpint/random.h>

#include "error.h"
#include "openssl_peer.h"
#include "parallel.h"
#include "report.h"

namespace curves {
namespace {

using sample::Report;
using Random = std::mt19937_64;

// Runs job(), which does `units` of work, for about `seconds`; returns units per second.
template <class Job>
double rate(std::size_t units, double seconds, Job job) {
    using Clock = std::chrono::steady_clock;
    job(); // untimed: the first one allocates
    const auto start = Clock::now();
    double elapsed = 0;
    std::size_t done = 0;
    do {
        job();
        done += units;
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < seconds);
    return static_cast<double>(done) / elapsed;
}

// Signatures of a batch and what a verifier must say of them.
struct Batch {
    Signatures signatures;
    std::vector<bool> valid;

    void add(const Signatures &from, std::size_t i) {
        signatures.key.push_back(from.key[i]);
        signatures.hash.push_back(from.hash[i]);
        signatures.r.push_back(from.r[i]);
        signatures.s.push_back(from.s[i]);
        valid.push_back(true);
    }
    // Flips a bit of the last one.
    void spoil(Random &random) {
        const int bit = static_cast<int>(random() % 256);
        const auto flip = [bit](auto &number) {
            using T = std::remove_reference_t<decltype(number)>;
            number ^= T(1) << bit;
        };
        switch (random() % 4) {
        case 0:
            flip(signatures.key.back());
            break;
        case 1:
            flip(signatures.hash.back());
            break;
        case 2:
            flip(signatures.r.back());
            break;
        default:
            flip(signatures.s.back());
        }
        valid.back() = false;
    }
};

constexpr std::size_t spoiled_share = 16; // one of so many has a flipped bit

// The signatures in turn, and among them some with a flipped bit.
Batch make_batch(const Signatures &made, std::size_t size, Random &random) {
    Batch batch;
    for (std::size_t i = 0; i != size; ++i) {
        batch.add(made, i % made.size());
        if (i % spoiled_share == 0) {
            batch.add(made, random() % made.size());
            batch.spoil(random);
        }
    }
    return batch;
}

void verify_signatures(CurveName curve, Engine &engine, const DemoOptions &options, Report &report,
                       Random &random) {
    const OpenSslSignatures made(curve, options.signatures);
    const std::size_t size = std::max(options.signatures, options.batch != 0 ? options.batch
                                                          : engine.on_gpu()  ? std::size_t{1} << 20
                                                                             : 0);
    const Batch batch = make_batch(made.numbers(), size, random);
    bool all = true;
    const double ours = rate(batch.valid.size(), options.seconds, [&] {
        all = engine.verify(batch.signatures, 0, batch.valid.size()) == batch.valid && all;
    });
    report.check(std::to_string(size) + " signatures verified, " +
                     std::to_string(batch.valid.size() - size) +
                     " with a flipped bit refused; OpenSSL made " +
                     std::to_string(options.signatures),
                 all);
    report.rate("verify", ours, "OpenSSL", made.verify_rate(options.seconds));
    constexpr std::size_t rounds = 4; // a GPU is idle at the end of the last one only
    const std::size_t held = engine.verify_held(1);
    const double alone =
        rate(rounds * held, options.seconds, [&] { (void)engine.verify_held(rounds); });
    report.rate("verify again", alone); // what the device has already, without copies
}

void compute_keys(CurveName curve, Engine &engine, const DemoOptions &options, Report &report,
                  Random &random) {
    std::vector<Number> some{Number(1), Number(2), engine.order() - 1};
    while (some.size() != 64)
        some.push_back(warpint::random_below(engine.order() - 1, random) + 1);
    const auto expected = openssl_public_keys(curve, some);
    std::vector<Number> many; // some hundred for each thread
    while (many.size() < 256 * sample::hardware_threads())
        many.insert(many.end(), some.begin(), some.end());
    const double openssl =
        rate(many.size(), options.seconds, [&] { (void)openssl_public_keys(curve, many); });

    std::vector<Number> private_keys = some;
    private_keys.resize(engine.on_gpu() ? std::size_t{1} << 20 : 4096, Number(3));
    for (std::size_t i = some.size(); i != private_keys.size(); ++i)
        private_keys[i] = warpint::random_below(engine.order() - 1, random) + 1;
    std::vector<CompressedKey> keys;
    const double ours = rate(private_keys.size(), options.seconds,
                             [&] { keys = engine.public_keys(private_keys); });
    report.check("64 of " + std::to_string(keys.size()) + " public keys match OpenSSL's",
                 std::equal(expected.begin(), expected.end(), keys.begin()));
    report.rate("public keys", ours, "OpenSSL", openssl);

    const std::size_t batch = engine.consecutive_batch();
    const Number from = warpint::random_below(engine.order() - batch, random) + 1;
    const double consecutive =
        rate(batch, options.seconds, [&] { engine.consecutive(from, batch); });
    bool same = true;
    for (std::size_t i = 0; i != 64; ++i) { // the first, the last and others
        const std::size_t position = i == 0 ? 0 : i == 1 ? batch - 1 : random() % batch;
        same = same && engine.consecutive_keys(position, 1) ==
                           openssl_public_keys(curve, {from + position});
    }
    report.check("64 of " + std::to_string(batch) + " consecutive keys match OpenSSL's", same);
    report.rate("consecutive keys", consecutive); // OpenSSL has no call for them
}

} // namespace

bool run_demo(CurveName curve, const DemoOptions &options) {
    const auto engine = make_engine(curve, options.common.device);
    Report report("secp256k1 demo", options.common);
    report.fact("curve", curve == CurveName::p256 ? "P-256" : "secp256k1");
    report.fact("device", device_name(options.common.device));
    report.fact("peer",
                openssl_name() + " on " + std::to_string(sample::hardware_threads()) + " threads");
    Random random(std::random_device{}());
    verify_signatures(curve, *engine, options, report, random);
    compute_keys(curve, *engine, options, report, random);
    report.finish();
    return report.good();
}

} // namespace curves
