//! What jumps and branches cost: by prediction, or by refilling the pipeline each time.

use super::{Jump, Predictor, PredictorSize};

/// How a core continues after a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpCosts {
    /// It predicts jumps.
    Predicted {
        /// The tables for prediction.
        predictor: PredictorSize,
        /// Cycles that a wrongly predicted jump loses.
        mispredicted: u32,
    },
    /// It fetches the target when the jump is taken.
    Refilled(Refill),
}

/// Cycles that a taken jump loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refill {
    /// Any.
    pub taken: u32,
    /// In addition, one to a 32-bit instruction that spans two words.
    pub split: u32,
}

impl Refill {
    #[inline(always)]
    fn cost(self, target: u32, is_split: impl FnOnce(u32) -> bool) -> u32 {
        self.taken + if self.split != 0 && is_split(target) { self.split } else { 0 }
    }
}

/// What a core knows of past jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jumps {
    /// For prediction.
    Predicted(Predictor),
    /// Nothing.
    Refilled(Refill),
}

impl Jumps {
    /// After reset.
    #[must_use]
    pub fn new(costs: JumpCosts) -> Self {
        match costs {
            JumpCosts::Predicted { predictor, mispredicted } => {
                Jumps::Predicted(Predictor::new(predictor, mispredicted))
            }
            JumpCosts::Refilled(refill) => Jumps::Refilled(refill),
        }
    }

    /// A conditional branch at `pc` to `target` is not taken; returns the cycles lost.
    #[inline(always)]
    pub fn not_taken(&mut self, pc: u32, target: u32) -> u32 {
        match self {
            Jumps::Predicted(predictor) => predictor.branch(pc, target, false),
            Jumps::Refilled(_) => 0,
        }
    }

    /// It is taken. `is_split` reads whether a 32-bit instruction begins at an address and spans two words.
    #[inline(always)]
    pub fn taken(&mut self, pc: u32, target: u32, is_split: impl FnOnce(u32) -> bool) -> u32 {
        match self {
            Jumps::Predicted(predictor) => predictor.branch(pc, target, true),
            Jumps::Refilled(refill) => refill.cost(target, is_split),
        }
    }

    /// An unconditional jump at `pc` to `target`.
    #[inline(always)]
    pub fn jump(&mut self, pc: u32, target: u32, kind: Jump, is_split: impl FnOnce(u32) -> bool) -> u32 {
        match self {
            Jumps::Predicted(predictor) => predictor.jump(pc, target, kind),
            Jumps::Refilled(refill) => refill.cost(target, is_split),
        }
    }

    /// A call whose return goes `back` was made.
    pub fn called(&mut self, back: u32) {
        if let Jumps::Predicted(predictor) = self {
            predictor.push(back);
        }
    }
}
