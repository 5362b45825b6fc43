//! An instruction cache before a slow flash, as in the FE310: data reads go past it.
//!
//! Set-associative, replacing the line used longest ago. A miss costs a fixed number of cycles,
//! during which nothing else happens; nothing is prefetched. A core with this cache reports lines to it,
//! not instructions: it calls [`Fetch::line`] when execution comes to an instruction in another line than
//! the one before.

use pennyweight_machine::board::timing::MOST_WAYS;

use super::lines::{line_shift, Sets, NO_LINE};
use super::FlashTiming;

/// What fetching code costs, reported line by line.
pub trait Fetch {
    /// Bytes of a line as a power of two, or `None` if fetching never costs anything.
    fn line_shift(&self) -> Option<u32>;

    /// Execution comes to the line that contains `address`; returns the cycles that it waits.
    fn line(&mut self, address: u32) -> u32;

    /// Forgets all lines.
    fn flush(&mut self);

    /// The numbers of the lines that a cache holds, set by set, in each set the one used last first.
    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32] {
        &mut []
    }
}

/// Code that is fetched without waiting.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWait;

impl Fetch for NoWait {
    fn line_shift(&self) -> Option<u32> {
        None
    }

    #[inline(always)]
    fn line(&mut self, _: u32) -> u32 {
        0
    }

    fn flush(&mut self) {}
}

/// The cache's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionCache {
    shift: u32,
    miss: u32,
    sets: Sets,
    held: Vec<u32>,
}

impl InstructionCache {
    /// An empty cache of `size` bytes in lines of `line` bytes, `ways` lines to a set; all powers of
    /// two (anything else is rounded). A miss costs `miss` cycles.
    #[must_use]
    pub fn new(size: u32, line: u32, ways: u32, miss: u32) -> Self {
        let shift = line_shift(line);
        let ways = ways.clamp(1, MOST_WAYS).next_power_of_two();
        let lines = (size >> shift).next_power_of_two().max(ways);
        InstructionCache { shift, miss, sets: Sets::new(0, lines, ways), held: vec![NO_LINE; lines as usize] }
    }
}

impl Fetch for InstructionCache {
    fn line_shift(&self) -> Option<u32> {
        Some(self.shift)
    }

    #[inline(always)]
    fn line(&mut self, address: u32) -> u32 {
        if self.sets.look_up(&mut self.held, address >> self.shift) {
            0
        } else {
            self.miss
        }
    }

    fn flush(&mut self) {
        self.held.fill(NO_LINE);
    }

    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32] {
        &mut self.held
    }
}

/// Data reads from flash take a fixed number of cycles more; code is not this timing's concern.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataWait {
    cycles: u32,
    stalls: u64,
}

impl DataWait {
    /// Reads that take `cycles` more.
    #[must_use]
    pub fn new(cycles: u32) -> Self {
        DataWait { cycles, stalls: 0 }
    }
}

impl FlashTiming for DataWait {
    const ACTIVE: bool = false;

    fn start(&mut self, _: u32) {
        self.stalls = 0;
    }

    fn instruction(&mut self, _: u32, _: u32) {}

    #[inline(always)]
    fn data_read(&mut self) {
        self.stalls += u64::from(self.cycles);
    }

    #[inline(always)]
    fn ram_access(&mut self) {}

    fn finish(&mut self, _: u32) {}

    fn jump(&mut self, _: u32, _: bool) {}

    #[inline(always)]
    fn stalls(&self) -> u64 {
        self.stalls
    }
}

#[cfg(test)]
mod tests {
    use super::{Fetch as _, InstructionCache};

    #[test]
    fn lines_stay_until_their_set_is_full() {
        // Two sets of two lines of 16 bytes.
        let mut cache = InstructionCache::new(64, 16, 2, 7);
        let mut costs =
            |addresses: &[u32]| -> Vec<u32> { addresses.iter().map(|&a| cache.line(a)).collect() };
        assert_eq!(costs(&[0x00, 0x0e, 0x10, 0x20, 0x00]), [7, 0, 7, 7, 0]);
        // 0x20 was used longest ago, and 0x10 is in the other set.
        assert_eq!(costs(&[0x40, 0x00, 0x10, 0x20]), [7, 0, 0, 7]);
    }

    #[test]
    fn an_emptied_cache_holds_nothing() {
        let mut cache = InstructionCache::new(64, 16, 2, 7);
        cache.line(0);
        cache.flush();
        assert_eq!(cache.line(0), 7);
    }
}
