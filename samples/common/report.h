// SPDX-License-Identifier: Apache-2.0
// What the commands that measure print: lines of one form in every sample, or, by --json, one JSON
// object and nothing else.
//
//   device   CPU, 2 threads
//   rate     ffdhe2048: key pairs                 4321 /s, OpenSSL      1234 /s: 3.5 times
//   ok       both sides have the same secrets
//
//   {"command": "dh demo", "version": "0.1.0", "device": "CPU, 2 threads",
//    "rates": [{"what": "ffdhe2048: key pairs", "per_second": 4321.5,
//               "peer": "OpenSSL", "peer_per_second": 1234.25}],
//    "checks": [{"what": "both sides have the same secrets", "ok": true}], "ok": true}
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "command_line.h"

namespace sample {

class Report {
public:
    // command: with the program's name: "dh demo". Lines are printed as they come, each behind
    // `prefix`; the object, as a whole, by finish().
    Report(const std::string &command, const CommonOptions &options,
           const std::string &prefix = {});

    // A line with a name, of up to 8 letters, and a member of the object. Names differ from each
    // other and from those in the example above. A whole number is one in JSON too.
    void fact(const std::string &name, const std::string &value);
    template <class Number>
        requires std::is_integral_v<Number>
    void fact(const std::string &name, Number value) {
        whole(name, static_cast<std::uint64_t>(value));
    }

    // How many in a second, and how many another program does.
    void rate(const std::string &what, double per_second);
    void rate(const std::string &what, double per_second, const std::string &peer,
              double peer_per_second);

    // Whether something is right, as it should be. Returns it.
    bool check(const std::string &what, bool holds);

    // A line for people alone, and a member for scripts alone.
    void text(const std::string &line) const;
    void member(const std::string &name, const std::string &value);

    // Whether all checks held.
    bool good() const { return all_hold; }

    // Prints the object. Without it --json prints nothing, as is right where the command failed.
    void finish() const;

private:
    void whole(const std::string &name, std::uint64_t value);
    void line(const std::string &word, const std::string &rest) const;
    void add_member(const std::string &name, const std::string &json_value);

    bool as_json;
    std::string before; // each line
    bool all_hold = true;
    std::string members, rates, checks; // of the object, and of its two arrays
};

// Throws UsageError where --json and the results of `out` would share standard output.
void require_other_than_report(const CommonOptions &options, const std::string &out);

} // namespace sample
