"""Clients that hold connections open, drip and send oddities; others are answered meanwhile."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from processes import Station, station

HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
# What is sent, with what the answer begins, and within how many seconds the connection has to end.
ODD = (
    (b"GET /healthz HTTP/1.0\r\n\r\n", b"HTTP/1.1 200 ", 1),
    (b"GET /healthz HTTP/1.1\r\n\r\n", b"HTTP/1.1 400 ", 1),
    (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9900000000\r\n\r\n", b"HTTP/1.1 413 ", 1),
    (b"GET / HTTP/2.0\r\n\r\n", b"HTTP/1.1 505 ", 1),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"HTTP/1.1 400 ", 1),
    (HALF, b"HTTP/1.1 408 ", 11),
    (b"", b"", 11),
    (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n", b"HTTP/1.1 408 ", 31),
)


def ask(port: int, request: bytes, patience: float) -> tuple[bytes, float]:
    """Returns the answer until the server closes, and the seconds until then; after `patience` it has not closed."""
    started, received = time.monotonic(), b""
    with socket.create_connection(("127.0.0.1", port), patience) as connection:
        connection.sendall(request)
        connection.settimeout(patience)
        try:
            while more := connection.recv(65536):
                received += more
        except TimeoutError:
            return received, float("inf")
    return received, time.monotonic() - started


def try_hostile(binary: str, capture: Path, folder: Path, table, connections: int, longest: float) -> None:
    """Sends thousands of incomplete requests, and all malformed ones at once that end within `longest` seconds."""
    print(f"{connections} half requests, and oddities")
    with station(binary, folder, ["--replay", str(capture), "--loop"]) as running:
        running.wait_for(1)
        held = _hold(running, connections)
        slowest, wrong = 0.0, 0
        for _ in range(20):
            answer, seconds = ask(running.port, HEALTH, 10)
            slowest, wrong = max(slowest, seconds), wrong + (not answer.startswith(b"HTTP/1.1 200 "))
        table.row("/healthz not answered meanwhile", wrong, "", 0)
        table.row("the slowest answer of it", 1000 * slowest, "ms", 1000)
        for connection in held:
            connection.close()
        pipelined = HEALTH.replace(b"Connection: close\r\n", b"") * 1000 + HEALTH
        answer, _ = ask(running.port, pipelined, 30)
        table.row("pipelined requests without an answer", 1001 - answer.count(b"HTTP/1.1 200 "), "", 0)
        tried = [odd for odd in ODD if odd[2] <= longest]
        with ThreadPoolExecutor(len(tried)) as pool:
            answers = list(pool.map(lambda odd: ask(running.port, odd[0], odd[2] + 5), tried))
        for (request, begin, limit), (answer, seconds) in zip(tried, answers, strict=True):
            iswrong = not answer.startswith(begin) or (not begin and bool(answer))
            table.row(f"wrong answer to {request[:28]!r}", iswrong, "", 0)
            table.row("  and its end", seconds, "s", limit)


def _hold(running: Station, connections: int) -> list[socket.socket]:
    held = []
    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", running.port), 10)
        try:
            connection.sendall(HALF)
        except OSError:
            # It had to go for the next.
            pass
        held.append(connection)
    return held
