"""Paper 002: Li, Lebanon and Sminchisescu, Chebyshev Approximations to the Histogram chi2 Kernel (CVPR 2012)."""
import csv
import math

from data_sets import EXPONENTIAL, OPTDIGITS, VIEWS, halves, ranges, views_and_labels
from harness import Commands, Plot, Table, experiment, mean_deviation, number, percent
from plot import Series, chart

CHEBYSHEV = "chebyshev(terms=10, scale=1)"
PERIODIC = "sampled(order=5, period=vlfeat)"
BOTH = views_and_labels("scene15") + views_and_labels("landuse21")
SEEDS = 3
SIZES = (300, 500, 700)
METHODS = ("Chi2", "Chi2-Skewed", "Chebyshev", "PCA-Chebyshev", "VZ", "Exact exp-χ²")


@experiment("002", "figure-1", "The constant of the error of the Chebyshev series, and errors of maps of chi2")
def figure_1(run):
    terms = 1000
    values = [10.0 ** (-8 + e / 4) for e in range(33)]
    run.write(["numbers.csv"], lambda: ["".join(f"{x:.9g}\n" for x in values)])
    run("transform", "+/numbers.csv", "--label", "none", "--header", "no", "--scale", "none", "--kernel", "chi2",
        "--map", f"chebyshev(terms={terms}, scale=1)", "--output", "+/series.csv", outputs=["series.csv"])
    series = [[float(cell) for cell in row] for row in list(csv.reader(run.read("series.csv").splitlines()))[1:]]
    measured = [math.sqrt(2 * terms * max(0.0, 1 - math.fsum(c * c for c in row) / x)) for x, row in zip(values, series)]
    formula = [2 / math.pi * math.sqrt(-math.log(x) * math.tanh(-math.log(x) / 2)) for x in values]
    rows = [[number(x), number(a), number(b), number(a * math.sqrt(x))]
            for x, a, b in list(zip(values, measured, formula))[::4]]
    constants = chart("Constant of the error of the Chebyshev series", "value of the histogram", "C", [
        Series("C, measured", values, measured, mark="points"),
        Series("C, formula", values, formula, mark="line"),
        Series("C·√x, measured", values, [a * math.sqrt(x) for x, a in zip(values, measured)], mark="line")], log_x=True)
    found = run("error", "--kernel", "chi2", "--map", "chebyshev", "--domain", "0.0001:1")
    names = {"chebyshev": "chebyshev (section 3)", "direct": "direct (section 5)", "sampled": "sampled (VZ)",
             "lp": "lp (designed)"}
    curves = {name: [] for name in names}
    for report in found["comparison"]:
        curves[report["map"].split("(")[0]].append((report["width"], report["rms"]))
    errors = chart("RMS error of maps of the χ² kernel, values from 0.0001 to 1", "features per column", "RMS error", [
        Series(names[name], [x for x, _ in points], [y for _, y in points]) for name, points in curves.items()],
        log_y=True)
    return [Commands.of(run),
            Plot("The constant C over the value of the histogram", constants),
            Table(["x", "C, measured", "C, formula", "C·√x"], rows, ()),
            Plot("RMS error over the number of features per column", errors, "errors")]


def flags(method, size, bins, skewness):
    """The flags of train for a row of Tables 1 and 2."""
    if method == "Chi2":
        return ["--kernel", "chi2", "--map", f"chebyshev(terms={size // bins}, scale=1)"]
    if method == "Chi2-Skewed":
        return ["--kernel", f"skewed-chi2(c={skewness}, power=0.5)", "--map", "fourier(phase)", "--features", size]
    if method == "PCA-Chebyshev":
        return ["--kernel", EXPONENTIAL, "--map", f"fourier(phase)@{CHEBYSHEV}", "--features", 3 * size, "--pca", size]
    first = {"Chebyshev": CHEBYSHEV, "VZ": PERIODIC}[method]
    return ["--kernel", EXPONENTIAL, "--map", f"fourier(phase)@{first}", "--features", size]


def accuracies(run, train, test, bins, skewness, seeds):
    """The accuracy of each method, size and seed."""
    found = {}

    def accuracy(arguments, seed):
        return run("train", train, "--test", test, "--scale", "unit-l1", *arguments, "--learner", "ridge",
                   "--seed", seed)["accuracy"]

    for size in SIZES:
        found["Chi2", size] = [accuracy(flags("Chi2", size, bins, skewness), 1)]
        for method in METHODS[1:5]:
            found[method, size] = [accuracy(flags(method, size, bins, skewness), seed) for seed in range(1, seeds + 1)]
    found[METHODS[5], None] = [accuracy(["--kernel", EXPONENTIAL, "--map", "none"], 1)]
    return found


def accuracy_table(found, published, sizes):
    """The accuracies of the paper beside ours. A row that does not depend on the size stands in the first column."""
    header = ["method"] + [f"paper, {size}" for size in sizes] + [f"here, {size} ± standard deviation" for size in SIZES]
    rows = []
    for method, numbers in published.items():
        ours = [mean_deviation(found[method, size]) if (method, size) in found else "" for size in SIZES]
        if (method, None) in found:
            ours[0] = mean_deviation(found[method, None])
        rows.append([method] + list(numbers) + [""] * (len(sizes) - len(numbers)) + ours)
    return Table(header, rows)


# Placeholders: D is the number of features or components.
VARYING = {"--seed": "SEED", "|".join(str(size) for size in SIZES): "D", "|".join(str(3 * size) for size in SIZES): "3D",
           r"chebyshev\(terms=\d+, scale=1\)": "chebyshev(terms=D/BINS, scale=1)", r"(\w+)-\w+-(train|test)\.csv": r"\1-\2.csv"}

PAPER_SIZES = (3000, 5000, 7000)


@experiment("002", "table-1", "Accuracy over the number of features, on optdigits", files=OPTDIGITS)
def table_1(run):
    found = accuracies(run, "@/" + OPTDIGITS[0], "@/" + OPTDIGITS[1], 64, 0.03, SEEDS)
    published = dict(zip(METHODS, (
        ("29.15%", "30.50%", "31.22%"), ("30.08% ± 0.74", "30.37% ± 0.63", "30.51% ± 0.35"),
        ("31.26% ± 0.62", "32.75% ± 0.71", "33.03% ± 0.87"), ("32.74% ± 0.62", "33.35% ± 0.68", "33.49% ± 0.45"),
        ("31.37% ± 0.77", "32.19% ± 0.83", "32.66% ± 0.78"), ("34.34%",))))
    return [Commands.of(run, VARYING), accuracy_table(found, published, PAPER_SIZES)]


@experiment("002", "table-2", "Accuracy over the number of features, on scene15 and landuse21",
            files=BOTH)
def table_2(run):
    published = dict(zip(METHODS, (
        ("41.91%", "42.32%", "42.12%"), ("39.82% ± 0.73", "40.79% ± 0.55", "40.90% ± 0.82"),
        ("41.48% ± 0.95", "42.52% ± 0.88", "42.65% ± 0.47"), ("42.80% ± 0.74", "43.25% ± 0.55", "43.42% ± 0.42"),
        ("41.08% ± 1.22", "42.06% ± 0.92", "42.46% ± 0.72"), ("44.19%",))))
    parts = []
    for name in ("scene15", "landuse21"):
        train, test = halves(run, name, VIEWS[1][0])
        found = accuracies(run, train, test, VIEWS[1][1], 0.01, SEEDS)
        parts += [f"{name}, 59 bins:", accuracy_table(found, published, PAPER_SIZES)]
    return [Commands.of(run, {r".*-(train|test)\.csv": r"DATA-\1.csv", **VARYING})] + parts


@experiment("002", "table-3", "Several descriptors, and components of training and test rows",
            files=BOTH)
def table_3(run):
    kernel = " + ".join(f"{EXPONENTIAL}[{one}]" for one in ranges())
    scale = " + ".join(f"unit-l1[{one}]" for one in ranges())
    wide, drawn, kept = 1200, 2400, 823
    methods = {
        "Chebyshev": ["--map", f"fourier(phase)@{CHEBYSHEV}", "--features", wide],
        "VZ": ["--map", f"fourier(phase)@{PERIODIC}", "--features", wide],
        "PCA-Chebyshev": ["--map", f"fourier(phase)@{CHEBYSHEV}", "--features", drawn, "--pca", kept,
                          "--unlabelled", "TEST"],
        "PCA-training-Chebyshev": ["--map", f"fourier(phase)@{CHEBYSHEV}", "--features", drawn, "--pca", kept],
        "Nyström": ["--map", f"landmarks({wide // 2})"],
        "Kernel SVR (here: exact ridge)": ["--map", "none"]}
    published = ("26.25% ± 0.41", "25.50% ± 0.54", "27.57% ± 0.44", "26.95% ± 0.35", "27.55% ± 0.49", "30.47%")
    rows = []
    for (method, arguments), paper in zip(methods.items(), published):
        row = [method, paper]
        for name in ("scene15", "landuse21"):
            train, test = halves(run, name)
            seeds = (1,) if "none" in arguments else range(1, SEEDS + 1)
            row.append(mean_deviation([run(
                "train", train, "--test", test, "--scale", scale, "--kernel", kernel, "--learner", "ridge",
                *[test if one == "TEST" else one for one in arguments], "--seed", seed)["accuracy"] for seed in seeds]))
        rows.append(row)
    return [Commands.of(run, {"--seed": "SEED", r".*-all-(train|test)\.csv": r"DATA-\1.csv"}),
            Table(["method", "paper, pixel AP", "scene15, accuracy ± standard deviation", "landuse21"], rows)]


@experiment("002", "table-4", "Many classes, with and without calibrated scores", files=views_and_labels("landuse21"))
def table_4(run):
    train, test = halves(run, "landuse21", VIEWS[1][0])

    def trained(arguments, *calibration):
        return run("train", train, "--test", test, "--scale", "unit-l1", *arguments, "--learner", "ridge", "--seed", 1,
                   *calibration)

    published = {"Chebyshev": ("16.30% ± 0.04", "17.11% ± 0.04", "17.63% ± 0.09"),
                 "PCA-Chebyshev": ("16.66% ± 0.08", "18.05% ± 0.08", "18.85% ± 0.10"),
                 "VZ": ("16.05% ± 0.04", "16.97% ± 0.08", "17.46% ± 0.09")}
    rows, orders = [], []
    for method, paper in list(published.items()) + [("Linear", ("11.6%", "", ""))]:
        sizes = SIZES if method in published else (None,)
        settings = [["--kernel", "linear"] if size is None else flags(method, size, VIEWS[1][1], None) for size in sizes]
        plain = [trained(one) for one in settings]
        shifted = [trained(one, "--calibrate", "quantile") for one in settings]
        blank, rest = [""] * 3, [""] * (3 - len(sizes))
        numbers = (blank, list(paper)) if method in published else (list(paper), blank)
        for name, found, known in (("no", plain, numbers[0]), ("yes", shifted, numbers[1])):
            rows.append([method, name] + known + [percent(one["accuracy"]) for one in found] + rest)
        for size, found in zip(sizes, shifted):
            effect = found["calibrationEffect"]
            orders.append([method, size or "", *(percent(effect[how]["topError"]) for how in ("uncalibrated", "calibrated")),
                           *(number(effect[how]["meanRank"]) for how in ("uncalibrated", "calibrated"))])
    return [Commands.of(run, VARYING),
            Table(["method", "calibrated"] + [f"paper, {size}" for size in PAPER_SIZES] + [f"here, {size}" for size in SIZES],
                  rows, (0, 1)),
            "The ranking of the classes of a test row, without and with the calibration:",
            Table(["method", "D", f"top-{effect['topK']} error", "calibrated", "mean rank of the class", "calibrated"], orders)]
