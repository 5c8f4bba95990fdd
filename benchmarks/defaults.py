"""Compares `bochner train` with default settings to scikit-learn on the same rows; prints a Markdown table.

Called by defaults. Every result is appended to a file of JSON lines, and a result that is there already is not computed
again: delete the file of our results after a change of the program, and keep the cache of scikit-learn's.
"""
import argparse
import csv
import gzip
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import time

import numpy as np
import sklearn
from scipy import sparse
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_svmlight_files
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

HOLDOUT = 0.2
FEW_ROWS, FEW_ROWS_SEEDS = 10_000, 5  # Five seeds for data sets with fewer rows, one for the others.
SVM_ROWS = 5_000  # The training time of SVC and SVR grows with the square of the number of rows.
TEST_BLOCK = 20_000  # Rows to predict at once, to bound the memory of the features.


def views(folder, **files):
    return {f"{folder} {view}": f"{folder}/{file}.csv.gz --labels {folder}/labels.csv.gz"
            for view, file in files.items()}


def images(folder):
    return (f"{folder}/train-images-idx3-ubyte.gz --labels {folder}/train-labels-idx1-ubyte.gz "
            f"--test {folder}/t10k-images-idx3-ubyte.gz --test-labels {folder}/t10k-labels-idx1-ubyte.gz")


# The arguments of `train` that say how to read each data set, ordered by the number of rows. --task is given only where
# the default rule takes numbers for classes. kddcup99 is held out from its training file, because its test file has a
# category that the training file lacks.
REGRESSION = {
    "concrete": "concrete/concrete.csv.gz",
    "airfoil": "airfoil/airfoil.csv.gz",
    "wine red": "wine_quality/winequality-red.csv.gz --task regress",
    "abalone": "abalone/abalone.csv.gz",
    "wine white": "wine_quality/winequality-white.csv.gz --task regress",
    "cpu_small": "cpu_act/cpu_small.csv.gz",
    "cpu_act": "cpu_act/cpu_act.csv.gz",
    "cal_housing": "cal_housing/cal_housing.csv.gz",
    "house_16H": "house_16H/house_16H.csv.gz",
    "protein_tertiary": "protein_tertiary/protein_tertiary.csv.gz",
}
CLASSIFICATION = {
    **views("msrc_v1", hog="hog576", lbp="lbp256"),
    "bbcsport view1": "bbcsport/bbcsport.view1.libsvm.gz",
    "bbcsport view2": "bbcsport/bbcsport.view2.libsvm.gz",
    "authorship": "authorship/authorship.csv.gz",
    "semeion": "semeion/semeion.csv.gz",
    "digits": "digits/digits.csv.gz",
    **views("mfeat", fou="mfeat-fou", pix="mfeat-pix"),
    **views("landuse21", view1="view1_20", view2="view2_59"),
    "optdigits": "optdigits/optdigits.tra.csv.gz --test optdigits/optdigits.tes.csv.gz",
    "satimage": "satimage/sat.trn.csv.gz --test satimage/sat.tst.csv.gz",
    **views("scene15", view1="view1_20", view2="view2_59"),
    "reuters_r8": "reuters_r8/r8.train.libsvm.gz --test reuters_r8/r8.test.libsvm.gz",
    "higgs LightGBM": "higgs/lightgbm.binary.train.tsv.gz --label first --test higgs/lightgbm.binary.test.tsv.gz",
    "pendigits": "pendigits/pendigits.tra.csv.gz --test pendigits/pendigits.tes.csv.gz",
    "higgs subset": "higgs/higgs.subset10984.csv.gz",
    "20newsgroups": "20newsgroups/20news.train.libsvm.gz --test 20newsgroups/20news.test.libsvm.gz",
    "letter": "letter/letter.csv.gz",
    "covtype first": "covtype/covtype.first20k.csv.gz",
    "a9a": "a9a/a9a.gz --test a9a/a9a.t.gz",
    "covtype subset": "covtype/covtype.scale01.subset92962.csv.gz",
    "mnist": images("mnist"),
    "fashion-mnist": images("fashion-mnist"),
    "skin": "skin/skin_nonskin.csv.gz",
    "kddcup99": "kddcup99/kddcup.data_10_percent.gz",
}
SETS = {**REGRESSION, **CLASSIFICATION}


# The split of --holdout, as docs/reproducibility.md defines it; unsigned 64-bit arithmetic wraps around.

def mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def holdout(rows, seed):
    """True for each row that `--holdout 0.2 --seed seed` tests on."""
    stage = 0xCBF29CE484222325
    for unit in "holdout":
        stage = (stage ^ ord(unit)) * 0x100000001B3 % 2**64
    own = mix(np.array([seed], dtype=np.uint64) ^ mix(np.array([stage], dtype=np.uint64)))
    each = mix(own + mix(np.arange(rows, dtype=np.uint64) ^ np.uint64(0x9E3779B97F4A7C15)))
    return (each >> np.uint64(11)) * 2.0**-53 < HOLDOUT


# Reading the files for scikit-learn.

def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def read_csv(files, label):
    """The rows of all files with text columns one-hot encoded, the labels, and the number of rows of each file."""
    cells, counts = [], []
    for file in files:
        with gzip.open(file, "rt") as lines:
            rows = list(csv.reader(lines, delimiter="\t" if ".tsv" in file else ","))
        header = not any(map(is_number, rows[0]))
        cells += rows[header:]
        counts.append(len(rows) - header)
    columns = list(zip(*cells))
    labels = None if label is None else np.array(columns.pop(label))
    encoded = []
    for column in columns:
        values = np.array(column)
        numbers = all(map(is_number, np.unique(values)))
        encoded.append(values[:, None].astype(float) if numbers else values[:, None] == np.unique(values))
    return np.hstack(encoded), labels, counts


def read_idx(file):
    with gzip.open(file) as stream:
        content = stream.read()
    shape = np.frombuffer(content, dtype=">i4", count=content[3], offset=4)
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * content[3]).reshape(shape[0], -1)


def read_labels(file):
    if "-idx1-" in file:
        return read_idx(file).ravel()
    with gzip.open(file, "rt") as lines:
        return np.array(lines.read().split())


class Data:
    """A data set as scikit-learn sees it: all rows of the training file, then those of the test file, if any."""

    def __init__(self, name, folder):
        parser = argparse.ArgumentParser()
        parser.add_argument("data")
        for flag in ("label", "labels", "task", "test", "test-labels"):
            parser.add_argument(f"--{flag}")
        flags = parser.parse_args(SETS[name].split())
        files = [os.path.join(folder, file) for file in (flags.data, flags.test) if file]
        label_files = [os.path.join(folder, file) for file in (flags.labels, flags.test_labels) if file]
        self.classes = name in CLASSIFICATION
        if "-idx3-" in flags.data:
            parts = [read_idx(file) for file in files]
            self.x, counts, labels = np.vstack(parts).astype(float), [len(part) for part in parts], None
        elif "libsvm" in flags.data or flags.data.startswith("a9a/"):
            parts = load_svmlight_files(files)
            self.x, labels = sparse.vstack(parts[::2]).tocsr(), np.hstack(parts[1::2])
            counts = [len(part) for part in parts[1::2]]
        else:
            label = None if flags.labels else 0 if flags.label == "first" else -1
            self.x, labels, counts = read_csv(files, label)
        if flags.labels:
            labels = np.hstack([read_labels(file) for file in label_files])
        self.y = labels if self.classes else labels.astype(float)
        self.test_start = counts[0] if flags.test else None

    def tested(self, seed):
        rows = self.x.shape[0]
        return holdout(rows, seed) if self.test_start is None else np.arange(rows) >= self.test_start


# scikit-learn.

def measure(model, x, y, classes):
    """The error in percent or the root mean squared error, and its standard error."""
    predicted = np.concatenate([model.predict(x[at:at + TEST_BLOCK]) for at in range(0, x.shape[0], TEST_BLOCK)])
    if classes:
        error = np.mean(predicted != y)
        return 100 * error, 100 * math.sqrt(error * (1 - error) / len(y))
    squared = (predicted - y) ** 2
    rmse = math.sqrt(squared.mean())
    return rmse, squared.std() / (2 * rmse * math.sqrt(len(y)))  # The delta method.


def peers(data, seed):
    """The results of random Fourier features with ridge regression, and of a support vector machine."""
    tested = data.tested(seed)
    x, y = data.x[~tested], data.y[~tested]
    scaler = StandardScaler(with_mean=not sparse.issparse(x))
    ridge = RidgeClassifier if data.classes else Ridge
    pipeline = make_pipeline(scaler, RBFSampler(gamma="scale", n_components=1000, random_state=seed),
                             ridge(alpha=1, copy_X=False))
    machine = make_pipeline(scaler, SVC() if data.classes else SVR())
    if not data.classes:
        machine = TransformedTargetRegressor(machine, transformer=StandardScaler())
    few = np.random.RandomState(seed).permutation(x.shape[0])[:SVM_ROWS]
    result = {"trainRows": int(x.shape[0]), "testRows": int(tested.sum()), "columns": int(x.shape[1])}
    for name, model, rows in (("pipeline", pipeline, slice(None)), ("svm", machine, few)):
        start = time.perf_counter()
        model.fit(x[rows], y[rows])
        result[name], result[name + "StandardError"] = measure(model, data.x[tested], data.y[tested], data.classes)
        result[name + "Seconds"] = round(time.perf_counter() - start, 3)
    return result


# Ours.

def train(command, name, folder, seed, *flags):
    """One run of the command: its JSON result, with the error in percent, and the seconds it took."""
    arguments = shlex.split(command) + ["train", *SETS[name].split(), "--json", "--quiet", "--seed", str(seed), *flags]
    if "--test" not in arguments:
        arguments += ["--holdout", str(HOLDOUT)]
    start = time.perf_counter()
    run = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if run.returncode != 0:
        print(f"{shlex.join(arguments)}\n{run.stderr}", file=sys.stderr, flush=True)
        return None
    result = json.loads(run.stdout)
    if result["task"] != ("classify" if name in CLASSIFICATION else "regress"):
        sys.exit(f"{name}: the task is {result['task']}; give --task")
    error = 100 * result["error"] if name in CLASSIFICATION else result["rmse"]
    kept = ("testRows", "kernel", "map", "features", "scaling", "learner", "lambda", "precision")
    return {"error": error, **{key: result.get(key) for key in kept}, "seconds": round(seconds, 3)}


def times(command, name, folder):
    """The seconds of the default command and of the one in which everything that it chose is given."""
    default = train(command, name, folder, 1)
    if default is None:
        return None
    given = train(command, name, folder, 1, "--kernel", default["kernel"], "--scale", default["scaling"],
                  "--learner", default["learner"].replace("auto", repr(default["lambda"])))
    return given and {"defaultSeconds": default["seconds"], "givenSeconds": given["seconds"],
                      "defaultError": default["error"], "givenError": given["error"]}


# The files of results and the table.

class Results:
    """A file of JSON lines with one result for each key."""

    def __init__(self, file, *keys):
        self.file, self.keys, self.known = file, keys, {}
        if os.path.exists(file):
            with open(file) as lines:
                for result in map(json.loads, lines):
                    self.known[tuple(result[key] for key in keys)] = result

    def get(self, *key):
        return self.known.get(key)

    def put(self, key, result):
        """Adds a result; a run that failed has none and will be tried again."""
        if result is not None:
            os.makedirs(os.path.dirname(os.path.abspath(self.file)), exist_ok=True)
            self.known[key] = {**dict(zip(self.keys, key)), **result}
            with open(self.file, "a") as lines:
                lines.write(json.dumps(self.known[key]) + "\n")


def mean(errors, alone=0.0):
    """The mean over seeds and its standard error, which is the given one for a single seed."""
    several = len(errors) > 1
    return statistics.mean(errors), statistics.stdev(errors) / math.sqrt(len(errors)) if several else alone


def verdict(errors, others, alone):
    """Compares two lists of errors seed by seed."""
    if not errors or len(errors) != len(others):
        return "–"
    difference, deviation = mean([a - b for a, b in zip(errors, others)], alone)
    return "within one standard error" if abs(difference) <= deviation else "better" if difference < 0 else "worse"


def cell(errors, classes, alone=None):
    """The mean, and its standard error where that of a single seed is given."""
    if not errors:
        return "–"
    average, deviation = mean(errors, alone or 0.0)
    decimals = 2 if classes else max(0, 3 - math.floor(math.log10(average)))
    return f"{average:,.{decimals}f}" + ("" if alone is None else f" ± {deviation:,.{decimals}f}")


def table(names, seeds_of, cache, results, timed):
    head = ["data set", "training rows", "test rows", "columns", "measure", "default, seed 1", "default",
            "`--precision double`", "RBFSampler + Ridge", "SVC, SVR", "default against RBFSampler + Ridge",
            "default against SVC, SVR"]
    head += ["default, s", "all given, s", "ratio"] if timed else []
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    ratios, verdicts = [], {}
    for name in names:
        theirs = [cache.get(name, seed) for seed in seeds_of(name)]
        if not all(theirs):
            continue
        first, classes = theirs[0], name in CLASSIFICATION
        pipeline, svm = [result["pipeline"] for result in theirs], [result["svm"] for result in theirs]

        def ours(kind):
            found = [results.get(name, seed, kind) for seed in seeds_of(name)]
            return [result["error"] for result in found] if all(found) else []

        def alone(errors):
            if not classes or not errors:
                return first["pipelineStandardError"]
            return math.sqrt(errors[0] * (100 - errors[0]) / first["testRows"])

        default, double = ours("default"), ours("double")
        row = [name, f"{first['trainRows']:,}", f"{first['testRows']:,}", f"{first['columns']:,}",
               "error in %" if classes else "rmse", cell(default[:1], classes), cell(default, classes, alone(default)),
               cell(double, classes, alone(double)), cell(pipeline, classes, first["pipelineStandardError"]),
               cell(svm, classes),
               verdict(default, pipeline, first["pipelineStandardError"]),
               verdict(default, svm, first["svmStandardError"])]
        if default:
            verdicts[row[-2]] = verdicts.get(row[-2], 0) + 1
        if timed:
            seconds = results.get(name, 1, "times")
            row += [f"{seconds['defaultSeconds']:.2f}", f"{seconds['givenSeconds']:.2f}",
                    f"{seconds['defaultSeconds'] / seconds['givenSeconds']:.2f}"] if seconds else ["–"] * 3
            ratios += [float(row[-1])] if seconds else []
        print("| " + " | ".join(row) + " |")
    if verdicts:
        print("\nDefault against RBFSampler + Ridge: "
              + ", ".join(f"{text} on {count}" for text, count in sorted(verdicts.items())) + ".")
    if ratios:
        print(f"Median ratio of the times: {statistics.median(ratios):.2f}.")


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("data", help="folder of the data sets")
    parser.add_argument("--command", default=f"{root}/bochner", help="the command to measure [default: %(default)s]")
    parser.add_argument("--results", default=f"{root}/benchmarks/target/defaults.jsonl",
                        help="our results [default: %(default)s]")
    parser.add_argument("--cache", default=f"{root}/benchmarks/target/peers.jsonl",
                        help="scikit-learn's results [default: %(default)s]")
    parser.add_argument("--sets", help="names with commas between [default: all]")
    parser.add_argument("--seeds", type=int, default=1,
                        help=f"seeds for data sets of {FEW_ROWS:,} rows or more [default: %(default)s]")
    parser.add_argument("--times", action="store_true",
                        help="also time the default command against the one with all its choices given")
    parser.add_argument("--only", choices=("peers", "ours", "table"), help="run one side, or print what is there")
    options = parser.parse_args()
    folder = os.path.abspath(options.data)
    names = options.sets.split(",") if options.sets else list(SETS)
    cache = Results(options.cache, "set", "seed")
    results = Results(options.results, "set", "seed", "run")

    def seeds_of(name):
        first = cache.get(name, 1)
        few = first is not None and first["fileRows"] < FEW_ROWS
        return range(1, (FEW_ROWS_SEEDS if few else options.seeds) + 1)

    if options.only in (None, "ours"):
        # The first run may build the program, which must not be timed.
        subprocess.run(shlex.split(options.command) + ["--version"], check=True, stdout=subprocess.DEVNULL)
    for name in names:
        if options.only in (None, "peers"):
            data, seed = None, 1
            while seed in seeds_of(name):
                if cache.get(name, seed) is None:
                    data = data or Data(name, folder)
                    rows = data.x.shape[0] if data.test_start is None else data.test_start
                    cache.put((name, seed), {"fileRows": rows, **peers(data, seed)})
                    print(json.dumps(cache.get(name, seed)), file=sys.stderr, flush=True)
                seed += 1
        if options.only not in (None, "ours") or cache.get(name, 1) is None:
            continue
        for seed in seeds_of(name):
            for kind, flags in (("default", ()), ("double", ("--precision", "double"))):
                if results.get(name, seed, kind) is None:
                    result = train(options.command, name, folder, seed, *flags)
                    expected = cache.get(name, seed)
                    if result and expected and result["testRows"] != expected["testRows"]:
                        sys.exit(f"{name}: {result['testRows']} test rows, but scikit-learn has {expected['testRows']}")
                    results.put((name, seed, kind), result)
        if options.times and results.get(name, 1, "times") is None:
            results.put((name, 1, "times"), times(options.command, name, folder))
    print(f"scikit-learn {sklearn.__version__}.\n")
    table(names, seeds_of, cache, results, options.times)


if __name__ == "__main__":
    main()
