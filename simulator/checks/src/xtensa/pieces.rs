//! The pieces that a random program is made of: short sequences that are safe to run from any state.

use super::encode::{addi, b, bi, bz, call0, j, l32i, l32r, lsai, movi, narrow, rrr, s32i};
use super::stream::{Stream, LITERALS, LOOP, POINTER, STACK};
use super::{pieces_lx6, Set};

/// No piece is longer, in bytes.
pub const LONGEST: usize = 2048;

/// A random piece.
pub fn any(s: &mut Stream) {
    if s.kind == Set::Windowed && s.random.once_in(2) {
        return pieces_lx6::any(s);
    }
    match s.random.below(32) {
        0..=9 => plain(s),
        10..=12 => short(s),
        13..=17 => load_or_store(s),
        18 => load_and_use(s),
        19 => literal(s),
        20..=23 => skip_if(s),
        24 => skip_padding(s),
        25 => inner_loop(s),
        26 => call_ahead(s),
        27 => call_back(s),
        28 => jump_by_register(s),
        29 => stack_pointer(s),
        30 => shift_amount(s),
        _ => short_skip(s),
    }
}

/// A register that anything may be written to.
pub fn free(s: &mut Stream) -> u32 {
    if s.in_function {
        return s.random.pick(&[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }
    s.random.pick(&[0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
}

/// Any register.
pub fn source(s: &mut Stream) -> u32 {
    s.random.below(16)
}

/// One 24-bit instruction that touches neither memory nor the flow.
fn plain(s: &mut Stream) {
    let (d, n, m) = (free(s), source(s), source(s));
    let word = match s.random.below(16) {
        // AND, OR, XOR; ADD to SUBX8
        0 => rrr(1 + s.random.below(3), 0, d, n, m),
        1..=4 => rrr(8 + s.random.below(8), 0, d, n, m),
        // NEG, ABS
        5 => rrr(6, 0, d, s.random.below(2), m),
        // SLLI by 1 to 31, SRAI, SRLI, EXTUI
        6 => {
            let amount = 32 - (1 + s.random.below(31));
            rrr(amount >> 4, 1, d, n, amount & 15)
        }
        7 => rrr(2 + s.random.below(2), 1, d, s.random.below(16), m),
        8 => rrr(4, 1, d, s.random.below(16), m),
        9 => rrr(s.random.below(16), 4 + s.random.below(2), d, s.random.below(16), m),
        // MUL16U, MUL16S, MULL
        10 => rrr(12 + s.random.below(2), 1, d, n, m),
        11 => rrr(8, 2, d, n, m),
        // MOVEQZ to MOVGEZ
        12 => rrr(8 + s.random.below(4), 3, d, n, m),
        // NSA, NSAU
        13 => rrr(4, 0, 14 + s.random.below(2), n, d),
        14 => movi(d, s.random.below(4096) as i32 - 2048),
        // ADDI, ADDMI
        _ => lsai(12 + s.random.below(2), n, d, s.random.below(256)),
    };
    s.put(word);
}

/// So many plain instructions, narrow ones among them.
pub fn plain_run(s: &mut Stream, at_most: u32) {
    for _ in 0..s.random.below(at_most + 1) {
        if s.random.once_in(3) {
            short(s);
        } else {
            plain(s);
        }
    }
}

/// One narrow instruction that touches neither memory nor the flow.
fn short(s: &mut Stream) {
    let (d, n, m) = (free(s), source(s), source(s));
    let half = match s.random.below(5) {
        0 => narrow(10, d, n, m),
        1 => narrow(11, d, n, m),
        // MOVI.N
        2 => narrow(12, s.random.below(16), d, s.random.below(8)),
        3 => narrow(13, 0, n, d),
        _ => narrow(13, 15, 0, 3),
    };
    s.put_short(half);
}

/// A load or store near the pointer, or near a copy of it that moved.
pub fn load_or_store(s: &mut Stream) {
    let n = if s.random.once_in(2) {
        POINTER
    } else {
        let n = free(s);
        let word = addi(n, POINTER, (s.random.below(0x40) as i32 - 0x20) * 4);
        s.put(word);
        n
    };
    let (d, m, offset) = (free(s), source(s), s.random.below(256));
    match s.random.below(9) {
        0 => s.put(lsai(0, n, d, offset)),
        1 => s.put(lsai(1, n, d, offset)),
        2 => s.put(lsai(9, n, d, offset)),
        3 => s.put(lsai(2, n, d, offset & 63)),
        4 => s.put(lsai(4, n, m, offset)),
        5 => s.put(lsai(5, n, m, offset)),
        6 => s.put(lsai(6, n, m, offset & 63)),
        7 => s.put_short(narrow(8, offset & 15, n, d)),
        _ => s.put_short(narrow(9, offset & 15, n, m)),
    }
}

/// A load whose result the next instruction uses, maybe behind a branch.
fn load_and_use(s: &mut Stream) {
    let d = free(s);
    let word = l32i(d, POINTER, 4 * s.random.below(16));
    s.put(word);
    if s.random.once_in(3) {
        s.put(bz(0, 0, 4 - 1));
    }
    let other = free(s);
    s.put(rrr(8, 0, other, d, d));
}

fn literal(s: &mut Stream) {
    let (d, from) = (free(s), s.kind.flash() + s.here() as u32);
    let literal = s.kind.flash() + s.literals + 4 * s.random.below(LITERALS);
    s.put(l32r(d, from, literal));
}

/// A conditional branch over a few instructions.
fn skip_if(s: &mut Stream) {
    let (n, m) = (source(s), source(s));
    let from = s.here();
    s.put(0);
    plain_run(s, 8);
    let distance = s.distance(from);
    let word = match s.random.below(4) {
        0 => bz(s.random.below(4), n, distance),
        1 => bi(2, s.random.below(4), n, m, distance),
        2 => bi(3, 2 + s.random.below(2), n, m, distance),
        _ => b(s.random.below(16), n, m, distance),
    };
    s.set(from, word);
}

/// BEQZ.N or BNEZ.N over a few instructions.
fn short_skip(s: &mut Stream) {
    let (n, kind) = (source(s), 8 + 4 * s.random.below(2));
    let from = s.here();
    s.put_short(0);
    s.put(movi(2, 5));
    plain_run(s, 5);
    let imm = (s.distance(from) - 4) as u32;
    s.set_short(from, narrow(12, imm & 15, n, kind | imm >> 4));
}

/// A jump over bytes that are not an instruction.
fn skip_padding(s: &mut Stream) {
    let from = s.here();
    s.put(0);
    for _ in 0..=s.random.below(9) {
        let byte = s.random.next() as u8;
        s.code.push(byte);
    }
    let distance = s.distance(from);
    s.set(from, j(distance));
}

/// A loop of a few instructions.
fn inner_loop(s: &mut Stream) {
    let word = movi(LOOP, 1 + s.random.below(6) as i32);
    s.put(word);
    let again = s.here();
    plain_run(s, 5);
    if s.random.once_in(3) {
        load_or_store(s);
    }
    s.put(addi(LOOP, LOOP, -1));
    let back = -s.distance(again);
    s.put(bz(1, LOOP, back));
}

/// The body of a function: keeps its return address on the stack.
fn function(s: &mut Stream) {
    s.put(s32i(0, STACK, 0));
    plain_run(s, 5);
    s.put(l32i(0, STACK, 0));
    if s.random.once_in(2) {
        s.put_short(narrow(13, 15, 0, 0));
    } else {
        s.put(rrr(0, 0, 0, 0, 8));
    }
}

/// Calls a function ahead; execution goes around it afterwards.
fn call_ahead(s: &mut Stream) {
    let call = s.here();
    s.put(0);
    plain_run(s, 3);
    let around = s.here();
    s.put(0);
    s.align();
    let target = s.here();
    function(s);
    s.set(call, call0(s.kind.flash() + call as u32, s.kind.flash() + target as u32));
    let over = s.distance(around);
    s.set(around, j(over));
}

/// Calls a function behind, by register or not.
fn call_back(s: &mut Stream) {
    let around = s.here();
    s.put(0);
    s.align();
    let target = s.here();
    function(s);
    let over = s.distance(around);
    s.set(around, j(over));
    if s.random.once_in(2) {
        let call = s.here();
        s.put(call0(s.kind.flash() + call as u32, s.kind.flash() + target as u32));
    } else {
        s.load(7, s.kind.flash() + target as u32);
        s.put(rrr(0, 0, 0, 7, 12));
    }
}

/// Jumps a few instructions ahead by a register.
fn jump_by_register(s: &mut Stream) {
    let from = s.here();
    // A constant takes this many bytes whatever it is.
    s.load(6, 0);
    s.put(rrr(0, 0, 0, 6, 10));
    plain_run(s, 4);
    let target = s.kind.flash() + s.here() as u32;
    let mut constant = s.clone();
    constant.code.truncate(from);
    constant.load(6, target);
    let words = constant.code.split_off(from);
    s.code[from..from + words.len()].copy_from_slice(&words);
}

/// Moves the stack pointer and back.
fn stack_pointer(s: &mut Stream) {
    let by = 16 * (1 + s.random.below(7) as i32);
    match s.random.below(3) {
        0 => {
            s.put(addi(STACK, STACK, -by));
            s.put(s32i(9, STACK, 8));
            s.put(addi(STACK, STACK, by));
        }
        1 => {
            s.put_short(narrow(13, 0, STACK, 6));
            s.put(movi(7, by));
            s.put(rrr(12, 0, STACK, STACK, 7));
            s.put(s32i(7, STACK, 4));
            s.put_short(narrow(13, 0, 6, STACK));
        }
        _ => {
            s.put(s32i(STACK, STACK, 12));
            s.put(l32i(STACK, STACK, 12));
            s.put(rrr(2, 0, STACK, STACK, STACK));
        }
    }
}

/// Sets the shift amount in each of the ways there are, and shifts by it.
fn shift_amount(s: &mut Stream) {
    let (d, n, m) = (free(s), source(s), source(s));
    match s.random.below(4) {
        0 => {
            let word = rrr(4, 0, s.random.below(4), n, 0);
            s.put(word);
        }
        1 => {
            let word = rrr(4, 0, 4, s.random.below(16), s.random.below(2));
            s.put(word);
        }
        2 => {
            // WSR.SAR or XSR.SAR: up to 32, as the manual defines shifts.
            let word = movi(6, s.random.below(33) as i32);
            s.put(word);
            let (op2, op1) = s.random.pick(&[(1, 3), (6, 1)]);
            s.put(rrr(op2, op1, 0, 3, 6));
        }
        // RSR.SAR
        _ => s.put(rrr(0, 3, 0, 3, d)),
    }
    match s.random.below(4) {
        0 => s.put(rrr(8, 1, d, n, m)),
        1 => s.put(rrr(9, 1, d, 0, m)),
        2 => s.put(rrr(10, 1, d, n, 0)),
        _ => s.put(rrr(11, 1, d, 0, m)),
    }
}
