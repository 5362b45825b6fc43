//! Registers and what the loop's ops do to them.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, FaultKind};
use pennyweight_memory::timing::FlashTiming;

use crate::alu::{self, stores};
use crate::bus::{unmapped, Bus};
use crate::cpu::{Cpu, Register};
use crate::flags::Flags;
use crate::instruction::{Alu, SP};
use crate::op::Op;

/// Where a source comes from: the letters of `op::with_pairs`.
pub mod from {
    pub const REGISTER: u8 = 0;
    pub const VALUE: u8 = 1;
    pub const MEMORY: u8 = 2;
    pub const INCREMENT: u8 = 3;
}

/// What instructions act on.
pub struct Core<'a, W, T, X: Cpu> {
    /// R0 to R15. R0 and R2 are not kept here (but in the program counter and in `flags`) and are 0;
    /// R3 is 0.
    pub registers: &'a mut [X::Register; 16],
    /// Flags.
    pub flags: Flags,
    /// Memory.
    pub bus: Bus<'a, W, T, X>,
}

type Done = Result<(), FaultKind>;

impl<W: Watch, T: FlashTiming, X: Cpu> Core<'_, W, T, X> {
    /// All bits of a register.
    #[inline(always)]
    pub fn whole(&self, number: u8) -> X::Register {
        self.registers[usize::from(number & 15)]
    }

    #[inline(always)]
    pub fn set_whole(&mut self, number: u8, value: X::Register) {
        self.registers[usize::from(number & 15)] = value;
    }

    /// The lower 16 bits of a register.
    #[inline(always)]
    pub fn register(&self, number: u8) -> u16 {
        self.whole(number).word()
    }

    /// Sets a register to a word; it has zeros above.
    #[inline(always)]
    pub fn set(&mut self, number: u8, value: u16) {
        self.set_whole(number, X::Register::of(value.into()));
    }

    /// Reads a byte or a word.
    #[inline(always)]
    pub fn load(&mut self, byte: bool, address: X::Register) -> Result<u16, FaultKind> {
        match address.place() {
            Some(place) => self.bus.load(byte, place, self.register(SP)),
            None => Err(unmapped(address.bits(), byte, Access::Read)),
        }
    }

    /// Writes a byte or a word.
    #[inline(always)]
    pub fn store(&mut self, byte: bool, address: X::Register, value: u16) -> Done {
        match address.place() {
            Some(place) => self.bus.store(byte, place, value, self.register(SP)),
            None => Err(unmapped(address.bits(), byte, Access::Write)),
        }
    }

    #[inline(always)]
    fn source<const FROM: u8>(&mut self, byte: bool, op: &Op) -> Result<u16, FaultKind> {
        match FROM {
            from::REGISTER => Ok(self.register(op.a)),
            from::VALUE => Ok(op.x),
            from::MEMORY => self.load(byte, self.whole(op.a).indexed(op.x)),
            _ => {
                let address = self.whole(op.a);
                let value = self.load(byte, address)?;
                self.set_whole(op.a, address.plus(op.x as i16));
                Ok(value)
            }
        }
    }

    /// A two-operand operation whose target is a register.
    #[inline(always)]
    pub fn register_two<const FROM: u8>(&mut self, alu: Alu, byte: bool, op: &Op) -> Done {
        let source = self.source::<FROM>(byte, op)?;
        let before = self.register(op.b);
        let result = alu::two(alu, &mut self.flags, byte, source, before);
        if stores(alu) {
            self.set(op.b, result);
        }
        Ok(())
    }

    /// A two-operand operation whose target is memory. MOV does not read it.
    #[inline(always)]
    pub fn memory_two<const FROM: u8>(&mut self, alu: Alu, byte: bool, op: &Op) -> Done {
        let source = self.source::<FROM>(byte, op)?;
        let address = self.whole(op.b).indexed(op.y);
        let before = if alu == Alu::Mov { 0 } else { self.load(byte, address)? };
        let result = alu::two(alu, &mut self.flags, byte, source, before);
        if stores(alu) {
            self.store(byte, address, result)?;
        }
        Ok(())
    }

    /// ADD or SUB of a constant to the stack pointer.
    #[inline(always)]
    pub fn move_stack(&mut self, alu: Alu, op: &Op) -> Done {
        let before = self.register(SP);
        let pointer = alu::two(alu, &mut self.flags, false, op.x, before) & !1;
        self.bus.check_frame(alu, 16, op.x.into(), before.into(), pointer.into())?;
        self.bus.note_pointer(pointer.into())?;
        self.set(SP, pointer);
        Ok(())
    }

    /// Pushes a word.
    #[inline(always)]
    pub fn push(&mut self, value: u16) -> Done {
        self.push_sized(false, value)
    }

    /// Pushes a byte or a word, which both take a word of the stack.
    #[inline(always)]
    pub fn push_sized(&mut self, byte: bool, value: u16) -> Done {
        let pointer = self.whole(SP).plus(-2);
        match pointer.place() {
            Some(place) => self.bus.push(byte, place, value)?,
            None => return Err(unmapped(pointer.bits(), byte, Access::Write)),
        }
        self.set_whole(SP, pointer);
        Ok(())
    }

    /// Pops a word.
    #[inline(always)]
    pub fn pop(&mut self) -> Result<u16, FaultKind> {
        let pointer = self.whole(SP);
        let value = self.load(false, pointer)?;
        self.set_whole(SP, pointer.plus(2));
        Ok(value)
    }

    /// RRC.
    #[inline(always)]
    pub fn rrc(&mut self, byte: bool, value: u16) -> u16 {
        let result = alu::rrc(&mut self.flags, byte, value);
        if !X::RRC_OVERFLOWS {
            self.flags.v = 0;
        }
        result
    }

    /// SXT of a register, through all of its bits.
    #[inline(always)]
    pub fn extend_sign(&mut self, number: u8) {
        let before = self.register(number);
        let value = alu::sxt(&mut self.flags, before);
        self.set_whole(number, X::Register::of(i32::from(value as i16) as u32));
    }
}
