//! The MSP430 instruction sets: decoding, semantics, core timing and the hardware multipliers.
//!
//! The original CPU (MSP430x1xx Family User's Guide, SLAU049, chapter 3) and, in `extended`, MSP430X.
//!
//! - `cpu`: what distinguishes the two;
//! - `instruction`, `decode`: what an instruction is, and how words become instructions;
//! - `timing`: how many cycles each takes;
//! - `flags`, `alu`: what operations do to values and to the status register;
//! - `core`, `bus`, `multiplier`, `multiplier32`: registers, memory and the one peripheral that code computes
//!   with;
//! - `op`, `lower`: the common instructions in the form in which the loop runs them;
//! - `general`: every instruction, the common ones too, as the manual describes it;
//! - `program`: flash, decoded once, with the cost of every straight-line stretch;
//! - `execute`: the loop, and where jumps lead;
//! - `eabi`, `machine`: a called function's arguments, and the [`Msp430Machine`] or
//!   [`Msp430xMachine`] that drives it all;
//! - `translator`: what translated code needs of them.
//!
//! Nothing here knows a board or does input or output. SPEED.md explains why it is built this way.

mod alu;
mod bus;
mod core;
mod cpu;
mod decode;
mod eabi;
mod effects;
mod execute;
mod extended;
mod flags;
mod general;
mod inspect;
mod instruction;
mod lower;
mod machine;
mod multiplier;
mod multiplier32;
mod observe;
mod op;
mod program;
mod timing;
#[cfg(feature = "translator")]
pub mod translator;

pub use decode::decode;
pub use extended::instruction::{Extended, Repeat, Rotation, Size, Times};
pub use inspect::Registers;
pub use instruction::{Alu, Condition, Instruction, Kind, Operand, Unary};
pub use machine::{machine, Microcontroller, Msp430Machine, Msp430xMachine, INSTRUCTION_SET};
pub use timing::cycles;
