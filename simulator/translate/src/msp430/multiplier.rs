//! The hardware multipliers, where their registers are accessed at known addresses.

use std::ops::Range;

use pennyweight_msp430::translator::{Cpu, HardwareMultiplier};

use super::lower::Lowering;
use super::registers::{value, EXTENSION, FIRST, MODE, SECOND, SUM, TEMPORARY, WIDE};
use super::values::{add, constant, left, masked, or, right, signed_half};
use crate::ir::{Binary, Expr};

/// The bits of the number of the word that the first operand was written to.
const SIGNED: u32 = 1;
const ACCUMULATE: u32 = 2;

/// The registers of a CPU's multiplier.
pub fn addresses<X: Cpu>() -> Range<u32> {
    let Range { start, end } = X::Multiplier::ADDRESSES;
    start.into()..end.into()
}

/// Is this access to an address of the multiplier translated?
pub fn is_translated<X: Cpu>(_address: u32, _byte: bool) -> bool {
    X::PERIPHERALS_END == 0x200
}

impl<X: Cpu> Lowering<'_, '_, X> {
    /// The byte or the word at an address of the multiplier.
    pub fn read_multiplier(&self, address: u32, byte: bool) -> Expr {
        let word = match (address - addresses::<X>().start) >> 1 {
            0..=3 => value(FIRST),
            4 => value(SECOND),
            5 => masked(value(SUM), 0xffff),
            6 => right(value(SUM), 16),
            _ => value(EXTENSION),
        };
        match (byte, address & 1) {
            (false, _) => word,
            (true, 0) => masked(word, 0xff),
            (true, _) => right(word, 8),
        }
    }

    /// Writes it.
    pub fn write_multiplier(&mut self, address: u32, byte: bool, written: Expr) {
        let written = if byte { masked(written, 0xff) } else { written };
        match (address - addresses::<X>().start) >> 1 {
            mode @ 0..=3 => {
                self.set(MODE, constant(mode));
                self.set(FIRST, written);
                self.mode = Some(mode);
            }
            4 => {
                self.set(SECOND, written);
                self.multiply();
            }
            5 => self.set(SUM, or(masked(value(SUM), 0xffff_0000), written)),
            6 => self.set(SUM, or(masked(value(SUM), 0xffff), left(written, 16))),
            _ => {}
        }
    }

    /// `yes` or `no`, by a bit of the mode.
    fn by_mode(&self, bit: u32, yes: Expr, no: Expr) -> Expr {
        match self.mode {
            Some(mode) if mode & bit != 0 => yes,
            Some(_) => no,
            None => Expr::choice(masked(value(MODE), bit), yes, no),
        }
    }

    fn multiply(&mut self) {
        let factor =
            |lowering: &Self, factor| lowering.by_mode(SIGNED, signed_half(value(factor)), value(factor));
        let product = Expr::binary(Binary::Multiply, factor(self, FIRST), factor(self, SECOND));
        self.set(TEMPORARY, product);
        let start = self.by_mode(ACCUMULATE, value(SUM), constant(0));
        self.set(WIDE, add(start, value(TEMPORARY)));
        self.set(SUM, value(WIDE));
        let carry = Expr::binary(Binary::Less, value(WIDE), value(TEMPORARY));
        let sign = Expr::binary(Binary::ShiftRightSigned, value(WIDE), constant(31));
        let extension = self.by_mode(SIGNED, masked(sign, 0xffff), carry);
        self.set(EXTENSION, extension);
    }
}
