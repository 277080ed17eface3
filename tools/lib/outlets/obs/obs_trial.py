"""What viewers see of the overlay, step by step."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from browser_source import STYLE, BrowserSource, end_session
from display import SIZE, Display
from fake_daemon import FakeDaemon
from PIL import Image, ImageChops
from processes import Station, free_port, settings
from steps import Steps, Unmet, expect
from studio import CANVAS, GAME_COLOUR, PageFeed, Studio

# The size of the heart rate in pixels, and where its digits are, in multiples of it.
TEXT = 96
DIGITS = (1.05, 0.1, 2.6, 1.35)
# Stale is said within five seconds, fades in, and is read from pictures that come each 33 ms.
STALE_SECONDS = 6.0
# When a source is shown, OBS has its last picture until the page has drawn another one.
SHOWN_SECONDS = 2.0
# A state each second, and the time that a busy machine takes.
SOON = 30.0
# What CEF calls an authority that it does not know.
UNKNOWN_AUTHORITY = -202
LOADED = {"event": "loaded", "status": 200}
RED = (255, 0, 0)


def digits_in(picture: Image.Image) -> int | None:
    """Returns the heart rate that a person reads in a picture, by Tesseract."""
    area = picture.crop(tuple(round(TEXT * edge) for edge in DIGITS)).convert("L")
    bright = area.point(lambda value: 0 if value > 160 else 255)
    if bright.getextrema()[0] != 0:
        return None
    held = io.BytesIO()
    bright.save(held, "png")
    done = subprocess.run(
        ["tesseract", "-", "-", "--psm", "7", "-c", "tessedit_char_whitelist=0123456789-"], input=held.getvalue(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    text = done.stdout.decode().strip()
    return int(text) if text.isdecimal() else None


def above_game(picture: Image.Image) -> Image.Image:
    """Returns a picture of a page above the game."""
    below = Image.new("RGBA", picture.size, (*GAME_COLOUR, 255))
    return Image.alpha_composite(below, picture).convert("RGB")


def opacity(picture: Image.Image) -> int:
    """Returns the highest alpha of a picture, of 255."""
    return picture.getchannel("A").getextrema()[1]


class Trial:
    """A strap, a station, a display, and what shows the overlay."""

    def __init__(self, binary: str, chromium: str, daemon: FakeDaemon, display: Display, folder: Path) -> None:
        self._binary, self._chromium, self._folder = binary, chromium, folder
        self._daemon, self._display = daemon, display
        self._steps = Steps()
        self._database = folder / "tachogram.sqlite"
        self._settings = settings(f"radio.bus={daemon.address}", f"http.port={free_port()}")
        self._tachogram("pair", daemon.straps(1)[0].address, "--bus", daemon.address)
        self._station = self._started()

    def close(self) -> None:
        """Ends the station."""
        self._station.kill()

    def run(self) -> int:
        """Runs the steps. Returns the exit code."""
        for step in (self._page, self._style, self._small, self._silence, self._hidden, self._killed, self._authority,
                     self._studio, self._window):
            with self._steps.step((step.__doc__ or "").rstrip(".")):
                step()
        print(f"obs: {self._steps.count} steps, {len(self._steps.failed)} failed", flush=True)
        return 1 if self._steps.failed else 0

    # MARK: The browser source

    def _page(self) -> None:
        """In a browser source as OBS adds it, the heart rate is current, and all around it is transparent."""
        with closing(self._source()) as source:
            source.wait("the rate is shown", self._has_digits)
            self._follow_rate(lambda: above_game(self._picture(source)))
            picture = self._picture(source)
            expect(opacity(picture) == 255, "nothing is opaque")
            outside = Image.new("L", picture.size, 255)
            outside.paste(0, (0, 0, 4 * TEXT, 2 * TEXT))
            expect(not ImageChops.multiply(picture.getchannel("A"), outside).getbbox(), "something else is shown")
            expect(not source.said, f"the page said {source.said}")

    def _style(self) -> None:
        """The style that is entered for the source applies, also where it moves what is shown."""
        down = 2 * TEXT
        style = f"{STYLE} .rate .number {{ color: rgb(255, 0, 0) }} main {{ transform: translateY({down}px) }}"
        with closing(self._source(style=style)) as source:
            source.wait("the number is red", lambda one: (*RED, 255) in (color for _, color in one.getcolors(2 ** 20) or []))
            top = (self._picture(source).getchannel("A").getbbox() or (0, 0))[1]
            expect(down <= top < down + TEXT, f"it begins at {top} px")
            expect(not source.said, f"the page said {source.said}")

    def _small(self) -> None:
        """A source that is too small has no scroll bars, also without a style."""
        with closing(self._source(size=(TEXT * 2, TEXT), style="")) as source:
            source.wait("the rate is shown", lambda one: opacity(one) == 255)
            edges = self._picture(source).getchannel("A")
            for side, area in (("bottom", (0, TEXT - 4, TEXT // 6, TEXT)), ("right", (TEXT * 2 - 4, 0, TEXT * 2, TEXT // 4))):
                expect(edges.crop(area).getextrema()[1] == 0, f"there is a bar at the {side}")

    def _silence(self) -> None:
        """A silent strap is dimmed and a dash in time, and current again."""
        with closing(self._source()) as source:
            source.wait("the rate is shown", self._has_digits)
            with self._silent_strap():
                source.wait("it is dimmed", self._is_stale, STALE_SECONDS)
            source.wait("the rate is back", self._has_digits)

    def _hidden(self) -> None:
        """A source that was hidden when its strap fell silent does not go on with the old number."""
        with closing(self._source()) as source:
            source.wait("the rate is shown", self._has_digits)
            source.do("hide")
            with self._silent_strap():
                time.sleep(STALE_SECONDS)
                expect(self._has_digits(self._picture(source)), "it was not hidden")
                source.do("show")
                source.wait("the old number is gone", self._is_stale, SHOWN_SECONDS)
            source.wait("the rate is back", self._has_digits)

    def _killed(self) -> None:
        """A killed station is dimmed in time; the rate is back when it is, and when the page is refreshed."""
        with closing(self._source()) as source:
            source.wait("the rate is shown", self._has_digits)
            self._station.kill()
            try:
                source.wait("it is dimmed", self._is_stale, STALE_SECONDS)
            finally:
                self._station = self._started()
            source.wait("the rate is back", self._has_digits)
            source.do("refresh")
            outcome = source.outcome()
            expect(outcome == LOADED, f"refreshed: {outcome}")
            # The picture from before the refresh has one of the two.
            self._follow_rate(lambda: above_game(self._picture(source)))

    def _authority(self) -> None:
        """An opened station is shown once its authority is trusted as the documentation says."""
        try:
            self._station.end()
            self._tachogram("open", *self._settings)
            token = self._tachogram("token", "add", "OBS", "--scope", "overlay", *self._settings).split()[-1]
            self._station = Station(self._binary, self._folder, self._settings, port=None)
            base = f"https://localhost:{self._station.port}"
            address = f"{base}/overlay?size={TEXT}&token={token}"
            with closing(BrowserSource(address, self._folder, self._display.name)) as source:
                outcome = source.outcome()
                expect(outcome == {"event": "failed", "code": UNKNOWN_AUTHORITY}, f"without the authority: {outcome}")
            self._trust_authority(base)
            with closing(BrowserSource(address, self._folder, self._display.name)) as source:
                outcome = source.outcome()
                expect(outcome == LOADED, f"with the authority: {outcome}")
                source.wait("the rate is shown", self._has_digits)
        finally:
            self._station.kill()
            self._tachogram("close", *self._settings)
            self._station = self._started()

    # MARK: OBS Studio

    def _studio(self) -> None:
        """OBS Studio shows the pictures of the page above a game, which stays as it is around them."""
        with closing(self._new_studio()) as studio, closing(self._source()) as source, closing(PageFeed(source)) as feed:
            print(f"        OBS Studio {studio.version}", flush=True)
            studio.add("Page", "ffmpeg_source", feed.settings())
            self._follow_rate(studio.picture)
            self._expect_game(studio.picture())

    def _window(self) -> None:
        """Where OBS has no browser source, a window of Chromium, cut out and added to the game, shows the same."""
        left = SIZE[0] // 2
        with self._chromium_window(left), closing(self._new_studio()) as studio:
            expect("browser_source" not in studio.kinds(), "this OBS has a browser source, which should be tried")
            studio.add("Screen", "xshm_input", {"show_cursor": False})
            studio.arrange("Screen", "OBS_BLEND_ADDITIVE", cropLeft=left)
            self._follow_rate(studio.picture)
            self._expect_game(studio.picture())

    # MARK: Parts

    def _new_studio(self) -> Studio:
        return Studio(self._folder, self._display.name, free_port())

    @contextmanager
    def _chromium_window(self, left: int) -> Iterator[None]:
        """Shows the overlay in a window of Chromium, from a column to the edges of the display."""
        browser = subprocess.Popen(
            # The first two are what root needs, and what keeps Chromium from mentioning it.
            [self._chromium, "--no-sandbox", "--test-type", "--no-first-run", "--ozone-platform=x11",
             f"--user-data-dir={self._folder / 'chromium'}", f"--app={self._address('&backdrop=black&shadow=none')}",
             f"--window-position={left},0", f"--window-size={SIZE[0] - left},{SIZE[1]}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=(self._folder / "chromium.log").open("ab"),
            env={**os.environ, "DISPLAY": self._display.name, "HOME": str(self._folder)}, start_new_session=True)
        try:
            yield
        finally:
            end_session(browser)

    @contextmanager
    def _silent_strap(self) -> Iterator[None]:
        self._daemon.do("silent 1")
        try:
            yield
        finally:
            self._daemon.do("resume 1")

    def _tachogram(self, command: str, *arguments: str) -> str:
        done = subprocess.run(
            [self._binary, command, *arguments, "--database", self._database], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False, env={**os.environ, "HOME": str(self._folder), "XDG_CONFIG_HOME": str(self._folder / "config")})
        expect(done.returncode == 0, f"{command} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def _started(self) -> Station:
        station = Station(self._binary, self._folder, self._settings, port=None)
        station.wait_for(1)
        return station

    def _address(self, options: str = "") -> str:
        return f"{self._station.base}/overlay?size={TEXT}{options}"

    def _source(self, **given: Any) -> BrowserSource:
        source = BrowserSource(self._address(), self._folder, self._display.name, **given)
        try:
            outcome = source.outcome()
            expect(outcome == LOADED, f"the page is not shown: {outcome}")
            return source
        except BaseException:
            source.close()
            raise

    def _picture(self, source: BrowserSource) -> Image.Image:
        picture = source.picture()
        assert picture is not None
        return picture

    def _has_digits(self, picture: Image.Image) -> bool:
        return opacity(picture) == 255 and digits_in(above_game(picture)) is not None

    def _is_stale(self, picture: Image.Image) -> bool:
        return 0 < opacity(picture) < 200 and digits_in(above_game(picture)) is None

    def _follow_rate(self, picture: Callable[[], Image.Image]) -> None:
        """Waits until two different heart rates were read in the pictures, each while it was current."""
        read: set[int] = set()
        end = time.monotonic() + SOON
        while len(read) < 2:
            before = self._station_rate()
            found = digits_in(picture())
            if found is not None and found in (before, self._station_rate()):
                read.add(found)
            if time.monotonic() > end:
                raise Unmet(f"two heart rates were not read within {SOON:g} s: {read}, last {found} where it is {before}")

    def _station_rate(self) -> int:
        return int(self._station.live()[0]["heartRate"])

    def _expect_game(self, picture: Image.Image) -> None:
        """Expects the game to be as it was where the overlay has nothing."""
        for area in ((5 * TEXT, 0, *CANVAS), (0, 3 * TEXT, *CANVAS)):
            colors = picture.crop(area).getcolors()
            expect(colors is not None and len(colors) == 1 and colors[0][1] == GAME_COLOUR, f"the game has {colors}")

    def _trust_authority(self, base: str) -> None:
        """Trusts the authority of the station as a user of Linux does."""
        certificate = self._folder / "tachogram-authority.crt"
        token = self._tachogram("token", *self._settings).split()[-1]
        subprocess.run(
            ["curl", "-ks", "-o", certificate, "-H", f"Authorization: Bearer {token}", f"{base}/api/v1/authority"], check=True)
        # The store is there since a browser ran.
        subprocess.run(
            ["certutil", "-d", f"sql:{self._folder}/.pki/nssdb", "-A", "-t", "C,,", "-n", "Tachogram", "-i", certificate], check=True)


def try_obs(binary: str, fake: str, capture: Path, chromium: str) -> int:
    """Runs all steps. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="tachogram-obs-") as folder, closing(Display()) as display, \
            closing(FakeDaemon(fake, capture, "--straps", "1")) as daemon, \
            closing(Trial(binary, chromium, daemon, display, Path(folder))) as trial:
        return trial.run()
