//! The general registers and the condition flags.
//!
//! The flags are kept in the form in which instructions produce them, not as bits of a status
//! register: most flags are never read, so turning a result into N and Z waits until then.

use std::ops::{Index, IndexMut};

/// A register number. An enumeration, so that indexing needs no bounds check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Reg {
    R0,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
    R10,
    R11,
    R12,
    Sp,
    Lr,
    Pc,
}

const REGS: [Reg; 16] = [
    Reg::R0,
    Reg::R1,
    Reg::R2,
    Reg::R3,
    Reg::R4,
    Reg::R5,
    Reg::R6,
    Reg::R7,
    Reg::R8,
    Reg::R9,
    Reg::R10,
    Reg::R11,
    Reg::R12,
    Reg::Sp,
    Reg::Lr,
    Reg::Pc,
];

impl Reg {
    /// The register whose number is in the low four bits.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Reg {
        REGS[(bits & 15) as usize]
    }
}

/// R0 to R12, SP, LR. The slot of the program counter is always 0: decoding folds the program
/// counter into constants, and an operation whose base or addend is PC adds nothing to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u32; 16]);

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

/// N, Z, C and V; Q and GE where the architecture has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// N is its sign; Z is set when the low 32 bits are zero. A result, sign-extended, carries
    /// both; `i64::MIN` is N and Z at once, which only a write to the status register can make.
    nz: i64,
    /// Carry.
    pub c: bool,
    /// Overflow.
    pub v: bool,
    /// Saturation; stays until a write to the status register.
    pub q: bool,
    /// Greater or equal, a bit for each byte (0 to 15).
    pub ge: u8,
}

impl PartialEq for Flags {
    fn eq(&self, other: &Flags) -> bool {
        self.apsr() == other.apsr()
    }
}

impl Eq for Flags {}

impl Flags {
    /// Sets N and Z from a result.
    #[inline(always)]
    pub fn set_nz(&mut self, result: u32) {
        self.nz = i64::from(result as i32);
    }

    /// The result that N and Z are of, after an instruction that sets them.
    #[cfg(feature = "leakage")]
    #[must_use]
    pub fn result(&self) -> u32 {
        self.nz as u32
    }

    /// N.
    #[inline(always)]
    #[must_use]
    pub fn n(&self) -> bool {
        self.nz < 0
    }

    /// Z.
    #[inline(always)]
    #[must_use]
    pub fn z(&self) -> bool {
        self.nz as u32 == 0
    }

    /// A value whose sign is N and which is zero if Z is set; `None` if both are.
    #[cfg(feature = "translator")]
    #[must_use]
    pub fn nz(&self) -> Option<u32> {
        (!self.n() || !self.z()).then(|| (self.nz >> 32) as u32 & 1 << 31 | u32::from(!self.z()))
    }

    /// The flags as in the APSR: N, Z, C, V, Q in bits 31 to 27, GE in bits 19 to 16.
    #[must_use]
    pub fn apsr(&self) -> u32 {
        u32::from(self.n()) << 31
            | u32::from(self.z()) << 30
            | u32::from(self.c) << 29
            | u32::from(self.v) << 28
            | u32::from(self.q) << 27
            | u32::from(self.ge) << 16
    }

    /// Does `condition` (0 to 14; DDI 0403, A7.3) hold?
    #[inline(always)]
    #[must_use]
    pub fn holds(&self, condition: u32) -> bool {
        let base = match condition >> 1 {
            0 => self.z(),
            1 => self.c,
            2 => self.n(),
            3 => self.v,
            4 => self.c && !self.z(),
            5 => self.n() == self.v,
            6 => self.n() == self.v && !self.z(),
            _ => return true,
        };
        base != (condition & 1 != 0)
    }

    /// Takes N, Z, C, V from bits 31 to 28.
    pub fn set_apsr(&mut self, value: u32) {
        let n = value >> 31 != 0;
        let z = value >> 30 & 1 != 0;
        self.nz = if n { i64::MIN } else { 0 } + i64::from(!z);
        self.c = value >> 29 & 1 != 0;
        self.v = value >> 28 & 1 != 0;
    }

    /// `a + b`; sets all four flags.
    #[inline(always)]
    pub fn add(&mut self, a: u32, b: u32) -> u32 {
        let (result, carry) = a.overflowing_add(b);
        self.c = carry;
        self.v = (a as i32).overflowing_add(b as i32).1;
        self.set_nz(result);
        result
    }

    /// `a - b`; sets all four flags. C is "no borrow", as the architecture has it.
    #[inline(always)]
    pub fn sub(&mut self, a: u32, b: u32) -> u32 {
        let (result, borrow) = a.overflowing_sub(b);
        self.c = !borrow;
        self.v = (a as i32).overflowing_sub(b as i32).1;
        self.set_nz(result);
        result
    }

    /// `a + b + C`; sets all four flags.
    #[inline(always)]
    pub fn add_with_carry(&mut self, a: u32, b: u32) -> u32 {
        let wide = u64::from(a) + u64::from(b) + u64::from(self.c);
        let result = wide as u32;
        self.c = wide >> 32 != 0;
        self.v = ((a ^ result) & (b ^ result)) >> 31 != 0;
        self.set_nz(result);
        result
    }

    /// Logical shift left by 1 to 31; sets N, Z, C.
    #[inline(always)]
    pub fn lsl(&mut self, value: u32, by: u32) -> u32 {
        let wide = u64::from(value) << (by & 63);
        self.c = wide >> 32 & 1 != 0;
        self.set_nz(wide as u32);
        wide as u32
    }

    /// Logical shift right by 1 or more; sets N, Z, C.
    #[inline(always)]
    pub fn lsr(&mut self, value: u32, by: u32) -> u32 {
        let wide = (u64::from(value) << 32) >> (by & 63);
        let result = (wide >> 32) as u32;
        self.c = wide >> 31 & 1 != 0;
        self.set_nz(result);
        result
    }

    /// Arithmetic shift right by 1 or more; sets N, Z, C.
    #[inline(always)]
    pub fn asr(&mut self, value: u32, by: u32) -> u32 {
        let wide = (i64::from(value as i32) << 32) >> (by & 63);
        let result = (wide >> 32) as u32;
        self.c = wide >> 31 & 1 != 0;
        self.set_nz(result);
        result
    }

    /// Rotate right by any amount but 0; sets N, Z, C.
    #[inline(always)]
    pub fn ror(&mut self, value: u32, by: u32) -> u32 {
        let result = value.rotate_right(by & 31);
        self.c = result >> 31 != 0;
        self.set_nz(result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    #[test]
    fn every_flag_combination_survives_the_status_register() {
        for nzcv in 0..16u32 {
            let mut flags = Flags::default();
            flags.set_apsr(nzcv << 28 | 0x0fff_ffff);
            assert_eq!(flags.apsr(), nzcv << 28);
        }
    }

    #[test]
    fn subtraction_sets_carry_when_it_does_not_borrow() {
        let mut flags = Flags::default();
        assert_eq!(flags.sub(5, 5), 0);
        assert_eq!(flags.apsr() >> 28, 0b0110);
        assert_eq!(flags.sub(0, 1), u32::MAX);
        assert_eq!(flags.apsr() >> 28, 0b1000);
        assert_eq!(flags.sub(0x8000_0000, 1), 0x7fff_ffff);
        assert_eq!(flags.apsr() >> 28, 0b0011);
    }
}
