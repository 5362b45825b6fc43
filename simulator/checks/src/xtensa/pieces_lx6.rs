//! Pieces with instructions that the LX6 has and the LX106 has not.

use super::encode::{addi, bz, j, l32i, lsai, movi, rrr, s32i};
use super::pieces::{free, load_or_store, plain_run, source};
use super::stream::{Stream, LOOP, PASSES, POINTER, STACK};

const BR: u32 = 4;
const SCOMPARE1: u32 = 12;
const ATOMCTL: u32 = 99;
const WINDOWBASE: u32 = 72;
pub(crate) const WINDOWSTART: u32 = 73;
pub(crate) const PS: u32 = 230;
const VECBASE: u32 = 231;
const RSYNC: u32 = 0x2010;

/// WSR t, number
pub(crate) fn wsr(t: u32, number: u32) -> u32 {
    rrr(1, 3, number >> 4, number & 15, t)
}

/// RSR t, number
fn rsr(t: u32, number: u32) -> u32 {
    rrr(0, 3, number >> 4, number & 15, t)
}

/// XSR t, number
fn xsr(t: u32, number: u32) -> u32 {
    rrr(6, 1, number >> 4, number & 15, t)
}

/// CALL4, CALL8, CALL12 between positions of the code.
pub(crate) fn call(by: u32, from: usize, to: usize) -> u32 {
    let words = (to as i32 - (from & !3) as i32 - 4) >> 2;
    (words as u32 & 0x3_ffff) << 6 | by << 4 | 5
}

/// What start-up does: vectors, windows, and S32C1I that needs no bus.
pub fn start(s: &mut Stream) {
    let flash = s.kind.flash();
    // Without windows, no exception comes in between, wherever they are.
    s.put(movi(2, 0));
    s.put(wsr(2, PS));
    s.put(RSYNC);
    for (value, number) in
        [(flash, VECBASE), (0, WINDOWBASE), (1, WINDOWSTART), (0x4_0000, PS), (0x2a, ATOMCTL), (0, BR)]
    {
        s.load(2, value);
        s.put(wsr(2, number));
        s.put(RSYNC);
    }
}

/// A random piece.
pub fn any(s: &mut Stream) {
    match s.random.below(20) {
        0..=2 => zero_overhead_loop(s),
        3 => divide(s),
        4 | 5 => miscellaneous(s),
        6 => combine(s),
        7 => if_boolean(s),
        8 | 9 => accumulate(s),
        10 | 11 => special_register(s),
        12 => compare_and_store(s),
        13..=15 => call_tree(s),
        16 => recursion(s),
        17 => {
            let by = s.random.below(16);
            s.put(rrr(4, 0, 8, 0, by));
            s.put(RSYNC);
            s.put(rrr(4, 0, 8, 0, (16 - by) & 15));
            s.put(RSYNC);
        }
        18 => {
            // WUR.THREADPTR, RUR.THREADPTR
            let (t, d) = (source(s), free(s));
            s.put(rrr(15, 3, 14, 7, t));
            s.put(rrr(14, 3, d, 14, 7));
        }
        _ => ordered_access(s),
    }
}

/// LOOP, LOOPNEZ or LOOPGTZ over a few instructions.
fn zero_overhead_loop(s: &mut Stream) {
    let kind = s.random.below(3);
    // LOOP with 0 goes round four thousand million times.
    let times = if kind == 0 { 1 + s.random.below(6) as i32 } else { s.random.below(9) as i32 - 2 };
    let times = if kind == 1 { times.max(0) } else { times };
    let n = free(s);
    s.put(movi(n, times));
    let from = s.here();
    s.put(0);
    plain_run(s, 4);
    if s.random.once_in(3) {
        load_or_store(s);
    }
    if s.random.once_in(3) {
        // The last instruction may be a branch that falls through, or leaves the loop.
        let (n, m) = (source(s), s.random.below(4));
        let distance = 3 + 3 * s.random.below(2) as i32;
        s.put(bz(m, n, distance));
        if s.random.once_in(2) {
            s.put(movi(2, 1));
        }
    } else {
        let d = free(s);
        s.put(l32i(d, POINTER, 4 * d));
    }
    let end = (s.distance(from) as u32).wrapping_sub(4);
    s.set(from, (end & 0xff) << 16 | (8 + kind) << 12 | n << 8 | 7 << 4 | 6);
    // A branch may lead behind the first of these. A loop that was left early must not continue
    // at its end.
    s.put(movi(3, 0));
    s.put(movi(3, 0));
    s.put(wsr(3, 2));
}

fn divide(s: &mut Stream) {
    let (d, n, m, kind) = (free(s), source(s), source(s), s.random.below(4));
    s.put(movi(2, 1));
    s.put(rrr(2, 0, 3, m, 2));
    s.put(rrr(12 + kind, 2, d, n, 3));
}

/// MIN, MAX, MINU, MAXU, SEXT, CLAMPS.
fn miscellaneous(s: &mut Stream) {
    let (d, n, m, kind) = (free(s), source(s), source(s), s.random.below(4));
    match s.random.below(3) {
        0 => s.put(rrr(4 + kind, 3, d, n, m)),
        1 => s.put(rrr(2, 3, d, n, m)),
        _ => s.put(rrr(3, 3, d, n, m)),
    }
}

/// ANDB to XORB, ANY4 to ALL8.
fn combine(s: &mut Stream) {
    let (d, n, m, op) = (source(s), source(s), source(s), s.random.below(5));
    if s.random.once_in(2) {
        s.put(rrr(op, 2, d, n, m));
    } else {
        let kind = s.random.below(4);
        let from = if kind < 2 { n & 12 } else { n & 8 };
        s.put(rrr(0, 0, 8 + kind, from, d));
    }
}

/// BF, BT, MOVF, MOVT.
fn if_boolean(s: &mut Stream) {
    let (d, n, bit, kind) = (free(s), source(s), source(s), s.random.below(2));
    if s.random.once_in(2) {
        s.put(rrr(12 + kind, 3, d, n, bit));
        return;
    }
    let from = s.here();
    s.put(0);
    plain_run(s, 4);
    // Behind nothing it leads to the next instruction, 3 bytes on: -1.
    let distance = (s.distance(from) as u32).wrapping_sub(4);
    s.set(from, (distance & 0xff) << 16 | kind << 12 | bit << 8 | 7 << 4 | 6);
}

/// Multiply-accumulate in all its forms, and its registers.
fn accumulate(s: &mut Stream) {
    let (n, m, halves) = (source(s), source(s), s.random.below(4));
    let (kind, any_kind) = (1 + s.random.below(3), s.random.below(4));
    match s.random.below(8) {
        // MUL.AA to MULS.AA and UMUL.AA; AD, DA, DD
        0 => s.put(rrr(7, any_kind << 2 | halves, 0, n, m) | 4),
        1 => s.put(rrr(3, kind << 2 | halves, 0, n, m & 4) | 4),
        2 => s.put(rrr(6, kind << 2 | halves, n & 4, 0, m) | 4),
        3 => s.put(rrr(2, kind << 2 | halves, n & 4, 0, m & 4) | 4),
        // LDINC, LDDEC, alone and with a product
        4..=6 => {
            let (w, pointer) = (s.random.below(4), free(s));
            let offset = 4 * s.random.below(16) as i32;
            s.put(addi(pointer, POINTER, offset));
            let (op2, op1, r, t) = match s.random.below(3) {
                0 => (8 + s.random.below(2), 0, w, 0),
                1 => (s.random.below(2), 8 | halves, w | n & 4, m & 4),
                _ => (4 + s.random.below(2), 8 | halves, w | n & 4, m),
            };
            s.put(rrr(op2, op1, r, pointer, t) | 4);
        }
        _ => {
            let number = s.random.pick(&[16, 17, 32, 33, 34, 35]);
            access(s, number);
        }
    }
}

/// Special registers that may hold anything, and those that may only be read.
fn special_register(s: &mut Stream) {
    if s.random.once_in(2) {
        let number = s.random.pick(&[BR, SCOMPARE1, 209, 1]);
        access(s, number);
    } else {
        let number = s.random.pick(&[0, 1, 2, WINDOWBASE, WINDOWSTART, 177, PS, VECBASE, 232]);
        let d = free(s);
        s.put(rsr(d, number));
    }
}

/// S32C1I, that stores half of the time.
fn compare_and_store(s: &mut Stream) {
    let (d, offset) = (free(s), s.random.below(32));
    let n = free(s);
    s.put(l32i(n, POINTER, 4 * offset));
    if s.random.once_in(2) {
        s.put(addi(n, n, 1));
    }
    s.put(wsr(n, SCOMPARE1));
    s.put(lsai(14, POINTER, d, offset));
}

/// L32AI, S32RI.
fn ordered_access(s: &mut Stream) {
    let (d, offset) = (free(s), s.random.below(64));
    let op = s.random.pick(&[11, 15]);
    s.put(lsai(op, POINTER, d, offset));
}

/// Keeps the registers with a purpose on the stack, and gives the base frame a caller.
fn save(s: &mut Stream) {
    for (register, offset) in [(POINTER, 16), (PASSES, 20), (LOOP, 24)] {
        s.put(s32i(register, STACK, offset));
    }
    s.put(addi(11, STACK, -16));
    // ADDMI a12, a1, 512
    s.put(lsai(13, STACK, 12, 2));
    s.put(s32i(12, 11, 4));
}

fn restore(s: &mut Stream) {
    for (register, offset) in [(POINTER, 16), (PASSES, 20), (LOOP, 24)] {
        s.put(l32i(register, STACK, offset));
    }
}

/// Calls a windowed function that calls others.
fn call_tree(s: &mut Stream) {
    save(s);
    let around = s.here();
    s.put(0);
    let depth = s.random.below(7);
    let target = function(s, depth);
    let over = s.distance(around);
    s.set(around, j(over));
    call_by_any(s, target);
    restore(s);
}

/// CALL4 to CALLX12.
fn call_by_any(s: &mut Stream, target: usize) {
    let by = 1 + s.random.below(3);
    if s.random.once_in(3) {
        let address = s.kind.flash() + target as u32;
        s.load(3, address);
        s.put(rrr(0, 0, 0, 3, 12 + by));
    } else {
        let from = s.here();
        s.put(call(by, from, target));
    }
}

/// A function and those that it calls, which lie in front of it.
fn function(s: &mut Stream, depth: u32) -> usize {
    let callee = (depth > 0).then(|| function(s, depth - 1));
    s.align();
    let start = s.here();
    let was = std::mem::replace(&mut s.in_function, true);
    let frame = 48 + 16 * s.random.below(3);
    s.put((frame / 8) << 12 | STACK << 8 | 3 << 4 | 6);
    let pointer = s.pointer;
    s.load(POINTER, pointer);
    plain_run(s, 3);
    if s.random.once_in(6) {
        // MOVSP, as for an array whose size is known late
        s.put(addi(5, STACK, -32));
        s.put(rrr(0, 0, 1, 5, STACK));
    }
    if let Some(callee) = callee {
        call_by_any(s, callee);
        if s.random.once_in(3) {
            plain_run(s, 2);
            call_by_any(s, callee);
        }
        s.load(POINTER, pointer);
    }
    load_or_store(s);
    plain_run(s, 2);
    s.in_function = was;
    if s.random.once_in(2) {
        s.put_short(0xf01d);
    } else {
        s.put(0x90);
    }
    start
}

/// A function that calls itself, deeper than there are registers.
fn recursion(s: &mut Stream) {
    save(s);
    let by = 1 + s.random.below(3);
    let argument = 4 * by + 2;
    let around = s.here();
    s.put(0);
    s.align();
    let start = s.here();
    s.put((48 / 8) << 12 | STACK << 8 | 3 << 4 | 6);
    // beqz a2, to the return
    s.put(bz(0, 2, 12));
    s.put(addi(argument, 2, -1));
    let from = s.here();
    s.put(call(by, from, start));
    s.put(rrr(8, 0, 2, 2, argument));
    s.put(0x90);
    let over = s.distance(around);
    s.set(around, j(over));
    let depth = s.random.below(20) as i32;
    s.put(movi(argument, depth));
    let from = s.here();
    s.put(call(by, from, start));
    restore(s);
}

/// RSR, WSR or XSR.
fn access(s: &mut Stream, number: u32) {
    let t = free(s);
    let word = match s.random.below(3) {
        0 => rsr(t, number),
        1 => wsr(t, number),
        _ => xsr(t, number),
    };
    s.put(word);
}
