"""What a result was measured with: the state of the tree and the program itself."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

DIGEST_DIGITS = 12


def revision(tree: Path) -> str:
    """Returns the commit that is checked out, with `+changes` if the tree differs from it, or an empty text outside
    git."""
    commit = _git(tree, "rev-parse", "--short", "HEAD")
    return commit + "+changes" if commit and _git(tree, "status", "--porcelain") else commit


def digest(file: Path) -> str:
    """Returns a digest of a program, which distinguishes builds of the same version."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:DIGEST_DIGITS]


def _git(tree: Path, *words: str) -> str:
    command = ["git", "--no-optional-locks", "-C", str(tree), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
