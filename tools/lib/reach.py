"""What depends on what, by whatever way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def reach(edges: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """All that one thing depends on; itself only where that leads back to it."""
    reached: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += edges.get(name, ())
    return reached
