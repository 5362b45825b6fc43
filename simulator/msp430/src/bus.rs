//! Memory as the CPU reaches it: peripherals, RAM, flash, and the rules for each.
//!
//! Words lie at even addresses only: the part ignores the lowest address bit of a word access, so a
//! program that makes one gets other data than it asked for. Here it is a fault, unless that is asked
//! for: some assembly counts on it.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Access, FaultKind};
use pennyweight_memory::timing::FlashTiming;

use crate::cpu::Cpu;
use crate::instruction::Alu;
use crate::multiplier::HardwareMultiplier as _;
use crate::program::SPACE;

/// The address space by words, so that a word is one access.
pub type Memory = [[u8; 2]; SPACE];

/// Where things lie.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    /// First address of RAM.
    pub ram: u32,
    /// Bytes of RAM.
    pub ram_size: u32,
    /// First address of flash, which reaches to the end of the address space.
    pub flash: u32,
    /// Where the first bytes of RAM are seen a second time.
    pub mirror: u32,
    /// Bytes of RAM seen a second time; 0 if none are.
    pub mirror_size: u32,
    /// The bits of an address that a word access uses.
    pub word_mask: u16,
}

/// All but the lowest, as on the part.
pub const EVEN_BITS: u16 = !1;
/// All: a word access to an odd address is reported.
pub const ALL_BITS: u16 = !0;

impl Map {
    #[inline(always)]
    fn in_ram(&self, address: u16) -> bool {
        u32::from(address).wrapping_sub(self.ram) < self.ram_size
    }

    /// Is `address` in RAM or flash, which can be read directly?
    #[inline(always)]
    fn is_plain(&self, address: u16) -> bool {
        self.in_ram(address) || u32::from(address) >= self.flash
    }

    /// The address in RAM of an address in the mirror.
    fn mirrored(&self, address: u16) -> Option<u16> {
        let offset = u32::from(address).wrapping_sub(self.mirror);
        (offset < self.mirror_size).then(|| (self.ram + offset) as u16)
    }

    /// Can the word at an address be fetched as code?
    pub fn is_code(&self, address: u16) -> bool {
        self.is_plain(address)
    }
}

/// The address space during a run.
pub struct Bus<'a, W, T, X: Cpu> {
    /// Bytes: those of RAM and flash, and what was last written to peripherals without a model.
    pub memory: &'a mut Memory,
    /// Where things lie.
    pub map: Map,
    /// The multiplier's registers.
    pub multiplier: &'a mut X::Multiplier,
    /// What flash adds to the cycles.
    pub timing: &'a mut T,
    /// Asked about each access.
    pub guard: W,
    /// The stack's high-water mark.
    pub watch: StackWatch,
}

#[inline(always)]
fn get(memory: &Memory, byte: bool, address: u16) -> u16 {
    let pair = memory[usize::from(address >> 1)];
    if byte {
        u16::from(pair[usize::from(address & 1)])
    } else {
        u16::from_le_bytes(pair)
    }
}

#[inline(always)]
fn put(memory: &mut Memory, byte: bool, address: u16, value: u16) {
    let pair = &mut memory[usize::from(address >> 1)];
    if byte {
        pair[usize::from(address & 1)] = value as u8;
    } else {
        *pair = value.to_le_bytes();
    }
}

#[inline(always)]
fn bytes(byte: bool) -> u32 {
    if byte {
        1
    } else {
        2
    }
}

impl<W: Watch, T: FlashTiming, X: Cpu> Bus<'_, W, T, X> {
    /// May a byte or a word be accessed while the stack pointer is at `pointer`?
    #[inline(always)]
    fn check(&self, byte: bool, address: u16, pointer: u16, access: Access) -> Result<(), FaultKind> {
        if W::ACTIVE {
            let (start, size) = (u32::from(address), bytes(byte));
            let allowed = match access {
                Access::Write => self.guard.may_write(start, size),
                _ => self.guard.may_read(start, size),
            };
            if !allowed {
                return Err(guarded(address, byte, access));
            }
            if self.watch.is_below(start, pointer.into()) && !self.guard.may_touch_free_stack(access) {
                return Err(FaultKind::FreeStack { address: start, size, access });
            }
        }
        Ok(())
    }

    /// The address, without the bits that a word access ignores.
    #[inline(always)]
    fn masked(&self, byte: bool, address: u16) -> u16 {
        address & (self.map.word_mask | u16::from(byte))
    }

    /// Reads a byte or a word; the stack pointer is at `pointer`.
    #[inline(always)]
    pub fn load(&mut self, byte: bool, address: u16, pointer: u16) -> Result<u16, FaultKind> {
        let address = self.masked(byte, address);
        self.check(byte, address, pointer, Access::Read)?;
        if !byte && address & 1 != 0 {
            return Err(unaligned(address, Access::Read));
        }
        if self.map.is_plain(address) {
            if T::ACTIVE && u32::from(address) >= self.map.flash {
                self.timing.data_read_at(address.into());
            }
            return Ok(get(self.memory, byte, address));
        }
        load_other::<X>(self.memory, &self.map, self.multiplier, byte, address)
    }

    /// Writes a byte (its lower eight bits) or a word; the stack pointer is at `pointer`.
    #[inline(always)]
    pub fn store(&mut self, byte: bool, address: u16, value: u16, pointer: u16) -> Result<(), FaultKind> {
        let address = self.masked(byte, address);
        self.check(byte, address, pointer, Access::Write)?;
        if !byte && address & 1 != 0 {
            return Err(unaligned(address, Access::Write));
        }
        if self.map.in_ram(address) {
            put(self.memory, byte, address, value);
            self.watch.store(u32::from(address));
            return Ok(());
        }
        store_other::<X>(self.memory, &self.map, self.multiplier, byte, address, value)
    }

    /// Writes to the stack, at where the stack pointer now points.
    #[inline(always)]
    pub fn push(&mut self, byte: bool, pointer: u16, value: u16) -> Result<(), FaultKind> {
        // The limit before the zones: below the limit they begin, and the stack is to blame.
        if !self.map.in_ram(pointer) || !self.watch.pointer(u32::from(pointer)) {
            return Err(push_fault(&self.map, &self.watch, pointer));
        }
        self.check(byte, pointer, pointer, Access::Write)?;
        put(self.memory, byte, pointer, value);
        Ok(())
    }

    /// Checks that an operation does not take the stack pointer from `before` past address 0, as a frame
    /// larger than the memory below the stack does. The result is above RAM then. So is one that code gives
    /// the stack pointer to read tables in flash with it, which is not by taking an amount away. The
    /// operation is on values of so many bits.
    #[inline(always)]
    pub fn check_frame(
        &self,
        alu: Alu,
        bits: u32,
        amount: u32,
        before: u32,
        pointer: u32,
    ) -> Result<(), FaultKind> {
        if pointer > self.map.ram + self.map.ram_size {
            return check_above_ram(alu, bits, amount, before, self.watch.limit());
        }
        Ok(())
    }

    /// Notes a new value of the stack pointer.
    #[inline(always)]
    pub fn note_pointer(&mut self, pointer: u32) -> Result<(), FaultKind> {
        if self.watch.pointer(pointer) {
            Ok(())
        } else {
            Err(overflow(&self.watch, pointer))
        }
    }
}

/// See [`Bus::check_frame`].
#[cold]
#[inline(never)]
fn check_above_ram(alu: Alu, bits: u32, amount: u32, before: u32, limit: u32) -> Result<(), FaultKind> {
    let frame = match alu {
        Alu::Sub => amount,
        Alu::Add if amount >> (bits - 1) != 0 => (1 << bits) - amount,
        _ => 0,
    };
    if frame > before {
        Err(FaultKind::StackOverflow { address: 0, limit })
    } else {
        Ok(())
    }
}

fn overflow(watch: &StackWatch, pointer: u32) -> FaultKind {
    FaultKind::StackOverflow { address: pointer, limit: watch.limit() }
}

/// A push outside of RAM or below the stack's limit.
#[cold]
fn push_fault(map: &Map, watch: &StackWatch, pointer: u16) -> FaultKind {
    if u32::from(pointer) >= map.ram + map.ram_size {
        unmapped(pointer.into(), false, Access::Write)
    } else {
        overflow(watch, pointer.into())
    }
}

#[cold]
fn guarded(address: u16, byte: bool, access: Access) -> FaultKind {
    FaultKind::Guard { address: u32::from(address), size: bytes(byte), access }
}

#[cold]
fn unaligned(address: u16, access: Access) -> FaultKind {
    FaultKind::Unaligned { address: u32::from(address), size: 2, access }
}

/// An access to a byte or a word where no memory is, as everywhere above the lower 64 KB.
#[cold]
pub fn unmapped(address: u32, byte: bool, access: Access) -> FaultKind {
    FaultKind::Unmapped { address, size: bytes(byte), access }
}

/// A target of a jump, which must be in the lower 64 KB.
#[inline(always)]
pub fn reach(target: u32) -> Result<u16, FaultKind> {
    u16::try_from(target).map_err(|_| unmapped(target, false, Access::Execute))
}

/// A read of anything but RAM and flash.
#[inline(never)]
fn load_other<X: Cpu>(
    memory: &Memory,
    map: &Map,
    multiplier: &X::Multiplier,
    byte: bool,
    address: u16,
) -> Result<u16, FaultKind> {
    if X::Multiplier::ADDRESSES.contains(&address) {
        let word = multiplier.read(address);
        return Ok(match (byte, address & 1) {
            (false, _) => word,
            (true, 0) => word & 0xff,
            (true, _) => word >> 8,
        });
    }
    if u32::from(address) < X::PERIPHERALS_END {
        return Ok(get(memory, byte, address));
    }
    match map.mirrored(address) {
        Some(address) => Ok(get(memory, byte, address)),
        None => Err(unmapped(address.into(), byte, Access::Read)),
    }
}

/// A write to anything but RAM.
#[inline(never)]
fn store_other<X: Cpu>(
    memory: &mut Memory,
    map: &Map,
    multiplier: &mut X::Multiplier,
    byte: bool,
    address: u16,
    value: u16,
) -> Result<(), FaultKind> {
    if X::Multiplier::ADDRESSES.contains(&address) {
        if X::Multiplier::refuses(address, byte, value) {
            return Err(unmapped(address.into(), byte, Access::Write));
        }
        // A byte written to an operand is the operand (SLAU049, section 7.2.1); no code
        // writes its upper half alone, and the manual does not describe what that would do.
        multiplier.write(address, if byte { value & 0xff } else { value });
    } else if u32::from(address) < X::PERIPHERALS_END {
        put(memory, byte, address, value);
    } else if u32::from(address) >= map.flash {
        return Err(FaultKind::FlashWrite { address: u32::from(address) });
    } else if let Some(address) = map.mirrored(address) {
        put(memory, byte, address, value);
    } else {
        return Err(unmapped(address.into(), byte, Access::Write));
    }
    Ok(())
}
