"""Plants each kind of violation in a copy of the tree and sees that tools/check catches it, and only where it is."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from swift_version import oldest_swift

ROOT = Path(__file__).resolve().parents[2]
CORE = "Sources/TachogramCore/Planted.swift"
HEART = "Sources/Beats/Planted.swift"
UPPER, LOWER = "Sources/Beats/Upper", "Sources/Beats/Lower"
TEST = "Tests/PlantedTests/PlantedTests.swift"
DECLARATION = "struct Planted {}\n"
OLDEST = oldest_swift(ROOT)
# Swift files of a target that the plants stand among.
SAMPLE = 3


@dataclass(frozen=True)
class Plant:
    """A file that violates a rule, or, with `caught` false, one that only appears to."""

    title: str
    check: str
    path: str
    content: str | bytes
    rule: str
    caught: bool = True
    force: bool = False
    replaces: bool = False
    # Another file that is planted with it, by path and content.
    beside: tuple[str, str] | None = None


def _body(line: str) -> str:
    return f"struct Planted {{\n  func run() throws {{\n    {line}\n  }}\n}}\n"


def _threat(title: str, row: str, rule: str, caught: bool = True) -> Plant:
    table = f"| threat | defence | tested by |\n|---|---|---|\n{row}\n"
    return Plant(title, "threats", "docs/threat_model.md", table, rule, caught, replaces=True)


def _page(title: str, path: str, text: str, rule: str, caught: bool = True) -> Plant:
    return Plant(title, "swift", path, text, rule, caught, replaces=True)


def _manifest(setting: str) -> str:
    target = f'.target(name: "Planted", swiftSettings: [{setting}])'
    return (
        f"// swift-tools-version: {OLDEST}\nimport PackageDescription\n\n"
        f'let package = Package(name: "planted", targets: [{target}])\n'
    )


def _type(name: str, of: str) -> str:
    return f"struct {name} {{\n  let part: {of}\n}}\n"


PLANTS = [
    Plant("bad indentation", "format", CORE, "struct Planted {\n        let a = 1\n}\n", "Indentation"),
    Plant("a missing trailing comma", "format", CORE, "let planted = [\n  1,\n  2\n]\n", "TrailingComma"),
    Plant("a force unwrap", "format", CORE, _body("print(Int(\"1\")!)"), "NeverForceUnwrap"),
    Plant("a long Swift file", "length", CORE, DECLARATION + "// -\n" * 400, "length"),
    Plant("a file of just 400 lines", "length", CORE, DECLARATION + "// -\n" * 399, "length", caught=False),
    Plant("a long test", "length", TEST, "// -\n" * 401, "length"),
    Plant("a long Python file", "length", "tools/planted.py", "# -\n" * 401, "length"),
    Plant("a long script without a suffix", "length", "tools/planted", "#!/bin/bash\n" + "# -\n" * 400, "length"),
    Plant("folders that use each other", "folders", f"{UPPER}/Planted.swift", _type("Planted", "Other"), "Lower",
          beside=(f"{LOWER}/Other.swift", _type("Other", "Planted"))),
    Plant("a folder that uses another", "folders", f"{UPPER}/Planted.swift", _type("Planted", "Other"), "folders",
          caught=False, beside=(f"{LOWER}/Other.swift", _type("Other", "Int"))),
    Plant("a type of the other folder in a comment", "folders", f"{UPPER}/Planted.swift", _type("Planted", "Other"),
          "folders", caught=False, beside=(f"{LOWER}/Other.swift", "// Planted\n" + _type("Other", "Int"))),
    Plant("try!", "format", CORE, _body("try! run()"), "NeverUseForceTry"),
    Plant("fatalError", "style", CORE, _body('fatalError("no")'), "no-fatal-error"),
    Plant("as!", "format", CORE, _body("_ = 1 as! String"), "NeverForceUnwrap"),
    Plant("print in a library", "style", CORE, _body('print("x")'), "no-print"),
    Plant("print in the executable", "style", "Sources/tachogram/Planted.swift", _body("print(1)"), "no-print", False),
    Plant("a log at info in a library", "style", HEART, _body('logger.info("x")'), "no-loud-log"),
    Plant("a log at info in the daemon", "style", "Sources/Station/Planted.swift", _body('logger.info("x")'),
          "no-loud-log", caught=False),
    Plant("a log at debug in a library", "style", HEART, _body('logger.debug("x")'), "no-loud-log", caught=False),
    Plant("unfinished work", "style", CORE, DECLARATION + "// TO" + "DO: later\n", "no-unfinished"),
    Plant("unfinished work in a test", "style", TEST, "// FIX" + "ME\n", "no-unfinished"),
    Plant("a function called take", "style", CORE, "struct Planted {\n  func take() {}\n}\n", "plain-name"),
    Plant("patience", "style", CORE, "let planted = 1\nlet myPatience = 2\n", "plain-name"),
    Plant("upkeep in a comment", "style", CORE, DECLARATION + "// upkeep\n", "plain-words"),
    Plant("takeOver", "style", CORE, "struct Planted {\n  func takeOver() {}\n}\n", "plain-name", caught=False),
    Plant("an unexplained @unchecked", "style", CORE, "class Planted: @unchecked Sendable {}\n", "unchecked-reason"),
    Plant("a sleeping test", "style", TEST, "func test() async throws {\n  try await Task.sleep(for: .seconds(1))\n}\n",
          "no-sleep"),
    Plant("usleep in a test", "style", TEST, "func test() {\n  usleep(10)\n}\n", "no-sleep"),
    Plant("another name than the file's", "style", CORE, "struct Other {}\n", "file-name"),
    Plant("two types in a file", "style", CORE, DECLARATION + "enum Second {}\n", "one-type"),
    Plant("a private helper type", "style", CORE, DECLARATION + "private enum Second {}\n", "one-type", caught=False),
    Plant("a nested type", "style", CORE, "struct Planted {\n  enum Second {}\n}\n", "one-type", caught=False),
    Plant("a +Something file", "style", "Sources/Beats/Beat+Planted.swift", "extension Beat {}\n", "file-name"),
    Plant("Package.resolved", "git", "Package.resolved", "{}\n", "git", force=True),
    Plant("a build product", "git", ".build/planted.txt", "x\n", "git", force=True),
    Plant("a database", "git", "docs/planted.sqlite", "x\n", "git", force=True),
    Plant("a database in Fixtures", "git", "Fixtures/planted/planted.sqlite", "x\n", "git", force=True),
    Plant("a capture outside Fixtures", "git", "Tests/planted.btsnoop", b"btsnoop\0", "git"),
    Plant("a capture in Fixtures", "git", "Fixtures/planted/input.btsnoop", b"btsnoop\0", "git", caught=False),
    _threat("a defence that nothing holds", "| fire | water | |", "names no test"),
    _threat("a suite that is gone", "| fire | water | `GoneTests` |", "GoneTests"),
    _threat("a tool that is gone", "| fire | water | `tools/gone` |", "tools/gone"),
    _threat("a command that is gone", "| fire | water | `tools/test gone` |", "tools/test gone"),
    _threat("a row without what holds it", "| fire | water |", "names no test"),
    _threat("a defence that is held", "| fire | water | `GoldenTests`, `tools/check`, `tools/test kills` |", "threats", caught=False),
    Plant("an unsafe flag without a reason", "manifest", "Package.swift", _manifest('.unsafeFlags(["-Ounchecked"])'),
          "-Ounchecked", replaces=True),
    Plant("an unsafe flag with a reason", "manifest", "Package.swift", _manifest('.unsafeFlags(["-O"])'), "manifest",
          caught=False, replaces=True),
    Plant("another graph than that of the targets", "manifest", "docs/architecture.md",
          "<!-- drawn: targets -->\n```mermaid\ngraph BT\n```\n<!-- end -->\n", "not that of", replaces=True),
    _page("another oldest Swift in the README", "README.md", "Swift 6.0 or newer\n", "not 6.0"),
    _page("another patch release in the README", "README.md", "Swift 6.2.1 or newer\n", "not 6.2.1"),
    _page("a README that names no Swift", "README.md", "Swift\n", "does not say"),
    _page("an image of another Swift", "docs/raspberry_pi.md", "container: swift:6.1\n", "not 6.1"),
    _page("a script that names a Swift of its own", "tools/lib/setup", "readonly minimum_swift=6.2\n", "of its own"),
    _page("a manifest without a version", "Package.swift", "import PackageDescription\n", "names no version"),
    _page("the oldest Swift in a page", "docs/raspberry_pi.md", f"Swift {OLDEST} or newer\n", "swift", caught=False),
    Plant("a binary file", "git", "tools/planted.bin", b"\x7fELF\0", "git"),
]


def _run(copy: Path, check: str) -> tuple[int, str]:
    done = subprocess.run([copy / "tools/check", "--only", check], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def _git(copy: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", copy, *arguments], check=True, capture_output=True)


def _sample(names: list[str]) -> list[str]:
    """Copies everything but Swift sources, and a few of these so that every target exists, because each plant has the
    whole copy checked."""
    kept, seen = [], Counter()
    for name in names:
        target = "/".join(name.split("/")[:2])
        isneeded = not name.endswith(".swift") or name.endswith("GoldenTests.swift")
        if isneeded or seen[target] < SAMPLE:
            kept.append(name)
            seen[target] += not isneeded
    return kept


def _copy_tree(copy: Path) -> None:
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True,
    ).stdout
    for name in _sample(sorted(filter(None, listed.split("\0")))):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    _git(copy, "init", "-q")
    _git(copy, "add", "-A")


def _try_plant(copy: Path, plant: Plant) -> str | None:
    """Adds a plant, checks, and removes it. Returns the problem, or `None`."""
    file = copy / plant.path
    before = file.read_bytes() if file.exists() else None
    if before is not None and not plant.replaces:
        return f"the tree already has a {plant.path}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(plant.content if isinstance(plant.content, bytes) else plant.content.encode())
    if plant.beside:
        (copy / plant.beside[0]).parent.mkdir(parents=True, exist_ok=True)
        (copy / plant.beside[0]).write_text(plant.beside[1])
    if plant.force:
        _git(copy, "add", "-f", plant.path)
    code, output = _run(copy, plant.check)
    if plant.force:
        _git(copy, "rm", "-q", "--cached", plant.path)
    if plant.beside:
        (copy / plant.beside[0]).unlink()
    if before is None:
        file.unlink()
    else:
        file.write_bytes(before)
    place = "docs/architecture.md" if "without a row" in plant.title else plant.path
    lines = [line for line in output.splitlines() if line.startswith(f"{place}:") and plant.rule in line]
    if plant.caught and (code == 0 or not lines):
        return f"was not caught (exit {code}):\n{output}"
    if not plant.caught and lines:
        return f"is no violation, and was taken for one:\n{output}"
    return None


def main() -> int:
    """Runs all plants. Returns the exit code."""
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tachogram-check-") as folder:
        copy = Path(folder)
        _copy_tree(copy)
        for plant in PLANTS:
            problem = _try_plant(copy, plant)
            if problem:
                failures += 1
                print(f"self-test: {plant.title} {problem}", file=sys.stderr)
    caught = sum(plant.caught for plant in PLANTS)
    print(
        f"self-test: {caught} planted violations and {len(PLANTS) - caught} innocent files, {failures} judged wrongly",
        file=sys.stderr,
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
