//! The random number generator of a part, as programs see it through its registers.
//!
//! Words come from SplitMix64 (G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators,
//! OOPSLA 2014) with a fixed seed, so that every run repeats. A number is ready when a run begins, and again
//! [`RandomSource::cycles`] after each read. Generators that run freely may have the next number earlier, by
//! at most the time that the last one waited to be read.

use pennyweight_machine::observe::Accessed;
use pennyweight_machine::{Access, Drawn, FaultKind, RandomSource};

use crate::bus::DataBus;

const SEED: u64 = 0x7065_6e6e_7977_7431;

/// A generator and what was drawn from it in the current run.
#[derive(Clone, Debug)]
pub struct RandomDevice {
    source: RandomSource,
    state: u64,
    /// Since the run began: when the next number is ready.
    ready_at: u64,
    waits_since: Option<u64>,
    drawn: Drawn,
}

impl RandomDevice {
    /// A generator after reset.
    #[must_use]
    pub fn new(source: RandomSource) -> Self {
        RandomDevice { source, state: SEED, ready_at: 0, waits_since: None, drawn: Drawn::default() }
    }

    /// A run begins: time starts at 0, and a number is ready.
    pub fn begin(&mut self) {
        (self.ready_at, self.waits_since, self.drawn) = (0, None, Drawn::default());
    }

    /// What the current run has drawn.
    #[must_use]
    pub fn drawn(&self) -> Drawn {
        self.drawn
    }

    /// Is the access that failed in this way one to a register of the generator?
    #[must_use]
    pub fn takes(&self, fault: FaultKind) -> bool {
        match fault {
            FaultKind::Unmapped { address, size, access: Access::Read } => {
                self.status_offset(address, size).is_some() || self.is_data(address, size)
            }
            FaultKind::Unmapped { address, size, access: Access::Write } => {
                self.source.acknowledge && self.status_offset(address, size).is_some()
            }
            _ => false,
        }
    }

    /// Loads from a register at `now`; `None` if there is none at this address.
    fn load(&mut self, address: u32, size: u32, now: u64) -> Option<u32> {
        if let Some(offset) = self.status_offset(address, size) {
            if now >= self.ready_at {
                return Some(self.source.ready >> (8 * offset));
            }
            self.waits_since.get_or_insert(now);
            return Some(0);
        }
        if !self.is_data(address, size) {
            return None;
        }
        let since = self.waits_since.take().unwrap_or(now);
        self.drawn.bits += u64::from(self.source.bits);
        self.drawn.waited += now - since;
        self.ready_at = now + u64::from(self.source.cycles);
        Some(self.next() >> (32 - self.source.bits))
    }

    /// The byte of the status register that an access begins with. The register's mask decides how much
    /// of it there is: 1, 2 or 4 bytes.
    fn status_offset(&self, address: u32, size: u32) -> Option<u32> {
        let bytes = (32 - self.source.ready.leading_zeros()).div_ceil(8).next_power_of_two();
        let offset = address.wrapping_sub(self.source.status);
        (offset < bytes && self.source.status & (size - 1) == offset & (size - 1)).then_some(offset)
    }

    fn is_data(&self, address: u32, size: u32) -> bool {
        address == self.source.data && size * 8 >= self.source.bits
    }

    fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 32) as u32
    }
}

/// Memory and the generator's registers, for one instruction.
pub struct WithRandom<'a> {
    /// The memory.
    pub bus: &'a mut dyn DataBus,
    /// The generator.
    pub device: &'a mut RandomDevice,
    /// Cycles from the run's beginning to the instruction.
    pub now: u64,
    /// The last access to a register.
    pub accessed: Option<Accessed>,
}

impl WithRandom<'_> {
    fn load(&mut self, address: u32, size: u32) -> Option<u32> {
        let value = self.device.load(address, size, self.now)?;
        self.accessed = Some((address, size, Access::Read));
        Some(value)
    }

    fn stores(&mut self, address: u32, size: u32) -> bool {
        let access = Access::Write;
        let taken = self.device.takes(FaultKind::Unmapped { address, size, access });
        if taken {
            self.accessed = Some((address, size, access));
        }
        taken
    }
}

impl DataBus for WithRandom<'_> {
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        match self.load(address, 4) {
            Some(value) => Ok(value),
            None => self.bus.load_word(address),
        }
    }

    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind> {
        match self.load(address, 2) {
            Some(value) => Ok(value as u16),
            None => self.bus.load_half(address),
        }
    }

    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind> {
        match self.load(address, 1) {
            Some(value) => Ok(value as u8),
            None => self.bus.load_byte(address),
        }
    }

    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        if self.stores(address, 4) {
            return Ok(());
        }
        self.bus.store_word(address, value)
    }

    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind> {
        if self.stores(address, 2) {
            return Ok(());
        }
        self.bus.store_half(address, value)
    }

    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind> {
        if self.stores(address, 1) {
            return Ok(());
        }
        self.bus.store_byte(address, value)
    }

    fn stack_pointer(&mut self, value: u32) -> Result<(), FaultKind> {
        self.bus.stack_pointer(value)
    }

    fn lowers_stack(&mut self, stack: bool, value: u32) {
        self.bus.lowers_stack(stack, value);
    }

    fn flash_read(&mut self) {
        self.bus.flash_read();
    }
}

#[cfg(test)]
mod tests {
    use pennyweight_machine::{Access, Drawn, FaultKind, RandomSource};

    use super::RandomDevice;

    const WORDS: RandomSource = RandomSource {
        status: 0x400b_c01c,
        ready: 1,
        data: 0x400b_c050,
        bits: 32,
        cycles: 84,
        acknowledge: false,
    };
    const BYTES: RandomSource =
        RandomSource { status: 0x4000_d100, data: 0x4000_d508, bits: 8, acknowledge: true, ..WORDS };

    #[test]
    fn a_number_is_ready_at_first_and_again_after_its_time() {
        let mut device = RandomDevice::new(WORDS);
        assert_eq!(device.load(WORDS.status, 4, 5), Some(1));
        let first = device.load(WORDS.data, 4, 10);
        assert_eq!(device.load(WORDS.status, 4, 20), Some(0));
        assert_eq!(device.load(WORDS.status, 4, 93), Some(0));
        assert_eq!(device.load(WORDS.status, 4, 94), Some(1));
        assert_ne!(device.load(WORDS.data, 4, 96), first);
        assert_eq!(device.drawn(), Drawn { bits: 64, waited: 96 - 20 });
    }

    #[test]
    fn a_run_counts_its_own_and_copies_repeat() {
        let mut device = RandomDevice::new(WORDS);
        let mut copy = device.clone();
        let numbers: Vec<_> = (0..4).map(|at| device.load(WORDS.data, 4, at)).collect();
        assert_eq!(numbers, (0..4).map(|at| copy.load(WORDS.data, 4, at)).collect::<Vec<_>>());
        device.begin();
        assert_eq!(device.drawn(), Drawn::default());
        assert_eq!(device.load(WORDS.status, 4, 0), Some(1));
        assert!(!numbers.contains(&device.load(WORDS.data, 4, 0)));
    }

    #[test]
    fn a_byte_is_a_byte_and_its_status_can_be_cleared() {
        let mut device = RandomDevice::new(BYTES);
        let many: Vec<u32> = (0..64).filter_map(|at| device.load(BYTES.data, 4, at)).collect();
        assert!(
            many.len() == 64 && many.iter().all(|byte| *byte < 256) && many.iter().any(|byte| *byte > 127)
        );
        assert_eq!(device.drawn().bits, 64 * 8);
        let write = |address, size| FaultKind::Unmapped { address, size, access: Access::Write };
        assert!(device.takes(write(BYTES.status, 4)));
        assert!(!device.takes(write(BYTES.data, 4)));
        assert!(!RandomDevice::new(WORDS).takes(write(WORDS.status, 4)));
    }

    #[test]
    fn only_its_registers_are_there() {
        let device = RandomDevice::new(WORDS);
        let read = |address, size| FaultKind::Unmapped { address, size, access: Access::Read };
        assert!(device.takes(read(WORDS.status, 4)) && device.takes(read(WORDS.status, 1)));
        assert!(device.takes(read(WORDS.data, 4)));
        // Part of a number, and its neighbours.
        assert!(!device.takes(read(WORDS.data, 1)) && !device.takes(read(WORDS.data + 4, 4)));
        assert!(!device.takes(read(WORDS.status + 4, 4)) && !device.takes(read(WORDS.status - 1, 1)));
        assert!(!device.takes(FaultKind::Asleep));
    }

    #[test]
    fn a_status_register_may_be_a_byte_within_a_word() {
        let mut device = RandomDevice::new(RandomSource { status: 0x4200_280a, ..WORDS });
        assert_eq!(device.load(0x4200_280a, 1, 0), Some(1));
        assert_eq!(device.load(0x4200_280b, 1, 0), None);
        assert_eq!(device.load(0x4200_2808, 4, 0), None);
    }
}
