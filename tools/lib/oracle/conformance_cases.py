"""What the files of Fixtures/conformance hold: series of our own with what is known of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from conformance_series import (
    alternating, beyond_nyquist, breathing, flank, noise, on_ticks, pattern, ramp, two_levels, walk, with_jumps,
)
from synthetic import modulated

EXACT = {"relative": 1e-9, "absolute": 1e-9}
NUMERIC = {"relative": 1e-6}
ONE_PERCENT = {"relative": 0.01}
DEFINITION = "the definition in docs/metrics.md, computed by tools/lib/oracle"
CLOSED = "closed form: "
TASK_FORCE = "Task Force 1996 (Eur Heart J 17:354–381); "
HISTOGRAM = {"triangularBinMs": 7.8125, "baevskyBinMs": 50}
SPECTRUM = {"gridPointsPerInverseDuration": 4, "vlfFromHz": 0.0033, "lfFromHz": 0.04, "hfFromHz": 0.15, "hfToHz": 0.4}
DFA = {"shortestBoxBeats": 4, "longestBoxBeats": 16}
ENTROPY = {"m": 2, "rInStandardDeviations": 0.2}
CAPACITY = {"longestRatioToTheBeatBefore": 1.05}
TIME_DOMAIN = ("meanNN", "meanHeartRate", "sdnn", "rmssd", "lnRMSSD", "sdsd", "pnn50", "pnn20", "sd1", "sd2")


@dataclass(frozen=True)
class Case:
    """A case. `closed` are values known by a formula; `computed` names those that the oracle computes."""

    name: str
    group: str
    intervals: list[float]
    source: str
    closed: dict[str, float] = field(default_factory=dict)
    computed: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    tolerance: dict[str, float] = field(default_factory=lambda: EXACT)
    breaks: tuple[int, ...] = ()


def time_domain() -> list[Case]:
    """Moments, differences, Poincaré, minimums, a gap."""
    group, root = "timeDomain", math.sqrt
    zeros = dict.fromkeys(("sdnn", "rmssd", "sdsd", "pnn50", "pnn20", "sd1", "sd2"), 0.0)
    count, slope = 120, 2.0
    even = 100
    sdsd = root((even - 1 - 1 / (even - 1)) / (even - 2)) * 20
    return [
        Case("constant", group, [800.0] * even, CLOSED + "nothing varies, and the logarithm of 0 is no number",
             closed={"meanNN": 800.0, "meanHeartRate": 75.0, **zeros}, unavailable=("lnRMSSD",)),
        Case("alternating", group, alternating(790, 810, even),
             CLOSED + "N − 1 differences of ±d from +d to +d, sums all equal; just 20 ms is not above 20 ms",
             closed={"meanNN": 800.0, "rmssd": 20.0, "lnRMSSD": math.log(20), "sdnn": 10 * root(even / (even - 1)),
                     "sdsd": sdsd, "sd1": sdsd / root(2), "sd2": 0.0, "pnn20": 0.0, "pnn50": 0.0}),
        Case("ramp", group, ramp(700, slope, count),
             CLOSED + "sample deviation of an arithmetic progression: step · √(n(n + 1)/12)",
             closed={"meanNN": 700 + slope * (count - 1) / 2, "sdnn": slope * root(count * (count + 1) / 12),
                     "rmssd": slope, "sdsd": 0.0, "sd1": 0.0, "sd2": root(2) * slope * root((count - 1) * count / 12)}),
        Case("thresholds", group, pattern((800, 850, 800, 851, 800, 820, 800, 821), 12),
             CLOSED + "|ΔNN| in turn 50, 50, 51, 51, 20, 20, 21, 21: above 50 ms are 2 of 8, above 20 ms 6 of 8; "
             "the last of N − 1 differences is missing, and N divides",
             closed={"pnn50": 100 * 24 / 96, "pnn20": 100 * (6 * 12 - 1) / 96}),
        Case("noise", group, on_ticks(noise(1, 120, 850, 40)), TASK_FORCE + DEFINITION, computed=TIME_DOMAIN),
        Case("gap", group, on_ticks(noise(2, 60, 900, 15)) + on_ticks(noise(3, 60, 700, 15)),
             "no difference is taken across the gap before interval 60; " + DEFINITION, computed=TIME_DOMAIN,
             breaks=(60,)),
        Case("just-30-seconds", group, alternating(740, 760, 40), "minimums are met by just as much; " + DEFINITION,
             computed=("meanNN", "rmssd", "lnRMSSD", "sdsd"), unavailable=("sdnn", "pnn50", "pnn20", "sd1", "sd2")),
        Case("below-30-seconds", group, alternating(740, 759, 40), "minimum durations of docs/metrics.md",
             computed=("meanNN", "meanHeartRate"), unavailable=("rmssd", "lnRMSSD", "sdsd", "sdnn", "sd1")),
        Case("below-10-seconds", group, [999.0] * 10, "minimum durations of docs/metrics.md", unavailable=TIME_DOMAIN),
    ]


def histogram() -> list[Case]:
    """Bins, their edges, ties."""
    group = "histogram"

    def case(name: str, intervals: list[float], source: str, **values: object) -> Case:
        return Case(name, group, intervals, source, parameters=HISTOGRAM, **values)  # type: ignore[arg-type]

    four = (1500.0, 1507.8125, 1515.625, 1523.4375)
    return [
        case("four-bins", pattern(four, 199),
             CLOSED + "four bins of 1/128 s, equally full, each interval on a lower edge",
             closed={"triangularIndex": 4.0}),
        case("below-20-minutes", pattern((1999,), 600), "minimum durations of docs/metrics.md",
             unavailable=("triangularIndex", "baevskyStressIndex")),
        case("baevsky", [775.0] * 20 + [825.0] * 60 + [875.0] * 20, CLOSED + "60 % / (2 · 0.825 s · 0.1 s)",
             closed={"baevskyStressIndex": 60 / (2 * 0.825 * 0.1)}),
        case("baevsky-tie", [860.0] * 50 + [810.0] * 50,
             CLOSED + "of two equally full bins the lower: 50 / (2 · 0.825 · 0.05)",
             closed={"baevskyStressIndex": 50 / (2 * 0.825 * 0.05)}),
        case("baevsky-edges", [800.0] * 40 + [849.0] * 20 + [850.0] * 50,
             CLOSED + "800 and 849 ms are in the bin 800 … 850, 850 ms is not: AMo = 100 · 60/110 %",
             closed={"baevskyStressIndex": 100 * 60 / 110 / (2 * 0.825 * 0.05)}),
        case("baevsky-below-a-minute", alternating(700, 760, 82), "minimum durations of docs/metrics.md",
             unavailable=("baevskyStressIndex",)),
    ]


def frequency() -> list[Case]:
    """Lomb–Scargle powers, the breathing rate, refusals."""
    group = "frequency"
    bands = ("vlf", "lf", "hf", "totalPower", "lfhf")

    def case(name: str, intervals: list[float], source: str, **values: object) -> Case:
        return Case(name, group, intervals, source, parameters=SPECTRUM, **values)  # type: ignore[arg-type]

    lomb = "Lomb 1976 (Astrophys Space Sci 39:447–462), Scargle 1982 (ApJ 263:835–853); "
    formula = "NNᵢ = 830 ms + 20 ms · sin(2πf·tᵢ), f = "
    return [
        case("sinusoid-lf", on_ticks(modulated(400, 830, ((20, 0.1),))),
             CLOSED + "A²/2; " + formula + "0.1 Hz, in ticks", closed={"lf": 200.0}, tolerance=ONE_PERCENT),
        case("sinusoid-hf", on_ticks(modulated(400, 830, ((20, 0.25),))),
             CLOSED + "A²/2; " + formula + "0.25 Hz, in ticks",
             closed={"hf": 200.0, "respirationRate": 15.0}, tolerance=ONE_PERCENT),
        case("three-waves", on_ticks(breathing(4, 305)), lomb + DEFINITION, computed=(*bands, "respirationRate"),
             tolerance=NUMERIC),
        case("below-300-seconds", on_ticks(breathing(5, 150)), lomb + DEFINITION,
             computed=("lf", "hf", "lfhf", "respirationRate"), unavailable=("vlf", "totalPower"), tolerance=NUMERIC),
        case("below-120-seconds", on_ticks(breathing(6, 100)), lomb + DEFINITION, computed=("hf", "respirationRate"),
             unavailable=("vlf", "lf", "totalPower", "lfhf"), tolerance=NUMERIC),
        case("below-60-seconds", on_ticks(breathing(7, 58)), "minimum durations of docs/metrics.md",
             unavailable=(*bands, "respirationRate")),
        case("noise", on_ticks(noise(8, 380, 800, 30)), "white noise has no distinct peak; " + DEFINITION,
             computed=bands, unavailable=("respirationRate",), tolerance=NUMERIC),
        case("flank", on_ticks(flank(304)),
             "the highest value of the band is at its edge, the flank of a peak at 0.149 Hz; " + DEFINITION,
             computed=bands, unavailable=("respirationRate",), tolerance=NUMERIC),
        case("beyond-nyquist", on_ticks(beyond_nyquist(9, 330)),
             "breathing at 0.36 Hz, and the beats resolve 0.5/meanNN < 0.34 Hz; " + DEFINITION,
             computed=("hf",), unavailable=("respirationRate",), tolerance=NUMERIC),
        case("long", [float(round(value)) for value in noise(10, 5001, 720, 15)],
             "more than 5 000 beats: these are given of segments only; " + DEFINITION, computed=("sdnn", "dfaAlpha1"),
             unavailable=(*bands, "respirationRate", "sampleEntropy"), tolerance=NUMERIC),
    ]


def nonlinear() -> list[Case]:
    """Scaling, regularity, deceleration."""
    group, cycles = "nonlinear", 70
    dfa = "Peng et al. 1995 (Chaos 5:82–87); " + DEFINITION
    capacity = "Bauer et al. 2006 (Lancet 367:1674–1681); " + CLOSED
    return [
        Case("dfa-noise", group, on_ticks(noise(11, 200, 800, 25)), dfa, computed=("dfaAlpha1",), parameters=DFA,
             tolerance=NUMERIC),
        Case("dfa-walk", group, on_ticks(walk(12, 227, 800, 8)), dfa, computed=("dfaAlpha1",), parameters=DFA,
             tolerance=NUMERIC),
        Case("dfa-below-120-seconds", group, alternating(700, 760, 160), "minimum durations of docs/metrics.md",
             unavailable=("dfaAlpha1",), parameters=DFA),
        Case("entropy-alternating", group, alternating(790, 810, 250),
             CLOSED + "what matches for two beats matches for three",
             closed={"sampleEntropy": 0.0}, parameters=ENTROPY),
        Case("entropy-noise", group, on_ticks(noise(13, 260, 800, 25)),
             "Richman & Moorman 2000 (Am J Physiol 278:H2039–H2049); " + DEFINITION, computed=("sampleEntropy",),
             parameters=ENTROPY, tolerance=NUMERIC),
        Case("entropy-below-200-beats", group, on_ticks(noise(14, 199, 800, 25)), "at least 200 beats",
             unavailable=("sampleEntropy",), parameters=ENTROPY),
        Case("capacity-waves", group, pattern((800, 810, 820, 830, 820, 810), cycles), capacity + "5, 10, 5 ms a cycle "
             "of c, without the first: (20c − 5)/(3c − 1)", parameters=CAPACITY,
             closed={"decelerationCapacity": (20 * cycles - 5) / (3 * cycles - 1)}),
        Case("capacity-just-5-percent", group, pattern((800, 840, 800, 800), 95), capacity + "840 = 1.05 · 800 is an "
             "anchor, the first has no second beat before it",
             closed={"decelerationCapacity": 10.0}, parameters=CAPACITY),
        Case("capacity-above-5-percent", group, pattern((800, 841, 800, 800), 95),
             "a beat more than 5 % longer is no anchor",
             unavailable=("decelerationCapacity",), parameters=CAPACITY),
        Case("capacity-below-300-seconds", group, pattern((800, 810, 820, 830, 820, 810), 60),
             "minimum durations of docs/metrics.md", unavailable=("decelerationCapacity",), parameters=CAPACITY),
        Case("capacity-nine-anchors", group, with_jumps(400, 9), "at least 10 anchors",
             unavailable=("decelerationCapacity",), parameters=CAPACITY),
    ]


def segments() -> list[Case]:
    """The bounds of segments, their summary, and the values of each."""
    group, root = "segments", math.sqrt
    levels, count = two_levels(), 400
    second_mean, second_spread = 750 + 50 / count, 50 / root(count)
    series = on_ticks(breathing(15, 610))
    lasting = {"segmentSeconds": 300.0}
    second = {**lasting, "segment": 1.0}
    part = ("meanNN", "sdnn", "rmssd", "lf", "hf", "dfaAlpha1", "sampleEntropy")
    return [
        Case("two-levels", group, levels, CLOSED + "a beat that ends at just 300 s is the first of the second segment: "
             "374 · 800 ms, then 800 ms and 399 · 750 ms; the beat that ends at just 600 s is in neither",
             closed={"sdann": (800 - second_mean) / root(2), "sdnnIndex": second_spread / 2}, parameters=lasting),
        Case("two-levels-second", group, levels, CLOSED + "the second segment of the series above",
             closed={"meanNN": second_mean, "sdnn": second_spread}, parameters=second),
        Case("one-segment", group, [800.0] * 700, "at least 2 segments; the second is not complete",
             unavailable=("sdann", "sdnnIndex"), parameters=lasting),
        Case("breathing", group, series, DEFINITION, computed=("sdann", "sdnnIndex"), parameters=lasting),
        Case("breathing-second", group, series, "the second segment; " + DEFINITION, computed=part, parameters=second,
             tolerance=NUMERIC),
    ]
