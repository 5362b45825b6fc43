//! Prediction of the backward branch that was taken last.
//!
//! References: RP2350 datasheet, sections 3.8.7.10 "Branch predictor" and 3.8.7.10.1 "Caveat: delay loops";
//! `hazard3_frontend.v` and `hazard3_core.v` (`x_btb_set`, `x_btb_clear`) of github.com/Wren6991/Hazard3:
//!
//! * A conditional branch that is taken backwards is remembered, unless it was predicted. The next time it
//!   is predicted taken, and costs nothing beyond its cycle if it is. If it is not, it is forgotten, and the
//!   instruction behind it is fetched as after a jump. FENCE.I forgets it too.
//! * Fetch compares addresses of words with that of the branch, but the word that a jump goes to is requested without
//!   this: a branch that begins in this word is not predicted.
//! * Behind a predicted branch, code may come too slowly: see `fetch.rs`. In a straight line behind a
//!   jump it never does: there, the queue is followed only to where a predicted branch ends the line. Elsewhere it is
//!   followed from instruction to instruction; since loops repeat, results are kept and found again.

use super::fetch::{Queue, Remembered};
use super::{Core, Refill};
use crate::op::Op;
use crate::pipeline::{is_division, Pending};

/// More cycles than it takes to fill the queue.
const FILLED: u32 = 8;
/// Results that are kept, a power of two.
const KEPT: usize = 16;

/// The code that is executed.
pub trait Around {
    /// Halfwords of the instruction at an address.
    fn halfwords(&self, address: u32) -> u8;
    /// Results that are pending where a line begins.
    fn pending(&self) -> Pending;
    /// Executes the straight line of instructions from `from` on; the instruction at `to` only arrives.
    fn follow(&self, starved: &mut Starved, from: u32, to: u32);
    /// Executes the instruction at an address.
    fn execute(&self, starved: &mut Starved, address: u32);

    /// Does a 32-bit instruction begin at an address and lie in two words?
    #[inline(always)]
    fn is_split(&self, address: u32) -> bool {
        address & 2 != 0 && self.halfwords(address) == 2
    }
}

/// Instructions in a straight line, with and without waiting for fetch.
#[derive(Clone, Copy, Debug)]
pub struct Starved {
    queue: Queue,
    remembered: Option<Remembered>,
    waiting: Pending,
    without: Pending,
    /// Cycles that are lost.
    lost: u32,
}

impl Starved {
    fn tick(&mut self, leaving: u8) {
        self.queue.tick(leaving, self.remembered.as_ref());
    }

    /// Waits for an instruction.
    pub fn arrive(&mut self, halfwords: u8) {
        while !self.queue.has(halfwords) {
            self.tick(0);
            self.waiting.advance(1);
            self.lost += 1;
        }
    }

    /// Executes an instruction that has arrived. It waits less for a result that came while it was fetched.
    pub fn execute(&mut self, op: &Op, halfwords: u8, core: &Core) {
        let cycles = self.waiting.issue(op, core);
        self.lost = (self.lost + cycles).saturating_sub(self.without.issue(op, core));
        for _ in 0..if is_division(op) { FILLED } else { cycles.min(FILLED) } {
            self.tick(0);
        }
        self.tick(halfwords);
    }
}

/// What was fetched of the straight line that is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    /// Its first instruction, which has arrived.
    begin: u32,
    /// The queue then; `None` right behind a jump.
    queue: Option<Queue>,
    /// The remembered branch.
    remembered: Option<Remembered>,
}

/// A result: the line, the address at which it ends, whether a predicted branch ends it; cycles
/// lost and the queue then.
type Kept = (Line, u32, bool, u32, Queue);

/// The remembered branch, and what was fetched.
#[derive(Clone, Debug)]
pub struct Looped {
    refill: Refill,
    line: Line,
    /// The target of the jump before the line.
    landed: Option<u32>,
    kept: [Option<Kept>; KEPT],
}

/// Results that are kept change nothing but the time that it takes to find them.
impl PartialEq for Looped {
    fn eq(&self, other: &Looped) -> bool {
        (self.refill, self.line, self.landed) == (other.refill, other.line, other.landed)
    }
}

impl Eq for Looped {}

impl Looped {
    /// After reset.
    #[must_use]
    pub fn new(refill: Refill) -> Self {
        let line = Line { begin: 0, queue: None, remembered: None };
        Looped { refill, line, landed: None, kept: [None; KEPT] }
    }

    /// Execution continues at `pc`: after a jump, if it was elsewhere before.
    pub fn resume(&mut self, pc: u32) {
        if self.line.begin != pc {
            self.jumped(pc);
        }
    }

    /// Execution jumped to `target`.
    #[inline(always)]
    pub fn jumped(&mut self, target: u32) {
        self.line.begin = target;
        self.line.queue = None;
        self.landed = Some(target);
    }

    #[inline(always)]
    fn predicts(&self, pc: u32) -> bool {
        let is_remembered = self.line.remembered.is_some_and(|remembered| remembered.branch == pc);
        is_remembered && self.landed.is_none_or(|target| target >> 2 != pc >> 2)
    }

    /// The branch at `pc` is not taken; returns the cycles lost.
    #[inline(always)]
    pub fn not_taken(&mut self, (pc, following): (u32, u32), around: &impl Around) -> u32 {
        if !self.predicts(pc) {
            return 0;
        }
        let lost = self.jump((pc, following), around);
        self.line.remembered = None;
        lost
    }

    /// The branch at `pc` to `target` is taken.
    #[inline(always)]
    pub fn taken(&mut self, (pc, target): (u32, u32), around: &impl Around) -> u32 {
        if self.predicts(pc) {
            let (lost, queue) = self.find(pc, Some(target), around);
            self.line.begin = target;
            self.line.queue = Some(queue);
            self.landed = None;
            return lost;
        }
        let lost = self.jump((pc, target), around);
        if (target.wrapping_sub(pc) as i32) < 0 {
            let wide = around.halfwords(pc) == 2;
            self.line.remembered = Some(Remembered { branch: pc, wide, target });
        }
        lost
    }

    /// A jump at `pc` to `target`.
    #[inline(always)]
    pub fn jump(&mut self, (pc, target): (u32, u32), around: &impl Around) -> u32 {
        let before = if self.line.queue.is_none() { 0 } else { self.find(pc, None, around).0 };
        self.jumped(target);
        before + self.refill.of_jump(target, around)
    }

    /// FENCE.I at `pc`.
    pub fn fence(&mut self, (pc, following): (u32, u32), around: &impl Around) -> u32 {
        let lost = self.jump((pc, following), around);
        self.line.remembered = None;
        lost
    }

    /// The line continues at `pc`; returns the cycles lost in front of it. From there on it is another line.
    pub fn settle(&mut self, pc: u32, around: &impl Around) -> u32 {
        let (lost, queue) = self.find(pc, None, around);
        self.line.begin = pc;
        self.line.queue = Some(queue);
        lost
    }

    /// The instruction at `pc`, which began the line, is followed by the one at `following`.
    pub fn passed(&mut self, (pc, following): (u32, u32), around: &impl Around) -> u32 {
        let mut starved = self.starved(around);
        around.execute(&mut starved, pc);
        starved.arrive(around.halfwords(following));
        self.line.begin = following;
        self.line.queue = Some(starved.queue);
        starved.lost
    }

    /// The cycles lost from the line's beginning until the instruction at `to` has arrived, or with `target`
    /// until that has arrived behind it, and the queue then.
    fn find(&mut self, to: u32, target: Option<u32>, around: &impl Around) -> (u32, Queue) {
        let place = (to >> 1) as usize % KEPT;
        if let Some((line, end, goes, lost, queue)) = &self.kept[place] {
            if (line, *end, *goes) == (&self.line, to, target.is_some()) && around.pending().is_empty() {
                return (*lost, *queue);
            }
        }
        self.follow(to, target, around)
    }

    #[inline(never)]
    fn follow(&mut self, to: u32, target: Option<u32>, around: &impl Around) -> (u32, Queue) {
        let mut starved = self.starved(around);
        around.follow(&mut starved, self.line.begin, to);
        if let Some(target) = target {
            around.execute(&mut starved, to);
            starved.arrive(around.halfwords(target));
        }
        let Starved { lost, queue, .. } = starved;
        if around.pending().is_empty() {
            self.kept[(to >> 1) as usize % KEPT] = Some((self.line, to, target.is_some(), lost, queue));
        }
        (lost, queue)
    }

    /// At the line's beginning.
    fn starved(&self, around: &impl Around) -> Starved {
        let Line { begin, queue, remembered } = self.line;
        let pending = around.pending();
        let queue = queue.unwrap_or_else(|| Queue::after_jump(begin));
        let mut starved = Starved { queue, remembered, waiting: pending, without: pending, lost: 0 };
        starved.arrive(around.halfwords(begin));
        Starved { waiting: pending, lost: 0, ..starved }
    }
}

/// The state of prediction, without results that are kept.
#[cfg(feature = "translator")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopState {
    /// The first instruction of the straight line that is executed, which has arrived.
    pub begin: u32,
    /// The queue then; `None` right behind a jump.
    pub queue: Option<Queue>,
    /// The target of the jump before the line.
    pub landed: Option<u32>,
    /// The remembered branch.
    pub remembered: Option<Remembered>,
}

#[cfg(feature = "translator")]
impl LoopState {
    /// Behind a jump to `target`, with no branch remembered.
    #[must_use]
    pub fn at(target: u32) -> LoopState {
        LoopState { begin: target, queue: None, landed: Some(target), remembered: None }
    }
}

#[cfg(feature = "translator")]
impl Looped {
    /// The state.
    #[must_use]
    pub fn state(&self) -> LoopState {
        let Looped { line: Line { begin, queue, remembered }, landed, .. } = *self;
        LoopState { begin, queue, landed, remembered }
    }

    /// Sets the state.
    pub fn set_state(&mut self, state: LoopState) {
        let LoopState { begin, queue, landed, remembered } = state;
        self.line = Line { begin, queue, remembered };
        self.landed = landed;
    }

    /// Is the branch at `pc` predicted to be taken?
    #[must_use]
    pub fn predicts_branch(&self, pc: u32) -> bool {
        self.predicts(pc)
    }
}
