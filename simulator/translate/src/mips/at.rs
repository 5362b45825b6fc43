//! The state at the beginning of a block.

use pennyweight_mips::pipeline::Pipeline;

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

/// Whether the next instruction is a delay slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slot {
    /// It is not.
    #[default]
    None,
    /// Of a jump to this address.
    To(u32),
    /// Of a jump to the address in a register of the intermediate form.
    Computed,
    /// It is one, and it is skipped.
    Skipped,
}

/// The state at the beginning of a block, as far as its code depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Results on their way.
    pub pipeline: Pipeline,
    /// The line in use.
    pub came: Came,
    /// Is the next instruction a delay slot?
    pub slot: Slot,
    /// The case of the next instruction, if its cost or its way depends on that.
    pub case: Option<u8>,
}

impl At {
    /// As a part of a block's key.
    #[must_use]
    pub fn settled(self) -> At {
        At { pipeline: self.pipeline.settled(), ..self }
    }
}
