//! Core timing: cycles of each instruction on a memory without wait states.
//!
//! What an instruction takes may depend on its neighbours (loads that overlap), on where a branch
//! goes (how soon the fetch unit has the target), and on operands. The first two are known when
//! decoding: sums of them by address cost nothing while running.

mod armv6m;
mod cortex_m0;
mod cortex_m0plus;
mod cortex_m3;
mod cortex_m33;
mod cortex_m4;
mod operands;
mod pipeline;

pub use cortex_m0::CortexM0;
pub use cortex_m0plus::CortexM0Plus;
pub use cortex_m3::CortexM3;
pub use cortex_m33::CortexM33;
pub use cortex_m4::CortexM4;

use pennyweight_machine::{BoardError, Parameters};

use crate::op::{InstructionSet, Op, Work};
use crate::place::Place;

/// A core's operations.
pub type OpOf<C> = Op<<<C as Core>::Set as InstructionSet>::Code>;

/// A core: an instruction set and its cycles. Its numbers are asked for when decoding only, so that the
/// loop is the same whatever they are.
pub trait Core: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// What it executes.
    type Set: InstructionSet;

    /// The timing model's name in core files.
    const MODEL: &'static str;

    /// The core with the numbers of a core file.
    ///
    /// # Errors
    /// One is out of its range.
    fn new(parameters: &mut Parameters<'_>) -> Result<Self, BoardError>;

    /// Cycles of an instruction; of a conditional branch when it is not taken. What is not known
    /// when decoding comes on top.
    fn cycles(&self, op: &OpOf<Self>) -> u32;

    /// Cycles that a conditional branch takes more when it is taken.
    const TAKEN: u32;

    /// The same of `op`, where branches differ.
    #[inline(always)]
    fn taken(op: &OpOf<Self>) -> u32 {
        let _ = op;
        Self::TAKEN
    }

    /// Words of code that the core fetches before it executes them, where a memory with wait states
    /// makes that matter; 0: its memory's model is without.
    const FETCHED_AHEAD: u32 = 0;

    /// Cycles of an instruction whose condition does not hold.
    const SKIPPED: u32 = 1;

    /// Does `overlap` or `refill` ever give anything but 0?
    const CONTEXT: bool = false;

    /// Cycles added to `op` (below 0: saved) by its neighbours at `place`, where the flow comes from the
    /// instruction before it and continues to the next. At most the cycles of `op` are saved.
    fn overlap(op: &OpOf<Self>, place: &Place<'_>) -> i32 {
        let _ = (op, place);
        0
    }

    /// `op` with what it needs to know of its neighbours at `place` while running, for `taken`.
    fn settled(op: OpOf<Self>, place: &Place<'_>) -> OpOf<Self> {
        let _ = place;
        op
    }

    /// Cycles that a taken branch waits for `target` at `place`.
    fn refill(target: &OpOf<Self>, place: &Place<'_>) -> u32 {
        let _ = (target, place);
        0
    }

    /// Cycles that `op` takes beyond `cycles` because of its operands.
    fn busy(op: &OpOf<Self>, work: Work) -> u32 {
        let _ = (op, work);
        0
    }
}
