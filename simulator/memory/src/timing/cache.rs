//! Wait states behind a cache or line buffer that is filled on demand: SAM D21, nRF52.
//!
//! # Known behaviour
//!
//! SAM D21 datasheet (DS40001882), NVMCTRL: the flash delivers rows of 64 bits; one wait state at
//! 48 MHz and 3.3 V (table "NVM characteristics"). Section 22.6.7 "Cache": direct-mapped, 8 lines of
//! 64 bits, for the main array, code and data alike (the Cortex-M0+ has one bus for both). nRF52840
//! product specification, NVMC: an instruction cache that can be switched on; data reads go past it.
//!
//! # The model
//!
//! Code is divided into lines; the cache holds `lines` of them, each in the one place that its address
//! gives (`lines = 1`: a buffer of the line read last). An instruction in a line that is not there
//! waits `wait_states` cycles, and the line is held afterwards. Nothing is fetched ahead. A data
//! read from flash waits `data_wait_states` and changes nothing; without `data_wait_states` it is
//! looked up in the cache as code is. The content stays from call to call.

use super::lines::{line_shift, DirectMapped};
use super::on_demand::{CachedLines, OnDemand};

/// The lines of a direct-mapped cache.
#[derive(Clone, Copy, Debug)]
pub struct CacheLines {
    wait_states: u64,
    /// `None`: data is read through the cache.
    data_wait_states: Option<u32>,
    shift: u32,
    held: DirectMapped,
}

/// A direct-mapped cache.
pub type Cache = OnDemand<CacheLines>;

impl Cache {
    /// An empty cache of so many lines (a power of two, at most
    /// [`MOST_CACHE_LINES`](pennyweight_machine::board::timing::MOST_CACHE_LINES)) of so many bytes (a power
    /// of two, at least 4).
    #[must_use]
    pub fn new(wait_states: u32, line: u32, lines: u32, data_wait_states: Option<u32>) -> Self {
        OnDemand::of(CacheLines {
            wait_states: wait_states.into(),
            data_wait_states,
            shift: line_shift(line),
            held: DirectMapped::new(lines),
        })
    }

    /// Is data looked up in it as code is?
    #[must_use]
    pub fn has_data(&self) -> bool {
        self.lines.is_shared()
    }
}

impl CachedLines for CacheLines {
    #[inline(always)]
    fn shift(&self) -> u32 {
        self.shift
    }

    #[inline(always)]
    fn read_code(&mut self, line: u32) -> u64 {
        if self.held.look_up(line) {
            0
        } else {
            self.wait_states
        }
    }

    #[inline(always)]
    fn read_data(&mut self, line: u32) -> u64 {
        match self.data_wait_states {
            Some(wait_states) => wait_states.into(),
            None => self.read_code(line),
        }
    }

    #[inline(always)]
    fn read_unknown_data(&self) -> u64 {
        self.data_wait_states.map_or(self.wait_states, u64::from)
    }

    #[inline(always)]
    fn is_shared(&self) -> bool {
        self.data_wait_states.is_none()
    }

    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32] {
        self.held.all()
    }
}
