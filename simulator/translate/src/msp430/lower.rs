//! Instructions that do not jump, as what they do to registers, flags and memory.

use pennyweight_msp430::translator::{Cpu, Register as _, PC, SP, SR};
use pennyweight_msp430::{Alu, Extended, Instruction, Kind, Repeat, Rotation, Size, Times, Unary};

use super::blocks::Decoded;
use super::flags::{Flags, CONTROL_BITS};
use super::operands::{Any, Form, Place, Use};
use super::registers::{value, A, B, C, CONTROL, GENERAL, NZ, RESULT, TEMPORARY, V, WIDE};
use super::stack::Pending;
use super::values::{add, and, binary, constant, left, masked, or, right, signed_byte, subtract, xor};
use crate::ir::{Binary, Expr, Register, Step, Width};
use pennyweight_msp430::Operand;

/// The state of the translation at a place in a block.
#[derive(Debug)]
pub struct Lowering<'s, 'm, X: Cpu> {
    /// The code.
    pub source: &'s Decoded<'m, X>,
    /// What the block does so far.
    pub steps: Vec<Step>,
    /// Its flags.
    pub flags: Flags,
    /// Pushes and pops.
    pub stack: Pending,
    /// The number of the word that the multiplier's first operand was written to, if the block has done so.
    pub mode: Option<u32>,
    /// Has the multiplier's second operand 32 bits, if the block has written to it?
    pub second: Option<bool>,
}

/// Does the result of an operation go to the target?
pub fn stores(alu: Alu) -> bool {
    !matches!(alu, Alu::Cmp | Alu::Bit)
}

/// The operands of an instruction without extension word.
pub fn short(byte: bool) -> Form {
    Form { size: if byte { Size::Byte } else { Size::Word }, long: false }
}

/// The operands of one that only CPUX has.
pub fn long(size: Size) -> Form {
    Form { size, long: true }
}

/// How often an instruction is executed, if that is known.
fn times(repeat: Repeat) -> Option<u8> {
    match repeat.times {
        Times::Fixed(times) => Some(times),
        Times::InRegister(_) => None,
    }
}

/// Can it be a place of an instruction that is executed several times?
fn is_plain(operand: Any) -> bool {
    match operand {
        Operand::Register(n) => n >= GENERAL,
        Operand::Constant(_) | Operand::Immediate(_) => true,
        _ => false,
    }
}

/// By how much values of a size are shifted up so that flags are where those of words are.
fn lifted(value: Expr, size: Size) -> Expr {
    match size {
        Size::Byte => left(value, 8),
        Size::Word => value,
        Size::Address => right(value, 4),
    }
}

impl<X: Cpu> Decoded<'_, X> {
    /// Is an instruction, which does not jump, translated?
    pub fn translates(&self, address: u32, instruction: &Instruction) -> bool {
        let next = address + 2 * u32::from(instruction.words);
        match instruction.kind {
            Kind::Two { alu, byte, source, target } => {
                let pcs = (address + 2, next);
                self.translates_two(alu, short(byte).size, source.into(), target.into(), pcs)
            }
            Kind::One { unary, byte, operand } => {
                self.translates_one(unary, short(byte).size, operand.into(), address + 2)
            }
            Kind::Extended(extended) => self.translates_extended(&extended, address, next),
            Kind::Jump(..) | Kind::Reti | Kind::Undefined(_) => false,
        }
    }

    /// `pcs`: the program counter as source and target are read.
    fn translates_two(&self, alu: Alu, size: Size, source: Any, target: Any, pcs: (u32, u32)) -> bool {
        let is_target = match target {
            Operand::Register(PC) => !stores(alu),
            Operand::Register(SR) => {
                !stores(alu) || matches!(alu, Alu::Mov | Alu::Bic | Alu::Bis | Alu::Xor | Alu::And)
            }
            _ => true,
        };
        let how = match alu {
            Alu::Mov => Use::Write,
            Alu::Cmp | Alu::Bit => Use::Read,
            _ => Use::Change,
        };
        alu != Alu::Dadd
            && is_target
            && self.reaches(source, size, Use::Read, pcs.0)
            && self.reaches(target, size, how, pcs.1)
    }

    fn translates_one(&self, unary: Unary, size: Size, operand: Any, pc: u32) -> bool {
        match (unary, operand) {
            (Unary::Call, _) => false,
            (Unary::Push, _) => self.reaches(operand, size, Use::Read, pc),
            (_, Operand::Register(n)) => n >= GENERAL,
            _ => self.reaches(operand, size, Use::Change, pc),
        }
    }

    fn translates_extended(&self, extended: &Extended, address: u32, next: u32) -> bool {
        let read = address + 4;
        let is_general = |first: u8, last: u8| (first..=last).all(|n| n >= GENERAL) && last < 16;
        match *extended {
            Extended::Two { alu, size, source, target, repeat } => {
                let repeats =
                    times(repeat).is_some_and(|times| times == 1 || is_plain(source) && is_plain(target));
                repeats && self.translates_two(alu, size, source, target, (read, next))
            }
            Extended::One { unary, size, operand, repeat } => {
                let repeats = times(repeat).is_some_and(|times| times == 1 || is_plain(operand));
                repeats && self.translates_one(unary, size, operand, read)
            }
            Extended::Move(source, target) => {
                self.translates_two(Alu::Mov, Size::Address, source, target, (next, next))
            }
            Extended::Address(alu, source, register) => {
                self.translates_two(alu, Size::Address, source, Operand::Register(register), (next, next))
            }
            Extended::Call(_) => false,
            Extended::Rotate { register, .. } => register >= GENERAL,
            Extended::PushMany(_, count, register) => {
                register >= count && is_general(register + 1 - count, register)
            }
            Extended::PopMany(_, count, register) => count > 0 && is_general(register, register + count - 1),
        }
    }
}

impl<'s, 'm, X: Cpu> Lowering<'s, 'm, X> {
    /// At the beginning of a block.
    pub fn new(source: &'s Decoded<'m, X>) -> Self {
        Lowering {
            source,
            steps: Vec::new(),
            flags: Flags::default(),
            stack: Pending::default(),
            mode: None,
            second: None,
        }
    }

    pub fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub fn set(&mut self, register: Register, value: Expr) {
        self.steps.push(Step::Set(register, value));
    }

    pub fn flag(&mut self, flag: Register, value: Expr) {
        self.flags.set(flag, value, &mut self.steps);
    }

    /// N and Z become those of a result.
    fn judge(&mut self, result: &Expr, size: Size) {
        let lifted = lifted(result.clone(), size);
        // Of 20 bits, those that are shifted out count for Z.
        let nz = match size {
            Size::Address => or(lifted, masked(result.clone(), 15)),
            _ => lifted,
        };
        self.flag(NZ, nz);
    }

    fn overflow(&mut self, value: Expr, size: Size) {
        self.flag(V, lifted(value, size));
    }

    /// The sum is in `WIDE`; returns the result.
    fn sum(&mut self, size: Size, a: Expr, b: Expr, carry: Option<Expr>) -> Expr {
        let sum = add(b.clone(), a.clone());
        self.set(WIDE, carry.map_or(sum.clone(), |carry| add(sum, carry)));
        self.set(RESULT, masked(value(WIDE), size.mask()));
        self.flag(C, right(value(WIDE), size.bits()));
        self.judge(&value(RESULT), size);
        self.overflow(and(xor(a, value(WIDE)), xor(b, value(WIDE))), size);
        value(RESULT)
    }

    /// C is "not zero" after logical operations.
    fn logic(&mut self, size: Size, result: Expr, v: Expr) -> Expr {
        let result = self.kept(RESULT, result);
        self.judge(&result, size);
        self.flags.carry_if(result.clone(), &mut self.steps);
        self.overflow(v, size);
        result
    }

    /// The result of an operation on two values without bits above the size.
    fn two(&mut self, alu: Alu, size: Size, a: Expr, b: Expr) -> Expr {
        let mask = size.mask();
        match alu {
            Alu::Mov => a,
            Alu::Bic => and(b, xor(a, constant(mask))),
            Alu::Bis => or(b, a),
            Alu::Add => self.sum(size, a, b, None),
            Alu::Addc => {
                let carry = self.flags.get(C);
                self.sum(size, a, b, Some(carry))
            }
            Alu::Subc => {
                let inverse = self.kept(TEMPORARY, xor(a, constant(mask)));
                let carry = self.flags.get(C);
                self.sum(size, inverse, b, Some(carry))
            }
            Alu::Sub | Alu::Cmp => {
                self.set(WIDE, subtract(b.clone(), a.clone()));
                self.set(RESULT, masked(value(WIDE), mask));
                // C is "no borrow".
                self.flag(C, binary(Binary::NotLess, b.clone(), a.clone()));
                self.judge(&value(RESULT), size);
                self.overflow(and(xor(a, b.clone()), xor(b, value(WIDE))), size);
                value(RESULT)
            }
            Alu::Bit | Alu::And => self.logic(size, and(a, b), constant(0)),
            // V: both operands were negative.
            Alu::Xor => self.logic(size, xor(a.clone(), b.clone()), and(a, b)),
            // Not translated.
            Alu::Dadd => constant(0),
        }
    }

    /// An operation whose result is the status register: no flags of its own.
    fn on_status(&mut self, alu: Alu, size: Size, a: Expr, b: Expr) -> Expr {
        match alu {
            Alu::Xor => xor(a, b),
            Alu::And => and(a, b),
            alu => self.two(alu, size, a, b),
        }
    }

    /// BIC and BIS of the carry, or of bits that are not flags, in the status register. False: it is another.
    fn bits_of_status(&mut self, alu: Alu, source: &Expr) -> bool {
        let (Expr::Constant(bits), Alu::Bic | Alu::Bis) = (source, alu) else { return false };
        let sets = alu == Alu::Bis;
        match *bits {
            1 => self.flag(C, constant(sets.into())),
            // Without CPUOFF.
            bits if bits & !(CONTROL_BITS & !0x10) == 0 => {
                let control = value(CONTROL);
                let bits = if sets { or(control, constant(bits)) } else { masked(control, !bits) };
                self.set(CONTROL, bits);
            }
            _ => return false,
        }
        true
    }

    /// Format I. `pcs`: the program counter as source and target are read.
    fn format_one(&mut self, alu: Alu, form: Form, source: Any, target: Any, pcs: (u32, u32)) {
        let size = form.size;
        let (a, _) = self.read(source, form, Use::Read, pcs.0);
        if !matches!(target, Operand::Register(_)) {
            self.settle();
        }
        let (b, place) = match alu {
            Alu::Mov => (constant(0), self.place(target, form, pcs.1)),
            alu if stores(alu) => self.read(target, form, Use::Change, pcs.1),
            _ => self.read_compared(target, form, pcs.1),
        };
        if place == Place::Register(SR) && stores(alu) {
            if size == Size::Word && self.bits_of_status(alu, &a) {
                return;
            }
            let result = self.on_status(alu, size, a, b);
            return self.put(&place, result, size, false);
        }
        let result = self.two(alu, size, a, b);
        if stores(alu) {
            let moves = place == Place::Register(SP) && matches!(alu, Alu::Add | Alu::Sub);
            self.put(&place, result, size, moves);
        }
    }

    /// The target of CMP or BIT, which may be in flash.
    fn read_compared(&mut self, target: Any, form: Form, pc: u32) -> (Expr, Place) {
        if let Operand::Register(_) = target {
            return self.read(target, form, Use::Change, pc);
        }
        let address = self.address(target, form, pc);
        (self.load(B, &address, form.size, Use::Read), Place::Nowhere)
    }

    /// Format II but CALL.
    fn format_two(&mut self, unary: Unary, form: Form, operand: Any, pc: u32) {
        let size = form.size;
        if unary == Unary::Push {
            let pushed = self.pushed(operand, form, pc);
            return self.push_sized(pushed, size);
        }
        let (before, place) = self.read(operand, form, Use::Change, pc);
        let (result, size) = match unary {
            Unary::Rrc => (self.rotate(Rotation::Rrcm, size, before), size),
            Unary::Rra => (self.rotate(Rotation::Rram, size, before), size),
            Unary::Sxt => {
                // Of a register, all bits.
                let is_register = matches!(place, Place::Register(_));
                let size = if is_register && X::Register::WIDTH > 16 { Size::Address } else { size };
                (self.logic(size, masked(signed_byte(before), size.mask()), constant(0)), size)
            }
            // SWPB.
            _ => {
                let low = masked(before.clone(), 0xffff);
                let swapped = or(right(low.clone(), 8), masked(left(low, 8), 0xff00));
                (or(swapped, masked(before, size.mask() & !0xffff)), size)
            }
        };
        self.put(&place, result, size, false);
    }

    /// The operand of PUSH, which does not change before it is pushed.
    fn pushed(&mut self, operand: Any, form: Form, pc: u32) -> Expr {
        match operand {
            Operand::Register(n) if n != SP => self.register(n, form.size, pc),
            operand => {
                self.settle();
                let (pushed, _) = self.read(operand, form, Use::Read, pc);
                self.set(A, pushed);
                value(A)
            }
        }
    }

    fn push_sized(&mut self, pushed: Expr, size: Size) {
        if size == Size::Address {
            self.push(right(pushed.clone(), 16), Width::Half);
        }
        self.push(pushed, if size == Size::Byte { Width::Byte } else { Width::Half });
    }

    /// A rotation or shift by one bit, of a value that is kept.
    fn rotate(&mut self, rotation: Rotation, size: Size, before: Expr) -> Expr {
        let (mask, top) = (size.mask(), size.bits() - 1);
        let before = self.kept(TEMPORARY, before);
        let carried = if rotation == Rotation::Rrcm { Some(self.flags.get(C)) } else { None };
        let shifted = right(before.clone(), 1);
        let result = match rotation {
            Rotation::Rrcm => or(shifted, left(carried.unwrap_or(constant(0)), top)),
            Rotation::Rram => or(shifted, masked(before.clone(), 1 << top)),
            Rotation::Rrum => shifted,
            Rotation::Rlam => masked(left(before.clone(), 1), mask),
        };
        self.set(RESULT, result);
        let overflow = match rotation {
            Rotation::Rlam => xor(before.clone(), value(RESULT)),
            Rotation::Rrcm if X::RRC_OVERFLOWS => and(xor(before.clone(), constant(mask)), value(RESULT)),
            _ => constant(0),
        };
        let carry = if rotation == Rotation::Rlam { right(before, top) } else { masked(before, 1) };
        self.flag(C, carry);
        self.judge(&value(RESULT), size);
        self.overflow(overflow, size);
        value(RESULT)
    }

    /// With ZC, an instruction that uses the carry bit uses 0.
    fn zero_carry(&mut self, repeat: Repeat, uses_carry: bool) {
        if repeat.zero_carry && uses_carry {
            self.flag(C, constant(0));
        }
    }

    fn extended(&mut self, extended: &Extended, address: u32, next: u32) {
        let read = address + 4;
        match *extended {
            Extended::Two { alu, size, source, target, repeat } => {
                for _ in 0..times(repeat).unwrap_or(1) {
                    self.zero_carry(repeat, matches!(alu, Alu::Addc | Alu::Subc));
                    self.format_one(alu, long(size), source, target, (read, next));
                }
            }
            Extended::One { unary, size, operand, repeat } => {
                for _ in 0..times(repeat).unwrap_or(1) {
                    self.zero_carry(repeat, unary == Unary::Rrc);
                    self.format_two(unary, long(size), operand, read);
                }
            }
            Extended::Move(source, target) => {
                self.format_one(Alu::Mov, long(Size::Address), source, target, (next, next));
            }
            Extended::Address(alu, source, register) => {
                let target = Operand::Register(register);
                self.format_one(alu, long(Size::Address), source, target, (next, next));
            }
            Extended::Rotate { rotation, size, times, register } => {
                for _ in 0..times {
                    let before = masked(value(register), size.mask());
                    let result = self.rotate(rotation, size, before);
                    self.set(register, result);
                }
            }
            Extended::PushMany(size, count, register) => {
                for n in (register + 1 - count..=register).rev() {
                    self.push_sized(masked(value(n), size.mask()), size);
                }
            }
            Extended::PopMany(size, count, register) => {
                for n in register..register + count {
                    let (popped, _) = self.read(Operand::Increment(SP), long(size), Use::Read, next);
                    self.set(n, popped);
                }
            }
            Extended::Call(_) => {}
        }
    }

    /// Adds what an instruction does that does not jump and is translated.
    pub fn lower(&mut self, address: u32, instruction: &Instruction) {
        let next = address + 2 * u32::from(instruction.words);
        self.settle_unless_like(instruction);
        match instruction.kind {
            Kind::Two { alu, byte, source, target } => {
                self.format_one(alu, short(byte), source.into(), target.into(), (address + 2, next));
            }
            Kind::One { unary, byte, operand } => {
                let pc = if unary == Unary::Push { address + 2 } else { next };
                self.format_two(unary, short(byte), operand.into(), pc);
            }
            Kind::Extended(extended) => self.extended(&extended, address, next),
            Kind::Jump(..) | Kind::Reti | Kind::Undefined(_) => {}
        }
    }

    /// Pushes wait for other pushes, pops for other pops and what uses registers only.
    fn settle_unless_like(&mut self, instruction: &Instruction) {
        let pushes = match instruction.kind {
            Kind::One { unary, .. } => unary == Unary::Push,
            Kind::Extended(Extended::PushMany(..)) => true,
            _ => false,
        };
        if !pushes {
            self.settle_pushes();
        }
    }
}
