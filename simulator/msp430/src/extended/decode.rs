//! From words to the instructions of CPUX (SLAU367, sections 4.5.2 and 4.6.1).

use super::instruction::{Extended, Repeat, Rotation, Size, Times};
use super::MASK;
use crate::decode as original;
use crate::instruction::{Alu, Instruction, Kind, Operand, Unary, CG, PC, SP, SR};

/// Decodes the instruction at `address`, which is even, from its first word and the three after it.
#[must_use]
pub fn decode(address: u16, words: [u16; 4]) -> Instruction {
    let [first, second, third, _] = words;
    match first >> 11 {
        // 0000 0... and 0000 1...
        0 | 1 => address_instruction(address, first, second),
        // 0001 0011: RETI and CALLA.
        2 if first >> 8 == 0x13 && first != 0x1300 => call(address, first, second),
        // 0001 01..
        2 if first >> 10 == 5 => many(first),
        // 0001 1...
        3 => extension(address, words),
        _ => original::decode(address, [first, second, third]),
    }
}

fn undefined(word: u16) -> Instruction {
    Instruction { kind: Kind::Undefined(word), words: 1 }
}

fn extended(extended: Extended, words: u8) -> Instruction {
    Instruction { kind: Kind::Extended(extended), words }
}

/// An address with its bits 19 to 16 apart.
fn long(upper: u16, lower: u16) -> u32 {
    u32::from(upper & 15) << 16 | u32::from(lower)
}

/// A word with its sign in all 20 bits.
fn signed(word: u16) -> u32 {
    i32::from(word as i16) as u32 & MASK
}

/// X(Rn) with a signed distance of 16 bits in the word after the first: section 4.6.1, "+/- 15-bit index".
/// ADDR and &ADDR are made of PC and of SR, which reads as 0.
fn near(register: u8, address: u16, word: u16) -> Operand<u32> {
    match register {
        PC => Operand::Symbolic(u32::from(address).wrapping_add(2).wrapping_add(signed(word)) & MASK),
        SR => Operand::Absolute(signed(word)),
        n => Operand::Indexed(n, signed(word)),
    }
}

/// 0000: MOVA, CMPA, ADDA, SUBA and the rotations by several bits.
fn address_instruction(address: u16, first: u16, second: u16) -> Instruction {
    let (left, right) = ((first >> 8 & 15) as u8, (first & 15) as u8);
    let move_to = |source, words| extended(Extended::Move(source, Operand::Register(right)), words);
    let from_left = Operand::Register(left);
    let immediate = Operand::Immediate(long(first >> 8, second));
    let change = |alu, source: Operand<u32>| {
        let words = 1 + source.words();
        extended(Extended::Address(alu, source, right), words)
    };
    match first >> 4 & 15 {
        0 => move_to(Operand::Indirect(left), 1),
        1 => move_to(Operand::Increment(left), 1),
        2 => move_to(Operand::Absolute(long(first >> 8, second)), 2),
        3 => move_to(near(left, address, second), 2),
        4 | 5 => {
            let rotation =
                [Rotation::Rrcm, Rotation::Rram, Rotation::Rlam, Rotation::Rrum][usize::from(first >> 8 & 3)];
            let size = if first & 0x10 == 0 { Size::Address } else { Size::Word };
            let times = (first >> 10 & 3) as u8 + 1;
            extended(Extended::Rotate { rotation, size, times, register: right }, 1)
        }
        6 => extended(Extended::Move(from_left, Operand::Absolute(long(first, second))), 2),
        7 => extended(Extended::Move(from_left, near(right, address, second)), 2),
        8 => move_to(immediate, 2),
        9 => change(Alu::Cmp, immediate),
        10 => change(Alu::Add, immediate),
        11 => change(Alu::Sub, immediate),
        12 => move_to(from_left, 1),
        13 => change(Alu::Cmp, from_left),
        14 => change(Alu::Add, from_left),
        _ => change(Alu::Sub, from_left),
    }
}

/// 0001 0011: CALLA.
fn call(address: u16, first: u16, second: u16) -> Instruction {
    let register = (first & 15) as u8;
    let wide = long(first, second);
    let operand = match first >> 4 & 15 {
        4 => Operand::Register(register),
        5 => near(register, address, second),
        6 => Operand::Indirect(register),
        7 => Operand::Increment(register),
        8 => Operand::Absolute(wide),
        9 => Operand::Symbolic((u32::from(address) + 2 + wide) & MASK),
        11 => Operand::Immediate(wide),
        _ => return undefined(first),
    };
    let words = 1 + operand.words();
    extended(Extended::Call(operand), words)
}

/// 0001 01: PUSHM and POPM. POPM into the stack pointer is not done: the manual does not describe where the
/// next word comes from.
fn many(first: u16) -> Instruction {
    let (count, register) = ((first >> 4 & 15) as u8 + 1, (first & 15) as u8);
    let size = if first & 0x100 == 0 { Size::Address } else { Size::Word };
    let pops = first & 0x200 != 0;
    if pops && SP.wrapping_sub(register) & 15 < count {
        return undefined(first);
    }
    let many = if pops { Extended::PopMany } else { Extended::PushMany };
    extended(many(size, count, register), 1)
}

/// 0001 1: an extension word before an instruction of format I or II (tables 4-11 and 4-12).
fn extension(address: u16, [first, inner, third, fourth]: [u16; 4]) -> Instruction {
    let is_one = inner >> 12 == 1;
    // CALL has no extended form, and RETI has no operand.
    if inner >> 12 < 4 && !(is_one && inner >> 7 & 0x1f <= 4) {
        return undefined(first);
    }
    let swaps = is_one && matches!(inner >> 7 & 0x1f, 1 | 3);
    let size = match (first & 0x40 != 0, inner & 0x40 != 0) {
        (true, false) => Size::Word,
        // SWPBX.A and SXTX.A have their own code.
        (false, false) if swaps => Size::Address,
        (true, true) if !swaps => Size::Byte,
        (false, true) if !swaps => Size::Address,
        _ => return undefined(first),
    };
    let mode = inner >> 4 & 3;
    // Of operands, counted from the word behind the instruction's own.
    let words = Words { address: address.wrapping_add(4), size };
    let on_registers = mode == 0 && (is_one || inner & 0x80 == 0);
    let repeat = if on_registers { repeat(first) } else { Repeat::NONE };
    if is_one {
        let operand = words.source(mode, (inner & 15) as u8, long(first, third), 0);
        let unary =
            [Unary::Rrc, Unary::Swpb, Unary::Rra, Unary::Sxt, Unary::Push][usize::from(inner >> 7 & 7) % 5];
        let fixed = matches!(operand, Operand::Constant(_) | Operand::Immediate(_));
        if fixed && unary != Unary::Push {
            return undefined(first);
        }
        return extended(Extended::One { unary, size, operand, repeat }, 2 + operand.words());
    }
    let source = words.source(mode, (inner >> 8 & 15) as u8, long(first >> 7, third), 0);
    let used = source.words();
    let target = match (inner & 0x80 != 0, (inner & 15) as u8) {
        (false, n) => Operand::Register(n),
        (true, n) => words.indexed(n, long(first, if used == 0 { third } else { fourth }), used),
    };
    let alu = original::ALUS[usize::from(inner >> 12) - 4];
    extended(Extended::Two { alu, size, source, target, repeat }, 2 + used + target.words())
}

/// The repetition of an instruction on registers.
fn repeat(first: u16) -> Repeat {
    let low = (first & 15) as u8;
    let times = if first & 0x80 == 0 { Times::Fixed(low + 1) } else { Times::InRegister(low) };
    Repeat { times, zero_carry: first & 0x100 != 0 }
}

/// Operands behind an extended instruction.
struct Words {
    /// The address of the first one's word.
    address: u16,
    size: Size,
}

impl Words {
    /// X(Rn), ADDR or &ADDR, whose word is the one of this number.
    fn indexed(&self, register: u8, number: u32, used: u8) -> Operand<u32> {
        match register {
            PC => Operand::Symbolic((u32::from(self.address) + 2 * u32::from(used) + number) & MASK),
            SR => Operand::Absolute(number),
            n => Operand::Indexed(n, number),
        }
    }

    /// The operand of a source field, whose number is `number` if it has a word.
    fn source(&self, mode: u16, register: u8, number: u32, used: u8) -> Operand<u32> {
        let all = self.size.mask();
        match (mode, register) {
            (0, CG) => Operand::Constant(0),
            (1, CG) => Operand::Constant(1),
            (2, CG) => Operand::Constant(2),
            (3, CG) => Operand::Constant(all),
            (2, SR) => Operand::Constant(4),
            (3, SR) => Operand::Constant(8),
            (0, n) => Operand::Register(n),
            (1, n) => self.indexed(n, number, used),
            (2, n) => Operand::Indirect(n),
            (_, PC) => Operand::Immediate(number & all),
            (_, n) => Operand::Increment(n),
        }
    }
}
