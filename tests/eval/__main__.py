"""`make eval`: how well the right memory is found, on public data and our own Korean set.

With `--policies`, how decay, fusion, overfetch and context do by size and age instead.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from gieok.policy import PLAIN_RRF, SOURCE, RecallPolicy
from tests.eval import korean, korquad, locomo, madial, policies, report
from tests.eval.house import BOTH, House, Legs, house
from tests.eval.scores import by_age, score
from tests.eval.vectors import Vectors

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
RESULT = ROOT / ".gieok" / "eval.json"
VECTORS = ROOT / ".gieok" / "eval-vectors.sqlite"

Figures = dict[str, Any]
T = TypeVar("T")
_TEN = replace(RecallPolicy(), limit=10)


async def of_locomo(house: House) -> Figures:
    """All conversations, whole: as shipped, each leg alone, and the named presets."""
    known = await locomo.learn(house, DATA / "locomo" / "locomo10.json")
    ours = await locomo.ask(house, known, RecallPolicy())
    variants: Mapping[str, tuple[RecallPolicy, Legs]] = {
        "vector_only": (RecallPolicy(), Legs(keyword=False)),
        "keyword_only": (RecallPolicy(), Legs(vector=False)),
        "plain_rrf": (PLAIN_RRF, BOTH),
        "source_preset": (SOURCE, BOTH),
    }
    figures: Figures = score(ours).shown(12)
    for name, (policy, legs) in variants.items():
        figures[name] = score(await locomo.ask(house, known, policy, legs, name)).shown(12)
    figures["by_age"] = {age: s.shown(12) for age, s in by_age(ours, policies.AGES).items()}
    return figures


async def of_madial(house: House) -> Figures:
    """Ten memories for a dialogue."""
    return score(await madial.answer(house, DATA / "madial", _TEN)).shown(10)


async def of_korquad(house: House) -> tuple[Figures, Figures]:
    """The keyword leg alone, as BM25 without any help from neighbours, and the whole."""
    known = await korquad.learn(house, DATA / "korquad" / "KorQuAD_v1.0_dev.json")
    bare = replace(_TEN, context=())
    alone = await korquad.ask(house, known, bare, Legs(vector=False))
    both = await korquad.ask(house, known, _TEN)
    return score(alone).shown(10), score(both).shown(10)


async def of_korean(house: House) -> Figures:
    """Our own set, with every miss by name."""
    whole, pairs = await korean.learn(house)
    answered = await korean.ask(house, whole, pairs, RecallPolicy())
    kinds = sorted({q.kind for q in answered})
    of_kind = {k: score([a for q, a in answered.items() if q.kind == k]) for k in kinds}
    return {
        **score(list(answered.values())).shown(12),
        "by_kind": {kind: found.shown(12) for kind, found in of_kind.items()},
        "missed": [missed.id for missed in korean.missed(answered)],
    }


async def evaluate(house: House) -> Figures:
    """All sets, one after another."""
    figures = {"korean_chat": await of_korean(house), "locomo": await of_locomo(house)}
    figures["madial_en"] = await of_madial(house)
    figures["korquad_keyword"], figures["korquad_hybrid"] = await of_korquad(house)
    return figures


async def compare_policies(house: House) -> str:
    """The tables behind the choice of decay, fusion, overfetch and context."""
    path = DATA / "locomo" / "locomo10.json"
    tables = {
        "LoCoMo, memories of the pair": await policies.by_size(house, path),
        "LoCoMo, memories since the evidence": await policies.by_age_of_locomo(house, path),
        "Korean set, memories since the evidence": await policies.by_age_of_korean(house),
    }
    return "\n\n".join(policies.table(title, columns) for title, columns in tables.items())


async def _in_house(work: Callable[[House], Awaitable[T]]) -> T:
    with tempfile.TemporaryDirectory() as folder:
        async with house(Path(folder), Vectors(VECTORS)) as ready:
            return await work(ready)


def main() -> int:
    """Run it, print it, keep it."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
    parser.add_argument("--policies", action="store_true", help="compare policies")
    comparing = parser.parse_args().policies
    if not DATA.is_dir():
        print(f"eval: nothing to read, {DATA} is not there")
        return 1
    RESULT.parent.mkdir(exist_ok=True)
    if comparing:
        print(asyncio.run(_in_house(compare_policies)))
        return 0
    figures = asyncio.run(_in_house(evaluate))
    RESULT.write_text(json.dumps(figures, indent=2) + "\n")
    print(report.table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
