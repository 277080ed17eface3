"""The virtual environment with the lab's Python packages: made once, kept outside the checkout.

`python3 environment.py` prints the path of its interpreter, making the environment first where it is missing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

# The maker of environments belongs to all tools, not to the lab.
sys.path.append(str(Path(__file__).resolve().parents[2]))
import python_environment  # noqa: E402
from python_environment import EnvironmentUnavailable  # noqa: E402

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements.txt"


def cache_folder() -> Path:
    """Returns the cache of the lab, which is outside of every checkout and shared by all of them."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tachogram" / "lab"


def base_python() -> str:
    """Returns the system's Python if there is one: the lab's guest has the same, and no version manager in its PATH."""
    system = "/usr/bin/python3"
    return os.path.realpath(system if os.access(system, os.X_OK) else sys.executable)


def key(requirements: Path = REQUIREMENTS, python: str | None = None) -> str:
    """Returns a name of the environment that depends on everything that affects it, so that a change creates a new
    one."""
    return python_environment.key(requirements, python or base_python())


def interpreter(cache: Path | None = None) -> Path:
    """Returns the environment's Python. Prints to stderr while it is created."""
    return python_environment.interpreter(REQUIREMENTS, cache or cache_folder(), python=base_python())


def main() -> int:
    try:
        print(interpreter())
    except EnvironmentUnavailable as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
