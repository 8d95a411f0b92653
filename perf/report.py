#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one page of the results of warpint_perf: tables and plots, from the figures of one run.

usage: perf/report.py RESULTS [FOLDER]

RESULTS is what `warpint_perf --json` wrote, or a folder with such files (*.jsonl), each a machine.
FOLDER (default: report) gets report.html, which needs no other file, the plots as SVG and PNG, and
its tables in Markdown, tables.md. Needs matplotlib. Rows that are wrong or failed are listed
and in no plot; the exit status is 1 then.
"""

import base64
import html
import sys
from pathlib import Path

try:
    import matplotlib
except ImportError as missing:
    sys.exit(f"report.py: {missing} (Debian: python3-matplotlib); tables.py needs none")

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import lines  # noqa: E402
import papers  # noqa: E402
from tables import DIVIDING, MULTIPLYING, STREAMS, Run, as_markdown, faults_of, table_of_all, tables_of  # noqa: E402

plt.rcParams.update({"font.size": 10, "axes.grid": True, "grid.color": "#e4e4e4", "axes.axisbelow": True,
                     "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
                     "svg.hashsalt": "warpint", "svg.fonttype": "none"})
# Hues of Okabe and Ito, for colour-blind readers; markers differ too.
STYLES = [("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"), ("#e69f00", "v"),
          ("#56b4e9", "P"), ("#000000", "X"), ("#8c564b", "*")]

RATE = "a second (higher is better)"
DOUBTFUL_SPREAD = 0.4  # of a limit, from its least to its largest rate: +-20%


class Plots:
    """Saves figures as files and keeps them as SVG for the page."""

    def __init__(self, folder):
        self.folder, self.images = folder, []

    def add(self, name, title, figure):
        for suffix in ("svg", "png"):
            figure.savefig(self.folder / f"{name}.{suffix}", bbox_inches="tight", dpi=144,
                           metadata={"Date": None} if suffix == "svg" else None)
        plt.close(figure)
        self.images.append((name, title))

    def html(self):
        parts = []
        for name, title in self.images:
            data = base64.b64encode((self.folder / f"{name}.svg").read_bytes()).decode()
            parts.append(f'<figure><img alt="{html.escape(title)}" src="data:image/svg+xml;base64,{data}">'
                         f"<figcaption>{html.escape(title)}</figcaption></figure>")
        return "\n".join(parts)


def axes(title, y_label, x_label="bits"):
    figure, axis = plt.subplots(figsize=(7.2, 4.4))
    axis.set_title(title, loc="left", fontsize=11)
    axis.set_xlabel(x_label)
    axis.set_ylabel(y_label)
    return figure, axis


def width_axis(axis, widths):
    axis.set_xscale("log", base=2)
    axis.set_xticks(sorted(widths), [str(width) for width in sorted(widths)])
    axis.minorticks_off()


def rate_axis(axis):
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(lambda value, _: lines.short(value))


def draw(axis, curves, y):
    """curves: [(label, [(x, figure)])]; returns the xs."""
    xs = set()
    for (label, points), (colour, marker) in zip(curves, STYLES * 3):
        points = [(x, y(figure)) for x, figure in points if y(figure) is not None]
        if points:
            axis.plot(*zip(*points), color=colour, marker=marker, markersize=5, linewidth=1.5, label=label)
            xs.update(x for x, _ in points)
    return xs


def finish(plots, name, title, figure, axis, xs, least=2):
    if len(xs) < least:
        plt.close(figure)
        return
    axis.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1.01, 1))
    plots.add(name, title, figure)


def of_standard_width(points):
    return [(width, figure) for width, figure in points if width & (width - 1) == 0]


def plot_rates(run, device, plots, name, title, operations):
    figure, axis = axes(f"{title}: {run.machine(device)}", RATE)
    curves = [(operation, of_standard_width(run.series(device, operation, kind="vector"))) for operation in operations]
    xs = draw(axis, curves, lambda f: f["rate"])
    # The limit of each curve, in its colour: the rate over the share of the limit.
    for (_, points), (colour, _) in zip(curves, STYLES):
        limits = [(width, f["rate"] / f["share"]) for width, f in points if f.get("share")]
        if limits:
            axis.plot(*zip(*limits), color=colour, linestyle=":", linewidth=1)
    if xs:
        axis.plot([], [], color="#777777", linestyle=":", linewidth=1, label="limit: memory or multiplier")
        width_axis(axis, xs)
        rate_axis(axis)
    finish(plots, name, f"{title}, by width, and the limits measured in the same run", figure, axis, xs)


def plot_shares(run, device, plots):
    figure, axis = axes(f"Share of the limit: {run.machine(device)}", "share of the limit's rate (higher is better)")
    curves = [(operation, of_standard_width(run.series(device, operation, kind="vector")))
              for operation in STREAMS[:1] + MULTIPLYING + DIVIDING[:3]]
    xs = draw(axis, curves, lambda f: f.get("share"))
    if xs:
        axis.axhline(1, color="#777777", linestyle=":")
        axis.set_ylim(bottom=0)
        width_axis(axis, xs)
        axis.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    finish(plots, f"{run.name}-{device}-shares",
           "Share of the limit; above 100%: a better method than the schoolbook's, which the limit counts",
           figure, axis, xs)


def plot_peers(run, device, plots, operation, key):
    names = run.peers(device, operation)
    curves = [("warpint", run.series(device, operation, kind="vector"))]
    curves += [(name, run.series(device, operation, by=name)) for name in names]
    if len(curves) < 2:
        return
    figure, axis = axes(f"{operation}: {run.machine(device)}", RATE)
    xs = draw(axis, [(label, of_standard_width(points)) for label, points in curves], lambda f: f["rate"])
    if xs:
        width_axis(axis, xs)
        rate_axis(axis)
    finish(plots, f"{run.name}-{device}-{key}", f"{operation} beside other code on the same device", figure, axis, xs)


def plot_fused(run, device, plots):
    operation = "(a * b + c) % m"
    figure, axis = axes(f"{operation}: {run.machine(device)}", RATE)
    curves = [("one formula", run.series(device, operation)),
              ("one launch per operator", run.series(device, operation, by="one launch per operator"))]
    xs = draw(axis, curves, lambda f: f["rate"])
    if xs:
        width_axis(axis, xs)
        rate_axis(axis)
    finish(plots, f"{run.name}-{device}-fused", "One formula against one launch for each operator", figure, axis, xs)


def plot_devices(run, plots):
    if len(run.devices) < 2:
        return
    figure, axis = axes("GPU over all cores of the CPU", "times the CPU's rate")
    curves = []
    for operation in ("a + b",) + MULTIPLYING + DIVIDING[3:]:
        cpu = dict(run.series("cpu", operation, kind="vector"))
        curves.append((operation, [(width, {"rate": f["rate"] / cpu[width]["rate"]})
                                   for width, f in of_standard_width(run.series("gpu", operation, kind="vector"))
                                   if width in cpu]))
    xs = draw(axis, curves, lambda f: f["rate"])
    if xs:
        width_axis(axis, xs)
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    finish(plots, f"{run.name}-devices", f"{run.machine('gpu')} over {run.machine('cpu')}, the same formulas",
           figure, axis, xs)


def plot_batches(run, device, plots):
    figure, axis = axes(f"Batch size: {run.machine(device)}", RATE, "numbers of a batch")
    curves = []
    for operation, width in (("a * b % m", 256), ("pow(a, e, m)", 2048)):
        points = sorted(((f["count"], f) for f in run.figures if f not in run.faults and "count" in f
                         and (f["device"], f["operation"], f["width"], f["by"], f["kind"], f["layout"]) ==
                         (device, operation, width, "warpint", "vector", "numbers")), key=lambda point: point[0])
        curves.append((f"{operation}, {width} bits", points))
    xs = draw(axis, curves, lambda f: f["rate"])
    if xs:
        axis.set_xscale("log")
        rate_axis(axis)
    finish(plots, f"{run.name}-{device}-batches", "Rate by batch size: small batches leave the device idle",
           figure, axis, xs, least=3)


def as_html(head, rows):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in cells) + "</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;font-size:13px;margin:1rem 0;display:block;overflow-x:auto}
th,td{border-bottom:1px solid #ddd;padding:.15rem .6rem;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
figure{display:inline-block;vertical-align:top;margin:1rem 1rem 1rem 0;width:38rem;max-width:100%}img{max-width:100%}
figcaption{font-size:13px;color:#555;max-width:34rem}pre{overflow-x:auto;background:#f6f6f6;padding:.6rem}
summary{cursor:pointer}"""


def page_of(run, folder, tables):
    """The sections of one machine; adds its tables as Markdown."""
    plots = Plots(folder)
    sections = []
    for device in run.devices:
        prefix = f"{run.name}-{device}"
        plot_rates(run, device, plots, f"{prefix}-products", "Products and powers", MULTIPLYING)
        plot_rates(run, device, plots, f"{prefix}-others", "Sums, divisions, number theory", STREAMS[:1] + DIVIDING)
        plot_shares(run, device, plots)
        plot_peers(run, device, plots, "pow(a, e, m)", "pow")
        plot_peers(run, device, plots, "a * b % m", "mulmod")
        plot_peers(run, device, plots, "a * b", "mul")
        plot_fused(run, device, plots)
        plot_batches(run, device, plots)
    plot_devices(run, plots)
    description = run.description
    sections.append(f"<h2>{html.escape(' and '.join(run.machine(device) for device in run.devices))}</h2>"
                    f"<p>{html.escape(description.get('date', ''))}, warpint {html.escape(description.get('version', '?'))}, "
                    f"commit {html.escape(description.get('commit', '?'))}</p>"
                    f"<pre>{html.escape(description.get('command', ''))}</pre>")
    faults = faults_of(run)
    if faults:
        sections.append("<p><strong>Wrong or failed:</strong></p><ul>" +
                        "".join(f"<li>{html.escape(fault)}</li>" for fault in faults) + "</ul>")
        tables.append(f"## Wrong or failed, {run.name}\n\n" + "\n".join(f"- {fault}" for fault in faults) + "\n")
    doubtful = [f"{f['operation']} {f['layout']} ({f['device']}): +-{50 * f['spread']:.0f}%" for f in run.figures
                if f["kind"] == "ceiling" and f.get("spread", 0) > DOUBTFUL_SPREAD]
    if doubtful:
        sections.append("<p><strong>The machine was busy: shares of these limits mean little:</strong> "
                        f"{html.escape(', '.join(doubtful))}</p>")
    sections.append(plots.html())
    for title, head, rows in tables_of(run):
        sections.append(f"<h3>{html.escape(title)}</h3>" + as_html(head, rows))
        tables.append(f"## {title}\n\n{as_markdown(head, rows)}\n")
    for paper, machine, found in papers.report(description, run.figures, [paper.key for paper in papers.PAPERS]):
        found = [table for table in found if any(not row[0].startswith("paper") for row in table.rows)]
        if not found:
            continue
        sections.append(f"<h3>{html.escape(paper.title)}</h3><p>Measured there: {html.escape(paper.gpu)}. Here: "
                        f"{html.escape(machine)}. {html.escape(paper.remark)}</p>")
        for table in found:
            sections.append(as_html([table.title] + table.columns, table.rows))
    for device in run.devices:
        head, rows = table_of_all(run, device)
        sections.append(f"<details><summary>All {len(rows)} figures, {html.escape(run.machine(device))}</summary>"
                        + as_html(head, rows) + "</details>")
    return "\n".join(sections)


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    source, folder = Path(arguments[0]), Path(arguments[1] if len(arguments) == 2 else "report")
    files = sorted(source.glob("*.jsonl")) if source.is_dir() else [source]
    if not files:
        print(f"report.py: no *.jsonl in {source}", file=sys.stderr)
        return 2
    tables = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        runs = [Run(path) for path in files]
        body = "\n".join(page_of(run, folder, tables) for run in runs)
    except (OSError, ValueError) as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 2
    (folder / "report.html").write_text(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>warpint, measured</title><style>{STYLE}'
        f"</style></head><body><h1>warpint, measured</h1>{body}</body></html>\n", encoding="utf-8")
    (folder / "tables.md").write_text("\n".join(tables), encoding="utf-8")
    print(f"{folder / 'report.html'}, {len(list(folder.glob('*.svg')))} plots, tables.md")
    return 1 if any(run.faults for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
