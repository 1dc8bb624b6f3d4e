"""The figures as tables, each beside its bar."""

from typing import Any

from infra.local.demo.table import row

Figures = dict[str, Any]

COLUMNS = (48, 12, 16)
# Where a figure is, what it is called, and the bar of the specification.
_ROWS: tuple[tuple[str, str, str], ...] = (
    ("recall_1k.p50_ms", "recall, 200 × 1,000: p50 ms", ""),
    ("recall_1k.p99_ms", "· p99 ms", ""),
    ("recall_1k.floor_p50_ms", "· bare exact query, p50 ms", ""),
    ("recall_1k.ratio_to_floor", "· ratio to it", "≤ 2"),
    ("recall_1k.recall_at_20", "· recall@20 of the vector leg", "1.00"),
    ("recall_1k.empty_rate", "· share of empty answers", "0"),
    ("recall_10k.p50_ms", "recall, a pair of 10,000: p50 ms", "≤ 10"),
    ("recall_10k.p99_ms", "· p99 ms", ""),
    ("recall_10k.floor_p50_ms", "· bare exact query, p50 ms", ""),
    ("recall_10k.ratio_to_floor", "· ratio to it", ""),
    ("recall_10k.recall_at_20", "· recall@20 of the vector leg", "≥ .99"),
    ("recall_10k.empty_rate", "· share of empty answers", "0"),
    ("storage.bytes_per_memory", "size: bytes a memory, tables and indexes", ""),
    ("growth.rows_1k_p50_ms", "growth: 1 k memories of others, p50 ms", ""),
    ("growth.rows_1m_p50_ms", "· 1 M memories of others, p50 ms", "± 20 %"),
    ("growth.pair_100_p50_ms", "· 100 memories in the pair, p50 ms", ""),
    ("growth.pair_10k_p50_ms", "· 10,000 memories in the pair, p50 ms", "≤ 3 ×"),
    ("mem0.x20x1k.gieok_p50_ms", "mem0, 20 × 1,000: ours, p50 ms", ""),
    ("mem0.x20x1k.peer_p50_ms", "· mem0, p50 ms", ""),
    ("mem0.x20x1k.ratio", "· times faster", "≥ 4"),
    ("mem0.x20x1k.peer_empty_rate", "· mem0's share of empty answers", ""),
    ("mem0.x1x10k.gieok_p50_ms", "mem0, 1 × 10,000: ours, p50 ms", ""),
    ("mem0.x1x10k.peer_p50_ms", "· mem0, p50 ms", ""),
    ("mem0.x1x10k.ratio", "· times faster", "≥ 5"),
    ("mem0.x1x10k.peer_empty_rate", "· mem0's share of empty answers", ""),
    ("mem0.x200x1k.gieok_p50_ms", "mem0, 200 × 1,000: ours, p50 ms", ""),
    ("mem0.x200x1k.peer_p50_ms", "· mem0, p50 ms", ""),
    ("mem0.x200x1k.ratio", "· times faster", ""),
    ("mem0.x200x1k.peer_empty_rate", "· mem0's share of empty answers", "ours: 0"),
    ("turn.p50_ms", "turn: request to model, p50 ms", "≤ 8"),
    ("turn.p99_ms", "· p99 ms", "≤ 25"),
    ("turn.round_trips_before", "· round trips before the model", "≤ 2"),
    ("turn.round_trips_after", "· round trips after it", "≤ 2"),
    ("turn.ms_per_delta", "· ms added by each delta", "≤ .2"),
    ("worker.windows_per_s", "worker: windows a second", "≥ 150"),
    ("import.chat_s", "import of the artifact: chat, s", "≤ .45"),
    ("import.worker_s", "· worker, s", "≤ .45"),
    ("import.sweep_s", "· sweep, s", "≤ .25"),
    ("import.layer_mb", "· layer unzipped, MB", "≤ 90"),
)


def tables(figures: Figures) -> str:
    """All figures, a line each; "–" for what could not be measured."""
    lines = [figures["machine"], row(("", "measured", "bar"), COLUMNS)]
    lines += [row((name, _shown(figures, path), bar), COLUMNS) for path, name, bar in _ROWS]
    return "\n".join(lines)


def _shown(figures: Figures, path: str) -> str:
    value: Any = figures
    for key in path.split("."):
        value = value[key]
    return "–" if value is None else f"{value:g}"
