//! A cache of instructions behind a core that fetches ahead: nRF52 with its Cortex-M4.
//!
//! # Known behaviour
//!
//! Cortex-M3 r2p0 Technical Reference Manual (Arm DDI 0337G), section 1.4: the prefetch unit fetches
//! a word each cycle and holds three in a FIFO; the Cortex-M4 has the same one. nRF52840 product
//! specification, "NVMC, instruction cache": the cache can be switched on; data reads go past it.
//!
//! # The model
//!
//! The cache is direct-mapped. From a branch on, the core asks for a word each cycle, as long as the
//! FIFO has room: for word `n` when execution comes to word `n - 2` and word `n - 3` leaves. A word
//! in a line that is held can be executed in the cycle after; one in a line that is not
//! `wait_states` later, with the rest of its line behind it, a word each cycle. So what the core
//! does with the words that it holds hides a part of the wait. A line that was asked for is in the
//! cache even if a branch comes first: the branch turns the fetching elsewhere two cycles before its
//! target is executed.
//!
//! A data read waits `data_wait_states` unless it is of the word read last. The content stays from
//! call to call.
//!
//! # How sure this is
//!
//! Wait states, the cache's geometry, and that a word is kept, follow from published timings of the
//! Nano 33 BLE (NIST, calibration rows). See `pennyweight accuracy`.

use super::lines::{line_shift, DirectMapped, NO_LINE};
use super::FlashTiming;

/// State of the cache and of the fetching.
#[derive(Clone, Copy, Debug)]
pub struct FetchAhead {
    wait_states: u64,
    data_wait_states: u64,
    /// Bytes of a line, as a shift.
    shift: u32,
    /// Words that the FIFO holds.
    room: u32,
    now: u64,
    stalls: u64,
    /// The line that holds the end of the current instruction.
    line: u32,
    /// The word that the current instruction begins in.
    word: u32,
    /// When execution came to a word, by the last bits of its number.
    entered: [u64; 4],
    /// The word that fetching began with, or that was waited for last, and when it could be
    /// executed; those behind it follow, one a cycle.
    first: u32,
    first_ready: u64,
    /// Does the next instruction come from a branch?
    branched: bool,
    /// The word of data read last.
    data: u32,
    held: DirectMapped,
}

impl FetchAhead {
    /// An empty cache of so many lines (a power of two, at most
    /// [`MOST_CACHE_LINES`](pennyweight_machine::board::timing::MOST_CACHE_LINES)) of so many bytes (a power
    /// of two, at least 4), before a core that holds `room` words (2 to 4).
    #[must_use]
    pub fn new(wait_states: u32, line: u32, lines: u32, data_wait_states: u32, room: u32) -> Self {
        FetchAhead {
            wait_states: wait_states.into(),
            data_wait_states: data_wait_states.into(),
            shift: line_shift(line),
            room: room.clamp(2, 4),
            now: 2,
            stalls: 0,
            line: NO_LINE,
            word: 0,
            entered: [0; 4],
            first: 0,
            first_ready: 0,
            branched: false,
            data: NO_LINE,
            held: DirectMapped::new(lines),
        }
    }

    #[inline(always)]
    fn wait(&mut self, cycles: u64) {
        self.now += cycles;
        self.stalls += cycles;
    }

    /// When the core asks for `word`; `None` as long as the FIFO has no room for it.
    #[inline(always)]
    fn asked_for(&self, word: u32) -> Option<u64> {
        let since = word.wrapping_sub(self.first);
        let in_turn = self.first_ready + u64::from(since) - 1;
        // Execution comes to `leaver` when the word before it leaves.
        let leaver = word.wrapping_sub(self.room - 1);
        if since < self.room {
            Some(in_turn)
        } else if leaver.wrapping_sub(self.first) > self.word.wrapping_sub(self.first) {
            None
        } else {
            Some(in_turn.max(self.entered[(leaver & 3) as usize]))
        }
    }

    /// Execution comes to a line, with `word`.
    fn enter(&mut self, word: u32) {
        let asked = self.asked_for(word).unwrap_or(self.now);
        if !self.held.look_up((word << 2) >> self.shift) {
            self.first = word;
            self.first_ready = asked + 1 + self.wait_states;
        }
    }

    /// A branch turns the fetching elsewhere: has the line behind been asked for?
    fn leave(&mut self) {
        if self.line == NO_LINE {
            return;
        }
        let next = self.line.wrapping_add(1);
        let word = next << self.shift >> 2;
        if self.asked_for(word).is_some_and(|asked| asked + 2 < self.now) {
            self.held.look_up(next);
        }
    }
}

impl FlashTiming for FetchAhead {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        // The branch that called has fetched it.
        self.line = NO_LINE;
        self.jump(address, true);
        self.held.look_up(address >> self.shift);
        self.line = address >> self.shift;
        self.stalls = 0;
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let word = address >> 2;
        let last = address.wrapping_add(2 * halfwords - 1);
        if self.branched {
            self.branched = false;
            // The core itself waits for the second half of a target that is not in one word.
            self.first_ready -= u64::from(halfwords == 2 && address & 2 != 0);
        } else if word != self.word {
            self.entered[(word & 3) as usize] = self.now;
        }
        self.word = word;
        if last >> self.shift != self.line {
            if address >> self.shift != self.line {
                self.enter(word);
            }
            if last >> self.shift != address >> self.shift {
                self.enter(last >> 2);
            }
            self.line = last >> self.shift;
        }
        let ready = self.first_ready + u64::from((last >> 2).wrapping_sub(self.first));
        self.wait(ready.saturating_sub(self.now));
    }

    #[inline(always)]
    fn data_read(&mut self) {
        self.data = NO_LINE;
        self.wait(self.data_wait_states);
    }

    #[inline(always)]
    fn data_read_at(&mut self, address: u32) {
        if self.data != address >> 2 {
            self.data = address >> 2;
            self.wait(self.data_wait_states);
        }
    }

    #[inline(always)]
    fn ram_access(&mut self) {}

    #[inline(always)]
    fn finish(&mut self, cycles: u32) {
        self.now += u64::from(cycles);
    }

    #[inline(always)]
    fn jump(&mut self, target: u32, in_flash: bool) {
        self.leave();
        self.first = target >> 2;
        self.first_ready = self.now;
        self.word = self.first;
        self.entered[(self.first & 3) as usize] = self.now;
        self.branched = true;
        if !in_flash {
            self.line = NO_LINE;
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
        self.held.all()
    }

    #[cfg(feature = "translator")]
    fn fetch_ahead(&mut self) -> Option<&mut FetchAhead> {
        Some(self)
    }
}

/// The state that decides what comes, apart from the lines that are held, where lines have at least
/// [`FetchState::LEAST_WORDS`] words and the core holds [`FetchState::ROOM`].
#[cfg(feature = "translator")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FetchState {
    /// The time.
    pub now: u64,
    /// The line in use; `None`: the next instruction's has to be looked up.
    pub line: Option<u32>,
    /// The word that the current instruction begins in.
    pub word: u32,
    /// When execution came to the last but one word of a line.
    pub entered: u64,
    /// The word that fetching began with, or that was waited for last.
    pub first: u32,
    /// When that could be executed.
    pub first_ready: u64,
    /// Does the next instruction come from a branch?
    pub branched: bool,
    /// The word of data read last.
    pub data: u32,
}

#[cfg(feature = "translator")]
impl FetchState {
    /// Words of a line at least.
    pub const LEAST_WORDS: u32 = 4;
    /// Words that the core holds.
    pub const ROOM: u32 = 3;
    /// The last bits of the number of the word that `entered` is of.
    pub const LEAVER: u32 = Self::LEAST_WORDS - Self::ROOM + 1;
}

#[cfg(feature = "translator")]
impl FetchAhead {
    /// The state.
    #[must_use]
    pub fn state(&self) -> FetchState {
        FetchState {
            now: self.now,
            line: (self.line != NO_LINE).then_some(self.line),
            word: self.word,
            entered: self.entered[FetchState::LEAVER as usize],
            first: self.first,
            first_ready: self.first_ready,
            branched: self.branched,
            data: self.data,
        }
    }

    /// Sets the state.
    pub fn set_state(&mut self, state: &FetchState) {
        self.now = state.now;
        self.line = state.line.unwrap_or(NO_LINE);
        self.word = state.word;
        self.entered[FetchState::LEAVER as usize] = state.entered;
        (self.first, self.first_ready) = (state.first, state.first_ready);
        (self.branched, self.data) = (state.branched, state.data);
    }
}
