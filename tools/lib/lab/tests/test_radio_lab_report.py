"""The page of reliability: made of full results only, and of what they were measured with."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from datetime import date
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from radio_lab.host import command  # noqa: E402
from radio_lab.host.failure import LabFailure  # noqa: E402
from radio_lab.host.provenance import digest, revision  # noqa: E402
from radio_lab.host.report import write_report  # noqa: E402
from radio_lab.host.results import ResultStore  # noqa: E402
from radio_lab.result import ScenarioResult, Versions  # noqa: E402
from radio_lab.scenario import Scenario  # noqa: E402
from radio_lab.scenarios import all_scenarios  # noqa: E402

DAY = date(2026, 11, 21)
# As the lab wrote them before results told the tree and the program.
OLD_RESULT = {
    "name": "drops", "is_short": False, "passed": True, "failures": [], "checks": 3, "seconds": 9.5,
    "boot_seconds": 1.0,
    "versions": {"kernel": "6.1.176-radiolab", "bluez": "5.66", "tachogram": "0.1.0"}, "recoveries": {"drop": [1.5]},
    "sent": 7, "lost": 0, "doubled": 0, "figures": {}, "folder": None,
}


def result(name: str, **facts: object) -> ScenarioResult:
    """Returns a result that has passed in full, with changes."""
    facts = {"is_short": False, "passed": True, "failures": [], **facts}
    return ScenarioResult(name, **facts)  # type: ignore[arg-type]


class ReportTests(unittest.TestCase):
    """The contents of the document, and errors."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "docs/page.md"

    def page(self, *results: ScenarioResult) -> str:
        """Returns the document of these results."""
        write_report(results, sorted({result.name for result in results}), self.file, DAY)
        return self.file.read_text()

    def test_the_full_form_is_reported_with_its_percentiles(self) -> None:
        seconds = [float(number) for number in range(1, 101)]
        page = self.page(
            result("drops", recoveries={"drop": [50.0]}, is_short=True),
            result("drops", recoveries={"drop": seconds}, sent=10, lost=1),
        )
        self.assertIn("| drop | 100 | 50.50 s | 99.00 s | 100.00 s |", page)
        self.assertIn("| all | 10 | 1 | 0 |", page)
        self.assertIn("- last run on 2026-11-21", page)

    def test_a_scenario_without_a_full_result_is_refused_by_name(self) -> None:
        results = [result("a", recoveries={"drop": [1.0]}), result("b", is_short=True)]
        with self.assertRaisesRegex(LabFailure, "2 of 3 scenarios .*--scenario b c$"):
            write_report(results, ["c", "b", "a"], self.file, DAY)
        self.assertFalse(self.file.exists())

    def test_no_results_at_all_are_refused(self) -> None:
        with self.assertRaises(LabFailure):
            write_report([], ["a"], self.file, DAY)

    def test_a_failure_is_shown(self) -> None:
        page = self.page(result("a"), result("b", passed=False, failures=["it broke\nhere"], checks=4))
        self.assertIn("| b | 4 | FAILED: it broke |", page)

    def test_results_of_scenarios_that_are_no_more_are_left_out(self) -> None:
        write_report([result("a"), result("old")], ["a"], self.file, DAY)
        self.assertNotIn("old", self.file.read_text())

    def test_what_all_were_measured_with_is_one_line(self) -> None:
        page = self.page(*(result(name, versions=Versions("6.1", "5.66", "0.1.0", "abc1234", "0f0f", []))
                           for name in ("a", "b")))
        line = "- BlueZ 5.66, all 2 scenarios: tree abc1234; tachogram 0.1.0 (SHA-256 0f0f…); Linux 6.1\n- last run"
        self.assertIn(line, page)

    def test_each_set_of_results_is_named(self) -> None:
        page = self.page(
            result("a", versions=Versions("6.1", "5.66", "0.1.0", "abc1234", "0f0f")),
            result("b", versions=Versions("6.1", "5.66", "0.1.0", "abc1234+changes", "0f0f")),
            result("c", versions=Versions("6.1", "5.66", "0.1.0", "abc1234", "0f0f")),
            result("d", versions=Versions("6.1", "5.70", "0.1.0", "abc1234", "0f0f", ["bluez 5.70-1", "dbus 2-1"])),
        )
        self.assertIn("- BlueZ 5.66, 2 scenarios: tree abc1234;", page)
        self.assertIn("- BlueZ 5.66, b: tree abc1234+changes;", page)
        self.assertIn("- BlueZ 5.66, not run: d\n", page)
        self.assertIn("- BlueZ 5.70, d: tree abc1234;", page)
        self.assertIn("Linux 6.1; other packages than the lab is known with: bluez 5.70-1, dbus 2-1", page)
        self.assertIn("- BlueZ 5.70, not run: a, b, c\n", page)

    def test_each_version_of_bluez_has_a_column(self) -> None:
        old, new = Versions("6.1", "5.66", "0.1.0", "abc", "0f"), Versions("6.1", "5.100", "0.1.0", "abc", "0f")
        page = self.page(
            result("drops", versions=new, recoveries={"drop": [2.0]}, sent=8, figures={"rate": 3}),
            result("drops", versions=old, recoveries={"drop": [1.0]}, sent=7, checks=5),
            result("flood", versions=old, figures={"rate": 983}), result("flood", versions=new, figures={"rate": 990}),
            result("other", versions=old, sent=1),
        )
        self.assertIn("| fault | BlueZ 5.66: n | p50 | p99 | longest | BlueZ 5.100: n | p50 | p99 | longest |", page)
        self.assertIn("| drop | 1 | 1.00 s | 1.00 s | 1.00 s | 1 | 2.00 s | 2.00 s | 2.00 s |", page)
        self.assertIn("| drops | 7 | 0 | 0 | 8 | 0 | 0 |", page)
        self.assertIn("| other | 1 | 0 | 0 | – | – | – |", page)
        self.assertIn("| all | 8 | 0 | 0 | 8 | 0 | 0 |", page)
        self.assertIn("| figure | BlueZ 5.66 | BlueZ 5.100 |\n|---|---|---|\n| rate | 983 | 990 |", page)
        self.assertIn("| drops | 5 | passed | 0 | passed |", page)
        self.assertIn("| other | 0 | passed | – | – |", page)

    def test_power_cuts_have_a_table_of_each_recorder_with_each_version(self) -> None:
        page = self.page(
            result("power-cut", versions=Versions(bluez="5.66"), figures={"cuts": 100, "gaps": 99}),
            result("power-cut", versions=Versions(bluez="5.82"), figures={"cuts": 50, "longest loss": 0.9}),
            result("station-power-cut", versions=Versions(bluez="5.82"), figures={"cuts": 7}),
        )
        head = "\n\n| figure | BlueZ 5.66 | BlueZ 5.82 |\n|---|---|---|\n"
        self.assertIn(f"commits every second:{head}| cuts | 100 | 50 |\n| gaps | 99 | – |\n| longest loss | – | 0.9 |\n",
                      page)
        self.assertIn(f"commits every 10 s:{head}| cuts | – | 7 |\n", page)

    def test_figures_of_one_version_have_one_column(self) -> None:
        page = self.page(result("flood", figures={"rate": 983}), result("power-cut", figures={"cuts": 100}))
        self.assertIn("| figure | value |\n|---|---|\n| rate | 983 |", page)
        self.assertIn("| figure | value |\n|---|---|\n| cuts | 100 |", page)
        self.assertNotIn("station", page)

    def test_results_of_two_versions_of_bluez_are_kept(self) -> None:
        store = ResultStore(self.folder / "results.json")
        for bluez, seconds in (("5.66", 1.0), ("5.82", 2.0), ("5.66", 3.0)):
            store.add([result("a", versions=Versions(bluez=bluez), seconds=seconds)])
        self.assertEqual(sorted((each.versions.bluez, each.seconds) for each in store.read()),
                         [("5.66", 3.0), ("5.82", 2.0)])

    def test_old_results_are_read_and_their_tree_is_unknown(self) -> None:
        file = self.folder / "results.json"
        file.write_text(json.dumps([OLD_RESULT]))
        store = ResultStore(file)
        store.add([result("other", versions=Versions(revision="abc1234", others=["bluez 5.70-1"]))])
        old, new = store.read()
        self.assertEqual((old.versions.revision, old.versions.binary, old.versions.others), ("", "", []))
        self.assertEqual(new.versions.others, ["bluez 5.70-1"])
        self.assertIn("- BlueZ 5.66, drops: tree unknown; tachogram 0.1.0; Linux 6.1.176-radiolab\n", self.page(old, new))

    def test_the_command_refuses_what_is_not_the_full_set(self) -> None:
        every = [result(scenario.name, recoveries={"drop": [1.0]}) for scenario in all_scenarios()]
        store = ResultStore(self.folder / "results.json")
        store.add([*every[1:], result(every[0].name, is_short=True)])
        said: list[str] = []
        with mock.patch.object(command, "SUMMARY", self.folder / "results.json"), \
                mock.patch.object(command, "say", said.append), \
                mock.patch.object(sys, "argv", ["radio-lab", "--report", str(self.file)]), \
                mock.patch("signal.signal"):
            self.assertEqual(command.main(), 1)
            self.assertIn(f"--scenario {every[0].name}", said[0])
            store.add(every[:1])
            self.assertEqual(command.main(), 0)
        self.assertIn(f"| {every[0].name} |", self.file.read_text())

    def test_each_result_is_stored_when_its_scenario_ends(self) -> None:
        summary, kept = self.folder / "results.json", list[str]()

        class Runs:
            """A run of two scenarios that is stopped by Ctrl-C after the first one."""

            def __init__(self, *_: object) -> None:
                pass

            def run_all(self, scenarios: list[Scenario], told: Callable[[ScenarioResult], None]) -> None:
                told(result(scenarios[0].name))
                kept.extend(each.name for each in ResultStore(summary).read())
                raise KeyboardInterrupt

        names = [scenario.name for scenario in all_scenarios()[:2]]
        with mock.patch.object(command, "SUMMARY", summary), mock.patch.object(command, "Runner", Runs), \
                mock.patch.object(command, "_ingredients"), mock.patch.object(command, "say"), \
                mock.patch.object(sys, "argv", ["radio-lab", "--scenario", *names]), mock.patch("signal.signal"):
            self.assertEqual(command.main(), 130)
        self.assertEqual(kept, names[:1])
        self.assertEqual([each.name for each in ResultStore(summary).read()], names[:1])


class ProvenanceTests(unittest.TestCase):
    """The state of the tree and the program."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)

    def git(self, *words: str) -> str:
        """Runs a git command."""
        who = ["-c", "user.name=somebody", "-c", "user.email=somebody@localhost", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", "-C", str(self.tree), *who, *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def test_a_changed_tree_is_not_its_commit(self) -> None:
        self.git("init", "--quiet")
        (self.tree / "file").write_text("one")
        self.git("add", "file")
        self.git("commit", "--quiet", "--message", "First")
        commit = self.git("rev-parse", "--short", "HEAD")
        self.assertEqual(revision(self.tree), commit)
        (self.tree / "other").write_text("new")
        self.assertEqual(revision(self.tree), f"{commit}+changes")
        (self.tree / "other").unlink()
        (self.tree / "file").write_text("two")
        self.assertEqual(revision(self.tree), f"{commit}+changes")

    def test_without_git_there_is_no_revision(self) -> None:
        with mock.patch.dict("os.environ", {"GIT_CEILING_DIRECTORIES": str(self.tree.parent)}):
            self.assertEqual(revision(self.tree), "")
        with mock.patch.dict("os.environ", {"PATH": str(self.tree)}):
            self.assertEqual(revision(self.tree), "")

    def test_another_program_has_another_digest(self) -> None:
        file = self.tree / "program"
        file.write_bytes(b"one")
        before = digest(file)
        file.write_bytes(b"two")
        self.assertNotEqual(digest(file), before)
        self.assertEqual(len(before), 12)


if __name__ == "__main__":
    unittest.main()
