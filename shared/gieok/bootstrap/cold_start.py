"""The garbage collector during a cold start. Import this before anything else.

Loading a function's modules makes 300,000 objects and hardly any garbage. Looking for it takes a
tenth of the whole import; and each full collection later walks all of them again, 0.05 s in the
middle of somebody's turn. So the collector rests from here on until `loaded`, which leaves out of
it what is there to stay.
"""

import gc

gc.disable()


def loaded() -> None:
    """Let the collector run, and never look at what exists by now. May be called again."""
    gc.freeze()
    gc.enable()
