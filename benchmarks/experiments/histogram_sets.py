"""Data sets of histograms for the experiments of papers 002 and 004, as files of training rows and test rows."""
import gzip
import os

VIEWS = (("view1_20", 20), ("view2_59", 59), ("view3_40", 40))
OPTDIGITS = ["optdigits/optdigits.tra.csv.gz", "optdigits/optdigits.tes.csv.gz"]


def files(name):
    """The files of scene15 or landuse21."""
    return [f"{name}/{view}.csv.gz" for view, _ in VIEWS] + [f"{name}/labels.csv.gz"]


def lines(run, name):
    with gzip.open(os.path.join(run.folder, name), "rt", encoding="utf-8") as stream:
        return stream.read().split()


def halves(run, name, view=None):
    """The training file and the test file of scene15 or landuse21: every second image of each class is a test image. A
    row has one descriptor, or all three, and then the class."""
    views = [one for one, _ in VIEWS] if view is None else [view]
    outputs = [f"{name}-{view or 'all'}-{part}.csv" for part in ("train", "test")]
    if run.folder:
        seen, halves_of = {}, ([], [])
        columns = [lines(run, f"{name}/{one}.csv.gz") for one in views] + [lines(run, f"{name}/labels.csv.gz")]
        for row in zip(*columns):
            seen[row[-1]] = seen.get(row[-1], -1) + 1
            halves_of[seen[row[-1]] % 2].append(",".join(row))
        for output, rows in zip(outputs, halves_of):
            run.write(output, "\n".join(rows) + "\n")
    return ["+/" + output for output in outputs]


def classes_of(run, file):
    """The class of each row of a file that `halves` wrote."""
    with open(run.path(file[2:]), encoding="utf-8") as stream:
        return [line.rsplit(",", 1)[1].strip() for line in stream]
