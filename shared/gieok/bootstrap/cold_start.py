"""The garbage collector during a cold start. Import this before anything else.

Loading a function's modules makes 300,000 objects and hardly any garbage. Looking for garbage takes
a tenth of the whole import, and each later full collection walks all these objects again, for
0.05 s in the middle of somebody's turn. So the collector rests from here until `loaded` is called,
which keeps it away from what is there to stay.
"""

import gc

gc.disable()


def loaded() -> None:
    """Let the collector run again, but never look at what exists by now.

    It may be called more than once: a later call adds what was loaded since.
    """
    gc.freeze()
    gc.enable()
