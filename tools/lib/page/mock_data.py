"""What the mock station knows: hearts that are made up, but beat like hearts. Always the same, but for the clock."""

from __future__ import annotations

import math
import random
import statistics
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

Json = dict[str, Any]

FORMATS = [
    {"name": "csv", "title": "CSV", "words": "beats and gaps"}, {"name": "json", "title": "JSON", "words": "everything"},
    {"name": "fit", "title": "FIT", "words": "as sports watches record"},
]
ANNA_STRAP, BERT_STRAP = "C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"


def stamp(seconds: float) -> str:
    """RFC 3339 with milliseconds."""
    moment = datetime.fromtimestamp(seconds, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def ticks(milliseconds: float) -> float:
    """The nearest length that a strap can send: whole 1/1024 s."""
    return round(milliseconds * 1.024) / 1.024


def stress_of(sdnn: float, heart_rate: float) -> float:
    """The level of stress for a baseline of 50 ms and 60 bpm."""
    hrv_part = max(0.0, (50 - sdnn) / 50) ** 0.8
    rate_part = max(0.0, math.atan(2 * (heart_rate - 60) / 60) / (math.pi / 2))
    return min(100.0, 100 * (0.7 * hrv_part + 0.3 * rate_part))


def category_of(level: float) -> str:
    """The band of a level."""
    return ("relaxed", "mild", "moderate", "high")[min(3, int(level // 25))]


def mood_of(level: float) -> str:
    """The mood of a level."""
    bounds = ((10, "sleeping"), (25, "calm"), (50, "concerned"), (75, "worried"))
    return next((mood for bound, mood in bounds if level < bound), "overwhelmed")


@dataclass
class Heart:
    """Intervals around a mean, that follow the breath and wander slowly."""

    mean: float
    depth: float
    breaths_per_minute: float
    noise: float
    seed: int
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def interval(self, seconds: float) -> float:
        """The interval that ends around this time, in ms."""
        breath = self.depth * math.sin(2 * math.pi * self.breaths_per_minute / 60 * seconds)
        slow = self.depth * 0.5 * math.sin(2 * math.pi * seconds / 97)
        return ticks(self.mean + breath + slow + self.chance.gauss(0, self.noise))


@dataclass
class LiveStrap:
    """A strap that is worn now."""

    number: int
    address: str
    name: str
    person: str | None
    heart: Heart
    battery: int
    signal: int
    odd_every: int
    begun: float = field(default_factory=lambda: time.time() - 754)
    beats: list[Json] = field(default_factory=list)
    gaps: int = 0

    def advance(self, now: float) -> None:
        """Lets the heart beat until now."""
        at = self.beats[-1]["at"] if self.beats else now - 400
        while True:
            length = self.heart.interval(at)
            if at + length / 1000 > now:
                return
            self._add(at + length / 1000, length)
            at = self.beats[-1]["at"]

    def _add(self, at: float, length: float) -> None:
        beat: Json = {"at": at, "time": stamp(at), "rr": length}
        count = len(self.beats)
        if self.odd_every and count % self.odd_every == self.odd_every - 1:
            beat["rr"] = ticks(length * 0.6)
            beat["isMarked"] = True
        if self.odd_every and count % (4 * self.odd_every) == 2 * self.odd_every:
            beat["at"] += 4.0
            beat["time"] = stamp(beat["at"])
            beat["followsGap"] = True
            self.gaps += 1
        self.beats.append(beat)

    def window(self, seconds: int) -> Json:
        """The window that ends now."""
        end = self.beats[-1]["at"]
        inside = [beat for beat in self.beats if beat["at"] > end - seconds]
        sound = [beat["rr"] for beat in inside if not beat.get("isMarked")]
        return window_of(sound, end, seconds, 1 - len(sound) / len(inside))

    def reading(self, beats: list[Json], is_current: bool, heard: float) -> Json:
        """As the API gives it."""
        five = self.window(300)
        level = stress_of(five["sdnn"], five["meanHeartRate"])
        link = {"phase": "live", "text": "live"} if is_current else {
            "phase": "silent", "reason": "silence", "text": "connected, but silent (no notifications)"}
        reading = {
            "strap": self.number, "address": self.address, "name": self.name, "link": link, "isCurrent": is_current,
            "lastHeard": stamp(heard), "heartRate": round(60000 / self.beats[-1]["rr"]), "contact": "detected",
            "batteryPercent": self.battery, "signalDBm": self.signal, "minute": self.window(60), "fiveMinutes": five,
            "detail": {"lf": 900.0, "hf": 640.0, "lfhf": 1.406, "dfaAlpha1": 1.02, "sampleEntropy": 1.6,
                       "unavailable": {"respirationRate": "there is no clear peak"}},
            "stress": {"level": level, "category": category_of(level), "mood": mood_of(level), "confidence": 0.97},
            "session": str(uuid.UUID(int=self.number)), "start": stamp(self.begun), "notifications": len(self.beats),
            "gaps": self.gaps, "beats": [{key: beat[key] for key in beat if key != "at"} for beat in beats],
        }
        if self.person:
            reading["person"] = self.person
        return reading


def window_of(intervals: list[float], end: float, seconds: int, artifact_share: float) -> Json:
    """A window of these intervals."""
    differences = [b - a for a, b in zip(intervals, intervals[1:])]
    rmssd = math.sqrt(sum(each * each for each in differences) / len(differences))
    mean = statistics.fmean(intervals)
    return {
        "end": stamp(end), "coverage": min(1.0, sum(intervals) / 1000 / seconds), "artifactShare": artifact_share,
        "beats": len(intervals), "meanNN": mean, "meanHeartRate": 60000 / mean, "sdnn": statistics.stdev(intervals),
        "rmssd": rmssd, "lnRMSSD": math.log(rmssd),
        "pnn50": 100 * sum(abs(each) > 50 for each in differences) / len(intervals),
        "sd1": rmssd / math.sqrt(2), "sd2": statistics.stdev(intervals) * 1.3,
    }


def live_straps() -> list[LiveStrap]:
    """Two people."""
    return [
        LiveStrap(0, ANNA_STRAP, "Polar H10", "Anna", Heart(940, 46, 6, 12, 1), 87, -58, 0),
        LiveStrap(1, BERT_STRAP, "Garmin HRM-Dual in the cellar", None, Heart(735, 14, 14, 7, 2), 18, -84, 37),
    ]


# MARK: Sessions


@dataclass
class Session:
    """A session, whose beats come from its seed."""

    number: int
    start: float
    length: float
    person: str
    strap: str
    name: str
    is_running: bool = False

    @property
    def id(self) -> str:
        return str(uuid.UUID(int=0xABC0000 + self.number))

    def beats(self) -> tuple[list[float], list[float], list[bool], list[Json]]:
        """Seconds, intervals, marks and gaps."""
        anna = self.person == "Anna"
        heart = Heart(920 if anna else 760, 40 if anna else 18, 13, 16, self.number)
        seconds, rr, marked, gaps, at = [], [], [], [], 0.0
        while at < self.length:
            length = heart.interval(at) + 60 * math.sin(at / 600)
            if len(gaps) < self.number % 3 and at > (len(gaps) + 1) * self.length / 4:
                gaps.append({"start": at, "end": at + 45, "reason": "linkDown" if not gaps else "lost"})
                at += 45
            at += length / 1000
            is_marked = len(rr) % 611 == 600
            seconds.append(at)
            rr.append(ticks(length * 0.3) if is_marked else ticks(length * (0.75 if len(rr) % 173 == 150 else 1)))
            marked.append(is_marked)
        return seconds, rr, marked, gaps

    def windows(self, length: int) -> list[Json]:
        """A window each minute."""
        seconds, rr, marked, _ = self.beats()
        found, first = [], 0
        for end in range(length, int(self.length) + 1, 60):
            while seconds[first] < end - length:
                first += 1
            rest = zip(seconds[first:], rr[first:], marked[first:])
            inside = [value for at, value, is_odd in rest if at < end and not is_odd]
            if len(inside) < 10:
                continue
            window = window_of(inside, self.start + end, length, 0.01)
            if window["coverage"] < 0.8:
                for key in ("sdnn", "rmssd", "lnRMSSD", "pnn50", "sd1", "sd2"):
                    del window[key]
            found.append(window)
        return found

    def summary(self) -> Json:
        """As the list of sessions has it."""
        anna = self.person == "Anna"
        wave = math.sin(self.number)
        sdnn = (48 if anna else 31) + 8 * wave
        rate = (64 if anna else 79) - 4 * wave
        answer = {
            "id": self.id, "strap": self.strap, "name": self.name, "person": self.person, "origin": "live",
            "start": stamp(self.start), "end": stamp(self.start + self.length), "isComplete": self.number % 9 != 4,
            "isRunning": self.is_running, "notifications": int(self.length), "beats": int(self.length * rate / 60),
            "gaps": self.number % 3,
        }
        if self.length >= 300:
            answer |= {"meanHeartRate": rate, "sdnn": sdnn, "rmssd": sdnn * 0.85, "stress": stress_of(sdnn, rate)}
        if self.number % 4 == 1:
            answer["label"] = "sleep"
        return answer


def sessions(now: float) -> list[Session]:
    """About six weeks of them, the newest first."""
    found = []
    for number in range(56):
        start = now - 754 - number * 19.5 * 3600
        anna = number % 3 != 1
        found.append(Session(
            number, start, 754 if number == 0 else 120 if number == 3 else 1500 + (number * 977) % 3600,
            "Anna" if anna else "Bert", ANNA_STRAP if anna else BERT_STRAP,
            "Polar H10" if anna else "Garmin HRM-Dual in the cellar", number == 0))
    return found


# MARK: Over time


def trends(period: str, end: str | None) -> Json:
    """Points with some missing; an hour each in a day, else a day each."""
    last = datetime.fromisoformat(end) if end else datetime.now()
    after = datetime(last.year, last.month, last.day) + timedelta(days=1)
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[period]
    start = after - timedelta(days=days)
    step = timedelta(hours=1) if period == "day" else timedelta(days=1)
    points = []
    for number in range(24 if period == "day" else days):
        moment = start + number * step
        if number % 11 == 3 or moment > datetime.now():
            continue
        wave = math.sin(moment.timestamp() / 86400 * 1.3) + 0.4 * math.sin(moment.timestamp() / 11000)
        sdnn, rate = 46 + 7 * wave, 66 - 4 * wave
        level = stress_of(sdnn, rate)
        points.append({
            "start": stamp(moment.timestamp()), "minutes": 55, "meanHeartRate": rate, "lowestHeartRate": rate - 9,
            "sdnn": sdnn, "rmssd": sdnn * 0.8, "stress": level, "highestStress": min(100, level + 24),
        })
    return {
        "period": period, "start": stamp(start.timestamp()), "end": stamp(after.timestamp()), "points": points,
        "usual": {"sdnn": {"low": 41.0, "middle": 46.2, "high": 52.4},
                  "rmssd": {"low": 33.1, "middle": 37.0, "high": 42.8},
                  "meanHeartRate": {"low": 62.4, "middle": 65.9, "high": 69.3}},
    }


def baseline(person: str | None) -> Json:
    """Of Anna all is known, of others little."""
    known = person == "Anna"
    hint = "not enough data yet: 12 of 30 five-minute windows"
    values = {"sdnn": (46.2, 41.0, 52.4), "rmssd": (37.0, 33.1, 42.8), "lnRMSSD": (3.611, 3.5, 3.757),
              "meanHeartRate": (65.9, 62.4, 69.3)}
    metrics: Json = {}
    for key, (middle, low, high) in values.items():
        metrics[key] = {"windows": 412 if known else 12, "outliers": 9 if known else 0, "hourly": {}}
        quartiles = {"median": middle, "lowerQuartile": low, "upperQuartile": high}
        metrics[key] |= quartiles if known else {"unavailable": hint}
    usual: Json = {"days": 30, "windows": 412 if known else 12, "metrics": metrics, "unavailable": {}}
    readiness: Json = {"weekMornings": 6 if known else 2, "mornings": 41 if known else 5, "unavailable": []}
    if known:
        usual["restingHeartRate"] = 57.8
        readiness |= {"level": "within", "weekLnRMSSD": 3.642, "weekVariationPercent": 4.8,
                      "normalLnRMSSD": {"lower": 3.58, "upper": 3.71}}
    else:
        usual["unavailable"]["restingHeartRate"] = "needs 10 windows with a heart rate, has 2 windows"
        readiness["unavailable"] = ["needs 3 mornings with a reading in the last 7 days, has 2",
                                    "needs 14 mornings with a reading in 60 days, has 5"]
    stress = {"hrv": 46.2 if known else 50, "restingHeartRate": 57.8 if known else 60, "personal": known,
              "samples": 3120 if known else 12}
    answer = {"date": datetime.now().strftime("%Y-%m-%d"), "timeZone": "Etc/UTC", "stress": {"sdnn": stress},
              "baseline": usual, "readiness": readiness}
    return answer | ({"person": person} if person else {})


def status(is_empty: bool) -> Json:
    """A station that is well, but for a battery."""
    now = time.time()
    text = "The battery of Garmin HRM-Dual in the cellar is at 18 %."
    alert = {"kind": "batteryLow", "text": text, "since": stamp(now - 4000)}
    return {
        "time": stamp(now), "version": "0.2.0", "started": stamp(now - 260_000), "source": "radio", "isRecording": True,
        "database": {"bytes": 48_300_000, "freeBytes": 21_400_000_000, "isDiskLow": False,
                     "lastSnapshot": stamp(now - 1500)},
        "retention": ["Notifications, beats and sessions are kept for good.", "Windows are kept for 400 days.",
                      "Values of each hour and day are kept for good."],
        "alerts": [] if is_empty else [alert],
    }


def straps(is_empty: bool) -> Json:
    """The paired ones."""
    if is_empty:
        return {"straps": []}
    added = stamp(time.time() - 90 * 86400)
    return {"straps": [
        {"address": ANNA_STRAP, "name": "Polar H10", "advertisedName": "Polar H10 A1B2C3D4", "isBonded": True,
         "added": added, "person": "Anna", "label": "training"},
        {"address": BERT_STRAP, "name": "Garmin HRM-Dual in the cellar", "isBonded": False, "added": added},
    ]}
