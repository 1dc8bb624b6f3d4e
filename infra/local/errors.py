"""Why a run could not start or had to stop: always one clear line."""


class CannotRun(Exception):
    """The run cannot start or go on; the text says in one line what is wrong and what to do."""
