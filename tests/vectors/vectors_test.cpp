// SPDX-License-Identifier: Apache-2.0
// Public test vectors (JSON lines of flat objects; numbers are hexadecimal). Their folder is named
// by the environment variable WARPINT_TEST_VECTORS; without it this test is skipped (exit code 77).
//
// Every record is run at the smallest width of a ladder that holds it, or counted with the reason
// why it is not. A record whose operation is unknown here is an error.

#include "operations.h"
#include "records.h"
#include "widths.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace vectors_test;

namespace {

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
    std::size_t min_records;
};

constexpr VectorFile vector_files[] = {
    {"boringssl.jsonl", nullptr, 2827},     {"botan.jsonl", nullptr, 2569},
    {"nist-rsa.jsonl", nullptr, 510},       {"intx-div.jsonl", nullptr, 44},
    {"known_bugs.json", nullptr, 71},       {"wycheproof-primality.jsonl", "primality", 317},
    {"rsa_numbers.json", "rsa_number", 8},  {"dh_groups.json", "dh_group", 13},
    {"certicom_eccp.json", "ecc_group", 5},
};

std::string text_of_file(const std::string &path) {
    std::ifstream stream(path);
    REQUIRE(stream.good());
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

/// Runs all records of a file; prints how many of each operation passed or were not run.
void run_file(const std::string &folder, const VectorFile &file) {
    INFO("file ", std::string(file.name));
    const std::vector<Record> records = read_records(text_of_file(folder + "/" + file.name));
    CHECK(records.size() >= file.min_records);

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

/// Pseudoprimes, Carmichael and Mersenne numbers: lists of numbers instead of records.
void run_pseudoprimes(const std::string &folder) {
    INFO("file pseudoprimes.json");
    const std::string json = text_of_file(folder + "/pseudoprimes.json");
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
