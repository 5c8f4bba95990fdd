"""Times Bochner's landmarks and scikit-learn's Nystroem + Ridge on a9a, in turns. Called by landmarks."""
import json
import statistics
import subprocess
import sys
import time

import numpy as np
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

root, folder, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
x, y = load_svmlight_file(f"{folder}/a9a/a9a.gz", n_features=123)
xt, yt = load_svmlight_file(f"{folder}/a9a/a9a.t.gz", n_features=123)


def theirs():
    start = time.perf_counter()
    sampler = Nystroem(gamma=1 / (2 * 3.1623**2), n_components=1000, random_state=1)
    model = Ridge(alpha=1.0, solver="cholesky").fit(sampler.fit_transform(x), y)
    seconds = time.perf_counter() - start
    return seconds, np.mean(np.sign(model.predict(sampler.transform(xt))) != yt)


def ours():
    line = [f"{root}/bochner", "train", f"{folder}/a9a/a9a.gz", "--test", f"{folder}/a9a/a9a.t.gz", "--columns", "123"]
    line += ["--kernel", "gaussian(sigma=3.1623)", "--scale", "none", "--map", "landmarks(1000)"]
    line += ["--learner", "ridge(lambda=1)", "--json", "--quiet"]
    result = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    return result["fitSeconds"], result["error"]


ours(), theirs()
pairs = [(ours(), theirs()) for _ in range(rounds)]
ours_time = statistics.median(pair[0][0] for pair in pairs)
theirs_time = statistics.median(pair[1][0] for pair in pairs)
print(f"a9a, 1000 landmarks, lambda 1: ours {ours_time:.2f} s, error {pairs[0][0][1]:.4f}; "
      f"scikit-learn {sklearn.__version__} Nystroem + Ridge {theirs_time:.2f} s, error {pairs[0][1][1]:.4f}; "
      f"ratio {ours_time / theirs_time:.2f}, {rounds} rounds in turns")
