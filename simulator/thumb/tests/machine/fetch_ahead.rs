//! A cache behind a core that fetches ahead: what follows from the mechanism that
//! `timing::fetch_ahead` describes, by hand.

use super::program::{self, booted_with, options, FLASH, FUNCTION};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Machine as _};
use pennyweight_thumb::core::CortexM4;

const BX_LR: u16 = 0x4770;
const NOP: u16 = 0xbf00;
/// `mov.w r3, #0`
const WIDE: [u16; 2] = [0xf04f, 0x0300];

/// Lines of 16 bytes: eight halfwords, four words.
fn cache(wait_states: u32, lines: u32) -> MemoryTiming {
    MemoryTiming::Cache { wait_states, line: 16, lines, data_wait_states: Some(2) }
}

fn stalls(timing: MemoryTiming, code: &[u16]) -> (u64, u64) {
    program::stalls::<CortexM4>(timing, code, &[Arg::Pointer(FLASH), Arg::Int(5)])
}

/// So many halfwords, the return included.
fn narrow(halfwords: usize) -> Vec<u16> {
    let mut code = vec![NOP; halfwords - 1];
    code.push(BX_LR);
    code
}

#[test]
fn without_wait_states_fetching_ahead_changes_nothing() {
    let wide: Vec<u16> = [WIDE; 20].concat();
    let unaligned = [&[NOP], &wide[..], &[BX_LR]].concat();
    // A loop whose target is a wide instruction in two words: nop; mov.w; subs r1, #1; bne; bx lr
    let looped = [&[NOP], &WIDE[..], &[0x3901, 0xd1fb, BX_LR]].concat();
    for code in [narrow(40), [&wide[..], &[BX_LR]].concat(), unaligned, looped] {
        let MemoryTiming::Cache { line, lines, .. } = cache(0, 4) else { unreachable!() };
        let none = MemoryTiming::Cache { wait_states: 0, line, lines, data_wait_states: Some(0) };
        assert_eq!(stalls(none, &code), (0, 0), "{code:04x?}");
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
    let code = [&[WIDE; 8].concat()[..], &[BX_LR]].concat();
    assert_eq!(stalls(cache(3, 4), &code), (6, 0));
}

#[test]
fn an_instruction_in_two_lines_waits_for_its_second_half() {
    // Seven narrow ones, then a wide one: it comes a cycle before the second line's first word.
    let code = [&[NOP; 7], &WIDE[..], &[BX_LR]].concat();
    assert_eq!(stalls(cache(3, 4), &code), (1, 0));
}

#[test]
fn a_branch_waits_for_all_of_a_line_that_is_not_there() {
    // b to the third line
    let mut code = vec![NOP; 17];
    code[0] = 0xe00e;
    code[16] = BX_LR;
    assert_eq!(stalls(cache(3, 4), &code), (3, 0));
}

#[test]
fn a_line_that_was_asked_for_is_there_although_a_branch_came_first() {
    // Two lines of narrow code, run five times: subs r1, #1 and bne in the second line's third word.
    let looped = |subtract: usize, branch: u16| {
        let mut code = vec![NOP; 16];
        code[subtract] = 0x3901;
        code[subtract + 1] = branch;
        code[subtract + 2] = BX_LR;
        code
    };
    // The branch ends three cycles after that word came: the third line is asked for, and takes the
    // first one's place if there are two.
    assert_eq!(stalls(cache(3, 2), &looped(12, 0xd1f1)), (12, 12));
    assert_eq!(stalls(cache(3, 4), &looped(12, 0xd1f1)), (0, 0));
    // It ends two cycles after: the fetching goes elsewhere before.
    assert_eq!(stalls(cache(3, 2), &looped(11, 0xd1f2)), (0, 0));
}

#[test]
fn a_word_of_data_is_kept() {
    // ldrb r3 from [r0], [r0, #1], [r0, #4]
    assert_eq!(stalls(cache(3, 4), &[0x7803, 0x7843, 0x7903, BX_LR]), (4, 4));
    // The same literal twice: ldr r3, [pc, #0]; ldr r2, [pc, #0]; bx lr; nop; a word
    assert_eq!(stalls(cache(3, 4), &[0x4b01, 0x4a01, BX_LR, NOP, 0, 0, 0, 0]), (2, 0));
}

#[test]
fn restore_empties_the_cache() {
    let code = [&[WIDE; 8].concat()[..], &[BX_LR]].concat();
    let mut machine = booted_with::<CortexM4>(cache(3, 4), &code);
    machine.snapshot();
    let mut cycles = || machine.call(FUNCTION, &[], &options()).cycles;
    let (cold, warm) = (cycles(), cycles());
    assert_eq!(cold, warm + 6);
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &[], &options()).cycles, cold);
}
