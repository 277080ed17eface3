"""A strap is listened to, by either way that the daemon offers, slowly and fast."""

from __future__ import annotations

import time

from radio_lab.guest.capture import captured_notifications
from radio_lab.guest.comparison import compare
from radio_lab.guest.gatt import OtherProgram, characteristic_flag, measurement_path
from radio_lab.guest.ledger import LedgerNotification
from radio_lab.guest.service import cpu_seconds
from radio_lab.guest.tachogram import Running
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import (
    begin_recording,
    end_recording,
    expect_kept,
    expect_one_session,
    silence_straps,
)

REMOTE_USER = 0x13


def _live_acquire(trial: Trial) -> None:
    live = trial.lab.tachogram.start("live", "--format", "ndjson")
    live.await_line("notification", 20)
    _expect_way(trial, acquired=True)
    _expect_shown(trial, live)


def _live_start_notify(trial: Trial) -> None:
    """After a silence the subscription is made anew the other way: the one with signals."""
    straps = trial.lab.straps
    live = trial.lab.tachogram.start("live", "--format", "ndjson")
    live.await_line("notification", 20)
    silent = time.monotonic()
    straps.do("silence", on=True)
    straps.await_event("subscribed", silent, 30)
    _expect_way(trial, acquired=False)
    straps.do("silence", on=False)
    _expect_shown(trial, live)


def _shared_strap(trial: Trial) -> None:
    """Where another program is subscribed by signals, bluetoothd refuses the socket, and signals for two listeners."""
    other = OtherProgram()
    try:
        address = trial.lab.straps.address()
        path = other.connect(address)
        other.listen(path)
        live = trial.lab.tachogram.start("live", "--format", "ndjson", address)
        begun = live.await_line("notification", 20)
        _expect_way(trial, acquired=False)
        # What came before was for the other program.
        _expect_shown(trial, live, since=begun.time)
    finally:
        other.end()


def _expect_way(trial: Trial, acquired: bool) -> None:
    """By which way notifications come, as bluetoothd tells it."""
    path = measurement_path(trial.lab.straps.address())
    trial.expect.true("bluetoothd resolves the Heart Rate Measurement", path is not None, path)
    if path:
        trial.expect.equal("the socket is acquired", characteristic_flag(path, "NotifyAcquired"), acquired)
        trial.expect.equal("signals are asked for", characteristic_flag(path, "Notifying"), not acquired)


def _expect_shown(trial: Trial, live: Running, since: float = 0) -> None:
    """For some time `live` shows what the strap sends, all of it and nothing twice."""
    time.sleep(trial.lab.seconds(20, 120))
    silence_straps(trial)
    live.interrupt()
    shown = [
        LedgerNotification("", number, line.facts["link"], line.time, line.facts["value"])
        for number, line in enumerate(live.of("notification"))
    ]
    sent = trial.lab.straps.values()
    if since:
        first = next(place for place, value in enumerate(sent) if value.value == shown[0].value and value.time <= since)
        sent = sent[first:]
    compared = compare(sent, shown)
    what = "live shows what the strap sends, byte for byte, in order, once"
    trial.expect.true(what, compared.is_clean, compared.text())
    trial.expect.at_least("notifications shown", len(shown), 0.9 * trial.lab.seconds(20, 120))
    trial.expect.equal("links", {entry.link for entry in shown}, {0})
    trial.measure.sent += compared.sent
    trial.measure.lost += len(compared.lost)
    trial.measure.doubled += len(compared.doubled)


def _record(trial: Trial) -> None:
    recording = begin_recording(trial)
    time.sleep(trial.lab.seconds(6, 60))
    begun = time.monotonic()
    trial.lab.straps.do("drop", reason=REMOTE_USER)
    line = recording.await_line("notification", 20, after=trial.lab.straps.await_event("advertising", begun, 10).time)
    time.sleep(trial.lab.seconds(5, 30))
    end_recording(trial, recording)
    trial.lab.monitor.stop()
    expect_one_session(trial)
    expect_kept(trial, [(begun - 0.05, line.time)])
    stored = trial.lab.ledger().notifications()
    captured = captured_notifications(trial.lab.monitor.capture)
    trial.expect.same_series(
        "the ledger against btmon's capture", [entry.value for entry in stored], [packet.value for packet in captured]
    )
    trial.expect.at_least("notifications", len(stored), 8)
    trial.expect.equal("links", sorted({entry.link for entry in stored}), [0, 1])
    trial.expect.equal("the reason of the first link's end", trial.lab.ledger().link_ends()[:1], [REMOTE_USER])
    lines = [line.facts["value"] for line in recording.of("notification")]
    trial.expect.same_series("the ledger against the event lines", [entry.value for entry in stored], lines)


def _flood(trial: Trial) -> None:
    lab = trial.lab
    recording = begin_recording(trial)
    seconds = lab.seconds(8, 220)
    time.sleep(seconds)
    # All of them share the guest's one processor: a flood that it cannot carry says nothing of the program.
    for name, pid in (("tachogram", recording.pid), ("bluetoothd", lab.bluetooth.service.pid),
                      ("the strap", lab.straps.service.pid)):
        trial.measure.figures[f"processor share of {name} %"] = round(100 * cpu_seconds(pid) / seconds)
    end_recording(trial, recording)
    expect_one_session(trial)
    expect_kept(trial)
    sent = len(trial.lab.straps.values())
    trial.measure.figures["values a second"] = round(sent / seconds)
    trial.expect.at_least("values sent", sent, seconds * 500)


def _odd_values(trial: Trial) -> None:
    """What cannot be decoded is stored as it came, all the same."""
    recording = begin_recording(trial)
    for value in ("00", "16", "1048", "16483903aa", "ff", "0e3c", "1e4801003903", "16483903" * 5):
        trial.lab.straps.do("notify", hex=value)
        time.sleep(0.2)
    time.sleep(2)
    end_recording(trial, recording)
    expect_one_session(trial)
    expect_kept(trial)
    stored = {entry.value for entry in trial.lab.ledger().notifications()}
    trial.expect.true("the odd ones are stored", {"00", "16", "16483903aa"} <= stored, sorted(stored))


SCENARIOS = (
    Scenario("live-acquire", "`live` shows every value, taken through AcquireNotify.", _live_acquire, 180, 60),
    Scenario(
        "live-start-notify", "The same through StartNotify, which is taken after a silence.", _live_start_notify,
        220, 80,
    ),
    Scenario("shared-strap", "The same while another program is subscribed to the strap, too.", _shared_strap, 200),
    Scenario("record", "Ledger, strap's log and btmon's capture are equal, across two links.", _record, 200, 75),
    Scenario(
        "flood", "1000 values a second: none lost, none doubled.", _flood, 400, 90,
        straps=("--play", "counter", "--behaviour", "flood=1000"), is_watched=False, is_alone=True,
    ),
    Scenario(
        "odd-values", "Values that are no Heart Rate Measurements are stored as they came.", _odd_values, 60, 45,
        straps=("--play", "forms"),
    ),
)
