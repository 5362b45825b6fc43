//! A line buffer that reads ahead, with and without a cache: what follows from the mechanism that
//! `timing::stream` describes, by hand.

use super::program::{self, FLASH, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::Arg;
use pennyweight_thumb::core::{Core, CortexM0Plus, CortexM4};

const BX_LR: u16 = 0x4770;
/// MOV R0, R0: overlaps with nothing.
const MOVE: u16 = 0x4600;

const fn stream(wait_states: u32, line: u32, cached_lines: u32, data_lines: u32) -> MemoryTiming {
    MemoryTiming::Stream { wait_states, line, cached_lines, data_lines }
}

fn stalls_on<C: Core>(timing: MemoryTiming, code: &[u16]) -> (u64, u64) {
    program::stalls::<C>(timing, code, &[Arg::Pointer(FLASH + 0x200), Arg::Pointer(RAM), Arg::Int(5)])
}

fn stalls(timing: MemoryTiming, code: &[u16]) -> (u64, u64) {
    stalls_on::<CortexM4>(timing, code)
}

/// So many moves, then the return.
fn straight(moves: usize) -> Vec<u16> {
    let mut code = vec![MOVE; moves];
    code.push(BX_LR);
    code
}

#[test]
fn without_wait_states_the_core_takes_its_own_cycles() {
    // ldr r3, [r0]; ldr r3, [r1]; subs r2, #1; bne; bx lr
    let code = [0x6803, 0x680b, 0x3a01, 0xd1fb, BX_LR];
    assert_eq!(stalls(stream(0, 8, 0, 0), &code), (0, 0));
    assert_eq!(stalls(stream(0, 16, 64, 8), &code), (0, 0));
    assert_eq!(stalls_on::<CortexM0Plus>(stream(0, 16, 0, 1), &code), (0, 0));
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
    // b over 40 bytes. The read of the next line began with it and goes on for two cycles in which
    // that of the target could have begun.
    let mut code = vec![MOVE; 24];
    code[0] = 0xe012;
    code.push(BX_LR);
    assert_eq!(stalls(stream(2, 16, 0, 0), &code), (2 + 2, 2 + 2));
}

#[test]
fn a_loop_over_three_lines_fits_a_cache_but_no_buffer() {
    // 20 moves, subs r2, #1, bne back, bx lr: five turns of 22 instructions.
    let mut code = vec![MOVE; 20];
    code.extend([0x3a01, 0xd1e9, BX_LR]);
    let (cold, warm) = stalls(stream(5, 16, 0, 0), &code);
    assert_eq!((cold, warm), (4 * 5, 4 * 5));
    // The first line comes by the call's miss; the others are read ahead.
    let (cold, warm) = stalls(stream(5, 16, 64, 0), &code);
    assert_eq!((cold, warm), (0, 0));
}

#[test]
fn data_waits_unless_its_line_is_there() {
    // Eight moves, then ldr r3, [r0] twice, from a line of flash.
    let mut code = vec![MOVE; 4];
    code.extend([0x6803, MOVE, 0x6803, MOVE, BX_LR]);
    let (without, _) = stalls(stream(3, 16, 0, 0), &code);
    let (cold, warm) = stalls(stream(3, 16, 0, 1), &code);
    assert!(without > cold && cold > warm, "{without} {cold} {warm}");
    assert_eq!((cold - warm, without - cold), (3, 3));
}
