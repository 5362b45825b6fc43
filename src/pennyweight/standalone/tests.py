"""Known-answer tests for a vendored implementation: C programs, their data and a Makefile.

The programs are the files in `templates`; the data and the Makefile are generated for each
implementation.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind
from pennyweight.standalone.answers import Answer, answers
from pennyweight.standalone.flat_sources import Flat

FOLDER = "test"
"""In the folder itself, build systems would take the tests for sources."""

_FIELDS = {
    Kind.AEAD: ("key", "nonce", "ad", "message", "sealed"),
    Kind.HASH: ("message", "custom", "digest"),
    Kind.AUTH: ("key", "message", "custom", "tag"),
}

_MAKEFILE = """\
# Builds the known-answer tests for this machine and runs them: make test
CFLAGS ?= -std=c11 -O2 -Wall -Wextra -Wpedantic
SOURCES := {sources}
HEADERS := {headers}
TESTS := {tests}

test: $(TESTS)
\t@set -e; for each in $(TESTS); do ./$$each; done

$(TESTS): %: %.c {folder}/known_answers.h {folder}/hex.h $(SOURCES) $(HEADERS)
\t$(CC) $(CPPFLAGS) $(CFLAGS) $< $(SOURCES) $(LDFLAGS) -o $@

clean:
\trm -f $(TESTS)

.PHONY: test clean
"""


_RANDOM = """
#include <stdint.h>

/* Words for the masks of these tests: they are not random. */
uint32_t pw_random32(void);

uint32_t pw_random32(void)
{
    static uint32_t word;

    return word += UINT32_C(0x9e3779b9);
}
"""


def test_files(implementation: Implementation, flat: Flat, incremental: bool) -> dict[str, str]:
    """The tests of a copy by their paths in its folder."""
    kind = implementation.kind.value
    programs = {"one_shot": "cxof_one_shot" if implementation.customised else f"{kind}_one_shot"}
    if incremental:
        programs["incremental"] = f"{kind}_incremental"
    customised = implementation.customised or (
        incremental and implementation.manifest.customisation
    )
    chosen = answers(implementation, customised)
    draws = any("pw_random32(" in text for text in flat.files.values())
    return {
        "Makefile": _MAKEFILE.format(
            sources=" ".join(flat.compiled),
            headers=" ".join(sorted(set(flat.files) - set(flat.compiled))),
            tests=" ".join(f"{FOLDER}/{name}" for name in programs),
            folder=FOLDER,
        ),
        **{
            f"{FOLDER}/{name}.c": _template(f"{each}.c") + (_RANDOM if draws else "")
            for name, each in programs.items()
        },
        f"{FOLDER}/hex.h": _template("hex.h"),
        f"{FOLDER}/known_answers.h": _header(implementation, chosen, incremental),
    }


def _template(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _header(implementation: Implementation, chosen: Sequence[Answer], incremental: bool) -> str:
    """The known answers as a table in C, with the constants that the programs need."""
    fields = _FIELDS[implementation.kind]
    manifest = implementation.manifest
    promised = {
        "KEY_SETUP": incremental and manifest.key_setup,
        "SQUEEZES": incremental and manifest.xof,
        "CUSTOMISED": incremental and manifest.customisation,
        "IN_PLACE": manifest.in_place is True,
    }
    longest = max(len(value) for each in chosen for value in each.values)
    rows = "".join(
        f'    {{"{each.source}", {int(each.valid)},\n     '
        + ",\n     ".join(f'"{value.hex()}"' for value in each.values)
        + "},\n"
        for each in chosen
    )
    known = implementation.known
    title = known.variant.title if known else implementation.algorithm
    return (
        f"/* Known answers of {title} in hexadecimal. What is not valid must be rejected. */\n"
        "#ifndef KNOWN_ANSWERS_H\n#define KNOWN_ANSWERS_H\n\n"
        + "".join(f"#define {name} {int(is_there)}\n" for name, is_there in promised.items())
        + f"#define LONGEST {longest} /* bytes of the longest value */\n\n"
        "struct known_answer {\n    const char *source;\n    int valid;\n"
        + "".join(f"    const char *{name};\n" for name in fields)
        + "};\n\nstatic const struct known_answer known_answers[] = {\n"
        + rows
        + "};\n\n#define ANSWERS (sizeof known_answers / sizeof *known_answers)\n\n#endif\n"
    )
