"""A person at a terminal, who answers what the program asks."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time


def answer_at_terminal(
    command: list[str], question: str, answer: str, seconds: float, environment: dict[str, str],
) -> tuple[int | None, str, bool]:
    """Runs a command on a terminal and types `answer` when `question` appears. Returns the exit code (None if it did
    not end in time), the screen, and whether the question was asked."""
    own, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                               env=environment)
    os.close(theirs)
    screen, answered, end = "", False, time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            if select.select([own], [], [], 0.1)[0]:
                try:
                    screen += os.read(own, 4096).decode(errors="replace")
                except OSError:
                    break
            if not answered and question in screen:
                os.write(own, answer.encode() + b"\n")
                answered = True
        return process.wait(timeout=max(0.1, end - time.monotonic())), screen, answered
    except subprocess.TimeoutExpired:
        return None, screen, answered
    finally:
        process.kill()
        process.wait()
        os.close(own)
