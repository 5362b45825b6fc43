//! The pieces that a random program is made of: short sequences that are safe to run from any state.

use super::stream::{addiu, immediate, registers, Stream, LOOP, NOP, POINTER, SCRATCH, STACK};

/// No piece is longer, in words.
pub const LONGEST: usize = 64;

/// A random piece.
pub fn any(s: &mut Stream) {
    match s.random.below(24) {
        0..=8 => plain(s),
        9..=12 => load_or_store(s),
        13..=14 => multiply(s),
        15 => divide(s),
        16..=18 => branch(s),
        19 => inner_loop(s),
        20 => call(s),
        21 => linked(s),
        22 => traps(s),
        _ => stack_pointer(s),
    }
}

/// A register that anything may be written to.
fn free(s: &mut Stream) -> u32 {
    s.random.below(26)
}

fn source(s: &mut Stream) -> u32 {
    s.random.below(32)
}

/// One instruction that touches neither memory nor the flow.
fn plain(s: &mut Stream) {
    let word = plain_word(s);
    s.put(word);
}

/// The same, not yet put.
pub fn plain_word(s: &mut Stream) -> u32 {
    let (d, n, m) = (free(s), source(s), source(s));
    let (five, half) = (s.random.below(32), s.random.below(0x1_0000) as i32);
    match s.random.below(13) {
        // ADDIU, SLTI, SLTIU, ANDI, ORI, XORI
        0..=1 => {
            let op = s.random.pick(&[9, 10, 11, 12, 13, 14]);
            immediate(op, n, d, half)
        }
        2 => immediate(15, 0, d, half),
        // ADDU, SUBU, AND, OR, XOR, NOR, SLT, SLTU
        3..=5 => {
            let function = s.random.pick(&[33, 35, 36, 37, 38, 39, 42, 43]);
            registers(function, d, n, m)
        }
        // SLL, SRL, SRA, ROTR
        6 => {
            let (function, rotate) = s.random.pick(&[(0, 0), (2, 0), (3, 0), (2, 1)]);
            registers(function, d, rotate, m) | five << 6
        }
        // SLLV, SRLV, SRAV, ROTRV
        7 => {
            let (function, rotate) = s.random.pick(&[(4, 0), (6, 0), (7, 0), (6, 1)]);
            registers(function, d, n, m) | rotate << 6
        }
        // MOVZ, MOVN
        8 => registers(10 + s.random.below(2), d, n, m),
        // CLZ, CLO: the register twice
        9 => 28 << 26 | registers(32 + s.random.below(2), d, n, d),
        // SEB, SEH, WSBH
        10 => {
            let kind = s.random.pick(&[16, 24, 2]);
            31 << 26 | registers(32, d, 0, m) | kind << 6
        }
        // EXT
        11 => {
            let size = 1 + s.random.below(32 - five);
            31 << 26 | registers(0, size - 1, n, d) | five << 6
        }
        // INS
        _ => {
            let size = 1 + s.random.below(32 - five);
            31 << 26 | registers(4, five + size - 1, n, d) | five << 6
        }
    }
}

fn plain_run(s: &mut Stream, at_most: u32) {
    for _ in 0..s.random.below(at_most + 1) {
        plain(s);
    }
}

/// A load or store near the pointer, or near a copy of it that moved.
fn load_or_store(s: &mut Stream) {
    let n = if s.random.once_in(2) {
        POINTER
    } else {
        let offset = s.random.below(0x80) as i32 - 0x40;
        s.put(addiu(SCRATCH, POINTER, offset & !3));
        SCRATCH
    };
    let (d, m, offset) = (free(s), source(s), s.random.below(0x100) as i32 - 0x80);
    let word = match s.random.below(12) {
        0 => immediate(32, n, d, offset),
        1 => immediate(36, n, d, offset),
        2 => immediate(33, n, d, offset & !1),
        3 => immediate(37, n, d, offset & !1),
        4 => immediate(35, n, d, offset & !3),
        5 => immediate(40, n, m, offset),
        6 => immediate(41, n, m, offset & !1),
        7 => immediate(43, n, m, offset & !3),
        // LWL, LWR, SWL, SWR at any place
        8 => immediate(34, n, d, offset),
        9 => immediate(38, n, d, offset),
        10 => immediate(42, n, m, offset),
        _ => immediate(46, n, m, offset),
    };
    s.put(word);
    if s.random.once_in(3) {
        let other = free(s);
        s.put(registers(33, other, d, d));
    }
}

/// MUL, MULT to MSUBU, MFHI to MTLO.
fn multiply(s: &mut Stream) {
    for _ in 0..=s.random.below(4) {
        let (d, n, m) = (free(s), source(s), source(s));
        let word = match s.random.below(5) {
            0 => 28 << 26 | registers(2, d, n, m),
            1 => registers(24 + s.random.below(2), 0, n, m),
            2 => {
                let function = s.random.pick(&[0, 1, 4, 5]);
                28 << 26 | registers(function, 0, n, m)
            }
            3 => registers(s.random.pick(&[16, 18]), d, 0, 0),
            _ => registers(s.random.pick(&[17, 19]), 0, n, 0),
        };
        s.put(word);
    }
    let (high, low) = (free(s), free(s));
    s.put(registers(16, high, 0, 0));
    s.put(registers(18, low, 0, 0));
}

/// DIV, DIVU by what is not zero, with a dividend of any size.
fn divide(s: &mut Stream) {
    let (n, m, d) = (free(s), source(s), free(s));
    let shift = s.random.below(32);
    s.put(registers(3, SCRATCH, 0, m) | shift << 6); // sra
    s.put(immediate(13, SCRATCH, SCRATCH, 1));
    let (function, from) = (s.random.pick(&[26, 27]), s.random.pick(&[16, 18]));
    s.put(registers(function, 0, n, SCRATCH));
    plain_run(s, 2);
    s.put(registers(from, d, 0, 0));
}

/// A branch over a few instructions, likely or not; its delay slot does something.
fn branch(s: &mut Stream) {
    let (n, m) = (source(s), source(s));
    let from = s.here();
    s.put(NOP);
    let slot = plain_word(s);
    s.put(slot);
    plain_run(s, 6);
    let ahead = s.ahead(from);
    s.code[from] = match s.random.below(6) {
        0 => immediate(4 + s.random.below(2), n, m, ahead),
        1 => immediate(20 + s.random.below(2), n, m, ahead),
        2 => immediate(6 + s.random.below(2), n, 0, ahead),
        3 => immediate(22 + s.random.below(2), n, 0, ahead),
        // BLTZ to BGEZALL; linking ones must not test what they write
        4 => immediate(1, n, s.random.below(4), ahead),
        _ => immediate(1, n % 31, 16 + s.random.below(4), ahead),
    };
}

/// A loop of a few instructions that counts in its delay slot.
fn inner_loop(s: &mut Stream) {
    let times = 1 + s.random.below(6) as i32;
    s.put(addiu(LOOP, 0, times));
    let again = s.here();
    plain_run(s, 5);
    if s.random.once_in(3) {
        load_or_store(s);
    }
    let back = s.back(again);
    s.put(immediate(7, LOOP, 0, back)); // bgtz
    s.put(addiu(LOOP, LOOP, -1));
}

/// Calls a function ahead or behind; jumps go around it.
fn call(s: &mut Stream) {
    let around = s.here();
    s.put(NOP);
    s.put(NOP);
    let target = s.here();
    s.put(immediate(43, STACK, 31, 0));
    plain_run(s, 5);
    s.put(immediate(35, STACK, 31, 0));
    s.put(registers(8, 0, 31, 0)); // jr ra
    let slot = plain_word(s);
    s.put(slot);
    let beyond = s.address(s.here());
    s.code[around] = 2 << 26 | beyond >> 2 & 0x03ff_ffff; // j
    let address = s.address(target);
    if s.random.once_in(2) {
        s.put(3 << 26 | address >> 2 & 0x03ff_ffff); // jal
    } else {
        s.load(SCRATCH, address);
        s.put(registers(9, 31, SCRATCH, 0)); // jalr
    }
    let slot = plain_word(s);
    s.put(slot);
}

/// LL and SC; what SC does without LL the manual leaves open.
fn linked(s: &mut Stream) {
    let (d, m, offset) = (free(s), free(s), 4 * s.random.below(16) as i32);
    s.put(immediate(48, POINTER, d, offset));
    plain_run(s, 2);
    s.put(immediate(56, POINTER, m, offset));
}

/// Instructions that could trap, and do not; SYNC and PREF.
fn traps(s: &mut Stream) {
    let (d, n) = (free(s), source(s));
    s.put(registers(2, SCRATCH, 0, n) | 2 << 6); // srl: less than a quarter of all numbers
    match s.random.below(7) {
        0 => s.put(registers(32, d, SCRATCH, SCRATCH)), // add
        1 => s.put(registers(34, d, SCRATCH, SCRATCH)), // sub
        2 => s.put(immediate(8, SCRATCH, d, -5)),       // addi
        3 => {
            s.put(registers(50, 0, SCRATCH, SCRATCH)); // tlt, tltu, tne
            s.put(registers(51, 0, SCRATCH, SCRATCH));
            s.put(registers(54, 0, SCRATCH, SCRATCH));
        }
        4 => {
            s.put(immediate(13, SCRATCH, SCRATCH, 1));
            s.put(registers(52, 0, SCRATCH, 0)); // teq, teqi, tlti, tltiu by 0 or 1
            s.put(immediate(1, SCRATCH, 12, 0));
            s.put(immediate(1, SCRATCH, 10, 1));
            s.put(immediate(1, SCRATCH, 11, 1));
        }
        5 => {
            s.put(addiu(SCRATCH, 0, 3));
            s.put(immediate(1, SCRATCH, 8, 4)); // tgei, tgeiu, tnei
            s.put(immediate(1, SCRATCH, 9, 4));
            s.put(immediate(1, SCRATCH, 14, 3));
            s.put(registers(48, 0, 0, SCRATCH)); // tge, tgeu
            s.put(registers(49, 0, 0, SCRATCH));
        }
        _ => {
            s.put(15); // sync
            s.put(immediate(51, POINTER, 0, 0)); // pref
        }
    }
}

/// Moves the stack pointer and back.
fn stack_pointer(s: &mut Stream) {
    let by = 8 * (1 + s.random.below(15) as i32);
    s.put(addiu(STACK, STACK, -by));
    s.put(immediate(43, STACK, 9, 4));
    if s.random.once_in(2) {
        s.put(addiu(SCRATCH, 0, by));
        s.put(registers(33, STACK, STACK, SCRATCH));
    } else {
        s.put(addiu(STACK, STACK, by));
    }
}
