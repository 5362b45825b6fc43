//! Every instruction as the manual describes it, mode by mode: the way of those that are too rare for an
//! op of their own, and of code in RAM. Tests hold the ops against it.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::FaultKind;
use pennyweight_memory::timing::FlashTiming;

use crate::alu;
use crate::bus::reach;
use crate::core::Core;
use crate::cpu::{Cpu, Register as _};
use crate::flags::{Flags, CPUOFF};
use crate::instruction::{Alu, Condition, Instruction, Kind, Operand, Unary, CG, PC, SP, SR};

/// Where an operand was found.
#[derive(Clone, Copy)]
enum Place<A> {
    Register(u8),
    Memory(A),
    Nowhere,
}

impl<W: Watch, T: FlashTiming, X: Cpu> Core<'_, W, T, X> {
    /// Executes an instruction at `address`; returns the next address.
    ///
    /// # Errors
    /// Its fault; registers that it has incremented by then stay so.
    pub fn general(&mut self, instruction: &Instruction, address: u16) -> Result<u16, FaultKind> {
        let next = address.wrapping_add(2 * u16::from(instruction.words));
        match instruction.kind {
            Kind::Two { alu, byte, source, target } => {
                let (source, _) = self.operand(byte, source, address.wrapping_add(2))?;
                self.store_two(alu, byte, source, target, next)
            }
            Kind::One { unary: Unary::Push, byte, operand } => {
                let (value, _) = self.operand(byte, operand, address.wrapping_add(2))?;
                self.push_sized(byte, value)?;
                Ok(next)
            }
            Kind::One { unary: Unary::Call, operand, .. } => {
                let (target, _) = self.operand(false, operand, address.wrapping_add(2))?;
                self.push(next)?;
                Ok(target & !1)
            }
            Kind::One { unary: Unary::Sxt, operand: Operand::Register(n), .. } if n > CG => {
                self.extend_sign(n);
                Ok(next)
            }
            Kind::One { unary, byte, operand } => {
                let (value, place) = self.operand(byte, operand, next)?;
                let result = match unary {
                    Unary::Rrc => self.rrc(byte, value),
                    Unary::Rra => alu::rra(&mut self.flags, byte, value),
                    Unary::Sxt => alu::sxt(&mut self.flags, value),
                    _ => value.swap_bytes(),
                };
                self.put(byte, place, result, next)
            }
            Kind::Jump(condition, target) => Ok(if self.holds(condition) { target } else { next }),
            Kind::Reti => {
                let status = self.pop()?;
                self.flags = Flags::from_sr(status);
                let target = self.pop()?;
                self.awake()?;
                reach(X::page(status) | u32::from(target & !1))
            }
            Kind::Extended(ref extended) => reach(X::extended(self, extended, address, next)?),
            Kind::Undefined(word) => Err(FaultKind::Undefined { opcode: u32::from(word) }),
        }
    }

    fn store_two(
        &mut self,
        alu: Alu,
        byte: bool,
        source: u16,
        target: Operand,
        next: u16,
    ) -> Result<u16, FaultKind> {
        let (before, place) = match target {
            Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_) if alu == Alu::Mov => {
                (0, Place::Memory(self.address(target)))
            }
            _ => self.operand(byte, target, next)?,
        };
        let flags = self.flags;
        let result = alu::two(alu, &mut self.flags, byte, source, before);
        if !alu::stores(alu) {
            return Ok(next);
        }
        if matches!(place, Place::Register(SR)) {
            // The manual does not specify the flags that an operation sets when its target is the status
            // register: here the result wins.
            self.flags = flags;
        }
        if matches!(place, Place::Register(SP)) {
            self.bus.check_frame(alu, 16, source.into(), before.into(), result.into())?;
        }
        self.put(byte, place, result, next)
    }

    /// The address of an operand in memory whose register is not changed by reading it.
    fn address(&self, operand: Operand) -> X::Register {
        match operand {
            Operand::Indexed(n, x) => self.whole(n).indexed(x),
            Operand::Symbolic(at) | Operand::Absolute(at) => X::Register::of(at.into()),
            _ => X::Register::default(),
        }
    }

    /// The value of an operand and its place. `pc` is the program counter as the operand is read.
    fn operand(
        &mut self,
        byte: bool,
        operand: Operand,
        pc: u16,
    ) -> Result<(u16, Place<X::Register>), FaultKind> {
        let address = match operand {
            Operand::Register(n) => {
                let value = match n {
                    PC => pc,
                    SR => self.flags.sr(),
                    n => self.register(n),
                };
                return Ok((if byte { value & 0xff } else { value }, Place::Register(n)));
            }
            Operand::Constant(value) | Operand::Immediate(value) => return Ok((value, Place::Nowhere)),
            Operand::Indirect(PC) => X::Register::of(pc.into()),
            Operand::Indirect(n) => self.whole(n),
            Operand::Increment(n) => {
                let address = self.whole(n);
                let value = self.load(byte, address)?;
                self.set_whole(n, address.plus(if byte && n != SP { 1 } else { 2 }));
                return Ok((value, Place::Memory(address)));
            }
            _ => self.address(operand),
        };
        Ok((self.load(byte, address)?, Place::Memory(address)))
    }

    /// Puts a result where the operand was; returns the next address. A byte that goes to a
    /// register clears its upper half (SLAU049, section 3.2.5).
    fn put(
        &mut self,
        byte: bool,
        place: Place<X::Register>,
        value: u16,
        next: u16,
    ) -> Result<u16, FaultKind> {
        match place {
            Place::Memory(address) => self.store(byte, address, value)?,
            Place::Register(PC) => return Ok(value & !1),
            Place::Register(SP) => {
                let pointer = value & !1;
                self.bus.note_pointer(pointer.into())?;
                self.set(SP, pointer);
            }
            Place::Register(SR) => {
                self.flags = Flags::from_sr(value);
                self.awake()?;
            }
            Place::Register(CG) | Place::Nowhere => {}
            Place::Register(n) => self.set(n, value),
        }
        Ok(next)
    }

    /// With CPUOFF set the CPU stops until an interrupt, which never comes.
    #[inline(always)]
    pub fn awake(&self) -> Result<(), FaultKind> {
        if self.flags.control & CPUOFF != 0 {
            Err(FaultKind::Asleep)
        } else {
            Ok(())
        }
    }

    /// Does a jump's condition hold?
    pub fn holds(&self, condition: Condition) -> bool {
        let flags = &self.flags;
        match condition {
            Condition::Jne => !flags.z(),
            Condition::Jeq => flags.z(),
            Condition::Jnc => flags.c == 0,
            Condition::Jc => flags.c != 0,
            Condition::Jn => flags.n(),
            Condition::Jge => flags.n() == flags.v(),
            Condition::Jl => flags.n() != flags.v(),
            Condition::Jmp => true,
        }
    }
}
