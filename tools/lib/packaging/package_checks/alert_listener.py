"""A listener for the alerts of a station."""

from __future__ import annotations

import http.server
import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class AlertListener:
    """The address that a station posts alerts to, and the posts."""

    def __init__(self, port: int, posts: queue.SimpleQueue[bytes]) -> None:
        self.address = f"http://127.0.0.1:{port}/"
        self._posts = posts

    def next_alert(self, seconds: float) -> dict[str, object] | None:
        """Returns the next alert, or nothing if none comes in time or it is no JSON object."""
        try:
            alert = json.loads(self._posts.get(timeout=seconds))
        except (queue.Empty, ValueError):
            return None
        return alert if isinstance(alert, dict) else None


@contextmanager
def alert_listener() -> Iterator[AlertListener]:
    """Listens on loopback."""
    posts: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    class Handler(http.server.BaseHTTPRequestHandler):
        """Keeps what is posted."""

        def do_POST(self) -> None:
            """Takes one post."""
            posts.put(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield AlertListener(server.server_port, posts)
        finally:
            server.shutdown()
            thread.join()
