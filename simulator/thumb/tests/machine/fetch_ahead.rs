//! A cache behind a core that fetches ahead: what follows from the mechanism that
//! `timing::fetch_ahead` describes, by hand.

use super::program::{self, booted_with, options, FLASH, FUNCTION};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Machine as _};
use pennyweight_thumb::core::CortexM4;

const NOP: &str = "nop; ";
const WIDE: &str = "mov.w r3, #0; ";

/// Lines of 16 bytes: eight halfwords, four words.
fn cache(wait_states: u32, lines: u32) -> MemoryTiming {
    MemoryTiming::Cache { wait_states, line: 16, lines, data_wait_states: Some(2) }
}

fn stalls(timing: MemoryTiming, code: &str) -> (u64, u64) {
    program::stalls::<CortexM4>(timing, code, &[Arg::Pointer(FLASH), Arg::Int(5)])
}

/// So many halfwords, the return included.
fn narrow(halfwords: usize) -> String {
    NOP.repeat(halfwords - 1) + "bx lr"
}

fn wide(words: usize) -> String {
    WIDE.repeat(words) + "bx lr"
}

#[test]
fn without_wait_states_fetching_ahead_changes_nothing() {
    let unaligned = NOP.to_owned() + &wide(20);
    // A loop whose target is a wide instruction in two words.
    let looped = "nop; mov.w r3, #0; subs r1, #1; bne .-6; bx lr";
    for code in [&narrow(40), &wide(20), &unaligned, looped] {
        let MemoryTiming::Cache { line, lines, .. } = cache(0, 4) else { unreachable!() };
        let none = MemoryTiming::Cache { wait_states: 0, line, lines, data_wait_states: Some(0) };
        assert_eq!(stalls(none, code), (0, 0), "{code}");
    }
}

#[test]
fn narrow_code_hides_three_wait_states() {
    // Execution comes to the second word of a line 4 cycles before it comes to the next line; that
    // line's first word is asked for then, and there 1 + 3 cycles later.
    assert_eq!(stalls(cache(3, 4), &narrow(24)), (0, 0));
    assert_eq!(stalls(cache(4, 4), &narrow(24)), (2, 0));
}

#[test]
fn wide_code_hides_none() {
    // A word each cycle is what the core takes: it has none in store when the next line begins.
    assert_eq!(stalls(cache(3, 4), &wide(8)), (6, 0));
}

#[test]
fn an_instruction_in_two_lines_waits_for_its_second_half() {
    // Seven narrow ones, then a wide one: it comes a cycle before the second line's first word.
    let code = NOP.repeat(7) + &wide(1);
    assert_eq!(stalls(cache(3, 4), &code), (1, 0));
}

#[test]
fn a_branch_waits_for_all_of_a_line_that_is_not_there() {
    // To the third line.
    let code = "b .+32; ".to_owned() + &narrow(16);
    assert_eq!(stalls(cache(3, 4), &code), (3, 0));
}

#[test]
fn a_line_that_was_asked_for_is_there_although_a_branch_came_first() {
    // Two lines of narrow code, run five times; the branch is in the second line's third word.
    let looped = |nops: usize, branch: &str| NOP.repeat(nops) + &format!("subs r1, #1; {branch}; bx lr; nop");
    // The branch ends three cycles after that word came: the third line is asked for, and takes the
    // first one's place if there are two.
    let late = looped(12, "bne .-26");
    assert_eq!(stalls(cache(3, 2), &late), (12, 12));
    assert_eq!(stalls(cache(3, 4), &late), (0, 0));
    // It ends two cycles after: the fetching goes elsewhere before.
    assert_eq!(stalls(cache(3, 2), &looped(11, "bne .-24")), (0, 0));
}

#[test]
fn a_word_of_data_is_kept() {
    let bytes = "ldrb r3, [r0]; ldrb r3, [r0, #1]; ldrb r3, [r0, #4]; bx lr";
    assert_eq!(stalls(cache(3, 4), bytes), (4, 4));
    // The same literal twice.
    let literal = "ldr r3, [pc, #4]; ldr r2, [pc, #4]; bx lr; nop; .short 0x0, 0x0, 0x0, 0x0";
    assert_eq!(stalls(cache(3, 4), literal), (2, 0));
}

#[test]
fn restore_empties_the_cache() {
    let mut machine = booted_with::<CortexM4>(cache(3, 4), &wide(8));
    machine.snapshot();
    let mut cycles = || machine.call(FUNCTION, &[], &options()).cycles;
    let (cold, warm) = (cycles(), cycles());
    assert_eq!(cold, warm + 6);
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &[], &options()).cycles, cold);
}
