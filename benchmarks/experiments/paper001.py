"""Paper 001: Kumar, Large-Scale Kernel Methods I (lecture, Columbia University, 2010)."""
import math

from data_sets import COVTYPE, OPTDIGITS, lines, views_and_labels
from harness import Commands, Table, experiment, mean, mean_deviation, number, percent, seconds

CPU, HOUSE = "cpu_act/cpu_act.csv.gz", "house_16H/house_16H.csv.gz"
ADULT, ADULT_TEST = "a9a/a9a.gz", "a9a/a9a.t.gz"
KDD, KDD_TEST = "kddcup99/kddcup.data_10_percent.gz", "kddcup99/corrected.gz"
SCENES = views_and_labels("scene15")
DIGITS, DIGITS_TEST = OPTDIGITS
EXACT = 3000  # The rows of exact machines: the time of exact least squares grows with the cube.


def root_mean_square_label(run, name):
    """The root mean square of the last column, which the lecture divides the errors of regression by."""
    kept = f"{name.split('/')[0]}-label.txt"
    run.write([kept], lambda: [repr(math.sqrt(mean(float(line.rsplit(",", 1)[1]) ** 2 for line in lines(run, name)[1:])))])
    return float(run.read(kept))


def time_of(results):
    return mean(one["prepareSeconds"] + one["fitSeconds"] for one in results)


class Task:
    """A data set of the table: its flags, its number of features, and the lecture's numbers."""

    def __init__(self, name, flags, features, seeds, exact_rows, vector, paper, files):
        self.name, self.flags, self.features, self.seeds, self.paper = name, flags, features, seeds, paper
        self.exact_rows, self.vector, self.files = exact_rows, vector, files

    def fourier(self, run):
        return [self.result(run, f"fourier-{seed}", "--features", self.features, "--seed", seed) for seed in self.seeds]

    def exact(self, run, learner):
        return self.result(run, learner[:3], "--map", "none", "--learner", learner, "--subsample", self.exact_rows)

    def result(self, run, name, *flags):
        if len(self.files) < 2 or "--test" in self.flags:
            return run("train", *self.flags, *flags)
        # The test rows have categories that the training rows do not have.
        model = f"{name}.bochner"
        learned = run("train", *self.flags, *flags, "--model", "+/" + model, outputs=[model])
        return {**run("evaluate", "+/" + model, "@/" + self.files[1], "--unseen", "zeros"), **learned}


TASKS = [
    Task("CPU", ["@/" + CPU, "--holdout", "0.2", "--scale", "min-max"], 300, (1, 2, 3), EXACT, "svr(C=100)",
         ("3.6%", "11%"), [CPU]),
    Task("Census: house_16H", ["@/" + HOUSE, "--holdout", "0.2", "--scale", "min-max"], 500, (1, 2, 3), EXACT, None,
         ("5%", "9%"), [HOUSE]),
    Task("Adult: a9a", ["@/" + ADULT, "--test", "@/" + ADULT_TEST, "--columns", "123"], 500, (1, 2, 3), EXACT, "svm(C=1)",
         ("14.9%", "15.1%"), [ADULT, ADULT_TEST]),
    Task("Forest Cover: 16% of the rows", ["@/" + COVTYPE, "--holdout", "0.1", "--positive", "2"], 5000, (1,), EXACT,
         "svm(C=10)", ("11.6%", "2.2%"), [COVTYPE]),
    Task("KDDCUP99: 10% of the rows", ["@/" + KDD, "--positive", "normal."], 50, (1, 2, 3),
         2000, "svm(C=10)", ("7.3%", "8.3%"), [KDD, KDD_TEST])]


@experiment("001", "table-1", "Random features with least squares against exact machines",
            [CPU, HOUSE, ADULT, ADULT_TEST, COVTYPE, KDD, KDD_TEST])
def table_1(run):
    errors, times = [], []
    for task in TASKS:
        maps, ridge = task.fourier(run), task.exact(run, "ridge")
        vector = task.exact(run, task.vector) if task.vector else None
        unit = 1 / root_mean_square_label(run, task.files[0]) if maps[0]["task"] == "regress" else None

        def error(result):
            return None if result is None else result["rmse"] * unit if unit else result["error"]

        errors.append([task.name, f"{maps[0]['rows']:,}", task.features, task.paper[0], mean_deviation([error(one) for one in maps]),
                       task.paper[1], percent(error(vector)), percent(error(ridge)), f"{task.exact_rows:,}"])
        times.append([task.name, seconds(time_of(maps)), seconds(time_of([vector])) if vector else "–",
                      seconds(time_of([ridge]))])
    scales = [[f"`{scale}`"] + [number(run("train", "@/" + file, "--holdout", "0.2", "--scale", scale, "--features", features,
                                           "--seed", 1)["rmse"], 4) for file, features in ((CPU, 300), (HOUSE, 500))]
              for scale in ("min-max", "standard", "none")]
    return [Commands.of(run, {"--seed": "SEED", r".*\.bochner": "MODEL"}),
            Table(["data", "rows", "D", "random features, lecture", "here ± standard deviation", "exact SVM, lecture", "here",
                   "exact least squares, here", "rows of exact machines"], errors),
            "Wall times of these models, without reading the file:",
            Table(["data", "random features", "exact SVM", "exact least squares"], times),
            "Root mean square errors of random features on the test rows of the first seed, for three scalings:",
            Table(["`--scale`", "CPU", "house_16H"], scales)]


SCENE = ["@/" + SCENES[0], "--label", "none", "--labels", "@/" + SCENES[3], "--channel", "b=@/" + SCENES[1], "--channel",
         "c=@/" + SCENES[2], "--scale", "unit-l1[*]", "--holdout", "0.5", "--subsample", "1500"]
HINGE, SQUARED = "svm(C=100)", "svm(C=100, loss=squared-hinge)"


def scenes(run, kernel, *flags, learner="svm(C=100)"):
    """Accuracy and times over three seeds."""
    results = [run("train", *SCENE, "--kernel", kernel, *flags, "--learner", learner, "--seed", seed)
               for seed in (1, 2, 3)]
    return mean_deviation([one["accuracy"] for one in results], 1), seconds(time_of(results)), results[0]["features"]


@experiment("001", "table-2", "Maps of chi2 and intersection of 1, 3 and 5 features per column", SCENES)
def table_2(run):
    paper = {"chi2": ("64.2 ± 1.7", "62.4 ± 1.6", "64.2 ± 1.5", "64.0 ± 1.6"),
             "intersection": ("62.2 ± 1.8", "62.0 ± 1.4", "63.9 ± 1.2", "64.0 ± 1.7")}
    times = {"chi2": ("388.4", "20.7", "58.4", "101.3"), "intersection": ("354.7", "22.9", "66.5", "105.8")}
    maps = [("exact kernel", "none"), ("1", "lp(dimension=1)"), ("3", "sampled(order=1, period=vlfeat)"),
            ("5", "sampled(order=2, period=vlfeat)")]
    rows = []
    for kernel in paper:
        for i, (name, spelling) in enumerate(maps):
            accuracy, spent, _ = scenes(run, kernel, "--map", spelling)
            rows.append([f"`{kernel}`", name, f"`{spelling}`", paper[kernel][i], accuracy, times[kernel][i] + " s", spent])
    return [Commands.of(run, {"--seed": "SEED", "--kernel": "KERNEL", "--map": "MAP"}),
            Table(["kernel", "dimension", "map", "accuracy in %, lecture", "here ± standard deviation", "time, lecture", "here"], rows, (0, 1, 2))]


@experiment("001", "table-3", "Encodings for the intersection kernel", SCENES)
def table_3(run):
    cases = [("identity", "linear", "exact", SQUARED, "41.19 (0.94)", "18.57 s"),
             ("identity", "linear", "exact", HINGE, "–", "–"),
             ("identity", "intersection", "none", HINGE, "50.15 (0.61)", "844.13 s"),
             ("φ₁", "intersection", "unary(bins=20)", SQUARED, "46.02 (0.58)", "45.22 s"),
             ("φ₂", "intersection", "piecewise(bins=20)", SQUARED, "48.70 (0.61)", "42.31 s"),
             ("φ₂, sparse", "intersection", "piecewise(bins=20, sparse)", SQUARED, "49.89 (0.45)", "238.98 s")]
    rows = []
    for name, kernel, spelling, learner, accuracy, spent in cases:
        found, time, features = scenes(run, kernel, "--map", spelling, learner=learner)
        loss = "hinge" if learner == HINGE else "squared hinge"
        rows.append([name, f"`{kernel}`", f"`{spelling}`", loss, f"{features:,}", accuracy, found, spent, time])
    return [Commands.of(run, {"--seed": "SEED", "--kernel": "KERNEL", "--map": "MAP"}),
            Table(["encoding", "kernel", "map", "loss", "features", "accuracy in %, lecture", "here ± standard deviation", "time, lecture", "here"],
                  rows, (0, 1, 2, 3))]


@experiment("001", "table-4", "Prediction with the intersection kernel", [DIGITS, DIGITS_TEST, COVTYPE])
def table_4(run):
    cases = [("optdigits, 8 against the others", ["@/" + DIGITS, "--positive", "8"], ["@/" + DIGITS_TEST]),
             ("covtype, class 2, 5,000 rows", ["@/" + COVTYPE, "--positive", "2", "--subsample", "5000"], ["@/" + COVTYPE])]
    rows = []
    for i, (name, data, test) in enumerate(cases):
        model, linear = f"intersection-{i}.bochner", f"linear-{i}.bochner"
        learned = run("train", *data, "--kernel", "intersection", "--map", "none", "--learner", "svm(C=10)", "--scale", "none",
                      "--model", "+/" + model, outputs=[model])
        run("train", *data, "--kernel", "linear", "--learner", "svm(C=10)", "--scale", "none", "--model", "+/" + linear,
            outputs=[linear])
        plain = run("compile", "+/" + linear, *test, "--form", "linear", "--knots", 2)
        forms = [run("compile", "+/" + model, *test, "--form", form, *knots)
                 for form, knots in (("exact", ()), ("constant", ("--knots", 100)), ("linear", ("--knots", 30)),
                                     ("linear", ("--knots", 300)))]
        times = [plain["originalRowSeconds"], forms[0]["originalRowSeconds"]] + [one["rowSeconds"] for one in forms[:3]]
        rows.append([name, f"{learned['features']:,}", learned["columns"]] + [number(1e6 * time) for time in times]
                    + [percent(one["agreement"]) for one in forms[1:]])
    paper = [["INRIA Ped (lecture)", "3,363", "1,360", "0.07", "659.1", "2.57", "0.34", "0.43", "–", "–", "–"],
             ["DC Ped (lecture)", "5,474", "656", "0.03", "459.1", "1.43", "0.18", "0.22", "–", "–", "–"]]
    return [Commands.of(run, {r"intersection-\d\.bochner": "MODEL", r"linear-\d\.bochner": "LINEAR"}),
            Table(["data", "support vectors", "columns", "linear kernel", "intersection", "binary search", "constant",
                   "lines", "same class: constant", "lines", "lines, 300 knots"], rows + paper)]
