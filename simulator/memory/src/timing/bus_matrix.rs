//! Flash that reads ahead, and RAM, behind a bus matrix: SAM3X with its Cortex-M3.
//!
//! # Known behaviour
//!
//! Cortex-M3 r2p0 Technical Reference Manual (Arm DDI 0337G), section 1.4: the prefetch unit fetches
//! a word each cycle and holds three in a FIFO. SAM3X/SAM3A datasheet (11057), EEFC, "Code Read
//! Optimization": lines of 128 bits; one buffer holds the line in use, one the line read ahead, one
//! more data; four wait states at 84 MHz. The same, "Bus Matrix": instructions and data in flash go
//! through one master; a slave without a default master, as after reset, is disconnected when no
//! master asks for it, and costs one cycle when it is asked again.
//!
//! # The model
//!
//! The core asks for a word each cycle, as long as the FIFO has room. The flash makes one read at a
//! time, `1 + wait_states` cycles long, never broken off; when the first word of a line comes, the
//! line behind it begins to be read. Where the FIFO was full, fetching has paused, and the next word
//! comes `pause_wait_states` later. A branch turns the fetching elsewhere a cycle before its target
//! is executed. Data in flash waits for a read of its own, unless its line was read last, and holds
//! fetches off until it has arrived; a fetch directly behind it is not behind a pause. A read of RAM
//! waits `connect_wait_states`, unless the instruction before it went to RAM too; the core's write
//! buffer hides this from stores.
//!
//! # How sure this is
//!
//! Of three cycles after a pause the matrix explains one; that they are three was chosen on the
//! calibration rows of the Due. The datasheet does not describe what the flash does in the others. See
//! `pennyweight accuracy`.

use super::lines::{line_shift, NO_LINE};
use super::FlashTiming;

/// Words that the core's FIFO holds.
const ROOM: u32 = 3;

/// State of fetching, flash, buffers and matrix.
#[derive(Clone, Copy, Debug)]
pub struct BusMatrix {
    wait_states: u64,
    pause_wait_states: u64,
    connect_wait_states: u64,
    /// Bytes of a line, as a shift.
    shift: u32,
    now: u64,
    stalls: u64,
    /// The word that is executed, the oldest in the FIFO.
    head: u32,
    /// The word to be asked for next, and when the one before it came.
    next: u32,
    answered: u64,
    /// When a word could be executed, and when it left the FIFO, by the last bits of its number.
    ready: [u64; 4],
    left: [u64; 4],
    /// Does the next instruction come from a branch?
    branched: bool,
    /// The line in use, the line read ahead, and when that can be used.
    line: u32,
    ahead: u32,
    ahead_ready: u64,
    /// When the flash can begin another read.
    flash_free: u64,
    /// The line of data read last.
    data: u32,
    /// Does the current instruction go to RAM, and when did the last one that did end?
    accessed: bool,
    connected: u64,
}

impl BusMatrix {
    /// Empty buffers. `line`: bytes that a read delivers, a power of two of at least 4.
    #[must_use]
    pub fn new(wait_states: u32, line: u32, pause_wait_states: u32, connect_wait_states: u32) -> Self {
        BusMatrix {
            wait_states: wait_states.into(),
            pause_wait_states: pause_wait_states.into(),
            connect_wait_states: connect_wait_states.into(),
            shift: line_shift(line),
            now: 3,
            stalls: 0,
            head: 0,
            next: 0,
            answered: 0,
            ready: [0; 4],
            left: [0; 4],
            branched: false,
            line: NO_LINE,
            ahead: NO_LINE,
            ahead_ready: 0,
            flash_free: 0,
            data: NO_LINE,
            accessed: false,
            connected: 0,
        }
    }

    #[inline(always)]
    fn wait_until(&mut self, cycle: u64) {
        let wait = cycle.saturating_sub(self.now);
        self.now += wait;
        self.stalls += wait;
    }

    /// When the core asks for the next word; `None` as long as the FIFO has no room for it.
    #[inline(always)]
    fn asked(&self) -> Option<u64> {
        let leaver = self.left[(self.next.wrapping_sub(ROOM) & 3) as usize];
        (self.next.wrapping_sub(self.head) < ROOM).then(|| self.answered.max(leaver))
    }

    /// The flash begins a read at `cycle` or as soon as it can; when does it end?
    #[inline(always)]
    fn read(&mut self, cycle: u64) -> u64 {
        self.flash_free = cycle.max(self.flash_free) + self.wait_states + 1;
        self.flash_free
    }

    /// The next word, asked for at `asked`, comes.
    #[inline(always)]
    fn fetch(&mut self, mut asked: u64) {
        if asked > self.answered {
            asked += self.pause_wait_states;
        }
        let line = (self.next << 2) >> self.shift;
        let mut ready = asked + 1;
        if line != self.line {
            ready = ready.max(if line == self.ahead { self.ahead_ready } else { self.read(asked) });
            self.line = line;
            let behind = line.wrapping_add(1);
            if self.ahead != behind {
                self.ahead = behind;
                self.ahead_ready = self.read(ready - 1);
            }
        }
        self.ready[(self.next & 3) as usize] = ready;
        self.answered = ready;
        self.next = self.next.wrapping_add(1);
    }

    /// Fetches what is asked for before `cycle`.
    #[inline(always)]
    fn fetch_until(&mut self, cycle: u64) {
        while let Some(asked) = self.asked().filter(|&asked| asked < cycle) {
            self.fetch(asked);
        }
    }

    /// Data comes from a line, or from one that is not known; a load's data phase is its second cycle.
    fn read_data(&mut self, line: u32) {
        self.fetch_until(self.now + 1);
        let mut done = self.now + 1;
        if line != self.data || line == NO_LINE {
            self.data = line;
            done = self.read(done);
            self.wait_until(done - 2);
        }
        self.answered = self.answered.max(done);
    }
}

impl FlashTiming for BusMatrix {
    const ACTIVE: bool = true;

    fn start(&mut self, address: u32) {
        // The branch that called has fetched it; what came before is long over.
        self.now = self.now.max(self.flash_free).max(self.answered) + 3;
        self.jump(address, true);
        self.instruction(address, 1);
        self.stalls = 0;
    }

    #[inline(always)]
    fn instruction(&mut self, address: u32, halfwords: u32) {
        let first = address >> 2;
        let last = address.wrapping_add(2 * halfwords - 1) >> 2;
        if self.branched {
            self.branched = false;
            if last != first {
                // The core itself waits for the second half: what it waits for was asked for before.
                self.answered -= 1;
                self.left = [self.answered; 4];
            }
        }
        while self.head != first {
            self.left[(self.head & 3) as usize] = self.now;
            self.head = self.head.wrapping_add(1);
        }
        while last.wrapping_sub(self.head) >= self.next.wrapping_sub(self.head) {
            self.fetch(self.asked().unwrap_or(self.now));
        }
        self.wait_until(self.ready[(last & 3) as usize]);
    }

    #[inline(always)]
    fn data_read(&mut self) {
        self.read_data(NO_LINE);
    }

    #[inline(always)]
    fn data_read_at(&mut self, address: u32) {
        self.read_data(address >> self.shift);
    }

    #[inline(always)]
    fn ram_access(&mut self) {
        self.accessed = true;
    }

    #[inline(always)]
    fn ram_read(&mut self) {
        if !self.accessed {
            self.accessed = true;
            if self.now > self.connected {
                self.wait_until(self.now + self.connect_wait_states);
            }
        }
    }

    #[inline(always)]
    fn finish(&mut self, cycles: u32) {
        self.now += u64::from(cycles);
        if self.accessed {
            self.accessed = false;
            self.connected = self.now;
        }
    }

    #[inline(always)]
    fn jump(&mut self, target: u32, in_flash: bool) {
        self.fetch_until(self.now - 1);
        self.head = target >> 2;
        self.next = self.head;
        if !in_flash {
            // Nothing is asked of the flash until a branch leads back.
            self.line = NO_LINE;
            self.next = self.head.wrapping_add(ROOM);
        }
        self.answered = self.now - 1;
        self.left = [self.answered; 4];
        self.branched = true;
    }

    #[inline(always)]
    fn stalls(&self) -> u64 {
        self.stalls
    }
}
