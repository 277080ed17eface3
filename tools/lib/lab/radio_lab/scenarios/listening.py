"""A strap is listened to, by either way that the daemon offers."""

from __future__ import annotations

import time

from radio_lab.guest.comparison import compare
from radio_lab.guest.gatt import OtherProgram, characteristic_flag, measurement_path
from radio_lab.guest.ledger import LedgerNotification
from radio_lab.guest.tachogram import Running
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import (
    begin_recording,
    end_recording,
    expect_kept,
    expect_one_session,
    silence_straps,
)

SHARED_SECONDS = 30


def _live(trial: Trial) -> None:
    """Begins with the socket. After a silence the subscription is made again with signals."""
    straps = trial.lab.straps
    live = trial.lab.tachogram.start("live", "--format", "ndjson")
    live.await_line("notification", 20)
    _expect_way(trial, acquired=True)
    time.sleep(_seconds_each_way(trial))
    silent = time.monotonic()
    straps.do("silence", on=True)
    straps.await_event("subscribed", silent, 30)
    _expect_way(trial, acquired=False)
    straps.do("silence", on=False)
    time.sleep(_seconds_each_way(trial))
    _expect_shown(trial, live, 2 * _seconds_each_way(trial))


def _equal_values(trial: Trial) -> None:
    """Equal values are separate notifications with both transports."""
    _live(trial)
    sent = trial.lab.straps.values()
    trial.expect.equal("different values", len({value.value for value in sent}), 1)


def _before_response(trial: Trial) -> None:
    """The first value of a link is sent before the response to the subscription. Whether bluetoothd delivers it is
    not specified; all later values are stored."""
    straps = trial.lab.straps
    recording = begin_recording(trial)
    for _ in range(trial.lab.rounds(1, 5)):
        time.sleep(2)
        begun = time.monotonic()
        straps.do("drop")
        recording.await_line("notification", 20, after=straps.await_event("advertising", begun, 10).time)
    time.sleep(2)
    end_recording(trial, recording)
    expect_one_session(trial)
    firsts = [straps.values(connection=number)[0].time for number in {value.connection for value in straps.values()}]
    drops = [event.time for event in straps.events("disconnected")]
    expect_kept(trial, [(first, first) for first in firsts] + [(drop - 0.5, drop) for drop in drops])


def _shared_strap(trial: Trial) -> None:
    """If another program is subscribed by signals, bluetoothd refuses the socket, and sends signals for both clients."""
    other = OtherProgram()
    try:
        address = trial.lab.straps.address()
        path = other.connect(address)
        other.listen(path)
        live = trial.lab.tachogram.start("live", "--format", "ndjson", address)
        begun = live.await_line("notification", 20)
        _expect_way(trial, acquired=False)
        time.sleep(SHARED_SECONDS)
        # What came before was for the other program.
        _expect_shown(trial, live, SHARED_SECONDS, since=begun.time)
    finally:
        other.end()


def _expect_way(trial: Trial, acquired: bool) -> None:
    """Expects a transport of notifications, as bluetoothd reports it."""
    path = measurement_path(trial.lab.straps.address())
    trial.expect.true("bluetoothd resolves the Heart Rate Measurement", path is not None, path)
    if path:
        trial.expect.equal("the socket is acquired", characteristic_flag(path, "NotifyAcquired"), acquired)
        trial.expect.equal("signals are asked for", characteristic_flag(path, "Notifying"), not acquired)


def _seconds_each_way(trial: Trial) -> float:
    return trial.lab.seconds(4, 120)


def _expect_shown(trial: Trial, live: Running, seconds: float, since: float = 0) -> None:
    """Expects that `live` has shown all values of some seconds, each once."""
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
    trial.expect.at_least("notifications shown", len(shown), 0.9 * seconds)
    trial.expect.equal("links", {entry.link for entry in shown}, {0})
    trial.measure.sent += compared.sent
    trial.measure.lost += len(compared.lost)
    trial.measure.doubled += len(compared.doubled)


def _odd_values(trial: Trial) -> None:
    """Values that cannot be decoded are stored unchanged."""
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
    Scenario(
        "live-both-ways", "`live` shows every value, taken through AcquireNotify, and after a silence by StartNotify.",
        _live, 340, 80,
    ),
    Scenario("equal-values", "The same where all values are equal byte for byte.", _equal_values, 340,
             straps=("--behaviour", "equal-payloads")),
    Scenario("value-before-response", "The first value of each link comes before the answer to the subscription.",
             _before_response, 120, straps=("--behaviour", "notify-before-response")),
    Scenario("shared-strap", "The same while another program is subscribed to the strap, too.", _shared_strap, 200),
    Scenario(
        "odd-values", "Values that are no Heart Rate Measurements are stored as they came.", _odd_values, 60,
        straps=("--play", "forms"),
    ),
)
