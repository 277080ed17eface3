"""A client of bluetoothd that is independent of the program under test, and says how it was answered."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

ADAPTER = "/org/bluez/hci0"
ERROR = re.compile(r"GDBus\.Error:([\w.]+): (.*)")


@dataclass(frozen=True)
class Answer:
    """An answer to a method call: its values as gdbus prints them, or an error in words."""

    values: str
    error: str

    @property
    def text(self) -> str:
        """Returns the answer in words."""
        return self.error or "success"


def ask(path: str, member: str, *arguments: str, seconds: int) -> Answer:
    """Calls a method of bluetoothd, named with its interface such as `Device1.Connect`, and waits some seconds."""
    interface = "" if member.startswith("org.") else "org.bluez."
    done = subprocess.run(
        ["gdbus", "call", "--system", "--timeout", str(seconds), "--dest", "org.bluez", "--object-path", path,
         "--method", interface + member, *arguments],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=seconds + 10, check=False,
    )
    if done.returncode == 0:
        return Answer(done.stdout.strip(), "")
    return Answer("", _error(done.stderr, seconds))


def _error(said: str, seconds: int) -> str:
    match = ERROR.search(said)
    if match and not match[1].endswith(".NoReply"):
        return f"{match[1].rpartition('Error.')[2]}: {match[2].strip()}"
    return f"no answer within {seconds} s" if match or "Timeout" in said else said.strip()


def device_path(address: str) -> str:
    """Returns the object path of a device of the first adapter."""
    return f"{ADAPTER}/dev_{address.replace(':', '_')}"
