"""Completion in bash, zsh and fish where click's own falls short: lists with commas, values after
``--option=``, and names with colons.
"""

from __future__ import annotations

import os

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

_FISH = """\
function %(complete_func)s;
    set --local replies (
        env COMP_WORDS=(commandline -cp) COMP_CWORD=(commandline -t) \\
            %(complete_var)s=fish_complete %(prog_name)s
    );
    for reply in $replies;
        set --local kind (string split --max 1 , -- $reply);
        switch $kind[1];
            case plain;
                echo $kind[2];
            case file;
                __fish_complete_path $kind[2];
            case dir;
                __fish_complete_directories $kind[2];
        end;
    end;
end;

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)";
"""


_SIGNS = (":", "=")


class _Bash(BashComplete):
    """Bash splits words at colons and equals signs: the command needs them whole, and what is
    offered begins after the last sign.
    """

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the cursor's, and the one at the cursor."""
        at = int(os.environ["COMP_CWORD"])
        given = split_arg_string(os.environ["COMP_WORDS"])[: at + 1]
        if len(given) <= at:
            given.append("")
        words: list[str] = []
        for word in given:
            if words and (word in _SIGNS or words[-1].endswith(_SIGNS)):
                words[-1] += word
            else:
                words.append(word)
        return words[1:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """The candidates, without what precedes the word that bash replaces."""
        option, equals, value = incomplete.partition("=")
        typed = value if option.startswith("--") and equals else incomplete
        found = super().get_completions(args, incomplete)
        for each in found:
            each.value = each.value[1 + max(map(typed.rfind, _SIGNS)) :]
        return found


def _after_option(found: list[CompletionItem[str]], typed: str) -> list[CompletionItem[str]]:
    """The candidates for a word like ``--option=value``, whole, as zsh and fish expect them."""
    option, equals, _ = typed.partition("=")
    if option.startswith("--") and equals:
        for each in found:
            each.value = f"{option}={each.value}"
    return found


class _Zsh(ZshComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """The candidates as whole words."""
        return _after_option(super().get_completions(args, incomplete), incomplete)


class _Fish(FishComplete):
    """Only the first comma of a reply separates: values and descriptions may have more."""

    source_template = _FISH

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """The candidates as whole words."""
        return _after_option(super().get_completions(args, incomplete), incomplete)


def register() -> None:
    """Makes click use these classes."""
    for each in (_Bash, _Zsh, _Fish):
        add_completion_class(each)
