"""SUPERCOP's framework: the macros that it defines for packages, and their list of machines.

The macros are those that the script `do-part` defines for every source. They are only defined for
packages that mention one of them.
"""

from __future__ import annotations

import re

from pennyweight.build.contents import beginning_of
from pennyweight.build.failure import BuildError
from pennyweight.build.sources import Sources
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind, Status

_PREFIXES = {Kind.AEAD: "crypto_aead", Kind.HASH: "crypto_hash", Kind.AUTH: "crypto_auth"}
_CUSTOMISED = "crypto_cxof"

_ARCHITECTURES = "architectures"
_LARGEST = 4096

_ANOTHER = re.compile(
    r"(?P<op>crypto_(?:core|hash|hashblocks|onetimeauth|rng|sort|stream|xof))_(?P<name>\w+)"
    r"(?:\.h: No such file|'$)"
)


def framework_flags(sources: Sources, implementation: Implementation) -> tuple[str, ...]:
    """The framework's macros that the sources mention, as compiler flags."""
    top = _CUSTOMISED if implementation.customised else _PREFIXES[implementation.kind]
    values = {
        "SUPERCOP": "SUPERCOP=1",
        "CRYPTO_ALIGN": "CRYPTO_ALIGN(n)=__attribute__((aligned(n)))",
        "CRYPTO_NAMESPACETOP": f"CRYPTO_NAMESPACETOP={top}",
        "_CRYPTO_NAMESPACETOP": f"_CRYPTO_NAMESPACETOP=_{top}",
    }
    for scope in ("NAMESPACE", "SHARED_NAMESPACE"):
        values[f"CRYPTO_{scope}"] = f"CRYPTO_{scope}(name)={top}_##name"
        values[f"_CRYPTO_{scope}"] = f"_CRYPTO_{scope}(name)=_{top}_##name"
    values |= {name: f"{name}={size}" for name, size in _sizes(implementation).items()}
    return tuple(f"-D{value}" for name, value in values.items() if name in sources.framework)


def _sizes(implementation: Implementation) -> dict[str, int]:
    """The sizes in `api.h`, in bytes, by the framework's names."""
    kind, tag = implementation.kind, implementation.tag
    top = _PREFIXES[kind]
    if kind is Kind.HASH:
        return {f"{top}_BYTES": implementation.digest}
    if kind is Kind.AUTH:
        return {f"{top}_BYTES": tag, f"{top}_KEYBYTES": implementation.key}
    numbers = {"NPUBBYTES": implementation.nonce, "NSECBYTES": implementation.nsec, "ABYTES": tag}
    return {f"{top}_KEYBYTES": implementation.key} | {f"{top}_{n}": v for n, v in numbers.items()}


def for_another_architecture(
    failure: BuildError, sources: Sources, own: frozenset[str]
) -> BuildError:
    """The same failure, or `skipped` if the package's own list has no word of `own`."""
    named = _architectures(sources)
    if failure.status is not Status.BUILD_FAILED or not named or own & set(named):
        return failure
    words = " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))
    reason = f"its file '{_ARCHITECTURES}' lists {words} only: {failure.reason}"
    return BuildError(Status.SKIPPED, reason)


def built_on_another(failure: BuildError) -> BuildError:
    """The same failure, or one that names a missing package of SUPERCOP's tree."""
    found = _ANOTHER.search(failure.reason)
    if found is None:
        return failure
    other = f"{found['op']}/{found['name']}"
    reason = f"it needs another package of SUPERCOP's tree, {other}: {failure.reason}"
    return BuildError(Status.SKIPPED, reason)


def _architectures(sources: Sources) -> list[str]:
    """The machines that a package lists; empty if it has no list."""
    content = beginning_of(sources.folder / _ARCHITECTURES, _LARGEST)
    text = content.decode("ascii", errors="replace")
    return [line.split()[0] for line in text.splitlines() if line.strip()]
