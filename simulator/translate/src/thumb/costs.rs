//! Cycles that depend on operands, asked of the core's timing.

use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op;

use super::flags::{FREE, SECOND};
use crate::ir::{Binary, Expr, Step, Unary};

/// What the time of an operation may depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Is it a division, or a long multiplication?
    pub divides: bool,
    /// Dividend and divisor, or the factors.
    pub operands: [Expr; 2],
    /// Are they signed?
    pub signed: bool,
}

/// Adds the cycles that `op` takes beyond those that it always takes. What they are is asked of the core for
/// operands or quotients of each length.
pub fn add<C: Core>(op: &OpOf<C>, work: Work, steps: &mut Vec<Step>) {
    let Work { divides, operands, signed } = work;
    if divides {
        let cycles = |bits| C::busy(op, op::Work::Divide(of_length(bits), 1));
        divide(operands, signed, &cycles, steps);
    } else {
        let cycles = |n, m| C::busy(op, op::Work::LongMultiply(of_length(n), of_length(m)));
        multiply(operands, signed, &cycles, steps);
    }
}

/// The cycles that `op` may take beyond those that it always takes, the most first.
#[must_use]
pub fn choices<C: Core>(op: &OpOf<C>, work: &Work) -> Vec<u32> {
    let lengths = 0..=if work.signed && !work.divides { 31 } else { 32 };
    let mut cycles: Vec<u32> = if work.divides {
        lengths.map(|bits| C::busy(op, op::Work::Divide(of_length(bits), 1))).collect()
    } else {
        let pairs = lengths.clone().flat_map(|n| lengths.clone().map(move |m| (n, m)));
        pairs.map(|(n, m)| C::busy(op, op::Work::LongMultiply(of_length(n), of_length(m)))).collect()
    };
    cycles.sort_unstable_by(|one, other| other.cmp(one));
    cycles.dedup();
    cycles
}

/// The least number of so many bits.
fn of_length(bits: u32) -> u32 {
    bits.checked_sub(1).map_or(0, |top| 1 << top)
}

/// The cycles as a sum over the lengths at which they change; `is_at_least` is 1 if a length is reached, else 0.
fn sum(longest: u32, cycles: impl Fn(u32) -> u32, is_at_least: impl Fn(u32) -> Expr) -> Expr {
    (1..=longest).fold(Expr::Constant(cycles(0)), |sum, bits| {
        match cycles(bits).wrapping_sub(cycles(bits - 1)) {
            0 => sum,
            more => {
                let added = Expr::binary(Binary::Multiply, is_at_least(bits), Expr::Constant(more));
                Expr::binary(Binary::Add, sum, added)
            }
        }
    })
}

/// A division takes as long as its quotient may be.
fn divide([dividend, divisor]: [Expr; 2], signed: bool, cycles: &impl Fn(u32) -> u32, steps: &mut Vec<Step>) {
    for (register, operand) in [(FREE, dividend), (SECOND, divisor)] {
        let magnitude = if signed {
            let folded = Expr::binary(Binary::Xor, operand.clone(), sign(&operand));
            Expr::binary(Binary::Subtract, folded, sign(&operand))
        } else {
            operand
        };
        steps.push(Step::Set(register, magnitude));
    }
    let [n, m] = [FREE, SECOND].map(Expr::Register);
    let [zeros, other_zeros] = [&m, &n].map(|each| Expr::unary(Unary::LeadingZeros, each.clone()));
    let bits = Expr::binary(Binary::Subtract, zeros, other_zeros).plus(1);
    let divides = Expr::binary(Binary::NotEqual, m.clone(), Expr::Constant(0));
    let is_one = Expr::binary(Binary::And, divides, Expr::binary(Binary::NotLess, n, m));
    steps.push(Step::Set(FREE, Expr::choice(is_one, bits, Expr::Constant(0))));
    let reached = |bits| Expr::binary(Binary::NotLess, Expr::Register(FREE), Expr::Constant(bits));
    steps.push(Step::Cycles(sum(32, cycles, reached)));
}

/// A long multiplication takes as long as its factors are.
fn multiply(factors: [Expr; 2], signed: bool, cycles: &impl Fn(u32, u32) -> u32, steps: &mut Vec<Step>) {
    let longest = if signed { 31 } else { 32 };
    let differs = |m| (0..=longest).any(|n| cycles(n, m) != cycles(n, m - 1));
    let changes: Vec<u32> = (1..=longest).filter(|&m| differs(m)).collect();
    if changes.is_empty() && (0..=longest).all(|n| cycles(n, 0) == 0) {
        return;
    }
    for (register, factor) in [FREE, SECOND].into_iter().zip(factors) {
        let folded = if signed { Expr::binary(Binary::Xor, factor.clone(), sign(&factor)) } else { factor };
        steps.push(Step::Set(register, folded));
    }
    let reached = |register, bits| {
        Expr::binary(Binary::NotLess, Expr::Register(register), Expr::Constant(of_length(bits)))
    };
    let by_first = |m| sum(longest, |n| cycles(n, m), |bits| reached(FREE, bits));
    let all = changes
        .into_iter()
        .fold(by_first(0), |shorter, m| Expr::choice(reached(SECOND, m), by_first(m), shorter));
    steps.push(Step::Cycles(all));
}

/// All ones if the number is negative, else 0.
fn sign(value: &Expr) -> Expr {
    Expr::binary(Binary::ShiftRightSigned, value.clone(), Expr::Constant(31))
}
