// Public test vectors (JSON lines of flat objects; numbers are hexadecimal). Their folder is named
// by the environment variable WARPINT_TEST_VECTORS; without it this test is skipped (exit code 77).
//
// Every record is run at the smallest width of a ladder that holds it, or counted with the reason
// why it is not. A record whose operation is unknown here is an error.

#include "support/oracle.h"

#include <warpint/warpint.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using test::from_integer;
using test::Integer;
using test::to_integer;
using warpint::BigInt;
using warpint::SignedBigInt;

// ---- reading ---------------------------------------------------------------------------------

/// One flat JSON object; numbers, true and false are kept as text.
struct Record {
    std::map<std::string, std::string> fields;

    bool has(const std::string &key) const { return fields.count(key) != 0; }
    const std::string &text(const std::string &key) const {
        const auto field = fields.find(key);
        if (field == fields.end()) {
            throw std::runtime_error("record without field " + key);
        }
        return field->second;
    }
    Integer number(const std::string &key, int base = 16) const { return Integer(text(key), base); }
};

/// Reads every flat object of `json`; objects that contain other objects or lists are passed over
/// (what is inside them is read).
class Reader {
public:
    explicit Reader(std::string json) : json_(std::move(json)) {}

    std::vector<Record> records() {
        std::vector<Record> result;
        while ((position_ = json_.find('{', position_)) != std::string::npos) {
            ++position_;
            Record record;
            if (flat_object(record)) {
                result.push_back(std::move(record));
            }
        }
        return result;
    }

private:
    char next() {
        position_ = json_.find_first_not_of(" \t\r\n", position_);
        if (position_ == std::string::npos) {
            throw std::runtime_error("JSON ends inside an object");
        }
        return json_[position_];
    }
    bool take(char c) { return next() == c ? (++position_, true) : false; }
    std::string string() {
        std::string text;
        for (; json_.at(position_) != '"'; ++position_) {
            if (json_[position_] == '\\') {
                text += json_[position_++];
            }
            text += json_.at(position_);
        }
        ++position_;
        return text;
    }
    bool flat_object(Record &record) {
        if (take('}')) {
            return true;
        }
        do {
            if (!take('"')) {
                return false;
            }
            const std::string key = string();
            if (!take(':')) {
                return false;
            }
            if (take('"')) {
                record.fields[key] = string();
            } else if (next() == '{' || next() == '[') {
                return false;
            } else {
                const std::size_t end = json_.find_first_of(",} \t\r\n", position_);
                record.fields[key] = json_.substr(position_, end - position_);
                position_ = end;
            }
        } while (take(','));
        return take('}');
    }

    std::string json_;
    std::size_t position_ = 0;
};

// ---- outcomes --------------------------------------------------------------------------------

/// A record that is not run, with the reason.
struct NotRun {
    std::string reason;
};

void expect(bool condition, const char *what) {
    if (!condition) {
        throw std::runtime_error(what);
    }
}
void expect_equal(const Integer &got, const Integer &expected, const char *what) {
    if (got != expected) {
        std::ostringstream text;
        text << what << ": got " << got << ", expected " << expected;
        throw std::runtime_error(text.str());
    }
}

// ---- widths ----------------------------------------------------------------------------------

template <typename Function, int First, int... Others>
void at_width_of(int needed, Function f, std::integer_sequence<int, First, Others...>) {
    if (needed <= First) {
        f.template operator()<First>();
    } else if constexpr (sizeof...(Others) > 0) {
        at_width_of(needed, f, std::integer_sequence<int, Others...>());
    } else {
        throw NotRun{"wider than 8192 bits"};
    }
}

using Ladder = std::integer_sequence<int, 128, 256, 512, 1024, 2048, 4096, 8192>;

/// Fewer steps, for functions that take long to compile.
using ShortLadder = std::integer_sequence<int, 256, 1024, 2304, 8192>;

/// Calls f.operator()<BigInt<W>>(), or f.operator()<SignedBigInt<W>>() if a value is negative, with
/// the smallest W that holds all values.
template <typename Function>
void at_width(std::initializer_list<Integer> values, Function f) {
    int bits = 1;
    bool negative = false;
    for (const Integer &value : values) {
        bits = std::max(bits, value.bit_width());
        negative |= value.sign() < 0;
    }
    if (negative) {
        at_width_of(
            bits + 1, [&]<int W>() { f.template operator()<SignedBigInt<W>>(); }, Ladder());
    } else {
        at_width_of(
            bits, [&]<int W>() { f.template operator()<BigInt<W>>(); }, Ladder());
    }
}

/// The same for values that are never negative: half the instances to compile.
template <typename Function>
void at_unsigned_width(std::initializer_list<Integer> values, Function f) {
    int bits = 1;
    for (const Integer &value : values) {
        expect(value.sign() >= 0, "a value that is not negative");
        bits = std::max(bits, value.bit_width());
    }
    at_width_of(
        bits, [&]<int W>() { f.template operator()<BigInt<W>>(); }, ShortLadder());
}

// ---- operations ------------------------------------------------------------------------------

void run_add(const Integer &a, const Integer &b, const Integer &r) {
    at_width({a, b, r}, [&]<typename T>() {
        expect_equal(to_integer(from_integer<T>(a) + from_integer<T>(b)), r, "a + b");
        expect_equal(to_integer(from_integer<T>(r) - from_integer<T>(b)), a, "r - b");
    });
}

void run_multiply(const Integer &a, const Integer &b, const Integer &r) {
    at_width({a, b}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect_equal(to_integer(x * y), r, "a * b");
        if (a == b) {
            expect_equal(to_integer(sqr(x)), r, "sqr(a)");
        }
        T low = x;
        low *= y;
        expect_equal(to_integer(low), test::stored<T>(r), "a *= b");
    });
}

/// Quotient toward zero.
void run_divide(const Integer &a, const Integer &b, const Integer &q, const Integer &r) {
    if (b.is_zero()) {
        throw NotRun{"divisor 0"};
    }
    at_width({a, b, q}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect_equal(to_integer(x / y), q, "a / b");
        expect_equal(to_integer(x % y), r, "a % b");
        const auto both = divmod(x, y);
        expect_equal(to_integer(both.quotient), q, "quotient");
        expect_equal(to_integer(both.remainder), r, "remainder");
    });
}

/// Quotient such that the remainder is not negative.
void run_divide_euclid(const Integer &a, const Integer &b, const Integer &q) {
    const Integer divisor = abs(b);
    at_width({a, -divisor, q}, [&]<typename T>() {
        const auto both = divmod(from_integer<T>(a), from_integer<BigInt<T::bits>>(divisor));
        const Integer quotient = to_integer(both.quotient);
        expect_equal(b.sign() < 0 ? -quotient : quotient, q, "quotient");
        expect_equal(to_integer(both.remainder), a - q * b, "remainder");
    });
}

void run_modulo(const Integer &a, const Integer &m, const Integer &r) {
    at_width({a, m}, [&]<typename T>() {
        const auto modulus = from_integer<BigInt<T::bits>>(m);
        expect_equal(to_integer(from_integer<T>(a) % modulus), r, "a % m");
    });
}

void run_modular_product(const Integer &a, const Integer &b, const Integer &m, const Integer &r) {
    at_width({a, b, m}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        const auto modulus = from_integer<BigInt<T::bits>>(m);
        expect_equal(to_integer(mulmod(x, y, modulus)), r, "mulmod(a, b, m)");
        expect_equal(to_integer(x * y % modulus), r, "a * b % m");
        if (a == b) {
            expect_equal(to_integer(sqrmod(x, modulus)), r, "sqrmod(a, m)");
        }
    });
}

void run_power_modulo(const Integer &a, const Integer &e, const Integer &m, const Integer &r) {
    at_width({a, e, m}, [&]<typename T>() {
        using Unsigned = BigInt<T::bits>;
        expect_equal(to_integer(pow(from_integer<T>(a), from_integer<Unsigned>(e),
                                    from_integer<Unsigned>(m))),
                     r, "pow(a, e, m)");
    });
}

void run_power(const Integer &a, const Integer &e, const Integer &r) {
    at_width({a, e, r}, [&]<typename T>() {
        expect_equal(to_integer(pow(from_integer<T>(a), from_integer<BigInt<64>>(e))), r,
                     "pow(a, e)");
    });
}

int shift_count(const Integer &n) {
    return static_cast<int>(n.to_long());
}

void run_shift_left(const Integer &a, const Integer &n, const Integer &r) {
    at_width({a, r}, [&]<typename T>() {
        expect_equal(to_integer(from_integer<T>(a) << shift_count(n)), r, "a << n");
    });
}

/// The magnitude is shifted and the sign kept, unlike >> of negative numbers.
void run_shift_right_truncating(const Integer &a, const Integer &n, const Integer &r) {
    at_width({a}, [&]<typename T>() {
        const T x = from_integer<T>(a);
        const int count = shift_count(n);
        expect_equal(to_integer(a.sign() < 0 ? -(-x >> count) : x >> count), r, "a >> n");
    });
}

void run_compare(const Integer &a, const Integer &b, const std::string &what, bool r) {
    at_width({a, b}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect((what == "cmp_EQ" ? x == y : what == "cmp_LT" ? x < y : x <= y) == r, "comparison");
    });
}

/// s = em^d and em = s^e modulo n.
void run_rsa(const Record &record, const char *plain, const char *transformed) {
    const Integer n = record.number("n");
    run_power_modulo(record.number(plain), record.number("d"), n, record.number(transformed));
    run_power_modulo(record.number(transformed), record.number("e"), n, record.number(plain));
    if (record.has("p") && record.has("q")) {
        run_multiply(record.number("p"), record.number("q"), n);
    }
}

/// The value is not below n - 1: that is why the source refuses it. An unreduced base is no error
/// here.
void run_out_of_range(const Integer &value, const Integer &n) {
    at_width({value, n}, [&]<typename T>() {
        expect(from_integer<T>(value) >= from_integer<T>(n) - 1, "value out of range");
    });
}

void run_from_radix(const Record &record, int base) {
    const std::string &input = record.text("input");
    if (input.empty()) {
        throw NotRun{"the empty text is an error here"};
    }
    const std::string &output = record.text("output");
    const Integer expected = output.empty() ? Integer(0) : Integer(output, 16);
    at_width({expected}, [&]<typename T>() {
        expect_equal(to_integer(T::parse(input, base)), expected, "parse");
    });
}

void run_from_radix_invalid(const Record &record) {
    const int base = std::atoi(record.text("radix").c_str());
    if (base != 10 && base != 16) {
        throw NotRun{"the source does not know this base; it is one here"};
    }
    bool refused = false;
    try {
        static_cast<void>(BigInt<128>::parse(record.text("input"), base));
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    expect(refused, "parse accepts invalid text");
}

void run_gcd(const Integer &a, const Integer &b, const Integer &r) {
    at_width({a, b}, [&]<typename T>() {
        const T x = from_integer<T>(a), y = from_integer<T>(b);
        expect_equal(to_integer(gcd(x, y)), r, "gcd(a, b)");
        const auto both = gcd_ext(x, y);
        expect_equal(to_integer(both.x) * a + to_integer(both.y) * b, r, "a x + b y");
    });
}

/// r = 0 stands for "no inverse", except modulo 1.
void run_inverse(const Integer &a, const Integer &m, const Integer &r) {
    at_width({a, m}, [&]<typename T>() {
        const auto x = inverse(from_integer<T>(a), from_integer<BigInt<T::bits>>(m));
        expect(static_cast<bool>(x) == (!r.is_zero() || m == 1), "an inverse exists");
        expect_equal(x ? to_integer(*x) : Integer(0), r, "inverse(a, m)");
    });
}

void run_jacobi(const Integer &a, const Integer &n, const Integer &r) {
    at_unsigned_width({a, n}, [&]<typename T>() {
        expect_equal(Integer(jacobi(from_integer<T>(a), from_integer<BigInt<T::bits>>(n))), r,
                     "jacobi(a, n)");
    });
}

/// The source's root r, or p - r. A source that refuses a composite p may meet a root here.
void run_root_modulo(const Integer &a, const Integer &p, const Integer *r) {
    const auto check = [&]<typename T>() {
        using Unsigned = BigInt<T::bits>;
        const auto x = sqrt_mod(from_integer<T>(a), from_integer<Unsigned>(p));
        if (x) {
            const Integer root = to_integer(*x);
            expect_equal(modulo(root * root - a, p), Integer(0), "root^2 - a mod p");
        }
        if (r != nullptr) {
            expect(static_cast<bool>(x), "a root exists");
            expect(to_integer(*x) == *r || to_integer(*x) == p - *r, "it is r or p - r");
        } else if (mpz_probab_prime_p(p.raw(), 30) != 0) {
            expect(!x, "no root exists");
        }
    };
    if (a.sign() < 0) {
        expect(a.bit_width() < 2304 && p.bit_width() <= 2304, "a negative operand of this width");
        check.template operator()<SignedBigInt<2304>>();
    } else {
        at_unsigned_width({a, p}, check);
    }
}

void run_is_square(const Integer &a, bool square) {
    at_unsigned_width({a}, [&]<typename T>() {
        const auto both = sqrt_rem(from_integer<T>(a));
        expect((both.remainder == 0) == square, "remainder 0 exactly for squares");
    });
}

void run_primality(const Integer &n, bool prime) {
    if (n.sign() < 0) {
        expect(!is_probable_prime(from_integer<SignedBigInt<2048>>(n)), "negative numbers");
        return;
    }
    at_unsigned_width({n}, [&]<typename T>() {
        expect(is_probable_prime(from_integer<T>(n)) == prime, "is_probable_prime(n)");
        expect(is_probable_prime(from_integer<T>(n), 2) == prime, "is_probable_prime(n, 2)");
    });
}

/// One round of Miller and Rabin, written with pow: w odd, base b.
void run_witness(const Integer &w, const Integer &b, bool possibly_prime) {
    at_unsigned_width({w, b}, [&]<typename T>() {
        const auto n = from_integer<BigInt<T::bits>>(w);
        const warpint::Modulus<T::bits> modulus{n};
        const int zeros = countr_zero(n - 1);
        auto x = warpint::pow(from_integer<T>(b), (n - 1) >> zeros, modulus);
        bool passes = x == 1 || x == n - 1;
        for (int i = 1; i < zeros && !passes; ++i) {
            x = warpint::sqrmod(x, modulus);
            passes = x == n - 1;
        }
        expect(passes == possibly_prime, "Miller-Rabin round");
        if (!passes)
            expect(!is_probable_prime(n), "a witness against a probable prime");
    });
}

/// Runs records of one file; remembers what later records inherit from earlier ones.
class Runner {
public:
    void run(const std::string &op, const Record &record) {
        const auto x = [&](const char *key) { return record.number(key); };
        if (op == "add") {
            run_add(x("a"), x("b"), x("r"));
        } else if (op == "sub") {
            run_add(x("r"), x("b"), x("a"));
        } else if (op == "mul") {
            run_multiply(x("a"), x("b"), x("r"));
        } else if (op == "sqr") {
            run_multiply(x("a"), x("a"), x("r"));
        } else if (op == "divrem" || op == "divrem_trunc") {
            run_divide(x("a"), x("b"), x("q"), x("r"));
        } else if (op == "div_euclid") {
            run_divide_euclid(x("a"), x("b"), x("q"));
        } else if (op == "mod") {
            run_modulo(x("a"), x("b"), x("r"));
        } else if (op == "modmul" || op == "mul_mod") {
            run_modular_product(x("a"), x("b"), x("m"), x("r"));
        } else if (op == "modsqr") {
            run_modular_product(x("a"), x("a"), x("m"), x("r"));
        } else if (op == "modexp") {
            run_power_modulo(x("a"), x("e"), x("m"), x("r"));
        } else if (op == "exp") {
            run_power(x("a"), x("e"), x("r"));
        } else if (op == "shl") {
            run_shift_left(x("a"), x("n"), x("r"));
        } else if (op == "shr_trunc") {
            run_shift_right_truncating(x("a"), x("n"), x("r"));
        } else if (op.rfind("cmp_", 0) == 0) {
            run_compare(x("a"), x("b"), op, record.text("r") == "true");
        } else if (op == "rsadp") {
            run_rsa(record, "c", "k");
        } else if (op == "rsasp1" || op == "rsa_pkcs1_sign") {
            run_rsa(record, "em", "s");
        } else if (op == "rsa_verify_pass" || op == "rsa_verify_fail") {
            run_power_modulo(x("s"), x("e"), x("n"), x("recovered"));
        } else if (op == "rsadp_out_of_range") {
            run_out_of_range(x("c"), x("n"));
        } else if (op == "rsasp1_reject") {
            run_out_of_range(x("em"), x("n"));
        } else if (op == "from_radix_Valid") {
            if (!record.text("radix").empty()) {
                radix_ = std::atoi(record.text("radix").c_str());
            }
            run_from_radix(record, radix_);
        } else if (op == "from_radix_Invalid") {
            run_from_radix_invalid(record);
        } else if (op == "rsa_number") {
            if (record.text("p") == "null") {
                throw NotRun{"its factors are unknown"};
            }
            run_multiply(record.number("p", 10), record.number("q", 10), record.number("N", 10));
        } else if (op == "dh_group" || op == "ecc_group") { // Fermat: the modulus is a prime
            const Integer p = x("p");
            expect_equal(p.bit_width(), std::atoi(record.text("bits").c_str()), "bits");
            run_power_modulo(op == "dh_group" ? x("g") : Integer(2), p - 1, p, Integer(1));
        } else if (op == "gcd") {
            run_gcd(x("a"), x("b"), x("r"));
        } else if (op == "modinv") {
            run_inverse(x("a"), x("m"), x("r"));
        } else if (op == "jacobi") {
            run_jacobi(x("a"), x("n"), x("r"));
        } else if (op == "modsqrt") {
            const Integer root = x("r");
            run_root_modulo(x("a"), x("p"), &root);
        } else if (op == "modsqrt_fail") {
            run_root_modulo(x("a"), x("p"), nullptr);
        } else if (op == "is_square") {
            run_is_square(x("a"), !x("r").is_zero());
        } else if (op == "isprime") {
            run_primality(x("a"), record.text("r") == "true");
        } else if (op == "primality") { // "acceptable" are negatives of primes: not prime here
            run_primality(x("a"), record.text("op") == "valid");
        } else if (op == "mr_witness") {
            run_witness(x("w"), x("b"), record.text("result") == "PossiblyPrime");
        } else {
            throw std::runtime_error("unknown operation " + op);
        }
    }

private:
    int radix_ = 10;
};

struct VectorFile {
    const char *name;
    const char *op; // of all its records; nullptr: each record names its own
    std::size_t least_records;
};

constexpr VectorFile vector_files[] = {
    {"boringssl.jsonl", nullptr, 2827},     {"botan.jsonl", nullptr, 2569},
    {"nist-rsa.jsonl", nullptr, 510},       {"intx-div.jsonl", nullptr, 44},
    {"known_bugs.json", nullptr, 71},       {"wycheproof-primality.jsonl", "primality", 317},
    {"rsa_numbers.json", "rsa_number", 8},  {"dh_groups.json", "dh_group", 13},
    {"certicom_eccp.json", "ecc_group", 5},
};

void run_file(const std::string &folder, const VectorFile &file) {
    std::ifstream stream(folder + "/" + file.name);
    INFO("file ", std::string(file.name));
    REQUIRE(stream.good());
    std::ostringstream content;
    content << stream.rdbuf();
    const std::vector<Record> records = Reader(content.str()).records();
    CHECK(records.size() >= file.least_records);

    Runner runner;
    std::map<std::string, long> passed;
    std::map<std::pair<std::string, std::string>, long> not_run;
    for (const Record &record : records) {
        const std::string op = file.op != nullptr ? file.op : record.text("op");
        try {
            runner.run(op, record);
            ++passed[op];
        } catch (const NotRun &skipped) {
            ++not_run[{op, skipped.reason}];
        } catch (const std::exception &error) {
            std::string text;
            for (const auto &[key, value] : record.fields) {
                text += "\n  " + key + " = " + value;
            }
            FAIL_CHECK((op + ": " + error.what() + text));
        }
    }
    for (const auto &[op, count] : passed) {
        std::printf("%s: %s: %ld passed\n", file.name, op.c_str(), count);
    }
    for (const auto &[what, count] : not_run) {
        std::printf("%s: %s: %ld not run: %s\n", file.name, what.first.c_str(), count,
                    what.second.c_str());
    }
}

/// The text behind "key": up to the bracket or comma that ends its value.
std::string value_of(const std::string &json, const std::string &key) {
    const std::size_t found = json.find('"' + key + '"');
    if (found == std::string::npos)
        throw std::runtime_error("pseudoprimes.json without " + key);
    const std::size_t start = json.find_first_not_of(": \n", found + key.size() + 2);
    const char last = json[start] == '[' ? ']' : json[start] == '{' ? '}' : ',';
    return json.substr(start, json.find(last, start) - start);
}

/// The decimal numbers in a text, keys of objects (digits in quotes before a colon) left out.
std::vector<Integer> numbers_in(const std::string &text) {
    std::vector<Integer> numbers;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
        if (end == i) {
            ++i;
            continue;
        }
        const bool is_key = end + 1 < text.size() && text[end] == '"' && text[end + 1] == ':';
        if (!is_key)
            numbers.emplace_back(std::string_view(text).substr(i, end - i), 10);
        i = end;
    }
    return numbers;
}

void run_pseudoprimes(const std::string &folder) {
    std::ifstream stream(folder + "/pseudoprimes.json");
    REQUIRE(stream.good());
    std::ostringstream content;
    content << stream.rdbuf();
    const std::string json = content.str();
    long composites = 0, primes = 0;
    for (const char *key :
         {"strong_pseudoprime_min_psi_k", "carmichael_below_1e7", "strong_psp_base2_below_1e6",
          "strong_lucas_psp_below_2e5", "extra_strong_lucas_go", "arnault_397", "arnault_46",
          "go_337", "arnault_337"}) {
        for (const Integer &n : numbers_in(value_of(json, key))) {
            if (mpz_probab_prime_p(n.raw(), 30) != 0)
                continue; // a factor that the record gives as well
            CHECK_NOTHROW(run_primality(n, false));
            ++composites;
        }
    }
    for (const Integer &e : numbers_in(value_of(json, "mersenne_prime_exponents"))) {
        const int exponent = static_cast<int>(e.to_long());
        if (exponent > 2300)
            continue; // minutes
        CHECK_NOTHROW(run_primality(test::all_ones(exponent), true));
        ++primes;
    }
    for (const Integer &e : numbers_in(value_of(json, "mersenne_composite"))) {
        CHECK_NOTHROW(run_primality(test::all_ones(static_cast<int>(e.to_long())), false));
        ++composites;
    }
    CHECK(composites > 250);
    CHECK(primes >= 16);
    std::printf("pseudoprimes.json: %ld composites, %ld primes passed; Mersenne primes beyond 2300 "
                "bits not run: they take minutes\n",
                composites, primes);
}

} // namespace

TEST_CASE("public test vectors") {
    const char *folder = std::getenv("WARPINT_TEST_VECTORS");
    if (folder == nullptr || *folder == '\0') {
        std::puts("skipped: WARPINT_TEST_VECTORS does not name a folder of test vectors");
        std::fflush(stdout);
        std::exit(77);
    }
    for (const VectorFile &file : vector_files) {
        run_file(folder, file);
    }
    run_pseudoprimes(folder);
}
