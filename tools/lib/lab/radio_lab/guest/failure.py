"""Why a scenario ended early."""


class ScenarioFailure(Exception):
    """What the scenario builds on did not happen: the rest of it would tell nothing."""


class DeadlinePassed(BaseException):
    """The scenario's time is over. Not an Exception: nothing that a scenario catches may swallow it."""
