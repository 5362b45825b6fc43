//! Decoding 16-bit code: MD00076, chapter 3 and "Instruction Bit Encodings". An instruction is one
//! halfword; JAL, JALX and extended instructions (EXTEND) are two.
//!
//! An address of 16-bit code has bit 0 set wherever a program sees it (targets, return addresses). What
//! the manual leaves open faults: reserved encodings, EXTEND in front of what has nothing to be extended,
//! and, in a jump's delay slot, another jump or branch, or two halfwords.

use crate::decode::unit;
use crate::frame::Frame;
use crate::op::{Code, Op, Reg};

/// What is special about an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Plain,
    /// It counts from its own address, or from that of the jump whose delay slot it is.
    Relative,
    /// A jump with a delay slot.
    Jump,
    /// A branch or jump without one.
    Compact,
}

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// What it does.
    pub op: Op,
    /// What is special about it.
    pub kind: Kind,
    /// Its bytes: 2 or 4.
    pub size: u8,
}

/// The registers that fields of three bits name.
const NAMED: [Reg; 8] = [Reg(16), Reg(17), Reg(2), Reg(3), Reg(4), Reg(5), Reg(6), Reg(7)];

/// Decodes the instruction at `address` (even), whose halfwords, and those behind it, are `first` and
/// `second`; relative addresses count from `base`.
#[must_use]
pub fn decode(first: u16, second: u16, address: u32, base: u32) -> Short {
    let (first, second) = (u32::from(first), u32::from(second));
    match first >> 11 {
        3 => jump_and_link(first, second, address),
        30 => extended(first, second, address, base),
        _ => single(first, address, base),
    }
}

impl Short {
    fn plain(op: Op) -> Self {
        Short { op, kind: Kind::Plain, size: 2 }
    }

    fn undefined(encoding: u32) -> Self {
        Short::plain(Op::new(Code::Undefined, encoding))
    }

    fn extended(self) -> Self {
        Short { size: 4, ..self }
    }

    /// May it be a jump's delay slot?
    #[must_use]
    pub fn fits_a_slot(&self) -> bool {
        self.size == 2 && matches!(self.kind, Kind::Plain | Kind::Relative)
    }

    /// The mnemonic.
    #[must_use]
    pub fn mnemonic(&self) -> &'static str {
        let op = &self.op;
        match (self.kind, op.code, op.s) {
            (Kind::Compact, Code::Beq, Reg::ZERO) => "B",
            (Kind::Compact, Code::Beq, Reg::T) => "BTEQZ",
            (Kind::Compact, Code::Bne, Reg::T) => "BTNEZ",
            (Kind::Compact, Code::Beq, _) => "BEQZ",
            (Kind::Compact, Code::Bne, _) => "BNEZ",
            (Kind::Compact, Code::Jr, _) => "JRC",
            (Kind::Compact, Code::Jalr, _) => "JALRC",
            (Kind::Relative, Code::Lw, _) => "LWPC",
            (Kind::Relative, _, _) => "ADDIUPC",
            (_, Code::Or, _) if op.t == Reg::ZERO => "MOVE",
            (_, Code::Subu, Reg::ZERO) => "NEG",
            (_, Code::Nor, _) => "NOT",
            (_, Code::Xor, _) if op.d == Reg::T => "CMP",
            (_, Code::Xori, _) => "CMPI",
            (_, Code::Andi, _) => {
                if op.imm == 0xff {
                    "ZEB"
                } else {
                    "ZEH"
                }
            }
            _ => op.code.mnemonic(),
        }
    }
}

/// The register named by three bits from `bit` on.
fn named(word: u32, bit: u32) -> Reg {
    NAMED[(word >> bit & 7) as usize]
}

/// A number with sign of so many bits.
fn signed(value: u32, bits: u32) -> u32 {
    ((value << (32 - bits)) as i32 >> (32 - bits)) as u32
}

fn op(code: Code, d: Reg, s: Reg, t: Reg, imm: u32) -> Op {
    Op { code, d: if d == Reg::ZERO { Reg::SINK } else { d }, s, t, imm, unit: unit(code) }
}

fn compute(code: Code, d: Reg, s: Reg, t: Reg) -> Short {
    Short::plain(op(code, d, s, t, 0))
}

fn immediate(code: Code, d: Reg, s: Reg, imm: u32) -> Short {
    Short::plain(op(code, d, s, Reg::ZERO, imm))
}

fn shift(code: Code, d: Reg, t: Reg, amount: u32) -> Short {
    Short::plain(op(code, d, Reg::ZERO, t, amount))
}

fn store(code: Code, value: Reg, s: Reg, offset: u32) -> Short {
    Short::plain(op(code, Reg::SINK, s, value, offset))
}

fn relative(code: Code, d: Reg, base: u32, offset: u32) -> Short {
    // A load from register 0 and the address; the other way to name an address is a constant.
    let value = (base & !3).wrapping_add(offset);
    Short { kind: Kind::Relative, ..immediate(code, d, Reg::ZERO, value) }
}

/// Branches count from the instruction behind them.
fn branch(code: Code, s: Reg, behind: u32, halfwords: u32) -> Short {
    let target = behind.wrapping_add(halfwords << 1) | 1;
    Short { kind: Kind::Compact, ..Short::plain(op(code, Reg::SINK, s, Reg::ZERO, target)) }
}

fn jump_and_link(first: u32, second: u32, address: u32) -> Short {
    let region = address.wrapping_add(4) & 0xf000_0000;
    let target = region | (first & 31) << 23 | (first >> 5 & 31) << 18 | second << 2;
    let (code, target) = if first >> 10 & 1 == 0 { (Code::Jal, target | 1) } else { (Code::Jalx, target) };
    Short { op: Op { d: Reg::RA, ..Op::new(code, target) }, kind: Kind::Jump, size: 4 }
}

fn single(word: u32, address: u32, base: u32) -> Short {
    let (rx, ry) = (named(word, 8), named(word, 5));
    let (five, eight) = (word & 31, word & 0xff);
    let behind = address.wrapping_add(2);
    match word >> 11 {
        0 => immediate(Code::Addiu, rx, Reg::SP, eight << 2),
        1 => relative(Code::Constant, rx, base, eight << 2),
        2 => branch(Code::Beq, Reg::ZERO, behind, signed(word, 11)),
        4 => branch(Code::Beq, rx, behind, signed(word, 8)),
        5 => branch(Code::Bne, rx, behind, signed(word, 8)),
        6 => match shift_code(word) {
            Some(code) => shift(code, rx, ry, if word >> 2 & 7 == 0 { 8 } else { word >> 2 & 7 }),
            None => Short::undefined(word),
        },
        8 if word >> 4 & 1 == 0 => immediate(Code::Addiu, ry, rx, signed(word, 4)),
        9 => immediate(Code::Addiu, rx, rx, signed(word, 8)),
        10 => immediate(Code::Slti, Reg::T, rx, eight),
        11 => immediate(Code::Sltiu, Reg::T, rx, eight),
        12 => match word >> 8 & 7 {
            0 => branch(Code::Beq, Reg::T, behind, signed(word, 8)),
            1 => branch(Code::Bne, Reg::T, behind, signed(word, 8)),
            2 => store(Code::Sw, Reg::RA, Reg::SP, eight << 2),
            3 => immediate(Code::Addiu, Reg::SP, Reg::SP, signed(word, 8) << 3),
            4 => {
                let size = if word & 15 == 0 { 128 } else { (word & 15) << 3 };
                save_or_restore(word, Frame { size, ..Frame::default() })
            }
            // The register of five bits has its upper two last.
            5 => compute(Code::Or, Reg((word & 0x18 | word >> 5 & 7) as u8), named(word, 0), Reg::ZERO),
            7 => compute(Code::Or, ry, Reg(five as u8), Reg::ZERO),
            _ => Short::undefined(word),
        },
        13 => immediate(Code::Constant, rx, Reg::ZERO, eight),
        14 => immediate(Code::Xori, Reg::T, rx, eight),
        16 => immediate(Code::Lb, ry, rx, five),
        17 => immediate(Code::Lh, ry, rx, five << 1),
        18 => immediate(Code::Lw, rx, Reg::SP, eight << 2),
        19 => immediate(Code::Lw, ry, rx, five << 2),
        20 => immediate(Code::Lbu, ry, rx, five),
        21 => immediate(Code::Lhu, ry, rx, five << 1),
        22 => relative(Code::Lw, rx, base, eight << 2),
        24 => store(Code::Sb, ry, rx, five),
        25 => store(Code::Sh, ry, rx, five << 1),
        26 => store(Code::Sw, rx, Reg::SP, eight << 2),
        27 => store(Code::Sw, ry, rx, five << 2),
        28 => match word & 3 {
            1 => compute(Code::Addu, named(word, 2), rx, ry),
            3 => compute(Code::Subu, named(word, 2), rx, ry),
            _ => Short::undefined(word),
        },
        29 => two_registers(word),
        _ => Short::undefined(word),
    }
}

/// SLL, SRL, SRA by their two bits; the fourth is for 64-bit registers.
fn shift_code(word: u32) -> Option<Code> {
    match word & 3 {
        0 => Some(Code::Sll),
        2 => Some(Code::Srl),
        3 => Some(Code::Sra),
        _ => None,
    }
}

/// The group RR.
fn two_registers(word: u32) -> Short {
    let (rx, ry) = (named(word, 8), named(word, 5));
    let unit = |code| compute(code, Reg::SINK, rx, ry);
    match word & 31 {
        0 => jump_to_register(word),
        1 | 5 => Short::plain(Op::new(Code::Trap, word)),
        2 => compute(Code::Slt, Reg::T, rx, ry),
        3 => compute(Code::Sltu, Reg::T, rx, ry),
        4 => compute(Code::Sllv, ry, rx, ry),
        6 => compute(Code::Srlv, ry, rx, ry),
        7 => compute(Code::Srav, ry, rx, ry),
        10 => compute(Code::Xor, Reg::T, rx, ry),
        11 => compute(Code::Subu, rx, Reg::ZERO, ry),
        12 => compute(Code::And, rx, rx, ry),
        13 => compute(Code::Or, rx, rx, ry),
        14 => compute(Code::Xor, rx, rx, ry),
        15 => compute(Code::Nor, rx, ry, Reg::ZERO),
        16 if word >> 5 & 7 == 0 => compute(Code::Mfhi, rx, Reg::ZERO, Reg::ZERO),
        17 => match word >> 5 & 7 {
            0 => immediate(Code::Andi, rx, rx, 0xff),
            1 => immediate(Code::Andi, rx, rx, 0xffff),
            4 => compute(Code::Seb, rx, rx, Reg::ZERO),
            5 => compute(Code::Seh, rx, rx, Reg::ZERO),
            _ => Short::undefined(word),
        },
        18 if word >> 5 & 7 == 0 => compute(Code::Mflo, rx, Reg::ZERO, Reg::ZERO),
        24 => unit(Code::Mult),
        25 => unit(Code::Multu),
        26 => unit(Code::Div),
        27 => unit(Code::Divu),
        _ => Short::undefined(word),
    }
}

/// JR, JALR, JRC, JALRC: bits 7 to 5 encode no delay slot, link, and ra as the register.
fn jump_to_register(word: u32) -> Short {
    let rx = named(word, 8);
    let (code, to) = match word >> 5 & 3 {
        0 => (Code::Jr, rx),
        1 if word >> 8 & 7 == 0 => (Code::Jr, Reg::RA),
        2 => (Code::Jalr, rx),
        _ => return Short::undefined(word),
    };
    let link = if code == Code::Jalr { Reg::RA } else { Reg::SINK };
    let kind = if word >> 7 & 1 == 0 { Kind::Jump } else { Kind::Compact };
    Short { kind, ..compute(code, link, to, Reg::ZERO) }
}

/// SAVE or RESTORE by bit 7; bits 6 to 4 select ra, s0, s1.
fn save_or_restore(word: u32, frame: Frame) -> Short {
    let bit = |place: u32| word >> place & 1 != 0;
    let (code, arguments) = if bit(7) { (Code::Save, frame.arguments) } else { (Code::Restore, 0) };
    let frame = Frame { ra: bit(6), s0: bit(5), s1: bit(4), arguments, ..frame };
    immediate(code, Reg::SP, Reg::SP, frame.pack())
}

/// EXTEND and what it extends.
fn extended(extend: u32, word: u32, address: u32, base: u32) -> Short {
    let encoding = extend << 16 | word;
    let imm = (extend & 31) << 11 | extend & 0x7e0 | word & 31;
    let (rx, ry) = (named(word, 8), named(word, 5));
    let number = signed(imm, 16);
    let behind = address.wrapping_add(4);
    let short = match word >> 11 {
        0 => immediate(Code::Addiu, rx, Reg::SP, number),
        1 => relative(Code::Constant, rx, base, number),
        2 => branch(Code::Beq, Reg::ZERO, behind, number),
        4 => branch(Code::Beq, rx, behind, number),
        5 => branch(Code::Bne, rx, behind, number),
        6 => match shift_code(word) {
            Some(code) => shift(code, rx, ry, extend >> 6 & 31),
            None => Short::undefined(encoding),
        },
        8 if word >> 4 & 1 == 0 => {
            let imm = (extend & 15) << 11 | extend & 0x7f0 | word & 15;
            immediate(Code::Addiu, ry, rx, signed(imm, 15))
        }
        9 => immediate(Code::Addiu, rx, rx, number),
        10 => immediate(Code::Slti, Reg::T, rx, number),
        11 => immediate(Code::Sltiu, Reg::T, rx, number),
        12 => match word >> 8 & 7 {
            0 => branch(Code::Beq, Reg::T, behind, number),
            1 => branch(Code::Bne, Reg::T, behind, number),
            2 => store(Code::Sw, Reg::RA, Reg::SP, number),
            3 => immediate(Code::Addiu, Reg::SP, Reg::SP, number),
            4 => match Frame::aregs((extend & 15) as u8) {
                Some((arguments, statics)) => {
                    let size = (extend & 0xf0 | word & 15) << 3;
                    let more = (extend >> 8 & 7) as u8;
                    save_or_restore(word, Frame { size, more, arguments, statics, ..Frame::default() })
                }
                None => Short::undefined(encoding),
            },
            _ => Short::undefined(encoding),
        },
        13 => immediate(Code::Constant, rx, Reg::ZERO, imm),
        14 => immediate(Code::Xori, Reg::T, rx, imm),
        16 => immediate(Code::Lb, ry, rx, number),
        17 => immediate(Code::Lh, ry, rx, number),
        18 => immediate(Code::Lw, rx, Reg::SP, number),
        19 => immediate(Code::Lw, ry, rx, number),
        20 => immediate(Code::Lbu, ry, rx, number),
        21 => immediate(Code::Lhu, ry, rx, number),
        22 => relative(Code::Lw, rx, base, number),
        24 => store(Code::Sb, ry, rx, number),
        25 => store(Code::Sh, ry, rx, number),
        26 => store(Code::Sw, rx, Reg::SP, number),
        27 => store(Code::Sw, ry, rx, number),
        _ => Short::undefined(encoding),
    };
    short.extended()
}
