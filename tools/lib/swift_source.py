"""Just enough of Swift's syntax for the checks: what is code, what is comment, what is declared at the top level."""

from __future__ import annotations

import re
from dataclasses import dataclass

_STRING_START = re.compile(r'(#*)("""|")')

_MODIFIERS = (
    r"(?:@[\w.]+(?:\([^)]*\))?\s+"
    r"|(?:public|package|internal|private|fileprivate|open|final|indirect|static|distributed|nonisolated|prefix|infix"
    r"|postfix)(?:\([^)]*\))?\s+)*"
)
_DECLARATION = re.compile(
    rf"^(?P<modifiers>{_MODIFIERS})"
    r"(?P<kind>struct|class|enum|actor|protocol|extension|typealias|func|let|var)\s+(?P<name>[\w.`]+)",
    re.MULTILINE,
)
_IMPORT = re.compile(
    rf"^\s*{_MODIFIERS}import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?P<module>\w+)",
    re.MULTILINE,
)

NOMINAL_KINDS = ("struct", "class", "enum", "actor", "protocol")


@dataclass(frozen=True)
class Declaration:
    """A declaration at the top level of a file."""

    kind: str
    name: str
    line: int
    is_private: bool


@dataclass(frozen=True)
class SwiftSource:
    """The text of a file in two parts of equal shape: `code` has comments and string contents blanked, `comments` the
    rest."""

    text: str
    code: str
    comments: str

    @classmethod
    def parse(cls, text: str) -> SwiftSource:
        """Splits the text of a file."""
        splitter = _Splitter(text)
        splitter.run()
        return cls(text, "".join(splitter.code), "".join(splitter.comments))

    def line_of(self, offset: int) -> int:
        """Returns the line, from 1, of a position in the text."""
        return self.text.count("\n", 0, offset) + 1

    def declarations(self) -> list[Declaration]:
        """Returns the declarations outside all braces."""
        depths = _depth_of_lines(self.code)
        found = []
        for match in _DECLARATION.finditer(self.code):
            line = self.line_of(match.start("kind"))
            if depths[self.line_of(match.start()) - 1] == 0:
                is_private = re.search(r"\b(file)?private\b(?!\()", match["modifiers"]) is not None
                found.append(Declaration(match["kind"], match["name"].strip("`"), line, is_private))
        return found


def _depth_of_lines(code: str) -> list[int]:
    """Returns the number of open brackets at the start of each line."""
    depths, depth = [], 0
    for line in code.split("\n"):
        depths.append(depth)
        depth += sum(line.count(c) for c in "{([") - sum(line.count(c) for c in "})]")
    return depths


class _Splitter:
    """Reads the text once; an interpolation inside a string is code."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.code: list[str] = []
        self.comments: list[str] = []

    def run(self) -> None:
        self._code_until(closing=None)

    def _emit(self, length: int, into: str) -> None:
        piece = self.text[self.at : self.at + length]
        blank = "".join(c if c == "\n" else " " for c in piece)
        self.code.append(piece if into == "code" else blank)
        self.comments.append(piece if into == "comments" else blank)
        self.at += length

    def _code_until(self, closing: str | None) -> None:
        depth = 0
        while self.at < len(self.text):
            rest = self.text[self.at : self.at + 2]
            if rest == "//":
                end = self.text.find("\n", self.at)
                self._emit((len(self.text) if end < 0 else end) - self.at, "comments")
            elif rest == "/*":
                self._block_comment()
            elif string := _STRING_START.match(self.text, self.at):
                self._string(string[1], string[2])
            else:
                character = self.text[self.at]
                depth += (character == "(") - (character == ")")
                self._emit(1, "code")
                if closing and depth < 0:
                    return

    def _block_comment(self) -> None:
        start, depth, at = self.at, 0, self.at
        while at < len(self.text):
            pair = self.text[at : at + 2]
            if pair == "/*":
                depth, at = depth + 1, at + 2
            elif pair == "*/":
                depth, at = depth - 1, at + 2
                if depth == 0:
                    break
            else:
                at += 1
        self._emit(at - start, "comments")

    def _string(self, hashes: str, quotes: str) -> None:
        self._emit(len(hashes) + len(quotes), "code")
        end, escape = quotes + hashes, "\\" + hashes
        while self.at < len(self.text):
            if self.text.startswith(end, self.at):
                self._emit(len(end), "code")
                return
            if self.text.startswith(escape + "(", self.at):
                self._emit(len(escape) + 1, "code")
                self._code_until(closing=")")
            elif self.text.startswith(escape, self.at):
                self._emit(len(escape) + 1, "string")
            elif len(quotes) == 1 and self.text[self.at] == "\n":
                return
            else:
                self._emit(1, "string")
