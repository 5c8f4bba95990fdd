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
SETS = {"20newsgroups": ("20newsgroups/20news", 10_000), "reuters_r8": ("reuters_r8/r8", 7_654)}
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
        out.writerows(zip((f"t{int(label)}" for label in labels), rows))


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
    lines = run("predict", data, "--model", model, "--scores", "--quiet").splitlines()
    rows = [line.split(",") for line in lines]
    names = sorted(range(1, len(rows[0])), key=lambda j: rows[0][j].lstrip("t").rjust(9))
    return np.array([[float(row[j]) for j in names] for row in rows[1:]])


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

    text, seconds = train(f"{work}/train.csv", "--text", "body", "--test", f"{work}/test.csv", "--model", f"{work}/text")
    line(f"`--text body`: {text['kernel']}, {text['scaling']}", text["error"], seconds)
    hand, seconds = train(f"{work}/hashed.train.libsvm", "--columns", BUCKETS, "--test", f"{work}/hashed.test.libsvm",
                          "--task", "classify", "--model", f"{work}/hashed")
    line("hashed counts prepared by hand, LIBSVM", hand["error"], seconds)
    plain, seconds = train(f"{work}/counts.train.libsvm", "--columns", len(known), "--test",
                           f"{work}/counts.test.libsvm", "--task", "classify")
    line(f"counts of {len(known):,} words, no collisions", plain["error"], seconds)
    wide, seconds = train(f"{work}/train.csv", "--text", "body", "--text-features", "words(n=1, buckets=2^18)",
                          "--test", f"{work}/test.csv")
    line("`--text-features 'words(n=1, buckets=2^18)'`", wide["error"], seconds)
    svm, seconds = train(f"{work}/train.csv", "--text", "body", "--kernel", "chi2", "--scale", "unit-l1", "--learner",
                         "svm", "--test", f"{work}/test.csv")
    line("`--kernel chi2 --scale unit-l1 --learner svm`", svm["error"], seconds)
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
    own, prepared = scores(f"{work}/text", f"{work}/test.csv"), scores(f"{work}/hashed", f"{work}/hashed.test.libsvm")
    print(f"\nScores of `--text` against hashed counts prepared by hand: {np.sum(own != prepared):,} of {own.size:,}"
          f" differ; largest difference {np.max(np.abs(own - prepared)):g}.")
    return parts["train"][0]


def speed(rows, work):
    """Times one pass of reading and hashing: transform to one feature per row, against HashingVectorizer in memory."""
    repeated = rows * max(1, 60_000 // len(rows))
    with open(f"{work}/long.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["body"])
        out.writerows([row] for row in repeated)
    vectorizer = HashingVectorizer(alternate_sign=False, norm=None, n_features=BUCKETS)
    tokens = int(vectorizer.transform(rows).sum()) * (len(repeated) // len(rows))
    pairs = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        with open(f"{work}/long.csv", newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            next(lines)
            vectorizer.transform(row[0] for row in lines)
        pairs.append(time.perf_counter() - start)
    theirs = statistics.median(pairs)
    print(f"\nscikit-learn {sklearn.__version__}: csv.reader + HashingVectorizer {theirs:.2f} s for {tokens:,} words,"
          f" {tokens / theirs / 1e6:.2f} million words per second")
    return tokens, theirs


with tempfile.TemporaryDirectory() as folder:
    for data in SETS:
        kept = compare(data, folder)
        if data == "20newsgroups":
            speed(kept, folder)
