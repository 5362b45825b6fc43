//! Xtensa microcontrollers: the base instruction set with the density, 16- and 32-bit multiply,
//! normalisation and miscellaneous options, and the call0 ABI. No windowed registers, no loops.
//!
//! Three things are kept apart: what instructions do ([`decode`], [`execute`]), how long the core
//! takes ([`core`]), and what memory adds ([`pennyweight_memory::timing`]). The loop in [`run`]
//! puts them together. This crate knows no board by name and reads no file.
//!
//! Reference: Xtensa Instruction Set Architecture (ISA) Reference Manual (Cadence, 2010 and
//! later), chapters 4 (options), 6 (instruction descriptions) and 7 (encodings), little-endian.

mod call0;
pub mod core;
pub mod decode;
pub mod execute;
mod machine;
pub mod op;
pub mod program;
pub mod run;

pub use machine::XtensaMachine;
