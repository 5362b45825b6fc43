//! Core timing: latencies, and what a wrongly predicted jump costs.

mod predictor;
mod sifive_e31;

pub use predictor::{Jump, Predictor, PredictorSize};
pub use sifive_e31::{E31, E31_G000};

/// Every core that a board file may name.
pub const CORES: &[&Core] = &[&E31, &E31_G000];

/// A core that issues one instruction a cycle, in order, and predicts jumps.
///
/// A latency is the number of cycles from the issue of an instruction to that of the first that
/// can use its result: 1 for all that are not named here.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// The name that a board file's `core.name` uses.
    pub name: &'static str,
    /// Latency of LW.
    pub load_word: u32,
    /// Latency of LB, LBU, LH and LHU.
    pub load_part: u32,
    /// Latency of a multiplication; the next one waits as long.
    pub multiply: u32,
    /// Latency of a read of a CSR.
    pub csr: u32,
    /// Latency of LR, SC and AMO.
    pub atomic: u32,
    /// The shortest and the longest division.
    pub division: (u32, u32),
    /// Cycles that a wrongly predicted jump loses.
    pub mispredicted: u32,
    /// The tables for prediction.
    pub predictor: PredictorSize,
}

impl Core {
    /// The core of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Core> {
        CORES.iter().copied().find(|core| core.name == name)
    }

    /// Cycles of a division whose quotient has at most `bits` bits: one for each bit and one more.
    /// Nothing else is issued meanwhile: what could go on without the quotient waits too.
    #[must_use]
    pub fn divide(&self, bits: u32) -> u32 {
        (bits + 1).clamp(self.division.0, self.division.1)
    }

    /// The longest latency.
    #[must_use]
    pub fn longest(&self) -> u32 {
        self.load_word.max(self.load_part).max(self.multiply).max(self.csr).max(self.atomic)
    }
}
