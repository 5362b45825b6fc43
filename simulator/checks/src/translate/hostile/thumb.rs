//! Thumb: what all Cortex-M cores have.

use pennyweight_machine::Exit;
use pennyweight_thumb::core::{CortexM0, CortexM0Plus, CortexM3, CortexM4};

use super::super::subjects::ThumbSubject;
use super::{assert_ended, Ended, BUDGET, SHORT};
use crate::thumb::encode::{
    add, adds, adr, b, b_if, bl, blx, bx, lsls, lsrs, mov, movs, msr, pop, push, subs,
};

pub(super) const EQ: u16 = 0;
pub(super) const NE: u16 = 1;
const MI: u16 = 4;
pub(super) const LR: u16 = 14;
/// Keeps the address to return to.
pub(super) const BACK: u16 = 12;

/// `STRH rt, [rn, #offset]`.
pub(super) fn strh(rt: u16, rn: u16, offset: u16) -> u16 {
    0x8000 | offset << 5 | rn << 3 | rt
}

/// `LDR rt, [rn]`.
pub(super) fn ldr(rt: u16, rn: u16) -> u16 {
    0x6800 | rn << 3 | rt
}

/// A register with the address of RAM's byte 0x100.
pub(super) fn pointer(rd: u16) -> [u16; 4] {
    [movs(rd, 0x20), lsls(rd, rd, 24), adds(rd, 0x80), adds(rd, 0x80)]
}

/// As [`super::compare`], with the cores that have more than ARMv6-M.
#[track_caller]
pub(super) fn compare_wide(code: &[u16], budget: u64) -> Vec<Ended> {
    let bytes: Vec<u8> = code.iter().copied().flat_map(u16::to_le_bytes).collect();
    let mut ended = Vec::new();
    for subject in ThumbSubject::<CortexM3>::all() {
        ended.push(super::compare(&subject, &bytes, budget));
    }
    for subject in ThumbSubject::<CortexM4>::all() {
        ended.push(super::compare(&subject, &bytes, budget));
    }
    ended
}

/// As [`super::compare`], with cores of each kind and all memories.
#[track_caller]
fn compare(code: &[u16], budget: u64) -> Vec<Ended> {
    let bytes: Vec<u8> = code.iter().copied().flat_map(u16::to_le_bytes).collect();
    let mut ended = Vec::new();
    for subject in ThumbSubject::<CortexM0>::all() {
        ended.push(super::compare(&subject, &bytes, budget));
    }
    for subject in ThumbSubject::<CortexM0Plus>::all() {
        ended.push(super::compare(&subject, &bytes, budget));
    }
    ended.extend(compare_wide(code, budget));
    ended
}

/// Compares code that returns.
#[track_caller]
fn assert_returns(code: &[u16]) {
    assert_ended(&compare(code, BUDGET), |exit| *exit == Exit::Returned);
}

/// R0 counts down from 4080; then it is the end. `body` begins at the position that it is given.
pub(super) fn counted(start: &[u16], body: impl FnOnce(usize) -> Vec<u16>) -> Vec<u16> {
    let mut code = vec![mov(BACK, LR), movs(0, 0xff), lsls(0, 0, 4)];
    code.extend(start);
    let again = code.len();
    code.extend(body(again));
    code.push(subs(0, 1));
    code.push(b_if(EQ, code.len(), code.len() + 2));
    code.push(b(code.len(), again));
    code.push(bx(BACK));
    code
}

#[test]
fn code_in_ram_changes_while_translated_code_calls_it() {
    // R4 points into RAM; there: adds r2, #N; bx lr. N is R1, which changes each time.
    let start = [
        &pointer(4)[..],
        &[mov(5, 4), adds(5, 1), movs(3, 0x32), lsls(3, 3, 8)],
        &[movs(6, 0x47), lsls(6, 6, 8), adds(6, 0x70), strh(6, 4, 2)],
    ]
    .concat();
    // ORRS r7, r3; UXTB r1, r1.
    let body = vec![mov(7, 1), 0x431f, strh(7, 4, 0), blx(5), adds(1, 1), 0xb2c9];
    assert_returns(&counted(&start, |_| body));
}

#[test]
fn jumps_go_into_the_middle_of_instructions_in_turn() {
    // The second half of DMB is LDRH r7, [r3, #58] if it is jumped to.
    let start = [&pointer(3)[..], &[movs(1, 0), movs(2, 2)]].concat();
    let code = counted(&start, |again| {
        let target = (again + 5 + 1) & !1;
        let mut body = vec![adr(4, again, target), adds(4, 1), add(4, 1), bx(4)];
        body.resize(target - again, 0xbf00);
        // EORS r1, r2.
        body.extend([0xf3bf, 0x8f5f, adds(7, 3), 0x4051]);
        body
    });
    assert_returns(&code);
}

#[test]
fn a_computed_jump_goes_to_many_places_in_turn() {
    // R1 walks through 16 stubs of two instructions; each adds something and goes back.
    let body = |_| vec![mov(5, 4), add(5, 1), blx(5), adds(1, 4), lsls(1, 1, 26), lsrs(1, 1, 26)];
    let mut code = counted(&[0xbf00, movs(1, 0), adds(4, 1)], body);
    let stubs = (code.len() + 1) & !1;
    // The position of the NOP.
    code[3] = adr(4, 3, stubs);
    code.resize(stubs, 0xbf00);
    for number in 0..16 {
        code.extend([adds(2, number), bx(LR)]);
    }
    assert_returns(&code);
}

#[test]
fn flags_that_no_result_has_are_kept() {
    // N and Z at once, by MSR; then both are tested.
    let start = [movs(7, 0xc), lsls(7, 7, 28)];
    let code = counted(&start, |again| {
        let at = again + 2;
        let tests = [b_if(MI, at, at + 2), adds(2, 1), b_if(EQ, at + 2, at + 4), adds(2, 2), adds(3, 1)];
        [&msr(0, 7)[..], &tests].concat()
    });
    assert_returns(&code);
}

#[test]
fn a_fault_after_many_translated_cycles_is_the_interpreters() {
    // Loads from addresses that end behind RAM; pushes that end below it; a return to an even address.
    let loads = [&pointer(3)[..], &[ldr(2, 3), adds(3, 4), add(4, 2), b(7, 4)]].concat();
    let pushes = [push(0xf, true), adds(1, 1), b(2, 0)];
    let even = counted(&[push(0xf0, true)], |again| {
        // Behind the last turn, zeros are popped: the program counter's is even.
        let here = again + 3;
        vec![
            movs(4, 0),
            subs(0, 1),
            b_if(NE, again + 2, here + 2),
            push(1 << 4, false),
            pop(0, true),
            adds(0, 1),
        ]
    });
    for code in [&loads[..], &pushes, &even] {
        let ended = compare(code, BUDGET);
        assert!(ended.iter().all(|end| matches!(end.exit, Exit::Fault(_)) && end.blocks > 0), "{ended:?}");
    }
}

#[test]
fn flash_and_ram_take_turns_for_ever() {
    // R4 points into RAM; there: bx lr, which the function behind the loop writes again.
    let mut code = [
        &pointer(4)[..],
        &[mov(5, 4), adds(5, 1), movs(6, 0x47), lsls(6, 6, 8), adds(6, 0x70), strh(6, 4, 0)],
    ]
    .concat();
    let again = code.len();
    code.extend([blx(5), adds(2, 1)]);
    let function = again + 5;
    code.extend(bl(again + 2, function));
    code.push(b(again + 4, again));
    code.extend([strh(6, 4, 0), bx(LR)]);
    assert_ended(&compare(&code, SHORT), |exit| matches!(exit, Exit::OutOfCycles { .. }));
}

/// How execution comes to a wide instruction from just behind it.
#[derive(Clone, Copy)]
enum From {
    Branch,
    Return,
}

/// A loop around the instruction `wide`, with so many NOPs in front of it. Execution comes to it from its second
/// half's line, where a load has just taken the place of the first half's line.
fn from_the_second_line(wide: [u16; 2], padding: usize, from: From) -> Vec<u16> {
    let mut code = counted(&[0xbf00; 8], |again| {
        // A load from one place; another one, behind the instruction, from the other.
        let mut body = vec![ldr(6, 3)];
        body.resize(1 + padding, 0xbf00);
        let at = again + body.len() + 2;
        match from {
            From::Branch => body.extend([0xbf00, b(at - 1, at + 3)]),
            From::Return => body.extend(bl(at - 2, at + 3)),
        }
        body.extend([wide[0], wide[1], b(at + 2, at + 5), ldr(7, 1)]);
        body.push(match from {
            From::Branch => b(at + 4, at),
            From::Return => bx(LR),
        });
        body
    });
    // R1 and R3 point 512 and 1024 bytes behind it: to the same place of each cache.
    let at = 11 + 1 + padding + 2;
    code[4..8].copy_from_slice(&[adr(1, 4, (at & !1) + 256), movs(3, 2), lsls(3, 3, 8), add(3, 1)]);
    code.extend((0..1024).map(|n: u16| n.wrapping_mul(0x9e37)));
    code
}

#[test]
fn jumps_go_to_instructions_in_two_lines_from_the_second_one() {
    for from in [From::Branch, From::Return] {
        for padding in 0..4 {
            // DMB is translated, MSR is not.
            for wide in [[0xf3bf, 0x8f5f], msr(0, 2)] {
                assert_returns(&from_the_second_line(wide, padding, from));
            }
        }
    }
}

#[test]
fn data_in_flash_takes_the_places_of_code() {
    // R1 walks through the first KiB of flash: LDR r7, [r1]; LDM r1!, {r4, r5}; LDRSB r6, [r1, r3].
    let body =
        |_| vec![ldr(7, 1), adds(2, 1), 0xc930, add(2, 7), 0x56ce, add(2, 6), lsls(1, 1, 22), lsrs(1, 1, 22)];
    let mut code = counted(&[movs(1, 0), movs(3, 1)], body);
    code.extend((0..1024).map(|n: u16| n.wrapping_mul(0x9e37)));
    assert_returns(&code);
}
