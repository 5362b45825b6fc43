//! What an instruction is: its operation and its operands, with the addressing modes spelt out.

use std::fmt;

pub use crate::extended::instruction::Extended;

/// The program counter's number.
pub const PC: u8 = 0;
/// The stack pointer's number.
pub const SP: u8 = 1;
/// The status register's number.
pub const SR: u8 = 2;
/// The number of the second constant generator: reads as 0, what is written to it is lost.
pub const CG: u8 = 3;

/// An operand (SLAU049, section 3.3, table 3-3). Its numbers have 16 bits; in instructions with an
/// extension word they have 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<N = u16> {
    /// `Rn`.
    Register(u8),
    /// A constant from one of the constant generators: no extra word, no memory access.
    Constant(N),
    /// `#N`: the next word.
    Immediate(N),
    /// `X(Rn)`.
    Indexed(u8, N),
    /// `ADDR`: `X(PC)`, here with the address that it denotes.
    Symbolic(N),
    /// `&ADDR`.
    Absolute(N),
    /// `@Rn`.
    Indirect(u8),
    /// `@Rn+`.
    Increment(u8),
}

impl<N> Operand<N> {
    /// Words that it takes after the first word of the instruction.
    #[must_use]
    pub fn words(&self) -> u8 {
        match self {
            Operand::Immediate(_) | Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => 1,
            _ => 0,
        }
    }

    /// The number itself, if it is neither an address nor a distance.
    #[must_use]
    pub fn value(&self) -> Option<N>
    where
        N: Copy,
    {
        match *self {
            Operand::Constant(value) | Operand::Immediate(value) => Some(value),
            _ => None,
        }
    }

    /// The register that an address is made of.
    #[must_use]
    pub fn pointer(&self) -> Option<u8> {
        match *self {
            Operand::Indexed(n, _) | Operand::Indirect(n) | Operand::Increment(n) => Some(n),
            _ => None,
        }
    }
}

impl From<Operand> for Operand<u32> {
    fn from(operand: Operand) -> Self {
        match operand {
            Operand::Register(n) => Operand::Register(n),
            Operand::Constant(value) => Operand::Constant(value.into()),
            Operand::Immediate(value) => Operand::Immediate(value.into()),
            Operand::Indexed(n, distance) => Operand::Indexed(n, distance.into()),
            Operand::Symbolic(address) => Operand::Symbolic(address.into()),
            Operand::Absolute(address) => Operand::Absolute(address.into()),
            Operand::Indirect(n) => Operand::Indirect(n),
            Operand::Increment(n) => Operand::Increment(n),
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
    /// An instruction that only CPUX has.
    Extended(Extended),
    /// Not an instruction of this CPU, or one whose result has no place to go; its first word.
    Undefined(u16),
}

/// An instruction and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub kind: Kind,
    /// Words of its encoding, 1 to 3, with an extension word to 4.
    pub words: u8,
}

impl Instruction {
    /// The operands, as far as their form is encoded.
    #[must_use]
    pub fn operands(&self) -> Vec<Operand<u32>> {
        match self.kind {
            Kind::Two { source, target, .. } => vec![source.into(), target.into()],
            Kind::One { operand, .. } => vec![operand.into()],
            Kind::Extended(extended) => extended.operands(),
            Kind::Jump(..) | Kind::Reti | Kind::Undefined(_) => Vec::new(),
        }
    }
}

/// A number of an operand, as text has it.
pub trait Number: Copy + fmt::LowerHex {
    /// Its value if its highest bit is a sign.
    fn signed(self) -> i32;
}

impl Number for u16 {
    fn signed(self) -> i32 {
        (self as i16).into()
    }
}

/// 20 bits.
impl Number for u32 {
    fn signed(self) -> i32 {
        (self << 12) as i32 >> 12
    }
}

impl<N: Number> fmt::Display for Operand<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Operand::Register(n) => write!(f, "R{n}"),
            Operand::Constant(value) => write!(f, "#{}", value.signed()),
            Operand::Immediate(value) => write!(f, "#{value:#06x}"),
            Operand::Indexed(n, x) => write!(f, "{}(R{n})", x.signed()),
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
            Kind::Extended(extended) => extended.fmt(f),
            Kind::Undefined(word) => write!(f, "undefined {word:#06x}"),
        }
    }
}
