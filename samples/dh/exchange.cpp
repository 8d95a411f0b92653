// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA where the build has it.
#include "exchange.h"

#include <algorithm>
#include <chrono>

#include "agreement.h"
#include "device.h"
#include "error.h"
#include "files.h"
#include "progress.h"

namespace dh {

using sample::Error;
using sample::OutputFile;
using sample::Progress;

namespace {

// A GPU wants tens of thousands of numbers.
template <class Place>
inline constexpr std::size_t usual_batch = Place::gpu ? 65536 : 1024;

// Calls job(agreement, place) for the group's width and the place that the device option names.
template <class Job>
void with_agreement(const Group &group, const Options &options, Job job) {
    sample::on_device(options.common.device, [&](auto place) {
        using Place = decltype(place);
        if (group.bits == 2048)
            job(KeyAgreement<2048, Place>(group, options.timing), place);
        else if (group.bits == 3072)
            job(KeyAgreement<3072, Place>(group, options.timing), place);
        else
            job(KeyAgreement<4096, Place>(group, options.timing), place);
    });
}

std::string lines_of(const std::vector<std::string> &numbers) {
    std::string text;
    for (const std::string &number : numbers)
        text += number + '\n';
    return text;
}

template <int Bits>
host_vector<BigInt<Bits>> read_numbers(const std::string &path) {
    host_vector<BigInt<Bits>> numbers;
    try {
        numbers = warpint::parse<Bits>(sample::read_text(path), 16);
    } catch (const std::logic_error &error) {
        throw Error(path + ": " + sample::parse_message(error));
    }
    if (numbers.empty())
        throw Error(path + " is empty");
    return numbers;
}

// The secrets of one width of private keys, in batches.
template <int PrivateBits, int Bits, class Place>
void write_secrets(const KeyAgreement<Bits, Place> &agreement,
                   const host_vector<BigInt<Bits>> &private_keys,
                   const host_vector<BigInt<Bits>> &public_keys, OutputFile &file,
                   Progress &progress) {
    const std::size_t size = private_keys.size();
    typename Place::template Vector<BigInt<Bits>> theirs, secret;
    for (std::size_t first = 0; first != size;) {
        const std::size_t count = std::min(usual_batch<Place>, size - first);
        const host_vector<BigInt<PrivateBits>> narrow =
            as<BigInt<PrivateBits>>(private_keys.view(first, count));
        const typename Place::template Vector<BigInt<PrivateBits>> x = narrow;
        theirs.assign(public_keys.view(first, count));
        agreement.secrets(secret, theirs, x);
        file.write(lines_of(to_strings(secret, 16)));
        progress.add(count);
        first += count;
    }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

Batch run_batch(const Group &group, std::size_t size, std::size_t wanted_agreements,
                const Options &options) {
    Batch batch;
    with_agreement(group, options, [&](const auto &agreement, auto place) {
        using Numbers = typename std::remove_cvref_t<decltype(agreement)>::Numbers;
        Numbers alices_public, bobs_public, alices_secret, bobs_secret;
        batch.size = size != 0 ? size : usual_batch<decltype(place)>;

        const auto start = std::chrono::steady_clock::now();
        const auto alices = agreement.private_keys(batch.size);
        const auto bobs = agreement.private_keys(batch.size);
        agreement.public_keys(alices_public, alices);
        agreement.public_keys(bobs_public, bobs);
        bobs_public.check(); // waits
        batch.key_pairs = 2 * static_cast<double>(batch.size) / seconds_since(start);

        const auto middle = std::chrono::steady_clock::now();
        const bool valid = agreement.first_invalid(bobs_public) == batch.size &&
                           agreement.first_invalid(alices_public) == batch.size;
        agreement.secrets(alices_secret, bobs_public, alices);
        agreement.secrets(bobs_secret, alices_public, bobs);
        batch.equal = valid && all(alices_secret == bobs_secret);
        batch.secrets = 2 * static_cast<double>(batch.size) / seconds_since(middle);

        const std::size_t taken = std::min(batch.size, wanted_agreements);
        for (std::size_t k = 0; k != taken; ++k) {
            const std::size_t i = taken == 1 ? 0 : k * (batch.size - 1) / (taken - 1);
            const auto text = [i](const auto &numbers) { return to_string(numbers.read(i), 16); };
            batch.agreements.push_back(
                {text(alices), text(alices_public), text(bobs_public), text(alices_secret)});
        }
    });
    return batch;
}

void make_keys(const Group &group, std::size_t count, const std::string &private_file,
               const std::string &public_file, bool force, const Options &options) {
    with_agreement(group, options, [&](const auto &agreement, auto place) {
        sample::OutputFiles outputs;
        OutputFile &private_output =
            outputs.add(private_file, sample::Readers::owner,
                        force ? sample::Existing::replaced : sample::Existing::stays);
        OutputFile &public_output = outputs.add(public_file);
        Progress progress("making keys", count, options.common.always_show_progress);
        typename std::remove_cvref_t<decltype(agreement)>::Numbers y;
        for (std::size_t left = count; left != 0;) {
            const std::size_t now = std::min(left, usual_batch<decltype(place)>);
            const auto x = agreement.private_keys(now);
            agreement.public_keys(y, x);
            private_output.write(lines_of(to_strings(x, 16)));
            public_output.write(lines_of(to_strings(y, 16)));
            progress.add(now);
            left -= now;
        }
        outputs.commit();
    });
}

void agree(const Group &group, const std::string &private_file, const std::string &public_file,
           const std::string &secret_file, const Options &options) {
    sample::require_other_than_key(secret_file, private_file);
    with_agreement(group, options, [&](const auto &agreement, auto place) {
        using Place = decltype(place);
        constexpr int bits = std::remove_cvref_t<decltype(agreement)>::bits;
        const auto x = read_numbers<bits>(private_file);
        const auto theirs = read_numbers<bits>(public_file);
        if (x.size() != theirs.size())
            throw Error(private_file + " has " + std::to_string(x.size()) + " keys and " +
                        public_file + " has " + std::to_string(theirs.size()));
        const KeyAgreement<bits, sample::OnHost> on_host(group, options.timing);
        const std::size_t bad_public = on_host.first_invalid(theirs);
        if (bad_public != theirs.size())
            throw Error(public_file + ": line " + std::to_string(bad_public + 1) +
                        ": not a valid public key: it must lie between 1 and p - 1");
        const BigInt<bits> q = agreement.prime() >> 1;
        const auto is_bad = [&](const auto &key) { return key == 0 || key >= q; };
        const auto bad_private = std::find_if(x.begin(), x.end(), is_bad);
        if (bad_private != x.end())
            throw Error(private_file + ": line " + std::to_string(bad_private - x.begin() + 1) +
                        ": not a valid private key: it must lie between 0 and (p - 1) / 2");

        OutputFile output(secret_file, sample::Readers::owner);
        Progress progress("agreeing", x.size(), options.common.always_show_progress);
        // Constant time means the time of the width: keys of the usual length take less.
        if (static_cast<int>(max(bit_width(x))) <= private_bits<bits>)
            write_secrets<private_bits<bits>, bits, Place>(agreement, x, theirs, output, progress);
        else
            write_secrets<bits, bits, Place>(agreement, x, theirs, output, progress);
        output.commit();
    });
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

} // namespace dh
