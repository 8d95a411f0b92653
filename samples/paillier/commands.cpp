// SPDX-License-Identifier: Apache-2.0
// Compiled as CUDA where the build has it.
#include "commands.h"

#include <chrono>
#include <utility>

#include "column.h"
#include "cryptosystem.h"
#include "device.h"
#include "error.h"
#include "files.h"
#include "progress.h"
#include "random_primes.h"
#include "report.h"

namespace paillier {

using sample::Error;
using sample::OutputFile;
using sample::Progress;

namespace {

constexpr const char *public_word = "paillier-public-key";
constexpr const char *private_word = "paillier-private-key";

// A GPU wants tens of thousands of numbers.
template <class Place>
inline constexpr std::size_t usual_batch = Place::gpu ? 32768 : 512;

// ---- text

std::string lines_of(const std::vector<std::string> &numbers) {
    std::string text;
    for (const std::string &number : numbers)
        text += number + '\n';
    return text;
}

// parse() with the file in its message. The numbers begin behind so many lines.
template <class T, class Lines>
host_vector<T> numbers_of(const std::string &path, const Lines &lines, std::size_t lines_before) {
    try {
        return warpint::parse<T>(lines, 16);
    } catch (const std::logic_error &error) {
        throw Error(path + ": " + sample::parse_message(error, lines_before));
    }
}

template <int Bits>
std::string first_line(const BigInt<Bits> &n, std::size_t count) {
    const std::string digits = to_string(n, 16);
    return "paillier-ciphertexts " + digits.substr(digits.size() - 16) + " " +
           std::to_string(count) + "\n";
}

std::string with_zeros(const std::string &number, std::size_t digits) {
    return std::string(digits - number.size(), '0') + number;
}

// Ciphertexts, all with the same number of digits.
template <int Bits>
std::string fixed_lines(const std::vector<std::string> &numbers) {
    std::string text;
    for (const std::string &number : numbers)
        text += with_zeros(number, 2 * Bits / 4) + '\n';
    return text;
}

struct KeyText {
    std::string path;
    std::vector<std::string> numbers;
    int bits = 0; // of n
};

int hexadecimal_bits(const std::string &number) {
    return 4 * static_cast<int>(number.size());
}

// The text with \n where \r\n ends a line.
std::string with_plain_line_ends(std::string text) {
    std::size_t size = 0;
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')
            text[size++] = text[i];
    }
    text.resize(size);
    return text;
}

// The numbers have the right lengths; they may not be numbers. factors: the numbers whose product
// is n, 1 for a public key, which may have a base behind it, and 2 for a private key.
KeyText read_key(const std::string &path, const std::string &word, std::size_t factors) {
    constexpr std::size_t largest_key_file = 1 << 16;
    std::string text = with_plain_line_ends(sample::read_text(path, largest_key_file));
    KeyText key{path, {}};
    if (text.starts_with(word + "\n")) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            key.numbers.push_back(text.substr(0, end));
            text.erase(0, end + 1);
        }
        key.numbers.erase(key.numbers.begin()); // the word
    }
    const bool has_base = factors == 1 && key.numbers.size() == 2;
    if (key.numbers.size() != factors && !has_base)
        throw Error(path + " is not a " + word + " of this program");
    const auto digits = key.numbers[0].size() * factors;
    key.bits = hexadecimal_bits(key.numbers[0]) * static_cast<int>(factors);
    if ((digits != 2048 / 4 && digits != 3072 / 4) ||
        (key.numbers[0].size() != key.numbers.back().size() && !has_base))
        throw Error(path + " is not a key of 2048 or 3072 bits");
    if (has_base && key.numbers[0].size() != key.numbers.back().size())
        throw Error(path + ": line 3: it has not the digits of n: not a base for dj-short");
    return key;
}

// ---- dispatch

// Calls job(width, place) for a compiled width and the place that the device option names.
template <class Job>
void with_width(int bits, const CommonOptions &options, Job job) {
    sample::on_device(options.device, [&](auto place) {
        if (bits == 2048)
            job(std::integral_constant<int, 2048>{}, place);
        else
            job(std::integral_constant<int, 3072>{}, place);
    });
}

template <int Bits, class Place>
PublicKey<Bits, Place> public_key(const KeyText &text) {
    const auto numbers = numbers_of<BigInt<Bits>>(text.path, text.numbers, 1);
    const BigInt<Bits> &n = numbers[0];
    if (!test_bit(n, Bits - 1) || !test_bit(n, 0))
        throw Error(text.path + ": n is not a product of two primes of the same length");
    if (numbers.size() == 1)
        return PublicKey<Bits, Place>(n);
    if (!can_be_base(numbers[1], n))
        throw Error(text.path + ": line 3: not a base for dj-short");
    return PublicKey<Bits, Place>(n, numbers[1]);
}

template <int Bits, class Place>
PrivateKey<Bits, Place> private_key(const KeyText &text) {
    const auto primes = numbers_of<BigInt<Bits / 2>>(text.path, text.numbers, 1);
    if (!is_probable_prime(primes[0]) || !is_probable_prime(primes[1]) || primes[0] == primes[1] ||
        !test_bit(primes[0] * primes[1], Bits - 1))
        throw Error(text.path + ": p and q are not two primes of the same length");
    return PrivateKey<Bits, Place>(primes[0], primes[1]);
}

template <int Bits>
struct Primes {
    BigInt<Bits / 2> p, q;
};

// So many new keys. For dj_short p and q are 3 modulo 4, and p - 1 and q - 1 have no other common
// divisor than 2 (a third of the pairs have one).
template <int Bits, class Place>
std::vector<Primes<Bits>> random_keys(Scheme scheme, std::size_t count) {
    constexpr int half = Bits / 2;
    const bool dj_short = scheme == Scheme::dj_short;
    std::vector<Primes<Bits>> keys;
    while (keys.size() != count) {
        const auto primes =
            sample::random_primes<half, Place>(2 * (count - keys.size()), half, dj_short ? 2 : 1);
        for (std::size_t i = 0; i != primes.size(); i += 2) {
            const auto &p = primes[i];
            const auto &q = primes[i + 1];
            if (!dj_short || gcd(p - 1u, q - 1u) == 2u)
                keys.push_back({p, q});
        }
    }
    return keys;
}

template <int Bits, class Place>
Ciphertexts<Bits> read_ciphertexts(const std::string &path, const PublicKey<Bits, Place> &key) {
    constexpr std::size_t length = 2 * Bits / 4 + 1; // of a line with its end
    std::string text = with_plain_line_ends(sample::read_text(path));
    const std::string first = text.substr(0, text.find('\n') + 1);
    text.erase(0, first.size());
    const std::size_t count = text.size() / length;
    const std::string expected = first_line(key.modulus(), count);
    const std::size_t words = expected.rfind(' ');
    if (!first.starts_with("paillier-ciphertexts "))
        throw Error(path + " is not a file of ciphertexts of this program");
    if (first.substr(0, words) != expected.substr(0, words))
        throw Error(path + " belongs to another key");
    for (std::size_t i = 0; i != count; ++i) {
        if (text.find('\n', i * length) != (i + 1) * length - 1)
            throw Error(path + ": line " + std::to_string(i + 2) +
                        ": not a ciphertext: it has not " + std::to_string(length - 1) + " digits");
    }
    if (first != expected || text.size() != count * length || count == 0)
        throw Error(path + " is damaged: it was cut, or its first line is wrong");
    auto c = numbers_of<BigInt<2 * Bits>>(path, text, 1);
    const std::size_t bad = key.first_invalid(c);
    if (bad != c.size())
        throw Error(path + ": line " + std::to_string(bad + 2) + ": not a ciphertext of this key");
    return c;
}

// Calls step(first, count) for batches of a job of `size` numbers.
template <class Place, class Step>
void in_batches(const char *what, std::size_t size, const CommonOptions &options, Step step) {
    Progress progress(what, size, options.always_show_progress);
    for (std::size_t first = 0; first != size;) {
        const std::size_t count = std::min(usual_batch<Place>, size - first);
        step(first, count);
        progress.add(count);
        first += count;
    }
}

// Whether ciphertexts in batches are those that plain powers and products of single numbers give
// with the same random numbers, for the first values of a column.
template <int Bits, class Place>
bool matches_single_numbers(const PublicKey<Bits, Place> &key, const BigInt<Bits> &n,
                            const BigInt<Bits> &base,
                            const typename PublicKey<Bits, Place>::Plain &values) {
    using Key = PublicKey<Bits, Place>;
    sample::SystemRandom generator;
    const std::size_t count = std::min<std::size_t>(values.size(), 40);
    host_vector<SignedBigInt<Bits>> m(count);
    host_vector<BigInt<Bits>> r(count);
    host_vector<BigInt<Bits / 2>> a(count);
    for (std::size_t i = 0; i != count; ++i) {
        m[i] = values.read(i);
        r[i] = random_below(n - 1u, generator) + 1u;
        a[i] = warpint::random_bits<Bits / 2>(generator);
    }
    a[0] = 0;
    a[count - 1] = ~BigInt<Bits / 2>(0);
    typename Key::Cipher textbook, dj_short;
    key.encrypt(textbook, m, r);
    key.encrypt_short(dj_short, m, a);
    const BigInt<2 * Bits> n_squared = sqr(n);
    const auto plain = [&](std::size_t i, const BigInt<2 * Bits> &power) {
        const BigInt<Bits> residue(m[i] % n);
        return BigInt<2 * Bits>(power * (residue * n + 1u) % n_squared);
    };
    const BigInt<2 * Bits> h_s = pow(BigInt<2 * Bits>(base), n, n_squared);
    for (std::size_t i = 0; i != count; ++i) {
        if (textbook.read(i) != plain(i, pow(BigInt<2 * Bits>(r[i]), n, n_squared)) ||
            dj_short.read(i) != plain(i, pow(h_s, a[i], n_squared)))
            return false;
    }
    return true;
}

} // namespace

void make_keys(Scheme scheme, int bits, std::size_t count, const std::string &name, bool force,
               const CommonOptions &options) {
    if (name == "-")
        throw sample::UsageError("--out: keys are written to two files, not to standard output");
    const auto path = [&](std::size_t index, const char *end) {
        return name + (count == 1 ? "" : "-" + std::to_string(index + 1)) + end;
    };
    for (std::size_t i = 0; i != count && !force; ++i)
        sample::require_new(path(i, ".private"));
    sample::OutputFiles files;
    const auto write = [&](const std::string &to, sample::Readers readers,
                           sample::Existing existing, const std::vector<std::string> &lines) {
        OutputFile &file = files.add(to, readers, existing);
        file.write(lines_of(lines));
        file.close();
    };
    with_width(bits, options, [&](auto width, auto place) {
        constexpr int n_bits = decltype(width)::value;
        Progress progress("making keys", count, options.always_show_progress);
        for (std::size_t done = 0; done != count;) {
            const std::size_t now = std::min<std::size_t>(64, count - done);
            const auto keys = random_keys<n_bits, decltype(place)>(scheme, now);
            for (std::size_t i = 0; i != now; ++i) {
                const auto &[p, q] = keys[i];
                const BigInt<n_bits> n = p * q;
                std::vector<std::string> lines{public_word, to_string(n, 16)};
                if (scheme == Scheme::dj_short)
                    lines.push_back(with_zeros(to_string(random_base(n), 16), n_bits / 4));
                write(path(done + i, ".public"), sample::Readers::usual, sample::Existing::replaced,
                      lines);
                write(path(done + i, ".private"), sample::Readers::owner,
                      force ? sample::Existing::replaced : sample::Existing::stays,
                      {private_word, to_string(p, 16), to_string(q, 16)});
            }
            progress.add(now);
            done += now;
        }
    });
    files.commit();
}

void encrypt(Scheme scheme, const std::string &key_file, const std::string &csv,
             const std::string &column, const std::string &out, const CommonOptions &options) {
    sample::require_other_than_key(out, key_file);
    const KeyText text = read_key(key_file, public_word, 1);
    with_width(text.bits, options, [&](auto width, auto place) {
        constexpr int bits = decltype(width)::value;
        using Key = PublicKey<bits, decltype(place)>;
        const Key key = public_key<bits, decltype(place)>(text);
        if (scheme == Scheme::dj_short && !key.has_base())
            throw Error(key_file + " has no base for dj-short: such keys are made by keygen "
                                   "--scheme dj-short");
        const Column cells = read_column(csv, column);
        Values<bits> values(cells.fields.size());
        const auto largest = key.largest();
        for (std::size_t i = 0; i != values.size(); ++i) {
            const std::string where = csv + ": line " + std::to_string(cells.first_line + i) + ": ";
            try {
                values[i] = SignedBigInt<bits>::parse(cells.fields[i], 10);
            } catch (const std::logic_error &error) {
                throw Error(where + "column " + column + ": " + sample::parse_message(error));
            }
            if (abs(values[i]) > largest)
                throw Error(where + "a number does not fit the key: it must be below n / 2");
        }
        OutputFile file(out);
        file.write(first_line(key.modulus(), values.size()));
        typename Key::Plain m;
        typename Key::Cipher c;
        in_batches<decltype(place)>("encrypting", values.size(), options,
                                    [&](std::size_t first, std::size_t count) {
                                        m.assign(std::as_const(values).view(first, count));
                                        if (scheme == Scheme::dj_short)
                                            key.encrypt_short(c, m);
                                        else
                                            key.encrypt(c, m);
                                        file.write(fixed_lines<bits>(to_strings(c, 16)));
                                    });
        file.commit();
    });
}

void add(const std::string &key_file, const std::vector<std::string> &in, const std::string &out,
         const CommonOptions &options) {
    sample::require_other_than_key(out, key_file);
    const KeyText text = read_key(key_file, public_word, 1);
    with_width(text.bits, options, [&](auto width, auto place) {
        constexpr int bits = decltype(width)::value;
        using Key = PublicKey<bits, decltype(place)>;
        const Key key = public_key<bits, decltype(place)>(text);
        const auto a = read_ciphertexts(in.front(), key);
        const bool by_line = in.size() == 2;
        const auto b = by_line ? read_ciphertexts(in.back(), key) : Ciphertexts<bits>();
        if (by_line && a.size() != b.size())
            throw Error(in.front() + " has " + std::to_string(a.size()) + " lines and " +
                        in.back() + " has " + std::to_string(b.size()));
        OutputFile file(out);
        file.write(first_line(key.modulus(), by_line ? a.size() : 1));
        typename Key::Cipher x, y, sums;
        BigInt<2 * bits> total = 1;
        in_batches<decltype(place)>("adding", a.size(), options,
                                    [&](std::size_t first, std::size_t count) {
                                        x.assign(a.view(first, count));
                                        if (by_line) {
                                            y.assign(b.view(first, count));
                                            key.add(sums, x, y);
                                            file.write(fixed_lines<bits>(to_strings(sums, 16)));
                                        } else {
                                            total = key.sum(total, key.sum(x));
                                        }
                                    });
        if (!by_line)
            file.write(fixed_lines<bits>({to_string(total, 16)}));
        file.commit();
    });
}

void scale(const std::string &key_file, const std::string &in, const std::string &factor,
           const std::string &out, const CommonOptions &options) {
    sample::require_other_than_key(out, key_file);
    const KeyText text = read_key(key_file, public_word, 1);
    with_width(text.bits, options, [&](auto width, auto place) {
        constexpr int bits = decltype(width)::value;
        using Key = PublicKey<bits, decltype(place)>;
        const Key key = public_key<bits, decltype(place)>(text);
        SignedBigInt<bits + 1> k; // n and -n are
        try {
            k = SignedBigInt<bits + 1>::parse(factor, 10);
        } catch (const std::logic_error &error) {
            throw sample::UsageError("--by: " + sample::parse_message(error));
        }
        const auto a = read_ciphertexts(in, key);
        OutputFile file(out);
        file.write(first_line(key.modulus(), a.size()));
        typename Key::Cipher x, scaled;
        in_batches<decltype(place)>("scaling", a.size(), options,
                                    [&](std::size_t first, std::size_t count) {
                                        x.assign(a.view(first, count));
                                        key.scale(scaled, x, k);
                                        file.write(fixed_lines<bits>(to_strings(scaled, 16)));
                                    });
        file.commit();
    });
}

void decrypt(const std::string &key_file, const std::string &in, const std::string &out,
             const CommonOptions &options) {
    sample::require_other_than_key(out, key_file);
    const KeyText text = read_key(key_file, private_word, 2);
    with_width(text.bits, options, [&](auto width, auto place) {
        constexpr int bits = decltype(width)::value;
        using Key = PrivateKey<bits, decltype(place)>;
        Key key = private_key<bits, decltype(place)>(text);
        const auto c = read_ciphertexts(in, PublicKey<bits, decltype(place)>(key.modulus()));
        OutputFile file(out, sample::Readers::owner);
        typename Key::Cipher x;
        typename Key::Plain m;
        in_batches<decltype(place)>("decrypting", c.size(), options,
                                    [&](std::size_t first, std::size_t count) {
                                        x.assign(c.view(first, count));
                                        key.decrypt(m, x);
                                        file.write(lines_of(to_strings(m)));
                                    });
        file.commit();
    });
}

bool demo(int bits, std::size_t rows, double seconds, const CommonOptions &options) {
    sample::Report report("paillier demo", options);
    with_width(bits, options, [&](auto width, auto place) {
        constexpr int n_bits = decltype(width)::value;
        using Place = decltype(place);
        using Clock = std::chrono::steady_clock;
        using Key = PublicKey<n_bits, Place>;
        using Plain = typename Key::Plain;
        const std::size_t size = rows != 0 ? rows : usual_batch<Place>;
        const auto [p, q] = random_keys<n_bits, Place>(Scheme::dj_short, 1)[0];
        PrivateKey<n_bits, Place> private_key(p, q);
        const BigInt<n_bits> base = random_base(private_key.modulus());
        const Key key(private_key.modulus(), base);
        report.fact("device", sample::device_name(options.device));
        report.fact("bits", n_bits);
        report.fact("rows", size);

        // Two columns of 64-bit numbers of both signs.
        const auto random_column = [&] {
            sample::SystemRandom generator;
            host_vector<SignedBigInt<n_bits>> values(size);
            for (auto &value : values)
                value = static_cast<std::int64_t>(generator());
            return values;
        };
        const Plain a = random_column();
        const Plain b = random_column();
        const SignedBigInt<n_bits> factor = -1000003;
        typename Key::Cipher encrypted_a, encrypted_b, sums, scaled;
        Plain back, expected;
        BigInt<2 * n_bits> encrypted_total;
        // The fastest of several rounds, each of `numbers` numbers.
        const auto measured = [&](const char *what, std::size_t numbers, const auto &work) {
            const auto begin = Clock::now();
            double best = 0;
            do {
                const auto start = Clock::now();
                work(); // waits for the result
                const std::chrono::duration<double> took = Clock::now() - start;
                best = std::max(best, static_cast<double>(numbers) / took.count());
            } while (Clock::now() - begin < std::chrono::duration<double>(seconds));
            report.rate(what, best);
        };
        key.encrypt_short(encrypted_b, b);
        encrypted_b.check(); // waits: this one is not measured
        measured("encryptions, dj-short", size, [&] {
            key.encrypt_short(encrypted_b, b);
            encrypted_b.check();
        });
        key.encrypt(encrypted_a, a);
        encrypted_a.check();
        measured("encryptions", size, [&] {
            key.encrypt(encrypted_a, a);
            encrypted_a.check();
        });
        measured("additions, line by line", size, [&] {
            key.add(sums, encrypted_a, encrypted_b);
            sums.check();
        });
        measured("additions, the sum of all lines", size,
                 [&] { encrypted_total = key.sum(encrypted_a); });
        measured("multiplications by -1000003", size, [&] {
            key.scale(scaled, encrypted_a, factor);
            scaled.check();
        });
        measured("decryptions", size, [&] {
            private_key.decrypt(back, encrypted_a);
            back.check();
        });
        report.check("decryption gives the numbers back", all(back == a));
        private_key.decrypt(back, encrypted_b);
        report.check("decryption of dj-short gives the numbers back", all(back == b));
        private_key.decrypt(back, sums);
        report.check("sums line by line", all(back == a + b));
        private_key.decrypt(back, scaled);
        report.check("multiples", all(back == a * factor));
        private_key.decrypt(back, typename Key::Cipher(1, encrypted_total));
        report.check("the sum of all lines", back.read(0) == sum(a));
        report.check("two encryptions of a number differ", [&] {
            key.encrypt(sums, a);
            return all(sums != encrypted_a);
        }());
        report.check("two encryptions of a number differ, dj-short", [&] {
            key.encrypt_short(sums, b);
            return all(sums != encrypted_b);
        }());
        report.check("ciphertexts of both schemes are those of single numbers",
                     matches_single_numbers(key, private_key.modulus(), base, a));
    });
    report.finish();
    return report.good();
}

} // namespace paillier
