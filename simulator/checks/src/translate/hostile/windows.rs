//! Xtensa with windows and zero-overhead loops.

use pennyweight_machine::Exit;

use super::super::subjects::{back, Function, Subject, XtensaSubject};
use super::{assert_ended, compare_function, Ended, BUDGET};
use crate::random::Random;
use crate::xtensa::encode::{addi, bz, j, l32i, movi, rrr, s32i};
use crate::xtensa::pieces_lx6::{self, call, wsr};
use crate::xtensa::stream::{Stream, STACK};
use crate::xtensa::{vectors, Set};

const RETW: u32 = 0x90;

/// ENTRY a1, 48.
const ENTRY: u32 = 6 << 12 | STACK << 8 | 3 << 4 | 6;

/// Handlers of exceptions, and a function that `body` fills: windows are as after reset, and a4 counts.
fn compare(passes: u32, body: impl FnOnce(&mut Stream)) -> Ended {
    let subject = XtensaSubject::new(Set::Windowed);
    let (random, kind) = (Random::new(0), Set::Windowed);
    let mut s = Stream { code: Vec::new(), random, kind, literals: 0, pointer: 0, in_function: false };
    vectors::put(&mut s);
    let entry = subject.flash() + s.here() as u32;
    pieces_lx6::start(&mut s);
    // The first call's frame, with the stack pointer of its caller.
    s.load(STACK, kind.ram() + 0x3000);
    s.put(addi(11, STACK, -16));
    s.put(s32i(STACK, 11, 4));
    s.load(4, passes);
    body(&mut s);
    let bytes = s.code;
    compare_function(&subject, &Function { entry, bytes }, BUDGET, true)
}

/// Counts down in a4 and goes back to `again`, then ends the function.
fn end(s: &mut Stream, again: usize) {
    s.put(addi(4, 4, -1));
    s.put(bz(0, 4, 6));
    let distance = -s.distance(again);
    s.put(j(distance));
    back(Set::Windowed).into_iter().for_each(|word| s.put(word));
}

/// A function that calls itself as often as its argument says, and adds the arguments.
fn recursive(s: &mut Stream, by: u32) -> usize {
    s.align();
    let (start, argument) = (s.here(), 4 * by + 2);
    s.put(ENTRY);
    s.put(bz(0, 2, 12));
    s.put(addi(argument, 2, -1));
    let from = s.here();
    s.put(call(by, from, start));
    s.put(rrr(8, 0, 2, 2, argument));
    s.put(RETW);
    start
}

/// Jumps over what `act` makes, and returns what it returns.
fn around<R>(s: &mut Stream, act: impl FnOnce(&mut Stream) -> R) -> R {
    let from = s.here();
    s.put(0);
    let made = act(s);
    let over = s.distance(from);
    s.set(from, j(over));
    made
}

#[test]
fn calls_are_deeper_than_there_are_registers() {
    for (by, depth) in [(1, 20), (2, 2), (2, 9), (3, 12)] {
        let ended = compare(900, |s| {
            let start = around(s, |s| recursive(s, by));
            let again = s.here();
            s.put(movi(4 * by + 2, depth));
            let from = s.here();
            // A callee by four has what counts here.
            s.put(s32i(4, STACK, 8));
            s.put(call(by, from + 3, start));
            s.put(l32i(4, STACK, 8));
            end(s, again);
        });
        assert_ended(&[ended], |exit| *exit == Exit::Returned);
    }
}

#[test]
fn one_function_is_called_by_steps_of_all_sizes_in_turn() {
    let ended = compare(1500, |s| {
        let start = around(s, |s| recursive(s, 2));
        let again = s.here();
        for by in [1, 2, 3, 2, 1] {
            s.put(s32i(4, STACK, 8));
            s.put(movi(4 * by + 2, by as i32 - 1));
            let from = s.here();
            s.put(call(by, from, start));
            s.put(l32i(4, STACK, 8));
        }
        end(s, again);
    });
    assert_ended(&[ended], |exit| *exit == Exit::Returned);
}

#[test]
fn a_loop_gets_its_end_in_code_that_is_translated_already() {
    // In the last hundred passes, code that never was a loop runs as one, five times.
    let ended = compare(3000, |s| {
        let again = s.here();
        // a5 = a4 - 100, and BGEZ over what sets the loop up.
        s.put(addi(5, 4, -100));
        let branch = s.here();
        s.put(0);
        let begin = s.here();
        s.put(0);
        s.put(0);
        s.put(0);
        s.put(movi(6, 5));
        s.put(wsr(6, 2));
        let distance = s.distance(branch);
        s.set(branch, bz(3, 5, distance));
        let first = s.kind.flash() + s.here() as u32;
        s.put(addi(7, 7, 1));
        s.put(addi(8, 8, 3));
        s.put(rrr(3, 0, 9, 7, 8));
        let last = s.kind.flash() + s.here() as u32;
        s.put(addi(10, 10, 1));
        // LBEG and LEND come from a11 and a12, which code behind loads in each pass.
        s.set(begin, wsr(11, 0));
        s.set(begin + 3, wsr(12, 1));
        s.set(begin + 6, addi(8, 8, 1));
        s.load(2, first);
        s.put(rrr(2, 0, 11, 2, 2));
        s.load(2, last);
        s.put(rrr(2, 0, 12, 2, 2));
        end(s, again);
    });
    assert_ended(&[ended], |exit| *exit == Exit::Returned);
}

#[test]
fn loops_are_entered_in_the_middle_and_at_their_end_and_left_early() {
    let ended = compare(2500, |s| {
        let again = s.here();
        // LOOP a5 over four instructions, of which the second leaves when a6 gets to zero.
        s.put(movi(5, 7));
        s.put(movi(6, 5));
        let start = s.here();
        s.put(0);
        s.put(addi(6, 6, -1));
        let leave = s.here();
        s.put(0);
        s.put(addi(7, 7, 1));
        s.put(addi(8, 8, 1));
        let close = (s.distance(start) as u32).wrapping_sub(4);
        s.set(start, (close & 0xff) << 16 | 8 << 12 | 5 << 8 | 7 << 4 | 6);
        let distance = s.distance(leave);
        s.set(leave, bz(0, 6, distance));
        // The rest of the count is still there: back into the middle of the loop each other pass.
        s.put(addi(9, 9, 1));
        s.put(movi(10, 1));
        s.put(rrr(1, 0, 10, 10, 4));
        s.put(bz(0, 10, 9));
        s.put(addi(4, 4, -1));
        let middle = -(s.distance(leave) - 3);
        s.put(j(middle));
        s.put(movi(10, 0));
        s.put(wsr(10, 2));
        s.put(addi(4, 4, 1));
        s.put(addi(4, 4, -1));
        end(s, again);
    });
    assert_ended(&[ended], |exit| matches!(exit, Exit::Returned | Exit::OutOfCycles { .. }));
}
