"""What the page of reliability says of the differences between versions of bluetoothd, and how they are observed."""

from __future__ import annotations

import re
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from radio_lab.daemon_facts import FAILURE_REASONS, HANDLING, RECOVERY_REASONS, DaemonFact  # noqa: E402
from radio_lab.guest import daemon_client  # noqa: E402
from radio_lab.guest.bus_monitor import parse_signals  # noqa: E402
from radio_lab.host import differences as module  # noqa: E402
from radio_lab.host.columns import columns_of  # noqa: E402
from radio_lab.host.differences import differences  # noqa: E402
from radio_lab.result import ScenarioResult, Versions  # noqa: E402
from radio_lab.scenarios.daemon import device_changes  # noqa: E402

DEVICE = "/org/bluez/hci0/dev_D0_5A_00_00_00_01"
HEAD = "time=1764287.1 sender=:1.3 -> destination=(null destination) serial=7"
# As dbus-monitor 1.14 writes them.
SIGNALS = f"""signal {HEAD} path={DEVICE}; interface=org.freedesktop.DBus.Properties; member=PropertiesChanged
   string "org.bluez.Device1"
   array [
      dict entry(
         string "RSSI"
         variant             int16 -60
      )
      dict entry(
         string "Connected"
         variant             boolean true
      )
   ]
   array [
   ]
method call time=1764287.2 sender=:1.9 -> destination=org.bluez serial=2 path=/; interface=a.b; member=Get
   string "Paired"
signal {HEAD} path={DEVICE}/service0014/char0015; interface=org.freedesktop.DBus.Properties; member=PropertiesChanged
   string "org.bluez.GattCharacteristic1"
   array [
      dict entry(
         string "Value"
         variant             array of bytes [
               10 63
            ]
      )
   ]
   array [
   ]
signal {HEAD} path={DEVICE}; interface=org.bluez.Device1; member=Disconnected
   string "org.bluez.Reason.Remote"
   string "Connection terminated by remote user"
"""


def result(name: str, bluez: str, **facts: object) -> ScenarioResult:
    """Returns a result of the full form with a version of BlueZ."""
    values = {"is_short": False, "passed": True, "failures": [], **facts}
    return ScenarioResult(name, versions=Versions(bluez=bluez), **values)  # type: ignore[arg-type]


class DifferencesTests(unittest.TestCase):
    """The section of the page."""

    def section(self, *results: ScenarioResult) -> str:
        """Returns the section of these results."""
        return "\n".join(differences(columns_of(results)))

    def test_there_are_none_with_one_version(self) -> None:
        self.assertEqual(differences(columns_of([result("daemon", "5.66"), result("other", "5.66")])), [])

    def test_only_answers_that_differ_are_listed_with_what_is_done(self) -> None:
        old = {DaemonFact.MTU.value: "517", DaemonFact.TWO_SUBSCRIBERS.value: "2", DaemonFact.REMOVED.value: "a, b"}
        new = {DaemonFact.MTU.value: "517", DaemonFact.TWO_SUBSCRIBERS.value: "1"}
        with mock.patch.dict(module.HANDLING, {DaemonFact.TWO_SUBSCRIBERS: "Copies are left out.",
                                               DaemonFact.MTU: "Any is right."}, clear=True):
            page = self.section(result("daemon", "5.66", facts=old), result("daemon", "5.82", facts=new))
        self.assertIn("asks each daemon 3 things, without tachogram.\n1 of the answers", page)
        self.assertIn("| asked | BlueZ 5.66 | BlueZ 5.82 |", page)
        self.assertIn(f"| {DaemonFact.TWO_SUBSCRIBERS.value} | 2 | 1 |", page)
        self.assertIn(f"| {DaemonFact.REMOVED.value} | a, b | – |", page)
        self.assertIn(f"- {DaemonFact.TWO_SUBSCRIBERS.value}: Copies are left out.", page)
        self.assertNotIn(DaemonFact.MTU.value, page)

    def test_of_sets_only_what_not_all_have_is_listed(self) -> None:
        fact = DaemonFact.PROPERTIES.value
        page = self.section(result("daemon", "5.66", facts={fact: "Alias, Name, RSSI"}),
                            result("daemon", "5.82", facts={fact: "Alias, Bonded, Name, RSSI"}))
        self.assertIn(f"| {fact} | no others | only Bonded |", page)

    def test_what_timing_decides_is_a_table_of_its_own(self) -> None:
        chance, sure = DaemonFact.UNSIGNALLED.value, DaemonFact.MTU.value
        page = self.section(result("daemon", "5.66", facts={sure: "517", chance: "1 of 10"}),
                            result("daemon", "5.82", facts={sure: "247", chance: "3 of 10"}))
        certain, _, left = page.partition("depend on timing")
        self.assertIn(f"| {sure} | 517 | 247 |", certain)
        self.assertNotIn(chance, certain)
        self.assertIn(f"| {chance} | 1 of 10 | 3 of 10 |", left)

    def test_the_types_that_handle_differences_exist(self) -> None:
        sources = Path(__file__).resolve().parents[4] / "Sources"
        text = " ".join([*HANDLING.values(), *RECOVERY_REASONS.values()])
        named = {name for group in re.findall(r"\(([^)]*)\)", text) for name in re.findall(r"`([A-Z]\w+)`", group)}
        self.assertGreater(len(named), 3)
        for name in sorted(named):
            self.assertTrue(list(sources.rglob(f"{name}.swift")), name)

    def test_same_answers_make_no_table(self) -> None:
        facts = {DaemonFact.MTU.value: "517"}
        page = self.section(result("daemon", "5.66", facts=facts), result("daemon", "5.82", facts=facts))
        self.assertIn("1 things, without tachogram.\n1 of", page)
        self.assertNotIn("|", page)

    def test_answers_of_one_version_are_not_compared(self) -> None:
        page = self.section(result("daemon", "5.66", facts={DaemonFact.MTU.value: "517"}), result("other", "5.82"))
        self.assertIn("was not compared", page)
        self.assertNotIn("517", page)

    def test_medians_far_apart_are_listed(self) -> None:
        page = self.section(
            result("a", "5.66", recoveries={"near": [1.0, 1.1, 9.0], "far": [1.0], "old": [1.0], "long": [40.0]}),
            result("a", "5.82", recoveries={"near": [1.4], "far": [1.6], "long": [41.0]}),
        )
        self.assertIn("\n- far: 1.00 s with BlueZ 5.66, 1.60 s with BlueZ 5.82.\n", page)
        for fault in ("near", "old", "long"):
            self.assertNotIn(f"- {fault}:", page)
        self.assertIn("All 1 scenarios that ran with each", page)

    def test_a_known_reason_is_given(self) -> None:
        fault, reason = next(iter(RECOVERY_REASONS.items()))
        page = self.section(result("a", "5.66", recoveries={fault: [1.0]}),
                            result("a", "5.82", recoveries={fault: [3.0]}))
        self.assertIn(f"\n- {fault}: 1.00 s with BlueZ 5.66, 3.00 s with BlueZ 5.82. {reason}", page)

    def test_medians_close_together_are_counted(self) -> None:
        page = self.section(result("a", "5.66", recoveries={"near": [1.0]}),
                            result("a", "5.82", recoveries={"near": [1.1]}))
        self.assertIn("Of the 1 faults above, none has medians", page)

    def test_failures_are_listed(self) -> None:
        failed = {"passed": False, "failures": ["it broke"]}
        page = self.section(result("a", "5.66"), result("a", "5.82", **failed), result("b", "5.66", **failed),
                            result("b", "5.82", **failed), result("c", "5.66", **failed))
        self.assertIn("Of the 2 scenarios that ran with each of them, these fail:", page)
        self.assertIn("- a fails with BlueZ 5.82 only.\n", page)
        self.assertIn("- b fails with BlueZ 5.66 and BlueZ 5.82.\n", page)
        self.assertNotIn("- c", page)

    def test_a_known_reason_of_a_failure_is_given(self) -> None:
        name, reason = next(iter(FAILURE_REASONS.items()))
        page = self.section(result(name, "5.66"), result(name, "5.82", passed=False, failures=["it broke"]))
        self.assertIn(f"- {name} fails with BlueZ 5.82 only. {reason}", page)


class ObservationTests(unittest.TestCase):
    """Reading dbus-monitor and gdbus."""

    def test_signals_are_read_with_their_properties(self) -> None:
        link, value, end = parse_signals(SIGNALS)
        self.assertEqual((link.path, link.subject), (DEVICE, "org.bluez.Device1"))
        self.assertEqual(link.properties, {"RSSI": "-60", "Connected": "true"})
        self.assertEqual(value.properties, {"Value": "1063"})
        self.assertEqual((end.member, end.properties), ("Disconnected", {}))

    def test_changes_of_a_link_are_worded_in_order(self) -> None:
        changes = [change for signal in parse_signals(SIGNALS) for change in device_changes(signal)]
        self.assertEqual(changes, [
            "Connected=true", "signal Disconnected(org.bluez.Reason.Remote, Connection terminated by remote user)"])

    def test_a_signal_that_is_still_being_written_does_no_harm(self) -> None:
        for end in range(0, len(SIGNALS), 7):
            parse_signals(SIGNALS[:end])

    def test_answers_are_values_errors_or_none(self) -> None:
        said = {
            "echo '(handle 0, uint16 517)'": ("(handle 0, uint16 517)", "success"),
            "echo 'Error: GDBus.Error:org.bluez.Error.Failed: le-connection-abort-by-local' >&2; exit 1":
                ("", "Failed: le-connection-abort-by-local"),
            "echo 'Error: Timeout was reached' >&2; exit 1": ("", "no answer within 3 s"),
            "echo 'Error: GDBus.Error:org.freedesktop.DBus.Error.NoReply: x' >&2; exit 1": ("", "no answer within 3 s"),
            "echo 'Error: no bus' >&2; exit 1": ("", "Error: no bus"),
        }
        run = daemon_client.subprocess.run
        for script, (values, text) in said.items():
            with mock.patch.object(daemon_client.subprocess, "run",
                                   lambda command, script=script, **options: run(["sh", "-c", script], **options)):
                answer = daemon_client.ask("/org/bluez", "Device1.Connect", seconds=3)
            self.assertEqual((answer.values, answer.text), (values, text))


if __name__ == "__main__":
    unittest.main()
