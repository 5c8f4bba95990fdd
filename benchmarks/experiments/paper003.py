"""Paper 003: Chum, Low Dimensional Explicit Feature Maps (ICCV 2015). The experiments need no data sets."""
import csv
import math

from harness import Commands, Table, experiment, number

HIGHEST = 255


def transformed(run, kernel, map_name, highest):
    """The features of the numbers 0 to `highest`, as the command computes them."""
    grid = run.write(f"numbers-{highest}.csv", "\n".join(str(v) for v in range(highest + 1)) + "\n")
    name = f"features-{kernel}-{highest}-{map_name}.csv".translate(str.maketrans("(=,) :", "------"))
    run("transform", grid, "--label", "none", "--header", "no", "--scale", "none", "--kernel", kernel, "--map", map_name,
        "--output", "+/" + name, outputs=[name])
    with open(run.path(name), encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    if not is_number(rows[0][0]):
        rows = rows[1:]
    return [[float(cell) for cell in row] for row in rows]


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def chi2(x, y):
    return 2 * x * y / (x + y) if x and y else 0.0


def jensen_shannon(x, y):
    return (x * math.log2((x + y) / x) + y * math.log2((x + y) / y)) / 2 if x and y else 0.0


KERNELS = {"chi2": chi2, "intersection": min, "jensen-shannon": jensen_shannon}


def differences(features, kernel):
    """The approximation minus the kernel, for all pairs of the numbers 0 to n - 1."""
    return [[sum(a * b for a, b in zip(left, right)) - kernel(x, y) for y, right in enumerate(features)]
            for x, left in enumerate(features)]


def largest(matrix):
    return max(abs(value) for row in matrix for value in row)


def squares(matrix):
    return sum(value * value for row in matrix for value in row)


def root_mean_square(matrix):
    return math.sqrt(squares(matrix) / (len(matrix) * len(matrix[0])))


@experiment("003", "table-1", "Errors of maps of histogram kernels on {0..255}")
def table_1(run):
    published = {
        ("chi2", 5): ("0.163", "0.081", "3.205", "1.251"), ("chi2", 7): ("0.011", "0.005", "0.143", "0.053"),
        ("intersection", 5): ("10.922", "5.376", "30.119", "6.679"),
        ("intersection", 7): ("8.238", "4.053", "22.287", "4.436"),
        ("jensen-shannon", 5): ("0.019", "0.009", "2.911", "1.203"),
        ("jensen-shannon", 7): ("9e-4", "3e-4", "0.127", "0.070")}
    rows = []
    for (kernel, dimension), numbers in published.items():
        maps = [("designed", f"lp(dimension={dimension}, range=1:{HIGHEST})"),
                ("VLFeat", f"sampled(order={dimension // 2}, period=vlfeat)")]
        for (name, spelling), paper in zip(maps, (numbers[:2], numbers[2:])):
            found = differences(transformed(run, kernel, spelling, HIGHEST), KERNELS[kernel])
            rows.append([f"`{kernel}`", dimension, name, paper[0], number(largest(found)), paper[1],
                         number(root_mean_square(found))])
    return [Commands("./bochner transform numbers.csv --label none --scale none --kernel KERNEL --output features.csv \\\n"
                     "    --map 'lp(dimension=D, range=1:255)'\n"
                     "./bochner transform numbers.csv --label none --scale none --kernel KERNEL --output features.csv \\\n"
                     "    --map 'sampled(order=(D-1)/2, period=vlfeat)'"),
            Table(["kernel", "D", "map", "largest error, paper", "here", "RMS error, paper", "here"], rows, (0, 2))]
