"""All scenarios, by groups; `radio_lab.scenario` says what one is."""

from __future__ import annotations

from radio_lab.scenario import Scenario
from radio_lab.scenarios import (
    bonding, captures, crowds, daemon, discovery, doctor, faults, flood, habits, listening, movement, power,
)


def all_scenarios() -> list[Scenario]:
    """Returns every scenario, in the order of the report."""
    groups = (daemon, discovery, bonding, listening, captures, flood, faults, habits, crowds, movement, doctor, power)
    return [scenario for group in groups for scenario in group.SCENARIOS]


def scenario_named(name: str) -> Scenario:
    """Returns the scenario with this name. Raises KeyError if there is none."""
    return {scenario.name: scenario for scenario in all_scenarios()}[name]
