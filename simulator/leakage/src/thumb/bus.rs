//! Flash and RAM, with what an instruction did to them.

use pennyweight_machine::{Access, FaultKind};
use pennyweight_memory::bus::{DataBus, Word};

use crate::traced::Accessed;

/// Flash and RAM of one run.
#[derive(Debug)]
pub struct Memory<'m> {
    /// RAM.
    pub ram: &'m mut [Word],
    /// First address of RAM.
    pub ram_base: u32,
    /// Flash.
    pub flash: &'m [Word],
    /// First address of flash.
    pub flash_base: u32,
    /// The accesses of the last instruction. The bus carries the whole word of a load, and the data of a store,
    /// repeated in each part of the word.
    pub accesses: &'m mut Vec<Accessed>,
}

impl Memory<'_> {
    fn load(&mut self, address: u32, size: u32) -> Result<u32, FaultKind> {
        if address & (size - 1) != 0 {
            return Err(FaultKind::Unaligned { address, size, access: Access::Read });
        }
        let (ram, flash) =
            (address.wrapping_sub(self.ram_base) >> 2, address.wrapping_sub(self.flash_base) >> 2);
        let word = self.ram.get(ram as usize).or_else(|| self.flash.get(flash as usize));
        let Some(word) = word else {
            return Err(FaultKind::Unmapped { address, size, access: Access::Read });
        };
        let bus = u32::from_le_bytes(*word);
        let data = part(bus, address, size);
        self.accesses.push(Accessed { address, size, store: false, data, old: data, bus });
        Ok(data)
    }

    fn store(&mut self, address: u32, size: u32, data: u32) -> Result<(), FaultKind> {
        if address & (size - 1) != 0 {
            return Err(FaultKind::Unaligned { address, size, access: Access::Write });
        }
        let Some(word) = self.ram.get_mut((address.wrapping_sub(self.ram_base) >> 2) as usize) else {
            return Err(FaultKind::Unmapped { address, size, access: Access::Write });
        };
        let old = part(u32::from_le_bytes(*word), address, size);
        let start = (address & 3) as usize;
        word[start..start + size as usize].copy_from_slice(&data.to_le_bytes()[..size as usize]);
        let bus = match size {
            1 => data * 0x0101_0101,
            2 => data * 0x0001_0001,
            _ => data,
        };
        self.accesses.push(Accessed { address, size, store: true, data, old, bus });
        Ok(())
    }
}

/// The bytes of a word at an address.
fn part(word: u32, address: u32, size: u32) -> u32 {
    (word >> (8 * (address & 3))) & u32::MAX >> (32 - 8 * size)
}

impl DataBus for Memory<'_> {
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        self.load(address, 4)
    }

    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind> {
        self.load(address, 2).map(|data| data as u16)
    }

    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind> {
        self.load(address, 1).map(|data| data as u8)
    }

    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.store(address, 4, value)
    }

    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind> {
        self.store(address, 2, value.into())
    }

    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind> {
        self.store(address, 1, value.into())
    }

    /// The stack's limit was checked before, when the call was measured.
    fn stack_pointer(&mut self, _: u32) -> Result<(), FaultKind> {
        Ok(())
    }

    fn flash_read(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::traced::Accessed;
    use pennyweight_memory::bus::DataBus as _;

    #[test]
    fn accesses_are_recorded_with_what_was_there_and_what_the_bus_carries() {
        let (mut ram, flash) = ([[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12]]);
        let (ram_base, flash_base) = (0x2000_0000, 0x800_0000);
        let mut accesses = Vec::new();
        let mut memory =
            Memory { ram: &mut ram, ram_base, flash: &flash, flash_base, accesses: &mut accesses };
        assert_eq!(memory.load_byte(0x2000_0002), Ok(3));
        assert_eq!(memory.load_half(0x800_0002), Ok(0x0c0b));
        assert_eq!(memory.store_half(0x2000_0006, 0xbeef), Ok(()));
        assert_eq!(memory.load_word(0x2000_0004), Ok(0xbeef_0605));
        assert_eq!(memory.store_byte(0x2000_0000, 0xa5), Ok(()));
        assert!(memory.load_word(0x2000_0008).is_err() && memory.load_word(0x2000_0001).is_err());
        assert!(memory.store_word(0x800_0000, 0).is_err() && memory.store_half(0x2000_0001, 0).is_err());
        let access = |address, size, store, data, old, bus| Accessed { address, size, store, data, old, bus };
        assert_eq!(
            accesses,
            [
                access(0x2000_0002, 1, false, 3, 3, 0x0403_0201),
                access(0x800_0002, 2, false, 0x0c0b, 0x0c0b, 0x0c0b_0a09),
                access(0x2000_0006, 2, true, 0xbeef, 0x0807, 0xbeef_beef),
                access(0x2000_0004, 4, false, 0xbeef_0605, 0xbeef_0605, 0xbeef_0605),
                access(0x2000_0000, 1, true, 0xa5, 1, 0xa5a5_a5a5),
            ]
        );
    }
}
