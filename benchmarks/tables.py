"""Compares maps and learned scales on tables; prints a Markdown table.

Called by tables and tune. Four fifths of the rows are training rows, drawn anew for every split. Every result is appended to a
file of JSON lines, and a result that is there already is not computed again: delete the file after a change of the
program.
"""
import argparse
import gzip
import json
import math
import os
import random
import resource
import shlex
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEST_SHARE = 0.2
EXACT_ROWS = 8000  # The rows of exact machines, whose time grows with the cube.

# The files of each data set, which are joined, and the flags that say how to read them. The label is the last cell.
SETS = {
    "airfoil": (["airfoil/airfoil.csv.gz"], []),
    "concrete": (["concrete/concrete.csv.gz"], []),
    "wine white": (["wine_quality/winequality-white.csv.gz"], ["--task", "regress"]),
    "abalone": (["abalone/abalone.csv.gz"], ["--task", "regress"]),
    "satimage": (["satimage/sat.trn.csv.gz", "satimage/sat.tst.csv.gz"], ["--task", "classify"]),
    "cpu_act": (["cpu_act/cpu_act.csv.gz"], ["--task", "regress"]),
    "pendigits": (["pendigits/pendigits.tra.csv.gz", "pendigits/pendigits.tes.csv.gz"], ["--task", "classify"]),
    "higgs subset": (["higgs/higgs.subset10984.csv.gz"], ["--task", "classify"]),
    "cal_housing": (["cal_housing/cal_housing.csv.gz"], ["--task", "regress"]),
    "letter": (["letter/letter.csv.gz"], []),
    "house_16H": (["house_16H/house_16H.csv.gz"], ["--task", "regress"]),
    "covtype first": (["covtype/covtype.first20k.csv.gz"], ["--task", "classify"]),
    "protein": (["protein_tertiary/protein_tertiary.csv.gz"], ["--task", "regress"]),
    "covtype class 2": (["covtype/covtype.scale01.subset92962.csv.gz"], ["--positive", "2"]),
}


def read(folder, files):
    """The header, which may be missing, and the rows of all files."""
    header, rows = None, []
    for file in files:
        with gzip.open(os.path.join(folder, file), "rt") as lines:
            found = lines.read().splitlines()
        if not any(is_number(cell) for cell in found[0].split(",")):
            header, found = found[0], found[1:]
        rows += [row for row in found if row]
    return header, rows


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def split(folder, name, seed, work):
    """Writes the training rows, some of them for exact machines, and the test rows of a split; returns the files."""
    paths = [os.path.join(work, f"{name.replace(' ', '-')}-{seed}-{part}.csv") for part in ("train", "exact", "test")]
    if not all(map(os.path.exists, paths)):
        header, rows = read(folder, SETS[name][0])
        random.Random(seed).shuffle(rows)
        count = round(TEST_SHARE * len(rows))
        for path, part in zip(paths, (rows[count:], rows[count:count + EXACT_ROWS], rows[:count])):
            with open(path, "w") as out:
                out.write("\n".join([header] * (header is not None) + part) + "\n")
    return paths


class Split:
    """The files of one split, and the runs of the command on them."""

    def __init__(self, command, folder, name, seed, work):
        self.command, self.name, self.seed, self.flags = command, name, seed, SETS[name][1]
        self.train, self.exact, self.test = split(folder, name, seed, work)

    def run(self, verb, *arguments):
        """The JSON of a run."""
        rows = self.exact if "none" in arguments else self.train
        line = shlex.split(self.command) + [verb, rows, "--test", self.test, *self.flags, "--seed", str(self.seed),
                                            "--json", "--quiet", *arguments]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{shlex.join(line)}\n{done.stderr}", file=sys.stderr, flush=True)
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)


def train(*arguments):
    return lambda one: one.run("train", *arguments)


def learn(method, *arguments):
    return lambda one: one.run("learn-kernel", "--method", method, *arguments)


def tune(budget, *arguments):
    return lambda one: one.run("tune", "--budget", budget, *arguments)


FOURIER = ["--features", "2000"]
BINNING = ["--map", "binning"]
ROUGH = ["--kernel", "matern(nu=0.5)", "--map", "none"]


# Boosted trees run for all splits of a set together: trees, depth, learning rate, share of rows and columns; or a number of
# settings to search on the first split.
BOOSTED = {"xgboost": ["600", "7", "0.07", "0.8"], "xgboost, searched": ["search=20"]}
METHODS = {
    **dict.fromkeys(BOOSTED),
    "Fourier": train(*FOURIER),
    "Fourier, AGOP columns": learn("agop", *FOURIER),
    "Fourier, AGOP matrix": learn("agop(full)", *FOURIER),
    "binning": train(*BINNING),
    "binning, AGOP columns": learn("agop", *BINNING),
    "binning, learned columns": learn("gradient", *BINNING),
    "exact matern": train(*ROUGH),
    "exact matern, AGOP columns": learn("agop", *ROUGH),
    "exact matern, AGOP matrix": learn("agop(full)", *ROUGH),
    "default": train(),
    "tune 1m, ensemble": tune("1m", "--ensemble"),
    "tune 5m, ensemble": tune("5m", "--ensemble"),
}
USUAL = [method for method in METHODS if not method.startswith(("default", "tune", "xgboost, searched"))]


class Results:
    """A file of JSON lines with one result per data set, split and method."""

    def __init__(self, file):
        self.file, self.known = file, {}
        if os.path.exists(file):
            with open(file) as lines:
                for line in lines:
                    result = json.loads(line)
                    self.known[result["set"], result["split"], result["method"]] = result

    def put(self, name, seed, method, result):
        self.known[name, seed, method] = {"set": name, "split": seed, "method": method, **result}
        with open(self.file, "a") as out:
            out.write(json.dumps(self.known[name, seed, method]) + "\n")

    def errors(self, name, method, seeds):
        found = [self.known.get((name, seed, method)) for seed in seeds]
        return [result["error"] for result in found if result and result["error"] is not None]


def measure(one, method):
    """The error, the seconds that passed, and the processor seconds of all threads, which other programs hardly change."""
    start, used = time.perf_counter(), processor_seconds()
    try:
        found = METHODS[method](one)
    except RuntimeError:
        return {"error": None}
    error = found["rmse"] if "rmse" in found and found["rmse"] is not None else 100 * found["error"]
    return {"error": error, "seconds": round(time.perf_counter() - start, 2),
            "processor": round(processor_seconds() - used, 2)}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def boost(results, splits, method):
    """Boosted trees on the splits that have no result yet, in one process."""
    missing = [one for one in splits if (one.name, one.seed, method) not in results.known]
    if missing:
        files = [word for one in missing for word in (one.train, one.test, task(one.flags))]
        line = [os.path.join(ROOT, "benchmarks", "boosted-trees"), *BOOSTED[method], "1", *files]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as trees:
            for one in missing:
                error, seconds, processor = map(float, trees.stdout.readline().split())
                results.put(one.name, one.seed, method,
                            {"error": error, "seconds": seconds, "processor": processor})
        if trees.returncode != 0:
            raise RuntimeError("boosted-trees failed")


def task(flags):
    """The flags as boosted-trees expects them."""
    if not flags:
        return "auto"
    return flags[1] if flags[0] == "--task" else f"positive={flags[1]}"


def cell(errors):
    """The mean over the splits and its standard error; of one split, the error."""
    if not errors:
        return "–"
    mean = statistics.mean(errors)
    decimals = max(0, 3 - math.floor(math.log10(mean))) if mean > 0 else 2
    if len(errors) == 1:
        return f"{mean:,.{decimals}f}"
    deviation = statistics.stdev(errors) / math.sqrt(len(errors))
    return f"{mean:,.{decimals}f} ± {deviation:,.{decimals}f}"


def main():
    parser = argparse.ArgumentParser(prog="benchmarks/tables", description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="folder of the data sets")
    parser.add_argument("--sets", default=",".join(SETS), help="data sets, separated by commas")
    parser.add_argument("--methods", default=";".join(USUAL), help="methods, separated by semicolons")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--work", default=os.path.join(ROOT, "benchmarks", "target", "tables"),
                        help="folder of results and splits")
    options = parser.parse_args()
    names = options.sets.split(",")
    methods = options.methods.split(";")
    for given, known in ((names, SETS), (methods, METHODS)):
        for one in given:
            if one not in known:
                parser.error(f"{one} is none of {', '.join(known)}")
    os.makedirs(options.work, exist_ok=True)
    command = os.environ.get("BOCHNER", shlex.quote(os.path.join(ROOT, "bochner")))
    results, seeds = Results(os.path.join(options.work, "results.jsonl")), range(1, options.splits + 1)
    splits = [Split(command, options.folder, name, seed, options.work) for seed in seeds for name in names]
    for method in [method for method in methods if method in BOOSTED]:
        for name in names:
            boost(results, [one for one in splits if one.name == name], method)
    for one in splits:
        for method in methods:
            key = one.name, one.seed, method
            if key not in results.known:
                results.put(*key, measure(one, method))
                print(*key, results.known[key], file=sys.stderr, flush=True)
    print("| data set | " + " | ".join(methods) + " |\n|" + "---|" * (len(methods) + 1))
    for name in names:
        print("| " + " | ".join([name] + [cell(results.errors(name, method, seeds)) for method in methods]) + " |")


main()
