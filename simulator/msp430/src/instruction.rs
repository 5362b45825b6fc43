//! What an instruction is: its operation and its operands, with the addressing modes spelt out.

use std::fmt;

/// The program counter's number.
pub const PC: u8 = 0;
/// The stack pointer's number.
pub const SP: u8 = 1;
/// The status register's number.
pub const SR: u8 = 2;
/// The number of the second constant generator: reads as 0, what is written to it is lost.
pub const CG: u8 = 3;

/// An operand (SLAU049, section 3.3, table 3-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `Rn`.
    Register(u8),
    /// A constant from one of the constant generators: no extra word, no memory access.
    Constant(u16),
    /// `#N`: the next word.
    Immediate(u16),
    /// `X(Rn)`.
    Indexed(u8, u16),
    /// `ADDR`: `X(PC)`, here with the address that it denotes.
    Symbolic(u16),
    /// `&ADDR`.
    Absolute(u16),
    /// `@Rn`.
    Indirect(u8),
    /// `@Rn+`.
    Increment(u8),
}

impl Operand {
    /// Words that it takes after the first word of the instruction.
    #[must_use]
    pub fn words(self) -> u8 {
        match self {
            Operand::Immediate(_) | Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => 1,
            _ => 0,
        }
    }
}

/// A two-operand operation: format I, by the upper four bits of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the manual's mnemonics")]
pub enum Alu {
    Mov,
    Add,
    Addc,
    Subc,
    Sub,
    Cmp,
    Dadd,
    Bit,
    Bic,
    Bis,
    Xor,
    And,
}

/// A one-operand operation: format II.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the manual's mnemonics")]
pub enum Unary {
    Rrc,
    Swpb,
    Rra,
    Sxt,
    Push,
    Call,
}

/// A jump's condition, by bits 12 to 10 of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the manual's mnemonics")]
pub enum Condition {
    Jne,
    Jeq,
    Jnc,
    Jc,
    Jn,
    Jge,
    Jl,
    Jmp,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Format I.
    Two {
        /// The operation.
        alu: Alu,
        /// On bytes, not words.
        byte: bool,
        /// First operand.
        source: Operand,
        /// Second operand, and where the result goes: a register, or indexed, symbolic, absolute.
        target: Operand,
    },
    /// Format II but RETI.
    One {
        /// The operation.
        unary: Unary,
        /// On a byte, not a word.
        byte: bool,
        /// The operand.
        operand: Operand,
    },
    /// A jump to an address.
    Jump(Condition, u16),
    /// RETI.
    Reti,
    /// Not an instruction of this CPU, or one whose result has no place to go; its first word.
    Undefined(u16),
}

/// An instruction and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub kind: Kind,
    /// Words of its encoding, 1 to 3.
    pub words: u8,
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Operand::Register(n) => write!(f, "R{n}"),
            Operand::Constant(value) => write!(f, "#{}", value as i16),
            Operand::Immediate(value) => write!(f, "#{value:#06x}"),
            Operand::Indexed(n, x) => write!(f, "{}(R{n})", x as i16),
            Operand::Symbolic(address) => write!(f, "{address:#06x}"),
            Operand::Absolute(address) => write!(f, "&{address:#06x}"),
            Operand::Indirect(n) => write!(f, "@R{n}"),
            Operand::Increment(n) => write!(f, "@R{n}+"),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |byte: bool| if byte { ".B" } else { "" };
        let upper = |name: String| name.to_uppercase();
        match self.kind {
            Kind::Two { alu, byte, source, target } => {
                write!(f, "{}{} {source}, {target}", upper(format!("{alu:?}")), size(byte))
            }
            Kind::One { unary, byte, operand } => {
                write!(f, "{}{} {operand}", upper(format!("{unary:?}")), size(byte))
            }
            Kind::Jump(condition, target) => {
                write!(f, "{} {target:#06x}", upper(format!("{condition:?}")))
            }
            Kind::Reti => f.write_str("RETI"),
            Kind::Undefined(word) => write!(f, "undefined {word:#06x}"),
        }
    }
}
