"""Heart-rate notifications in a capture, as tshark reads them."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from radio_lab.guest.failure import ScenarioFailure

NOTIFICATION = "1b"
HEAD = 6  # hexadecimal digits of opcode and handle


@dataclass(frozen=True)
class CapturedNotification:
    """A heart-rate notification in a capture; `time` in seconds of the guest's civil clock."""

    time: float
    adapter: int
    connection: str
    value: str


def captured_notifications(capture: Path) -> list[CapturedNotification]:
    """Returns every Heart Rate Measurement that was notified, in the order of the capture."""
    done = subprocess.run(
        ["tshark", "-r", str(capture), "-Y", "btatt.opcode == 0x1b && btatt.uuid16 == 0x2a37", "-T", "json", "-x",
         "-j", "frame hci_mon bthci_acl btatt"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, check=False,
    )
    if done.returncode != 0:
        raise ScenarioFailure(f"tshark cannot read {capture.name}: {done.stderr.strip()[-300:]}")
    return [_notification(packet["_source"]["layers"]) for packet in json.loads(done.stdout or "[]")]


def advertising_reports(capture: Path, adapter: int) -> dict[str, int]:
    """Returns the number of advertising reports that an adapter received, by address."""
    done = subprocess.run(
        ["tshark", "-r", str(capture), "-Y", f"hci_mon.adapter_id == {adapter} && bthci_evt.le_advts_event_type",
         "-T", "fields", "-e", "bthci_evt.bd_addr"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, check=False,
    )
    return dict(Counter(address.upper() for address in done.stdout.split()))


def _notification(layers: dict[str, dict[str, str]]) -> CapturedNotification:
    data = str(layers["btatt_raw"][0])  # type: ignore[index]
    if not data.startswith(NOTIFICATION):
        raise ScenarioFailure(f"tshark calls {data} a notification")
    return CapturedNotification(
        time=float(layers["frame"]["frame.time_epoch"]), adapter=int(layers["hci_mon"]["hci_mon.adapter_id"]),
        connection=layers["bthci_acl"]["bthci_acl.chandle"], value=data[HEAD:],
    )
