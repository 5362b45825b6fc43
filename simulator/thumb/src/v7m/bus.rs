//! Accesses that need not be aligned (DDI 0403, A3.2.1): split into aligned ones, as the core does.

use pennyweight_machine::FaultKind;
use pennyweight_memory::bus::DataBus;

/// A bus that takes unaligned loads and stores of words and halfwords, and counts the transfers
/// that this takes more. LDM, STM and their like stay strict.
pub struct Split<'b, B> {
    /// The memory.
    pub bus: &'b mut B,
    /// Transfers beyond one for each access.
    pub extra: u32,
}

impl<B: DataBus> Split<'_, B> {
    #[cold]
    #[inline(never)]
    fn load(&mut self, address: u32, size: u32) -> Result<u32, FaultKind> {
        let (mut value, mut done) = (0, 0);
        while done < size {
            let at = address.wrapping_add(done);
            let (part, bytes) = if at & 1 == 0 && size - done >= 2 {
                (u32::from(self.bus.load_half(at)?), 2)
            } else {
                (u32::from(self.bus.load_byte(at)?), 1)
            };
            value |= part << (8 * done);
            done += bytes;
            self.extra += u32::from(done < size);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn store(&mut self, address: u32, size: u32, value: u32) -> Result<(), FaultKind> {
        let mut done = 0;
        while done < size {
            let at = address.wrapping_add(done);
            let part = value >> (8 * done);
            if at & 1 == 0 && size - done >= 2 {
                self.bus.store_half(at, part as u16)?;
                done += 2;
            } else {
                self.bus.store_byte(at, part as u8)?;
                done += 1;
            }
            self.extra += u32::from(done < size);
        }
        Ok(())
    }
}

impl<B: DataBus> DataBus for Split<'_, B> {
    #[inline(always)]
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        match self.bus.load_word(address) {
            Err(FaultKind::Unaligned { .. }) => self.load(address, 4),
            result => result,
        }
    }

    #[inline(always)]
    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind> {
        match self.bus.load_half(address) {
            Err(FaultKind::Unaligned { .. }) => self.load(address, 2).map(|value| value as u16),
            result => result,
        }
    }

    #[inline(always)]
    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind> {
        self.bus.load_byte(address)
    }

    #[inline(always)]
    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        match self.bus.store_word(address, value) {
            Err(FaultKind::Unaligned { .. }) => self.store(address, 4, value),
            result => result,
        }
    }

    #[inline(always)]
    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind> {
        match self.bus.store_half(address, value) {
            Err(FaultKind::Unaligned { .. }) => self.store(address, 2, value.into()),
            result => result,
        }
    }

    #[inline(always)]
    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind> {
        self.bus.store_byte(address, value)
    }

    #[inline(always)]
    fn load_aligned_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        self.bus.load_aligned_word(address)
    }

    #[inline(always)]
    fn store_aligned_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.bus.store_aligned_word(address, value)
    }

    #[inline(always)]
    fn stack_pointer(&mut self, value: u32) -> Result<(), FaultKind> {
        self.bus.stack_pointer(value)
    }

    #[inline(always)]
    fn flash_read(&mut self) {
        self.bus.flash_read();
    }
}
