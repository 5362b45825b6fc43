//! The comparison that all lock steps have in common.
//!
//! A [`Driver`] knows one instruction set, its generator of programs and another simulator of it, the
//! peer. Each random program is a [`Session`]: both sides run from one point of comparison to the next,
//! and the loop here compares their [`State`]s, then their memory, then a whole run with the single steps.
//! It ends at the first difference and reports the instructions before it and the command that repeats it.

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

    /// Brings both sides to the start of the random program of `seed`. Short programs show more
    /// different instructions, long ones need fewer starts of the peer.
    ///
    /// # Errors
    /// One of the sides refuses the program.
    fn begin(&mut self, seed: u64, short: bool) -> Result<Self::Session<'_>, String>;

    /// Remarks on what was compared, one line each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Both sides in the middle of a program.
pub trait Session {
    /// What is compared.
    type State: State;
    /// Stretches that the peer executes at once; Pennyweight runs ahead of it by as many.
    const BATCH: usize = 1;

    /// Runs Pennyweight to the next point of comparison; the first may be the start of the program. `None`
    /// at its end.
    ///
    /// # Errors
    /// Pennyweight faults, which random programs never do.
    fn ours(&mut self) -> Result<Option<Stretch<Self::State>>, String>;

    /// Makes the peer repeat everything that Pennyweight has executed since the last call.
    ///
    /// # Errors
    /// The peer stopped.
    fn replay(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// The peer's state where Pennyweight's was `ours`.
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

    /// Runs Pennyweight again without stops: the result and the cost must equal those of the steps.
    ///
    /// # Errors
    /// They do not; the message describes the difference.
    fn whole(&mut self, steps: Tally) -> Result<(), String> {
        let _ = steps;
        Ok(())
    }

    /// The instruction at an address, for messages.
    fn instruction(&self, address: u32) -> String;
}

/// What Pennyweight did up to a point of comparison.
#[derive(Clone, Debug)]
pub struct Stretch<S> {
    /// The addresses of the instructions.
    pub executed: Vec<u32>,
    /// Their number, without exceptions that were taken, and their cycles.
    pub spent: Tally,
    /// The state after them.
    pub state: S,
}

/// Bytes of both sides, from an address.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The address of the first byte.
    pub address: u32,
    /// Pennyweight's.
    pub ours: Vec<u8>,
    /// The peer's.
    pub theirs: Vec<u8>,
}
