//! The state of pipeline and fetching at a place in the code, which decides what comes.
//!
//! Waits for a buffer that is filled line by line, and for fetching behind predicted branches, are found by running
//! the models when code is translated.

use pennyweight_memory::timing::{FetchBuffer, FlashTiming};
use pennyweight_riscv::core::LoopState;
use pennyweight_riscv::pipeline::Pending;

use crate::ir::Memory;

/// The state of pipeline and fetching.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    /// Results on their way.
    pub pending: Pending,
    /// The state of the buffer, if there is one.
    pub buffer: Option<FetchBuffer>,
    /// The straight line that is executed, if the core predicts the last backward branch. Which one is remembered is
    /// part of it in lines behind predicted branches, with a queue, only; elsewhere translated code keeps it.
    pub line: Option<LoopState>,
    /// Is the branch that comes next predicted, if that is not known otherwise?
    pub predicted: Option<bool>,
    /// The cycles that a predicted branch in front of here has lost because it was not taken, if one was.
    pub forgotten: Option<u32>,
    /// Where the next instruction loads from, if it loads.
    pub memory: Memory,
    /// Where the code is left behind a jump: does the target's cost still have to be found?
    pub arrival: Arrival,
}

/// How a jump arrives at its target when the code is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrival {
    /// It has, or it was another jump.
    #[default]
    None,
    /// It will. The cycles that it loses are counted.
    Counted,
    /// It will. The cycles that it loses are not counted: these, and what depends on the target.
    Open(u32),
}

impl At {
    /// With nothing but results on their way.
    #[must_use]
    pub fn pending(pending: Pending) -> At {
        At { pending, ..At::default() }
    }

    /// As a part of a block's key.
    #[must_use]
    pub fn settled(self) -> At {
        At { buffer: self.buffer.map(FetchBuffer::settled), ..self }
    }

    /// An instruction at `pc` of so many halfwords begins.
    pub fn begin(&mut self, pc: u32, halfwords: u32) {
        if let Some(buffer) = &mut self.buffer {
            buffer.instruction(pc, halfwords);
        }
    }

    /// It reads data from flash.
    pub fn read_flash(&mut self) {
        if let Some(buffer) = &mut self.buffer {
            buffer.data_read();
        }
    }

    /// It ends after so many cycles, apart from waits.
    pub fn finish(&mut self, cycles: u32) {
        if let Some(buffer) = &mut self.buffer {
            buffer.finish(cycles);
        }
    }

    /// It jumps to `target`, in flash if `in_flash`.
    pub fn jump(&mut self, target: u32, in_flash: bool) {
        if let Some(buffer) = &mut self.buffer {
            buffer.jump(target, in_flash);
        }
    }

    /// It jumps to what is not known yet.
    #[must_use]
    pub fn open(mut self) -> At {
        self.jump(0, true);
        At { buffer: self.buffer.map(FetchBuffer::open), ..self }
    }

    /// The same when the target is known, and that the jump loses so many cycles more.
    #[must_use]
    pub fn led_to(self, target: u32, in_flash: bool, more: u32) -> At {
        let led = |buffer: FetchBuffer| buffer.led_to(target, in_flash, more).settled();
        At { buffer: self.buffer.map(led), arrival: Arrival::None, ..self }
    }

    /// Cycles waited so far.
    #[must_use]
    pub fn stalls(&self) -> u32 {
        self.buffer.map_or(0, |buffer| buffer.stalls() as u32)
    }
}
