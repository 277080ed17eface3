"""A Debian 12 to throw away: a small system in a folder of its own, entered with chroot."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from package_checks.package import Package
from package_checks.report import CheckUnavailable, run, say

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "-q", "--no-install-recommends"]
# Kept with the system, so that it need not be fetched each time.
DOWNLOADED = ["systemd-sysv", "dbus", "procps", "libdbus-1-3", "libsqlite3-0", "libssl3", "libcurl4", "libqrencode4"]
# Services must not start when a package is installed: what would run is this machine's, not the folder's.
NO_SERVICES = "#!/bin/sh\nexit 101\n"


class DebianRoot:
    """The system in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @staticmethod
    @contextmanager
    def throw_away(package: Package) -> Iterator[DebianRoot]:
        """Creates a temporary system with the package's dependencies, but without the package. Changes are discarded;
        its base is kept outside the checkout."""
        kept = _kept_root()
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tachogram-root-")))
            # Writes go to a folder of their own, laid over the one that is kept.
            for name in ("changes", "work", "root"):
                (folder / name).mkdir()
            layers = f"lowerdir={kept},upperdir={folder / 'changes'},workdir={folder / 'work'}"
            root = DebianRoot(folder / "root")
            stack.enter_context(_mounted("overlay", root.folder, "-t", "overlay", "-o", layers))
            stack.enter_context(_mounted("proc", root.folder / "proc", "-t", "proc"))
            stack.enter_context(_mounted("/dev/null", root.folder / "dev/null", "--bind"))
            stack.enter_context(_mounted("/dev/urandom", root.folder / "dev/urandom", "--bind"))
            shutil.copy(package.path, root.folder / "root")
            root._install("satisfy", package.field("Depends"))
            yield root

    def install(self, *names: str) -> None:
        """Installs packages of Debian."""
        self._install("install", *names)

    def run(self, *command: str, user: str | None = None, **options: object) -> subprocess.CompletedProcess[str]:
        """Runs a command in the system, as root or as another user."""
        as_user = ["runuser", "-u", user, "--"] if user else []
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}
        return run(["chroot", self.folder, *as_user, *command], **{"env": environment, "cwd": "/", **options})

    def path(self, name: str) -> Path:
        """Returns the path of one of its files on the host."""
        return self.folder / name.lstrip("/")

    def snapshot(self) -> set[str]:
        """Returns the paths of all files and folders except mounted ones."""
        paths = set()
        for place, folders, files in os.walk(self.folder):
            if Path(place) == self.folder:
                folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
            base = "/" + os.path.relpath(place, self.folder).removeprefix(".")
            paths |= {os.path.join(base, name) for name in (*folders, *files)}
        return paths

    def _install(self, how: str, *what: str) -> None:
        installed = self.run(*APT, how, *what)
        if installed.returncode != 0:
            self.run(*APT, "update")
            installed = self.run(*APT, how, *what)
        if installed.returncode != 0:
            said = f"{installed.stdout}{installed.stderr}"
            raise CheckUnavailable(f"in Debian 12, apt-get {how} {' '.join(what)} fails:\n{said}")


@contextmanager
def _mounted(what: str, where: Path, *options: str) -> Iterator[None]:
    if options == ("--bind",) and not where.exists():
        where.touch()
    mounted = run(["mount", *options, what, where])
    if mounted.returncode != 0:
        raise CheckUnavailable(f"{where} cannot be mounted: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        run(["umount", where])


def _kept_root() -> Path:
    """Returns the minimal system, which is downloaded once; an existing folder is complete."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    kept = Path(base) / "tachogram" / "package" / SUITE
    if kept.exists():
        return kept
    say(f"Fetching a minimal Debian 12 into {kept} (once, 210 MB) …")
    kept.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{SUITE}.", dir=kept.parent))
    made = run(["debootstrap", "--variant=minbase", SUITE, unfinished, MIRROR])
    if made.returncode != 0:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise CheckUnavailable(f"debootstrap failed:\n{made.stdout[-2000:]}{made.stderr}")
    shutil.copy("/etc/resolv.conf", unfinished / "etc/resolv.conf")
    (unfinished / "usr/sbin/policy-rc.d").write_text(NO_SERVICES)
    (unfinished / "usr/sbin/policy-rc.d").chmod(0o755)
    unfinished.chmod(0o755)
    run(["chroot", unfinished, *APT, "install", "--download-only", *DOWNLOADED])
    unfinished.rename(kept)
    return kept
