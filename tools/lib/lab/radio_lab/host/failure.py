"""What keeps the lab itself from working, worded for the person who runs it."""


class LabFailure(Exception):
    """The lab cannot go on; the message says why and what to do."""
