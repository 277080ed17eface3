"""A station that is made up, to develop and test its page without one: `mock_server.py [--port N] [--mode MODE]`.

It serves the page with the station's content security policy, and its API with data that is generated. `/mock/MODE`
changes what it does:
  normal  two straps are live         silent  the stream stays open and nothing comes
  stale   the straps are not heard    empty   no strap, no session, nobody
  locked  the API wants the token, which is "open"
  single  one strap
"""

from __future__ import annotations

import argparse
import http.server
import json
import re
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import mock_data
from mock_data import Json

PAGE = Path(__file__).resolve().parents[3] / "Sources" / "CDashboardFiles" / "page"
API_DOCUMENT = PAGE.parent / "api"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {suffix: f"text/{kind}; charset=utf-8"
         for suffix, kind in ((".html", "html"), (".css", "css"), (".js", "javascript"), (".txt", "plain"))}
MODES = ("normal", "silent", "stale", "empty", "locked", "single")
TOKEN = "open"


class Station:
    """What all connections share."""

    def __init__(self, mode: str = "normal") -> None:
        self.mode = mode
        self.straps = mock_data.live_straps()
        self.sessions = mock_data.sessions(time.time())
        self._lock = threading.Lock()
        self._heard = time.time()

    @property
    def is_empty(self) -> bool:
        return self.mode == "empty"

    def readings(self, since: list[int] | None = None) -> tuple[list[Json], list[int]]:
        """The readings, with the beats since those that were counted, else the last 120; and the new counts."""
        with self._lock:
            if self.is_empty:
                return [], []
            is_current = self.mode != "stale"
            if is_current:
                self._heard = time.time()
                for strap in self.straps:
                    strap.advance(self._heard)
            counts = [len(strap.beats) for strap in self.straps]
            starts = since or [count - 120 for count in counts]
            shown = self.straps[:1] if self.mode == "single" else self.straps
            readings = [strap.reading(strap.beats[start:], is_current, self._heard)
                        for strap, start in zip(shown, starts)]
            return readings, counts

    def live(self) -> tuple[Json, list[int]]:
        """The answer of /live, and the counts of its beats."""
        readings, counts = self.readings()
        return {"time": mock_data.stamp(time.time()), "readings": readings}, counts

    def chosen(self, query: dict[str, str]) -> list[mock_data.Session]:
        """The sessions of a query."""
        if self.is_empty:
            return []
        return [each for each in self.sessions
                if query.get("person") in (None, each.person) and mock_data.stamp(each.start) <= query.get("to", "9")]


class Handler(http.server.BaseHTTPRequestHandler):
    """Responses requests."""

    protocol_version = "HTTP/1.1"
    station: Station

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    # MARK: Answers

    def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": POLICY,
                            "X-Content-Type-Options": "nosniff", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _json(self, value: object, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _refuse(self, status: int, error: str) -> None:
        self._json({"error": error}, status)

    # MARK: Methods

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        path = unquote(parts.path)
        if path.startswith("/mock/"):
            self._change_mode(path.removeprefix("/mock/"))
        elif path == "/api/v1/openapi.yaml":
            document = b"".join((API_DOCUMENT / name).read_bytes() for name in ("paths.yaml", "schemas.yaml"))
            self._send(200, document, "application/yaml")
        elif not path.startswith("/api/v1/"):
            self._file(path)
        elif self._is_let_in():
            self._api(path.removeprefix("/api/v1"), query)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"null")
        if self.path == "/api/v1/login":
            self._log_in(body)
        elif self._is_let_in():
            self._json(self._counts(body))

    def do_PATCH(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self._is_let_in():
            self._json(mock_data.straps(False)["straps"][0])

    def do_DELETE(self) -> None:
        if self._is_let_in():
            self._send(204, b"", "text/plain")

    # MARK: What they do

    def _change_mode(self, mode: str) -> None:
        if mode not in MODES:
            self._refuse(404, f"There is no mode {mode}.")
            return
        self.station.mode = mode
        self._json({"mode": mode})

    def _is_let_in(self) -> bool:
        if self.station.mode != "locked" or f"tachogram={TOKEN}" in (self.headers.get("Cookie") or ""):
            return True
        self._refuse(401, "The token is needed: `tachogram token` on the station shows it.")
        return False

    def _log_in(self, body: Json) -> None:
        if body.get("token") == TOKEN:
            self._send(204, b"", "text/plain", {"Set-Cookie": f"tachogram={TOKEN}; HttpOnly; SameSite=Strict; Path=/"})
        else:
            self._refuse(401, "This is not the token of this station.")

    def _file(self, path: str) -> None:
        file = (PAGE / ("index.html" if path == "/" else path.lstrip("/"))).resolve()
        if PAGE in file.parents and file.is_file() and file.suffix in TYPES:
            self._send(200, file.read_bytes(), TYPES[file.suffix])
        else:
            self._refuse(404, "There is no such file.")

    def _counts(self, selection: Json) -> Json:
        chosen = [each for each in self.station.chosen({}) if selection.get("session", each.id) == each.id
                  and selection.get("person", each.person) == each.person
                  and selection.get("from", "") <= mock_data.stamp(each.start) <= selection.get("to", "9")]
        ended = [each.summary() for each in chosen if not each.is_running]
        counts: Json = {"sessions": len(ended), "running": len(chosen) - len(ended),
                        "notifications": sum(each["notifications"] for each in ended),
                        "beats": sum(each["beats"] for each in ended), "stress": 24 * len(ended)}
        return counts | ({"first": ended[-1]["start"], "last": ended[0]["end"]} if ended else {})

    # MARK: The API

    def _api(self, path: str, query: dict[str, str]) -> None:
        station = self.station
        session = re.fullmatch(r"/sessions/([0-9a-f-]{36})(?:/(\w+))?", path)
        if path == "/status":
            self._json(mock_data.status(station.is_empty))
        elif path == "/live":
            self._json(station.live()[0])
        elif path == "/events":
            self._events()
        elif path == "/straps":
            self._json(mock_data.straps(station.is_empty))
        elif path == "/persons":
            self._json({"persons": [] if station.is_empty else ["Anna", "Bert"]})
        elif path == "/formats":
            self._json({"formats": mock_data.FORMATS})
        elif path == "/sessions":
            self._sessions(query)
        elif path == "/baseline":
            self._json(mock_data.baseline(query.get("person")))
        elif path == "/trends":
            answer = mock_data.trends(query.get("period", "week"), query.get("end"))
            self._json(answer | ({"points": [], "usual": {}} if station.is_empty else {}))
        elif session:
            self._session(session[1], session[2], query)
        else:
            self._refuse(404, "There is no such thing.")

    def _sessions(self, query: dict[str, str]) -> None:
        chosen, first = self.station.chosen(query), int(query.get("cursor", 0))
        after = first + int(query.get("limit", 50))
        answer: Json = {"sessions": [each.summary() for each in chosen[first:after]]}
        self._json(answer | ({"next": str(after)} if after < len(chosen) else {}))

    def _session(self, identifier: str, part: str | None, query: dict[str, str]) -> None:
        session = next((each for each in self.station.sessions if each.id == identifier), None)
        if session is None:
            self._refuse(404, "There is no such session.")
            return
        if part is None:
            self._json(session.summary())
        elif part == "export":
            self._send(200, b"time,rr\n", "text/csv", {"Content-Disposition": "attachment"})
        elif part == "windows":
            length = int(query.get("length", 300))
            self._json({"length": length, "windows": session.windows(length)})
        elif part == "stress":
            self._json({"stress": [self._measurement(each) for each in session.windows(300) if "sdnn" in each]})
        else:
            self._beats(session, part)

    @staticmethod
    def _measurement(window: Json) -> Json:
        level = mock_data.stress_of(window["sdnn"] * 0.75, window["meanHeartRate"])
        return {"time": window["end"], "level": level, "category": mock_data.category_of(level), "confidence": 0.96,
                "hrv": window["sdnn"], "kind": "sdnn", "heartRate": window["meanHeartRate"]}

    def _beats(self, session: mock_data.Session, part: str) -> None:
        seconds, rr, marked, gaps = session.beats()
        if part == "poincare":
            self._json({"x": rr[:3000], "y": rr[1:3001], "total": len(rr) - 1, "sd1": 27.4, "sd2": 61.8})
            return
        odd = [{"seconds": seconds[index], "rr": rr[index], "class": "ectopic"} for index in range(150, len(rr), 173)]
        self._json({"start": mock_data.stamp(session.start), "seconds": seconds, "rr": rr, "marked": marked,
                    "gaps": gaps, "artifacts": odd, "total": len(rr)})

    # MARK: The stream

    def _events(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self._stream()
        except OSError:
            pass  # The browser has left.

    def _stream(self) -> None:
        live, counts = self.station.live()
        number = self._event(0, "live", live)
        mode = self.station.mode
        while True:
            time.sleep(1)
            if self.station.mode == "locked" or (mode == "empty") != self.station.is_empty:
                return
            if self.station.mode == "silent":
                continue
            if mode == self.station.mode == "stale":
                self.wfile.write(b": here\n\n")
                continue
            mode = self.station.mode
            readings, counts = self.station.readings(counts)
            for reading in readings:
                number = self._event(number, "reading", reading)
            if number % 20 < 2:
                number = self._event(number, "status", mock_data.status(self.station.is_empty))
            if not readings:
                self.wfile.write(b": here\n\n")

    def _event(self, number: int, kind: str, value: Json) -> int:
        self.wfile.write(f"id: {number}\nevent: {kind}\ndata: {json.dumps(value)}\n\n".encode())
        return number + 1


def start(port: int = 0, mode: str = "normal") -> http.server.ThreadingHTTPServer:
    """Starts the mock in threads of its own; port 0 is any that is free."""
    handler = type("StationHandler", (Handler,), {"station": Station(mode)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--mode", choices=MODES, default="normal")
    arguments = parser.parse_args()
    server = start(arguments.port, arguments.mode)
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        server.shutdown()


if __name__ == "__main__":
    main()
