//! What operations of any size make of values and of the flags (SLAU367, section 4.6.3, "Status Bits").
//!
//! Flags fall where the lazy [`Flags`] have those of words, which are four bits lower than those of 20 bits.

use super::instruction::{Rotation, Size};
use crate::flags::Flags;
use crate::instruction::Alu;

/// Sets N and Z by a result.
fn judge(flags: &mut Flags, size: Size, result: u32) {
    let value = result & size.mask();
    let negative = value >> (size.bits() - 1);
    flags.nz = negative << 15 | u32::from(value != 0);
}

fn set_v(flags: &mut Flags, size: Size, value: u32) {
    flags.v = (value >> (size.bits() - 1) & 1) << 15;
}

fn sum(flags: &mut Flags, size: Size, a: u32, b: u32, carry: u32) -> u32 {
    let sum = a + b + carry;
    flags.c = sum >> size.bits();
    judge(flags, size, sum);
    set_v(flags, size, (a ^ sum) & (b ^ sum));
    sum & size.mask()
}

/// C is "not zero" after logical operations.
fn logic(flags: &mut Flags, size: Size, result: u32, v: u32) -> u32 {
    judge(flags, size, result);
    flags.c = u32::from(result != 0);
    set_v(flags, size, v);
    result
}

/// The result of a two-operand operation; CMP and BIT have one too, which goes nowhere.
pub fn two(alu: Alu, flags: &mut Flags, size: Size, source: u32, target: u32) -> u32 {
    let mask = size.mask();
    let (a, b) = (source & mask, target & mask);
    match alu {
        Alu::Mov => a,
        Alu::Add => sum(flags, size, a, b, 0),
        Alu::Addc => sum(flags, size, a, b, flags.c),
        Alu::Subc => sum(flags, size, a ^ mask, b, flags.c),
        Alu::Sub | Alu::Cmp => sum(flags, size, a ^ mask, b, 1),
        Alu::Dadd => decimal(flags, size, a, b),
        Alu::Bit | Alu::And => logic(flags, size, a & b, 0),
        Alu::Bic => b & !a,
        Alu::Bis => b | a,
        // V: both operands were negative.
        Alu::Xor => logic(flags, size, a ^ b, a & b),
    }
}

/// DADD; see the original's for what the manual leaves undefined.
fn decimal(flags: &mut Flags, size: Size, a: u32, b: u32) -> u32 {
    let (mut carry, mut result) = (flags.c, 0);
    for place in (0..size.bits()).step_by(4) {
        let digit = (a >> place & 15) + (b >> place & 15) + carry;
        carry = u32::from(digit > 9);
        result |= ((digit + 6 * carry) & 15) << place;
    }
    judge(flags, size, result);
    (flags.c, flags.v) = (carry, 0);
    result
}

/// A rotation or shift by one bit. V is reset by all to the right; RLAM sets it as RLA does: the manual
/// leaves it undefined.
pub fn rotate(rotation: Rotation, flags: &mut Flags, size: Size, value: u32) -> u32 {
    let (mask, top) = (size.mask(), size.bits() - 1);
    let value = value & mask;
    let (result, carry) = match rotation {
        Rotation::Rrcm => (value >> 1 | flags.c << top, value & 1),
        Rotation::Rram => (value >> 1 | value & 1 << top, value & 1),
        Rotation::Rrum => (value >> 1, value & 1),
        Rotation::Rlam => (value << 1 & mask, value >> top),
    };
    judge(flags, size, result);
    flags.c = carry;
    set_v(flags, size, if rotation == Rotation::Rlam { value ^ result } else { 0 });
    result
}

/// SXT: bit 7 in all bits above it, to 20 or, in a word of memory, to 16.
pub fn extend_sign(flags: &mut Flags, size: Size, value: u32) -> u32 {
    let result = i32::from(value as u8 as i8) as u32 & size.mask();
    logic(flags, size, result, 0)
}

/// SWPB: the lower two bytes; bits 19 to 16 stay with `.A` and are cleared with `.W`.
pub fn swap(size: Size, value: u32) -> u32 {
    u32::from((value as u16).swap_bytes()) | value & size.mask() & !0xffff
}
