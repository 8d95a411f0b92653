// SPDX-License-Identifier: Apache-2.0
// warpint_perf: measures the rows of the registry, prints them and writes them as JSON lines. See
// ../README.md. Google Benchmark decides how often a row runs.
#include <benchmark/benchmark.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <warpint/version.h>

#include "host_threads.h"
#include "json_line.h"
#include "operands.h"
#include "row.h"

namespace perf {

std::vector<Row> &registry() {
    static std::vector<Row> rows;
    return rows;
}

// The GPU's name; none where there is no GPU.
#if defined(WARPINT_PERF_HAS_GPU)
std::optional<std::string> gpu_name(); // operands_gpu.cpp
#else
static std::optional<std::string> gpu_name() {
    return std::nullopt;
}
#endif

namespace {

struct Options {
    std::string filter;
    std::string json;
    std::vector<std::string> with;
    std::string device; // empty: all
    std::size_t count = 0;
    bool quick = false;
    bool list = false;
    bool help = false;
    bool smallest = false;
    bool progress = false;
};

constexpr const char *usage = R"(usage: warpint_perf [options]

Measures warpint on this machine, beside its limits and beside other libraries.

  --quick           fewer rows, shorter: within a minute
  --filter REGEX    only rows whose name has a match; --list prints the names
  --device D        only rows of cpu or gpu
  --json FILE       one JSON line a figure, behind one that describes the run; FILE.part until the end
  --with FILE       also shows the lines of such a file that another program wrote (repeatable)
  --count N         so many elements at most in every row
  --smallest        each row twice, with 8 elements at most: a test, not a measurement
  --list            prints the rows' names and ends
  --progress        shows the progress bar where stderr is no terminal, too
)";

std::size_t positive(const std::string &option, const std::string &text) {
    std::size_t number = 0;
    const char *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number == 0)
        throw std::invalid_argument(option + " needs a whole number from 1 on, not " + text);
    return number;
}

Options parse(int argument_count, char **arguments) {
    Options options;
    for (int i = 1; i < argument_count; ++i) {
        const std::string argument = arguments[i];
        const auto value = [&]() -> std::string {
            if (i + 1 == argument_count)
                throw std::invalid_argument(argument + " needs a value");
            return arguments[++i];
        };
        if (argument == "--quick") {
            options.quick = true;
        } else if (argument == "--filter") {
            options.filter = value();
        } else if (argument == "--device") {
            options.device = value();
            if (options.device != "cpu" && options.device != "gpu")
                throw std::invalid_argument("--device is cpu or gpu");
        } else if (argument == "--json") {
            options.json = value();
        } else if (argument == "--with") {
            options.with.push_back(value());
        } else if (argument == "--count") {
            options.count = positive(argument, value());
        } else if (argument == "--smallest") {
            options.smallest = true;
        } else if (argument == "--list") {
            options.list = true;
        } else if (argument == "--progress") {
            options.progress = true;
        } else if (argument == "--help" || argument == "-h") {
            options.help = true;
        } else {
            throw std::invalid_argument("unknown option " + argument);
        }
    }
    return options;
}

bool is_utf8(const std::string &text) {
    std::size_t following = 0; // bytes of the current character
    for (const char c : text) {
        const unsigned byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) == 0x80) {
            if (following-- == 0)
                return false;
        } else {
            if (following != 0 || byte >= 0xf5 || byte == 0xc0 || byte == 0xc1)
                return false;
            following = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        }
    }
    return following == 0;
}

// A JSON text; bytes above 127 as '?' where they are no UTF-8.
std::string json_text(const std::string &text) {
    const bool readable = is_utf8(text);
    std::string result = "\"";
    for (const char c : text) {
        if (!readable && static_cast<unsigned char>(c) >= 0x80) {
            result += '?';
            continue;
        }
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            result += ' ';
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string number(double x, const char *format = "%.6g") {
    char text[40];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

// 3.41e6 as "3.41 M".
std::string short_number(double x) {
    static constexpr const char *prefixes[] = {"", " K", " M", " G", " T", " P"};
    int k = 0;
    while (x >= 999.5 && k < 5) {
        x /= 1000;
        ++k;
    }
    return number(x, x >= 99.95 ? "%.0f" : x >= 9.995 ? "%.1f" : "%.2f") + prefixes[k];
}

// What was measured of a row.
struct Figure {
    double seconds = 0; // of a call, the median
    double spread = 0;  // between the quartiles, as a share of the median
    std::size_t runs = 0;
    std::size_t sets = 0; // of operands
    double rate = 0;      // operations a second
    std::string plan;
    const char *limit = nullptr; // what limits it, if known
    double share = 0;            // of that limit
    Check check;
    std::string error;
};

// The ceilings of a device, as far as they have been measured.
using Ceilings = std::map<std::pair<Device, Ceiling>, double>;

// Memory that no cache of the device holds.
double beyond_caches(Device device) {
    if (device == Device::gpu)
        return 2e8;
    double cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
    cache = static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE));
#endif
    return std::max(6e7, 1.25 * cache);
}

// Measures one row at a time. The operands of a row live from its first call to its figure, in
// several sets that take turns.
class Runner {
public:
    explicit Runner(const Options &options) : options_(options) {}

    void run(const Row &row, benchmark::State &state) {
        try {
            if (row_ != &row)
                start(row);
            for (auto _ : state) {
                const double time = seconds(row.device, calls_, once_);
                times_.push_back(time / calls_);
                state.SetIterationTime(time);
            }
            while (!options_.smallest && times_.size() < 3) // long calls: a median of three
                times_.push_back(seconds(row.device, calls_, once_) / calls_);
        } catch (const std::exception &error) {
            error_ = error.what();
            state.SkipWithError(error.what());
        }
    }

    // The figure of the row that ran last; its operands are freed.
    Figure finish() {
        Figure figure;
        figure.error = error_;
        if (error_.empty()) {
            try {
                evaluate(figure);
            } catch (const std::exception &error) {
                figure.error = error.what();
            }
        }
        sets_.clear();
        return figure;
    }

    // Before the next row starts: a row that has ended is started anew.
    void forget() { row_ = nullptr; }

private:
    void start(const Row &row) {
        row_ = &row;
        error_.clear();
        times_.clear();
        sets_.clear();
        begin_operands(row.name());
        const std::size_t most = row.ceiling != Ceiling::none ? 1 : options_.smallest ? 2 : 8;
        const double beyond = beyond_caches(row.device);
        constexpr double patience = 0.5;
        double bytes = 0, time = 0;
        do {
            sets_.push_back(row.prepare(row.count));
            bytes += sets_.back().bytes;
            if (!options_.smallest) // loads the kernel, and warms up
                time += seconds(row.device, 1, sets_.back().once);
        } while (sets_.size() < most && bytes < beyond && time < patience);
        cached_ = bytes < beyond;
        set_ = 0;
        calls_ = 2;
        if (!options_.smallest)
            find_calls();
        set_ = 0;
        for (const Prepared &set : sets_) {
            if (set.spoil)
                set.spoil();
        }
    }

    // How many calls a clock measures well: 2 ms of them. Every set has run before.
    void find_calls() {
        constexpr double least = 2e-3;
        double time = 0;
        for (calls_ = 1; calls_ < 1'000'000; calls_ *= 4) {
            time = seconds(row_->device, calls_, once_);
            if (time >= least / 4)
                break;
        }
        calls_ = static_cast<int>(std::clamp(std::ceil(least * calls_ / time), 1.0, 1e6));
    }

    // What the timed calls left, in every set that they reached: some 16 elements in all, and at
    // least three of a set.
    [[nodiscard]] Check check() const {
        const std::size_t reached = std::min(set_, sets_.size());
        Check all;
        for (std::size_t i = 0; i < reached; ++i) {
            if (!sets_[i].check)
                return {};
            const Check one = sets_[i].check(std::max<std::size_t>(3, 16 / reached));
            if (i == 0 || one.verdict == Verdict::wrong)
                all.verdict = one.verdict;
            all.samples += one.samples;
        }
        return all;
    }

    void evaluate(Figure &figure) {
        std::sort(times_.begin(), times_.end());
        const std::size_t n = times_.size();
        figure.runs = n * static_cast<std::size_t>(calls_);
        const bool ceiling = row_->ceiling != Ceiling::none;
        figure.sets = sets_.size();
        figure.seconds = times_[ceiling ? 0 : n / 2]; // of a limit the best
        figure.spread = (times_[n * 3 / 4] - times_[n / 4]) / figure.seconds;
        figure.rate = static_cast<double>(row_->count) * row_->repeats / figure.seconds;
        if (ceiling) {
            ceilings_[{row_->device, row_->ceiling}] = figure.rate;
            return;
        }
        find_share(figure);
        figure.check = check();
        if (sets_[0].plan)
            figure.plan = sets_[0].plan();
    }

    [[nodiscard]] double ceiling(Ceiling kind) const {
        const auto found = ceilings_.find({row_->device, kind});
        return found == ceilings_.end() ? 0 : found->second;
    }

    // Seconds that a limit allows at least, and which: the slower of memory and multiply-adds, by
    // the faster ceiling of each. Of operands in a cache memory is no limit.
    void find_share(Figure &figure) const {
        const double memory = std::max(ceiling(Ceiling::copy), ceiling(Ceiling::sum));
        if (row_->multiply_adds == nullptr || memory == 0)
            return;
        const auto products = [&](Ceiling kind, int limb_bits) {
            const double rate = ceiling(kind);
            return rate == 0 ? HUGE_VAL
                             : static_cast<double>(row_->count) * row_->repeats *
                                   row_->multiply_adds(row_->bits, limb_bits) / rate;
        };
        const double multiplying =
            std::min(products(Ceiling::multiply_add, row_->device == Device::gpu ? 32 : 64),
                     products(Ceiling::multiply_add_52, 52));
        const double moving = cached_ ? 0 : sets_[0].bytes / memory;
        if (multiplying == HUGE_VAL || std::max(multiplying, moving) == 0)
            return;
        figure.limit = multiplying > moving ? "multiply-adds" : "memory";
        figure.share = std::max(multiplying, moving) / figure.seconds;
    }

    const Options &options_;
    const Row *row_ = nullptr;
    std::vector<Prepared> sets_;
    std::size_t set_ = 0; // calls since the results were spoiled
    bool cached_ = false; // all sets fit into a cache together
    const std::function<void()> once_ = [this] { sets_[set_++ % sets_.size()].once(); };
    std::vector<double> times_;
    int calls_ = 1;
    std::string error_;
    Ceilings ceilings_;

public:
    [[nodiscard]] const Row &row() const { return *row_; }
};

std::string line_of(const Row &row, const Figure &figure) {
    std::string line =
        "{\"name\":" + json_text(row.name()) + ",\"operation\":" + json_text(row.operation) +
        ",\"width\":" + std::to_string(row.bits) + ",\"count\":" + std::to_string(row.count) +
        ",\"kind\":" + json_text(row.kind) + ",\"layout\":" + json_text(row.layout) +
        ",\"device\":" + json_text(name(row.device)) + ",\"by\":" + json_text(row.by);
    if (!figure.error.empty())
        return line + ",\"check\":\"failed\",\"error\":" + json_text(figure.error) + "}";
    line += ",\"seconds\":" + number(figure.seconds) +
            ",\"spread\":" + number(figure.spread, "%.4f") +
            ",\"runs\":" + std::to_string(figure.runs) +
            ",\"sets\":" + std::to_string(figure.sets) + ",\"rate\":" + number(figure.rate);
    if (figure.limit != nullptr)
        line +=
            ",\"limit\":" + json_text(figure.limit) + ",\"share\":" + number(figure.share, "%.4f");
    if (!figure.plan.empty())
        line += ",\"plan\":" + json_text(figure.plan);
    if (row.ceiling == Ceiling::none) {
        line += ",\"check\":" + json_text(name(figure.check.verdict)) +
                ",\"samples\":" + std::to_string(figure.check.samples);
    }
    return line + "}";
}

// The file of --json. What is written is called NAME.part until the run has ended, so that a run
// that was stopped leaves no file that looks whole. What is no plain file is written directly.
class JsonFile {
public:
    explicit JsonFile(std::string path) : path_(std::move(path)) {
        if (path_.empty())
            return;
        const std::filesystem::file_status status = std::filesystem::status(path_);
        part_ = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)
                    ? path_
                    : path_ + ".part";
        file_ = std::fopen(part_.c_str(), "w");
        if (file_ == nullptr)
            fail();
    }
    JsonFile(const JsonFile &) = delete;
    JsonFile &operator=(const JsonFile &) = delete;
    ~JsonFile() {
        if (file_ != nullptr)
            std::fclose(file_);
    }

    void write(const std::string &line) {
        if (file_ == nullptr)
            return;
        std::fprintf(file_, "%s\n", line.c_str());
        if (std::fflush(file_) != 0 || std::ferror(file_) != 0)
            fail();
    }

    void finish() {
        if (file_ == nullptr)
            return;
        const int closed = std::fclose(file_);
        file_ = nullptr;
        if (closed != 0 || (part_ != path_ && std::rename(part_.c_str(), path_.c_str()) != 0))
            fail();
    }

private:
    [[noreturn]] void fail() const { throw std::runtime_error("cannot write " + path_); }

    std::string path_, part_;
    std::FILE *file_ = nullptr;
};

// Prints figures as they come, and how far the run is.
class Report : public benchmark::BenchmarkReporter {
public:
    Report(Runner &runner, const std::vector<Row> &rows, const Options &options, JsonFile &json)
        : runner_(runner), rows_(rows), json_(json),
          bar_(options.progress || isatty(STDERR_FILENO) == 1) {}

    bool ReportContext(const Context &) override { return true; }

    void ReportRuns(const std::vector<Run> &) override {
        const Row &row = runner_.row();
        const Figure figure = runner_.finish();
        runner_.forget();
        ++done_;
        if (bar_)
            std::fputs("\r\033[K", stderr);
        print(row, figure);
        json_.write(line_of(row, figure));
        if (row.ceiling == Ceiling::none || !figure.error.empty())
            ++found_[figure.error.empty() ? name(figure.check.verdict) : "failed"];
        draw_bar();
    }

    void Finalize() override {
        if (bar_)
            std::fputs("\r\033[K", stderr);
    }

    // How many rows had which verdict, and the exit status: 1 if some are wrong or failed.
    int summary() {
        std::printf("\n");
        for (const char *const verdict : {"right", "reference", "unchecked", "wrong", "failed"})
            std::printf("%zu %s%s", found_[verdict], verdict, verdict[0] == 'f' ? "\n" : ", ");
        return found_["wrong"] + found_["failed"] != 0 ? 1 : 0;
    }

private:
    void print(const Row &row, const Figure &figure) {
        const std::string group = std::string(name(row.device)) + ": " + row.operation;
        if (group != group_) {
            std::printf("\n%s\n", group.c_str());
            group_ = group;
        }
        std::printf("  %6d bits %9zu  %-10s %-10s %-23s", row.bits, row.count, row.kind.c_str(),
                    row.layout.c_str(), row.by.c_str());
        if (!figure.error.empty()) {
            std::printf(" FAILED: %s\n", figure.error.c_str());
            return;
        }
        std::printf(" %9s/s  +-%4.1f%%", short_number(figure.rate).c_str(), 50 * figure.spread);
        if (row.ceiling == Ceiling::none) {
            if (figure.limit != nullptr) {
                std::printf("  %5.1f%% of %-13s", 100 * figure.share, figure.limit);
            } else {
                std::printf("  %23s", "");
            }
            std::printf("  %s", figure.check.verdict == Verdict::wrong
                                    ? "WRONG"
                                    : name(figure.check.verdict));
        }
        std::printf("\n");
        std::fflush(stdout);
    }

    void draw_bar() const {
        if (!bar_ || done_ == rows_.size())
            return;
        constexpr std::size_t width = 40;
        const std::size_t filled = width * done_ / rows_.size();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
        const double left =
            spent.count() * static_cast<double>(rows_.size() - done_) / static_cast<double>(done_);
        std::fprintf(stderr, "[%s%s] %zu of %zu rows, about %.0f s left",
                     std::string(filled, '=').c_str(), std::string(width - filled, ' ').c_str(),
                     done_, rows_.size(), left);
        std::fflush(stderr);
    }

    Runner &runner_;
    const std::vector<Row> &rows_;
    JsonFile &json_;
    bool bar_;
    std::size_t done_ = 0;
    std::map<std::string, std::size_t> found_; // by verdict
    std::string group_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.rfind("model name", 0) == 0)
            return line.substr(line.find(':') + 2);
    }
    return "CPU";
}

std::string description(int argument_count, char **arguments, const Options &options) {
    std::string command;
    for (int i = 0; i < argument_count; ++i)
        command += (i == 0 ? "" : " ") + std::string(arguments[i]);
    const std::time_t now = std::time(nullptr);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    std::string line =
        "{\"run\":{\"date\":" + json_text(date) + ",\"commit\":" + json_text(WARPINT_PERF_COMMIT) +
        ",\"version\":" + json_text(WARPINT_VERSION_STRING) + ",\"command\":" + json_text(command) +
        ",\"cpu\":" + json_text(cpu_name()) + ",\"cores\":" + std::to_string(hardware_threads());
    if (const auto gpu = gpu_name())
        line += ",\"gpu\":" + json_text(*gpu);
    return line + ",\"quick\":" + (options.quick ? "true" : "false") + "}}";
}

// Rows to run: the ceilings first, then by device, operation as first registered, width, count.
std::vector<Row> chosen(const Options &options) {
    const bool gpu = gpu_name().has_value();
    const std::regex filter(options.filter);
    std::map<std::string, std::size_t> order;
    std::set<std::string> names; // --count makes some rows the same
    std::vector<Row> rows;
    for (Row row : registry()) {
        order.emplace(row.operation, order.size());
        if (row.device == Device::gpu && !gpu)
            continue;
        if (!options.device.empty() && options.device != name(row.device))
            continue;
        const std::size_t most = options.smallest ? 8 : options.count;
        if (most != 0 && row.ceiling == Ceiling::none)
            row.count =
                std::max(std::min(row.count, most) / row.granule, std::size_t{1}) * row.granule;
        const bool ceiling =
            row.ceiling != Ceiling::none && !options.list; // every share needs them
        if (!ceiling && !std::regex_search(row.name(), filter))
            continue;
        if (options.quick && !row.quick)
            continue;
        if (names.insert(row.name()).second)
            rows.push_back(std::move(row));
    }
    const auto key = [&](const Row &row) {
        return std::tuple(row.ceiling == Ceiling::none, row.device != Device::gpu,
                          order.at(row.operation), row.bits, row.kind, row.layout,
                          row.by != "warpint", row.by, row.count);
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row &a, const Row &b) { return key(a) < key(b); });
    return rows;
}

// Lines of another program. All are read before anything is measured.
struct OtherLine {
    std::string text;
    std::string operation, width, by;
    double rate;
};

std::vector<OtherLine> read_lines(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::vector<OtherLine> lines;
    std::size_t line_number = 0;
    for (std::string text; std::getline(file, text);) {
        ++line_number;
        if (text.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        try {
            const JsonLine line(text);
            if (line.describes_run)
                continue;
            const auto field = [](const auto &fields, const char *key) {
                const auto found = fields.find(key);
                if (found == fields.end())
                    throw std::invalid_argument(std::string("no ") + key + " of the right type");
                return found->second;
            };
            const double width = field(line.numbers, "width"), rate = field(line.numbers, "rate");
            if (!(rate > 0) || std::isinf(rate) || width < 0 || width != std::floor(width))
                throw std::invalid_argument("a rate or width that is none");
            lines.push_back({text, field(line.texts, "operation"), number(width, "%.0f"),
                             field(line.texts, "by"), rate});
        } catch (const std::invalid_argument &error) {
            throw std::runtime_error(path + ":" + std::to_string(line_number) + ": " +
                                     error.what());
        }
    }
    if (file.bad())
        throw std::runtime_error("cannot read " + path);
    return lines;
}

// Google Benchmark reads variables of the environment (BENCHMARK_...); flags overrule them.
void set_flags() {
    std::string flags[] = {"warpint_perf",
                           "--benchmark_filter=.",
                           "--benchmark_list_tests=false",
                           "--benchmark_repetitions=1",
                           "--benchmark_enable_random_interleaving=false",
                           "--benchmark_report_aggregates_only=false",
                           "--benchmark_display_aggregates_only=false",
                           "--benchmark_min_warmup_time=0",
                           "--benchmark_dry_run=false",
                           "--benchmark_perf_counters=",
                           "--benchmark_out="};
    std::vector<char *> arguments;
    for (std::string &flag : flags)
        arguments.push_back(flag.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
}

int run(int argument_count, char **arguments) {
    const Options options = parse(argument_count, arguments);
    if (options.help) {
        std::fputs(usage, stdout);
        return 0;
    }
    const std::vector<Row> rows = chosen(options);
    if (options.list) {
        for (const Row &row : rows)
            std::printf("%s\n", row.name().c_str());
        return 0;
    }
    std::vector<std::vector<OtherLine>> others;
    for (const std::string &path : options.with)
        others.push_back(read_lines(path));
    if (others.empty() && std::all_of(rows.begin(), rows.end(),
                                      [](const Row &row) { return row.ceiling != Ceiling::none; }))
        throw std::runtime_error("no row to measure: --list prints their names");
    JsonFile json(options.json);
    json.write(description(argument_count, arguments, options));
    std::printf("%s, %u threads; %s; warpint %s, commit %s; %zu rows\n", cpu_name().c_str(),
                hardware_threads(), gpu_name().value_or("no GPU").c_str(), WARPINT_VERSION_STRING,
                WARPINT_PERF_COMMIT, rows.size());

    set_flags();
    Runner runner(options);
    const double min_seconds = options.quick ? 0.05 : 0.15; // of a row
    for (const Row &row : rows) {
        auto *benchmark = benchmark::RegisterBenchmark(
            row.name().c_str(),
            [&runner, &row](benchmark::State &state) { runner.run(row, state); });
        benchmark->UseManualTime();
        if (options.smallest) {
            benchmark->Iterations(1);
        } else { // a limit for longer: the best of many
            benchmark->MinTime(row.ceiling != Ceiling::none ? 4 * min_seconds : min_seconds);
        }
    }
    Report report(runner, rows, options, json);
    benchmark::RunSpecifiedBenchmarks(&report);
    for (std::size_t i = 0; i < others.size(); ++i) {
        std::printf("\n%s\n", options.with[i].c_str());
        for (const OtherLine &line : others[i]) {
            std::printf("  %6s bits  %-24s %-23s %9s/s\n", line.width.c_str(),
                        line.operation.c_str(), line.by.c_str(), short_number(line.rate).c_str());
            json.write(line.text);
        }
    }
    json.finish();
    return report.summary();
}

} // namespace
} // namespace perf

int main(int argument_count, char **arguments) {
    try {
        const int status = perf::run(argument_count, arguments);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw std::runtime_error("cannot write the table");
        return status;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "warpint_perf: %s\n", error.what());
        return 2;
    }
}
