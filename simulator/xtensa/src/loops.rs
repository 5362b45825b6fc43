//! Zero-overhead loops (ISA reference manual, 4.3.2): behind the last instruction of a loop the core
//! goes back to its first by itself.

use crate::op::{Code, Op};

/// The loop's registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// LBEG, where it begins.
    pub begin: u32,
    /// LEND, one past its last byte.
    pub end: u32,
    /// LCOUNT, how often the core still goes back.
    pub count: u32,
}

impl Loops {
    /// LOOP, LOOPNEZ or LOOPGTZ in front of `following`; true if it must be skipped.
    pub fn enter(&mut self, op: &Op, times: u32, following: u32) -> bool {
        *self = Loops { begin: following, end: op.imm, count: times.wrapping_sub(1) };
        match op.code {
            Code::Loopnez => times == 0,
            Code::Loopgtz => times as i32 <= 0,
            _ => false,
        }
    }

    /// Execution has come to `address` from the instruction in front of it: where does it continue?
    /// `on`: no exception is being handled.
    #[inline(always)]
    pub fn back(&mut self, address: u32, on: bool) -> Option<u32> {
        if self.count == 0 || self.end != address || !on {
            return None;
        }
        self.count -= 1;
        Some(self.begin)
    }
}
