"""What holds for every pair of times."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.prompt.relative_time import ago

ORDER = ("방금", "분 전", "시간 전", "어제", "일 전", "주 전", "개월 전", "년 전")
TIMES = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
    lambda t: t.replace(tzinfo=UTC)
)
GAPS = st.integers(0, 20 * 365 * 86_400) | st.integers(0, 3 * 86_400)
ZONES = st.sampled_from(["Asia/Seoul", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"])


def _place(said: str) -> tuple[int, int]:
    unit = next(i for i, word in enumerate(ORDER) if said.endswith(word))
    digits = "".join(c for c in said if c.isdigit())
    return unit, int(digits or 1)


@settings(deadline=None)
@given(TIMES, GAPS, GAPS, ZONES)
def test_earlier_never_sounds_more_recent(now: datetime, one: int, two: int, name: str) -> None:
    nearer, farther = sorted((one, two))
    where = ZoneInfo(name)
    near = ago(now - timedelta(seconds=nearer), now, where, "ko")
    far = ago(now - timedelta(seconds=farther), now, where, "ko")
    assert _place(near) <= _place(far)
    assert _place(far)[1] >= 1
