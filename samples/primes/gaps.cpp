// SPDX-License-Identifier: Apache-2.0
#include "gaps.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace primes {

namespace {

std::string format(const char *pattern, auto... values) {
    char text[400];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text)
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    return result;
}

// The least of 1, 2, 5, 10, 20, 50 ... that is not below `least`.
double round_step(double least) {
    double power = 1;
    while (10 * power <= least)
        power *= 10;
    for (const double digit : {1, 2, 5}) {
        if (digit * power >= least)
            return digit * power;
    }
    return 10 * power;
}

} // namespace

Histogram prime_gaps(Candidates &candidates, const Range &range, const Options &options) {
    Histogram histogram;
    std::optional<std::uint64_t> previous;
    find_primes(candidates, range, options, [&](const std::vector<std::uint64_t> &found) {
        for (const std::uint64_t prime : found) {
            if (previous)
                ++histogram[prime - *previous];
            previous = prime;
        }
    });
    return histogram;
}

std::string csv(const Histogram &histogram) {
    std::string text = "gap,count\n";
    for (const auto &[gap, count] : histogram)
        text += std::to_string(gap) + "," + std::to_string(count) + "\n";
    return text;
}

std::string svg(const Histogram &histogram, const std::string &title) {
    constexpr double width = 720, height = 360, left = 70, bottom = 50, top = 40, right = 20;
    constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
    double widest = 2, most = 1;
    for (const auto &[gap, count] : histogram) {
        widest = std::max(widest, static_cast<double>(gap));
        most = std::max(most, static_cast<double>(count));
    }
    const double slot = plot_width / (widest + 2); // a unit of the gap
    const auto x = [&](double gap) { return left + slot * gap; };
    const auto y = [&](double count) { return height - bottom - plot_height * count / most; };

    std::string text = format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" "
                              "font-family=\"sans-serif\" font-size=\"12\">\n"
                              "<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n",
                              width, height, width, height) +
                       format("<text x=\"%g\" y=\"24\" font-size=\"15\">", left) + escaped(title) +
                       "</text>\n";
    for (double count = 0; count <= most; count += round_step(most / 6)) {
        text += format("<path d=\"M%g %.1fH%g\" stroke=\"#ddd\"/>"
                       "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                       left, y(count), width - right, left - 6, y(count) + 4, count);
    }
    for (const auto &[gap, count] : histogram) { // multiples of 6 are frequent, and darker
        const auto g = static_cast<double>(gap), c = static_cast<double>(count);
        text += format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\">",
                       x(g - 0.8), y(c), 1.6 * slot, height - bottom - y(c),
                       gap % 6 == 0 ? "#1b5e20" : "#81c784") +
                format("<title>%.0f: %.0f</title></rect>\n", g, c);
    }
    for (double gap = 0; gap <= widest; gap += 2 * round_step(widest / 20)) {
        text += format("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%.0f</text>\n", x(gap),
                       height - bottom + 18, gap);
    }
    return text + format("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">distance to the next "
                         "prime; dark: multiples of 6</text>\n</svg>\n",
                         left + plot_width / 2, height - 12);
}

} // namespace primes
