"""What `doctor` finds."""

from __future__ import annotations

from radio_lab.guest.tachogram import Tachogram


def findings(tachogram: Tachogram, *arguments: str, user: str | None = None) -> dict[str, str]:
    """Returns the severity of each finding, by its name; `exit` is the exit code."""
    done = tachogram.run("doctor", "--format", "json", *arguments, user=user)
    found = {finding["id"]: finding["severity"] for finding in done.json()["findings"]}
    return {**found, "exit": str(done.code)}
