//! RISC-V.

use pennyweight_machine::Exit;

use super::super::subjects::RiscvSubject;
use super::{assert_ended, Ended, BUDGET, SHORT};
use crate::riscv::encode::{add, addi, branch, i, jal, lw, sw, upper};
use crate::riscv::RAM_BASE;

/// JALR.
fn jalr(rd: u32, rs1: u32, offset: i32) -> u32 {
    i(0x67, rd, rs1, offset)
}

/// As [`super::compare`], on all boards.
#[track_caller]
fn compare(code: &[u32], budget: u64) -> Vec<Ended> {
    let bytes: Vec<u8> = code.iter().copied().flat_map(u32::to_le_bytes).collect();
    RiscvSubject::all().iter().map(|subject| super::compare(subject, &bytes, budget)).collect()
}

/// Compares code that returns.
#[track_caller]
fn assert_returns(code: &[u32]) {
    assert_ended(&compare(code, BUDGET), |exit| *exit == Exit::Returned);
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
    let ended = compare(&code, BUDGET);
    assert!(ended.iter().all(|end| matches!(end.exit, Exit::Fault(_)) && end.blocks > 0), "{ended:?}");
}

#[test]
fn flash_and_ram_take_turns_for_ever() {
    // x11 points into RAM; there: ret, which the function behind the loop writes again.
    let code = [
        upper(0x37, 11, RAM_BASE + 0x100),
        upper(0x37, 5, 0x8000),
        addi(14, 5, 0x67),
        sw(11, 14, 0),
        // Again.
        jalr(1, 11, 0),
        addi(12, 12, 1),
        jal(1, 8),
        jal(0, -12),
        sw(11, 14, 0),
        jalr(0, 1, 0),
    ];
    assert_ended(&compare(&code, SHORT), |exit| matches!(exit, Exit::OutOfCycles { .. }));
}
