//! Flash and RAM behind a bus matrix: what follows from the mechanism that `timing::bus_matrix`
//! describes, by hand.

use super::program::{self, booted_with, options, FLASH, FUNCTION, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Machine as _};
use pennyweight_thumb::core::CortexM3;

/// Overlaps with nothing.
const MOVE: &str = "mov r0, r0; ";
const WIDE: &str = "mov.w r3, #0; ";

/// Lines of 16 bytes: four words.
const fn matrix(wait_states: u32, pause_wait_states: u32, connect_wait_states: u32) -> MemoryTiming {
    MemoryTiming::BusMatrix { wait_states, line: 16, pause_wait_states, connect_wait_states }
}

fn stalls(timing: MemoryTiming, code: &str) -> (u64, u64) {
    let args = [Arg::Pointer(FLASH + 0x200), Arg::Pointer(RAM), Arg::Int(5)];
    program::stalls::<CortexM3>(timing, code, &args)
}

fn narrow(moves: usize) -> String {
    MOVE.repeat(moves) + "bx lr"
}

fn wide(words: usize) -> String {
    WIDE.repeat(words) + "bx lr"
}

#[test]
fn without_wait_states_the_core_takes_its_own_cycles() {
    let looped = "ldr r3, [r0]; ldr r3, [r1]; subs r2, #1; bne .-6; bx lr";
    // A loop whose target is a wide instruction in two words.
    let unaligned = "mov r0, r0; mov.w r3, #0; subs r2, #1; bne .-6; bx lr";
    for code in [looped, unaligned, &narrow(40), &wide(20)] {
        assert_eq!(stalls(matrix(0, 0, 0), code), (0, 0), "{code}");
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
    // to be executed at 8, arrives 1 + 3 later.
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
    // Over 40 bytes. The read of the next line began with the branch and continues for two cycles in
    // which that of the target could have begun.
    let code = "b .+40; ".to_owned() + &narrow(23);
    assert_eq!(stalls(matrix(2, 0, 0), &code), (2 + 2, 2 + 2));
    // Four cycles; and four moves later the line behind is a cycle late.
    assert_eq!(stalls(matrix(4, 0, 0), &code), (4 + 4 + 1, 4 + 4 + 1));
    // Within the line, which is held.
    let code = "b .+10; ".to_owned() + &narrow(5);
    assert_eq!(stalls(matrix(4, 3, 0), &code), (0, 0));
}

#[test]
fn a_read_of_ram_connects_it_once() {
    let connect = |code: &str| stalls(matrix(0, 0, 1), code);
    assert_eq!(connect("ldr r3, [r1]; mov r0, r0; bx lr"), (1, 1));
    assert_eq!(connect("ldm r1, {r1, r3, r4}; mov r0, r0; bx lr"), (1, 1));
    // One directly behind the other; with a move between them; behind a store; a store alone
    assert_eq!(connect("ldr r3, [r1]; ldr r3, [r1, #4]; mov r0, r0; bx lr"), (1, 1));
    assert_eq!(connect("ldr r3, [r1]; mov r0, r0; ldr r3, [r1, #4]; mov r0, r0; bx lr"), (2, 2));
    assert_eq!(connect("str r3, [r1]; ldr r3, [r1, #4]; mov r0, r0; bx lr"), (0, 0));
    assert_eq!(connect("str r3, [r1]; mov r0, r0; bx lr"), (0, 0));
}

#[test]
fn data_waits_unless_its_line_was_read_last() {
    let data = |code: &str| stalls(matrix(3, 0, 0), code);
    // Three moves, in which the read ahead ends; a load; another one from its line.
    let moves = MOVE.repeat(3);
    assert_eq!(data(&format!("{moves}ldr r3, [r0]; mov r0, r0; bx lr")), (3, 0));
    let same = format!("{moves}ldr r3, [r0]; mov r0, r0; ldr r3, [r0, #4]; mov r0, r0; bx lr");
    assert_eq!(data(&same), (3, 0));
    // The second from the next line: it waits for two cycles of a read ahead, which
    // the first held off, too.
    let next = format!("{moves}ldr r3, [r0]; mov r0, r0; ldr r3, [r0, #16]; mov r0, r0; bx lr");
    assert_eq!(data(&next), (3 + 5, 3 + 5));
    // The load comes with the read ahead, whose last three cycles it waits for.
    assert_eq!(data("ldr r3, [r0]; mov r0, r0; bx lr"), (3 + 3, 0));
}

#[test]
fn a_fetch_directly_behind_data_is_not_behind_a_pause() {
    // The fifth word is asked for when the load ends, which is when
    // its data comes; data that is kept comes a cycle before.
    let code = MOVE.repeat(3) + "ldr r3, [r0]; " + &narrow(5);
    assert_eq!(stalls(matrix(0, 4, 0), &code), (0, 1));
}

#[test]
fn restore_empties_the_buffers() {
    // The line of the data is kept from call to call, not beyond a restore.
    let mut machine = booted_with::<CortexM3>(matrix(3, 0, 0), "ldr r3, [r0]; mov r0, r0; bx lr");
    machine.snapshot();
    let args = [Arg::Pointer(FLASH + 0x200)];
    let mut cycles = || machine.call(FUNCTION, &args, &options()).cycles;
    let (cold, warm) = (cycles(), cycles());
    assert!(cold > warm, "{cold} {warm}");
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &args, &options()).cycles, cold);
}
