"""What a scenario has in its hands: the services, the straps, the program, and the ledger that it wrote."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from radio_lab.guest.adapters import Adapters
from radio_lab.guest.daemons import BluetoothDaemon, Bus, Monitor
from radio_lab.guest.ledger import Ledger
from radio_lab.guest.straps import Straps
from radio_lab.guest.tachogram import Tachogram


@dataclass(frozen=True)
class LabPlaces:
    """The folders in the guest. `shared` is the run's folder on the host, `work` is in memory."""

    binary: str
    strap_python: str
    bluetoothd: tuple[str, ...] = ()
    shared: Path = Path("/run/out")
    work: Path = Path("/run/lab")


@dataclass
class Lab:
    """The lab of a guest. `short` is whether to do as little as possible."""

    places: LabPlaces
    short: bool
    strap_arguments: tuple[str, ...] = ()
    is_watched: bool = True
    bus: Bus = field(init=False)
    bluetooth: BluetoothDaemon = field(init=False)
    straps: Straps = field(init=False)
    monitor: Monitor = field(init=False)
    tachogram: Tachogram = field(init=False)
    adapters: Adapters = field(init=False)

    def __post_init__(self) -> None:
        logs, work = self.places.shared, self.places.work
        self.bus = Bus(logs)
        self.bluetooth = BluetoothDaemon(logs, self.is_watched, self.places.bluetoothd)
        self.straps = Straps(self.places.strap_python, list(self.strap_arguments), work)
        self.monitor = Monitor(work / "monitor.btsnoop", logs)
        self.tachogram = Tachogram(self.places.binary, work / "tachogram.sqlite", logs)
        self.adapters = Adapters()

    def start(self) -> None:
        """Starts everything, and waits for adapters that are on and straps that advertise."""
        # The straps take longest; they need nothing of the daemon.
        self.straps.start()
        self.bus.start()
        self.bluetooth.start()
        self.straps.wait_ready()
        for adapter in self.straps.do("state")["adapters"]:
            self.adapters.wait_powered(int(adapter["index"]))

    def ledger(self) -> Ledger:
        """Returns the ledger so far."""
        return Ledger(self.tachogram.database)

    def rounds(self, short: int, full: int) -> int:
        """Returns the number of repetitions."""
        return short if self.short else full

    def seconds(self, short: float, full: float) -> float:
        """Returns a duration in seconds."""
        return short if self.short else full

    def keep(self) -> None:
        """Copies files in memory to the host: databases, captures, logs of the straps."""
        for file in sorted(self.places.work.iterdir()):
            if file.is_file():
                shutil.copyfile(file, self.places.shared / file.name)

    def stop(self) -> None:
        """Ends running programs, the monitor in order, so that its file is complete."""
        self.monitor.stop()
        self.straps.service.stop(2)
