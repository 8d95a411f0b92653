#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what became faster or slower between two runs of warpint_perf on one machine.

usage: perf/compare.py BEFORE AFTER [--least PERCENT] [--fail]

A change counts where it is larger than the noise: the sum of both figures' spreads (half the distance
between the quartiles), three times what figures of these runs typically differ by (the median of the
differences from their median), and PERCENT (default 3), whichever is largest. With --fail the exit status
is 1 where something became slower or wrong.
"""

import argparse
import math
import statistics
import sys

import lines


def typical_difference(pairs):
    """Of the ratios of rates, as a share: the median distance from their median."""
    logarithms = [math.log(after["rate"] / before["rate"]) for before, after in pairs]
    if not logarithms:
        return 0
    middle = statistics.median(logarithms)
    return math.expm1(statistics.median(abs(logarithm - middle) for logarithm in logarithms))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--least", type=float, default=3, metavar="PERCENT")
    parser.add_argument("--fail", action="store_true")
    arguments = parser.parse_args()
    try:
        run_before, before = lines.read(arguments.before)
        run_after, after = lines.read(arguments.after)
    except (OSError, ValueError) as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    for name in ("cpu", "gpu", "cores"):
        if run_before.get(name) != run_after.get(name):
            print(f"different machines: {name} {run_before.get(name)} and {run_after.get(name)}", file=sys.stderr)
            return 2

    old = {lines.key(figure): figure for figure in before}
    new = {lines.key(figure): figure for figure in after}
    common = [key for key in new if key in old and "rate" in new[key] and old[key].get("rate")]
    least = max(arguments.least / 100, 3 * typical_difference([(old[key], new[key]) for key in common]))
    slower, faster, wrong, same = [], [], [], 0
    for key, figure in new.items():
        if figure.get("check") in ("wrong", "failed"):
            wrong.append(key)
        elif key in common:
            ratio = figure["rate"] / old[key]["rate"]
            noise = max(least, (old[key].get("spread", 0) + figure.get("spread", 0)) / 2)
            if ratio > 1 + noise:
                faster.append((ratio, key, noise))
            elif ratio < 1 / (1 + noise):
                slower.append((ratio, key, noise))
            else:
                same += 1

    def text(key):
        device, operation, kind, layout, width, count, by = key
        return f"{device} {width} bits, {operation} ({kind}, {layout}, {count}, {by})"

    for key in wrong:
        print(f"WRONG   {text(key)}")
    for title, changes in (("slower", sorted(slower)), ("faster", sorted(faster, reverse=True))):
        for ratio, key, noise in changes:
            print(f"{title}  {ratio:6.3f} times the rate, noise {100 * noise:4.1f}%: {text(key)}")
    only_old, only_new = len(old.keys() - new.keys()), len(new.keys() - old.keys())
    print(f"{len(slower)} slower, {len(faster)} faster, {same} the same within the noise, {len(wrong)} wrong; "
          f"{only_old} figures only in {arguments.before}, {only_new} only in {arguments.after}")
    return 1 if arguments.fail and (slower or wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
