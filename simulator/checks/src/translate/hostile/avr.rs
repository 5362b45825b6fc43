//! AVR: SP in halves, jumps out of flash and into the middle of instructions, I/O through pointers, returns to
//! anywhere.

use pennyweight_machine::Exit;

use super::super::subjects::AvrSubject;
use super::{assert_ended, Ended, BUDGET, SHORT};
use crate::avr::function::{
    branch, displaced, input, ldi, one, output, relative, two, wide, ICALL, IJMP, RET,
};

const PUSH: u16 = 0x920f;
const POP: u16 = 0x900f;
const DEC: u16 = 0x940a;
const NOP: u16 = 0;
const SPL: u16 = 0x3d;
const SPH: u16 = 0x3e;
const SREG: u16 = 0x3f;
/// Where functions begin.
const ENTRY: usize = 1;

/// As [`super::compare`], on all boards.
#[track_caller]
fn compare(code: &[u16], budget: u64) -> Vec<Ended> {
    let bytes: Vec<u8> = code.iter().copied().flat_map(u16::to_le_bytes).collect();
    AvrSubject::all().iter().map(|subject| super::compare(subject, &bytes, budget)).collect()
}

/// The body is repeated 250 times, and then four times as often; then it is the end. `body` is given the word
/// where it begins.
fn counted(start: &[u16], body: impl FnOnce(usize) -> Vec<u16>) -> Vec<u16> {
    let mut code = vec![ldi(16, 250), two(0x2c00, 2, 16), ldi(16, 4), two(0x2c00, 3, 16)];
    code.extend(start);
    let again = code.len();
    code.extend(body(again + ENTRY));
    for counter in [2, 3] {
        code.push(one(DEC, counter));
        let at = code.len();
        code.extend([branch(true, 1, at, at + 2), relative(0xc000, at + 1, again)]);
    }
    code.push(RET);
    code
}

#[track_caller]
fn assert_returns(code: &[u16]) {
    assert_ended(&compare(code, BUDGET), |exit| *exit == Exit::Returned);
}

#[test]
fn the_stack_pointer_is_written_in_any_order_and_with_anything_between() {
    for between in [vec![], vec![output(SREG, 0)], vec![one(PUSH, 8), one(POP, 8)], vec![input(10, SPL)]] {
        for halves in [[SPL, SPH], [SPH, SPL], [SPL, SPL]] {
            let code = counted(&[], |_| {
                let mut body = vec![input(28, SPL), input(29, SPH), wide(true, 28, 9), input(0, SREG)];
                let write = |body: &mut Vec<u16>| {
                    for (half, rest) in halves.into_iter().zip([between.clone(), vec![]]) {
                        body.push(output(half, if half == SPL { 28 } else { 29 }));
                        body.extend(rest);
                    }
                    if halves[0] == halves[1] {
                        body.push(output(SPH, 29));
                    }
                };
                write(&mut body);
                body.extend([
                    displaced(true, true, 16, 1),
                    displaced(false, true, 17, 9),
                    wide(false, 28, 9),
                ]);
                write(&mut body);
                body
            });
            assert_returns(&code);
        }
    }
}

#[test]
fn jumps_go_into_the_middle_of_instructions_in_turn() {
    // The second word of LDS r18, 0x0f07 is CPC, ADD or what the address is.
    let code = counted(&[ldi(20, 0), ldi(21, 1)], |at| {
        let target = at + 6;
        vec![
            ldi(30, target as u16 & 0xff),
            ldi(31, target as u16 >> 8),
            two(0x0c00, 30, 20),
            two(0x2400, 20, 21),
            IJMP,
            NOP,
            // LDI r18, 4 at the first place; its neighbour is LDS of an address that is DEC r18.
            ldi(18, 4),
            one(DEC, 18),
            two(0x0c00, 19, 18),
        ]
    });
    assert_returns(&code);
}

#[test]
fn calls_of_computed_places_return() {
    let code = counted(&[], |at| {
        let callee = at + 5;
        vec![
            ldi(30, callee as u16 & 0xff),
            ldi(31, callee as u16 >> 8),
            ICALL,
            relative(0xd000, at + 3, callee),
            relative(0xc000, at + 4, callee + 2),
            two(0x0c00, 18, 19),
            RET,
        ]
    });
    assert_returns(&code);
}

#[test]
fn a_loop_that_uses_io_takes_turns() {
    let code =
        counted(&[], |_| vec![output(0x1e, 2), two(0x0c00, 18, 2), input(19, 0x1e), two(0x0c00, 20, 19)]);
    assert_returns(&code);
}

#[test]
fn io_through_pointers_is_left_to_the_interpreter() {
    for address in [0x3e, 0x1e, 0x10] {
        let code = counted(&[ldi(30, address), ldi(31, 0)], |_| {
            vec![displaced(true, false, 2, 0), displaced(false, false, 18, 0), two(0x0c00, 20, 18)]
        });
        let ended = compare(&code, BUDGET);
        assert!(ended.iter().all(|end| end.blocks > 0), "{ended:?}");
    }
}

#[test]
fn pushes_without_end_overflow_the_stack() {
    let code = counted(&[], |at| vec![one(PUSH, 2), one(PUSH, 3), relative(0xd000, at + 2, at + 3)]);
    let ended = compare(&code, BUDGET);
    assert!(ended.iter().all(|end| matches!(end.exit, Exit::Fault(_))), "{ended:?}");
}

#[test]
fn jumps_out_of_flash_fault_after_many_cycles() {
    // By a pointer, by a return, by a branch behind the loop.
    let away = [
        vec![ldi(30, 0xfe), ldi(31, 0xff), IJMP],
        vec![ldi(30, 0xff), ldi(31, 0xff), IJMP],
        vec![ldi(30, 0xfe), ldi(31, 0xff), one(PUSH, 30), one(PUSH, 31), RET],
        vec![relative(0xc000, 1200, 0)],
        vec![0x9598],
        vec![0x9588],
        vec![0xffff],
    ];
    for away in away {
        let mut code = counted(&[], |_| vec![two(0x0c00, 18, 2)]);
        code.pop();
        code.extend(away);
        let ended = compare(&code, BUDGET);
        assert!(ended.iter().all(|end| end.blocks > 0), "{ended:?}");
    }
}

#[test]
fn a_loop_without_end_uses_its_budget_up() {
    let code = [two(0x0c00, 18, 2), branch(true, 1, 1, 0), relative(0xc000, 2, 0)];
    for budget in (1_000..1_012).chain([SHORT, SHORT + 1]) {
        let ended = compare(&code, budget);
        assert!(ended.iter().all(|end| matches!(end.exit, Exit::OutOfCycles { .. })), "{ended:?}");
    }
}

#[test]
fn constants_come_from_flash_by_both_ways() {
    // LPM Z+ everywhere; where data space shows flash, LD Z+ as well.
    let code = counted(&[ldi(30, 0), ldi(31, 0), ldi(20, 0x80), ldi(21, 0)], |_| {
        vec![
            0x9005 | 18 << 4,
            two(0x0c00, 19, 18),
            0x0100 | 13 << 4 | 15,
            0x0100 | 15 << 4 | 10,
            0x0100 | 10 << 4 | 13,
        ]
    });
    let ended = compare(&code, BUDGET);
    assert!(ended.iter().all(|end| end.blocks > 0), "{ended:?}");
    let shown = counted(&[], |_| {
        vec![ldi(30, 0), ldi(31, 0x80), 0x9001 | 18 << 4, 0x9001 | 17 << 4, two(0x0c00, 19, 18)]
    });
    let ended = compare(&shown, BUDGET);
    // Not all of them show flash there.
    assert!(ended.iter().any(|end| end.exit == Exit::Returned && end.runs > 0), "{ended:?}");
}
