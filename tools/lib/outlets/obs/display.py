"""A display without a screen."""

from __future__ import annotations

import os
import subprocess

from package_checks.report import CheckUnavailable

# The left half is for what runs the trial, the right half for what is captured.
SIZE = (2560, 720)


class Display:
    """An X server that draws in memory, with the windows of one trial."""

    def __init__(self) -> None:
        reader, writer = os.pipe()
        self._process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "{}x{}x24".format(*SIZE), "-nolisten", "tcp"],
            pass_fds=[writer], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise CheckUnavailable(f"Xvfb ended with {self._process.wait()}")
        self.name = f":{number}"

    def close(self) -> None:
        """Ends it, and with it what is shown on it."""
        self._process.terminate()
        self._process.wait()
