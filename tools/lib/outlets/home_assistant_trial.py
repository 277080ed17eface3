"""What a real Home Assistant shows of a station, step by step."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from broker import USERS, Broker
from fake_daemon import FakeDaemon
from home_assistant import HomeAssistant
from package_checks.debian_root import DebianRoot
from package_checks.debian_system import DebianSystem
from package_checks.mounts import keep_mounts_private
from package_checks.report import CheckUnavailable
from processes import Station, free_port, settings
from steps import Steps, Unmet, expect

# Stale is said within five seconds, and Home Assistant is asked ten times a second.
STALE_SECONDS = 6.0
# A state every two seconds, and the time that a busy machine takes.
SOON = 30.0
# What each entity is to Home Assistant: unit and class.
ENTITIES = {
    "Heart rate": ("bpm", None), "RMSSD": ("ms", None), "SDNN": ("ms", None), "Stress level": (None, None),
    "Stress category": (None, "enum"), "Battery": ("%", "battery"), "Skin contact": (None, None),
    "Signal strength": ("dBm", "signal_strength"), "Session": (None, None), "Sleep stage": (None, "enum"),
    "Recording": (None, None),
}
UNAVAILABLE = {"unavailable"}
States = dict[str, dict[str, Any]]


def try_home_assistant(binary: str, fake: str, capture: Path) -> int:
    """Runs all steps. Returns the exit code."""
    if os.geteuid() != 0:
        raise CheckUnavailable("installing Home Assistant needs root, if only in a folder of its own")
    keep_mounts_private()
    with tempfile.TemporaryDirectory(prefix="tachogram-home-") as folder, \
            DebianRoot.throw_away(DebianSystem.for_this_machine("trixie")) as root:
        home = HomeAssistant(root, free_port())
        home.install()
        trial = Trial(binary, FakeDaemon(fake, capture, "--straps", "1"), home, Path(folder))
        try:
            return trial.run()
        finally:
            trial.close()


class Trial:
    """A strap, a station, a broker and Home Assistant."""

    def __init__(self, binary: str, daemon: FakeDaemon, home: HomeAssistant, folder: Path) -> None:
        self._binary = binary
        self._daemon = daemon
        self._home = home
        self._folder = folder
        self._steps = Steps()
        self._broker = Broker(folder, free_port())
        self._strap = daemon.straps(1)[0]
        self._station: Station | None = None
        self._name = "Anna’s strap"
        password = folder / "password"
        password.write_text(USERS["station"] + "\n")
        self._settings = [
            f"radio.bus={daemon.address}", "mqtt.host=127.0.0.1", f"mqtt.port={self._broker.port}", "mqtt.user=station",
            f"mqtt.passwordFile={password}", "mqtt.station=bedroom", "mqtt.interval=2s"]

    def close(self) -> None:
        """Ends everything."""
        if self._station is not None:
            self._station.kill()
        self._home.stop()
        self._broker.stop()
        self._daemon.close()

    def run(self) -> int:
        """Runs the steps. Returns the exit code."""
        for step in (self._set_up, self._entities, self._recording, self._silence, self._rename, self._no_commands,
                     self._killed_station, self._restarted_broker, self._restarted_home, self._missed_removal, self._forgotten_strap,
                     self._log):
            with self._steps.step((step.__doc__ or "").rstrip(".")):
                step()
        print(f"home-assistant: {self._steps.count} steps, {len(self._steps.failed)} failed", flush=True)
        return 1 if self._steps.failed else 0

    # MARK: Steps

    def _set_up(self) -> None:
        """Home Assistant is set up with the broker, and a station with a paired strap is started."""
        self._broker.start()
        self._home.start()
        self._home.set_up({
            "broker": "127.0.0.1", "port": self._broker.port, "username": "home", "password": USERS["home"]})
        self._tachogram("pair", self._strap.address, "--bus", self._daemon.address, "--name", self._name)
        self._start_station()

    def _entities(self) -> None:
        """The strap is a device with its entities, and their values are those of the page."""
        self._wait_for_rate()
        states = self._of_strap(self._home.states())
        expect(set(states) == set(ENTITIES), f"the entities are {sorted(states)}")
        for name, (unit, kind) in ENTITIES.items():
            attributes = states[name]["attributes"]
            found = (attributes.get("unit_of_measurement"), attributes.get("device_class"))
            expect(found == (unit, kind), f"{name} has {found}")
        expect(states["Recording"]["state"] == "on", f"recording is {states['Recording']['state']}")
        expect(states["Heart rate"]["attributes"].get("state_class") == "measurement", "the heart rate has no statistics")
        rate = self._only_reading()["heartRate"]
        expect(abs(int(states["Heart rate"]["state"]) - rate) < 20, f"{states['Heart rate']['state']}, not {rate}")

    def _recording(self) -> None:
        """The switch ends the session, and begins another one."""
        before = self._only_reading()["session"]
        for service, state in (("turn_off", "off"), ("turn_on", "on")):
            self._home.call_service("switch", service, self._entity("Recording"))
            self._wait(f"the switch is {state}", SOON, lambda own: own["Recording"]["state"] == state)
            expect(("session" in self._only_reading()) == (state == "on"), f"the session of a strap that is {state}")
        after = self._only_reading()["session"]
        expect(after != before, "the session goes on")

    def _silence(self) -> None:
        """A silent strap is unavailable within five seconds, and current again at once."""
        self._daemon.do("silent 1")
        self._wait("a silent strap is unavailable", STALE_SECONDS, self._is_unavailable)
        self._daemon.do("resume 1")
        self._wait_for_rate()

    def _rename(self) -> None:
        """A renamed strap has its new name at once, and the same entities."""
        entity = self._entity("Heart rate")
        self._name = "Strap “2” of Zoë"
        self._tachogram("straps", "rename", self._strap.address, self._name)
        self._home.wait(
            "the new name is shown", SOON,
            lambda states: states[entity]["attributes"]["friendly_name"] == f"{self._name} Heart rate")

    def _no_commands(self) -> None:
        """The switch disappears when commands are switched off, and is back when they are on again."""
        self._start_station(commands=False)
        self._wait("there is no switch", SOON, lambda own: self._has_rate(own) and "Recording" not in own)
        self._start_station()
        self._wait_for_rate()

    def _killed_station(self) -> None:
        """A killed station is unavailable; when it is back without the strap, no old value is shown."""
        assert self._station is not None
        self._station.kill()
        self._wait("everything is unavailable by the last will", SOON, self._is_unavailable)
        self._daemon.do("away 1")
        self._start_station()
        try:
            self._wait("an old value is shown", STALE_SECONDS, lambda own: not self._is_unavailable(own))
        except Unmet:
            pass
        else:
            raise Unmet("an old value is shown as a current one")
        self._daemon.do("advertise 1")
        self._wait_for_rate()

    def _restarted_broker(self) -> None:
        """After a restart of the broker, which has lost everything, all is there again."""
        self._broker.stop()
        self._wait("everything is unavailable", SOON, self._is_unavailable)
        self._broker.start()
        self._wait_for_rate()

    def _restarted_home(self) -> None:
        """After a restart of Home Assistant all is there again."""
        self._home.stop()
        self._home.start()
        self._wait_for_rate()

    def _missed_removal(self) -> None:
        """A strap that is forgotten while Home Assistant is away disappears when it is back; paired again, it is there again."""
        assert self._station is not None
        station, entities = self._station, {one["entity_id"] for one in self._of_strap(self._home.states()).values()}
        self._home.stop()
        self._tachogram("straps", "forget", self._strap.address)
        station.wait_until("the strap is forgotten", lambda: not station.live())
        self._home.start()
        # Home Assistant shows what it had before, until it is removed.
        self._home.wait_until_running(SOON)
        self._home.wait("the device is gone", SOON, lambda states: not entities & set(states))
        self._tachogram("pair", self._strap.address, "--bus", self._daemon.address, "--name", self._name)
        self._wait_for_rate()

    def _forgotten_strap(self) -> None:
        """A strap that is forgotten while the station is stopped disappears when it starts again."""
        assert self._station is not None
        self._station.end()
        self._tachogram("straps", "forget", self._strap.address)
        self._daemon.do("away 1")
        self._start_station()
        self._home.wait("the device is gone", SOON, lambda states: not self._of_strap(states))

    def _log(self) -> None:
        """Home Assistant has nothing to say against what was sent."""
        said = [line for line in self._home.log().splitlines()
                if ("WARNING" in line or "ERROR" in line) and "homeassistant.components.mqtt" in line]
        own = [line for line in said if "onnect" not in line]
        expect(not own, "\n".join(own[:5]))

    # MARK: Parts

    def _start_station(self, *, commands: bool = True) -> None:
        if self._station is not None:
            self._station.kill()
        switch = f"mqtt.commands={str(commands).lower()}"
        self._station = Station(self._binary, self._folder, settings(*self._settings, switch))

    def _tachogram(self, *arguments: str) -> None:
        done = subprocess.run(
            [self._binary, *arguments, "--database", self._folder / "tachogram.sqlite"], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"{arguments[0]} ended with {done.returncode}: {done.stderr}")

    def _only_reading(self) -> dict[str, Any]:
        assert self._station is not None
        readings = self._station.live()
        expect(len(readings) == 1, f"{len(readings)} readings")
        return readings[0]

    def _of_strap(self, states: States) -> States:
        """Returns the entities of the strap by their own names."""
        prefix = self._name + " "
        named = {one["attributes"].get("friendly_name", ""): one for one in states.values()}
        return {name.removeprefix(prefix): one for name, one in named.items() if name.startswith(prefix)}

    def _entity(self, name: str) -> str:
        return self._of_strap(self._home.states())[name]["entity_id"]

    def _wait(self, what: str, seconds: float, holds: Callable[[States], bool]) -> None:
        self._home.wait(what, seconds, lambda states: bool(own := self._of_strap(states)) and holds(own))

    def _wait_for_rate(self) -> None:
        self._wait("a heart rate is shown", SOON, lambda own: self._has_rate(own) and "Recording" in own)

    @staticmethod
    def _has_rate(own: States) -> bool:
        return own.get("Heart rate", {}).get("state", "").isdigit()

    @staticmethod
    def _is_unavailable(own: States) -> bool:
        return {one["state"] for one in own.values()} == UNAVAILABLE
