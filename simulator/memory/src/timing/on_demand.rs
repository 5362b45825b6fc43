//! Caches that are filled on demand: what waits for which lines. The caches themselves are the models
//! `cache` and `associative_cache`.

use super::lines::NO_LINE;
use super::FlashTiming;

/// The lines of a cache, and what a read of one that is not there costs.
pub trait CachedLines: Copy {
    /// Base-2 logarithm of a line's size in bytes.
    fn shift(&self) -> u32;

    /// The cycles that code in a line waits; the line is held afterwards.
    fn read_code(&mut self, line: u32) -> u64;

    /// The cycles that data in a line waits.
    fn read_data(&mut self, line: u32) -> u64;

    /// The cycles that data at an address that is not known waits.
    fn read_unknown_data(&self) -> u64;

    /// Can a read of data take a place of a line of code?
    fn is_shared(&self) -> bool;

    /// As [`FlashTiming::held`].
    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32];

    /// As [`FlashTiming::recent`].
    #[cfg(feature = "translator")]
    fn recent(&mut self) -> Option<[&mut [u32]; 2]> {
        None
    }
}

/// A cache that is filled on demand: an instruction or data in a line that is not there waits, nothing is
/// fetched ahead, and the whole wait is visible. The content stays from call to call.
#[derive(Clone, Copy, Debug)]
pub struct OnDemand<L> {
    pub(super) lines: L,
    /// The line that holds the end of the instruction fetched last.
    current: u32,
    stalls: u64,
}

impl<L: CachedLines> OnDemand<L> {
    pub(super) fn of(lines: L) -> Self {
        OnDemand { lines, current: NO_LINE, stalls: 0 }
    }
}

impl<L: CachedLines> FlashTiming for OnDemand<L> {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        // The branch that called has fetched it.
        let line = address >> self.lines.shift();
        self.lines.read_code(line);
        self.current = line;
        self.stalls = 0;
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let shift = self.lines.shift();
        let (first, last) = (address >> shift, address.wrapping_add(2 * halfwords - 1) >> shift);
        if last != self.current {
            if first != self.current {
                self.stalls += self.lines.read_code(first);
            }
            if last != first {
                self.stalls += self.lines.read_code(last);
            }
            self.current = last;
        }
    }

    #[inline(always)]
    fn data_read(&mut self) {
        self.stalls += self.lines.read_unknown_data();
    }

    #[inline(always)]
    fn data_read_at(&mut self, address: u32) {
        self.stalls += self.lines.read_data(address >> self.lines.shift());
        if self.lines.is_shared() {
            // The line of the code may have made room.
            self.current = NO_LINE;
        }
    }

    #[inline(always)]
    fn ram_access(&mut self) {}

    #[inline(always)]
    fn finish(&mut self, _: u32) {}

    #[inline(always)]
    fn jump(&mut self, _: u32, in_flash: bool) {
        if !in_flash {
            self.current = NO_LINE;
        }
    }

    #[inline(always)]
    fn stalls(&self) -> u64 {
        self.stalls
    }

    #[cfg(feature = "translator")]
    const IS_KNOWN: bool = true;

    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32] {
        self.lines.held()
    }

    #[cfg(feature = "translator")]
    fn recent(&mut self) -> Option<[&mut [u32]; 2]> {
        self.lines.recent()
    }

    #[cfg(feature = "translator")]
    fn line(&self) -> Option<u32> {
        (self.current != NO_LINE).then_some(self.current)
    }

    #[cfg(feature = "translator")]
    fn set_line(&mut self, line: Option<u32>) {
        self.current = line.unwrap_or(NO_LINE);
    }
}
