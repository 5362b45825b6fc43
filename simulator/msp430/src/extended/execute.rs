//! What the instructions do that only CPUX has.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::FaultKind;
use pennyweight_memory::timing::FlashTiming;

use super::alu;
use super::instruction::{Extended, Repeat, Rotation, Size, Times};
use super::{Cpux, MASK};
use crate::alu::stores;
use crate::core::Core;
use crate::cpu::Register as _;
use crate::flags::Flags;
use crate::instruction::{Alu, Operand, Unary, CG, PC, SP, SR};

/// Where an operand was found.
#[derive(Clone, Copy)]
enum Place {
    Register(u8),
    Memory(u32),
    Nowhere,
}

type Result<T> = std::result::Result<T, FaultKind>;

/// How often more than once a register has an instruction executed: its lowest four bits. The program counter
/// reads as 0 here.
pub fn more(register: u8, registers: &[u32; 16], flags: Flags) -> u32 {
    let value = if register == SR { flags.sr().into() } else { registers[usize::from(register & 15)] };
    value & 15
}

/// Executes an instruction at `address`; returns the next address, which is `next` unless it branches.
///
/// # Errors
/// Its fault; registers that it has incremented by then stay so.
pub fn extended<W: Watch, T: FlashTiming>(
    core: &mut Core<'_, W, T, Cpux>,
    instruction: &Extended,
    address: u16,
    next: u16,
) -> Result<u32> {
    let behind = u32::from(next);
    // The program counter once extension word and instruction are read.
    let read = u32::from(address.wrapping_add(4));
    match *instruction {
        Extended::Two { alu, size, source, target, repeat } => {
            let mut to = behind;
            for _ in 0..core.times(repeat) {
                core.zero_carry(repeat, matches!(alu, Alu::Addc | Alu::Subc | Alu::Dadd));
                let (source, _) = core.read(size, source, read)?;
                to = core.store_extended(alu, size, source, target, behind)?;
            }
            Ok(to)
        }
        Extended::One { unary, size, operand, repeat } => {
            let mut to = behind;
            for _ in 0..core.times(repeat) {
                core.zero_carry(repeat, unary == Unary::Rrc);
                to = core.one(unary, size, operand, read, behind)?;
            }
            Ok(to)
        }
        Extended::Move(source, target) => {
            let (value, _) = core.read(Size::Address, source, behind)?;
            core.store_extended(Alu::Mov, Size::Address, value, target, behind)
        }
        Extended::Address(alu, source, register) => {
            let (value, _) = core.read(Size::Address, source, behind)?;
            core.store_extended(alu, Size::Address, value, Operand::Register(register), behind)
        }
        Extended::Call(operand) => {
            let (target, _) = core.read(Size::Address, operand, behind)?;
            core.push_long(Size::Address, behind)?;
            Ok(target & !1)
        }
        Extended::Rotate { rotation, size, times, register } => {
            let mut value = core.register_for(register, behind);
            for _ in 0..times {
                value = alu::rotate(rotation, &mut core.flags, size, value);
            }
            core.write(size, Place::Register(register), value, behind)
        }
        Extended::PushMany(size, count, register) => {
            for i in 0..count {
                let value = core.register_for(register.wrapping_sub(i) & 15, behind);
                core.push_long(size, value)?;
            }
            Ok(behind)
        }
        Extended::PopMany(size, count, register) => {
            let mut to = behind;
            for i in 0..count {
                let low = core.pop()?;
                let high = if size == Size::Address { core.pop()? } else { 0 };
                let value = u32::from(low) | u32::from(high) << 16;
                to = core.write(size, Place::Register(register.wrapping_add(i) & 15), value, to)?;
            }
            Ok(to)
        }
    }
}

impl<W: Watch, T: FlashTiming> Core<'_, W, T, Cpux> {
    /// How often an instruction is executed.
    fn times(&self, repeat: Repeat) -> u32 {
        match repeat.times {
            Times::Fixed(times) => times.into(),
            Times::InRegister(register) => 1 + more(register, self.registers, self.flags),
        }
    }

    /// With ZC, an instruction that uses the carry bit uses 0. It then sets it, as others may not.
    fn zero_carry(&mut self, repeat: Repeat, uses_carry: bool) {
        if repeat.zero_carry && uses_carry {
            self.flags.c = 0;
        }
    }

    /// All bits of a register. `pc` is the program counter.
    fn register_for(&self, number: u8, pc: u32) -> u32 {
        match number {
            PC => pc,
            SR => self.flags.sr().into(),
            n => self.whole(n),
        }
    }

    /// Format II.
    fn one(&mut self, unary: Unary, size: Size, operand: Operand<u32>, pc: u32, next: u32) -> Result<u32> {
        let (value, place) = self.read(size, operand, pc)?;
        let result = match unary {
            Unary::Push => {
                self.push_long(size, value)?;
                return Ok(next);
            }
            Unary::Rrc => alu::rotate(Rotation::Rrcm, &mut self.flags, size, value),
            Unary::Rra => alu::rotate(Rotation::Rram, &mut self.flags, size, value),
            Unary::Swpb => alu::swap(size, value),
            // Of a register, all bits (table 4-14).
            Unary::Sxt => {
                let size = if matches!(place, Place::Register(_)) { Size::Address } else { size };
                let result = alu::extend_sign(&mut self.flags, size, value);
                return self.write(size, place, result, next);
            }
            // The decoder makes none.
            Unary::Call => return Err(FaultKind::Undefined { opcode: 0 }),
        };
        self.write(size, place, result, next)
    }

    /// The end of a two-operand operation, its source being known.
    fn store_extended(
        &mut self,
        alu: Alu,
        size: Size,
        source: u32,
        target: Operand<u32>,
        next: u32,
    ) -> Result<u32> {
        let (before, place) = match target {
            Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) if alu == Alu::Mov => {
                (0, Place::Memory(self.address_of(target)))
            }
            _ => self.read(size, target, next)?,
        };
        let flags = self.flags;
        let result = alu::two(alu, &mut self.flags, size, source, before);
        if !stores(alu) {
            return Ok(next);
        }
        if matches!(place, Place::Register(SR)) {
            // As without an extension word: the result wins.
            self.flags = flags;
        }
        if matches!(place, Place::Register(SP)) {
            self.bus.check_frame(alu, size.bits(), source & size.mask(), before, result)?;
        }
        self.write(size, place, result, next)
    }

    /// The address of an operand in memory whose register is not changed by reading it.
    fn address_of(&self, operand: Operand<u32>) -> u32 {
        match operand {
            // Section 4.4.2.3: the sum of 20 bits, also in the lower 64 KB.
            Operand::Indexed(n, distance) => self.whole(n).wrapping_add(distance) & MASK,
            Operand::Symbolic(at) | Operand::Absolute(at) => at,
            _ => 0,
        }
    }

    /// The value of an operand and its place. `pc` is the program counter as the operand is read.
    fn read(&mut self, size: Size, operand: Operand<u32>, pc: u32) -> Result<(u32, Place)> {
        let address = match operand {
            Operand::Register(n) => {
                return Ok((self.register_for(n, pc) & size.mask(), Place::Register(n)));
            }
            Operand::Constant(value) | Operand::Immediate(value) => return Ok((value, Place::Nowhere)),
            Operand::Indirect(n) => self.register_for(n, pc),
            Operand::Increment(n) => {
                let address = self.whole(n);
                let value = self.load_long(size, address)?;
                let step = match size {
                    Size::Byte if n != SP => 1,
                    Size::Byte | Size::Word => 2,
                    Size::Address => 4,
                };
                self.set_whole(n, address.plus(step));
                return Ok((value, Place::Memory(address)));
            }
            _ => self.address_of(operand),
        };
        Ok((self.load_long(size, address)?, Place::Memory(address)))
    }

    /// Puts a result where an operand was; returns the next address. Bits above the result are cleared.
    fn write(&mut self, size: Size, place: Place, value: u32, next: u32) -> Result<u32> {
        let value = value & size.mask();
        match place {
            Place::Memory(address) => self.store_long(size, address, value)?,
            Place::Register(PC) => return Ok(value & !1),
            Place::Register(SP) => {
                self.bus.note_pointer(value & !1)?;
                self.set_whole(SP, value & !1);
            }
            Place::Register(SR) => {
                self.flags = Flags::from_sr(value as u16);
                self.awake()?;
            }
            Place::Register(CG) | Place::Nowhere => {}
            Place::Register(n) => self.set_whole(n, value),
        }
        Ok(next)
    }

    /// Reads memory: 20 bits from two words, of which the second has four (figure 4-30).
    fn load_long(&mut self, size: Size, address: u32) -> Result<u32> {
        if size != Size::Address {
            return Ok(self.load(size == Size::Byte, address)?.into());
        }
        let low = self.load(false, address)?;
        let high = self.load(false, address.plus(2))?;
        Ok((u32::from(low) | u32::from(high) << 16) & MASK)
    }

    /// Writes memory.
    fn store_long(&mut self, size: Size, address: u32, value: u32) -> Result<()> {
        self.store(size == Size::Byte, address, value as u16)?;
        if size == Size::Address {
            self.store(false, address.plus(2), (value >> 16) as u16)?;
        }
        Ok(())
    }

    /// Pushes: of 20 bits the upper four first, which then lie above.
    fn push_long(&mut self, size: Size, value: u32) -> Result<()> {
        if size == Size::Address {
            self.push((value >> 16) as u16)?;
        }
        self.push_sized(size == Size::Byte, value as u16)
    }
}
