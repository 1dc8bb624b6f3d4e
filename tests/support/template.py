"""The template of the deployment, read."""

from typing import Any

import yaml

from tests.support.checkout import ROOT

Template = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """Reads !Ref, !Sub and the like as {tag: value}."""


def _intrinsic(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> dict[str, Any]:
    if isinstance(node, yaml.ScalarNode):
        return {tag: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {tag: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {tag: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _intrinsic)


def load() -> Template:
    """The template's values."""
    loaded: Template = yaml.load((ROOT / "template.yaml").read_text(), _Loader)
    return loaded


def alarms_of(template: Template) -> list[Template]:
    """The properties of its alarms."""
    kind = "AWS::CloudWatch::Alarm"
    return [r["Properties"] for r in template["Resources"].values() if r["Type"] == kind]
