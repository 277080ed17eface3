"""What depends on what, by whatever way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def reach(edges: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """Returns all transitive dependencies; including itself only in a cycle."""
    reached: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += edges.get(name, ())
    return reached
