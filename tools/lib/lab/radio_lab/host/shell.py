"""A shell in a guest, for trying things by hand."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from radio_lab.host.places import Ingredients
from radio_lab.host.results import say
from radio_lab.host.runner import Runner, RunOptions
from radio_lab.scenario import Scenario


def run_shell(ingredients: Ingredients, scenario: Scenario) -> int:
    """Boots a guest with the straps of a scenario, and its console on this terminal."""
    folder = Path(tempfile.mkdtemp(prefix="radio-lab-shell-"))
    runner = Runner(ingredients, RunOptions(short=False, jobs=1, keep=True, verbose=False))
    guest = runner.prepare(scenario, folder, arguments=["--shell"])
    try:
        guest.start(has_terminal=True)
        guest.wait(None)
    finally:
        guest.kill()
        shutil.rmtree(folder / "lab", ignore_errors=True)
        (folder / "tachogram").unlink(missing_ok=True)
        subprocess.run(["stty", "sane"], check=False)
    say(f"What the guest left is in {folder}")
    return 0
