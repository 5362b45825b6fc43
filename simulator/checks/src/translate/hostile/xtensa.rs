//! Xtensa.

use pennyweight_machine::Exit;

use super::super::subjects::XtensaSubject;
use super::{assert_ended, Ended, BUDGET, SHORT};
use crate::xtensa::encode::{addi, b, bz, call0, j, l32i, l32r, movi, rrr, s32i};
use crate::xtensa::Set;

/// ADD r, s, t.
fn add(r: u32, s: u32, t: u32) -> u32 {
    rrr(8, 0, r, s, t)
}

/// OR r, s, s: a move.
fn mov(r: u32, s: u32) -> u32 {
    rrr(2, 0, r, s, s)
}

/// JX s.
fn jx(s: u32) -> u32 {
    rrr(0, 0, 0, s, 10)
}

/// CALLX0 s.
fn callx0(s: u32) -> u32 {
    rrr(0, 0, 0, s, 12)
}

/// RET, which is JX a0 of its own.
const RET: u32 = 0x80;

/// As [`super::compare`]: code of 24-bit instructions behind literals, of which each is loaded as [`from`] says.
fn compare(literals: &[u32], code: impl Fn(&dyn Fn(u32, u32) -> u32) -> Vec<u32>, budget: u64) -> Ended {
    let subject = XtensaSubject::new(Set::Call0);
    let base = Set::Call0.flash();
    // The function begins with a jump over the literals.
    let begin = base + 4 + 4 * literals.len() as u32;
    let l32r = |register, (number, at): (u32, u32)| l32r(register, begin + 3 * at, base + 4 + 4 * number);
    let code = code(&|register, packed| l32r(register, (packed >> 16, packed & 0xffff)));
    let mut bytes: Vec<u8> = j((begin - base) as i32).to_le_bytes().to_vec();
    bytes.extend(literals.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(code.into_iter().flat_map(|word| word.to_le_bytes().into_iter().take(3)));
    super::compare(&subject, &bytes, budget)
}

/// Literal `number`, loaded by instruction `at`.
fn from(number: u32, at: u32) -> u32 {
    number << 16 | at
}

#[test]
fn code_in_ram_changes_while_translated_code_calls_it() {
    // a10 counts; a11 points into RAM; there: ADDI a2, a2, N; RET. N changes each time.
    let ram = Set::Call0.ram() + 0x100;
    let first = addi(2, 2, 0);
    let ended = compare(
        &[ram, first, RET << 24, RET >> 8, 0x1_0000, 250],
        |literal| {
            vec![
                mov(12, 0),
                literal(11, from(0, 1)),
                literal(3, from(1, 2)),
                literal(4, from(2, 3)),
                literal(5, from(3, 4)),
                literal(6, from(4, 5)),
                literal(10, from(5, 6)),
                s32i(5, 11, 4),
                // Again.
                add(3, 3, 6),
                rrr(2, 0, 7, 3, 4),
                s32i(7, 11, 0),
                callx0(11),
                addi(10, 10, -1),
                bz(1, 10, -15),
                jx(12),
            ]
        },
        BUDGET,
    );
    assert_ended(&[ended], |exit| *exit == Exit::Returned);
}

#[test]
fn jumps_go_into_the_middle_of_instructions_in_turn() {
    // The instruction at a8 is MOVI a4, 0x0a4; from its second byte on it is another one.
    let ended = compare(
        &[Set::Call0.flash() + 4 + 4 * 2 + 3 * 6, 3000],
        |literal| {
            vec![
                literal(8, from(0, 0)),
                literal(10, from(1, 1)),
                movi(9, 1),
                mov(12, 0),
                // Again.
                add(11, 8, 9),
                jx(8),
                movi(4, 0x0a4),
                addi(3, 3, 1),
                mov(8, 8),
                addi(10, 10, -1),
                bz(1, 10, -18),
                jx(12),
            ]
        },
        BUDGET,
    );
    assert_ended(&[ended], |exit| *exit == Exit::Returned);
}

#[test]
fn a_computed_jump_goes_to_many_places_in_turn() {
    // a9 walks through 16 stubs of two instructions; each adds something and goes back.
    let stubs = Set::Call0.flash() + 4 + 4 * 2 + 3 * 13;
    let ended = compare(
        &[stubs, 6000],
        |literal| {
            let mut code = vec![
                mov(12, 0),
                literal(11, from(0, 1)),
                literal(10, from(1, 2)),
                movi(9, 0),
                movi(8, 96),
                // Again.
                add(14, 11, 9),
                callx0(14),
                addi(9, 9, 6),
                b(9, 9, 8, 6),
                movi(9, 0),
                addi(10, 10, -1),
                bz(1, 10, -18),
                jx(12),
            ];
            for number in 0..16 {
                code.extend([addi(2, 2, number), RET]);
            }
            code
        },
        BUDGET,
    );
    assert_ended(&[ended], |exit| *exit == Exit::Returned);
}

#[test]
fn a_fault_after_many_translated_cycles_is_the_interpreters() {
    // Loads from addresses that end behind RAM.
    let ended = compare(
        &[Set::Call0.ram()],
        |literal| vec![literal(11, from(0, 0)), l32i(2, 11, 0), addi(11, 11, 4), add(3, 3, 2), j(-9)],
        BUDGET,
    );
    assert!(matches!(ended.exit, Exit::Fault(_)) && ended.blocks > 0, "{ended:?}");
}

#[test]
fn flash_and_ram_take_turns_for_ever() {
    // a11 points into RAM; there: RET, which the function behind the loop writes again.
    let begin = Set::Call0.flash() + 4 + 4 * 2;
    let ended = compare(
        &[Set::Call0.ram() + 0x100, RET],
        |literal| {
            vec![
                literal(11, from(0, 0)),
                literal(4, from(1, 1)),
                s32i(4, 11, 0),
                // Again.
                callx0(11),
                addi(2, 2, 1),
                call0(begin + 3 * 5, begin + 24),
                j(-9),
                RET,
                s32i(4, 11, 0),
                RET,
            ]
        },
        SHORT,
    );
    assert_ended(&[ended], |exit| matches!(exit, Exit::OutOfCycles { .. }));
}
