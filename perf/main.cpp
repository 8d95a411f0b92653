// SPDX-License-Identifier: Apache-2.0
// warpint_perf: measures the rows of the registry, prints them and writes them as JSON lines. See
// ../README.md. Google Benchmark decides how often a row runs.
#include <benchmark/benchmark.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <warpint/version.h>

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
    bool smallest = false;
    bool progress = false;
};

constexpr const char *usage = R"(usage: warpint_perf [options]

Measures warpint on this machine, beside its limits and beside other libraries.

  --quick           fewer rows, shorter: within a minute
  --filter REGEX    only rows whose name has a match; --list prints the names
  --device D        only rows of cpu or gpu
  --json FILE       one JSON line a figure, behind one that describes the run
  --with FILE       also shows the lines of such a file that another program wrote (repeatable)
  --count N         so many elements at most in every row
  --smallest        each row once, with 8 elements at most: a test, not a measurement
  --list            prints the rows' names and ends
  --progress        shows the progress bar where stderr is no terminal, too
)";

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
            options.count = std::stoul(value());
        } else if (argument == "--smallest") {
            options.smallest = true;
        } else if (argument == "--list") {
            options.list = true;
        } else if (argument == "--progress") {
            options.progress = true;
        } else if (argument == "--help" || argument == "-h") {
            std::fputs(usage, stdout);
            std::exit(0);
        } else {
            throw std::invalid_argument("unknown option " + argument);
        }
    }
    return options;
}

std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (const char c : text) {
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
    double rate = 0; // operations a second
    std::string plan;
    const char *limit = nullptr; // what limits it, if known
    double share = 0;            // of that limit
    Check check;
    std::string error;
};

// The ceilings of a device, as far as they have been measured.
using Ceilings = std::map<std::pair<Device, Ceiling>, double>;

// Measures one row at a time. The operands of a row live from its first call to its figure.
class Runner {
public:
    explicit Runner(const Options &options) : options_(options) {}

    void run(const Row &row, benchmark::State &state) {
        try {
            if (row_ != &row)
                start(row);
            for (auto _ : state) {
                const double time = seconds(row.device, calls_, prepared_.once);
                times_.push_back(time / calls_);
                state.SetIterationTime(time);
            }
            while (!options_.smallest && times_.size() < 3) // long calls: a median of three
                times_.push_back(seconds(row.device, calls_, prepared_.once) / calls_);
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
        prepared_ = {};
        row_ = nullptr;
        return figure;
    }

private:
    void start(const Row &row) {
        row_ = &row;
        error_.clear();
        times_.clear();
        count_ = row.ceiling != Ceiling::none ? row.count : limited(row.count);
        prepared_ = {};
        prepared_ = row.prepare(count_);
        calls_ = 1;
        if (options_.smallest)
            return;
        (void)seconds(row.device, 1, prepared_.once); // loads the kernel
        constexpr double least = 2e-3;                // that a clock measures well
        const double time = seconds(row.device, 1, prepared_.once);
        calls_ = static_cast<int>(std::clamp(least / time, 1.0, 1000.0));
    }

    [[nodiscard]] std::size_t limited(std::size_t count) const {
        const std::size_t most = options_.smallest ? 8 : options_.count;
        return most == 0 ? count : std::min(count, most);
    }

    void evaluate(Figure &figure) {
        std::sort(times_.begin(), times_.end());
        const std::size_t n = times_.size();
        figure.runs = n * static_cast<std::size_t>(calls_);
        figure.seconds = times_[n / 2];
        figure.spread = (times_[n * 3 / 4] - times_[n / 4]) / figure.seconds;
        figure.rate = static_cast<double>(count_) * row_->repeats / figure.seconds;
        if (row_->ceiling != Ceiling::none) {
            ceilings_[{row_->device, row_->ceiling}] = figure.rate;
            return;
        }
        find_share(figure);
        if (prepared_.plan)
            figure.plan = prepared_.plan();
        if (prepared_.check)
            figure.check = prepared_.check();
    }

    [[nodiscard]] double ceiling(Ceiling kind) const {
        const auto found = ceilings_.find({row_->device, kind});
        return found == ceilings_.end() ? 0 : found->second;
    }

    // Seconds that a limit allows at least, and which: the slower of memory and multiply-adds, by
    // the faster of the machine's multipliers.
    void find_share(Figure &figure) const {
        const double copy = ceiling(Ceiling::copy);
        if (row_->multiply_adds == nullptr || copy == 0)
            return;
        const auto products = [&](Ceiling kind, int limb_bits) {
            const double rate = ceiling(kind);
            return rate == 0 ? HUGE_VAL
                             : static_cast<double>(count_) * row_->repeats *
                                   row_->multiply_adds(row_->bits, limb_bits) / rate;
        };
        const double multiplying =
            std::min(products(Ceiling::multiply_add, row_->device == Device::gpu ? 32 : 64),
                     products(Ceiling::multiply_add_52, 52));
        const double moving = prepared_.bytes / copy;
        if (multiplying == HUGE_VAL)
            return;
        figure.limit = multiplying > moving ? "multiply-adds" : "memory";
        figure.share = std::max(multiplying, moving) / figure.seconds;
    }

    const Options &options_;
    const Row *row_ = nullptr;
    Prepared prepared_;
    std::vector<double> times_;
    int calls_ = 1;
    std::size_t count_ = 0;
    std::string error_;
    Ceilings ceilings_;

public:
    [[nodiscard]] std::size_t count() const { return count_; }
};

std::string line_of(const Row &row, std::size_t count, const Figure &figure) {
    std::string line =
        "{\"name\":" + quoted(row.name()) + ",\"operation\":" + quoted(row.operation) +
        ",\"width\":" + std::to_string(row.bits) + ",\"count\":" + std::to_string(count) +
        ",\"kind\":" + quoted(row.kind) + ",\"layout\":" + quoted(row.layout) +
        ",\"device\":" + quoted(name(row.device)) + ",\"by\":" + quoted(row.by);
    if (!figure.error.empty())
        return line + ",\"check\":\"failed\",\"error\":" + quoted(figure.error) + "}";
    line += ",\"seconds\":" + number(figure.seconds) +
            ",\"spread\":" + number(figure.spread, "%.4f") +
            ",\"runs\":" + std::to_string(figure.runs) + ",\"rate\":" + number(figure.rate);
    if (figure.limit != nullptr)
        line += ",\"limit\":" + quoted(figure.limit) + ",\"share\":" + number(figure.share, "%.4f");
    if (!figure.plan.empty())
        line += ",\"plan\":" + quoted(figure.plan);
    if (row.ceiling == Ceiling::none) {
        line += ",\"check\":" + quoted(name(figure.check.verdict)) +
                ",\"samples\":" + std::to_string(figure.check.samples);
    }
    return line + "}";
}

// Prints figures as they come, and how far the run is.
class Report : public benchmark::BenchmarkReporter {
public:
    Report(Runner &runner, const std::vector<const Row *> &rows, const Options &options,
           std::FILE *json)
        : runner_(runner), rows_(rows), json_(json),
          bar_(options.progress || isatty(STDERR_FILENO) == 1) {}

    bool ReportContext(const Context &) override { return true; }

    void ReportRuns(const std::vector<Run> &) override {
        const Row &row = *rows_[done_++];
        const Figure figure = runner_.finish();
        if (bar_)
            std::fputs("\r\033[K", stderr);
        print(row, figure);
        if (json_ != nullptr) {
            std::fprintf(json_, "%s\n", line_of(row, runner_.count(), figure).c_str());
            std::fflush(json_);
        }
        failed_ = failed_ || !figure.error.empty() || figure.check.verdict == Verdict::wrong;
        draw_bar();
    }

    void Finalize() override {
        if (bar_)
            std::fputs("\r\033[K", stderr);
    }

    [[nodiscard]] bool failed() const { return failed_; }

private:
    void print(const Row &row, const Figure &figure) {
        const std::string group = std::string(name(row.device)) + ": " + row.operation;
        if (group != group_) {
            std::printf("\n%s\n", group.c_str());
            group_ = group;
        }
        std::printf("  %6d bits %9zu  %-10s %-10s %-23s", row.bits, runner_.count(),
                    row.kind.c_str(), row.layout.c_str(), row.by.c_str());
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
    const std::vector<const Row *> &rows_;
    std::FILE *json_;
    bool bar_;
    std::size_t done_ = 0;
    bool failed_ = false;
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
    std::string line = "{\"run\":{\"date\":" + quoted(date) +
                       ",\"commit\":" + quoted(WARPINT_PERF_COMMIT) +
                       ",\"version\":" + quoted(WARPINT_VERSION_STRING) +
                       ",\"command\":" + quoted(command) + ",\"cpu\":" + quoted(cpu_name()) +
                       ",\"cores\":" + std::to_string(std::thread::hardware_concurrency());
    if (const auto gpu = gpu_name())
        line += ",\"gpu\":" + quoted(*gpu);
    return line + ",\"quick\":" + (options.quick ? "true" : "false") + "}}";
}

// Rows to run: the ceilings first, then by device, operation as first registered, width, count.
std::vector<const Row *> chosen(const Options &options) {
    const bool gpu = gpu_name().has_value();
    const std::regex filter(options.filter);
    std::map<std::string, std::size_t> order;
    std::vector<const Row *> rows;
    for (const Row &row : registry()) {
        order.emplace(row.operation, order.size());
        if (row.device == Device::gpu && !gpu)
            continue;
        if (!options.device.empty() && options.device != name(row.device))
            continue;
        const bool ceiling =
            row.ceiling != Ceiling::none && !options.list; // every share needs them
        if (!ceiling && !std::regex_search(row.name(), filter))
            continue;
        if (options.quick && !row.quick)
            continue;
        rows.push_back(&row);
    }
    const auto key = [&](const Row *row) {
        return std::tuple(row->ceiling == Ceiling::none, row->device != Device::gpu,
                          order.at(row->operation), row->bits, row->kind, row->layout,
                          row->by != "warpint", row->by, row->count);
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row *a, const Row *b) { return key(a) < key(b); });
    return rows;
}

// Lines of another program, to the file and in short to the table.
void add_lines(const std::string &path, std::FILE *json) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::printf("\n%s\n", path.c_str());
    const auto field = [](const std::string &line, const char *key) -> std::string {
        const std::regex pattern("\"" + std::string(key) + "\"\\s*:\\s*(\"([^\"]*)\"|[-+.eE0-9]+)");
        std::smatch match;
        if (!std::regex_search(line, match, pattern))
            return {};
        return match[2].matched ? match[2].str() : match[1].str();
    };
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.find("\"run\"") != std::string::npos)
            continue;
        const std::string operation = field(line, "operation"), rate = field(line, "rate"),
                          width = field(line, "width"), by = field(line, "by");
        if (operation.empty() || rate.empty() || width.empty() || by.empty())
            throw std::runtime_error(path +
                                     ": a line without operation, width, by or rate: " + line);
        std::printf("  %6s bits  %-24s %-23s %9s/s\n", width.c_str(), operation.c_str(), by.c_str(),
                    short_number(std::stod(rate)).c_str());
        if (json != nullptr)
            std::fprintf(json, "%s\n", line.c_str());
    }
}

int run(int argument_count, char **arguments) {
    const Options options = parse(argument_count, arguments);
    const std::vector<const Row *> rows = chosen(options);
    if (options.list) {
        for (const Row *row : rows)
            std::printf("%s\n", row->name().c_str());
        return 0;
    }
    std::FILE *json = nullptr;
    if (!options.json.empty()) {
        json = std::fopen(options.json.c_str(), "w");
        if (json == nullptr)
            throw std::runtime_error("cannot write " + options.json);
        std::fprintf(json, "%s\n", description(argument_count, arguments, options).c_str());
    }
    std::printf("%s, %u threads; %s; warpint %s, commit %s; %zu rows\n", cpu_name().c_str(),
                std::thread::hardware_concurrency(), gpu_name().value_or("no GPU").c_str(),
                WARPINT_VERSION_STRING, WARPINT_PERF_COMMIT, rows.size());

    Runner runner(options);
    const double least_seconds = options.smallest ? 1e-9 : options.quick ? 0.05 : 0.15; // of a row
    for (const Row *row : rows) {
        auto *benchmark = benchmark::RegisterBenchmark(
            row->name().c_str(),
            [&runner, row](benchmark::State &state) { runner.run(*row, state); });
        benchmark->UseManualTime();
        if (options.smallest) {
            benchmark->Iterations(1);
        } else {
            benchmark->MinTime(least_seconds);
        }
    }
    Report report(runner, rows, options, json);
    benchmark::RunSpecifiedBenchmarks(&report, "all");
    for (const std::string &path : options.with)
        add_lines(path, json);
    if (json != nullptr && std::fclose(json) != 0)
        throw std::runtime_error("cannot write " + options.json);
    if (report.failed())
        std::printf("\nSome results are wrong, or some rows failed.\n");
    return report.failed() ? 1 : 0;
}

} // namespace
} // namespace perf

int main(int argument_count, char **arguments) {
    try {
        return perf::run(argument_count, arguments);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "warpint_perf: %s\n", error.what());
        return 2;
    }
}
