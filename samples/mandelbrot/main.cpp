// SPDX-License-Identifier: Apache-2.0
// mandelbrot: deep pictures of the Mandelbrot set, on CPU or GPU. README.md beside it shows how.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "colour.h"
#include "command_line.h"
#include "error.h"
#include "escape.h"
#include "files.h"
#include "progress.h"
#include "report.h"
#include "view.h"

namespace {

using mandelbrot::Escape;
using sample::Error;

constexpr const char *more_help = R"(
Examples:
  mandelbrot --out whole.png
  mandelbrot --center-re -0.743643887037158704752191506114774 \
             --center-im 0.131825904205311970493132056385139 \
             --zoom 1e12 --iterations 5000 --out deep.png
  mandelbrot --zoom 1e6 --frames 5 --size 160x120 --center-re -1.25066 \
             --center-im 0.02012 --iterations 3000 --out frame.png
The last command writes frame-0001.png to frame-0005.png, starting at zoom 1.
Exit status: 0, 1 if the job failed, 2 for wrong arguments.

Measure this machine (the GPU if there is one), at 128, 256, 512, 1024 bits:
  for z in 1e20 1e40 1e120 1e280; do mandelbrot --zoom $z --size 1024x768 \
    --center-re -0.743643887037158704752191506114774 --iterations 5000 \
    --center-im 0.131825904205311970493132056385139 --out /dev/null; done)";

struct Job {
    std::string re = "-0.5", im = "0", size = "512x384", out, counts;
    double zoom = 1;
    std::uint32_t iterations = 1000, frames = 1, samples = 1;
    sample::CommonOptions common;
};

// "512x384"
std::pair<std::uint32_t, std::uint32_t> parse_size(const std::string &text) {
    unsigned width = 0, height = 0;
    char rest = 0;
    if (text.find_first_not_of("0123456789x") != std::string::npos || text.size() > 11 ||
        std::sscanf(text.c_str(), "%ux%u%c", &width, &height, &rest) != 2 || width == 0 ||
        height == 0 || width > 16384 || height > 16384)
        throw sample::UsageError("not a size such as 512x384, up to 16384x16384: " + text);
    return {width, height};
}

// "frame.png" and 7: "frame-0007.png".
std::string numbered(const std::string &path, std::uint32_t number) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "-%04u", number);
    const std::size_t name = path.rfind('/') + 1; // 0 if there is none
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || dot <= name)
        return path + digits;
    return path.substr(0, dot) + digits + path.substr(dot);
}

std::vector<Escape> escapes(mandelbrot::Picture &picture, std::uint64_t pixels,
                            sample::Progress &progress) {
    std::uint64_t batch = picture.on_gpu() ? 1 << 18 : 1 << 10; // grows while it is done soon
    std::vector<Escape> all;
    while (all.size() != pixels) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t count = std::min(batch, pixels - all.size());
        const std::vector<Escape> part = picture.escapes(all.size(), count);
        all.insert(all.end(), part.begin(), part.end());
        progress.add(count);
        if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(200))
            batch *= 2;
    }
    return all;
}

// Some pixels again, on the host.
void check(mandelbrot::Picture &picture, const std::vector<Escape> &all) {
    constexpr std::size_t checked = 32;
    for (std::size_t i = 0; i != checked; ++i) {
        const std::size_t pixel = i * (all.size() - 1) / (checked - 1);
        const Escape expected = picture.escape_on_host(pixel);
        if (expected.count != all[pixel].count || expected.norm != all[pixel].norm)
            throw Error("pixel " + std::to_string(pixel) +
                        " is wrong: the host computes a different count");
    }
}

void write_counts(sample::OutputFile &file, const std::vector<Escape> &all, std::uint32_t width) {
    std::string line;
    for (std::size_t i = 0; i != all.size(); ++i) {
        line += std::to_string(all[i].count);
        line += (i + 1) % width == 0 ? '\n' : ',';
        if (line.back() == '\n') {
            file.write(line);
            line.clear();
        }
    }
}

void draw(const Job &job) {
    const auto [width, height] = parse_size(job.size);
    const std::uint32_t samples = job.samples;
    mandelbrot::View view{mandelbrot::coordinate(job.re),
                          mandelbrot::coordinate(job.im),
                          {},
                          width * samples,
                          height * samples,
                          job.iterations};
    const std::uint64_t pixels = std::uint64_t{view.width} * view.height;
    const bool quiet =
        sample::is_standard_output(job.out) || sample::is_standard_output(job.counts);
    if (job.frames != 1 && (quiet || std::filesystem::is_other(job.out)))
        throw sample::UsageError("--frames numbers its files: " + job.out + " is no file name");
    for (const std::string &out : {job.out, job.counts})
        sample::require_other_than_report(job.common, out);
    sample::Report report("mandelbrot", job.common);
    if (!quiet)
        report.fact("device", mandelbrot::device_name(job.common.device));
    sample::Progress progress("drawing", pixels * job.frames, job.common.always_show_progress);
    for (std::uint32_t frame = 1; frame <= job.frames; ++frame) {
        const double zoom =
            job.frames == 1 ? job.zoom : std::pow(job.zoom, (frame - 1.) / (job.frames - 1));
        view.step = mandelbrot::step(zoom, view.width);
        sample::OutputFiles files;
        sample::OutputFile *const png =
            job.out.empty() ? nullptr
                            : &files.add(job.frames == 1 ? job.out : numbered(job.out, frame));
        sample::OutputFile *const counts = job.counts.empty() ? nullptr : &files.add(job.counts);
        const auto picture = mandelbrot::make_picture(view, job.common.device);
        const auto start = std::chrono::steady_clock::now();
        const std::vector<Escape> all = escapes(*picture, pixels, progress);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        check(*picture, all);

        if (png != nullptr)
            mandelbrot::write_png(*png,
                                  mandelbrot::colours(all, width, height, samples, job.iterations),
                                  width, height);
        if (counts != nullptr)
            write_counts(*counts, all, view.width);
        files.commit();
        std::uint64_t total = 0;
        for (const Escape &escape : all)
            total += escape.count;
        if (quiet)
            continue;
        char text[128];
        std::snprintf(text, sizeof text, "%u x %u points, %.1f iterations each", view.width,
                      view.height, static_cast<double>(total) / static_cast<double>(pixels));
        report.text(std::string("drawn    ") + text);
        std::snprintf(text, sizeof text, "iterations, zoom %.3g, %d bits", zoom, picture->bits());
        report.rate(text, static_cast<double>(total) / time.count());
    }
    if (!quiet)
        report.finish();
}

} // namespace

int main(int argument_count, char **arguments) {
    CLI::App program("Draws the Mandelbrot set at any depth, on CPU or GPU", "mandelbrot");
    program.footer(more_help);
    Job job;
    program.add_option("--center-re", job.re, "Real part of the centre, decimal (default -0.5)");
    program.add_option("--center-im", job.im, "Imaginary part of the centre (default 0)");
    sample::add_real(program, "--zoom", job.zoom, 0.1, 1e300,
                     "The picture is 4 / zoom wide (default 1)");
    program.add_option("--size", job.size, "Pixels (default 512x384)");
    sample::add_number(program, "--iterations", job.iterations, 1, 1000000000,
                       "Maximum iterations per point (default 1000)");
    sample::add_number(program, "--samples", job.samples, 1, 8,
                       "Points across a pixel: 2 is smoother (default 1)");
    auto *frames = sample::add_number(program, "--frames", job.frames, 1, 9999,
                                      "Pictures of a zoom from 1 to --zoom, numbered (default 1)");
    auto *out = program.add_option("--out", job.out, "PNG to write; - is standard output");
    auto *counts = program.add_option("--counts", job.counts,
                                      "CSV file for the iterations of each point, a line per row");
    counts->excludes(frames);
    auto *files = program.add_option_group("output");
    files->add_options(out, counts);
    files->require_option(1, 2);
    sample::add_common_options(program, job.common);
    sample::add_json_option(program, job.common);
    return sample::run(program, argument_count, arguments, [&] {
        draw(job);
        return true;
    });
}
