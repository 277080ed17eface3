"""Inputs made to break the program: each is refused by name, or reported with what is wrong with it."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from outcome import Outcome
from program import Program, Run

FOLDER = "adversarial"
EXIT_DONE, EXIT_BAD_INPUT = 0, 3
FORMATS = ("json", "fhir", "btsnoop", "csv", "rr", "fit")


class Adversary:
    """The inputs of a folder, the program under test, and the problems found."""

    def __init__(self, program: Program, world: Path) -> None:
        self.program, self.folder = program, world / FOLDER
        self.outcome = Outcome("inputs made to break it", "inputs")

    def path(self, name: str) -> str:
        """Returns the path of an input."""
        return str(self.folder / name)

    def expect(self, name: str, holds: bool, what: str) -> None:
        """Records an expectation about an input that is not met."""
        if not holds:
            self.outcome.problem(name, what)

    def report(self, command: str, name: str) -> tuple[Run, dict[str, Any]]:
        """Returns the report of an input as an object, or an empty one."""
        self.outcome.examined += 1
        run = self.program.run(command, self.path(name), "--format", "json")
        self.expect(name, not run.crashed, f"crashed or hung: {run.describe()}")
        return run, run.object() or {}

    def refused(self, command: str, name: str, *words: str, extra: tuple[str, ...] = ()) -> None:
        """Checks that an input is refused with a message that contains these words."""
        self.outcome.examined += 1
        run = self.program.run(command, self.path(name), *extra)
        self.expect(name, run.code == EXIT_BAD_INPUT, f"should be refused with 3: {run.describe()}")
        for word in words:
            self.expect(name, word in run.errors, f"the refusal does not say {word!r}: {run.errors.strip()!r}")


def check_adversarial(program: Program, world: Path) -> list[Outcome]:
    """Checks all inputs of the folder that are files."""
    adversary = Adversary(program, world)
    if not adversary.folder.is_dir():
        adversary.outcome.problem(FOLDER, "the folder is not there")
        return [adversary.outcome]
    with tempfile.TemporaryDirectory() as folder:
        _check_copies(adversary, Path(folder))
        _check_quality(adversary)
        _check_imports(adversary, Path(folder))
        _check_litter(adversary, Path(folder))
    return [adversary.outcome]


def _check_copies(adversary: Adversary, folder: Path) -> None:
    """Checks that one person's export in several formats is one session, with the stress levels of one session."""
    name, program = "recent.btsnoop", adversary.program
    adversary.outcome.examined += 1
    original, copy, export = (str(folder / part) for part in ("original", "copy", "export"))
    program.run("replay", adversary.path(name), "--database", original, "--person", "anna")
    formats = [option for form in FORMATS for option in ("--format", form)]
    program.run("export", "--person", "anna", *formats, "--output", export, "--database", original)
    run = program.run("import", export, "--person", "anna", "--database", copy)
    adversary.expect(name, run.code == EXIT_DONE, f"the import of all formats: {run.describe()}")
    adversary.expect(name, run.output.count("already stored as session") == len(FORMATS) - 1, "copies are not named")
    counts = []
    for database in (original, copy):
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            rows = connection.execute(
                "SELECT (SELECT count(*) FROM session), (SELECT count(*) FROM stress_measurement WHERE is_deleted = 0)")
            counts.append(rows.fetchone())
    adversary.expect(name, counts[0] == counts[1], f"sessions and stress levels are {counts[1]}, not {counts[0]}")


def _check_quality(adversary: Adversary) -> None:
    """Checks that impossible intervals are artifacts for reports, limits and stress."""
    adversary.refused("analyze", "mix.txt", "line")
    for name in ("all200.btsnoop", "max0.5.btsnoop", "extra0.2.btsnoop"):
        _, report = adversary.report("replay", name)
        corrected = report.get("hrv", {}).get("corrected", {})
        stress = report.get("stress", {})
        adversary.expect(name, "sdnn" not in corrected, f"corrected SDNN is {corrected.get('sdnn')}")
        adversary.expect(name, "level" not in stress, f"a stress level of {stress.get('level')}")
        share = report.get("artifacts", {}).get("share", 0)
        adversary.expect(name, share > 0.2, f"the artifact share is {share}")
    name = "long20000x3.btsnoop"
    _, report = adversary.report("replay", name)
    missed = report.get("artifacts", {}).get("missed", 0)
    adversary.expect(name, missed <= 3, f"{missed} intervals are called missed")
    low = report.get("hrv", {}).get("corrected", {}).get("sdnn", 0)
    adversary.expect(name, low < 500, f"corrected SDNN is {low} ms")
    for name in ("timesdup", "timesback"):
        run, report = adversary.report("analyze", name)
        dialect = report.get("capture", {}).get("dialect") or {}
        adversary.expect(name, dialect.get("times") is False, "times that are none are used")
        adversary.expect(name, "time" in run.errors, "nothing is said of the times")


def _check_imports(adversary: Adversary, folder: Path) -> None:
    """Checks values of an export that contradict each other."""
    database = ("--database", str(folder / "imports"))
    adversary.refused("import", "stresslevel.json", "stress[", extra=database)
    adversary.refused("import", "led_monotonicUs_0.json", "monotonicUs", extra=database)


def _check_litter(adversary: Adversary, folder: Path) -> None:
    """Checks that a refused database leaves no other files."""
    text, other = folder / "text", folder / "other"
    text.write_text("this is no database\n" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs (value)")
    connection.close()
    before = sorted(path.name for path in folder.iterdir())
    for path in (text, other):
        for command in (("import", adversary.path("recent.btsnoop")), ("replay", adversary.path("recent.btsnoop")),
                        ("sessions",), ("delete", "--everything", "--yes"), ("export", "--everything", "--format", "csv",
                                                                            "--output", str(folder / "out"))):
            adversary.outcome.examined += 1
            run = adversary.program.run(*command, "--database", str(path))
            adversary.expect(
                path.name, run.code not in (EXIT_DONE, None) and not run.crashed, f"{command[0]}: {run.describe()}")
            after = sorted(path.name for path in folder.iterdir())
            adversary.expect(path.name, after == before, f"{command[0]} left {sorted(set(after) - set(before))}")
