//! Programs that a translator could get wrong: code in RAM that changes, jumps into the middle of
//! instructions, jumps that go to many places in turn, late faults.

use pennyweight_machine::{CallOptions, Exit};

use super::programs::{boards, machines, same};
use crate::riscv::encode::{add, addi, branch, i, jal, lw, sw, upper};
use crate::riscv::{stream, FLASH_BASE, RAM_BASE, RAM_SIZE};

/// JALR.
fn jalr(rd: u32, rs1: u32, offset: i32) -> u32 {
    i(0x67, rd, rs1, offset)
}

/// Calls the function `code` three times, with and without a small budget, on all boards, on both machines.
/// Returns how the last call ended and how often code was translated.
#[track_caller]
fn compare(code: &[u32]) -> (Exit, usize) {
    let start = [upper(0x37, stream::STACK, RAM_BASE + RAM_SIZE), jal(0, 0)];
    let bytes: Vec<u8> = start.iter().chain(code).copied().flat_map(u32::to_le_bytes).collect();
    let (mut exit, mut translated) = (Exit::Returned, 0);
    for (set, board) in boards() {
        let mut pair = machines(&board, &bytes).expect("the board takes the program");
        for budget in [10_000_000, 20_011, 10_000_000] {
            let options = CallOptions { budget, ..CallOptions::default() };
            let called = pair.both(|machine| machine.call(FLASH_BASE + 8, &[], &options));
            exit = called.unwrap_or_else(|what| panic!("{set:?}: {what}")).exit;
            same(&mut pair).unwrap_or_else(|what| panic!("{set:?}: {what}"));
        }
        translated += usize::from(pair.translator.processor_mut().blocks() > 0);
    }
    (exit, translated)
}

/// Compares code that returns, and checks that it was translated on all boards.
#[track_caller]
fn assert_returns(code: &[u32]) {
    assert_eq!(compare(code), (Exit::Returned, boards().len()));
}

#[test]
fn code_in_ram_changes_while_translated_code_calls_it() {
    // x10 counts; x11 points into RAM; there: addi x12, x12, N; ret. N changes each time.
    let first = addi(12, 12, 1);
    let code = [
        addi(15, 1, 0),
        upper(0x37, 11, RAM_BASE + 0x100),
        upper(0x37, 10, 0x1000),
        upper(0x37, 13, first.wrapping_add(0x800)),
        addi(13, 13, (first << 20) as i32 >> 20),
        addi(14, 0, 0x67),
        upper(0x37, 5, 0x8000),
        add(14, 14, 5),
        sw(11, 14, 4),
        // Again.
        sw(11, 13, 0),
        jalr(1, 11, 0),
        upper(0x37, 9, 0x10_0000),
        add(13, 13, 9),
        addi(10, 10, -1),
        branch(1, 10, 0, -20),
        jalr(0, 15, 0),
    ];
    assert_returns(&code);
}

#[test]
fn jumps_go_into_the_middle_of_instructions_in_turn() {
    // The upper half of `addi x13, x13, 0x60` is C.SLLI x12, 1 if it is jumped to.
    let code = [
        addi(15, 1, 0),
        upper(0x17, 8, 0),
        addi(8, 8, 20), // the wide instruction
        upper(0x37, 10, 0x1000),
        addi(9, 0, 0),
        jalr(0, 8, 0),
        addi(13, 13, 0x60),
        addi(14, 14, 3),
        add(13, 13, 12),
        i(0x4013, 9, 9, 2),
        add(11, 8, 9),
        addi(10, 10, -1),
        branch(0, 10, 0, 8),
        jalr(0, 11, 0),
        jalr(0, 15, 0),
    ];
    assert_returns(&code);
}

#[test]
fn a_computed_jump_goes_to_many_places_in_turn() {
    // x9 walks through 16 stubs of two instructions; each adds something and goes back.
    let mut code = vec![
        addi(15, 1, 0),
        upper(0x17, 11, 0),
        addi(11, 11, 44), // the stubs
        upper(0x37, 10, 0x2000),
        addi(9, 0, 0),
        // Again.
        add(14, 11, 9),
        jalr(5, 14, 0),
        addi(9, 9, 8),
        i(0x7013, 9, 9, 0x78),
        addi(10, 10, -1),
        branch(1, 10, 0, -20),
        jalr(0, 15, 0),
    ];
    for number in 0..16 {
        code.extend([addi(12, 12, number), jalr(0, 5, 0)]);
    }
    assert_returns(&code);
}

#[test]
fn a_fault_after_many_translated_cycles_is_the_interpreters() {
    // Loads from addresses that end behind RAM.
    let code =
        [upper(0x37, 11, RAM_BASE), lw(12, 11, 0), addi(11, 11, 4), add(13, 13, 12), branch(0, 0, 0, -12)];
    let (exit, translated) = compare(&code);
    assert!(matches!(exit, Exit::Fault(_)), "{exit:?}");
    assert_eq!(translated, boards().len());
}
