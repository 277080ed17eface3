"""A Debian to throw away: a small system in a folder of its own, entered with chroot."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from package_checks.debian_system import DebianSystem, exclusive
from package_checks.mounts import ENCLOSED, MORTAL, mounted
from package_checks.package import Package
from package_checks.report import CheckUnavailable, StepFailed, run

APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "-q", "--no-install-recommends"]
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}
# Nothing takes longer, also where another architecture is emulated on a busy machine.
COMMAND_SECONDS = 900.0


class DebianRoot:
    """The system in `folder`."""

    def __init__(self, folder: Path, system: DebianSystem) -> None:
        self.folder = folder
        self.system = system

    @staticmethod
    @contextmanager
    def throw_away(system: DebianSystem) -> Iterator[DebianRoot]:
        """Creates a temporary minimal system. Changes are discarded; its base and the packages that are downloaded are
        kept outside the checkout."""
        kept = system.kept_root()
        with ExitStack() as stack:
            temporary = tempfile.TemporaryDirectory(prefix="tachogram-root-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(temporary))
            # Writes go to a folder of their own, laid over the one that is kept.
            for name in ("changes", "work", "root"):
                (folder / name).mkdir()
            layers = f"lowerdir={kept},upperdir={folder / 'changes'},workdir={folder / 'work'}"
            root = DebianRoot(folder / "root", system)
            stack.enter_context(mounted("overlay", root.folder, "-t", "overlay", "-o", layers))
            stack.enter_context(mounted("proc", root.folder / "proc", "-t", "proc"))
            stack.enter_context(mounted("/dev/null", root.folder / "dev/null", "--bind"))
            stack.enter_context(mounted("/dev/urandom", root.folder / "dev/urandom", "--bind"))
            stack.enter_context(mounted(system.archives, root.path("/var/cache/apt/archives"), "--bind"))
            yield root

    def add(self, package: Package) -> str:
        """Copies a package into the system. Returns its path there."""
        shutil.copy(package.path, self.folder / "root")
        return f"/root/{package.path.name}"

    def install(self, *names: str) -> None:
        """Installs packages of Debian."""
        self._expect_apt("install", *names)

    def install_dependencies(self, package: Package) -> None:
        """Installs what a package depends on, but not the package."""
        self._expect_apt("satisfy", package.field("Depends"))

    def apt(self, how: str, *what: str) -> subprocess.CompletedProcess[str]:
        """Runs apt-get. If it fails, the lists of packages may be old: they are fetched, and it runs again."""
        done = self.apt_once(how, *what)
        if done.returncode != 0:
            self.apt_once("update")
            done = self.apt_once(how, *what)
        return done

    def apt_once(self, how: str, *what: str) -> subprocess.CompletedProcess[str]:
        """Runs apt-get. Systems of a kind take turns, because apt gives up when another one uses the archives."""
        with exclusive(Path(f"{self.system.archives}.lock")):
            return self.run(*APT, how, *what)

    def run(self, *command: str, user: str | None = None, **options: object) -> subprocess.CompletedProcess[str]:
        """Runs a command in the system, as root or as another user."""
        as_user = ["runuser", "-u", user, "--"] if user else []
        inside: dict[str, object] = {"env": ENVIRONMENT, "cwd": "/", "timeout": COMMAND_SECONDS, **options}
        try:
            return run([*ENCLOSED, f"--root={self.folder}", *as_user, *command], **inside)
        except subprocess.TimeoutExpired as late:
            raise StepFailed(f"{' '.join(command)} did not end within {late.timeout:.0f} s") from None

    def path(self, name: str) -> Path:
        """Returns the path of one of its files on the host."""
        return self.folder / name.lstrip("/")

    def start(
        self, *command: str, owner: str, environment: dict[str, str], **options: object
    ) -> subprocess.Popen[bytes]:
        """Starts a command that becomes the process that is returned, as the user and group that a path belongs to."""
        status = self.path(owner).stat()
        as_owner = [f"--userspec=+{status.st_uid}:+{status.st_gid}", "--groups="]
        return subprocess.Popen(  # type: ignore[call-overload]
            ["chroot", *as_owner, str(self.folder), *MORTAL, *command], env={**ENVIRONMENT, **environment}, cwd="/",
            stdin=subprocess.DEVNULL, start_new_session=True, **options)

    def snapshot(self) -> set[str]:
        """Returns the paths of all files and folders except mounted ones."""
        paths = set()
        for place, folders, files in os.walk(self.folder):
            if Path(place) == self.folder:
                folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
            base = "/" + os.path.relpath(place, self.folder).removeprefix(".")
            paths |= {os.path.join(base, name) for name in (*folders, *files)}
        return paths

    def _expect_apt(self, how: str, *what: str) -> None:
        done = self.apt(how, *what)
        if done.returncode != 0:
            said = f"{done.stdout}{done.stderr}"
            raise CheckUnavailable(f"in {self.system.title}, apt-get {how} {' '.join(what)} fails:\n{said}")
