"""A real Home Assistant in a Debian to throw away, as its API shows it."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from package_checks.debian_root import DebianRoot
from package_checks.report import CheckUnavailable, progress
from steps import Unmet

# The last version for the Python of Debian 13. Device discovery came with 2024.11.
VERSION = "2026.2.3"
PACKAGES = ["python3-venv", "python3-dev", "build-essential", "ca-certificates", "libturbojpeg0", "libpcap0.8t64",
            "libffi-dev", "libssl-dev"]
COMPONENTS = ["mqtt", "frontend", "onboarding", "api", "http", "config", "person", "auth", "websocket_api", "recorder"]
PYTHON = "/ha/venv/bin/python3"
# Prints what the manifests of components and of those that they depend on require.
REQUIREMENTS = """
import json, pathlib, sys
import homeassistant
base, seen, found = pathlib.Path(homeassistant.__file__).parent / "components", set(), set()
def visit(name):
    manifest = base / name / "manifest.json"
    if name in seen or not manifest.exists():
        return
    seen.add(name)
    facts = json.loads(manifest.read_text())
    found.update(facts.get("requirements", []))
    for other in facts.get("dependencies", []):
        visit(other)
for name in sys.argv[1:]:
    visit(name)
print(chr(10).join(sorted(found)))
"""
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
START_SECONDS = 120.0
ANSWER_SECONDS = 30.0


class HomeAssistant:
    """An installation and its process."""

    def __init__(self, root: DebianRoot, port: int) -> None:
        self.root = root
        self.base = f"http://127.0.0.1:{port}"
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        self._token = ""

    # MARK: Installation

    def install(self) -> None:
        """Installs it with what its MQTT integration needs."""
        with progress("Installing what Home Assistant needs in Debian 13"):
            self.root.install(*PACKAGES)
            # Those that this machine trusts, also behind a proxy.
            shutil.copy(CERTIFICATES, self.root.path(CERTIFICATES))
            shutil.copy("/etc/resolv.conf", self.root.path("/etc/resolv.conf"))
        with progress(f"Installing Home Assistant {VERSION} from PyPI"):
            self._run("python3", "-m", "venv", "/ha/venv")
            self._pip(f"homeassistant=={VERSION}")
            required = self._run(PYTHON, "-c", REQUIREMENTS, *COMPONENTS).split("\n")
            self._pip(*[line for line in required if line])
        configuration = self.root.path("/ha/config/configuration.yaml")
        configuration.parent.mkdir(parents=True)
        configuration.write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {self._port}\n"
            "frontend:\napi:\nconfig:\nlogger:\n  default: info\n")

    def _pip(self, *what: str) -> None:
        self._run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--prefer-binary", *what)

    def _run(self, *command: str) -> str:
        done = self.root.run("env", f"PIP_CERT={CERTIFICATES}", f"SSL_CERT_FILE={CERTIFICATES}", *command)
        if done.returncode != 0:
            raise CheckUnavailable(f"{' '.join(command[:6])} … failed:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
        return done.stdout

    # MARK: Process

    def start(self) -> None:
        """Starts it, and waits until its API answers."""
        log = self.root.path("/ha/output.log").open("ab")
        self._process = self.root.start(
            PYTHON, "-m", "homeassistant", "-c", "/ha/config", owner="/ha", stdout=log, stderr=log,
            environment={"HOME": "/ha", "SSL_CERT_FILE": CERTIFICATES, "PIP_CERT": CERTIFICATES, "UV_NATIVE_TLS": "1"})
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                urllib.request.urlopen(self.base + "/manifest.json", timeout=ANSWER_SECONDS).close()
                return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise CheckUnavailable(f"Home Assistant does not start:\n{self.log()[-3000:]}") from None
                time.sleep(0.5)

    def stop(self) -> None:
        """Ends it."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def log(self) -> str:
        """Returns all that it wrote."""
        paths = [self.root.path(name) for name in ("/ha/output.log", "/ha/config/home-assistant.log")]
        return "".join(path.read_text(errors="replace") for path in paths if path.exists())

    # MARK: API

    def set_up(self, broker: dict[str, object]) -> None:
        """Creates its first user, and adds its MQTT integration."""
        client = self.base + "/"
        user = self._call("POST", "/api/onboarding/users", {
            "client_id": client, "name": "Test", "username": "test", "password": "only for this test", "language": "en"})
        self._log_in(user["auth_code"])
        for part in ("core_config", "analytics"):
            self._call("POST", f"/api/onboarding/{part}", {})
        self._call("POST", "/api/onboarding/integration", {"client_id": client, "redirect_uri": client})
        flow = self._call("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        done = self._call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", broker)
        if done.get("type") != "create_entry":
            raise Unmet(f"the MQTT integration is not added: {done}")

    def states(self) -> dict[str, dict[str, Any]]:
        """Returns the sensors and switches, by their identifiers."""
        return {entity["entity_id"]: entity for entity in self._call("GET", "/api/states")
                if entity["entity_id"].split(".")[0] in ("sensor", "binary_sensor", "switch")}

    def call_service(self, domain: str, service: str, entity: str) -> None:
        """Does what a person does in a dashboard."""
        self._call("POST", f"/api/services/{domain}/{service}", {"entity_id": entity})

    def wait(self, what: str, seconds: float, holds: Callable[[dict[str, dict[str, Any]]], bool]) -> None:
        """Waits until the entities are as expected."""
        begun = time.monotonic()
        while not holds(states := self.states()):
            if time.monotonic() - begun > seconds:
                shown = {name: entity["state"] for name, entity in states.items()}
                raise Unmet(f"{what}: not within {seconds:g} s, but {shown}")
            time.sleep(0.1)

    def wait_until_running(self, seconds: float) -> None:
        """Waits until Home Assistant has started and shows the states that it kept."""
        deadline = time.monotonic() + seconds
        while self._call("GET", "/api/config")["state"] != "RUNNING":
            if time.monotonic() > deadline:
                raise Unmet(f"Home Assistant is not running within {seconds:g} s")
            time.sleep(0.2)

    def _log_in(self, code: str) -> None:
        """Gets a token for the code of a user. It is valid for half an hour, longer than a trial lasts."""
        grant = {"client_id": self.base + "/", "grant_type": "authorization_code", "code": code}
        data = urllib.parse.urlencode(grant).encode()
        with urllib.request.urlopen(self.base + "/auth/token", data, timeout=ANSWER_SECONDS) as answer:
            self._token = json.load(answer)["access_token"]

    def _call(self, method: str, path: str, data: object = None) -> Any:
        request = urllib.request.Request(
            self.base + path, None if data is None else json.dumps(data).encode(), method=method,
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"})
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Unmet(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from None
