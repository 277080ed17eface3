"""OBS Studio, told what to do by its own WebSocket protocol."""

from __future__ import annotations

import base64
import io
import os
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import obsws_python
from browser_source import BrowserSource, end_session
from package_checks.report import CheckUnavailable
from PIL import Image

START_SECONDS = 60.0
FRAMES_PER_SECOND = 10
# What viewers see, in pixels.
CANVAS = (1280, 720)
# What stands for a game, as 0xAABBGGRR in the settings, and as a viewer sees it.
GAME = 0xFF3C5A28
GAME_COLOUR = (0x28, 0x5A, 0x3C)


class Studio:
    """A running OBS Studio with a scene in which a game is played."""

    def __init__(self, folder: Path, display: str, port: int) -> None:
        home = Path(tempfile.mkdtemp(prefix="obs-", dir=folder))
        configuration = home / ".config/obs-studio"
        (configuration / "basic/profiles/Untitled").mkdir(parents=True)
        (configuration / "global.ini").write_text(
            "[General]\nFirstRun=true\nEnableAutoUpdates=false\n\n[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\n"
            f"ServerPort={port}\nAuthRequired=false\nAlertsEnabled=false\n")
        self._log = home / "obs.log"
        self._process = subprocess.Popen(
            ["obs", "--multi", "--minimize-to-tray", "--disable-updater"], stdin=subprocess.DEVNULL,
            stdout=self._log.open("ab"), stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_RUNTIME_DIR": str(home),
                 "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"})
        try:
            self._client = self._connected(port)
            self._client.set_video_settings(30, 1, *CANVAS, *CANVAS)
            self._scene = self._client.get_current_program_scene().current_program_scene_name
            self.add("Game", "color_source_v3", {"color": GAME, "width": CANVAS[0], "height": CANVAS[1]})
        except BaseException:
            self.close()
            raise

    def _connected(self, port: int) -> Any:
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return obsws_python.ReqClient(host="127.0.0.1", port=port, timeout=START_SECONDS)
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    said = "\n".join(self._log.read_text(errors="replace").splitlines()[-10:])
                    raise CheckUnavailable(f"OBS does not start:\n{said}") from None
                time.sleep(0.2)

    def close(self) -> None:
        """Ends it."""
        end_session(self._process)

    @property
    def version(self) -> str:
        """The version of OBS Studio."""
        return str(self._client.get_version().obs_version)

    def kinds(self) -> list[str]:
        """Returns the kinds of sources that it has."""
        return list(self._client.get_input_kind_list(False).input_kinds)

    def add(self, name: str, kind: str, settings: dict[str, Any]) -> None:
        """Adds a source above all others."""
        self._client.create_input(self._scene, name, kind, settings, True)

    def arrange(self, name: str, blending: str, **transform: float) -> None:
        """Sets the blending mode and the transform of a source, both by the names that OBS has for them."""
        item = self._client.get_scene_item_id(self._scene, name).scene_item_id
        self._client.set_scene_item_blend_mode(self._scene, item, blending)
        self._client.set_scene_item_transform(self._scene, item, transform)

    def picture(self) -> Image.Image:
        """Returns what a viewer sees."""
        shown = self._client.get_source_screenshot(self._scene, "png", *CANVAS, -1).image_data
        return Image.open(io.BytesIO(base64.b64decode(shown.split(",", 1)[1]))).convert("RGB")


class PageFeed:
    """The pictures of a page as an input for OBS Studio, where it has no browser source: raw frames with alpha."""

    def __init__(self, page: BrowserSource) -> None:
        self._page = page
        self._server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    def settings(self) -> dict[str, Any]:
        """Returns the settings of a media source that shows it."""
        width, height = self._page.size
        return {
            "is_local_file": False, "input": f"tcp://127.0.0.1:{self._server.getsockname()[1]}", "input_format": "rawvideo",
            "ffmpeg_options": f"pixel_format=bgra video_size={width}x{height} framerate={FRAMES_PER_SECOND}",
            "buffering_mb": 0, "reconnect_delay_sec": 1, "hw_decode": False}

    def close(self) -> None:
        """Ends it."""
        # Closing alone does not end a wait for a client.
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            with client:
                try:
                    while True:
                        if (picture := self._page.picture()) is not None:
                            client.sendall(picture.tobytes("raw", "BGRA"))
                        time.sleep(1 / FRAMES_PER_SECOND)
                except OSError:
                    pass
