//! The status register, kept in pieces that are cheap to make.
//!
//! Almost every instruction sets flags and almost none reads them, so each piece is whatever falls
//! out of the operation; the register is built only when it is read. Operations on
//! bytes are done in the upper half of a word, so that all pieces lie where those of words do.

/// GIE, CPUOFF, OSCOFF, SCG0 and SCG1 (SLAU049, table 3-1).
const CONTROL: u16 = 0x00f8;
/// GIE: interrupts are enabled.
pub const GIE: u16 = 0x0008;
/// CPUOFF: the CPU stops.
pub const CPUOFF: u16 = 0x0010;

/// The pieces of the status register.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// C: 0 or 1.
    pub c: u32,
    /// Z is set if the low 16 bits are 0, N if bit 15 or 16 is set. A result carries both; bit 16
    /// means both N and Z, which only a write to the register can make.
    pub nz: u32,
    /// V is bit 15.
    pub v: u32,
    /// The bits that are no flags.
    pub control: u16,
}

impl Flags {
    /// The pieces for a value of the register; reserved bits are lost.
    #[must_use]
    pub fn from_sr(sr: u16) -> Flags {
        let sr32 = u32::from(sr);
        Flags {
            c: sr32 & 1,
            nz: (!sr32 >> 1 & 1) | (sr32 << 14 & 0x1_0000),
            v: sr32 << 7 & 0x8000,
            control: sr & CONTROL,
        }
    }

    /// The register: V is bit 8, N 2, Z 1, C 0.
    #[must_use]
    pub fn sr(self) -> u16 {
        let bit = |set: bool, place: u16| u16::from(set) << place;
        self.control | bit(self.v(), 8) | bit(self.n(), 2) | bit(self.z(), 1) | bit(self.c != 0, 0)
    }

    /// N.
    #[inline(always)]
    #[must_use]
    pub fn n(self) -> bool {
        self.nz & 0x1_8000 != 0
    }

    /// Z.
    #[inline(always)]
    #[must_use]
    pub fn z(self) -> bool {
        self.nz & 0xffff == 0
    }

    /// V.
    #[inline(always)]
    #[must_use]
    pub fn v(self) -> bool {
        self.v & 0x8000 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    #[test]
    fn every_value_of_the_register_comes_back() {
        for sr in 0..0x200 {
            assert_eq!(Flags::from_sr(sr).sr(), sr, "{sr:#05x}");
        }
        assert_eq!(Flags::from_sr(0xfe00).sr(), 0);
    }
}
