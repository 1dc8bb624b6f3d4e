"""A built template accepts the architecture its layer was built for, and no other."""

import pytest
import yaml

from infra.pin_architecture import CannotPin, pinned
from tests.support.checkout import ROOT

AS_SAM_WRITES_IT = """\
Transform: AWS::Serverless-2016-10-31
Parameters:
  Architecture:
    Type: String
    Default: arm64
    AllowedValues:
    - arm64
    - x86_64
  OidcIssuer:
    Type: String
"""


def test_the_built_template_says_what_was_built_and_allows_nothing_else() -> None:
    before, after = yaml.safe_load(AS_SAM_WRITES_IT), yaml.safe_load(pinned(AS_SAM_WRITES_IT, "x"))
    assert after["Parameters"].pop("Architecture") == {
        "Type": "String",
        "Default": "x",
        "AllowedValues": ["x"],
    }
    del before["Parameters"]["Architecture"]
    assert after == before


def test_our_own_template_has_the_parameter_in_the_form_that_is_known() -> None:
    source = (ROOT / "template.yaml").read_text()
    assert "    - x86_64\n" in pinned(source, "x86_64")


def test_pinning_twice_is_the_last_one() -> None:
    assert pinned(pinned(AS_SAM_WRITES_IT, "arm64"), "x86_64") == pinned(AS_SAM_WRITES_IT, "x86_64")


def test_a_template_without_the_parameter_is_refused() -> None:
    with pytest.raises(CannotPin):
        pinned("Parameters:\n  Other:\n    Type: String\n", "x86_64")
