//! MPY32, the hardware multiplier of CPUX parts, at 0x04c0 to 0x04ed (SLAU367, chapter "32-Bit Hardware
//! Multiplier (MPY32)"; its address in the datasheets, "MPY32 Registers").
//!
//! Writing the first operand chooses the operation by its address; the second one, of 16 bits in OP2 or of 32
//! in OP2L and OP2H, starts it. The result has 64 bits and is available to the next instruction: the table
//! "Result Availability" gives 3 cycles for RES0 and up to 11 for RES3 from OP2L on, and instructions that
//! write OP2H and read all results in order, as the compiler's library does, take longer. Code that reads
//! sooner would get other values on the part.
//!
//! Fractional and saturation mode and operands of 8 and 24 bits, which are written as bytes, are refused.

use std::ops::Range;

#[cfg(feature = "translator")]
use crate::multiplier::Values;
use crate::multiplier::{HardwareMultiplier, ACCUMULATE, SIGNED};

/// First address.
pub const BASE: u16 = 0x04c0;
/// The lower half of the second operand of 32 bits.
const OP2L: u16 = BASE + 0x20;
/// MPY32L, the first of the words that make first operands of 32 bits, counted from [`BASE`].
const FIRST_LONG: u8 = 8;

/// MPYC, MPYFRAC, MPYSAT, MPYM, MPYOP1_32 and MPYOP2_32 of MPY32CTL0.
const FRACTION_OR_SATURATION: u16 = 3 << 2;
const MODE_PLACE: u32 = 4;
const LONG_FIRST_PLACE: u32 = 6;
const LONG_SECOND_PLACE: u32 = 7;

/// The registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Multiplier32 {
    /// Which word of the first operand was written last: it decides about the operation and the width.
    at: u8,
    first: u32,
    second: u32,
    long_second: bool,
    result: u64,
    /// SUMEXT; its lowest bit is MPYC.
    extension: u16,
    /// The bits of the control register that are only kept.
    control: u16,
}

fn half(word: u32, upper: bool) -> u16 {
    (if upper { word >> 16 } else { word }) as u16
}

fn with_half(word: u32, upper: bool, value: u16) -> u32 {
    if upper {
        word & 0xffff | u32::from(value) << 16
    } else {
        word & 0xffff_0000 | u32::from(value)
    }
}

impl HardwareMultiplier for Multiplier32 {
    const ADDRESSES: Range<u16> = BASE..BASE + 0x2e;
    const RESULTS: &'static [(u16, u16)] = &[(BASE + 10, 6), (BASE + 0x24, 8)];

    fn read(&self, address: u16) -> u16 {
        let place = |place: u16| (self.result >> (16 * u32::from(place))) as u16;
        match address.wrapping_sub(BASE) >> 1 {
            0..=3 => self.first as u16,
            4 => self.second as u16,
            word @ 5..=6 => place(word - 5),
            7 => self.extension,
            word @ 8..=15 => half(self.first, word & 1 != 0),
            word @ 16..=17 => half(self.second, word & 1 != 0),
            word @ 18..=21 => place(word - 18),
            _ => {
                self.control
                    | self.extension & 1
                    | u16::from(self.mode()) << MODE_PLACE
                    | u16::from(self.long_first()) << LONG_FIRST_PLACE
                    | u16::from(self.long_second) << LONG_SECOND_PLACE
            }
        }
    }

    /// SUMEXT is read only.
    fn write(&mut self, address: u16, value: u16) {
        let word = address.wrapping_sub(BASE) >> 1;
        match word {
            0..=3 => {
                self.at = word as u8;
                self.first = value.into();
            }
            4 => {
                (self.second, self.long_second) = (value.into(), false);
                self.multiply();
            }
            5 | 6 => self.set_result(word - 5, value),
            8..=15 => {
                self.at = word as u8;
                self.first = with_half(self.first, word & 1 != 0, value);
            }
            16 => {
                self.second = with_half(self.second, false, value);
                self.long_second = true;
            }
            // Without OP2L before it, OP2H is ignored.
            17 if self.long_second => {
                self.second = with_half(self.second, true, value);
                self.multiply();
            }
            18..=21 => self.set_result(word - 18, value),
            22 => self.control = value & 0x0300,
            _ => {}
        }
    }

    fn refuses(address: u16, byte: bool, value: u16) -> bool {
        let word = address.wrapping_sub(BASE) >> 1;
        byte || word == 22 && value & FRACTION_OR_SATURATION != 0
    }

    fn starts(address: u16) -> bool {
        matches!(address.wrapping_sub(BASE) >> 1, 4 | 17)
    }

    fn operands(&self) -> Vec<(u16, u16)> {
        let at = BASE + 2 * u16::from(self.at);
        let first = if self.long_first() { (at - 2, 4) } else { (at, 2) };
        let second: &[_] = if self.long_second { &[(OP2L, 2)] } else { &[] };
        let sum = if self.accumulates() { Self::RESULTS } else { &[] };
        [&[first], second, sum].concat()
    }

    fn holding(word: u16) -> Self {
        let long = u32::from(word) << 16 | u32::from(word);
        Multiplier32 {
            first: long,
            second: long,
            long_second: true,
            result: u64::from(long) << 32 | u64::from(long),
            extension: word,
            ..Multiplier32::default()
        }
    }

    #[cfg(feature = "translator")]
    fn values(&self) -> Values {
        Values {
            at: self.at.into(),
            first: self.first,
            second: self.second,
            result: [self.result as u32, (self.result >> 32) as u32],
            extension: self.extension.into(),
            long_second: self.long_second.into(),
        }
    }

    #[cfg(feature = "translator")]
    fn set_values(&mut self, values: &Values) {
        self.at = values.at as u8;
        self.first = values.first;
        self.second = values.second;
        self.result = u64::from(values.result[1]) << 32 | u64::from(values.result[0]);
        self.extension = values.extension as u16;
        self.long_second = values.long_second != 0;
    }
}

impl Multiplier32 {
    fn mode(&self) -> u8 {
        if self.at < FIRST_LONG {
            self.at
        } else {
            (self.at - FIRST_LONG) >> 1
        }
    }

    /// Has the first operand 32 bits?
    fn long_first(&self) -> bool {
        self.at >= FIRST_LONG && self.at & 1 != 0
    }

    fn accumulates(&self) -> bool {
        self.mode() & ACCUMULATE != 0
    }

    fn set_result(&mut self, place: u16, value: u16) {
        let shift = 16 * u32::from(place);
        self.result = self.result & !(0xffff << shift) | u64::from(value) << shift;
    }

    /// The result of 64 bits; SUMEXT is about its lower 32 if both operands have 16.
    fn multiply(&mut self) {
        let is_signed = self.mode() & SIGNED != 0;
        let operand = |value: u32, is_long: bool| match (is_signed, is_long) {
            (true, true) => i64::from(value as i32) as u64,
            (true, false) => i64::from(value as i16) as u64,
            (false, true) => value.into(),
            (false, false) => u64::from(value as u16),
        };
        let product =
            operand(self.first, self.long_first()).wrapping_mul(operand(self.second, self.long_second));
        let start = if self.accumulates() { self.result } else { 0 };
        let (result, carry) = start.overflowing_add(product);
        let is_short = !self.long_first() && !self.long_second;
        let carry = if is_short {
            u32::try_from((start & 0xffff_ffff) + (product & 0xffff_ffff)).is_err()
        } else {
            carry
        };
        let sign = if is_short { result >> 31 & 1 } else { result >> 63 };
        self.result = result;
        self.extension = match (is_signed, sign != 0) {
            (true, true) => 0xffff,
            (true, false) => 0,
            (false, _) => u16::from(carry),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{HardwareMultiplier as _, Multiplier32, BASE, OP2L};

    /// Operand registers by their names in the manual.
    const MPY: u16 = BASE;
    const MPYS: u16 = BASE + 2;
    const MAC: u16 = BASE + 4;
    const MACS: u16 = BASE + 6;
    const OP2: u16 = BASE + 8;
    const SUMEXT: u16 = BASE + 0xe;
    const MPY32L: u16 = BASE + 0x10;
    const MPYS32L: u16 = BASE + 0x14;
    const MAC32L: u16 = BASE + 0x18;
    const MACS32L: u16 = BASE + 0x1c;
    const RES0: u16 = BASE + 0x24;
    const CTL0: u16 = BASE + 0x2c;

    fn result(m: &Multiplier32) -> u64 {
        (0..4).map(|i| u64::from(m.read(RES0 + 2 * i)) << (16 * i)).sum()
    }

    fn with_result(start: u64) -> Multiplier32 {
        let mut m = Multiplier32::default();
        for i in 0..4 {
            m.write(RES0 + 2 * i, (start >> (16 * i)) as u16);
        }
        m
    }

    fn long(m: &mut Multiplier32, first: u16, a: u32, b: u32) -> u64 {
        for (place, value) in [(first, a), (OP2L, b)] {
            m.write(place, value as u16);
            m.write(place + 2, (value >> 16) as u16);
        }
        result(m)
    }

    fn short(m: &mut Multiplier32, first: u16, a: u16, b: u16) -> (u64, u16) {
        m.write(first, a);
        m.write(OP2, b);
        assert_eq!((m.read(first), m.read(OP2)), (a, b));
        assert_eq!([m.read(BASE + 10), m.read(BASE + 12)], [m.read(RES0), m.read(RES0 + 2)]);
        (result(m), m.read(SUMEXT))
    }

    #[test]
    fn operands_of_16_bits() {
        assert_eq!(short(&mut with_result(!0), MPY, 0xffff, 0xffff), (0xfffe_0001, 0));
        assert_eq!(short(&mut with_result(7), MPYS, 0xffff, 2), (-2i64 as u64, 0xffff));
        assert_eq!(short(&mut with_result(7), MPYS, 0x8000, 0x8000), (0x4000_0000, 0));
        assert_eq!(short(&mut with_result(0xffff_ffff), MAC, 1, 1), (0x1_0000_0000, 1));
        assert_eq!(short(&mut with_result(0xffff_fffe), MAC, 1, 1), (0xffff_ffff, 0));
        assert_eq!(short(&mut with_result(1), MACS, 0xffff, 2), (!0, 0xffff));
        assert_eq!(short(&mut with_result(!0), MACS, 1, 1), (0, 0));
    }

    #[test]
    fn operands_of_32_bits() {
        let (a, b) = (0xffff_fffe_u32, 0x8000_0003_u32);
        let product = u64::from(a) * u64::from(b);
        assert_eq!(long(&mut with_result(9), MPY32L, a, b), product);
        let signed = (i64::from(a as i32) * i64::from(b as i32)) as u64;
        assert_eq!(long(&mut with_result(9), MPYS32L, a, b), signed);
        let mut m = with_result(!0 - product);
        assert_eq!((long(&mut m, MAC32L, a, b), m.read(SUMEXT)), (!0, 0));
        assert_eq!((long(&mut m, MAC32L, a, b), m.read(SUMEXT)), (product.wrapping_sub(1), 1));
        let mut m = with_result(5);
        assert_eq!((long(&mut m, MACS32L, !0, 6), m.read(SUMEXT)), (!0, 0xffff));
        assert_eq!(m.read(CTL0), 1 | 3 << 4 | 3 << 6);
    }

    /// "The last address written prior to writing OP2 defines the width of the first operand."
    #[test]
    fn widths_are_mixed() {
        let mut m = Multiplier32::default();
        m.write(MPY32L, 0x5678);
        m.write(MPY32L + 2, 0x1234);
        m.write(OP2, 0x10);
        assert_eq!(result(&m), 0x1_2345_6780);
        m.write(MPY32L, 0x5679);
        m.write(OP2, 0x10);
        assert_eq!(result(&m), 0x5_6790);
        m.write(MPY, 2);
        m.write(OP2L, 1);
        m.write(OP2L + 2, 0x8000);
        assert_eq!(result(&m), 0x1_0000_0002);
        // OP2H alone starts nothing.
        m.write(OP2, 3);
        m.write(OP2L + 2, 0x8000);
        assert_eq!(result(&m), 6);
    }

    #[test]
    fn what_is_not_modelled_is_refused() {
        assert!(Multiplier32::refuses(MPYS, true, 1));
        assert!(Multiplier32::refuses(CTL0, false, 4) && Multiplier32::refuses(CTL0, false, 8));
        assert!(!Multiplier32::refuses(CTL0, false, 0x300) && !Multiplier32::refuses(OP2, false, 8));
    }
}
