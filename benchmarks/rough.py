"""Compares maps of rough kernels on tables, and the penalties of landmarks with the best ones. Called by rough."""
import functools
import json
import math
import resource
import shlex
import statistics
import subprocess
import sys

command, folder, seeds = shlex.split(sys.argv[1]), sys.argv[2], int(sys.argv[3])
KERNELS = sys.argv[4:] or ["matern(nu=0.5)", "stable(p=1.5, q=1)"]
MOST_EXACT_ROWS = 10_000
FEW_ROWS = 2_000  # Several splits for data sets with fewer training rows, one for the others.
# Name and arguments of `train`.
SETS = (
    ("concrete", "concrete/concrete.csv.gz"),
    ("airfoil", "airfoil/airfoil.csv.gz"),
    ("wine white", "wine_quality/winequality-white.csv.gz --task regress"),
    ("abalone", "abalone/abalone.csv.gz --task regress"),
    ("cpu_act", "cpu_act/cpu_act.csv.gz --task regress"),
    ("cal_housing", "cal_housing/cal_housing.csv.gz"),
)
MAPS = ("fourier(features=1000)", "landmarks(1000)", "landmarks(2000)", "none")
LANDMARKS = ("landmarks(500)", "landmarks(1000)", "landmarks(2000)")
PENALTIES = 17  # Tried for the best one, in steps of √10.


def bochner(verb, arguments, kernel, recipe, seed, *options):
    """The result of a command and its CPU time; None if it fails."""
    file, *flags = arguments.split()
    line = [*command, verb, f"{folder}/{file}", *flags, "--kernel", kernel, "--map", recipe, "--seed", str(seed),
            "--holdout", "0.2", "--json", "--quiet", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(line, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        return None
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(run.stdout), "cpuSeconds": seconds}


@functools.cache
def train(arguments, kernel, recipe, seed):
    return bochner("train", arguments, kernel, recipe, seed)


def trained(arguments, kernel, recipe, rows):
    """The results for all splits; None if the map cannot have so many rows."""
    landmarks = recipe.startswith("landmarks(") and int(recipe[10:-1])
    if (recipe == "none" and rows > MOST_EXACT_ROWS) or landmarks > rows:
        return None
    results = [train(arguments, kernel, recipe, seed) for seed in range(1, 1 + (seeds if rows < FEW_ROWS else 1))]
    return None if any(result is None for result in results) else results


def mean_error(errors):
    mean = statistics.mean(errors)
    spread = "" if len(errors) == 1 else f" ± {statistics.stdev(errors) / math.sqrt(len(errors)):.2g}"
    return (f"{mean:,.0f}" if mean >= 1000 else f"{mean:.4g}") + spread


def cell(arguments, kernel, recipe, rows):
    """The mean test error with its standard error, and the median CPU time of the command; '' if it cannot be run."""
    results = trained(arguments, kernel, recipe, rows)
    if results is None:
        return ""
    seconds = statistics.median(result["cpuSeconds"] for result in results)
    return f"{mean_error([result['rmse'] for result in results])} ({seconds:.0f} s)"


def least(arguments, result, recipe, seed):
    """The least test error of all penalties, with the scaling and the kernel that a result has; None if there is none."""
    path = bochner("path", arguments, result["kernel"], recipe, seed, "--scale", result["scaling"],
                   "--steps", str(PENALTIES))
    return None if path is None else min(step["rmse"] for step in path["steps"])


print(f"test rmse, mean of {seeds} splits ± standard error, or one split (median CPU seconds of the command)")
print("| data | training rows | kernel | " + " | ".join(f"`{recipe}`" for recipe in MAPS) + " | `auto` chooses |")
print("|" + "---|" * (len(MAPS) + 4))
rows = {}
for name, arguments in SETS:
    usual = train(arguments, "gaussian", "auto", 1)
    rows[name] = usual["rows"]
    print(f"| {name} | {usual['rows']:,} | `gaussian` | {cell(arguments, 'gaussian', MAPS[0], usual['rows'])} "
          + "| " * len(MAPS) + "|", flush=True)
    for kernel in KERNELS:
        cells = [cell(arguments, kernel, recipe, usual["rows"]) for recipe in MAPS]
        chosen = train(arguments, kernel, "auto", 1)["map"]
        print(f"| {name} | {usual['rows']:,} | `{kernel}` | " + " | ".join(cells) + f" | `{chosen}` |", flush=True)

print()
print("| data | kernel | map | `lambda=auto` | best penalty for the test rows |")
print("|" + "---|" * 5)
for name, arguments in SETS:
    for kernel in ["gaussian", *KERNELS]:
        for recipe in LANDMARKS:
            results = trained(arguments, kernel, recipe, rows[name])
            if results is not None:
                best = [least(arguments, result, recipe, seed) for seed, result in enumerate(results, 1)]
                errors = [result["rmse"] for result in results]
                found = "" if None in best else mean_error(best)
                print(f"| {name} | `{kernel}` | `{recipe}` | {mean_error(errors)} | {found} |", flush=True)
