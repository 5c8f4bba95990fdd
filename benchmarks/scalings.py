"""Compares the scalings of `bochner train` on tables of numbers; prints a Markdown table. Called by scalings."""
import json
import math
import shlex
import statistics
import subprocess
import sys

SETS = {
    "concrete": "concrete/concrete.csv.gz",
    "airfoil": "airfoil/airfoil.csv.gz",
    "wine red": "wine_quality/winequality-red.csv.gz --task regress",
    "abalone": "abalone/abalone.csv.gz",
    "wine white": "wine_quality/winequality-white.csv.gz --task regress",
    "cpu_act": "cpu_act/cpu_act.csv.gz",
    "cal_housing": "cal_housing/cal_housing.csv.gz",
    "house_16H": "house_16H/house_16H.csv.gz",
    "protein_tertiary": "protein_tertiary/protein_tertiary.csv.gz",
}
SCALINGS = ["standard", "log1p then standard", "clip then standard", "quantile", "robust", ""]


def rmse(command, folder, data, scaling, seed):
    """Returns the test rmse and the scaling that was used."""
    flags = ["--scale", scaling] if scaling else []
    arguments = [*shlex.split(command), "train", *shlex.split(data), "--holdout", "0.2", "--seed", str(seed), "--json", *flags]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(arguments)} failed:\n{done.stderr}")
    result = json.loads(done.stdout)
    return result["rmse"], result["scaling"]


def shown(values):
    mean = statistics.mean(values)
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{mean:,.0f} ± {error:,.0f}" if mean > 1000 else f"{mean:.4g} ± {error:.2g}"


def main():
    command, folder, seeds, names = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:] or list(SETS)
    print("| data set | " + " | ".join(f"`{s}`" if s else "default" for s in SCALINGS) + " | default chooses |")
    print("|---" * (len(SCALINGS) + 2) + "|")
    for name in names:
        cells, chosen = [], []
        for scaling in SCALINGS:
            results = [rmse(command, folder, SETS[name], scaling, seed) for seed in range(1, seeds + 1)]
            cells.append(shown([value for value, _ in results]))
            chosen = [used for _, used in results]
        print("| " + " | ".join([name, *cells, ", ".join(f"`{c}`" for c in dict.fromkeys(chosen))]) + " |", flush=True)


if __name__ == "__main__":
    main()
