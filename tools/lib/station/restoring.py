"""A snapshot that is restored on the page, and kills while it is."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

from processes import Station

SNAPSHOT = "tachogram-20260101T000000Z.sqlite"
# Covers the check of the snapshot, the end of the station, the restoration and the start, which take a quarter of a second.
LATEST_KILL = 0.4
DEADLINE = 20.0


class Restoring:
    """A database of two sessions, of which a snapshot holds the first."""

    def __init__(self, binary: str, fixtures: Path, folder: Path) -> None:
        self._binary, self._folder = binary, folder
        self.database = folder / "tachogram.sqlite"
        self._capture = str(fixtures / "two-straps/input.btsnoop")
        snapshots = folder / "snapshots"
        snapshots.mkdir()
        self.kept = self._replay(fixtures / "rest")
        shutil.copyfile(self.database, snapshots / SNAPSHOT)
        self.later = self._replay(fixtures / "exercise")

    def _replay(self, fixture: Path) -> str:
        done = subprocess.run(
            [self._binary, "replay", str(fixture / "input.btsnoop"), "--database", str(self.database), "--format", "json"],
            check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)["session"]["id"]

    def start(self, log: Path | None = None) -> Station:
        """Starts a station that records a looped capture. Its log is beside the database, or in another folder."""
        return Station(self._binary, log or self._folder, ["--replay", self._capture, "--loop"], self.database)

    def restore(self, running: Station) -> int:
        """Requests the restoration of the snapshot. Returns the status."""
        request = urllib.request.Request(f"{running.base}/api/v1/snapshots/{SNAPSHOT}/restore", method="POST")
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status

    def sessions(self, file: Path) -> set[str]:
        """Returns the sessions in a database that is not damaged."""
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
            if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise SystemExit(f"station: {file} is damaged")
            return {row[0] for row in database.execute("SELECT id FROM session")}

    def replaced(self) -> list[Path]:
        """Returns the databases that were replaced."""
        names = self._folder.glob("tachogram.sqlite.replaced-*")
        return [file for file in names if not file.name.endswith(("-wal", "-shm"))]

    def is_lost(self) -> bool:
        """Returns whether a session is in no database any more."""
        everywhere = self.sessions(self.database).union(*(self.sessions(file) for file in self.replaced()))
        return not {self.kept, self.later} <= everywhere

    @property
    def has_request(self) -> bool:
        """Returns whether a restoration is still requested."""
        return (self._folder / "tachogram.sqlite-restore").exists()


def try_restoring(binary: str, fixtures: Path, folder: Path, table, kills: int, seed: int) -> None:
    """Restores a snapshot on a page, then kills stations at random moments of it."""
    print("a snapshot restored on the page")
    once = folder / "once"
    once.mkdir()
    trial = Restoring(binary, fixtures, once)
    running = trial.start()
    running.wait_for(1)
    preview = json.loads(running.get(f"/api/v1/snapshots/{SNAPSHOT}"))
    table.row("previews with a problem", int("problem" in preview or preview["missing"] < 1), "", 0)
    started = time.monotonic()
    trial.restore(running)
    running.follow_restart()
    running.wait_for(1)
    table.row("until a strap is shown again", time.monotonic() - started, "s", DEADLINE)
    shown = {one["id"] for one in json.loads(running.get("/api/v1/sessions"))["sessions"]}
    table.row("sessions of the snapshot missing", int(trial.kept not in shown), "", 0)
    table.row("later sessions still shown", int(trial.later in shown), "", 0)
    result = json.loads(running.get("/api/v1/snapshots")).get("lastResult", "")
    table.row("results that are not told", int("was restored" not in result), "", 0)
    running.end()
    running.kill()
    table.row("sessions lost", int(trial.is_lost()), "", 0)
    try_damaged(binary, fixtures, folder, table)
    try_kills(binary, fixtures, folder, table, kills, seed)


def try_damaged(binary: str, fixtures: Path, folder: Path, table) -> None:
    """Starts stations with a damaged database and with an empty one: they record, and restore a snapshot on the page."""
    for contents in (b"Z" * 8192, b""):
        place = folder / f"damaged-{len(contents)}"
        place.mkdir()
        trial = Restoring(binary, fixtures, place)
        for suffix in ("", "-wal", "-shm"):
            Path(f"{trial.database}{suffix}").unlink(missing_ok=True)
        trial.database.write_bytes(contents)
        running = trial.start()
        running.wait_for(1)
        problem = json.loads(running.get("/api/v1/status")).get("problem", "")
        table.row("damaged databases that are not told", int("Settings, Snapshots" not in problem), "", 0)
        table.row("damaged databases that are changed", int(trial.database.read_bytes() != contents), "", 0)
        preview = json.loads(running.get(f"/api/v1/snapshots/{SNAPSHOT}"))
        table.row("previews with a problem", int("problem" in preview or "missing" in preview), "", 0)
        trial.restore(running)
        running.follow_restart()
        running.wait_for(1)
        status = json.loads(running.get("/api/v1/status"))
        table.row("problems after the restoration", int("problem" in status), "", 0)
        shown = {one["id"] for one in json.loads(running.get("/api/v1/sessions"))["sessions"]}
        table.row("sessions of the snapshot missing", int(trial.kept not in shown), "", 0)
        table.row("sessions that were received meanwhile missing", int(len(shown) < 2), "", 0)
        running.end()
        running.kill()


def try_kills(binary: str, fixtures: Path, folder: Path, table, kills: int, seed: int) -> None:
    """Kills stations while they restore; each starts again by itself, and nothing is lost."""
    choose = random.Random(seed)
    lost = stuck = restored = 0
    for number in range(kills):
        place = folder / str(number)
        place.mkdir()
        trial = Restoring(binary, fixtures, place)
        running = trial.start()
        running.wait_for(1)

        def ask(running: Station = running, trial: Restoring = trial) -> None:
            try:
                trial.restore(running)
            except (OSError, urllib.error.URLError):
                # It was killed before it answered.
                pass

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(choose.uniform(0, LATEST_KILL))
        running.kill()
        asking.join()
        again = trial.start()
        again.wait_for(1)
        stuck += trial.has_request
        again.end()
        again.kill()
        lost += trial.is_lost()
        restored += trial.later not in trial.sessions(trial.database)
        shutil.rmtree(place)
    print(f"{kills} kills while a snapshot is restored, seed {seed}: {restored} restored")
    table.row("sessions lost", lost, "", 0)
    table.row("requests left behind", stuck, "", 0)
