#!/usr/bin/env python3
"""Makes man pages of the program's own description of its commands: `tachogram --experimental-dump-help`.

    man_pages.py --version 1.2.0 --date 2026-01-31 [--more FILE] --output FOLDER <dump.json

One page a command: tachogram.1, tachogram-replay.1, tachogram-straps-rename.1 … `--more` is a piece of roff for
tachogram.1, of what the commands do not know: files, environment.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

SECTION = 1
MANUAL = "Tachogram"
# The parser adds it; it gives the same text as these pages.
COMMAND_LEFT_OUT = "help"
# The parser adds these to every command: the page of the program has them.
OPTIONS_LEFT_OUT = {"--help", "--version"}


def escaped(text: str) -> str:
    """Returns text that roff prints unchanged, within a line."""
    return text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")


def prose(text: str) -> str:
    """Returns paragraphs in which hyphens stay hyphens; text between backquotes and options are bold. No line begins
    with a dot or an apostrophe, which would be a request."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        words = re.sub(r"\s*\n\s*", " ", paragraph)
        pieces = re.split(r"(`[^`]+`|(?<![\w-])--[a-z][a-z-]*)", words)
        text = "".join(
            rf"\fB{escaped(piece.strip('`'))}\fR" if index % 2 else escaped(piece).replace(r"\-", "-")
            for index, piece in enumerate(pieces)
        )
        paragraphs.append(rf"\&{text}" if text.startswith((".", "'")) else text)
    return "\n.PP\n".join(paragraphs)


@dataclass(frozen=True)
class Argument:
    """A positional argument, an option with a value, or a flag."""

    kind: str
    names: list[str]
    value_name: str
    abstract: str
    default: str | None
    values: list[str]
    is_optional: bool
    is_repeating: bool

    @staticmethod
    def of(data: dict[str, Any]) -> Argument:
        """Reads it from the dump."""
        dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
        return Argument(
            kind=data["kind"],
            names=[dashes[name["kind"]] + name["name"] for name in data.get("names", [])],
            value_name=data["valueName"],
            abstract=data.get("abstract", ""),
            default=data.get("defaultValue"),
            values=data.get("allValues", []),
            is_optional=data["isOptional"],
            is_repeating=data["isRepeating"],
        )

    @property
    def tag(self) -> str:
        """Returns the heading of its description."""
        value = rf"\fI{escaped(self.value_name)}\fR"
        if self.kind == "positional":
            return value
        names = ", ".join(rf"\fB{escaped(name)}\fR" for name in self.names)
        return names if self.kind == "flag" else f"{names} {value}"

    @property
    def usage(self) -> str:
        """Returns its form in the synopsis: the long name, if there is one."""
        value = rf"\fI{escaped(self.value_name)}\fR"
        if self.kind == "positional":
            text = value
        else:
            name = rf"\fB{escaped(max(self.names, key=len))}\fR"
            text = name if self.kind == "flag" else rf"{name}\ {value}"
        text += "..." if self.is_repeating else ""
        return f"[{text}]" if self.is_optional else text

    @property
    def description(self) -> str:
        """Returns its meaning, its values and its default."""
        sentences = [self.abstract] if self.abstract else []
        named = {word.strip(",.;:()") for word in self.abstract.split()}
        if self.values and not named.issuperset(self.values):
            sentences.append(f"One of: {', '.join(self.values)}.")
        if self.default and self.kind != "flag":
            sentences.append(f"Default: {self.default}.")
        return " ".join(sentences)


@dataclass(frozen=True)
class Command:
    """A command with its subcommands. `path` are the words that call it."""

    path: list[str]
    abstract: str
    discussion: str
    arguments: list[Argument]
    commands: list[Command]

    @staticmethod
    def of(data: dict[str, Any], above: tuple[str, ...] = ()) -> Command:
        """Reads it from the dump, without hidden parts."""
        path = [*above, data["commandName"]]
        below = [
            entry for entry in data.get("subcommands", [])
            if entry.get("shouldDisplay", True) and entry["commandName"] != COMMAND_LEFT_OUT
        ]
        arguments = [Argument.of(entry) for entry in data.get("arguments", []) if entry.get("shouldDisplay", True)]
        return Command(
            path=path,
            abstract=data.get("abstract", ""),
            discussion=data.get("discussion", ""),
            arguments=[entry for entry in arguments if not (above and OPTIONS_LEFT_OUT.intersection(entry.names))],
            commands=[Command.of(entry, tuple(path)) for entry in below],
        )

    @property
    def page(self) -> str:
        """The name of its page: tachogram-straps-rename."""
        return "-".join(self.path)

    def all(self) -> Iterator[Command]:
        """Returns this command and all below it."""
        yield self
        for command in self.commands:
            yield from command.all()


@dataclass(frozen=True)
class Manual:
    """The common parts of the pages."""

    version: str
    date: str
    more: str

    def text(self, command: Command, above: Command | None) -> str:
        """Returns a page."""
        parts = [
            rf'.TH "{escaped(command.page.upper())}" {SECTION} {self.date} "tachogram {self.version}" "{MANUAL}"',
            # No hyphenation, no stretched lines: options and file names stay in one piece.
            ".nh\n.ad l",
            f".SH NAME\n{escaped(command.page)} \\- {self._summary(command)}",
            f".SH SYNOPSIS\n{self._synopsis(command)}",
            f".SH DESCRIPTION\n{prose(command.abstract)}",
        ]
        if command.discussion:
            parts.append(f".PP\n{prose(command.discussion)}")
        parts += self._arguments(command)
        parts += self._commands(command)
        if above is None and self.more:
            parts.append(self.more.rstrip("\n"))
        parts += self._see_also(command, above)
        return "\n".join(parts) + "\n"

    @staticmethod
    def _summary(command: Command) -> str:
        """Returns a line for apropos(1)."""
        line = " ".join(command.abstract.split()).rstrip(".")
        if line[1:2].islower():
            line = line[:1].lower() + line[1:]
        return escaped(line).replace(r"\-", "-")

    @staticmethod
    def _synopsis(command: Command) -> str:
        lines = []
        words = rf"\fB{escaped(' '.join(command.path))}\fR"
        if command.commands:
            lines.append(rf"{words} \fIcommand\fR [\fIoptions\fR]")
        if not command.commands or any(argument.kind == "positional" for argument in command.arguments):
            options = [argument.usage for argument in command.arguments if argument.kind != "positional"]
            positional = [argument.usage for argument in command.arguments if argument.kind == "positional"]
            lines.append("\n".join([words, *options, *positional]))
        return "\n.br\n".join(lines)

    @staticmethod
    def _arguments(command: Command) -> list[str]:
        parts = []
        positional = [argument for argument in command.arguments if argument.kind == "positional"]
        others = [argument for argument in command.arguments if argument.kind != "positional"]
        for title, arguments in (("ARGUMENTS", positional), ("OPTIONS", others)):
            if arguments:
                parts.append(f".SH {title}")
                parts += [f".TP\n{argument.tag}\n{prose(argument.description)}" for argument in arguments]
        return parts

    @staticmethod
    def _commands(command: Command) -> list[str]:
        if not command.commands:
            return []
        entries = [
            f".TP\n.BR {escaped(below.page)} ({SECTION})\n{prose(below.abstract)}" for below in command.commands
        ]
        return [".SH COMMANDS", *entries]

    @staticmethod
    def _see_also(command: Command, above: Command | None) -> list[str]:
        if above is None:
            return []
        others = [above, *(other for other in above.commands if other.page != command.page)]
        pages = [f".BR {escaped(other.page)} ({SECTION})" for other in others]
        return [".SH SEE ALSO", " ,\n".join(pages)]


def pages(dump: dict[str, Any], manual: Manual) -> dict[str, str]:
    """Returns the file names and texts of all pages."""
    root = Command.of(dump["command"])
    parents = {below.page: command for command in root.all() for below in command.commands}
    return {
        f"{command.page}.{SECTION}": manual.text(command, parents.get(command.page)) for command in root.all()
    }


def main() -> int:
    """Writes the pages. Returns the exit code."""
    parser = argparse.ArgumentParser(description="Makes man pages of a dump of the commands on standard input.")
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True, help="the day that the pages name, as 2026-01-31")
    parser.add_argument("--more", type=Path, help="roff for the page of the program")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    more = arguments.more.read_text(encoding="utf-8") if arguments.more else ""
    texts = pages(json.load(sys.stdin), Manual(arguments.version, arguments.date, more))
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (arguments.output / name).write_text(text, encoding="utf-8")
    print(f"{len(texts)} man pages in {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
