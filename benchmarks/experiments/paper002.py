"""Paper 002: Li, Lebanon and Sminchisescu, Chebyshev Approximations to the Histogram chi2 Kernel (CVPR 2012)."""
import csv
import math

from harness import Commands, Plot, Table, deviation, experiment, mean, number, percent
from histogram_sets import OPTDIGITS, VIEWS, files, halves
from plot import Series, chart

KERNEL = "exp-chi2(gamma=1.5)"
CHEBYSHEV = "chebyshev(terms=10, scale=1)"
PERIODIC = "sampled(order=5, period=vlfeat)"
SEEDS = 3
SIZES = (300, 500, 700)
METHODS = ("Chi2", "Chi2-Skewed", "Chebyshev", "PCA-Chebyshev", "VZ", "Exact exp-χ²")


@experiment("002", "figure-1", "The constant of the error of the Chebyshev series, and errors of maps of chi2")
def figure_1(run):
    terms = 1000
    values = [10.0 ** (-8 + e / 4) for e in range(33)]
    numbers = run.write("numbers.csv", "".join(f"{x:.9g}\n" for x in values))
    run("transform", numbers, "--label", "none", "--header", "no", "--scale", "none", "--kernel", "chi2",
        "--map", f"chebyshev(terms={terms}, scale=1)", "--output", "+/series.csv", outputs=["series.csv"])
    with open(run.path("series.csv"), encoding="utf-8") as stream:
        series = [[float(cell) for cell in row] for row in list(csv.reader(stream))[1:]]
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
    return [Commands(f"./bochner transform numbers.csv --label none --scale none --kernel chi2 --output series.csv \\\n"
                     f"    --map 'chebyshev(terms={terms}, scale=1)'\n"
                     "./bochner error --kernel chi2 --map chebyshev --domain 0.0001:1"),
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
        return ["--kernel", KERNEL, "--map", f"fourier(phase)@{CHEBYSHEV}", "--features", 3 * size, "--pca", size]
    first = {"Chebyshev": CHEBYSHEV, "VZ": PERIODIC}[method]
    return ["--kernel", KERNEL, "--map", f"fourier(phase)@{first}", "--features", size]


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
    found[METHODS[5], None] = [accuracy(["--kernel", KERNEL, "--map", "none"], 1)]
    return found


def spread(values):
    return percent(mean(values)) + (f" ± {100 * deviation(values):.2f}" if len(values) > 1 else "")


def accuracy_table(found, published, sizes):
    """The accuracies of the paper beside ours. A row that does not depend on the size stands in the first column."""
    header = ["method"] + [f"paper, {size}" for size in sizes] + [f"here, {size}" for size in SIZES]
    rows = []
    for method, numbers in published.items():
        ours = [spread(found[method, size]) if (method, size) in found else "" for size in SIZES]
        if (method, None) in found:
            ours[0] = spread(found[method, None])
        rows.append([method] + list(numbers) + [""] * (len(sizes) - len(numbers)) + ours)
    return Table(header, rows)


TRAIN = """./bochner train TRAIN --test TEST --scale unit-l1 --learner ridge --seed SEED \\
    --kernel 'exp-chi2(gamma=1.5)' --map 'fourier(phase)@chebyshev(terms=10, scale=1)' --features D
./bochner train … --map 'fourier(phase)@chebyshev(terms=10, scale=1)' --features 3D --pca D
./bochner train … --map 'fourier(phase)@sampled(order=5, period=vlfeat)' --features D
./bochner train … --kernel 'skewed-chi2(c=C, power=0.5)' --map 'fourier(phase)' --features D
./bochner train … --kernel chi2 --map 'chebyshev(terms=D/BINS, scale=1)'
./bochner train … --kernel 'exp-chi2(gamma=1.5)' --map none"""

PAPER_SIZES = (3000, 5000, 7000)


@experiment("002", "table-1", "Accuracy over the number of features, on optdigits", files=OPTDIGITS)
def table_1(run):
    found = accuracies(run, "@/" + OPTDIGITS[0], "@/" + OPTDIGITS[1], 64, 0.03, SEEDS)
    published = dict(zip(METHODS, (
        ("29.15%", "30.50%", "31.22%"), ("30.08% ± 0.74", "30.37% ± 0.63", "30.51% ± 0.35"),
        ("31.26% ± 0.62", "32.75% ± 0.71", "33.03% ± 0.87"), ("32.74% ± 0.62", "33.35% ± 0.68", "33.49% ± 0.45"),
        ("31.37% ± 0.77", "32.19% ± 0.83", "32.66% ± 0.78"), ("34.34%",))))
    return [Commands(TRAIN), accuracy_table(found, published, PAPER_SIZES)]


@experiment("002", "table-2", "Accuracy over the number of features, on scene15 and landuse21",
            files=files("scene15") + files("landuse21"))
def table_2(run):
    published = dict(zip(METHODS, (
        ("41.91%", "42.32%", "42.12%"), ("39.82% ± 0.73", "40.79% ± 0.55", "40.90% ± 0.82"),
        ("41.48% ± 0.95", "42.52% ± 0.88", "42.65% ± 0.47"), ("42.80% ± 0.74", "43.25% ± 0.55", "43.42% ± 0.42"),
        ("41.08% ± 1.22", "42.06% ± 0.92", "42.46% ± 0.72"), ("44.19%",))))
    parts = [Commands(TRAIN)]
    for name in ("scene15", "landuse21"):
        train, test = halves(run, name, VIEWS[1][0])
        found = accuracies(run, train, test, VIEWS[1][1], 0.01, SEEDS)
        parts += [f"{name}, 59 bins:", accuracy_table(found, published, PAPER_SIZES)]
    return parts


def ranges():
    start = 0
    for _, bins in VIEWS:
        yield f"[{start}:{start + bins}]"
        start += bins


@experiment("002", "table-3", "Several descriptors, and components of training and test rows",
            files=files("scene15") + files("landuse21"))
def table_3(run):
    kernel = " + ".join(KERNEL + one for one in ranges())
    scale = " + ".join("unit-l1" + one for one in ranges())
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
            row.append(spread([run(
                "train", train, "--test", test, "--scale", scale, "--kernel", kernel, "--learner", "ridge",
                *[test if one == "TEST" else one for one in arguments], "--seed", seed)["accuracy"] for seed in seeds]))
        rows.append(row)
    return [Commands(f"""./bochner train TRAIN --test TEST --scale 'unit-l1[0:20] + unit-l1[20:79] + unit-l1[79:119]' \\
    --kernel 'exp-chi2(gamma=1.5)[0:20] + exp-chi2(gamma=1.5)[20:79] + exp-chi2(gamma=1.5)[79:119]' \\
    --learner ridge --map 'fourier(phase)@chebyshev(terms=10, scale=1)' --features {wide} --seed SEED
./bochner train … --map 'fourier(phase)@sampled(order=5, period=vlfeat)' --features {wide}
./bochner train … --map 'fourier(phase)@chebyshev(terms=10, scale=1)' --features {drawn} --pca {kept} --unlabelled TEST
./bochner train … --map 'fourier(phase)@chebyshev(terms=10, scale=1)' --features {drawn} --pca {kept}
./bochner train … --map 'landmarks({wide // 2})'
./bochner train … --map none"""),
            Table(["method", "paper, pixel AP", "scene15, accuracy", "landuse21, accuracy"], rows)]


@experiment("002", "table-4", "Many classes, with and without calibrated scores", files=files("landuse21"))
def table_4(run):
    train, test = halves(run, "landuse21", VIEWS[1][0])

    def effect(arguments):
        return run("train", train, "--test", test, "--scale", "unit-l1", *arguments, "--learner", "ridge", "--seed", 1,
                   "--calibrate", "quantile")["calibrationEffect"]

    def cells(found, key):
        one = found[key]
        return [percent(1 - one["error"]), percent(1 - one["topError"]), f"{one['meanRank']:.2f}"]

    published = {"Chebyshev": ("16.30% ± 0.04", "17.11% ± 0.04", "17.63% ± 0.09"),
                 "PCA-Chebyshev": ("16.66% ± 0.08", "18.05% ± 0.08", "18.85% ± 0.10"),
                 "VZ": ("16.05% ± 0.04", "16.97% ± 0.08", "17.46% ± 0.09")}
    published["Linear"] = ("11.6%", "", "")
    rows = []
    for method, paper in published.items():
        sizes = SIZES if method != "Linear" else [""]
        for size, paper_size, accuracy in zip(sizes, PAPER_SIZES, paper):
            found = effect(["--kernel", "linear"] if method == "Linear" else flags(method, size, VIEWS[1][1], None))
            rows.append([method, size, f"{accuracy} ({paper_size})" if size else accuracy]
                        + cells(found, "uncalibrated") + cells(found, "calibrated"))
    measures = ["accuracy", "top-5 accuracy", "mean rank"]
    return [Commands("""./bochner train TRAIN --test TEST --scale unit-l1 --learner ridge --calibrate quantile \\
    --kernel 'exp-chi2(gamma=1.5)' --map 'fourier(phase)@chebyshev(terms=10, scale=1)' --features D"""),
            Table(["method", "D", "paper, accuracy (D)"] + [f"{one}, uncalibrated" for one in measures]
                  + [f"{one}, calibrated" for one in measures], rows)]
