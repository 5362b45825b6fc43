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

    #[cfg(feature = "translator")]
    const IS_KNOWN: bool = true;

    #[cfg(feature = "translator")]
    fn bus_matrix(&mut self) -> Option<&mut BusMatrix> {
        Some(self)
    }
}

/// The time of settled states.
#[cfg(feature = "translator")]
const SETTLED: u64 = 16;

/// What decides what comes behind a settled state, apart from the line of data.
#[cfg(feature = "translator")]
pub type MatrixKey = [u64; 17];

#[cfg(feature = "translator")]
impl BusMatrix {
    /// The same state between two instructions at the first possible time, without stalls and without the line
    /// of data: two states whose keys become equal cost the same from here on, as far as they read the same
    /// lines of data.
    #[must_use]
    pub fn settled(mut self) -> BusMatrix {
        let now = self.now;
        // A jump would let this be fetched too; whatever comes lets it be fetched before anything else.
        self.fetch_until(now - 1);
        // No event will ask for an earlier cycle: an instruction in two words, behind a branch, is asked for in
        // this one.
        let earliest = now - 2;
        let moved = |cycle: u64| cycle.max(earliest) - earliest + SETTLED - 2;
        // Of the words that will be asked for, only the first one can be behind a pause that has begun.
        let has_room = self.next.wrapping_sub(self.head) < ROOM;
        let leaver = (self.next.wrapping_sub(ROOM) & 3) as usize;
        let paused = has_room && self.left[leaver] > self.answered;
        let mut left = [SETTLED - 2; 4];
        if paused {
            left[leaver] = moved(self.left[leaver]);
        }
        let answered = match (has_room, paused) {
            (true, true) => SETTLED - 2,
            (true, false) => moved(self.answered),
            // There will be room for the next word only when the one executed leaves, not before now.
            (false, _) => moved(self.answered.max(now - 1)),
        };
        let mut ready = [SETTLED; 4];
        for word in 0..self.next.wrapping_sub(self.head).min(ROOM) {
            let place = (self.head.wrapping_add(word) & 3) as usize;
            ready[place] = moved(self.ready[place].max(now));
        }
        let line = (self.next << 2) >> self.shift;
        let is_far = ![self.line, self.ahead, self.ahead.wrapping_sub(1)].contains(&line);
        BusMatrix {
            now: SETTLED,
            stalls: 0,
            answered,
            ready,
            left,
            line: if is_far { NO_LINE } else { self.line },
            ahead: if is_far { NO_LINE } else { self.ahead },
            ahead_ready: if is_far { SETTLED - 1 } else { moved(self.ahead_ready.max(now - 1)) },
            flash_free: moved(self.flash_free),
            data: NO_LINE,
            accessed: false,
            connected: moved(self.connected.max(now - 1)),
            ..self
        }
    }

    /// The key of a settled state. The first two parts are where it is.
    #[must_use]
    pub fn key(&self) -> MatrixKey {
        let [ready, left] = [self.ready, self.left];
        let [head, next, line, ahead] = [self.head, self.next, self.line, self.ahead].map(u64::from);
        let times = [self.answered, self.ahead_ready, self.flash_free, self.connected];
        let mut key = [0; 17];
        key[..4].copy_from_slice(&[head, next, line, ahead]);
        key[4..8].copy_from_slice(&times);
        key[8..12].copy_from_slice(&ready);
        key[12..16].copy_from_slice(&left);
        key[16] = self.branched.into();
        key
    }

    /// The instruction reads data from the line read last.
    pub fn data_read_again(&mut self) {
        let line = 0;
        self.data = line;
        self.read_data(line);
    }

    /// The line of data read last.
    #[must_use]
    pub fn data_line(&self) -> u32 {
        self.data
    }

    /// Sets that line.
    pub fn set_data_line(&mut self, line: u32) {
        self.data = line;
    }

    /// An address to which a jump takes the same time as to all others that are not near.
    #[must_use]
    pub fn far_target(&self) -> u32 {
        self.line.wrapping_add(8) << self.shift
    }

    /// Takes a state, but keeps the stalls and the line of data.
    pub fn resume(&mut self, state: &BusMatrix) {
        *self = BusMatrix { stalls: self.stalls, data: self.data, ..*state };
    }
}

#[cfg(test)]
#[cfg(feature = "translator")]
mod tests {
    use super::{BusMatrix, FlashTiming, MatrixKey};

    const FLASH: u32 = 0x8_0000;

    /// Does the same to a state and to the same state as it settled; both wait the same.
    fn both(one: &mut BusMatrix, other: &mut BusMatrix, event: impl Fn(&mut BusMatrix)) {
        let before = [one.stalls(), other.stalls()];
        event(one);
        event(other);
        assert_eq!(one.stalls() - before[0], other.stalls() - before[1], "{one:?} {other:?}");
    }

    /// Runs random code, of which the instructions change with `seed`; returns the keys between instructions.
    fn compare(seed: u64, line: u32) -> std::collections::HashSet<MatrixKey> {
        let mut matrix = BusMatrix::new(4, line, 3, 1);
        let mut random = seed;
        let mut next = |below: u32| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as u32 % below
        };
        matrix.start(FLASH);
        let (mut pc, mut keys) = (FLASH, std::collections::HashSet::new());
        let mut other = matrix;
        for _ in 0..20_000 {
            if next(4) == 0 {
                other = other.settled();
            }
            keys.insert(other.settled().key());
            let halfwords = 1 + next(2);
            both(&mut matrix, &mut other, |each| each.instruction(pc, halfwords));
            match next(8) {
                0 => both(&mut matrix, &mut other, BusMatrix::ram_read),
                1 => both(&mut matrix, &mut other, BusMatrix::ram_access),
                2 => both(&mut matrix, &mut other, BusMatrix::data_read),
                3 => both(&mut matrix, &mut other, BusMatrix::data_read_again),
                _ => {}
            }
            let cycles = if next(6) == 0 { next(12) } else { 1 };
            both(&mut matrix, &mut other, |each| each.finish(cycles));
            pc += 2 * halfwords;
            if next(5) == 0 {
                let near = (pc & !31).wrapping_sub(32) + 2 * next(48);
                let far = FLASH + 2 * next(4096);
                pc = if next(2) == 0 { near.max(FLASH) } else { far };
                let in_flash = next(16) != 0;
                both(&mut matrix, &mut other, |each| each.jump(pc, in_flash));
                if !in_flash {
                    both(&mut matrix, &mut other, |each| each.finish(3));
                    both(&mut matrix, &mut other, |each| each.jump(pc, true));
                }
            }
        }
        keys
    }

    #[test]
    fn settled_states_wait_as_they_did_before() {
        for (seed, line) in (0..20).zip([16, 4, 8, 32].into_iter().cycle()) {
            let keys = compare(seed, line);
            assert!(keys.len() < 20_000, "states come again");
        }
    }
}
