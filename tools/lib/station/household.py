"""What changes in a house while the station runs: straps are paired and forgotten, and somebody is told of alerts."""

from __future__ import annotations

import json
import subprocess
import threading
from contextlib import contextmanager
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from processes import Station, addresses, settings, station, straps

SECRET = "/alerts?key=secret"


class Receiver:
    """A receiver of webhooks, which is busy at first."""

    def __init__(self) -> None:
        self.attempts = 0
        self.messages: list[tuple[str, dict]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            """A request handler."""

            def do_POST(self) -> None:  # noqa: N802
                """Refuses the first request, and stores the others."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.attempts += 1
                if receiver.attempts > 1:
                    receiver.messages.append((self.path, json.loads(body)))
                self.send_response(503 if receiver.attempts == 1 else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Logs nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        """The URL of the receiver."""
        return f"http://127.0.0.1:{self.server.server_address[1]}{SECRET}"

    @contextmanager
    def listening(self) -> Iterator[Receiver]:
        """Listens within the block."""
        thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.server.shutdown()
            self.server.server_close()


def heard(running: Station) -> set[str]:
    """Returns the addresses of the straps on the page, if all are current."""
    readings = running.live()
    return {one["address"] for one in readings} if all(one["isCurrent"] for one in readings) else set()


def try_household(binary: str, fake: str, capture: Path, folder: Path, table) -> None:
    """Pairs and forgets straps while the station runs, and waits for its alerts."""
    print("straps that are paired and forgotten while the station runs, and a webhook that is busy at first")
    database = folder / "tachogram.sqlite"

    def strap(*arguments: str) -> None:
        """Runs a command, and `pair` again if the station has reconnected to the strap."""
        for last in (arguments[0] != "pair", True):
            done = subprocess.run(
                [binary, *arguments, "--database", str(database)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, check=False)
            if done.returncode == 0:
                return
            print(f"  {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
            if last:
                raise SystemExit(f"{arguments[0]} failed")

    with Receiver().listening() as receiver, straps(fake, capture, 2) as bus:
        both = set(addresses(binary, bus))
        # Every battery is low.
        given = settings(f"radio.bus={bus}", "alerts.batteryPercent=100", f"alerts.webhook={receiver.url}")
        with station(binary, folder, given) as running:
            running.wait_until("the first strap is heard", lambda: len(heard(running)) == 1)
            first = next(iter(heard(running)))
            other = next(iter(both - {first}))
            # The station has its readings.
            strap("pair", first, "--bus", bus, "--name", "first")
            running.wait_until("the strap that was heard goes on", lambda: heard(running) == {first})
            strap("straps", "forget", "first")
            strap("pair", other, "--bus", bus, "--name", "other")
            seconds = running.wait_until("only the paired strap is heard", lambda: heard(running) == {other})
            table.row("paired strap in place of any, heard after", seconds, "s", 15)
            strap("pair", first, "--bus", bus, "--name", "first")
            seconds = running.wait_until("both straps are heard", lambda: heard(running) == both)
            table.row("second paired strap, heard after", seconds, "s", 15)
            strap("straps", "forget", "other")
            seconds = running.wait_until("the forgotten strap is gone", lambda: heard(running) == {first})
            table.row("forgotten strap, gone after", seconds, "s", 15)
            running.wait_until("alerts are posted", lambda: len(receiver.messages) >= 2)
            running.end()
    posted = [message for path, message in receiver.messages if path == SECRET]
    table.row("alerts posted elsewhere", len(receiver.messages) - len(posted), "", 0)
    table.row("alerts without their text", sum("battery" not in message["text"] for message in posted), "", 0)
    shown = json.dumps(posted).upper()
    table.row("addresses in what was posted", sum(shown.count(address.upper()) for address in both), "", 0)
