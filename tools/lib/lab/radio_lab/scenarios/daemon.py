"""What bluetoothd itself answers and signals: the same questions to each version, without the program under test.
Answers that differ between versions are a section of docs/reliability.md, each with what the program does about it."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Sequence

from radio_lab.daemon_facts import DaemonFact
from radio_lab.guest.bus_monitor import BusMonitor, BusSignal
from radio_lab.guest.daemon_client import ADAPTER, Answer, ask, device_path
from radio_lab.guest.gatt import OtherProgram, characteristic_flag, characteristic_path
from radio_lab.guest.waiting import wait_until
from radio_lab.scenario import Scenario, Trial

DEVICE = "org.bluez.Device1"
CONTROL_POINT = "00002a39-0000-1000-8000-00805f9b34fb"
STATES = ("Connected", "Bonded", "Paired", "ServicesResolved")
CONNECT_SECONDS, ANSWER_SECONDS = 60, 10
VALUE = "1063"
# How soon the agent agrees.
ACCEPT_SECONDS = 2
UNBONDED, RETURNS = 5, 10


class Questions:
    """The questions to a daemon about two straps; the second one is bonded with."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.monitor = BusMonitor(trial.lab.places.shared)
        self.other = OtherProgram()
        self.device = device_path(trial.lab.straps.address(0))
        self.bonded = device_path(trial.lab.straps.address(1))
        self.measurement = ""
        self.links: list[str] = []

    def ask_all(self) -> None:
        """Asks everything; the order matters."""
        self.monitor.start()
        try:
            self._link()
            self._subscriptions()
            self._errors()
            self._ends()
            self._bond()
            self._absence()
            self._block()
        finally:
            self.other.end()
            self.monitor.stop()

    def note(self, fact: DaemonFact, value: str) -> None:
        """Keeps an answer."""
        self.trial.expect.true(f"an answer about: {fact.value}", bool(value), value)
        self.trial.measure.facts[fact.value] = value

    # The parts

    def _link(self) -> None:
        self.monitor.mark()
        self.measurement = self.other.connect(self.trial.lab.straps.address(0))
        self._settle(self.device, "ServicesResolved=true")
        self.links.append(self._changes(self.device))
        for fact, path, interface in (
            (DaemonFact.ADAPTER_PROPERTIES, ADAPTER, "org.bluez.Adapter1"), (DaemonFact.PROPERTIES, self.device, DEVICE),
            (DaemonFact.VALUE_PROPERTIES, self.measurement, "org.bluez.GattCharacteristic1"),
        ):
            properties = ask(path, "org.freedesktop.DBus.Properties.GetAll", interface, seconds=ANSWER_SECONDS)
            self.note(fact, _names(r"'(\w+)': <", properties))
        objects = ask("/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects", seconds=ANSWER_SECONDS)
        self.note(DaemonFact.INTERFACES, _names(r"'org\.bluez\.(\w+)': \{", objects))
        acquired = ask(self.measurement, "GattCharacteristic1.AcquireNotify", "{}", seconds=ANSWER_SECONDS)
        size = re.search(r"uint16 (\d+)", acquired.values)
        self.note(DaemonFact.MTU, size[1] if size else acquired.text)
        # The socket was closed with the client.
        wait_until("the socket is given back", lambda: not characteristic_flag(self.measurement, "NotifyAcquired"), 10)

    def _subscriptions(self) -> None:
        self.trial.lab.straps.do("rate", hz=0)
        self.other.listen(self.measurement)
        self.note(DaemonFact.ONE_SUBSCRIBER, self._copies())
        second = OtherProgram()
        try:
            # bluetoothctl has to learn of the objects first.
            time.sleep(2)
            second.listen(self.measurement)
            time.sleep(1)
            self.note(DaemonFact.TWO_SUBSCRIBERS, self._copies())
        finally:
            second.end()
        refused = ask(self.measurement, "GattCharacteristic1.AcquireNotify", "{}", seconds=ANSWER_SECONDS)
        self.note(DaemonFact.SHARED_SOCKET, refused.text)

    def _copies(self) -> str:
        """Returns how often one value is signalled."""
        self.monitor.mark()
        self.trial.lab.straps.do("notify", hex=VALUE)
        time.sleep(1.5)
        values = [signal.properties.get("Value") for signal in self.monitor.signals(self.measurement)]
        return str(values.count(VALUE))

    def _errors(self) -> None:
        control = characteristic_path(self.trial.lab.straps.address(0), CONTROL_POINT)
        if self.trial.expect.true("the strap has a control point", control is not None, control):
            wrong = ask(str(control), "GattCharacteristic1.WriteValue", "[byte 0x02]", "{}", seconds=ANSWER_SECONDS)
            self.note(DaemonFact.WRONG_WRITE, wrong.text)
        stopped = ask(ADAPTER, "Adapter1.StopDiscovery", seconds=ANSWER_SECONDS)
        self.note(DaemonFact.NO_DISCOVERY, stopped.text)

    def _ends(self) -> None:
        straps = self.trial.lab.straps
        for fact, verb in ((DaemonFact.DROPPED, "drop"), (DaemonFact.LOST, "vanish")):
            self.monitor.mark()
            straps.do(verb)
            self._settle(self.device, "Connected=false")
            self.note(fact, self._changes(self.device))
            if verb == "vanish":
                straps.do("return")
            self.monitor.mark()
            self._connect(self.device)
            self._settle(self.device, "ServicesResolved=true")
            self.links.append(self._changes(self.device))
        # That Connected is signalled is left to chance; see UNSIGNALLED.
        self.note(DaemonFact.LINK, max(self.links, key=len))

    def _bond(self) -> None:
        straps, address = self.trial.lab.straps, self.trial.lab.straps.address(1)
        self.other.end()
        straps.do("pairing", strap=1, require=True)
        for fact, words in ((DaemonFact.UNBONDED_SOCKET, ("AcquireNotify", "{}")),
                            (DaemonFact.UNBONDED_SIGNALS, ("StartNotify",))):
            answers = [self._subscribe_unbonded(*words) for _ in range(UNBONDED)]
            self.note(fact, "; ".join(f"{count} × {text}" for text, count in sorted(Counter(answers).items())))
        other = OtherProgram()
        other.connect(address)
        self.monitor.mark()
        paired = _ask_accepting(other, self.bonded, "Device1.Pair", seconds=CONNECT_SECONDS)
        other.end()
        self.trial.expect.equal("how Pair is answered", paired.text, "success")
        self.note(DaemonFact.PAIRING, self._changes(self.bonded))
        self.note(DaemonFact.PAIRED_ALREADY, ask(self.bonded, "Device1.Pair", seconds=ANSWER_SECONDS).text)
        signalled = [self._returns() for _ in range(RETURNS)]
        self.note(DaemonFact.UNSIGNALLED, f"{signalled.count(False)} of {RETURNS}")
        self.monitor.mark()
        ask(ADAPTER, "Adapter1.RemoveDevice", self.bonded, seconds=ANSWER_SECONDS)
        time.sleep(1)
        self.note(DaemonFact.REMOVED, self._changes(self.bonded))

    def _absence(self) -> None:
        """After the links: an attempt to connect keeps the adapter from discovering."""
        other = OtherProgram()
        other.connect(self.trial.lab.straps.address(0))
        other.end()
        self.monitor.mark()
        self.trial.lab.straps.do("vanish")
        self._settle(self.device, "Connected=false")
        self.note(DaemonFact.ABSENT, self._connect(self.device).text)

    def _block(self) -> None:
        lab = self.trial.lab
        lab.adapters.block(True)
        wait_until("the adapter is off", lambda: not lab.adapters.is_powered(), 10)
        state = ask(ADAPTER, "org.freedesktop.DBus.Properties.GetAll", "org.bluez.Adapter1", seconds=ANSWER_SECONDS)
        words = re.findall(r"'(Power\w+)': <'?([\w-]+)'?>", state.values)
        self.note(DaemonFact.BLOCKED, ", ".join(f"{name}={value}" for name, value in sorted(words)))
        switched = ask(ADAPTER, "org.freedesktop.DBus.Properties.Set", "org.bluez.Adapter1", "Powered", "<true>",
                       seconds=ANSWER_SECONDS)
        self.note(DaemonFact.BLOCKED_SWITCH, switched.text)
        lab.adapters.block(False)

    def _subscribe_unbonded(self, member: str, *arguments: str) -> str:
        """Subscribes to a strap that refuses until there is a bond, which the daemon may make by itself."""
        other = OtherProgram()
        path = other.connect(self.trial.lab.straps.address(1))
        answer = _ask_accepting(other, path, f"GattCharacteristic1.{member}", *arguments, seconds=ANSWER_SECONDS)
        other.end()
        is_bonded = self.trial.lab.straps.state(1)["bonded"]
        ask(ADAPTER, "Adapter1.RemoveDevice", self.bonded, seconds=ANSWER_SECONDS)
        self.trial.lab.straps.do("forget", strap=1)
        time.sleep(1)
        seen = f"{answer.text}, {'bonded' if is_bonded else 'not bonded'}"
        # Known: the end of the client and then of the device, while a subscription is pending.
        return seen if self._restart() else f"{seen}, and RemoveDevice crashes bluetoothd"

    def _restart(self) -> bool:
        """Starts bluetoothd anew, so that each subscription is its first. Returns whether it was still running."""
        lab = self.trial.lab
        is_running = lab.bluetooth.service.is_running
        if is_running:
            lab.bluetooth.stop()
        lab.bluetooth.start()
        lab.adapters.wait_powered(0)
        return is_running

    def _returns(self) -> bool:
        """Ends the link of the bonded strap and connects again. Returns whether the new link was signalled."""
        self.trial.lab.straps.do("drop", strap=1)
        self._settle(self.bonded, "Connected=false")
        self.monitor.mark()
        self._connect(self.bonded)
        time.sleep(1)
        return "Connected=true" in self._changes(self.bonded)

    # Parts of parts

    def _connect(self, path: str) -> Answer:
        return ask(path, "Device1.Connect", seconds=CONNECT_SECONDS)

    def _settle(self, path: str, change: str) -> None:
        """Waits for a change, and for what follows it."""
        wait_until(f"{change} is signalled", lambda: change in self._changes(path), 15, pause=0.2)
        time.sleep(1)

    def _changes(self, path: str) -> str:
        """Returns the changes of a device that were signalled since the last mark, in order."""
        changes = [change for signal in self.monitor.signals(path) for change in device_changes(signal)]
        return ", ".join(changes)


def device_changes(signal: BusSignal) -> Sequence[str]:
    """Returns what a signal says of the state of a device's link and bond."""
    if signal.subject != DEVICE:
        return []
    if signal.member != "PropertiesChanged":
        return [f"signal {signal.member}({', '.join(signal.strings)})"]
    return [f"{name}={value}" for name, value in signal.properties.items() if name in STATES]


def _ask_accepting(agent: OtherProgram, path: str, member: str, *arguments: str, seconds: int) -> Answer:
    """Calls a method for which the daemon pairs and asks an agent. Returns the answer, and waits for what follows it."""
    accepting = threading.Timer(ACCEPT_SECONDS, agent.accept)
    accepting.start()
    answer = ask(path, member, *arguments, seconds=seconds)
    accepting.join()
    time.sleep(1)
    return answer


def _names(pattern: str, answer: Answer) -> str:
    """Returns the different names in an answer."""
    return ", ".join(sorted(set(re.findall(pattern, answer.values))))


def _ask_all(trial: Trial) -> None:
    Questions(trial).ask_all()


SCENARIOS = (
    Scenario("daemon", "What bluetoothd answers and signals, asked without tachogram.", _ask_all, 480,
             straps=("--straps", "2")),
)
