//! The state at the beginning of a block.

use pennyweight_xtensa::op::Op;
use pennyweight_xtensa::windows::{Windows, PS_EXCM, PS_WOE};

/// The bits of PS that instructions depend on. Those that are translated do not change them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Are windows on?
    pub windows: bool,
    /// Do zero-overhead loops go back?
    pub loops: bool,
}

impl Mode {
    /// With these bits in PS.
    fn with(ps: u32) -> Mode {
        Mode { windows: ps & (PS_WOE | PS_EXCM) == PS_WOE, loops: ps & PS_EXCM == 0 }
    }

    /// That of a state with these windows.
    #[must_use]
    pub fn of(windows: &Windows) -> Mode {
        Mode::with(windows.ps)
    }

    /// The one that usual code runs in: an exception's handler returns to it.
    #[must_use]
    pub fn usual(windows: &Windows) -> Mode {
        let is_on = windows.ps & PS_WOE != 0;
        Mode::with(if is_on { windows.ps & !PS_EXCM } else { windows.ps })
    }
}

/// The state of a condition of the first operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// Nothing.
    #[default]
    Nothing,
    /// The one with this number holds.
    Holds(u8),
    /// Those up to this number do not hold.
    Fails(u8),
}

/// The state at the beginning of a block, as far as its code depends on it. An instruction waits for the one in
/// front of it only, so what the first one waits for is added on the way in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The instruction in front, if what comes may have to wait for it.
    pub before: Option<Op>,
    /// The bits of PS; none of an address where code was entered.
    pub mode: Option<Mode>,
    /// By how many fours ENTRY moves the window, if that is the first operation.
    pub step: Option<u8>,
    /// The condition that the first operation depends on.
    pub known: Known,
}

impl At {
    /// Behind `op`, without a jump.
    #[must_use]
    pub fn behind(self, op: Op) -> At {
        At { before: Some(op), ..self.there() }
    }

    /// Where a jump leads to.
    #[must_use]
    pub fn there(self) -> At {
        At { mode: self.mode, ..At::default() }
    }

    /// At the same operation, of which this is known.
    #[must_use]
    pub fn knowing(self, known: Known) -> At {
        At { known, ..self }
    }
}
