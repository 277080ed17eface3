"""The page with TLS and a token, as a browser on the network has it; the other end is Python's own."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

from processes import PATIENCE, Station, settings, station

NAME = "tachogram.test"


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Creates a self-signed certificate and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "30",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
         "-addext", "keyUsage=critical,digitalSignature,keyCertSign", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL)
    return certificate, key


class Browser:
    """A browser that trusts one certificate."""

    def __init__(self, running: Station, certificate: Path, token: str):
        self.running = running
        self.token = token
        self.context = ssl.create_default_context(cafile=str(certificate))

    def connection(self) -> http.client.HTTPConnection:
        """Returns a connection whose certificate was verified."""
        raw = socket.create_connection(("127.0.0.1", self.running.port), PATIENCE)
        connection = http.client.HTTPConnection(NAME, self.running.port, timeout=PATIENCE)
        connection.sock = self.context.wrap_socket(raw, server_hostname=NAME)
        return connection

    def ask(self, path: str, method: str = "GET", body: dict | None = None) -> http.client.HTTPResponse:
        """Returns the answer, read to its end."""
        connection = self.connection()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        answer.content = answer.read()
        connection.close()
        return answer

    def events(self) -> http.client.HTTPResponse:
        """Returns a stream of events."""
        connection = self.connection()
        connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {self.token}"})
        return connection.getresponse()

    def believes(self) -> bool:
        """Returns whether the station has the certificate that this browser trusts."""
        try:
            self.connection().close()
        except ssl.SSLCertVerificationError:
            return False
        return True


def refused(binary: str, folder: Path, *pairs: str) -> str:
    """Returns the message of a station that does not start."""
    command = [binary, "station", "--database", str(folder / "refused.sqlite"), "--port", "0"]
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    try:
        done = subprocess.run(
            [*command, *settings(*pairs)], capture_output=True, text=True, timeout=PATIENCE, env=environment)
    except subprocess.TimeoutExpired:
        return ""
    return "" if done.returncode == 0 else done.stderr


def try_secure(binary: str, capture: Path, folder: Path, table) -> None:
    """Tests the page with TLS, renewed certificates, and wrong ones."""
    print("the page with TLS")
    first, second = make_certificate(folder, "first"), make_certificate(folder, "second")
    used = (folder / "page.pem", folder / "page.key")

    def put(certificate: Path, key: Path) -> None:
        for source, place in zip((certificate, key), used, strict=True):
            shutil.copy(source, folder / "new")
            os.replace(folder / "new", place)

    put(*first)
    files = settings(f"http.certificate={used[0]}", f"http.key={used[1]}")
    play = ["--replay", str(capture), "--loop", "--speed", "5", "--host", "0.0.0.0"]
    with station(binary, folder, [*play, *files]) as running:
        database = ["--database", str(folder / "tachogram.sqlite")]
        shown = subprocess.run([binary, "token", *database], check=True, stdout=subprocess.PIPE, text=True)
        token = shown.stdout.split()[-1]
        old, new = (Browser(running, one[0], token) for one in (first, second))
        table.row("addresses without https", not running.base.startswith("https://"), "", 0)
        table.row("answers that are not 200", sum(old.ask(path).status != 200 for path in ("/", "/api/v1/live")), "", 0)
        table.row("wrong tokens let in", Browser(running, first[0], "wrong").ask("/api/v1/live").status != 401, "", 0)
        cookie = old.ask("/api/v1/login", "POST", {"token": token}).headers["Set-Cookie"] or ""
        isbound = cookie.startswith("__Host-") and "secure" in cookie.lower().split("; ")
        table.row("cookies that also go without TLS", not isbound, "", 0)
        with socket.create_connection(("127.0.0.1", running.port), PATIENCE) as plain:
            plain.sendall(b"GET /api/v1/live HTTP/1.1\r\nHost: pi\r\n\r\n")
            said = plain.recv(4096)
        table.row("answers without TLS but what to do", b" 400 " not in said or b"https://" not in said, "", 0)
        stream = old.events()
        table.row("streams that do not begin", not stream.readline(), "", 0)

        put(*second)
        replaced, isopen = time.monotonic(), True
        while isopen and not new.believes() and time.monotonic() - replaced < 60:
            isopen = bool(stream.readline())
        table.row("a replaced certificate is served after", time.monotonic() - replaced, "s", 60)
        # Longer than what was sent before can last.
        until = time.monotonic() + 5
        while isopen and time.monotonic() < until:
            isopen = bool(stream.readline())
        table.row("streams that a renewal ended", not isopen, "", 0)
        put(second[0], first[1])
        running.process.send_signal(signal.SIGHUP)
        running.wait_until("the wrong key is told", lambda: "is not that of the certificate" in running.text())
        table.row("certificates lost to a wrong key", not new.believes(), "", 0)
        table.row("SIGTERM to the end, with an open stream", running.end(), "s", 5)
    for pairs, words in (
        ([f"http.certificate={used[0]}", f"http.key={used[1]}"], "is not that of the certificate"),
        ([f"http.certificate={used[0]}"], "http.key is not set"),
        ([f"http.certificate={folder}/none.pem", f"http.key={used[1]}"], "none.pem cannot be read"),
    ):
        table.row(f"starts in spite of: {words}", words not in refused(binary, folder, *pairs), "", 0)
