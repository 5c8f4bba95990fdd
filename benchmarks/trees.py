"""Compares ways to compute exact ridge regression with few columns. Called by trees."""
import json
import statistics
import subprocess
import sys

root, folder, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOUSES = "cal_housing/cal_housing.csv.gz"
OTHERS = "housingMedianAge,totalRooms,totalBedrooms,population,households"
MAPS = ("none", "none(threshold=1e-6)", "none(products=tree)")
# Name, file, flags, kernel, learner and maps.
SETS = (
    ("cal_housing, 2 columns", HOUSES, ["--ignore", OTHERS + ",medianIncome", "--scale", "standard"],
     "gaussian(sigma=0.03)", "ridge(lambda=0.3)", MAPS),
    ("cal_housing, 2 columns", HOUSES, ["--ignore", OTHERS + ",medianIncome", "--scale", "standard"],
     "gaussian(sigma=0.3)", "ridge(lambda=0.01)", MAPS),
    ("cal_housing, 3 columns", HOUSES, ["--ignore", OTHERS, "--scale", "standard"],
     "gaussian(sigma=0.3)", "ridge(lambda=0.3)", MAPS),
    ("skin, 3 columns", "skin/skin_nonskin.csv.gz", ["--scale", "none"],
     "gaussian(sigma=20)", "ridge(lambda=0.1)", MAPS[2:]),
)


def train(file, flags, kernel, learner, recipe):
    line = [f"{root}/bochner", "train", f"{folder}/{file}", *flags, "--kernel", kernel, "--map", recipe,
            "--learner", learner, "--holdout", "0.2", "--json", "--quiet"]
    return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


print(f"fit in seconds, median of {rounds} rounds in turns")
print("| data | training rows | kernel and learner | map | fit s | ratio | memory GB | iterations | test error |")
print("|---|---|---|---|---|---|---|---|---|")
for name, file, flags, kernel, learner, maps in SETS:
    results = {recipe: [] for recipe in maps}
    for _ in range(rounds):
        for recipe in maps:
            results[recipe].append(train(file, flags, kernel, learner, recipe))
    times = {recipe: statistics.median(result["fitSeconds"] for result in results[recipe]) for recipe in maps}
    for recipe in maps:
        last = results[recipe][-1]
        error = f"{100 * last['error']:.3f}%" if "error" in last else f"rmse {last['rmse']:.2f}"
        ratio = f"{times[recipe] / times[maps[0]]:.3f}" if len(maps) > 1 else ""
        print(f"| {name} | {last['rows']:,} | `{kernel}`, `{learner}` | `{recipe}` | {times[recipe]:.1f} | {ratio} | "
              f"{last['memoryNeededBytes'] * 1e-9:.2f} | {last['solver']['iterations']} | {error} |", flush=True)
