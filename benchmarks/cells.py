"""Trains trees of machines and single machines and prints their test errors as Markdown. Called by cells."""
import json
import shlex
import subprocess
import sys
import time

bochner, folder, chosen = sys.argv[1], sys.argv[2], sys.argv[3:]
SETS = {
    "first20k": "covtype/covtype.first20k.csv.gz --task classify",
    "subset": "covtype/covtype.scale01.subset92962.csv.gz --positive 2",
}
RUNS = [
    ("one machine", "1,000", "--features 1000"),
    ("one machine", "4,000", "--features 4000"),
    ("one machine", "8,000", "--features 8000"),
    ("mean of 4", "4 x 1,000", "--features 1000 --average 4"),
    ("`--cells 4`", "4 x 1,000", "--features 1000 --cells 4"),
    ("`--cells 'agop(leaves=4)'`", "4 x 1,000", "--features 1000 --cells 'agop(leaves=4)'"),
    ("`--cells 8`", "8 x 1,000", "--features 1000 --cells 8"),
    ("`--cells 'columns(leaves=8, overlap=0.1)'`", "8 x 1,000",
     "--features 1000 --cells 'columns(leaves=8, overlap=0.1)'"),
    ("`--cells 'agop(leaves=8)'`", "8 x 1,000", "--features 1000 --cells 'agop(leaves=8)'"),
    ("`--cells 16`", "16 x 1,000", "--features 1000 --cells 16"),
    ("`--cells 8`", "8 x 500", "--features 500 --cells 8"),
    ("one machine", "16,000", "--features 16000"),
]
# The first set has as many rows as these features.
ONLY = {"16,000": "subset"}

print("| data | model | features | test error | seconds |")
print("|---|---|---|---|---|")
for name, flags in SETS.items():
    if chosen and name not in chosen:
        continue
    for model, features, more in RUNS:
        if ONLY.get(features, name) != name:
            continue
        line = [bochner, "train", "--json", "--quiet", f"{folder}/" + flags.split()[0], *flags.split()[1:],
                "--holdout", "0.2", *shlex.split(more)]
        start = time.time()
        result = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
        print(f"| {name} | {model} | {features} | {100 * result['error']:.2f}% | {time.time() - start:.0f} |", flush=True)
