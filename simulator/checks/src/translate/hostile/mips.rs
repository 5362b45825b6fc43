//! MIPS32.

use pennyweight_machine::Exit;

use super::super::subjects::MipsSubject;
use super::{assert_ended, Ended, BUDGET, SHORT};
use crate::mips::stream::{addiu, immediate, registers, NOP};
use crate::mips::{FLASH_BASE, RAM_BASE};

/// JR.
fn jr(s: u32) -> u32 {
    registers(8, 0, s, 0)
}

/// JALR ra, s.
fn jalr(s: u32) -> u32 {
    registers(9, 31, s, 0)
}

/// ADDU.
fn addu(d: u32, s: u32, t: u32) -> u32 {
    registers(0x21, d, s, t)
}

/// BNE, over so many words from its delay slot on.
fn bne(s: u32, t: u32, words: i32) -> u32 {
    immediate(5, s, t, words)
}

/// LW and SW.
fn lw(t: u32, s: u32, offset: i32) -> u32 {
    immediate(35, s, t, offset)
}

fn sw(t: u32, s: u32, offset: i32) -> u32 {
    immediate(43, s, t, offset)
}

/// LUI and ORI.
fn load(register: u32, value: u32) -> [u32; 2] {
    let [high, low] = [value >> 16, value & 0xffff].map(|half| half as i32);
    [immediate(15, 0, register, high), immediate(13, register, register, low)]
}

/// As [`super::compare`], on all boards.
#[track_caller]
fn compare(code: &[u32], budget: u64) -> Vec<Ended> {
    let bytes: Vec<u8> = code.iter().copied().flat_map(u32::to_le_bytes).collect();
    MipsSubject::all().iter().map(|subject| super::compare(subject, &bytes, budget)).collect()
}

/// Compares code that returns.
#[track_caller]
fn assert_returns(code: &[u32]) {
    assert_ended(&compare(code, BUDGET), |exit| *exit == Exit::Returned);
}

#[test]
fn code_in_ram_changes_while_translated_code_calls_it() {
    // r10 counts; r11 points into RAM; there: JR ra; ADDIU r12, r12, N. N changes each time.
    let mut code = vec![addu(15, 31, 0)];
    code.extend(load(11, RAM_BASE + 0x100));
    code.extend(load(10, 3000));
    code.extend(load(13, addiu(12, 12, 1)));
    code.extend(load(14, jr(31)));
    code.extend([
        sw(14, 11, 0),
        // Again.
        sw(13, 11, 4),
        jalr(11),
        NOP,
        addiu(13, 13, 1),
        addiu(10, 10, -1),
        bne(10, 0, -6),
        NOP,
        jr(15),
        NOP,
    ]);
    assert_returns(&code);
}

#[test]
fn a_computed_jump_goes_to_many_places_in_turn() {
    // r9 walks through 16 stubs whose delay slots add something.
    let mut code = vec![addu(15, 31, 0)];
    code.extend(load(10, 4000));
    code.extend([addiu(9, 0, 0)]);
    code.extend(load(11, FLASH_BASE + 4 * 17));
    let again = [
        addu(14, 11, 9),
        jalr(14),
        addiu(9, 9, 8),
        // ANDI r9, r9, 0x7f
        immediate(12, 9, 9, 0x7f),
        addiu(10, 10, -1),
        bne(10, 0, -6),
        NOP,
        jr(15),
        NOP,
    ];
    code.extend(again);
    code.resize(17, NOP);
    for number in 0..16 {
        code.extend([jr(31), addiu(2, 2, number)]);
    }
    assert_returns(&code);
}

#[test]
fn jumps_lead_behind_their_delay_slots_and_into_those_of_others() {
    let mut code = vec![addu(15, 31, 0)];
    code.extend(load(10, 4000));
    // r14: behind the delay slot of the JALR at place 7, or in it.
    code.extend(load(14, FLASH_BASE + 4 * 9));
    code.extend([
        // Again: r13 is 0 and 4 in turn.
        immediate(12, 10, 13, 1),
        registers(0, 13, 0, 13) | 2 << 6,
        registers(0x23, 13, 14, 13),
        jalr(13),
        // A call to the delay slot comes here twice.
        addiu(2, 2, 1),
        // BNE behind its delay slot, and one into that of the branch behind it.
        bne(10, 0, 1),
        addiu(3, 3, 1),
        bne(10, 2, 2),
        addiu(4, 4, 1),
        bne(10, 3, 1),
        addiu(5, 5, 1),
        // BNEL over a delay slot that it skips now and then.
        immediate(21, 13, 14, 1),
        addiu(6, 6, 1),
        addiu(10, 10, -1),
        bne(10, 0, -16),
        NOP,
        jr(15),
        NOP,
    ]);
    let ended = compare(&code, SHORT);
    assert_ended(&ended, |exit| matches!(exit, Exit::Returned | Exit::OutOfCycles { .. }));
}

#[test]
fn a_branch_in_a_delay_slot_and_a_fault_after_many_translated_cycles_are_the_interpreters() {
    let mut code = load(11, RAM_BASE).to_vec();
    code.extend([lw(2, 11, 0), addiu(11, 11, 4), bne(11, 0, -3), addu(3, 3, 2)]);
    let ended = compare(&code, BUDGET);
    assert!(ended.iter().all(|end| matches!(end.exit, Exit::Fault(_)) && end.blocks > 0), "{ended:?}");
    // Branches in delay slots, one of which is taken.
    let mut code = vec![addu(15, 31, 0)];
    code.extend(load(10, 3000));
    code.extend([addiu(10, 10, -1), bne(10, 0, 2), bne(10, 0, -3), NOP, bne(10, 0, -5), NOP, jr(15), NOP]);
    assert!(compare(&code, SHORT).iter().all(|end| end.blocks > 0));
}

#[test]
fn flash_and_ram_take_turns_for_ever() {
    // r11 points into RAM; there: JR ra; NOP, which the loop writes again.
    let mut code = load(11, RAM_BASE + 0x100).to_vec();
    code.extend(load(14, jr(31)));
    code.extend([
        sw(0, 11, 4),
        // Again.
        sw(14, 11, 0),
        jalr(11),
        addiu(2, 2, 1),
        bne(11, 0, -4),
        addiu(3, 3, 1),
    ]);
    assert_ended(&compare(&code, SHORT), |exit| matches!(exit, Exit::OutOfCycles { .. }));
}

#[test]
fn divisions_of_all_sizes_and_products_take_their_time_in_turn() {
    // r12 changes from pass to pass; HI and LO are read at once and later.
    let mut code = vec![addu(15, 31, 0)];
    code.extend(load(10, 2000));
    code.extend(load(12, 0x9e37_79b9));
    code.extend(load(13, 0x1234_5677));
    code.extend([
        // MUL, SRLV, DIVU, MFLO, DIV, ADDIU, MFHI, MULT, MADDU, MFLO.
        28 << 26 | registers(2, 12, 12, 13),
        registers(6, 4, 10, 12),
        registers(27, 0, 4, 10),
        registers(18, 5, 0, 0),
        registers(7, 6, 10, 12),
        registers(26, 0, 6, 10),
        addiu(2, 2, 1),
        registers(16, 7, 0, 0),
        registers(24, 0, 4, 6),
        28 << 26 | registers(1, 0, 5, 7),
        registers(18, 8, 0, 0),
        addu(2, 2, 8),
        addiu(10, 10, -1),
        bne(10, 0, -14),
        NOP,
        jr(15),
        NOP,
    ]);
    assert_returns(&code);
}
