//! A line buffer and a cache that are filled on demand: what follows from the mechanism that
//! `timing::cache` describes, by hand.

use super::program::{self, booted_with, options, FLASH, FUNCTION};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Machine as _};
use pennyweight_thumb::core::CortexM0Plus;

/// A buffer of one line; data goes past it.
const ONE_LINE: MemoryTiming =
    MemoryTiming::Cache { wait_states: 1, line: 8, lines: 1, data_wait_states: Some(1) };
/// SAM D21 datasheet (DS40001882), 22.6.7: direct-mapped, 8 lines of 64 bits, code and data.
const SAMD21: MemoryTiming =
    MemoryTiming::Cache { wait_states: 1, line: 8, lines: 8, data_wait_states: None };

fn stalls(timing: MemoryTiming, code: &str) -> (u64, u64) {
    program::stalls::<CortexM0Plus>(timing, code, &[Arg::Pointer(FLASH), Arg::Int(5)])
}

/// So many instructions, the return included.
fn straight(instructions: usize) -> String {
    "nop; ".repeat(instructions - 1) + "bx lr"
}

#[test]
fn without_wait_states_the_core_takes_its_own_cycles() {
    let none = MemoryTiming::Cache { wait_states: 0, line: 8, lines: 1, data_wait_states: Some(0) };
    // A load, and a loop of r1 turns.
    assert_eq!(stalls(none, "ldr r3, [r0]; subs r1, #1; bne .-2; bx lr"), (0, 0));
}

#[test]
fn every_new_line_waits() {
    // The call fetches the first line.
    assert_eq!(stalls(ONE_LINE, &straight(4)), (0, 0));
    assert_eq!(stalls(ONE_LINE, &straight(5)), (1, 1));
    assert_eq!(stalls(ONE_LINE, &straight(13)), (3, 3));
}

#[test]
fn a_loop_in_one_line_does_not_wait_and_one_in_two_does() {
    // In the first line.
    assert_eq!(stalls(ONE_LINE, "subs r1, #1; bne .-2; bx lr"), (0, 0));
    // The branch is in the second line: 5 times there, 4 times back.
    assert_eq!(stalls(ONE_LINE, "nop; nop; nop; subs r1, #1; bne .-2; bx lr"), (9, 9));
}

#[test]
fn data_in_flash_waits_every_time() {
    assert_eq!(stalls(ONE_LINE, "ldr r3, [r0]; ldr r3, [r0]; bx lr"), (2, 2));
    assert_eq!(stalls(ONE_LINE, "ldr r3, [pc, #0]; bx lr; .short 0x0000, 0x0000"), (1, 1));
}

#[test]
fn a_direct_mapped_cache_holds_64_bytes() {
    // 32 instructions fill it; the call fetches the first line, the second call finds all.
    assert_eq!(stalls(SAMD21, &straight(32)), (7, 0));
    // One line more takes the first one's place, and is gone again when the second call is made.
    assert_eq!(stalls(SAMD21, &straight(36)), (8, 1));
    // A loop over two lines waits once.
    assert_eq!(stalls(SAMD21, "nop; nop; nop; subs r1, #1; bne .-2; bx lr"), (1, 0));
}

#[test]
fn data_is_cached_as_code_is() {
    // A literal in the line of the code, which is held.
    assert_eq!(stalls(SAMD21, "ldr r3, [pc, #0]; bx lr; .short 0x0000, 0x0000"), (0, 0));
    // One in the next line waits once; the same line's second word does not.
    let code = "ldr r3, [pc, #4]; ldr r2, [pc, #8]; bx lr; nop; .short 0x0, 0x0, 0x0, 0x0";
    assert_eq!(stalls(SAMD21, code), (1, 0));
}

#[test]
fn data_makes_code_leave_the_cache() {
    // FLASH and the function have the same place, and take it in turn.
    assert_eq!(stalls(SAMD21, "ldr r3, [r0]; bx lr"), (2, 2));
}

#[test]
fn a_cache_keeps_its_lines_from_call_to_call() {
    let cache = |lines| MemoryTiming::Cache { wait_states: 3, line: 16, lines, data_wait_states: Some(2) };
    // 3 lines: one is held when the function begins.
    assert_eq!(stalls(cache(4), &straight(24)), (6, 0));
    // Two places: the third line takes the first one's.
    assert_eq!(stalls(cache(2), &straight(24)), (6, 3));
}

#[test]
fn restore_empties_the_cache() {
    let cache = MemoryTiming::Cache { wait_states: 3, line: 16, lines: 8, data_wait_states: Some(2) };
    let mut machine = booted_with::<CortexM0Plus>(cache, &straight(24));
    machine.snapshot();
    let mut cycles = || machine.call(FUNCTION, &[], &options()).cycles;
    let (cold, warm) = (cycles(), cycles());
    assert_eq!(cold, warm + 6);
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &[], &options()).cycles, cold);
}
