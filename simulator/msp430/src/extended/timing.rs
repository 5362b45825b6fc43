//! Core timing of CPUXV2 (SLAU367, sections 4.5.1.5 and 4.5.2.7), without wait states.
//!
//! Differences from the original CPU: MOV, BIT and CMP on memory, branches, PUSH and CALL.

use super::execute;
use super::instruction::{Extended, Size, Times};
use crate::flags::Flags;
use crate::instruction::{Alu, Instruction, Kind, Operand, Unary, PC, SP};

/// Cycles of an instruction; those of one that is repeated as often as a register says, for one time.
#[must_use]
pub fn cycles(instruction: &Instruction) -> u32 {
    match instruction.kind {
        Kind::Two { alu, source, target, .. } => format_one(alu, source, target),
        Kind::One { unary: Unary::Push, operand, .. } => push(operand),
        Kind::One { unary: Unary::Call, operand, .. } => call(operand),
        Kind::One { operand, .. } => rotate(operand),
        // Section 4.5.1.5.3: taken or not.
        Kind::Jump(..) => 2,
        // Table 4-8.
        Kind::Reti => 5,
        Kind::Extended(Extended::Two { alu, size, source, target, repeat }) => {
            extended_one(alu, size, source, target) + more(repeat.times)
        }
        Kind::Extended(Extended::One { unary: Unary::Push, size, operand, repeat }) => {
            extended_push(size, operand) * (1 + more(repeat.times))
        }
        Kind::Extended(Extended::One { size, operand, repeat, .. }) => {
            extended_rotate(size, operand) + more(repeat.times)
        }
        Kind::Extended(Extended::Move(source, target)) => move_address(source, target),
        Kind::Extended(Extended::Address(_, source, register)) => change_address(source, register),
        Kind::Extended(Extended::Call(operand)) => call_address(operand),
        // Table 4-17: n.
        Kind::Extended(Extended::Rotate { times, .. }) => times.into(),
        // The same table: 2 + n and 2 + 2n.
        Kind::Extended(Extended::PushMany(size, count, _) | Extended::PopMany(size, count, _)) => {
            2 + u32::from(count) * if size == Size::Address { 2 } else { 1 }
        }
        // Never executed to the end.
        Kind::Undefined(_) => 0,
    }
}

/// Cycles of an instruction beyond `cycles`, for executions after the first one whose number is in a register.
#[must_use]
pub fn repeated(instruction: &Extended, registers: &[u32; 16], flags: Flags) -> u32 {
    let (Extended::Two { repeat, .. } | Extended::One { repeat, .. }) = instruction else { return 0 };
    let Times::InRegister(register) = repeat.times else { return 0 };
    let each = match *instruction {
        Extended::One { unary: Unary::Push, size, operand, .. } => extended_push(size, operand),
        _ => 1,
    };
    each * execute::more(register, registers, flags)
}

/// Executions after the first one.
fn more(times: Times) -> u32 {
    match times {
        Times::Fixed(times) => u32::from(times) - 1,
        Times::InRegister(_) => 0,
    }
}

/// An operand's column or row. Constants of the generators count as registers (section 4.3.4).
enum Mode {
    Register,
    Indirect,
    Increment,
    Immediate,
    Indexed,
}

fn mode<N>(operand: Operand<N>) -> Mode {
    match operand {
        Operand::Register(_) | Operand::Constant(_) => Mode::Register,
        Operand::Indirect(_) => Mode::Indirect,
        Operand::Increment(_) => Mode::Increment,
        Operand::Immediate(_) => Mode::Immediate,
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => Mode::Indexed,
    }
}

/// MOV, BIT and CMP access their target once (notes 1 to 3 of tables 4-10 and 4-18).
fn accesses_once(alu: Alu) -> bool {
    matches!(alu, Alu::Mov | Alu::Bit | Alu::Cmp)
}

/// Table 4-10, "MSP430 Format I Instructions Cycles and Length".
fn format_one(alu: Alu, source: Operand, target: Operand) -> u32 {
    let [register, pc, memory] = match mode(source) {
        Mode::Register => [1, 3, 4],
        Mode::Indirect | Mode::Increment => [2, 4, 5],
        Mode::Immediate => [2, 3, 5],
        Mode::Indexed => [3, 5, 6],
    };
    match target {
        Operand::Register(PC) => pc,
        Operand::Register(_) => register,
        _ => memory - u32::from(accesses_once(alu)),
    }
}

/// Table 4-9, "MSP430 Format II Instruction Cycles and Length", column RRA, RRC, SWPB, SXT.
fn rotate(operand: Operand) -> u32 {
    match mode(operand) {
        Mode::Register => 1,
        Mode::Indirect | Mode::Increment | Mode::Immediate => 3,
        Mode::Indexed => 4,
    }
}

/// The same table, column PUSH.
fn push(operand: Operand) -> u32 {
    match mode(operand) {
        Mode::Indexed => 4,
        _ => 3,
    }
}

/// The same table, column CALL.
fn call(operand: Operand) -> u32 {
    match operand {
        Operand::Absolute(_) => 6,
        Operand::Indexed(..) | Operand::Symbolic(_) => 5,
        _ => 4,
    }
}

/// Table 4-18, "MSP430X Format I Instruction Cycles and Length".
fn extended_one(alu: Alu, size: Size, source: Operand<u32>, target: Operand<u32>) -> u32 {
    let source = mode(source);
    let is_short = size != Size::Address;
    let [register, pc, memory] = match (&source, is_short) {
        (Mode::Register, true) => [2, 4, 5],
        (Mode::Register, false) => [2, 4, 7],
        (Mode::Indirect | Mode::Increment, true) => [3, 5, 6],
        (Mode::Indirect | Mode::Increment, false) => [4, 6, 9],
        (Mode::Immediate, true) => [3, 4, 6],
        (Mode::Immediate, false) => [3, 4, 8],
        (Mode::Indexed, true) => [4, 6, 7],
        (Mode::Indexed, false) => [5, 7, 10],
    };
    match target {
        // Note 4, on the rows #N, x(Rn), EDE and &EDE.
        Operand::Register(PC) if matches!(source, Mode::Immediate | Mode::Indexed) => {
            pc - u32::from(matches!(alu, Alu::Mov | Alu::Add | Alu::Sub))
        }
        Operand::Register(PC) => pc,
        Operand::Register(_) => register,
        _ if accesses_once(alu) => memory - if is_short { 1 } else { 2 },
        _ => memory,
    }
}

/// Table 4-17, "MSP430X Format II Instruction Cycles", rows RRAX and RRCX. The table has no rows for SWPBX
/// and SXTX, which read and write their operand as often.
fn extended_rotate(size: Size, operand: Operand<u32>) -> u32 {
    let [register, indirect, indexed] = if size == Size::Address { [2, 6, 7] } else { [2, 4, 5] };
    match mode(operand) {
        Mode::Register => register,
        Mode::Indexed => indexed,
        _ => indirect,
    }
}

/// The same table, rows PUSHX; note 1: x(SP) takes one more.
fn extended_push(size: Size, operand: Operand<u32>) -> u32 {
    let is_long = size == Size::Address;
    let indexed = if is_long { 7 } else { 5 };
    match operand {
        Operand::Indexed(SP, _) => indexed + 1,
        Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) => indexed,
        Operand::Indirect(_) | Operand::Increment(_) if is_long => 6,
        _ if is_long => 5,
        _ => 4,
    }
}

/// The same table, row CALLA; note 1 as above.
fn call_address(operand: Operand<u32>) -> u32 {
    match operand {
        Operand::Indirect(_) | Operand::Increment(_) | Operand::Indexed(SP, _) => 6,
        Operand::Symbolic(_) | Operand::Absolute(_) => 7,
        _ => 5,
    }
}

/// Table 4-19, "Address Instruction Cycles and Length", column MOVA, BRA.
fn move_address(source: Operand<u32>, target: Operand<u32>) -> u32 {
    let [register, pc] = match mode(source) {
        Mode::Register => [1, 3],
        Mode::Indirect | Mode::Increment => [3, 5],
        Mode::Immediate => [2, 3],
        Mode::Indexed => [4, 6],
    };
    match target {
        Operand::Register(PC) => pc,
        Operand::Register(_) => register,
        _ => 4,
    }
}

/// The same table, column CMPA, ADDA, SUBA. mspdebug's authors found 2 cycles for an immediate on an
/// MSP430FR5739; the table has 3.
fn change_address(source: Operand<u32>, register: u8) -> u32 {
    match mode(source) {
        Mode::Register if register != PC => 1,
        _ => 3,
    }
}
