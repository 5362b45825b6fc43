//! The registers of the intermediate form, and values within a block. R1 and R4 to R15 have their own numbers.

use crate::ir::{Expr, Register};

/// The stack pointer.
pub const STACK: Register = 1;
/// The bits of the status register that are no flags.
pub const CONTROL: Register = 2;
/// C: 0 or 1.
pub const C: Register = 3;
/// The first of those that compute.
pub const GENERAL: Register = 4;
/// N and Z, as in the interpreter's flags.
pub const NZ: Register = 16;
/// V in bit 15.
pub const V: Register = 17;
/// Which word of the multiplier's first operand was written last.
pub const MODE: Register = 18;
/// The multiplier's first operand.
pub const FIRST: Register = 19;
/// Its second operand.
pub const SECOND: Register = 20;
/// The lower 32 bits of its result.
pub const SUM: Register = 21;
/// The upper 32 bits.
pub const SUM_HIGH: Register = 22;
/// SUMEXT.
pub const EXTENSION: Register = 23;
/// Has its second operand 32 bits?
pub const LONG_SECOND: Register = 24;
/// So many registers are kept; those below are values within a block.
pub const KEPT: u32 = 25;

/// C, NZ and V, once the block has set them.
pub const NEW: [Register; 3] = [25, 26, 27];
/// A result with the bits above it.
pub const WIDE: Register = 28;
/// A result.
pub const RESULT: Register = 29;
/// A source.
pub const A: Register = 30;
/// A target's value before.
pub const B: Register = 31;
/// The address of a target.
pub const PLACE: Register = 32;
/// The upper word of what was loaded.
pub const UPPER: Register = 33;
/// Of the moment.
pub const TEMPORARY: Register = 34;

/// A register's value.
pub fn value(register: Register) -> Expr {
    Expr::Register(register)
}
