"""`make bench`: what the product costs in time, as tables and in `.gieok/bench.json`."""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from collections.abc import Awaitable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Never, TypeVar

from tqdm import tqdm

from tests.bench import growth, peer, recalls, storage, turns, workers
from tests.bench.artifact import measure_imports
from tests.bench.house import House, fill, house, recalling
from tests.bench.machine import machine
from tests.bench.size import FULL, TINY, Size
from tests.bench.tables import Figures, tables
from tests.support.bulk.rows import Pair
from tests.support.stack import Stack

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / ".gieok" / "bench.json"
STEPS = 11
FEWER = 5
"""mem0 is slow enough to be measured in a fifth of the tries."""

T = TypeVar("T")


@dataclass(slots=True)
class Bench:
    """One run: what is measured where, and what came of it."""

    house: House
    size: Size
    bar: "tqdm[Never]"
    figures: Figures = field(default_factory=dict)

    @property
    def users(self) -> list[Pair]:
        """The many pairs of ordinary size."""
        return [Pair(number, self.size.of_each) for number in range(self.size.users)]

    @property
    def few(self) -> Pair:
        """A young relationship."""
        return Pair(self.size.users, self.size.small)

    @property
    def many(self) -> Pair:
        """A very old one."""
        return Pair(self.size.users + 1, self.size.large)

    async def step(self, name: str, work: Awaitable[T]) -> T:
        """Do one step, showing its name."""
        self.bar.set_description(name)
        result = await work
        self.bar.update()
        return result

    async def run(self) -> Figures:
        """All groups, those of recall on one database that grows."""
        self.figures["machine"] = machine()
        self.figures["turn"] = await self.step("turn", turns.measure(self.house, self.size))
        self.figures["worker"] = await self.step("worker", workers.measure(self.house, self.size))
        main, small = self.house.stack(), self.house.stack()
        await self.step("write memories", self._fill(main, small))
        self.figures["storage"] = storage.measure(main.database)
        await self._recall(main)
        await self._peer(main)
        await self._growth(main, small)
        imported = asyncio.to_thread(measure_imports, self.size.imports)
        self.figures["import"] = await self.step("import", imported)
        return self.figures

    async def _fill(self, main: Stack, small: Stack) -> None:
        await asyncio.to_thread(fill, main.database, [*self.users, self.few, self.many])
        other = Pair(self.many.number + 1, self.size.of_each)
        await asyncio.to_thread(fill, small.database, [self.users[0], other])
        await asyncio.to_thread(recalls.lay_floor, main.database)

    async def _recall(self, main: Stack) -> None:
        groups = {"recall_1k": self.users, "recall_10k": [self.many]}
        async with recalling(main) as (engine, given):
            for name, pairs in groups.items():
                measured = recalls.measure(main, engine, given, pairs, self.size.questions)
                self.figures[name] = await self.step(name, measured)

    async def _peer(self, main: Stack) -> None:
        groups = {
            "x20x1k": self.users[: self.size.few_users],
            "x1x10k": [self.many],
            "x200x1k": self.users,
        }
        figures: Figures = dict.fromkeys(groups, dict.fromkeys(peer.KEYS))
        self.figures["mem0"] = figures
        if not peer.installed():
            tqdm.write("mem0 is not installed (.venv-bench): no figures of it", file=sys.stderr)
            self.bar.update(len(groups))
            return
        tries = max(1, self.size.questions // FEWER)
        with peer.running(main.database) as mem0:
            async with recalling(main) as (engine, given):
                for name, pairs in groups.items():
                    measured = peer.measure(main.database, engine, given, mem0, pairs, tries)
                    figures[name] = await self.step(f"mem0 {name}", measured)

    async def _growth(self, main: Stack, small: Stack) -> None:
        await self.step("a million others", asyncio.to_thread(self._crowd, main))
        async with recalling(small) as quiet, recalling(main) as crowded:
            situations = {
                "rows_1k_p50_ms": (*quiet, self.users[0]),
                "rows_1m_p50_ms": (*crowded, self.users[0]),
                "pair_100_p50_ms": (*crowded, self.few),
                "pair_10k_p50_ms": (*crowded, self.many),
            }
            measured = growth.measure(situations, self.size.questions)
            self.figures["growth"] = await self.step("growth", measured)

    def _crowd(self, main: Stack) -> None:
        growth.crowd(main.database, self.size.others, lambda rows: self.bar.refresh())


async def bench(size: Size, folder: Path) -> Figures:
    """Start the services, measure all, stop them."""
    logging.getLogger("gieok").setLevel(logging.CRITICAL)
    with house(folder) as ready, tqdm(total=STEPS, unit="step", mininterval=1) as bar:
        return await Bench(ready, size, bar).run()


def main() -> int:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="few rows, figures without meaning")
    parser.add_argument("--result", type=Path, default=RESULT, help="where the JSON goes")
    asked = parser.parse_args()
    # The engine's metric lines would stand between the bar and the table.
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        figures = asyncio.run(bench(TINY if asked.tiny else FULL, Path(folder)))
    asked.result.parent.mkdir(exist_ok=True)
    asked.result.write_text(json.dumps(figures, indent=2) + "\n")
    print(tables(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
