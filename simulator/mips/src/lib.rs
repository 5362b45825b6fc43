//! MIPS microcontrollers: MIPS32 release 2 without floating point, with the 16-bit code of MIPS16e,
//! little-endian, and the o32 ABI.
//!
//! Three things are kept apart: what instructions do ([`decode`], [`execute`]), how long the core
//! takes ([`core`], [`pipeline`]), and what memory adds ([`pennyweight_memory::timing`]). The loop in
//! [`run`] puts them together. Code of 16 bits ([`short`]) does with few exceptions what instructions of
//! MIPS32 do, and is decoded to these. This crate contains no names of boards and reads no file.
//!
//! Reference: MIPS Architecture For Programmers, Volume II: The MIPS32 Instruction Set (MD00086,
//! revision 2.50 and later); Volume IV-a: The MIPS16e Application-Specific Extension to the MIPS32
//! Architecture (MD00076, revision 2.60).

pub mod core;
pub mod decode;
mod effects;
pub mod execute;
pub mod frame;
mod names;
mod observe;
pub mod op;
pub mod pipeline;
mod processor;
pub mod run;
mod run_short;
pub mod short;

pub use processor::{machine, Mips, MipsMachine, INSTRUCTION_SET};
