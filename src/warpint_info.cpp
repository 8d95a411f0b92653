// SPDX-License-Identifier: Apache-2.0
// warpint-info: prints what a bug report should quote: the version, the compilers, the device, and
// how typical formulas would run on it.
//
// This folder, src, holds the compiled parts of warpint and the documentation's sources; the
// library itself is headers only.
#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/vector.h>
#include <warpint/version.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

using namespace warpint;

namespace {

constexpr const char *usage =
    "usage: warpint-info [--json | --version | --help]\n"
    "\n"
    "Prints what a bug report about warpint should quote: the version, the compiler,\n"
    "the device, and how typical formulas would run on it.\n"
    "\n"
    "  --json     the same as one JSON object\n"
    "  --version  the version only\n"
    "  --help     this text\n"
    "\n"
    "Exit status: 0, 1 if the device cannot be queried, 2 for wrong arguments.\n";

// One fact: its name as people read it, its name as programs do, its value.
struct Fact {
    std::string name;
    std::string key;
    std::string value;
    bool is_number = false;
};

std::vector<Fact> facts_of_build() {
    std::vector<Fact> facts{{"warpint", "version", WARPINT_VERSION_STRING}};
#if defined(__clang__)
    facts.push_back(
        {"compiler", "compiler",
         "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__)});
#elif defined(__GNUC__)
    facts.push_back({"compiler", "compiler",
                     "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__)});
#endif
#if WARPINT_CUDA
    facts.push_back(
        {"built with CUDA", "cuda_toolkit",
         std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10)});
#else
    facts.push_back({"built with CUDA", "cuda_toolkit", "no"});
#endif
    return facts;
}

std::vector<Fact> facts_of_device() {
    const DeviceInfo info = device_info();
    std::vector<Fact> facts{{"device", "device", info.name}};
    if (info.gpu) {
        facts.push_back({"compute capability", "compute_capability",
                         std::to_string(info.compute_capability / 10) + "." +
                             std::to_string(info.compute_capability % 10)});
        facts.push_back(
            {"multiprocessors", "multiprocessors", std::to_string(info.multiprocessors), true});
        facts.push_back(
            {"memory, MiB", "memory_mib", std::to_string(info.memory_bytes >> 20), true});
    }
    facts.push_back({"CPU threads", "cpu_threads", std::to_string(info.cpu_threads), true});
    return facts;
}

// How these run is decided by their types and the device; one element is enough.
std::vector<Fact> facts_of_formulas() {
    const device_vector<BigInt<256>> a(1), b(1), e(1), m(1);
    return {{"a + b", "a + b", explain(a + b).to_string()},
            {"a * b % m", "a * b % m", explain(a * b % m).to_string()},
            {"pow(a, e, m)", "pow(a, e, m)", explain(pow(a, e, m)).to_string()}};
}

void print(const std::vector<Fact> &facts) {
    for (const Fact &fact : facts)
        std::printf("%-18s  %s\n", fact.name.c_str(), fact.value.c_str());
}

// A string of JSON.
std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            result += escape;
        } else {
            result += c;
        }
    }
    return result + '"';
}

// Members of a JSON object, without its braces.
std::string members(const std::vector<Fact> &facts, const char *indent) {
    std::string text;
    for (const Fact &fact : facts) {
        text += text.empty() ? "" : ",\n";
        text += indent + json_string(fact.key) + ": " +
                (fact.is_number ? fact.value : json_string(fact.value));
    }
    return text;
}

} // namespace

int main(int count, char **arguments) {
    const std::string_view option = count == 2 ? arguments[1] : "";
    if (count > 2 ||
        (count == 2 && option != "--json" && option != "--version" && option != "--help")) {
        std::fputs(usage, stderr);
        return 2;
    }
    if (option == "--help") {
        std::fputs(usage, stdout);
        return 0;
    }
    if (option == "--version") {
        std::puts(WARPINT_VERSION_STRING);
        return 0;
    }

    try {
        const auto build = facts_of_build();
        const auto device = facts_of_device();
        const auto formulas = facts_of_formulas();
        if (option == "--json") {
            std::printf("{\n%s,\n%s,\n  \"formulas\": {\n%s\n  }\n}\n",
                        members(build, "  ").c_str(), members(device, "  ").c_str(),
                        members(formulas, "    ").c_str());
        } else {
            print(build);
            print(device);
            std::puts("\nFormulas over vectors of BigInt<256>, bytes per element:");
            print(formulas);
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "warpint-info: %s\n", error.what());
        return 1;
    }
}
