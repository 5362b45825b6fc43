"""The API of masked AEADs whose inputs and outputs are shares.

It is that of the Call for Protected Software Implementations of the finalists of NIST's project
(Cryptographic Engineering Research Group, George Mason University, 2021). Each 32-bit word is an
array of shares; `api.h` defines the number of shares of each input and output.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue.api_header import API, value_of, without_comments
from pennyweight.catalogue.felics import define
from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import UserError

ENCRYPT = "crypto_aead_encrypt_shared"
DECRYPT = "crypto_aead_decrypt_shared"
GENERATE_ENCRYPT = "generate_shares_encrypt"
GENERATE_DECRYPT = "generate_shares_decrypt"
COMBINE_ENCRYPT = "combine_shares_encrypt"
COMBINE_DECRYPT = "combine_shares_decrypt"
HELPERS = (GENERATE_ENCRYPT, GENERATE_DECRYPT, COMBINE_ENCRYPT, COMBINE_DECRYPT)
"""The functions that generate shares and combine them. They are not measured."""

HEADER = "crypto_aead_shared.h"
MACROS = {
    "key": "NUM_SHARES_KEY",
    "nonce": "NUM_SHARES_NPUB",
    "ad": "NUM_SHARES_AD",
    "message": "NUM_SHARES_M",
    "ciphertext": "NUM_SHARES_C",
}
"""The macros of `api.h`, by the fields of `SharedApi`."""

MOST_SHARES = 16


@dataclass(frozen=True, slots=True)
class SharedApi:
    """The number of shares of each input and output."""

    key: int
    nonce: int
    ad: int
    message: int
    ciphertext: int

    @property
    def shares(self) -> int | None:
        """The number of shares of the key; `None` if it is not masked."""
        return self.key if self.key > 1 else None


def is_package(folder: Path) -> bool:
    """Whether the folder has an `api.h`, and a source that defines the function for shares."""
    if not (folder / API).is_file():
        return False
    if not (folder / HEADER).is_file() and MACROS["key"] not in _text(folder / API):
        return False
    return any(ENCRYPT in _text(path) for path in sorted(folder.glob("*.[ch]")))


def read(folder: Path) -> SharedApi:
    """The numbers of shares that `api.h` and the headers that it includes define. Raises
    `UserError`.
    """
    macros: dict[str, str] = {}
    define(folder / API, macros, folder.resolve())
    numbers: dict[str, int] = {}
    for name, macro in MACROS.items():
        number = value_of(macro, macros)
        if number is None or not 1 <= number <= MOST_SHARES:
            found = f"is '{macros[macro][:60]}'" if macro in macros else "is not defined"
            raise UserError(
                f"{folder / API}: {macro} {found}, but the package has {ENCRYPT}; define the "
                f"number of shares, from 1 to {MOST_SHARES}"
            )
        numbers[name] = number
    return SharedApi(**numbers)


def has_default_only(folder: Path) -> bool:
    """Whether `api.h` defines the number of shares only if the build does not."""
    return f"#ifndef {MACROS['key']}" in " ".join(without_comments(folder / API).split())


def _text(path: Path) -> str:
    try:
        return read_text(path, errors="replace")
    except UserError:
        return ""
