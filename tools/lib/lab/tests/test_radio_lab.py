"""The parts of the radio lab that need no guest: comparing, judging, counting."""

from __future__ import annotations

import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from radio_lab.guest.comparison import compare  # noqa: E402
from radio_lab.guest.expectations import Expectations  # noqa: E402
from radio_lab.guest.ledger import LedgerGap, LedgerNotification  # noqa: E402
from radio_lab.guest.silences import expect_gaps  # noqa: E402
from radio_lab.guest.straps import StrapEvent, StrapValue  # noqa: E402
from radio_lab.host.kernel import Edit, KernelRecipe  # noqa: E402
from radio_lab.host.kernel_source import KernelSource  # noqa: E402
from radio_lab.host.report import percentile  # noqa: E402
from radio_lab.host.results import ResultStore, table  # noqa: E402
from radio_lab.result import ScenarioResult  # noqa: E402
from radio_lab.scenarios import all_scenarios  # noqa: E402


def sent(*values: str) -> list[StrapValue]:
    """Returns values sent by a strap, one per second from 100 s on."""
    return [StrapValue(100 + place, 0, 1, place, value) for place, value in enumerate(values)]


def kept(*values: tuple[float, str]) -> list[LedgerNotification]:
    """Returns the values of a ledger."""
    return [LedgerNotification("session", place, 0, time, value) for place, (time, value) in enumerate(values)]


class ComparisonTests(unittest.TestCase):
    """Comparisons of sent and stored values."""

    def test_equal_sides_are_clean(self) -> None:
        result = compare(sent("aa", "bb", "aa"), kept((100.01, "aa"), (101.01, "bb"), (102.01, "aa")))
        self.assertTrue(result.is_clean)
        self.assertEqual((result.sent, result.kept), (3, 3))

    def test_a_lost_value_is_found_between_equal_ones(self) -> None:
        result = compare(sent("aa", "bb", "aa"), kept((100.01, "aa"), (102.01, "aa")))
        self.assertEqual([value.number for value in result.lost], [1])

    def test_lost_values_at_the_end_are_found(self) -> None:
        self.assertEqual(len(compare(sent("aa", "bb", "cc"), kept((100.01, "aa"))).lost), 2)

    def test_a_value_kept_twice_is_doubled(self) -> None:
        result = compare(sent("aa", "bb"), kept((100.01, "aa"), (100.02, "aa"), (101.01, "bb")))
        self.assertEqual([entry.sequence for entry in result.doubled], [1])
        self.assertFalse(result.lost)

    def test_a_value_that_was_never_sent_is_told(self) -> None:
        result = compare(sent("aa"), kept((100.01, "aa"), (100.02, "ee")))
        self.assertEqual([entry.value for entry in result.invented], ["ee"])

    def test_values_in_another_order_are_not_clean(self) -> None:
        self.assertFalse(compare(sent("aa", "bb"), kept((101.02, "bb"), (101.03, "aa"))).is_clean)

    def test_only_what_was_sent_while_a_link_ended_is_excused(self) -> None:
        result = compare(sent("aa", "bb", "cc", "dd"), kept((100.01, "aa"), (103.01, "dd")), [(101.5, 102.5)])
        self.assertEqual([value.value for value in result.lost], ["bb"])
        self.assertEqual([value.value for value in result.excused], ["cc"])

    def test_a_later_equal_value_does_not_stand_for_an_earlier_one(self) -> None:
        # Kept before the second was sent: it can only be the first.
        result = compare(sent("aa", "aa"), kept((100.01, "aa")))
        self.assertEqual([value.number for value in result.lost], [1])


class SilenceTests(unittest.TestCase):
    """Comparisons of unsent values and gaps."""

    SILENCES = [(10.0, 19.0), (30.0, 41.0)]

    def failures(self, left_out: list[tuple[float, float]], gaps: list[tuple[float, float]]) -> list[str]:
        """Returns the failures for times and seconds."""
        events = [StrapEvent(time, 0, "left_out", {"seconds": seconds}) for time, seconds in left_out]
        expect = Expectations()
        stored = [LedgerGap("lost", start, start + seconds) for start, seconds in gaps]
        expect_gaps(expect, events, stored, self.SILENCES)
        self.assertGreater(expect.checks, 0)
        return expect.failures

    def test_a_silence_whose_beats_were_all_sent_leaves_no_gap(self) -> None:
        self.assertEqual(self.failures([], []), [])
        for start in (9.5, 18.0, 31.0):
            with self.subTest(start):
                self.assertEqual(len(self.failures([], [(start, 0.4)])), 1)

    def test_beats_that_were_left_out_leave_a_gap_as_long_as_they_are(self) -> None:
        self.assertEqual(self.failures([(18.9, 1.7)], [(9.6, 2.1)]), [])
        self.assertIn("1.700 s, no gap", self.failures([(18.9, 1.7)], [])[0])
        self.assertIn("a gap of 4.100 s is not the 1.700 s", self.failures([(18.9, 1.7)], [(9.6, 4.1)])[0])

    def test_two_gaps_of_a_silence_count_together(self) -> None:
        self.assertEqual(self.failures([(18.9, 2.4)], [(9.6, 1.8), (18.0, 0.4)]), [])

    def test_each_silence_has_its_own(self) -> None:
        both = [(18.9, 1.7), (40.9, 10.5)]
        self.assertEqual(self.failures(both, [(7.6, 1.9), (27.6, 11.0)]), [])
        self.assertEqual(len(self.failures(both, [(9.6, 1.9), (18.0, 11.0)])), 3)

    def test_nothing_is_missing_before_the_first(self) -> None:
        self.assertIn("gaps before the first silence", self.failures([(5.0, 3.0)], [(4.0, 3.0)])[0])


class ExpectationTests(unittest.TestCase):
    """Each kind of expectation fails with the expected and actual value."""

    def test_every_kind_can_fail(self) -> None:
        expect = Expectations()
        expect.equal("a", 1, 2)
        expect.true("b", False, "nothing")
        expect.at_most("c", 3, 2)
        expect.at_least("d", 1, 2)
        expect.contains("e", "text", "other")
        expect.same_series("f", [1, 2], [1, 3, 4])
        self.assertEqual((expect.checks, len(expect.failures)), (6, 6))
        self.assertIn("expected 2, seen 1", expect.failures[0])
        self.assertIn("from number 1 on", expect.failures[5])

    def test_what_holds_is_no_failure(self) -> None:
        expect = Expectations()
        expect.equal("a", 1, 1)
        expect.same_series("b", (1, 2), [1, 2])
        expect.at_most("c", 2, 2)
        self.assertEqual((expect.checks, expect.failures), (3, []))


class ResultTests(unittest.TestCase):
    """Results on disk and in the table."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def result(self, name: str, **facts: object) -> ScenarioResult:
        facts = {"is_short": False, "passed": True, "failures": [], **facts}
        return ScenarioResult(name, **facts)  # type: ignore[arg-type]

    def test_a_result_is_read_as_it_was_written(self) -> None:
        result = self.result("record", recoveries={"fault": [1.5]}, sent=7, figures={"rate": 2})
        result.write(self.folder)
        self.assertEqual(ScenarioResult.read(self.folder), result)

    def test_no_result_and_half_a_result_are_none(self) -> None:
        self.assertIsNone(ScenarioResult.read(self.folder))
        (self.folder / "result.json").write_text('{"name": "rec')
        self.assertIsNone(ScenarioResult.read(self.folder))

    def test_the_store_keeps_the_latest_of_each_form(self) -> None:
        store = ResultStore(self.folder / "results.json")
        store.add([self.result("a", seconds=1), self.result("a", is_short=True)])
        store.add([self.result("a", seconds=2)])
        self.assertEqual(sorted((r.is_short, r.seconds) for r in store.read()), [(False, 2), (True, 0)])

    def test_percentiles_are_values_that_were_seen(self) -> None:
        self.assertEqual(percentile([3, 1, 2], 0.5), 2)
        self.assertEqual(percentile([3, 1, 2], 0.99), 3)
        self.assertEqual(percentile([4], 0.01), 4)

    def test_the_table_tells_failures_and_where_the_logs_are(self) -> None:
        text = table([self.result("a"), self.result("b", passed=False, failures=["it broke"], folder="/tmp/x")])
        for part in ("ok      a", "FAILED  b", "  - it broke", "logs: /tmp/x", "2 scenarios, 1 FAILED"):
            self.assertIn(part, text)


class ScenarioTests(unittest.TestCase):
    """The list of scenarios."""

    def test_names_are_unique_and_limits_sane(self) -> None:
        scenarios = all_scenarios()
        self.assertEqual(len({scenario.name for scenario in scenarios}), len(scenarios))
        for scenario in scenarios:
            self.assertTrue(scenario.sentence.endswith("."), scenario.name)
            self.assertLessEqual(scenario.limit(short=True), scenario.limit(short=False))

    def test_another_configuration_is_another_kernel(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "config"
            config.write_text("A=y\n")
            source = KernelSource("linux-source-6.1", "6.1.1-1")
            recipe = KernelRecipe(config, source)
            before = recipe.key
            config.write_text("A=n\n")
            self.assertNotEqual(recipe.key, before)
            self.assertNotEqual(KernelRecipe(config, replace(source, version="6.1.2-1")).key, recipe.key)
            self.assertNotEqual(KernelRecipe(config, source, edits=()).key, recipe.key)

    def test_edits_change_what_is_there_and_nothing_else(self) -> None:
        """A newer kernel may contain the correction."""
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "sizes.c"
            edit = Edit("sizes.c", "SIZE, 1", "SIZE, 22")
            self.assertFalse(edit.apply(Path(name)))
            file.write_text("OTHER, 1\n")
            self.assertFalse(edit.apply(Path(name)))
            file.write_text("OTHER, 1\nSIZE, 1\n")
            self.assertTrue(edit.apply(Path(name)))
            self.assertEqual(file.read_text(), "OTHER, 1\nSIZE, 22\n")


if __name__ == "__main__":
    unittest.main()
