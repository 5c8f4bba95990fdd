"""Compares ways to compute exact ridge regression with few columns. Called by trees."""
import json
import statistics
import subprocess
import sys

root, folder, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOUSES = "cal_housing/cal_housing.csv.gz"
OTHERS = "housingMedianAge,totalRooms,totalBedrooms,population,households"
MAPS = ("none", "none(threshold=1e-6)", "none(products=tree)")
# Name, file, flags, kernel and learner.
SETS = (
    ("cal_housing, 2 columns", HOUSES, ["--ignore", OTHERS + ",medianIncome", "--scale", "standard"],
     "gaussian(sigma=0.03)", "ridge(lambda=0.3)"),
    ("cal_housing, 3 columns", HOUSES, ["--ignore", OTHERS, "--scale", "standard"],
     "gaussian(sigma=0.3)", "ridge(lambda=0.3)"),
)


def train(file, flags, kernel, learner, recipe):
    line = [f"{root}/bochner", "train", f"{folder}/{file}", *flags, "--kernel", kernel, "--map", recipe,
            "--learner", learner, "--holdout", "0.2", "--json", "--quiet"]
    return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


print(f"fit in seconds, median of {rounds} rounds in turns")
print("| data | training rows | kernel and learner | map | fit s | ratio | memory GB | iterations | test error |")
print("|---|---|---|---|---|---|---|---|---|")
for name, file, flags, kernel, learner in SETS:
    results = {recipe: [] for recipe in MAPS}
    for _ in range(rounds):
        for recipe in MAPS:
            results[recipe].append(train(file, flags, kernel, learner, recipe))
    times = {recipe: statistics.median(result["fitSeconds"] for result in results[recipe]) for recipe in MAPS}
    for recipe in MAPS:
        last = results[recipe][-1]
        ratio = times[recipe] / times[MAPS[0]]
        print(f"| {name} | {last['rows']:,} | `{kernel}`, `{learner}` | `{recipe}` | {times[recipe]:.1f} | {ratio:.3f} | "
              f"{last['memoryNeededBytes'] * 1e-9:.2f} | {last['solver']['iterations']} | rmse {last['rmse']:.2f} |", flush=True)
