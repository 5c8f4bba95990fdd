"""Times the features of additive maps, ours and scikit-learn's in turns; prints rates and ratios. Called by additive."""
import multiprocessing
import os
import statistics
import subprocess
import sys
import time

# One core a process, as ours is one core a thread.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
import numpy as np
import sklearn
from sklearn.kernel_approximation import AdditiveChi2Sampler

root, rounds = sys.argv[1], int(sys.argv[2])
SHAPES = ((1024, 128), (20000, 128))
# Name, or the frequencies of a designed map; features a column; scikit-learn's sample_steps that give as many (its
# kernel is chi2, too).
MAPS = (("sampled(order=1)", 3, 2), ("sampled(order=2)", 5, 3), ("0,0.459,1.1096", 5, 3), ("sampled(order=3)", 7, 4),
        ("chebyshev(terms=5)", 5, 3), ("direct(terms=5)", 5, 3))
WARM_SECONDS, MEASURE_SECONDS = 1.5, 0.2


def transform_on_request(pipe):
    """Answers each (shape, steps, seconds) with the seconds that one transform took, the mean over so long a time.

    Processor time on either side, so that what else runs on the machine disturbs little.
    """
    data = {shape: np.random.default_rng(1).random(shape, dtype=np.float32) for shape in SHAPES}
    while True:
        request = pipe.recv()
        if request is None:
            return
        shape, steps, seconds = request
        sampler = AdditiveChi2Sampler(sample_steps=steps, sample_interval=None if steps < 4 else 0.4).fit(data[shape])
        assert sampler.transform(data[shape]).dtype == np.float32
        start, calls = time.process_time(), 0
        while time.process_time() - start < seconds:
            sampler.transform(data[shape])
            calls += 1
        pipe.send((time.process_time() - start) / calls)


workers = []
for _ in range(2):
    ours_end, their_end = multiprocessing.Pipe()
    worker = multiprocessing.Process(target=transform_on_request, args=(their_end,), daemon=True)
    worker.start()
    workers.append(ours_end)

java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
library = subprocess.Popen(
    [java, "-cp", f"{root}/benchmarks/target/classes:{root}/cli/target/dist/lib/*",
     "org.bochner.benchmarks.FeaturesOnRequest"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def rate(shape, width, seconds):
    """Million features a second of all who worked at once, from the seconds that each took for one matrix."""
    return sum(shape[0] * shape[1] * width / each for each in seconds) * 1e-6


def theirs(shape, width, steps, processes, seconds):
    for worker in workers[:processes]:
        worker.send((shape, steps, seconds))
    return rate(shape, width, [worker.recv() for worker in workers[:processes]])


def ours(shape, width, name, threads, seconds):
    library.stdin.write(f"{name} {shape[0]} {shape[1]} {threads} {seconds}\n")
    library.stdin.flush()
    return rate(shape, width, [float(each) for each in library.stdout.readline().split()])


print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}; float32, no zeros; million features a second of "
      f"processor time; medians of {rounds} rounds in turns, {MEASURE_SECONDS} s each")
print(f"{'':38s} {'one core':^26s} {'two cores, together':^26s}")
print(f"{'shape':12s} {'map':19s} {'per':>5s} " + 2 * f"{'ours':>8s} {'sklearn':>8s} {'ratio':>8s} ")
for shape in SHAPES:
    for name, width, steps in MAPS:
        line = f"{shape[0]}x{shape[1]}".ljust(12) + f" {name:19s} {width:5d} "
        for cores in (1, 2):
            ours(shape, width, name, cores, WARM_SECONDS)
            theirs(shape, width, steps, cores, MEASURE_SECONDS)
            pairs = [(ours(shape, width, name, cores, MEASURE_SECONDS),
                      theirs(shape, width, steps, cores, MEASURE_SECONDS)) for _ in range(rounds)]
            line += f"{statistics.median(pair[0] for pair in pairs):8.0f} "
            line += f"{statistics.median(pair[1] for pair in pairs):8.0f} "
            line += f"{statistics.median(pair[0] / pair[1] for pair in pairs):8.1f} "
        print(line.rstrip(), flush=True)
for worker in workers:
    worker.send(None)
library.stdin.close()
library.wait()
