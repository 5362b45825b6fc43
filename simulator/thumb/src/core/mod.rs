//! Core timing: cycles of each instruction on a memory without wait states.

mod cortex_m0;

pub use cortex_m0::CortexM0;

use crate::op::{InstructionSet, Op};

/// A core: an instruction set and its cycles.
pub trait Core {
    /// What it executes.
    type Set: InstructionSet;

    /// The name that a board file's `core.name` uses.
    const NAME: &'static str;

    /// Cycles of an instruction; of a conditional branch when it is not taken.
    fn cycles(op: &Op<<Self::Set as InstructionSet>::Code>) -> u32;

    /// Cycles that a conditional branch takes more when it is taken.
    const TAKEN: u32;
}
