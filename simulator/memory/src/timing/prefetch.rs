//! Wait states behind a buffer that prefetches, as in the STM32F0.
//!
//! # Known behaviour
//!
//! RM0360 and RM0091, section 3.2.1 "Read operations": instruction fetches and data reads share
//! one AHB bus; the prefetch buffer has three blocks of four bytes, each filled by one read of the
//! flash; the core fetches a word at a time; the controller reads ahead whenever a block is free;
//! the gain is of the order of two if branch targets are aligned to 32 bits. The manual does not
//! mention a buffer for data reads. Section 3.5.1: one wait state above 24 MHz.
//!
//! Cortex-M0 (DDI 0432, 1.1 and 3.3): three stages, one AHB-Lite master, branch taken 3 cycles,
//! load 2 cycles. AHB-Lite (Arm IHI 0033) overlaps the address phase of an access with the data
//! phase of the one before; wait states extend the data phase, and with it the next access.
//!
//! # The model
//!
//! Time is counted in cycles in which an instruction is in the execute stage. A word whose fetch
//! ends in cycle `f` is decoded in `f + 1` and executed from `f + 2`. When the first instruction
//! of a word begins to execute in cycle `t`, the fetch of the next word has its data phase in `t`;
//! a load or store has its data phase in `t + 1`, or when the bus is free. After a taken branch
//! the target's word is fetched two cycles before the target could execute, and if the target is
//! the upper half, the next word right after it. Without wait states all of this gives exactly
//! the core's own cycles (a test shows it).
//!
//! The flash makes one read at a time, `1 + wait_states` cycles long, never broken off. A read that
//! the bus waits for goes before a prefetch that has not begun. Whenever a block is free and the
//! flash idle, the next line is read. A block is free again when the core has taken it. A fetch
//! that is not in the buffer empties it and restarts the prefetch behind it; one that is in the
//! buffer (a short branch forward) drops the blocks before it. Data reads neither use nor
//! disturb the buffer's content. If lines are longer than a word, the line fetched last stays
//! readable.
//!
//! # How sure this is
//!
//! Not validated against a board. What supports it: it gives the manual's factor and its remark on
//! alignment, and it reproduces a measurement on STM32F0 (jnk0le, "pipeline cycle test",
//! `doc/cortex_m0.md`) that a literal load costs one cycle less in the lower half of an aligned
//! word than in the upper: there, the prefetch that the load would have to wait for has not begun.
//! Not known: whether a branch that leaves the stream breaks off a running prefetch, whether
//! blocks can be read twice, whether data reads look into the buffer, and how the core spaces its
//! fetches while an instruction of several cycles executes.

use super::lines::{line_shift, NO_LINE};
use super::FlashTiming;

/// Any time before the first event.
const START: u64 = 16;

/// State of flash, buffer and fetch unit.
#[derive(Clone, Copy, Debug)]
pub struct Prefetch {
    wait_states: u64,
    /// Words per line, as a shift.
    line_shift: u32,
    lines: u32,

    /// The cycle in which the current instruction begins to execute; stalls shift it.
    now: u64,
    stalls: u64,
    /// Data accesses of the current instruction so far.
    accesses: u64,

    /// The newest word that the core has fetched, and the last cycle of its fetch.
    fetched: u32,
    fetched_at: u64,
    /// The first cycle in which the bus is free for another data phase.
    bus_free: u64,

    /// The first cycle in which the flash can begin another read.
    flash_free: u64,
    /// The line that the core fetched last, if lines are longer than a word.
    held: u32,
    /// The buffer: `filled` lines from `first` on, the last of them there from `last_ready` on.
    first: u32,
    filled: u32,
    last_ready: u64,
    /// When a block became free after all had been full.
    freed_at: u64,
}

impl Prefetch {
    /// A flash that reads `line` bytes (a power of two, at least 4) at a time.
    #[must_use]
    pub fn new(wait_states: u32, line: u32, lines: u32) -> Self {
        Prefetch {
            wait_states: u64::from(wait_states),
            line_shift: line_shift(line) - line_shift(4),
            lines: lines.max(1),
            now: START,
            stalls: 0,
            accesses: 0,
            fetched: NO_LINE,
            fetched_at: 0,
            bus_free: 0,
            flash_free: 0,
            held: NO_LINE,
            first: NO_LINE,
            filled: 0,
            last_ready: 0,
            freed_at: 0,
        }
    }

    /// Delays the current instruction by what `now` has to grow to reach `cycle`.
    #[inline(always)]
    fn wait_until(&mut self, cycle: u64) {
        let wait = cycle.saturating_sub(self.now);
        self.now += wait;
        self.stalls += wait;
    }

    /// Lets the controller begin every prefetch that begins before `cycle`.
    #[inline(always)]
    fn run_until(&mut self, cycle: u64) {
        while self.filled < self.lines {
            let begin = self.flash_free.max(self.freed_at);
            if begin >= cycle {
                break;
            }
            self.last_ready = begin + self.wait_states;
            self.flash_free = self.last_ready + 1;
            self.filled += 1;
        }
    }

    /// A flash read that the bus waits for from `cycle` on; returns its last cycle.
    #[inline(always)]
    fn read(&mut self, cycle: u64) -> u64 {
        let end = cycle.max(self.flash_free) + self.wait_states;
        self.flash_free = end + 1;
        end
    }

    /// The core fetches `word`, with its data phase in `cycle` or when the bus is free.
    #[inline(always)]
    fn fetch(&mut self, word: u32, cycle: u64) {
        let cycle = cycle.max(self.bus_free);
        let line = word >> self.line_shift;
        let end = if line == self.held && self.line_shift != 0 {
            cycle
        } else {
            self.run_until(cycle);
            let position = line.wrapping_sub(self.first);
            let end = if position < self.filled {
                if self.filled == self.lines {
                    self.freed_at = cycle + 1;
                }
                self.filled -= position + 1;
                if self.filled == 0 {
                    cycle.max(self.last_ready)
                } else {
                    cycle
                }
            } else {
                self.filled = 0;
                self.freed_at = 0;
                self.read(cycle)
            };
            self.first = line.wrapping_add(1);
            self.held = line;
            end
        };
        self.fetched = word;
        self.fetched_at = end;
        self.bus_free = end + 1;
    }
}

impl FlashTiming for Prefetch {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        *self = Prefetch {
            wait_states: self.wait_states,
            line_shift: self.line_shift,
            lines: self.lines,
            ..Prefetch::new(0, 4, 1)
        };
        self.jump(address, true);
        self.stalls = 0;
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let word = address >> 2;
        self.accesses = 0;
        if word == self.fetched {
            self.wait_until(self.fetched_at + 2);
            self.fetch(word.wrapping_add(1), self.now);
        }
        if halfwords == 2 && address & 2 != 0 {
            // The second half is decoded a cycle later.
            self.wait_until(self.fetched_at + 1);
            self.fetch(word.wrapping_add(2), self.now + 1);
        }
    }

    #[inline(always)]
    fn data_read(&mut self) {
        self.accesses += 1;
        let cycle = (self.now + self.accesses).max(self.bus_free);
        self.run_until(cycle);
        let end = self.read(cycle);
        self.bus_free = end + 1;
        self.wait_until(end - self.accesses);
    }

    #[inline(always)]
    fn ram_access(&mut self) {
        self.accesses += 1;
        let cycle = (self.now + self.accesses).max(self.bus_free);
        self.wait_until(cycle - self.accesses);
    }

    #[inline(always)]
    fn finish(&mut self, cycles: u32) {
        self.now += u64::from(cycles);
    }

    #[inline(always)]
    fn jump(&mut self, target: u32, in_flash: bool) {
        if !in_flash {
            self.fetched = NO_LINE;
            return;
        }
        let word = target >> 2;
        self.fetch(word, self.now - 2);
        self.wait_until(self.fetched_at + 2);
        if target & 2 != 0 {
            self.fetch(word.wrapping_add(1), self.fetched_at + 1);
        }
    }

    #[inline(always)]
    fn stalls(&self) -> u64 {
        self.stalls
    }

    #[cfg(feature = "translator")]
    const IS_KNOWN: bool = true;

    #[cfg(feature = "translator")]
    fn prefetch(&self) -> Option<Prefetch> {
        Some(self.settled())
    }

    #[cfg(feature = "translator")]
    fn set_prefetch(&mut self, state: Prefetch) {
        *self = Prefetch { stalls: self.stalls, ..state };
    }
}

#[cfg(feature = "translator")]
impl Prefetch {
    /// The same state at the first possible time and without stalls: two states that become equal cost the
    /// same from here on.
    #[must_use]
    pub fn settled(mut self) -> Prefetch {
        // No fetch or read will ask for an earlier cycle.
        let earliest = self.now - 2;
        self.run_until(earliest);
        let moved = |cycle: u64| cycle.max(earliest) - earliest + START - 2;
        Prefetch {
            now: START,
            stalls: 0,
            accesses: 0,
            fetched_at: moved(self.fetched_at),
            bus_free: moved(self.bus_free),
            flash_free: moved(self.flash_free),
            held: if self.line_shift == 0 { NO_LINE } else { self.held },
            // Of an empty buffer, it is set when a line is read ahead.
            last_ready: if self.filled == 0 { 0 } else { moved(self.last_ready) },
            freed_at: moved(self.freed_at),
            ..self
        }
    }

    /// The first address of what may be readable when the core branches, and how many bytes. Branches to all
    /// other places take the same time.
    #[must_use]
    pub fn readable(&self) -> (u32, u32) {
        let shift = self.line_shift + 2;
        // The line fetched last, unless it is a word.
        let held = u32::from(self.line_shift != 0);
        (self.first.wrapping_sub(held) << shift, (self.lines + held) << shift)
    }
}

#[cfg(feature = "translator")]
impl PartialEq for Prefetch {
    fn eq(&self, other: &Prefetch) -> bool {
        let times = |s: &Prefetch| [s.now, s.fetched_at, s.bus_free, s.flash_free, s.last_ready, s.freed_at];
        let lines = |s: &Prefetch| [s.line_shift, s.lines, s.fetched, s.held, s.first, s.filled];
        let rest = |s: &Prefetch| [s.wait_states, s.stalls, s.accesses];
        times(self) == times(other) && lines(self) == lines(other) && rest(self) == rest(other)
    }
}
