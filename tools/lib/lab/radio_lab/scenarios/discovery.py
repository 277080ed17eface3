"""Straps are found by what they offer, not by what they are called."""

from __future__ import annotations

import subprocess

from radio_lab.guest.capture import advertising_reports
from radio_lab.scenario import Scenario, Trial


def _scan_by_uuid(trial: Trial) -> None:
    """The second adapter advertises a device without heart rate."""
    _advertise_thermometer()
    adapter = trial.lab.straps.adapter(0)
    duration = f"{trial.lab.seconds(3, 4):g}s"
    scan = trial.lab.tachogram.run("scan", "--duration", duration, "--format", "json", "--adapter", adapter)
    trial.expect.equal("exit code of scan", scan.code, 0)
    straps = scan.json()["straps"]
    trial.expect.equal("addresses found", [strap["address"] for strap in straps], [trial.lab.straps.address()])
    if straps:
        trial.expect.equal("its name", straps[0]["name"], trial.lab.straps.state()["name"])
        trial.expect.true("its signal is a number of dBm", -128 < straps[0].get("signalDBm", 0) < 0, straps[0])
        for fact in ("known", "paired", "connected"):
            trial.expect.equal(f"that it is {fact}", straps[0][fact], False)
    # The scan proves nothing unless the thermometer was on the air.
    trial.lab.monitor.stop()
    reports = advertising_reports(trial.lab.monitor.capture, adapter=0)
    trial.expect.true("the first adapter hears the second", trial.lab.straps.adapter(1) in reports, reports)


def _advertise_thermometer() -> None:
    """Advertises a Battery Service only."""
    for words in (["name", "thermo"], ["add-adv", "-u", "180f", "-c", "-n", "1"]):
        subprocess.run(["btmgmt", "--index", "1", *words], capture_output=True, timeout=20, check=False)


SCENARIOS = (
    Scenario("scan-by-uuid", "`scan` finds the strap with its name and signal, and no other peripheral.", _scan_by_uuid,
             60, 45, straps=("--adapters", "2")),
)
