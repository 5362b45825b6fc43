//! Flash and RAM behind a bus matrix: what follows from the mechanism that `timing::bus_matrix`
//! describes, by hand.

use super::program::{self, booted_with, options, FLASH, FUNCTION, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Machine as _};
use pennyweight_thumb::core::CortexM3;

const BX_LR: u16 = 0x4770;
/// MOV R0, R0: overlaps with nothing.
const MOVE: u16 = 0x4600;
/// `mov.w r3, #0`
const WIDE: [u16; 2] = [0xf04f, 0x0300];

/// Lines of 16 bytes: four words.
const fn matrix(wait_states: u32, pause_wait_states: u32, connect_wait_states: u32) -> MemoryTiming {
    MemoryTiming::BusMatrix { wait_states, line: 16, pause_wait_states, connect_wait_states }
}

fn stalls(timing: MemoryTiming, code: &[u16]) -> (u64, u64) {
    let args = [Arg::Pointer(FLASH + 0x200), Arg::Pointer(RAM), Arg::Int(5)];
    program::stalls::<CortexM3>(timing, code, &args)
}

fn narrow(moves: usize) -> Vec<u16> {
    let mut code = vec![MOVE; moves];
    code.push(BX_LR);
    code
}

fn wide(words: usize) -> Vec<u16> {
    [&WIDE.repeat(words)[..], &[BX_LR]].concat()
}

#[test]
fn without_wait_states_the_core_takes_its_own_cycles() {
    // ldr r3, [r0]; ldr r3, [r1]; subs r2, #1; bne; bx lr
    let looped = vec![0x6803, 0x680b, 0x3a01, 0xd1fb, BX_LR];
    // A loop whose target is a wide instruction in two words: nop; mov.w; subs r2, #1; bne; bx lr
    let unaligned = [&[MOVE], &WIDE[..], &[0x3a01, 0xd1fb, BX_LR]].concat();
    for code in [looped, unaligned, narrow(40), wide(20)] {
        assert_eq!(stalls(matrix(0, 0, 0), &code), (0, 0), "{code:04x?}");
    }
}

#[test]
fn reading_ahead_hides_what_the_line_takes_to_execute() {
    // Eight cycles of narrow code hide seven wait states; of nine, two show for each new line.
    assert_eq!(stalls(matrix(7, 0, 0), &narrow(16)), (0, 0));
    assert_eq!(stalls(matrix(9, 0, 0), &narrow(16)), (4, 4));
    // Four of wide code hide three.
    assert_eq!(stalls(matrix(3, 0, 0), &wide(8)), (0, 0));
    assert_eq!(stalls(matrix(5, 0, 0), &wide(8)), (4, 4));
}

#[test]
fn a_pause_is_hidden_by_three_words_of_narrow_code() {
    // The second word leaves at 4, when the FIFO has been full for a cycle: the fifth, which comes
    // to be executed at 8, is there 1 + 3 later.
    assert_eq!(stalls(matrix(0, 3, 0), &narrow(32)), (0, 0));
    // One cycle too late. Then the FIFO is full again four words later.
    for (moves, waits) in [(7, 0), (8, 1), (15, 1), (16, 2), (32, 4)] {
        assert_eq!(stalls(matrix(0, 4, 0), &narrow(moves)), (waits, waits), "{moves} moves");
    }
    // Wide code takes a word each cycle: the FIFO is never full.
    assert_eq!(stalls(matrix(0, 9, 0), &wide(20)), (0, 0));
}

#[test]
fn a_branch_to_a_line_that_is_not_there_waits_for_it() {
    // b over 40 bytes. The read of the next line began with the branch and goes on for two cycles in
    // which that of the target could have begun.
    let mut code = vec![MOVE; 24];
    code[0] = 0xe012;
    code.push(BX_LR);
    assert_eq!(stalls(matrix(2, 0, 0), &code), (2 + 2, 2 + 2));
    // Four cycles; and four moves later the line behind is a cycle late.
    assert_eq!(stalls(matrix(4, 0, 0), &code), (4 + 4 + 1, 4 + 4 + 1));
    // b within the line: it is there.
    let mut code = vec![MOVE; 6];
    code[0] = 0xe003;
    code.push(BX_LR);
    assert_eq!(stalls(matrix(4, 3, 0), &code), (0, 0));
}

#[test]
fn a_read_of_ram_connects_it_once() {
    let connect = |code: &[u16]| stalls(matrix(0, 0, 1), code);
    // ldr r3, [r1]; ldm r1, {r1, r3, r4}
    assert_eq!(connect(&[0x680b, MOVE, BX_LR]), (1, 1));
    assert_eq!(connect(&[0xc91a, MOVE, BX_LR]), (1, 1));
    // One directly behind the other; with a move between them; behind a store; a store alone
    assert_eq!(connect(&[0x680b, 0x684b, MOVE, BX_LR]), (1, 1));
    assert_eq!(connect(&[0x680b, MOVE, 0x684b, MOVE, BX_LR]), (2, 2));
    assert_eq!(connect(&[0x600b, 0x684b, MOVE, BX_LR]), (0, 0));
    assert_eq!(connect(&[0x600b, MOVE, BX_LR]), (0, 0));
}

#[test]
fn data_waits_unless_its_line_was_read_last() {
    let data = |code: &[u16]| stalls(matrix(3, 0, 0), code);
    // Three moves, in which the read ahead ends; ldr r3, [r0]; a move; ldr r3, [r0, #4], in its line.
    assert_eq!(data(&[MOVE, MOVE, MOVE, 0x6803, MOVE, BX_LR]), (3, 0));
    assert_eq!(data(&[MOVE, MOVE, MOVE, 0x6803, MOVE, 0x6843, MOVE, BX_LR]), (3, 0));
    // The second from the next line, ldr r3, [r0, #16]: it waits for two cycles of a read ahead, which
    // the first held off, too.
    assert_eq!(data(&[MOVE, MOVE, MOVE, 0x6803, MOVE, 0x6903, MOVE, BX_LR]), (3 + 5, 3 + 5));
    // The load comes with the read ahead, whose last three cycles it waits for.
    assert_eq!(data(&[0x6803, MOVE, BX_LR]), (3 + 3, 0));
}

#[test]
fn a_fetch_directly_behind_data_is_not_behind_a_pause() {
    // Three moves; ldr r3, [r0]; moves. The fifth word is asked for when the load ends, which is when
    // its data comes; data that is kept comes a cycle before.
    let code = [&[MOVE, MOVE, MOVE, 0x6803], &narrow(5)[..]].concat();
    assert_eq!(stalls(matrix(0, 4, 0), &code), (0, 1));
}

#[test]
fn restore_empties_the_buffers() {
    // ldr r3, [r0] from flash: its line is kept from call to call, not beyond a restore.
    let mut machine = booted_with::<CortexM3>(matrix(3, 0, 0), &[0x6803, MOVE, BX_LR]);
    machine.snapshot();
    let args = [Arg::Pointer(FLASH + 0x200)];
    let mut cycles = || machine.call(FUNCTION, &args, &options()).cycles;
    let (cold, warm) = (cycles(), cycles());
    assert!(cold > warm, "{cold} {warm}");
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &args, &options()).cycles, cold);
}
