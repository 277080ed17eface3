"""Stations of one space: a database, a key file and commands of the program for each, and the store in which they meet."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from processes import free_port

# Seconds within which a command has to end, and within which the server has to listen.
COMMAND_LIMIT, SERVER_LIMIT = 120.0, 20.0
QUIET = re.compile(r"^Sent 0 chunks \(0 bytes\), received 0 chunks", re.MULTILINE)


class SetupError(Exception):
    """A space could not be founded or joined."""


@dataclass(frozen=True)
class Result:
    """The exit code and the output of a command; a code below 0 is a signal."""

    code: int
    text: str

    def __str__(self) -> str:
        return f"[{self.code}] {' / '.join(self.text.split(chr(10)))[:200]}"


@dataclass(frozen=True)
class Store:
    """The address of a store, and the options of the commands that use it first."""

    address: str
    options: tuple[str, ...] = ()


class Station:
    """A station's folder with its database and keys."""

    def __init__(self, name: str, folder: Path, binary: str):
        self.name, self.folder, self.binary = name, folder, binary
        self.database = folder / "tachogram.sqlite"
        self.is_sensor = False
        folder.mkdir(parents=True)
        self._environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
                             "XDG_STATE_HOME": str(folder / "state")}

    def _command(self, words: tuple[object, ...]) -> list[str]:
        return [self.binary, *map(str, words), "--database", str(self.database)]

    def run(self, *words: object) -> Result:
        """Runs a command to its end."""
        try:
            done = subprocess.run(
                self._command(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=COMMAND_LIMIT, env=self._environment)
        except subprocess.TimeoutExpired:
            return Result(-signal.SIGALRM, f"did not end within {COMMAND_LIMIT:g} s")
        return Result(done.returncode, done.stdout.decode(errors="replace").strip())

    def run_and_kill(self, seconds: float, *words: object) -> None:
        """Runs a command and kills it after some seconds, if it still runs."""
        running = self._start(words)
        try:
            running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()

    def _start(self, words: tuple[object, ...]) -> subprocess.Popen:
        return subprocess.Popen(self._command(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, env=self._environment)

    def query(self, sql: str, *values: object) -> list[tuple]:
        """Returns rows of the database."""
        if not self.database.exists():
            return []
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=20)) as database:
            return database.execute(sql, values).fetchall()

    def pair(self, name: str) -> None:
        """Pairs a strap that recorded, as a station with a radio does."""
        with closing(sqlite3.connect(self.database, timeout=20)) as database, database:
            database.execute(
                "INSERT OR IGNORE INTO known_strap (strap, name, advertised_name, is_bonded, added_us) "
                "SELECT id, ?, ?, 0, ? FROM strap WHERE address <> '00:00:00:00:00:00' ORDER BY address LIMIT 1",
                (name, name, int(time.time() * 1e6)))

    def found(self, store: Store) -> None:
        """Founds a space."""
        result = self.run("sync", "init", store.address, "--name", self.name, *store.options)
        if result.code != 0:
            raise SetupError(f"{self.name} did not found a space: {result}")

    def invite(self, other: Station, store: Store) -> None:
        """Invites another station, which joins."""
        inviting = self._start(("sync", "invite"))
        timer = threading.Timer(COMMAND_LIMIT, inviting.kill)
        timer.start()
        try:
            lines = iter(inviting.stdout.readline, b"")
            invitation = next((found[1] for line in lines if (found := re.search(rb"sync join (\S+)", line))), b"")
            threading.Thread(target=inviting.stdout.read, daemon=True).start()
            result = other.run("sync", "join", invitation.decode(), "--store", store.address, "--name", other.name,
                               *store.options, *(["--sensor"] if other.is_sensor else []))
            if result.code != 0 or inviting.wait() != 0:
                raise SetupError(f"{other.name} did not join: {result}")
        finally:
            timer.cancel()
            inviting.kill()
            inviting.wait()

    def synchronise(self) -> tuple[Result, bool]:
        """Synchronises once. Returns the result, and whether nothing was sent or received."""
        result = self.run("sync", "now")
        return result, result.code == 0 and QUIET.search(result.text) is not None

    def problems(self) -> list[str]:
        """Returns what the status reports as wrong or waiting."""
        result = self.run("sync", "status", "--format", "json")
        if result.code != 0:
            return [f"sync status: {result}"]
        status = json.loads(result.text)
        found = [f"{name} is {status[name]}" for name in
                 ("waitingChunks", "waitingBytes", "unsealedSessions", "quarantinedEdits") if status[name]]
        return found + [f"finding: {finding}" for finding in status["findings"]]


@contextmanager
def folder_store(folder: Path) -> Iterator[Store]:
    """Makes a folder that stations share."""
    (folder / "store").mkdir()
    yield Store(str(folder / "store"))


@contextmanager
def server_store(folder: Path, binary: str) -> Iterator[Store]:
    """Runs a sync server on this machine."""
    database, token, log = folder / "server.sqlite", folder / "token", folder / "server.log"
    made = subprocess.run([binary, "token", "add", "space", "--database", database], check=True, stdout=subprocess.PIPE)
    token.write_bytes(made.stdout)
    port = free_port()
    with log.open("wb") as file:
        running = subprocess.Popen([binary, "serve", "--port", str(port), "--database", database],
                                   stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        end = time.monotonic() + SERVER_LIMIT
        while b"listening" not in log.read_bytes():
            if running.poll() is not None or time.monotonic() > end:
                raise SetupError(f"the sync server does not listen: {log.read_text(errors='replace')}")
            time.sleep(0.05)
        yield Store(f"http://127.0.0.1:{port}", ("--token-file", str(token)))
    finally:
        running.terminate()
        try:
            running.wait(20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
