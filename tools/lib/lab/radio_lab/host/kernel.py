"""The guest's kernel: built once from Debian's sources, kept in the cache folder for each configuration."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from radio_lab.host.apt import Apt
from radio_lab.host.failure import LabFailure
from radio_lab.host.kernel_source import KernelSource


@dataclass(frozen=True)
class Edit:
    """A change of the sources: in `file`, `old` is replaced by `new`."""

    file: str
    old: str
    new: str

    def apply(self, tree: Path) -> bool:
        """Applies the change. Returns `False` if the source differs, as in a kernel with its own correction."""
        path = tree / self.file
        text = path.read_text() if path.exists() else ""
        if self.old not in text:
            return False
        path.write_text(text.replace(self.old, self.new))
        return True


# User-mode Linux keeps 2696 bytes of each process's registers, as many as AVX-512 has, and the host takes all of them back
# or none: where processors have AMX there are 11008, and init died. Linux 6.13 asks the host how many there are. What is
# kept stands on the guest's stacks, too: KERNEL_STACK_ORDER has to make room.
REGISTERS = Edit("arch/x86/um/user-offsets.c", "HOST_FP_SIZE, 2696", "HOST_FP_SIZE, 12288")


@dataclass(frozen=True)
class KernelRecipe:
    """The inputs of a kernel. Each recipe has its own kernel in the cache."""

    config: Path
    source: KernelSource
    edits: tuple[Edit, ...] = (REGISTERS,)

    @property
    def key(self) -> str:
        """Returns the name of the kernel in the cache."""
        digest = hashlib.sha256()
        for part in (self.source.package, self.source.version, platform.machine()):
            digest.update(part.encode() + b"\0")
        for edit in self.edits:
            digest.update("\0".join(astuple(edit)).encode() + b"\0")
        digest.update(self.config.read_bytes())
        return digest.hexdigest()[:16]


class KernelCache:
    """Returns the kernel of a recipe, and builds it the first time."""

    def __init__(self, folder: Path, recipe: KernelRecipe, apt: Apt) -> None:
        self._folder = folder / "kernel"
        self._recipe = recipe
        self._apt = apt
        self._say = apt.say

    @property
    def is_built(self) -> bool:
        """Returns whether the kernel is in the cache."""
        return (self._place / "linux").exists()

    @property
    def built_from(self) -> str:
        """Returns package and version of its sources, or empty texts if unknown."""
        file = self._place / "version"
        return file.read_text().strip() if file.exists() else ""

    @property
    def _place(self) -> Path:
        return self._folder / self._recipe.key

    def kernel(self) -> Path:
        """Returns the executable. If several labs need it at once, one builds and the others wait."""
        if not self.is_built:
            if platform.machine() != "x86_64":
                raise LabFailure(f"user-mode Linux runs on x86_64 only, and this machine is {platform.machine()}")
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._locked():
                if not self.is_built:
                    self._build(self._place)
        return self._place / "linux"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self._folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._say("Waiting for another lab that builds the guest's kernel …")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _build(self, place: Path) -> None:
        self._say(
            f"Building the guest's kernel, once: 140 MB of sources ({self._recipe.source.text}), 2 GB of disk while it "
            "builds, 6 to 12 minutes …"
        )
        work = Path(tempfile.mkdtemp(prefix=f"{self._recipe.key}.", dir=self._folder))
        log = work / "build.log"
        try:
            version = self._recipe.source.download(work, log, self._apt)
            tree = self._unpack(work, log)
            for edit in self._recipe.edits:
                if not edit.apply(tree):
                    self._say(f"  {edit.file} of this version is left as it is")
            self._make(tree, log)
            made = work / "made"
            made.mkdir()
            self._step("stripping", ["strip", "-o", str(made / "linux"), str(tree / "linux")], work, log)
            (made / "version").write_text(f"{self._recipe.source.package} {version}\n")
            os.rename(made, place)
        except LabFailure:
            kept = self._folder / "failed-build.log"
            shutil.copyfile(log, kept)
            self._say(f"The log of the failed build is {kept}")
            raise
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _unpack(self, work: Path, log: Path) -> Path:
        package = next(work.glob("*.deb"))
        archive = f"./usr/src/{self._recipe.source.package}.tar.xz"
        script = f"dpkg --fsys-tarfile {package.name} | tar xO {archive} | tar xJ"
        self._say("  unpacking")
        self._step("unpacking the kernel's sources", ["bash", "-o", "pipefail", "-ec", script], work, log)
        package.unlink()
        return work / self._recipe.source.package

    def _make(self, tree: Path, log: Path) -> None:
        shutil.copyfile(self._recipe.config, tree / ".config")
        make = ["nice", "-n", "15", "make", "ARCH=um", f"-j{os.environ.get('RADIO_LAB_MAKE_JOBS', os.cpu_count())}"]
        self._step("configuring the kernel", [*make, "olddefconfig"], tree, log)
        self._step("compiling the kernel", [*make, "linux"], tree, log, counting=True)

    def _try(self, command: list[str], folder: Path, log: Path) -> int:
        with log.open("a") as output:
            return subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
            ).returncode

    def _step(self, what: str, command: list[str], folder: Path, log: Path, counting: bool = False) -> None:
        """Runs a command with its output in the log; `counting` reports the number of compiled files."""
        if not counting:
            code = self._try(command, folder, log)
        else:
            with log.open("a") as output, subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=output, text=True
            ) as process:
                for number, line in enumerate(process.stdout or (), start=1):
                    output.write(line)
                    if number % 200 == 0:
                        self._say(f"  compiling: {number} files")
            code = process.returncode
        if code != 0:
            raise LabFailure(f"{what} failed with {code}")
