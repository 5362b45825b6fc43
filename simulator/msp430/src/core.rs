//! Registers and what the loop's ops do to them.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::FaultKind;

use crate::alu::{self, stores};
use crate::bus::Bus;
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
pub struct Core<'a, W> {
    /// R0 to R15. R0 and R2 are not kept here (but in the program counter and in `flags`) and are 0;
    /// R3 is 0.
    pub registers: &'a mut [u16; 16],
    /// Flags.
    pub flags: Flags,
    /// Memory.
    pub bus: Bus<'a, W>,
}

type Done = Result<(), FaultKind>;

impl<W: Watch> Core<'_, W> {
    #[inline(always)]
    pub fn register(&self, number: u8) -> u16 {
        self.registers[usize::from(number & 15)]
    }

    #[inline(always)]
    pub fn set(&mut self, number: u8, value: u16) {
        self.registers[usize::from(number & 15)] = value;
    }

    /// Reads a byte or a word.
    #[inline(always)]
    pub fn load(&mut self, byte: bool, address: u16) -> Result<u16, FaultKind> {
        self.bus.load(byte, address, self.register(SP))
    }

    /// Writes a byte or a word.
    #[inline(always)]
    pub fn store(&mut self, byte: bool, address: u16, value: u16) -> Done {
        self.bus.store(byte, address, value, self.register(SP))
    }

    #[inline(always)]
    fn source<const FROM: u8>(&mut self, byte: bool, op: &Op) -> Result<u16, FaultKind> {
        match FROM {
            from::REGISTER => Ok(self.register(op.a)),
            from::VALUE => Ok(op.x),
            from::MEMORY => self.load(byte, self.register(op.a).wrapping_add(op.x)),
            _ => {
                let address = self.register(op.a);
                let value = self.load(byte, address)?;
                self.set(op.a, address.wrapping_add(op.x));
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
        let address = self.register(op.b).wrapping_add(op.y);
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
        self.bus.check_frame(alu, op.x, before, pointer)?;
        self.bus.note_pointer(pointer)?;
        self.set(SP, pointer);
        Ok(())
    }

    /// Pushes a word.
    #[inline(always)]
    pub fn push(&mut self, value: u16) -> Done {
        let pointer = self.register(SP).wrapping_sub(2);
        self.bus.push(false, pointer, value)?;
        self.set(SP, pointer);
        Ok(())
    }

    /// Pops a word.
    #[inline(always)]
    pub fn pop(&mut self) -> Result<u16, FaultKind> {
        let pointer = self.register(SP);
        let value = self.load(false, pointer)?;
        self.set(SP, pointer.wrapping_add(2));
        Ok(value)
    }
}
