//! Data accesses: the memory map, and who watches it.
//!
//! Flash and RAM and nothing else. Address 0 is flash only on a board with flash at 0: an
//! alias that a part maps at 0 by boot mode is omitted, so that an access through a null pointer
//! faults. Peripherals are omitted too.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Access, FaultKind};

use crate::timing::FlashTiming;

/// Four bytes in the order of memory.
pub type Word = [u8; 4];

/// What instructions need of the data side of memory.
pub trait DataBus {
    /// Loads a word; the address must be a multiple of four.
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind>;
    /// Loads a halfword; the address must be even.
    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind>;
    /// Loads a byte.
    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind>;
    /// Stores a word; the address must be a multiple of four.
    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind>;
    /// Stores a halfword; the address must be even.
    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind>;
    /// Stores a byte.
    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind>;
    /// Loads a word of several; the address must be a multiple of four even where a single load's
    /// need not be.
    #[inline(always)]
    fn load_aligned_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        self.load_word(address)
    }
    /// Stores a word of several; the address must be a multiple of four even where a single
    /// store's need not be.
    #[inline(always)]
    fn store_aligned_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.store_word(address, value)
    }
    /// A new value of the stack pointer.
    fn stack_pointer(&mut self, value: u32) -> Result<(), FaultKind>;
    /// The instruction that makes the next stores takes the stack pointer down to `value` with them,
    /// if `stack`: what they write is not below it.
    #[inline(always)]
    fn lowers_stack(&mut self, stack: bool, value: u32) {
        let _ = (stack, value);
    }
    /// A word was read from flash whose value was known already.
    fn flash_read(&mut self);
}

/// Flash and RAM with the observers of one run.
pub struct Bus<'m, T, W> {
    /// RAM.
    pub ram: &'m mut [Word],
    /// First address of RAM.
    pub ram_base: u32,
    /// Flash.
    pub flash: &'m [Word],
    /// First address of flash.
    pub flash_base: u32,
    /// The stack's high-water mark.
    pub watch: StackWatch,
    /// Asked about each access.
    pub guard: W,
    /// Wait states.
    pub timing: T,
}

impl<T: FlashTiming, W: Watch> Bus<'_, T, W> {
    /// The same bus for a loop's own variable, which the host's compiler can keep in registers.
    #[inline(always)]
    pub fn local(&mut self) -> Bus<'_, T, W> {
        Bus { ram: &mut *self.ram, ..*self }
    }

    // A word's number is the offset divided by four. Rotating instead of shifting puts a
    // misaligned address's low bits on top, where they are far outside every memory: one
    // comparison checks alignment and range.
    #[inline(always)]
    fn word_number(address: u32, base: u32) -> usize {
        address.wrapping_sub(base).rotate_right(2) as usize
    }

    /// The same for halfwords: the number of the word, and the halfword's first byte in it.
    #[inline(always)]
    fn half_number(address: u32, base: u32) -> (usize, usize) {
        let number = address.wrapping_sub(base).rotate_right(1);
        ((number >> 1) as usize, (number as usize & 1) * 2)
    }

    #[inline(always)]
    fn byte_number(address: u32, base: u32) -> (usize, usize) {
        let offset = address.wrapping_sub(base);
        ((offset >> 2) as usize, offset as usize & 3)
    }

    #[inline(always)]
    fn check(&self, address: u32, size: u32, access: Access) -> Result<(), FaultKind> {
        if W::ACTIVE {
            let allowed = match access {
                Access::Write => self.guard.may_write(address, size),
                _ => self.guard.may_read(address, size),
            };
            if !allowed {
                return Err(FaultKind::Guard { address, size, access });
            }
            let in_ram = address.wrapping_sub(self.ram_base) >> 2 < self.ram.len() as u32;
            if in_ram && self.watch.is_free(address) && !self.guard.may_touch_free_stack(access) {
                return Err(FaultKind::FreeStack { address, size, access });
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn refuse(&self, address: u32, size: u32, access: Access) -> FaultKind {
        refuse(address, size, access, address.wrapping_sub(self.flash_base) >> 2 < self.flash.len() as u32)
    }
}

/// Why an access that no memory took failed.
#[cold]
#[inline(never)]
fn refuse(address: u32, size: u32, access: Access, in_flash: bool) -> FaultKind {
    if address & (size - 1) != 0 {
        FaultKind::Unaligned { address, size, access }
    } else if in_flash && access == Access::Write {
        FaultKind::FlashWrite { address }
    } else {
        FaultKind::Unmapped { address, size, access }
    }
}

impl<T: FlashTiming, W: Watch> DataBus for Bus<'_, T, W> {
    #[inline(always)]
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        if let Some(word) = self.ram.get(Self::word_number(address, self.ram_base)) {
            self.check(address, 4, Access::Read)?;
            self.timing.ram_read();
            return Ok(u32::from_le_bytes(*word));
        }
        match self.flash.get(Self::word_number(address, self.flash_base)) {
            Some(word) => {
                self.check(address, 4, Access::Read)?;
                self.timing.data_read_at(address);
                Ok(u32::from_le_bytes(*word))
            }
            None => Err(self.refuse(address, 4, Access::Read)),
        }
    }

    #[inline(always)]
    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind> {
        let (number, byte) = Self::half_number(address, self.ram_base);
        if let Some(word) = self.ram.get(number) {
            self.check(address, 2, Access::Read)?;
            self.timing.ram_read();
            return Ok(u16::from_le_bytes([word[byte], word[byte + 1]]));
        }
        let (number, byte) = Self::half_number(address, self.flash_base);
        match self.flash.get(number) {
            Some(word) => {
                self.check(address, 2, Access::Read)?;
                self.timing.data_read_at(address);
                Ok(u16::from_le_bytes([word[byte], word[byte + 1]]))
            }
            None => Err(self.refuse(address, 2, Access::Read)),
        }
    }

    #[inline(always)]
    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind> {
        let (number, byte) = Self::byte_number(address, self.ram_base);
        if let Some(word) = self.ram.get(number) {
            self.check(address, 1, Access::Read)?;
            self.timing.ram_read();
            return Ok(word[byte]);
        }
        let (number, byte) = Self::byte_number(address, self.flash_base);
        match self.flash.get(number) {
            Some(word) => {
                self.check(address, 1, Access::Read)?;
                self.timing.data_read_at(address);
                Ok(word[byte])
            }
            None => Err(self.refuse(address, 1, Access::Read)),
        }
    }

    #[inline(always)]
    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.check(address, 4, Access::Write)?;
        match self.ram.get_mut(Self::word_number(address, self.ram_base)) {
            Some(word) => {
                *word = value.to_le_bytes();
                self.watch.store(address);
                self.timing.ram_access();
                Ok(())
            }
            None => Err(self.refuse(address, 4, Access::Write)),
        }
    }

    #[inline(always)]
    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind> {
        self.check(address, 2, Access::Write)?;
        let (number, byte) = Self::half_number(address, self.ram_base);
        match self.ram.get_mut(number) {
            Some(word) => {
                [word[byte], word[byte + 1]] = value.to_le_bytes();
                self.watch.store(address);
                self.timing.ram_access();
                Ok(())
            }
            None => Err(self.refuse(address, 2, Access::Write)),
        }
    }

    #[inline(always)]
    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind> {
        self.check(address, 1, Access::Write)?;
        let (number, byte) = Self::byte_number(address, self.ram_base);
        match self.ram.get_mut(number) {
            Some(word) => {
                word[byte] = value;
                self.watch.store(address);
                self.timing.ram_access();
                Ok(())
            }
            None => Err(self.refuse(address, 1, Access::Write)),
        }
    }

    #[inline(always)]
    fn stack_pointer(&mut self, value: u32) -> Result<(), FaultKind> {
        if W::ACTIVE {
            self.watch.set_pointer(value);
        }
        if self.watch.pointer(value) {
            Ok(())
        } else {
            Err(FaultKind::StackOverflow { address: value, limit: self.watch.limit() })
        }
    }

    #[inline(always)]
    fn lowers_stack(&mut self, stack: bool, value: u32) {
        if W::ACTIVE && stack {
            self.watch.set_pointer(value);
        }
    }

    #[inline(always)]
    fn flash_read(&mut self) {
        self.timing.data_read();
    }
}
