//! Counting cycles and instructions at jumps only.

/// Cycles and instructions from some instruction to the end of the program, in a straight line.
///
/// What a stretch of code without taken branches costs is the difference of two of these: so a
/// loop can count at taken branches only. They wrap; a difference does not, because no stretch is
/// longer than the program memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remaining {
    /// Cycles.
    pub cycles: u32,
    /// Instructions.
    pub instructions: u32,
}

impl Remaining {
    /// As seen from an instruction of so many cycles in front of `self`.
    #[must_use]
    pub fn before(self, cycles: u32) -> Remaining {
        Remaining {
            cycles: self.cycles.wrapping_add(cycles),
            instructions: self.instructions.wrapping_add(1),
        }
    }
}

/// Cycles without wait states, and instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cycles.
    pub cycles: u64,
    /// Instructions.
    pub instructions: u64,
}

impl Tally {
    /// Adds the stretch from `start` up to before `end`.
    #[inline(always)]
    pub fn add_stretch(&mut self, start: Remaining, end: Remaining) {
        self.cycles += u64::from(start.cycles.wrapping_sub(end.cycles));
        self.instructions += u64::from(start.instructions.wrapping_sub(end.instructions));
    }
}
