"""The other side of tools/bench link in Python with dbus-fast: dbus_fast_peer.py receive|call ADDRESS COUNT"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

WINDOW = 256


def bus_call(member: str, signature: str, body: list[object]) -> Message:
    """Returns a call of the bus itself."""
    return Message(destination="org.freedesktop.DBus", path="/org/freedesktop/DBus", interface="org.freedesktop.DBus",
                   member=member, signature=signature, body=body)


async def receive(address: str, count: int) -> None:
    """Reads the value of each signal at the lowest layer of dbus-fast."""
    bus = await MessageBus(bus_address=address).connect()
    done = asyncio.get_running_loop().create_future()
    received = 0

    def take(message: Message) -> None:
        nonlocal received
        if message.message_type is not MessageType.SIGNAL or message.member != "PropertiesChanged":
            return
        if message.body[0] == "org.bluez.GattCharacteristic1" and len(message.body[1]["Value"].value) == 4:
            received += 1
            if received == count:
                done.set_result(None)

    bus.add_message_handler(take)
    rule = "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties'"
    await bus.call(bus_call("AddMatch", "s", [rule]))
    print("ready", flush=True)
    await done
    print("done", flush=True)
    sys.stdin.read()


async def call(address: str, count: int) -> None:
    """Sends calls one by one, then WINDOW at a time."""
    bus = await MessageBus(bus_address=address).connect()

    async def one() -> None:
        await bus.call(bus_call("NameHasOwner", "s", ["org.bluez"]))

    async def many() -> None:
        for _ in range(count // WINDOW):
            await one()

    for _ in range(count // 20):
        await one()
    latencies = []
    for _ in range(count // 5):
        started = time.perf_counter()
        await one()
        latencies.append(time.perf_counter() - started)
    started = time.perf_counter()
    await asyncio.gather(*(many() for _ in range(WINDOW)))
    seconds = time.perf_counter() - started
    print(json.dumps({"medianMicroseconds": sorted(latencies)[len(latencies) // 2] * 1e6,
                      "callsPerSecond": count // WINDOW * WINDOW / seconds}))


if __name__ == "__main__":
    asyncio.run({"receive": receive, "call": call}[sys.argv[1]](sys.argv[2], int(sys.argv[3])))
