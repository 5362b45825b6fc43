//! Registers, data space and the stack, and the rules for reaching them.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Access, FaultKind};

use crate::flags::Flags;
use crate::timing::FROM_FLASH;

/// Data space: everything that 16-bit addresses reach.
pub(crate) const SPACE: usize = 1 << 16;
/// Where the bytes of I/O are kept whose place the registers take.
pub(crate) const LOW_IO: usize = SPACE;
/// Registers.
pub(crate) const REGISTERS: usize = 32;
/// Bytes that hold data space and registers: the registers first, at their addresses in data space. On
/// cores that do not have them in data space, the bytes at these addresses come last.
pub(crate) const DATA: usize = SPACE + REGISTERS;
/// Where data space begins among ELF addresses.
pub(crate) const DATA_BASE: u32 = 0x80_0000;

/// Addresses of the registers that the core itself uses: in data space where I/O begins at 0x20.
pub(crate) mod io {
    pub const RAMPZ: u16 = 0x5b;
    pub const SPL: u16 = 0x5d;
    pub const SPH: u16 = 0x5e;
    pub const SREG: u16 = 0x5f;
}

/// A range of data space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub base: u32,
    pub size: u32,
}

impl Range {
    #[inline(always)]
    pub fn contains(self, address: u16) -> bool {
        u32::from(address).wrapping_sub(self.base) < self.size
    }

    /// One past the last address.
    pub fn end(self) -> u32 {
        self.base + self.size
    }
}

/// The layout of data space. Below `io_end` are I/O and, on some cores, registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub io_end: u32,
    pub sram: Range,
    /// The window through which loads reach flash; empty on cores without.
    pub flash: Range,
}

/// Where the byte at a data-space address is kept. `xt`: registers are not in data space.
#[inline(always)]
pub(crate) fn slot(xt: bool, address: u16) -> usize {
    let address = usize::from(address);
    if xt && address < REGISTERS {
        LOW_IO + address
    } else {
        address
    }
}

/// The stack pointer and the limits found for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack {
    /// SP: the next free byte.
    pub pointer: u16,
    /// After a write to one half of SP: the half not yet written, and SP as the write left it.
    half: Option<(Half, u16)>,
    pub watch: StackWatch,
}

/// SPL or SPH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Low,
    High,
}

impl Stack {
    pub fn new(pointer: u16, watch: StackWatch) -> Stack {
        Stack { pointer, half: None, watch }
    }

    /// A write to SPL or SPH. Code changes SP by writing both, one after the other; in between its
    /// value means nothing, so it is observed only when the second half is written. A frame larger than
    /// the memory below a stack with a limit takes SP past address 0, to above the end of SRAM.
    fn write(&mut self, half: Half, value: u8, sram: Range) -> Result<(), FaultKind> {
        let [low, high] = self.pointer.to_le_bytes();
        let (bytes, other) = match half {
            Half::Low => ([value, high], Half::High),
            Half::High => ([low, value], Half::Low),
        };
        let before = self.pointer;
        self.pointer = u16::from_le_bytes(bytes);
        if self.half != Some((half, before)) {
            self.half = Some((other, self.pointer));
            return Ok(());
        }
        self.half = None;
        let lowest = DATA_BASE + u32::from(self.pointer) + 1;
        if lowest > DATA_BASE + sram.end() && self.watch.limit() != 0 {
            Err(self.overflow(lowest - SPACE as u32))
        } else if self.watch.pointer(lowest - DATA_BASE) {
            Ok(())
        } else {
            Err(self.overflow(lowest))
        }
    }

    /// May the stack yet grow into the byte at an address? Not known while one half of SP is new and
    /// the other old: then nothing is called free.
    fn is_free(&self, address: u16) -> bool {
        self.half.is_none() && self.watch.is_below(address.into(), u32::from(self.pointer) + 1)
    }

    /// `lowest`: an ELF address; one below data space after a wrap-around.
    fn overflow(&self, lowest: u32) -> FaultKind {
        FaultKind::StackOverflow { address: lowest, limit: DATA_BASE + self.watch.limit() }
    }
}

#[cfg(feature = "translator")]
impl Stack {
    /// Have both halves of SP been written, or none?
    pub fn is_whole(&self) -> bool {
        self.half.is_none()
    }
}

/// What instructions act on. Registers are the first 32 bytes of `data`; the stack pointer and the
/// flags live outside of it and are seen there through the slow paths below.
///
/// `XT`: data space is laid out as on AVRxt, where I/O begins at 0 and flash can be loaded from.
pub(crate) struct Cpu<'a, W: Watch, const XT: bool> {
    pub data: &'a mut [u8; DATA],
    pub flags: Flags,
    pub stack: Stack,
    pub map: Map,
    pub watch: W,
    /// Flash as bytes, for LPM.
    pub flash: &'a [u8],
    /// What was spent, as `program` explains.
    pub account: u64,
}

impl<W: Watch, const XT: bool> Cpu<'_, W, XT> {
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

    /// May the byte at an address be accessed?
    #[inline(always)]
    fn check(&self, address: u16, access: Access) -> Result<(), FaultKind> {
        let start = DATA_BASE + u32::from(address);
        let allowed = match access {
            Access::Write => self.watch.may_write(start, 1),
            _ => self.watch.may_read(start, 1),
        };
        if !allowed {
            return Err(guarded(address, access));
        }
        if W::ACTIVE && self.stack.is_free(address) && !self.watch.may_touch_free_stack(access) {
            return Err(FaultKind::FreeStack { address: start, size: 1, access });
        }
        Ok(())
    }

    #[inline(always)]
    pub fn load(&mut self, address: u16) -> Result<u8, FaultKind> {
        self.check(address, Access::Read)?;
        if self.map.sram.contains(address) {
            return Ok(self.data[usize::from(address)]);
        }
        if XT && self.map.flash.contains(address) {
            self.account = self.account.wrapping_add(FROM_FLASH);
            return Ok(self.data[usize::from(address)]);
        }
        load_low::<XT>(self.data, self.flags, self.stack.pointer, self.map, address)
    }

    #[inline(always)]
    pub fn store(&mut self, address: u16, value: u8) -> Result<(), FaultKind> {
        self.check(address, Access::Write)?;
        if self.map.sram.contains(address) {
            self.data[usize::from(address)] = value;
            self.stack.watch.store(u32::from(address));
            return Ok(());
        }
        let (flags, stack) = store_low::<XT>(self.data, self.flags, self.stack, self.map, address, value)?;
        self.flags = flags;
        self.stack = stack;
        Ok(())
    }

    #[inline(always)]
    pub fn push_byte(&mut self, value: u8) -> Result<(), FaultKind> {
        let address = self.stack.pointer;
        // The limit before the zones: below the limit they begin, and the stack is to blame.
        if !self.map.sram.contains(address) || !self.stack.watch.pointer(u32::from(address)) {
            return Err(push_fault(self.stack, self.map, address));
        }
        if !self.watch.may_write(DATA_BASE + u32::from(address), 1) {
            return Err(guarded(address, Access::Write));
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

    /// Pushes a return address: the lower byte first, so that it is at the higher address.
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

/// How far I/O address 0 of the usual layout is below its place there.
const fn down(xt: bool) -> u16 {
    if xt {
        0x20
    } else {
        0
    }
}

fn unmapped(address: u16, access: Access) -> FaultKind {
    FaultKind::Unmapped { address: DATA_BASE + u32::from(address), size: 1, access }
}

/// A push outside of SRAM or below the stack's limit.
#[cold]
fn push_fault(stack: Stack, map: Map, address: u16) -> FaultKind {
    if map.flash.contains(address) {
        FaultKind::FlashWrite { address: DATA_BASE + u32::from(address) }
    } else if u32::from(address) >= map.sram.end() {
        unmapped(address, Access::Write)
    } else {
        stack.overflow(DATA_BASE + u32::from(address))
    }
}

/// A read outside of memories: registers, I/O or nothing.
#[cold]
fn load_low<const XT: bool>(
    data: &[u8; DATA],
    flags: Flags,
    pointer: u16,
    map: Map,
    address: u16,
) -> Result<u8, FaultKind> {
    match address.wrapping_add(down(XT)) {
        io::SPL => Ok(pointer.to_le_bytes()[0]),
        io::SPH => Ok(pointer.to_le_bytes()[1]),
        io::SREG => Ok(flags.sreg()),
        _ if u32::from(address) < map.io_end => Ok(data[slot(XT, address)]),
        _ => Err(unmapped(address, Access::Read)),
    }
}

/// A write outside of SRAM: registers, I/O, flash or nothing.
#[cold]
fn store_low<const XT: bool>(
    data: &mut [u8; DATA],
    flags: Flags,
    mut stack: Stack,
    map: Map,
    address: u16,
    value: u8,
) -> Result<(Flags, Stack), FaultKind> {
    match address.wrapping_add(down(XT)) {
        io::SPL => stack.write(Half::Low, value, map.sram)?,
        io::SPH => stack.write(Half::High, value, map.sram)?,
        io::SREG => return Ok((Flags::from_sreg(value), stack)),
        _ if u32::from(address) < map.io_end => data[slot(XT, address)] = value,
        _ if map.flash.contains(address) => {
            return Err(FaultKind::FlashWrite { address: DATA_BASE + u32::from(address) });
        }
        _ => return Err(unmapped(address, Access::Write)),
    }
    Ok((flags, stack))
}
