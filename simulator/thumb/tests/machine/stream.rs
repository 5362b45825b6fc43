//! A line buffer that reads ahead, with and without a cache: what follows from the mechanism that
//! `timing::stream` describes, by hand.

use super::program::{self, FLASH, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::Arg;
use pennyweight_thumb::core::{Core, CortexM0Plus, CortexM4};

/// Overlaps with nothing.
const MOVE: &str = "mov r0, r0; ";

const fn stream(wait_states: u32, line: u32, cached_lines: u32, data_lines: u32) -> MemoryTiming {
    MemoryTiming::Stream { wait_states, line, cached_lines, data_lines }
}

fn stalls_on<C: Core>(timing: MemoryTiming, code: &str) -> (u64, u64) {
    program::stalls::<C>(timing, code, &[Arg::Pointer(FLASH + 0x200), Arg::Pointer(RAM), Arg::Int(5)])
}

fn stalls(timing: MemoryTiming, code: &str) -> (u64, u64) {
    stalls_on::<CortexM4>(timing, code)
}

/// So many moves, then the return.
fn straight(moves: usize) -> String {
    MOVE.repeat(moves) + "bx lr"
}

#[test]
fn without_wait_states_the_core_takes_its_own_cycles() {
    let code = "ldr r3, [r0]; ldr r3, [r1]; subs r2, #1; bne .-6; bx lr";
    assert_eq!(stalls(stream(0, 8, 0, 0), code), (0, 0));
    assert_eq!(stalls(stream(0, 16, 64, 8), code), (0, 0));
    assert_eq!(stalls_on::<CortexM0Plus>(stream(0, 16, 0, 1), code), (0, 0));
}

#[test]
fn reading_ahead_hides_what_the_line_takes_to_execute() {
    // 8 cycles a line hide 7 wait states; of 9, two show for each new line.
    assert_eq!(stalls(stream(7, 16, 0, 0), &straight(40)), (0, 0));
    assert_eq!(stalls(stream(9, 16, 0, 0), &straight(40)), (10, 10));
    // Lines of 8 bytes: 4 cycles hide 3.
    assert_eq!(stalls(stream(3, 8, 0, 0), &straight(15)), (0, 0));
    assert_eq!(stalls(stream(4, 8, 0, 0), &straight(15)), (3, 3));
}

#[test]
fn a_branch_to_a_line_that_is_not_there_waits_for_it() {
    // Over 40 bytes. The read of the next line began with it and continues for two cycles in which
    // that of the target could have begun.
    let code = "b .+40; ".to_owned() + &straight(23);
    assert_eq!(stalls(stream(2, 16, 0, 0), &code), (2 + 2, 2 + 2));
}

#[test]
fn a_loop_over_three_lines_fits_a_cache_but_no_buffer() {
    // Five turns of 22 instructions.
    let code = MOVE.repeat(20) + "subs r2, #1; bne .-42; bx lr";
    let (cold, warm) = stalls(stream(5, 16, 0, 0), &code);
    assert_eq!((cold, warm), (4 * 5, 4 * 5));
    // The first line comes by the call's miss; the others are read ahead.
    let (cold, warm) = stalls(stream(5, 16, 64, 0), &code);
    assert_eq!((cold, warm), (0, 0));
}

#[test]
fn data_waits_unless_its_line_is_there() {
    // Twice from a line of flash.
    let code = MOVE.repeat(4) + "ldr r3, [r0]; mov r0, r0; ldr r3, [r0]; mov r0, r0; bx lr";
    let (without, _) = stalls(stream(3, 16, 0, 0), &code);
    let (cold, warm) = stalls(stream(3, 16, 0, 1), &code);
    assert!(without > cold && cold > warm, "{without} {cold} {warm}");
    assert_eq!((cold - warm, without - cold), (3, 3));
}
