"""A bluetoothd of another Debian release than this machine's, unpacked beside it with its own libraries."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from radio_lab.host.failure import LabFailure

MIRROR = "http://deb.debian.org/debian"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
LOADER = "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
PROGRAM = "usr/libexec/bluetooth/bluetoothd"


@dataclass(frozen=True)
class OtherDaemon:
    """The bluetoothd of a release such as trixie, in `folder`, which is kept for later runs."""

    release: str
    folder: Path

    def words(self, say: Callable[[str], None]) -> tuple[str, ...]:
        """Returns the command that runs it: its own loader, with its own libraries. Downloads it the first time."""
        root = self._root(say)
        return (str(root / LOADER), "--library-path", str(root / LIBRARIES), str(root / PROGRAM))

    def _root(self, say: Callable[[str], None]) -> Path:
        root = self.folder / "root"
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            # Several labs may need it at once: one downloads, the others wait.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not root.exists():
                say(f"Downloading the bluetoothd of Debian {self.release} (25 MB, once) …")
                self._unpack(self._packages(), root)
        return root

    def _packages(self) -> list[Path]:
        """Downloads the packages with all their dependencies. apt verifies the signature of the archive."""
        if not KEYRING.exists():
            raise LabFailure(f"{KEYRING} is missing: apt-get install debian-archive-keyring")
        state = self.folder / "apt"
        shutil.rmtree(state, ignore_errors=True)
        for name in ("lists/partial", "cache/archives/partial"):
            (state / name).mkdir(parents=True)
        (state / "status").touch()
        (state / "sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} {self.release} main\n")
        settings = {
            "Dir::Etc::sourcelist": state / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null", "Dir::State::lists": state / "lists",
            "Dir::State::status": state / "status", "Dir::Cache": state / "cache", "APT::Sandbox::User": "root",
            "APT::Architecture": "amd64",
        }
        options = [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]
        for command in (["update"], ["install", "--yes", "--download-only", "--no-install-recommends", "bluez"]):
            self._run(["apt-get", "--quiet", *options, *command])
        return sorted((state / "cache/archives").glob("*.deb"))

    def _unpack(self, packages: list[Path], root: Path) -> None:
        # Renamed when it is complete.
        unfinished = self.folder / "root.part"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        for package in packages:
            self._run(["dpkg-deb", "--extract", str(package), str(unfinished)])
        for name in (LOADER, PROGRAM):
            if not (unfinished / name).exists():
                raise LabFailure(f"the packages of Debian {self.release} have no {name}")
        unfinished.rename(root)
        shutil.rmtree(self.folder / "apt", ignore_errors=True)

    @staticmethod
    def _run(command: list[str]) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise LabFailure(f"{' '.join(command[:1])} failed:\n{(done.stderr or done.stdout).strip()[-800:]}")
