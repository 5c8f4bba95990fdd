"""Trains cascades and prints their stages on test rows as Markdown. Called by cascades."""
import json
import shlex
import subprocess
import sys

bochner, folder, chosen = sys.argv[1], sys.argv[2], sys.argv[3:]
NEWS = "20newsgroups/20news.train.libsvm.gz --test {}/20newsgroups/20news.test.libsvm.gz --scale unit-l1 " \
    "--bandwidth median --learner 'ridge(lambda=0.1)'"
PAPER = " --cascade 'linear, scale=standard | chi2, scale=standard(uncentred) | exp-chi2'"

RUNS = {
    "kddcup99": "kddcup99/kddcup.data_10_percent.gz --holdout 0.2" + PAPER,
    "20newsgroups": NEWS + " --cascade 'linear, learner=ridge(lambda=0.01) | chi2, map=sampled(order=1) "
    "| exp-chi2, map=none'",
    "20newsgroups, two stages": NEWS + " --cascade 'linear, learner=ridge(lambda=0.01) | exp-chi2, map=none' "
    "--max-loss 0.1%",
    "optdigits": "optdigits/optdigits.tra.csv.gz --test {}/optdigits/optdigits.tes.csv.gz --features 4000" + PAPER,
    "optdigits, auto": "optdigits/optdigits.tra.csv.gz --test {}/optdigits/optdigits.tes.csv.gz --cascade auto",
    "letter": "letter/letter.csv.gz --holdout 0.2 --features 4000" + PAPER,
}

print("| data | stage | features | decides | error there | error alone | µs per row |")
print("|---|---|---|---|---|---|---|")
for name, flags in RUNS.items():
    if chosen and name.split(",")[0] not in chosen:
        continue
    line = [bochner, "train", "--json", "--quiet"] + shlex.split(f"{folder}/" + flags.replace("{}", folder))
    result = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    cascade = result["testCascade"]
    for stage in cascade["stages"]:
        kernel = stage["kernel"].split("(")[0]
        there = "-" if stage["error"] is None else f"{100 * stage['error']:.2f}"
        print(f"| {name} | {kernel} | {stage['features']:,} | {100 * stage['share']:.1f}% | {there} "
              f"| {100 * stage['errorAlone']:.2f} | {stage['microsecondsPerRow']:.2f} |")
    print(f"| {name} | **cascade** | | | **{100 * cascade['error']:.2f}** | | {cascade['microsecondsPerRow']:.2f} "
          f"({100 * cascade['relativeTime']:.0f}% of the last stage) |", flush=True)
