//! 32-bit RISC-V microcontrollers: RV32IMAC with Zicsr and Zifencei, Zba, Zbb, Zbs, Zbkb, Zcb and Zcmp where a
//! core has them, and RV32EC with WCH's XW.
//!
//! Three things are kept apart: what instructions do ([`decode`], [`execute`]), how long the core
//! takes ([`core`], one file per core, and [`pipeline`]), and what memory adds
//! ([`pennyweight_memory::timing`]). The loops in [`run`] put them together and are compiled once
//! for each combination, so that what a board does not have costs nothing. This crate
//! contains no names of boards and reads no file. Its speed is documented in `SPEED.md`.

mod control;
pub mod core;
mod csr;
pub mod decode;
mod effects;
pub mod execute;
pub mod extensions;
mod observe;
pub mod op;
pub mod pipeline;
mod processor;
pub mod program;
pub mod registers;
pub mod run;

pub use processor::{machine, Riscv, RiscvMachine, INSTRUCTION_SET};
