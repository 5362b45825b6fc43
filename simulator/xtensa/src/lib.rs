//! Xtensa microcontrollers: the base instruction set with the density, multiply, divide, loop,
//! boolean, multiply-accumulate, conditional store and miscellaneous options, and windowed
//! registers; the call0 and the windowed ABI. No floating point.
//!
//! Three things are kept apart: what instructions do ([`decode`], [`execute`]), how long the core
//! takes ([`core`]), and what memory adds ([`pennyweight_memory::timing`]). The loop in [`run`]
//! puts them together. This crate contains no names of boards and reads no file.
//!
//! Reference: Xtensa Instruction Set Architecture (ISA) Reference Manual (Cadence, 2010 and
//! later), chapters 4 (options), 6 (instruction descriptions) and 7 (encodings), little-endian.

pub mod core;
pub mod decode;
mod effects;
pub mod execute;
pub mod loops;
pub mod mac;
mod observe;
pub mod op;
mod processor;
pub mod program;
pub mod run;
pub mod special;
pub mod timing;
pub mod windows;

pub use processor::{machine, Xtensa, XtensaMachine, INSTRUCTION_SET};
