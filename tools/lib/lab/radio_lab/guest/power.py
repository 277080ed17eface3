"""What must survive a power cut: mirrored to the host while it is recorded, and held against the disk afterwards."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, Any

from radio_lab.guest.ledger import Ledger
from radio_lab.power_round import RoundReport

ACKNOWLEDGEMENTS = "acknowledgements.ndjson"
STRAP_LOG = "straps.ndjson"


class Mirror:
    """Mirrors the state outside the guest, where a power cut does not affect it. A notification counts as
    acknowledged when another process reads it from the database: with a write-ahead log and full synchronisation,
    commits become visible after they are on the disk."""

    def __init__(self, strap_log: Path, ledger: Ledger, folder: Path) -> None:
        self._source = strap_log.open("rb")
        self._ledger = ledger
        self._straps = (folder / STRAP_LOG).open("wb")
        self._acknowledgements = (folder / ACKNOWLEDGEMENTS).open("w")
        self._acknowledged = -1

    def update(self) -> None:
        """Mirrors new values. Sent values are mirrored last, so that acknowledgements refer to older values."""
        count = self._ledger.count()
        if count > self._acknowledged:
            stored = [entry.value for entry in self._ledger.notifications()] if count else []
            line = {"count": len(stored), "value": stored[-1] if stored else None}
            self._acknowledgements.write(json.dumps(line) + "\n")
            self._acknowledged = len(stored)
            _to_disk(self._acknowledgements)
        new = self._source.read()
        if new:
            self._straps.write(new)
            _to_disk(self._straps)


def examine(ledger: Ledger, folder: Path, longest_loss: float) -> RoundReport:
    """Compares the disk with the mirror of the previous round, whose own examination gives its beginning, because the
    first update of its mirror may follow its first values. At most `longest_loss` seconds may be missing."""
    report = RoundReport()
    before = RoundReport.read(folder)
    begin = before.stored if before else 0
    said = ledger.integrity()
    report.is_intact = said == "ok"
    report.check(report.is_intact, f"the database is damaged: {said[:300]}")
    if not report.is_intact:
        return report
    entries = ledger.notifications()
    stored = [entry.value for entry in entries]
    report.stored = len(stored)
    report.kept = len(stored) - begin
    orphans = ledger.orphans()
    report.check(not orphans, f"derived rows have no ledger: {', '.join(orphans)}")
    report.sessions = len(ledger.sessions())
    gaps = ledger.gaps()
    report.gaps = len(gaps)
    acknowledged = _lines(folder / ACKNOWLEDGEMENTS)
    report.check(bool(acknowledged), "the round before the cut was not mirrored")
    if not acknowledged:
        return report
    last = acknowledged[-1]
    report.acknowledged = last["count"] - begin
    report.acknowledged_lost = max(0, last["count"] - len(stored))
    report.check(
        not report.acknowledged_lost,
        f"of {last['count']} acknowledged notifications {report.acknowledged_lost} are gone")
    if last["count"] and not report.acknowledged_lost:
        report.check(
            stored[last["count"] - 1] == last["value"],
            f"acknowledged notification {last['count']} is another one than before the cut")
    if 0 < begin < len(entries):
        # What was heard before the cut before and what was heard after it.
        last_before, first_after = entries[begin - 1].time, entries[begin].time
        report.check(
            any(gap.start < first_after and gap.end > last_before for gap in gaps),
            f"there is no gap between notifications {begin} and {begin + 1}, which a cut was between")
    sent = [line for line in _lines(folder / STRAP_LOG) if "hex" in line and "event" not in line]
    _judge_loss(report, stored[begin:], sent, longest_loss)
    return report


def _judge_loss(report: RoundReport, kept: list[str], sent: list[dict[str, Any]], longest: float) -> None:
    """Checks that the stored values of the boot before the cut are the beginning of those that the strap sent."""
    values = [line["hex"] for line in sent]
    # What was sent after the last look of the mirror may be stored all the same.
    shorter = min(len(kept), len(values))
    report.check(
        kept[:shorter] == values[:shorter],
        f"what the boot before the cut stored is not what the strap sent: {kept[-3:]}")
    if len(kept) < len(values):
        # Each value that is lost stands for the time until the next one; the last for as much as the one before it.
        times = [line["t"] for line in sent]
        interval = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 0
        report.lost_seconds = round(times[-1] - times[len(kept)] + interval, 3)
    lost = report.lost_seconds
    report.check(lost <= longest, f"{lost} s before the cut are lost, {longest:g} s may be")


def _to_disk(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _lines(file: Path) -> list[dict[str, Any]]:
    whole = file.read_text().rpartition("\n")[0] if file.exists() else ""
    return [json.loads(line) for line in whole.splitlines()]
