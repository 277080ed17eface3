"""What the page asks of a station."""

from __future__ import annotations

API = "/api/v1/"
TRENDS = "trends?period=year"


def questions(session: str) -> list[str]:
    """Returns the paths of the page and of the requests of its views, including those of one session."""
    return ["/", *(API + path for path in (
        "status", "live", "straps", "persons", "sessions?limit=50", "baseline", "trends?period=day",
        "trends?period=week", "trends?period=month", TRENDS, f"sessions/{session}", f"sessions/{session}/beats",
        f"sessions/{session}/poincare", f"sessions/{session}/windows", f"sessions/{session}/stress",
    ))]
