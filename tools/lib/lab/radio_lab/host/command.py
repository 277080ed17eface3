"""The command line of the lab."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from common.environment import EnvironmentUnavailable, cache_folder, interpreter

from radio_lab.guest.daemons import BluetoothDaemon
from radio_lab.host.apt import Apt
from radio_lab.host.failure import LabFailure
from radio_lab.host.kernel import KernelCache, KernelRecipe
from radio_lab.host.kernel_source import Distribution, choose_source
from radio_lab.host.other_daemon import OtherDaemon
from radio_lab.host.packages import other_versions, read_versions, require_packages
from radio_lab.host.places import DEBIAN_PACKAGES, KERNEL_CONFIG, SUMMARY, Ingredients, built_binary
from radio_lab.host.report import write_report
from radio_lab.host.results import ResultStore, Screen, say, table
from radio_lab.host.runner import Runner, RunOptions
from radio_lab.host.shell import run_shell
from radio_lab.result import ScenarioResult
from radio_lab.scenario import Scenario
from radio_lab.scenarios import all_scenarios, scenario_named


def main() -> int:
    """Runs the command. Returns the exit code."""
    arguments = _arguments()
    # `kill` ends the lab as Ctrl-C does: with its guests.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return _run(arguments)
    except (LabFailure, EnvironmentUnavailable) as failure:
        say(f"error: {failure}")
        return 1
    except KeyboardInterrupt:
        say("stopped; the guests were ended")
        return 130


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tools/lab", description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--short", action="store_true", help="the short form: fewer scenarios, fewer rounds")
    what.add_argument("--list", action="store_true", help="tell what scenarios there are")
    what.add_argument("--report", type=Path, metavar="FILE", help="write the page of reliability from the last runs")
    what.add_argument("--shell", action="store_true", help="a shell in a guest in which everything is up")
    parser.add_argument("--scenario", nargs="+", default=[], metavar="NAME", help="only these")
    parser.add_argument("--jobs", type=int, default=2, help="guests side by side (default: 2)")
    parser.add_argument("--bluez", choices=["here", "trixie"], default="here",
                        help="the bluetoothd: this machine's, or that of Debian 13 (trixie), which is downloaded once")
    parser.add_argument("--binary", type=Path, help="the tachogram to test; by default the release build")
    parser.add_argument("--keep", action="store_true", help="keep the folders of runs that passed, too")
    parser.add_argument("--verbose", action="store_true", help="let the guest's kernel talk")
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error("--jobs is at least 1")
    names = {scenario.name for scenario in all_scenarios()}
    unknown = [name for name in arguments.scenario if name not in names]
    if unknown:
        parser.error(f"no scenario is called {', '.join(unknown)}; --list tells their names")
    return arguments


def _run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        return _list()
    store = ResultStore(SUMMARY)
    if arguments.report:
        names = [scenario.name for scenario in all_scenarios()]
        write_report(store.read(), names, arguments.report, store.last_run())
        return 0
    ingredients = _ingredients(arguments)
    if arguments.shell:
        scenario = scenario_named(arguments.scenario[0]) if arguments.scenario else all_scenarios()[0]
        return run_shell(ingredients, scenario)
    options = RunOptions(arguments.short, arguments.jobs, arguments.keep, arguments.verbose)
    scenarios = _chosen(arguments)
    screen = Screen(len(scenarios), say)

    def take(result: ScenarioResult) -> None:
        # Each as it ends: a long run that is stopped keeps what it has measured.
        store.add([result])
        screen(result)

    results = Runner(ingredients, options).run_all(scenarios, take)
    print(table(results))
    return 0 if all(result.passed for result in results) else 1


def _chosen(arguments: argparse.Namespace) -> list[Scenario]:
    if arguments.scenario:
        return [scenario_named(name) for name in arguments.scenario]
    return [scenario for scenario in all_scenarios() if not arguments.short or scenario.short_seconds is not None]


def _ingredients(arguments: argparse.Namespace) -> Ingredients:
    known, apt = read_versions(DEBIAN_PACKAGES), Apt(say)
    source = choose_source(known, Distribution.here(), apt)
    cache = KernelCache(cache_folder(), KernelRecipe(KERNEL_CONFIG, source), apt)
    require_packages(not cache.is_built, known, apt)
    kernel = cache.kernel()
    others = other_versions(known, cache.built_from, apt)
    daemon: tuple[str, ...] = ()
    if arguments.bluez != "here":
        daemon = OtherDaemon(arguments.bluez, cache_folder() / f"bluetoothd-{arguments.bluez}").words(say)
        others = [other for other in others if not other.startswith("bluez ")]
    version = BluetoothDaemon(Path(), tells_details=False, command=daemon).version()
    return Ingredients(kernel, strap_python=interpreter(), binary=built_binary(arguments.binary), others=tuple(others),
                       bluetoothd=daemon, bluez=version)


def _list() -> int:
    width = max(len(scenario.name) for scenario in all_scenarios())
    for scenario in all_scenarios():
        form = "short" if scenario.short_seconds is not None else "     "
        print(f"{scenario.name:{width}}  {form}  {scenario.sentence}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
