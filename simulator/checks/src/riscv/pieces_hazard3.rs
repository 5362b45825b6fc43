//! Pieces for Hazard3: its extensions, and loops that show what it predicts and fetches ahead.

use super::encode::{addi, branch, c_branch, c_jump, i, jal, lw, r, store, sw};
use super::pieces::{free, inner_loop, load_or_store, near, plain_run, source, words};
use super::stream::{Stream, LOOP, POINTER, STACK};
use super::Set;

/// Zbs: two registers, and a register and a number.
const SINGLE_BIT: [u32; 8] =
    [0x4800_1033, 0x4800_5033, 0x6800_1033, 0x2800_1033, 0x4800_1013, 0x4800_5013, 0x6800_1013, 0x2800_1013];

/// Where a counter is kept while an inner loop runs.
const OUTER: i32 = 0x104;

/// A random piece.
pub fn any(s: &mut Stream) {
    let all = if s.set == Set::Hazard3 { 14 } else { 8 };
    match s.random.below(all) {
        0 | 1 => single_bit(s),
        2 => nested_loops(s),
        3 => loop_with_skips(s),
        4 => loop_entered_at_its_condition(s),
        5 => long_loop(s),
        6 => dependent(s),
        7 => alternating_branch(s),
        8 | 9 => short_byte_or_half(s),
        10 => short_unary(s),
        11 => push_and_pop(s),
        12 => function_with_frame(s),
        _ => moves(s),
    }
}

fn single_bit(s: &mut Stream) {
    let (base, d, n, m) = (s.random.pick(&SINGLE_BIT), free(s), source(s), source(s));
    s.put(r(base, d, n, m));
}

/// C.NOP or nothing, so that what follows is at any place of a word.
fn shift(s: &mut Stream) {
    if s.random.once_in(2) {
        s.put_short(0x0001);
    }
}

/// The branch that ends a loop, of 16 or 32 bits.
fn back_to(s: &mut Stream, again: usize) {
    let back = -s.distance(again);
    if s.random.once_in(2) && back >= -256 {
        s.put_short(c_branch(0xe001, LOOP as u16, back));
    } else {
        s.put(branch(1, LOOP, 0, back));
    }
}

/// Decrements the counter, in 16 or 32 bits.
fn count(s: &mut Stream) {
    if s.random.once_in(2) {
        s.put_short(0x147d);
    } else {
        s.put(addi(LOOP, LOOP, -1));
    }
}

/// A loop around one or two others.
fn nested_loops(s: &mut Stream) {
    let times = 1 + s.random.below(4) as i32;
    shift(s);
    s.put(addi(LOOP, 0, times));
    s.put(sw(STACK, LOOP, OUTER));
    let again = s.here();
    for _ in 0..=s.random.below(2) {
        inner_loop(s);
        shift(s);
    }
    s.put(lw(LOOP, STACK, OUTER));
    count(s);
    s.put(sw(STACK, LOOP, OUTER));
    back_to(s, again);
}

/// A loop in which a branch ahead goes either way.
fn loop_with_skips(s: &mut Stream) {
    let times = 2 + s.random.below(8) as i32;
    s.put(addi(LOOP, 0, times));
    shift(s);
    let again = s.here();
    for _ in 0..=s.random.below(2) {
        plain_run(s, 2);
        let (d, mask) = (near(s), 1 + s.random.below(3) as i32);
        s.put(i(0x7013, d, LOOP, mask));
        let from = s.here();
        let base = s.random.pick(&[0xc001, 0xe001]);
        s.put_short(0);
        plain_run(s, 3);
        let distance = s.distance(from);
        s.set_short(from, c_branch(base, d as u16, distance));
    }
    plain_run(s, 2);
    count(s);
    back_to(s, again);
}

/// A loop that begins with a jump to its condition.
fn loop_entered_at_its_condition(s: &mut Stream) {
    let times = 1 + s.random.below(5) as i32;
    s.put(addi(LOOP, 0, times));
    shift(s);
    let entry = s.here();
    s.put_short(0);
    let again = s.here();
    plain_run(s, 4);
    count(s);
    shift(s);
    let distance = s.distance(entry);
    s.set_short(entry, c_jump(0xa001, distance));
    back_to(s, again);
}

/// A loop of one to three instructions, many times.
fn long_loop(s: &mut Stream) {
    let times = 3 + s.random.below(60) as i32;
    s.put(addi(LOOP, 0, times));
    shift(s);
    let again = s.here();
    plain_run(s, 1);
    count(s);
    if s.random.once_in(4) {
        load_or_store(s);
    }
    back_to(s, again);
}

/// A loop whose first or last instruction waits for a load.
fn dependent(s: &mut Stream) {
    let times = 2 + s.random.below(6) as i32;
    s.put(addi(LOOP, 0, times));
    let (d, offset) = (near(s), words(s, 32));
    s.put(lw(d, POINTER, offset));
    shift(s);
    let again = s.here();
    let other = free(s);
    s.put(r(0x33, other, d, 0));
    plain_run(s, 2);
    count(s);
    match s.random.below(3) {
        0 => s.put(lw(d, POINTER, offset)),
        1 => s.put(store(0x2023, POINTER, d, offset)),
        // LR and SC of the same word.
        _ => {
            let address = if d == 9 { 10 } else { 9 };
            s.put(addi(address, POINTER, offset));
            s.put(r(0x1000_202f, d, address, 0));
            s.put(r(0x1800_202f, 7, address, d));
        }
    }
    back_to(s, again);
}

/// A loop with two branches back, each taken in one pass of two.
fn alternating_branch(s: &mut Stream) {
    let times = 2 + s.random.below(8) as i32;
    s.put(addi(LOOP, 0, times));
    shift(s);
    let again = s.here();
    plain_run(s, 2);
    count(s);
    let d = near(s);
    s.put(i(0x7013, d, LOOP, 1));
    let leave = s.here();
    s.put_short(0);
    let back = -s.distance(again);
    s.put(branch(1, d, 0, back));
    plain_run(s, 2);
    back_to(s, again);
    let distance = s.distance(leave);
    s.set_short(leave, c_branch(0xc001, LOOP as u16, distance));
}

/// Zcb: C.LBU, C.LHU, C.LH, C.SB, C.SH.
fn short_byte_or_half(s: &mut Stream) {
    let (base, moved) = (near(s), words(s, 16));
    s.put(addi(base, POINTER, moved));
    let which = s.random.pick(&[0x8000, 0x8400, 0x8440, 0x8800, 0x8c00]);
    let stores = which >= 0x8800;
    // x8 counts in loops: it is stored, not loaded.
    let data = if stores { s.random.below(8) } else { near(s) & 7 };
    let bytes = which & 0x0400 == 0;
    let offset = if bytes { s.random.below(4) << 5 } else { s.random.below(2) << 5 };
    s.put_short((which | (base & 7) << 7 | offset | data << 2) as u16);
}

/// Zcb: C.ZEXT.B, C.SEXT.B, C.ZEXT.H, C.SEXT.H, C.NOT, C.MUL.
fn short_unary(s: &mut Stream) {
    let (d, m) = (near(s) & 7, s.random.below(8));
    let which = s.random.pick(&[0x9c61, 0x9c65, 0x9c69, 0x9c6d, 0x9c75, 0x9c41 | m << 2]);
    s.put_short((which | d << 7) as u16);
}

/// A load of a register that the next instruction may use.
fn load_before(s: &mut Stream) {
    if s.random.once_in(2) {
        let (d, offset) = (s.random.pick(&[1, 8, 9, 10, 11, 18, 23, 27]), words(s, 32));
        s.put(lw(d, POINTER, offset));
    }
}

/// A list of registers and an adjustment of the stack pointer, as Zcmp's instructions have them.
fn frame(s: &mut Stream) -> u16 {
    ((4 + s.random.below(12)) << 4 | s.random.below(4) << 2) as u16
}

/// CM.PUSH, and CM.POP of the same.
fn push_and_pop(s: &mut Stream) {
    let frame = frame(s);
    load_before(s);
    s.put_short(0xb802 | frame);
    plain_run(s, 3);
    load_before(s);
    s.put_short(0xba02 | frame);
    plain_run(s, 1);
}

/// A function that begins with CM.PUSH and ends with CM.POPRET or CM.POPRETZ.
fn function_with_frame(s: &mut Stream) {
    let call = s.here();
    s.put(0);
    plain_run(s, 2);
    let around = s.here();
    s.put(0);
    shift(s);
    let distance = s.distance(call);
    s.set(call, jal(1, distance));
    let frame = frame(s);
    s.put_short(0xb802 | frame);
    plain_run(s, 4);
    load_before(s);
    let pop = s.random.pick(&[0xbe02, 0xbc02]);
    s.put_short(pop | frame);
    let distance = s.distance(around);
    s.set(around, jal(0, distance));
}

/// CM.MVA01S and CM.MVSA01.
fn moves(s: &mut Stream) {
    let (first, second) = (s.random.below(8) as u16, s.random.below(8) as u16);
    load_before(s);
    if s.random.once_in(2) {
        s.put_short(0xac62 | first << 7 | second << 2);
    } else {
        let second = if first == second { (first + 1) % 8 } else { second };
        s.put_short(0xac22 | first << 7 | second << 2);
    }
}
