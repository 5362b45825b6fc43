//! The status register, kept in pieces that are cheap to make.
//!
//! Almost every instruction sets flags and almost none reads them, so each piece is whatever falls
//! out of the operation, and SREG is built from the pieces only when it is read.
//!
//! With k = a ^ b ^ (a + b + carry), computed wider than eight bits, bit i of k is the carry *into*
//! bit i and bit 8 the carry out; the same word made from a - b - carry holds the borrows. So H is
//! bit 4 of k, and V is bit 7 ^ bit 8, for additions and subtractions alike.

/// The pieces of SREG.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    /// C: 0 or 1.
    pub c: u32,
    /// Z is set if this is 0.
    pub z: u32,
    /// N is bit 7.
    pub n: u32,
    /// V is bit 7 ^ bit 8. S is N ^ V after every operation, but SREG may be written with any S: it
    /// differs from N ^ V if bit 30 ^ bit 31, which no operation leaves set.
    pub v: u32,
    /// H is bit 4.
    pub h: u32,
    /// I and T, at their places in SREG.
    pub it: u32,
}

impl Flags {
    /// The pieces for a value of SREG.
    #[must_use]
    pub fn from_sreg(sreg: u8) -> Flags {
        let s = u32::from(sreg);
        let odd = (s >> 4 ^ s >> 3 ^ s >> 2) & 1;
        Flags {
            c: s & 1,
            z: !s & 2,
            n: s << 5 & 0x80,
            v: s << 5 & 0x100 | odd << 31,
            h: s >> 1 & 0x10,
            it: s & 0xc0,
        }
    }

    /// SREG.
    #[must_use]
    pub fn sreg(self) -> u8 {
        let (v, s) = (u32::from(self.v()), u32::from(self.s()));
        let n = self.n >> 7 & 1;
        let z = u32::from(self.z == 0);
        let sreg = self.c | z << 1 | n << 2 | v << 3 | s << 4 | (self.h >> 4 & 1) << 5 | self.it;
        (sreg & 0xff) as u8
    }

    /// S.
    #[inline(always)]
    #[must_use]
    pub fn s(self) -> bool {
        ((self.n ^ self.v ^ self.v >> 1) >> 7 ^ self.v >> 30 ^ self.v >> 31) & 1 != 0
    }

    /// V.
    #[inline(always)]
    #[must_use]
    pub fn v(self) -> bool {
        (self.v ^ self.v >> 1) & 0x80 != 0
    }

    #[inline(always)]
    fn sum(&mut self, a: u8, b: u8, carry: u32) -> u8 {
        let (a, b) = (u32::from(a), u32::from(b));
        let sum = a + b + carry;
        let carries = a ^ b ^ sum;
        self.c = sum >> 8;
        self.h = carries;
        self.v = carries;
        self.n = sum;
        self.z = sum & 0xff;
        sum as u8
    }

    #[inline(always)]
    fn difference(&mut self, a: u8, b: u8, borrow: u32) -> u8 {
        let (a, b) = (u32::from(a), u32::from(b));
        let difference = a.wrapping_sub(b).wrapping_sub(borrow);
        let borrows = a ^ b ^ difference;
        self.c = difference >> 31;
        self.h = borrows;
        self.v = borrows;
        self.n = difference;
        difference as u8
    }

    /// ADD.
    #[inline(always)]
    pub fn add(&mut self, a: u8, b: u8) -> u8 {
        self.sum(a, b, 0)
    }

    /// ADC.
    #[inline(always)]
    pub fn adc(&mut self, a: u8, b: u8) -> u8 {
        self.sum(a, b, self.c)
    }

    /// SUB, SUBI, CP, CPI, NEG.
    #[inline(always)]
    pub fn sub(&mut self, a: u8, b: u8) -> u8 {
        let result = self.difference(a, b, 0);
        self.z = u32::from(result);
        result
    }

    /// SBC, SBCI, CPC: Z stays set only if it was.
    #[inline(always)]
    pub fn sbc(&mut self, a: u8, b: u8) -> u8 {
        let result = self.difference(a, b, self.c);
        self.z |= u32::from(result);
        result
    }

    /// AND, OR, EOR and their immediate forms: the result's N and Z, V cleared.
    #[inline(always)]
    pub fn logic(&mut self, result: u8) -> u8 {
        self.n = u32::from(result);
        self.z = u32::from(result);
        self.v = 0;
        result
    }

    /// COM.
    #[inline(always)]
    pub fn com(&mut self, a: u8) -> u8 {
        self.c = 1;
        self.logic(!a)
    }

    /// INC.
    #[inline(always)]
    pub fn inc(&mut self, a: u8) -> u8 {
        let sum = u32::from(a) + 1;
        self.v = u32::from(a) ^ 1 ^ sum;
        self.n = sum;
        self.z = sum & 0xff;
        sum as u8
    }

    /// DEC.
    #[inline(always)]
    pub fn dec(&mut self, a: u8) -> u8 {
        let difference = u32::from(a).wrapping_sub(1);
        self.v = u32::from(a) ^ 1 ^ difference;
        self.n = difference;
        self.z = difference & 0xff;
        difference as u8
    }

    /// The flags of a right shift: C is the bit shifted out, V = N ^ C.
    #[inline(always)]
    fn shifted(&mut self, a: u8, result: u8) -> u8 {
        self.c = u32::from(a & 1);
        self.n = u32::from(result);
        self.z = u32::from(result);
        self.v = u32::from(result & 0x80) | self.c << 8;
        result
    }

    /// LSR.
    #[inline(always)]
    pub fn lsr(&mut self, a: u8) -> u8 {
        self.shifted(a, a >> 1)
    }

    /// ROR.
    #[inline(always)]
    pub fn ror(&mut self, a: u8) -> u8 {
        let result = a >> 1 | (self.c << 7) as u8;
        self.shifted(a, result)
    }

    /// ASR.
    #[inline(always)]
    pub fn asr(&mut self, a: u8) -> u8 {
        self.shifted(a, a >> 1 | a & 0x80)
    }

    /// ADIW.
    #[inline(always)]
    pub fn adiw(&mut self, a: u16, k: u8) -> u16 {
        let (a, k) = (u32::from(a), u32::from(k));
        let sum = a + k;
        self.c = sum >> 16;
        self.v = (a ^ k ^ sum) >> 8;
        self.n = sum >> 8;
        self.z = sum & 0xffff;
        sum as u16
    }

    /// SBIW.
    #[inline(always)]
    pub fn sbiw(&mut self, a: u16, k: u8) -> u16 {
        let (a, k) = (u32::from(a), u32::from(k));
        let difference = a.wrapping_sub(k);
        self.c = difference >> 31;
        self.v = (a ^ k ^ difference) >> 8;
        self.n = difference >> 8;
        self.z = difference & 0xffff;
        difference as u16
    }

    /// MUL, MULS, MULSU: C is bit 15 of the product.
    #[inline(always)]
    pub fn mul(&mut self, product: u16) -> u16 {
        self.c = u32::from(product >> 15);
        self.z = u32::from(product);
        product
    }

    /// FMUL, FMULS, FMULSU: the product is shifted left, C is the bit shifted out.
    #[inline(always)]
    pub fn fmul(&mut self, product: u16) -> u16 {
        self.c = u32::from(product >> 15);
        self.z = u32::from(product << 1);
        product << 1
    }
}

#[cfg(test)]
mod tests;
