//! Instructions that jump, or may.

use pennyweight_msp430::translator::{Cpu, Register as _, PC, SP, SR};
use pennyweight_msp430::{Alu, Condition, Extended, Instruction, Kind, Operand, Size, Unary};

use super::blocks::{exit_before, Decoded, Finder};
use super::lower::{long, short, Lowering};
use super::operands::{holds, Any, Form, Place, Use};
use super::registers::{value, A, STACK, UPPER};
use super::stack::pushes;
use super::values::{constant, left, masked, or, right};
use crate::ir::{Alignment, End, Expr, Kind as Jumped, Lost, Memory, Step, Width};

/// The address that the function called from outside returns to. Where flash has this word, the interpreter
/// decides what a jump there is.
pub const SENTINEL: u32 = 0xfffe;

/// What an instruction does that jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// To one address, if a condition holds.
    To(Condition, u32),
    /// To where an operand says.
    By(Target),
    /// The same, with the address behind it on the stack.
    Call(Target),
    /// RETI.
    FromInterrupt,
}

/// Where a jump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    operand: Any,
    form: Form,
    /// Is it no jump if it leads to the next instruction?
    may_fall: bool,
}

/// What an instruction does that jumps, if it does.
pub fn jump(instruction: &Instruction) -> Option<Jump> {
    let target = |operand: Any, form: Form, may_fall: bool| Target { operand, form, may_fall };
    match instruction.kind {
        Kind::Jump(condition, to) => Some(Jump::To(condition, to.into())),
        Kind::Two { alu: Alu::Mov, byte: false, source, target: Operand::Register(PC) } => {
            let may_fall = !matches!(source, Operand::Immediate(_) | Operand::Increment(SP));
            Some(Jump::By(target(source.into(), short(false), may_fall)))
        }
        Kind::One { unary: Unary::Call, operand, .. } => {
            let may_fall = match operand {
                Operand::Immediate(_) => false,
                Operand::Register(n) => n == PC || n == SR,
                _ => true,
            };
            Some(Jump::Call(target(operand.into(), short(false), may_fall)))
        }
        Kind::Extended(Extended::Move(source, Operand::Register(PC))) => {
            Some(Jump::By(target(source, long(Size::Address), true)))
        }
        Kind::Extended(Extended::Call(operand)) => {
            Some(Jump::Call(target(operand, long(Size::Address), true)))
        }
        Kind::Reti => Some(Jump::FromInterrupt),
        _ => None,
    }
}

/// Does nothing ever follow an instruction without a jump?
pub fn always_jumps(instruction: &Instruction) -> bool {
    match (jump(instruction), &instruction.kind) {
        (Some(Jump::To(condition, _)), _) => condition == Condition::Jmp,
        (Some(Jump::By(target) | Jump::Call(target)), _) => !target.may_fall,
        (Some(Jump::FromInterrupt), _) => true,
        // Its fault names it.
        (None, kind) => matches!(kind, Kind::Undefined(_)),
    }
}

impl<X: Cpu> Decoded<'_, X> {
    /// Is a jump translated?
    pub fn translates_jump(&self, jump: Jump, address: u32, next: u32) -> bool {
        let (target, is_call) = match jump {
            Jump::To(..) | Jump::FromInterrupt => return true,
            Jump::By(target) => (target, false),
            Jump::Call(target) => (target, true),
        };
        // As the target is read.
        let pc = if target.form.long { next } else { address + 2 };
        match target.operand {
            Operand::Constant(to) | Operand::Immediate(to) => {
                to & !1 != SENTINEL && !(target.may_fall && to & !1 == next)
            }
            Operand::Register(n) => n != SP && holds(n),
            Operand::Increment(SP) => !is_call,
            operand => self.reaches(operand, target.form.size, Use::Read, pc),
        }
    }
}

/// The end of a block by a jump that is translated.
pub fn end<X: Cpu>(
    finder: &mut Finder<'_, '_, X>,
    lowering: &mut Lowering<'_, '_, X>,
    jump: Jump,
    (address, next): (u32, u32),
    own: u32,
) -> End {
    let fixed = |finder: &mut Finder<'_, '_, X>, target: u32| {
        let edges = [finder.jump_to(target, address, ()); 2];
        End::Jump { pc: address, target, kind: Jumped::Plain, link: None, lost: Lost::Always(0), edges }
    };
    let (target, is_call) = match jump {
        Jump::To(condition, target) => {
            lowering.settle();
            let Some(condition) = lowering.flags.holds(condition) else { return fixed(finder, target) };
            let taken = [finder.jump_to(target, address, ()); 2];
            let not_taken = [super::blocks::edge_to(finder, next); 2];
            return End::Branch { condition, pc: address, target, lost: Lost::Always(0), taken, not_taken };
        }
        Jump::FromInterrupt => {
            let (to, then) = lowering.interrupt_return();
            return computed(finder, (address, None), to, then, own);
        }
        Jump::By(target) => (target, false),
        Jump::Call(target) => (target, true),
    };
    if is_call {
        finder.target(next);
    }
    let back = behind(next, target.form.size);
    if let Operand::Constant(to) | Operand::Immediate(to) = target.operand {
        if is_call {
            back.into_iter().for_each(|(word, width)| lowering.push(word, width));
        }
        lowering.settle();
        return fixed(finder, to & !1);
    }
    let pc = if target.form.long { next } else { address + 2 };
    let (to, mut then) = lowering.computed(target, pc);
    if is_call {
        then.extend(pushes(&back));
    }
    computed(finder, (address, target.may_fall.then_some((next, 2))), to, then, own)
}

/// A jump at an address to a computed place, which is none in the range `near`. Where no block is known there, the
/// interpreter executes the jump, which takes `own` cycles.
fn computed<X: Cpu>(
    finder: &mut Finder<'_, '_, X>,
    (address, near): (u32, Option<(u32, u32)>),
    to: Expr,
    then: Vec<Step>,
    own: u32,
) -> End {
    let after = [finder.exit(None, address, (), true); 2];
    let unknown = (exit_before(finder, address), Some(own));
    let tables = [finder.table(()); 2];
    End::Indirect {
        pc: address,
        target: masked(to, !1),
        kind: Jumped::Plain,
        link: None,
        lost: Lost::Always(0),
        unknown,
        near,
        after,
        tables,
        then,
    }
}

/// The words of a return address, in the order in which they are pushed.
fn behind(next: u32, size: Size) -> Vec<(Expr, Width)> {
    let upper = (size == Size::Address).then(|| (right(constant(next), 16), Width::Half));
    upper.into_iter().chain([(constant(next), Width::Half)]).collect()
}

impl<X: Cpu> Lowering<'_, '_, X> {
    /// Where RETI goes, and what else it does. The status register changes before: if the interpreter executes the
    /// jump, it does so again.
    fn interrupt_return(&mut self) -> (Expr, Vec<Step>) {
        self.settle();
        for (to, offset) in [(A, 0), (UPPER, 2)] {
            self.step(Step::Load {
                memory: Memory::Ram,
                alignment: Alignment::Known,
                to: Some(to),
                address: value(STACK).plus(offset),
                width: Width::Half,
                signed: false,
            });
        }
        self.flags.set_sr(&value(A), &mut self.steps);
        let page = if X::Register::WIDTH > 16 { left(right(value(A), 12), 16) } else { constant(0) };
        (or(value(UPPER), page), vec![Step::Drop(4)])
    }

    /// Where a computed jump goes, and what else it does if a block is known at its target.
    fn computed(&mut self, target: Target, pc: u32) -> (Expr, Vec<Step>) {
        let Target { operand, form, .. } = target;
        self.settle();
        match operand {
            Operand::Increment(SP) => {
                // The stack pointer moves if the jump is taken here.
                let words = if form.size == Size::Address { 2 } else { 1 };
                for (to, offset) in [(A, 0), (UPPER, 2)].into_iter().take(words) {
                    self.step(Step::Load {
                        memory: Memory::Ram,
                        alignment: Alignment::Known,
                        to: Some(to),
                        address: value(STACK).plus(offset),
                        width: Width::Half,
                        signed: false,
                    });
                }
                let upper = if words == 2 { left(masked(value(UPPER), 15), 16) } else { constant(0) };
                (or(value(A), upper), vec![Step::Drop(2 * words as u32)])
            }
            Operand::Increment(n) => {
                let address = self.address(operand, form, pc);
                let to = self.load(A, &address, form.size, Use::Read);
                (to, vec![Step::Set(n, self.incremented(n, form.size))])
            }
            operand => {
                let (to, _place): (Expr, Place) = self.read(operand, form, Use::Read, pc);
                (to, Vec::new())
            }
        }
    }
}
