"""Puts straps onto a radio: the virtual one with its adapters, or a real controller."""

from __future__ import annotations

import hashlib
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from bumble import hci
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport import open_transport

from virtual_strap.arguments import Options
from virtual_strap.controllers import KernelController, StrapHost, VirtualController
from virtual_strap.journal import Journal
from virtual_strap.radio import Radio
from virtual_strap.reach import Reach
from virtual_strap.strap import Strap, StrapSettings
from virtual_strap.vhci import DEVICE, VirtualAdapter

VIRTUAL = "vhci"
FIRST_ADAPTER = "C0:FF:EE:00:00:01"


class WorldError(Exception):
    """The radio is not available; the text is the reason."""


class Adapter:
    """An adapter of the kernel; after unplugging and plugging in it has the same address."""

    def __init__(self, index: int, radio: Radio, journal: Journal) -> None:
        self.index = index
        self.address = following_address(FIRST_ADAPTER, index)
        self._radio = radio
        self._journal = journal
        self._plugged: tuple[VirtualAdapter, KernelController] | None = None

    @property
    def present(self) -> bool:
        return self._plugged is not None

    def plug_in(self) -> None:
        if self._plugged is None:
            adapter = VirtualAdapter()
            controller = KernelController(
                f"adapter {self.index}", self._radio, self.address, host_source=adapter, host_sink=adapter)
            self._plugged = (adapter, controller)
            self._journal.event("adapter", index=self.index, present=True)

    def unplug(self) -> None:
        if self._plugged is not None:
            adapter, controller = self._plugged
            self._plugged = None
            controller.fall_silent()
            self._radio.remove_controller(controller)
            adapter.close()
            self._journal.event("adapter", index=self.index, present=False)

    def state(self) -> dict[str, object]:
        return {"index": self.index, "address": self.address, "present": self.present}


@dataclass
class World:
    """All objects of the control socket. Closing it unplugs the adapters."""

    straps: list[Strap] = field(default_factory=list)
    adapters: list[Adapter] = field(default_factory=list)
    resources: AsyncExitStack = field(default_factory=AsyncExitStack)


async def open_world(options: Options, journal: Journal) -> World:
    world = World()
    try:
        if options.transport == VIRTUAL:
            await _open_virtual(world, options, journal)
        else:
            await _open_real(world, options, journal)
    except BaseException:
        await world.resources.aclose()
        raise
    return world


async def _open_virtual(world: World, options: Options, journal: Journal) -> None:
    radio = Radio()
    for index in range(options.adapters):
        adapter = Adapter(index, radio, journal)
        try:
            adapter.plug_in()
        except OSError as error:
            raise WorldError(
                f"{DEVICE} cannot be opened: {error.strerror}. The kernel needs hci_vhci (modprobe hci_vhci) and the "
                "program the right to it; a real controller is named with --transport, for example usb:0."
            ) from error
        world.resources.callback(adapter.unplug)
        world.adapters.append(adapter)
    for index in range(options.straps):
        address = following_address(options.address, index)
        controller = VirtualController(f"strap {index}", radio, "00:00:00:00:00:00")
        device = Device(host=StrapHost(controller), config=_configuration(options.strap_name(index), address))
        strap = Strap(_settings(options, index), device, journal, Reach(radio, controller))
        await strap.start()
        world.straps.append(strap)


async def _open_real(world: World, options: Options, journal: Journal) -> None:
    try:
        transport = await open_transport(options.transport)
        await world.resources.enter_async_context(transport)
        device = Device(
            host=Host(transport.source, transport.sink), config=_configuration(options.strap_name(0), options.address))
        strap = Strap(_settings(options, 0), device, journal)
        await strap.start()
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise WorldError(f"The transport {options.transport} cannot be used: {reason}") from error
    world.straps.append(strap)


def _settings(options: Options, index: int) -> StrapSettings:
    return StrapSettings(index, options.strap_name(index), options.play, options.hz, options.behaviours)


def _configuration(name: str, address: str) -> DeviceConfiguration:
    """Returns the configuration. The IRK depends on the address only, so that resolvable addresses in captures can be
    resolved."""
    return DeviceConfiguration(
        name=name,
        address=hci.Address(address),
        irk=hashlib.sha256(address.encode()).digest()[:16],
        gap_service_enabled=False,
    )


def following_address(address: str, index: int) -> str:
    """Returns the address `index` after the given one."""
    number = (int(address.replace(":", ""), 16) + index) % (1 << 48)
    return ":".join(f"{byte:02X}" for byte in number.to_bytes(6, "big"))
