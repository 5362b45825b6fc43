//! Wait states behind a line buffer that reads ahead, with or without a small cache: STM32F1, F3 and G0,
//! and the ART accelerator of the STM32F4.
//!
//! # Known behaviour
//!
//! STM32F103 (PM0075, 3.1; RM0008, 3.3.3): lines of 64 bits, a buffer of two of them, two wait
//! states above 48 MHz; data reads have priority. STM32F4 (RM0090, 3.5.2, "ART Accelerator"): lines
//! of 128 bits; the line in use, the line read ahead, 64 lines of cache for instructions, into which
//! a line goes that was in none of the three, 8 lines for data; the least recently used line is
//! replaced. STM32G0 (RM0444, 3.3.5): lines of 64 bits, two of them cached.
//!
//! # The model
//!
//! Time is counted in cycles of execution. The flash makes one read at a time, `1 + wait_states`
//! cycles long, never broken off. The core begins to execute a line when its read is over. At that
//! moment the line behind it begins to be read, if it is in no buffer. An instruction in a line that
//! is neither in use, nor read ahead, nor in the cache waits for its read; the first cycle of that
//! read is in the core's own cycles. Data in flash waits as well, unless its line is among the
//! data lines. The content stays from call to call.
//!
//! # How sure this is
//!
//! STM32F1: against a few published counts, see `docs/exact-counts.md`. STM32F4: not validated
//! against a board.

use pennyweight_machine::board::timing::{MOST_STREAM_DATA_LINES, MOST_STREAM_LINES};

use super::lines::{line_shift, FullyAssociative, NO_LINE};
use super::FlashTiming;

/// State of flash, buffers and cache.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    wait_states: u64,
    /// Bytes of a line, as a shift.
    shift: u32,
    now: u64,
    stalls: u64,
    /// The line in use.
    current: u32,
    /// The line read ahead, and when it can be executed.
    ahead: u32,
    ahead_ready: u64,
    /// When the flash can begin another read.
    flash_free: u64,
    cache: FullyAssociative<{ MOST_STREAM_LINES as usize }>,
    data: FullyAssociative<{ MOST_STREAM_DATA_LINES as usize }>,
}

impl Stream {
    /// Empty buffers. `line`: bytes, a power of two of at least 4; `cached`: lines of the cache of
    /// instructions, at most [`MOST_STREAM_LINES`]; `data`: lines of data, at most [`MOST_STREAM_DATA_LINES`].
    #[must_use]
    pub fn new(wait_states: u32, line: u32, cached: u32, data: u32) -> Self {
        Stream {
            wait_states: wait_states.into(),
            shift: line_shift(line),
            now: 1,
            stalls: 0,
            current: NO_LINE,
            ahead: NO_LINE,
            ahead_ready: 0,
            flash_free: 0,
            cache: FullyAssociative::new(cached),
            data: FullyAssociative::new(data),
        }
    }

    #[inline(always)]
    fn wait_until(&mut self, cycle: u64) {
        let wait = cycle.saturating_sub(self.now);
        self.now += wait;
        self.stalls += wait;
    }

    /// The core begins with another line.
    fn enter(&mut self, line: u32) {
        if line == self.ahead {
            self.wait_until(self.ahead_ready);
        } else if !self.cache.contains(line) {
            // The branch that leads here has its own cycle for the first one of the read.
            let begin = (self.now - 1).max(self.flash_free);
            self.flash_free = begin + self.wait_states + 1;
            self.wait_until(self.flash_free);
            self.cache.insert(line);
        }
        self.current = line;
        let next = line.wrapping_add(1);
        if self.ahead != next && !self.cache.contains(next) {
            let begin = self.now.max(self.flash_free);
            self.flash_free = begin + self.wait_states + 1;
            self.ahead = next;
            self.ahead_ready = self.flash_free;
        }
    }
}

impl FlashTiming for Stream {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        // The branch that called has fetched it; what came before is long over.
        self.now = self.now.max(self.flash_free) + 1;
        self.enter(address >> self.shift);
        self.stalls = 0;
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let last = address.wrapping_add(2 * halfwords - 1) >> self.shift;
        if last != self.current {
            let first = address >> self.shift;
            if first != self.current {
                self.enter(first);
            }
            if last != first {
                self.enter(last);
            }
        }
    }

    #[inline(always)]
    fn data_read(&mut self) {
        // A load's data phase is its second cycle.
        let begin = (self.now + 1).max(self.flash_free);
        self.flash_free = begin + self.wait_states + 1;
        self.wait_until(begin + self.wait_states - 1);
    }

    fn data_read_at(&mut self, address: u32) {
        let line = address >> self.shift;
        if !self.data.contains(line) {
            self.data_read();
            self.data.insert(line);
        }
    }

    #[inline(always)]
    fn ram_access(&mut self) {}

    #[inline(always)]
    fn finish(&mut self, cycles: u32) {
        self.now += u64::from(cycles);
    }

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
    fn stream(&mut self) -> Option<&mut Stream> {
        Some(self)
    }
}

/// The state that decides what comes.
#[cfg(feature = "translator")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamState {
    /// The time.
    pub now: u64,
    /// The line in use, or [`StreamState::NO_LINE`].
    pub current: u32,
    /// The line read ahead.
    pub ahead: u32,
    /// When it can be executed.
    pub ahead_ready: u64,
    /// When the flash can begin another read.
    pub flash_free: u64,
    /// The lines of instructions, and those of data.
    pub held: [super::lines::Held; 2],
}

#[cfg(feature = "translator")]
impl StreamState {
    /// The number of no line.
    pub const NO_LINE: u32 = NO_LINE;
}

#[cfg(feature = "translator")]
impl Stream {
    /// Copies the state to `state`.
    pub fn read(&self, state: &mut StreamState) {
        (state.now, state.current, state.ahead) = (self.now, self.current, self.ahead);
        (state.ahead_ready, state.flash_free) = (self.ahead_ready, self.flash_free);
        self.cache.read(&mut state.held[0]);
        self.data.read(&mut state.held[1]);
    }

    /// The reverse.
    pub fn write(&mut self, state: &StreamState) {
        (self.now, self.current, self.ahead) = (state.now, state.current, state.ahead);
        (self.ahead_ready, self.flash_free) = (state.ahead_ready, state.flash_free);
        self.cache.write(&state.held[0]);
        self.data.write(&state.held[1]);
    }

    /// Sets the line in use, if one is.
    pub fn set_current(&mut self, line: Option<u32>) {
        self.current = line.unwrap_or(NO_LINE);
    }

    /// Sets the time back, to before the last cycles.
    pub fn set_back(&mut self, cycles: u32) {
        self.now = self.now.wrapping_sub(cycles.into());
    }
}
