"""Takes a source's values at the pace that is asked for and hands them on: the strap's clockwork."""

from __future__ import annotations

import asyncio
from typing import Callable

from virtual_strap.pace import Pace
from virtual_strap.sources import ValueSource

# A late sender sends so many values at a stretch and then leaves the processor to others: the GATT server, the control
# socket, and the daemon that must read them. With long bursts values were seen lost behind the strap on a busy machine.
STRETCH = 8
AIR_TIME = 0.001
# It catches up this many seconds and lets go of the rest: a rate out of reach must not become a debt.
LONGEST_DEBT = 0.05
CONGESTION_PAUSE = 0.005


class Sender:
    """Sends values while there is a subscriber; `start` and `stop` may be called at any time, the source keeps its
    position."""

    def __init__(
        self, source: ValueSource, pace: Pace, send: Callable[[bytes], None], congested: Callable[[], bool]
    ) -> None:
        self.source = source
        self.pace = pace
        self._send = send
        self._congested = congested
        self._task: asyncio.Task[None] | None = None
        self._wake: asyncio.Future[None] | None = None

    @property
    def running(self) -> bool:
        return self._task is not None

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def pace_changed(self) -> None:
        """Called after every change of the rate or the source: the wait for the next value begins again."""
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        last, stretch = loop.time(), 0
        while True:
            interval = self.pace.interval(self.source.delay)
            if interval is None:
                await self._wait(None)
                last = loop.time()
                continue
            due, now = last + interval, loop.time()
            if due > now:
                if await self._wait(due - now):
                    continue
                stretch = 0
            elif now - due > LONGEST_DEBT:
                due = now
            while self._congested():
                await asyncio.sleep(CONGESTION_PAUSE)
            self._send(self.source.take())
            self.pace.sent()
            last, stretch = due, stretch + 1
            if stretch % STRETCH == 0:
                await asyncio.sleep(AIR_TIME)

    async def _wait(self, seconds: float | None) -> bool:
        """Returns whether the rate changed during the wait. Uses a plain future, because this runs a thousand times
        per second."""
        loop = asyncio.get_running_loop()
        self._wake = loop.create_future()
        timer = loop.call_later(seconds, _finish, self._wake) if seconds is not None else None
        try:
            await self._wake
            return timer is None or not timer.when() <= loop.time()
        finally:
            if timer is not None:
                timer.cancel()
            self._wake = None


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
