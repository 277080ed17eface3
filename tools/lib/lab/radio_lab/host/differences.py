"""The section of the page of reliability on what differs between versions of bluetoothd, as far as it was measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from radio_lab.daemon_facts import CHANCE, FAILURE_REASONS, HANDLING, RECOVERY_REASONS, SETS, DaemonFact
from radio_lab.host.columns import Column, table

# Medians that are closer than this differ by the machine as much as by the daemon.
NOTEWORTHY_SECONDS = 0.5
NOTEWORTHY_SHARE = 0.25
QUESTIONS = "daemon"


def differences(columns: Sequence[Column]) -> list[str]:
    """Returns the section, or nothing if there is only one version."""
    if len(columns) < 2:
        return []
    return ["## Differences between the daemons", "", *_answers(columns), "", *_recoveries(columns),
            *_verdicts(columns), ""]


# What the daemons answer and signal


def _answers(columns: Sequence[Column]) -> list[str]:
    asked = [column for column in columns if QUESTIONS in column.results]
    if len(asked) < 2:
        return [f"What the daemons answer was not compared: `{QUESTIONS}` has results with one of them only."]
    facts = [column.results[QUESTIONS].facts for column in asked]
    known = [fact for fact in DaemonFact if any(fact.value in answers for answers in facts)]
    other = [fact for fact in known if len({answers.get(fact.value) for answers in facts}) > 1]
    lines = [f"The scenario `{QUESTIONS}` asks each daemon {len(known)} things, without tachogram.",
             f"{len(known) - len(other)} of the answers are the same. Signals are in the order in which they came."]
    certain, left = [fact for fact in other if fact not in CHANCE], [fact for fact in other if fact in CHANCE]
    for title, some in (("These differ:", certain), ("These depend on timing, with each of them:", left)):
        if some:
            rows = [(fact.value, _cells(fact, [answers.get(fact.value) for answers in facts])) for fact in some]
            lines += ["", title, "", *table("asked", ["answer"], asked, rows)]
    handled = [f"- {fact.value}: {HANDLING[fact]}" for fact in other if fact in HANDLING]
    return [*lines, "", "What tachogram does about them:", "", *handled] if handled else lines


def _cells(fact: DaemonFact, texts: Sequence[str | None]) -> list[list[str] | None]:
    """Returns the cells of a row: of sets only what not every version has."""
    if fact in SETS:
        sets = [set((text or "").split(", ")) for text in texts]
        rest = [sorted(items - set.intersection(*sets)) for items in sets]
        return [["only " + ", ".join(items) if items else "no others"] for items in rest]
    return [[text] if text else None for text in texts]


# What became of scenarios


def _recoveries(columns: Sequence[Column]) -> list[str]:
    found = [{fault: statistics.median(seconds) for result in column.results.values()
              for fault, seconds in result.recoveries.items()} for column in columns]
    shared = [fault for fault in found[0] if all(fault in medians for medians in found)]
    lines = []
    for fault in shared:
        medians = [of_column[fault] for of_column in found]
        if max(medians) - min(medians) > max(NOTEWORTHY_SECONDS, NOTEWORTHY_SHARE * min(medians)):
            each = ", ".join(f"{median:.2f} s with {column.title}" for median, column in zip(medians, columns))
            lines.append(f"- {fault}: {each}. {RECOVERY_REASONS.get(fault, '')}".rstrip())
    what = f"by more than {NOTEWORTHY_SECONDS:g} s and a quarter"
    if not lines:
        return [f"Of the {len(shared)} faults above, none has medians that differ {what}."]
    return [f"Faults whose medians differ {what}:", "", *lines]


def _verdicts(columns: Sequence[Column]) -> list[str]:
    shared = [name for name in columns[0].results if all(name in column.results for column in columns)]
    lines = []
    for name in shared:
        failing = [column.title for column in columns if not column.results[name].passed]
        if failing:
            only = " only" if len(failing) < len(columns) else ""
            lines.append(f"- {name} fails with {' and '.join(failing)}{only}. {FAILURE_REASONS.get(name, '')}".rstrip())
    if not lines:
        return ["", f"All {len(shared)} scenarios that ran with each of them pass with each."]
    return ["", f"Of the {len(shared)} scenarios that ran with each of them, these fail:", "", *lines]
