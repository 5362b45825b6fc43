//! Wait states behind a cache or line buffer that is filled on demand: SAM D21, nRF52.
//!
//! # What is known
//!
//! SAM D21 datasheet (DS40001882), NVMCTRL: the flash delivers rows of 64 bits; one wait state at
//! 48 MHz and 3.3 V (table "NVM characteristics"). Section 22.6.7 "Cache": direct-mapped, 8 lines of
//! 64 bits, for the main array, code and data alike (the Cortex-M0+ has one bus for both). nRF52840
//! product specification, NVMC: an instruction cache that can be switched on; data reads go past it.
//!
//! # The model
//!
//! Code lies in lines; the cache holds `lines` of them, each in the one place that its address
//! gives (`lines = 1`: a buffer of the line read last). An instruction in a line that is not there
//! waits `wait_states` cycles, and the line is there afterwards. Nothing is fetched ahead. A data
//! read from flash waits `data_wait_states` and changes nothing; without `data_wait_states` it is
//! looked up in the cache as code is. The content stays from call to call.

use super::FlashTiming;

/// The most lines that a cache can have.
pub const MOST_LINES: u32 = 128;
/// A line number that no address has.
const NO_LINE: u32 = u32::MAX;

/// State of the cache.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    wait_states: u32,
    /// `None`: data is read through the cache.
    data_wait_states: Option<u32>,
    /// Bytes of a line, as a shift.
    shift: u32,
    mask: u32,
    /// The line that holds the end of the instruction fetched last.
    current: u32,
    stalls: u64,
    held: [u32; MOST_LINES as usize],
}

impl Cache {
    /// An empty cache of so many lines (a power of two, at most [`MOST_LINES`]) of so many bytes
    /// (a power of two, at least 4).
    #[must_use]
    pub fn new(wait_states: u32, line: u32, lines: u32, data_wait_states: Option<u32>) -> Self {
        Cache {
            wait_states,
            data_wait_states,
            shift: line.max(4).ilog2(),
            mask: lines.clamp(1, MOST_LINES) - 1,
            current: NO_LINE,
            stalls: 0,
            held: [NO_LINE; MOST_LINES as usize],
        }
    }

    /// Is data looked up in it as code is?
    #[must_use]
    pub fn has_data(&self) -> bool {
        self.data_wait_states.is_none()
    }

    #[inline(always)]
    fn look_up(&mut self, line: u32) {
        let place = &mut self.held[(line & self.mask) as usize % MOST_LINES as usize];
        if *place != line {
            *place = line;
            self.stalls += u64::from(self.wait_states);
        }
    }
}

impl FlashTiming for Cache {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        // The branch that called has fetched it.
        let line = address >> self.shift;
        self.look_up(line);
        self.current = line;
        self.stalls = 0;
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let (first, last) = (address >> self.shift, address.wrapping_add(2 * halfwords - 1) >> self.shift);
        if last != self.current {
            if first != self.current {
                self.look_up(first);
            }
            if last != first {
                self.look_up(last);
            }
            self.current = last;
        }
    }

    #[inline(always)]
    fn data_read(&mut self) {
        self.stalls += u64::from(self.data_wait_states.unwrap_or(self.wait_states));
    }

    #[inline(always)]
    fn data_read_at(&mut self, address: u32) {
        if let Some(wait_states) = self.data_wait_states {
            self.stalls += u64::from(wait_states);
        } else {
            self.look_up(address >> self.shift);
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
}
