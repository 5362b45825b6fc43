//! Removes values that nothing uses.

use crate::ir::{Block, End, Expr, Register, Step};

/// Registers as bits.
type Set = u64;

fn read(expr: &Expr, set: &mut Set) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Register(register) => *set |= 1 << register,
        Expr::Unary(_, operand) => read(operand, set),
        Expr::Binary(_, left, right) => {
            read(left, set);
            read(right, set);
        }
        Expr::Choice(parts) => parts.iter().for_each(|part| read(part, set)),
    }
}

fn read_end(end: &End, stack: Register, set: &mut Set) {
    match end {
        End::Next(_) | End::Jump { .. } => {}
        End::Ways(ways, _) => ways.iter().for_each(|(condition, _)| read(condition, set)),
        End::Either(condition, _) | End::Branch { condition, .. } => read(condition, set),
        End::Indirect { target, then, .. } => {
            read(target, set);
            then.iter().for_each(|step| read_step(step, stack, set));
        }
    }
}

/// Adds the registers that a step reads.
fn read_step(step: &Step, stack: Register, set: &mut Set) {
    match step {
        Step::Set(_, value) | Step::SetStack(value) | Step::Check(value) | Step::Cycles(value) => {
            read(value, set);
        }
        Step::Load { address, .. } => read(address, set),
        Step::Store { address, value, .. } => {
            read(address, set);
            read(value, set);
        }
        Step::Push(values) => values.iter().for_each(|value| read(value, set)),
        Step::If(condition, steps) => {
            read(condition, set);
            steps.iter().for_each(|step| read_step(step, stack, set));
        }
        Step::Product { factors, .. } => factors.iter().for_each(|factor| read(factor, set)),
        Step::Division { dividend, divisor, .. } => {
            read(dividend, set);
            read(divisor, set);
        }
        Step::Save(bank, first) => {
            read(bank, set);
            *set |= 0xf << first;
        }
        Step::Restore(bank, _) => read(bank, set),
        Step::Drop(_)
        | Step::Reserve(_)
        | Step::Line(_)
        | Step::Fetch(_)
        | Step::ReadLine(_)
        | Step::Ahead(_)
        | Step::NoteLine(_) => {}
    }
    if matches!(step, Step::Push(_) | Step::Drop(_) | Step::Reserve(_)) {
        *set |= 1 << stack;
    }
}

/// Removes from a block the values of registers that are replaced or forgotten before they are used. The first
/// `kept` registers are not forgotten; `stack` is the stack pointer.
pub fn prune(block: &mut Block, kept: u32, stack: Register) {
    let mut live: Set = (1 << kept) - 1;
    block.late.iter().for_each(|(_, value)| read(value, &mut live));
    read_end(&block.end, stack, &mut live);
    let mut kept = Vec::with_capacity(block.steps.len());
    for mut step in std::mem::take(&mut block.steps).into_iter().rev() {
        match &mut step {
            Step::Set(register, _) => {
                if live >> *register & 1 == 0 {
                    continue;
                }
                live &= !(1 << *register);
            }
            Step::Load { to, .. } => {
                *to = to.filter(|register| live >> register & 1 != 0);
                if let Some(register) = to {
                    live &= !(1 << *register);
                }
            }
            _ => {}
        }
        read_step(&step, stack, &mut live);
        kept.push(step);
    }
    kept.reverse();
    block.steps = kept;
}
