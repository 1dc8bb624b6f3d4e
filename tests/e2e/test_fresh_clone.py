"""What .ci/run gives to the stranger who tries the README's commands."""

from pathlib import Path

import pytest

from tests.e2e import fresh_clone


def test_a_stranger_has_a_path_an_empty_home_and_what_installers_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "ours"
    configuration = home / ".config" / "pip" / "pip.conf"
    configuration.parent.mkdir(parents=True)
    configuration.touch()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("PIP_CONFIG_FILE", raising=False)
    told = {"PIP_CERT": "a", "https_proxy": "b", "REQUESTS_CA_BUNDLE": "c", "UV_OFFLINE": "1"}
    untold = {"GIEOK_PORT": "1", "PYTHONPATH": "x", "GEMINI_API_KEY": "secret", "MAKEFLAGS": "w"}
    for name, value in (told | untold).items():
        monkeypatch.setenv(name, value)
    found = fresh_clone.strangers_environment(tmp_path)
    assert told.items() <= found.items()
    assert not untold.keys() & found.keys()
    assert found["PIP_CONFIG_FILE"] == str(configuration)
    assert not [*Path(found["HOME"]).iterdir()]


@pytest.mark.parametrize(
    "line", ["3 passed in 1.0s", "1 failed, 2 passed in 1.0s", "1 error in 1s"]
)
def test_the_suites_closing_line_is_known(line: str) -> None:
    assert fresh_clone.CLOSING.search(line)
