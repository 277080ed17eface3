"""The virtual environment with the lab's Python packages: made once, kept outside the checkout.

`python3 environment.py` prints the path of its interpreter, making the environment first where it is missing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements.txt"


class EnvironmentUnavailable(Exception):
    """The environment cannot be made; the text says why."""


def cache_folder() -> Path:
    """Where the lab keeps what is expensive to make: outside of every checkout, shared by all of them."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tachogram" / "lab"


def base_python() -> str:
    """The system's own Python where there is one: the lab's guest has the same, and no version manager in its PATH."""
    system = "/usr/bin/python3"
    return os.path.realpath(system if os.access(system, os.X_OK) else sys.executable)


def key(requirements: Path = REQUIREMENTS, python: str | None = None) -> str:
    """Names the environment after everything that it depends on, so that a change makes a new one. The real path of a
    Python ends in its version: python3.11."""
    return hashlib.sha256((python or base_python()).encode() + b"\0" + requirements.read_bytes()).hexdigest()[:16]


def interpreter(cache: Path | None = None) -> Path:
    """The environment's Python. Silent when it exists; otherwise stderr says what is being made."""
    folder = cache or cache_folder()
    environment = folder / f"venv-{key()}"
    python = environment / "bin" / "python3"
    if python.exists():
        return python
    with _lock(folder, f"{environment.name}.lock"):
        if not python.exists():
            _make(environment)
    return python


@contextmanager
def _lock(folder: Path, name: str) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / name, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise EnvironmentUnavailable(f"{folder} cannot be written: {error.strerror}") from error


def _make(environment: Path) -> None:
    """A virtual environment cannot be moved, its scripts name their own path: so it is made in place under a name that
    only becomes the right one, by a link, when everything in it is there."""
    print(f"Installing {_package_count()} Python packages from PyPI into {environment} (once) …", file=sys.stderr)
    contents = Path(tempfile.mkdtemp(prefix=f"{environment.name}.", dir=environment.parent))
    try:
        _run([base_python(), "-m", "venv", str(contents)], "python3 -m venv failed: is python3-venv installed?")
        pip = [str(contents / "bin" / "python3"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "--no-input", "--only-binary", ":all:", "-r", str(REQUIREMENTS)], "pip could not install them")
        environment.unlink(missing_ok=True)
        environment.symlink_to(contents.name)
    except BaseException:
        shutil.rmtree(contents, ignore_errors=True)
        raise


def _package_count() -> int:
    lines = REQUIREMENTS.read_text().splitlines()
    return sum(1 for line in lines if line.strip() and not line.startswith("#"))


def _run(command: list[str], failure: str) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise EnvironmentUnavailable(f"{failure}\n{done.stdout.strip()}")


def main() -> int:
    try:
        print(interpreter())
    except EnvironmentUnavailable as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
