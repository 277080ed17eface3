"""The program under test: commands that end, and commands that run beside the scenario."""

from __future__ import annotations

import json
import os
import pwd
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radio_lab.guest.failure import ScenarioFailure
from radio_lab.guest.terminal import answer_at_terminal
from radio_lab.guest.waiting import wait_until


@dataclass(frozen=True)
class Finished:
    """The output and the end of a command."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Returns its standard output as a JSON value."""
        try:
            return json.loads(self.out)
        except ValueError as error:
            said = f"{self.out[:200]!r}; on standard error: {self.err[:300]!r}"
            raise ScenarioFailure(f"not JSON ({error}): {said}") from error


@dataclass(frozen=True)
class EventLine:
    """A line of event output and its time, in seconds of the guest's monotonic clock."""

    time: float
    facts: dict[str, Any]

    @property
    def event(self) -> str:
        """The name of the event."""
        return str(self.facts.get("event"))


class Running:
    """A command that runs during the scenario and prints an event per line."""

    def __init__(self, command: list[str], name: str, logs: Path, environment: dict[str, str]) -> None:
        self.name = name
        self.lines: list[EventLine] = []
        self._out = logs / f"{name}.ndjson"
        self._err = logs / f"{name}.err"
        with self._err.open("ab") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=environment
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self._out.open("ab", buffering=0) as kept:
            for line in self._process.stdout or ():
                kept.write(line)
                try:
                    self.lines.append(EventLine(time.monotonic(), json.loads(line)))
                except ValueError:
                    self.lines.append(EventLine(time.monotonic(), {"event": "text", "text": line.decode().rstrip()}))

    def await_line(self, event: str, seconds: float, after: float = 0, **facts: Any) -> EventLine:
        """Waits for the first line of an event after a time with these facts."""

        def look() -> EventLine | None:
            found = next((line for line in list(self.lines) if _is_wanted(line, event, after, facts)), None)
            if found is None and self._process.poll() is not None and not self._reader.is_alive():
                raise ScenarioFailure(f"{self.name} has ended with {self._process.returncode}: {self.errors()[-400:]}")
            return found

        wanted = " ".join([event, *(f"{key}={value}" for key, value in facts.items())])
        try:
            return wait_until(f"{self.name} tells of {wanted!r}", look, seconds, pause=0.02)
        except ScenarioFailure:
            self._keep_threads()
            raise

    def _keep_threads(self) -> None:
        """Stores the state of each of its threads in the kernel, for a program that does not respond."""
        lines = []
        for thread in sorted(Path(f"/proc/{self.pid}/task").glob("*")):
            facts = [f"{name} {_fact(thread / name)}" for name in ("comm", "stat", "wchan", "syscall")]
            lines.append("\n  ".join([thread.name, *facts]) + "\n")
        self._err.with_suffix(".threads").write_text("".join(lines))

    def of(self, event: str) -> list[EventLine]:
        """Returns all lines of an event so far."""
        return [line for line in list(self.lines) if line.event == event]

    def errors(self) -> str:
        """Returns its standard error."""
        return self._err.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """The process identifier."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Returns whether it is running."""
        return self._process.poll() is None

    def finish(self, seconds: float) -> int:
        """Waits for its end. Returns the exit code."""
        try:
            code = self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise ScenarioFailure(f"{self.name} did not end within {seconds:g} s") from None
        self._reader.join(timeout=5)
        return code

    def interrupt(self, seconds: float = 15) -> int:
        """Interrupts it as Ctrl-C does. Returns the exit code."""
        if self.is_running:
            self._process.send_signal(signal.SIGINT)
        return self.finish(seconds)


class Tachogram:
    """The binary under test, with a database of its own."""

    def __init__(self, binary: str, database: Path, logs: Path) -> None:
        self.database = database
        self._binary = binary
        self._logs = logs
        self._commands = 0
        self._environment = {
            **os.environ, "TACHOGRAM_DATABASE": str(database), "XDG_DATA_HOME": str(database.parent),
            "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, *arguments: str, seconds: float = 60, user: str | None = None, typed: str | None = None) -> Finished:
        """Runs a command to its end, optionally as another user; `typed` is its standard input."""
        command = [self._binary, *arguments]
        if user:
            entry = pwd.getpwnam(user)
            command = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups", *command]
        try:
            done = subprocess.run(
                command, input=typed, stdin=None if typed is not None else subprocess.DEVNULL, capture_output=True,
                text=True, timeout=seconds, env=self._environment, check=False,
            )
        except subprocess.TimeoutExpired as error:
            self._keep(arguments, -1, _text(error.stdout), _text(error.stderr))
            raise ScenarioFailure(
                f"tachogram {' '.join(arguments)} did not end within {seconds:g} s; on standard error: "
                f"{_text(error.stderr)[-300:]!r}"
            ) from error
        self._keep(arguments, done.returncode, done.stdout, done.stderr)
        return Finished(done.returncode, done.stdout, done.stderr)

    def run_at_terminal(
        self, arguments: list[str], question: str, answer: str, seconds: float,
    ) -> tuple[int | None, str, bool]:
        """Runs a command at a terminal, with one typed answer. Returns exit code, screen, and whether the question
        was asked."""
        return answer_at_terminal([self._binary, *arguments], question, answer, seconds, self._environment)

    def start(self, *arguments: str) -> Running:
        """Starts a command that runs during the scenario."""
        self._commands += 1
        name = f"{self._commands:02}-{arguments[0]}"
        return Running([self._binary, *arguments], name, self._logs, self._environment)

    def version(self) -> str:
        """Returns its version."""
        return subprocess.run([self._binary, "--version"], capture_output=True, text=True, check=False).stdout.strip()

    def record(self, *arguments: str) -> Running:
        """Starts recording, with an event per line."""
        return self.start("record", "--format", "ndjson", *arguments)

    def record_quietly(self, *arguments: str) -> Running:
        """Starts recording without event output."""
        return self.start("record", *arguments)

    def _keep(self, arguments: tuple[str, ...], code: int, out: str, err: str) -> None:
        self._commands += 1
        (self._logs / f"{self._commands:02}-{arguments[0]}.txt").write_text(
            f"{' '.join(arguments)}\nended with {code}\n--- standard output\n{out}--- standard error\n{err}"
        )


def _text(output: str | bytes | None) -> str:
    return output.decode(errors="replace") if isinstance(output, bytes) else output or ""


def _fact(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError as error:
        return str(error)


def _is_wanted(line: EventLine, event: str, after: float, facts: dict[str, Any]) -> bool:
    if line.event != event or line.time <= after:
        return False
    return all(line.facts.get(key) == value for key, value in facts.items())
