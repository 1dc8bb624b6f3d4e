"""How many examples a test on real services takes: few by default, all in the nightly profile."""

from hypothesis import settings

DEFAULT_EXAMPLES = 60
"""Of a test without services, in the default profile."""


def examples(few: int) -> int:
    """`few`, or as many as the profile says where it says more than usual."""
    wanted = settings().max_examples
    return wanted if wanted > DEFAULT_EXAMPLES else few
