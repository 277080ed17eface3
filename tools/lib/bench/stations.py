"""Stations that are measured side by side, each with straps of its own on a fake Bluetooth daemon."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from release import ROOT, release_binary

sys.path.append(str(ROOT / "tools/lib/station"))
from air import Air, air  # noqa: E402
from processes import Station, settings, station  # noqa: E402

__all__ = ["Air", "Programs", "Station", "add_programs", "air", "capture", "listening_station", "programs",
           "wait_for_straps"]

# More than any of these runs takes; a strap notifies once a second.
CAPTURE_SECONDS = 3600
# How long the straps may take to be heard.
PATIENCE = 60.0


@dataclass(frozen=True)
class Programs:
    """The programs: the station, optionally the one to compare with, and the fake Bluetooth daemon."""

    binary: str
    before: str | None
    fake: str


def add_programs(parser: argparse.ArgumentParser) -> None:
    """Adds the options that `programs` reads."""
    parser.add_argument("--before", metavar="BINARY", help="an older tachogram that is measured too, with its defaults")
    parser.add_argument("--binary", help="a tachogram that is built already")
    parser.add_argument("--fake", metavar="BINARY", help="a tachogram-fake-bluez that is built already")


def programs(arguments: argparse.Namespace) -> Programs:
    """Returns the named programs, or those of the release build."""
    return Programs(arguments.binary or release_binary("tachogram"), arguments.before,
                    arguments.fake or release_binary("tachogram-fake-bluez"))


def capture(folder: Path) -> Path:
    """Returns a capture of an hour of a strap, with one or two beats per notification."""
    path = folder / "strap.btsnoop"
    subprocess.run([ROOT / "tools/lib/bench/make-capture", str(CAPTURE_SECONDS), path], check=True)
    return path


@contextmanager
def listening_station(
    binary: str, folder: Path, straps: Air, extra: tuple[str, ...] = (), database: Path | None = None,
) -> Iterator[Station]:
    """Runs a station that follows all straps; `extra` are further keys of the configuration, each as key=value."""
    keys = (f"radio.bus={straps.bus}", f"radio.straps={','.join(straps.addresses())}", *extra)
    with station(binary, folder, settings(*keys), database) as running:
        yield running


def wait_for_straps(running: Station, count: int) -> None:
    """Waits until a number of straps is received."""
    end = time.monotonic() + PATIENCE
    while sum(one["isCurrent"] for one in running.live()) < count:
        if time.monotonic() > end:
            raise SystemExit(f"bench: {count} straps were not heard within {PATIENCE:g} s:\n{running.text()}")
        time.sleep(0.5)
