"""What is judged after a power cut."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from radio_lab.guest.ledger import LedgerGap, LedgerNotification, LedgerSession  # noqa: E402
from radio_lab.guest.power import ACKNOWLEDGEMENTS, STRAP_LOG, examine  # noqa: E402
from radio_lab.power_round import PowerRound, RoundReport  # noqa: E402


class StubLedger:
    """A ledger with these values."""

    spans: list[tuple[float, float]] = [(0.1, 6.2)]

    def __init__(self, values: list[str], integrity: str = "ok", orphans: tuple[str, ...] = ()) -> None:
        self._values = values
        self._integrity = integrity
        self._orphans = list(orphans)

    def integrity(self) -> str:
        return self._integrity

    def orphans(self) -> list[str]:
        return self._orphans

    def sessions(self) -> list[LedgerSession]:
        return [LedgerSession("id", "address", False)]

    def gaps(self) -> list[LedgerGap]:
        return [LedgerGap("interrupted", start, end) for start, end in self.spans]

    def notifications(self) -> list[LedgerNotification]:
        """The boot before the cut began six seconds after the previous cut."""
        return [
            LedgerNotification("id", place, 0, place / 10 + (6 if place > 1 else 0), value)
            for place, value in enumerate(self._values)
        ]


class ExaminationTests(unittest.TestCase):
    """Ten values per second; the boot before the cut began when the ledger had two."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def examine(self, stored: list[str], acknowledged: int, sent: int, **found: Any) -> RoundReport:
        RoundReport(stored=2).write(self.folder)
        # The mirror may look for the first time when some are stored already.
        lines = [{"count": 4, "value": "v3"}, {"count": acknowledged, "value": f"v{acknowledged - 1}"}]
        (self.folder / ACKNOWLEDGEMENTS).write_text("".join(json.dumps(line) + "\n" for line in lines))
        values = [{"t": 5 + n / 10, "hex": f"v{n + 2}"} for n in range(sent)]
        (self.folder / STRAP_LOG).write_text("".join(json.dumps(line) + "\n" for line in values) + '{"t": 9, "he')
        return examine(StubLedger(stored, **found), self.folder, longest_loss=1)  # type: ignore[arg-type]

    def stored(self, count: int) -> list[str]:
        return [f"v{number}" for number in range(count)]

    def test_all_that_was_acknowledged_is_there(self) -> None:
        report = self.examine(self.stored(8), acknowledged=8, sent=10)
        self.assertEqual((report.failures, report.acknowledged, report.acknowledged_lost), ([], 6, 0))
        self.assertEqual((report.sessions, report.gaps), (1, 1))
        self.assertAlmostEqual(report.lost_seconds, 0.4)
        self.assertEqual((report.kept, report.checks), (6, 8))

    def test_an_acknowledged_value_that_is_gone_is_told(self) -> None:
        report = self.examine(self.stored(7), acknowledged=8, sent=10)
        self.assertEqual(report.acknowledged_lost, 1)
        self.assertTrue(report.failures)

    def test_another_value_in_its_place_is_told(self) -> None:
        self.assertTrue(self.examine([*self.stored(7), "x"], acknowledged=8, sent=6).failures)

    def test_more_than_a_second_of_loss_is_told(self) -> None:
        self.assertEqual(self.examine(self.stored(8), acknowledged=8, sent=16).failures, [])
        self.assertTrue(self.examine(self.stored(8), acknowledged=8, sent=17).failures)

    def test_a_cut_without_a_gap_is_told(self) -> None:
        for spans in ([], [(1.0, 2.0)][:0], [(6.2, 7.0)]):
            with mock.patch.object(StubLedger, "spans", spans):
                self.assertEqual(len(self.examine(self.stored(8), acknowledged=8, sent=8).failures), 1)

    def test_damage_is_told(self) -> None:
        report = self.examine(self.stored(8), acknowledged=8, sent=10, integrity="row 3 missing")
        self.assertFalse(report.is_intact)
        self.assertTrue(report.failures)

    def test_derived_rows_without_their_ledger_are_told(self) -> None:
        self.assertEqual(len(self.examine(self.stored(8), 8, 10, orphans=("2 beats of missing entries",)).failures), 1)

    def test_a_round_without_a_mirror_is_told(self) -> None:
        self.assertTrue(examine(StubLedger(["v0"]), self.folder, longest_loss=1).failures)  # type: ignore[arg-type]

    def test_rounds_and_reports_are_read_as_they_were_written(self) -> None:
        PowerRound(3, True).write(self.folder)
        self.assertEqual(PowerRound.read(self.folder), PowerRound(3, True))
        report = RoundReport(failures=["a"], stored=4, is_intact=True)
        report.write(self.folder / "round-3")
        self.assertEqual(RoundReport.read(self.folder / "round-3"), report)
        self.assertIsNone(RoundReport.read(self.folder))


if __name__ == "__main__":
    unittest.main()
