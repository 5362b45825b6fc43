//! The state of fetching at a place in the code, which decides what comes.
//!
//! Waits for a prefetch buffer are found by running its model when code is translated.

use pennyweight_memory::timing::{FlashTiming, Prefetch};

use crate::ir::{Memory, Step};

/// The state of fetching.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    /// The line that the core has, as [`FlashTiming::line`].
    ///
    /// A jump from it to an instruction that begins in the line before and ends in this one does not come to
    /// the first of these lines. For all other instructions it does not matter: that the line used last is
    /// looked up changes nothing.
    pub line: Option<u32>,
    /// The line that is in use, if flash reads ahead line by line.
    pub came: Came,
    /// Where a core is that fetches ahead behind a cache, if it does.
    pub fetched: Option<Fetched>,
    /// The state of the prefetch buffer, if there is one.
    pub prefetch: Option<Prefetch>,
    /// Where the next instruction loads from, if it loads.
    pub memory: Memory,
    /// Where the code is left behind a jump: does the target's cost still have to be found?
    pub arrival: Arrival,
    /// The conditional jump that comes next and whose condition holds.
    pub conditional: Option<Conditional>,
    /// The instruction that comes next, if an IT instruction governs it and its time decides what comes.
    pub inside: Option<Conditional>,
    /// The case of the instruction that comes next, if its time depends on that.
    pub decided: Decided,
    /// Is the code left because only the usual case of that instruction is translated?
    pub is_unusual: bool,
}

/// A case of an instruction whose time depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decided {
    /// Nothing.
    #[default]
    Nothing,
    /// Its condition holds.
    Executed,
    /// Its condition does not hold.
    Skipped,
    /// It accesses RAM at an aligned address.
    Aligned,
    /// It accesses RAM in so many parts beyond the first.
    Split(u32),
    /// It reads flash, from the line of data read last.
    Again,
    /// It reads flash, from another line.
    Flash,
    /// Its operands make it take so many cycles more.
    Busy(u32),
}

/// Which line of a flash that reads ahead is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Came {
    /// Any.
    #[default]
    Any,
    /// Neither the next instruction's nor the one in front of it.
    Far,
    /// This one.
    From(u32),
}

/// Where a core is that fetches ahead behind a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Does the next instruction come from a branch?
    pub branched: bool,
    /// The word that the instruction before it begins in, or that the branch leads to.
    pub word: u32,
    /// The line in use; `None`: the next instruction's is looked up, which changes nothing if it is that.
    pub line: Option<u32>,
    /// Cycles that have passed at least since the last word of the instruction before could be executed.
    pub slack: u32,
}

impl Fetched {
    /// Behind a branch to `target` from this line.
    #[must_use]
    pub fn branch(target: u32, line: Option<u32>) -> Fetched {
        Fetched { branched: true, word: target >> 2, line, slack: 0 }
    }
}

/// An instruction that an IT instruction governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// The number of its block.
    pub block: u32,
    /// Its place in the block.
    pub index: usize,
}

/// How a jump arrives at its target when the code is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrival {
    /// It has, or it was another jump.
    #[default]
    None,
    /// It will. What that waits is counted.
    Counted,
    /// It will. What that waits is not counted.
    Open,
}

impl At {
    /// The state behind a branch from afar to `target`, with such a prefetch buffer.
    #[must_use]
    pub fn from_afar(prefetch: Option<Prefetch>, target: u32) -> At {
        let started = prefetch.map(|mut prefetch| {
            prefetch.start(target);
            prefetch
        });
        At { prefetch: started, ..At::default() }.settled()
    }

    /// As a part of a block's key.
    #[must_use]
    pub fn settled(self) -> At {
        At { prefetch: self.prefetch.map(Prefetch::settled), ..self }
    }

    /// An instruction at `pc` of so many halfwords begins.
    pub fn begin(&mut self, pc: u32, halfwords: u32) {
        if let Some(prefetch) = &mut self.prefetch {
            prefetch.instruction(pc, halfwords);
        }
    }

    /// It makes the accesses in `steps`, all loads from `memory`, or reads a literal from flash.
    pub fn access(&mut self, literal: bool, memory: Memory, steps: &mut [Step]) {
        let Some(prefetch) = &mut self.prefetch else { return };
        if literal {
            prefetch.data_read();
        }
        for step in steps {
            match step {
                Step::Load { memory: each, .. } if memory == Memory::Flash => {
                    *each = memory;
                    prefetch.data_read();
                }
                Step::Load { memory: each, .. } => {
                    *each = Memory::Ram;
                    prefetch.ram_read();
                }
                Step::Store { .. } => prefetch.ram_access(),
                _ => {}
            }
        }
    }

    /// It takes so many cycles at least.
    pub fn pass(&mut self, cycles: u32) {
        if let Some(fetched) = &mut self.fetched {
            fetched.slack += cycles;
        }
    }

    /// It ends after so many cycles, apart from waits.
    pub fn finish(&mut self, cycles: u32) {
        if let Some(prefetch) = &mut self.prefetch {
            prefetch.finish(cycles);
        }
    }

    /// It ends so and jumps; returns what is then, and the cycles that the jump waits.
    #[must_use]
    pub fn gone(mut self, cycles: u32, target: u32, is_flash: bool) -> (At, u32) {
        let before = self.stalls();
        self.finish(cycles);
        if let Some(prefetch) = &mut self.prefetch {
            prefetch.jump(target, is_flash);
        }
        (self.settled(), self.stalls() - before)
    }

    /// It ends so and jumps far away; returns where that would not be, and the cycles that the jump waits.
    #[must_use]
    pub fn gone_far(self, cycles: u32) -> (Option<(u32, u32)>, u32) {
        let Some(prefetch) = self.prefetch else { return (None, 0) };
        let (first, bytes) = prefetch.readable();
        (Some((first, bytes)), self.gone(cycles, first.wrapping_add(2 * bytes), true).1)
    }

    /// Cycles waited so far.
    #[must_use]
    pub fn stalls(&self) -> u32 {
        self.prefetch.map_or(0, |prefetch| prefetch.stalls() as u32)
    }
}
