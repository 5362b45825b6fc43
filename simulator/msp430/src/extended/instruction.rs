//! The instructions that only CPUX has (SLAU367, section 4.5.2).

use std::fmt;

use crate::instruction::{Alu, Operand, Unary};

/// The length of an instruction's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// `.B`
    Byte,
    /// `.W`
    Word,
    /// `.A`: 20 bits, in memory the lower 16 and then a word with the other four.
    Address,
}

impl Size {
    /// The number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Size::Byte => 8,
            Size::Word => 16,
            Size::Address => 20,
        }
    }

    /// The bits.
    #[must_use]
    pub const fn mask(self) -> u32 {
        (1 << self.bits()) - 1
    }
}

/// How often an instruction on registers is executed: its extension word (table 4-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The number of times.
    pub times: Times,
    /// ZC: the carry bit is used as 0.
    pub zero_carry: bool,
}

/// A number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// 1 to 16.
    Fixed(u8),
    /// One more than the lowest four bits of a register.
    InRegister(u8),
}

impl Repeat {
    /// Once.
    pub const NONE: Repeat = Repeat { times: Times::Fixed(1), zero_carry: false };
}

/// Rotations by several bits (section 4.6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the manual's mnemonics")]
pub enum Rotation {
    Rrcm,
    Rram,
    Rlam,
    Rrum,
}

/// An instruction that only CPUX has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extended {
    /// Format I with an extension word.
    Two {
        /// The operation.
        alu: Alu,
        /// On what.
        size: Size,
        /// First operand.
        source: Operand<u32>,
        /// Second operand, and where the result goes.
        target: Operand<u32>,
        /// How often.
        repeat: Repeat,
    },
    /// Format II with an extension word; there is no CALL among them.
    One {
        /// The operation.
        unary: Unary,
        /// On what.
        size: Size,
        /// The operand.
        operand: Operand<u32>,
        /// How often.
        repeat: Repeat,
    },
    /// MOVA: its source and its target.
    Move(Operand<u32>, Operand<u32>),
    /// ADDA, SUBA or CMPA: the operation, its source, the register.
    Address(Alu, Operand<u32>, u8),
    /// CALLA.
    Call(Operand<u32>),
    /// RRCM, RRAM, RLAM or RRUM.
    Rotate {
        /// The operation.
        rotation: Rotation,
        /// On what.
        size: Size,
        /// By how many bits, 1 to 4.
        times: u8,
        /// The register.
        register: u8,
    },
    /// PUSHM of so many registers, down from one.
    PushMany(Size, u8, u8),
    /// POPM of so many registers, up from one.
    PopMany(Size, u8, u8),
}

impl Extended {
    /// Its operands but the registers of PUSHM, POPM and the rotations by several bits.
    #[must_use]
    pub fn operands(&self) -> Vec<Operand<u32>> {
        match *self {
            Extended::Two { source, target, .. } | Extended::Move(source, target) => vec![source, target],
            Extended::One { operand, .. } | Extended::Call(operand) => vec![operand],
            Extended::Address(_, source, register) => vec![source, Operand::Register(register)],
            Extended::Rotate { .. } | Extended::PushMany(..) | Extended::PopMany(..) => Vec::new(),
        }
    }

    /// The operation in the manual's words, in lower case.
    #[must_use]
    pub fn name(&self) -> String {
        let sized = |name: String, size: Size| match size {
            Size::Byte => name.to_ascii_lowercase() + ".b",
            Size::Word => name.to_ascii_lowercase(),
            Size::Address => name.to_ascii_lowercase() + ".a",
        };
        match *self {
            Extended::Two { alu, size, .. } => sized(format!("{alu:?}x"), size),
            Extended::One { unary: Unary::Rrc, size, repeat: Repeat { zero_carry: true, .. }, .. } => {
                sized("rrux".into(), size)
            }
            Extended::One { unary, size, .. } => sized(format!("{unary:?}x"), size),
            Extended::Move(Operand::Increment(1), Operand::Register(0)) => "reta".into(),
            Extended::Move(_, Operand::Register(0)) => "bra".into(),
            Extended::Move(..) => "mova".into(),
            Extended::Address(alu, ..) => format!("{alu:?}a").to_ascii_lowercase(),
            Extended::Call(_) => "calla".into(),
            Extended::Rotate { rotation, size, .. } => sized(format!("{rotation:?}"), size),
            Extended::PushMany(size, ..) => sized("pushm".into(), size),
            Extended::PopMany(size, ..) => sized("popm".into(), size),
        }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            Times::Fixed(1) => Ok(()),
            Times::Fixed(times) => write!(f, "RPT #{times} {{ "),
            Times::InRegister(register) => write!(f, "RPT R{register} {{ "),
        }
    }
}

impl fmt::Display for Extended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name().to_uppercase();
        match *self {
            Extended::Two { source, target, repeat, .. } => write!(f, "{repeat}{name} {source}, {target}"),
            Extended::One { operand, repeat, .. } => write!(f, "{repeat}{name} {operand}"),
            Extended::Move(source, target) => write!(f, "{name} {source}, {target}"),
            Extended::Address(_, source, register) => write!(f, "{name} {source}, R{register}"),
            Extended::Call(operand) => write!(f, "{name} {operand}"),
            Extended::Rotate { times, register, .. }
            | Extended::PushMany(_, times, register)
            | Extended::PopMany(_, times, register) => write!(f, "{name} #{times}, R{register}"),
        }
    }
}
