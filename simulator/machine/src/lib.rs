//! What every simulated core shares.
//!
//! This crate does not depend on an instruction set. It holds the descriptions of boards and
//! cores, the ELF image, faults, outcomes, the stack watch, the guard zones and observers. It does no
//! input or output.

pub mod account;
pub mod board;
pub mod call;
#[cfg(feature = "translator")]
pub mod called;
pub mod core;
pub mod effects;
pub mod fault;
mod fields;
pub mod guard;
pub mod image;
pub mod instruction_set;
pub mod load;
pub mod observe;
pub mod profile;
pub mod secrets;
pub mod stack;

pub use board::{Board, BoardError, CoreRef, Memory, MemoryKind, MemoryTiming, RandomSource};
pub use call::{Arg, CallOptions, Drawn, Exit, Machine, OutOfMap, Outcome, Zone};
pub use core::{CoreFile, Parameters};
pub use fault::{Access, Fault, FaultKind};
pub use image::{Architecture, Image, ImageError, Segment, Symbol};
pub use instruction_set::InstructionSet;
pub use load::LoadError;
pub use observe::Observer;
pub use profile::Profile;
pub use secrets::Secrets;
