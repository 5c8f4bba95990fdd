"""Compares maps of rough kernels on tables. Called by rough."""
import json
import math
import shlex
import statistics
import subprocess
import sys

command, folder, seeds = shlex.split(sys.argv[1]), sys.argv[2], int(sys.argv[3])
KERNELS = sys.argv[4:] or ["matern(nu=0.5)", "laplacian", "stable(p=1.5, q=1)"]
MOST_EXACT_ROWS = 10_000
# Name and arguments of `train`.
SETS = (
    ("concrete", "concrete/concrete.csv.gz"),
    ("airfoil", "airfoil/airfoil.csv.gz"),
    ("wine white", "wine_quality/winequality-white.csv.gz --task regress"),
    ("cpu_act", "cpu_act/cpu_act.csv.gz"),
    ("cal_housing", "cal_housing/cal_housing.csv.gz"),
)
MAPS = ("fourier(features=1000)", "fourier(features=4000)", "landmarks(1000)", "landmarks(2000)", "landmarks(4000)", "none")


def train(arguments, kernel, recipe, seed):
    file, *flags = arguments.split()
    line = [*command, "train", f"{folder}/{file}", *flags, "--kernel", kernel, "--map", recipe, "--seed", str(seed),
            "--holdout", "0.2", "--json", "--quiet"]
    run = subprocess.run(line, capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def cell(arguments, kernel, recipe, rows):
    """The mean test error with its standard error, and the median time of choices and fit; '' if it cannot be run."""
    landmarks = recipe.startswith("landmarks(") and int(recipe[10:-1])
    if (recipe == "none" and rows > MOST_EXACT_ROWS) or landmarks > rows:
        return ""
    results = [train(arguments, kernel, recipe, seed) for seed in range(1, seeds + 1)]
    if any(result is None for result in results):
        return ""
    errors = [result["rmse"] for result in results]
    error = statistics.stdev(errors) / math.sqrt(seeds) if seeds > 1 else 0
    seconds = statistics.median(result["prepareSeconds"] + result["fitSeconds"] for result in results)
    return f"{statistics.mean(errors):,.4g} ± {error:,.2g} ({seconds:.1f} s)"


print(f"test rmse, mean of {seeds} splits ± standard error (median seconds of choices and fit)")
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
