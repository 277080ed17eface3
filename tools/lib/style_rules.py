"""The rules of the house that `swift format` does not know."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from swift_source import NOMINAL_KINDS, Declaration, SwiftSource
from tree import Findings, Tree

# Rules for the code of every file in Sources/: what, and what to do instead.
FORBIDDEN_IN_SOURCES = {
    "no-fatal-error": (re.compile(r"\bfatalError\("), "fatalError( ends a daemon: throw a typed error"),
}
FORBIDDEN_IN_LIBRARIES = {
    "no-print": (re.compile(r"(?<![\w.])(?:debugPrint|print|dump)\("), "a library prints nothing: return the value"),
    "no-loud-log": (
        re.compile(r"\b\w*log(?:ger)?\.(?:info|notice|warning|error|critical)\(", re.IGNORECASE),
        "a library logs at debug or below: the caller decides what is worth a line",
    ),
}
# Words of a private vocabulary: readers know others.
FORBIDDEN_NAMES = {
    "plain-name": (
        re.compile(
            r"\bfunc (?:take|tell|giveBack)\b|\b\w*[Pp]atience\w*|\b\w*[Uu]pkeep\w*|\b(?:is)?[Oo]wed\w*|\b\w+InVain\b"),
        "use a word that readers know: append, handle, emit, report, timeout, maintenance, pending …",
    ),
}
PLAIN_COMMENT = re.compile(r"\b(?:patience|upkeep|in vain|nobody in particular)\b", re.IGNORECASE)
FORBIDDEN_IN_TESTS = {
    "no-sleep": (
        re.compile(r"\b(?:Task|Thread)\s*\.\s*sleep\b|(?<![\w.])(?:sleep|usleep|nanosleep)\("),
        "a test awaits the event or turns the manual clock",
    ),
}
# Libraries that are a program: nobody else is there to decide what is worth a line.
LOGGING = frozenset({"Station"})
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
UNCHECKED = re.compile(r"@unchecked\s+Sendable")


def check_style(tree: Tree) -> Findings:
    """Checks the rules for Sources/ and Tests/."""
    findings = Findings("style")
    sources = tree.under("Sources/", suffix=".swift")
    own_types = {found.name for path in sources for found in tree.swift(path).declarations() if _is_type(found)}
    for path in sources:
        findings.examined += 1
        source = tree.swift(path)
        _forbid(findings, path, source, FORBIDDEN_IN_SOURCES)
        if _is_library(path):
            loud = path.split("/")[1] in LOGGING
            rules = {name: rule for name, rule in FORBIDDEN_IN_LIBRARIES.items() if not (loud and name == "no-loud-log")}
            _forbid(findings, path, source, rules)
        _check_unfinished(findings, path, source)
        _check_words(findings, path, source)
        _check_unchecked_sendable(findings, path, source)
        _check_name(findings, path, source, own_types)
    for path in tree.under("Tests/", suffix=".swift"):
        findings.examined += 1
        _forbid(findings, path, tree.swift(path), FORBIDDEN_IN_TESTS)
        _check_unfinished(findings, path, tree.swift(path))
        _check_words(findings, path, tree.swift(path))
    return findings


def _is_library(path: str) -> bool:
    """Returns whether a target is a library: executables have lower-case names, libraries begin with a capital."""
    return path.split("/")[1][0].isupper()


def _forbid(
    findings: Findings, path: str, source: SwiftSource, rules: dict[str, tuple[re.Pattern[str], str]]
) -> None:
    for rule, (pattern, message) in rules.items():
        for match in pattern.finditer(source.code):
            findings.add(path, source.line_of(match.start()), rule, message)


def _check_unfinished(findings: Findings, path: str, source: SwiftSource) -> None:
    for match in UNFINISHED.finditer(source.comments):
        message = f"{match[0]}: finish it, or file it where work is planned"
        findings.add(path, source.line_of(match.start()), "no-unfinished", message)


def _check_words(findings: Findings, path: str, source: SwiftSource) -> None:
    _forbid(findings, path, source, FORBIDDEN_NAMES)
    for match in PLAIN_COMMENT.finditer(source.comments):
        findings.add(path, source.line_of(match.start()), "plain-words", f'"{match[0]}": say it in plain words')


def _check_unchecked_sendable(findings: Findings, path: str, source: SwiftSource) -> None:
    comments = source.comments.split("\n")
    for match in UNCHECKED.finditer(source.code):
        line = source.line_of(match.start())
        if not any(text.strip() for text in comments[max(0, line - 2) : line]):
            message = "say beside @unchecked Sendable why it is safe"
            findings.add(path, line, "unchecked-reason", message)


def _is_type(declaration: Declaration) -> bool:
    return declaration.kind in NOMINAL_KINDS


def _check_name(findings: Findings, path: str, source: SwiftSource, own_types: set[str]) -> None:
    """Checks that a file has one type and its name. A file that only extends a type of this package begins with that
    type's name; an extension of a foreign type is named after its content."""
    stem = PurePosixPath(path).stem
    if "+" in stem:
        findings.add(path, 1, "file-name", "split into types, not into +Something files")
        return
    if stem == "main":
        return
    visible = [found for found in source.declarations() if not found.is_private]
    types = [found for found in visible if _is_type(found)]
    if types:
        if types[0].name != stem:
            message = f"the file holds {types[0].kind} {types[0].name}: name it {types[0].name}.swift"
            findings.add(path, types[0].line, "file-name", message)
        for extra in types[1:]:
            message = f"{extra.kind} {extra.name} is a second type: give it a file {extra.name}.swift"
            findings.add(path, extra.line, "one-type", message)
        return
    extended = [found for found in visible if found.kind == "extension"]
    if extended:
        name = extended[0].name
        if name.split(".")[0] not in own_types:
            return
        if not stem.startswith((name.rsplit(".", 1)[-1], name.replace(".", ""))):
            message = f"the file extends {name}: let its name begin with {name.rsplit('.', 1)[-1]}"
            findings.add(path, extended[0].line, "file-name", message)
        return
    names = {found.name.lower() for found in visible}
    if visible and stem.lower() not in names:
        findings.add(path, visible[0].line, "file-name", f"nothing in the file is called {stem}")
