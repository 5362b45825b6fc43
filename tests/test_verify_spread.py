"""A quick verification compares with the digests of the sampled answers; every one with
those of long messages.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from packages_for_tests import ARM, AVR, files, run
from pennyweight.catalogue import Implementation
from pennyweight.job import Level
from pennyweight.model import Status, UserError
from pennyweight.verify.records import cxof_grid, cxof_in_spread, hash_grid, hash_in_spread
from verdicts import cached_by_project

pytestmark = cached_by_project("verification on boards")

ONE_OF_EACH = ("ascon-128/small", "skinny-tk2-hash/small", "ascon-cxof128/small")


def spread_of(implementation: Implementation) -> list[str]:
    assert implementation.known is not None
    return implementation.known.variant.known_answers[0].spread.split()


def with_spread(implementation: Implementation, digests: list[str]) -> Implementation:
    """The same with other digests in the catalogue."""
    known = implementation.known
    assert known is not None
    first, *others = known.variant.known_answers
    changed = first.model_copy(update={"spread": " ".join(digests)})
    variant = known.variant.model_copy(update={"known_answers": (changed, *others)})
    return replace(implementation, known=known.model_copy(update={"variant": variant}))


def test_sampled_lengths_end_everywhere_in_a_block() -> None:
    lengths = [len(each.message) for each in hash_grid() if hash_in_spread(each)]
    assert len(lengths) == 33 and lengths[0] == 0 and lengths[-1] == 1024
    assert {each % 32 for each in lengths} == set(range(32))
    strings = [each for each in cxof_grid() if cxof_in_spread(each)]
    assert sorted(len(each.message) for each in strings) == list(range(33))
    assert sorted(len(each.custom) for each in strings) == list(range(33))


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_quick_compares_all_sampled_records(name: str) -> None:
    [own] = files().find(name)
    found = run(own, ARM, verify="quick").provenance.verified
    assert found.startswith("33 of 10")


@pytest.mark.parametrize("name", ONE_OF_EACH)
@pytest.mark.parametrize("level", ["quick", "full"])
def test_an_answer_that_is_not_the_official_one_is_found(name: str, level: Level) -> None:
    [own] = files().find(name)
    digests = spread_of(own)
    digests[20] = "00000000"
    [row] = run(with_spread(own, digests), ARM, verify=level).measurements
    assert row.status == Status.WRONG_ANSWER
    assert "not the official answer, whose digest is known" in row.reason


def test_too_few_digests_are_reported() -> None:
    [own] = files().find("ascon-128/small")
    with pytest.raises(UserError, match=r"field 'spread' has 32 digests, not 33; .*host.spreads"):
        run(with_spread(own, spread_of(own)[1:]), ARM, verify="quick")


def test_every_set_that_follows_from_a_rule_has_its_spread() -> None:
    for name, algorithm in files().algorithms.items():
        for answers in algorithm.variant.known_answers:
            assert bool(answers.spread) == answers.format.value.startswith("lwc-"), name


ONE_OF_EACH_KIND = ("romulus-n/small", "siphash-2-4-64/small", "sha-256/small")


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
@pytest.mark.parametrize("level", ["quick", "full"])
def test_a_wrong_answer_to_a_long_message_is_found(name: str, level: Level) -> None:
    [own] = files().find(name)
    result = run(own, AVR, verify=level)
    assert "2 long messages" in result.provenance.verified
    assert own.known is not None
    digests = own.known.variant.long.split()
    variant = own.known.variant.model_copy(update={"long": f"{digests[0]} 00000000 {digests[2]}"})
    changed = replace(own, known=own.known.model_copy(update={"variant": variant}))
    [row] = run(changed, AVR, verify=level).measurements
    assert row.status == Status.WRONG_ANSWER
    assert row.reason.startswith("a message of 515 bytes")
    assert "the answer does not match the catalogue's digest" in row.reason


def test_every_algorithm_that_takes_long_messages_has_digests_of_some() -> None:
    for name, algorithm in files().algorithms.items():
        assert bool(algorithm.variant.long) != bool(algorithm.variant.longest), name
