"""The harness of `make bench` runs and gives the figures it promises, here over few rows."""

from pathlib import Path

import pytest

from tests.bench import peer
from tests.bench.__main__ import bench
from tests.bench.size import TINY
from tests.bench.tables import tables

RECALL = {"p50_ms", "p99_ms", "floor_p50_ms", "ratio_to_floor", "recall_at_20", "empty_rate"}
MEM0 = {"gieok_p50_ms", "peer_p50_ms", "ratio", "peer_empty_rate"}
TURN = {"p50_ms", "p99_ms", "round_trips_before", "round_trips_after", "ms_per_delta"}
GROWTH = {"rows_1k_p50_ms", "rows_1m_p50_ms", "pair_100_p50_ms", "pair_10k_p50_ms"}
PARTS = {
    "recall_1k": RECALL,
    "recall_10k": RECALL,
    "storage": {"bytes_per_memory"},
    "growth": GROWTH,
    "mem0": {"x20x1k", "x1x10k", "x200x1k"},
    "turn": TURN,
    "worker": {"windows_per_s"},
    "import": {"chat_s", "worker_s", "sweep_s", "layer_mb"},
}


async def test_every_figure_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "PYTHON", tmp_path / "none")
    figures = await bench(TINY, tmp_path)
    assert figures.keys() == {"machine", *PARTS}
    assert {name: set(figures[name]) for name in PARTS} == PARTS
    assert figures["mem0"]["x20x1k"] == dict.fromkeys(MEM0)
    assert figures["recall_10k"]["recall_at_20"] == 1
    assert figures["recall_1k"]["empty_rate"] == 0
    assert figures["storage"]["bytes_per_memory"] > 768 * 2, "a vector alone is larger"
    assert (figures["turn"]["round_trips_before"], figures["turn"]["round_trips_after"]) == (2, 1)
    assert figures["machine"] in tables(figures)
