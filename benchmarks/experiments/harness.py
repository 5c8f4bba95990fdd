"""What an experiment is, and how it runs the bochner command.

An experiment is a function with one argument, `run`, in a file paperNNN.py:

    @experiment("003", "table-1", "Errors of histogram kernels", files=["optdigits/optdigits.tra.csv.gz"])
    def table_1(run):
        found = run("train", "@/optdigits/optdigits.tra.csv.gz", "--kernel", "chi2", "--holdout", "0.2")
        return [Commands.of(run), Table(["kernel", "paper", "here"], [["chi2", "3.6%", percent(found["error"])]])]

`run(...)` runs `bochner ... --json --quiet` and returns the parsed JSON. The result is kept and used again if the
arguments, the data files and the bochner distribution are the same. In arguments,

- `@/` is the folder of the data sets. Every file must be named in `files` of the experiment;
- `+/` is the folder of the experiment's own files. `run.write(names, make)` writes some, `run.read(name)` reads one. A
  command that writes one has its name in `outputs`. Experiments read data files inside `make` only, because a run with
  --pages-only has no data.

`run.cpu` is the processor time of the latest command in seconds, all its threads together. It depends less on other work
of the machine than wall time.

The function returns a list of parts: Commands, Table, Plot, and strings, which are paragraphs of Markdown. They replace
the lines between `<!-- table-1: begin -->` and `<!-- table-1: end -->` of docs/papers/NNN.md.
"""
import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
import time
import zipfile
from dataclasses import dataclass, field

EXPERIMENTS = []

# The keys of a kept result.
KEYS = {"command", "seconds", "cpu", "cores", "result", "inputs", "outputs", "version"}


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
    """A code block with the commands that made the numbers."""
    text: str

    @classmethod
    def of(cls, run, names=None):
        """The distinct commands of an experiment so far, without --json and --quiet, and files without their folders.

        `names` has placeholders for arguments that vary: a flag, whose value is replaced, or a regular expression of a
        whole argument, whose placeholder may contain groups. Flags that then repeat are written once, with dots.
        """
        verbs = list(dict.fromkeys(arguments[0] for arguments in run.shown))
        ordered = sorted(run.shown, key=lambda arguments: verbs.index(arguments[0]))
        return cls("\n".join(dict.fromkeys(command_text(arguments, names or {}) for arguments in ordered)))

    def markdown(self, _):
        return "\n".join("    " + line for line in self.text.strip().split("\n"))


def command_text(arguments, names, width=112):
    """A command as typed in a shell, in lines of at most `width` characters that break before flags."""
    parts, flag = ["./bochner"], None
    for argument in arguments:
        text = re.sub(r"(?:@/|\+/)(?:\S*/)?(\S+)$", r"\1", argument)
        pattern = next((one for one in names if not one.startswith("--") and re.fullmatch(one, text)), None)
        if flag in names:
            text = names[flag]
        elif pattern is not None:
            text = re.fullmatch(pattern, text).expand(names[pattern])
        if text.startswith("--"):
            parts.append(text)
        else:
            parts[-1] += " " + shlex.quote(text)
        flag = argument if argument.startswith("--") else None
    kept = []
    for part in parts:
        if kept and kept[-1].removesuffix(" ...") == part:
            kept[-1] = part + " ..."
        else:
            kept.append(part)
    lines = [kept[0]]
    for part in kept[1:]:
        if len(lines[-1]) + 1 + len(part) > width - 2:
            lines[-1] += " \\"
            lines.append("    " + part)
        else:
            lines[-1] += " " + part
    return "\n".join(lines)


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
    """A time in seconds, as text."""
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


def standard_error(values):
    """Standard error of the mean of a sample."""
    return deviation(values) / len(values) ** 0.5


def mean_deviation(shares, digits=2):
    """Mean and standard deviation of shares, as percentages; without a deviation if there is one value."""
    return percent(mean(shares), digits) + (f" ± {100 * deviation(shares):.{digits}f}" if len(shares) > 1 else "")


def mean_error(shares, digits=2):
    """Mean and standard error of shares, as percentages."""
    return f"{percent(mean(shares), digits)} ± {100 * standard_error(shares):.{digits}f}".replace("-", "−")


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
    cpu: float = None
    shown: list = field(default_factory=list)
    spent: dict = field(default_factory=dict)
    done: set = field(default_factory=set)

    def path(self, name):
        return os.path.join(self.kept, name)

    def write(self, names, make):
        """Writes text files that commands can read as +/name, and returns these arguments. `make` returns one text for
        each name. If only the pages are rewritten, the files stay as they are and `make` is not called."""
        if not self.pages_only:
            for name, text in zip(names, make()):
                path = self.path(name)
                if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
                    write_atomically(path, text)
        return ["+/" + name for name in names]

    def read(self, name):
        """The text of a file of the experiment."""
        if not os.path.exists(self.path(name)):
            raise NotKept(f"no file {self.path(name)}")
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def __call__(self, *arguments, outputs=()):
        arguments = [str(argument) for argument in arguments]
        self.shown.append(arguments)
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
        key = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:12]
        path = self.path(f"{arguments[0]}-{key}.json")
        found = self.recall(path, inputs, outputs)
        if found is None and not any("+/" in argument for argument in arguments):
            found, path = self.recall_elsewhere(path, inputs)
        if found is None:
            if self.pages_only:
                raise NotKept("no result of bochner " + " ".join(arguments))
            found = self.execute(arguments)
            found["inputs"], found["version"] = inputs, self.version
            found["outputs"] = [content_hash(self.path(name)) for name in outputs]
            write_atomically(path, json.dumps(found, indent=1) + "\n")
            self.ran += 1
        else:
            self.reused += 1
        self.done.add(key)
        self.cpu = found["cpu"]
        self.spent[path] = found["seconds"], found["cpu"], found["cores"]
        return found["result"]

    def recall(self, path, inputs, outputs):
        """The kept result, or None if there is none that is valid. Damaged files are not valid."""
        try:
            with open(path, encoding="utf-8") as stream:
                found = json.load(stream)
            if not KEYS <= found.keys() or found["outputs"] != [content_hash(self.path(name)) for name in outputs]:
                return None
        except (OSError, ValueError, AttributeError):
            return None
        if self.pages_only:
            return found
        stale = self.again and os.path.basename(path).rsplit("-", 1)[1][:12] not in self.done
        return found if not stale and found["inputs"] == inputs and found["version"] == self.version else None

    def recall_elsewhere(self, path, inputs):
        """The kept result of the same command in another experiment of the paper and its path, or None and `path`."""
        home = os.path.dirname(self.kept)
        for other in sorted(os.listdir(home)) if os.path.isdir(home) and not self.again else []:
            elsewhere = os.path.join(home, other, os.path.basename(path))
            found = self.recall(elsewhere, inputs, ())
            if found is not None:
                return found, elsewhere
        return None, path

    def execute(self, arguments):
        os.makedirs(self.kept, exist_ok=True)
        folders = {"@/": self.folder + "/", "+/": self.kept + "/"}
        line = [re.sub(r"(@/|\+/)(?=\S+$)", lambda mark: folders[mark[0]], argument) for argument in arguments]
        line += ["--quiet"] if arguments[0] == "predict" else ["--json", "--quiet"]
        start, before = time.monotonic(), os.times()
        done = subprocess.run([self.command] + line, capture_output=True, text=True)
        spent, after = time.monotonic() - start, os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        if done.returncode != 0:
            message = done.stderr.strip().split("\n")[0] or f"exit code {done.returncode}"
            raise CommandFailed(f"{' '.join(arguments)}: {message}")
        result = done.stdout if arguments[0] == "predict" else json.loads(done.stdout)
        return {"command": arguments, "seconds": round(spent, 2), "cpu": round(cpu, 2), "cores": os.cpu_count(),
                "result": result}


def times(spent):
    """The wall time, the processor time and the cores of commands, as text. `spent` has these three for each command."""
    cores = " or ".join(str(one) for one in sorted({one[2] for one in spent}))
    return (f"{sum(one[0] for one in spent):,.0f} s of wall time, {sum(one[1] for one in spent):,.0f} s of processor time"
            + (f" on {cores} cores" if cores else ""))
