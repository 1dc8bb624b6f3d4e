"""`make eval`: how well the right memory is found and reaches the prompt, set by set.

It reads the sets of public data in the folder that `GIEOK_DATA` names, and our own Korean set. With
`--only`, some of them. With `--policies`, how decay, fusion, overfetch and context do by size and
age instead.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tests.eval import policies, report, sets
from tests.eval.house import House, house
from tests.eval.sets import Figures
from tests.eval.vectors import Vectors

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
"""Where the data lies unless `GIEOK_DATA` names another folder."""
RESULT = ROOT / ".gieok" / "eval.json"
VECTORS = ROOT / ".gieok" / "eval-vectors.sqlite"

T = TypeVar("T")


async def evaluate(house: House, data: Path, names: Sequence[str]) -> Figures:
    """The sets of these names, one after another. Those that the folder does not hold are left
    out."""
    figures: Figures = {}
    for name in names:
        figures.update(await sets.SETS[name](house, data))
    return figures


async def compare_policies(house: House, data: Path) -> str:
    """The tables behind the choice of decay, fusion, overfetch and context."""
    path = sets.locomo_file(data)
    tables = {
        "Windows": await policies.by_windows(house, data, path),
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
    """Run it, print it, and keep the figures of a whole run."""
    asked = _parser().parse_args()
    data = Path(os.environ.get("GIEOK_DATA") or DATA)
    if not data.is_dir():
        print(f"eval: nothing to read, {data} is not there")
        return 1
    RESULT.parent.mkdir(exist_ok=True)
    if asked.policies:
        print(asyncio.run(_in_house(lambda house: compare_policies(house, data))))
        return 0
    names = asked.only or list(sets.SETS)
    figures = asyncio.run(_in_house(lambda house: evaluate(house, data, names)))
    if not asked.only:
        RESULT.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    print(report.table(figures))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
    parser.add_argument("--policies", action="store_true", help="compare policies")
    parser.add_argument(
        "--only",
        type=_names,
        metavar="SET,SET",
        help=f"measure some of {', '.join(sets.SETS)}; their figures are shown and not kept",
    )
    return parser


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in sets.SETS]:
        raise argparse.ArgumentTypeError(f"no such set: {', '.join(unknown)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
