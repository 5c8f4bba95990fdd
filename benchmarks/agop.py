"""Compares the methods of `bochner learn-kernel`. Called by agop."""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

command, folder = sys.argv[1], sys.argv[2]
features = sys.argv[3] if len(sys.argv) > 3 else "2000"
seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
chosen = sys.argv[5:] or ["cpu_act", "cal_housing", "letter"]
METHODS = ["gradient", "agop", "agop(full)"]


def data_file(name):
    known = {"satimage": "sat.trn"}
    names = [f"{name}.csv.gz", f"{name}.csv", known.get(name, "")]
    return next(path for path in (os.path.join(folder, name, n) for n in names) if os.path.isfile(path))


def run(name, method, seed):
    """Returns the measure of the initial and of the learned kernel on held-out rows, and the processor time."""
    with tempfile.TemporaryDirectory() as scratch:
        line = [command, "learn-kernel", data_file(name), "--holdout", "0.2", "--features", features]
        line += ["--seed", str(seed), "--method", method, "--json", "--quiet"]
        line += ["--model", os.path.join(scratch, "m.bochner")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    classes = "error" in result
    scale = 100 if classes else 1
    start, end = ("startError", "error") if classes else ("startRmse", "rmse")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return scale * result[start], scale * result[end], seconds, result["seconds"], classes


def spread(values):
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0
    return f"{statistics.mean(values):.4g} ± {error:.2g}"


print("| data | initial kernel | " + " | ".join(METHODS) + " | gain of agop / gradient | processor time of agop / gradient |")
print("|---|" + "---|" * (len(METHODS) + 3))
for name in chosen:
    runs = {method: [run(name, method, seed + 1) for seed in range(seeds)] for method in METHODS}
    start = [values[0] for values in runs["gradient"]]
    gains = {m: statistics.mean(s - v[1] for s, v in zip(start, runs[m])) for m in METHODS}
    times = {m: sum(v[2] for v in runs[m]) for m in METHODS}
    unit = "error in %" if runs["gradient"][0][4] else "rmse"
    cells = [f"{name}, {unit}", spread(start)]
    cells += [f"{spread([v[1] for v in runs[m]])} ({times[m] / seeds:.0f} s)" for m in METHODS]
    cells += [f"{gains['agop'] / gains['gradient']:.0%}", f"{times['agop'] / times['gradient']:.0%}"]
    print("| " + " | ".join(cells) + " |", flush=True)
