"""What a scenario expects, and how that which was seen differs from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

SHOWN_CHARACTERS = 300


@dataclass
class Expectations:
    """Collects failures, each with the expected and the actual value. A scenario without expectations fails."""

    checks: int = 0
    failures: list[str] = field(default_factory=list)

    def equal(self, what: str, seen: object, expected: object) -> bool:
        """Expects that `seen` equals a value."""
        return self._judge(seen == expected, what, _shown(expected), seen)

    def true(self, what: str, holds: bool, seen: object) -> bool:
        """Expects that the statement `what` is true."""
        return self._judge(holds, what, "that it is so", seen)

    def at_most(self, what: str, seen: float, limit: float) -> bool:
        """Expects that `seen` is not above the limit."""
        return self._judge(seen <= limit, what, f"at most {limit:g}", seen)

    def at_least(self, what: str, seen: float, limit: float) -> bool:
        """Expects that `seen` is not below the limit."""
        return self._judge(seen >= limit, what, f"at least {limit:g}", seen)

    def contains(self, what: str, seen: object, expected: str) -> bool:
        """Expects that the text of `seen` contains `expected`."""
        return self._judge(expected in str(seen), what, f"something with {expected!r}", seen)

    def same_series(self, what: str, seen: Sequence[object], expected: Sequence[object]) -> bool:
        """Expects that two series are equal; otherwise reports the first difference."""
        self.checks += 1
        if list(seen) == list(expected):
            return True
        shorter = min(len(seen), len(expected))
        place = next((i for i in range(shorter) if seen[i] != expected[i]), shorter)
        self.failures.append(
            f"{what}: expected {len(expected)} values, seen {len(seen)}; they differ from number {place} on, "
            f"expected {_shown(list(expected[place:place + 3]))}, seen {_shown(list(seen[place:place + 3]))}"
        )
        return False

    def fail(self, what: str) -> None:
        """Adds a failure that is not a comparison."""
        self.checks += 1
        self.failures.append(what)

    def _judge(self, holds: bool, what: str, expected: str, seen: object) -> bool:
        self.checks += 1
        if not holds:
            self.failures.append(f"{what}: expected {expected}, seen {_shown(seen)}")
        return holds


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + " …"
