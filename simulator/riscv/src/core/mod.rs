//! Core timing: the cycles of instructions, the latencies of their results, and what jumps cost.

mod jumps;
mod predictor;
mod qingke_v2a;
mod sifive_e31;

use pennyweight_machine::{BoardError, CoreFile};
use pennyweight_memory::timing::Models;

pub use jumps::{JumpCosts, Jumps, Refill};
#[cfg(feature = "translator")]
pub use predictor::Tables;
pub use predictor::{Jump, Predictor, PredictorSize};
pub use qingke_v2a::QINGKE_V2A;
pub use sifive_e31::E31;

const SIFIVE_E31: &str = "sifive-e31";
/// The timing models' names in core files.
const MODELS: [&str; 2] = [SIFIVE_E31, "qingke-v2a"];

/// A core that issues one instruction at a time, in order.
///
/// A latency is the number of cycles from the issue of an instruction to that of the first that
/// can use its result: 1 for all others.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// Cycles of a load or store, whether its result is used or not.
    pub access: u32,
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
    /// Costs of jumps.
    pub jumps: JumpCosts,
}

impl Core {
    /// The core with the numbers of a core's file.
    ///
    /// # Errors
    /// There is no such model, or one of its numbers is out of its range.
    pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
        match file.one_of("[timing]: model", &file.timing, &MODELS)? {
            SIFIVE_E31 => sifive_e31::of_file(file),
            _ => qingke_v2a::of_file(file),
        }
    }

    /// The models of flash timing that a core with this timing model can have.
    #[must_use]
    pub fn flash_models(timing: &str) -> Models {
        match timing {
            SIFIVE_E31 => Models::ZERO_WAIT.union(Models::INSTRUCTION_CACHE),
            _ => Models::ZERO_WAIT.union(Models::FETCH_BUFFER),
        }
    }

    /// Cycles of a division whose quotient has at most `bits` bits: one for each bit and one more.
    /// Nothing else is issued meanwhile: instructions that do not need the quotient wait too.
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
