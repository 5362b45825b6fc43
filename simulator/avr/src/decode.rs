//! From flash words to ops, by the AVR Instruction Set Manual (DS40002198), chapter 5.

use crate::op::{Code, Op};

/// Program addresses are computed modulo this many words: twice what a 16-bit program counter
/// reaches, so that a jump below 0 or past the top lands in the upper half, which is never flash.
pub const SPACE: usize = 1 << 17;

const X: u8 = 26;
const Y: u8 = 28;
const Z: u8 = 30;

/// What differs between parts when words become instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// RAMPZ and with it ELPM: more than 64 KiB of flash.
    pub extended: bool,
    /// Where I/O address 0 is in data space: above the registers (0x20), or at 0 on AVRxt, whose
    /// registers are not in data space.
    pub io: u8,
    /// MUL and the other multiplications: AVRe+ and AVRxt; not AVRe.
    pub mul: bool,
    /// JMP and CALL: parts with more than 8 KiB of flash.
    pub jmp: bool,
    /// RJMP and RCALL go to addresses modulo this many words: the size of a flash of at most 4K words,
    /// all of which they reach because the program counter wraps around; [`SPACE`] on larger parts.
    pub reach: u32,
}

/// Decodes the instruction at word address `pc`. `second` is the word after it, `after` the length
/// in words of the instruction that follows (what a skip skips).
///
/// EIJMP and EICALL belong to parts with more than 128 KiB, the read-modify-write instructions and
/// DES to AVRxm: undefined here.
#[must_use]
pub fn decode(word: u16, second: u16, pc: u32, after: u32, variant: Variant) -> Op {
    let op = of_any_part(word, second, pc, after, variant);
    let there = match op.code {
        Code::Mul | Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => variant.mul,
        Code::Jmp | Code::Call => variant.jmp,
        _ => true,
    };
    if there {
        op
    } else {
        undefined(word)
    }
}

/// As `decode`, on a part with multiplications, JMP and CALL.
fn of_any_part(word: u16, second: u16, pc: u32, after: u32, variant: Variant) -> Op {
    let Variant { extended, io: io_base, .. } = variant;
    let io_base = u32::from(io_base);
    let w = u32::from(word);
    let d5 = (w >> 4 & 31) as u8;
    let r5 = (w & 15 | w >> 5 & 16) as u8;
    let d4 = 16 + (w >> 4 & 15) as u8;
    let k8 = (w & 15 | w >> 4 & 0xf0) as u8;
    let mask = 1u8 << (w & 7);
    let op = |code, a, b| Op { code, a, b, c: 0, imm: 0 };
    let to = |code, target: u32| Op { code, a: 0, b: 0, c: 0, imm: target % SPACE as u32 };
    let skip = |code, a, b| Op { code, a, b, c: 0, imm: (pc + 1 + after) % SPACE as u32 };
    match w >> 12 {
        0x0..=0x2 => match w >> 10 {
            0 => early(word, d5),
            0x1 => op(Code::Cpc, d5, r5),
            0x2 => op(Code::Sbc, d5, r5),
            0x3 => op(Code::Add, d5, r5),
            0x4 => skip(Code::Cpse, d5, r5),
            0x5 => op(Code::Cp, d5, r5),
            0x6 => op(Code::Sub, d5, r5),
            0x7 => op(Code::Adc, d5, r5),
            0x8 => op(Code::And, d5, r5),
            0x9 => op(Code::Eor, d5, r5),
            0xa => op(Code::Or, d5, r5),
            _ => op(Code::Mov, d5, r5),
        },
        0x3 => op(Code::Cpi, d4, k8),
        0x4 => op(Code::Sbci, d4, k8),
        0x5 => op(Code::Subi, d4, k8),
        0x6 => op(Code::Ori, d4, k8),
        0x7 => op(Code::Andi, d4, k8),
        0x8 | 0xa => {
            let displacement = (w & 7 | w >> 7 & 0x18 | w >> 8 & 0x20) as u8;
            let code = if w & 0x200 == 0 { Code::Ld } else { Code::St };
            let pointer = if w & 8 == 0 { Z } else { Y };
            Op { code, a: d5, b: pointer, c: displacement, imm: 0 }
        }
        0x9 => match w >> 8 & 15 {
            0x0 | 0x1 => load(word, second, d5, extended),
            0x2 | 0x3 => store(word, second, d5),
            0x4 | 0x5 => single(word, second, d5, extended),
            wide @ (0x6 | 0x7) => {
                let code = if wide == 6 { Code::Adiw } else { Code::Sbiw };
                op(code, 24 + (w >> 3 & 6) as u8, (w & 15 | w >> 2 & 0x30) as u8)
            }
            io @ 0x8..=0xb => {
                let address = io_base + (w >> 3 & 31);
                match io {
                    0x8 => Op { code: Code::Cbi, a: 0, b: mask, c: 0, imm: address },
                    0xa => Op { code: Code::Sbi, a: 0, b: mask, c: 0, imm: address },
                    0x9 => skip(Code::Sbic, address as u8, mask),
                    _ => skip(Code::Sbis, address as u8, mask),
                }
            }
            _ => op(Code::Mul, d5, r5),
        },
        0xb => {
            let code = if w & 0x800 == 0 { Code::In } else { Code::Out };
            Op { code, a: d5, b: 0, c: 0, imm: io_base + (w & 15 | w >> 5 & 0x30) }
        }
        jump @ (0xc | 0xd) => {
            let distance = ((w & 0xfff) ^ 0x800).wrapping_sub(0x800);
            let code = if jump == 0xc { Code::Rjmp } else { Code::Rcall };
            to(code, (pc + 1).wrapping_add(distance) % variant.reach)
        }
        0xe => op(Code::Ldi, d4, k8),
        _ => match w >> 9 & 7 {
            0..=3 => {
                let distance = ((w >> 3 & 0x7f) ^ 0x40).wrapping_sub(0x40);
                to(branch(w & 7, w & 0x400 == 0), (pc + 1).wrapping_add(distance))
            }
            _ if w & 8 != 0 => undefined(word),
            4 => op(Code::Bld, d5, mask),
            5 => op(Code::Bst, d5, mask),
            6 => skip(Code::Sbrc, d5, mask),
            _ => skip(Code::Sbrs, d5, mask),
        },
    }
}

/// The length of the instruction that starts with `word`, in words.
#[must_use]
pub fn words(word: u16) -> u32 {
    let direct = word & 0xfc0f == 0x9000;
    let jump = word & 0xfe0c == 0x940c;
    if direct || jump {
        2
    } else {
        1
    }
}

fn undefined(word: u16) -> Op {
    Op { code: Code::Undefined, a: 0, b: 0, c: 0, imm: u32::from(word) }
}

/// 0x0000 to 0x03ff: NOP, MOVW and the multiplications on part of the registers.
fn early(word: u16, d5: u8) -> Op {
    let op = |code, a, b| Op { code, a, b, c: 0, imm: 0 };
    let low = (word & 15) as u8;
    let (d3, r3) = (16 + (d5 & 7), 16 + (low & 7));
    match word >> 8 {
        0 if word == 0 => op(Code::Nop, 0, 0),
        0 => undefined(word),
        1 => op(Code::Movw, 2 * (d5 & 15), 2 * low),
        2 => op(Code::Muls, 16 + (d5 & 15), 16 + low),
        _ => match (word >> 7 & 1, word >> 3 & 1) {
            (0, 0) => op(Code::Mulsu, d3, r3),
            (0, _) => op(Code::Fmul, d3, r3),
            (_, 0) => op(Code::Fmuls, d3, r3),
            _ => op(Code::Fmulsu, d3, r3),
        },
    }
}

/// 1001 000d dddd ....
fn load(word: u16, second: u16, d5: u8, extended: bool) -> Op {
    let op = |code, b| Op { code, a: d5, b, c: 0, imm: 0 };
    match word & 15 {
        0x0 => Op { code: Code::Lds, a: d5, b: 0, c: 0, imm: u32::from(second) },
        0x1 => op(Code::LdInc, Z),
        0x2 => op(Code::LdDec, Z),
        0x4 => op(Code::Lpm, 0),
        0x5 => op(Code::LpmInc, 0),
        0x6 if extended => op(Code::Elpm, 0),
        0x7 if extended => op(Code::ElpmInc, 0),
        0x9 => op(Code::LdInc, Y),
        0xa => op(Code::LdDec, Y),
        0xc => op(Code::Ld, X),
        0xd => op(Code::LdInc, X),
        0xe => op(Code::LdDec, X),
        0xf => op(Code::Pop, 0),
        _ => undefined(word),
    }
}

/// 1001 001r rrrr ....
fn store(word: u16, second: u16, r5: u8) -> Op {
    let op = |code, b| Op { code, a: r5, b, c: 0, imm: 0 };
    match word & 15 {
        0x0 => Op { code: Code::Sts, a: r5, b: 0, c: 0, imm: u32::from(second) },
        0x1 => op(Code::StInc, Z),
        0x2 => op(Code::StDec, Z),
        0x9 => op(Code::StInc, Y),
        0xa => op(Code::StDec, Y),
        0xc => op(Code::St, X),
        0xd => op(Code::StInc, X),
        0xe => op(Code::StDec, X),
        0xf => op(Code::Push, 0),
        _ => undefined(word),
    }
}

/// 1001 010. .... ....: one register, jumps and what has no operand.
fn single(word: u16, second: u16, d5: u8, extended: bool) -> Op {
    let op = |code, a, b| Op { code, a, b, c: 0, imm: 0 };
    match word & 15 {
        0x0 => op(Code::Com, d5, 0),
        0x1 => op(Code::Neg, d5, 0),
        0x2 => op(Code::Swap, d5, 0),
        0x3 => op(Code::Inc, d5, 0),
        0x5 => op(Code::Asr, d5, 0),
        0x6 => op(Code::Lsr, d5, 0),
        0x7 => op(Code::Ror, d5, 0),
        0xa => op(Code::Dec, d5, 0),
        0xc..=0xf => {
            let high = u32::from(word >> 3 & 0x3e | word & 1);
            // The upper half of the space represents every address that 16 bits do not reach.
            let target = u32::from(second) | if high == 0 { 0 } else { 0x1_0000 };
            let code = if word & 2 == 0 { Code::Jmp } else { Code::Call };
            Op { code, a: 0, b: 0, c: 0, imm: target }
        }
        _ => match word {
            0x9409 => op(Code::Ijmp, 0, 0),
            0x9509 => op(Code::Icall, 0, 0),
            0x9508 => op(Code::Ret, 0, 0),
            0x9518 => op(Code::Reti, 0, 0),
            0x9588 => op(Code::Sleep, 0, 0),
            0x9598 => op(Code::Break, 0, 0),
            0x95a8 => op(Code::Wdr, 0, 0),
            0x95c8 => op(Code::Lpm, 0, 0),
            0x95d8 if extended => op(Code::Elpm, 0, 0),
            0x95e8 => op(Code::Spm, 0, 0),
            _ if word & 0xff8f == 0x9408 => op(Code::Bset, 0, 1 << (word >> 4 & 7)),
            _ if word & 0xff8f == 0x9488 => op(Code::Bclr, 0, 1 << (word >> 4 & 7)),
            _ => undefined(word),
        },
    }
}

/// BRBS or BRBC of SREG bit `bit`.
fn branch(bit: u32, set: bool) -> Code {
    match (bit, set) {
        (0, true) => Code::Brcs,
        (0, _) => Code::Brcc,
        (1, true) => Code::Breq,
        (1, _) => Code::Brne,
        (2, true) => Code::Brmi,
        (2, _) => Code::Brpl,
        (3, true) => Code::Brvs,
        (3, _) => Code::Brvc,
        (4, true) => Code::Brlt,
        (4, _) => Code::Brge,
        (5, true) => Code::Brhs,
        (5, _) => Code::Brhc,
        (6, true) => Code::Brts,
        (6, _) => Code::Brtc,
        (_, true) => Code::Brie,
        (_, _) => Code::Brid,
    }
}
