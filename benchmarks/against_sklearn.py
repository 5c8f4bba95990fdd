"""Times scikit-learn and bochner in turns on a9a; prints both and the ratio. Called by against-sklearn."""
import json
import statistics
import subprocess
import sys
import time

import numpy as np
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge

bochner, folder, features, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
sigma = 3.1623
train, test = f"{folder}/a9a.gz", f"{folder}/a9a.t.gz"
x, y = load_svmlight_file(train, n_features=123)
xt, yt = load_svmlight_file(test, n_features=123)
x, y = np.asarray(x.todense(), dtype=np.float32), y.astype(np.float32)
xt = np.asarray(xt.todense(), dtype=np.float32)


def theirs():
    start = time.perf_counter()
    sampler = RBFSampler(gamma=1 / (2 * sigma**2), n_components=features, random_state=1)
    z = sampler.fit_transform(x)
    model = Ridge(alpha=1.0, solver="cholesky").fit(z, y)
    seconds = time.perf_counter() - start
    error = np.mean(np.sign(model.predict(sampler.transform(xt))) != yt)
    return seconds, error


def ours():
    command = [bochner, "train", train, "--test", test, "--columns", "123", "--kernel", f"gaussian(sigma={sigma})",
               "--features", str(features), "--learner", "ridge(lambda=1)", "--json", "--quiet"]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result["fitSeconds"], result["error"]


theirs()
pairs = [(ours(), theirs()) for _ in range(rounds)]
print(f"scikit-learn {sklearn.__version__}, a9a, gaussian(sigma={sigma}), {features} features, lambda 1, {rounds} rounds")
for name, index in (("bochner", 0), ("scikit-learn", 1)):
    seconds = [pair[index][0] for pair in pairs]
    print(f"{name:13s} fit {statistics.median(seconds):.3f} s (from {min(seconds):.3f} to {max(seconds):.3f}), "
          f"test error {100 * pairs[0][index][1]:.2f}%")
ratios = [a[0] / b[0] for a, b in pairs]
print(f"ratio         {statistics.median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})")
