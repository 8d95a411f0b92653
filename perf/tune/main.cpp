// SPDX-License-Identifier: Apache-2.0
// warpint_perf_tune: measures the candidates for a tuning table on the present GPU, and writes the
// table. ../README.md says how to use it. Compiled as CUDA.
#include "measure.h"
#include "write_table.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>

namespace perf::tune {

namespace {

__global__ void compare_kernel(const unsigned char *a, const unsigned char *b, std::size_t bytes,
                               unsigned *found) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes; i += step) {
        if (a[i] != b[i])
            *found = 1;
    }
}

std::string words(const Point &point) {
    std::string text =
        std::string(execution::name(point.work)) + " of " + std::to_string(point.bits) + " bits";
    if (point.exponent_bits == short_exponent_bits)
        text += ", short exponents";
    if (!point.over_lanes && point.bytes_moved == 0)
        text += ", no form over lanes";
    if (point.fold_operands != 0)
        text += ", staged, " + std::to_string(point.fold_operands) + " operands";
    if (point.bytes_moved != 0)
        text += ", short";
    return text;
}

std::string words(const Candidate &candidate) {
    if (candidate.family == KernelFamily::lanes_per_number) {
        return std::to_string(candidate.lanes) + " lanes, " + std::to_string(candidate.threads) +
               " threads, " + std::to_string(candidate.blocks) + " blocks";
    }
    return "in a thread, " + std::to_string(candidate.threads) + " threads, " +
           std::to_string(candidate.blocks) + " blocks, " +
           (candidate.loading == Loading::direct ? "directly" : "by shared memory") +
           (candidate.elements != 1 ? ", two elements" : "");
}

} // namespace

void detail::compare_on_gpu(const void *a, const void *b, std::size_t bytes, unsigned *found) {
    compare_kernel<<<1024, 256>>>(static_cast<const unsigned char *>(a),
                                  static_cast<const unsigned char *>(b), bytes, found);
    require(cudaGetLastError(), "comparing");
}

void Meter::add(const Measurement &measurement) {
    all.push_back(measurement);
    std::printf("%s, %s, %zu: %s: %s\n", measurement.formula.c_str(),
                words(measurement.point).c_str(), measurement.count,
                words(measurement.candidate).c_str(), rate_text(measurement.rate).c_str());
    std::fflush(stdout);
}

namespace {

void list_candidates() {
    for (const Series &series : all_series) {
        for (const int bits : series.widths) {
            if (bits == 0)
                continue;
            const Point point = point_of(series, bits);
            for (const Candidate &candidate : candidates(point))
                std::printf("%s: %s\n", words(point).c_str(), words(candidate).c_str());
        }
    }
}

int run(int count, char **arguments) {
    std::string folder;
    std::string only;
    double least = 0.03;
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        if (option == "--list") {
            list_candidates();
            return 0;
        }
        if (option == "--least" && i + 1 < count) {
            least = std::stod(arguments[++i]) / 100;
        } else if (option == "--only" && i + 1 < count) {
            only = arguments[++i];
        } else if (folder.empty() && option.rfind("--", 0) != 0) {
            folder = option;
        } else {
            std::printf("warpint_perf_tune [--list] [--least PERCENT] [--only FORMULAS] FOLDER\n");
            return 2;
        }
    }
    const warpint::DeviceInfo info = warpint::device_info();
    if (!info.gpu) {
        std::printf("warpint_perf_tune measures on a GPU; --list shows what\n");
        return 77;
    }
    Meter meter;
    for (const Meter::Task &task : Meter::tasks()) {
        if (only.empty() || only == task.formulas)
            task.run(meter);
    }
    if (!only.empty()) // not a table
        return 0;
    const std::string path = (folder.empty() ? std::string(".") : folder) + "/sm_" +
                             std::to_string(info.compute_capability) + ".h";
    std::ofstream file(path);
    file << table_text(choose(meter.all, least), info.compute_capability, "an " + info.name, least);
    if (!file.flush())
        throw std::runtime_error("cannot write " + path);
    std::printf("wrote %s\n", path.c_str());
    return 0;
}

} // namespace

} // namespace perf::tune

int main(int count, char **arguments) {
    try {
        return perf::tune::run(count, arguments);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
