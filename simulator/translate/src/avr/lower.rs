//! Operations, as what they do to registers, flags and memory.

use pennyweight_avr::{Code, Op};

use super::blocks::Decoded;
use super::flags::{and, constant, is_zero, left, or, right, xor, Flags};
use super::registers::{
    number, pair_place, value, C, H, HALF, IT, LOADED, N, PAIRS, RESULT, STACK, V, WIDE, Z,
};
use super::stack::{Half, Place};
use crate::ir::{Alignment, Binary, Expr, Memory, Register, Step, Unary, Width};

/// The state of the translation at a place in a block.
#[derive(Debug, Default)]
pub struct Lowering {
    /// What the block does so far.
    pub steps: Vec<Step>,
    /// Its flags.
    pub flags: Flags,
    /// The half of SP that has been written; the other one will be.
    pub half: Option<Half>,
    /// The pairs that are known, by their places.
    pairs: [bool; 4],
    /// Values to be pushed.
    pushed: Vec<Expr>,
    /// Bytes that were popped, but are still below the stack pointer.
    popped: u32,
}

fn add(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Add, left, right)
}

fn subtract(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Subtract, left, right)
}

fn wide() -> Expr {
    Expr::Register(WIDE)
}

fn result() -> Expr {
    Expr::Register(RESULT)
}

fn stack() -> Expr {
    Expr::Register(STACK)
}

/// What is added to a pointer before an access, and afterwards.
fn moves(code: Code) -> (u32, u32) {
    match code {
        Code::LdInc | Code::StInc => (0, 1),
        Code::LdDec | Code::StDec => (u32::MAX, u32::MAX),
        _ => (0, 0),
    }
}

impl Decoded<'_> {
    /// Is `op`, which does not jump, translated?
    pub fn translates(&self, word: usize, half: Option<Half>) -> bool {
        let op = self.parts.op(word);
        match op.code {
            Code::In | Code::Lds => self.place(op.imm) != Place::Other,
            Code::Out | Code::Sts => match self.place(op.imm) {
                Place::Stack(_) => half.is_some() || self.closes(word),
                Place::Status | Place::Ram => true,
                Place::Flash | Place::Other => false,
            },
            Code::Bset | Code::Bclr => !matches!(op.b, 4 | 8 | 0x10),
            Code::Sbi | Code::Cbi | Code::Sbic | Code::Sbis | Code::Elpm | Code::ElpmInc | Code::Spm => false,
            Code::Sleep | Code::Break | Code::Undefined | Code::Stop | Code::Outside | Code::Reti => false,
            _ => true,
        }
    }
}

impl Lowering {
    fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    fn set(&mut self, register: Register, value: Expr) {
        self.steps.push(Step::Set(register, value));
    }

    fn flag(&mut self, flag: Register, value: Expr) {
        self.flags.set(flag, value, &mut self.steps);
    }

    /// One of r0 to r31 takes a value.
    fn write(&mut self, register: u8, value: Expr) {
        self.set(number(register), value);
        self.forget(register);
    }

    fn forget(&mut self, register: u8) {
        if let Some(place) = pair_place(register & !1) {
            self.pairs[usize::from(place)] = false;
        }
    }

    /// The pair whose lower register is `low`.
    pub fn pair(&mut self, low: u8) -> Expr {
        let both = or(value(low), left(value(low + 1), 8));
        let Some(place) = pair_place(low) else { return both };
        if !self.pairs[usize::from(place)] {
            self.set(PAIRS + place, both);
            self.pairs[usize::from(place)] = true;
        }
        Expr::Register(PAIRS + place)
    }

    /// A pair takes a value of 16 bits.
    fn write_pair(&mut self, low: u8, pair: Expr) {
        let place = pair_place(low);
        let held = place.map_or(WIDE, |place| PAIRS + place);
        self.set(held, pair);
        self.set(number(low), and(Expr::Register(held), 0xff));
        self.set(number(low + 1), right(Expr::Register(held), 8));
        if let Some(place) = place {
            self.pairs[usize::from(place)] = true;
        }
    }

    /// Comes to an end of what moves the stack pointer without showing it.
    pub fn settle_stack(&mut self) {
        if !self.pushed.is_empty() {
            let values = std::mem::take(&mut self.pushed);
            self.step(Step::Push(values));
        }
        if self.popped != 0 {
            let bytes = std::mem::take(&mut self.popped);
            self.step(Step::Drop(bytes));
        }
    }

    /// Pushes the address of the instruction at `word`.
    pub fn push_address(&mut self, word: usize) {
        if self.popped != 0 {
            self.settle_stack();
        }
        self.pushed.extend([word & 0xff, word >> 8 & 0xff].map(|byte| constant(byte as u32)));
    }

    /// The result of eight bits is what `WIDE` ends with.
    fn narrow(&mut self) {
        self.set(RESULT, and(wide(), 0xff));
    }

    /// ADD and ADC; Rd takes the result.
    fn sum(&mut self, op: &Op, carry: Option<Expr>) {
        let sum = add(value(op.a), value(op.b));
        self.set(WIDE, carry.map_or(sum.clone(), |carry| add(sum, carry)));
        let carries = if op.a == op.b { wide() } else { xor(xor(value(op.a), value(op.b)), wide()) };
        self.narrow();
        self.flag(H, carries);
        self.flag(V, Expr::Register(super::registers::NEW + (H - C)));
        self.flag(C, right(wide(), 8));
        self.flag(N, result());
        self.flag(Z, result());
        self.write(op.a, result());
    }

    /// SUB, SBC and what is like them: the result is then in `RESULT`.
    fn difference(&mut self, a: Expr, b: Expr, borrow: Option<Expr>) {
        let kept = borrow.is_some();
        let before = self.flags_zero(kept);
        let difference = subtract(a.clone(), b.clone());
        self.set(WIDE, borrow.map_or(difference.clone(), |borrow| subtract(difference, borrow)));
        self.narrow();
        self.flag(H, xor(xor(a, b), wide()));
        self.flag(V, Expr::Register(super::registers::NEW + (H - C)));
        self.flag(C, right(wide(), 31));
        self.flag(N, result());
        self.flag(Z, before.map_or(wide(), |before| or(before, result())));
    }

    fn flags_zero(&mut self, kept: bool) -> Option<Expr> {
        kept.then(|| self.flags.get(Z))
    }

    fn logic(&mut self, op: &Op, value: Expr) {
        self.set(RESULT, value);
        self.flags.logic(&result(), &mut self.steps);
        self.write(op.a, result());
    }

    /// ASR, LSR, ROR.
    fn shift(&mut self, op: &Op, shifted: Expr) {
        self.set(RESULT, shifted);
        let out = and(value(op.a), 1);
        self.flag(C, out);
        let carry = self.flags.get(C);
        self.flags.logic(&result(), &mut self.steps);
        self.flag(V, or(and(result(), 0x80), left(carry, 8)));
        self.write(op.a, result());
    }

    /// INC and DEC.
    fn count(&mut self, op: &Op, by: u32) {
        self.set(WIDE, value(op.a).plus(by));
        self.narrow();
        self.flag(V, xor(xor(value(op.a), constant(1)), wide()));
        self.flag(N, result());
        self.flag(Z, result());
        self.write(op.a, result());
    }

    /// ADIW and SBIW.
    fn count_pair(&mut self, op: &Op, subtracts: bool) {
        let (pair, by) = (self.pair(op.a), constant(op.b.into()));
        self.set(
            WIDE,
            if subtracts { subtract(pair.clone(), by.clone()) } else { add(pair.clone(), by.clone()) },
        );
        self.flag(V, right(xor(xor(pair, by), wide()), 8));
        self.flag(N, right(wide(), 8));
        self.flag(C, right(wide(), if subtracts { 31 } else { 16 }));
        self.write_pair(op.a, and(wide(), 0xffff));
        let now = self.pair(op.a);
        self.flag(Z, now);
    }

    fn multiply(&mut self, op: &Op) {
        let signed = |register| Expr::unary(Unary::SignedByte, value(register));
        let (a, b) = match op.code {
            Code::Muls | Code::Fmuls => (signed(op.a), signed(op.b)),
            Code::Mulsu | Code::Fmulsu => (signed(op.a), value(op.b)),
            _ => (value(op.a), value(op.b)),
        };
        let product = Expr::binary(Binary::Multiply, a, b);
        let is_signed = matches!(op.code, Code::Muls | Code::Mulsu | Code::Fmuls | Code::Fmulsu);
        self.set(WIDE, if is_signed { and(product, 0xffff) } else { product });
        self.flag(C, right(wide(), 15));
        if matches!(op.code, Code::Fmul | Code::Fmuls | Code::Fmulsu) {
            self.set(WIDE, and(left(wide(), 1), 0xffff));
        }
        self.flag(Z, wide());
        self.write(0, and(wide(), 0xff));
        self.write(1, right(wide(), 8));
    }

    fn load(&mut self, memory: Memory, to: Register, address: Expr) {
        let (alignment, width) = (Alignment::Known, Width::Byte);
        self.step(Step::Load { memory, alignment, to: Some(to), address, width, signed: false });
    }

    /// LD in all forms, and LPM. `wraps`: the highest address may be that of a byte.
    fn load_at_pair(&mut self, op: &Op, memory: Memory, moves: (u32, u32), wraps: bool) {
        self.settle_stack();
        let pair = self.pair(op.b);
        self.load(memory, LOADED, pair.clone().plus(moves.0).plus(op.c.into()));
        if moves.1 != 0 {
            let moved = pair.plus(moves.1);
            self.write_pair(op.b, if wraps { and(moved, 0xffff) } else { moved });
        }
        self.write(op.a, Expr::Register(LOADED));
    }

    fn store(&mut self, address: Expr, value: Expr) {
        self.step(Step::Store { alignment: Alignment::Known, address, value, width: Width::Byte });
    }

    /// ST in all forms.
    fn store_at_pair(&mut self, op: &Op, moves: (u32, u32)) {
        self.settle_stack();
        let pair = self.pair(op.b);
        self.store(pair.clone().plus(moves.0).plus(op.c.into()), value(op.a));
        if moves.1 != 0 {
            // RAM does not end where data space does: it stored to RAM, and the pointer does not wrap.
            self.write_pair(op.b, pair.plus(moves.1));
        }
    }

    /// IN and LDS.
    fn read(&mut self, source: &Decoded<'_>, op: &Op) {
        match source.place(op.imm) {
            Place::Stack(half) => {
                self.settle_stack();
                let pointer = subtract(stack(), constant(1));
                let byte = match half {
                    Half::Low => and(pointer, 0xff),
                    Half::High => right(pointer, 8),
                };
                self.write(op.a, byte);
            }
            Place::Status => {
                let sreg = self.flags.sreg();
                self.write(op.a, sreg);
            }
            place => {
                self.settle_stack();
                let memory = if place == Place::Ram { Memory::Ram } else { Memory::Flash };
                self.load(memory, number(op.a), constant(op.imm));
                self.forget(op.a);
            }
        }
    }

    /// OUT and STS.
    fn write_out(&mut self, source: &Decoded<'_>, op: &Op) {
        match source.place(op.imm) {
            Place::Stack(half) => self.write_stack(source, half, op.a),
            Place::Status => self.flags.set_sreg(&value(op.a), &mut self.steps),
            _ => {
                self.settle_stack();
                self.store(constant(op.imm), value(op.a));
            }
        }
    }

    /// A half of SP: the first one, or the second one.
    fn write_stack(&mut self, source: &Decoded<'_>, half: Half, register: u8) {
        self.settle_stack();
        if self.half.take().is_none() {
            self.half = Some(half);
            return self.set(HALF, value(register));
        }
        let (low, high) = match half {
            Half::Low => (value(register), Expr::Register(HALF)),
            Half::High => (Expr::Register(HALF), value(register)),
        };
        self.set(WIDE, or(low, left(high, 8)).plus(1));
        // A frame larger than the memory below takes SP to above the end of SRAM.
        let end = constant(source.parts.ram().end);
        self.step(Step::Check(Expr::binary(Binary::NotHigher, wide(), end)));
        self.step(Step::SetStack(wide()));
    }

    /// Adds what `op` does, which does not jump and is translated.
    pub fn lower(&mut self, source: &Decoded<'_>, op: &Op) {
        // Rr or a constant.
        let (a, b, k) = (value(op.a), value(op.b % 32), constant(op.b.into()));
        if !matches!(op.code, Code::Push) && !self.pushed.is_empty() {
            self.settle_stack();
        }
        match op.code {
            Code::Add => self.sum(op, None),
            Code::Adc => {
                let carry = self.flags.get(C);
                self.sum(op, Some(carry));
            }
            Code::Sub | Code::Subi | Code::Neg | Code::Cp | Code::Cpi => {
                let (from, by) = match op.code {
                    Code::Neg => (constant(0), a),
                    Code::Subi | Code::Cpi => (a, k),
                    _ => (a, b),
                };
                self.difference(from, by, None);
                if !matches!(op.code, Code::Cp | Code::Cpi) {
                    self.write(op.a, result());
                }
            }
            Code::Sbc | Code::Sbci | Code::Cpc => {
                let borrow = self.flags.get(C);
                self.difference(a, if op.code == Code::Sbci { k } else { b }, Some(borrow));
                if op.code != Code::Cpc {
                    self.write(op.a, result());
                }
            }
            Code::And if op.a == op.b => self.flags.logic(&a, &mut self.steps),
            Code::And => self.logic(op, Expr::binary(Binary::And, a, b)),
            Code::Andi => self.logic(op, Expr::binary(Binary::And, a, k)),
            Code::Or => self.logic(op, or(a, b)),
            Code::Ori => self.logic(op, or(a, k)),
            Code::Eor if op.a == op.b => self.logic(op, constant(0)),
            Code::Eor => self.logic(op, xor(a, b)),
            Code::Com => {
                self.logic(op, xor(a, constant(0xff)));
                self.flag(C, constant(1));
            }
            Code::Mov => self.write(op.a, b),
            Code::Movw => self.move_pair(op),
            Code::Ldi => self.write(op.a, k),
            Code::Mul | Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => {
                self.multiply(op);
            }
            Code::Adiw => self.count_pair(op, false),
            Code::Sbiw => self.count_pair(op, true),
            Code::Swap => self.write(op.a, and(or(left(a.clone(), 4), right(a, 4)), 0xff)),
            Code::Inc => self.count(op, 1),
            Code::Dec => self.count(op, u32::MAX),
            Code::Asr => self.shift(op, or(right(a.clone(), 1), and(a, 0x80))),
            Code::Lsr => self.shift(op, right(a, 1)),
            Code::Ror => {
                let carry = self.flags.get(C);
                self.shift(op, or(right(a, 1), left(carry, 7)));
            }
            Code::Ld | Code::LdInc | Code::LdDec => {
                let wraps = source.parts.window().contains(&0xffff);
                self.load_at_pair(op, Memory::Any, moves(op.code), wraps);
            }
            Code::St | Code::StInc | Code::StDec => self.store_at_pair(op, moves(op.code)),
            Code::In | Code::Lds => self.read(source, op),
            Code::Out | Code::Sts => self.write_out(source, op),
            Code::Lpm | Code::LpmInc => {
                let by = u32::from(op.code == Code::LpmInc);
                let wraps = source.parts.words() > 0x7fff;
                self.load_at_pair(&Op { b: 30, c: 0, ..*op }, Memory::Code, (0, by), wraps);
            }
            Code::Push => {
                if self.popped != 0 {
                    self.settle_stack();
                }
                self.pushed.push(a);
            }
            Code::Pop => {
                self.load(Memory::Ram, number(op.a), stack().plus(self.popped));
                self.forget(op.a);
                self.popped += 1;
            }
            Code::Bset | Code::Bclr => {
                let _translated = self.flags.assign(op.b, op.code == Code::Bset, &mut self.steps);
            }
            Code::Bst => {
                let bit = left(right(a, op.b.trailing_zeros()), 6);
                let others = and(Expr::Register(IT), 0x80);
                self.set(IT, or(others, and(bit, 0x40)));
            }
            Code::Bld => {
                let t = and(right(Expr::Register(IT), 6), 1);
                let others = and(a, 0xff ^ u32::from(op.b));
                self.write(op.a, or(others, left(t, op.b.trailing_zeros())));
            }
            _ => {}
        }
    }

    fn move_pair(&mut self, op: &Op) {
        let known = |register| pair_place(register).filter(|&place| self.pairs[usize::from(place)]);
        let (to, from) = (pair_place(op.a), known(op.b));
        self.write(op.a, value(op.b));
        self.write(op.a + 1, value(op.b + 1));
        if let (Some(to), Some(from)) = (to, from) {
            self.set(PAIRS + to, Expr::Register(PAIRS + from));
            self.pairs[usize::from(to)] = true;
        }
    }

    /// What a skip depends on: not zero if it skips.
    pub fn skips(&mut self, op: &Op) -> Option<Expr> {
        let masked = || and(value(op.a), op.b.into());
        match op.code {
            Code::Cpse => Some(Expr::binary(Binary::Equal, value(op.a), value(op.b))),
            Code::Sbrc => Some(is_zero(masked())),
            Code::Sbrs => Some(masked()),
            _ => None,
        }
    }

    /// What a branch depends on: not zero if it is taken.
    pub fn branches(&mut self, op: &Op) -> Option<Expr> {
        let (flag, is_set) = match op.code {
            Code::Brcs => (0, true),
            Code::Brcc => (0, false),
            Code::Breq => (1, true),
            Code::Brne => (1, false),
            Code::Brmi => (2, true),
            Code::Brpl => (2, false),
            Code::Brvs => (3, true),
            Code::Brvc => (3, false),
            Code::Brlt => (4, true),
            Code::Brge => (4, false),
            Code::Brhs => (5, true),
            Code::Brhc => (5, false),
            Code::Brts => (6, true),
            Code::Brtc => (6, false),
            Code::Brie => (7, true),
            Code::Brid => (7, false),
            _ => return None,
        };
        Some(self.flags.holds(flag, is_set))
    }
}
