//! Operands: where they are, and how they are read and written.

use pennyweight_msp430::translator::{Cpu, Register as _, CG, PC, SP, SR};
use pennyweight_msp430::{Operand, Size};

use super::blocks::Decoded;
use super::lower::Lowering;
use super::multiplier;
use super::registers::{value, A, B, GENERAL, PLACE, RESULT, STACK, UPPER};
use super::values::{constant, left, masked, or, right};
use crate::ir::{Alignment, Binary, Expr, Memory, Register, Step, Width};

/// The bits of a register of CPUX.
const ADDRESS_BITS: u32 = 0xf_ffff;

/// An operand of an instruction.
pub type Any = Operand<u32>;

/// What an instruction does with an operand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Read,
    Write,
    Change,
}

/// Where an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Register(u8),
    Memory(Expr),
    Nowhere,
}

/// How an instruction takes its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Their size.
    pub size: Size,
    /// Are addresses sums of 20 bits?
    pub long: bool,
}

/// What is at a known address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Ram,
    Flash,
    Multiplier,
    Other,
}

/// Its bytes in memory, of which 20 bits are two words.
fn width(size: Size) -> Width {
    if size == Size::Byte {
        Width::Byte
    } else {
        Width::Half
    }
}

/// Is it one of the registers that hold values, the stack pointer among them?
pub fn holds(register: u8) -> bool {
    register == SP || register >= GENERAL
}

impl<X: Cpu> Decoded<'_, X> {
    fn at(&self, address: u32) -> At {
        if self.ram.contains(&address) {
            At::Ram
        } else if self.flash.contains(&address) {
            At::Flash
        } else if multiplier::addresses::<X>().contains(&address) {
            At::Multiplier
        } else {
            At::Other
        }
    }

    /// The address of an operand in memory, if it is known; the program counter is `pc` when it is read.
    fn known(operand: Any, pc: u32) -> Option<u32> {
        match operand {
            Operand::Symbolic(at) | Operand::Absolute(at) | Operand::Indexed(CG, at) => Some(at),
            Operand::Indirect(PC) => Some(pc),
            _ => None,
        }
    }

    /// Is it translated what an instruction does with an operand?
    pub fn reaches(&self, operand: Any, size: Size, how: Use, pc: u32) -> bool {
        if let Some(address) = Decoded::<X>::known(operand, pc) {
            let is_odd = size != Size::Byte && address & 1 != 0;
            let last = if size == Size::Address { address + 2 } else { address };
            let at = self.at(address);
            return (!is_odd || self.ignores_odd)
                && at == self.at(last)
                && match at {
                    At::Ram => true,
                    At::Flash => how == Use::Read,
                    At::Multiplier => {
                        size != Size::Address && multiplier::is_translated::<X>(address, size == Size::Byte)
                    }
                    At::Other => false,
                };
        }
        match operand {
            Operand::Register(_) => true,
            Operand::Constant(_) | Operand::Immediate(_) => how == Use::Read,
            Operand::Increment(SP) => how == Use::Read,
            Operand::Indexed(n, _) | Operand::Indirect(n) | Operand::Increment(n) => holds(n),
            Operand::Symbolic(_) | Operand::Absolute(_) => false,
        }
    }
}

impl<X: Cpu> Lowering<'_, '_, X> {
    /// The bits of a register that an operation on this size uses.
    pub fn register(&mut self, number: u8, size: Size, pc: u32) -> Expr {
        let whole = match number {
            PC => constant(pc),
            SR => self.flags.sr(),
            CG => constant(0),
            SP => {
                self.settle();
                value(STACK)
            }
            n => value(n),
        };
        if size.bits() < X::Register::WIDTH && !(size == Size::Word && number == SR) {
            masked(whole, size.mask())
        } else {
            whole
        }
    }

    /// A value that can be used several times, in `slot` if it has to be computed.
    pub fn kept(&mut self, slot: Register, expr: Expr) -> Expr {
        match expr {
            Expr::Register(_) | Expr::Constant(_) => expr,
            expr => {
                self.set(slot, expr);
                value(slot)
            }
        }
    }

    /// The address of an operand in memory that is not popped.
    pub fn address(&mut self, operand: Any, form: Form, pc: u32) -> Expr {
        self.settle();
        let address = match operand {
            _ if Decoded::<X>::known(operand, pc).is_some() => {
                constant(Decoded::<X>::known(operand, pc).unwrap_or_default())
            }
            Operand::Indexed(n, distance) => self.indexed(n, distance, form.long),
            Operand::Indirect(n) | Operand::Increment(n) => value(n),
            _ => constant(0),
        };
        if form.size != Size::Byte && self.source.ignores_odd {
            masked(address, !1)
        } else {
            address
        }
    }

    /// What is not in memory after this sum is not there in the interpreter either, or it is found there.
    fn indexed(&self, register: u8, distance: u32, long: bool) -> Expr {
        let base = value(register);
        if long {
            // Without the wrap at 20 bits.
            let signed = (distance << 12) as i32 >> 12;
            return base.plus(signed as u32);
        }
        if register == SP {
            return base.plus(distance as u16 as i16 as u32);
        }
        if distance <= self.source.ram.start {
            // A sum that wraps is below RAM.
            return base.plus(distance);
        }
        let sum = masked(base.clone().plus(distance), 0xffff);
        if X::Register::WIDTH > 16 {
            // Above 64 KB there is no memory.
            return or(sum, masked(base, ADDRESS_BITS & !0xffff));
        }
        sum
    }

    /// Loads an operand from an address, in `slot` unless it is constant.
    pub fn load(&mut self, slot: Register, address: &Expr, size: Size, how: Use) -> Expr {
        self.settle();
        let word = |lowering: &mut Self, slot: Register, address: Expr| match address {
            Expr::Constant(at) => match lowering.source.at(at) {
                At::Flash => {
                    let word = lowering.source.parts.word(at as u16);
                    let byte = if at & 1 == 0 { word & 0xff } else { word >> 8 };
                    constant(if size == Size::Byte { byte.into() } else { word.into() })
                }
                At::Multiplier => {
                    let read = lowering.read_multiplier(at, size == Size::Byte);
                    lowering.set(slot, read);
                    value(slot)
                }
                _ => lowering.load_from(Memory::Ram, slot, address, width(size)),
            },
            address => {
                let memory = if how == Use::Read { Memory::Any } else { Memory::Ram };
                lowering.load_from(memory, slot, address, width(size))
            }
        };
        let low = word(self, slot, address.clone());
        if size != Size::Address {
            return low;
        }
        let high = word(self, UPPER, address.clone().plus(2));
        self.set(slot, or(low, left(masked(high, ADDRESS_BITS >> 16), 16)));
        value(slot)
    }

    fn alignment(&self, address: &Expr) -> Alignment {
        if self.source.ignores_odd || matches!(address, Expr::Constant(_)) {
            Alignment::Known
        } else {
            Alignment::Strict
        }
    }

    fn load_from(&mut self, memory: Memory, to: Register, address: Expr, width: Width) -> Expr {
        let alignment = self.alignment(&address);
        self.step(Step::Load { memory, alignment, to: Some(to), address, width, signed: false });
        value(to)
    }

    fn store(&mut self, address: &Expr, stored: &Expr, size: Size) {
        self.settle();
        if let Expr::Constant(at) = *address {
            if self.source.at(at) == At::Multiplier {
                return self.write_multiplier(at, size == Size::Byte, stored.clone());
            }
        }
        let (alignment, width) = (self.alignment(address), width(size));
        let (address, value) = (address.clone(), stored.clone());
        self.step(Step::Store { alignment, address: address.clone(), value: value.clone(), width });
        if size == Size::Address {
            let (address, value) = (address.plus(2), right(value, 16));
            self.step(Step::Store { alignment, address, value, width });
        }
    }

    /// The value of an operand and its place. `pc` is the program counter as the operand is read.
    pub fn read(&mut self, operand: Any, form: Form, how: Use, pc: u32) -> (Expr, Place) {
        let slot = if how == Use::Read { A } else { B };
        match operand {
            Operand::Register(n) => {
                let read = self.register(n, form.size, pc);
                (self.kept(slot, read), Place::Register(n))
            }
            Operand::Constant(number) | Operand::Immediate(number) => (constant(number), Place::Nowhere),
            Operand::Increment(SP) if form.size == Size::Address => {
                self.pop(slot, Width::Half, 2);
                self.pop(UPPER, Width::Half, 2);
                let upper = masked(value(UPPER), ADDRESS_BITS >> 16);
                self.set(slot, or(value(slot), left(upper, 16)));
                (value(slot), Place::Nowhere)
            }
            Operand::Increment(SP) => {
                self.pop(slot, width(form.size), 2);
                (value(slot), Place::Nowhere)
            }
            operand => {
                let mut address = self.address(operand, form, pc);
                if how != Use::Read {
                    address = self.kept(PLACE, address);
                }
                if let (Operand::Increment(_), false) = (operand, how == Use::Read) {
                    // The register changes before the result is stored.
                    self.set(PLACE, address);
                    address = value(PLACE);
                }
                let read = self.load(slot, &address, form.size, how);
                if let Operand::Increment(n) = operand {
                    self.increment(n, form.size);
                }
                (read, Place::Memory(address))
            }
        }
    }

    /// What `@Rn+` does to a register other than SP.
    pub fn increment(&mut self, register: u8, size: Size) {
        let moved = self.incremented(register, size);
        self.set(register, moved);
    }

    /// The register behind that.
    pub fn incremented(&self, register: u8, size: Size) -> Expr {
        let by = match size {
            Size::Byte => 1,
            Size::Word => 2,
            Size::Address => 4,
        };
        masked(value(register).plus(by), (1 << X::Register::WIDTH) - 1)
    }

    /// The place of a target that is not read.
    pub fn place(&mut self, operand: Any, form: Form, pc: u32) -> Place {
        match operand {
            Operand::Register(n) => Place::Register(n),
            operand => Place::Memory(self.address(operand, form, pc)),
        }
    }

    /// Puts a result of this size where the operand was. `moves`: it is the sum or the difference of the stack
    /// pointer and an amount.
    pub fn put(&mut self, place: &Place, result: Expr, size: Size, moves: bool) {
        match *place {
            Place::Memory(ref address) => self.store(address, &result, size),
            Place::Register(SP) => {
                self.settle();
                let pointer = self.kept(RESULT, result);
                if moves {
                    // A frame larger than the memory below takes SP to above the end of RAM.
                    let end = constant(self.source.ram.end);
                    self.step(Step::Check(Expr::binary(Binary::NotHigher, pointer.clone(), end)));
                }
                self.step(Step::SetStack(masked(pointer, !1)));
            }
            Place::Register(SR) => {
                let result = self.kept(RESULT, result);
                self.flags.set_sr(&result, &mut self.steps);
            }
            Place::Register(n) if n >= GENERAL => self.set(n, result),
            Place::Register(_) | Place::Nowhere => {}
        }
    }
}
