//! Cortex-M microcontrollers.
//!
//! Three things are kept apart: what instructions do ([`v6m`], [`v7m`]),
//! how long the core takes ([`core`], one file per core), and what memory adds
//! ([`pennyweight_memory::timing`]).
//! The loops in [`run`] put them together and are compiled once for each combination, so that
//! what a board does not have costs nothing. This crate contains no names of boards and reads no file.
//!
//! Another instruction set is a module like [`v6m`] that implements [`op::InstructionSet`] over
//! the same [`registers`] and [`system`] registers; another core is a file in [`core`]
//! that names its instruction set and gives its cycles; another flash is a file among the memory timings.
//! Its speed is documented in `SPEED.md`.

pub mod core;
mod effects;
mod instruction_set;
mod observe;
pub mod op;
pub mod place;
mod processor;
pub mod program;
pub mod registers;
pub mod run;
pub mod system;
pub mod v6m;
pub mod v7m;

pub use instruction_set::{machine, INSTRUCTION_SET};
pub use processor::{Thumb, ThumbMachine};
