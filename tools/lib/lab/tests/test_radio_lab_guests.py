"""Guests that hang, die or outlive the lab, played by a shell script in the place of the kernel."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from radio_lab.host import session  # noqa: E402
from radio_lab.host.guest import Guest, GuestMachine  # noqa: E402
from radio_lab.host.places import Ingredients  # noqa: E402
from radio_lab.host.power_cut import PowerCuts  # noqa: E402
from radio_lab.host.provenance import digest  # noqa: E402
from radio_lab.host.runner import Runner, RunOptions  # noqa: E402
from radio_lab.result import ScenarioResult  # noqa: E402
from radio_lab.scenario import Scenario  # noqa: E402

LAB = Path(__file__).resolve().parents[1]
# Finds the folder of the run as the guest's init does, and tells what session it is.
BEGINNING = """#!/bin/sh
for word; do case $word in lab.run=*) run=${word#lab.run=} ;; esac; done
ps -o sid= -p $$ >"$run/session"
"""
# A program of the guest beside its kernel, and both without an end.
HANGING = "sleep 300 &\nmv $run/session $run/hanging\nsleep 300\n"
# What is kept of a lab that is no longer there: a guest.
LAB_THAT_WAITS = """
import sys, time
from pathlib import Path
from radio_lab.host.guest import Guest, GuestMachine
Guest(GuestMachine(Path(sys.argv[1])), Path(sys.argv[2])).start()
time.sleep(300)
"""
SOON = 10


def seen(look: Callable[[], object]) -> bool:
    """Whether something comes true soon."""
    end = time.monotonic() + SOON
    while not look():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def living(sessions: list[int]) -> list[int]:
    """Returns the processes of some sessions."""
    return [process for number in sessions for process in session.members(number)]


class GuestTests(unittest.TestCase):
    """Each guest ends, with a report."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for place in (mock.patch.object(tempfile, "tempdir", folder.name),
                      mock.patch("radio_lab.host.runner.OVERHEAD_SECONDS", 0.5),
                      mock.patch("radio_lab.host.runner.revision", lambda tree: "abc1234")):
            place.start()
            self.addCleanup(place.stop)

    def kernel(self, *lines: str) -> Path:
        """Returns a stand-in kernel that runs this script."""
        script = self.folder / "kernel"
        script.write_text(BEGINNING + "".join(lines))
        script.chmod(0o755)
        return script

    def runner(self, *lines: str) -> Runner:
        """Returns a lab with such a kernel."""
        binary = self.folder / "binary"
        binary.write_text("the program under test")
        ingredients = Ingredients(self.kernel(*lines), Path(sys.executable), binary, ("bluez 5.70-1",), bluez="5.70")
        return Runner(ingredients, RunOptions(short=True, jobs=2, keep=False, verbose=False))

    def run_one(self, *lines: str, seconds: float = SOON) -> ScenarioResult:
        """Runs a scenario in such a guest."""
        return self.runner(*lines).run_one(self.scenario(seconds=seconds))

    def scenario(self, name: str = "trial", seconds: float = SOON) -> Scenario:
        """Returns a scenario whose body is the script."""
        return Scenario(name, "It is played.", lambda trial: None, seconds)

    def leaving(self, name: str = "trial") -> str:
        """Returns a script line that writes a result."""
        ScenarioResult(name, True, True, [], checks=1).write(self.folder)
        (self.folder / "result.json").rename(self.folder / f"{name}.json")
        return f"cp {self.folder}/{name}.json $run/result.json\n"

    def sessions(self) -> list[int]:
        """Returns the sessions of guests that hang."""
        return [int(file.read_text()) for file in self.folder.glob("*/hanging")]

    def hanging(self) -> list[int]:
        """Returns the processes of these guests."""
        return living(self.sessions())

    def test_a_guest_that_leaves_a_result_and_ends_has_passed(self) -> None:
        result = self.run_one(self.leaving())
        self.assertEqual((result.passed, result.failures, result.folder), (True, [], None))
        self.assertEqual(result.versions.binary, digest(self.folder / "binary"))
        self.assertEqual((result.versions.revision, result.versions.others), ("abc1234", ["bluez 5.70-1"]))
        self.assertEqual(list(self.folder.glob("radio-lab-*")), [])

    def test_a_guest_that_never_ends_is_ended_at_its_limit_and_told(self) -> None:
        begun = time.monotonic()
        result = self.run_one(HANGING, seconds=1)
        self.assertLess(time.monotonic() - begun, SOON)
        self.assertFalse(result.passed)
        self.assertIn("no result", result.failures[0])
        self.assertIn("the guest was ended after 1.5 s", result.failures)
        self.assertEqual(result.versions.revision, "abc1234")
        self.assertEqual(ScenarioResult.read(Path(str(result.folder))), result)
        self.assertTrue((Path(str(result.folder)) / "hanging").exists())
        self.assertEqual(self.hanging(), [])

    def test_a_result_does_not_excuse_a_guest_that_never_ends(self) -> None:
        result = self.run_one(self.leaving(), HANGING, seconds=1)
        self.assertEqual((result.passed, result.checks), (False, 1))
        self.assertEqual(result.failures, ["the guest was ended after 1.5 s"])
        self.assertEqual(self.hanging(), [])

    def test_a_guest_without_a_result_is_told_with_its_last_words(self) -> None:
        for said, line in (("what the job said", "echo what the job said >$run/job.log\n"),
                           ("not syncing: no init", "echo Kernel panic - not syncing: no init\n")):
            result = self.run_one(line)
            self.assertFalse(result.passed)
            self.assertEqual(len(result.failures), 1)
            self.assertRegex(result.failures[0], r"ended after \d s without one")
            self.assertIn(said, result.failures[0])
            self.assertEqual(result.versions.bluez, "5.70")

    def test_half_a_result_is_none(self) -> None:
        self.assertIn("no result", self.run_one("echo '{' >$run/result.json\n").failures[0])

    def test_what_a_guest_leaves_running_ends_with_it(self) -> None:
        self.assertTrue(self.run_one(self.leaving(), f"ps -o sid= -p $$ >{self.folder}/sid\nsleep 300 &\n").passed)
        self.assertEqual(session.members(int((self.folder / "sid").read_text())), [])

    def test_stop_ends_all_guests_and_lets_no_other_begin(self) -> None:
        runner, told = self.runner(HANGING), list[ScenarioResult]()
        scenarios = [self.scenario(name, seconds=300) for name in ("a", "b", "c")]
        running = threading.Thread(target=runner.run_all, args=(scenarios, told.append))
        running.start()
        both = seen(lambda: len(self.sessions()) == 2)
        sessions = self.sessions()
        # The first process of each session, the shell, and two that sleep.
        hang = seen(lambda: len(living(sessions)) == 8)
        runner.guests.stop()
        running.join(SOON)
        self.assertTrue(both and hang)
        self.assertFalse(running.is_alive())
        self.assertEqual(living(sessions), [])
        self.assertEqual(told, [])

    def test_all_guests_together_have_a_limit_too(self) -> None:
        runner = self.runner(HANGING)
        with mock.patch.object(runner, "_host_limit", lambda scenario: 0.5):
            results = runner.run_all([self.scenario(seconds=300)], lambda result: None)
        self.assertFalse(results[0].passed)
        self.assertEqual(self.hanging(), [])

    def test_a_guest_ends_with_a_lab_that_is_killed(self) -> None:
        run = self.folder / "run"
        run.mkdir()
        lab = subprocess.Popen([sys.executable, "-c", LAB_THAT_WAITS, str(self.kernel(HANGING)), str(run)],
                               env={**os.environ, "PYTHONPATH": str(LAB)})
        self.addCleanup(lab.wait)
        self.addCleanup(lab.kill)
        self.assertTrue(seen((run / "hanging").exists))
        self.assertTrue(seen(lambda: len(self.hanging()) == 4))
        for number in self.sessions():
            self.addCleanup(session.end, number)
        lab.send_signal(signal.SIGKILL)
        lab.wait()
        self.assertTrue(seen(lambda: not self.hanging()))

    def test_a_guest_does_not_end_with_another_one(self) -> None:
        guests = []
        for name in ("one", "other"):
            (self.folder / name).mkdir()
            guests.append(Guest(GuestMachine(self.kernel(HANGING)), self.folder / name))
            guests[-1].start()
            self.addCleanup(guests[-1].kill)
        self.assertTrue(seen(lambda: len(self.hanging()) == 8))
        guests[0].kill()
        self.assertEqual([guest.is_running for guest in guests], [False, True])
        self.assertEqual(len(self.hanging()), 4)

    def test_a_boot_that_ends_before_its_cut_is_told(self) -> None:
        run = self.folder / "run"
        run.mkdir()
        guest = Guest(GuestMachine(self.kernel()), run)

        def boot(guest: Guest) -> bool:
            guest.start()
            return True

        self.assertEqual(PowerCuts(guest, 1, 0, boot).run(SOON), ["boot 0 ended before anything was notified"])
        self.assertEqual(json.loads((run / "round.json").read_text())["number"], 0)
        guest.kill()


if __name__ == "__main__":
    unittest.main()
