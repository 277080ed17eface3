"""`python -m virtual_strap`: opens the radio, puts the straps on it and stays until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from contextlib import AsyncExitStack

from virtual_strap.arguments import Options, parse_arguments


def main() -> int:
    options = parse_arguments(sys.argv[1:])
    logging.basicConfig(level=logging.INFO if options.verbose else logging.ERROR, stream=sys.stderr)
    return asyncio.run(_run(options))


async def _run(options: Options) -> int:
    # After the arguments were understood: bumble takes its time to import, and --help does not need it.
    from virtual_strap.commands import Commands
    from virtual_strap.control import control_socket
    from virtual_strap.journal import Journal
    from virtual_strap.script import PlayError
    from virtual_strap.world import WorldError, open_world

    journal = Journal(options.log, echo=options.verbose)
    try:
        world = await open_world(options, journal)
    except (WorldError, PlayError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    async with AsyncExitStack() as stack:
        stack.callback(journal.close)
        stack.push_async_callback(world.resources.aclose)
        commands = Commands(world)
        if options.control is not None:
            await stack.enter_async_context(control_socket(options.control, commands.answer))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, commands.finished.set)
        for strap in world.straps:
            print(f"{strap.name} ({strap.state()['address']}) advertises", file=sys.stderr, flush=True)
        await commands.finished.wait()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
