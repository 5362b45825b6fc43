//! Core timing (SLAU049, section 3.4.4, "Instruction Cycles and Lengths"): a matter of format and
//! addressing modes alone, whatever the operation and whether on a byte or a word.
//!
//! The parts run from flash and RAM without wait states at all their clocks (to 8 MHz).

use crate::instruction::{Instruction, Kind, Operand, Unary, PC};

/// Cycles of an instruction. Jumps take the same taken or not ("Format-III (Jump) Instruction Cycles
/// and Lengths": all take two).
#[must_use]
pub fn cycles(instruction: &Instruction) -> u32 {
    match instruction.kind {
        Kind::Two { source, target, .. } => format_one(source, target),
        Kind::One { unary: Unary::Push, operand, .. } => push(operand),
        Kind::One { unary: Unary::Call, operand, .. } => call(operand),
        Kind::One { operand, .. } => rotate(operand),
        Kind::Jump(..) => 2,
        // Table 3-14, "Interrupt and Reset Cycles": return from interrupt.
        Kind::Reti => 5,
        // Never executed to the end.
        Kind::Extended(_) | Kind::Undefined(_) => 0,
    }
}

/// Table 3-16, "Format I Instruction Cycles and Lengths". Constants of the generators count as
/// registers (section 3.2.4: no additional cycles).
fn format_one(source: Operand, target: Operand) -> u32 {
    let to_pc = target == Operand::Register(PC);
    let to_register = matches!(target, Operand::Register(_));
    match source {
        // Row Rn: Rm 1, PC 2, memory 4.
        Operand::Register(_) | Operand::Constant(_) if to_pc => 2,
        Operand::Register(_) | Operand::Constant(_) if to_register => 1,
        Operand::Register(_) | Operand::Constant(_) => 4,
        // Row @Rn: Rm 2, PC 2, memory 5.
        Operand::Indirect(_) if to_register => 2,
        Operand::Indirect(_) => 5,
        // Rows @Rn+ and #N: Rm 2, PC 3, memory 5.
        Operand::Increment(_) | Operand::Immediate(_) if to_pc => 3,
        Operand::Increment(_) | Operand::Immediate(_) if to_register => 2,
        Operand::Increment(_) | Operand::Immediate(_) => 5,
        // Rows x(Rn), EDE and &EDE: Rm 3, PC 3, memory 6.
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) if to_register => 3,
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => 6,
    }
}

/// Table 3-15, "Format II Instruction Cycles and Lengths", column RRA, RRC, SWPB, SXT.
fn rotate(operand: Operand) -> u32 {
    match operand {
        Operand::Register(_) | Operand::Constant(_) => 1,
        Operand::Indirect(_) | Operand::Increment(_) | Operand::Immediate(_) => 3,
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => 4,
    }
}

/// The same table, column PUSH.
fn push(operand: Operand) -> u32 {
    match operand {
        Operand::Register(_) | Operand::Constant(_) => 3,
        Operand::Indirect(_) | Operand::Immediate(_) => 4,
        Operand::Increment(_) => 5,
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => 5,
    }
}

/// The same table, column CALL.
fn call(operand: Operand) -> u32 {
    match operand {
        Operand::Register(_) | Operand::Constant(_) | Operand::Indirect(_) => 4,
        Operand::Increment(_) | Operand::Immediate(_) => 5,
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => 5,
    }
}
