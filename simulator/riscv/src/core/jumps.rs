//! What jumps and branches cost: by prediction, or by refilling the pipeline each time.

use super::{Around, Jump, Looped, Predictor, PredictorSize};

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
    /// It fetches the target when the jump is taken, but predicts the last backward branch.
    Looped(Refill),
}

/// Cycles that a taken jump loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refill {
    /// A conditional branch.
    pub taken: u32,
    /// An unconditional jump.
    pub jump: u32,
    /// In addition, one to a 32-bit instruction that spans two words.
    pub split: u32,
}

impl Refill {
    /// A branch to `target` that is taken.
    #[inline(always)]
    pub(super) fn of_branch(self, target: u32, around: &impl Around) -> u32 {
        self.taken + self.of_target(target, around)
    }

    /// A jump to `target`.
    #[inline(always)]
    pub(super) fn of_jump(self, target: u32, around: &impl Around) -> u32 {
        self.jump + self.of_target(target, around)
    }

    #[inline(always)]
    fn of_target(self, target: u32, around: &impl Around) -> u32 {
        if self.split != 0 && around.is_split(target) {
            self.split
        } else {
            0
        }
    }
}

/// What a core knows of past jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jumps {
    /// For prediction.
    Predicted(Predictor),
    /// Nothing.
    Refilled(Refill),
    /// The last backward branch, and what was fetched.
    Looped(Box<Looped>),
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
            JumpCosts::Looped(refill) => Jumps::Looped(Box::new(Looped::new(refill))),
        }
    }

    /// A conditional branch at `pc` to `target`, before `following`, is not taken; returns the cycles lost.
    #[inline(always)]
    pub fn not_taken(&mut self, (pc, following): (u32, u32), target: u32, around: &impl Around) -> u32 {
        match self {
            Jumps::Predicted(predictor) => predictor.branch(pc, target, false),
            Jumps::Refilled(_) => 0,
            Jumps::Looped(looped) => looped.not_taken((pc, following), around),
        }
    }

    /// It is taken.
    #[inline(always)]
    pub fn taken(&mut self, pc: u32, target: u32, around: &impl Around) -> u32 {
        match self {
            Jumps::Predicted(predictor) => predictor.branch(pc, target, true),
            Jumps::Refilled(refill) => refill.of_branch(target, around),
            Jumps::Looped(looped) => looped.taken((pc, target), around),
        }
    }

    /// An unconditional jump at `pc` to `target`.
    #[inline(always)]
    pub fn jump(&mut self, pc: u32, target: u32, kind: Jump, around: &impl Around) -> u32 {
        match self {
            Jumps::Predicted(predictor) => predictor.jump(pc, target, kind),
            Jumps::Refilled(refill) => refill.of_jump(target, around),
            Jumps::Looped(looped) => looped.jump((pc, target), around),
        }
    }

    /// FENCE.I at `pc`, before `following`.
    #[inline(always)]
    pub fn fence(&mut self, at: (u32, u32), around: &impl Around) -> u32 {
        match self {
            Jumps::Looped(looped) => looped.fence(at, around),
            Jumps::Predicted(_) | Jumps::Refilled(_) => 0,
        }
    }

    /// A call of `function` whose return goes `back` was made.
    pub fn called(&mut self, function: u32, back: u32) {
        match self {
            Jumps::Predicted(predictor) => predictor.push(back),
            Jumps::Refilled(_) => {}
            Jumps::Looped(looped) => looped.jumped(function),
        }
    }
}
