"""Restoring and updating a database on a disk that is full or read-only: nothing is lost, and the station comes back."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import urllib.error
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from full_disk import ROOT, Disk, FullDiskError, expect, try_each
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


def remount(disk: Disk, mode: str) -> None:
    """Makes the disk read-only (`ro`) or writable (`rw`)."""
    subprocess.run(["mount", "-o", f"remount,{mode}", disk.folder], check=True)


def read_only(disk: Disk) -> Callable[[], None]:
    """Makes the disk read-only, and returns what makes it writable again."""
    remount(disk, "ro")
    return lambda: remount(disk, "rw")


def full(disk: Disk) -> Callable[[], None]:
    """Fills the disk, and returns what makes room again."""
    disk.fill()
    return disk.make_room


def try_update(binary: str, disk: Disk, elsewhere: Path) -> None:
    """Checks that a full or read-only disk leaves a database of an older version as it is, and that a station that received a
    strap meanwhile stores it when it can."""
    for prevent in (full, read_only):
        old_database(disk.database)
        allow = prevent(disk)
        running = Station(
            binary, elsewhere, ["--replay", str(FIXTURES / "two-straps/input.btsnoop"), "--loop"], disk.database)
        said = goes_on(running, allow, lambda: expect(
            versions(disk.database) == 7, "the version of the database is left as it is"))
        expect("can only be read" in said, f"the history is shown meanwhile: {said}")
        expect(versions(disk.database) > 7, "the database is up to date when it can be")
        disk.database.unlink()


def goes_on(running: Station, allow: Callable[[], None], check: Callable[[], None]) -> str:
    """Checks that a station that can store nothing serves the page, goes on by itself, stores what it received, and ends in
    order. Returns what it said at first."""
    running.wait_for(1)
    said = running.text()
    expect("Nothing can be stored" in said, f"the station says that it stores nothing: {said}")
    check()
    before = ended(running)
    allow()
    running.follow_restart()
    running.wait_for(1)
    expect(len(ended(running) - before) >= 1, "what was received meanwhile is stored")
    running.end()
    running.kill()
    return said


def ended(running: Station) -> set[str]:
    """Returns the sessions that ended, as the page lists them."""
    return {one["id"] for one in json.loads(running.get("/api/v1/sessions"))["sessions"] if one.get("end")}


def try_restore(binary: str, disk: Disk, _: Path) -> None:
    """Checks that a snapshot that is restored on a full or read-only disk leaves the database, until the station can."""
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
    running = trial.start(log=disk.folder.parent)
    goes_on(running, lambda: remount(disk, "rw"), lambda: expect(
        trial.database.read_bytes() == before, "a read-only disk leaves the database"))
    expect(not trial.has_request, "the request is carried out when the disk is writable")
    expect(not trial.is_lost(), "each session is in the database or in the replaced one")
    expect(len(trial.replaced()) == 1, "the database was replaced once")


STRAP = "Zebra strap"


def pair(path: Path) -> None:
    """Stores a strap as paired."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO strap (address, kind) VALUES ('C8:DE:AD:BE:EF:99', 1)")
        database.execute(
            "INSERT INTO known_strap (strap, name, is_bonded, added_us) SELECT max(id), ?, 0, 1 FROM strap", [STRAP])


def straps(path: Path) -> set[str]:
    """Returns the names of the paired straps."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return {row[0] for row in database.execute("SELECT name FROM known_strap")}


def try_straps(binary: str, disk: Disk, _: Path) -> None:
    """Checks that a strap that was paired since a snapshot stays paired, however little room there is to restore it."""
    trial = Restoring(binary, FIXTURES, disk.folder)
    pair(trial.database)
    snapshot = next((disk.folder / "snapshots").glob("*.sqlite"))
    size = snapshot.stat().st_size
    restored = refused = 0
    for more in (*range(-8192, 131_073, 8192), 2 << 20):
        disk.fill()
        disk.make_some_room(size + more)
        done = subprocess.run(
            [binary, "restore", str(snapshot), "--database", str(trial.database)], capture_output=True, text=True,
            check=False)
        disk.make_room()
        expect(done.returncode in (0, 1), f"a restoration ends in order: {done.stderr}")
        expect(done.returncode == 0 or "full" in done.stderr, f"a restoration that fails says why: {done.stderr}")
        expect(STRAP in straps(trial.database), f"the strap stays paired with {more} bytes: {done.stderr}")
        restored, refused = restored + (done.returncode == 0), refused + (done.returncode == 1)
        expect(not trial.is_lost(), "each session is in the database or in the replaced one")
        for replaced in trial.replaced():
            trial.database.unlink()
            replaced.rename(trial.database)
    expect(restored > 0 and refused > 0, f"some restorations have room and some have none: {restored}, {refused}")


def try_recovery(binary: str, folder: Path) -> None:
    """Runs all trials of restoring and updating."""
    try_each(binary, folder, (try_update, try_restore, try_straps))
