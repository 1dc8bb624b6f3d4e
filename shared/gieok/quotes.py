"""Whether words were said in a window, and by whom: what a model quotes against what there is."""

from collections.abc import Collection, Iterable, Sequence
from unicodedata import category

from gieok import english, korean
from gieok.types import Message

USER = "user"
"""How the user is named as a speaker or actor."""

_FUNCTION_WORDS = korean.FUNCTION_WORDS | english.FUNCTION_WORDS | {"사용자", "유저", USER}


def letters(text: str) -> str:
    """What two spellings of the same words share: no spaces, punctuation, case or width."""
    return "".join(
        c for c in korean.normalise(text) if category(c)[0] in "LNM" or category(c) == "So"
    )


class Window:
    """The messages of a window, to look quotes up in."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self._lines = [(speaker(m), letters(m.text), m) for m in messages if m.role != "system"]
        self.text = "\n".join(m.text for _, _, m in self._lines)

    def find(self, quote: str, speakers: Collection[str] | None, hint: str = "") -> Message | None:
        """The message in which one of the speakers (None: anyone) said these words.

        The one whose id is `hint` when it holds them, else the first. None for words without a
        letter, and for words that nobody of them said.
        """
        wanted = letters(quote)
        found = [
            message
            for who, said, message in self._lines
            if wanted and wanted in said and (speakers is None or who in speakers)
        ]
        return next((m for m in found if str(m.id) == hint), None) or next(iter(found), None)

    def shares_a_word(self, text: str, names: Sequence[str]) -> bool:
        """Whether any telling word of the text occurs here; `names` and "user" tell nothing."""
        return not (_words(text) - set(map(korean.normalise, names))).isdisjoint(_words(self.text))


def speaker(message: Message) -> str:
    """Who said it: "user" or a character's name."""
    return USER if message.role == "user" else message.speaker


def _words(text: str) -> set[str]:
    """Stripped of particles; of Chinese and Japanese, which have no spaces, pairs of letters."""
    tokens = korean.tokens(text)
    stems = {korean.strip_particles(token) for token in tokens}
    pairs = {pair for token in tokens if not _has_hangul(token) for pair in korean.bigrams(token)}
    return {word for word in stems | pairs if len(word) > 1 and word not in _FUNCTION_WORDS}


def _has_hangul(token: str) -> bool:
    return any("가" <= char <= "힣" for char in token)
