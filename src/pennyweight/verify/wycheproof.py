"""Reads Wycheproof's AEAD files (C2SP/wycheproof, schema aead_test_schema)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import AeadRecord


def aead_records(text: str) -> Iterator[AeadRecord]:
    """The cases of a file. `acceptable` counts as valid. Raises `FormatError`."""
    try:
        for group in json.loads(text)["testGroups"]:
            for case in group["tests"]:
                yield AeadRecord(
                    count=int(case["tcId"]),
                    key=bytes.fromhex(case["key"]),
                    nonce=bytes.fromhex(case["iv"]),
                    ad=bytes.fromhex(case["aad"]),
                    message=bytes.fromhex(case["msg"]),
                    sealed=bytes.fromhex(case["ct"]) + bytes.fromhex(case["tag"]),
                    valid=case["result"] != "invalid",
                )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a Wycheproof file of AEAD cases ({error})") from None
