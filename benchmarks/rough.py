"""Compares maps of rough kernels on tables. Called by rough."""
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
    ("cpu_act", "cpu_act/cpu_act.csv.gz"),
    ("cal_housing", "cal_housing/cal_housing.csv.gz"),
)
MAPS = ("fourier(features=1000)", "landmarks(1000)", "landmarks(2000)", "none")


def train(arguments, kernel, recipe, seed):
    file, *flags = arguments.split()
    line = [*command, "train", f"{folder}/{file}", *flags, "--kernel", kernel, "--map", recipe, "--seed", str(seed),
            "--holdout", "0.2", "--json", "--quiet"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(line, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        return None
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(run.stdout), "cpuSeconds": seconds}


def cell(arguments, kernel, recipe, rows):
    """The mean test error with its standard error, and the median CPU time of the command; '' if it cannot be run."""
    landmarks = recipe.startswith("landmarks(") and int(recipe[10:-1])
    if (recipe == "none" and rows > MOST_EXACT_ROWS) or landmarks > rows:
        return ""
    splits = seeds if rows < FEW_ROWS else 1
    results = [train(arguments, kernel, recipe, seed) for seed in range(1, splits + 1)]
    if any(result is None for result in results):
        return ""
    errors = [result["rmse"] for result in results]
    error = statistics.stdev(errors) / math.sqrt(splits) if splits > 1 else None
    seconds = statistics.median(result["cpuSeconds"] for result in results)
    mean = statistics.mean(errors)
    spread = "" if error is None else f" ± {error:.2g}"
    return (f"{mean:,.0f}" if mean >= 1000 else f"{mean:.4g}") + f"{spread} ({seconds:.0f} s)"


print(f"test rmse, mean of {seeds} splits ± standard error, or one split (median CPU seconds of the command)")
print("| data | training rows | kernel | " + " | ".join(f"`{recipe}`" for recipe in MAPS) + " | `auto` chooses |")
print("|" + "---|" * (len(MAPS) + 4))
for name, arguments in SETS:
    usual = train(arguments, "gaussian", "auto", 1)
    print(f"| {name} | {usual['rows']:,} | `gaussian` | {cell(arguments, 'gaussian', MAPS[0], usual['rows'])} "
          + "| " * len(MAPS) + "|", flush=True)
    for kernel in KERNELS:
        cells = [cell(arguments, kernel, recipe, usual["rows"]) for recipe in MAPS]
        chosen = train(arguments, kernel, "auto", 1)["map"]
        print(f"| {name} | {usual['rows']:,} | `{kernel}` | " + " | ".join(cells) + f" | `{chosen}` |", flush=True)
