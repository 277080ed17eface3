"""A page in the Chromium Embedded Framework, without a window, as the browser source of OBS has it.

    cef_page.py ADDRESS WIDTH HEIGHT FILE [STYLE]

FILE holds the last picture: its number and the number again behind it, 8 bytes each, between them the rows in BGRA with
premultiplied alpha. STYLE is added to the page as OBS adds its own. What happens to the page is printed as lines of JSON. From
the standard input it takes `hide`, `show` and `refresh`, which OBS does as well; the end of the input ends it.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from cef_capi import base_ctor, cef_string_ctor, decode_cef_string, handler, header, size_ctor, task_factory
from cef_capi import struct as cef
from cef_capi.app_client import app_ctor, client_ctor, settings_main_args_ctor

FRAMES_PER_SECOND = 30
NUMBER = struct.Struct("<q")


def say(event: str, **facts: Any) -> None:
    """Prints what happened to the page."""
    print(json.dumps({"event": event, **facts}), flush=True)


class PictureFile:
    """The file of the last picture. A reader that finds another number in front than behind, read before, met a writer."""

    def __init__(self, name: str, width: int, height: int) -> None:
        self._bytes = width * height * 4
        self._count = 0
        with open(name, "w+b") as file:
            file.truncate(self._bytes + 2 * NUMBER.size)
            self._map = mmap.mmap(file.fileno(), 0)
        self._start = ctypes.addressof(ctypes.c_char.from_buffer(self._map))

    def put(self, picture: int) -> None:
        """Stores a picture, which is copied from an address."""
        self._count += 1
        self._map[:NUMBER.size] = NUMBER.pack(self._count)
        ctypes.memmove(self._start + NUMBER.size, picture, self._bytes)
        self._map[-NUMBER.size:] = NUMBER.pack(self._count)


class CEFPage:
    """The page and what is told about it."""

    def __init__(self, width: int, height: int, file: PictureFile, style: str) -> None:
        self._size, self._file, self._style = (width, height), file, style
        self._browser: Any = None
        self._handlers = {
            "get_render_handler": self._rendering(), "get_load_handler": self._loading(), "get_display_handler": self._showing(),
            "get_life_span_handler": self._living()}

    def client(self) -> Any:
        """Returns what CEF asks for its handlers."""
        client = client_ctor()
        for name, one in self._handlers.items():
            answer = self._answer(one)
            # By its name it is registered.
            answer.__name__ = name
            handler(client)(answer)
        return client

    @staticmethod
    def _answer(one: Any) -> Callable[..., Any]:
        def answer(*_: Any) -> Any:
            # Each answer is a reference more.
            one.base.add_ref(ctypes.pointer(one.base))
            return one

        return answer

    def _rendering(self) -> Any:
        render = base_ctor(cef.cef_render_handler_t)

        @handler(render)
        def get_view_rect(_browser: Any, area: Any) -> None:
            area.x = area.y = 0
            area.width, area.height = self._size

        @handler(render)
        def on_paint(_browser: Any, kind: int, _count: int, _areas: Any, picture: int, width: int, height: int) -> None:
            if kind == header.PET_VIEW and (width, height) == self._size:
                self._file.put(picture)

        return render

    def _loading(self) -> Any:
        load = base_ctor(cef.cef_load_handler_t)

        @handler(load)
        def on_load_end(_browser: Any, frame: Any, status: int) -> None:
            if self._style:
                script = (
                    "const obsStyle = document.createElement('style');"
                    f"obsStyle.appendChild(document.createTextNode(decodeURIComponent('{quote(self._style)}')));"
                    "document.querySelector('head').appendChild(obsStyle);")
                frame.execute_java_script(frame, cef_string_ctor(script), cef_string_ctor(""), 0)
            say("loaded", status=status)

        @handler(load)
        def on_load_error(_browser: Any, _frame: Any, code: int, _text: Any, _address: Any) -> None:
            say("failed", code=code)

        return load

    def _showing(self) -> Any:
        show = base_ctor(cef.cef_display_handler_t)

        @handler(show)
        def on_console_message(_browser: Any, _level: int, message: Any, _source: Any, _line: int) -> int:
            say("console", text=decode_cef_string(ctypes.pointer(message)).strip())
            return 0

        return show

    def _living(self) -> Any:
        live = base_ctor(cef.cef_life_span_handler_t)

        @handler(live)
        def on_after_created(browser: Any) -> None:
            self._browser = browser

        return live

    def obey(self, verb: str) -> None:
        """Does what OBS does with a source. Runs in the thread of the browser."""
        host = ctypes.cast(self._browser.get_host(self._browser), ctypes.POINTER(cef.cef_browser_host_t))
        if verb in ("hide", "show"):
            host.contents.was_hidden(host, int(verb == "hide"))
        elif verb == "refresh":
            self._browser.reload_ignore_cache(self._browser)
        say("done", verb=verb)


def main() -> None:
    """Shows the page until the standard input ends."""
    address, width, height, name, *style = sys.argv[1:]
    page = CEFPage(int(width), int(height), PictureFile(name, int(width), int(height)), "".join(style))
    settings, arguments = settings_main_args_ctor()
    settings.no_sandbox = settings.windowless_rendering_enabled = 1
    settings.log_severity = cef.LOGSEVERITY_DISABLE
    settings.root_cache_path = cef_string_ctor(os.path.abspath(name) + ".cache")
    header.cef_initialize(arguments, settings, app_ctor(), None)
    window, own = cef.cef_window_info_t(), size_ctor(cef.cef_browser_settings_t)
    window.windowless_rendering_enabled = 1
    own.windowless_frame_rate = FRAMES_PER_SECOND
    header.cef_browser_host_create_browser(window, page.client(), cef_string_ctor(address), own, None, None)
    task = task_factory(page.obey)

    def follow() -> None:
        for line in sys.stdin:
            header.cef_post_task(header.TID_UI, task(line.strip()))
        # Its orderly end waits for pages that do not answer.
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
    header.cef_run_message_loop()


if __name__ == "__main__":
    main()
