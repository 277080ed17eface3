"""What a strap's values are made of: the encoder, the sources, the spoilers, scripts, captures and the pace."""

from __future__ import annotations

import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from virtual_strap.behaviours import BehaviourError, ConnectionParameters, parse_behaviours  # noqa: E402
from virtual_strap.capture import looks_like_measurement, read_capture  # noqa: E402
from virtual_strap.measurement import Measurement, all_forms  # noqa: E402
from virtual_strap.pace import Pace  # noqa: E402
from virtual_strap.script import PlayError, TimedValue, read_script  # noqa: E402
from virtual_strap.sources import Body, Counter, Playlist, Rhythm, Spoiled  # noqa: E402
from virtual_strap.spoil import equal_payloads, odd_length, wrong_flags  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[4] / "Fixtures"
RR_UNIT = 1 / 1024


class MeasurementTests(unittest.TestCase):
    def test_each_field_is_where_the_specification_has_it(self) -> None:
        cases = [
            (Measurement(72), "0048"),
            (Measurement(72, wide=True), "014800"),
            (Measurement(300), "012c01"),
            (Measurement(72, contact=False), "0448"),
            (Measurement(72, contact=True), "0648"),
            (Measurement(72, energy=0x1234), "08483412"),
            (Measurement(72, rr_intervals=(0x0353,)), "10485303"),
            (Measurement(72, True, 1, (2, 3), wide=True), "1f4800010002000300"),
        ]
        for measurement, expected in cases:
            with self.subTest(expected):
                self.assertEqual(measurement.encoded().hex(), expected)

    def test_all_forms_cover_every_flag_and_fit_the_default_mtu(self) -> None:
        forms = [form.encoded() for form in all_forms()]
        # 8 or 16 bit, three states of contact, with or without energy: 10, 9, 9 and 8 numbers of RR intervals.
        self.assertEqual(len(forms), 3 * (10 + 9 + 9 + 8))
        self.assertEqual(len(set(forms)), len(forms))
        self.assertEqual(max(map(len, forms)), 20)
        self.assertEqual({form[0] for form in forms}, {flags for flags in range(32) if flags & 6 != 2})
        self.assertTrue(all(map(looks_like_measurement, forms)))


class SourceTests(unittest.TestCase):
    def test_a_counter_holds_32_bits_across_two_rr_fields(self) -> None:
        counter = Counter(Body(), count=0xFFFF)
        values = [counter.take() for _ in range(2)]
        self.assertEqual([struct.unpack("<I", value[2:])[0] for value in values], [0xFFFF, 0x10000])

    def test_the_rhythm_beats_in_real_time_whatever_the_rate_of_values(self) -> None:
        for interval in (0.01, 0.25, 1.0, 3.0):
            now = 100.0
            heart = Rhythm(Body(), seed=1, clock=lambda: now)
            beats: list[int] = []
            for _ in range(round(60 / interval)):
                now += interval
                beats += _rr_intervals(heart.take())
            with self.subTest(interval):
                self.assertAlmostEqual(sum(beats) * RR_UNIT, 60, delta=1.5)

    def test_the_rhythm_says_how_much_of_a_pause_no_value_has(self) -> None:
        for pause in (1.0, 5.0, 9.5, 9.9, 30.0):
            now = 100.0
            heart = Rhythm(Body(), seed=1, clock=lambda: now)
            sent, unsent = 0.0, 0.0
            for seconds in (*[1.0] * 20, pause, *[1.0] * 20):
                now += seconds
                sent += sum(_rr_intervals(heart.take())) * RR_UNIT
                unsent += heart.unsent
            with self.subTest(pause):
                self.assertAlmostEqual(sent + unsent, 40 + pause, delta=1.5)
                # Nine beats at some 72 bpm are some 7.5 s.
                self.assertEqual(unsent > 0, pause > 9)

    def test_without_contact_no_beat_is_sent(self) -> None:
        now = 100.0
        heart = Rhythm(Body(contact=False), seed=1, clock=lambda: now)
        now += 3
        self.assertEqual(_rr_intervals(heart.take()), [])
        self.assertAlmostEqual(heart.unsent, 3, delta=1)

    def test_the_rhythm_is_the_same_for_one_seed(self) -> None:
        hearts = [Rhythm(Body(), seed, clock=iter(range(100)).__next__) for seed in (1, 1, 2)]
        one, same, other = ([heart.take() for _ in range(50)] for heart in hearts)
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)

    def test_contact_is_that_of_the_moment(self) -> None:
        body = Body()
        heart = Rhythm(body, seed=1)
        flags = []
        for body.contact in (True, False, None):
            flags.append(heart.take()[0] & 6)
        self.assertEqual(flags, [6, 4, 0])

    def test_a_playlist_begins_again_with_a_pause(self) -> None:
        playlist = Playlist([TimedValue(0, b"a"), TimedValue(0.5, b"b")])
        played = [(playlist.delay, playlist.take()) for _ in range(4)]
        self.assertEqual(played, [(0, b"a"), (0.5, b"b"), (1.0, b"a"), (0.5, b"b")])

    def test_spoilers(self) -> None:
        cases = [
            (equal_payloads, ["16484a03"] * 4),
            (odd_length, ["16484a03", "16494a0303", "16484a03", "16494a0303"]),
            (wrong_flags, ["16484a03", "0149", "16484a03", "0949"]),
        ]
        for spoiler, expected in cases:
            source = Spoiled(Playlist([TimedValue(1, bytes.fromhex(h)) for h in ("16484a03", "16494a03")]), [spoiler()])
            with self.subTest(spoiler.__name__):
                values = [source.take() for _ in range(4)]
                self.assertEqual([value.hex() for value in values], expected)
        self.assertFalse(any(looks_like_measurement(bytes.fromhex(h)) for h in ("0149", "0949", "0849", "16494a0303")))


class ScriptTests(unittest.TestCase):
    def test_comments_and_grouped_digits(self) -> None:
        values = self._read("# heart\n\n1.5  16 48 4a03  # one\n0 06\n")
        self.assertEqual(values, [TimedValue(1.5, bytes.fromhex("16484a03")), TimedValue(0.0, b"\x06")])

    def test_errors_name_file_and_line(self) -> None:
        cases = {
            "1 06\nsoon 06": ":2: 'soon' is not a number",
            "-1 06": ":1: -1 is not a time",
            "1": ":1: the value is missing",
            "1 0": ":1: '0' is not a whole number of bytes",
            "# nothing": "has no values",
            "0 06": "takes no time",
        }
        for text, expected in cases.items():
            with self.subTest(text), self.assertRaises(PlayError) as caught:
                self._read(text)
            self.assertIn(expected, str(caught.exception))
            self.assertIn("x.script", str(caught.exception))

    def _read(self, text: str) -> list[TimedValue]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.script"
            path.write_text(text)
            return read_script(path)


class CaptureTests(unittest.TestCase):
    def test_a_fixture_is_played_value_for_value(self) -> None:
        values = read_capture(FIXTURES / "rest" / "input.btsnoop")
        self.assertGreater(len(values), 300)
        self.assertTrue(all(looks_like_measurement(value.value) for value in values))
        self.assertAlmostEqual(sum(value.after for value in values), 360, delta=5)

    def test_the_announced_handle_wins_over_a_livelier_one(self) -> None:
        declaration = bytes.fromhex("0907") + struct.pack("<HBHH", 1, 0x10, 2, 0x2A37)
        att = [declaration, *(bytes([0x1B, 9, 0, 0x00, 60]) for _ in range(3)), bytes.fromhex("1b02000648")]
        self.assertEqual([value.value.hex() for value in self._capture(att)], ["0648"])

    def test_without_discovery_the_handle_is_found_by_its_values(self) -> None:
        att = [bytes.fromhex("1b050064"), bytes.fromhex("1b02000648"), bytes.fromhex("1b02000649")]
        values = self._capture(att, fragment=True)
        self.assertEqual([(value.after, value.value.hex()) for value in values], [(0.0, "0648"), (1.0, "0649")])

    def test_what_cannot_be_played_is_said(self) -> None:
        for content, expected in ((b"btsnoop\0" + bytes(8), "datalink 0"), (b"x" * 40, "is not a btsnoop file")):
            with self.assertRaisesRegex(PlayError, expected):
                self._read(content)
        with self.assertRaisesRegex(PlayError, "no Heart Rate Measurement"):
            self._capture([bytes.fromhex("1b050064")])

    def _capture(self, pdus: list[bytes], fragment: bool = False) -> list[TimedValue]:
        content = b"btsnoop\0" + struct.pack(">II", 1, 2001)
        for second, pdu in enumerate(pdus):
            frame = struct.pack("<HH", len(pdu), 4) + pdu
            parts = [frame[:5], frame[5:]] if fragment else [frame]
            for index, part in enumerate(parts):
                packet = struct.pack("<HH", 1 | (0x1000 if index else 0x2000), len(part)) + part
                content += struct.pack(">IIIIQ", len(packet), len(packet), 5, 0, second * 1_000_000) + packet
        return self._read(content)

    def _read(self, content: bytes) -> list[TimedValue]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.btsnoop"
            path.write_bytes(content)
            return read_capture(path)


class PaceTests(unittest.TestCase):
    def test_the_timing_of_the_source_holds_unless_a_rate_is_set(self) -> None:
        self.assertEqual(Pace().interval(0.3), 0.3)
        self.assertEqual(Pace().interval(None), 1.0)
        self.assertEqual(Pace(4).interval(0.3), 0.25)
        self.assertIsNone(Pace(0).interval(0.3))

    def test_a_burst_ends_in_the_rate_that_was_asked_for(self) -> None:
        pace = Pace(1)
        pace.set_burst(2, 100, pace.usual_hz)
        self.assertEqual(pace.interval(None), 0.01)
        pace.sent()
        self.assertEqual(pace.usual_hz, 1)
        pace.sent()
        self.assertEqual(pace.interval(None), 1.0)


class BehaviourTests(unittest.TestCase):
    def test_values_are_read(self) -> None:
        found = parse_behaviours(["drop-after=1.5", "odd-length", "ask-parameters=400/650/0/6000", "passkey=7"])
        self.assertEqual((found.drop_after, found.odd_length, found.passkey), (1.5, True, 7))
        self.assertEqual(found.ask_parameters, ConnectionParameters(400, 650, 0, 6000))
        self.assertEqual(parse_behaviours(["drop-on-rejected-parameters"]).drop_on_rejected_parameters, 5.0)

    def test_what_makes_no_sense_is_refused(self) -> None:
        for text in ("nonsense", "drop-after", "drop-after=x", "drop-after=-1", "odd-length=1", "flood=0", "io=nose",
                     "passkey=1000000", "ask-parameters=1/2"):
            with self.subTest(text), self.assertRaises(BehaviourError):
                parse_behaviours([text])


def _rr_intervals(value: bytes) -> list[int]:
    start = 4 if value[0] & 8 else 2
    return list(struct.unpack(f"<{(len(value) - start) // 2}H", value[start:]))


if __name__ == "__main__":
    unittest.main()
