//! Registers, data space and the stack, and the rules for reaching them.

use pennyweight_machine::guard::Guard;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Access, FaultKind};

use crate::flags::Flags;

/// Bytes of data space: registers, I/O and SRAM, all that 16-bit addresses reach.
pub(crate) const DATA: usize = 1 << 16;
/// Where data space begins among ELF addresses.
pub(crate) const DATA_BASE: u32 = 0x80_0000;

/// Data-space addresses of the registers that the core itself uses.
pub(crate) mod io {
    pub const RAMPZ: u16 = 0x5b;
    pub const SPL: u16 = 0x5d;
    pub const SPH: u16 = 0x5e;
    pub const SREG: u16 = 0x5f;
}

/// Where SRAM lies in data space; below it are registers and I/O, above it is nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sram {
    pub base: u32,
    pub size: u32,
}

/// The stack pointer and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack {
    /// SP: the next free byte.
    pub pointer: u16,
    /// After a write to one half of SP: the half not yet written, and SP as the write left it.
    half: Option<(u16, u16)>,
    pub watch: StackWatch,
}

impl Stack {
    pub fn new(pointer: u16, watch: StackWatch) -> Stack {
        Stack { pointer, half: None, watch }
    }

    /// A write to SPL or SPH. Code changes SP by writing both, one after the other; in between its
    /// value means nothing, so it is observed only when the second half is written.
    fn write(&mut self, address: u16, value: u8) -> Result<(), FaultKind> {
        let [low, high] = self.pointer.to_le_bytes();
        let (bytes, other) =
            if address == io::SPL { ([value, high], io::SPH) } else { ([low, value], io::SPL) };
        let before = self.pointer;
        self.pointer = u16::from_le_bytes(bytes);
        if self.half != Some((address, before)) {
            self.half = Some((other, self.pointer));
            return Ok(());
        }
        self.half = None;
        let lowest = u32::from(self.pointer) + 1;
        if self.watch.pointer(lowest) {
            Ok(())
        } else {
            Err(self.overflow(lowest))
        }
    }

    fn overflow(&self, lowest: u32) -> FaultKind {
        FaultKind::StackOverflow { address: DATA_BASE + lowest, limit: DATA_BASE + self.watch.limit() }
    }
}

/// What instructions act on. Registers are the first 32 bytes of `data`, as on the part; the stack
/// pointer and the flags live outside of it and are seen there through the slow paths below.
pub(crate) struct Cpu<'a, const GUARD: bool> {
    pub data: &'a mut [u8; DATA],
    pub flags: Flags,
    pub stack: Stack,
    pub sram: Sram,
    pub guard: &'a Guard,
    /// Flash as bytes, for LPM.
    pub flash: &'a [u8],
}

impl<const GUARD: bool> Cpu<'_, GUARD> {
    #[inline(always)]
    pub fn reg(&self, index: u8) -> u8 {
        self.data[usize::from(index)]
    }

    #[inline(always)]
    pub fn set(&mut self, index: u8, value: u8) {
        self.data[usize::from(index)] = value;
    }

    /// The register pair whose lower half is `low` (even).
    ///
    /// Two loads of a byte, not one of two: a wide load of bytes that were just written one by one
    /// stalls the host until they reach its cache. `low | 1` keeps the compiler from joining them.
    #[inline(always)]
    pub fn pair(&self, low: u8) -> u16 {
        u16::from_le_bytes([self.reg(low), self.reg(low | 1)])
    }

    #[inline(always)]
    pub fn set_pair(&mut self, low: u8, value: u16) {
        let [l, h] = value.to_le_bytes();
        self.data[usize::from(low)] = l;
        self.data[usize::from(low) + 1] = h;
    }

    #[inline(always)]
    fn in_sram(&self, address: u16) -> bool {
        u32::from(address).wrapping_sub(self.sram.base) < self.sram.size
    }

    #[inline(always)]
    pub fn load(&self, address: u16) -> Result<u8, FaultKind> {
        if GUARD && !self.guard.may_read(DATA_BASE + u32::from(address), 1) {
            return Err(guarded(address, Access::Read));
        }
        if self.in_sram(address) {
            return Ok(self.data[usize::from(address)]);
        }
        load_low(self.data, self.flags, self.stack.pointer, self.sram, address)
    }

    #[inline(always)]
    pub fn store(&mut self, address: u16, value: u8) -> Result<(), FaultKind> {
        if GUARD && !self.guard.may_write(DATA_BASE + u32::from(address), 1) {
            return Err(guarded(address, Access::Write));
        }
        if self.in_sram(address) {
            self.data[usize::from(address)] = value;
            self.stack.watch.store(u32::from(address));
            return Ok(());
        }
        let (flags, stack) = store_low(self.data, self.flags, self.stack, self.sram, address, value)?;
        self.flags = flags;
        self.stack = stack;
        Ok(())
    }

    #[inline(always)]
    pub fn push_byte(&mut self, value: u8) -> Result<(), FaultKind> {
        let address = self.stack.pointer;
        if GUARD && !self.guard.may_write(DATA_BASE + u32::from(address), 1) {
            return Err(guarded(address, Access::Write));
        }
        if !self.in_sram(address) || !self.stack.watch.pointer(u32::from(address)) {
            return Err(push_fault(self.stack, self.sram, address));
        }
        self.data[usize::from(address)] = value;
        self.stack.pointer = address.wrapping_sub(1);
        Ok(())
    }

    #[inline(always)]
    pub fn pop_byte(&mut self) -> Result<u8, FaultKind> {
        let address = self.stack.pointer.wrapping_add(1);
        let value = self.load(address)?;
        self.stack.pointer = address;
        Ok(value)
    }

    /// Pushes a return address: the lower byte first, so that it lies higher.
    #[inline(always)]
    pub fn push_address(&mut self, pc: usize) -> Result<(), FaultKind> {
        self.push_byte(pc as u8)?;
        self.push_byte((pc >> 8) as u8)
    }

    #[inline(always)]
    pub fn pop_address(&mut self) -> Result<usize, FaultKind> {
        let high = self.pop_byte()?;
        let low = self.pop_byte()?;
        Ok(usize::from(u16::from_le_bytes([low, high])))
    }
}

#[cold]
fn guarded(address: u16, access: Access) -> FaultKind {
    FaultKind::Guard { address: DATA_BASE + u32::from(address), size: 1, access }
}

fn unmapped(address: u16, access: Access) -> FaultKind {
    FaultKind::Unmapped { address: DATA_BASE + u32::from(address), size: 1, access }
}

/// A push outside of SRAM or below the stack's limit.
#[cold]
fn push_fault(stack: Stack, sram: Sram, address: u16) -> FaultKind {
    if u32::from(address) >= sram.base + sram.size {
        unmapped(address, Access::Write)
    } else {
        stack.overflow(u32::from(address))
    }
}

/// A read outside of SRAM: registers, I/O or nothing.
#[cold]
fn load_low(
    data: &[u8; DATA],
    flags: Flags,
    pointer: u16,
    sram: Sram,
    address: u16,
) -> Result<u8, FaultKind> {
    match address {
        io::SPL => Ok(pointer.to_le_bytes()[0]),
        io::SPH => Ok(pointer.to_le_bytes()[1]),
        io::SREG => Ok(flags.sreg()),
        _ if u32::from(address) < sram.base => Ok(data[usize::from(address)]),
        _ => Err(unmapped(address, Access::Read)),
    }
}

/// A write outside of SRAM: registers, I/O or nothing.
#[cold]
fn store_low(
    data: &mut [u8; DATA],
    flags: Flags,
    mut stack: Stack,
    sram: Sram,
    address: u16,
    value: u8,
) -> Result<(Flags, Stack), FaultKind> {
    match address {
        io::SPL | io::SPH => stack.write(address, value)?,
        io::SREG => return Ok((Flags::from_sreg(value), stack)),
        _ if u32::from(address) < sram.base => data[usize::from(address)] = value,
        _ => return Err(unmapped(address, Access::Write)),
    }
    Ok((flags, stack))
}
