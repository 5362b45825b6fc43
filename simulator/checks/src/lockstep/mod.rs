//! The comparison that all lock steps have in common.
//!
//! A [`Driver`] knows one instruction set, its generator of programs and another simulator of it, the
//! peer. Each random program is a [`Session`]: both sides go from one point of comparison to the next,
//! and the loop here holds their [`State`]s against each other, then memory, then a run as a whole
//! against the single steps. The first difference ends it, with what led there and the command that
//! repeats it.

pub mod command;
mod compare;
pub mod state;

pub use command::Command;
pub use compare::{lockstep, Difference, Mode, Total};
pub use state::{Field, State, Value};

use pennyweight_machine::account::Tally;

/// An instruction set compared with another simulator of it.
pub trait Driver {
    /// One random program on both sides.
    type Session<'a>: Session
    where
        Self: 'a;

    /// The peer's name, with its version if it has one.
    fn peer(&self) -> String;

    /// Brings both sides to the start of the random program of `seed`; a `short` one shows more
    /// different instructions, a long one costs fewer starts of the peer.
    ///
    /// # Errors
    /// One of the sides refuses the program.
    fn begin(&mut self, seed: u64, short: bool) -> Result<Self::Session<'_>, String>;

    /// What else there is to say of what was compared, a line each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Both sides in the middle of a program.
pub trait Session {
    /// What is compared.
    type State: State;
    /// Stretches that the peer does at once; ours is ahead of it by as many.
    const BATCH: usize = 1;

    /// Takes ours to the next point of comparison; the first may be the start of the program. `None`
    /// at its end.
    ///
    /// # Errors
    /// Ours faults, which random programs never do.
    fn ours(&mut self) -> Result<Option<Stretch<Self::State>>, String>;

    /// Has the peer do all that ours has done since the last time.
    ///
    /// # Errors
    /// The peer stopped.
    fn replay(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// The peer's state where ours was `ours`.
    ///
    /// # Errors
    /// The peer stopped.
    fn theirs(&mut self, ours: &Self::State) -> Result<Self::State, String>;

    /// Memory of both sides at the end, if it is not part of the states.
    ///
    /// # Errors
    /// It cannot be read.
    fn memory(&mut self) -> Result<Option<Memory>, String> {
        Ok(None)
    }

    /// Runs ours again as a whole: it must come to the same, at the same cost as the steps.
    ///
    /// # Errors
    /// It does not; the sentence explains how.
    fn whole(&mut self, steps: Tally) -> Result<(), String> {
        let _ = steps;
        Ok(())
    }

    /// The instruction at an address, for a reader.
    fn instruction(&self, address: u32) -> String;
}

/// What ours did up to a point of comparison.
#[derive(Clone, Debug)]
pub struct Stretch<S> {
    /// The addresses of the instructions.
    pub executed: Vec<u32>,
    /// How many they are, without exceptions that were taken, and their cycles.
    pub spent: Tally,
    /// The state behind them.
    pub state: S,
}

/// Bytes of both sides from an address on.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Where they lie.
    pub address: u32,
    /// Ours.
    pub ours: Vec<u8>,
    /// The peer's.
    pub theirs: Vec<u8>,
}
