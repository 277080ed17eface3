"""A throw-away Debian in which systemd runs, in namespaces of its own: no network, no devices of this machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from package_checks.debian_root import DebianRoot
from package_checks.report import CheckUnavailable, run

BOOT = Path(__file__).resolve().parent / "boot_root"
NAMESPACES = ["--pid", "--mount", "--ipc", "--uts", "--net", "--cgroup"]
BOOT_SECONDS = 60.0
ENVIRONMENT = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]


class BootedRoot:
    """The running system, whose first process is `process` on the host."""

    def __init__(self, process: int) -> None:
        self._enter = ["nsenter", "--target", str(process), *NAMESPACES, "--root", "--wd", *ENVIRONMENT]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Runs a command as root."""
        return run([*self._enter, *command])

    def property(self, unit: str, name: str) -> str:
        """Returns a property of a unit."""
        return self.run("systemctl", "show", unit, "--property", name, "--value").stdout.strip()

    def last_answer(self, seconds: float, *command: str, awaited: set[str]) -> str:
        """Runs a command until its output is one of those expected, or time is over. Returns the output."""
        end, said = time.monotonic() + seconds, ""
        while said not in awaited and time.monotonic() < end:
            time.sleep(0.1)
            said = self.run(*command).stdout.strip()
        return said


@contextmanager
def booted(root: DebianRoot) -> Iterator[BootedRoot]:
    """Boots the system, and ends everything that ran in it."""
    group = _cgroup_hierarchy() / f"tachogram-package-{root.folder.parent.name}"
    group.mkdir()
    script = 'echo $$ >"$0/cgroup.procs" && exec unshare "$@"'
    unshare = [*NAMESPACES, "--fork", "--kill-child", BOOT, root.folder]
    process = subprocess.Popen(
        ["sh", "-c", script, group, *unshare], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )
    try:
        system = BootedRoot(_first_child(process))
        state = system.last_answer(BOOT_SECONDS, "systemctl", "is-system-running", awaited={"running", "degraded"})
        if state not in ("running", "degraded"):
            raise CheckUnavailable(f"after {BOOT_SECONDS:.0f} s the system in the folder is {state!r}")
        yield system
    finally:
        # Its child is the first process of the namespace and dies with it, and all others with that.
        process.kill()
        process.wait()
        _remove(group)


def _cgroup_hierarchy() -> Path:
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(place)
    raise CheckUnavailable("systemd needs a cgroup2 hierarchy, and none is mounted here")


def _first_child(process: subprocess.Popen[bytes]) -> int:
    for _ in range(100):
        children = run(["ps", "-o", "pid=,comm=", "--ppid", str(process.pid)]).stdout.split()
        if children[1:2] == ["systemd"]:
            return int(children[0])
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise CheckUnavailable("systemd does not start in namespaces of its own here")


def _remove(group: Path) -> None:
    """Removes the folders of a hierarchy from the leaves; a process that just ended may be in them for a moment."""
    for folder in sorted((path for path in group.rglob("*") if path.is_dir()), reverse=True) + [group]:
        for _ in range(50):
            try:
                folder.rmdir()
                break
            except OSError:
                time.sleep(0.1)
