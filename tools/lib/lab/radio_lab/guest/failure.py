"""Why a scenario ended early."""


class ScenarioFailure(Exception):
    """A condition of the scenario was not met, so that the rest of it is not meaningful."""


class DeadlinePassed(BaseException):
    """The time limit of the scenario has passed. Not an Exception, so that a scenario does not catch it."""
