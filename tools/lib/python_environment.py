"""Virtual environments with pinned packages: made once for each list of requirements, and anew when that changes.

`python_environment.py REQUIREMENTS FOLDER` prints the path of an interpreter that has them; it is made where it is
missing.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator


class EnvironmentUnavailable(Exception):
    """The environment cannot be created; the text is the reason."""


def key(requirements: Path, python: str) -> str:
    """Returns a name of an environment that depends on everything that affects it, so that a change creates a new
    one. The real path of a Python ends in its version: python3.11."""
    return hashlib.sha256(python.encode() + b"\0" + requirements.read_bytes()).hexdigest()[:16]


def interpreter(requirements: Path, folder: Path, python: str | None = None) -> Path:
    """Returns the Python of the environment with these packages in `folder`. `python` creates it, by default this
    one. Prints to stderr while it is created."""
    base = python or os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    environment = folder / f"venv-{key(requirements, base)}"
    found = environment / "bin" / "python3"
    if found.exists():
        return found
    with _lock(folder, f"{environment.name}.lock"):
        if not found.exists():
            _make(environment, requirements, base)
    return found


def enter(module: str, requirements: Path, folder: Path) -> None:
    """Continues this program in the Python that has a module, which is installed first if it is missing. Where it cannot be, the
    program ends with the reason."""
    if importlib.util.find_spec(module):
        return
    try:
        python = interpreter(requirements, folder)
    except EnvironmentUnavailable as error:
        sys.exit(f"error: {error}")
    os.execv(python, [str(python), "-B", *sys.argv])


@contextmanager
def _lock(folder: Path, name: str) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / name, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise EnvironmentUnavailable(f"{folder} cannot be written: {error.strerror}") from error


def _make(environment: Path, requirements: Path, base: str) -> None:
    """Creates an environment. Its scripts contain its path, so it cannot be moved: it is created in place, and linked
    to its name when it is complete."""
    count = _package_count(requirements)
    print(f"Installing {count} Python packages from PyPI into {environment} (once) …", file=sys.stderr)
    contents = Path(tempfile.mkdtemp(prefix=f"{environment.name}.", dir=environment.parent))
    try:
        _run([base, "-m", "venv", str(contents)], "python3 -m venv failed: is python3-venv installed?")
        pip = [str(contents / "bin" / "python3"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
               "--no-input", "--timeout", "60", "--retries", "10", "--only-binary", ":all:", "-r", str(requirements)]
        try:
            _run(pip, "pip could not install them")
        except EnvironmentUnavailable:
            # A connection that breaks in the middle of a file is not tried again by pip itself.
            _run(pip, "pip could not install them")
        environment.unlink(missing_ok=True)
        environment.symlink_to(contents.name)
    except BaseException:
        shutil.rmtree(contents, ignore_errors=True)
        raise


def _package_count(requirements: Path) -> int:
    lines = requirements.read_text().splitlines()
    return sum(1 for line in lines if line[:1].isalnum())


def _run(command: list[str], failure: str) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise EnvironmentUnavailable(f"{failure}\n{done.stdout.strip()}")


def main() -> int:
    """Prints the path of the interpreter."""
    if len(sys.argv) != 3:
        print(f"usage: {Path(sys.argv[0]).name} REQUIREMENTS FOLDER", file=sys.stderr)
        return 2
    try:
        print(interpreter(Path(sys.argv[1]), Path(sys.argv[2])))
    except EnvironmentUnavailable as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
