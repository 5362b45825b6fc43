//! Pushes and pops, which move the stack pointer together where several follow each other.

use super::lower::Lowering;
use super::registers::{value, STACK};
use crate::ir::{Alignment, Expr, Memory, Register, Step, Width};
use pennyweight_msp430::translator::Cpu;

/// Values that were pushed or popped, without the stack pointer having moved.
#[derive(Debug, Default)]
pub struct Pending {
    /// Pushed values, of a byte or a word. Each takes a word.
    pushed: Vec<(Expr, Width)>,
    /// Bytes that were popped.
    popped: u32,
}

/// What pushing does.
pub fn pushes(values: &[(Expr, Width)]) -> Vec<Step> {
    let bytes = 2 * values.len() as u32;
    // Below the stack's limit no zone can be met: the check of the limit comes first.
    let mut steps = vec![Step::SetStack(value(STACK).plus(bytes.wrapping_neg()))];
    steps.extend(values.iter().zip(1..).map(|((value_, width), count)| Step::Store {
        alignment: Alignment::Known,
        address: value(STACK).plus(bytes - 2 * count),
        value: value_.clone(),
        width: *width,
    }));
    steps
}

impl<X: Cpu> Lowering<'_, '_, X> {
    /// Comes to an end of what moves the stack pointer without showing it.
    pub fn settle(&mut self) {
        self.settle_pushes();
        if self.stack.popped != 0 {
            let bytes = std::mem::take(&mut self.stack.popped);
            self.step(Step::Drop(bytes));
        }
    }

    /// The same, of pushes only.
    pub fn settle_pushes(&mut self) {
        if !self.stack.pushed.is_empty() {
            let values = std::mem::take(&mut self.stack.pushed);
            self.steps.extend(pushes(&values));
        }
    }

    /// Pushes a value that is computed from registers.
    pub fn push(&mut self, value: Expr, width: Width) {
        if self.stack.popped != 0 {
            self.settle();
        }
        self.stack.pushed.push((value, width));
    }

    /// Pops a byte or a word into a register of the intermediate form; the stack pointer moves by so much.
    pub fn pop(&mut self, to: Register, width: Width, by: u32) {
        self.settle_pushes();
        self.step(Step::Load {
            memory: Memory::Ram,
            alignment: Alignment::Known,
            to: Some(to),
            address: value(STACK).plus(self.stack.popped),
            width,
            signed: false,
        });
        self.stack.popped += by;
    }
}
