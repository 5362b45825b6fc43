"""Reads Wycheproof's files for AEADs and MACs (C2SP/wycheproof: aead_test_schema, mac_test_schema,
mac_with_iv_test_schema).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import AeadRecord, MacRecord


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
                    tag=int(group["tagSize"]) // 8 if "tagSize" in group else None,
                )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a Wycheproof file of AEAD cases ({error})") from None


def mac_records(text: str) -> Iterator[MacRecord]:
    """The cases of a file for MACs; a nonce counts as the last part of the key.

    Raises `FormatError`.
    """
    try:
        for group in json.loads(text)["testGroups"]:
            for case in group["tests"]:
                yield MacRecord(
                    count=int(case["tcId"]),
                    key=bytes.fromhex(case["key"]) + bytes.fromhex(case.get("iv", "")),
                    message=bytes.fromhex(case["msg"]),
                    tag=bytes.fromhex(case["tag"]),
                    size=int(group["tagSize"]) // 8,
                    valid=case["result"] != "invalid",
                )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a Wycheproof file of MAC cases ({error})") from None
