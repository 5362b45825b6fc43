//! The examined part of a call.

use super::core::{Position, Traceable};
use crate::experiment::Window;

/// Whether the program is in the examined part.
pub struct Open {
    window: Option<Window>,
    /// Is it?
    pub recording: bool,
    /// Calls of the function so far.
    pub calls: u32,
    /// Where the current call returns to.
    until: Position,
}

impl Open {
    /// Without a window, all is examined.
    pub fn new(window: Option<Window>) -> Self {
        Open { window, recording: window.is_none(), calls: 0, until: Position::default() }
    }

    /// Notes where the program is; false: the last part is over.
    pub fn is_open_at<C: Traceable>(&mut self, core: &C, state: &C::State) -> bool {
        let Some(window) = self.window else { return true };
        let position = core.position(state);
        if self.recording {
            self.recording = position != self.until;
        }
        if !self.recording {
            if self.calls == window.calls {
                return false;
            }
            if position.pc == window.function & !1 {
                self.recording = true;
                self.calls += 1;
                self.until = core.return_position(state);
            }
        }
        true
    }
}
