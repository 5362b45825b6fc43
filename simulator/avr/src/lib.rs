//! The AVR instruction set: decoding, semantics and core timing.
//!
//! - `op`, `decode`: what an instruction is, and how flash words become instructions;
//! - `timing`: how many cycles each takes, per core;
//! - `flags`, `cpu`, `semantics`: what each does;
//! - `execute`: the loop, and where jumps lead; `fuse`: sequences executed as one; `sequences`: their list;
//! - `program`: flash, decoded once, with the cost of every straight-line stretch;
//! - `layout`: from a board's memories to the address spaces;
//! - `abi`, `machine`: a called function's arguments, and the [`AvrMachine`] that drives it all.
//!
//! `observe` runs a call one instruction at a time and reports each to an observer; `stepping` does so for
//! the check for leakage.
//!
//! Nothing here knows a board or does input or output. SPEED.md explains why it is built this way.

mod abi;
mod cpu;
mod decode;
mod disassemble;
mod effects;
mod execute;
mod flags;
mod fuse;
mod inspect;
mod instruction_set;
mod layout;
mod machine;
mod observe;
mod op;
mod program;
mod semantics;
mod sequences;
#[cfg(feature = "leakage")]
mod stepping;
mod timing;
#[cfg(feature = "translator")]
pub mod translator;

pub use decode::{decode, words, Variant, SPACE};
pub use disassemble::disassemble;
pub use inspect::Registers;
pub use instruction_set::{machine, INSTRUCTION_SET};
pub use machine::AvrMachine;
pub use op::{Code, Op};
#[cfg(feature = "leakage")]
pub use stepping::{Accessed, Entry, Run};

/// A boxed array, made without a detour over the stack.
pub(crate) fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has exactly N entries"),
    }
}
