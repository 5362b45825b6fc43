//! Wait states behind a set-associative cache for code and data: RP2040 with its XIP cache, SAM D51
//! with its CMCC, FRAM of the MSP430FR5994; or behind one for code and one for data: the ART
//! accelerator of the STM32L4.
//!
//! # Known behaviour
//!
//! RP2040 datasheet, section 2.6.3.1 "XIP Cache": 16 KB, two-way set-associative, hits in one cycle;
//! section 2.6.3.2: lines of 8 bytes. All reads of flash that the cores make by the default address
//! go through it. SAM D5x/E5x family data sheet (DS60001507), "CMCC": a unified cache of 4 KB, four
//! ways, lines of 16 bytes, before the code region. MSP430FR58xx/59xx/6xx guide (SLAU367), "FRAM
//! Controller A (FRCTL_A)": a two-way set-associative cache of four lines of 64 bits; MSP430FR599x
//! datasheet (SLASE54), active mode: with w wait states and the hit ratio h, the clock falls to
//! f / (w * (1 - h) + 1). STM32L4 (RM0351, section 3.3.4): reads of 64 bits, caches of 32 lines of
//! code and 8 of data, each of four reads, of which the least recently used is replaced; prefetching
//! is off after a reset.
//!
//! # The model
//!
//! An instruction or data in a line that is not in the cache waits for the whole line, `miss` cycles,
//! and the line is in the cache afterwards; where a line takes several reads, all of them are waited
//! for at once. Of a set, the line used longest ago is replaced. Nothing is fetched ahead, and the
//! whole wait is visible. The content stays from call to call.
//!
//! # How sure this is
//!
//! Not validated against a board. The manuals of RP2040, SAM D51 and MSP430FR5994 name no
//! replacement policy. Code that fits in the cache takes the core's own cycles from the second call
//! on, whatever a miss costs.

use pennyweight_machine::board::timing::MOST_ASSOCIATIVE_LINES;

use super::lines::{line_shift, Sets, NO_LINE};
use super::on_demand::{CachedLines, OnDemand};

/// The lines of set-associative caches.
#[derive(Clone, Copy, Debug)]
pub struct AssociativeLines {
    miss: u64,
    shift: u32,
    code: Sets,
    data: Sets,
    /// Is data in the same sets as code?
    is_shared: bool,
    held: [u32; MOST_ASSOCIATIVE_LINES as usize],
}

/// A set-associative cache for code and data, or one for each.
pub type AssociativeCache = OnDemand<AssociativeLines>;

impl AssociativeCache {
    /// An empty cache of `size` bytes in lines of `line` bytes, `ways` lines to a set, and another one of
    /// `data_size` bytes for data, unless that is 0; all powers of two, with at most
    /// [`MOST_ASSOCIATIVE_LINES`] lines in all. A miss costs `miss` cycles.
    #[must_use]
    pub fn new(size: u32, data_size: u32, line: u32, ways: u32, miss: u32) -> Self {
        let shift = line_shift(line);
        let lines = (size >> shift).clamp(1, MOST_ASSOCIATIVE_LINES);
        let code = Sets::new(0, lines, ways);
        OnDemand::of(AssociativeLines {
            miss: miss.into(),
            shift,
            code,
            data: if data_size == 0 { code } else { Sets::new(lines, data_size >> shift, ways) },
            is_shared: data_size == 0,
            held: [NO_LINE; MOST_ASSOCIATIVE_LINES as usize],
        })
    }
}

impl AssociativeLines {
    #[inline(always)]
    fn read(&mut self, line: u32, sets: Sets) -> u64 {
        if sets.look_up(&mut self.held, line) {
            0
        } else {
            self.miss
        }
    }
}

impl CachedLines for AssociativeLines {
    #[inline(always)]
    fn shift(&self) -> u32 {
        self.shift
    }

    #[inline(always)]
    fn read_code(&mut self, line: u32) -> u64 {
        self.read(line, self.code)
    }

    #[inline(always)]
    fn read_data(&mut self, line: u32) -> u64 {
        self.read(line, self.data)
    }

    #[inline(always)]
    fn read_unknown_data(&self) -> u64 {
        self.miss
    }

    #[inline(always)]
    fn is_shared(&self) -> bool {
        self.is_shared
    }

    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32] {
        &mut self.held
    }

    #[cfg(feature = "translator")]
    fn recent(&mut self) -> Option<[&mut [u32]; 2]> {
        let (code, data) = (self.code.only()?, self.data.only()?);
        if self.is_shared {
            return None;
        }
        let (first, rest) = self.held.split_at_mut_checked(data.start)?;
        Some([first.get_mut(code)?, rest.get_mut(..data.len())?])
    }
}

#[cfg(test)]
mod tests {
    use super::AssociativeCache;
    use crate::timing::FlashTiming as _;

    /// Two sets of two lines of 8 bytes, 7 cycles a miss; a run has begun at 0.
    fn cache() -> AssociativeCache {
        let mut cache = AssociativeCache::new(32, 0, 8, 2, 7);
        cache.start(0);
        cache
    }

    /// The cycles that an operation adds.
    fn cost(cache: &mut AssociativeCache, operation: impl FnOnce(&mut AssociativeCache)) -> u64 {
        let before = cache.stalls();
        operation(cache);
        cache.stalls() - before
    }

    #[test]
    fn code_waits_once_for_each_line() {
        let mut cache = cache();
        let mut at = |address| cost(&mut cache, |c| c.instruction(address, 1));
        assert_eq!([at(0), at(6), at(8), at(10), at(0)], [0, 0, 7, 0, 0]);
    }

    #[test]
    fn an_instruction_in_two_lines_waits_for_both() {
        let mut cache = cache();
        assert_eq!(cost(&mut cache, |c| c.instruction(0x16, 2)), 14);
        assert_eq!(cost(&mut cache, |c| c.instruction(0x16, 2)), 0);
    }

    #[test]
    fn of_a_set_the_line_used_longest_ago_is_replaced() {
        let mut cache = cache();
        let mut at = |address| cost(&mut cache, |c| c.instruction(address, 1));
        // Lines 0, 2 and 4 share a set of two.
        assert_eq!([at(0x10), at(0), at(0x20), at(0), at(0x10)], [7, 0, 7, 0, 7]);
    }

    #[test]
    fn data_goes_through_the_same_cache() {
        let mut cache = cache();
        assert_eq!(cost(&mut cache, |c| c.data_read_at(0x10)), 7);
        assert_eq!(cost(&mut cache, |c| c.data_read_at(0x14)), 0);
        assert_eq!(cost(&mut cache, |c| c.instruction(0x10, 1)), 0);
        // Two more lines of data in the set replace both lines of code.
        assert_eq!(cost(&mut cache, |c| c.data_read_at(0x20)), 7);
        assert_eq!(cost(&mut cache, |c| c.data_read_at(0x30)), 7);
        assert_eq!(cost(&mut cache, |c| c.instruction(0x10, 1)), 7);
    }

    #[test]
    fn data_has_its_own_cache_if_there_is_one() {
        let mut cache = AssociativeCache::new(32, 16, 8, 2, 7);
        cache.start(0);
        let mut data = |address| cost(&mut cache, |c| c.data_read_at(address));
        // One set of two lines, whatever the address.
        assert_eq!([data(0), data(8), data(4), data(0x10), data(8), data(0)], [7, 7, 0, 7, 7, 7]);
        assert_eq!(cost(&mut cache, |c| c.instruction(0, 1)), 0);
    }

    #[test]
    fn the_content_stays_from_run_to_run() {
        let mut cache = cache();
        cache.instruction(8, 1);
        cache.start(0);
        assert_eq!(cost(&mut cache, |c| c.instruction(8, 1)), 0);
    }
}
