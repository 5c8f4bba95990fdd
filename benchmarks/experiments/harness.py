"""What an experiment is, and how it runs the bochner command.

An experiment is a function with one argument, `run`, in a file paperNNN.py:

    @experiment("003", "table-1", "Errors of histogram kernels", files=["optdigits/optdigits.tra.csv.gz"])
    def table_1(run):
        found = run("train", "@/optdigits/optdigits.tra.csv.gz", "--kernel", "chi2", "--holdout", "0.2")
        return [Commands("./bochner train optdigits.tra.csv.gz --kernel chi2 --holdout 0.2"),
                Table(["kernel", "paper", "here"], [["chi2", "3.6%", percent(found["error"])]])]

`run(...)` runs `bochner ... --json --quiet` and returns the parsed JSON. The result is kept and used again if the
arguments, the data files and the bochner distribution are the same. In arguments,

- `@/` is the folder of the data sets. Every file must be named in `files` of the experiment;
- `+/` is the folder of the experiment's own files. `run.write(name, text)` writes one. A command that writes one has its
  name in `outputs`, and `run.path(name)` is its path.

`run(..., limit=60)` returns None if the command takes longer than 60 seconds; that is kept too. `run.cpu` is the processor
time of the latest command in seconds, all its threads together. It depends less on other work of the machine than wall time.

The function returns a list of parts: Commands, Table, Plot, and strings, which are paragraphs of Markdown. They replace
the lines between `<!-- table-1: begin -->` and `<!-- table-1: end -->` of docs/papers/NNN.md.
"""
import hashlib
import json
import os
import re
import subprocess
import tempfile
import time
import zipfile
from dataclasses import dataclass, field

EXPERIMENTS = []


@dataclass
class Experiment:
    paper: str
    name: str
    title: str
    files: list
    function: object


def experiment(paper, name, title, files=()):
    """Registers the decorated function as an experiment."""

    def register(function):
        EXPERIMENTS.append(Experiment(paper, name, title, list(files), function))
        return function

    return register


@dataclass
class Commands:
    """A code block with the general form of the commands that made the numbers."""
    text: str

    def markdown(self, _):
        return "\n".join("    " + line for line in self.text.strip().split("\n"))


@dataclass
class Table:
    """A table of texts. The first column is aligned to the left, the others to the right unless `left` names them."""
    header: list
    rows: list
    left: tuple = (0,)

    def markdown(self, _):
        rule = ["---" if i in self.left else "---:" for i in range(len(self.header))]
        cells = [self.header, rule] + self.rows
        return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in cells)


@dataclass
class Plot:
    """An SVG image, written as docs/papers/PAPER-NAME.svg; `suffix` tells several plots of an experiment apart."""
    title: str
    svg: str
    suffix: str = ""

    def file(self, one):
        return f"{one.paper}-{one.name}{'-' + self.suffix if self.suffix else ''}.svg"

    def markdown(self, one):
        return f"![{self.title}]({self.file(one)})"


class CommandFailed(Exception):
    """A bochner command ended with an error."""


class NotKept(Exception):
    """A result is not kept, and commands must not be run."""


def percent(share, digits=2):
    """A share as percentage: 0.0364 is 3.64%."""
    return "–" if share is None else f"{100 * share:.{digits}f}%"


def number(value, digits=3):
    """A number with some significant digits, without an exponent unless it is small."""
    if value is None:
        return "–"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if value != 0 and int(exponent) < -3:
        return f"{mantissa}e{int(exponent)}"
    return f"{value:,.{max(0, digits - 1 - int(exponent))}f}"


def seconds(value):
    """Wall time in seconds, rounded as far as times can be repeated."""
    if value is None:
        return "–"
    return f"{value:.1f} s" if value < 10 else f"{value:,.0f} s"


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def deviation(values):
    """Standard deviation of a sample."""
    values = list(values)
    centre = mean(values)
    return (sum((value - centre) ** 2 for value in values) / max(1, len(values) - 1)) ** 0.5


def write_atomically(path, text):
    """Writes a text file under a temporary name and renames it: an interrupted run leaves no partial file."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".", suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
        out.write(text)
    os.chmod(name, 0o644)
    os.replace(name, path)


def content_hash(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()[:16]


def distribution_hash(command):
    """A hash of the classes of the command's jars, which is the same after a new build of the same sources; of the file
    itself if it has no jars beside it."""
    home = os.path.dirname(os.path.realpath(command))
    dist = os.path.join(home, "cli", "target", "dist")
    if not os.path.isdir(dist):
        return content_hash(command)
    jars = sorted(os.path.join(folder, name) for folder, _, names in os.walk(dist)
                  for name in names if name.endswith(".jar"))
    digest = hashlib.sha256()
    for jar in jars:
        if not os.path.basename(jar).startswith("bochner"):
            digest.update(os.path.basename(jar).encode())
            continue
        with zipfile.ZipFile(jar) as archive:
            for entry in sorted(archive.infolist(), key=lambda item: item.filename):
                if not entry.filename.startswith("META-INF/maven") and not entry.filename.endswith("MANIFEST.MF"):
                    digest.update(f"{entry.filename} {entry.CRC}\n".encode())
    return digest.hexdigest()[:16]


@dataclass
class Runs:
    """Runs the commands of one experiment and keeps their results in a folder."""
    experiment: Experiment
    folder: str
    kept: str
    command: str
    version: str
    again: bool = False
    pages_only: bool = False
    ran: int = 0
    reused: int = 0
    seconds: float = 0.0
    cpu: float = None
    done: set = field(default_factory=set)

    def path(self, name):
        return os.path.join(self.kept, name)

    def write(self, name, text):
        """Writes a text file that commands can read as +/name."""
        path = self.path(name)
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            write_atomically(path, text)
        return "+/" + name

    def __call__(self, *arguments, outputs=(), limit=None):
        arguments = [str(argument) for argument in arguments]
        inputs = []
        for argument in arguments:
            for mark, name in re.findall(r"(@/|\+/)(\S+)$", argument):
                if mark == "@/":
                    if name not in self.experiment.files:
                        raise ValueError(f"{name} is not in the files of {self.experiment.name}")
                    if not self.pages_only:
                        status = os.stat(os.path.join(self.folder, name))
                        inputs.append([name, status.st_size, int(status.st_mtime)])
                elif name not in outputs:
                    inputs.append([name, content_hash(self.path(name)) if os.path.exists(self.path(name)) else None])
        key = hashlib.sha256(json.dumps([arguments, limit]).encode()).hexdigest()[:12]
        path = self.path(f"{arguments[0]}-{key}.json")
        found = self.recall(path, inputs, outputs)
        if found is None and not any("+/" in argument for argument in arguments):
            found = self.recall_elsewhere(os.path.basename(path), inputs)
        if found is None:
            if self.pages_only:
                raise NotKept(" ".join(arguments))
            found = self.execute(arguments, limit)
            found["inputs"], found["version"] = inputs, self.version
            write_atomically(path, json.dumps(found, indent=1) + "\n")
            self.ran += 1
        else:
            self.reused += 1
        self.done.add(key)
        self.seconds += found["seconds"]
        self.cpu = found.get("cpu")
        return found["result"]

    def recall(self, path, inputs, outputs):
        """The kept result, or null if there is none that is valid."""
        if not os.path.exists(path) or not all(os.path.exists(self.path(name)) for name in outputs):
            return None
        with open(path, encoding="utf-8") as stream:
            found = json.load(stream)
        if self.pages_only:
            return found
        stale = self.again and os.path.basename(path).rsplit("-", 1)[1][:12] not in self.done
        return found if not stale and found["inputs"] == inputs and found["version"] == self.version else None

    def recall_elsewhere(self, name, inputs):
        """The kept result of the same command in another experiment of the paper, or null."""
        home = os.path.dirname(self.kept)
        for other in sorted(os.listdir(home)) if os.path.isdir(home) and not self.again else []:
            found = self.recall(os.path.join(home, other, name), inputs, ())
            if found is not None:
                return found
        return None

    def execute(self, arguments, limit):
        os.makedirs(self.kept, exist_ok=True)
        line = [re.sub(r"\+/(?=\S+$)", self.kept + "/", re.sub(r"@/(?=\S+$)", self.folder + "/", argument))
                for argument in arguments]
        line += ["--quiet"] if arguments[0] == "predict" else ["--json", "--quiet"]
        start, before = time.monotonic(), os.times()
        try:
            done = subprocess.run([self.command] + line, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return {"command": arguments, "seconds": time.monotonic() - start, "result": None}
        spent, after = time.monotonic() - start, os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        if done.returncode != 0:
            message = done.stderr.strip().split("\n")[0] or f"exit code {done.returncode}"
            raise CommandFailed(f"{' '.join(arguments)}: {message}")
        result = done.stdout if arguments[0] == "predict" else json.loads(done.stdout)
        return {"command": arguments, "seconds": round(spent, 2), "cpu": round(cpu, 2), "result": result}
