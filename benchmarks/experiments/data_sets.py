"""Data sets that several papers use, as files of training rows and test rows."""
import gzip
import os

COVTYPE = "covtype/covtype.scale01.subset92962.csv.gz"
OPTDIGITS = ["optdigits/optdigits.tra.csv.gz", "optdigits/optdigits.tes.csv.gz"]

# The kernel of papers 002 and 004, with the gamma of paper 002.
EXPONENTIAL = "exp-chi2(gamma=1.5)"

# The descriptors of scene15 and landuse21, and their numbers of columns.
VIEWS = (("view1_20", 20), ("view2_59", 59), ("view3_40", 40))


def views_and_labels(name):
    """The files of scene15 or landuse21: the descriptors and the labels."""
    return [f"{name}/{view}.csv.gz" for view, _ in VIEWS] + [f"{name}/labels.csv.gz"]


def ranges():
    """The columns of each descriptor if the descriptors stand side by side, such as 0:20."""
    start, found = 0, []
    for _, columns in VIEWS:
        found.append(f"{start}:{start + columns}")
        start += columns
    return found


def lines(run, file):
    """The lines of a compressed data file."""
    with gzip.open(os.path.join(run.folder, file), "rt", encoding="utf-8") as stream:
        return stream.read().splitlines()


def side_by_side(run, files):
    """The rows of several files without headers, joined to rows of all columns."""
    return [",".join(cells) for cells in zip(*(lines(run, file) for file in files))]


def halves(run, name, view=None):
    """The training file and the test file of scene15 or landuse21: every second image of each class is a test image. A
    row has one descriptor, or all three, and then the class."""

    def make():
        files = [file for file in views_and_labels(name) if view is None or view in file or "labels" in file]
        seen, parts = {}, ([], [])
        for row in side_by_side(run, files):
            label = row.rsplit(",", 1)[1]
            seen[label] = seen.get(label, -1) + 1
            parts[seen[label] % 2].append(row)
        return ["\n".join(rows) + "\n" for rows in parts]

    return run.write([f"{name}-{view or 'all'}-{part}.csv" for part in ("train", "test")], make)


def last_column(run, name, header=False):
    """The last cell of each row of a file of the experiment, as text."""
    return [line.rsplit(",", 1)[1].strip() for line in run.read(name).splitlines()[1 if header else 0:]]
