"""Tests of the formats of programs that the kernel is told of."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from package_checks.foreign_programs import renamed, serves  # noqa: E402

# As qemu-user-static 7.2 of Debian 12 has it, and what the kernel then shows.
LINE = (
    r":qemu-aarch64:M::\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    ":/usr/libexec/qemu-binfmt/aarch64-binfmt-P:OPF"
)
ENTRY = """enabled
interpreter /usr/libexec/qemu-binfmt/aarch64-binfmt-P
flags: POF
offset 0
magic 7f454c460201010000000000000000000200b700
mask ffffffffffffff00fffffffffffffffffeffffff
"""


class FormatTests(unittest.TestCase):
    """A format in the notations of binfmt.d and of the kernel."""

    def test_entry_of_the_same_line_serves(self) -> None:
        self.assertTrue(serves(ENTRY, LINE))

    def test_entry_that_finds_its_interpreter_in_the_root_alone_does_not_serve(self) -> None:
        self.assertFalse(serves(ENTRY.replace("POF", "PO"), LINE))

    def test_disabled_entry_does_not_serve(self) -> None:
        self.assertFalse(serves(ENTRY.replace("enabled", "disabled"), LINE))

    def test_entry_for_another_machine_does_not_serve(self) -> None:
        self.assertFalse(serves(ENTRY.replace("b700\n", "f300\n"), LINE))

    def test_new_name_changes_nothing_else(self) -> None:
        self.assertEqual(renamed(LINE, "mine"), LINE.replace("qemu-aarch64:M", "mine:M"))


if __name__ == "__main__":
    unittest.main()
