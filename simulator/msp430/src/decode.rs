//! From words to instructions (SLAU049, section 3.4 and figure 3-20).

use crate::instruction::{Alu, Condition, Instruction, Kind, Operand, Unary, CG, PC, SR};

/// Two-operand operations, by the upper four bits of the encoding from 4 on.
pub const ALUS: [Alu; 12] = [
    Alu::Mov,
    Alu::Add,
    Alu::Addc,
    Alu::Subc,
    Alu::Sub,
    Alu::Cmp,
    Alu::Dadd,
    Alu::Bit,
    Alu::Bic,
    Alu::Bis,
    Alu::Xor,
    Alu::And,
];

const CONDITIONS: [Condition; 8] = [
    Condition::Jne,
    Condition::Jeq,
    Condition::Jnc,
    Condition::Jc,
    Condition::Jn,
    Condition::Jge,
    Condition::Jl,
    Condition::Jmp,
];

/// Decodes the instruction at `address`, which is even, from its first word and the two after it.
///
/// Rotating, swapping or extending a constant or `#N` is undefined: the manual gives its result no
/// place (table 3-15 has no cycles for it), and no assembler makes it of sense.
#[must_use]
pub fn decode(address: u16, words: [u16; 3]) -> Instruction {
    let [first, ..] = words;
    match first >> 12 {
        0 => undefined(first),
        1 => format_two(address, words),
        2 | 3 => {
            let distance = ((first & 0x3ff) ^ 0x200).wrapping_sub(0x200);
            let target = address.wrapping_add(2).wrapping_add(distance.wrapping_mul(2));
            let condition = CONDITIONS[usize::from(first >> 10 & 7)];
            Instruction { kind: Kind::Jump(condition, target), words: 1 }
        }
        code => {
            let byte = first & 0x40 != 0;
            let source = source(first >> 4 & 3, (first >> 8 & 15) as u8, byte, address, words[1]);
            let used = source.words();
            let extension = words[1 + usize::from(used)];
            let target = match (first & 0x80 != 0, (first & 15) as u8) {
                (false, n) => Operand::Register(n),
                (true, PC) => {
                    let place = address.wrapping_add(2 + 2 * u16::from(used));
                    Operand::Symbolic(place.wrapping_add(extension))
                }
                (true, SR) => Operand::Absolute(extension),
                (true, n) => Operand::Indexed(n, extension),
            };
            let alu = ALUS[usize::from(code - 4)];
            let kind = Kind::Two { alu, byte, source, target };
            Instruction { kind, words: 1 + used + target.words() }
        }
    }
}

/// 0001 .... .... ....: one operand.
fn format_two(address: u16, words: [u16; 3]) -> Instruction {
    let [first, second, _] = words;
    let byte = first & 0x40 != 0;
    let unary = match first >> 7 & 0x1f {
        0 => Unary::Rrc,
        1 => Unary::Swpb,
        2 => Unary::Rra,
        3 => Unary::Sxt,
        4 => Unary::Push,
        5 => Unary::Call,
        6 if first == 0x1300 => return Instruction { kind: Kind::Reti, words: 1 },
        _ => return undefined(first),
    };
    let operand = source(first >> 4 & 3, (first & 15) as u8, byte, address, second);
    let fixed = matches!(operand, Operand::Constant(_) | Operand::Immediate(_));
    match unary {
        Unary::Swpb | Unary::Sxt | Unary::Call if byte => return undefined(first),
        Unary::Rrc | Unary::Swpb | Unary::Rra | Unary::Sxt if fixed => return undefined(first),
        _ => {}
    }
    Instruction { kind: Kind::One { unary, byte, operand }, words: 1 + operand.words() }
}

/// The operand of a source field (table 3-3, constants table 3-2); `word` is the one after the first.
fn source(mode: u16, register: u8, byte: bool, address: u16, word: u16) -> Operand {
    let constant = |value: u16| Operand::Constant(if byte { value & 0xff } else { value });
    match (mode, register) {
        (0, CG) => constant(0),
        (1, CG) => constant(1),
        (2, CG) => constant(2),
        (3, CG) => constant(0xffff),
        (2, SR) => constant(4),
        (3, SR) => constant(8),
        (0, n) => Operand::Register(n),
        (1, PC) => Operand::Symbolic(address.wrapping_add(2).wrapping_add(word)),
        (1, SR) => Operand::Absolute(word),
        (1, n) => Operand::Indexed(n, word),
        (2, n) => Operand::Indirect(n),
        (_, PC) => Operand::Immediate(if byte { word & 0xff } else { word }),
        (_, n) => Operand::Increment(n),
    }
}

fn undefined(first: u16) -> Instruction {
    Instruction { kind: Kind::Undefined(first), words: 1 }
}
