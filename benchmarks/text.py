"""Compares texts read by --text with counts prepared by hand and with scikit-learn. Called by text."""
import csv
import gzip
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import sklearn
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

BOCHNER, FOLDER, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
# The command that runs org.bochner.benchmarks.TextReading, to whose end the arguments are added.
READING = sys.argv[4:]
SETS = {"reuters_r8": ("reuters_r8/r8", 7_654), "20newsgroups": ("20newsgroups/20news", 10_000)}
BUCKETS = 2**16


def texts(counts, words, seed):
    """Writes each word as often as it was counted, in random order and case, with commas, quotes and line breaks."""
    draw = random.Random(seed)
    between = [" "] * 12 + [", ", ".\n", ' "', "; ", "' "]
    result = []
    for row in range(counts.shape[0]):
        one = counts[row]
        tokens = [words[j] for j, n in zip(one.indices, one.data) for _ in range(int(n))]
        draw.shuffle(tokens)
        tokens = [token.capitalize() if draw.random() < 0.1 else token for token in tokens]
        result.append("".join(token + draw.choice(between) for token in tokens).strip())
    return result


def write(path, rows, labels):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["topic", "body"])
        out.writerows(zip((int(label) for label in labels), rows))


def run(*arguments):
    line = [BOCHNER, *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        sys.exit(" ".join(line) + "\n" + done.stderr)
    return done.stdout


def train(*arguments):
    start = time.perf_counter()
    result = json.loads(run("train", *arguments, "--json", "--quiet"))
    return result, time.perf_counter() - start


def scores(model, data):
    lines = run("predict", model, data, "--scores", "--quiet").splitlines()
    return np.array([[float(score) for score in line.split(",")] for line in lines[1:]])


def percent(wrong, count):
    return f"{100 * wrong:.2f} ± {100 * (wrong * (1 - wrong) / count) ** 0.5:.2f}"


def compare(name, work):
    path, columns = SETS[name]
    with gzip.open(f"{FOLDER}/{path}.vocab.txt.gz", "rt", encoding="utf-8") as file:
        words = file.read().split("\n")
    known = [j for j in range(columns) if len(words[j]) > 1 and words[j].isalnum() and words[j].lower() == words[j]]
    parts = {}
    for part in ("train", "test"):
        counts, labels = load_svmlight_file(f"{FOLDER}/{path}.{part}.libsvm.gz", n_features=columns)
        # Words that are no single token as they are written, such as numbers with a point, are left out.
        counts = counts[:, known]
        rows = texts(counts, [words[j] for j in known], 1)
        write(f"{work}/{part}.csv", rows, labels)
        hashed = HashingVectorizer(alternate_sign=False, norm=None, n_features=BUCKETS).transform(rows)
        for kind, matrix in (("hashed", hashed), ("counts", counts)):
            dump_svmlight_file(matrix, labels, f"{work}/{kind}.{part}.libsvm", zero_based=False)
        parts[part] = rows, labels
    test = len(parts["test"][1])
    tokens = sum(len(row.split()) for row in parts["train"][0])
    print(f"\n## {name}: {len(parts['train'][1]):,} training texts of {tokens / len(parts['train'][1]):.0f} words on"
          f" average, {test:,} test texts\n\n| method | error in % | seconds |\n|---|---|---|")

    def line(method, wrong, seconds):
        print(f"| {method} | {percent(wrong, test)} | {seconds:.1f} |", flush=True)

    def ours(method, kind, *flags):
        end = "csv" if kind == "text" else "libsvm"
        files = [f"{work}/{part}.csv" if kind == "text" else f"{work}/{kind}.{part}.{end}" for part in ("train", "test")]
        result, seconds = train(files[0], "--test", files[1], "--task", "classify", *flags)
        line(method, result["error"], seconds)

    chi2 = ("--kernel", "chi2", "--scale", "unit-l1")
    ours("`--text body`", "text", "--text", "body", "--model", f"{work}/text")
    ours("the same counts prepared by hand, `--kernel chi2 --scale unit-l1`", "hashed", "--columns", BUCKETS, *chi2,
         "--model", f"{work}/hashed")
    own, prepared = scores(f"{work}/text", f"{work}/test.csv"), scores(f"{work}/hashed", f"{work}/hashed.test.libsvm")
    differ = f"{np.sum(own != prepared):,} of {own.size:,} differ; largest difference {np.max(np.abs(own - prepared)):g}"
    ours(f"counts of {len(known):,} words without collisions, `--kernel chi2 --scale unit-l1`", "counts", "--columns",
         len(known), *chi2)
    for features in ("words(buckets=2^14)", "words(buckets=2^18)", "words(n=1:2)"):
        ours(f"`--text body --text-features '{features}'`", "text", "--text", "body", "--text-features", features)
    for kernel, scale in (("hellinger", "unit-l1"), ("linear", "unit-l2")):
        ours(f"`--text body --kernel {kernel} --scale {scale}`", "text", "--text", "body", "--kernel", kernel, "--scale",
             scale)
    hashing = HashingVectorizer(alternate_sign=False, n_features=BUCKETS)
    for method, model in (
            ("HashingVectorizer + LinearSVC", make_pipeline(hashing, LinearSVC())),
            ("HashingVectorizer + LogisticRegression", make_pipeline(hashing, LogisticRegression(max_iter=1000))),
            ("TfidfVectorizer + LinearSVC", make_pipeline(TfidfVectorizer(), LinearSVC())),
            ("TfidfVectorizer + LogisticRegression",
             make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=1000)))):
        start = time.perf_counter()
        wrong = np.mean(model.fit(*parts["train"]).predict(parts["test"][0]) != parts["test"][1])
        line(method, wrong, time.perf_counter() - start)
    print(f"\nScores of `--text` against the same counts prepared by hand: {differ}.")
    return parts["train"][0]


def speed(rows, work):
    """Times one pass over a file of texts, on one thread: csv.reader and HashingVectorizer against ours, in turns."""
    path = f"{work}/long.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["body"])
        for _ in range(max(1, 30_000 // len(rows))):
            out.writerows([row] for row in rows)
    vectorizer = HashingVectorizer(alternate_sign=False, norm=None, n_features=BUCKETS)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        with open(path, newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            next(lines)
            tokens = int(vectorizer.transform(row[0] for row in lines).sum())
        theirs = time.perf_counter() - start
        reading = READING[:-1] + [READING[-1] + f"{path} body 3"]
        words, ours = subprocess.run(reading, check=True, capture_output=True, text=True).stdout.split()
        if int(words) != tokens:
            sys.exit(f"{words} words read, scikit-learn counts {tokens}")
        times.append((float(ours), theirs))
    ours, theirs = (statistics.median(pair[side] for pair in times) for side in (0, 1))
    print(f"\nOne pass over {tokens:,} words: ours {ours:.2f} s, {tokens / ours / 1e6:.1f} million words per second;"
          f" scikit-learn {sklearn.__version__} {theirs:.2f} s, {tokens / theirs / 1e6:.2f} million; ratio"
          f" {statistics.median(pair[1] / pair[0] for pair in times):.1f}")


with tempfile.TemporaryDirectory() as folder:
    for data in SETS:
        kept = compare(data, folder)
        if data == "20newsgroups":
            speed(kept, folder)
