"""The station of an installed package, as a process, and its page."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import select
import signal
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from package_checks.debian_root import DebianRoot
from package_checks.installed import PROGRAM, STATE
from package_checks.report import StepFailed

# Also where another architecture is emulated on a busy machine.
START_SECONDS = 120.0
ANSWER_SECONDS = 60.0
# TimeoutStopSec= of the unit.
STOP_SECONDS = 15.0
ADDRESS = re.compile(r"(https?)://\S+:(\d+)")


@dataclass(frozen=True)
class Answer:
    """An answer of the page."""

    status: int
    kind: str
    text: str
    # SHA-256 of the certificate that it came with, in the notation of openssl; empty without TLS.
    fingerprint: str

    def json(self) -> object:
        """Returns what the text describes, or nothing if it is no JSON."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None


class RunningStation:
    """A station with a page at a port of its own. It runs as the owner of the state."""

    def __init__(self, process: subprocess.Popen[bytes], log: tempfile._TemporaryFileWrapper[bytes]) -> None:
        self._process = process
        self._log = log
        found = ADDRESS.search(self._first_line())
        if found is None:
            raise StepFailed(f"the station shows no address within {START_SECONDS:.0f} s: {self.last_words()}")
        self.address = found[0]
        self._is_secure, self._port = found[1] == "https", int(found[2])

    def ask(self, path: str, token: str | None = None) -> Answer:
        """Returns the answer of the page. The certificate is not verified, but its fingerprint is returned."""
        context = ssl._create_unverified_context()
        connection = (
            http.client.HTTPSConnection("127.0.0.1", self._port, timeout=ANSWER_SECONDS, context=context)
            if self._is_secure else http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_SECONDS))
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
            certificate = connection.sock.getpeercert(True) if self._is_secure else b""
            answer = connection.getresponse()
            digest = hashlib.sha256(certificate).digest().hex(":").upper() if certificate else ""
            text = answer.read().decode(errors="replace")
            return Answer(answer.status, answer.headers.get_content_type(), text, digest)
        except (OSError, http.client.HTTPException) as error:
            raise StepFailed(f"the page gives no answer to {path} ({error}): {self.last_words()}") from None
        finally:
            connection.close()

    def ask_until(self, path: str, holds: Callable[[Answer], bool]) -> Answer:
        """Asks until an answer is as expected, or time is over. Returns the last answer."""
        end = time.monotonic() + ANSWER_SECONDS
        while not holds(answer := self.ask(path)) and time.monotonic() < end:
            time.sleep(0.2)
        return answer

    def stop(self) -> tuple[int | None, float]:
        """Ends the station with SIGTERM. Returns its exit code, or nothing if it does not end, and the seconds."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_SECONDS), time.monotonic() - began
        except subprocess.TimeoutExpired:
            return None, time.monotonic() - began

    def last_words(self) -> str:
        """Returns the last lines of the log."""
        self._log.seek(0)
        return " / ".join(self._log.read().decode(errors="replace").split("\n")[-6:]).strip(" /")

    def _first_line(self) -> str:
        output = self._process.stdout
        assert output is not None
        ready, _, _ = select.select([output], [], [], START_SECONDS)
        return output.readline().decode(errors="replace") if ready else ""


@contextmanager
def station(root: DebianRoot, *arguments: str) -> Iterator[RunningStation]:
    """Runs the station. All that it started ends with it."""
    with tempfile.TemporaryFile() as log:
        process = root.start(
            PROGRAM, "station", "--port", "0", *arguments, owner=STATE, environment={"STATE_DIRECTORY": STATE},
            stdout=subprocess.PIPE, stderr=log)
        try:
            yield RunningStation(process, log)
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            process.stdout.close()
