//! Translated code against the interpreter: equal in every field of the outcome, in registers and in
//! memory. Branch prediction and caches show in the cycles of later calls.

mod avr;
pub mod fuzz;
#[cfg(test)]
mod hostile;
pub mod images;
mod msp430;
pub mod programs;
pub mod subjects;

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Exit, Machine, Outcome};
use pennyweight_machine32::{Machine32, Processor};

/// Calls compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// All of them.
    pub calls: u64,
    /// Those that faulted.
    pub faults: u64,
    /// Those that used their budget up.
    pub spent: u64,
    /// Those whose machine has translated code.
    pub translated: u64,
    /// Cycles of all.
    pub cycles: u64,
}

impl Compared {
    /// Counts a call.
    pub fn add(&mut self, outcome: &Outcome, translated: bool) {
        self.calls += 1;
        self.cycles += outcome.cycles;
        self.translated += u64::from(translated);
        match outcome.exit {
            Exit::Returned => {}
            Exit::Fault(_) => self.faults += 1,
            Exit::OutOfCycles { .. } => self.spent += 1,
        }
    }

    /// All of both.
    #[must_use]
    pub fn plus(self, other: Compared) -> Compared {
        Compared {
            calls: self.calls + other.calls,
            faults: self.faults + other.faults,
            spent: self.spent + other.spent,
            translated: self.translated + other.translated,
            cycles: self.cycles + other.cycles,
        }
    }
}

/// A machine of any type.
pub trait Driven {
    /// Itself.
    fn machine(&mut self) -> &mut dyn Machine;
}

impl<P: Processor> Driven for Machine32<P> {
    fn machine(&mut self) -> &mut dyn Machine {
        self
    }
}

impl Driven for Simulated {
    fn machine(&mut self) -> &mut dyn Machine {
        &mut **self
    }
}

/// Two machines with the same program, the first of which interprets it.
#[derive(Debug)]
pub struct Pair<A, B> {
    /// The first.
    pub interpreter: A,
    /// The second.
    pub translator: B,
}

impl<A: Driven, B: Driven> Pair<A, B> {
    /// Does the same to both machines; the results must be equal.
    pub(crate) fn both<R: PartialEq + std::fmt::Debug>(
        &mut self,
        mut act: impl FnMut(&mut dyn Machine) -> R,
    ) -> Result<R, String> {
        let (theirs, ours) = (act(self.interpreter.machine()), act(self.translator.machine()));
        if ours == theirs {
            Ok(ours)
        } else {
            Err(format!("translated: {ours:?}; interpreted: {theirs:?}"))
        }
    }

    /// A digest of the `size` bytes at `address`, which must be equal.
    pub(crate) fn same_memory(&mut self, address: u32, size: u32) -> Result<(), String> {
        self.both(|machine| {
            let mut bytes = vec![0; size as usize];
            let read = machine.read(address, &mut bytes);
            let add = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            (read, bytes.iter().fold(0, add))
        })
        .map(drop)
    }
}
