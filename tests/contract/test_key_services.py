"""Data keys wrapped by KMS (moto's, through the real SDK) and by the laptop's key file."""

import os
from pathlib import Path

import pytest

from gieok.errors import DecryptionFailed, KeyServiceUnavailable, Misconfigured
from gieok.ports import KeyService
from gieok.privacy.key_services import FileKeyService, KmsKeyService
from gieok.types import UserId
from infra.local.servers.aws import Aws
from tests.support.checkout import free_port
from tests.support.stack import Stack

ALICE, BOB = UserId("alice"), UserId("bob")


@pytest.fixture(params=["kms", "file"])
def service(request: pytest.FixtureRequest, stack: Stack, tmp_path: Path) -> KeyService:
    """Each of the two."""
    if request.param == "kms":
        return KmsKeyService(stack.services.aws.kms(), stack.services.kms_key_id)
    (tmp_path / "key").write_text(os.urandom(32).hex() + "\n")
    return FileKeyService(tmp_path / "key")


async def test_a_wrapped_key_opens_for_its_user(service: KeyService) -> None:
    plain, wrapped = await service.generate(ALICE)
    assert len(plain) == 32
    assert plain not in wrapped
    assert await service.unwrap(ALICE, wrapped) == plain


async def test_a_wrapped_key_does_not_open_for_another_user(service: KeyService) -> None:
    _, wrapped = await service.generate(ALICE)
    with pytest.raises(DecryptionFailed):
        await service.unwrap(BOB, wrapped)


async def test_every_key_is_a_new_one(service: KeyService) -> None:
    assert (await service.generate(ALICE))[0] != (await service.generate(ALICE))[0]


async def test_a_damaged_key_does_not_open(service: KeyService) -> None:
    _, wrapped = await service.generate(ALICE)
    with pytest.raises(DecryptionFailed):
        await service.unwrap(ALICE, wrapped[:-1] + bytes([wrapped[-1] ^ 1]))


async def test_a_key_service_that_does_not_answer_is_a_typed_error(stack: Stack) -> None:
    nowhere = Aws(f"http://127.0.0.1:{free_port()}")
    with pytest.raises(KeyServiceUnavailable):
        await KmsKeyService(nowhere.kms(), stack.services.kms_key_id).generate(ALICE)


async def test_a_key_that_is_not_there_is_a_typed_error(stack: Stack) -> None:
    with pytest.raises(KeyServiceUnavailable):
        await KmsKeyService(stack.services.aws.kms(), "no-such-key").generate(ALICE)


@pytest.mark.parametrize("content", ["", "xyz", "ab" * 5])
def test_a_bad_key_file_is_one_clear_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "key").write_text(content)
    with pytest.raises(Misconfigured, match="64 hex digits"):
        FileKeyService(tmp_path / "key")
