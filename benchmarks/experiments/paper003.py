"""Paper 003: Chum, Low Dimensional Explicit Feature Maps (ICCV 2015). The experiments need no data sets."""
import csv
import math

import plot
from harness import Commands, Plot, Table, experiment, number

PI = "3.141592653589793"
COSINE = "wavelet(frequency=600, sigma=1000)"  # cos(0.6 z) within 5e-6 for z up to pi
GAUSSIAN = "gaussian(sigma=0.31622776601683794)"  # exp(-5 z^2)


def chi2(x, y):
    return 2 * x * y / (x + y) if x and y else 0.0


def jensen_shannon(x, y):
    return (x * math.log2((x + y) / x) + y * math.log2((x + y) / y)) / 2 if x and y else 0.0


KERNELS = {"chi2": chi2, "intersection": min, "jensen-shannon": jensen_shannon}


def transformed(run, name, lines, *flags):
    """The features of rows, as the command computes them."""
    rows = run.write([f"{name}.csv"], lambda: ["\n".join(lines) + "\n"])[0]
    output = f"{name}-{'-'.join(flags[1::2])}.csv".translate(str.maketrans("(=,) :", "------"))
    run("transform", rows, "--label", "none", "--header", "no", "--scale", "none", *flags, "--output", "+/" + output,
        outputs=[output])
    return [[float(cell) for cell in row] for row in csv.reader(run.read(output).splitlines()) if is_number(row[0])]


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def differences(run, kernel, map_name, highest):
    """The approximation minus the kernel, for all pairs of the numbers 0 to `highest`."""
    features = transformed(run, f"numbers-{highest}", [str(v) for v in range(highest + 1)], "--kernel", kernel, "--map",
                           map_name)
    return [[inner(left, right) - KERNELS[kernel](x, y) for y, right in enumerate(features)]
            for x, left in enumerate(features)]


def inner(left, right):
    return sum(a * b for a, b in zip(left, right))


def largest(matrix):
    return max(abs(value) for row in matrix for value in row)


def squares(matrix):
    return sum(value * value for row in matrix for value in row)


def designed(dimension, highest):
    return f"lp(dimension={dimension}, range=1:{highest})"


def vlfeat(dimension):
    return f"sampled(order={dimension // 2}, period=vlfeat)"


# Placeholders of the commands of `transformed`.
VARYING = {"--output": "FEATURES", r"lp\(dimension=\d+, (.*)": r"lp(dimension=D, \1",
           r"sampled\(order=\d+, (.*)": r"sampled(order=(D-1)/2, \1"}


@experiment("003", "table-1", "Histogram kernels on {0..255}: largest and RMS errors")
def table_1(run):
    published = {
        ("chi2", 5): ("0.163", "0.081", "3.205", "1.251"), ("chi2", 7): ("0.011", "0.005", "0.143", "0.053"),
        ("intersection", 5): ("10.922", "5.376", "30.119", "6.679"),
        ("intersection", 7): ("8.238", "4.053", "22.287", "4.436"),
        ("jensen-shannon", 5): ("0.019", "0.009", "2.911", "1.203"),
        ("jensen-shannon", 7): ("9e-4", "3e-4", "0.127", "0.070")}
    rows = []
    for (kernel, dimension), numbers in published.items():
        for name, spelling, paper in (("designed", designed(dimension, 255), numbers[:2]),
                                      ("VLFeat", vlfeat(dimension), numbers[2:])):
            found = differences(run, kernel, spelling, 255)
            rows.append([f"`{kernel}`", dimension, name, paper[0], number(largest(found)), paper[1],
                         number(math.sqrt(squares(found) / 256 ** 2))])
    return [Commands.of(run, {**VARYING, "--kernel": "KERNEL"}),
            Table(["kernel", "D", "map", "largest error, paper", "here", "RMS error, paper", "here"], rows, (0, 2))]


@experiment("003", "table-2", "The Gaussian kernel of two columns: four ways to design")
def table_2(run):
    ways = {"Proj": ("--form", "projection", "--pool", "polar"), "Proj ⊗": ("--form", "projection"),
            "⊗": ("--form", "modulation"), "⊗ no LP": ("--search", "greedy")}
    published = {31: ("0.1199", "0.0984", "0.1061", "0.2370"), 73: ("0.0292", "0.0148", "0.0137", "0.0439"),
                 101: ("0.0092", "0.0038", "0.0038", "0.0122")}
    rows = []
    for i, (way, flags) in enumerate(ways.items()):
        for dimension, paper in published.items():
            found = two_columns(run, dimension, *flags)
            rows.append([way, f"`{' '.join(flags)}`", dimension, paper[i], number(found["error"]),
                         number(found["bound"]), f"{found['seconds']:.1f}"])
    return [Commands.of(run, {"--dimension": "D"}),
            Table(["paper's name", "flags", "D", "largest error, paper", "here", "lower bound for these frequencies",
                   "seconds"], rows, (0, 1))]


def two_columns(run, dimension, *flags):
    return run("design", "--kernel", GAUSSIAN, "--domain", f"0:{PI},0:{PI}", "--dimension", dimension, *flags)


def cosines(design):
    """The approximation of a design of one column, as a function of the difference."""
    terms = [(frequency[0], weight) for frequency, weight in zip(design["frequencies"], design["weights"])]
    return lambda z: sum(weight * math.cos(frequency * z) for frequency, weight in terms)


def series(signature, order, length=math.pi, points=4000):
    """Weights of the Fourier series of a signature on a range. Negative weights, which no map has, become 0."""
    weights = []
    for j in range(order + 1):
        total = sum(signature((i + 0.5) * length / points) * math.cos(j * math.pi * (i + 0.5) / points)
                    for i in range(points)) / points
        weights.append(max(0.0, total * (1 if j == 0 else 2)))
    return weights


def harmonic(signature, order):
    weights = series(signature, order)
    return lambda z: sum(weight * math.cos(j * z) for j, weight in enumerate(weights))


def curve(name, function, points, **look):
    return plot.Series(name, points, [function(z) for z in points], mark="line", **look)


def rival(design, name):
    return next(one["error"] for one in design["comparison"] if one["map"].startswith(name))


def toy(run, *flags):
    return run("design", "--kernel", COSINE, "--domain", f"0:{PI}", *flags)


@experiment("003", "figure-1", "cos(0.6 z) by harmonics of the range")
def figure_1(run):
    found = toy(run, "--dimension", 9, "--search", "discrete", "--spacing", 1)
    points = [i * 3 * math.pi / 240 for i in range(241)]

    def target(z):
        return math.cos(0.6 * z)

    chart = plot.chart("cos(0.6 z), designed for |z| ≤ π with harmonics 0, 1, 2, …", "z", "kernel", [
        curve("cos(0.6 z)", target, points, colour=6),
        curve("Fourier series", harmonic(target, 4), points, colour=1),
        curve("best weights", cosines(found), points, colour=0, dashed=True)])
    return [Commands.of(run),
            Table(["map", "D", "largest error"],
                  [["Fourier series without its negative weights", 9, number(rival(found, "Fourier series"))],
                   ["best weights of harmonics", found["dimension"], number(found["error"])]]),
            Plot("cos(0.6 z) and two approximations by harmonics", chart)]


@experiment("003", "figure-2", "cos(0.6 z) by frequencies 0, 1/2, 1, …, and by any frequency")
def figure_2(run):
    half = toy(run, "--dimension", 4, "--search", "discrete", "--spacing", 0.5)
    free = toy(run, "--dimension", 2)
    points = [i * 3 * math.pi / 240 for i in range(241)]
    chart = plot.chart("cos(0.6 z), designed for |z| ≤ π with frequencies 0, 1/2, 1, …", "z", "kernel", [
        curve("cos(0.6 z)", lambda z: math.cos(0.6 * z), points, colour=6),
        curve("4-D, multiples of 1/2", cosines(half), points, colour=1)])

    def row(name, design):
        frequencies = ", ".join(number(one[0]) for one in design["frequencies"])
        return [name, design["dimension"], frequencies, number(design["error"])]

    return [Commands.of(run),
            Table(["frequencies", "D", "chosen", "largest error"],
                  [row("multiples of 1/2", half), row("any", free)], (0, 2)),
            Plot("cos(0.6 z) and its approximation by a 4-D map", chart)]


@experiment("003", "figure-3", "Errors of 31-D maps of the Gaussian kernel of two columns")
def figure_3(run):
    steps, limit = 64, 0.3
    axis = [i * math.pi / steps for i in range(steps + 1)]

    def target(a, b):
        return math.exp(-5 * (a * a + b * b))

    def of_design(design):
        terms = list(zip(design["frequencies"], design["weights"]))
        if design["form"] == "modulation":
            return lambda a, b: sum(w * math.cos(f[0] * a) * math.cos(f[1] * b) for f, w in terms)
        return lambda a, b: sum(w * math.cos(f[0] * a + f[1] * b) for f, w in terms)

    weights = series(lambda z: math.exp(-5 * z * z), 8)
    products = sorted(((-p * q, i, j) for i, p in enumerate(weights) for j, q in enumerate(weights)))
    kept, size = [], 0
    for weight, i, j in products:
        features = (2 if i else 1) * (2 if j else 1)
        if size + features <= 31:
            kept.append((-weight, i, j))
            size += features

    def harmonics(a, b):
        return sum(w * math.cos(i * a) * math.cos(j * b) for w, i, j in kept)

    grid = [f"{a!r},{b!r}" for a in axis for b in axis]
    features = transformed(run, "grid", grid, "--kernel", GAUSSIAN, "--map", "structured", "--features", "32")
    random = [inner(features[0], one) for one in features]
    designs = [("Proj ⊗", of_design(two_columns(run, 31, "--form", "projection"))),
               ("⊗", of_design(two_columns(run, 31, "--form", "modulation"))),
               ("⊗ no LP", of_design(two_columns(run, 31, "--search", "greedy"))),
               ("harmonics", harmonics),
               ("structured, 32-D", lambda a, b: random[axis.index(a) * (steps + 1) + axis.index(b)])]
    panels, rows = [], []
    for name, function in designs:
        errors = [[function(a, b) - target(a, b) for a in axis] for b in axis]
        panels.append((f"{name}: {number(largest(errors), 2)}", errors, limit))
        rows.append([name, number(largest(errors))])
    picture = plot.heatmaps(f"Approximation minus kernel on [0, π]², from −{limit} (blue) to {limit} (red)", panels, 3)
    return [Commands.of(run, {"--output": "FEATURES"}),
            Table(["map", "largest error on 65 × 65 points"], rows), Plot("Errors of five maps as images", picture)]


@experiment("003", "figure-4", "The Gaussian kernel of one column, 11-D")
def figure_4(run):
    def design(dimension, *flags):
        return run("design", "--kernel", GAUSSIAN, "--domain", f"0:{PI}", "--dimension", dimension, *flags)

    def target(z):
        return math.exp(-5 * z * z)

    free, large = design(11), design(17)
    pools = {spacing: design(11, "--search", "discrete", "--spacing", spacing) for spacing in ("0.1", "0.05", "0.02")}
    points = [i * math.pi / 300 for i in range(301)]
    features = transformed(run, "points", [repr(z) for z in points], "--kernel", GAUSSIAN, "--map", "fourier",
                           "--features", "64")
    random = [inner(features[0], one) for one in features]
    rows = [["harmonics 0 to 5", 11, "–", number(rival(free, "Fourier series"))],
            ["harmonics 0 to 8", 17, "–", number(rival(large, "Fourier series"))],
            ["random features", 64, "–", number(max(abs(a - target(z)) for a, z in zip(random, points)))]]
    for spacing, found in pools.items():
        rows.append([f"discrete, multiples of {spacing}", found["dimension"], "0.0067, pool not stated",
                     number(found["error"])])
    rows.append(["continuous", free["dimension"], "0.0033", number(free["error"])])
    rows.append(["continuous", large["dimension"], "–", number(large["error"])])

    def error(function):
        return lambda z: function(z) - target(z)

    shapes = plot.chart("exp(−5z²) and two poor approximations", "z", "kernel", [
        curve("exp(−5z²)", target, points, colour=6), curve("11-D harmonics", harmonic(target, 5), points, colour=1),
        plot.Series("64-D random", points, random, mark="line", colour=0)])
    errors = plot.chart("Errors of three maps of exp(−5z²)", "z", "approximation minus kernel", [
        curve("17-D harmonics", error(harmonic(target, 8)), points, colour=1),
        curve("11-D discrete, 0.1", error(cosines(pools["0.1"])), points, colour=2),
        curve("11-D continuous", error(cosines(free)), points, colour=0)])
    return [Commands.of(run, {"--output": "FEATURES", "--dimension": "D", "--spacing": "SPACING"}),
            Table(["map", "D", "largest error, paper", "here"], rows),
            Plot("exp(−5z²), 11 harmonics and 64 random features", shapes, "a"),
            Plot("Errors of three maps", errors, "b")]


@experiment("003", "figure-5", "chi2 on {0..127} and {0..255}: errors of all pairs")
def figure_5(run):
    cases = [("designed 5-D", designed(5, 127), 127, "0.048", "9.121"), ("VLFeat 7-D", vlfeat(7), 127, "0.071", "11.272"),
             ("designed 5-D", designed(5, 255), 255, "0.163", "–"), ("VLFeat 7-D", vlfeat(7), 255, "0.143", "–"),
             ("designed 7-D", designed(7, 255), 255, "0.011", "–"), ("VLFeat 5-D", vlfeat(5), 255, "3.205", "–")]
    rows, panels = [], []
    for name, spelling, highest, paper_largest, paper_squares in cases:
        found = differences(run, "chi2", spelling, highest)
        rows.append([f"{{0..{highest}}}", name, paper_largest, number(largest(found)), paper_squares,
                     number(squares(found), 4)])
        step = 1 if highest < 200 else 2
        panels.append((f"{name}, {{0..{highest}}}: {number(largest(found), 2)}", [row[::step] for row in found[::step]],
                       0.2))
    picture = plot.heatmaps("Approximation minus chi2, from −0.2 (blue) to 0.2 (red)", panels)
    return [Commands.of(run, VARYING),
            Table(["numbers", "map", "largest error, paper", "here", "sum of squares, paper", "here"], rows, (0, 1)),
            Plot("Errors of chi2 maps as images", picture)]


@experiment("003", "figure-6", "chi2 of small ratios: absolute and relative errors")
def figure_6(run):
    ratios = [10 ** (-7 * i / 350) for i in range(351)]
    lines = [repr(ratio) for ratio in ratios]

    def errors(map_name):
        features = transformed(run, "ratios", lines, "--kernel", "chi2", "--map", map_name)
        return [inner(one, features[0]) - chi2(ratio, 1) for ratio, one in zip(ratios, features)]

    maps = {"designed 5-D (128)": designed(5, 128), "designed 5-D (256)": designed(5, 256),
            "designed 7-D (256)": designed(7, 256), "designed 5-D (all)": "lp(dimension=5, universal)",
            "VLFeat 7-D": vlfeat(7)}
    found = {name: errors(spelling) for name, spelling in maps.items()}
    relative = {"designed 5-D": errors("lp(dimension=5, range=1:256, weight=relative)"),
                "designed 7-D": errors("lp(dimension=7, range=1:256, weight=relative)"), "VLFeat 7-D": found["VLFeat 7-D"]}
    rows = []
    for name, values in found.items():
        inside = max(abs(v) for r, v in zip(ratios, values) if r >= 1 / 256)
        rows.append([name, number(inside), number(max(abs(v) for v in values))])
    shares = [[name, number(max(abs(v) / chi2(r, 1) for r, v in zip(ratios, values) if r >= 1 / 256))]
              for name, values in relative.items()]
    whole = plot.chart("Absolute errors of chi2(x, 1)", "x", "absolute error", [
        plot.Series(name, ratios, [abs(v) for v in values], mark="line") for name, values in found.items()],
        log_x=True, log_y=True, y_range=(1e-7, 0.03))
    near = plot.chart("Absolute errors of chi2(x, 1), x ≥ 1/1000", "x", "absolute error", [
        plot.Series(name, ratios, [abs(v) for v in values], mark="line") for name, values in found.items()],
        log_x=True, x_range=(1e-3, 1), y_range=(0, 0.004))
    share = plot.chart("Relative errors of chi2(x, 1)", "x", "relative error", [
        plot.Series(name, ratios, [abs(v) / chi2(r, 1) for r, v in zip(ratios, values)], mark="line")
        for name, values in relative.items()], log_x=True, log_y=True, x_range=(1e-3, 1), y_range=(1e-6, 1))
    return [Commands.of(run, {r"lp\(dimension=\d+, range=1:\d+\)": "lp(dimension=D, range=1:HIGHEST)", **VARYING}),
            Table(["map (designed for ratios up to)", "largest error, ratios up to 256", "ratios up to 10⁷"], rows),
            Table(["map, relative error", "largest relative error, ratios up to 256"], shares),
            Plot("Absolute errors for ratios up to ten million", whole, "a"),
            Plot("Absolute errors for ratios up to 1000", near, "b"), Plot("Relative errors", share, "c")]
