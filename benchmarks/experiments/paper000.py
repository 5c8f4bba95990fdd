"""Paper 000: Băzăvan, Li and Sminchisescu, Fourier Kernel Learning (ECCV 2012)."""
import math
import random

import plot
from data_sets import COVTYPE, last_column, lines, ranges, side_by_side, views_and_labels
from harness import Commands, Plot, Table, experiment, mean, mean_error, number, percent, seconds, standard_error

# Names, files, rows in the file, test rows, features of RFF-SKL, and the error of a constant prediction.
SINGLE = [("covtype", COVTYPE, 92962, 5000, 1000, 0.4876),
          ("protein_tertiary", "protein_tertiary/protein_tertiary.csv.gz", 45730, 5000, 1000, 6.118),
          ("skin", "skin/skin_nonskin.csv.gz", 245057, 20000, 300, 0.2075)]
SIZES = [1000, 2500, 5000, 10000]

SCENES = views_and_labels("scene15")

# Names, files of the channels, and their numbers of columns.
SEVERAL = {
    "mfeat": (["mfeat-fou", "mfeat-fac", "mfeat-kar", "mfeat-pix", "mfeat-zer", "mfeat-mor"], 649),
    "msrc_v1": (["cm24", "hog576", "gist512", "lbp256", "centrist254"], 1622),
    "scene15": (["view1_20", "view2_59", "view3_40"], 119),
    "landuse21": (["view1_20", "view2_59", "view3_40"], 119)}
FILES = [f"{name}/{file}.csv.gz" for name, (channels, _) in SEVERAL.items() for file in channels + ["labels"]]
FEATURES = 100
SEEDS = [1, 2, 3, 4, 5]


def split(run, name, tested, sizes, read):
    """Writes NAME-test.csv and one file NAME-N.csv for each number of training rows; smaller sets are part of larger
    ones. `read` returns the header, or None, and the rows."""

    def make():
        header, rows = read()
        random.Random(1).shuffle(rows)
        parts = [rows[:tested]] + [rows[tested:tested + n] for n in sizes]
        return ["\n".join(([header] if header else []) + part) + "\n" for part in parts]

    run.write([f"{name}-{part}.csv" for part in ["test"] + sizes], make)


def with_header(run, file):
    found = lines(run, file)
    return found[0], found[1:]


def error_of(found):
    return found["rmse"] if found.get("error") is None else found["error"]


def shown(found):
    """The error as text: a percentage for classes, the root mean square for numbers."""
    if found is None:
        return "–"
    return number(found["rmse"]) if found.get("error") is None else percent(found["error"])


def measured(run, *arguments, outputs=()):
    """The result of a command and its processor time."""
    found = run(*arguments, outputs=outputs)
    return found, run.cpu


def single(run, name, n, features, *flags):
    target = ["--positive", "2"] if name == "covtype" else []
    how = ["--map", "none"] if features is None else ["--features", features]
    return measured(run, "learn-kernel", f"+/{name}-{n}.csv", "--test", f"+/{name}-test.csv", *target, "--kernel", "gaussian",
                    "--scale", "standard", "--objective", "validation(share=0.5)", *how, *flags)


@experiment("000", "table-3", "RFF-SKL against KRR-GD over the number of rows", files=[one[1] for one in SINGLE])
def table_3(run):
    rows, errors, times = [], [], []
    for i, (name, file, total, tested, features, constant) in enumerate(SINGLE):
        full = total - tested
        split(run, name, tested, SIZES + [full], lambda: with_header(run, file))
        learned = {n: single(run, name, n, features, "--iterations", "10") for n in SIZES + [full]}
        exact = {n: single(run, name, n, None, "--iterations", "10") for n in SIZES}
        for n, (found, cpu) in learned.items():
            other, longer = exact.get(n, (None, None))
            rows.append([f"{name}, D = {features:,}", f"{n:,}", shown(found), shown(other), seconds(cpu), seconds(longer)])
        for kind, results, dashed in (("RFF-SKL", learned, False), ("KRR-GD", exact, True)):
            sizes = list(results)
            relative = [error_of(results[n][0]) / constant if results[n][0] else None for n in sizes]
            errors.append(plot.Series(f"{name}, {kind}", sizes, relative, dashed=dashed, colour=i))
            times.append(plot.Series(f"{name}, {kind}", sizes, [results[n][1] for n in sizes], dashed=dashed, colour=i))
    paper = Table(["rows (paper, VOC 2011 segments)", "2,500", "5,000", "7,500", "10,000", "20,000", "60,000"],
                  [["RFF-SKL, accuracy", "0.21", "0.25", "0.28", "0.29", "0.31", "0.32"],
                   ["KRR-GD, accuracy", "0.24", "0.29", "0.31", "0.32", "\\*", "\\*"]])
    return [Commands.of(run, {r"(\w+)-\d+\.csv": r"\1-ROWS.csv"}),
            paper,
            Table(["data", "rows", "RFF-SKL, error", "KRR-GD, error", "RFF-SKL, time", "KRR-GD, time"], rows),
            Plot("Error over the number of rows",
                 plot.chart("Error, as a share of the error of a constant", "training rows", "error", errors, True, True),
                 "errors"),
            Plot("Time over the number of rows",
                 plot.chart("Processor time of learning, testing included", "training rows", "seconds", times, True, True),
                 "times")]


def insensitive(residual, epsilon):
    return max(0.0, abs(residual) - epsilon)


def softplus(value):
    return value + math.log1p(math.exp(-value)) if value > 0 else math.log1p(math.exp(value))


def smooth(residual, epsilon, gamma):
    """The gamma-logistic loss of the paper, 0 at a residual of 0."""
    return (softplus(gamma * (residual - epsilon)) + softplus(gamma * (-residual - epsilon))
            - 2 * softplus(-gamma * epsilon)) / gamma


def signed(row):
    """The row with the label 1 for class 2 and -1 for the others."""
    columns, label = row.rsplit(",", 1)
    return f"{columns},{1 if label == '2' else -1}"


@experiment("000", "figure-1", "The gamma-logistic loss beside the epsilon-insensitive loss", files=[COVTYPE])
def figure_1(run):
    epsilon, gammas, kept = 0.1, [1, 5, 10], []
    grid = [k / 50 for k in range(-100, 101)]
    curves = [plot.Series("ε-insensitive", grid, [insensitive(r, epsilon) for r in grid], mark="line")]
    curves += [plot.Series(f"γ = {g}", grid, [smooth(r, epsilon, g) for r in grid], mark="line", dashed=True) for g in gammas]

    def read():
        header, rows = with_header(run, COVTYPE)
        return header, [signed(row) for row in rows]

    split(run, "signed", 5000, [5000], read)
    for gamma in gammas + [50, None]:
        learner = f"svr(C=1, epsilon={epsilon}" + (f", gamma={gamma}" if gamma else "") + ", tolerance=1e-5, iterations=1000)"
        model = f"model-{gamma}.bochner"
        found, cpu = measured(run, "train", "+/signed-5000.csv", "--task", "regress", "--scale", "standard", "--kernel",
                              "gaussian(sigma=3)", "--features", 500, "--learner", learner, "--model", "+/" + model,
                              outputs=[model])
        sums = []
        for part in ("5000", "test"):
            text = run("predict", "+/" + model, f"+/signed-{part}.csv")
            scores = [float(line) for line in text.split()]
            labels = [float(label) for label in last_column(run, f"signed-{part}.csv", header=True)]
            sums.append((sum(insensitive(s - y, epsilon) for s, y in zip(scores, labels)),
                         sum(smooth(s - y, epsilon, gamma) for s, y in zip(scores, labels)) if gamma else None,
                         mean((s > 0) != (y > 0) for s, y in zip(scores, labels)), len(labels)))
        (train, own, _, _), (test, _, wrong, tested) = sums
        penalty = found["solver"]["objective"] - (own if gamma else train)
        kept.append((gamma, train + penalty, test / tested, wrong, cpu))
    least = kept[-1][1]
    rows = [[f"γ = {gamma}" if gamma else "exact", percent(objective / least - 1), number(test, 3), percent(wrong), seconds(cpu),
             number(max(abs(insensitive(r, epsilon) - smooth(r, epsilon, gamma)) for r in grid)) if gamma else "0"]
            for gamma, objective, test, wrong, cpu in kept]
    return [Plot("The losses", plot.chart("The ε-insensitive loss with ε = 0.1, and its smooth forms", "prediction − label",
                                          "loss", curves)),
            Commands.of(run, {r"model-.*\.bochner": "MODEL", r"(svr\(.*gamma=)\d+(,.*)": r"\1G\2"}),
            Table(["loss", "excess of the exact objective", "mean exact loss, test rows", "error, test rows", "time",
                   "largest difference of the losses on [−2, 2]"], rows)]


def scenes(run, sizes, label=lambda text: text):
    """Training files scene-N.csv of scene15, with the channels side by side and the label last, and 1,485 test rows."""

    def read():
        rows = [row.rsplit(",", 1) for row in side_by_side(run, SCENES)]
        return None, [f"{columns},{label(name)}" for columns, name in rows]

    split(run, "scene", 1485, sizes, read)


def channels(run, n, kernel, *flags):
    columns = ",".join(f"{name}={columns}" for name, columns in zip("abc", ranges()))
    return measured(run, "mkl", f"+/scene-{n}.csv", "--test", "+/scene-test.csv", "--header", "no", "--channels", columns,
                    "--scale", "unit-l1[*]", "--kernel", kernel, "--plain", "--folds", 3, *flags)


def curves(title, results, sizes, value, label, **axes):
    series = [plot.Series(name, sizes, [value(found[n]) for n in sizes]) for name, found in results.items()]
    return plot.chart(title, "training rows", label, series, **axes)


@experiment("000", "figure-2", "RFF-MKL against GMKL: exp-chi2 kernels of three channels, epsilon-insensitive loss",
            files=SCENES)
def figure_2(run):
    sizes, loss = [500, 1000, 2000], "smooth-insensitive(epsilon=0.1, gamma=10)"
    scenes(run, sizes, lambda text: "1" if int(text) <= 7 else "0")
    ways = {"RFF-MKL, d = 500": lambda n: ["--features", 500], "GMKL": lambda n: ["--map", f"landmarks({n}, whitened)"]}
    results = {name: {n: channels(run, n, "exp-chi2", "--loss", loss, *flags(n)) for n in sizes}
               for name, flags in ways.items()}
    rows = [[name] + [f"{percent(found[n][0]['error'])}, {seconds(found[n][1])}" for n in sizes]
            for name, found in results.items()]
    return [Commands.of(run, {r"scene-\d+\.csv": "scene-ROWS.csv", r"landmarks\(\d+, whitened\)": "landmarks(ROWS, whitened)"}),
            Table(["error, time"] + [f"{n:,} rows" for n in sizes], rows),
            Plot("Error over the number of rows", curves("Error on scene15", results, sizes, lambda one: one[0]["error"], "error",
                                                         log_x=True), "errors"),
            Plot("Time over the number of rows", curves("Processor time of learning, testing included", results, sizes,
                                                        lambda one: one[1], "seconds", log_x=True, log_y=True), "times")]


@experiment("000", "figure-3-left", "Skewed chi2 with three numbers of features, and GMKL", files=SCENES)
def figure_3_left(run):
    sizes = [500, 1000, 2000]
    scenes(run, sizes)
    ways = {f"RFF-MKL, d = {d:,}": ["--features", d] for d in (100, 300, 1000)}
    ways["GMKL"] = ["--map", "none"]
    results = {name: {n: channels(run, n, "skewed-chi2(c=0.01)", *flags) for n in sizes} for name, flags in ways.items()}
    rows = [[name] + [f"{percent(found[n][0]['error'])}, {seconds(found[n][1])}" for n in sizes]
            for name, found in results.items()]
    return [Commands.of(run, {r"scene-\d+\.csv": "scene-ROWS.csv", "--features": "D"}),
            Table(["error, time"] + [f"{n:,} rows" for n in sizes], rows),
            Plot("Error over the number of rows", curves("Error on scene15, skewed chi2", results, sizes,
                                                         lambda one: one[0]["error"], "error", log_x=True))]


def several(run, name, model, seed):
    """The result and processor time of a model of the paper on data with several channels."""
    files, columns = SEVERAL[name]
    shared = [part for i, file in enumerate(files) for part in ("--channel", f"c{i}=@/{name}/{file}.csv.gz")]
    shared += ["--labels", f"@/{name}/labels.csv.gz", "--label", "none", "--holdout", "0.3", "--seed", seed, "--scale",
               "standard", "--kernel", "gaussian"]
    one = ["--features", FEATURES * len(files)]
    flags = {"RFF-SQL-MKL": ["mkl", *shared, "--features", FEATURES],
             "RFF-SQL-MKL-JOINT": ["mkl", *shared, "--features", FEATURES, "--joint"],
             "RFF-SQL-SQR-MKL": ["mkl", *shared, "--features", FEATURES, "--norm", "average"],
             "RFF-SQL-SKL": ["train", *shared, *one, "--bandwidth", "median"],
             "RFF-SQL-SKL-JOINT": ["mkl", *shared, *one, "--channels", f"all=0:{columns}", "--norm", "average", "--joint"]}
    return measured(run, *flags[model])


# Placeholders of the commands of `several`.
VARYING = {"--seed": "SEED", r"c\d+=.*": "NAME=FILE", r"all=0:\d+": "all=0:COLUMNS", "300|500|600": "D"}


@experiment("000", "figure-3-right", "Joint models against models with fixed scales", files=FILES)
def figure_3_right(run):
    models = ["RFF-SQL-MKL", "RFF-SQL-MKL-JOINT", "RFF-SQL-SKL", "RFF-SQL-SKL-JOINT"]
    errors = {(model, name): [several(run, name, model, seed)[0]["error"] for seed in SEEDS]
              for name in SEVERAL for model in models}
    rows = [[model] + [mean_error(errors[model, name]) for name in SEVERAL] for model in models]
    clear = {"lower": [], "higher": []}
    for kind in ("MKL", "SKL"):
        gains = [[a - b for a, b in zip(errors[f"RFF-SQL-{kind}", name], errors[f"RFF-SQL-{kind}-JOINT", name])]
                 for name in SEVERAL]
        rows.append([f"gain of the joint {kind} model, paired"] + [mean_error(gain) for gain in gains])
        for name, gain in zip(SEVERAL, gains):
            if abs(mean(gain)) > 2 * standard_error(gain):
                clear["lower" if mean(gain) > 0 else "higher"].append(f"{kind} on {name}")
    found = "; ".join(f"{way}: {', '.join(cases) or 'none'}" for way, cases in clear.items())
    return [Commands.of(run, VARYING), Table([f"error ± standard error, {len(SEEDS)} seeds"] + list(SEVERAL), rows),
            f"Errors of a joint model that differ by more than two standard errors from those with fixed scales – {found}."]


@experiment("000", "table-4", "Accuracy and time of the models with fixed scales", files=FILES)
def table_4(run):
    paper = {"RFF-SQL-MKL": ("18.5%", "196 ± 42 s"), "RFF-SQL-SQR-MKL": ("12.3%", "101 ± 41 s"),
             "RFF-SQL-SKL": ("10%", "27 ± 13 s")}
    rows = []
    for model, (accuracy, time) in paper.items():
        row = [model, accuracy, time]
        for name in SEVERAL:
            found = [several(run, name, model, seed) for seed in SEEDS]
            row.append(f"{100 - 100 * mean(one['error'] for one, _ in found):.2f}%, {seconds(mean(cpu for _, cpu in found))}")
        rows.append(row)
    return [Commands.of(run, VARYING),
            Table(["model", "accuracy, paper", "time per class, paper"] + [f"{name}: accuracy, time" for name in SEVERAL], rows)]
