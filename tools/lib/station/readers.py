"""Browsers that listen to the station: some of them very slowly."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from dataclasses import dataclass, field
from datetime import datetime

REQUEST = b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@dataclass
class Heard:
    """The results of the readers."""

    events: int = 0
    holes: int = 0
    ended: int = 0
    # Seconds from the arrival of a notification to its arrival here.
    delays: list[float] = field(default_factory=list)


def percentile(values: list[float], share: float) -> float:
    """Returns the value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def read(port: int, until: float, heard: Heard, measures: bool) -> None:
    """Runs a reader, which counts events and gaps in their numbers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    writer.write(REQUEST)
    last, name = None, ""
    try:
        while (left := until - time.monotonic()) > 0:
            line = await asyncio.wait_for(reader.readline(), left)
            now = time.time()
            if not line:
                heard.ended += 1
                return
            if line.startswith(b"id: "):
                number = int(line.rsplit(b"-", 1)[1])
                heard.holes += last is not None and number != last + 1
                last = number
            elif line.startswith(b"event: "):
                name = line[7:].strip().decode()
            elif line.startswith(b"data: ") and name == "reading":
                heard.events += 1
                if measures and b'"beats":[{' in line:
                    body = json.loads(line[6:])
                    heard.delays.append(now - datetime.fromisoformat(body["lastHeard"]).timestamp())
    except TimeoutError:
        pass
    finally:
        writer.close()


def stalled(port: int) -> socket.socket:
    """Runs a reader that sends a request and never reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", port))
    connection.sendall(REQUEST)
    return connection


async def crowd(port: int, count: int, slow: int, seconds: float) -> Heard:
    """Runs a number of readers at once, of which some are stalled."""
    heard = Heard()
    stuck = [stalled(port) for _ in range(slow)]
    until = time.monotonic() + seconds
    tasks = [read(port, until, heard, index == 0) for index in range(count - slow)]
    await asyncio.gather(*tasks)
    for connection in stuck:
        connection.close()
    return heard
