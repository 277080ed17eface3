"""Commands and the page on a disk that is full to the last byte."""

from __future__ import annotations

import atexit
import errno
import functools
import json
import os
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from processes import PATIENCE, station

ROOT = Path(__file__).resolve().parents[3]
SMALL = ROOT / "Fixtures/rest/input.btsnoop"
# The length of the capture of the person who is deleted, in seconds: what is kept is small beside it.
LARGE_SECONDS = 2400
# What the database, its log and some copies need, and the space that a station waits for: the rest is filled.
SIZE = 8 << 20


class FullDiskError(SystemExit):
    """An expectation about a full disk was not met."""

    def __init__(self, what: str):
        super().__init__(f"full-disk: {what}")


class Disk:
    """A small disk with a database."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.database = folder / "tachogram.sqlite"
        self._ballast = folder / "ballast"

    def make_some_room(self, size: int) -> None:
        """Leaves a number of bytes free."""
        os.truncate(self._ballast, self._ballast.stat().st_size - size)

    def fill(self) -> None:
        """Fills the disk."""
        with self._ballast.open("wb", buffering=0) as ballast:
            for size in (65_536, 4_096, 512, 1):
                try:
                    while ballast.write(b"\0" * size):
                        pass
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def make_room(self) -> None:
        """Frees space."""
        self._ballast.unlink()

    def names(self) -> set[str]:
        """Returns the files on the disk, without the filler and SQLite's files of readers."""
        passing = {self._ballast.name, self.database.name + "-shm", self.database.name + "-wal", "lost+found"}
        return {one.name for one in self.folder.rglob("*")} - passing

    def holds(self, text: bytes) -> list[str]:
        """Returns the files that contain some bytes."""
        files = (one for one in self.folder.rglob("*") if one.is_file() and one != self._ballast)
        return [one.name for one in files if text in one.read_bytes()]


@contextmanager
def memory_disk(folder: Path) -> Iterator[Disk]:
    """Mounts a disk in memory, which allocates whole pages."""
    with mounted(folder, ["-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs"]) as disk:
        yield disk


@contextmanager
def image_disk(folder: Path) -> Iterator[Disk]:
    """Mounts an ext4 file system in a file, which allocates a kilobyte, less than a page, at a time."""
    image = folder.with_suffix(".img")
    with image.open("wb") as file:
        file.truncate(SIZE * 2)
    subprocess.run(["mkfs.ext4", "-q", "-b", "1024", "-m", "0", "-O", "^has_journal", image], check=True)
    with mounted(folder, ["-o", "loop", str(image)]) as disk:
        yield disk
    image.unlink()


@contextmanager
def mounted(folder: Path, arguments: list[str]) -> Iterator[Disk]:
    """Mounts a file system on a folder."""
    folder.mkdir()
    subprocess.run(["mount", *arguments, folder], check=True)
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


def disks() -> Iterator[tuple[str, Callable]]:
    """Returns the disks that this machine can create."""
    yield "memory", memory_disk
    if shutil.which("mkfs.ext4") and Path("/dev/loop-control").exists():
        yield "ext4", image_disk
    else:
        print("ext4: this machine has no mkfs.ext4 or no loop devices, nothing was tried", flush=True)


@dataclass
class Program:
    """The program under test, with one database."""

    binary: str
    database: Path

    def run(self, *words: object, code: int = 0, says: str = "") -> str:
        """Runs a command, which must exit with a code and a message. Returns its output."""
        command = [self.binary, *map(str, words), "--database", str(self.database)]
        # Temporary files of SQLite elsewhere would be room that the disk does not have.
        environment = {**os.environ, "SQLITE_TMPDIR": str(self.database.parent)}
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * 3, env=environment)
        if done.returncode != code or says not in done.stderr:
            raise FullDiskError(f"{words}: {done.returncode} instead of {code} with \"{says}\":\n{done.stderr}")
        return done.stdout

    def people(self) -> list[str]:
        """Returns the persons of the stored sessions, as listed by `sessions`."""
        sessions = json.loads(self.run("sessions", "--format", "json"))["sessions"]
        return sorted(one.get("person", "") for one in sessions)


@functools.cache
def large_capture() -> Path:
    """Returns a capture that is made once."""
    folder = tempfile.mkdtemp(prefix="tachogram-capture-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "large.btsnoop"
    subprocess.run([ROOT / "tools/lib/bench/make-capture", str(LARGE_SECONDS), path], check=True, stdout=subprocess.DEVNULL)
    return path


def prepared(binary: str, disk: Disk) -> Program:
    """Returns a database with sessions of two persons."""
    program = Program(binary, disk.database)
    for person, capture in (("Anna-Person", large_capture()), ("Ben-Person", SMALL)):
        program.run("replay", capture, "--person", person, "--format", "json")
    return program


def expect(truth: bool, what: str) -> None:
    """Fails the trial unless the condition holds."""
    if not truth:
        raise FullDiskError(f"expected that {what}")


def try_commands(binary: str, disk: Disk, elsewhere: Path) -> None:
    """Checks that reading works, that writing reports the full disk and leaves nothing, and that deleting frees
    space."""
    program = prepared(binary, disk)
    disk.fill()
    before, names = disk.database.read_bytes(), disk.names()
    expect(program.people() == ["Anna-Person", "Ben-Person"], "sessions are listed on a full disk")
    program.run("baseline", "--person", "Ben-Person")
    program.run("export", "--person", "Ben-Person", "--format", "csv", "--output", elsewhere / "export")
    program.run(
        "export", "--person", "Ben-Person", "--format", "json", "--output", disk.folder / "export", code=1, says="full")
    program.run("import", SMALL.parent.parent / "two-straps/input.btsnoop", code=1, says="is full")
    program.run("straps", "forget", "none", code=1)
    Program(binary, disk.folder / "new.sqlite").run("replay", SMALL, code=1, says="is full")
    copy = elsewhere / "copy.sqlite"
    shutil.copy(disk.database, copy)
    program.run("restore", copy, code=1, says="is full")
    expect(disk.names() - {"export"} == names, f"nothing is left of what failed: {disk.names() - names}")
    expect(disk.database.read_bytes() == before, "the database is as it was")
    program.run("delete", "--person", "Anna-Person", "--yes")
    expect(program.people() == ["Ben-Person"], "the other person's sessions are there")
    expect(disk.holds(b"Anna-Person") == [], f"no byte of the person is left: {disk.holds(b'Anna-Person')}")
    program.run("delete", "--everything", "--yes")
    expect(program.people() == [], "everything is deleted")
    disk.make_room()
    program.run("replay", large_capture(), "--person", "Anna-Person", "--format", "json")


def try_copies(binary: str, disk: Disk, _: Path) -> None:
    """Checks that a deletion without its reserve removes snapshots, which contain the data to be deleted."""
    program = prepared(binary, disk)
    os.truncate(f"{disk.database}-recording", 0)
    copies = disk.folder / "snapshots"
    copies.mkdir()
    for hour in range(2):
        shutil.copy(disk.database, copies / f"tachogram-20260101T{hour:02}0000Z.sqlite")
    disk.fill()
    program.run("delete", "--person", "Anna-Person", "--yes")
    expect(disk.holds(b"Anna-Person") == [], "no copy holds the person")
    expect(len(list(copies.iterdir())) == 1, "there is a new copy")
    expect(program.people() == ["Ben-Person"], "the other person's sessions are there")


def try_without_room(binary: str, disk: Disk, _: Path) -> None:
    """Checks that without any space the remedy is reported, and works."""
    program = prepared(binary, disk)
    os.truncate(f"{disk.database}-recording", 0)
    disk.fill()
    before = disk.database.read_bytes()
    program.run("delete", "--person", "Anna-Person", "--yes", code=1, says="is full, and a deletion needs")
    expect(disk.database.read_bytes() == before, "the database is as it was")
    disk.make_some_room(131_072)
    program.run("delete", "--person", "Anna-Person", "--yes")
    expect(disk.holds(b"Anna-Person") == [], "no byte of the person is left")


def try_page(binary: str, disk: Disk, elsewhere: Path) -> None:
    """Checks a deletion by the page on a full disk during a recording."""
    prepared(binary, disk)
    arguments = ["--replay", str(SMALL), "--loop", "--speed", "1"]
    with station(binary, elsewhere, arguments, disk.database) as running:
        running.wait_for(1)
        disk.fill()
        request = urllib.request.Request(
            running.base + "/api/v1/deletions", data=json.dumps({"person": "Anna-Person"}).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                deleted = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise FullDiskError(f"the page does not delete: {error.read().decode()}") from None
        expect(deleted["sessions"] == 1, f"the page deletes one session: {deleted}")
        expect(disk.holds(b"Anna-Person") == [], f"no byte is left of the person: {disk.holds(b'Anna-Person')}")
        disk.make_room()
        running.end()
    expect(Program(binary, disk.database).people() != [], "the other sessions are there")


def try_each(binary: str, folder: Path, trials: tuple[Callable[[str, Disk, Path], None], ...]) -> None:
    """Runs trials, each on its own disk of each kind."""
    for name, made in disks():
        for trial in trials:
            elsewhere = folder / f"{name}-{trial.__name__}"
            elsewhere.mkdir()
            with made(elsewhere / "disk") as disk:
                trial(binary, disk, elsewhere)
            print(f"{name}: {trial.__doc__.splitlines()[0]}", flush=True)


def try_full_disks(binary: str, folder: Path) -> None:
    """Runs all trials of commands and the page."""
    try_each(binary, folder, (try_commands, try_copies, try_without_room, try_page))
