"""What keeps the lab itself from working, worded for the person who runs it."""


class LabFailure(Exception):
    """The lab cannot continue; the message has the reason and the remedy."""
