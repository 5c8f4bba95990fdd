"""Compares the ways to choose landmarks, and times Bochner and scikit-learn in turns. Called by landmarks."""
import json
import statistics
import subprocess
import sys
import time

root, folder, count, seeds, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
CHOICES = ("uniform", "k-means", "k-medoids", "projected", "leverage", "pivots", "random-pivots")
# Name, files and flags; the kernel is Gaussian with the scale that train chooses for the data, found once per set.
SETS = (
    ("a9a", ["a9a/a9a.gz", "--test", "a9a/a9a.t.gz"], "gaussian(sigma=3.1623)", "none"),
    ("cpu_act", ["cpu_act/cpu_act.csv.gz", "--holdout", "0.2"], None, "standard"),
    ("cal_housing", ["cal_housing/cal_housing.csv.gz", "--holdout", "0.2"], None, "standard"),
    ("letter", ["letter/letter.csv.gz", "--holdout", "0.2"], None, "standard"),
    ("optdigits", ["optdigits/optdigits.tra.csv.gz", "--test", "optdigits/optdigits.tes.csv.gz"], None, "none"),
    ("covtype.first20k", ["covtype/covtype.first20k.csv.gz", "--holdout", "0.2"], None, "standard"),
)


def train(files, *flags):
    line = [f"{root}/bochner", "train"]
    line += [f"{folder}/{word}" if word.endswith(".gz") else word for word in files]
    line += [*flags, "--json", "--quiet"]
    return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


def loss(result):
    return result["error"] if "error" in result else result["rmse"]


print(f"{count} landmarks, ridge with the penalty chosen by cross-validation, mean of {seeds} seeds (standard error)")
print("data               kernel                     " + "".join(f"{choice:>18}" for choice in CHOICES))
wins = {choice: 0 for choice in CHOICES}
for name, files, kernel, scaling in SETS:
    if kernel is None:
        kernel = train(files, "--kernel", "gaussian", "--scale", scaling, "--features", "500")["kernel"]
    cells = []
    for choice in CHOICES:
        losses = []
        for seed in range(1, seeds + 1):
            losses.append(loss(train(files, "--kernel", kernel, "--scale", scaling, "--map",
                                     f"landmarks(features={count}, by={choice})", "--learner", "ridge",
                                     "--seed", str(seed))))
        mean = statistics.fmean(losses)
        spread = statistics.stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else float("nan")
        cells.append((mean, spread))
        wins[choice] += cells[0][0] > mean
    scale = 100 if cells[0][0] < 1 and name not in ("cpu_act", "cal_housing") else 1
    print(f"{name:18} {kernel:26} " + "".join(f"{scale * mean:11.4g} ({scale * spread:.2g})" for mean, spread in cells),
          flush=True)
print("sets on which a choice beats uniform: " + ", ".join(f"{choice} {wins[choice]}" for choice in CHOICES[1:]))

import numpy as np
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

x, y = load_svmlight_file(f"{folder}/a9a/a9a.gz", n_features=123)
xt, yt = load_svmlight_file(f"{folder}/a9a/a9a.t.gz", n_features=123)


def theirs():
    start = time.perf_counter()
    sampler = Nystroem(gamma=1 / (2 * 3.1623**2), n_components=1000, random_state=1)
    model = Ridge(alpha=1.0, solver="cholesky").fit(sampler.fit_transform(x), y)
    seconds = time.perf_counter() - start
    return seconds, np.mean(np.sign(model.predict(sampler.transform(xt))) != yt)


def ours():
    result = train(SETS[0][1], "--columns", "123", "--kernel", SETS[0][2], "--scale", "none", "--map",
                   "landmarks(1000)", "--learner", "ridge(lambda=1)")
    return result["fitSeconds"], result["error"]


ours(), theirs()
pairs = [(ours(), theirs()) for _ in range(rounds)]
ours_time = statistics.median(pair[0][0] for pair in pairs)
theirs_time = statistics.median(pair[1][0] for pair in pairs)
print(f"a9a, 1000 landmarks, lambda 1: ours {ours_time:.2f} s, error {pairs[0][0][1]:.4f}; "
      f"scikit-learn {sklearn.__version__} Nystroem + Ridge {theirs_time:.2f} s, error {pairs[0][1][1]:.4f}; "
      f"ratio {ours_time / theirs_time:.2f}, {rounds} rounds in turns")
