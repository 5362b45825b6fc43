//! The hardware multipliers, where their registers are accessed at known addresses.

use std::ops::Range;

use pennyweight_msp430::translator::{Cpu, HardwareMultiplier};

use super::lower::Lowering;
use super::registers::{
    value, A, B, EXTENSION, FIRST, LONG_SECOND, MODE, PLACE, SECOND, SUM, SUM_HIGH, TEMPORARY, UPPER, WIDE,
};
use super::values::{add, and, constant, left, masked, or, right, signed_half};
use crate::ir::{Binary, Expr, Register, Step};

/// The bits of a mode.
const SIGNED: u32 = 1;
const ACCUMULATE: u32 = 2;
/// The number of the control register's word.
const CONTROL_WORD: u32 = 22;

/// The registers of a CPU's multiplier.
pub fn addresses<X: Cpu>() -> Range<u32> {
    let Range { start, end } = X::Multiplier::ADDRESSES;
    start.into()..end.into()
}

/// Has a CPU the multiplier of 32 bits, which has more registers, and results of 64 bits?
fn is_long<X: Cpu>() -> bool {
    addresses::<X>().len() > 16
}

/// Is this access to an address of the multiplier translated?
pub fn is_translated<X: Cpu>(address: u32, byte: bool) -> bool {
    // That of 32 bits refuses bytes, and some modes, which its last register selects.
    !is_long::<X>() || !byte && word::<X>(address) < CONTROL_WORD
}

/// The number of the word at an address.
fn word<X: Cpu>(address: u32) -> u32 {
    (address - addresses::<X>().start) >> 1
}

/// The upper or the lower half of a word.
fn half(whole: Expr, upper: bool) -> Expr {
    if upper {
        right(whole, 16)
    } else {
        masked(whole, 0xffff)
    }
}

/// A word with another upper or lower half.
fn with_half(whole: Expr, upper: bool, written: Expr) -> Expr {
    if upper {
        or(masked(whole, 0xffff), left(written, 16))
    } else {
        or(masked(whole, 0xffff_0000), written)
    }
}

impl<X: Cpu> Lowering<'_, '_, X> {
    /// The byte or the word at an address of the multiplier.
    pub fn read_multiplier(&self, address: u32, byte: bool) -> Expr {
        let word = match word::<X>(address) {
            0..=3 => half(value(FIRST), false),
            4 => half(value(SECOND), false),
            5 | 18 => half(value(SUM), false),
            6 | 19 => half(value(SUM), true),
            7 => value(EXTENSION),
            word @ 8..=15 => half(value(FIRST), word & 1 != 0),
            word @ 16..=17 => half(value(SECOND), word & 1 != 0),
            word @ 20..=21 => half(value(SUM_HIGH), word & 1 != 0),
            _ => constant(0),
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
        match word::<X>(address) {
            place @ 0..=3 => {
                self.choose(place);
                self.set(FIRST, written);
            }
            4 => {
                self.set(SECOND, written);
                self.set(LONG_SECOND, constant(0));
                self.second = Some(false);
                self.multiply();
            }
            place @ (5 | 6 | 18 | 19) => {
                self.set(SUM, with_half(value(SUM), matches!(place, 6 | 19), written));
            }
            place @ 8..=15 => {
                self.choose(place);
                self.set(FIRST, with_half(value(FIRST), place & 1 != 0, written));
            }
            16 => {
                self.set(SECOND, with_half(value(SECOND), false, written));
                self.set(LONG_SECOND, constant(1));
                self.second = Some(true);
            }
            17 => self.write_upper(written),
            place @ (20 | 21) => {
                self.set(SUM_HIGH, with_half(value(SUM_HIGH), place & 1 != 0, written));
            }
            _ => {}
        }
    }

    /// Notes which word of the first operand is written.
    fn choose(&mut self, place: u32) {
        self.set(MODE, constant(place));
        self.mode = Some(place);
    }

    /// The upper half of the second operand: without the lower one before it, it is ignored.
    fn write_upper(&mut self, written: Expr) {
        let known = self.second;
        if known == Some(false) {
            return;
        }
        let before = std::mem::take(&mut self.steps);
        self.second = Some(true);
        self.set(SECOND, with_half(value(SECOND), true, written));
        self.multiply();
        let steps = std::mem::replace(&mut self.steps, before);
        if known.is_some() {
            self.steps.extend(steps);
        } else {
            self.second = None;
            self.step(Step::If(value(LONG_SECOND), steps));
        }
    }

    /// A choice by a condition on the number of the word that the first operand was written to.
    fn by_mode(&self, is: fn(Expr) -> Expr, yes: Expr, no: Expr) -> Expr {
        let number = self.mode.map_or(value(MODE), constant);
        match is(number) {
            Expr::Constant(0) => no,
            Expr::Constant(_) => yes,
            condition => Expr::choice(condition, yes, no),
        }
    }

    fn multiply(&mut self) {
        if is_long::<X>() {
            return self.multiply_long();
        }
        let factor =
            |lowering: &Self, factor| lowering.by_mode(is_signed, signed_half(value(factor)), value(factor));
        let product = Expr::binary(Binary::Multiply, factor(self, FIRST), factor(self, SECOND));
        self.set(TEMPORARY, product);
        let start = self.by_mode(accumulates, value(SUM), constant(0));
        self.set(WIDE, add(start, value(TEMPORARY)));
        self.set(SUM, value(WIDE));
        let carry = Expr::binary(Binary::Less, value(WIDE), value(TEMPORARY));
        let sign = Expr::binary(Binary::ShiftRightSigned, value(WIDE), constant(31));
        let extension = self.by_mode(is_signed, masked(sign, 0xffff), carry);
        self.set(EXTENSION, extension);
    }

    /// Of factors with 32 bits each, which are signed or not, and a sum of 64 bits.
    fn multiply_long(&mut self) {
        // A: the first factor, B: the second one.
        let first = self.by_mode(is_long_first, value(FIRST), self.widened(FIRST));
        self.set(A, first);
        let second = match self.second {
            Some(true) => value(SECOND),
            Some(false) => self.widened(SECOND),
            None => Expr::choice(value(LONG_SECOND), value(SECOND), self.widened(SECOND)),
        };
        self.set(B, second);
        // The product: WIDE is its lower half, PLACE the upper one.
        self.set(WIDE, Expr::binary(Binary::Multiply, value(A), value(B)));
        let high = |operation| Expr::binary(operation, value(A), value(B));
        let high = self.by_mode(is_signed, high(Binary::MultiplyHighSigned), high(Binary::MultiplyHigh));
        self.set(PLACE, high);
        // What it is added to.
        let start = |lowering: &Self, sum| lowering.by_mode(accumulates, value(sum), constant(0));
        let (low, high) = (start(self, SUM), start(self, SUM_HIGH));
        self.set(SUM, low);
        self.set(SUM_HIGH, high);
        self.set(TEMPORARY, add(value(SUM), value(WIDE)));
        // The carry out of the lower half, and then out of both.
        self.set(UPPER, Expr::binary(Binary::Less, value(TEMPORARY), value(WIDE)));
        self.set(SUM, value(TEMPORARY));
        self.set(TEMPORARY, add(value(SUM_HIGH), value(PLACE)));
        let carries = Expr::binary(Binary::Less, value(TEMPORARY), value(PLACE));
        self.set(SUM_HIGH, add(value(TEMPORARY), value(UPPER)));
        let carries = or(carries, Expr::binary(Binary::Less, value(SUM_HIGH), value(TEMPORARY)));
        // SUMEXT is about the lower 32 bits if both factors have 16.
        let is_long = self.by_mode(is_long_first, constant(1), constant(0));
        let is_long = match self.second {
            Some(second) => or(is_long, constant(second.into())),
            None => or(is_long, value(LONG_SECOND)),
        };
        let chosen = |yes, no| match is_long {
            Expr::Constant(0) => no,
            Expr::Constant(_) => yes,
            ref condition => Expr::choice(condition.clone(), yes, no),
        };
        let top = chosen(value(SUM_HIGH), value(SUM));
        let sign = Expr::binary(Binary::ShiftRightSigned, top, constant(31));
        let carry = chosen(carries, value(UPPER));
        let extension = self.by_mode(is_signed, masked(sign, 0xffff), carry);
        self.set(EXTENSION, extension);
    }

    /// A factor of 16 bits.
    fn widened(&self, factor: Register) -> Expr {
        self.by_mode(is_signed, signed_half(value(factor)), masked(value(factor), 0xffff))
    }
}

/// The number of a first operand's word counts twice as many modes from here on, for its halves.
fn mode(number: Expr) -> Expr {
    let is_half = is_half(number.clone());
    match is_half {
        Expr::Constant(0) => number,
        Expr::Constant(_) => right(masked(number, 7), 1),
        condition => Expr::choice(condition, right(masked(number.clone(), 7), 1), number),
    }
}

fn is_half(number: Expr) -> Expr {
    masked(number, 8)
}

fn is_signed(number: Expr) -> Expr {
    masked(mode(number), SIGNED)
}

fn accumulates(number: Expr) -> Expr {
    masked(mode(number), ACCUMULATE)
}

/// Was the upper half of a first operand of 32 bits written last?
fn is_long_first(number: Expr) -> Expr {
    and(right(number.clone(), 3), masked(number, 1))
}
