//! Many traces of one call, on several threads.

use std::thread;

use pennyweight_machine::{Arg, Board, Image};

use crate::models;
use crate::places::Change;
use crate::statistics::{Order, Sums};

/// Bytes that are the same in all traces of the fixed group and random in the others.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where they are (ELF address).
    pub address: u32,
    /// Their values in the fixed group.
    pub fixed: Vec<u8>,
}

/// The examined part of the call.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The address of a function.
    pub function: u32,
    /// From its first to this call of it; the trace ends there.
    pub calls: u32,
}

/// A variable from which the program takes its random words: before each call of the function at
/// `function`, a new random word is written to `variable`.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// The address of the function.
    pub function: u32,
    /// The address of the word.
    pub variable: u32,
}

/// What is run.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The board.
    pub board: &'a Board,
    /// The program.
    pub image: &'a Image,
    /// Where start-up ends.
    pub ready: u32,
    /// The most instructions of a run.
    pub budget: u64,
    /// The function that is called.
    pub function: u32,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// A function that is called before it in each trace, with its arguments: it makes shares of the
    /// inputs. It is not examined.
    pub before: Option<(u32, Vec<Arg>)>,
    /// What is in memory when the first function is called.
    pub memory: Vec<(u32, Vec<u8>)>,
    /// The inputs that vary.
    pub inputs: Vec<Input>,
    /// Where random words come from, if the program uses any.
    pub generator: Option<Generator>,
    /// The examined part; the whole call if `None`.
    pub window: Option<Window>,
    /// All random values depend on it.
    pub seed: u64,
}

/// A trace that executed other instructions than the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the trace.
    pub trace: u64,
    /// The address of the last instruction that all traces have in common.
    pub pc: u32,
}

/// A program that can be traced again and again.
pub(crate) trait Traced: Send + Sync {
    /// The instructions of a trace, by address.
    fn addresses(&self) -> Vec<u32>;

    /// How many of them are in the examined part.
    fn examined(&self) -> usize;

    /// Random words that the program draws in a trace from the setup's generator.
    fn words(&self) -> u32;

    /// The changes of a trace.
    fn changes(&self) -> &[Change];

    /// Runs traces in one thread.
    fn worker(&self) -> Box<dyn Worker + '_>;
}

/// Runs traces one after the other.
pub(crate) trait Worker {
    /// Runs the trace of this number; returns whether it belongs to the random group.
    fn run(&mut self, number: u64) -> Result<bool, Divergence>;

    /// The samples of the last trace, two for each change.
    fn trace(&self) -> &[u8];
}

/// Traces of a call, and their statistics.
pub struct Experiment {
    traced: Box<dyn Traced>,
    order: Order,
    sums: Sums,
    next: u64,
    /// The samples examined; all if `None`.
    chosen: Option<Vec<usize>>,
}

impl std::fmt::Debug for Experiment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Experiment").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Experiment {
    /// Runs the first trace, which defines the instructions of all.
    ///
    /// # Errors
    /// One sentence: the core has no model, or the call faults, or does not end.
    pub fn new(setup: &Setup<'_>, order: Order) -> Result<Self, String> {
        let traced = models::traced(setup)?;
        let sums = Sums::new(order, 2 * traced.changes().len());
        Ok(Experiment { traced, order, sums, next: 0, chosen: None })
    }

    /// The instructions of a trace, by address.
    #[must_use]
    pub fn addresses(&self) -> Vec<u32> {
        self.traced.addresses()
    }

    /// How many instructions of a trace are in the examined part.
    #[must_use]
    pub fn examined(&self) -> usize {
        self.traced.examined()
    }

    /// Random words that the program draws in a trace from the setup's generator.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.traced.words()
    }

    /// The changes of a trace. Sample 2 i is the number of bits that change in change i, sample 2 i + 1 the
    /// number of ones of its new value.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        self.traced.changes()
    }

    /// Traces of the fixed and of the random group so far, in this set.
    #[must_use]
    pub fn counts(&self) -> [u64; 2] {
        self.sums.counts()
    }

    /// Adds `count` traces to the current set, on so many threads. The result does not depend on their
    /// number.
    ///
    /// # Errors
    /// The first trace that executes other instructions; the set is then unchanged.
    pub fn extend(&mut self, count: u64, threads: u64) -> Result<(), Divergence> {
        let (traced, chosen, order) = (&*self.traced, self.chosen.as_deref(), self.order);
        let samples = chosen.map_or(2 * traced.changes().len(), <[usize]>::len);
        let (first, threads) = (self.next, threads.clamp(1, count.max(1)));
        let part = |thread: u64| {
            let (mut sums, mut worker) = (Sums::new(order, samples), traced.worker());
            let mut picked = Vec::with_capacity(samples);
            for number in (first + thread..first + count).step_by(threads as usize) {
                let random = worker.run(number)?;
                match chosen {
                    None => sums.add(random, worker.trace()),
                    Some(chosen) => {
                        picked.clear();
                        picked.extend(chosen.iter().map(|&sample| worker.trace()[sample]));
                        sums.add(random, &picked);
                    }
                }
            }
            Ok(sums)
        };
        let parts: Vec<Result<Sums, Divergence>> = thread::scope(|scope| {
            let part = &part;
            let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
            // A thread of this crate does not panic; if one did, so would the caller.
            running
                .into_iter()
                .map(|each| each.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
                .collect()
        });
        if let Some(earliest) = parts.iter().filter_map(|part| part.as_ref().err()).min_by_key(|d| d.trace) {
            return Err(*earliest);
        }
        for part in parts.into_iter().flatten() {
            self.sums.merge(&part);
        }
        self.next += count;
        Ok(())
    }

    /// The t of a sample of the current set.
    #[must_use]
    pub fn t(&self, sample: usize) -> f64 {
        let at = match &self.chosen {
            None => Some(sample),
            Some(chosen) => chosen.binary_search(&sample).ok(),
        };
        at.map_or(0.0, |at| self.sums.t(at))
    }

    /// The samples of the current set with |t| beyond `threshold`, and their t.
    #[must_use]
    pub fn beyond(&self, threshold: f64) -> Vec<(usize, f64)> {
        let all = 0..2 * self.changes().len();
        let samples = self.chosen.clone().unwrap_or_else(|| all.collect());
        samples.into_iter().map(|s| (s, self.t(s))).filter(|(_, t)| t.abs() > threshold).collect()
    }

    /// Begins a new set of traces, none of which was in an earlier one, of these samples only.
    pub fn begin_set(&mut self, samples: &[usize]) {
        let mut chosen: Vec<usize> = samples.to_vec();
        chosen.sort_unstable();
        chosen.dedup();
        chosen.retain(|&sample| sample < 2 * self.traced.changes().len());
        self.sums = Sums::new(self.order, chosen.len());
        self.chosen = Some(chosen);
    }
}
