//! Wait states behind a buffer in front of the core that is filled line by line, as in the CH32V003.
//!
//! # Known behaviour
//!
//! CH32V003 Reference Manual, chapter "Flash": one wait state above 24 MHz. jnk0le, "pipeline cycle test",
//! `doc/ch32v003_(qkv2).md` (github.com/jnk0le/random), measured on the part: the flash is read in lines of
//! four bytes; a taken branch takes 3 cycles without wait states and, with one, 4 or 5: 4 from the older of
//! two instructions in a word and 5 from the younger, which instructions of two cycles in front of them can
//! swap and 32-bit instructions can swap back; with a wait state, one cycle more if the target is not
//! aligned to a word.
//!
//! # The model
//!
//! Time is counted in cycles in which an instruction executes. The flash makes one read at a time,
//! `1 + wait_states` cycles long, never broken off. Lines are read one after the other as long as the buffer
//! has a place; a place is taken when the read of its line begins, and free again when the last halfword of
//! the line begins to execute. An instruction can execute from the second cycle after the read of its last
//! line ended. A taken branch empties the buffer at the end of its first cycle; the target's line is read as
//! soon as the flash is idle. A data read is made in the second cycle of a load, or when the flash is idle,
//! and goes before a read of code that has not begun.
//!
//! Without wait states this gives exactly the core's own cycles (a test shows it). With one, 16-bit code runs
//! at the speed at which the flash delivers it, and a branch finds the flash idle or in the middle of a read,
//! by its place in the word: this explains the 4 and 5 cycles above. Instructions of two cycles move this
//! phase, if there is a place for the line that is read meanwhile. The least buffer of which that is true has
//! three lines; the tests show that it has, and that one of two has not.
//!
//! # How sure this is
//!
//! Not known: whether the buffer has more than three lines, whether a branch to a line in the buffer finds it
//! there (here it is read again), and how data reads and reads of code share the flash.

use pennyweight_machine::board::timing::MOST_FETCHED_LINES;

use super::lines::{line_shift, NO_LINE};
use super::FlashTiming;

/// Any time before the first event.
const START: u64 = 16;

/// State of flash and buffer.
#[derive(Clone, Copy, Debug)]
pub struct FetchBuffer {
    wait_states: u64,
    /// Bytes of a line, as a shift.
    shift: u32,
    /// The buffer's places.
    lines: u32,

    /// The cycle in which the current instruction begins to execute; stalls shift it.
    now: u64,
    stalls: u64,
    /// When the last finished instruction began to execute.
    begun: u64,
    /// The next instruction is a run's first, whose fetch belongs to the branch that led there.
    entering: bool,

    /// The oldest line in the buffer, or [`NO_LINE`] if execution is elsewhere.
    first: u32,
    /// Lines in the buffer from there on, the one that is being read included.
    filled: u32,
    /// When the read of each line ends, by the lowest bits of its number.
    ready: [u64; MOST_FETCHED_LINES as usize],
    /// When the flash can begin another read.
    flash_free: u64,
    /// When a place became free after all had been taken.
    freed_at: u64,
}

impl FetchBuffer {
    /// An empty buffer of `lines` (2 to [`MOST_FETCHED_LINES`]) lines of `line` bytes (a power of two, at
    /// least 4).
    #[must_use]
    pub fn new(wait_states: u32, line: u32, lines: u32) -> Self {
        FetchBuffer {
            wait_states: u64::from(wait_states),
            shift: line_shift(line),
            lines: lines.clamp(2, MOST_FETCHED_LINES),
            now: START,
            stalls: 0,
            begun: 0,
            entering: false,
            first: NO_LINE,
            filled: 0,
            ready: [0; MOST_FETCHED_LINES as usize],
            flash_free: 0,
            freed_at: 0,
        }
    }

    /// Delays the current instruction by what `now` has to grow to reach `cycle`.
    #[inline(always)]
    fn wait_until(&mut self, cycle: u64) {
        let wait = cycle.saturating_sub(self.now);
        self.now += wait;
        if !self.entering {
            self.stalls += wait;
        }
    }

    /// Empties the buffer; lines are read from that of `address` on, not before `cycle`.
    #[inline(always)]
    fn refill(&mut self, address: u32, cycle: u64) {
        self.first = address >> self.shift;
        self.filled = 0;
        self.freed_at = cycle;
    }

    /// As if a branch had just led to `address`.
    fn restart(&mut self, address: u32) {
        self.entering = true;
        self.refill(address, self.now - 2);
    }

    /// The place of a line in `ready`.
    #[inline(always)]
    fn place(line: u32) -> usize {
        (line % MOST_FETCHED_LINES) as usize
    }

    /// When the next read of code could begin.
    #[inline(always)]
    fn next_read(&self) -> u64 {
        self.flash_free.max(self.freed_at)
    }

    /// Begins to read the next line at `cycle`.
    #[inline(always)]
    fn read(&mut self, cycle: u64) {
        self.flash_free = cycle + 1 + self.wait_states;
        self.ready[Self::place(self.first.wrapping_add(self.filled))] = self.flash_free;
        self.filled += 1;
    }

    /// Lets every read of code begin that begins before `cycle`.
    #[inline(always)]
    fn run_until(&mut self, cycle: u64) {
        while self.first != NO_LINE && self.filled < self.lines && self.next_read() < cycle {
            self.read(self.next_read());
        }
    }
}

impl FlashTiming for FetchBuffer {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        let FetchBuffer { wait_states, shift, lines, .. } = *self;
        *self = FetchBuffer { wait_states, shift, lines, ..FetchBuffer::new(0, 4, 2) };
        self.restart(address);
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let last_half = address.wrapping_add(2 * halfwords - 2);
        let last = last_half >> self.shift;
        if address >> self.shift != self.first {
            self.restart(address);
        }
        while last.wrapping_sub(self.first) >= self.filled {
            self.read(self.next_read());
        }
        self.wait_until(self.ready[Self::place(last)] + 1);
        self.entering = false;
        self.run_until(self.now);
        // Its last line too, if its last halfword is the line's.
        let ends_line = last_half.wrapping_add(2) & ((1 << self.shift) - 1) == 0;
        let executed = last.wrapping_sub(self.first) + u32::from(ends_line);
        if executed != 0 {
            if self.filled == self.lines {
                self.freed_at = self.now;
            }
            self.first = self.first.wrapping_add(executed);
            self.filled -= executed;
        }
    }

    #[inline(always)]
    fn data_read(&mut self) {
        let cycle = self.now + 1;
        self.run_until(cycle);
        self.flash_free = cycle.max(self.flash_free) + 1 + self.wait_states;
        self.wait_until(self.flash_free - 2);
    }

    #[inline(always)]
    fn ram_access(&mut self) {}

    #[inline(always)]
    fn finish(&mut self, cycles: u32) {
        self.begun = self.now;
        self.now += u64::from(cycles);
    }

    #[inline(always)]
    fn jump(&mut self, target: u32, in_flash: bool) {
        self.run_until(self.begun + 1);
        if in_flash {
            self.refill(target, self.begun + 1);
        } else {
            self.first = NO_LINE;
        }
    }

    #[inline(always)]
    fn stalls(&self) -> u64 {
        self.stalls
    }

    #[cfg(feature = "translator")]
    const IS_KNOWN: bool = true;

    #[cfg(feature = "translator")]
    fn fetch_buffer(&self) -> Option<FetchBuffer> {
        Some(self.settled())
    }

    #[cfg(feature = "translator")]
    fn set_fetch_buffer(&mut self, state: FetchBuffer) {
        *self = FetchBuffer { stalls: self.stalls, ..state };
    }
}

/// The time of states that are settled.
#[cfg(feature = "translator")]
const SETTLED: u64 = 1 << 12;

#[cfg(feature = "translator")]
impl FetchBuffer {
    /// The same state between two instructions, at a fixed time and without stalls: two states that become equal
    /// cost the same from here on.
    #[must_use]
    pub fn settled(mut self) -> FetchBuffer {
        // What begins before the next instruction begins whatever that is.
        self.run_until(self.now);
        let mut earliest = self.now;
        if self.first == NO_LINE {
            // A read can be asked for two cycles ago.
            earliest -= 2;
            (self.filled, self.freed_at) = (0, 0);
        } else if self.filled == 0 {
            // The next instruction asks for a read, whatever kept the flash from it.
            self.flash_free = self.next_read();
            self.freed_at = self.flash_free;
        }
        let moved = |cycle: u64, earliest: u64| cycle.max(earliest) + SETTLED - self.now;
        let mut ready = [0; MOST_FETCHED_LINES as usize];
        for line in (0..self.filled).map(|number| self.first.wrapping_add(number)) {
            ready[Self::place(line)] = moved(self.ready[Self::place(line)], self.now - 1);
        }
        FetchBuffer {
            now: SETTLED,
            stalls: 0,
            begun: SETTLED,
            ready,
            flash_free: moved(self.flash_free, earliest),
            // Of a full buffer, it is set when a place becomes free.
            freed_at: if self.filled == self.lines { 0 } else { moved(self.freed_at, earliest) },
            ..self
        }
    }

    /// The same state behind a jump whose target is not known yet. That no read can begin before the jump's second
    /// cycle is noted as if one had ended then.
    #[must_use]
    pub fn open(self) -> FetchBuffer {
        let begins = self.next_read() + SETTLED - self.now;
        let FetchBuffer { wait_states, shift, lines, .. } = self;
        let empty = FetchBuffer::new(0, 4, 2);
        FetchBuffer { wait_states, shift, lines, now: SETTLED, flash_free: begins, freed_at: begins, ..empty }
    }

    /// That state when the target is known, and that the jump takes so many cycles more.
    #[must_use]
    pub fn led_to(self, target: u32, in_flash: bool, more: u32) -> FetchBuffer {
        let first = if in_flash { target >> self.shift } else { NO_LINE };
        FetchBuffer { first, now: self.now + u64::from(more), ..self }
    }
}

#[cfg(feature = "translator")]
impl PartialEq for FetchBuffer {
    fn eq(&self, other: &FetchBuffer) -> bool {
        let times = |s: &FetchBuffer| [s.now, s.stalls, s.begun, s.flash_free, s.freed_at, s.wait_states];
        let lines = |s: &FetchBuffer| [s.shift, s.lines, s.first, s.filled, s.entering.into()];
        times(self) == times(other) && lines(self) == lines(other) && self.ready == other.ready
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "translator")]
    use super::{FetchBuffer, FlashTiming};

    #[cfg(feature = "translator")]
    #[test]
    fn settled_states_wait_as_the_others_do() {
        let mut seed = 1u32;
        let mut random = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % most
        };
        for (wait_states, line, lines) in [(0, 4, 2), (1, 4, 3), (2, 8, 2), (5, 4, 8)] {
            let mut buffer = FetchBuffer::new(wait_states, line, lines);
            buffer.start(0x100);
            let (mut settled, mut stalls, mut address) = (buffer.settled(), 0, 0x100);
            for _ in 0..3000 {
                let halfwords = 1 + random(2);
                let reads = random(4) == 0;
                let (cycles, more) = (1 + random(3) + u32::from(reads), random(2));
                for each in [&mut buffer, &mut settled] {
                    each.instruction(address, halfwords);
                    if reads {
                        each.data_read();
                    }
                    each.finish(cycles);
                }
                address += 2 * halfwords;
                if random(6) == 0 {
                    address = 2 * random(0x200);
                    let is_flash = random(8) != 0;
                    settled.jump(address, is_flash);
                    // As if it were known later that the jump takes more cycles.
                    buffer.now += u64::from(more);
                    buffer.jump(address, is_flash);
                    let open = settled.open().led_to(address, is_flash, more);
                    stalls += settled.stalls();
                    settled = open;
                    if !is_flash {
                        address = 2 * random(0x200);
                        for each in [&mut buffer, &mut settled] {
                            each.finish(cycles);
                            each.jump(address, true);
                        }
                    }
                }
                stalls += settled.stalls();
                settled = settled.settled();
                assert_eq!(settled, buffer.settled());
                assert_eq!(stalls, buffer.stalls());
            }
            assert!(stalls > 0 || wait_states == 0);
        }
    }
}
