"""The control socket: JSON lines over a unix socket, one answer a request, in order; any number of clients."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, AsyncIterator, Awaitable, Callable

Answer = Callable[[bytes], Awaitable[dict[str, Any]]]


@asynccontextmanager
async def control_socket(path: Path, answer: Answer) -> AsyncIterator[None]:
    """Opens the control socket for the `with` block; a socket of an earlier run is replaced."""

    clients: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clients.add(writer)
        with suppress(ConnectionError, ValueError):
            async for line in reader:
                if line.strip():
                    writer.write(json.dumps(await answer(line)).encode() + b"\n")
                    await writer.drain()
        clients.discard(writer)
        writer.close()

    if path.is_socket():
        path.unlink()
    server = await asyncio.start_unix_server(serve, path)
    try:
        yield
    finally:
        server.close()
        for writer in clients:
            with suppress(ConnectionError):
                await writer.drain()
            writer.close()
        path.unlink(missing_ok=True)
