"""Restoring and updating a database on a disk that is full or read-only: nothing is lost, and the station comes back."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import urllib.error
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from full_disk import ROOT, Disk, FullDiskError, Program, expect, try_each
from processes import Station
from restoring import Restoring

FIXTURES = ROOT / "Fixtures"


def old_database(path: Path) -> None:
    """Creates a database of version 7."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((FIXTURES / "databases/v7.sql").read_text())


def versions(path: Path) -> int:
    """Returns the number of migrations of a database that is not damaged."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        expect(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is not damaged")
        return database.execute("SELECT count(*) FROM grdb_migrations").fetchone()[0]


def refused(binary: str, disk: Disk, says: str) -> None:
    """Checks that a station does not start, with a message."""
    program = Program(binary, disk.database)
    program.run("station", "--port", "0", "--replay", FIXTURES / "rest/input.btsnoop", code=1, says=says)


def remount(disk: Disk, mode: str) -> None:
    """Makes the disk read-only (`ro`) or writable (`rw`)."""
    subprocess.run(["mount", "-o", f"remount,{mode}", disk.folder], check=True)


def start_and_stop(start: Callable[[], Station]) -> None:
    """Starts a station that receives a strap, and ends it in order."""
    running = start()
    running.wait_for(1)
    running.end()
    running.kill()


def try_update(binary: str, disk: Disk, elsewhere: Path) -> None:
    """Checks that a full or read-only disk leaves a database of an older version as it is, and that a station that received a
    strap meanwhile stores it when there is room."""
    old_database(disk.database)
    remount(disk, "ro")
    refused(binary, disk, str(disk.database))
    expect(versions(disk.database) == 7, "a read-only disk leaves the version of the database")
    remount(disk, "rw")
    disk.fill()
    running = Station(
        binary, elsewhere, ["--replay", str(FIXTURES / "two-straps/input.btsnoop"), "--loop"], disk.database)
    running.wait_for(1)
    expect("There is no space" in running.text(), f"the station says that the disk is full: {running.text()}")
    expect(versions(disk.database) == 7, "a full disk leaves the version of the database")
    before = sessions(running)
    disk.make_room()
    # The station starts again by itself, and its port is another one.
    running.base = running.process.stdout.readline().decode().strip().split(" ")[-1]
    running.wait_for(1)
    kept = sessions(running) - before
    expect(len(kept) >= 1, "what was received on the full disk is stored when there is room")
    running.end()
    running.kill()
    expect(versions(disk.database) > 7, "the database is up to date when there is room")


def sessions(running: Station) -> set[str]:
    """Returns the sessions that ended, as the page lists them."""
    return {one["id"] for one in json.loads(running.get("/api/v1/sessions"))["sessions"] if one.get("end")}


def try_restore(binary: str, disk: Disk, _: Path) -> None:
    """Checks that a snapshot that is restored on a full or read-only disk leaves the database, until the next start with
    room."""
    trial = Restoring(binary, FIXTURES, disk.folder)
    running = trial.start()
    running.wait_for(1)
    disk.fill()
    try:
        trial.restore(running)
        raise FullDiskError("the page does not restore on a full disk")
    except urllib.error.HTTPError as error:
        told = f"{error.code} {error.read().decode()}"
    expect("409" in told and "full" in told, f"the page says that the disk is full: {told}")
    running.wait_for(1)
    expect({trial.kept, trial.later} <= trial.sessions(trial.database), "a full disk leaves the sessions")
    disk.make_room()
    running.end()
    running.kill()
    request = disk.folder / "tachogram.sqlite-restore"
    request.write_text(str(next((disk.folder / "snapshots").glob("*.sqlite"))))
    before = trial.database.read_bytes()
    remount(disk, "ro")
    refused(binary, disk, "cannot be")
    expect(trial.database.read_bytes() == before, "a read-only disk leaves the database")
    remount(disk, "rw")
    start_and_stop(trial.start)
    expect(not trial.has_request, "the request is carried out when the disk is writable")
    expect(not trial.is_lost(), "each session is in the database or in the replaced one")
    expect(len(trial.replaced()) == 1, "the database was replaced once")


def try_recovery(binary: str, folder: Path) -> None:
    """Runs all trials of restoring and updating."""
    try_each(binary, folder, (try_update, try_restore))
