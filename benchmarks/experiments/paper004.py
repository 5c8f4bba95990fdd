"""Paper 004: Vempati, Vedaldi, Zisserman and Jawahar, Generalized RBF feature maps for Efficient Detection (BMVC 2010)."""
from data_sets import EXPONENTIAL, VIEWS, halves, last_column, views_and_labels
from harness import Commands, Plot, Table, experiment, mean, number, percent
from plot import Series, chart

SET = "scene15"
CLASSES = ("suburb", "coast", "forest", "highway", "inside city", "mountain", "open country", "street", "tall building",
           "office", "bedroom", "industrial", "kitchen", "living room", "store")
VIEW = VIEWS[1][0]
MAP = "fourier@sampled(order=1, period=vlfeat)"
DENSE = "svm(C=50)"


def sparse(cost):
    return f"svm(l1={1 / cost:.4g}, loss=squared-hinge)"


def hinge(cost):
    return f"svm(l1={1 / cost:.4g}, tolerance=0.01)"


def grouped(cost):
    """The cosine and the sine of a projection are a group: their weights are zero together."""
    return f"svm(group={1 / cost:.4g}, tolerance=0.01)"


SPARSE = sparse(10)
LOGISTIC = "logistic(l1=0.02)"
ONE = 14


def average_precision(scores, positive):
    """The mean, over the positive rows, of the precision among all rows with at least their score."""
    order = sorted(range(len(scores)), key=lambda row: -scores[row])
    total, hits, start = 0.0, 0, 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        new = sum(positive[order[k]] for k in range(start, end))
        hits += new
        total += new * hits / end
        start = end
    return total / max(1, hits)


class Detector:
    """Trains models on half of the images, and measures average precision and time on the other half."""

    def __init__(self, run, view):
        self.run, self.view = run, view
        self.train, self.test = halves(run, SET, view)
        self.actual = last_column(run, self.test[2:])

    def fit(self, *flags):
        """Trains a model, and returns the name of its file and the findings of train."""
        name = f"{self.view}-{'-'.join(str(flag).lstrip('-') for flag in flags)}.bochner"
        name = name.translate(str.maketrans("(=,)@ ", "------"))
        return name, self.run("train", self.train, "--scale", "unit-l1", *flags, "--model", "+/" + name, outputs=[name])

    def precisions(self, model):
        """The average precision of each class of a model; for one class against all others, that of the class."""
        lines = self.run("predict", "+/" + model, self.test, "--scores").strip().split("\n")
        names, rows = lines[0].split(","), [[float(cell) for cell in line.split(",")] for line in lines[1:]]
        return {name: average_precision([row[i] for row in rows], [one == name for one in self.actual])
                for i, name in enumerate(names)}

    def microseconds(self, model):
        return self.run("evaluate", "+/" + model, self.test, "--time")["microsecondsPerRow"]


def dense(features):
    return ["--kernel", EXPONENTIAL, "--map", MAP, "--features", features]


FILES = views_and_labels(SET)
VARYING = {r".*\.bochner": "MODEL", SET + r"-.*-(train|test)\.csv": r"\1.csv"}


@experiment("004", "figure-2", "Additive and exponential kernel for two descriptors", files=FILES)
def figure_2(run):
    rows, curves = [], []
    for view, bins in VIEWS[:2]:
        detector = Detector(run, view)
        found = []
        for kernel in ("chi2", EXPONENTIAL):
            model, _ = detector.fit("--kernel", kernel, "--map", "none", "--learner", DENSE)
            found.append(detector.precisions(model))
        additive, exponential = ([one[str(c)] for c in range(1, len(CLASSES) + 1)] for one in found)
        wins = sum(b > a for a, b in zip(additive, exponential))
        rows.append([f"{bins} bins", percent(mean(additive), 1), percent(mean(exponential), 1),
                     f"{100 * (mean(exponential) - mean(additive)):+.1f}", f"{wins} of {len(CLASSES)}"])
        for name, values in (("χ²", additive), ("exp-χ²", exponential)):
            curves.append(Series(f"{name}, {bins} bins", list(range(1, len(CLASSES) + 1)), [100 * v for v in values],
                                 dashed=name == "χ²", colour=len(curves) // 2))
    return [Commands.of(run, VARYING),
            Table(["descriptor", "mean AP, χ²", "mean AP, exp-χ²", "difference", "classes in which exp-χ² is better"], rows),
            Plot("Average precision of each class", chart("Average precision of the classes", "class", "AP in percent", curves))]


@experiment("004", "figure-3", "Average precision and time over the number of features", files=FILES)
def figure_3(run):
    detector = Detector(run, VIEW)
    target = str(ONE)
    rows, series = [], []
    for name, kernel in (("exact exp-χ²", EXPONENTIAL), ("exact χ²", "chi2")):
        model, found = detector.fit("--kernel", kernel, "--map", "none", "--learner", DENSE, "--positive", target)
        score, time = detector.precisions(model)[target], detector.microseconds(model)
        rows.append([name, "", found["features"], percent(score, 1), number(time), number(found["fitSeconds"])])
        series.append(Series(name, [time], [100 * score], mark="points"))
    for name, learner in (("dense SVM", DENSE), ("sparse SVM", SPARSE), ("sparse SVM, plain hinge", hinge(50)),
                          ("sparse SVM, groups", grouped(50)), ("sparse logistic", LOGISTIC)):
        points = []
        for features in (500, 1000, 2000):
            model, found = detector.fit(*dense(features), "--learner", learner, "--positive", target)
            score, time = detector.precisions(model)[target], detector.microseconds(model)
            points.append((time, 100 * score))
            rows.append([name, features // 2, found["features"] // 2, percent(score, 1), number(time),
                         number(found["fitSeconds"])])
        series.append(Series(name, [x for x, _ in points], [y for _, y in points]))
    return [Commands.of(run, {**VARYING, "--features": "D"}),
            Table(["learner", "projections drawn", "projections or support vectors kept", "AP", "µs per test row",
                   "training s"], rows),
            Plot("Average precision over the time of a prediction", chart(
                f"Class {CLASSES[ONE - 1]}: average precision and speed", "µs per test row", "AP in percent", series,
                log_x=True))]


@experiment("004", "figure-4", "Sparsity and average precision of the sparse SVM over C", files=FILES)
def figure_4(run):
    detector = Detector(run, VIEW)
    target, features = str(ONE), 2000
    model, found = detector.fit(*dense(features), "--learner", DENSE, "--positive", target)
    reference = detector.precisions(model)[target], detector.microseconds(model)
    rows = [["dense SVM", "50", features // 2, percent(reference[0], 1), number(reference[1])]]
    series = []
    for name, learner, costs in (("sparse SVM", sparse, (2, 10, 50, 200)), ("sparse SVM, plain hinge", hinge, (20, 50, 200)),
                                 ("sparse SVM, groups", grouped, (20, 50, 200))):
        points = []
        for cost in costs:
            model, found = detector.fit(*dense(features), "--learner", learner(cost), "--positive", target)
            score, time = detector.precisions(model)[target], detector.microseconds(model)
            points.append((time, 100 * score))
            rows.append([name, cost, found["features"] // 2, percent(score, 1), number(time)])
        series.append(Series(name, [x for x, _ in points], [y for _, y in points]))
    series.append(Series("dense SVM", [reference[1]], [100 * reference[0]], mark="points"))
    return [Commands.of(run, {**VARYING, r"(svm\((?:l1|group)=)[\d.]+(.*)": r"\g<1>1/C\2"}),
            Table(["learner", "C", "projections kept", "AP", "µs per test row"], rows),
            Plot("Average precision over the time of a prediction", chart(
                f"Class {CLASSES[ONE - 1]}: sparse SVM from C = 2 to 200", "µs per test row", "AP in percent", series))]


@experiment("004", "figure-5", "Sparsity and average precision of sparse logistic regression over C", files=FILES)
def figure_5(run):
    detector = Detector(run, VIEW)
    target = str(ONE)
    rows, series = [], []
    for features in (1000, 2000):
        points = []
        for cost in (5, 20, 100):
            model, found = detector.fit(*dense(features), "--learner", f"logistic(l1={1 / cost:.4g})", "--positive", target)
            points.append((found["features"] // 2, 100 * detector.precisions(model)[target]))
            rows.append([features // 2, cost, points[-1][0], f"{points[-1][1]:.1f}%"])
        series.append(Series(f"{features // 2} projections drawn", [x for x, _ in points], [y for _, y in points]))
    return [Commands.of(run, {**VARYING, "--features": "D", "--learner": "logistic(l1=1/C)"}),
            Table(["projections drawn", "C", "projections kept", "AP"], rows),
            Plot("Average precision over the number of projections that are kept", chart(
                f"Class {CLASSES[ONE - 1]}: sparse logistic regression", "projections kept", "AP in percent", series,
                log_x=True))]


@experiment("004", "figure-6", "All classes: exact kernels, dense and sparse approximation", files=FILES)
def figure_6(run):
    detector = Detector(run, VIEW)
    features = 2000
    found = {}
    methods = {"exact exp-χ²": ["--kernel", EXPONENTIAL, "--map", "none", "--learner", DENSE],
               "exact χ²": ["--kernel", "chi2", "--map", "none", "--learner", DENSE],
               "dense SVM": dense(features) + ["--learner", DENSE],
               "sparse SVM": dense(features) + ["--learner", SPARSE]}
    for name, flags in methods.items():
        model, _ = detector.fit(*flags)
        found[name] = detector.precisions(model)
    kept = {}
    for c in range(1, len(CLASSES) + 1):
        _, fit = detector.fit(*dense(features), "--learner", SPARSE, "--positive", c)
        kept[str(c)] = fit["features"] // 2
    labels = [str(c) for c in range(1, len(CLASSES) + 1)]
    rows = [[f"{c} {CLASSES[int(c) - 1]}"] + [percent(found[name][c], 1) for name in found] + [kept[c]] for c in labels]
    rows.append(["mean"] + [percent(mean(found[name][c] for c in labels), 1) for name in found]
                + [number(mean(kept.values()))])
    return [Commands.of(run, {**VARYING, "--positive": "CLASS"}),
            Table(["class"] + [f"{name}, AP" for name in found] + [f"projections kept of {features // 2:,}"], rows),
            Plot("Average precision of all classes", chart("Average precision of all classes", "class", "AP in percent", [
                Series(name, list(range(1, len(CLASSES) + 1)), [100 * values[c] for c in labels], mark="points")
                for name, values in found.items()]))]
