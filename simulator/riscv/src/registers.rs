//! The integer registers.

use std::ops::{Index, IndexMut};

/// A register number. An enumeration, so that indexing needs no bounds check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Reg {
    X0,
    X1,
    X2,
    X3,
    X4,
    X5,
    X6,
    X7,
    X8,
    X9,
    X10,
    X11,
    X12,
    X13,
    X14,
    X15,
    X16,
    X17,
    X18,
    X19,
    X20,
    X21,
    X22,
    X23,
    X24,
    X25,
    X26,
    X27,
    X28,
    X29,
    X30,
    X31,
    /// Where instructions write whose destination is x0: nothing reads it.
    Sink,
}

const REGS: [Reg; 32] = {
    use Reg::*;
    [
        X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15, X16, X17, X18, X19, X20, X21,
        X22, X23, X24, X25, X26, X27, X28, X29, X30, X31,
    ]
};

impl Reg {
    /// The return address.
    pub const RA: Reg = Reg::X1;
    /// The stack pointer.
    pub const SP: Reg = Reg::X2;
    /// The first argument and the result.
    pub const A0: Reg = Reg::X10;

    /// The register whose number is in the low five bits, as a source.
    #[inline(always)]
    #[must_use]
    pub const fn source(bits: u32) -> Reg {
        REGS[(bits & 31) as usize]
    }

    /// The register whose number is in the low five bits, as a destination: x0 is [`Reg::Sink`].
    #[must_use]
    pub const fn destination(bits: u32) -> Reg {
        if bits & 31 == 0 {
            Reg::Sink
        } else {
            Reg::source(bits)
        }
    }

    /// x1 or x5, which hold return addresses (unprivileged specification, "JALR" and its table of
    /// return-address prediction hints).
    #[must_use]
    pub const fn is_link(self) -> bool {
        matches!(self, Reg::X1 | Reg::X5)
    }
}

/// x0 to x31. x0 is zero because nothing writes it: see [`Reg::destination`].
#[derive(Clone, Copy, Debug)]
pub struct Registers([u32; 33]);

impl Default for Registers {
    fn default() -> Self {
        Registers([0; 33])
    }
}

impl PartialEq for Registers {
    fn eq(&self, other: &Registers) -> bool {
        self.0[..32] == other.0[..32]
    }
}

impl Eq for Registers {}

impl Index<Reg> for Registers {
    type Output = u32;

    #[inline(always)]
    fn index(&self, reg: Reg) -> &u32 {
        &self.0[reg as usize]
    }
}

impl IndexMut<Reg> for Registers {
    #[inline(always)]
    fn index_mut(&mut self, reg: Reg) -> &mut u32 {
        &mut self.0[reg as usize]
    }
}
