"""Captures of heart rates that the benchmarks replay."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from measuring import FOLDER, Finished, run
from release import ROOT


def capture(count: int, size_mb: int = 0) -> Path:
    """Returns a capture with these contents, which is created once, and again when its generator changes."""
    maker = ROOT / "tools/lib/bench/make-capture"
    path = FOLDER / f"{count}-notifications-{size_mb}-mb.btsnoop"
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.stat().st_mtime < maker.stat().st_mtime:
        print(f"bench: making {path.relative_to(ROOT)}", file=sys.stderr)
        subprocess.run([maker, str(count), path, "--size-mb", str(size_mb)], check=True)
    return path


def replay(binary: str, path: Path, count: int, database: Path | None = None) -> Finished:
    """Replays a capture, optionally into a database, and checks that every notification was used."""
    stored = ["--database", str(database)] if database else []
    done = run([binary, "replay", str(path), "--format", "json", *stored])
    total = json.loads(done.output)["notifications"]["total"]
    if total != count:
        raise SystemExit(f"bench: {path.name} has {count} notifications, and the replay reports {total}")
    return done
