//! What operations make of values, and of the flags (SLAU049, section 3.4, "Status Bits" of each).
//!
//! Arguments on bytes may carry anything in their upper half; results have zeros there.

use crate::flags::Flags;
use crate::instruction::Alu;

/// By how much operands are shifted up so that flags fall where those of words do.
#[inline(always)]
const fn up(byte: bool) -> u32 {
    if byte {
        8
    } else {
        0
    }
}

/// Where the operand's bits lie then.
#[inline(always)]
const fn mask(byte: bool) -> u32 {
    if byte {
        0xff00
    } else {
        0xffff
    }
}

#[inline(always)]
fn lift(byte: bool, value: u16) -> u32 {
    u32::from(value) << up(byte) & mask(byte)
}

/// Adds what was lifted.
#[inline(always)]
fn sum(flags: &mut Flags, byte: bool, a: u32, b: u32, carry: u32) -> u16 {
    let sum = a + b + (carry << up(byte));
    flags.c = sum >> 16;
    flags.nz = sum & 0xffff;
    flags.v = (a ^ sum) & (b ^ sum);
    ((sum & 0xffff) >> up(byte)) as u16
}

/// C is "not zero" after logical operations.
#[inline(always)]
fn logic(flags: &mut Flags, byte: bool, lifted: u32, v: u32) -> u16 {
    flags.c = u32::from(lifted != 0);
    flags.nz = lifted;
    flags.v = v;
    (lifted >> up(byte)) as u16
}

/// The result of a two-operand operation; CMP and BIT have one too, which goes nowhere.
#[inline(always)]
pub fn two(alu: Alu, flags: &mut Flags, byte: bool, source: u16, target: u16) -> u16 {
    let (a, b) = (lift(byte, source), lift(byte, target));
    match alu {
        Alu::Mov => (a >> up(byte)) as u16,
        Alu::Add => sum(flags, byte, a, b, 0),
        Alu::Addc => sum(flags, byte, a, b, flags.c),
        // target + not source + carry: C is "no borrow".
        Alu::Subc => sum(flags, byte, a ^ mask(byte), b, flags.c),
        Alu::Sub | Alu::Cmp => sum(flags, byte, a ^ mask(byte), b, 1),
        Alu::Dadd => decimal(flags, byte, source, target),
        Alu::Bit | Alu::And => logic(flags, byte, a & b, 0),
        Alu::Bic => ((b & !a) >> up(byte)) as u16,
        Alu::Bis => ((b | a) >> up(byte)) as u16,
        // V: both operands were negative.
        Alu::Xor => logic(flags, byte, a ^ b, a & b),
    }
}

/// Does the result go to the target?
#[inline(always)]
pub const fn stores(alu: Alu) -> bool {
    !matches!(alu, Alu::Cmp | Alu::Bit)
}

/// DADD. The manual leaves V undefined, and what becomes of digits above 9: here V is reset, and a digit
/// is corrected by 10 once if it is above 9, as a decimal adder does.
fn decimal(flags: &mut Flags, byte: bool, source: u16, target: u16) -> u16 {
    let mut carry = flags.c;
    let mut result = 0;
    for place in (0..if byte { 8 } else { 16 }).step_by(4) {
        let mut digit = (u32::from(source) >> place & 15) + (u32::from(target) >> place & 15) + carry;
        carry = u32::from(digit > 9);
        if digit > 9 {
            digit += 6;
        }
        result |= (digit & 15) << place;
    }
    flags.c = carry;
    flags.nz = result << up(byte);
    flags.v = 0;
    result as u16
}

/// RRC: V is "was positive, and C comes in".
#[inline(always)]
pub fn rrc(flags: &mut Flags, byte: bool, value: u16) -> u16 {
    let v = lift(byte, value);
    let result = (v >> 1 | flags.c << 15) & mask(byte);
    flags.v = !v & result;
    flags.c = u32::from(value) & 1;
    flags.nz = result;
    (result >> up(byte)) as u16
}

/// RRA.
#[inline(always)]
pub fn rra(flags: &mut Flags, byte: bool, value: u16) -> u16 {
    let v = lift(byte, value);
    let result = (v >> 1 | v & 0x8000) & mask(byte);
    flags.v = 0;
    flags.c = u32::from(value) & 1;
    flags.nz = result;
    (result >> up(byte)) as u16
}

/// SXT.
#[inline(always)]
pub fn sxt(flags: &mut Flags, value: u16) -> u16 {
    logic(flags, false, u32::from(value as u8 as i8 as u16), 0)
}
