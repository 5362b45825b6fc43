//! When instructions can issue: results on their way, and the multiply and divide unit.

use crate::core::{dividend_size, factor_size, Core};
use crate::frame::Frame;
use crate::op::{Op, Reg, Unit};

/// What is on its way, by the cycle in which it can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The cycle in which the next instruction issues, if nothing holds it up.
    pub now: u64,
    /// When each register can be read.
    ready: [u64; 33],
    /// The latest of them.
    last: u64,
    /// When HI and LO can be read.
    high_low: u64,
    /// When the unit takes the next instruction.
    free: u64,
}

impl Default for Pipeline {
    fn default() -> Self {
        Pipeline { now: 0, ready: [0; 33], last: 0, high_low: 0, free: 0 }
    }
}

impl Pipeline {
    /// Issues `op`, whose `rs` and `rt` hold these; returns its cycles: 1 and what it waited.
    #[inline(always)]
    pub fn issue(&mut self, op: &Op, core: &Core, s: u32, t: u32) -> u32 {
        if op.unit == Unit::Integer && self.now >= self.last {
            self.now += 1;
            return 1;
        }
        self.issue_late(op, core, s, t)
    }

    /// The same as seen from now on, with the numbers that are equal for equal futures.
    #[cfg(feature = "translator")]
    #[must_use]
    pub fn settled(&self) -> Pipeline {
        let lead = |time: u64| time.saturating_sub(self.now);
        let mut ready = self.ready.map(lead);
        ready[usize::from(Reg::SINK.0)] = 0;
        let last = ready.into_iter().max().unwrap_or(0);
        Pipeline { now: 0, ready, last, high_low: lead(self.high_low), free: lead(self.free) }
    }

    /// The instruction just issued threw away the one fetched behind it; returns the cycles.
    pub fn throw_away(&mut self) -> u32 {
        self.now += 1;
        1
    }

    /// SAVE or RESTORE: a step for each register, the last for the stack pointer.
    #[inline(never)]
    fn issue_frame(&mut self, op: &Op, core: &Core) -> u32 {
        let frame = Frame::unpack(op.imm);
        let mut at = self.now.max(self.ready[usize::from(Reg::SP.0)]);
        let arguments = frame.passed().filter(|_| op.unit == Unit::Save);
        for reg in arguments.chain(frame.saved()) {
            let Some(ready) = self.ready.get_mut(usize::from(reg.0)) else { continue };
            if op.unit == Unit::Save {
                at = at.max(*ready);
            } else {
                *ready = at + u64::from(core.load);
                self.last = self.last.max(*ready);
            }
            at += 1;
        }
        self.ready[usize::from(Reg::SP.0)] = at + 1;
        let cycles = at + 1 - self.now;
        self.now = at + 1;
        cycles as u32
    }

    #[inline(never)]
    fn issue_late(&mut self, op: &Op, core: &Core, s: u32, t: u32) -> u32 {
        if matches!(op.unit, Unit::Save | Unit::Restore) {
            return self.issue_frame(op, core);
        }
        let read = |reg: Reg| self.ready.get(usize::from(reg.0)).copied().unwrap_or(0);
        let mut at = self.now.max(read(op.s)).max(read(op.t));
        let mut result = 1;
        match op.unit {
            Unit::Integer | Unit::Save | Unit::Restore => {}
            Unit::Load => result = core.load,
            Unit::FromHighLow => {
                at = at.max(self.high_low);
                result = core.from_high_low;
            }
            Unit::ToHighLow => {
                at = at.max(self.free);
                self.high_low = at + 1;
            }
            Unit::Mul => {
                let latency = core.multiply_to_register[factor_size(t)];
                at = at.max(self.free);
                self.free = at + u64::from(latency.repeat);
                result = latency.result;
            }
            Unit::Multiply | Unit::Divide | Unit::DivideUnsigned => {
                let latency = match op.unit {
                    Unit::Multiply => core.multiply[factor_size(t)],
                    unit => core.divide[dividend_size(s, unit == Unit::Divide) & 3],
                };
                at = at.max(self.free);
                self.free = at + u64::from(latency.repeat);
                self.high_low = at + u64::from(latency.result);
            }
        }
        if let Some(ready) = self.ready.get_mut(usize::from(op.d.0)) {
            *ready = at + u64::from(result);
            if op.d != Reg::SINK && result > 1 {
                self.last = self.last.max(*ready);
            }
        }
        let cycles = at + 1 - self.now;
        self.now = at + 1;
        cycles as u32
    }
}
