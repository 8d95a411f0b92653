// SPDX-License-Identifier: Apache-2.0
// From measurements to the rows of a table: no GPU is needed.
#pragma once

#include "candidates.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf::tune {

namespace execution = warpint::execution;

struct Measurement {
    Point point;
    std::string formula;
    std::size_t count = 0; // of the batch
    Candidate candidate;
    double rate = 0; // numbers a second
};

// A row as it stands in the table.
struct ChosenRow {
    TuningRow row;
    std::string figure; // for its comment
};

// What is chosen. Blocks of staged folds: by limbs, each up to so many; the last for all others.
struct FoldBlocks {
    int max_limbs = 0;
    int blocks = 1;

    friend bool operator==(const FoldBlocks &, const FoldBlocks &) = default;
};
struct Chosen {
    std::vector<ChosenRow> rows;
    std::vector<FoldBlocks> fold_blocks;     // of a product of two numbers modulo m
    std::vector<FoldBlocks> fold_sum_blocks; // of more operands
    int two_elements_below = 0;              // bytes that a stream moves for an element
};

// "1.71 G"
inline std::string rate_text(double rate) {
    const char *const units[] = {"", " K", " M", " G", " T"};
    int unit = 0;
    while (rate >= 999.5 && unit < 4) {
        rate /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.3g%s", rate, units[unit]);
    return text;
}

namespace detail {

// One candidate, or over lanes one for small batches and one from `from` elements on.
struct Policy {
    Candidate large;
    Candidate small;
    std::size_t from = 0; // 0: large alone

    const Candidate &of(std::size_t count) const { return count < from ? small : large; }
    friend bool operator==(const Policy &, const Policy &) = default;
};

struct Score {
    Candidate candidate;
    double share = 0; // of the best candidate's rate; the geometric mean over formulas
    double rate = 0;  // of the first formula
};
// Of one width: the scores by count, of candidates that have one everywhere.
using Scores = std::map<std::size_t, std::vector<Score>>;

inline const Score *score_of(const std::vector<Score> &scores, const Candidate &candidate) {
    const auto found = std::find_if(scores.begin(), scores.end(), [&](const Score &score) {
        return score.candidate == candidate;
    });
    return found == scores.end() ? nullptr : &*found;
}

inline Scores scores_of(const std::vector<Measurement> &all, const Point &point) {
    std::map<std::size_t, std::vector<const Measurement *>> by_count;
    std::vector<Candidate> candidates; // in the order in which they were measured
    for (const Measurement &one : all) {
        if (!(one.point == point) || one.rate <= 0)
            continue;
        by_count[one.count].push_back(&one);
        if (std::find(candidates.begin(), candidates.end(), one.candidate) == candidates.end())
            candidates.push_back(one.candidate);
    }
    Scores scores;
    for (const auto &[count, measured] : by_count) {
        std::map<std::string, double> best;
        for (const Measurement *one : measured)
            best[one->formula] = std::max(best[one->formula], one->rate);
        for (const Candidate &candidate : candidates) {
            double sum = 0;
            std::size_t formulas = 0;
            double rate = 0;
            for (const Measurement *one : measured) {
                if (!(one->candidate == candidate))
                    continue;
                sum += std::log(one->rate / best[one->formula]);
                rate = formulas++ == 0 ? one->rate : rate;
            }
            if (formulas == best.size())
                scores[count].push_back(
                    {candidate, std::exp(sum / static_cast<double>(formulas)), rate});
        }
    }
    for (auto &[count, list] : scores) {
        std::erase_if(list, [&scores = scores](const Score &score) {
            return std::any_of(scores.begin(), scores.end(), [&](const auto &other) {
                return score_of(other.second, score.candidate) == nullptr;
            });
        });
    }
    return scores;
}

// The policies that lose at most `least` at every count against the width's best, with their mean
// loss. One candidate goes before two.
struct Scored {
    Policy policy;
    double loss = 0;
};
inline std::vector<Scored> policies(const Scores &scores, double least) {
    std::vector<Scored> singles;
    std::vector<Scored> pairs;
    const auto loss_of = [&](const Policy &policy) {
        double loss = 0;
        for (const auto &[count, list] : scores)
            loss -= std::log(score_of(list, policy.of(count))->share);
        return loss;
    };
    const std::vector<Score> &any = scores.begin()->second;
    for (const Score &large : any) {
        const Policy alone{large.candidate, large.candidate, 0};
        singles.push_back({alone, loss_of(alone)});
        for (const Score &small : any) {
            // A kernel of its own has lanes of its own (tuning::Tables::has_small).
            if (large.candidate.family != KernelFamily::lanes_per_number ||
                large.candidate.lanes == small.candidate.lanes)
                continue;
            for (auto at = std::next(scores.begin()); at != scores.end(); ++at) {
                const Policy both{large.candidate, small.candidate, at->first};
                pairs.push_back({both, loss_of(both)});
            }
        }
    }
    const auto by_loss = [](const Scored &a, const Scored &b) { return a.loss < b.loss; };
    std::vector<Scored> all = singles;
    all.insert(all.end(), pairs.begin(), pairs.end());
    const Policy best = std::min_element(all.begin(), all.end(), by_loss)->policy;
    const auto is_far = [&](const Scored &one) {
        return std::any_of(scores.begin(), scores.end(), [&](const auto &at) {
            return score_of(at.second, one.policy.of(at.first))->share * (1 + least) <
                   score_of(at.second, best.of(at.first))->share;
        });
    };
    std::erase_if(singles, is_far);
    if (!singles.empty())
        return singles;
    std::erase_if(pairs, is_far);
    return pairs;
}

// Neighbouring widths with one policy.
struct Run {
    Policy policy;
    std::vector<int> bits; // that were measured
    int max_bits = 0;
    std::string figure;       // of policy.large
    std::string small_figure; // of policy.small
};

// "1.71 G, over 8 lanes 1.59 G": with the best candidate that differs in what counts most.
inline std::string figure(const std::vector<Score> &scores, const Candidate &chosen) {
    const auto differs = [&](const Candidate &other) {
        return chosen.family == KernelFamily::lanes_per_number ? other.lanes != chosen.lanes
                                                               : !(other == chosen);
    };
    const Score *second = nullptr;
    for (const Score &score : scores) {
        if (differs(score.candidate) && (second == nullptr || second->share < score.share))
            second = &score;
    }
    std::string text = rate_text(score_of(scores, chosen)->rate);
    if (second == nullptr)
        return text;
    const Candidate &other = second->candidate;
    if (other.lanes != chosen.lanes) {
        text += ", over " + std::to_string(other.lanes) + (other.lanes == 1 ? " lane" : " lanes");
    } else if (other.threads != chosen.threads) {
        text += ", with " + std::to_string(other.threads) + " threads";
    } else if (other.blocks != chosen.blocks) {
        text +=
            ", with " + std::to_string(other.blocks) + (other.blocks == 1 ? " block" : " blocks");
    } else {
        text += other.loading == Loading::direct ? ", directly" : ", by shared memory";
    }
    return text + " " + rate_text(second->rate);
}

// The widest numbers that the tables put into the family of this point (tuning::Known).
inline int family_end(const Point &from) {
    Point point = from;
    const bool own_exponents = point.exponent_bits == point.bits;
    const bool over_lanes = is_over_lanes(cost_of(point));
    for (; point.bits < 1 << 18; ++point.bits) {
        if (own_exponents)
            point.exponent_bits = point.bits;
        if (is_over_lanes(cost_of(point)) != over_lanes)
            return point.bits - 1;
    }
    return execution::any_width;
}

// The runs of a series, whose points differ in their widths only.
inline std::vector<Run> choose_runs(const std::vector<Measurement> &all, const Point &series,
                                    double least) {
    const auto is_of_series = [&](const Point &point) {
        const auto is_short = [](const Point &one) {
            return one.exponent_bits == short_exponent_bits && one.bits > short_exponent_bits;
        };
        return point.work == series.work && point.over_lanes == series.over_lanes &&
               point.odd_limbs == series.odd_limbs && is_short(point) == is_short(series) &&
               point.fold_operands == series.fold_operands && point.bytes_moved == 0;
    };
    std::map<int, Point> points;
    for (const Measurement &one : all) {
        if (is_of_series(one.point))
            points[one.point.bits] = one.point;
    }
    std::vector<Run> runs;
    std::vector<Scored> possible; // for all widths of the last run
    bool over_lanes = false;
    for (const auto &[bits, point] : points) {
        const Scores scores = scores_of(all, point);
        if (scores.empty() || scores.begin()->second.empty()) {
            throw std::runtime_error("no candidate was measured in all batches of " +
                                     std::string(execution::name(point.work)) + ", " +
                                     std::to_string(bits) + " bits");
        }
        const std::vector<Scored> here = policies(scores, least);
        std::vector<Scored> both;
        for (const Scored &one : possible) {
            for (const Scored &other : here) {
                if (one.policy == other.policy)
                    both.push_back({one.policy, one.loss + other.loss});
            }
        }
        const bool new_family = is_over_lanes(cost_of(point)) != over_lanes;
        if (runs.empty() || both.empty() || new_family) {
            both = here;
            runs.emplace_back();
        }
        over_lanes = is_over_lanes(cost_of(point));
        possible = both;
        Run &run = runs.back();
        run.bits.push_back(bits);
        run.policy =
            std::min_element(possible.begin(), possible.end(),
                             [](const Scored &a, const Scored &b) { return a.loss < b.loss; })
                ->policy;
        std::string what = std::to_string(bits) + ": ";
        run.figure = what + figure(scores.rbegin()->second, run.policy.large);
        if (run.policy.from != 0) {
            const auto below = std::prev(scores.lower_bound(run.policy.from));
            what = std::to_string(below->first) + " of " + what;
            run.small_figure = what + figure(below->second, run.policy.small);
        }
    }
    // A row reaches an eighth above what was measured, to the next width, or to its family's end.
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const int last = runs[i].bits.back();
        const int end = family_end(points[last]);
        runs[i].max_bits = i + 1 == runs.size() || runs[i + 1].bits.front() > end
                               ? end
                               : std::min(last + last / 8, runs[i + 1].bits.front() - 1);
    }
    return runs;
}

inline TuningRow row_of(WorkKind kind, int max_bits, const Candidate &candidate) {
    TuningRow row;
    row.kind = kind;
    row.max_bits = max_bits;
    row.family = candidate.family;
    row.lanes = candidate.lanes;
    row.threads_per_block = candidate.threads;
    row.min_blocks = candidate.blocks;
    row.loading = candidate.loading;
    return row;
}

// The rows of one kind, in the order in which they are looked at: in threads, those of short
// exponents, over lanes, and in threads what has no form over lanes. Rows of odd numbers of limbs
// are for work that has one kernel over lanes for all batches.
inline std::vector<ChosenRow> choose_kind(const std::vector<Measurement> &all, WorkKind kind,
                                          double least) {
    Point series{kind};
    const std::vector<Run> runs = choose_runs(all, series, least);
    std::vector<ChosenRow> rows;
    std::size_t next = 0;
    const auto is_in_threads = [](const Run &run) {
        return run.policy.large.family == KernelFamily::thread_per_number;
    };
    for (; next < runs.size() && is_in_threads(runs[next]); ++next)
        rows.push_back(
            {row_of(kind, runs[next].max_bits, runs[next].policy.large), runs[next].figure});
    series.bits = 2 * short_exponent_bits;
    series.exponent_bits = short_exponent_bits;
    if (kind == WorkKind::power) {
        for (const Run &run : choose_runs(all, series, least)) {
            rows.push_back({row_of(kind, run.max_bits, run.policy.large), run.figure});
            rows.back().row.max_exponent_bits = short_exponent_bits;
        }
    }
    series = {kind};
    series.odd_limbs = true;
    std::vector<Run> odd = choose_runs(all, series, least);
    for (; next < runs.size(); ++next) {
        const Run &run = runs[next];
        // Odd numbers of limbs, where they differ: before the row that would be theirs.
        while (!odd.empty() && odd.front().bits.front() <= run.max_bits) {
            const Run &first = odd.front();
            if (!(first.policy == run.policy && first.bits.back() <= run.max_bits)) {
                // Narrower ones of the same row keep it.
                const int begin = first.bits.front();
                const auto above = std::lower_bound(run.bits.begin(), run.bits.end(), begin);
                if (above != run.bits.begin()) {
                    const int below = *std::prev(above);
                    rows.push_back(
                        {row_of(kind, std::min(below + below / 8, begin - 1), run.policy.large),
                         run.figure});
                }
                const int reach = first.bits.back() + first.bits.back() / 8;
                const int max_bits = odd.size() > 1 ? first.max_bits : reach;
                rows.push_back({row_of(kind, max_bits, first.policy.large), first.figure});
                rows.back().row.odd_limbs = true;
            }
            odd.erase(odd.begin());
        }
        rows.push_back({row_of(kind, run.max_bits, run.policy.large), run.figure});
        rows.back().row.min_count = run.policy.from;
        if (run.policy.from != 0)
            rows.push_back({row_of(kind, run.max_bits, run.policy.small), run.small_figure});
    }
    // Numbers far wider than any that was measured: as many lanes as there are, and registers.
    if (!runs.empty()) {
        TuningRow most = row_of(kind, execution::any_width, runs.back().policy.large);
        if (most.family == KernelFamily::lanes_per_number && most.lanes < 32) {
            const int last = runs.back().bits.back();
            for (ChosenRow &one : rows) {
                if (one.row.max_bits == execution::any_width)
                    one.row.max_bits = last + last / 8;
            }
            most.lanes = 32;
            most.min_blocks = 256 / most.threads_per_block;
            rows.push_back({most, "not measured"});
        }
    }
    series = {kind};
    series.over_lanes = false;
    for (const Run &run : choose_runs(all, series, least))
        rows.push_back({row_of(kind, run.max_bits, run.policy.large), run.figure});
    return rows;
}

// Blocks by limbs; widths between two that were measured take those of the wider.
inline std::vector<FoldBlocks> choose_fold_blocks(const std::vector<Measurement> &all, int operands,
                                                  double least) {
    Point series{WorkKind::fold};
    series.fold_operands = operands;
    std::vector<FoldBlocks> chosen;
    for (const Run &run : choose_runs(all, series, least)) {
        chosen.push_back({(run.bits.back() + 31) / 32, run.policy.large.blocks});
    }
    return chosen;
}

// Bytes below which two elements of a thread pay, at all that were measured.
inline int choose_two_elements(const std::vector<Measurement> &all, double least) {
    std::map<int, Point> points;
    for (const Measurement &one : all) {
        if (one.point.bytes_moved != 0)
            points[one.point.bytes_moved] = one.point;
    }
    int below = 0;
    for (const auto &[bytes, point] : points) {
        const Scores scores = scores_of(all, point);
        for (const auto &[count, list] : scores) {
            double one = 0;
            double two = 0;
            for (const Score &score : list)
                (score.candidate.elements == 2 ? two : one) = score.share;
            if (two <= one * (1 + least))
                return below;
        }
        below = bytes + 1;
    }
    return below;
}

} // namespace detail

// The kinds of work in the order of a table: those that others cover first (covers()).
inline constexpr WorkKind kinds_of_table[] = {
    WorkKind::streaming, WorkKind::product,  WorkKind::fold,          WorkKind::root,
    WorkKind::division,  WorkKind::cofactor, WorkKind::number_theory, WorkKind::power};

// least: the share of a rate below which candidates count as equally fast. Throws
// std::runtime_error if there is work that no row applies to.
inline Chosen choose(const std::vector<Measurement> &all, double least) {
    Chosen chosen;
    for (const WorkKind kind : kinds_of_table) {
        for (ChosenRow &row : detail::choose_kind(all, kind, least))
            chosen.rows.push_back(std::move(row));
    }
    chosen.fold_blocks = detail::choose_fold_blocks(all, 3, least);
    chosen.fold_sum_blocks = detail::choose_fold_blocks(all, 4, least);
    chosen.two_elements_below = detail::choose_two_elements(all, least);
    for (const WorkKind kind : kinds_of_table) {
        for (const bool over_lanes : {false, true}) {
            for (int bits = 1; bits < 1 << 17; bits += 1 + bits / 32) {
                const Cost cost =
                    cost_of({kind, bits, kind == WorkKind::power ? bits : 0, over_lanes});
                const KernelFamily family = is_over_lanes(cost) ? KernelFamily::lanes_per_number
                                                                : KernelFamily::thread_per_number;
                const auto first =
                    std::find_if(chosen.rows.begin(), chosen.rows.end(), [&](const ChosenRow &one) {
                        return execution::applies(one.row, cost, execution::any_count) &&
                               (over_lanes || one.row.family == KernelFamily::thread_per_number);
                    });
                if (first == chosen.rows.end() || first->row.family != family) {
                    throw std::runtime_error(
                        "nothing was measured for " + std::string(execution::name(kind)) + " of " +
                        std::to_string(bits) + " bits, " + execution::name(family));
                }
            }
        }
    }
    if (chosen.fold_blocks.empty() || chosen.fold_sum_blocks.empty())
        throw std::runtime_error("nothing was measured for staged folds");
    return chosen;
}

} // namespace perf::tune
