// SPDX-License-Identifier: Apache-2.0
#include "distribute.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>

#include <warpint/distributed.h>
#include <warpint/text.h>

#include "error.h"

namespace ecm {

namespace {

constexpr std::uint32_t batch_with_results = 256; // the same for each start

// A batch of a job. As text, it and its divisor are a line of a file.
struct Batch {
    const Number &n;
    std::uint32_t b1, b2, sigma;
    std::size_t count;

    [[nodiscard]] std::string text() const {
        std::ostringstream out;
        out << to_string(n) << " b1 " << b1 << " b2 " << b2 << " sigma " << sigma << " curves "
            << count << " divisor ";
        return out.str();
    }
};

// What the files of all processes, of all starts, say: the divisor for the text of each batch. A
// line that a process could not end does not count.
std::map<std::string, std::string> batches_done(const std::string &results) {
    const std::string mark = " divisor ";
    std::map<std::string, std::string> done;
    const std::filesystem::path path = std::filesystem::absolute(results);
    for (const auto &entry : std::filesystem::directory_iterator(path.parent_path())) {
        if (entry.path().stem() != path.filename())
            continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line) && !file.eof();) {
            const std::size_t end = line.find(mark);
            if (end != std::string::npos)
                done[line.substr(0, end + mark.size())] = line.substr(end + mark.size());
        }
    }
    return done;
}

// What a killed process began to write is no line: it is taken away.
void drop_unended_line(const std::string &name) {
    std::ifstream file(name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t end = text.rfind('\n') + 1; // 0 without a line
    if (end != text.size())
        std::filesystem::resize_file(name, end);
}

// The file of one process.
class OwnResults {
public:
    OwnResults(const std::string &results, int rank)
        : name_{results + "." + std::to_string(rank)}, file_{name_, std::ios::app} {
        if (!file_)
            throw sample::Error("cannot write " + name_);
        drop_unended_line(name_);
    }
    void add(const std::string &line) {
        file_ << line << std::endl;
        if (!file_)
            throw sample::Error("cannot write " + name_);
    }

private:
    std::string name_;
    std::ofstream file_;
};

} // namespace

Report distribute(const Number &n, const Options &options, const std::string &results) {
    const warpint::process_group group;
    OwnResults own(results, group.rank()); // first: every process ends here if it cannot write
    const std::uint32_t b2 = options.b2 != 0 ? options.b2 : 100 * options.b1;
    const std::size_t curve_count = static_cast<std::size_t>(options.curves);
    const std::uint32_t size = options.batch != 0 ? options.batch : batch_with_results;
    const std::size_t batches = (curve_count + size - 1) / size;
    const auto batch = [&](std::size_t i) {
        const auto first = static_cast<std::uint32_t>(i * size);
        return Batch{n, options.b1, b2, options.sigma + first,
                     std::min<std::size_t>(size, curve_count - first)};
    };

    // What is left to do, as rank 0 sees the files.
    std::vector<std::uint64_t> left;
    if (group.rank() == 0) {
        const auto done = batches_done(results);
        for (std::size_t i = 0; i < batches; ++i) {
            if (!done.contains(batch(i).text()))
                left.push_back(i);
        }
    }
    using Numbers = warpint::distributed_vector<std::uint64_t>;
    left = Numbers::from_root(group, left).to_all();

    const auto curves = make_curves(n, options.common.device);
    for_each_chunk(group, left.size(), 1, [&](std::size_t first, std::size_t) {
        const Batch todo = batch(left[first]);
        std::vector<std::uint32_t> sigma(todo.count);
        std::iota(sigma.begin(), sigma.end(), todo.sigma);
        curves->start(sigma);
        Number divisor(1);
        const auto look = [&] {
            for (const Number &each : curves->divisors()) {
                if (each != 1u && each != n)
                    divisor = each;
            }
        };
        curves->stage_1(todo.b1, [](double) {});
        look();
        if (divisor == 1u && todo.b2 > todo.b1) {
            curves->stage_2(todo.b1, todo.b2, [](double) {});
            look();
        }
        own.add(todo.text() + to_string(divisor));
    });

    Report report{group.rank() == 0, batches, batches - left.size(), {}};
    if (report.is_root) {
        const auto done = batches_done(results);
        for (std::size_t i = 0; i < batches; ++i) {
            const Number divisor = Number::parse(done.at(batch(i).text()));
            if (divisor != 1u)
                report.divisors.push_back(divisor);
        }
        std::sort(report.divisors.begin(), report.divisors.end());
        report.divisors.erase(std::unique(report.divisors.begin(), report.divisors.end()),
                              report.divisors.end());
    }
    return report;
}

} // namespace ecm
