//! The hardware multiplier (SLAU049, chapter 7): a peripheral, at 0x0130 to 0x013f.
//!
//! Writing the first operand chooses the operation by its address; writing the second starts it. The
//! result is available to the next instruction; that reading it with an indirect mode is one instruction
//! too early (section 7.2.5) is not modelled.

use std::fmt;
use std::ops::Range;

/// A hardware multiplier at its addresses.
pub trait HardwareMultiplier: Copy + Default + Eq + fmt::Debug + Send + Sync + 'static {
    /// Its registers.
    const ADDRESSES: Range<u16>;
    /// Those that hold a result: ranges of an address and its bytes.
    const RESULTS: &'static [(u16, u16)];

    /// Reads the word at an address, whose lowest bit does not count.
    fn read(&self, address: u16) -> u16;

    /// Writes the word at an address, whose lowest bit does not count.
    fn write(&mut self, address: u16, value: u16);

    /// Is this a write that is not modelled?
    fn refuses(address: u16, byte: bool, value: u16) -> bool;

    /// Does a write to this address start a multiplication?
    fn starts(address: u16) -> bool;

    /// What the product that was started last is made of, apart from the register whose writing started it:
    /// ranges as in `RESULTS`.
    fn operands(&self) -> Vec<(u16, u16)>;

    /// A multiplier in which every register reads as `word`.
    fn holding(word: u16) -> Self;

    /// Its state.
    #[cfg(feature = "translator")]
    fn values(&self) -> Values;

    /// Sets its state.
    #[cfg(feature = "translator")]
    fn set_values(&mut self, values: &Values);
}

/// The state of a multiplier.
#[cfg(feature = "translator")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Which word of the first operand was written last; its number decides about the operation.
    pub at: u32,
    /// The first operand.
    pub first: u32,
    /// The second operand.
    pub second: u32,
    /// The lower 32 bits of the result, and those above.
    pub result: [u32; 2],
    /// SUMEXT.
    pub extension: u32,
    /// 1 if the second operand has 32 bits.
    pub long_second: u32,
}

/// First address.
pub const BASE: u16 = 0x0130;
/// The second operand, whose writing starts the multiplication.
const OPERAND: u16 = BASE + 8;
/// The result's three words.
const RESULT: u16 = BASE + 10;

/// How the operands are taken, by bits 2 and 1 of the first operand's address.
pub const SIGNED: u8 = 1;
pub const ACCUMULATE: u8 = 2;

/// The registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Multiplier {
    mode: u8,
    first: u16,
    second: u16,
    result: u32,
    extension: u16,
}

impl HardwareMultiplier for Multiplier {
    const ADDRESSES: Range<u16> = BASE..BASE + 16;
    const RESULTS: &'static [(u16, u16)] = &[(RESULT, 6)];

    fn read(&self, address: u16) -> u16 {
        match address.wrapping_sub(BASE) >> 1 {
            0..=3 => self.first,
            4 => self.second,
            5 => self.result as u16,
            6 => (self.result >> 16) as u16,
            _ => self.extension,
        }
    }

    /// SUMEXT is read only.
    fn write(&mut self, address: u16, value: u16) {
        match address.wrapping_sub(BASE) >> 1 {
            mode @ 0..=3 => {
                self.mode = mode as u8;
                self.first = value;
            }
            4 => {
                self.second = value;
                self.multiply();
            }
            5 => self.result = self.result & 0xffff_0000 | u32::from(value),
            6 => self.result = self.result & 0xffff | u32::from(value) << 16,
            _ => {}
        }
    }

    fn refuses(_: u16, _: bool, _: u16) -> bool {
        false
    }

    fn starts(address: u16) -> bool {
        address & !1 == OPERAND
    }

    fn operands(&self) -> Vec<(u16, u16)> {
        let sum = if self.mode & ACCUMULATE != 0 { Self::RESULTS } else { &[] };
        [&[(BASE + 2 * u16::from(self.mode), 2)], sum].concat()
    }

    fn holding(word: u16) -> Self {
        let result = u32::from(word) << 16 | u32::from(word);
        Multiplier { mode: 0, first: word, second: word, result, extension: word }
    }

    #[cfg(feature = "translator")]
    fn values(&self) -> Values {
        Values {
            at: self.mode.into(),
            first: self.first.into(),
            second: self.second.into(),
            result: [self.result, 0],
            extension: self.extension.into(),
            long_second: 0,
        }
    }

    #[cfg(feature = "translator")]
    fn set_values(&mut self, values: &Values) {
        self.mode = values.at as u8;
        self.first = values.first as u16;
        self.second = values.second as u16;
        self.result = values.result[0];
        self.extension = values.extension as u16;
    }
}

impl Multiplier {
    /// Table 7-2 for the result, table 7-3 for SUMEXT.
    fn multiply(&mut self) {
        let product = if self.mode & SIGNED != 0 {
            (i32::from(self.first as i16) * i32::from(self.second as i16)) as u32
        } else {
            u32::from(self.first) * u32::from(self.second)
        };
        let start = if self.mode & ACCUMULATE != 0 { self.result } else { 0 };
        let (result, carry) = start.overflowing_add(product);
        self.result = result;
        self.extension = match (self.mode & SIGNED != 0, result >> 31 != 0) {
            (true, true) => 0xffff,
            (true, false) => 0,
            (false, _) => u16::from(carry),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{HardwareMultiplier as _, Multiplier, BASE};

    fn run(mode: u16, start: u32, a: u16, b: u16) -> (u32, u16) {
        let mut m = Multiplier::default();
        m.write(BASE + 10, start as u16);
        m.write(BASE + 12, (start >> 16) as u16);
        m.write(BASE + 2 * mode, a);
        m.write(BASE + 8, b);
        assert_eq!((m.read(BASE + 2 * mode), m.read(BASE + 8)), (a, b));
        (u32::from(m.read(BASE + 10)) | u32::from(m.read(BASE + 12)) << 16, m.read(BASE + 14))
    }

    #[test]
    fn unsigned_products_have_no_extension() {
        assert_eq!(run(0, 0x1234_5678, 0xffff, 0xffff), (0xfffe_0001, 0));
        assert_eq!(run(0, 0, 0x8000, 2), (0x1_0000, 0));
    }

    #[test]
    fn signed_products_extend_their_sign() {
        assert_eq!(run(1, 0x1234_5678, 0xffff, 2), (0xffff_fffe, 0xffff));
        assert_eq!(run(1, 0, 0x8000, 0x8000), (0x4000_0000, 0));
        assert_eq!(run(1, 0, 0x7fff, 0xffff), (0xffff_8001, 0xffff));
    }

    #[test]
    fn accumulating_tells_the_carry() {
        assert_eq!(run(2, 0xffff_ffff, 1, 1), (0, 1));
        assert_eq!(run(2, 0x8000_0000, 0xffff, 0x8000), (0xffff_8000, 0));
        assert_eq!(run(3, 0xffff_ffff, 1, 1), (0, 0));
        assert_eq!(run(3, 1, 0xffff, 2), (0xffff_ffff, 0xffff));
    }

    #[test]
    fn the_extension_cannot_be_written() {
        let mut m = Multiplier::default();
        m.write(BASE + 14, 7);
        assert_eq!(m.read(BASE + 14), 0);
    }
}
