#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what became faster or slower between two runs of warpint_perf on one machine.

usage: perf/compare.py BEFORE AFTER [--least PERCENT] [--drift PERCENT] [--fail]

Rates are divided by the machine's drift: of each device the median of what its limits (the first rows of a
run) are in AFTER over what they were in BEFORE. A change counts where it is larger than the noise: PERCENT of
--least (default 5) and half of both figures' spreads (the distance between the quartiles). What other figures
do does not matter.

With --fail the exit status is 1 where something became slower, is wrong, failed or unchecked in either file,
is missing in AFTER, where no figure is in both, and where the drift is more than --drift (default 15).
"""

import argparse
import math
import statistics
import sys

import lines


def drift_of(device, old, new):
    """What the machine does now over what it did, by its limits; 1 without any."""
    ratios = [new[key]["rate"] / old[key]["rate"] for key in old.keys() & new.keys()
              if old[key]["device"] == device and old[key]["kind"] == "ceiling" and
              not old[key]["operation"].startswith("launch") and "rate" in old[key] and "rate" in new[key]]
    return statistics.median(ratios) if ratios else 1.0


def by_key(figures, path):
    found = {}
    for figure in figures:
        if lines.key(figure) in found:
            raise ValueError(f"{path}: twice {lines.text(figure)}")
        found[lines.key(figure)] = figure
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--least", type=float, default=5, metavar="PERCENT")
    parser.add_argument("--drift", type=float, default=15, metavar="PERCENT")
    parser.add_argument("--fail", action="store_true")
    arguments = parser.parse_args()
    try:
        run_before, figures_before = lines.read(arguments.before)
        run_after, figures_after = lines.read(arguments.after)
        old, new = by_key(figures_before, arguments.before), by_key(figures_after, arguments.after)
    except (OSError, ValueError) as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    for name in ("cpu", "gpu", "cores"):
        if run_before.get(name) != run_after.get(name):
            print(f"different machines: {name} {run_before.get(name)} and {run_after.get(name)}", file=sys.stderr)
            return 2

    faults = []
    drifts = {device: drift_of(device, old, new) for device in sorted({figure["device"] for figure in new.values()})}
    for device, drift in drifts.items():
        print(f"{device}: the machine's limits are {drift:.3f} times what they were")
        if abs(math.log(drift)) > math.log1p(arguments.drift / 100):
            faults.append(f"{device}: too much drift to compare: measure again")
    for path, figures in ((arguments.before, old), (arguments.after, new)):
        for figure in figures.values():
            bad = figure.get("check", "unchecked")
            if bad in lines.FAULTS or (bad == "unchecked" and figure["kind"] != "ceiling"):
                faults.append(f"{bad} in {path}: {lines.text(figure)}")
    faults += [f"missing in {arguments.after}: {lines.text(old[key])}" for key in old if key not in new]

    slower, faster, same = [], [], 0
    for key, after in new.items():
        before = old.get(key)
        if before is None or after["kind"] == "ceiling" or \
                any(figure.get("check") in lines.FAULTS for figure in (before, after)):
            continue
        ratio = after["rate"] / before["rate"] / drifts[after["device"]]
        noise = arguments.least / 100 + (before.get("spread", 0) + after.get("spread", 0)) / 2
        if ratio > 1 + noise:
            faster.append((ratio, noise, lines.text(after)))
        elif ratio < 1 / (1 + noise):
            slower.append((ratio, noise, lines.text(after)))
        else:
            same += 1
    if not slower and not faster and not same:
        faults.append("no figure is in both files")

    for fault in faults:
        print(f"FAULT   {fault}")
    for title, changes in (("slower", sorted(slower)), ("faster", sorted(faster, reverse=True))):
        for ratio, noise, text in changes:
            print(f"{title}  {ratio:6.3f} times the rate, noise {100 * noise:4.1f}%: {text}")
    print(f"{len(slower)} slower, {len(faster)} faster, {same} the same within the noise, {len(faults)} faults; "
          f"{len(new.keys() - old.keys())} figures only in {arguments.after}")
    return 1 if arguments.fail and (slower or faults) else 0


if __name__ == "__main__":
    sys.exit(main())
