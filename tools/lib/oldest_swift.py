"""Compiles the sources with the oldest Swift that Package.swift names, as far as the compiler judges them: no machine code.

The compiler is that of Debian sid, which tools/lib/packaging/debian_swift keeps; the package for the Raspberry Pi is made with
it as well. The package manager makes the interfaces of all modules, without function bodies, as it does for an editor, and
writes down how it calls the compiler. Each target is then compiled with its bodies, against those interfaces.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from swift_version import oldest_swift
from tree import Tree

ROOT = Path(__file__).resolve().parents[2]
INSIDE = ROOT / "tools/lib/packaging/debian_swift"
# The checkout, and the folder for what is built, as debian_swift mounts them.
CHECKOUT = "/tachogram/"
SCRATCH = ".build/oldest-swift"
LOG = ROOT / ".build/logs/oldest-swift.log"
PREPARE = [
    "swift", "build", "--scratch-path", CHECKOUT + SCRATCH, "--disable-automatic-resolution", "--disable-index-store",
    "--experimental-prepare-for-indexing", "--experimental-prepare-for-indexing-no-lazy",
]
# Up to the diagnostics that need control flow: who owns a value, what is sent where. Debian's compiler is built with
# assertions, and its verifier of intermediate code stops at what Swift 6.2 makes of `catch SomeError.someCase`.
JUDGE = ["swiftc", "-emit-sil", "-o", "/dev/null", "-wmo", "-Xfrontend", "-sil-verify-none"]
# Options of the recorded calls that ask for results or for parallel work, and how many words each has.
LEFT_OUT = {
    "-emit-dependencies": 1, "-emit-module": 1, "-emit-module-path": 2, "-emit-objc-header": 1,
    "-emit-objc-header-path": 2, "-output-file-map": 2, "-incremental": 1, "-enable-batch-mode": 1,
    "-serialize-diagnostics": 1, "-parseable-output": 1, "-g": 1,
}
PAIRED = ("-Xcc", "-Xfrontend", "-Xllvm")
BODIES_SKIPPED = re.compile(r"-experimental-(skip-.*-function-bodies|allow-module-with-compiler-errors)")
COMMAND = re.compile(r'  "C\.(?P<target>[^"]*?)-[^-"]+-[^-"]+-linux-gnu-debug\.module":')


class CheckFailed(Exception):
    """The reason why the sources cannot be checked."""


@dataclass(frozen=True)
class Target:
    """A target with the arguments of the compiler and its Swift files, relative to the checkout."""

    name: str
    arguments: list[str]
    files: list[str]


def main() -> int:
    """Compiles and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="tools/test oldest-swift",
        description="Compiles the sources with the oldest Swift that Package.swift names. The compiler is Debian's: "
        "600 MB that are fetched once, with the archive's signature checked. Needs root, and a build with this machine's "
        "Swift before it, which fetches the packages.",
    )
    parser.add_argument("--tests", action="store_true", help="the tests instead of the sources")
    arguments = parser.parse_args()
    started = time.monotonic()
    try:
        version = _version()
        folder = "Tests/" if arguments.tests else "Sources/"
        targets = _targets(folder, ["--build-tests"] if arguments.tests else [])
        failed = _compile(targets)
    except CheckFailed as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 1
    files = sum(len(target.files) for target in targets)
    verdict = f"not in {', '.join(failed)}" if failed else "ok"
    seconds = time.monotonic() - started
    print(f"oldest swift: {version} compiles {files} files of {len(targets)} targets in {folder}: {verdict} "
          f"({seconds:.0f} s)", file=sys.stderr)
    return 1 if failed else 0


def _inside(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([INSIDE, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def _version() -> str:
    """Returns the version of the compiler, which must be of the series that the manifest names."""
    # What is fetched or missing is said by the tool itself.
    said = subprocess.run([INSIDE, "swiftc", "--version"], text=True, stdout=subprocess.PIPE)
    found = re.search(r"Swift version (\d+\.\d+)(\.\d+)?", said.stdout)
    if said.returncode != 0 or not found:
        raise CheckFailed("there is no compiler to check with; it comes from Debian's archive, which must be reachable")
    oldest = oldest_swift(ROOT)
    if found[1] != oldest:
        raise CheckFailed(
            f"Debian sid has Swift {found[1]}, and the oldest that Package.swift names is {oldest}: nothing shows that "
            f"{oldest} compiles. Name {found[1]} in Package.swift and the README"
        )
    return found[1] + (found[2] or "")


def _targets(folder: str, options: list[str]) -> list[Target]:
    """Returns the targets in a folder of the checkout, after the interfaces of all modules were built."""
    if not (ROOT / ".build/checkouts").is_dir():
        raise CheckFailed("there are no packages in .build/checkouts: run tools/test first, which fetches them")
    scratch = ROOT / SCRATCH
    scratch.mkdir(parents=True, exist_ok=True)
    shutil.copy2(ROOT / ".build/workspace-state.json", scratch)
    if not (scratch / "checkouts").is_symlink():
        (scratch / "checkouts").symlink_to("../checkouts")
    done = _inside(*PREPARE, *options)
    LOG.parent.mkdir(parents=True, exist_ok=True)
    LOG.write_text(done.stdout, encoding="utf-8")
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        raise CheckFailed(f"the interfaces of the modules could not be made; the log is {LOG}")
    targets = _recorded(scratch / "debug.yaml", folder)
    # What the package manager writes down is its own affair: a file that is not found there must not pass for compiled.
    missed = set(Tree(ROOT).under(folder, suffix=".swift")) - {file for target in targets for file in target.files}
    if missed:
        raise CheckFailed(f"{SCRATCH}/debug.yaml does not say how to compile {', '.join(sorted(missed)[:5])}")
    return targets


def _recorded(manifest: Path, folder: str) -> list[Target]:
    targets, name, files = [], "", []
    for line in manifest.read_text(encoding="utf-8").splitlines():
        key, _, value = line.strip().partition(": ")
        if line.startswith('  "'):
            found = COMMAND.fullmatch(line)
            name, files = (found["target"] if found else ""), []
        elif name and key == "inputs":
            inputs = [path.removeprefix(CHECKOUT) for path in json.loads(value)]
            files = [path for path in inputs if path.startswith(folder) and path.endswith(".swift")]
        elif name and files and key == "args":
            targets.append(Target(name, _arguments(json.loads(value)[1:]), files))
    return targets


def _arguments(recorded: list[str]) -> list[str]:
    kept, place = [], 0
    while place < len(recorded):
        words = 2 if recorded[place] in PAIRED else LEFT_OUT.get(recorded[place], 0)
        if words == 0:
            kept.append(recorded[place])
        elif recorded[place] in PAIRED and not BODIES_SKIPPED.fullmatch(recorded[place + 1]):
            kept += recorded[place : place + 2]
        place += max(1, words)
    return kept


def _compile(targets: list[Target]) -> list[str]:
    """Compiles targets in parallel, the largest first. Returns the names of those that do not compile."""
    def size(target: Target) -> int:
        return sum((ROOT / file).stat().st_size for file in target.files)

    failed = []
    targets = sorted(targets, key=size, reverse=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, done in zip(targets, pool.map(lambda one: _inside(*JUDGE, *one.arguments), targets)):
            if done.returncode != 0:
                failed.append(target.name)
                # Without the frames of a compiler that crashed.
                text = re.sub(r"(?m)^ *#\d+ .*\n", "", done.stdout).replace(CHECKOUT, "")
                print(f"{target.name}:\n{text.strip()}", file=sys.stderr)
    return sorted(failed)
