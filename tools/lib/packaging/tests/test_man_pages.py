"""Man pages of a small made-up program: python3 -m unittest discover -s tools/lib/packaging/tests"""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from man_pages import Manual, escaped, pages, prose  # noqa: E402


def argument(kind: str, name: str, **more: Any) -> dict[str, Any]:
    """Returns an argument in the form of the dump."""
    names = [] if kind == "positional" else [{"kind": "long", "name": name}]
    return {"kind": kind, "names": names, "valueName": name, "isOptional": True, "isRepeating": False, **more}


def command(name: str, **more: Any) -> dict[str, Any]:
    """Returns a command in the form of the dump."""
    return {"commandName": name, "abstract": f"Do {name}.", "arguments": [], "subcommands": [], **more}


class ManPages(unittest.TestCase):
    manual = Manual(version="1.0", date="2026-01-31", more=".SH FILES\nnone\n")

    def pages(self, *below: dict[str, Any]) -> dict[str, str]:
        return pages({"command": command("tool", subcommands=list(below))}, self.manual)

    def test_nested_commands_have_pages_of_their_own(self) -> None:
        found = self.pages(command("straps", subcommands=[command("rename")]), command("help"))
        self.assertEqual(sorted(found), ["tool-straps-rename.1", "tool-straps.1", "tool.1"])

    def test_hidden_commands_and_options_are_left_out(self) -> None:
        hidden = argument("flag", "secret", shouldDisplay=False)
        found = self.pages(command("run", arguments=[hidden]), command("internal", shouldDisplay=False))
        self.assertEqual(sorted(found), ["tool-run.1", "tool.1"])
        self.assertNotIn("secret", found["tool-run.1"])

    def test_options_of_every_command_are_told_once(self) -> None:
        found = self.pages(command("run", arguments=[argument("flag", "version"), argument("flag", "loop")]))
        self.assertNotIn("version", found["tool-run.1"].split(".SH OPTIONS")[1])
        self.assertIn(r"\fB\-\-loop\fR", found["tool-run.1"])

    def test_synopsis_tells_what_must_be_and_what_may_be(self) -> None:
        files = argument("positional", "file", isOptional=False, isRepeating=True)
        found = self.pages(command("run", arguments=[files, argument("option", "format")]))["tool-run.1"]
        self.assertIn("\\fBtool run\\fR\n[\\fB\\-\\-format\\fR\\ \\fIformat\\fR]\n\\fIfile\\fR...\n", found)

    def test_values_are_listed_unless_the_sentence_names_them(self) -> None:
        named = argument("option", "format", abstract="One of csv or json.", allValues=["csv", "json"])
        silent = argument("option", "hrv", abstract="The measure.", allValues=["sdnn", "rmssd"], defaultValue="sdnn")
        found = self.pages(command("run", arguments=[named, silent]))["tool-run.1"]
        self.assertIn("One of csv or json.\n", found)
        self.assertIn("The measure. One of: sdnn, rmssd. Default: sdnn.", found)

    def test_what_roff_would_obey_is_escaped(self) -> None:
        self.assertEqual(escaped(r"a\b --c ~"), r"a\eb \-\-c \(ti")
        self.assertEqual(prose(".hidden\n\n'quoted'."), "\\&.hidden\n.PP\n\\&'quoted'.")
        text = prose("Say --now to\nrun `it`.\n\nHeart-rate.")
        self.assertEqual(text, "Say \\fB\\-\\-now\\fR to run \\fBit\\fR.\n.PP\nHeart-rate.")

    def test_only_the_first_page_has_what_was_added(self) -> None:
        found = self.pages(command("run"))
        self.assertIn(".SH FILES", found["tool.1"])
        self.assertNotIn(".SH FILES", found["tool-run.1"])
        self.assertIn(".SH SEE ALSO\n.BR tool (1)", found["tool-run.1"])


if __name__ == "__main__":
    unittest.main()
