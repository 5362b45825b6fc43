//! A call that an interpreter and translated code run in turns.

use crate::guard::Guard;
use crate::{CallOptions, Exit};

/// A function that is being called.
#[derive(Debug)]
pub struct Called {
    /// The guard zones, if there are any.
    pub guard: Option<Guard>,
    /// The stack pointer once it has returned.
    pub top: u32,
    /// One past the highest byte of the stack.
    pub stack_end: u32,
    /// The budget in cycles.
    pub budget: u64,
    /// Cycles so far.
    pub cycles: u64,
    /// Instructions so far.
    pub instructions: u64,
    /// The address of the last jump, or of the function.
    pub jumped: u32,
}

/// Why the interpreter stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The call is over.
    Ended(Exit),
    /// It ran as long as it should, or translated code begins at the program counter.
    Paused,
}

impl Called {
    /// A call of `function` that begins. `guard` makes guard zones if the options have some.
    #[must_use]
    pub fn new(
        function: u32,
        options: &CallOptions,
        (top, stack_end): (u32, u32),
        guard: impl FnOnce() -> Guard,
    ) -> Called {
        let guard = (!options.zones.is_empty()).then(guard);
        let (budget, jumped) = (options.budget, function);
        Called { guard, top, stack_end, budget, cycles: 0, instructions: 0, jumped }
    }

    /// Is the budget spent?
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.cycles >= self.budget
    }

    /// Cycles of the next run of the interpreter, which should be so many.
    #[must_use]
    pub fn slice(&self, cycles: u64) -> u32 {
        self.budget.saturating_sub(self.cycles).min(cycles).min(1 << 31) as u32
    }
}
