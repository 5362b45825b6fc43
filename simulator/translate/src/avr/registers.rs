//! The registers of the intermediate form, and values within a block.

use crate::ir::{Expr, Register};

/// The lowest byte of the stack that is in use: SP + 1.
pub const STACK: Register = 33;
/// Carry: 0 or 1.
pub const C: Register = 34;
/// Zero if Z is set.
pub const Z: Register = 35;
/// N in bit 7.
pub const N: Register = 36;
/// V as in the interpreter's flags.
pub const V: Register = 37;
/// H in bit 4.
pub const H: Register = 38;
/// I and T, at their places in SREG.
pub const IT: Register = 39;
/// So many registers are kept; those below are values within a block.
pub const KEPT: u32 = 40;

/// The flags C to H, once the block has set them, in the same order.
pub const NEW: Register = 40;
/// A result in all its bits.
pub const WIDE: Register = 45;
/// A result.
pub const RESULT: Register = 46;
/// What was loaded.
pub const LOADED: Register = 47;
/// The same.
pub const LOADED_HIGH: Register = 48;
/// The first half that was written to the stack pointer.
pub const HALF: Register = 49;
/// r25:r24, X, Y and Z, where known.
pub const PAIRS: Register = 50;

/// The place of a pair, by the number of its lower register, among those that are kept together.
pub fn pair_place(low: u8) -> Option<u8> {
    (low >= 24 && low & 1 == 0).then(|| (low - 24) / 2)
}

/// One of r0 to r31.
pub fn number(register: u8) -> Register {
    register + 1
}

/// Its value.
pub fn value(register: u8) -> Expr {
    Expr::Register(number(register))
}
