"""What the verbs of the control protocol do."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable

from virtual_strap.behaviours import ConnectionParameters
from virtual_strap.pairing import IO_CAPABILITIES
from virtual_strap.requests import Request, RequestError, parse_request
from virtual_strap.script import PlayError
from virtual_strap.strap import Strap, StrapError
from virtual_strap.world import World

REMOTE_USER_TERMINATED = 0x13
FASTEST = 100_000.0
LONGEST_TIME = 86_400.0
Facts = dict[str, Any]


class Commands:
    """Answers requests in order; `finished` is set by quit."""

    def __init__(self, world: World) -> None:
        self.finished = asyncio.Event()
        self._world = world
        self._verbs: dict[str, Callable[[Request], Awaitable[Facts | None]]] = {
            "state": self._state, "drop": self._drop, "vanish": self._vanish, "return": self._return,
            "advertise": self._advertise, "silence": self._silence, "rate": self._rate, "play": self._play,
            "notify": self._notify, "battery": self._battery, "contact": self._contact, "forget": self._forget,
            "pairing": self._pairing, "parameters": self._parameters, "adapter": self._adapter, "quit": self._quit,
        }

    async def answer(self, line: bytes) -> Facts:
        """Returns the answer to any line."""
        try:
            request = parse_request(line)
            verb = self._verbs.get(request.verb)
            if verb is None:
                raise RequestError(f"There is no verb {request.verb!r}; there are {', '.join(self._verbs)}.")
            return {"ok": True, **(await verb(request) or {})}
        except (RequestError, StrapError, PlayError) as error:
            return {"ok": False, "error": str(error)}
        except Exception as error:  # noqa: BLE001  a scenario must hear of it, and the strap go on
            return {"ok": False, "error": f"The strap failed: {type(error).__name__}: {error}"}

    def _strap(self, request: Request) -> Strap:
        if not 0 <= request.strap < len(self._world.straps):
            raise RequestError(f"There is no strap {request.strap}; the last is {len(self._world.straps) - 1}.")
        return self._world.straps[request.strap]

    async def _state(self, request: Request) -> Facts:
        request.only()
        return {
            "straps": [strap.state() for strap in self._world.straps],
            "adapters": [adapter.state() for adapter in self._world.adapters],
        }

    async def _drop(self, request: Request) -> None:
        request.only("reason")
        await self._strap(request).drop(request.integer("reason", 1, 0xFF, REMOTE_USER_TERMINATED))

    async def _vanish(self, request: Request) -> None:
        request.only("after")
        supervision = request.arguments.get("after") == "supervision"
        after = None if supervision else request.number("after", 0, LONGEST_TIME, 0)
        await self._strap(request).vanish(after)

    async def _return(self, request: Request) -> None:
        request.only()
        await self._strap(request).come_back()

    async def _advertise(self, request: Request) -> None:
        request.only("on")
        await self._strap(request).advertise(request.flag("on"))

    async def _silence(self, request: Request) -> None:
        request.only("on")
        self._strap(request).silence(request.flag("on"))

    async def _rate(self, request: Request) -> None:
        if request.has("count"):
            self._burst(request)
            return
        request.only("hz")
        sender = self._strap(request).sender
        sender.pace.set_rate(_hertz(request, "hz"))
        sender.pace_changed()

    async def _play(self, request: Request) -> None:
        """Plays a burst of the current values, or of others."""
        if request.has("count"):
            self._burst(request)
            return
        request.only("what")
        self._strap(request).play(request.text("what"))

    def _burst(self, request: Request) -> None:
        request.only("count", "hz", "then")
        sender = self._strap(request).sender
        count, hz = request.integer("count", 1, 100_000_000), request.number("hz", 0.001, FASTEST)
        sender.pace.set_burst(count, hz, _hertz(request, "then") if request.has("then") else sender.pace.usual_hz)
        sender.pace_changed()

    async def _notify(self, request: Request) -> None:
        request.only("hex")
        self._strap(request).notify(request.bytes("hex"))

    async def _battery(self, request: Request) -> None:
        request.only("percent")
        self._strap(request).set_battery(request.integer("percent", 0, 100))

    async def _contact(self, request: Request) -> None:
        request.only("on")
        unsupported = request.arguments.get("on", ...) is None
        self._strap(request).body.contact = None if unsupported else request.flag("on")

    async def _forget(self, request: Request) -> None:
        request.only()
        await self._strap(request).forget()

    async def _pairing(self, request: Request) -> None:
        request.only("io", "passkey", "require")
        policy = self._strap(request).policy
        io = request.text("io") if request.has("io") else policy.io
        if io not in IO_CAPABILITIES:
            raise RequestError(f"pairing: 'io' is {io!r}; it is one of {', '.join(IO_CAPABILITIES)}.")
        passkey, require = policy.passkey, policy.require
        if request.has("passkey"):
            unknown = request.arguments["passkey"] is None
            passkey = None if unknown else request.integer("passkey", 0, 999_999)
        if request.has("require"):
            require = request.flag("require")
        policy.io, policy.passkey, policy.require = io, passkey, require

    async def _parameters(self, request: Request) -> Facts:
        request.only("min_ms", "max_ms", "latency", "timeout_ms")
        wanted = ConnectionParameters(
            request.number("min_ms", 0, 10_000), request.number("max_ms", 0, 10_000),
            request.integer("latency", 0, 0xFFFF, 0), request.number("timeout_ms", 0, 100_000))
        return {"accepted": await self._strap(request).ask_parameters(wanted)}

    async def _adapter(self, request: Request) -> None:
        request.only("index", "present")
        index, present = request.integer("index", 0, 0xFF, 0), request.flag("present")
        if index >= len(self._world.adapters):
            raise RequestError(f"There is no virtual adapter {index}; there are {len(self._world.adapters)}.")
        adapter = self._world.adapters[index]
        if present:
            adapter.plug_in()
        else:
            adapter.unplug()

    async def _quit(self, request: Request) -> None:
        request.only()
        self.finished.set()


def _hertz(request: Request, name: str) -> float | None:
    """Parses a rate; null stands for the timing of the values."""
    return None if request.arguments.get(name, ...) is None else request.number(name, 0, FASTEST)
