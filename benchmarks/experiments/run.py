"""Runs the experiments of the papers and rewrites docs/papers. Called by benchmarks/papers, which describes the usage."""
import argparse
import importlib
import os
import shutil
import subprocess
import sys
import time
import traceback

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def arguments():
    parser = argparse.ArgumentParser(prog="benchmarks/papers", description="Repeats the experiments of the papers.")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="the folder of the data sets")
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="the experiments of one paper, 000 to 004")
    parser.add_argument("table", nargs="?", metavar="TABLE", help="one experiment, such as table-1")
    parser.add_argument("--list", action="store_true", help="print the names of the experiments")
    parser.add_argument("--again", action="store_true", help="run commands whose results are kept again")
    parser.add_argument("--pages-only", action="store_true", help="rewrite the pages from kept results; run nothing")
    parser.add_argument("--experiments", default=HERE, metavar="DIR", help="folder of the files paperNNN.py")
    parser.add_argument("--docs", default=os.path.join(ROOT, "docs", "papers"), metavar="DIR", help="folder of the pages")
    parser.add_argument("--results", default=os.path.join(ROOT, "benchmarks", "target", "papers"), metavar="DIR",
                        help="folder of the kept results")
    given = parser.parse_args()
    if (given.list or given.pages_only) and given.table is None and not os.path.isdir(given.folder or "."):
        # These two need no folder: the first name is that of the paper.
        given.folder, given.paper, given.table = None, given.folder, given.paper
    if given.folder is None and not given.list and not given.pages_only:
        parser.error("the folder of the data sets is missing")
    if given.folder is not None and not os.path.isdir(given.folder):
        parser.error(f"{given.folder} is not a folder")
    return given


def load(folder):
    sys.path.insert(0, folder)
    for name in sorted(os.listdir(folder)):
        if name.startswith("paper") and name.endswith(".py"):
            importlib.import_module(name[:-3])
    return harness.EXPERIMENTS


def choose(everything, paper, table):
    """The experiments of the names given; ends with exit code 2 if there are none."""
    papers = sorted({one.paper for one in everything})
    if paper is not None and paper not in papers:
        usage(f"unknown paper {paper}; the papers are {', '.join(papers)}")
    chosen = [one for one in everything if paper in (None, one.paper)]
    if table is not None and table not in [one.name for one in chosen]:
        usage(f"paper {paper} has no experiment {table}; it has {', '.join(one.name for one in chosen)}")
    return [one for one in chosen if table in (None, one.name)]


def usage(message):
    print(f"papers: {message}", file=sys.stderr)
    sys.exit(2)


def around(docs, one):
    """The text of a page up to the begin marker of an experiment and from its end marker on; ends with exit code 2 if
    there are no such lines."""
    path = os.path.join(docs, one.paper + ".md")
    begin, end = f"<!-- {one.name}: begin -->", f"<!-- {one.name}: end -->"
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        usage(f"{path} needs the lines {begin} and {end}")
    return text.split(begin)[0] + begin, end + text.split(end)[1]


def write_page(docs, one, parts):
    """Replaces the lines between the markers of an experiment, and writes its plots."""
    before, after = around(docs, one)
    body = "\n\n".join(part if isinstance(part, str) else part.markdown(one) for part in parts)
    for part in parts:
        if isinstance(part, harness.Plot):
            harness.write_atomically(os.path.join(docs, part.file(one)), part.svg)
    harness.write_atomically(os.path.join(docs, one.paper + ".md"), f"{before}\n\n{body}\n\n{after}")


def perform(one, run, given):
    """Runs an experiment and rewrites its part of the page. Returns why it could not be finished, or None."""
    missing = [name for name in one.files if not os.path.exists(os.path.join(given.folder or "", name))]
    if missing and not given.pages_only:
        return f"skipped, {given.folder} has no {', '.join(missing)}"
    try:
        parts = one.function(run)
        count = run.ran + run.reused
        note = f"{count} command{'' if count == 1 else 's'}, {harness.times(run.spent.values())}."
        write_page(given.docs, one, list(parts) + [note])
    except (harness.NotKept, harness.CommandFailed) as problem:
        return f"failed, {problem}"
    except Exception as problem:  # The experiments after this one are run in any case.
        place = traceback.extract_tb(problem.__traceback__)[-1]
        return f"failed, {type(problem).__name__} at {os.path.basename(place.filename)}:{place.lineno}: {problem}"
    return None


def working_command(name):
    """The path of a command that prints its version; ends with exit code 2 if there is none."""
    path = shutil.which(name)
    if path is None or subprocess.run([path, "--version"], stdout=subprocess.DEVNULL).returncode != 0:
        usage(f"{name} is not a bochner command that works; BOCHNER names another one")
    return path


def main():
    given = arguments()
    chosen = choose(load(given.experiments), given.paper, given.table)
    if given.list:
        for one in chosen:
            print(f"{one.paper} {one.name:<14} {one.title}" + (f" [{', '.join(one.files)}]" if one.files else ""))
        return 0
    for one in chosen:
        around(given.docs, one)
    command, version = None, None
    if not given.pages_only:
        command = working_command(os.environ.get("BOCHNER") or os.path.join(ROOT, "bochner"))
        version = harness.distribution_hash(command)
    start, problems, runs = time.monotonic(), 0, []
    try:
        for one in chosen:
            folder = os.path.abspath(given.folder) if given.folder else ""
            kept = os.path.join(os.path.abspath(given.results), one.paper, one.name)
            run = harness.Runs(one, folder, kept, command, version, given.again, given.pages_only)
            runs.append(run)
            problem = perform(one, run, given)
            if problem is None:
                print(f"{one.paper} {one.name}: {run.ran} commands run, {run.reused} kept", flush=True)
            else:
                problems += 1
                print(f"{one.paper} {one.name}: {problem}", file=sys.stderr, flush=True)
    finally:
        summarise(runs)
    print(f"{len(chosen) - problems} of {len(chosen)} experiments done in {time.monotonic() - start:,.0f} s")
    return 1 if problems else 0


def summarise(runs):
    """Prints the times of the experiments, kept results included. A result that two of them use counts once in the total."""
    print("\ntimes of all commands, also of those that an earlier run kept:")
    for run in runs:
        print(f"{run.experiment.paper} {run.experiment.name:<14} {harness.times(run.spent.values())}")
    print(f"{'total':<18} {harness.times({path: one for run in runs for path, one in run.spent.items()}.values())}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("papers: interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
