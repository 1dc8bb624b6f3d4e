"""The sets of an evaluation by name, each with what is measured on it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gieok.policy import PLAIN_RRF, SOURCE, RecallPolicy
from tests.eval import (
    extraction,
    korean,
    korean_windows,
    korquad,
    locomo,
    madial,
    policies,
    windows,
)
from tests.eval.house import BOTH, House, Legs
from tests.eval.scores import by_age, prompt_figures, score

Figures = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
_LOCOMO = Path("locomo") / "locomo10.json"
_TEN = replace(RecallPolicy(), limit=10)


def locomo_file(data: Path) -> Path:
    """LoCoMo itself. A folder with its windows alone is asked by the one beside the clone."""
    here = data / _LOCOMO
    return here if here.is_file() else ROOT.parent / "shared" / "data" / _LOCOMO


async def of_extraction(house: House, data: Path) -> Figures:
    """What the reading of answers loses and catches; it asks no database."""
    found = extraction.measure(data)
    return {"extraction": {**found.pop("all"), **found}}


async def of_korean_chat(house: House, data: Path) -> Figures:
    """Our own set, with every miss by name; it lies in the clone."""
    whole, pairs = await korean.learn(house)
    answered = await korean.ask(house, whole, pairs, RecallPolicy())
    kinds = sorted({q.kind for q in answered})
    of_kind = {k: [a for q, a in answered.items() if q.kind == k] for k in kinds}
    return {
        "korean_chat": {
            **prompt_figures(list(answered.values())),
            "by_kind": {kind: prompt_figures(found) for kind, found in of_kind.items()},
            "missed": [missed.id for missed in korean.missed(answered)],
        }
    }


async def of_windows(house: House, data: Path) -> Figures:
    """LoCoMo conversations as windows that a model has summarised."""
    found = await windows.measure(house, data, locomo_file(data))
    return {"windows": found} if found else {}


async def of_korean_windows(house: House, data: Path) -> Figures:
    """Months of Korean users' talk, as windows that a model has summarised."""
    found = await korean_windows.measure(house, data)
    return {"korean_windows": found} if found else {}


async def of_locomo(house: House, data: Path) -> Figures:
    """All conversations, whole: as shipped, each leg alone, and the named presets."""
    path = data / _LOCOMO
    if not path.is_file():
        return {}
    known = await locomo.learn(house, path)
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
    return {"locomo": figures}


async def of_madial(house: House, data: Path) -> Figures:
    """Ten memories for a dialogue."""
    if not (data / "madial").is_dir():
        return {}
    return {"madial_en": score(await madial.answer(house, data / "madial", _TEN)).shown(10)}


async def of_korquad(house: House, data: Path) -> Figures:
    """The keyword leg alone, as BM25 without any help from neighbours, and the whole."""
    path = data / "korquad" / "KorQuAD_v1.0_dev.json"
    if not path.is_file():
        return {}
    known = await korquad.learn(house, path)
    bare = replace(_TEN, context=())
    alone = await korquad.ask(house, known, bare, Legs(vector=False))
    both = await korquad.ask(house, known, _TEN)
    return {
        "korquad_keyword": score(alone).shown(10),
        "korquad_hybrid": score(both).shown(10),
    }


SETS: Mapping[str, Callable[[House, Path], Awaitable[Figures]]] = {
    "extraction": of_extraction,
    "windows": of_windows,
    "korean_windows": of_korean_windows,
    "korean_chat": of_korean_chat,
    "locomo": of_locomo,
    "madial": of_madial,
    "korquad": of_korquad,
}
"""What measures each set: its figures by their key in the result, none when the folder lacks it."""
