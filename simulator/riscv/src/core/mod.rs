//! Core timing: latencies, and what a wrongly predicted jump costs.

mod predictor;
mod sifive_e31;

use pennyweight_machine::{BoardError, CoreFile};

pub use predictor::{Jump, Predictor, PredictorSize};
pub use sifive_e31::E31;

/// The timing models' names in core files.
const MODELS: [&str; 1] = ["sifive-e31"];

/// A core that issues one instruction a cycle, in order, and predicts jumps.
///
/// A latency is the number of cycles from the issue of an instruction to that of the first that
/// can use its result: 1 for all that are not named here.
#[derive(Clone, Copy, Debug)]
pub struct Core {
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
    /// The core with the numbers of a core's file.
    ///
    /// # Errors
    /// There is no such model, or one of its numbers is out of its range.
    pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
        file.one_of("[timing]: model", &file.timing, &MODELS)?;
        let mut given = file.parameters();
        let mut latency = |name, default, meaning| given.number(name, default, (1, 64), meaning);
        let load_word = latency("load_word", E31.load_word, "the latency of LW")?;
        let load_part = latency("load_part", E31.load_part, "the latency of LB, LBU, LH and LHU")?;
        let multiply = latency("multiply", E31.multiply, "the latency of a multiplication")?;
        let csr = latency("csr", E31.csr, "the latency of a read of a CSR")?;
        let atomic = latency("atomic", E31.atomic, "the latency of LR, SC and AMO")?;
        let least = latency("division_least", E31.division.0, "the cycles of the shortest division")?;
        let most = given.number(
            "division_most",
            E31.division.1.max(least),
            (least, 64),
            "the cycles of the longest division",
        )?;
        let mispredicted = "the cycles that a wrongly predicted jump loses";
        let mispredicted = given.number("mispredicted", E31.mispredicted, (0, 64), mispredicted)?;
        let PredictorSize { targets, histories, returns } = E31.predictor;
        let targets =
            given.number("branch_targets", targets, (1, 255), "the entries of the target buffer")?;
        let powers = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
        let histories =
            given.choice("branch_histories", histories, &powers, "the entries of the history table")?;
        let returns =
            given.number("return_addresses", returns, (1, 64), "the entries of the return stack")?;
        given.finish()?;
        Ok(Core {
            load_word,
            load_part,
            multiply,
            csr,
            atomic,
            division: (least, most),
            mispredicted,
            predictor: PredictorSize { targets, histories, returns },
        })
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
