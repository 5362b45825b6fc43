//! MIPS microcontrollers: MIPS32 release 2 without floating point and without MIPS16e, little-endian,
//! and the o32 ABI.
//!
//! Three things are kept apart: what instructions do ([`decode`], [`execute`]), how long the core
//! takes ([`core`], [`pipeline`]), and what memory adds ([`pennyweight_memory::timing`]). The loop in
//! [`run`] puts them together. This crate knows no board by name and reads no file.
//!
//! Reference: MIPS Architecture For Programmers, Volume II: The MIPS32 Instruction Set (MD00086,
//! revision 2.50 and later).

pub mod core;
pub mod decode;
mod effects;
pub mod execute;
mod machine;
mod names;
mod o32;
mod observe;
pub mod op;
pub mod pipeline;
pub mod run;

pub use machine::MipsMachine;
