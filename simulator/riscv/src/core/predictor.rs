//! Branch prediction: branch target buffer, branch history table, return-address stack.
//!
//! The E31's manuals give the tables' sizes and describe what each predicts. For the rest this follows
//! the Rocket core (github.com/chipsalliance/rocket-chip, `BTB.scala`), from which the E31 was
//! made, in its default configuration: a global history of 8 branches, hashed to 3 bits by
//! multiplication with sqrt(3)/2 and put over the top bits of the branch's word address; counters
//! of one bit; the target buffer fully associative, filled by jumps that went elsewhere than
//! predicted. Simplified: the target buffer replaces what was used longest ago (Rocket: a tree
//! that comes near that); every conditional branch updates history and counters; a branch that is
//! predicted taken but has no entry in the target buffer counts as mispredicted, as in the manual.

/// Entries of the three tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictorSize {
    /// Branch target buffer.
    pub targets: u32,
    /// Branch history table; a power of two of at least 8.
    pub histories: u32,
    /// Return-address stack.
    pub returns: u32,
}

/// An unconditional jump, as prediction sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// Neither call nor return.
    Plain,
    /// A call that returns to this address.
    Call(u32),
    /// A return.
    Return,
}

const HISTORY_LENGTH: u32 = 8;
const HISTORY_BITS: u32 = 3;
/// 2^8 * sqrt(3) / 2
const HISTORY_FACTOR: u32 = 221;
/// No jump is at an odd address.
const NOWHERE: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    pc: u32,
    target: u32,
    /// When it was last used.
    used: u64,
}

/// The predictor's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictor {
    targets: Vec<Entry>,
    /// Where the entry of a jump may be, by some of its address's bits: saves a search.
    hints: Vec<u8>,
    clock: u64,
    /// Was the branch taken the last time?
    taken: Vec<bool>,
    history: u32,
    returns: Vec<u32>,
    /// The top of the stack, and how many entries hold something.
    top: usize,
    depth: usize,
    penalty: u32,
}

impl Predictor {
    /// An empty predictor, and what a wrong prediction costs.
    #[must_use]
    pub fn new(size: PredictorSize, penalty: u32) -> Self {
        let empty = Entry { pc: NOWHERE, target: NOWHERE, used: 0 };
        Predictor {
            targets: vec![empty; size.targets.clamp(1, 255) as usize],
            hints: vec![0; 256],
            clock: 0,
            taken: vec![false; size.histories.max(8).next_power_of_two() as usize],
            history: 0,
            returns: vec![NOWHERE; size.returns.max(1) as usize],
            top: 0,
            depth: 0,
            penalty,
        }
    }

    /// A conditional branch at `pc` to `target` goes one way; returns the cycles lost.
    #[inline(always)]
    pub fn branch(&mut self, pc: u32, target: u32, taken: bool) -> u32 {
        let index = self.index(pc);
        let predicted = match self.taken.get_mut(index) {
            Some(last) => std::mem::replace(last, taken),
            None => false,
        };
        self.history = self.history >> 1 | u32::from(taken) << (HISTORY_LENGTH - 1);
        if !taken {
            // Predicted taken, it went wrong only if there was a target to go to.
            return if predicted && self.find(pc).is_some() { self.penalty } else { 0 };
        }
        match self.find(pc) {
            Some(entry) => {
                self.touch(entry);
                if predicted {
                    0
                } else {
                    self.penalty
                }
            }
            None => {
                self.insert(pc, target);
                self.penalty
            }
        }
    }

    /// An unconditional jump at `pc` to `target`; returns the cycles lost.
    #[inline(always)]
    pub fn jump(&mut self, pc: u32, target: u32, kind: Jump) -> u32 {
        let expected = match (self.find(pc), kind) {
            (Some(entry), Jump::Return) => {
                self.touch(entry);
                self.pop()
            }
            (Some(entry), _) => {
                self.touch(entry);
                self.targets[entry].target
            }
            (None, Jump::Return) => {
                self.pop();
                NOWHERE
            }
            (None, _) => NOWHERE,
        };
        if let Jump::Call(back) = kind {
            self.push(back);
        }
        if expected == target {
            return 0;
        }
        match self.find(pc) {
            Some(entry) => self.targets[entry].target = target,
            None => self.insert(pc, target),
        }
        self.penalty
    }

    /// Notes where a return will go.
    pub fn push(&mut self, back: u32) {
        self.top = (self.top + 1) % self.returns.len();
        self.depth = (self.depth + 1).min(self.returns.len());
        self.returns[self.top] = back;
    }

    fn pop(&mut self) -> u32 {
        if self.depth == 0 {
            return NOWHERE;
        }
        let back = self.returns[self.top];
        self.depth -= 1;
        self.top = self.top.checked_sub(1).unwrap_or(self.returns.len() - 1);
        back
    }

    /// The place of a branch's counter.
    #[inline(always)]
    fn index(&self, pc: u32) -> usize {
        let bits = self.taken.len().trailing_zeros();
        let word = pc >> 2;
        let address = word ^ (word >> bits & 3);
        let history = HISTORY_FACTOR.wrapping_mul(self.history) >> (HISTORY_LENGTH - HISTORY_BITS)
            & ((1 << HISTORY_BITS) - 1);
        (address ^ history << (bits - HISTORY_BITS)) as usize & (self.taken.len() - 1)
    }

    #[inline(always)]
    fn find(&self, pc: u32) -> Option<usize> {
        let hint = usize::from(self.hints[(pc >> 1) as usize & 255]);
        if self.targets.get(hint).is_some_and(|entry| entry.pc == pc) {
            return Some(hint);
        }
        self.search(pc)
    }

    #[inline(never)]
    fn search(&self, pc: u32) -> Option<usize> {
        self.targets.iter().position(|entry| entry.pc == pc)
    }

    #[inline(always)]
    fn touch(&mut self, entry: usize) {
        self.clock += 1;
        self.targets[entry].used = self.clock;
    }

    #[inline(never)]
    fn insert(&mut self, pc: u32, target: u32) {
        let oldest = (0..self.targets.len()).min_by_key(|&i| self.targets[i].used).unwrap_or(0);
        self.clock += 1;
        self.targets[oldest] = Entry { pc, target, used: self.clock };
        self.hints[(pc >> 1) as usize & 255] = oldest as u8;
    }
}

/// A predictor's state, except the hints, which change nothing but the time that a search takes.
#[cfg(feature = "translator")]
#[derive(Debug)]
pub struct Tables<'a> {
    /// For each entry of the target buffer the address of a jump, its target, and when it was last used.
    pub targets: Vec<(u32, u32, u64)>,
    /// The time of the last use.
    pub clock: u64,
    /// For each counter: was the branch taken the last time?
    pub taken: &'a [bool],
    /// The last branches, the latest one in bit 7.
    pub history: u32,
    /// The return-address stack.
    pub returns: &'a [u32],
    /// The top of the stack.
    pub top: usize,
    /// How many of its entries hold something.
    pub depth: usize,
}

#[cfg(feature = "translator")]
impl Predictor {
    /// Its state.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            targets: self.targets.iter().map(|entry| (entry.pc, entry.target, entry.used)).collect(),
            clock: self.clock,
            taken: &self.taken,
            history: self.history,
            returns: &self.returns,
            top: self.top,
            depth: self.depth,
        }
    }

    /// Replaces the state by that of tables of the same sizes.
    pub fn set_tables(&mut self, tables: &Tables<'_>) {
        for (entry, &(pc, target, used)) in self.targets.iter_mut().zip(&tables.targets) {
            *entry = Entry { pc, target, used };
        }
        self.clock = tables.clock;
        for (taken, &now) in self.taken.iter_mut().zip(tables.taken) {
            *taken = now;
        }
        self.history = tables.history;
        for (back, &now) in self.returns.iter_mut().zip(tables.returns) {
            *back = now;
        }
        self.top = tables.top.min(self.returns.len() - 1);
        self.depth = tables.depth.min(self.returns.len());
    }
}

#[cfg(test)]
mod tests {
    use super::{Jump, Predictor, PredictorSize};

    fn predictor(targets: u32) -> Predictor {
        Predictor::new(PredictorSize { targets, histories: 64, returns: 2 }, 3)
    }

    #[test]
    fn a_jump_costs_once_and_again_when_it_goes_elsewhere() {
        let mut p = predictor(4);
        assert_eq!(p.jump(0x100, 0x200, Jump::Plain), 3);
        assert_eq!(p.jump(0x100, 0x200, Jump::Plain), 0);
        assert_eq!(p.jump(0x100, 0x300, Jump::Plain), 3);
        assert_eq!(p.jump(0x100, 0x300, Jump::Plain), 0);
    }

    #[test]
    fn the_entry_used_longest_ago_gives_way() {
        let mut p = predictor(2);
        for pc in [0x100, 0x104, 0x100, 0x108] {
            p.jump(pc, 0x200, Jump::Plain);
        }
        assert_eq!(p.jump(0x100, 0x200, Jump::Plain), 0);
        assert_eq!(p.jump(0x108, 0x200, Jump::Plain), 0);
        assert_eq!(p.jump(0x104, 0x200, Jump::Plain), 3);
    }

    #[test]
    fn a_return_goes_where_its_call_came_from_as_deep_as_the_stack_is() {
        let mut p = predictor(8);
        let mut lost = |depth: u32| {
            let mut lost = 0;
            for i in 0..depth {
                p.jump(0x100 + 8 * i, 0x1000, Jump::Call(0x104 + 8 * i));
            }
            for i in (0..depth).rev() {
                lost += p.jump(0x1000, 0x104 + 8 * i, Jump::Return);
            }
            lost
        };
        assert_eq!(lost(1), 3);
        assert_eq!(lost(1), 0);
        assert_eq!(lost(2), 0);
        assert_eq!(lost(3), 3);
    }

    #[test]
    fn a_branch_that_is_never_taken_costs_nothing() {
        let mut p = predictor(4);
        assert!((0..100).all(|_| p.branch(0x100, 0x80, false) == 0));
    }

    #[test]
    fn a_loop_branch_is_learnt() {
        let mut p = predictor(4);
        let lost: Vec<u32> = (0..40).map(|_| p.branch(0x100, 0x80, true)).collect();
        assert_eq!(lost[0], 3);
        assert!(lost[12..].iter().all(|&cycles| cycles == 0), "{lost:?}");
        assert_eq!(p.branch(0x100, 0x80, false), 3);
    }

    #[test]
    fn branches_that_alternate_are_told_apart_by_history() {
        let mut p = predictor(4);
        for i in 0..200 {
            p.branch(0x100, 0x80, i % 2 == 0);
        }
        assert_eq!((200..240).map(|i| p.branch(0x100, 0x80, i % 2 == 0)).sum::<u32>(), 0);
    }
}
