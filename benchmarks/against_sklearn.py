"""Times scikit-learn and Bochner in turns on a9a; prints both and the ratio. Called by against-sklearn."""
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge

root, folder, features, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
sigma, penalty = 3.1623, "1"
train, test = f"{folder}/a9a.gz", f"{folder}/a9a.t.gz"
kernel = f"gaussian(sigma={sigma})"
x, y = load_svmlight_file(train, n_features=123)
xt, yt = load_svmlight_file(test, n_features=123)
x, y = np.asarray(x.todense(), dtype=np.float32), y.astype(np.float32)
xt = np.asarray(xt.todense(), dtype=np.float32)


def theirs():
    start = time.perf_counter()
    sampler = RBFSampler(gamma=1 / (2 * sigma**2), n_components=int(features), random_state=1)
    z = sampler.fit_transform(x)
    model = Ridge(alpha=float(penalty), solver="cholesky").fit(z, y)
    seconds = time.perf_counter() - start
    error = np.mean(np.sign(model.predict(sampler.transform(xt))) != yt)
    return seconds, error


java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
library = subprocess.Popen(
    [java, "-cp", f"{root}/benchmarks/target/classes:{root}/cli/target/dist/lib/*",
     "org.bochner.benchmarks.FitOnRequest", train, test, kernel, features, penalty],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def ours():
    library.stdin.write("fit\n")
    library.stdin.flush()
    seconds, error = library.stdout.readline().split()
    return float(seconds), float(error)


def command():
    line = [f"{root}/bochner", "train", train, "--test", test, "--columns", "123", "--kernel", kernel, "--features",
            features, "--learner", f"ridge(lambda={penalty})", "--json", "--quiet"]
    result = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    return result["fitSeconds"], result["error"]


print(f"scikit-learn {sklearn.__version__}, a9a, {kernel}, {features} features, lambda {penalty}, {rounds} rounds in turns")
for _ in range(3):
    ours()
theirs()
triples = [(theirs(), ours(), command()) for _ in range(rounds)]
library.stdin.close()
library.wait()
for name, index in (("scikit-learn", 0), ("library, warm", 1), ("command, cold", 2)):
    seconds = [triple[index][0] for triple in triples]
    ratio = statistics.median(triple[index][0] / triple[0][0] for triple in triples)
    print(f"{name:14s} fit {statistics.median(seconds):.3f} s (from {min(seconds):.3f} to {max(seconds):.3f}), "
          f"ratio {ratio:.2f}, test error {100 * triples[0][index][1]:.2f}%")
